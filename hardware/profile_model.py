"""What a board profile may say, section by section, and what follows from it.

These are the shapes; `hardware.profile` reads files, and `hardware.profile_checks` holds what no single key can tell.
Keys and defaults for a builder: docs/profiles.md.
"""

from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field

from hardware import layouts, profile_analogue
from hardware.adc import Channel
from hardware.bands import Bands, Scale
from hardware.layouts import Layout
from hardware.pixels import Chain
from hardware.ports import Sensing
from hardware.profile_analogue import BandKeys, Calibration, Converters
from hardware.profile_section import Gpio, Section
from hardware.scanner import BUSY_MS, QUIET_MS
from hardware.wiring import Pace, Wiring

BUTTONS: Final = ("red", "blue", "yellow", "ok", "back", "new", "hint", "1", "2", "3", "4", "5", "6")
"""Names a button may have; the digits are seats."""
CONTACT_AGREE_MS: Final = 10
"""Agreement for bare contacts: reed switches bounce for a few milliseconds at most."""
MOST_AGREE_MS: Final = 30
"""The share of agreement in the 120 ms from stone to light, however slow the sensor."""

OPTICAL_AGREE_MS: Final = 300
"""How long a pit must be left alone: a hand that sows or takes comes back sooner than that."""
RAIL_3V3_MA: Final = {"pi": 500.0, "pico": 300.0}
"""What the 3.3 V pin gives to parts outside, by host (Raspberry Pi documentation; Pico data sheet, "Powerchain")."""
USB_MA: Final = 500.0
"""What a USB port gives a Pico, where the profile names no other supply (USB 2.0)."""


def _numbers(value: Any) -> Any:
    """Let one number stand for the list that holds only it; a strict tuple is no list."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return (value,)
    return tuple(value) if isinstance(value, list) else value


class Run(Section):
    """In which order a chain runs through the cells, beginning at number `first`."""

    first: int = Field(default=0, ge=0)
    pattern: layouts.Pattern = "serpentine"
    start: layouts.Corner = "near-left"
    along: layouts.Along = "ranks"
    exceptions: dict[str, int] = Field(default_factory=dict)

    def numbers(self, layout: Layout) -> tuple[int, ...]:
        """Return shape (cells,): the number on the chain of each cell, by rule and exceptions."""
        numbers = [0] * len(layout.names)
        for step, cell in enumerate(layout.walk(self.pattern, self.start, self.along)):
            numbers[cell] = self.first + step
        return tuple(self.exceptions.get(name, number) for name, number in zip(layout.names, numbers, strict=True))


class Levels(Section):
    """``[cells.levels]``: what optical sensors read, lit minus dark, of 1023."""

    empty: int = Field(default=40, ge=0, le=1023)
    seed: int = Field(default=300, ge=0, le=1023)
    by_cell: dict[str, tuple[int, int]] = Field(default_factory=dict)


class Cells(Section):
    """``[cells]``: which cells there are, what their sensors tell, and how these are read."""

    sensing: Literal["presence", "colour", "count"]
    layout: layouts.Kind = "grid"
    files: int | None = Field(default=None, ge=1, le=layouts.MOST_FILES)
    ranks: int | None = Field(default=None, ge=1, le=layouts.MOST_FILES)
    radius: int | None = Field(default=None, ge=1, le=layouts.MOST_RADIUS)
    driver: Literal["matrix", "chain", "mux", "mcp3008"]
    rows: tuple[Gpio, ...] = Field(default=(), min_length=1)
    columns: tuple[Gpio, ...] = Field(default=(), min_length=1)
    diodes: bool = True
    load: Gpio | None = None
    clock: Gpio | None = None
    data: Gpio | None = None
    registers: int = Field(default=0, ge=1, le=64)
    closed_is_low: bool = True
    selects: tuple[Gpio, ...] = Field(default=(), min_length=4, max_length=4)
    adcs: tuple[int, ...] = Field(default=(), min_length=1, max_length=8)
    emitter: Gpio | None = None
    levels: Levels = Levels()
    settle_us: int = Field(default=50, ge=0, le=5000)
    scan_ms: int = Field(default=QUIET_MS, ge=1, le=50)
    busy_scan_ms: int = Field(default=BUSY_MS, ge=1, le=25)
    agree_samples: int = Field(default=3, ge=1, le=16)
    agree_ms: int | None = Field(default=None, ge=0, le=1000)
    wiring: Run | None = None
    exceptions: dict[str, tuple[int, int]] = Field(default_factory=dict)
    buttons: dict[str, int] = Field(default_factory=dict)
    turned: Literal[0, 60, 90, 120, 180, 240, 270, 300] = 0


class Sensor(Section):
    """``[sensor]``: the part under each cell, from its data sheet."""

    part: str = "reed switch"
    operate_mt: float | None = Field(default=None, gt=0, le=1000)
    release_mt: float | None = Field(default=None, gt=0, le=1000)
    sample_ms: int = Field(default=0, ge=0, le=1000)
    polarity: Literal["either", "north", "south"] = "either"
    mv_per_mt: float | None = Field(default=None, gt=0, le=1000)
    quiescent_mv: float = Field(default=1650.0, gt=0, le=5000)
    supply_mv: float = Field(default=3300.0, gt=0, le=5500)
    ma: float = Field(default=0.0, ge=0, le=100)
    emitter_ma: float = Field(default=0.0, ge=0, le=200)
    supply_ma: float | None = Field(default=None, gt=0)


class Track(Section):
    """``[lamps.track]``: the score track."""

    first: int = Field(ge=0)
    count: int = Field(default=24, ge=0)
    backwards: bool = False


class Lights(Section):
    """``[lamps]``: the chain of pixels."""

    driver: Literal["spi", "neopixel"] = "spi"
    pin: Gpio = 10
    gate: Gpio | None = None
    order: str = "GRB"
    count: int = Field(ge=1, le=4096)
    brightness: float = Field(default=0.6, ge=0, le=1)
    gamma: float = Field(default=2.2, ge=1, le=4)
    budget_ma: float = Field(gt=0)
    ma_per_channel: Annotated[tuple[float, ...], BeforeValidator(_numbers)] = (20.0,)
    idle_ma: float = Field(default=1.0, ge=0, le=20)
    covered_gain: float = Field(default=1.5, ge=1, le=8)
    supply_ma: float | None = Field(default=None, gt=0)
    wiring: Run = Run()
    track: Track | None = None


class Reserve(Section):
    """``[reserve]``: pins that something else on the Pi needs."""

    buses: tuple[Literal["spi0", "spi1", "spi1-1cs", "i2c", "uart", "i2s", "pwm-audio"], ...] = ()
    pins: tuple[Gpio, ...] = ()


class Host(Section):
    """``[hosts.<game>]``: how a game with larger cells is played on this board's places."""

    cell: tuple[int, int] = (1, 1)
    step: tuple[int, int]
    origin: str | None = None


class Power(Section):
    """``[power]``: whether holding `new` and `back` may switch the Pi off, and by which command."""

    shutdown: bool = False
    command: tuple[str, ...] = Field(default=("systemctl", "poweroff"), min_length=1)


class Profile(Section):
    """A whole board profile.

    Made by `hardware.profile.load_profile`, which checks that the sections fit each other; the methods rely on it.
    """

    name: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    title: str = Field(min_length=1)
    host: Literal["pi", "pico"] = "pi"
    cells: Cells
    sensor: Sensor = Sensor()
    adc: Converters | None = None
    bands: BandKeys | None = None
    calibration: Calibration = Calibration()
    buttons: dict[str, Gpio] = Field(default_factory=dict)
    lamps: Lights
    reserve: Reserve = Reserve()
    power: Power = Power()
    hosts: dict[str, Host] = Field(default_factory=dict)

    @property
    def sensing(self) -> Sensing:
        """What a cell's sensor can tell apart."""
        return Sensing(self.cells.sensing)

    @property
    def levels(self) -> bool:
        """Whether the sensors give levels, which say how far a stone moves them; else they open and close."""
        return self.cells.driver in ("mux", "mcp3008")

    @property
    def max_colours(self) -> int:
        """How many colours of stones the cells can tell apart; 1 where they tell only that one is there."""
        if self.bands is None:
            return 1
        return len(self.bands.colours) if self.bands.max_colours is None else self.bands.max_colours

    def sensing_for(self, stones: int) -> Sensing:
        """Return what the cells tell of a game with so many kinds of stones: presence where they are too many."""
        too_many = self.sensing is Sensing.COLOUR and stones > self.max_colours
        return Sensing.PRESENCE if too_many else self.sensing

    def for_stones(self, stones: int) -> "Profile":
        """Return this profile as a game with so many kinds of stones is played on it: by presence if need be."""
        sensing = self.sensing_for(stones)
        if sensing is self.sensing:
            return self
        return self.model_copy(update={"cells": self.cells.model_copy(update={"sensing": sensing.value})})

    def layout(self) -> Layout:
        """Return how the cells lie."""
        cells = self.cells
        if cells.layout == "hexagon":
            return layouts.hexagon(_given(cells.radius))
        if cells.layout == "pits":
            return layouts.pits(_given(cells.files))
        make = layouts.tiles if cells.layout == "tiles" else layouts.grid
        return make(_given(cells.files), _given(cells.ranks))

    def cell_names(self) -> tuple[str, ...]:
        """Return the names of the cells in cell order, which is the order in which games sort them."""
        return self.layout().names

    def inputs(self) -> tuple[int, ...]:
        """Return shape (cells,): the input that each cell is wired to, from 0.

        The inputs of a matrix are its crossings, row by row; those of a chain are D0 to D7 of the register next to the
        Pi, then of the next; those of multiplexers are the channels 0 to 15 of the first, then of the next; those of
        ``[adc]`` are the channels 0 to 7 of the chip at the first select line, then of the next. Cells take them
        in cell order, or as ``[cells.wiring]`` runs. A matrix with a row for each rank of a grid and a column for
        each file has each cell at its own crossing; ``cells.exceptions`` go before either.
        """
        if self.cells.driver != "matrix":
            return self._ruled_inputs()
        return tuple(row * len(self.cells.columns) + column for row, column in self.crossings())

    def crossings(self) -> tuple[tuple[int, int], ...]:
        """Return shape (cells,): row and column, from 0, of each cell's contact in a matrix."""
        cells = self.cells
        excepted = {name: (row - 1, column - 1) for name, (row, column) in cells.exceptions.items()}
        return tuple(
            excepted.get(name, divmod(number, len(cells.columns)))
            for name, number in zip(self.cell_names(), self._ruled_inputs(), strict=True)
        )

    def _ruled_inputs(self) -> tuple[int, ...]:
        cells, layout = self.cells, self.layout()
        if cells.wiring is not None:
            return cells.wiring.numbers(layout)
        if cells.driver == "matrix" and (len(cells.rows), len(cells.columns)) == (cells.ranks, cells.files):
            return tuple(int(rank) * len(cells.columns) + int(file) for file, rank in layout.spots)
        return tuple(range(len(layout.names)))

    def wiring(self) -> Wiring:
        """Return what is soldered to which pin."""
        cells = self.cells
        if cells.driver != "matrix":
            return Wiring(buttons=self.buttons)
        keys = {name: divmod(number, len(cells.columns)) for name, number in cells.buttons.items()}
        return Wiring(cells.rows, cells.columns, self.crossings(), self.buttons, cells.diodes, keys)

    def pit_levels(self) -> tuple[tuple[int, int], ...]:
        """Return shape (cells, 2): what each optical sensor reads over an empty pit and over one seed."""
        levels = self.cells.levels
        return tuple(levels.by_cell.get(name, (levels.empty, levels.seed)) for name in self.cell_names())

    def converters(self) -> Converters:
        """Return the chips that read cells which feel fields. Only where the driver is ``mcp3008``."""
        assert self.adc is not None, "the checks have seen it to be there"
        return self.adc

    def channels(self) -> tuple[Channel, ...]:
        """Return shape (cells,): the chip and its channel that read each cell which feels a field."""
        return profile_analogue.channels(self.inputs())

    def field_bands(self) -> Bands:
        """Return what the fields of cells mean. Only where the driver is ``mcp3008``."""
        assert self.bands is not None, "the checks have seen it to be there"
        return self.bands.bands()

    def field_scales(self) -> tuple[Scale, ...]:
        """Return shape (cells,): how what the converters count becomes a field. Only as above."""
        sensor = self.sensor
        assert sensor.mv_per_mt is not None, "the checks have seen it to be there"
        return profile_analogue.scales(
            self.cell_names(),
            mv_per_mt=sensor.mv_per_mt,
            quiescent_mv=sensor.quiescent_mv,
            supply_mv=sensor.supply_mv,
            calibration=self.calibration,
        )

    def pace(self) -> Pace:
        """Return when contacts are read and when a change counts; the agreement follows the sensor unless given."""
        cells = self.cells
        agree_ms = cells.agree_ms
        if agree_ms is None and cells.driver == "mux":
            agree_ms = OPTICAL_AGREE_MS
        if agree_ms is None:
            agree_ms = min(MOST_AGREE_MS, max(CONTACT_AGREE_MS, self.sensor.sample_ms))
        return Pace(cells.settle_us, cells.scan_ms, cells.busy_scan_ms, cells.agree_samples, agree_ms)

    def places(self) -> tuple[int, ...]:
        """Return the place on the chain of each logical pixel: the cells in cell order, then the track."""
        return self.lamps.wiring.numbers(self.layout()) + track_places(self.lamps.track)

    def chain(self) -> Chain:
        """Return how frames become chain bytes."""
        lamps = self.lamps
        ma = lamps.ma_per_channel
        return Chain(
            places=self.places(),
            count=lamps.count,
            order=lamps.order,
            brightness=lamps.brightness,
            gamma=lamps.gamma,
            ma_per_channel=ma if len(ma) > 1 else ma * len(lamps.order),
            idle_ma=lamps.idle_ma,
            budget_ma=lamps.budget_ma,
            covered_gain=lamps.covered_gain,
        )


def _given(number: int | None) -> int:
    """Return a size that the checks have seen to be there."""
    assert number is not None
    return number


def track_places(track: Track | None) -> tuple[int, ...]:
    """Return shape (track,): the place on the chain of each track pixel."""
    if track is None:
        return ()
    places = range(track.first, track.first + track.count)
    return tuple(reversed(places)) if track.backwards else tuple(places)
