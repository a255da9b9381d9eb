"""The board of Bao Kigogo: its pits, who sows them in which order, its text, and the sowing itself.

A board's state is the seeds of all pits by cell: North's back rank ``a``, North's front ``b``, South's front ``c``,
South's back ``d``, each from column 1. Numbers such as (2.1) are paragraphs of ``texts/bao-kigogo.md``.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

from controller.games.seam import Cell, NotationError, Place

SOUTH: Final = 1
NORTH: Final = 2
RANKS: Final = "abcd"
"""Rank letters from the far side to the near one (1.1)."""

MAX_LAPS: Final = 10_000
"""A relay that has not ended after so many laps counts as endless (2.5)."""

_QUICK_LAPS: Final = 64
"""Laps sown before a relay is watched for a circle; nearly every relay in play ends sooner."""

_MAX_DIGITS: Final = 9
"""Digits that a number of seeds may have in a position's text."""

Pits: TypeAlias = tuple[int, ...]
"""Shape (4 * columns,): the seeds in each pit, by cell."""

Trail: TypeAlias = list[tuple[Cell, int]]
"""For each lap, the pit taken up and the seeds in it."""


Sown: TypeAlias = tuple[Cell, int, int]
"""How a move came to an end: the pit of the very last seed, the sowings made, the seeds dropped in all of them."""


@dataclass(frozen=True, slots=True)
class Board:
    """A board of so many columns, with the tables that moves are looked up in.

    Attributes:
        columns: 4 to 24.
        size: pits of one player, ``2 * columns``.
        places: all pits by cell; x is the column from 0, y grows from rank d to rank a.
        names: their names, by cell.
        own: for each player (index 0 unused) the own pits in the order of sowing.
        runs: ``runs[cell][n]`` are the pits into which n seeds fall from `cell`, in order, for n up to `size`.
        following: the next pit of each, in the order of sowing.
        across: for each pit of a front rank the enemy's front and back pit of its column; for the others nothing.
    """

    columns: int
    size: int
    places: tuple[Place, ...]
    names: tuple[str, ...]
    own: tuple[tuple[Cell, ...], ...]
    runs: tuple[tuple[tuple[Cell, ...], ...], ...]
    following: tuple[Cell, ...]
    across: tuple[tuple[Cell, ...], ...]

    @classmethod
    def of(cls, columns: int) -> "Board":
        """Return the board of so many columns."""
        size = 2 * columns
        places = tuple(
            Place(f"{rank}{column + 1}", float(column), float(3 - row))
            for row, rank in enumerate(RANKS)
            for column in range(columns)
        )
        a, b, c, d = (tuple(range(row * columns, (row + 1) * columns)) for row in range(4))
        own = ((), d + c[::-1], b + a[::-1])
        runs: list[tuple[tuple[Cell, ...], ...]] = [()] * (2 * size)
        for pits in own:
            for step, cell in enumerate(pits, start=1):
                runs[cell] = tuple((pits * 2)[step : step + seeds] for seeds in range(size + 1))
        across = ((),) * columns + tuple(zip(c, d, strict=True)) + tuple(zip(b, a, strict=True)) + ((),) * columns
        names, following = tuple(place.name for place in places), tuple(run[1][0] for run in runs)
        return cls(columns, size, places, names, own, tuple(runs), following, across)

    def start(self) -> Pits:
        """Return the pits at the start of a round (1.2)."""
        pits = [2] * (2 * self.size)
        pits[2 * self.columns - 1] = 0  # the last pit of rank b
        pits[2 * self.columns] = 0  # c1
        return tuple(pits)

    def side(self, pits: Pits, player: int) -> Pits:
        """Return shape (size,): the seeds in one player's pits, by cell."""
        return pits[self.size :] if player == SOUTH else pits[: self.size]

    def sow(self, pits: list[int], start: Cell, trail: Trail | None = None) -> Sown | None:
        """Sow the seeds of one pit, lap after lap, to the end of the move (2.1 to 2.3).

        Args:
            pits: shape (4 * columns,): all pits, changed in place; after an endless relay they are of no use.
            start: the pit sown from; it is not empty.
            trail: if given, every lap is added to it.

        Returns:
            How the move ended, or None for an endless relay (2.5).
        """
        runs, size, cell, seeds = self.runs, self.size, start, 0
        in_hand = pits[cell]
        for lap in range(1, _QUICK_LAPS + 1):
            if trail is not None:
                trail.append((cell, in_hand))
            seeds += in_hand
            pits[cell] = 0
            if in_hand > size:
                in_hand = self._sow_rounds(pits, cell, in_hand)
            for cell in runs[cell][in_hand]:  # noqa: B020 - where the last seed falls the next lap is taken up
                pits[cell] += 1
            in_hand = pits[cell]
            if in_hand == 1:
                return cell, lap, seeds
        return self._sow_on(pits, cell, seeds, trail)

    def _sow_rounds(self, pits: list[int], cell: Cell, in_hand: int) -> int:
        """Drop as many seeds as make full rounds; return how many are still in the hand."""
        rounds, left = divmod(in_hand, self.size)
        for passed in self.runs[cell][self.size]:
            pits[passed] += rounds
        return left

    def _sow_on(self, pits: list[int], cell: Cell, seeds: int, trail: Trail | None) -> Sown | None:
        """Go on with a relay that is already long, and stop as soon as it is seen to go in a circle.

        A relay that comes back to the same pits with the same pit to take up can never end. The pits of one lap are
        kept for comparison, and kept anew whenever the number of laps has doubled, so every circle is caught within
        three times its length.
        """
        runs, size = self.runs, self.size
        kept, kept_cell, renew = list(pits), cell, 2 * _QUICK_LAPS
        for lap in range(_QUICK_LAPS + 1, MAX_LAPS + 1):
            in_hand = pits[cell]
            if trail is not None:
                trail.append((cell, in_hand))
            seeds += in_hand
            pits[cell] = 0
            if in_hand > size:
                in_hand = self._sow_rounds(pits, cell, in_hand)
            for cell in runs[cell][in_hand]:  # noqa: B020, PLR1704 - as above
                pits[cell] += 1
            if pits[cell] == 1:
                return cell, lap, seeds
            if cell == kept_cell and pits == kept:
                return None
            if lap == renew:
                kept, kept_cell, renew = list(pits), cell, 2 * renew
        return None

    def text(self, pits: Pits) -> str:
        """Return the text of a position: ranks a to d, ``/`` between, counts with commas between."""
        columns = self.columns
        return "/".join(",".join(map(str, pits[row * columns : (row + 1) * columns])) for row in range(len(RANKS)))

    def parse(self, text: str) -> Pits:
        """Return the pits of a position's text. Round-trips with `text`.

        Raises:
            NotationError: not four ranks, a rank of another width, or something that is no number of seeds; says where.
        """
        ranks = text.split("/")
        if len(ranks) != len(RANKS):
            raise NotationError(
                f"a position has the four ranks a/b/c/d with '/' between them, {text!r} has {len(ranks)}; "
                "write every rank, one number a pit"
            )
        return tuple(
            seeds for letter, rank in zip(RANKS, ranks, strict=True) for seeds in self._parse_rank(letter, rank)
        )

    def _parse_rank(self, letter: str, text: str) -> Pits:
        counts = text.split(",")
        for column, count in enumerate(counts, start=1):
            if not (count.isascii() and count.isdigit()) or len(count) > _MAX_DIGITS:
                raise NotationError(f"pit {letter}{column}: {count!r} is no number of seeds; write 0 for an empty pit")
        if len(counts) != self.columns:
            raise NotationError(
                f"rank {letter} has {len(counts)} numbers and the board {self.columns} columns; write one number a pit"
            )
        return tuple(map(int, counts))
