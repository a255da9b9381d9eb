"""What the cells of a board have been reading of late, as values and as a table, for people who look for faults.

`CellLog` is told what a source gave, and the raw values behind while somebody wants them. Pure; the caller gives the
time. Both monitors show it: the one at the bench, and that of a running game.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hardware.ports import (
    UNKNOWN,
    ButtonPress,
    CellChange,
    LinkNews,
    Millis,
    Sensed,
    Sensing,
    Snapshot,
    Source,
    hear_raw,
)
from hardware.restless import Contact, Level, Raw

SETTLE_MS: Final = 400
"""What a sensor gives so soon after a change belongs to the change: fields settle, and a wire tells changes at once but
raw values only every 50 ms, 100 cells at a time (docs/protocol.md)."""
BUSY_MS: Final = 10_000
"""Changes within so long are counted: a cell that changes often by itself has a bad contact."""


@dataclass(frozen=True, slots=True)
class CellLine:
    """What is known of one cell.

    Fields:
        name: its name.
        raw: its last raw value: of a contact 1 closed, 0 open. None where none is known.
        band: the name of what it reads: ``empty``, ``occupied``, ``red``, a count of seeds, ``?``.
        noise: how restless its raw value was of late (`hardware.restless`): of a level from the lowest to the highest,
            of a contact how often it flickered. The time before it last read otherwise does not count. None as `raw`.
        age_ms: since when it reads so; None where it has not changed since the start.
        changes: how often its reading changed in the last `BUSY_MS`.
        mark: what else a person should know of it: ``masked``, ``sick``; else empty.
    """

    name: str
    raw: int | None
    band: str
    noise: int | None
    age_ms: Millis | None
    changes: int
    mark: str = ""

    def __str__(self) -> str:
        """Return the line of a table, as `HEADING` heads it."""
        raw = "-" if self.raw is None else str(self.raw)
        noise = "-" if self.noise is None else str(self.noise)
        return f"{self.name:<5}{raw:>6}{self.band:>9}{noise:>7}{age(self.age_ms):>8}{self.changes:>9}"

    def as_json(self) -> dict[str, Any]:
        """Return the fields by name; `CellLine(**fields)` is the line again."""
        return {
            "name": self.name,
            "raw": self.raw,
            "band": self.band,
            "noise": self.noise,
            "age_ms": self.age_ms,
            "changes": self.changes,
            "mark": self.mark,
        }


HEADING: Final = f"{'cell':<5}{'raw':>6}{'band':>9}{'noise':>7}{'age':>8}{'changes':>9}"
GAP: Final = 3
MARK_WIDTH: Final = 8


class CellLog:
    """The log of one board.

    Args:
        names: the cells, in cell order.
        bands: the names of what they read, from reading 0 on; greater readings are told as numbers.
        levels: whether raw values are levels, whose noise is how far they move; else contacts, which flicker.

    Attributes:
        trouble: why the cells cannot be heard; empty while they can.
        pressed: the button that was pressed last; empty before the first.
        version: grows with everything that is taken and makes a difference.
    """

    def __init__(self, names: Sequence[str], bands: Sequence[str] = ("empty",), *, levels: bool = False) -> None:
        self._names = tuple(names)
        self._bands = tuple(bands)
        self._sensor: Final[type[Contact | Level]] = Level if levels else Contact
        self._readings = [UNKNOWN] * len(self._names)
        self._since: list[Millis | None] = [None] * len(self._names)
        self._changed: list[deque[Millis]] = [deque(maxlen=1000) for _ in self._names]
        self._raw: list[Raw] = []
        self.forget_raw()
        self._settling: dict[int, Millis] = {}
        self.trouble = ""
        self.pressed = ""
        self.version = 0

    def take(self, sensed: Iterable[Sensed]) -> tuple[int, ...]:
        """Take what a source gave; return the cells that read differently now."""
        changed = []
        for each in sensed:
            self.version += 1
            if isinstance(each, CellChange):
                self._changed[each.cell].append(each.at)
                self._readings[each.cell], self._since[each.cell] = each.reading, each.at
                self._calm(each.cell, each.at)
                changed.append(each.cell)
            elif isinstance(each, Snapshot):
                changed += self._lay(each)
            elif isinstance(each, LinkNews):
                self.trouble = each.why
            elif isinstance(each, ButtonPress):
                self.pressed = each.button
        return tuple(changed)

    def _lay(self, snapshot: Snapshot) -> list[int]:
        changed = [cell for cell, reading in enumerate(snapshot.readings) if reading != self._readings[cell]]
        for cell in changed:
            if self._readings[cell] != UNKNOWN:
                self._since[cell] = snapshot.at
                self._calm(cell, snapshot.at)
        self._readings = list(snapshot.readings)
        return changed

    def _calm(self, cell: int, at: Millis) -> None:
        """What moved the value to where the cell reads otherwise was no noise."""
        self._settling[cell] = at + SETTLE_MS
        self._raw[cell].calm()

    def take_raw(self, at: Millis, first: int, values: Sequence[int]) -> None:
        """Take raw values, as `hardware.ports.RawHeard` does. A value holds until the next one of its cell."""
        settling = self._settling
        for cell, value in enumerate(values, first):
            if self._raw[cell].take(at, value):
                self.version += 1
                if cell in settling:
                    self._settle(cell, at)

    def _settle(self, cell: int, at: Millis) -> None:
        """Let what moved the value not count, where the change is not over; else have it settled."""
        if at < self._settling[cell]:
            self._raw[cell].calm()
        else:
            del self._settling[cell]

    def forget_raw(self) -> None:
        """Nobody wants raw values any more: know none."""
        self._raw = [self._sensor() for _ in self._names]

    def reading(self, cell: int) -> int:
        """Return what a cell reads."""
        return self._readings[cell]

    def line(self, cell: int, now: Millis, mark: str = "") -> CellLine:
        """Return what is known of one cell."""
        raw, changed, since = self._raw[cell], self._changed[cell], self._since[cell]
        while changed and now - changed[0] > BUSY_MS:
            changed.popleft()
        return CellLine(
            name=self._names[cell],
            raw=raw.value,
            band=band(self._readings[cell], self._bands),
            noise=raw.noise(now),
            age_ms=None if since is None else now - since,
            changes=len(changed),
            mark=mark,
        )

    def lines(self, now: Millis, marks: Mapping[int, str] | None = None) -> list[CellLine]:
        """Return what is known of each cell, in cell order, with the marks that some have."""
        marked = marks or {}
        return [self.line(cell, now, marked.get(cell, "")) for cell in range(len(self._names))]


class LoggedSource:
    """A source of which a log is kept: of what it senses always, of raw values while they are asked for.

    Args:
        source: the source.
        log: its log.

    Attributes:
        log: as given.
    """

    def __init__(self, source: Source, log: CellLog) -> None:
        self._source = source
        self.log: Final = log
        self.due: Final = source.due

    def poll(self, now: Millis) -> Sequence[Sensed]:
        """Return what the source has sensed."""
        sensed = self._source.poll(now)
        if sensed:
            self.log.take(sensed)
        return sensed

    def look(self, *, closely: bool) -> None:
        """Log raw values from now on, or no more."""
        self.log.forget_raw()
        hear_raw(self._source, self.log.take_raw if closely else None)

    def listen(self, wake: Callable[[], None]) -> None:
        """Pass the function on."""
        self._source.listen(wake)

    def close(self) -> None:
        """Let go of the source."""
        self._source.close()


def columns_in(width: int, *, marked: bool = False) -> int:
    """Return how many columns of a table stand side by side in so many letters."""
    return max(1, (width + GAP) // (len(HEADING) + MARK_WIDTH * marked + GAP))


def table(lines: Sequence[CellLine], columns: int = 1, *, trouble: str = "", pressed: str = "") -> str:
    """Return the lines as a table in so many columns side by side, and below it what else there is to say.

    Args:
        lines: the cells. Where one has a mark, there is a place for marks.
        columns: how many.
        trouble: why the cells cannot be heard; empty while they can.
        pressed: the button that was pressed last, if any.
    """
    width = MARK_WIDTH if any(line.mark for line in lines) else 0
    texts = [f"{line}{line.mark:>{width}}" if width else str(line) for line in lines]
    depth = -(-len(texts) // columns) or 1
    used = -(-len(texts) // depth)
    heading = f"{HEADING}{'mark':>{width}}" if width else HEADING
    rows = ["   ".join(texts[row::depth]) for row in range(depth)]
    notes = [f"no cells: {trouble}"] if trouble else []
    if pressed:
        notes.append(f"last button: {pressed}")
    return "\n".join(["   ".join([heading] * used), *rows, *notes]) + "\n"


def bands_of(sensing: Sensing, colours: Sequence[str]) -> tuple[str, ...]:
    """Return the names of what cells read, from reading 0 on: of counts only the first, since numbers name the others.

    Args:
        sensing: what the cells can tell.
        colours: the stones of a board that tells them, from reading 1 on.
    """
    return ("empty", *{Sensing.PRESENCE: ("occupied",), Sensing.COLOUR: tuple(colours)}.get(sensing, ()))


def band(reading: int, bands: Sequence[str]) -> str:
    """Return the name of a reading, ``?`` where it is `UNKNOWN`, and the number itself where it has no name."""
    if reading == UNKNOWN:
        return "?"
    return bands[reading] if reading < len(bands) else str(reading)


def age(ms: Millis | None) -> str:
    """Return a span for a person: ``0.4 s``, ``12 s``, ``3 min``; ``-`` where there is none."""
    if ms is None:
        return "-"
    if ms < 10_000:
        return f"{ms / 1000:.1f} s"
    return f"{ms // 1000} s" if ms < 120_000 else f"{ms // 60_000} min"
