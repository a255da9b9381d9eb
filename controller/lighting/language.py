"""The light language: what each meaning looks like, the same in every game.

Meanings that may be lit together differ in pattern as well as in colour, so that nobody needs colour sight to read the
board.
"""

import enum
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from hardware.ports import Millis

Rgb: TypeAlias = tuple[int, int, int]
"""Red, green, blue, 0..255, before brightness."""


class Pattern(enum.Enum):
    """How a light behaves over time."""

    STEADY = "steady"
    SLOW = "slow"
    """Swells and fades every two seconds."""
    BEAT = "beat"
    """On for half a second, dim for half a second."""
    FAST = "fast"
    """Four short flashes a second."""
    DOUBLE = "double"
    """Two flashes, then a pause."""
    SPARKLE = "sparkle"
    """Swells quickly, at a different moment on each cell."""


def _slow(t: Millis, _cell: int) -> float:
    return 0.575 - 0.425 * math.cos(2 * math.pi * t / 2000)


def _beat(t: Millis, _cell: int) -> float:
    return 1.0 if t % 1000 < 500 else 0.2


def _fast(t: Millis, _cell: int) -> float:
    return 1.0 if t % 250 < 125 else 0.0


def _double(t: Millis, _cell: int) -> float:
    return 1.0 if t % 1000 < 150 or 300 <= t % 1000 < 450 else 0.15


def _sparkle(t: Millis, cell: int) -> float:
    return 0.55 - 0.45 * math.cos(2 * math.pi * (t + 137 * cell) / 700)


LEVELS: Final[dict[Pattern, Callable[[Millis, int], float]]] = {
    Pattern.STEADY: lambda _t, _cell: 1.0,
    Pattern.SLOW: _slow,
    Pattern.BEAT: _beat,
    Pattern.FAST: _fast,
    Pattern.DOUBLE: _double,
    Pattern.SPARKLE: _sparkle,
}
"""The level, 0 to 1, of each pattern: of the milliseconds since it began and the cell."""

UNEVEN: Final = frozenset({Pattern.SPARKLE})
"""Patterns whose level differs from cell to cell."""


class Meaning(enum.Enum):
    """What a light says. The values are the words of the documentation."""

    COUNTED = "this move counts"
    TOUCHED = "your hand was here"
    TARGET = "a stone may go here, or this one may be taken"
    HINT = "one of your moves"
    SOW = "a seed goes into this pit"
    SOW_LAST = "the last seed of this lap goes here"
    GIVE_BACK = "take this off: it is captured or goes back to its owner"
    LINE = "this row is complete"
    QUESTION = "the board asks about this cell"
    TAKE_OFF = "take this off"
    PUT_BACK = "something is missing here"
    WRONG_ONE = "this is the wrong one"
    LATER = "this is to be put right afterwards"
    WIN = "the round is won"


@dataclass(frozen=True, slots=True)
class Look:
    """How a meaning looks; a higher layer covers a lower one."""

    colour: Rgb
    pattern: Pattern
    layer: int


LANGUAGE: Final[dict[Meaning, Look]] = {
    Meaning.COUNTED: Look((70, 200, 120), Pattern.STEADY, 1),
    Meaning.HINT: Look((40, 90, 255), Pattern.SPARKLE, 2),
    Meaning.TARGET: Look((30, 160, 170), Pattern.SLOW, 3),
    Meaning.TOUCHED: Look((255, 255, 255), Pattern.STEADY, 4),
    Meaning.SOW: Look((60, 200, 60), Pattern.SLOW, 3),
    Meaning.SOW_LAST: Look((200, 220, 40), Pattern.DOUBLE, 4),
    Meaning.GIVE_BACK: Look((255, 140, 60), Pattern.FAST, 4),
    Meaning.LINE: Look((255, 200, 40), Pattern.BEAT, 5),
    Meaning.WIN: Look((255, 180, 60), Pattern.SPARKLE, 6),
    Meaning.QUESTION: Look((150, 60, 255), Pattern.DOUBLE, 7),
    Meaning.LATER: Look((60, 12, 12), Pattern.STEADY, 7),
    Meaning.PUT_BACK: Look((255, 120, 0), Pattern.BEAT, 8),
    Meaning.WRONG_ONE: Look((255, 0, 120), Pattern.DOUBLE, 8),
    Meaning.TAKE_OFF: Look((255, 0, 0), Pattern.FAST, 8),
}
"""The look of each meaning."""

SEATS: Final[tuple[Rgb, ...]] = (
    (255, 40, 30),
    (40, 90, 255),
    (255, 190, 0),
    (30, 200, 60),
    (170, 50, 230),
    (255, 110, 10),
)
"""The colours of the players, player 1 first; they repeat where more play."""


def seat_colour(player: int) -> Rgb:
    """Return the colour of a player, by number from 1."""
    return SEATS[(player - 1) % len(SEATS)]
