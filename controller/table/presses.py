"""What each button, and a touch in a page, does at a table."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from controller.games.seam import Cell, Content
from controller.recogniser.answers import Unfinished
from controller.table import questions
from controller.table.declaring import COLOURS, RefusedError
from controller.table.questions import Question
from controller.turns.phases import Phase
from hardware.ports import Millis, Sensing

if TYPE_CHECKING:
    from controller.table.core import Table

CONFIRMED: Final = frozenset({questions.PASS, questions.ENDLESS, questions.SAME})
"""Questions that `ok` answers with the move that they are about."""


ASIDE: Final = frozenset({questions.NEW_ROUND, questions.RESIGN, questions.SHUTDOWN})
"""Questions that buttons ask for, whatever is going on: declined, all is as it was."""


def press(table: "Table", button: str, now: Millis) -> None:
    """Take a button; one that means nothing now changes nothing."""
    if button in COLOURS:
        _declare(table, button, now)
    elif button in _BUTTONS:
        _BUTTONS[button](table, now)
    elif button.isdecimal():
        _seat(table, int(button), now)


def touch(table: "Table", cell: Cell, now: Millis) -> None:
    """Take a cell that was pointed at: as an answer to a question about moves, or to be heard again if it was not."""
    question = table.question
    if question is None and cell in table.picture.masked:
        table.unmask((cell,), now)
    if question is None or question.about not in _CHOICES:
        return
    chosen_by = _CHOICES[question.about]
    fitting = tuple(move for move in question.moves if chosen_by(table, move, cell))
    if len(fitting) == 1 and question.about == questions.ORDER:
        # Which of the two was first is known now; what lies there may still have to be named.
        table.picture.first = frozenset(table.prospect.footprint(fitting[0]).after)
        table.judge_again(now)
    elif len(fitting) == 1:
        table.accept(fitting[0], now)
    elif fitting:
        # The next touch tells among these.
        table.question = replace(question, moves=fitting)


_CHOICES: Final[Mapping[str, Callable[["Table", Any, Cell], bool]]] = {
    questions.SWAP: lambda table, move, cell: cell in table.prospect.footprint(move).lifts,
    questions.GROUP: lambda table, move, cell: cell not in table.prospect.footprint(move).aftermath,
    questions.ORDER: lambda table, move, cell: cell in table.prospect.footprint(move).after,
}
"""Whether a touched cell may mean a move, by question."""


def _declare(table: "Table", button: str, now: Millis) -> None:
    stone = _stone(table, button)
    if stone is None or table.phase in {Phase.SETUP, Phase.OVER, Phase.GUIDING}:
        return
    question = table.question
    if question is not None and question.about == questions.COLOUR and button in question.options:
        # Of two plies at once the other may have used the same colour.
        table.declarations.answer(question.cells[0], stone)
        table.judge_again(now)
        return
    left = table.rules.supply(table.position).get(COLOURS[button], 0)
    try:
        table.declarations.declare(stone, button, left, table.picture.seen.filled)
    except RefusedError as refused:
        table.refuse(str(refused), now)
        return
    table.judge_again(now)


def _stone(table: "Table", button: str) -> Content | None:
    """Return the stone that a colour button declares at this table; None where colours are not declared."""
    letter = COLOURS[button]
    if table.sensing is not Sensing.PRESENCE or letter not in table.rules.supply(table.position):
        return None
    return table.rules.stones.index(letter)


def _ok(table: "Table", now: Millis) -> None:
    question = table.question
    if question is None:
        if table.phase is Phase.WAITING and table.prospect.passes:
            table.accept(table.prospect.moves[0], now)
        elif (plies := _undone(table)) > 0:
            table.take_back(plies, now)
        else:
            table.insist(now)
    elif question.about in CONFIRMED:
        table.accept(question.moves[0], now)
    elif question.about == questions.TAKEBACK:
        table.take_back(question.plies, now)
    elif question.about == questions.NEW_ROUND:
        table.renew(now)
    elif question.about == questions.RESIGN:
        table.resign(table.rules.to_move(table.position), now)
    elif question.about == questions.SHUTDOWN:
        table.leaving = True
    elif question.about == questions.ORIENTATION:
        table.oriented(now)
    elif question.about == questions.CELL:
        table.mask(question.cells, now)
    elif question.plies:
        table.withdraw(question.plies, now)
        table.accept(question.moves[0], now)


def _undone(table: "Table") -> int:
    """Return how many plies lead back to what the board shows, where that is on the way to a move as well."""
    on_the_way = table.phase is Phase.HANDLING and isinstance(table.answer, Unfinished)
    return table.picture.earlier() if on_the_way else 0


def _back(table: "Table", now: Millis) -> None:
    question = table.question
    naming = question is not None and question.about == questions.COLOUR and not question.plies
    if table.unoriented:
        table.refuse("the board lies turned: say so with 'turned' under [cells] of its profile, and start again", now)
    elif question is not None and not naming:
        table.cancel(now)
    elif table.declarations.undo():
        table.judge_again(now)
    elif naming:
        return  # nothing has been declared, and the stones themselves still have to be named or taken off
    elif table.round.resigned is not None:
        table.play_on(now)
    elif table.round.plies:
        table.take_back(1, now)
    else:
        table.refuse("there is no move to take back", now)


def _new(table: "Table", now: Millis) -> None:
    """Ask for a new round; asked already, ask if a player gives this one up instead."""
    if table.phase is Phase.SETUP or table.unoriented:
        return
    asked = table.question
    about = "" if asked is None else asked.about
    over = asked.over if asked is not None and about in ASIDE else asked
    if about == questions.NEW_ROUND and table.resignable:
        table.ask(Question(questions.RESIGN, ("ok", "back", "1", "2"), over=over), now)
    else:
        table.ask(Question(questions.NEW_ROUND, ("ok", "back"), over=over), now)


def _off(table: "Table", now: Millis) -> None:
    """Both `new` and `back` were held: ask before anything is switched off."""
    if not table.unoriented:
        asked = table.question
        over = asked.over if asked is not None and asked.about in ASIDE else asked
        table.ask(Question(questions.SHUTDOWN, ("ok", "back"), over=over), now)


def _hint(table: "Table", now: Millis) -> None:
    table.hint(now)


def _seat(table: "Table", seat: int, now: Millis) -> None:
    """A seat pressed while the board is being set up says who begins; asked who resigns, it says who."""
    if table.question is not None and str(seat) in table.question.options:
        table.resign(seat, now)
    elif table.phase is Phase.SETUP and 1 <= seat <= table.rules.players and not table.round.plies:
        table.renew(now, first=seat)


_BUTTONS: Final[Mapping[str, Callable[["Table", Millis], None]]] = {
    "ok": _ok,
    "back": _back,
    "new": _new,
    "hint": _hint,
    "off": _off,
}
