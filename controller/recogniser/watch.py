"""What was seen since the turn began: the readings now, which cells were empty together, which were filled and when."""

from collections.abc import Sequence

from controller.games.seam import Cell
from hardware.ports import UNKNOWN, Millis


class Watch:
    """The picture of the board and its history within a turn.

    Fields:
        readings: shape (cells,): what each cell reads now.
        changed_at: when the last cell changed; the start of the turn before any did.
        different: the cells that do not read what they should, with their readings.
        together: the largest sets of cells, full before the turn, that were empty at the same moment.
        filled: cells that read full and were empty before the turn, in the order in which they were filled.
    """

    def __init__(self, readings: Sequence[int], base: Sequence[int], at: Millis) -> None:
        self.readings = list(readings)
        self.changed_at = at
        self._base = tuple(base)
        self.different: dict[Cell, int] = {}
        self.together: list[frozenset[Cell]] = []
        self.filled: list[Cell] = []
        self.begin(base)

    def begin(self, base: Sequence[int]) -> None:
        """Start a turn: `base` is what the board should read, shape (cells,). The readings stay."""
        self._base = tuple(base)
        self.different = {cell: reading for cell, reading in enumerate(self.readings) if reading != self._base[cell]}
        self.together = []
        self.filled = [cell for cell in self.different if not self._base[cell] and self.readings[cell]]
        self._note_empty()

    def forget(self) -> None:
        """Forget what was touched, once the board has settled as it should be."""
        self.together = []

    def change(self, cell: Cell, reading: int, at: Millis) -> bool:
        """Take one change; return whether the cell read something else before."""
        if self.readings[cell] == reading:
            return False
        self.readings[cell] = reading
        self.changed_at = max(self.changed_at, at)
        if reading == self._base[cell]:
            self.different.pop(cell, None)
        else:
            self.different[cell] = reading
        if not self._base[cell]:
            self._note_filled(cell, reading)
        elif reading == 0:
            self._note_empty()
        return True

    def _note_filled(self, cell: Cell, reading: int) -> None:
        if cell in self.filled and reading == 0:
            self.filled.remove(cell)
        elif cell not in self.filled and reading not in {0, UNKNOWN}:
            self.filled.append(cell)

    def _note_empty(self) -> None:
        empty = frozenset(cell for cell, reading in self.different.items() if reading == 0 and self._base[cell])
        if not empty or any(empty <= known for known in self.together):
            return
        self.together = [known for known in self.together if not known <= empty]
        self.together.append(empty)
