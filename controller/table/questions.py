"""The questions that a table can ask."""

from dataclasses import dataclass, field
from typing import Any, Final

from controller.games.seam import AnyRules, Cell
from controller.recogniser.answers import Ambiguous, Doubt
from controller.recogniser.prospect import Prospect
from controller.table.declaring import COLOURS
from controller.table.picture import Picture

COLOUR: Final = "colour"
SWAP: Final = "swap"
GROUP: Final = "group"
PASS: Final = "pass"  # noqa: S105 - a turn without a move, no secret
ENDLESS: Final = "endless"
SAME: Final = "same"
ORDER: Final = "order"
CELL: Final = "cell"
ORIENTATION: Final = "orientation"
SHUTDOWN: Final = "shutdown"
TAKEBACK: Final = "takeback"
NEW_ROUND: Final = "new-round"
RESIGN: Final = "resign"


@dataclass(frozen=True, slots=True)
class Question:
    """Something that only a person can answer.

    Fields:
        about: one of the words above.
        options: what a press or touch may give: buttons, cells by name.
        cells: the cells that light up.
        moves: the moves among which the answer chooses.
        plies: for a takeback, how many plies it takes; for a correction, how many the move replaces.
        over: the question that was open when this one was asked for by a button; it is asked again if this one is not
            answered.
    """

    about: str
    options: tuple[str, ...]
    cells: tuple[Cell, ...] = ()
    moves: tuple[Any, ...] = field(default=())
    plies: int = 0
    over: "Question | None" = None


def question_about(answer: Ambiguous, rules: AnyRules, prospect: Prospect) -> Question:
    """Return the question that an ambiguous picture asks."""
    if answer.about is Doubt.COLOUR:
        asked = answer.cells[0]
        letters = {rules.stones[prospect.footprint(move).after[asked]] for move in answer.moves}
        options = tuple(button for button, letter in COLOURS.items() if letter in letters)
    elif answer.about in {Doubt.SWAP, Doubt.GROUP, Doubt.ORDER}:
        options = tuple(rules.cells[cell].name for cell in answer.cells)
    else:
        options = ("ok",)
    return Question(answer.about.value, (*options, "back"), answer.cells, answer.moves)


def correction(picture: Picture, move: Any) -> Question:
    """Return the question whether the last ply was `move`, since the colour of its stone now looks another."""
    return Question(COLOUR, ("ok", "back"), tuple(sorted(picture.seen.different)), (move,), plies=1)
