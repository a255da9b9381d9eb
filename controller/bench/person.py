"""What the bench asks of the person beside the board: to look, to put stones down, to answer.

`Person` is the seam. `controller.cli` has one who sits at a terminal, `simulated_person` one who looks at a simulated
board and moves its stones. Questions and requests carry what they are about as data, so that no one has to read words.
"""

import enum
from dataclasses import dataclass
from typing import Final, Protocol

SKIP: Final = "skip"
"""Said instead of doing: this one not."""
REST: Final = "rest"
"""Said instead of answering: this and all that follow are as expected."""
TRACK: Final = "track"
"""A light that is no cell's but the score track's."""
NONE: Final = "none"
"""No light is to be seen."""


class About(enum.Enum):
    """What a question is about, and so which answers it takes."""

    LIT_CELL = enum.auto()
    """Which cell is lit: its name, `TRACK`, `NONE` or `REST`."""
    COLOUR = enum.auto()
    """Which colour is to be seen: ``r``, ``g``, ``b``, ``w`` or `NONE`."""
    ALL_LIT = enum.auto()
    """Whether every light came on in turn: ``y`` or ``n``."""
    AGREE = enum.auto()
    """``y`` or ``n``."""
    TEXT = enum.auto()
    """Anything."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question.

    Fields:
        about: what it is about.
        words: how it is asked.
        default: the answer of a person who only presses Enter; empty where there is none.
    """

    about: About
    words: str
    default: str = ""


class Deed(enum.Enum):
    """Something to do with hands."""

    CLEAR = enum.auto()
    """Take everything off the board."""
    PUT = enum.auto()
    """Put a stone on the lit cell; the one that was put before may be used again."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request.

    Fields:
        deed: what to do.
        words: how it is asked for.
        stone: which stone, by its number.
        off_centre: whether it shall lie as far from the middle as its cell lets it.
    """

    deed: Deed
    words: str
    stone: int = 1
    off_centre: bool = False


class StoppedError(Exception):
    """The person wants no more of it."""


class Person(Protocol):
    """Somebody beside the board."""

    def tell(self, words: str) -> None:
        """Say something."""

    def ask(self, question: Question) -> str:
        """Ask, wait, and return the answer, without blanks around it; the default where nothing was said.

        Raises:
            StoppedError: they want no more of it.
        """

    def request(self, request: Request) -> None:
        """Ask for something to be done, and come back at once: the board tells whether it was."""

    def heard(self) -> str:
        """Return what they have said meanwhile, without waiting; empty for nothing.

        Raises:
            StoppedError: they want no more of it.
        """


def agreed(person: Person, words: str, *, default: bool = True) -> bool:
    """Return whether a person says yes."""
    letters = "Y/n" if default else "y/N"
    answer = person.ask(Question(About.AGREE, f"{words} [{letters}]", "y" if default else "n"))
    return answer.lower().startswith("y")
