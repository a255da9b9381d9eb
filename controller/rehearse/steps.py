"""Carrying out the steps of a script on a stage."""

import itertools
import random
from collections.abc import Callable, Sequence
from typing import Any, Final

from controller.app.rig import Rig
from controller.games.seam import AnyRules, Cell, Content, NotationError
from controller.rehearse.lines import StraightLineError, straight_line
from controller.rehearse.script import ScriptError, Step, whole_number
from controller.rehearse.sliding import slid, slid_in
from controller.rehearse.stage import Stage
from controller.table import questions
from controller.table.core import Table
from controller.table.view import BUTTONS
from controller.turns.phases import Phase
from hardware.ports import Millis
from simulator import mishaps
from simulator.contacts import BUMP_MS
from simulator.faults import FaultError
from simulator.hands import Drop, Lift, Pause, Press, plan
from simulator.tabletop import HandError, Tabletop

TEMPO_MS: Final = 100
"""How long a lift, drop or press takes unless told otherwise."""
SLIDE_MS: Final = 60
"""How long a slide takes from one cell to the next unless told otherwise."""
BRUSH_MS: Final = 200
"""How long it takes to lift a stone and put it back."""
PLAY_LIMIT_MS: Final = 10_000
"""How long after the last action of a ``play`` the ply must have been accepted."""
SEATS: Final = tuple(str(seat) for seat in range(1, 7))


class RehearsalError(Exception):
    """A step that cannot be done, or an expectation that does not hold.

    Attributes:
        line: the script's line, from 1.
        at: the simulated time.
    """

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.at: Millis = 0


class Hands:
    """What carries out steps: hands with a tempo, over a stage.

    Args:
        stage: where they act.
        seed: for everything random about them.
    """

    def __init__(self, stage: Stage, seed: int) -> None:
        self.stage = stage
        self.tempo: Millis = TEMPO_MS
        self._dice = random.Random(seed)
        self._held: Content | None = None

    @property
    def _rig(self) -> Rig:
        return self.stage.rig

    @property
    def _table(self) -> Table:
        return self.stage.rig.table

    @property
    def _rules(self) -> AnyRules:
        return self._table.rules

    @property
    def _top(self) -> Tabletop:
        assert self._rig.top is not None, "rehearsals play on a simulated board"
        return self._rig.top

    def do(self, step: Step) -> None:
        """Carry one step out.

        Raises:
            RehearsalError: hands cannot do it here, or what it expects is not so.
            ScriptError: its words cannot be read on this board.
        """
        try:
            _STEPS[step.verb](self, step)
        except (HandError, StraightLineError) as error:
            raise RehearsalError(step.line, f"{error}, in: {step.text}") from error
        except (NotationError, FaultError) as error:
            raise ScriptError(step.line, f"{error}, in: {step.text}") from error

    # Scene ------------------------------------------------------------------------------------------------------------

    def seed(self, step: Step) -> None:
        """Start everything random anew."""
        seed = whole_number(step, step.words[0], 0, 2**31)
        self._dice = random.Random(seed)
        self._top.reseed(seed)

    def set_tempo(self, step: Step) -> None:
        """Set how long an action takes."""
        self.tempo = whole_number(step, step.words[0], 60, 600_000)

    def faults(self, step: Step) -> None:
        """Set what is wrong with the sensors from here on."""
        words = [*step.words, *(f"{key}={value}" for key, value in step.keys.items())]
        self.stage.act(lambda: self._top.fail(words))
        pixels = len(self._table.frame(self._top.now)) // 3
        if "pixel" in (*step.words, *step.keys) and not 0 < (pixel := self._top.faults.pixel) <= pixels:
            raise FaultError(f"there is no pixel {pixel}: this board has pixels 1 to {pixels}")

    # Hands ------------------------------------------------------------------------------------------------------------

    def lift(self, step: Step) -> None:
        """Take what is on a cell."""
        self._lift(self._rules.spot(step.words[0]))
        self.stage.pass_time(self.tempo)

    def drop(self, step: Step) -> None:
        """Put a stone down, or seeds; half on a neighbour's cell, or upside down, where the step says so."""
        cells = self._rules.spot(step.words[0])
        ways = [word for word in step.words[1:] if word in _WAYS]
        named = [word for word in step.words[1:] if word not in _WAYS]
        if len(ways) > 1 or len(named) > 1:
            raise ScriptError(step.line, f"'drop' takes one stone and one of {', '.join(_WAYS)}, in: {step.text}")
        content = self._named(step, named)
        if ways:
            self.stage.act(lambda: _WAYS[ways[0]](self._top, cells, content, self._dice))
        else:
            self._drop(cells, content)
        self.stage.pass_time(self.tempo)

    def stack(self, step: Step) -> None:
        """Put a stone on top of another."""
        cells, content = self._rules.spot(step.words[0]), self._named(step, step.words[1:])
        self.stage.act(lambda: self._top.stack(cells, content))
        self.stage.pass_time(self.tempo)

    def hover(self, step: Step) -> None:
        """Hold a stone above a cell for a while, and take it away again."""
        cells, content = self._rules.spot(step.words[0]), self._named(step, step.words[1:-1])
        span = whole_number(step, step.words[-1], 1, 600_000)
        self.stage.act(lambda: mishaps.hover(self._top, cells, content))
        self.stage.pass_time(span)
        self.stage.act(lambda: mishaps.leave(self._top, cells))

    def _named(self, step: Step, words: Sequence[str]) -> Content:
        """Return the stone or the seeds that the words name; else what was lifted last, or one seed."""
        if not self._rules.stones:
            return self._seeds(step, words[0]) if words else 1
        if words:
            return self._stone(step, words[0])
        if self._held is None:
            raise RehearsalError(step.line, f"no stone has been lifted yet: name one, in: {step.text}")
        return self._held

    def slide(self, step: Step) -> None:
        """Drag a stone in a straight line over empty cells, or in from off the mat."""
        speed = whole_number(step, step.keys.get("speed", str(SLIDE_MS)), 2, 60_000)
        places = self._rules.cells
        if step.words[0] == "off":
            path = slid_in(places, self._placement(step, step.words[1]), step.keys.get("from", ""))
            content = self._stone(step, step.words[2]) if len(step.words) > 2 else self._held
            if content is None:
                raise RehearsalError(step.line, f"whose stone comes in? Name its owner, in: {step.text}")
            path.insert(0, ())
        else:
            start, end = (self._rules.spot(word) for word in step.words[:2])
            content = self._top.contents[start[0]]
            if not content or set(self._top.piece(start[0])) != set(start):
                raise HandError(f"there is no stone to slide on {step.words[0]}")
            path = slid(places, start, end) if self._rules.surface == "mat" else self._cell_by_cell(start, end)
        for cells in path[1:]:
            for cell in cells:
                if self._top.contents[cell] and cell not in path[0]:
                    raise HandError(f"{self._top.names[cell]} is in the way: a slide passes empty cells only")
        self._held = content
        for here, there in itertools.pairwise(path):
            self._drag(here, there, content, speed)

    def _drag(self, here: tuple[Cell, ...], there: tuple[Cell, ...], content: Content, speed: Millis) -> None:
        """Move one step: what the stone leaves is empty before it has reached what it comes to."""
        kept = tuple(cell for cell in there if cell in here)
        self.stage.act(lambda: self._top.shift(here, kept, content))
        self.stage.pass_time(speed // 2)
        self.stage.act(lambda: self._top.shift(kept, there, content))
        self.stage.pass_time(speed - speed // 2)

    def _cell_by_cell(self, start: tuple[Cell, ...], end: tuple[Cell, ...]) -> list[tuple[Cell, ...]]:
        return [(cell,) for cell in straight_line(self._rules.cells, start[0], end[0])]

    def _placement(self, step: Step, word: str) -> tuple[Cell, ...]:
        cells = self._rules.spot(word)
        if self._rules.surface != "mat" or len(cells) != 2:
            raise ScriptError(step.line, f"'slide off' brings a two-place stone in, such as He8, in: {step.text}")
        return cells

    def _seeds(self, step: Step, word: str) -> int:
        if not word.startswith("x"):
            raise ScriptError(step.line, f"{word!r} is no number of seeds, such as x3, in: {step.text}")
        return whole_number(step, word[1:], 1, 999)

    def brush(self, step: Step) -> None:
        """Lift a stone and put it back."""
        cells = self._rules.spot(step.words[0])
        held = self._held
        self._lift(cells)
        self.stage.pass_time(BRUSH_MS // 2)
        assert self._held is not None
        self._drop(cells, self._held)
        self._held = held
        self.stage.pass_time(BRUSH_MS - BRUSH_MS // 2)

    def wait(self, step: Step) -> None:
        """Let time pass."""
        self.stage.pass_time(whole_number(step, step.words[0], 0, 86_400_000))

    # What happens to the board ----------------------------------------------------------------------------------------

    def bump(self, step: Step) -> None:  # noqa: ARG002 - every step gets its line
        """Knock against the table."""
        self.stage.act(self._top.bump)
        self.stage.pass_time(BUMP_MS)

    def hand(self, step: Step) -> None:
        """Hold a hand over all cells between two."""
        corner, opposite = (self._rules.spot(word)[0] for word in step.words[:2])
        span = whole_number(step, step.words[2], 1, 600_000)
        cells = mishaps.cells_between(self._top, corner, opposite)
        self.stage.act(lambda: mishaps.shade(self._top, cells, on=True))
        self.stage.pass_time(span)
        self.stage.act(lambda: mishaps.shade(self._top, cells, on=False))

    def metal(self, step: Step) -> None:
        """Lay a piece of metal on a cell, or take it off."""
        cells, word = self._rules.spot(step.words[0]), step.words[1]
        if word not in {"on", "off"}:
            raise ScriptError(step.line, f"'metal' is on or off, not {word!r}, in: {step.text}")
        self.stage.act(lambda: mishaps.lay_metal(self._top, cells, on=word == "on"))

    def unplug(self, step: Step) -> None:  # noqa: ARG002 - every step gets its line
        """Pull the board's cable."""
        self.stage.act(self._top.unplug)

    def plug(self, step: Step) -> None:  # noqa: ARG002 - every step gets its line
        """Plug the board's cable in again."""
        self.stage.act(self._top.plug)

    def reset_mcu(self, step: Step) -> None:  # noqa: ARG002 - every step gets its line
        """Reset the board's micro-controller, or whatever else reads the cells at this depth."""
        self.stage.act(self._top.reset)

    def press(self, step: Step) -> None:
        """Press a button."""
        button = step.words[0]
        known = (*BUTTONS, *SEATS)
        if button not in known:
            raise ScriptError(step.line, f"there is no button {button!r}; there are: {', '.join(known)}")
        self._press(button)

    def play(self, step: Step) -> None:
        """Make a whole move, in an order and tempo of the hands' own, and wait until it counts."""
        table, rules = self._table, self._rules
        passing = table.question is not None and table.question.about == questions.PASS
        if table.phase is not Phase.WAITING and not passing:
            raise RehearsalError(step.line, f"'play' needs phase waiting; the phase is {table.phase.value}")
        move = rules.parse_move(" ".join(step.words))
        token = rules.move_text(move)
        if move not in table.prospect.moves:
            why = _why_illegal(rules, table.position, move)
            raise RehearsalError(step.line, f"{token} is not legal here ({why}), in: {step.text}")
        plies = len(table.round.plies)
        for action in plan(rules, table.position, move, table.sensing, self._dice):
            match action:
                case Lift(cells=cells):
                    self._lift(cells)
                case Drop(cells=cells, content=content):
                    self._drop(cells, content)
                case Press(button=button):
                    self._press(button)
                case Pause(ms=span):
                    self.stage.pass_time(span)

        def counted() -> bool:
            return len(table.round.plies) == plies + 1 and _at_rest(table)

        if not self.stage.pass_until(counted, PLAY_LIMIT_MS):
            raise RehearsalError(
                step.line,
                f"{token} was not accepted within 10 s: the phase is {table.phase.value}, "
                f"{len(table.round.plies)} plies stand",
            )
        if table.round.plies[-1].token != token:
            raise RehearsalError(step.line, f"{table.round.plies[-1].token} was accepted for {token}")

    # The actions themselves -------------------------------------------------------------------------------------------

    def _lift(self, cells: tuple[Cell, ...]) -> None:
        def hands() -> None:
            self._held = self._top.take(cells)

        self.stage.act(hands)

    def _drop(self, cells: tuple[Cell, ...], content: Content) -> None:
        self.stage.act(lambda: self._top.put(cells, content))

    def _press(self, button: str) -> None:
        # Held for most of the time that a press takes, so that two presses in a row are two.
        self.stage.act(lambda: self._top.press(button, self.tempo * 2 // 3))
        self.stage.pass_time(self.tempo)

    def _stone(self, step: Step, word: str) -> Content:
        stones = self._rules.stones
        if word not in stones[1:]:
            raise ScriptError(step.line, f"{word!r} is no stone of this game; there are: {', '.join(stones[1:])}")
        return stones.index(word)


def _at_rest(table: Table) -> bool:
    passing = table.question is not None and table.question.about == questions.PASS
    return table.phase in {Phase.WAITING, Phase.OVER} or passing


def _why_illegal(rules: AnyRules, position: Any, move: Any) -> str:
    try:
        rules.apply(position, move)
    except ValueError as error:
        return str(error)
    return "the rules do not list it"


_WAYS: Final[dict[str, Callable[[Tabletop, tuple[Cell, ...], Content, random.Random], None]]] = {
    "offgrid": mishaps.put_between,
    "flipped": lambda top, cells, content, _dice: mishaps.put_upside_down(top, cells, content),
}
"""Ways of putting a stone down that are not the usual one, by their word."""

_STEPS: Final[dict[str, Callable[[Hands, Step], None]]] = {
    "seed": Hands.seed,
    "tempo": Hands.set_tempo,
    "faults": Hands.faults,
    "lift": Hands.lift,
    "drop": Hands.drop,
    "stack": Hands.stack,
    "hover": Hands.hover,
    "slide": Hands.slide,
    "brush": Hands.brush,
    "wait": Hands.wait,
    "bump": Hands.bump,
    "hand": Hands.hand,
    "metal": Hands.metal,
    "unplug": Hands.unplug,
    "plug": Hands.plug,
    "reset-mcu": Hands.reset_mcu,
    "press": Hands.press,
    "play": Hands.play,
}
