"""Reading a script: one step a line, checked as far as it can be without a board."""

import re
from dataclasses import dataclass
from typing import Final


class ScriptError(ValueError):
    """A line that is no step.

    Attributes:
        line: its number, from 1.
        at: the simulated time at which it was reached, 0 where nothing was played.
    """

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.at = 0


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a script.

    Fields:
        line: its number, from 1.
        verb: the first word.
        words: the further words without ``=``.
        keys: the words with ``=``, by key.
        text: the whole line, without its comment.
    """

    line: int
    verb: str
    words: tuple[str, ...]
    keys: dict[str, str]
    text: str


@dataclass(frozen=True, slots=True)
class Shape:
    """What a verb takes.

    Fields:
        least, most: how many words without ``=``; None: any number.
        keys: the keys it may have; None: any.
        form: how it is written, for messages.
    """

    least: int
    most: int | None
    keys: tuple[str, ...] | None
    form: str


SCENE: Final[dict[str, Shape]] = {
    "game": Shape(1, 1, None, "game NAME [players=N] [option=value]..."),
    "board": Shape(0, 0, ("sense", "via"), "board [sense=presence|colour|count] [via=memory|pins|wire]"),
    "position": Shape(1, 1, ("to_move", "scores"), "position TEXT [to_move=K] [scores=1,2]"),
    "start": Shape(0, 0, (), "start"),
    "bare": Shape(0, 0, (), "bare"),
}
"""The steps that set the scene before anything is touched."""

ACTS: Final[dict[str, Shape]] = {
    "seed": Shape(1, 1, (), "seed NUMBER"),
    "tempo": Shape(1, 1, (), "tempo MILLISECONDS"),
    "faults": Shape(0, None, None, "faults none, or faults bounce=4 jitter=30"),
    "lift": Shape(1, 1, (), "lift CELL"),
    "drop": Shape(1, 3, (), "drop CELL [STONE] [offgrid|flipped], or drop PIT [x3]"),
    "stack": Shape(1, 2, (), "stack CELL [STONE]"),
    "hover": Shape(2, 3, (), "hover CELL [STONE] MILLISECONDS"),
    "slide": Shape(2, 3, ("speed", "from"), "slide FROM TO [speed=60], or slide off PLACEMENT OWNER from=west"),
    "brush": Shape(1, 1, (), "brush CELL"),
    "play": Shape(1, None, (), "play MOVE"),
    "wait": Shape(1, 1, (), "wait MILLISECONDS"),
    "bump": Shape(0, 0, (), "bump"),
    "hand": Shape(3, 3, (), "hand CELL CELL MILLISECONDS"),
    "metal": Shape(2, 2, (), "metal CELL on, or metal CELL off"),
    "unplug": Shape(0, 0, (), "unplug"),
    "plug": Shape(0, 0, (), "plug"),
    "reset-mcu": Shape(0, 0, (), "reset-mcu"),
    "press": Shape(1, 1, (), "press BUTTON"),
    "expect": Shape(1, None, None, "expect WHAT [VALUE]..."),
}
"""The steps that may come at any time."""

_SHAPES: Final = {**SCENE, **ACTS}


def read_script(text: str) -> tuple[Step, ...]:
    """Return the steps of a script.

    Raises:
        ScriptError: a line is no step, a step has the wrong words, or the first step is not ``game``.
    """
    steps = tuple(step for number, line in enumerate(text.splitlines(), start=1) if (step := _step(number, line)))
    if not steps or steps[0].verb != "game":
        line = steps[0].line if steps else 1
        raise ScriptError(line, "a script begins with its game: game NAME [players=N] [option=value]...")
    touched = False
    for step in steps[1:]:
        if step.verb == "game":
            raise ScriptError(step.line, "a script has one game, named in its first step")
        touched |= step.verb in ACTS and step.verb not in {"seed", "tempo", "faults"}
        if step.verb in SCENE and touched:
            raise ScriptError(step.line, f"'{step.verb}' sets the scene: it comes before the first hand step")
    return steps


def _step(number: int, line: str) -> Step | None:
    text = line.split("#", 1)[0].strip()
    if not text:
        return None
    verb, *rest = text.split()
    shape = _SHAPES.get(verb)
    if shape is None:
        raise ScriptError(number, f"{verb!r} is no step; there are: {', '.join(_SHAPES)}")
    words = tuple(word for word in rest if "=" not in word)
    keys = dict(word.split("=", 1) for word in rest if "=" in word)
    if len(words) + len(keys) != len(rest):
        raise ScriptError(number, f"a key is given twice: {text!r}")
    if len(words) < shape.least or (shape.most is not None and len(words) > shape.most):
        raise ScriptError(number, f"{text!r} does not have the form: {shape.form}")
    if shape.keys is not None and (strange := [key for key in keys if key not in shape.keys]):
        raise ScriptError(number, f"{strange[0]!r} is not known here; the form is: {shape.form}")
    return Step(number, verb, words, keys, text)


def whole_number(step: Step, word: str, least: int, most: int) -> int:
    """Return the number that a word writes.

    Raises:
        ScriptError: it is no whole number from `least` to `most`.
    """
    if not re.fullmatch("[0-9]{1,12}", word) or not least <= int(word) <= most:
        raise ScriptError(step.line, f"{word!r} is not a whole number from {least} to {most} in: {step.text}")
    return int(word)
