"""Pictures of the light language, for docs/lights.md: what each meaning looks like over time. Pure."""

from collections.abc import Mapping
from typing import Final

from controller.lighting.language import LANGUAGE, LEVELS, Meaning, Rgb
from controller.lighting.palettes import PALETTES

SPAN_MS: Final = 2000
"""How much time a strip shows."""
STEPS: Final = 80
"""Into how many moments it is cut."""
_WIDTH: Final = 480
_ROW: Final = 30
_LABEL: Final = 90


def _hex(colour: Rgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _strip(meaning: Meaning, colour: Rgb, y: int) -> str:
    """Return one row: the light over two seconds."""
    level = LEVELS[LANGUAGE[meaning].pattern]
    step = SPAN_MS // STEPS
    width = (_WIDTH - _LABEL) / STEPS
    bars = []
    for number in range(STEPS):
        share = level(number * step, 0)
        red, green, blue = (int(channel * share) for channel in colour)
        x = _LABEL + number * width
        fill = _hex((red, green, blue))
        bars.append(f'<rect x="{x:.1f}" y="{y}" width="{width + 0.3:.1f}" height="{_ROW - 8}" fill="{fill}"/>')
    return "".join(bars)


def picture(meaning: Meaning) -> str:
    """Return an SVG of one meaning: a strip of two seconds in every palette."""
    rows = []
    for number, palette in enumerate(PALETTES.values()):
        y = 6 + number * _ROW
        rows.append(f'<text x="6" y="{y + 15}" fill="#ddd">{palette.name}</text>')
        rows.append(_strip(meaning, palette.meanings[meaning], y))
    return _svg(6 + len(PALETTES) * _ROW, "".join(rows), f"{meaning.value}, over two seconds")


def seats() -> str:
    """Return an SVG of the six players' colours in every palette."""
    rows = []
    size = (_WIDTH - _LABEL) / 6
    for number, palette in enumerate(PALETTES.values()):
        y = 6 + number * _ROW
        rows.append(f'<text x="6" y="{y + 15}" fill="#ddd">{palette.name}</text>')
        rows.extend(
            f'<rect x="{_LABEL + seat * size:.1f}" y="{y}" width="{size - 4:.1f}" height="{_ROW - 8}" rx="4" '
            f'fill="{_hex(colour)}"/>'
            for seat, colour in enumerate(palette.seats)
        )
    return _svg(6 + len(PALETTES) * _ROW, "".join(rows), "the colours of players 1 to 6")


def _svg(height: int, body: str, title: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" '
        f'font-family="sans-serif" font-size="13"><title>{title}</title>'
        f'<rect width="{_WIDTH}" height="{height}" fill="#161412"/>{body}</svg>\n'
    )


_PAGE: Final = """# The light language

Generated from `controller/lighting/` by `make docs`; a test compares.

The same meaning looks the same in every game. Each has a pattern as well as a colour, so that nobody needs colour
sight to read the board. Where meanings meet on a cell, the higher layer is shown. Every strip below shows two
seconds, once for each palette: the standard one, three for eyes that miss a colour (protan, deutan, tritan), and
one of high contrast.

| meaning | pattern | layer | when |
| --- | --- | --- | --- |
{rows}

{pictures}

## Players

![the colours of the players](lights/seats.svg)

## The score track

A ring of 24 pixels on every reference board. Each player has one dim pixel at the score; the player on turn has two
bright ones, the score's and the next, so that the turn can be read without colours. While the cells cannot be
heard, every third pixel is dim white instead.

## Brightness

`stonelight lights --brightness 40`, `--night on` and `--palette deutan` change a running board; so do the page, and
two presses of `hint` within a second, which step through 100, 60 and 30 percent and night. After five minutes
without anything happening the board is lit at three tenths of that. A frame never draws more than the profile's
budget: it is dimmed as a whole, so that hues stay.
"""

_WHEN: Final[Mapping[Meaning, str]] = {
    Meaning.COUNTED: "for 3 s after a move has counted, on its cells",
    Meaning.TOUCHED: "while a move may be under way, where hands were",
    Meaning.TARGET: "where a stone that is lifted may go, and what may be taken next",
    Meaning.HINT: "for 3 s after `hint`",
    Meaning.SOW: "the pits of the lap that is being sown",
    Meaning.SOW_LAST: "the pit in which the lap ends, and the next one begins",
    Meaning.GIVE_BACK: "captured seeds and returned stones, until they are off; stones in their owner's colour",
    Meaning.LINE: "each completed row in turn, then all together",
    Meaning.QUESTION: "the cells that a question is about",
    Meaning.TAKE_OFF: "a stone too many: the next step of putting the board right",
    Meaning.PUT_BACK: "a stone too few, or where to carry the one that is too many",
    Meaning.WRONG_ONE: "another stone than the one that belongs there",
    Meaning.LATER: "what else is to be put right, after the next step",
    Meaning.WIN: "for 10 s after a round is won, in the winner's colour",
}


def file_name(meaning: Meaning) -> str:
    """Return the file of a meaning's picture, beside the others in docs/lights/."""
    return f"{meaning.name.lower().replace('_', '-')}.svg"


def page() -> str:
    """Return the whole of docs/lights.md."""
    ordered = sorted(Meaning, key=lambda meaning: (LANGUAGE[meaning].layer, meaning.name))
    rows = [
        f"| {meaning.value} | {LANGUAGE[meaning].pattern.value} | {LANGUAGE[meaning].layer} | {_WHEN[meaning]} |"
        for meaning in ordered
    ]
    pictures = [f"### {meaning.value}\n\n![{meaning.value}](lights/{file_name(meaning)})" for meaning in ordered]
    return _PAGE.format(rows="\n".join(rows), pictures="\n\n".join(pictures))


def files() -> dict[str, str]:
    """Return every generated file under docs/ by its path there."""
    return {
        "lights.md": page(),
        "lights/seats.svg": seats(),
        **{f"lights/{file_name(meaning)}": picture(meaning) for meaning in Meaning},
    }
