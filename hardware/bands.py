r"""From the field under a stone to its colour: calibrated bands, hysteresis, and patience. Pure arithmetic, no clock.

A linear hall sensor tells the pole and the strength of the magnet above it; a stone's colour is a *band* of field. As a
stone comes down, the field climbs through the bands of weaker stones, so a colour is given out only once the field has
rested in its band; until then the cell reads `UNKNOWN`, which lights it and completes no move. Empty is told at once::

    mT  49 |                         ,--------.        red: 40 to 85
           |                        /          \
        19 |.......................+............+......  yellow: 10.5 to 23
           |                  ____/              \
         4 |-----------------'--------------------'----  empty: up to 4
    given   000000000000000000????????RRRRRRRRRR??000000
                              |  steady|

Fields are in millitesla, positive where a south pole faces the sensor, negative where a north pole does; that is the
sign of the output of the sensors in use (Texas Instruments DRV5055 data sheet, "Sensitivity").
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hardware.ports import UNKNOWN, CellChange, Millis, Sensing, reads

EMPTY: Final = 0
STEADY_MS: Final = 100
"""For how long a field must rest in a band before its colour is given out."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How what a sensor's converter counts becomes a field.

    Fields:
        zero: what it counts without a field.
        mt_per_count: millitesla of one count.
    """

    zero: float
    mt_per_count: float

    def field(self, count: int) -> float:
        """Return the field in mT; a count stands for the middle of its step."""
        return (count + 0.5 - self.zero) * self.mt_per_count


@dataclass(frozen=True, slots=True)
class Band:
    """The field of the stones of one colour, in mT: from `low` to `high`, both with their sign and both included."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Bands:
    """What fields mean.

    Fields:
        colours: the band of each colour; the first is reading 1. None overlap, not by their hysteresis either.
        empty_mt: a field no stronger than this is that of an empty cell.
        hysteresis_mt: by how much a field must leave a band to be out of it again.
        steady_ms: for how long a field must rest in a band before its colour is given out.
        steady_mt: a field rests that moves by no more than this, from its lowest to its highest. Noise is 0.4 mT at
            most; a stone held above a cell by hand moves by more (docs/sensing.md).
        drift_mt: how far the zero of an empty cell may wander from where it was calibrated; 0 keeps it there.
        drift_mt_per_s: how fast the zero may follow what an empty cell reads.
    """

    colours: tuple[Band, ...]
    empty_mt: float = 4.0
    hysteresis_mt: float = 1.0
    steady_ms: Millis = STEADY_MS
    steady_mt: float = 1.2
    drift_mt: float = 2.0
    drift_mt_per_s: float = 0.05

    def zone(self, field: float, before: int = UNKNOWN) -> int:
        """Return where a field lies: `EMPTY`, the reading of a colour, or `UNKNOWN` between the bands.

        Args:
            field: in mT.
            before: where the field of this cell lay before; it is left by `hysteresis_mt` only.
        """
        slack = self.hysteresis_mt
        if before == EMPTY:
            if abs(field) <= self.empty_mt + slack:
                return EMPTY
        elif before > EMPTY:
            band = self.colours[before - 1]
            if band.low - slack <= field <= band.high + slack:
                return before
        if abs(field) <= self.empty_mt:
            return EMPTY
        for reading, band in enumerate(self.colours, 1):
            if band.low <= field <= band.high:
                return reading
        return UNKNOWN


class ColourCells:
    """The readings of all cells of a board, from their fields.

    Args:
        cells: how many.
        bands: what fields mean.
        samples: readings in a row that must agree that a cell is empty, or is no longer what it was.
        sensing: by `Sensing.PRESENCE` every colour reads 1.

    Attributes:
        readings: shape (cells,): what is given out.
        pending: whether a change waits for the next reading to agree, so that it is wanted soon.
        due: when the next field will have rested for long enough, if it stays; None where none is on the way.
    """

    def __init__(self, cells: int, bands: Bands, *, samples: int = 2, sensing: Sensing = Sensing.COLOUR) -> None:
        if samples < 1:
            raise ValueError("a change needs at least one reading")
        self._bands = bands
        self._samples = samples
        self._sensing = sensing
        self._cells = [_Cell(bands) for _ in range(cells)]
        self._last: Millis = 0
        self.readings: list[int] = [UNKNOWN] * cells
        self.pending = False
        self.due: Millis | None = None

    def start(self, now: Millis, fields: Sequence[float]) -> None:
        """Take the bands in which the fields are as what the cells read, for the first reading and after any doubt.

        Nothing is known of how long they have been there: what is still moving tells itself as a change.

        Args:
            now: the time.
            fields: shape (cells,): in mT.
        """
        for cell, field in zip(self._cells, fields, strict=True):
            cell.start(now, field)
        self.readings = [reads(cell.given, self._sensing) for cell in self._cells]
        self._last = now
        self.pending = False
        self.due = None

    def feed(self, now: Millis, fields: Sequence[float]) -> list[CellChange]:
        """Take one reading of all fields and return the cells that read differently from now on.

        A change carries the time at which the field came to where it is, before any waiting.

        Args:
            now: when they were read, not before the reading before.
            fields: shape (cells,): in mT.
        """
        step = self._bands.drift_mt_per_s * (now - self._last) / 1000
        self._last = now
        changes: list[CellChange] = []
        pending = False
        due: Millis | None = None
        for number, (cell, field) in enumerate(zip(self._cells, fields, strict=True)):
            if cell.feed(now, field, step):
                continue
            at = cell.judge(now, self._samples)
            if at is not None:
                reading = reads(cell.given, self._sensing)
                if reading != self.readings[number]:
                    self.readings[number] = reading
                    changes.append(CellChange(number, reading, at))
            if cell.hesitates:
                pending = True
            ripe = cell.ripe
            if ripe is not None and (due is None or ripe < due):
                due = ripe
        self.pending = pending
        self.due = due
        return changes


class _Cell:
    """One cell: what it is taken to be, and where its field has been.

    Attributes:
        given: what it is taken to be.
        zone: where its field is.
        baseline: where its zero has wandered to, in mT.
    """

    __slots__ = ("_away", "_away_since", "_bands", "_count", "_high", "_low", "_since", "baseline", "given", "zone")

    def __init__(self, bands: Bands) -> None:
        self._bands = bands
        self.baseline = 0.0
        self.start(0, 0.0)

    def start(self, now: Millis, field: float) -> None:
        field -= self.baseline
        self.given = self.zone = self._bands.zone(field)
        self._enter(now, field)
        self._away = 0
        self._away_since = now

    def _enter(self, now: Millis, field: float) -> None:
        self._since = now
        self._low = self._high = field
        self._count = 1

    def feed(self, now: Millis, field: float, step: float) -> bool:
        """Take a field; return whether it is where it was taken to be, so that there is nothing to judge."""
        raw, field = field, field - self.baseline
        zone = self._bands.zone(field, self.zone)
        if zone == self.given and not self._away:
            self.zone = zone
            if zone == EMPTY:
                self._follow(raw, step)
            return True
        if zone != self.zone:
            self.zone = zone
            self._enter(now, field)
        else:
            self._count += 1
            self._low, self._high = min(self._low, field), max(self._high, field)
            if zone > EMPTY and self._high - self._low > self._bands.steady_mt:
                self._enter(now, field)
        if zone == self.given:
            self._away = 0
            return True
        if not self._away:
            self._away_since = now
        self._away += 1
        return False

    def judge(self, now: Millis, samples: int) -> Millis | None:
        """Return since when the cell is to be taken for something else, which `given` then is; None if it is not."""
        if self.zone == EMPTY:
            sure = self._count >= samples
        else:
            sure = self.zone > EMPTY and now - self._since >= self._bands.steady_ms and self._count >= samples
        if sure:
            self.given, self._away = self.zone, 0
            return self._since
        if self.given != UNKNOWN and self._away >= samples:
            self.given = UNKNOWN
            return self._away_since
        return None

    @property
    def hesitates(self) -> bool:
        """Whether the next reading may tell something, however soon it comes."""
        return self._away > 0 and (self.given != UNKNOWN or self.zone == EMPTY)

    @property
    def ripe(self) -> Millis | None:
        """When the field will have rested for long enough, if it stays."""
        return self._since + self._bands.steady_ms if self._away and self.zone > EMPTY else None

    def _follow(self, raw: float, step: float) -> None:
        """Let the zero follow what the empty cell reads, slowly and not far."""
        most = self._bands.drift_mt
        towards = max(-step, min(step, raw - self.baseline))
        self.baseline = max(-most, min(most, self.baseline + towards))
