"""The board in text: every cell with what lies on it and what its light says. Pure.

A board is drawn in one of several forms, the roomy ones first: `FORMS`. Whoever lays out the screen takes the first
that fits, and shows a part of the board where none does.
"""

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from controller.lighting.language import Meaning, seat_colour
from controller.terminal.ansi import BOLD, FAINT, PLAIN, Line, Rgb, Span, Style, against, length, padded
from controller.terminal.lights import DARK, HOLD_MS, MARKS, Seen, meaning, rgb

MARGIN: Final = 4
"""Columns on the left of the board, for the names of its ranks."""

STONES: Final[dict[str, Rgb]] = {
    "R": (255, 40, 30),
    "B": (70, 110, 255),
    "Y": (255, 200, 0),
    "G": (30, 190, 60),
    "P": (170, 60, 230),
    "O": (255, 120, 10),
    "1": seat_colour(1),
    "2": (70, 110, 255),
}
"""The colours of stones, by letter or owner; a blue that can be read on black."""


class Spot(NamedTuple):
    """One cell, ready to be drawn.

    Fields:
        name: the cell's name.
        x, y: its place, in pitches.
        content: the stone's letter, the number of seeds, empty, or ``?``.
        means: what its light says; None: dark.
        light: the colour of its light at this moment; None: dark.
        toward: where the rest of its stone lies (``e``, ``w``, ``n``, ``s``); empty for a stone of one cell.
    """

    name: str
    x: float
    y: float
    content: str
    means: Meaning | None
    light: Rgb | None
    toward: str = ""


class Form(NamedTuple):
    """One way to draw a cell.

    Fields:
        pitch: columns from one cell to the next.
        drawn: the rows of one cell, top first.
        ruled: whether lines are drawn between cells.
        ends: whether a rank begins and ends with the names of its outer cells, since they are nowhere else.
    """

    pitch: int
    drawn: Callable[[Spot], tuple[Line, ...]]
    ruled: bool = False
    ends: bool = False


class Board(NamedTuple):
    """A board as drawn, before it is put anywhere.

    Fields:
        head: the row above it, with the names of files or columns; None where there is none.
        ranks: the rows of each rank, the far one first.
        lit: for each rank, whether something on it is lit.
        held: for each rank, whether something lies on it.
        foot: the rows below it.
        columns: its width.
    """

    head: Line | None
    ranks: tuple[tuple[Line, ...], ...]
    lit: tuple[bool, ...]
    held: tuple[bool, ...]
    foot: tuple[Line, ...]
    columns: int

    @property
    def rows(self) -> int:
        """How many rows the whole board takes."""
        return (self.head is not None) + sum(map(len, self.ranks)) + len(self.foot)


def spots(state: Mapping[str, Any], now: int) -> list[Spot]:
    """Return the cells of a state, in its order.

    Args:
        state: as `controller.table.view.view` gives it. Further keys of a cell that are used: ``piece`` (what really
            lies there), ``seen`` (a `Seen`), ``whole`` (the names of all cells that its stone covers).
        now: the time of ``seen``, in milliseconds.
    """
    over, guiding = bool(state["outcome"]), state["phase"] == "guiding"
    places = {cell["id"]: cell for cell in state["cells"]}
    found = []
    for cell in state["cells"]:
        seen: Seen = cell.get("seen") or Seen(cell["light"], now)
        fresh = now - seen.at < HOLD_MS
        found.append(
            Spot(
                cell["id"],
                cell["x"],
                cell["y"],
                content_of(cell),
                meaning(seen.light, guiding=guiding, over=over) if fresh else None,
                rgb(cell["light"]) if cell["light"] != DARK else None,
                _toward(cell, places),
            )
        )
    return found


def content_of(cell: Mapping[str, Any]) -> str:
    """Return what lies on a cell of a state: really, where that is known, else as sensed; nothing is empty text."""
    content = str(cell.get("piece", cell["stone"]))
    return "" if content == "0" else content


def _toward(cell: Mapping[str, Any], places: Mapping[str, Mapping[str, Any]]) -> str:
    other = next((name for name in cell.get("whole", ()) if name != cell["id"]), None)
    if other is None:
        return ""
    across, along = places[other]["x"] - cell["x"], places[other]["y"] - cell["y"]
    if across:
        return "e" if across > 0 else "w"
    return "n" if along > 0 else "s"


def rank_of(name: str, surface: str) -> str:
    """Return the part of a cell's name that its rank shares: the number where files are letters, else the letter."""
    letters, digits = _parts(name)
    return digits if surface in {"square", "mat"} else letters


def _parts(name: str) -> tuple[str, str]:
    found = re.fullmatch(r"([a-z]+)(\d+)", name)
    return (found[1], found[2]) if found else (name, name)


def board(cells: Sequence[Spot], surface: str, form: Form) -> Board:
    """Return the board drawn in that form."""
    left = min(spot.x for spot in cells)
    ordered = sorted(cells, key=lambda spot: (-spot.y, spot.x))
    ranks = [list(rank) for _, rank in itertools.groupby(ordered, key=lambda spot: spot.y)]
    rows = [_rank(rank, surface, form, left) for rank in ranks]
    # Every row of a board is as long as its longest, so that what stands beside it stays in line.
    columns = max(length(line) for rank in rows for line in rank)
    foot: tuple[Line, ...] = ()
    if form.ruled:
        rule = (Span(" " * MARGIN), Span(("+" + "-" * (form.pitch - 1)) * len(ranks[0]) + "+", FAINT))
        rows = [(rule, *rank) for rank in rows]
        foot = (rule,)
        columns = max(columns, length(rule))
    return Board(
        _head(ranks[0], surface, form, left),
        tuple(tuple(padded(line, columns) for line in rank) for rank in rows),
        tuple(any(spot.means for spot in rank) for rank in ranks),
        tuple(any(spot.content for spot in rank) for rank in ranks),
        foot,
        columns,
    )


def _head(rank: Sequence[Spot], surface: str, form: Form, left: float) -> Line | None:
    """Return the names of the files or columns, each over the middle of its cells."""
    if surface == "hexagon":
        return None
    text = ""
    for spot in rank:
        letters, digits = _parts(spot.name)
        name = letters if surface in {"square", "mat"} else digits
        start = MARGIN + form.ruled + round((spot.x - left) * form.pitch) + max(0, form.pitch - len(name)) // 2
        # A name that would run into the one before it is left out: every other file tells enough.
        if start > len(text) or not text or form.pitch > len(name):
            text = f"{text:{start}}{name}"
    return (Span(text, FAINT),)


def _rank(rank: Sequence[Spot], surface: str, form: Form, left: float) -> tuple[Line, ...]:
    cells = [form.drawn(spot) for spot in rank]
    rows = []
    for row in range(len(cells[0])):
        label = rank[0].name if form.ends else rank_of(rank[0].name, surface)
        line: list[Span] = [Span(f"{label if row == 0 else '':>{MARGIN - 1}} ", FAINT)]
        for spot, drawn in zip(rank, cells, strict=True):
            start = MARGIN + round((spot.x - left) * form.pitch)
            line.append(Span(" " * (start - length(line))))
            if form.ruled:
                line.append(Span("|", FAINT))
            line.extend(drawn[row])
        if form.ruled:
            line.append(Span("|", FAINT))
        if form.ends:
            line.append(Span(f" {rank[-1].name}", FAINT))
        rows.append(tuple(line))
    return tuple(rows)


# Cells ----------------------------------------------------------------------------------------------------------------


def _mark(spot: Spot) -> str:
    return MARKS[spot.means] if spot.means else " "


def _lit(spot: Spot, style: Style = PLAIN) -> Style:
    """Return the style of what lies bare in the light of a cell."""
    if spot.light is None:
        return style
    return Style(against(spot.light), spot.light, bold=True)


def _on(spot: Spot) -> Style:
    """Return the style of the stone on a cell."""
    if not spot.content:
        return _lit(spot, FAINT)
    colour = STONES.get(spot.content)
    return Style(against(colour), colour, bold=True) if colour else _lit(spot, BOLD)


def _roomy(spot: Spot) -> tuple[Line, ...]:
    light = _lit(spot)
    stone = Span(f" {spot.content} ", _on(spot)) if spot.content else Span(" . ", _lit(spot, FAINT))
    return (
        (Span(f"{_mark(spot)} ", light), stone, Span(f" {_mark(spot)}", light)),
        (Span(f"{spot.name:^7}", _lit(spot, FAINT)),),
    )


def _small(spot: Spot) -> tuple[Line, ...]:
    return ((Span(_mark(spot), _lit(spot)), Span(spot.content or ".", _on(spot)), Span(" ")),)


def _numbered(spot: Spot) -> tuple[Line, ...]:
    number = _parts(spot.name)[1]
    return ((Span(_mark(spot), _lit(spot)), Span(f"{spot.content or '.'}{number}", _on(spot))),)


def _tiny(spot: Spot) -> tuple[Line, ...]:
    return ((Span(_mark(spot), _lit(spot)), Span(spot.content or ".", _on(spot))),)


def _single(spot: Spot) -> tuple[Line, ...]:
    """The stone; where there are no colours, a light hides it, since the light is what asks for something."""
    style = _on(spot) if spot.light is None or not spot.content else _lit(spot)
    return ((Span(MARKS[spot.means] if spot.means else spot.content or ".", style),),)


def _pit(spot: Spot) -> tuple[Line, ...]:
    light = _lit(spot)
    return (
        (
            Span(_mark(spot), light),
            Span("(", _lit(spot, FAINT)),
            Span(f"{spot.content:>2}", _lit(spot, BOLD)),
            Span(")", _lit(spot, FAINT)),
        ),
    )


def _shallow_pit(spot: Spot) -> tuple[Line, ...]:
    return ((Span(_mark(spot), _lit(spot)), Span(f"{spot.content or '.':>2}", _on(spot))),)


_EDGES: Final = {"e": ("[", "="), "w": ("=", "]"), "n": ("\\", "/"), "s": ("/", "\\"), "": ("(", ")")}
"""What stands on both sides of the half of a stone whose other half lies that way: ``[1==1]``, or ``/1\\`` over
``\\1/``."""


def _half(spot: Spot) -> tuple[Line, ...]:
    if not spot.content:
        return ((Span(_mark(spot), _lit(spot)), Span(".", _lit(spot, FAINT)), Span(" ")),)
    before, after = _EDGES[spot.toward]
    stone = _on(spot)
    edge = Span(_mark(spot), _lit(spot)) if spot.means else Span(before, stone)
    return ((edge, Span(f"{spot.content}{after}", stone)),)


FORMS: Final[dict[str, tuple[Form, ...]]] = {
    "square": (Form(8, _roomy, ruled=True), Form(3, _small)),
    "hexagon": (Form(4, _numbered), Form(2, _tiny, ends=True)),
    "pit": (Form(5, _pit), Form(3, _shallow_pit)),
    "mat": (Form(3, _half), Form(2, _tiny), Form(1, _single)),
}
"""The forms of each surface, the roomiest first."""
