"""Knocks against the table: which changes no hand has made. Arithmetic on (cell, moment), no clock."""

from typing import Final

from controller.games.seam import Cell
from controller.recogniser.watch import Watch
from hardware.ports import Millis

AT_ONCE_MS: Final = 30
"""Within how long cells must change to count as changing at once."""
BLINK_MS: Final = 35
"""A cell that is full again so soon was not lifted: hands take 60 ms at least, and contacts are read every few."""
FLICKER_MS: Final = 100
"""Where more than `FLICKERS` cells are full again so soon, something has shaken them."""
FLICKERS: Final = 2
"""So many stones may be lifted and put back in that time by two quick hands."""


class Knocks:
    """Tells knocks from hands, from one picture to the next."""

    def __init__(self) -> None:
        self._flickered: set[Cell] = set()

    def clear(self) -> None:
        """A picture has been judged."""
        self._flickered.clear()

    def note(self, watch: Watch, cell: Cell, at: Millis, before: Millis | None) -> None:
        """Take a change that `watch` has taken; cells that only flickered were not lifted.

        Where so many cells have changed at once that no hand can have done it, nothing that was touched before is
        believed; what is out of its cell by then may have been lifted.

        Args:
            watch: what was seen since the turn began.
            cell: the cell that has changed.
            at: when.
            before: when it had changed before that in this turn.
        """
        together = sum(1 for other in watch.changed.values() if at - other < AT_ONCE_MS)
        # Two plies of two cells each are no knock, however small the board.
        if together > max(4, len(watch.readings) // 4):
            watch.shake()
        self._flickered.discard(cell)
        if before is None or cell in watch.different or not watch.readings[cell]:
            return
        out = at - before
        if out < BLINK_MS:
            watch.discount({cell})
        elif out < FLICKER_MS:
            self._flickered.add(cell)
            if len(self._flickered) > FLICKERS:
                watch.discount(self._flickered)
