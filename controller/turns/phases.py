"""The phases of a turn, the news that changes them, and the table of each game."""

import enum
from typing import Final, NamedTuple


class Phase(enum.Enum):
    """Where the turn stands. The values are shown to people and outside programs."""

    SETUP = "setup"
    """The board is being brought to the start."""
    WAITING = "waiting"
    """The board is as it should be; a player is on turn."""
    HANDLING = "handling"
    """A move may be under way."""
    ASKING = "asking"
    """The sensors cannot tell, or a choice is the player's: shown, and answered by touch, button or page."""
    GUIDING = "guiding"
    """A ply has counted; the rules ask for more hands: captured seeds out, returned stones off."""
    MENDING = "mending"
    """Board and game disagree; the lights say what to do."""
    OFFLINE = "offline"
    """No word from the board."""
    OVER = "over"
    """The round has ended."""


class News(enum.Enum):
    """What can happen to a turn. The values are the names of the machine's triggers."""

    ARRANGED = "arranged"
    """The start position lies on the board."""
    TOUCHED = "touched"
    """A cell reads otherwise than it should, or a question's picture has changed."""
    RESTED = "rested"
    """The board is as it should be, and still."""
    ASKED = "asked"
    """A question is open."""
    COUNTED = "counted"
    """A ply counts, and the rules ask for nothing more on the board."""
    OWED = "owed"
    """A ply counts, and something is left to do on the board."""
    STRAYED = "strayed"
    """Board and game disagree, and nobody has done anything about it."""
    MENDED = "mended"
    """The board is on the way to a move again."""
    ENDED = "ended"
    """The round has an outcome."""
    RENEWED = "renewed"
    """A new round begins."""
    LOST = "lost"
    """The cells cannot be heard any more."""


class Row(NamedTuple):
    """One line of a table: in any of `sources`, `news` leads to `target`."""

    news: News
    sources: tuple[Phase, ...]
    target: Phase


_P = Phase
_LIVE: Final = (_P.WAITING, _P.HANDLING, _P.ASKING, _P.MENDING)

SKELETON: Final[tuple[Row, ...]] = (
    Row(News.ARRANGED, (_P.SETUP,), _P.WAITING),
    Row(News.TOUCHED, (_P.WAITING, _P.ASKING, _P.OFFLINE), _P.HANDLING),
    Row(News.RESTED, (_P.HANDLING, _P.ASKING, _P.MENDING, _P.OVER, _P.OFFLINE), _P.WAITING),
    Row(News.ASKED, (*_LIVE, _P.SETUP, _P.OVER, _P.OFFLINE), _P.ASKING),
    Row(News.COUNTED, (*_LIVE, _P.OVER), _P.WAITING),
    Row(News.STRAYED, (_P.WAITING, _P.HANDLING, _P.ASKING, _P.OVER, _P.OFFLINE), _P.MENDING),
    Row(News.MENDED, (_P.MENDING,), _P.HANDLING),
    Row(News.ENDED, (*_LIVE, _P.OFFLINE), _P.OVER),
    Row(News.RENEWED, (*_LIVE, _P.SETUP, _P.OVER, _P.OFFLINE), _P.SETUP),
    Row(News.LOST, (*_LIVE, _P.SETUP, _P.OVER), _P.OFFLINE),
)
"""What every game shares."""

_GUIDED: Final[tuple[Row, ...]] = (
    Row(News.OWED, (*_LIVE, _P.GUIDING, _P.OVER, _P.OFFLINE), _P.GUIDING),
    Row(News.RESTED, (_P.GUIDING,), _P.WAITING),
    Row(News.COUNTED, (_P.GUIDING,), _P.WAITING),
    Row(News.ENDED, (_P.GUIDING,), _P.OVER),
    Row(News.STRAYED, (_P.GUIDING,), _P.MENDING),
    Row(News.TOUCHED, (_P.GUIDING,), _P.HANDLING),
    Row(News.ASKED, (_P.GUIDING,), _P.ASKING),
    Row(News.RENEWED, (_P.GUIDING,), _P.SETUP),
    Row(News.LOST, (_P.GUIDING,), _P.OFFLINE),
)
"""For games whose rules ask for something on the board after a ply has counted."""

TABLES: Final[dict[str, tuple[Row, ...]]] = {
    "bamogo": SKELETON,
}
"""The table of each game that has one of its own."""

ANY_GAME: Final = (*SKELETON, *_GUIDED)
"""The table of a game that is not in `TABLES`."""
