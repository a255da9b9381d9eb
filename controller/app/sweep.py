"""Bringing a simulated board to the start of a round in one go, as an arm sweeps it clear, and back again.

The table is told nothing: it senses the stones that go and come, and asks what is meant by it as on any board.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from controller.games.seam import Cell, Content
from controller.table.round import Round
from simulator.tabletop import Tabletop


@dataclass(frozen=True, slots=True)
class Swept:
    """What lay on a board before it was swept.

    Fields:
        pieces: the stones, each by the cells that it covers, or the seeds of each pit, and its content.
        plies: how many plies of the round stood.
    """

    pieces: tuple[tuple[tuple[Cell, ...], Content], ...]
    plies: int


def sweep(top: Tabletop, played: Round) -> Swept:
    """Take off all that lies there, and lay out what a round begins with: nothing, but in a sowing game."""
    swept = Swept(_lying(top), len(played.plies))
    _replace(top, [((cell,), content) for cell, content in enumerate(_start(played)) if content])
    return swept


def put_back(top: Tabletop, swept: Swept) -> None:
    """Bring the board to what it was before it was swept."""
    _replace(top, swept.pieces)


def action(top: Tabletop, played: Round, swept: Swept | None) -> str:
    """Return what the action is called that can be taken now; empty where there is none.

    Args:
        top: the board.
        played: the round that is being played.
        swept: what it was like before it was swept last; None if it has not been.
    """
    start = _start(played)
    if top.contents != start:
        return "Lay out the start" if any(start) else "Take all off"
    return "Put all back" if can_put_back(top, played, swept) else ""


def can_put_back(top: Tabletop, played: Round, swept: Swept | None) -> bool:
    """Return whether the board lies as it was swept, and no new round has begun that this would disturb."""
    return (
        swept is not None and swept.plies == len(played.plies) and bool(swept.pieces) and top.contents == _start(played)
    )


def _start(played: Round) -> list[Content]:
    rules = played.rules
    return list(rules.contents(rules.initial()))


def _lying(top: Tabletop) -> tuple[tuple[tuple[Cell, ...], Content], ...]:
    found = {top.piece(cell): content for cell, content in enumerate(top.contents) if content}
    return tuple(found.items())


def _replace(top: Tabletop, pieces: Sequence[tuple[tuple[Cell, ...], Content]]) -> None:
    """Take off what is there and is not to stay, and put down what is missing."""
    wanted = dict(pieces)
    for piece, content in _lying(top):
        while top.contents[piece[0]] and wanted.get(piece) != content and top.piece(piece[0]) == piece:
            top.take(piece)
    for piece, content in pieces:
        if top.contents[piece[0]] != content or top.piece(piece[0]) != piece:
            top.put(piece, content)
