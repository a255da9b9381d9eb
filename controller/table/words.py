"""What the board says in words: a sentence for each state of a table, for the page, the terminal and the log. Pure."""

from collections.abc import Iterable, Sequence
from typing import Final

from controller.games.seam import Explainer
from controller.recogniser.answers import Mismatch, Unfinished
from controller.table import questions
from controller.table.advice import Advice, Step, advise
from controller.table.core import Table
from controller.table.declaring import COLOURS
from controller.turns.phases import Phase
from hardware.ports import UNKNOWN, Sensing

FEW_MOVES: Final = 3
"""Legal moves, and cells of them, up to which the turn is told by its cells."""
MOST_NAMED: Final = 4
"""Cells that a sentence names; where there are more, the lights tell."""


def words(table: Table) -> str:
    """Return what the board is waiting for, or what is wrong and what to do about it."""
    said = _PHRASES[table.phase](table)
    return f"{table.refusal[:1].upper()}{table.refusal[1:]}. {said}" if table.refusal else said


def listed(names: Iterable[str], last: str = "and") -> str:
    """Return ``a1``, ``a1 and b1``, ``a1, b1 and c1``."""
    *first, end = names
    return f"{', '.join(first)} {last} {end}" if first else end


def player(table: Table) -> str:
    """Return how the player on turn is called."""
    return f"Player {table.rules.to_move(table.position)}"


def _names(table: Table, cells: Iterable[int]) -> list[str]:
    return [table.rules.cells[cell].name for cell in cells]


def _setup(table: Table) -> str:
    return "Set up the board: " + _put_right(table)


def _put_right(table: Table) -> str:
    """Return the next step that puts the board right, and how many come after it."""
    if table.watch is not None and table.picture.unsure():
        cells = listed(_names(table, sorted(table.watch.different)[:MOST_NAMED]))
        return f"I cannot tell what lies on {cells}: lift one of these for a moment"
    steps = advise(table.picture) if table.watch is not None else ()
    if not steps:
        return "nothing is left to do"
    more = len(steps) - 1
    rest = f" ({more} more {'step' if more == 1 else 'steps'} after that)" if more else ""
    return _step(table, steps[0]) + rest


def _step(table: Table, advice: Advice) -> str:
    source, target = _spot(table, advice.take), _spot(table, advice.put)
    what = _stone(table, advice.content)
    return {
        Step.CARRY: f"move the {what} from {source} to {target}",
        Step.CHANGE: f"take the wrong one off {target} and put the {what} there",
        Step.TAKE: f"take off what lies on {source}",
        Step.PUT: f"put the {what} on {target}",
    }[advice.step]


def _spot(table: Table, cells: Sequence[int]) -> str:
    return listed(_names(table, cells)) if cells else ""


_COLOUR_NAMES = {"R": "red", "B": "blue", "Y": "yellow", "G": "green", "P": "purple", "O": "orange"}


def _stone(table: Table, content: int) -> str:
    """Return how a stone is called, or so many seeds."""
    stones = table.rules.stones
    if not stones:
        return "seed" if content == 1 else f"{content} seeds"
    letter = stones[content]
    return f"{_COLOUR_NAMES[letter]} stone" if letter in _COLOUR_NAMES else f"stone of player {letter}"


def _waiting(table: Table) -> str:
    if table.prospect.passes:
        return f"{player(table)}: there is no move; press ok to pass"
    only = _only_cells(table)
    return f"{player(table)}: your turn, on {only}" if only else f"{player(table)}: your turn"


def _only_cells(table: Table) -> str:
    """Return the cells of the turn where all legal moves are on so few that they can be named; else nothing."""
    if len(table.prospect.moves) > FEW_MOVES:
        return ""
    targets = table.prospect.targets()
    return listed(_names(table, targets), "or") if 0 < len(targets) <= FEW_MOVES else ""


def _handling(table: Table) -> str:
    answer = table.answer
    if table.watch is None:
        return ""
    if isinstance(answer, Mismatch) and table.picture.unsure():
        said = _put_right(table)
        return f"{said[:1].upper()}{said[1:]}"
    if isinstance(answer, Mismatch):
        only = _only_cells(table)
        said = _no_move(table)
        where = f" This turn goes to {only}." if only and only not in said else ""
        return f"{player(table)}: {said}.{where} To go on, {_put_right(table)}"
    if isinstance(answer, Unfinished) and answer.last is not None:
        return f"{player(table)}: {_sowing(table, answer)}"
    if isinstance(answer, Unfinished) and answer.next:
        following = sorted(answer.next - set(table.watch.different))
        if len(following) > MOST_NAMED:
            return f"{player(table)}: go on with a lit cell, or put it back"
        if following:
            return f"{player(table)}: go on with {listed(_names(table, following), 'or')}, or put it back"
        return f"{player(table)}: put the stones down"
    return f"{player(table)}: one moment"


def _no_move(table: Table) -> str:
    why = _why_not(table)
    return f"that is no move: {why}" if why else "that is no move"


def _why_not(table: Table) -> str:
    """Return why the rules take what was done for no move; empty where they cannot tell."""
    if table.watch is None or not isinstance(table.rules, Explainer):
        return ""
    blind = table.sensing is Sensing.PRESENCE
    seen = {
        cell: None if reading == UNKNOWN or (blind and reading) else reading
        for cell, reading in table.watch.different.items()
    }
    return table.rules.why_not(table.position, seen)


def _sowing(table: Table, answer: Unfinished) -> str:
    taken, last = _names(table, (answer.taken or 0, answer.last or 0))
    up = f", then take up all of {last}" if answer.lap < answer.laps else ""
    return f"sow {taken} as far as {last}{up} (lap {answer.lap} of {answer.laps})"


def _asking(table: Table) -> str:
    question = table.question
    if question is None:
        return ""
    cells = _names(table, question.cells)
    pits = listed(cells) if cells else ""
    if question.about == questions.COLOUR and not question.plies:
        choices = listed((option for option in question.options if option != "back"), "or")
        return f"{player(table)}: which colour is the stone on {cells[0]}? Press {choices}"
    if question.about == questions.COLOUR:
        return f"The stone on {cells[0]} looks another colour now. Press ok to correct the last move, back to leave it"
    return {
        questions.ORIENTATION: f"Is the lit cell {pits}, near player 1 on the left? Press ok if so, back if not",
        questions.SHUTDOWN: "Switch the board off? Press ok to shut down, back to play on",
        questions.ORDER: "Two moves at once: which was the first? Touch one of its cells on the page, or put one back",
        questions.CELL: f"{_perhaps(table)}I cannot read {pits}: press ok to play on without, back to try again",
        questions.ENDLESS: f"{player(table)}: sowing {pits} would never end. Press ok to draw the round, "
        "or put the seeds back",
        questions.SAME: f"{player(table)}: was {pits} sown, or put back? Press ok for sown, back for put back",
        questions.PASS: f"{player(table)}: there is no move; press ok to pass",
        questions.NEW_ROUND: "Begin a new round? Press ok for a new round, back to go on"
        + (", new to give this one up" if table.resignable else ""),
        questions.RESIGN: f"Does {player(table)} give this round up? Press ok to resign, the number of the player who "
        "does if it is another, back to go on",
        questions.TAKEBACK: f"Take back {_plies(question.plies)}? Press ok to take back, back to go on",
        questions.SWAP: f"{player(table)}: which stones changed places? Touch one on the page, or press back for none",
        questions.GROUP: f"{player(table)}: which group stays? Take the other off, or touch the one that stays",
    }[question.about]


def _perhaps(table: Table) -> str:
    """Return what hands may do in place of blaming a sensor, where there is anything."""
    if table.watch is None or not table.picture.compared().cells:
        return ""
    said = _put_right(table)
    return f"{said[:1].upper()}{said[1:]}. If that is done, "


def _plies(plies: int) -> str:
    return "the last move" if plies == 1 else f"the last {plies} moves"


def _guiding(table: Table) -> str:
    return "Now " + _put_right(table)


def _mending(table: Table) -> str:
    if table.question is not None and table.question.about == questions.NEW_ROUND:
        return (
            f"Begin a new round? Press ok for a new round; to go on with this one, press back, or {_put_right(table)}"
        )
    return "Put the board right: " + _put_right(table)


def _offline(table: Table) -> str:
    why = table.link_trouble
    return f"{why[:1].upper()}{why[1:]}"


def _over(table: Table) -> str:
    outcome = table.round.outcome
    if outcome is None:
        return ""
    again = "Press new for another round"
    reason = _REASONS.get(outcome.reason, outcome.reason)
    if outcome.winner is None:
        return f"The round is drawn ({reason}). {again}"
    if table.round.resigned is not None:
        return f"Player {table.round.resigned} resigns: player {outcome.winner} wins. {again}"
    return f"Player {outcome.winner} wins ({reason}). {again}"


_REASONS = {"ply-limit": "the limit of moves is reached"}
"""Reasons that only records know."""

_PHRASES = {
    Phase.SETUP: _setup,
    Phase.WAITING: _waiting,
    Phase.HANDLING: _handling,
    Phase.ASKING: _asking,
    Phase.GUIDING: _guiding,
    Phase.MENDING: _mending,
    Phase.OFFLINE: _offline,
    Phase.OVER: _over,
}


def detail(table: Table) -> str:
    """Return a few sentences beside `words`: how to move, what the lights mean, how it goes on; may be empty."""
    why = _why_not(table) if table.strayed else ""
    reason = f"That was no move: {why}." if why else ""
    return " ".join(filter(None, (reason, _more(table), _without(table))))


def _without(table: Table) -> str:
    """Return which cells are played without, and what that means where every move needs one; empty for none."""
    masked = table.picture.masked
    if not masked or table.phase is Phase.OVER:
        return ""
    cells = listed(_names(table, sorted(masked)))
    one = table.phase is not Phase.WAITING or any(masked.isdisjoint(mark.after) for mark in table.prospect.footprints)
    end = "" if one else " Every move needs one of these: mend the sensor, or press new."
    them = "it" if len(masked) == 1 else "them"
    return f"Played without {cells}: touch {them} on the page or with the word touch, to try {them} again.{end}"


def _more(table: Table) -> str:
    if table.watch is None or (table.phase is Phase.HANDLING and isinstance(table.answer, Mismatch)):
        return _MENDING_PITS if table.rules.surface == "pit" else _MENDING
    if isinstance(table.answer, Unfinished) and table.answer.last is not None and table.phase is Phase.HANDLING:
        return f"One seed goes into each lit pit, the last into the one that flashes twice. {_UNSEEN}"
    if isinstance(table.answer, Unfinished) and table.phase is Phase.HANDLING and _only_lifted(table):
        return f"{how_to(table)} If nothing was lifted there, press ok.".strip()
    if table.phase is Phase.MENDING and table.question is not None:
        return _RED_AND_ORANGE  # ok begins a new round now
    if table.phase is Phase.MENDING and table.rules.surface == "pit":
        return _MENDING_PITS
    if table.phase is Phase.ASKING and (table.question is None or not table.question.cells):
        return ""
    return _DETAILS[table.phase] if table.phase in _DETAILS else how_to(table)


def _only_lifted(table: Table) -> bool:
    """Return whether all that has happened is that something seems to have been lifted."""
    return table.watch is not None and not any(table.watch.different.values())


_UNSEEN = "If that is done and the board does not see it, press ok."
_RED_AND_ORANGE = "A red flash means: take it off. Orange means: something belongs here."
_MENDING = f"{_RED_AND_ORANGE} {_UNSEEN}"
_MENDING_PITS = (
    f"{_MENDING} If the seeds were miscounted, press hint: the lights walk the pits, to be counted one by one."
)
_DETAILS = {
    Phase.SETUP: _MENDING,
    Phase.GUIDING: f"The move counts. What flashes comes off the board. {_UNSEEN}",
    Phase.MENDING: _MENDING,
    Phase.ASKING: "What the question is about is lit.",
    Phase.OFFLINE: "Nothing is lost: the round waits for the board.",
    Phase.OVER: "",
}
"""What is said in each phase besides; in the others, how the player on turn moves."""


def how_to(table: Table) -> str:
    """Return one sentence on how the player on turn moves at this table."""
    supply = table.rules.supply(table.position)
    shared = supply.keys() & set(COLOURS.values())
    blind = table.sensing is Sensing.PRESENCE and shared
    in_hand = supply.get(str(table.rules.to_move(table.position)), 0)
    if not any(table.rules.contents(table.position)) and table.rules.name in HOW_TO_BEGIN:
        return HOW_TO_BEGIN[table.rules.name]
    sentence = (HOW_TO if in_hand else HOW_TO_GO_ON).get(table.rules.name) or HOW_TO.get(table.rules.name, "")
    if "RANKS" in sentence:
        sentence = sentence.replace("RANKS", _RANKS[table.rules.to_move(table.position) - 1])
    return f"{sentence} {_BLIND}" if sentence and blind else sentence


HOW_TO = {
    "bao-kigogo": "Empty one of your pits, in RANKS, and sow its seeds as the lights lead you, lap by lap.",
    "exago": "Put one of your pieces beside the others.",
    "bambam-booboo": "Slide one of your stones in until it touches another.",
    "bamogo": "Put two stones of different colours on neighbouring cells, or lift two neighbours and swap them.",
}
_RANKS = ("rank c or d", "rank a or b")
"""Whose pits are whose in Bao Kigogo (docs/rules/bao-kigogo.md 1.1), player 1 first."""
HOW_TO_BEGIN = {
    "exago": "The first piece goes into the middle of the board.",
    "bambam-booboo": "Slide the first stone in: it may come to rest anywhere.",
}
"""The same for the first ply of a round, where it differs."""
HOW_TO_GO_ON = {
    "exago": "Your hand is empty: move one of your pieces to another place beside the others.",
    "bambam-booboo": "Your hand is empty: slide one of your stones to another place where it touches one.",
}
"""The same for a player whose hand is empty."""
_BLIND = "This board cannot see colours: press the colour of each stone that you put down."
