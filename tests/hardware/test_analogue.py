"""Boards that feel fields: cells over converters as a source, and the profile that describes them."""

import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from gpiozero import GPIOPinInUse, OutputDevice

from hardware.adc import AdcPins, GpiozeroAdcs, SpidevAdcs
from hardware.analogue import FieldCells, field_scanner_on, open_converters
from hardware.bands import Band, ColourCells, Scale
from hardware.opening import source_on
from hardware.ports import UNKNOWN, ButtonPress, CellChange, DeviceError, LinkNews, Sensed, Sensing, Snapshot, Source
from hardware.profile import Profile, ProfileError, load_profile, parse_profile
from hardware.scanner import RETRY_MS
from simulator.pins import StonelightFactory

NAME = "bamogo-4x4-colour"
REFERENCE = (Path(__file__).parents[2] / f"hardware/profiles/{NAME}.toml").read_text(encoding="utf-8")
CASES: list[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parent / "analogue_faults.toml").read_text(encoding="utf-8")
)["case"]


class Counts:
    """Converters whose counts a test sets."""

    def __init__(self, width: int = 16) -> None:
        self.width = width
        self.counts = [512] * width
        self.trouble: OSError | None = None
        self.reads = 0
        self.closed = 0

    def read(self) -> list[int]:
        self.reads += 1
        if self.trouble is not None:
            raise self.trouble
        return list(self.counts)

    def close(self) -> None:
        self.closed += 1


class Contacts:
    """Buttons that a test holds down."""

    def __init__(self) -> None:
        self.down: set[str] = set()

    def closed(self, cell: int) -> bool:
        return False

    def pressed(self, button: str) -> bool:
        return button in self.down


@pytest.fixture
def profile() -> Profile:
    return load_profile(NAME)


def counts_of(millitesla: float) -> int:
    """What a converter counts for a field, by the sensor's data sheet."""
    return int((1650 + 15 * millitesla) / 3300 * 1024)


def run(source: Source, start: int, end: int, at: Callable[[int], None] = lambda now: None) -> list[Sensed]:
    sensed: list[Sensed] = []
    for now in range(start, end):
        at(now)
        sensed += source.poll(now)
    return sensed


# The source ---------------------------------------------------------------------------------------------------------


def test_a_stone_is_told_as_unknown_and_then_as_its_colour(profile: Profile) -> None:
    adcs = Counts()
    source = field_scanner_on(profile, adcs, StonelightFactory())
    assert source.poll(0) == [Snapshot((0,) * 16, 0)]
    b2 = profile.cell_names().index("b2")

    def put(now: int) -> None:
        if now == 105:
            adcs.counts[b2] = counts_of(55)

    assert run(source, 1, 400, put) == [CellChange(b2, UNKNOWN, 120), CellChange(b2, 2, 120)]
    adcs.counts[b2] = 512
    assert run(source, 400, 500) == [CellChange(b2, 0, 400)]


def test_every_state_of_60_ms_is_seen_at_whatever_moment_it_begins(profile: Profile) -> None:
    for phase in range(25):
        adcs = Counts()
        adcs.counts[3] = counts_of(-55)
        source = field_scanner_on(profile, adcs, StonelightFactory())

        def lift(now: int, adcs: Counts = adcs, down: int = 100 + phase) -> None:
            adcs.counts[3] = 512 if down <= now < down + 60 else counts_of(-55)

        told = [each.reading for each in run(source, 0, 500, lift) if isinstance(each, CellChange)]
        assert told[0] == 0
        assert told[-1] == 1


def test_a_colour_is_given_out_at_the_very_scan_at_which_it_is_due(profile: Profile) -> None:
    adcs = Counts()
    source = field_scanner_on(profile, adcs, StonelightFactory())
    source.poll(0)
    adcs.counts[0] = counts_of(-16)
    now = 0
    told: list[tuple[int, Sensed]] = []
    while len(told) < 2:
        due = source.due()
        assert due is not None
        now = due
        told += [(now, each) for each in source.poll(now)]
    assert told == [(30, CellChange(0, UNKNOWN, 20)), (120, CellChange(0, 3, 20))]


def test_the_pace_is_quiet_unless_a_change_or_a_press_is_being_agreed(profile: Profile) -> None:
    adcs, contacts = Counts(), Contacts()
    factory = StonelightFactory()
    factory.wire(profile.wiring(), contacts)
    source = field_scanner_on(profile, adcs, factory)
    run(source, 0, 1000)
    assert adcs.reads == 50
    adcs.counts[0] = counts_of(-30)
    run(source, 1000, 2000)
    assert adcs.reads <= 103, "a field between the bands is no reason to hurry"
    before = adcs.reads
    contacts.down.add("ok")
    (press,) = run(source, 2000, 2100)
    assert isinstance(press, ButtonPress)
    assert 2000 <= press.at < 2020
    assert adcs.reads - before >= 9, "another press may follow soon"


def test_converters_that_cannot_be_read_are_told_and_come_back_with_a_snapshot(profile: Profile) -> None:
    adcs, contacts = Counts(), Contacts()
    factory = StonelightFactory()
    factory.wire(profile.wiring(), contacts)
    source = field_scanner_on(profile, adcs, factory)
    source.poll(0)
    adcs.counts[1] = counts_of(55)
    source.poll(20)
    adcs.trouble = OSError("the MCP3008 does not answer")

    def meanwhile(now: int) -> None:
        contacts.down = {"hint"} if 200 <= now < 300 else set()
        if now == 900:
            adcs.trouble = None

    down, press, up, snapshot = run(source, 21, 900 + RETRY_MS + 50, meanwhile)
    assert down == LinkNews(up=False, why="the MCP3008 does not answer", at=30)
    assert isinstance(press, ButtonPress), "buttons work meanwhile"
    assert up == LinkNews(up=True, why="", at=up.at)
    assert snapshot == Snapshot((0, 2, *[0] * 14), up.at)


def test_a_board_may_be_told_to_see_less(profile: Profile) -> None:
    adcs = Counts()
    adcs.counts = [counts_of(field) for field in (0, 55, -55, -16, *[0] * 12)]
    source = field_scanner_on(profile, adcs, StonelightFactory(), sensing=Sensing.PRESENCE)
    assert source.poll(0) == [Snapshot((0, 1, 1, 1, *[0] * 12), 0)]


def test_a_button_whose_pin_is_taken_leaves_nothing_open(profile: Profile) -> None:
    factory, adcs = StonelightFactory(), Counts()
    with OutputDevice(27, pin_factory=factory), pytest.raises(GPIOPinInUse):
        field_scanner_on(profile, adcs, factory)
    assert adcs.closed == 1


def test_closing_lets_go_of_the_converters(profile: Profile) -> None:
    adcs = Counts()
    source = field_scanner_on(profile, adcs, StonelightFactory())
    source.close()
    source.close()
    assert adcs.closed
    assert source.poll(100) == ()


def test_each_cell_has_a_scale_of_its_own() -> None:
    adcs = Counts(2)
    adcs.counts = [500, 500]
    bands = load_profile(NAME).field_bands()
    cells = FieldCells(adcs, [Scale(500.5, 1.0), Scale(512.0, 1.0)], ColourCells(2, bands))
    assert cells.start(0) == (0, 3)


# Which converters ---------------------------------------------------------------------------------------------------


class Port:
    """An SPI device that answers the middle of the scale."""

    max_speed_hz = 0
    mode = 0
    opened: list[tuple[int, int]]

    def open(self, bus: int, device: int) -> None:
        self.opened.append((bus, device))

    def xfer2(self, data: list[int]) -> Sequence[int]:
        return [0, 2, 0]

    def close(self) -> None:
        """Nothing to let go of."""


def test_a_bus_is_read_by_the_kernel_and_pins_bit_by_bit(profile: Profile) -> None:
    Port.opened = []
    adcs = open_converters(profile, StonelightFactory(), Port)
    assert isinstance(adcs, SpidevAdcs)
    assert Port.opened == [(1, 0), (1, 1)]
    assert adcs.read() == [512] * 16
    pins = 'bus = "pins"\nclock = 4\nmosi = 12\nmiso = 13\nselects = [16, 26]'
    other = parse_profile(REFERENCE.replace('bus = "spi1"', pins), "mine.toml")
    bitwise = open_converters(other, StonelightFactory())
    assert isinstance(bitwise, GpiozeroAdcs)
    bitwise.close()
    assert other.converters().pins() == AdcPins(4, 12, 13, (16, 26))


def test_a_board_is_opened_by_its_profile(profile: Profile) -> None:
    Port.opened = []
    source = source_on(profile, StonelightFactory(), wait=lambda us: None, make_spi=Port)
    assert source.poll(0) == [Snapshot((0,) * 16, 0)]
    source.close()


def test_a_bus_that_is_off_says_so(profile: Profile) -> None:
    class Off(Port):
        def open(self, bus: int, device: int) -> None:
            raise FileNotFoundError(2, "No such file")

    with pytest.raises(DeviceError, match="dtoverlay=spi1-2cs"):
        source_on(profile, StonelightFactory(), wait=lambda us: None, make_spi=Off)


# The profile --------------------------------------------------------------------------------------------------------


def test_the_reference_board_by_colour(profile: Profile) -> None:
    assert profile.sensing is Sensing.COLOUR
    assert profile.max_colours == 3
    where = dict(zip(profile.cell_names(), profile.channels(), strict=True))
    assert [where[name] for name in ("a1", "b1", "d1", "a2", "a3", "d4")] == [
        (0, 0), (0, 1), (0, 3), (0, 4), (1, 0), (1, 7),
    ]  # fmt: skip
    assert profile.converters().pins() == AdcPins(clock=21, mosi=20, miso=19, selects=(18, 17))
    assert profile.buttons == {"red": 5, "blue": 6, "yellow": 22, "ok": 23, "back": 24, "new": 25, "hint": 27}
    assert profile.field_bands().colours == (Band(-85, -40), Band(40, 85), Band(-24, -10.5))
    assert profile.field_scales()[0].field(512 + 233) == pytest.approx(50, abs=0.2)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_each_mistake_has_a_message(case: dict[str, Any]) -> None:
    text = REFERENCE
    for old, new in case["change"]:
        assert old in text, old
        text = text.replace(old, new, 1)
    with pytest.raises(ProfileError) as caught:
        parse_profile(text, "mine.toml")
    lines = [str(fault).removeprefix("mine.toml: ") for fault in caught.value.faults]
    assert any(line.startswith(case["says"]) for line in lines), lines
    assert len(lines) == 1 + case.get("more", 0), lines


def test_calibration_goes_before_the_data_sheet() -> None:
    text = REFERENCE + "\n[calibration.zero]\na1 = 500.5\n[calibration.gain]\na2 = 2.0\n"
    scales = parse_profile(text, "mine.toml").field_scales()
    assert scales[0].field(500) == pytest.approx(0)
    assert scales[1].field(512 + 93) == pytest.approx(10, abs=0.1)
    assert scales[2] == load_profile(NAME).field_scales()[2]


@pytest.mark.parametrize(("stones", "sensing"), [(1, "colour"), (3, "colour"), (4, "presence"), (6, "presence")])
def test_a_game_with_too_many_colours_is_played_by_presence(profile: Profile, stones: int, sensing: str) -> None:
    assert profile.sensing_for(stones) is Sensing(sensing)
    assert load_profile("bamogo-4x4-presence").sensing_for(stones) is Sensing.PRESENCE


def test_a_profile_played_by_presence_is_the_same_board(profile: Profile) -> None:
    assert profile.for_stones(3) is profile
    other = profile.for_stones(4)
    assert (other.sensing, other.channels(), other.buttons) == (Sensing.PRESENCE, profile.channels(), profile.buttons)
    adcs = Counts()
    adcs.counts[0] = counts_of(-16)
    assert field_scanner_on(other, adcs, StonelightFactory()).poll(0) == [Snapshot((1, *[0] * 15), 0)]


def test_fewer_colours_may_be_promised_than_there_are_bands() -> None:
    profile = parse_profile(REFERENCE.replace("max_colours = 3", "max_colours = 2"), "mine.toml")
    assert profile.sensing_for(3) is Sensing.PRESENCE
    assert parse_profile(REFERENCE.replace("max_colours = 3\n", ""), "mine.toml").max_colours == 3
