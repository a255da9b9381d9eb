"""Palettes: the same meanings in colours for other eyes.

The six colours of each palette were chosen by search for the largest least distance, in OKLab, between any two of them
as eyes of that kind see them (Viénot 1999 for protan and deutan, Brettel 1997 for tritan);
`tests/controller/lighting/test_palettes.py` measures them. Patterns stay as they are: nobody needs colours to read the
board, but they help.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from controller.lighting.language import LANGUAGE, SEATS, Meaning, Rgb


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours for meanings and seats.

    Fields:
        name: as in options and on the page.
        seats: shape (6,): the players' colours, player 1 first; they repeat where more play.
        meanings: the colour of every meaning.
    """

    name: str
    seats: tuple[Rgb, ...]
    meanings: Mapping[Meaning, Rgb]

    def seat(self, player: int) -> Rgb:
        """Return the colour of a player, by number from 1."""
        return self.seats[(player - 1) % len(self.seats)]


_ROLES: Final[Mapping[Meaning, int]] = {
    Meaning.TAKE_OFF: 0,
    Meaning.WRONG_ONE: 4,
    Meaning.PUT_BACK: 2,
    Meaning.QUESTION: 4,
    Meaning.LINE: 2,
    Meaning.WIN: 2,
    Meaning.TARGET: 3,
    Meaning.SOW: 3,
    Meaning.SOW_LAST: 1,
    Meaning.COUNTED: 3,
    Meaning.GIVE_BACK: 5,
    Meaning.HINT: 1,
}
"""Which of a palette's six colours a meaning takes where the palette is not the standard one."""


def _palette(name: str, *seats: Rgb) -> Palette:
    red, green, blue = seats[0]
    meanings = {meaning: _full(seats[_ROLES[meaning]]) if meaning in _ROLES else (255, 255, 255) for meaning in Meaning}
    meanings[Meaning.LATER] = (red // 4, green // 4, blue // 4)
    return Palette(name, seats, meanings)


def _full(colour: Rgb) -> Rgb:
    """Return the colour as bright as it gets: a pattern that fades must be seen at its dimmest too."""
    red, green, blue = (channel * 255 // max(colour) for channel in colour)
    return red, green, blue


STANDARD: Final = Palette("standard", SEATS, {meaning: look.colour for meaning, look in LANGUAGE.items()})

PALETTES: Final[Mapping[str, Palette]] = {
    palette.name: palette
    for palette in (
        STANDARD,
        _palette("protan", (180, 0, 0), (0, 60, 255), (255, 255, 0), (0, 180, 0), (0, 0, 120), (180, 180, 255)),
        _palette("deutan", (120, 0, 0), (0, 0, 120), (255, 255, 0), (0, 180, 0), (180, 0, 255), (255, 180, 255)),
        _palette("tritan", (180, 0, 0), (0, 0, 255), (255, 255, 60), (0, 180, 180), (60, 0, 120), (255, 120, 180)),
        _palette("contrast", (180, 0, 0), (0, 120, 255), (255, 255, 255), (60, 180, 0), (0, 0, 120), (255, 0, 255)),
    )
}
"""All palettes by name: the standard one, three for eyes that miss a colour, and one of high contrast."""
