"""Text with colours, and the few control sequences that a terminal needs: those of ECMA-48, which all of them know."""

import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, TypeAlias

Rgb: TypeAlias = tuple[int, int, int]

ENTER: Final = "\x1b[?1049h\x1b[2J"
"""Leave the text of the shell alone: draw on the other screen, and begin with an empty one."""
LEAVE: Final = "\x1b[0m\x1b[?25h\x1b[?1049l"
"""Plain colours, cursor shown, back to the text of the shell."""
HIDE: Final = "\x1b[?25l"
SHOW: Final = "\x1b[?25h"
CLEAR: Final = "\x1b[2J"
TO_END: Final = "\x1b[K"
"""Empty the rest of the row."""


def at(row: int, column: int) -> str:
    """Return the sequence that moves the cursor; both count from 0."""
    return f"\x1b[{row + 1};{column + 1}H"


class Style(NamedTuple):
    """How a piece of text looks where there are colours; None: as the terminal has it."""

    text: Rgb | None = None
    ground: Rgb | None = None
    bold: bool = False
    faint: bool = False


PLAIN: Final = Style()
BOLD: Final = Style(bold=True)
FAINT: Final = Style(faint=True)


class Span(NamedTuple):
    """A piece of text in one style."""

    text: str
    style: Style = PLAIN


Line: TypeAlias = tuple[Span, ...]
"""One row, from left to right."""


def wide(character: str) -> int:
    """Return how many columns a character takes."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def harmless(text: str) -> str:
    """Return the text with everything that a terminal might obey as ``?``; names and log messages may hold anything."""
    return "".join(character if character.isprintable() else "?" for character in text)


def length(line: Iterable[Span]) -> int:
    """Return how many columns a line takes."""
    return sum(wide(character) for span in line for character in span.text)


def clipped(line: Iterable[Span], columns: int) -> Line:
    """Return as much of a line as fits into so many columns."""
    kept: list[Span] = []
    for span in line:
        text = []
        for character in span.text:
            columns -= wide(character)
            if columns < 0:
                break
            text.append(character)
        kept.append(Span("".join(text), span.style))
        if columns < 0:
            break
    return tuple(span for span in kept if span.text)


def padded(line: Line, columns: int) -> Line:
    """Return a line of exactly so many columns."""
    short = clipped(line, columns)
    return (*short, Span(" " * (columns - length(short))))


def wrapped(text: str, columns: int) -> list[str]:
    """Return the words of `text` in lines of at most so many columns; a longer word is cut, none is lost."""
    lines, line = [], ""
    for word in text.split(" "):
        joined = f"{line} {word}" if line else word
        if len(joined) <= columns or not line:
            line = joined
        else:
            lines.append(line)
            line = word
        while len(line) > columns > 0:
            lines.append(line[:columns])
            line = line[columns:]
    return [*lines, line] if line or not lines else lines


def encoded(line: Sequence[Span], *, colour: bool) -> str:
    """Return a line as it is sent; without `colour` nothing but its text."""
    if not colour:
        return "".join(span.text for span in line)
    parts = []
    for text, style in line:
        codes = _codes(style)
        parts.append(f"\x1b[{codes}m{text}\x1b[0m" if codes else text)
    return "".join(parts)


def _codes(style: Style) -> str:
    codes = []
    if style.bold:
        codes.append("1")
    if style.faint:
        codes.append("2")
    if style.text is not None:
        codes.append(f"38;5;{palette(style.text)}")
    if style.ground is not None:
        codes.append(f"48;5;{palette(style.ground)}")
    return ";".join(codes)


_STEPS: Final = (0, 95, 135, 175, 215, 255)
"""The levels of the cube of 6 x 6 x 6 colours that terminals have from number 16."""


def palette(colour: Rgb) -> int:
    """Return the nearest of the 256 colours that nearly every terminal knows, also over SSH."""
    red, green, blue = (min(range(6), key=lambda step: abs(_STEPS[step] - channel)) for channel in colour)
    if max(colour) and not red + green + blue:
        # Dim but lit: the cube begins at 95, the row of greys at 8.
        return 232 + min(23, max(0, (max(colour) - 8) // 10))
    return 16 + 36 * red + 6 * green + blue


def against(ground: Rgb) -> Rgb:
    """Return black or white, whichever can be read on that ground."""
    red, green, blue = ground
    return (0, 0, 0) if 299 * red + 587 * green + 114 * blue > 110_000 else (255, 255, 255)
