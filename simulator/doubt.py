"""What a driver makes of a matrix that has lost its diodes: cells that may be ghosts read `UNKNOWN`."""

from collections.abc import Callable, Sequence

from hardware.ghosts import ghosts
from hardware.ports import UNKNOWN, CellChange, Millis, RawHeard, Sensed, Sensing, Snapshot, Source, hear_raw
from simulator.tabletop import Tabletop


class Doubt:
    """Stands behind a source of a `Tabletop` and doubts what may be a ghost while the fault ``ghost`` is on.

    The same cells are in doubt at every depth of the stand-in.
    """

    def __init__(self, top: Tabletop) -> None:
        self._top = top
        self._on = False
        self._read: list[int] = []
        self._given: list[int] = []

    def over(self, sensed: Sequence[Sensed], now: Millis) -> Sequence[Sensed]:
        """Return what was sensed, with doubts; at once, where the fault has just begun or ended."""
        on = self._top.faults.ghost and self._top.sensing is Sensing.PRESENCE
        anew, self._on = on != self._on, on
        told: list[Sensed] = []
        changed: dict[int, Millis] = {}
        for item in sensed:
            match item:
                case Snapshot():
                    self._read = list(item.readings)
                    self._given = self._doubted()
                    told.append(Snapshot(tuple(self._given), item.at))
                case CellChange() if on or anew:
                    self._read[item.cell] = item.reading
                    changed[item.cell] = item.at
                case CellChange():
                    self._read[item.cell] = self._given[item.cell] = item.reading
                    told.append(item)
                case _:
                    told.append(item)
        if changed or (anew and self._read):
            told += self._differences(changed, now)
        return told

    def _differences(self, changed: dict[int, Millis], now: Millis) -> list[CellChange]:
        before, self._given = self._given, self._doubted()
        cause = max(changed.values(), default=now)
        return [
            CellChange(cell, reading, changed.get(cell, cause))
            for cell, reading in enumerate(self._given)
            if reading != before[cell]
        ]

    def _doubted(self) -> list[int]:
        if not self._on:
            return list(self._read)
        doubt = ghosts(self._top.contacts.crossings)(sum(1 << cell for cell, read in enumerate(self._read) if read))
        return [UNKNOWN if doubt >> cell & 1 else read for cell, read in enumerate(self._read)]


class DoubtedSource:
    """A source of a `Tabletop`, with `Doubt` behind it."""

    def __init__(self, source: Source, top: Tabletop) -> None:
        self._source = source
        self._doubt = Doubt(top)

    def poll(self, now: Millis) -> Sequence[Sensed]:
        """Return what was sensed, with doubts."""
        return self._doubt.over(self._source.poll(now), now)

    def due(self) -> Millis | None:
        """Return when the source wants to be polled."""
        return self._source.due()

    def listen(self, wake: Callable[[], None]) -> None:
        """Pass the function on."""
        self._source.listen(wake)

    def hear_raw(self, heard: RawHeard | None) -> None:
        """Pass it on: what contacts give is beyond doubt."""
        hear_raw(self._source, heard)

    def close(self) -> None:
        """Let go of the source."""
        self._source.close()
