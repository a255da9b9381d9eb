"""Opening a board: on gpiozero's own lgpio pins over a pretended lgpio, on simulated pins, and where it cannot be."""

import sys
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from gpiozero import DigitalOutputDevice

from hardware import opening
from hardware.lamps import PixelLamps
from hardware.opening import choose_chip, lamps_on, open_board, open_pins, scanner_on
from hardware.ports import CellChange, DeviceError, LinkNews, Snapshot
from hardware.profile import Profile, load_profile, parse_profile
from hardware.strips import AdafruitStrip, SpiStrip
from simulator.pins import StonelightFactory

ZERO_2W = 0x902120


@pytest.fixture
def profile() -> Profile:
    return load_profile("bamogo-4x4-presence")


class LgError(Exception):
    """As ``lgpio.error``."""


class Lgpio(ModuleType):
    """As much of lgpio as gpiozero uses, over a matrix of contacts (row pin, column pin)."""

    error = LgError
    RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3
    SET_PULL_UP, SET_PULL_DOWN, SET_PULL_NONE = 32, 64, 128

    def __init__(self, labels: dict[int, str]) -> None:
        super().__init__("lgpio")
        self.labels = labels
        self.open: list[int] = []
        self.closed: list[int] = []
        self.outputs: dict[int, int] = {}
        self.pulls: dict[int, int] = {}
        self.levels_driven: list[tuple[int, int]] = []
        self.contacts: set[tuple[int, int]] = set()
        self.busy: set[int] = set()
        self.broken = False

    def gpiochip_open(self, number: int) -> int:
        if number not in self.labels:
            raise LgError("can not open gpiochip")
        self.open.append(number)
        return number

    def gpiochip_close(self, handle: int) -> None:
        self.closed.append(handle)

    def gpio_get_chip_info(self, handle: int) -> tuple[int, int, str, str]:
        return 0, 54, f"gpiochip{handle}", self.labels[handle]

    def gpio_claim_input(self, handle: int, gpio: int, flags: int = 0) -> None:
        if gpio in self.busy:
            raise LgError("'GPIO busy'")
        self.outputs.pop(gpio, None)
        self.pulls[gpio] = flags

    def gpio_free(self, handle: int, gpio: int) -> None:
        self.outputs.pop(gpio, None)

    def gpio_claim_output(self, handle: int, gpio: int, level: int = 0) -> None:
        self.outputs[gpio] = level
        self.levels_driven.append((gpio, level))

    def gpio_write(self, handle: int, gpio: int, level: int) -> None:
        self.outputs[gpio] = level
        self.levels_driven.append((gpio, level))

    def gpio_read(self, handle: int, gpio: int) -> int:
        if self.broken:
            raise LgError("bad handle")
        return int(not any((row, gpio) in self.contacts for row, level in self.outputs.items() if not level))

    def gpio_get_mode(self, handle: int, gpio: int) -> int:
        pull = {32: 32, 64: 64}.get(self.pulls.get(gpio, 0), 128)
        return pull | (2 if gpio in self.outputs else 0)


@pytest.fixture
def lgpio(monkeypatch: pytest.MonkeyPatch) -> Lgpio:
    """A pretended lgpio on a pretended Zero 2 W, under gpiozero's real factory for it."""
    fake = Lgpio({0: "pinctrl-bcm2835", 1: "raspberrypi-exp-gpio"})
    monkeypatch.setitem(sys.modules, "lgpio", fake)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: ZERO_2W)
    monkeypatch.setattr("gpiozero.pins.local.LocalPiFactory.pins", {})
    return fake


class Dark:
    """A strip that leads nowhere."""

    def write(self, data: bytes) -> None:
        """Nothing to see."""

    def close(self) -> None:
        """Nothing to let go of."""


def test_a_board_on_a_pi(lgpio: Lgpio, profile: Profile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "open_strip", lambda profile: Dark())
    source, lamps = open_board(profile, wait=lambda us: None)
    assert source.poll(0) == [Snapshot((0,) * 16, 0)]
    lgpio.contacts.add((17, 16))  # rank 2, file b
    changes = [each for now in range(1, 100) for each in source.poll(now)]
    assert changes == [CellChange(profile.cell_names().index("b2"), 1, 20)]
    assert {gpio for gpio, _ in lgpio.levels_driven} == set(profile.cells.rows)
    assert {level for _, level in lgpio.levels_driven} == {0}, "never the other way"
    assert lgpio.outputs == {}, "rows are let go of"
    assert all(lgpio.pulls[column] == lgpio.SET_PULL_UP for column in profile.cells.columns)
    source.close()
    source.close()
    lamps.close()
    assert sorted(lgpio.open) == sorted(lgpio.closed)


def test_pins_that_stop_answering_are_told_as_link_news(
    lgpio: Lgpio, profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "open_strip", lambda profile: Dark())
    source, _ = open_board(profile, wait=lambda us: None)
    source.poll(0)
    lgpio.broken = True
    assert source.poll(20) == [LinkNews(up=False, why="bad handle", at=20)]
    lgpio.broken = False
    assert [type(each) for now in range(21, 600) for each in source.poll(now)] == [LinkNews, Snapshot]
    source.close()


def test_a_pin_that_another_program_holds(lgpio: Lgpio, profile: Profile) -> None:
    lgpio.busy.add(24)
    with pytest.raises(DeviceError, match=r"held by another program .*'gpioinfo' names it"):
        open_board(profile, wait=lambda us: None)
    assert sorted(lgpio.open) == sorted(lgpio.closed), "nothing stays open"


def test_lamps_that_cannot_be_had_leave_no_pin_open(
    lgpio: Lgpio, profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(profile: Profile) -> None:
        raise DeviceError("no strip")

    monkeypatch.setattr(opening, "open_strip", refuse)
    with pytest.raises(DeviceError, match="no strip"):
        open_board(profile, wait=lambda us: None)
    assert sorted(lgpio.open) == sorted(lgpio.closed)


def test_g3_no_gpio_at_all_is_one_error_and_no_warning(profile: Profile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with pytest.raises(DeviceError, match="apt install python3-lgpio"):
            open_board(profile, wait=lambda us: None)
    assert caught == []


def test_p1_an_empty_lgpio_is_recognised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", ModuleType("lgpio"))
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    with pytest.raises(DeviceError, match=r"empty shell.*adafruit-lgpio"):
        open_pins()


@pytest.mark.parametrize(
    ("labels", "chip"),
    [
        pytest.param({0: "pinctrl-bcm2835", 1: "raspberrypi-exp-gpio"}, 0, id="Zero 2 W"),
        pytest.param({0: "pinctrl-bcm2711", 1: "raspberrypi-exp-gpio"}, 0, id="Pi 4"),
        pytest.param({0: "gpio-brcmstb@107d508500", 4: "pinctrl-rp1"}, 4, id="Pi 5, old numbers"),
        pytest.param({0: "pinctrl-rp1", 10: "gpio-brcmstb@107d508500"}, 0, id="Pi 5, new numbers"),
        pytest.param({0: "pinctrl-rp1", 4: "pinctrl-rp1", 10: "gpio-brcmstb"}, 0, id="Pi 5, new numbers and a link"),
    ],
)
def test_g1_the_chip_is_found_by_its_label(labels: dict[int, str], chip: int) -> None:
    assert choose_chip(labels) == chip


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        pytest.param({}, "usermod -aG gpio", id="none may be opened"),
        pytest.param({0: "INT34C5:00"}, "none of a Raspberry Pi's header", id="a laptop's"),
    ],
)
def test_no_chip_of_a_header_is_an_error(labels: dict[int, str], message: str) -> None:
    with pytest.raises(DeviceError, match=message):
        choose_chip(labels)


def test_g1_the_chip_that_was_found_is_opened(lgpio: Lgpio) -> None:
    lgpio.labels = {0: "gpio-brcmstb", 4: "pinctrl-rp1"}
    factory, lost = open_pins()
    assert factory.chip == 4
    assert lost == (LgError,)
    factory.close()


def test_a_pin_in_use_in_this_process_names_the_rule(profile: Profile) -> None:
    factory = StonelightFactory()
    with DigitalOutputDevice(16, pin_factory=factory), pytest.raises(DeviceError, match="a process opens one board"):
        scanner_on(profile.wiring(), profile.pace(), factory, wait=lambda us: None)
    scanner_on(profile.wiring(), profile.pace(), factory, wait=lambda us: None).close()


def test_lamps_are_those_of_the_profile(profile: Profile) -> None:
    lamps = lamps_on(profile, Dark())
    assert isinstance(lamps, PixelLamps)
    lamps.show(bytes(3 * 40))
    lamps.close()


def test_the_strip_is_the_one_the_profile_asks_for(monkeypatch: pytest.MonkeyPatch, profile: Profile) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(SpiStrip, "__init__", lambda self: asked.append("spi"))
    monkeypatch.setattr(AdafruitStrip, "__init__", lambda self, *how: asked.append(how))
    opening.open_strip(profile)
    text = (Path(opening.__file__).parent / "profiles/bamogo-4x4-presence.toml").read_text(encoding="utf-8")
    opening.open_strip(parse_profile(text.replace('"spi"', '"neopixel"').replace("pin = 10", "pin = 18"), "mine.toml"))
    assert asked == ["spi", (18, 40, "GRB")]
