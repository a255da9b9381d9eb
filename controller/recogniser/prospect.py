"""The legal moves of one position, indexed by what each does to the readings of the cells.

Moves are numbered, and a set of moves is one int with a bit for each, so that the moves that fit a picture are found by
and-ing the sets of the cells that changed: the cost follows the number of changed cells, not of moves.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from controller.games.seam import AnyRules, Cell, Footprint
from hardware.ports import Sensing, reads


def bits(moves: int) -> Iterator[int]:
    """Yield the numbers of the moves in the set, ascending."""
    while moves:
        low = moves & -moves
        yield low.bit_length() - 1
        moves ^= low


class Prospect:
    """What may happen next at a position, as far as a sensing kind can see it. Built once a ply, then only read.

    Fields:
        position: the position on turn.
        sensing: what the cells can tell.
        base: shape (cells,): the readings of the board as it should be before the move.
        moves: the legal moves, in the order of the rules; a move's number is its index.
        footprints: the footprint of each move.
    """

    def __init__(self, rules: AnyRules, position: Any, sensing: Sensing) -> None:
        self.position = position
        self.sensing = sensing
        self.base = tuple(reads(content, sensing) for content in rules.contents(position))
        self.moves: tuple[Any, ...] = tuple(rules.legal(position))
        self.footprints: tuple[Footprint, ...] = tuple(rules.footprint(position, move) for move in self.moves)
        self._way: dict[tuple[Cell, int], int] = {}
        self._done: dict[tuple[Cell, int], int] = {}
        self._touch: dict[Cell, int] = {}
        self._needs: list[frozenset[Cell]] = []
        self._hidden = 0
        for number, footprint in enumerate(self.footprints):
            self._index(1 << number, footprint)

    def _index(self, bit: int, footprint: Footprint) -> None:
        needs = set()
        for cell, content in footprint.after.items():
            reading = reads(content, self.sensing)
            self._touch[cell] = self._touch.get(cell, 0) | bit
            if reading != self.base[cell]:
                needs.add(cell)
                self._done[cell, reading] = self._done.get((cell, reading), 0) | bit
                self._way[cell, reading] = self._way.get((cell, reading), 0) | bit
        for cell in footprint.lifts:
            if self.base[cell]:
                self._way[cell, 0] = self._way.get((cell, 0), 0) | bit
        for cell, content in footprint.aftermath.items():
            reading = reads(content, self.sensing)
            self._touch[cell] = self._touch.get(cell, 0) | bit
            if reading != self.base[cell]:
                self._done[cell, reading] = self._done.get((cell, reading), 0) | bit
            else:
                needs.discard(cell)
        self._needs.append(frozenset(needs))
        if footprint.after and not needs:
            self._hidden |= bit

    @property
    def passes(self) -> bool:
        """Whether the only legal move is one that touches nothing."""
        return len(self.moves) == 1 and not self.footprints[0].after

    @property
    def hidden(self) -> int:
        """The moves that leave every reading as it was: only the cells emptied on the way tell them."""
        return self._hidden

    def complete(self, different: Mapping[Cell, int]) -> int:
        """Return the moves that leave exactly these readings, by cell that differs from `base`; not the hidden ones."""
        fit = -1
        for cell, reading in different.items():
            fit &= self._done.get((cell, reading), 0)
            if not fit:
                return 0
        if fit < 0:
            return 0
        seen = different.keys()
        return sum(1 << number for number in bits(fit) if self._needs[number] <= seen)

    def begun(self, different: Mapping[Cell, int]) -> int:
        """Return the moves of which some cells are emptied or filled and nothing else differs.

        A reading that is not known fits every move that touches its cell.
        """
        fit = -1
        for cell, reading in different.items():
            fit &= self._touch.get(cell, 0) if reading < 0 else self._way.get((cell, reading), 0)
            if not fit:
                return 0
        return max(fit, 0)

    def next_cells(self, moves: int, different: Mapping[Cell, int]) -> frozenset[Cell]:
        """Return the cells that one of `moves` still has to touch."""
        return frozenset(
            cell
            for cell, touching in self._touch.items()
            if touching & moves & ~(self._done.get((cell, different[cell]), 0) if cell in different else 0)
        )
