"""What was seen since the turn began: the readings now, which cells were empty together, which were filled and when."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from controller.games.seam import Cell
from hardware.ports import UNKNOWN, Millis

HISTORY: Final = 400
"""Changes of a turn that are kept; whoever does more than that has not made two plies."""


class Watch:
    """The picture of the board and its history within a turn.

    Fields:
        readings: shape (cells,): what each cell reads now.
        changed_at: when the last cell changed; the start of the turn before any did.
        different: the cells that do not read what they should, with their readings.
        together: the largest sets of cells, full before the turn, that were empty at the same moment.
        emptied: cells that were emptied in this turn, in order; one that was emptied twice stands twice.
        rested: cells on which a stone has rested in this turn while a question was asked.
        changed: cells that changed in this turn, with the moment of the last change.
        visited: cells that were filled in this turn and are empty again.
        filled: cells that read full and were empty before the turn, in the order in which they were filled.
        history: the changes of this turn, oldest first, as (cell, reading, when); empty again after `HISTORY` of them.
        masked: cells that are taken to read what they should, whatever they tell.
        stirred: those of them that have told something else since: not every sick sensor stays sick.
    """

    def __init__(self, readings: Sequence[int], base: Sequence[int], at: Millis) -> None:
        self.readings = list(readings)
        self.changed_at = at
        self._base = tuple(base)
        self.masked: frozenset[Cell] = frozenset()
        self.stirred: set[Cell] = set()
        self._unheard: dict[Cell, int] = {}
        self.different: dict[Cell, int] = {}
        self.together: list[frozenset[Cell]] = []
        self.emptied: list[Cell] = []
        self.rested: set[Cell] = set()
        self.visited: set[Cell] = set()
        self.changed: dict[Cell, Millis] = {}
        self.filled: list[Cell] = []
        self.history: list[tuple[Cell, int, Millis]] = []
        self._start = self.readings
        self.begin(base)

    def begin(self, base: Sequence[int], later: int = 0) -> None:
        """Start a turn. The readings stay.

        Args:
            base: what the board should read, shape (cells,).
            later: how many of the last changes belong to this turn already.
        """
        done, here = self.history[: len(self.history) - later], self.history[len(self.history) - later :]
        if here:
            self.readings = list(self._start)
            for cell, reading, _at in done:
                self.readings[cell] = reading
        self._base = tuple(base)
        for cell in self.masked:
            self.readings[cell] = self._base[cell]
        self.different = {cell: reading for cell, reading in enumerate(self.readings) if reading != self._base[cell]}
        self.together = []
        self.rested = set()
        self.visited = set()
        self.changed = {cell: self.changed[cell] for cell in self.different if cell in self.changed}
        by_time = sorted(self.different, key=lambda cell: (self.changed.get(cell, 0), cell))
        self.emptied = [cell for cell in by_time if self.readings[cell] == 0]
        self.filled = [cell for cell in by_time if not self._base[cell] and self.readings[cell]]
        self._note_empty()
        self._remember()
        for cell, reading, at in here:
            self.change(cell, reading, at)

    def replayed(self, base: Sequence[int]) -> "Watch":
        """Return a watch that stands where the history begins, under another `base`."""
        return Watch(self._start, base, self.changed_at)

    def retold(self, base: Sequence[int]) -> "Watch":
        """Return what would have been seen in this turn under another `base`; of a long turn, the readings alone."""
        other, alone = self.replayed(base), self.under(base)
        other.mask(self.masked)
        for cell, reading, at in self.history:
            other.change(cell, reading, at)
        found = other if other.readings == alone.readings else alone
        found.visited |= self.visited
        return found

    def under(self, base: Sequence[int]) -> "Watch":
        """Return a watch that has seen nothing but these readings, under another `base`."""
        other = Watch(self.readings, base, self.changed_at)
        other.mask(self.masked)
        return other

    def stood(self, mark: Mapping[Cell, int], owed: Collection[Cell] = ()) -> int:
        """Return after how many changes the board last differed in this turn by these readings; 0 for never.

        It may have differed by cells of `owed` besides when the last of `mark` came: hands may take off what goes
        before all sensors have told of the stone.
        """
        last = 0
        told = ((cell, reading) for cell, reading in enumerate(self._start) if cell not in self.masked)
        different = {cell: reading for cell, reading in told if reading != self._base[cell]}
        for number, (cell, reading, _at) in enumerate(self.history, start=1):
            if reading == self._base[cell]:
                different.pop(cell, None)
            else:
                different[cell] = reading
            whole = cell in mark and mark.items() <= different.items()
            if different == mark or (whole and all(other in mark or other in owed for other in different)):
                last = number
        return last

    def _remember(self) -> None:
        """Begin the history anew."""
        self.history = []
        self._start = list(self.readings)

    def mask(self, cells: Collection[Cell]) -> None:
        """Take these cells to read what they should, from now on."""
        for cell in set(cells) - self.masked:
            self._unheard[cell] = self.readings[cell]
        self.masked = frozenset(cells)
        for cell in self.masked:
            self.readings[cell] = self._base[cell]
            self.different.pop(cell, None)
        self.emptied = [cell for cell in self.emptied if cell not in self.masked]
        self.filled = [cell for cell in self.filled if cell not in self.masked]

    def put_by(self) -> list[tuple[Cell, int, bool]]:
        """Return the masked cells, sorted, each with what it tells and whether it has stirred: see `take_over`."""
        return [(cell, self._unheard[cell], cell in self.stirred) for cell in sorted(self.masked)]

    def take_over(self, put_by: Iterable[tuple[Cell, int, bool]]) -> None:
        """Mask cells as another watch had them masked."""
        for cell, told, stirred in put_by:
            self.mask({*self.masked, cell})
            self._unheard[cell] = told
            if stirred:
                self.stirred.add(cell)

    def unmask(self, cells: Collection[Cell]) -> None:
        """Take these cells to read what they tell again."""
        self.masked -= set(cells)
        self.stirred -= set(cells)
        for cell in cells:
            self.readings[cell] = self._unheard.pop(cell)
            if self.readings[cell] != self._base[cell]:
                self.different[cell] = self.readings[cell]

    def forget(self) -> None:
        """Forget what was touched, once the board has settled as it should be."""
        self.together = []
        self.rested = set()
        self.visited = set()
        self.emptied = [cell for cell, reading in self.different.items() if reading == 0]
        self._remember()

    def shake(self) -> None:
        """Forget what was touched, since the whole board was shaken; what is empty now may have been lifted."""
        self.forget()
        self._note_empty()

    def discount(self, cells: Collection[Cell]) -> None:
        """Take it that these cells were never emptied in this turn, but for those that are empty now."""
        gone = {cell for cell in cells if cell not in self.different}
        self.emptied = [cell for cell in self.emptied if cell not in gone]
        left = [lifted.difference(gone) for lifted in self.together]
        self.together = []
        for lifted in left:
            self._note_lifted(lifted)

    def excuse(self) -> None:
        """The game has changed, not the board: nothing of what differs was done by the hands of this turn."""
        self.together = []
        self.emptied = []
        self.rested = set()
        self.visited = set()
        self._remember()

    def rest(self) -> None:
        """A question is asked: remember where stones rest, and what is lifted from here on."""
        self.rested = set(self.filled)
        self.together = []

    def shown(self) -> set[Cell]:
        """Return the cells that were lifted since `forget` or `rest` and are as they should be again."""
        return {cell for lifted in self.together for cell in lifted if cell not in self.different}

    def without(self, cells: Collection[Cell]) -> "Watch":
        """Return the picture and its history as they would be if these cells had always been as they should be."""
        other = Watch(self.readings, self._base, self.changed_at)
        other.changed = dict(self.changed)
        other.mask({*cells, *self.masked})
        other.together = [known for lifted in self.together if (known := lifted.difference(cells))]
        other.emptied = [cell for cell in self.emptied if cell not in cells]
        other.filled = [cell for cell in self.filled if cell not in cells]
        other.rested, other.visited = self.rested.difference(cells), self.visited.difference(cells)
        return other

    def change(self, cell: Cell, reading: int, at: Millis) -> bool:
        """Take one change; return whether the cell read something else before."""
        if cell in self.masked:
            if self._unheard[cell] != reading:
                self._unheard[cell] = reading
                self.stirred.add(cell)
            return False
        if self.readings[cell] == reading:
            return False
        if reading == 0:
            self.emptied.append(cell)
        self.readings[cell] = reading
        self.history.append((cell, reading, at))
        if len(self.history) > HISTORY:
            self._remember()
        self.changed_at = max(self.changed_at, at)
        self.changed[cell] = at
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
            self.visited.add(cell)
        elif cell not in self.filled and reading not in {0, UNKNOWN}:
            self.filled.append(cell)

    def _note_empty(self) -> None:
        self._note_lifted(
            frozenset(cell for cell, reading in self.different.items() if reading == 0 and self._base[cell])
        )

    def _note_lifted(self, cells: frozenset[Cell]) -> None:
        if not cells or any(cells <= known for known in self.together):
            return
        self.together = [known for known in self.together if not known <= cells]
        self.together.append(cells)
