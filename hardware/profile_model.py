"""What a board profile may say, section by section, and what follows from it.

These are the shapes; `hardware.profile` reads files, and `hardware.profile_checks` holds what no single key can tell.
Keys and defaults for a builder: docs/profiles.md.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from hardware.pixels import Chain
from hardware.ports import Sensing
from hardware.scanner import BUSY_MS, QUIET_MS
from hardware.wiring import Pace, Wiring

FILES: Final = "abcdefghijklmnopqrstuvwxyz"
BUTTONS: Final = ("red", "blue", "yellow", "ok", "back", "new", "hint", "1", "2", "3", "4", "5", "6")
"""Names a button may have; the digits are seats."""
CONTACT_AGREE_MS: Final = 10
"""Agreement for bare contacts: reed switches bounce for a few milliseconds at most."""
MOST_AGREE_MS: Final = 30
"""The share of agreement in the 120 ms from stone to light, however slow the sensor."""

Gpio: TypeAlias = int
"""A BCM number. Whether the header has it is the ledger's business."""


def _numbers(value: Any) -> Any:
    """Let one number stand for the list that holds only it; a strict tuple is no list."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return (value,)
    return tuple(value) if isinstance(value, list) else value


class Section(BaseModel):
    """A table of a profile: no key that is not known, no value of another kind, nothing changed afterwards."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


class Cells(Section):
    """``[cells]``: which cells there are, what their sensors tell, and how these are read."""

    sensing: Literal["presence", "colour", "count"]
    layout: Literal["grid"] = "grid"
    files: int = Field(ge=1, le=26)
    ranks: int = Field(ge=1, le=26)
    driver: Literal["matrix"]
    rows: tuple[Gpio, ...] = Field(min_length=1)
    columns: tuple[Gpio, ...] = Field(min_length=1)
    diodes: bool = True
    settle_us: int = Field(default=50, ge=0, le=5000)
    scan_ms: int = Field(default=QUIET_MS, ge=1, le=50)
    busy_scan_ms: int = Field(default=BUSY_MS, ge=1, le=25)
    agree_samples: int = Field(default=3, ge=1, le=16)
    agree_ms: int | None = Field(default=None, ge=0, le=60)
    exceptions: dict[str, tuple[int, int]] = Field(default_factory=dict)


class Sensor(Section):
    """``[sensor]``: the part under each cell, from its data sheet."""

    part: str = "reed switch"
    operate_mt: float | None = Field(default=None, gt=0, le=1000)
    release_mt: float | None = Field(default=None, gt=0, le=1000)
    sample_ms: int = Field(default=0, ge=0, le=1000)
    polarity: Literal["either", "north", "south"] = "either"


class PixelWiring(Section):
    """``[lamps.wiring]``: in which order the chain runs through the cells."""

    first: int = Field(default=0, ge=0)
    pattern: Literal["serpentine", "lines"] = "serpentine"
    start: Literal["near-left", "near-right", "far-left", "far-right"] = "near-left"
    along: Literal["ranks", "files"] = "ranks"
    exceptions: dict[str, int] = Field(default_factory=dict)


class Track(Section):
    """``[lamps.track]``: the score track."""

    first: int = Field(ge=0)
    count: int = Field(default=24, ge=0)
    backwards: bool = False


class Lights(Section):
    """``[lamps]``: the chain of pixels."""

    driver: Literal["spi", "neopixel"] = "spi"
    pin: Gpio = 10
    order: str = "GRB"
    count: int = Field(ge=1, le=4096)
    brightness: float = Field(default=0.6, ge=0, le=1)
    gamma: float = Field(default=2.2, ge=1, le=4)
    budget_ma: float = Field(gt=0)
    ma_per_channel: Annotated[tuple[float, ...], BeforeValidator(_numbers)] = (20.0,)
    idle_ma: float = Field(default=1.0, ge=0, le=20)
    covered_gain: float = Field(default=1.5, ge=1, le=8)
    supply_ma: float | None = Field(default=None, gt=0)
    wiring: PixelWiring = PixelWiring()
    track: Track | None = None


class Reserve(Section):
    """``[reserve]``: pins that something else on the Pi needs."""

    buses: tuple[Literal["spi0", "spi1", "i2c", "uart", "i2s", "pwm-audio"], ...] = ()
    pins: tuple[Gpio, ...] = ()


class Profile(Section):
    """A whole board profile.

    Made by `hardware.profile.load_profile`, which checks that the sections fit each other; the methods rely on it.
    """

    name: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    title: str = Field(min_length=1)
    cells: Cells
    sensor: Sensor = Sensor()
    buttons: dict[str, Gpio] = Field(default_factory=dict)
    lamps: Lights
    reserve: Reserve = Reserve()

    @property
    def sensing(self) -> Sensing:
        """What a cell's sensor can tell apart."""
        return Sensing(self.cells.sensing)

    def cell_names(self) -> tuple[str, ...]:
        """Return the names of the cells in cell order: by file, then by rank."""
        return tuple(f"{FILES[file]}{rank + 1}" for file in range(self.cells.files) for rank in range(self.cells.ranks))

    def crossings(self) -> tuple[tuple[int, int], ...]:
        """Return shape (cells,): row and column, from 0, of each cell's contact.

        Where there is a row for each rank and a column for each file, a cell is at its own; else the cells fill the
        crossings row by row. ``cells.exceptions`` (counted from 1) go before the rule.
        """
        cells = self.cells
        if (len(cells.rows), len(cells.columns)) == (cells.ranks, cells.files):
            ruled = [(rank, file) for file in range(cells.files) for rank in range(cells.ranks)]
        else:
            ruled = [divmod(cell, len(cells.columns)) for cell in range(cells.files * cells.ranks)]
        excepted = {name: (row - 1, column - 1) for name, (row, column) in cells.exceptions.items()}
        return tuple(excepted.get(name, place) for name, place in zip(self.cell_names(), ruled, strict=True))

    def wiring(self) -> Wiring:
        """Return what is soldered to which pin."""
        cells = self.cells
        return Wiring(cells.rows, cells.columns, self.crossings(), self.buttons, cells.diodes)

    def pace(self) -> Pace:
        """Return when contacts are read and when a change counts; the agreement follows the sensor unless given."""
        cells = self.cells
        agree_ms = cells.agree_ms
        if agree_ms is None:
            agree_ms = min(MOST_AGREE_MS, max(CONTACT_AGREE_MS, self.sensor.sample_ms))
        return Pace(cells.settle_us, cells.scan_ms, cells.busy_scan_ms, cells.agree_samples, agree_ms)

    def places(self) -> tuple[int, ...]:
        """Return the place on the chain of each logical pixel: the cells in cell order, then the track."""
        return cell_places(self) + track_places(self.lamps.track)

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


def cell_places(profile: Profile) -> tuple[int, ...]:
    """Return shape (cells,): the place on the chain of each cell, by rule and exceptions."""
    wiring = profile.lamps.wiring
    walk = grid_walk(profile.cells.files, profile.cells.ranks, wiring)
    by_rule = {cell: wiring.first + step for step, cell in enumerate(walk)}
    return tuple(
        wiring.exceptions.get(name, by_rule[divmod(cell, profile.cells.ranks)])
        for cell, name in enumerate(profile.cell_names())
    )


def track_places(track: Track | None) -> tuple[int, ...]:
    """Return shape (track,): the place on the chain of each track pixel."""
    if track is None:
        return ()
    places = range(track.first, track.first + track.count)
    return tuple(reversed(places)) if track.backwards else tuple(places)


def grid_walk(files: int, ranks: int, wiring: PixelWiring) -> Sequence[tuple[int, int]]:
    """Return the (file, rank), each from 0, of the cells in the order in which the chain reaches them."""
    from_near, from_left = wiring.start.startswith("near"), wiring.start.endswith("left")
    file_order = list(range(files)) if from_left else list(reversed(range(files)))
    rank_order = list(range(ranks)) if from_near else list(reversed(range(ranks)))
    by_rank = wiring.along == "ranks"
    lines, steps = (rank_order, file_order) if by_rank else (file_order, rank_order)
    walk: list[tuple[int, int]] = []
    for number, line in enumerate(lines):
        turned = wiring.pattern == "serpentine" and number % 2
        ahead = reversed(steps) if turned else steps
        walk += [(step, line) if by_rank else (line, step) for step in ahead]
    return walk
