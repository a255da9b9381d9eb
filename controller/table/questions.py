"""The questions that a table can ask."""

from dataclasses import dataclass, field
from typing import Any, Final

from controller.games.seam import Cell

COLOUR: Final = "colour"
SWAP: Final = "swap"
GROUP: Final = "group"
PASS: Final = "pass"  # noqa: S105 - a turn without a move, no secret
TAKEBACK: Final = "takeback"
NEW_ROUND: Final = "new-round"


@dataclass(frozen=True, slots=True)
class Question:
    """Something that only a person can answer.

    Fields:
        about: one of the words above.
        options: what a press or touch may give: buttons, cells by name.
        cells: the cells that light up.
        moves: the moves among which the answer chooses.
        plies: for a takeback, how many plies it takes.
    """

    about: str
    options: tuple[str, ...]
    cells: tuple[Cell, ...] = ()
    moves: tuple[Any, ...] = field(default=())
    plies: int = 0
