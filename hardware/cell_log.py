"""What the cells of a board have been reading of late, as values and as a table, for people who look for faults.

`CellLog` is told what a source gave, and the raw values behind where they are known. Pure; the caller gives the time.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from hardware.ports import UNKNOWN, ButtonPress, CellChange, LinkNews, Millis, Sensed, Snapshot, Source

NOISE_READINGS: Final = 32
"""Of how many raw values in a row the noise is told."""
BUSY_MS: Final = 10_000
"""Changes within so long are counted: a cell that changes often by itself has a bad contact."""


@dataclass(frozen=True, slots=True)
class CellLine:
    """What is known of one cell.

    Fields:
        name: its name.
        raw: its last raw value; None where none is known.
        reading: what it reads, as `hardware.ports.CellChange.reading`.
        noise: from the lowest to the highest of its last raw values; None where none is known.
        age_ms: since when it reads so; None where it has not changed since the start.
        changes: how often its reading changed in the last `BUSY_MS`.
    """

    name: str
    raw: int | None
    reading: int
    noise: int | None
    age_ms: Millis | None
    changes: int

    def __str__(self) -> str:
        """Return the line of a table, as `HEADING` heads it."""
        raw = "-" if self.raw is None else str(self.raw)
        noise = "-" if self.noise is None else str(self.noise)
        return f"{self.name:<5}{raw:>6}{reading_word(self.reading):>9}{noise:>7}{age(self.age_ms):>8}{self.changes:>9}"


HEADING: Final = f"{'cell':<5}{'raw':>6}{'reading':>9}{'noise':>7}{'age':>8}{'changes':>9}"


class CellLog:
    """The log of one board.

    Args:
        names: the cells, in cell order.

    Attributes:
        trouble: why the cells cannot be heard; empty while they can.
        pressed: the button that was pressed last; empty before the first.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        self._readings = [UNKNOWN] * len(self._names)
        self._since: list[Millis | None] = [None] * len(self._names)
        self._changed: list[deque[Millis]] = [deque(maxlen=1000) for _ in self._names]
        self._raw: list[deque[int]] = [deque(maxlen=NOISE_READINGS) for _ in self._names]
        self.trouble = ""
        self.pressed = ""

    def take(self, sensed: Iterable[Sensed]) -> tuple[int, ...]:
        """Take what a source gave; return the cells that read differently now."""
        changed = []
        for each in sensed:
            if isinstance(each, CellChange):
                self._changed[each.cell].append(each.at)
                self._readings[each.cell], self._since[each.cell] = each.reading, each.at
                self._raw[each.cell].clear()
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
        self._readings = list(snapshot.readings)
        return changed

    def take_raw(self, values: Sequence[int]) -> None:
        """Take the raw value of each cell; none where nothing is known of them."""
        for kept, value in zip(self._raw, values, strict=False):
            kept.append(value)

    def reading(self, cell: int) -> int:
        """Return what a cell reads."""
        return self._readings[cell]

    def lines(self, now: Millis) -> list[CellLine]:
        """Return what is known of each cell, in cell order."""
        lines = []
        for cell, name in enumerate(self._names):
            raw, changed, since = self._raw[cell], self._changed[cell], self._since[cell]
            while changed and now - changed[0] > BUSY_MS:
                changed.popleft()
            lines.append(
                CellLine(
                    name=name,
                    raw=raw[-1] if raw else None,
                    reading=self._readings[cell],
                    noise=max(raw) - min(raw) if raw else None,
                    age_ms=None if since is None else now - since,
                    changes=len(changed),
                )
            )
        return lines

    def text(self, now: Millis, columns: int = 1) -> str:
        """Return the table of all cells, in so many columns side by side, with a line for trouble and buttons."""
        lines = [str(line) for line in self.lines(now)]
        depth = -(-len(lines) // columns) or 1
        rows = ["   ".join(lines[row::depth]) for row in range(depth)]
        used = -(-len(lines) // depth)
        notes = [f"no cells: {self.trouble}"] if self.trouble else []
        if self.pressed:
            notes.append(f"last button: {self.pressed}")
        return "\n".join(["   ".join([HEADING] * used), *rows, *notes]) + "\n"


class LoggedSource:
    """A source of which a log is kept.

    Args:
        source: the source.
        names: its cells, in cell order.

    Attributes:
        log: the log.
    """

    def __init__(self, source: Source, names: Sequence[str]) -> None:
        self._source = source
        self.log: Final = CellLog(names)
        self.due: Final = source.due

    def poll(self, now: Millis) -> Sequence[Sensed]:
        """Return what the source has sensed."""
        sensed = self._source.poll(now)
        if sensed:
            self.log.take(sensed)
        return sensed

    def listen(self, wake: Callable[[], None]) -> None:
        """Pass the function on."""
        self._source.listen(wake)

    def close(self) -> None:
        """Let go of the source."""
        self._source.close()


def reading_word(reading: int) -> str:
    """Return ``?``, ``empty`` or the number that a cell reads."""
    return {UNKNOWN: "?", 0: "empty"}.get(reading, str(reading))


def age(ms: Millis | None) -> str:
    """Return a span for a person: ``0.4 s``, ``12 s``, ``3 min``; ``-`` where there is none."""
    if ms is None:
        return "-"
    if ms < 10_000:
        return f"{ms / 1000:.1f} s"
    return f"{ms // 1000} s" if ms < 120_000 else f"{ms // 60_000} min"
