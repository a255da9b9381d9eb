"""The closed set of answers that a picture of the board can get."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from controller.games.seam import Cell, Content


class Doubt(enum.Enum):
    """What the sensors cannot tell. The values are the words of questions."""

    COLOUR = "colour"
    """Which stone lies on a cell that only knows that something does."""
    SWAP = "swap"
    """Which of the stones that were lifted together have changed places, if any."""
    GROUP = "group"
    """Which of several groups of equal size stays."""
    ENDLESS = "endless"
    """Whether the player means to sow a pit whose relay never ends."""
    ORDER = "order"
    """Which of two moves that were made together was the first."""
    SAME = "same"
    """Whether a pit was sown or put back, where both leave the same pattern."""


@dataclass(frozen=True, slots=True)
class Settled:
    """The board is as it should be, and nothing that was touched makes a move."""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """Some cells of one legal move are emptied or filled, and nothing else is different.

    Fields:
        next: cells that a hand may touch next to finish one of the moves that fit; in a sowing game the pits of the lap
            that still get a seed.
        taken, last: in a sowing game the pit whose seeds are sown and the one in which the lap ends, else None.
        lap, laps: in a sowing game which lap is under way, from 1, of how many; else 0.
        likely: a whole move that the picture fits although not all of its steps were seen; else None. It counts once
            nobody goes on for long.
    """

    next: frozenset[Cell]
    taken: Cell | None = None
    last: Cell | None = None
    lap: int = 0
    laps: int = 0
    likely: Any = None


@dataclass(frozen=True, slots=True)
class Recognised:
    """Exactly one legal move explains what was seen.

    Fields:
        move: the move.
        later: how many of the last changes belong to the ply after it, where two were made before the board was quiet.
    """

    move: Any
    later: int = 0


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several legal moves explain it alike: the player is asked, nothing is guessed.

    Fields:
        about: what the sensors cannot tell.
        moves: the moves that fit, in the order of the rules.
        cells: the cells that the question is about; for a colour the one cell that is asked now.
    """

    about: Doubt
    moves: tuple[Any, ...]
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Nothing legal explains it. Each tuple is sorted.

    Fields:
        extra: cells that hold something and should be empty.
        missing: cells that are empty and should hold something.
        wrong: cells that hold something else than they should.
        wanted: what cells should hold where that is not what the position says: within a sowing, after its lap.
    """

    extra: tuple[Cell, ...]
    missing: tuple[Cell, ...]
    wrong: tuple[Cell, ...]
    wanted: Mapping[Cell, Content] = field(default_factory=dict, compare=False)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All of them, sorted."""
        return tuple(sorted((*self.extra, *self.missing, *self.wrong)))


Answer: TypeAlias = Settled | Unfinished | Recognised | Ambiguous | Mismatch
