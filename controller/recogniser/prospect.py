"""The legal moves of one position, indexed by what each does to the readings of the cells.

Moves are numbered, and a set of moves is one int with a bit for each, so that the moves that fit a picture are found by
and-ing the sets of the cells that changed: the cost follows the number of changed cells, not of moves.
"""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cached_property
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
    """What may happen next at a position, as far as a sensing kind can see it. Made once a ply.

    The index is built when it is first asked for, so that a ply can be shown before the next one is thought about.

    Attributes:
        rules: what is played.
        position: the position on turn.
        sensing: what the cells can tell.
        base: shape (cells,): the readings of the board as it should be before the move.
    """

    def __init__(self, rules: AnyRules, position: Any, sensing: Sensing) -> None:
        self.rules = rules
        self.position = position
        self.sensing = sensing
        self.base = tuple(reads(content, sensing) for content in rules.contents(position))

    @cached_property
    def moves(self) -> tuple[Any, ...]:
        """The legal moves, in the order of the rules; a move's number is its index."""
        return tuple(self.rules.legal(self.position))

    @cached_property
    def footprints(self) -> tuple[Footprint, ...]:
        """The footprint of each move, by number."""
        return tuple(self.rules.footprint(self.position, move) for move in self.moves)

    def footprint(self, move: Any) -> Footprint:
        """Return the footprint of a legal move."""
        return self.rules.footprint(self.position, move)

    @cached_property
    def passes(self) -> bool:
        """Whether the only legal move is one that touches nothing."""
        return len(self.moves) == 1 and not self.footprint(self.moves[0]).after

    @cached_property
    def index(self) -> "Index":
        """The moves by what they do to the readings."""
        return Index(self.base, self.footprints, self.sensing)

    def prepare(self) -> None:
        """Do the thinking that the first change of a turn would else wait for."""
        _ = self.index

    def targets(self) -> tuple[Cell, ...]:
        """Return the cells that some legal move touches, sorted: what a hint lights."""
        return tuple(sorted({cell for footprint in self.footprints for cell in footprint.after}))


class Index:
    """Footprints by what they do to the readings.

    Args:
        base: shape (cells,): the readings before any of the moves.
        footprints: shape (moves,).
        sensing: what the cells can tell.
    """

    def __init__(self, base: tuple[int, ...], footprints: tuple[Footprint, ...], sensing: Sensing) -> None:
        self._base = base
        self._sensing = sensing
        self._way: dict[tuple[Cell, int], int] = {}
        self._late: dict[tuple[Cell, int], int] = {}
        self._done: dict[tuple[Cell, int], int] = {}
        self._touch: dict[Cell, int] = {}
        self._lift: dict[Cell, int] = {}
        self._lifting = 0
        self._marks: list[dict[Cell, int]] = []
        self._needs: list[frozenset[Cell]] = []
        self._returns: list[frozenset[Cell]] = []
        self._owes: list[frozenset[Cell]] = []
        self.hidden = 0
        """The moves that leave every reading as it was: only the cells emptied on the way tell them."""
        for number, footprint in enumerate(footprints):
            self._add(1 << number, footprint)

    def _add(self, bit: int, footprint: Footprint) -> None:
        needs: dict[Cell, int] = {}
        for cell, content in footprint.after.items():
            reading = reads(content, self._sensing)
            _join(self._touch, cell, bit)
            if reading != self._base[cell]:
                needs[cell] = reading
                _join(self._done, (cell, reading), bit)
                _join(self._way, (cell, reading), bit)
        for cell in footprint.lifts:
            _join(self._lift, cell, bit)
            self._lifting |= bit
            if self._base[cell]:
                _join(self._way, (cell, 0), bit)
        returns, owes = set(), set()
        for cell, content in footprint.aftermath.items():
            reading = reads(content, self._sensing)
            if reading != self._base[cell]:
                owes.add(cell)
                _join(self._done, (cell, reading), bit)
                _join(self._late, (cell, reading), bit)
            else:
                returns.add(cell)
        self._marks.append(needs)
        self._needs.append(frozenset(needs))
        self._returns.append(frozenset(returns & needs.keys()))
        self._owes.append(frozenset(owes))
        if footprint.after and not needs:
            self.hidden |= bit

    def complete(
        self,
        different: Mapping[Cell, int],
        rested: AbstractSet[Cell] = frozenset(),
        visited: AbstractSet[Cell] = frozenset(),
    ) -> int:
        """Return the moves that leave exactly these readings, by cell that differs; not the hidden ones.

        Aftermath may be done, wholly or in part. A stone that goes back with what it joined must have been put where
        the move puts it: it lies there still, or it has rested there, or it was there and all the rest is off too.

        Args:
            different: the cells that do not read what they should, with their readings.
            rested: cells on which a stone has rested in this turn.
            visited: cells on which a stone was in this turn.
        """
        fit = -1
        for cell, reading in different.items():
            fit &= self._done.get((cell, reading), 0)
            if not fit:
                return 0
        if fit < 0:
            return 0
        seen = different.keys()
        found = 0
        for number in bits(fit):
            missing = self._needs[number] - seen
            if missing:
                put = rested | visited if self._owes[number] <= seen else rested
                if not missing <= self._returns[number] & put:
                    continue
            found |= 1 << number
        return found

    def mark(self, number: int) -> Mapping[Cell, int]:
        """Return what differs once a move is made and nothing has been taken off after it, by cell with its reading."""
        return self._marks[number]

    def within(self, different: Mapping[Cell, int]) -> dict[frozenset[Cell], list[int]]:
        """Return the moves that a part of the picture shows whole, by the cells of that part; the rest is another's."""
        fit = 0
        for cell, reading in different.items():
            fit |= self._done.get((cell, reading), 0)
        found: dict[frozenset[Cell], list[int]] = {}
        for number in bits(fit):
            needs = self._needs[number]
            if needs <= different.keys() and all(
                self._done.get((cell, different[cell]), 0) >> number & 1 for cell in needs
            ):
                found.setdefault(needs, []).append(number)
        return found

    def begun(self, different: Mapping[Cell, int]) -> int:
        """Return the moves of which some cells are emptied or filled and nothing else differs.

        A reading that is not known fits every move that touches its cell. Aftermath fits once what the move lifts is
        lifted.
        """
        fit = -1
        lifted = -1
        for cell, reading in different.items():
            if reading < 0:
                fit &= self._touch.get(cell, 0)
                continue
            way = self._way.get((cell, reading), 0)
            late = self._late.get((cell, reading), 0)
            if late & ~way:
                if lifted < 0:
                    lifted = self._all_lifted(different)
                way |= late & lifted
            fit &= way
            if not fit:
                return 0
        return max(fit, 0)

    def needing(self, cells: AbstractSet[Cell]) -> int:
        """Return the moves that cannot be seen without these cells."""
        needing = 0
        for cell in cells:
            needing |= self._touch.get(cell, 0) | self._lift.get(cell, 0)
        return needing

    def _all_lifted(self, different: Mapping[Cell, int]) -> int:
        """Return the moves that have something to lift and of which one lifted cell differs already."""
        begun = 0
        for cell in different:
            begun |= self._lift.get(cell, 0)
        return begun & self._lifting

    def next_cells(self, moves: int, different: Mapping[Cell, int]) -> frozenset[Cell]:
        """Return the cells that one of `moves` still has to touch."""
        return frozenset(
            cell
            for cell, touching in self._touch.items()
            if touching & moves & ~(self._done.get((cell, different[cell]), 0) if cell in different else 0)
        )


def _join(sets: dict[Any, int], key: Any, bit: int) -> None:
    sets[key] = sets.get(key, 0) | bit
