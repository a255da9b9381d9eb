"""What a light says, read from its colour as a player reads it; and a mark for it where there are no colours."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from controller.lighting.language import LANGUAGE, SEATS, Meaning, Pattern
from controller.terminal.ansi import Rgb

DARK: Final = "#000000"

HOLD_MS: Final = 400
"""How long a mark stays after its light was last seen: longer than the dark part of every flash
(`controller.lighting.language`: 125 ms), and than the time from one drawing to the next."""

MARKS: Final[dict[Meaning, str]] = {
    Meaning.COUNTED: "*",
    Meaning.TOUCHED: "'",
    Meaning.TARGET: "+",
    Meaning.HINT: "~",
    Meaning.SOW: "+",
    Meaning.SOW_LAST: "$",
    Meaning.GIVE_BACK: "-",
    Meaning.LINE: "=",
    Meaning.QUESTION: "?",
    Meaning.TAKE_OFF: "x",
    Meaning.LATER: ",",
    Meaning.PUT_BACK: "o",
    Meaning.WRONG_ONE: "!",
    Meaning.WIN: "#",
}
"""The mark of each meaning. No two that can be lit in the same phase share one."""

BEHAVES: Final[dict[Pattern, str]] = {
    Pattern.STEADY: "steady",
    Pattern.SLOW: "swelling",
    Pattern.BEAT: "blinking",
    Pattern.FAST: "flashing",
    Pattern.DOUBLE: "double flash",
    Pattern.SPARKLE: "sparkling",
}
"""How a legend calls each pattern."""


class Seen(NamedTuple):
    """A light as it was last seen to burn: its colour (``#rrggbb``) and when."""

    light: str
    at: int


class Afterglow:
    """Remembers each light for a while, so that a flash that is dark at this moment is still read."""

    def __init__(self) -> None:
        self._seen: list[Seen] = []

    def over(self, lights: Sequence[str], now: int) -> list[Seen]:
        """Take the lights of this moment, in cell order; return how each was last seen to burn."""
        if len(self._seen) != len(lights):
            self._seen = [Seen(DARK, now)] * len(lights)
        self._seen = [
            Seen(light, now) if light != DARK else before for light, before in zip(lights, self._seen, strict=True)
        ]
        return self._seen

    def fades_at(self, lights: Iterable[str], now: int) -> int | None:
        """Return when the next mark of a light that is dark now goes; None where none will."""
        times = [
            seen.at + HOLD_MS
            for light, seen in zip(lights, self._seen, strict=False)
            if light == DARK and seen.light != DARK and now - seen.at < HOLD_MS
        ]
        return min(times, default=None)


def rgb(light: str) -> Rgb:
    """Return the channels of ``#rrggbb``."""
    return int(light[1:3], 16), int(light[3:5], 16), int(light[5:7], 16)


def meaning(light: str, *, guiding: bool = False, over: bool = False) -> Meaning | None:
    """Return what a light says; None where it is dark.

    A level changes how bright a light is, never its hue, and the hues of `LANGUAGE` differ. A light in a player's
    colour says what the phase makes of it: take this stone off while the board guides, the round is won at its end.

    Args:
        light: ``#rrggbb``.
        guiding: whether stones are to be taken off after a ply.
        over: whether the round has ended.
    """
    if light == DARK:
        return None
    seats = Meaning.WIN if over else Meaning.GIVE_BACK if guiding else None
    looks = [(colour, seats) for colour in SEATS] if seats else []
    looks += [(look.colour, meant) for meant, look in LANGUAGE.items()]
    shown = rgb(light)
    return min(looks, key=lambda look: _apart(shown, look[0]))[1]


def _apart(shown: Rgb, full: Rgb) -> float:
    """Return by how much `shown` is no dimmer `full`, as a share of its brightest channel."""
    share = max(shown) / max(full)
    return sum(abs(channel - share * whole) for channel, whole in zip(shown, full, strict=True)) / max(shown)
