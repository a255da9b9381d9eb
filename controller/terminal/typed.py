"""What a person types, read strictly: a line in, what it asks for out, or one sentence that says why not. Pure.

The hand steps are those of scripts (docs/rehearsals.md); besides them a line may be a move of the game, a button by its
bare word, or a command.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from controller.games.seam import AnyRules, Cell, Content, NotationError
from controller.table.view import BUTTONS
from controller.terminal.ways import SIDES

SEATS: Final = tuple(str(seat) for seat in range(1, 7))
"""The seat buttons."""
SLIDE_MS: Final = 60
"""How long a slide takes from one cell to the next unless told otherwise."""
MOST_SEEDS: Final = 999
"""Seeds that one step puts down at most; no game has as many."""


class TypedError(ValueError):
    """A line that asks for nothing that can be done here; the message is one sentence for the person who typed it."""


@dataclass(frozen=True, slots=True)
class Lift:
    """Take the stone on the cells, or all seeds of a pit."""

    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Drop:
    """Put a stone down, or so many seeds; `content` None: the piece last lifted."""

    cells: tuple[Cell, ...]
    content: Content | None


@dataclass(frozen=True, slots=True)
class Slide:
    """Drag a stone from one place to another, `speed` milliseconds a cell."""

    start: tuple[Cell, ...]
    end: tuple[Cell, ...]
    speed: int


@dataclass(frozen=True, slots=True)
class SlideIn:
    """Drag a stone in from off the mat.

    Fields:
        end: where it comes to rest.
        content: the stone; None: the piece last lifted.
        side: where it comes from; None: from where the way is free.
        speed: milliseconds a cell.
    """

    end: tuple[Cell, ...]
    content: Content | None
    side: str | None
    speed: int


@dataclass(frozen=True, slots=True)
class Brush:
    """Lift a stone and put it back."""

    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Press:
    """Press a button."""

    button: str


@dataclass(frozen=True, slots=True)
class Touch:
    """Point at a cell, as the answer to a question."""

    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Play:
    """Let the hands make a whole move; `token` is its text."""

    move: Any
    token: str


@dataclass(frozen=True, slots=True)
class Show:
    """Show a text: ``help`` or ``rules``."""

    what: str


@dataclass(frozen=True, slots=True)
class Quit:
    """End."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """An empty line, or a comment."""


Hands: TypeAlias = Lift | Drop | Slide | SlideIn | Brush | Play
"""What only hands on a simulated board can do."""
Typed: TypeAlias = Hands | Press | Touch | Show | Quit | Nothing

COMMANDS: Final[dict[str, Typed]] = {
    "help": Show("help"),
    "?": Show("help"),
    "rules": Show("rules"),
    "quit": Quit(),
    "exit": Quit(),
}

_REHEARSED: Final = "that is for rehearsals: stonelight rehearse SCRIPT"
ELSEWHERE: Final[dict[str, str]] = {
    "wait": "the time here is real, so the board goes on by itself",
    "expect": "the board shows its phase, its words and its lights",
    "game": "the game is chosen on the command line: stonelight play GAME",
    "board": "the board is chosen on the command line: --board or --sense",
    "bare": "a round begins as the rules say",
    "position": "a round begins as the rules say",
    "start": "a round begins as the rules say, and new asks for another",
    **dict.fromkeys(("seed", "tempo", "faults", "stack", "hover", "bump", "hand", "metal"), _REHEARSED),
    **dict.fromkeys(("unplug", "plug", "reset-mcu", "power-cut", "power-on"), _REHEARSED),
}
"""Steps of a script that cannot be typed, and why."""


def read(line: str, rules: AnyRules, answers: Sequence[str] = ()) -> Typed:
    """Return what a line asks for.

    Args:
        line: as typed; what follows ``#`` is a comment.
        rules: of the game that is played.
        answers: what the open question takes; a cell among them is touched when it is typed alone.

    Raises:
        TypedError: nothing that can be asked for.
    """
    words = line.split("#", 1)[0].split()
    if not words:
        return Nothing()
    verb, *rest = words
    verb = verb.lower()
    if not rest:
        if verb in COMMANDS:
            return COMMANDS[verb]
        if verb in BUTTONS or verb in SEATS:
            return Press(verb)
        if verb in answers:
            return Touch(_spot(verb, rules))
    if verb in _STEPS:
        return _STEPS[verb](rest, rules)
    if verb in ELSEWHERE:
        raise TypedError(f"'{verb}' cannot be typed here: {ELSEWHERE[verb]}.")
    return _move(" ".join(words), rules)


def first_words() -> list[str]:
    """Return the words with which a line can begin, moves aside."""
    return sorted({*COMMANDS, *BUTTONS, *_STEPS} - {"?"})


def _move(text: str, rules: AnyRules) -> Play:
    try:
        move = rules.parse_move(text)
    except NotationError as error:
        raise TypedError(f"{_sentence(str(error))}; help lists what else can be typed.") from error
    return Play(move, rules.move_text(move))


def _lift(words: Sequence[str], rules: AnyRules) -> Lift:
    return Lift(_spot(_only(words, "lift CELL"), rules))


def _brush(words: Sequence[str], rules: AnyRules) -> Brush:
    return Brush(_spot(_only(words, "brush CELL"), rules))


def _touch(words: Sequence[str], rules: AnyRules) -> Touch:
    return Touch(_spot(_only(words, "touch CELL"), rules))


def _drop(words: Sequence[str], rules: AnyRules) -> Drop:
    form = "drop CELL [STONE]" if rules.stones else "drop PIT [x3]"
    if not 1 <= len(words) <= 2:
        raise TypedError(f"Write it as: {form}.")
    cells = _spot(words[0], rules)
    if rules.stones:
        return Drop(cells, _stone(words[1], rules) if len(words) == 2 else None)
    return Drop(cells, _seeds(words[1], form) if len(words) == 2 else 1)


def _slide(words: Sequence[str], rules: AnyRules) -> Slide | SlideIn:
    if not rules.stones:
        raise TypedError("Seeds do not slide: lift them, and drop them one by one.")
    plain = [word for word in words if "=" not in word]
    keys = dict(word.split("=", 1) for word in words if "=" in word)
    speed = _speed(keys.pop("speed", str(SLIDE_MS)))
    if plain[:1] == ["off"]:
        side = keys.pop("from", None)
        if keys or not 2 <= len(plain) <= 3:
            raise TypedError("Write it as: slide off PLACEMENT STONE [from=west] [speed=60].")
        if side is not None and side not in SIDES:
            raise TypedError(f"There is no side '{side}': a stone comes in from {', '.join(SIDES)}.")
        if rules.surface != "mat":
            raise TypedError("Nothing slides in from off this board: drop the stone where it goes.")
        return SlideIn(_spot(plain[1], rules), _stone(plain[2], rules) if len(plain) == 3 else None, side, speed)
    if keys or len(plain) != 2:
        raise TypedError("Write it as: slide FROM TO [speed=60].")
    return Slide(_spot(plain[0], rules), _spot(plain[1], rules), speed)


def _press(words: Sequence[str], _rules: AnyRules) -> Press:
    button = _only(words, "press BUTTON").lower()
    if button not in BUTTONS and button not in SEATS:
        raise TypedError(f"There is no button '{button}'; there are: {', '.join((*BUTTONS, *SEATS))}.")
    return Press(button)


def _play(words: Sequence[str], rules: AnyRules) -> Play:
    if not words:
        raise TypedError("Write it as: play MOVE, or the move alone.")
    return _move(" ".join(words), rules)


def _only(words: Sequence[str], form: str) -> str:
    if len(words) != 1:
        raise TypedError(f"Write it as: {form}.")
    return words[0]


def _spot(name: str, rules: AnyRules) -> tuple[Cell, ...]:
    try:
        return rules.spot(name)
    except NotationError as error:
        raise TypedError(f"{_sentence(str(error))}.") from error


def _stone(word: str, rules: AnyRules) -> Content:
    known = rules.stones[1:]
    if word.upper() not in known:
        raise TypedError(f"'{word}' is no stone of this game; there are: {', '.join(known)}.")
    return rules.stones.index(word.upper())


def _seeds(word: str, form: str) -> int:
    count = word.removeprefix("x")
    if not (word.startswith("x") and count.isascii() and count.isdecimal()) or not 1 <= int(count[:9]) <= MOST_SEEDS:
        raise TypedError(f"'{word}' is no number of seeds: write it as {form}.")
    return int(count)


def _speed(word: str) -> int:
    if not (word.isascii() and word.isdecimal()) or not 2 <= int(word[:9]) <= 60_000:
        raise TypedError(f"'speed={word}' is no speed: it takes 2 to 60000 milliseconds a cell.")
    return int(word)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


_STEPS: Final[dict[str, Callable[[Sequence[str], AnyRules], Typed]]] = {
    "lift": _lift,
    "drop": _drop,
    "slide": _slide,
    "brush": _brush,
    "press": _press,
    "touch": _touch,
    "play": _play,
}
