"""What people meet when they light a board from a Raspberry Pi: each report, and what this board does instead.

The letters and numbers in the names are those of the list of reports that this board was built against.
"""

import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.app.pins import TappedLamps
from controller.app.play import real_rig
from controller.app.simulated import Via, simulated_rig
from controller.bench.checks import judge
from controller.bench.facts import Facts, Install, Page, Spi, State
from controller.bench.findings import Finding, Verdict
from controller.cli.main import main
from controller.games.seam import AnyRules, load_game
from hardware import opening, serial_port
from hardware.pixel_roads import model_name, pixel_road
from hardware.ports import Sensing
from hardware.profile import Profile, load_profile

BOARD = load_profile("bamogo-4x4-presence")
LOUD = frozenset({"snd_bcm2835"})
PI_5 = "Raspberry Pi 5 Model B Rev 1.1"
ZERO = Facts(
    install=Install((3, 13, 5), "/usr/bin/python"),
    system="Debian GNU/Linux 13 (trixie), aarch64",
    user="ann",
    state=State("/home/ann/.local/state/stonelight", writable=True),
    page=Page(8000, free=True),
    model="Raspberry Pi Zero 2 W Rev 1.0",
    modules=frozenset(),
    spi=(Spi("/dev/spidev0.0", allowed=True),),
)


def on_pwm(pin: int = 18) -> Profile:
    return BOARD.model_copy(update={"lamps": BOARD.lamps.model_copy(update={"driver": "neopixel", "pin": pin})})


def finding(check: str, facts: Facts) -> Finding:
    return next(found for found in judge(facts) if found.check == check)


def bamogo(*_: object, **__: object) -> AnyRules:
    return load_game("bamogo").rules(None, {})


# L1: sound on the block that makes pixel data -------------------------------------------------------------------------


def test_l1_pixels_go_by_spi_unless_asked_otherwise_and_sound_is_no_matter_then() -> None:
    assert BOARD.lamps.driver == "spi"
    assert finding("sound", replace(ZERO, profile=BOARD, modules=LOUD)).verdict is Verdict.OK


@pytest.mark.parametrize("pin", [12, 13, 18, 19])
def test_l1_pwm_pixels_fail_while_the_sound_module_is_loaded_whatever_the_file_says(pin: int) -> None:
    facts = replace(ZERO, profile=on_pwm(pin), modules=LOUD, config="dtparam=audio=off\n")
    found = finding("sound", facts)
    assert found.verdict is Verdict.FAILED
    assert "same block as the pixels" in found.said
    assert 'driver = "spi"' in found.remedy
    assert finding("sound", replace(facts, modules=frozenset(), config="dtparam=audio=on\n")).verdict is Verdict.OK


def test_l1_sound_that_is_led_to_the_pins_of_the_board_fails_too() -> None:
    board = BOARD.model_copy(update={"buttons": {"ok": 19}})
    facts = replace(ZERO, profile=board, modules=LOUD, config="dtoverlay=audremap,enable_jack=off,pins_18_19\n")
    found = finding("sound", facts)
    assert found.verdict is Verdict.FAILED
    assert "dtoverlay=audremap" in found.remedy


# L2: the driver by the model's name -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "road"),
    [
        ("Raspberry Pi Model B Plus Rev 1.2", "PWM"),
        ("Raspberry Pi Zero 2 W Rev 1.0", "PWM"),
        ("Raspberry Pi 3 Model A Plus Rev 1.0", "PWM"),
        ("Raspberry Pi 400 Rev 1.1", "PWM"),
        ("Raspberry Pi Compute Module 4 Rev 1.1", "PWM"),
        (PI_5, "PIO"),
        ("Raspberry Pi 500 Rev 1.0", "PIO"),
        ("Raspberry Pi Compute Module 5 Rev 1.0", "PIO"),
        ("Raspberry Pi 5 Model B Rev 9.7", "PIO"),  # a revision that nobody has seen yet
    ],
)
def test_l2_the_road_to_the_pixels_follows_the_name_of_the_model(model: str, road: str, tmp_path: Path) -> None:
    node = tmp_path / "model"
    node.write_text(f"{model}\0")
    assert model_name(node) == model
    found = pixel_road("neopixel", 18, model)
    assert found.name == road
    assert model in found.why
    assert pixel_road("spi", 10, model).name == "SPI"
    said = finding("pixel-data", replace(ZERO, profile=on_pwm(), model=model, root=True, pio=True)).said
    assert said == f"by {road}: {found.why}"


def test_l2_another_computer_is_no_pi(tmp_path: Path) -> None:
    (tmp_path / "model").write_text("Orange Pi Zero 3\0")
    assert model_name(tmp_path / "model") is None
    assert model_name(tmp_path / "none") is None


# L4: PWM without root -------------------------------------------------------------------------------------------------

CODES = {
    -1: "Generic failure",
    -2: "Out of memory",
    -3: "Hardware revision is not supported",
    -4: "Memory lock failed",
    -5: "mmap() failed",
    -6: "Unable to map registers into userspace",
    -7: "Unable to initialize GPIO",
    -8: "Unable to initialize PWM",
    -9: "Failed to create mailbox device",
    -10: "DMA error",
    -11: "Selected GPIO not possible",
    -12: "Unable to initialize PCM",
    -13: "Unable to initialize SPI",
    -14: "SPI transfer error",
}
"""What the driver of the older Pis answers (rpi_ws281x, ``ws2811.h``)."""


def test_l4_the_doctor_explains_that_pwm_needs_root() -> None:
    found = finding("pixel-data", replace(ZERO, profile=on_pwm()))
    assert found.verdict is Verdict.FAILED
    assert "only root may use, and ann is not root" in found.said
    assert "play goes on without light" in found.remedy
    assert finding("pixel-data", replace(ZERO, profile=BOARD)).verdict is Verdict.OK


@pytest.mark.parametrize("code", CODES)
def test_l4_a_driver_that_refuses_is_told_once_and_the_game_goes_on(
    code: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: Any) -> None:
        words = f"ws2811_init failed with code {code} ({CODES[code]})"
        raise RuntimeError("NeoPixel support requires running with sudo, please try again!" if code == -5 else words)

    rig = simulated_rig(bamogo, Sensing.PRESENCE, Via.PINS)
    assert rig.top is not None
    assert isinstance(rig.lamps, TappedLamps)
    monkeypatch.setattr(rig.lamps.tap, "receive", refuse)  # where the driver's own write would be
    now = 0

    def wait(ms: int) -> None:
        nonlocal now
        for _ in range(ms // 5):
            now += 5
            rig.step(now)

    with caplog.at_level(logging.WARNING):
        wait(500)
        rig.top.put([0], 1)
        rig.top.put([1], 2)
        wait(1000)
        rig.press("red", now)
        wait(100)
        rig.press("blue", now)
        wait(3000)
        plies = [ply.token for ply in rig.table.round.plies]
        rig.close()
    assert plies == ["Ra1 Ba2"]
    told = [record.getMessage() for record in caplog.records if record.getMessage().startswith("no light: ")]
    assert len(told) == 1
    assert "the driver refuses" in told[0]
    assert "need root" in told[0]
    assert "play goes on without light" in told[0]


# L10: what is in effect counts, not what is written -------------------------------------------------------------------


def test_l10_a_bus_that_the_file_switches_on_for_another_model_is_off() -> None:
    facts = replace(ZERO, profile=BOARD, spi=(), config="[pi5]\ndtparam=spi=on\n[all]\n")
    found = finding("spi", facts)
    assert found.verdict is Verdict.FAILED
    assert "only under [pi5], which does not hold here" in found.said


def test_l10_a_bus_that_the_file_switches_on_and_that_is_not_there_wants_a_restart() -> None:
    found = finding("spi", replace(ZERO, profile=BOARD, spi=(), config="dtparam=spi=on\n"))
    assert found.verdict is Verdict.FAILED
    assert found.remedy == "restart the Pi"


def test_l10_a_bus_that_is_there_is_on_whatever_the_file_says() -> None:
    assert finding("spi", replace(ZERO, profile=BOARD, config="dtparam=spi=off\n")).verdict is Verdict.OK


# B10: no output before a board is known -------------------------------------------------------------------------------


def untouched(*_: object, **__: object) -> None:
    raise AssertionError("an output was touched")


@pytest.mark.parametrize("text", ["", "name = 3\n", "not TOML", "host = 'pi'\n[lamps]\ndriver = 'wishes'\n"])
def test_b10_a_profile_that_makes_no_sense_touches_no_pin_and_no_port(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    board = tmp_path / "board.toml"
    board.write_text(text)
    for module, name in ((opening, "open_pins"), (opening, "open_strip"), (serial_port, "open_channel")):
        monkeypatch.setattr(module, name, untouched)
    assert main(["play", "bamogo", "--board", str(board), "--http-port", "0", "--no-browser"]) == 1
    assert str(board) in capsys.readouterr().err


def test_b10_a_game_that_has_no_room_on_the_board_touches_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "open_pins", untouched)
    exago = load_game("exago").rules(None, {})
    with pytest.raises(ValueError, match="'bamogo-4x4-presence'"):
        real_rig(lambda *_, **__: exago, BOARD)
