"""How the cells of a board are: how often each has changed, flickered, and for how long it was in the way. Pure."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from controller.games.seam import Cell
from hardware.ports import Millis

FLICKER_MS: Final = 50
"""A cell that changes again so soon was changed by no hand: hands take 60 ms at least."""


@dataclass(slots=True)
class CellHealth:
    """One cell.

    Fields:
        changes: how often its reading has changed.
        flickers: how often it changed again before a hand could have changed it.
        wrong_ms: for how long it was among the cells that the board asked to be put right.
        longest_ms: the longest of these times; a stuck or dead cell is put right by no hand.
    """

    changes: int = 0
    flickers: int = 0
    wrong_ms: Millis = 0
    longest_ms: Millis = 0

    def as_json(self) -> dict[str, Any]:
        """Return the fields by name."""
        return {
            "changes": self.changes,
            "flickers": self.flickers,
            "wrong_ms": self.wrong_ms,
            "longest_ms": self.longest_ms,
        }


class Health:
    """The cells of one board, since its rig was made.

    Fields:
        cells: shape (cells,).
    """

    def __init__(self, cells: int) -> None:
        self.cells = [CellHealth() for _ in range(cells)]
        self._changed: dict[Cell, Millis] = {}
        self._wrong: dict[Cell, Millis] = {}
        self._added: dict[Cell, Millis] = {}

    def change(self, cell: Cell, at: Millis) -> None:
        """Take a change of a reading, at the moment of its raw change."""
        health = self.cells[cell]
        health.changes += 1
        before = self._changed.get(cell)
        health.flickers += before is not None and at - before < FLICKER_MS
        self._changed[cell] = at

    def wrong(self, cells: Collection[Cell], now: Millis) -> None:
        """Take which cells the board asks to be put right at this moment; the time since the last call counts."""
        for cell in [cell for cell in self._wrong if cell not in cells]:
            self._count(cell, now)
            del self._wrong[cell], self._added[cell]
        for cell in cells:
            self._wrong.setdefault(cell, now)
            self._added.setdefault(cell, now)
            self._count(cell, now)

    def _count(self, cell: Cell, now: Millis) -> None:
        health = self.cells[cell]
        health.wrong_ms += now - self._added[cell]
        self._added[cell] = now
        health.longest_ms = max(health.longest_ms, now - self._wrong[cell])

    @property
    def any_wrong(self) -> bool:
        """Whether the board asked for some cell to be put right when it was last told."""
        return bool(self._wrong)

    def ailing(self) -> list[Cell]:
        """Return the cells that have flickered or were ever in the way, the worst first."""
        cells = [cell for cell, health in enumerate(self.cells) if health.flickers or health.wrong_ms]
        return sorted(cells, key=lambda cell: (-self.cells[cell].longest_ms, -self.cells[cell].flickers, cell))
