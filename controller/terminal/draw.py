"""The whole picture: a state and a size into lines of text. Pure; the same state gives the same picture."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from controller.lighting.language import LANGUAGE
from controller.terminal.ansi import (
    BOLD,
    FAINT,
    PLAIN,
    Line,
    Span,
    Style,
    against,
    clipped,
    encoded,
    harmless,
    length,
    padded,
    wrapped,
)
from controller.terminal.boards import FORMS, STONES, Board, Spot, board, rank_of, spots
from controller.terminal.lights import BEHAVES, MARKS, rgb

BESIDE: Final = 22
"""Columns that players, supply and moves need beside the board at least; with fewer they go below it."""
BELOW: Final = 3
"""Rows that they need below it."""
GAP: Final = 2
"""Columns between the board and what stands beside it."""
ROUND_IT: Final = 5
"""Rows that are there besides the board: title, legend, two of words, and what was said last."""
REPLY: Final = 2
"""Rows that what was said last may take."""
TIGHT: Final = 12
"""On fewer rows than these the board comes first: one row of words, and players and moves only where room is left."""


class Layout(NamedTuple):
    """How the board stands on the screen.

    Fields:
        board: as drawn.
        beside: whether there is room for players and moves beside it.
        rows: how many rows the board gets; fewer than it has where it must be cut.
    """

    board: Board
    beside: bool
    rows: int


def draw(state: Mapping[str, Any], size: tuple[int, int], *, colour: bool, now: int) -> list[str]:
    """Return a picture of a state: at most as many lines, and none longer, than there is room for.

    Args:
        state: as `controller.table.view.view` gives it, with further keys if known: ``simulated``, ``hand`` (what was
            lifted and not put down yet, as text), ``reply`` (what was last said to the person), ``page`` (a text that
            is being read: ``title``, ``lines``, ``top``), and what `controller.terminal.boards.spots` names.
        size: columns and rows.
        colour: whether the lines may hold colours; without them they are plain text, and lights are marks.
        now: the time, in milliseconds.
    """
    columns, rows = size
    lines = _page(state["page"], columns, rows) if state.get("page") else _table(state, columns, rows, now)
    return [encoded(clipped(line, columns), colour=colour) for line in lines[: max(rows, 0)]]


def page_rows(rows: int) -> int:
    """Return how many lines of a text can be read at once on so many rows."""
    return max(1, rows - 2)


def board_lines(state: Mapping[str, Any], columns: int, *, colour: bool, now: int) -> list[str]:
    """Return only the board, all of it, in the roomiest form that is not too wide, with a legend of its lights."""
    cells = spots(state, now)
    surface = state["game"]["surface"]
    drawn = [board(cells, surface, form) for form in FORMS[surface]]
    best = next((one for one in drawn if one.columns <= columns), drawn[-1])
    lines = [*([best.head] if best.head else []), *(line for rank in best.ranks for line in rank), *best.foot]
    shown = [*lines, *(row for row in _legend(cells, columns) if row)]
    return [encoded(clipped(line, columns), colour=colour).rstrip() for line in shown]


# A text to read -------------------------------------------------------------------------------------------------------


def _page(page: Mapping[str, Any], columns: int, rows: int) -> list[Line]:
    lines, top, room = page["lines"], page["top"], page_rows(rows)
    more = top + room < len(lines)
    shown: list[Line] = [(Span(harmless(page["title"]), BOLD),)]
    shown += [(Span(harmless(line)),) for line in lines[top : top + room]]
    shown += [()] * (rows - 1 - len(shown))
    last = "Enter: go on reading; anything else: back to the board" if more else "Enter: back to the board"
    return [*shown, (Span(last[:columns], FAINT),)]


# The table ------------------------------------------------------------------------------------------------------------


def _table(state: Mapping[str, Any], columns: int, rows: int, now: int) -> list[Line]:
    cells = spots(state, now)
    surface = state["game"]["surface"]
    layout = _layout(cells, surface, columns, rows)
    shown, part = _cut(layout, cells, surface)
    lines = [_title(state, part, columns)]
    if layout.beside:
        room = columns - layout.board.columns - GAP
        notes = _beside(state, room, len(shown))
        lines += [
            (*padded(line, layout.board.columns), Span(" " * GAP), *note)
            for line, note in zip(shown, notes, strict=True)
        ]
    else:
        lines += shown
        lines += _below(state, columns)[: max(0, _room(rows) - len(shown))]
    legend = _legend(cells, columns)
    lines += legend[: max(1, min(len(legend), rows - len(lines) - 3))]
    reply = _reply(state, columns, max(1, min(REPLY, rows - REPLY)))
    above = max(0, rows - len(reply))
    lines += _words(state, columns, max(0, above - len(lines)))
    lines += [()] * (above - len(lines))
    return [*lines[:above], *reply]


def _layout(cells: Sequence[Spot], surface: str, columns: int, rows: int) -> Layout:
    """Return the roomiest layout that shows the whole board; else one that shows its full width; else any part."""
    drawn = [board(cells, surface, form) for form in FORMS[surface]]
    room = _room(rows)
    below = BELOW if rows >= TIGHT else 0
    choices = [
        Layout(one, beside, min(one.rows, room if beside else max(1, room - below)))
        for one in drawn
        for beside in (True, False)
    ]
    fits = [one for one in choices if one.board.columns + (GAP + BESIDE if one.beside else 0) <= columns]
    whole = [one for one in fits if one.rows == one.board.rows]
    if whole or fits:
        return (whole or fits)[0]
    return choices[-1]


def _room(rows: int) -> int:
    """Return how many rows the board may take, with what goes below it."""
    return max(1, rows - ROUND_IT + (rows < TIGHT))


def _cut(layout: Layout, cells: Sequence[Spot], surface: str) -> tuple[list[Line], str]:
    """Return the rows of the board that are shown, and which part of it they are (empty: all of it)."""
    one = layout.board
    head = [one.head] if one.head else []
    if layout.rows >= one.rows:
        return [*head, *(line for rank in one.ranks for line in rank), *one.foot], ""
    tall = len(one.ranks[0])
    count = max(1, (layout.rows - len(head)) // tall)
    # What is lit is what asks for something; else where the stones are; else the middle.
    marked = one.lit if any(one.lit) else one.held if any(one.held) else (True,) * len(one.ranks)
    noted = [number for number, here in enumerate(marked) if here]
    first = max(0, min((noted[0] + noted[-1] + 1 - count) // 2, len(one.ranks) - count))
    names = [rank_of(spot.name, surface) for spot in sorted(cells, key=lambda spot: (-spot.y, spot.x))]
    ranks = list(dict.fromkeys(names))
    part = f"ranks {ranks[first + count - 1]} to {ranks[first]} of {len(ranks)}"
    return [*head, *(line for rank in one.ranks[first : first + count] for line in rank)][: layout.rows], part


def _title(state: Mapping[str, Any], part: str, columns: int) -> Line:
    game = state["game"]
    kind = "" if "simulated" not in state else "simulated board" if state["simulated"] else "real board"
    facts = [fact for fact in (part, kind, f"senses {state['sensing']}") if fact]
    left: Line = (Span(harmless(game.get("title", game["name"])), BOLD), Span(f"  {', '.join(facts)}", FAINT))
    right = Span(state["phase"], BOLD)
    space = columns - length(left) - len(right.text)
    return (*left, Span(" " * space), right) if space > 0 else left


def _legend(cells: Sequence[Spot], columns: int) -> list[Line]:
    """Return the marks on the board and what they mean, the most urgent first, in as many rows as that takes."""
    rows: list[list[Span]] = [[]]
    there = {spot.means for spot in cells}
    for means in sorted((one for one in LANGUAGE if one in there), key=lambda means: -LANGUAGE[means].layer):
        look = LANGUAGE[means]
        entry = [
            Span(MARKS[means], Style(against(look.colour), look.colour, bold=True)),
            Span(f" {means.value} ({BEHAVES[look.pattern]})  ", FAINT),
        ]
        if rows[-1] and length((*rows[-1], *entry)) - 2 > columns:
            rows.append([])
        rows[-1] += entry
    return [tuple(row) for row in rows]


def _words(state: Mapping[str, Any], columns: int, room: int) -> list[Line]:
    """Return what the board says, in at most so many rows, with how a move is made where there is room for it."""
    lines = _fitting(state["words"], columns, room, BOLD)
    detail: list[Line] = [(Span(line, FAINT),) for line in wrapped(harmless(state.get("detail") or ""), columns)]
    if len(lines) + len(detail) <= room:
        lines += detail
    return lines[:room]


def _reply(state: Mapping[str, Any], columns: int, room: int) -> list[Line]:
    """Return what was last said to the person in at most so many rows, or how to answer; one row at least."""
    question = state["question"]
    if state.get("reply"):
        return _fitting(state["reply"], columns, room, PLAIN)
    if question and question["options"]:
        return [(Span("Answer: " + ", ".join(map(str, question["options"])), FAINT),)]
    return [()]


def _fitting(text: str, columns: int, room: int, style: Style) -> list[Line]:
    """Return a text in at most so many rows; three dots tell where it had to be cut."""
    rows = wrapped(harmless(text), columns)
    if len(rows) > room > 0:
        rows = [*rows[: room - 1], f"{rows[room - 1][: max(0, columns - 3)]}..."]
    return [(Span(row, style),) for row in rows[:room]]


# Players, supply, moves -----------------------------------------------------------------------------------------------


def _players(state: Mapping[str, Any], *, named: bool = True) -> list[Line]:
    lines: list[Line] = []
    left = owned(state)
    for player in state["players"]:
        colour, number = rgb(player["colour"]), str(player["number"])
        style = BOLD if player["turn"] else PLAIN
        lines.append(
            (
                Span("> " if player["turn"] else "  ", BOLD),
                Span(f" {number} ", Style(against(colour), colour)),
                Span(f" {harmless(player['name'])}: {player['score']}" if named else f" {player['score']} ", style),
                Span(f", {left[number]} left" if named and number in left else "", FAINT),
            )
        )
    return lines


def owned(state: Mapping[str, Any]) -> dict[str, int]:
    """Return what each player has left to bring in, by number; empty where all share one supply."""
    numbers = {str(player["number"]) for player in state["players"]}
    return {entry["stone"]: entry["count"] for entry in state["supply"] if entry["stone"] in numbers}


def _counted(state: Mapping[str, Any]) -> list[Span]:
    """Return the supply that all share, stone by stone."""
    spans: list[Span] = []
    for entry in state["supply"]:
        if entry["stone"] in owned(state):
            continue
        colour = STONES.get(entry["stone"])
        spans += [
            Span("  " if spans else ""),
            Span(entry["stone"], Style(against(colour), colour) if colour else BOLD),
            Span(f" {entry['count']}"),
        ]
    return [Span("Left: ", FAINT), *spans] if spans else []


def _hand(state: Mapping[str, Any]) -> Line:
    return (Span("In the hand: ", FAINT), Span(harmless(state["hand"]), BOLD)) if state.get("hand") else ()


def _move(move: Mapping[str, Any]) -> str:
    return f"{move['ply']:>3}. {harmless(move['move'])}"


def _beside(state: Mapping[str, Any], columns: int, rows: int) -> list[Line]:
    """Return exactly so many rows: players, supply, hand, and as many of the last moves as there is room for."""
    players = _players(state)
    most = max(1, rows - 6)
    if len(players) > most:
        turn = next((number for number, player in enumerate(state["players"]) if player["turn"]), 0)
        start = max(0, min(turn - most // 2, len(players) - most))
        players = players[start : start + most]
    lines: list[Line] = [*players]
    supply = _counted(state)
    if supply:
        lines += [(), tuple(supply)]
    lines.append(_hand(state))
    room = rows - len(lines) - 1
    if state["moves"] and room > 0:
        lines.append((Span("Last moves", FAINT),))
        lines += [
            (Span(f"{_move(move)}", FAINT), Span(f"  {move['player']}", FAINT)) for move in state["moves"][-room:]
        ]
    return [clipped(line, columns) for line in [*lines, *[()] * rows][:rows]]


def _below(state: Mapping[str, Any], columns: int) -> list[Line]:
    """Return three rows: players; supply and hand; moves."""
    players = [span for player in _players(state) for span in (*player, Span("  "))]
    if length(players) > columns:  # numbers and scores alone
        players = [span for player in _players(state, named=False) for span in player]
    hand = _hand(state)
    moves = ""
    for move in reversed(state["moves"]):
        longer = f"{_move(move)} {moves}".rstrip()
        if len(longer) > columns:
            break
        moves = longer
    counted = _counted(state)
    stock = (*counted, Span("   "), *hand) if counted else hand
    return [line for line in (tuple(players), stock, (Span(moves, FAINT),)) if length(line)]
