"""Hands on a simulated board that do in real time what a typed line asks for."""

import asyncio
import itertools
import random
from collections.abc import Callable
from typing import Any, Final

from controller.app.rig import Rig
from controller.games.seam import AnyRules, Cell, Content
from controller.table import questions
from controller.table.core import Table
from controller.terminal import typed
from controller.terminal.typed import TypedError
from controller.terminal.ways import SIDES, NoWayError, straight_way, way_in
from controller.turns.phases import Phase
from hardware.ports import Millis
from simulator.hands import Drop, Lift, Pause, Press, plan
from simulator.tabletop import HandError, Tabletop

TEMPO_MS: Final = 100
"""How long a lift or a drop takes, as in a script."""
PRESS_MS: Final = 120
"""How long a button is held down: every depth of the stand-in sees that."""
BRUSH_MS: Final = 200
"""How long it takes to lift a stone and put it back."""
SETTLED_MS: Final = 500
"""How long after its last change a board has been judged for certain: a move is accepted within 400 (docs/play.md)."""
ACCEPT_MS: Final = 10_000
"""How long after the last action of a move the ply must have been accepted."""


class TypedHands:
    """Hands that lift, drop, slide and press. One thing at a time: the caller awaits each.

    Args:
        rig: on a simulated board.
        clock: gives the time of the rig.
        stirred: called after each action: the board lies differently.
        dice: what the order and tempo of whole moves are drawn with.
    """

    def __init__(self, rig: Rig, clock: Callable[[], Millis], stirred: Callable[[], None], dice: random.Random) -> None:
        assert rig.top is not None, "hands move the stones of a simulated board"
        self._table: Table = rig.table
        self._top: Tabletop = rig.top
        self._clock = clock
        self._stirred = stirred
        self._dice = dice
        self._lifted: Content | None = None
        self._held: list[Content] = []
        self._moved_at: Millis = clock() - SETTLED_MS
        self._judged = asyncio.Event()

    @property
    def _rules(self) -> AnyRules:
        return self._table.rules

    def stepped(self) -> None:
        """Take note that the table has judged the board once more."""
        self._judged.set()

    def held(self) -> str:
        """Return what was lifted and not put down yet, as text."""
        if not self._rules.stones:
            seeds = sum(self._held)
            return f"{seeds} seed{'s' * (seeds != 1)}" if seeds else ""
        return ", ".join(self._rules.stones[content] for content in self._held)

    async def do(self, asked: typed.Hands) -> str:
        """Do what a line asks for; return what there is to say about it, if anything.

        Raises:
            TypedError: hands cannot do that here.
        """
        try:
            match asked:
                case typed.Lift(cells=cells):
                    self._lift(cells)
                    await _pause(TEMPO_MS)
                case typed.Drop(cells=cells, content=content):
                    self._drop(cells, self._known(content))
                    await _pause(TEMPO_MS)
                case typed.Brush(cells=cells):
                    await self._brush(cells)
                case typed.Slide():
                    await self._slide(asked)
                case typed.SlideIn():
                    await self._slide_in(asked)
                case typed.Play(move=move, token=token):
                    return await self._play(move, token)
        except (HandError, NoWayError) as error:
            raise TypedError(f"{error}.") from error
        return ""

    async def press(self, button: str) -> None:
        """Press a button."""
        self._top.advance(self._clock())
        self._top.press(button, PRESS_MS)
        self._stirred()
        await _pause(PRESS_MS + TEMPO_MS)

    # What hands do ----------------------------------------------------------------------------------------------------

    def _lift(self, cells: tuple[Cell, ...]) -> Content:
        self._top.advance(self._clock())
        self._lifted = self._top.take(cells)
        self._held.append(self._lifted)
        self._moved()
        return self._lifted

    def _drop(self, cells: tuple[Cell, ...], content: Content) -> None:
        self._top.advance(self._clock())
        self._top.put(cells, content)
        self._let_go(content)
        self._moved()

    def _moved(self) -> None:
        self._moved_at = self._clock()
        self._stirred()

    async def settle(self) -> None:
        """Wait until the table has judged what these hands have done."""
        await _pause(max(0, self._moved_at + SETTLED_MS - self._clock()))

    def _let_go(self, content: Content) -> None:
        """Take what was put down out of the hand, if it came from there; hands never run out."""
        if self._rules.stones:
            if content in self._held:
                self._held.remove(content)
        else:
            left = sum(self._held) - content
            self._held = [left] if left > 0 else []

    def _known(self, content: Content | None) -> Content:
        if content is not None:
            return content
        if self._lifted is None:
            stones = ", ".join(self._rules.stones[1:])
            raise TypedError(f"No stone has been lifted yet: name the one to put down ({stones}).")
        return self._lifted

    async def _brush(self, cells: tuple[Cell, ...]) -> None:
        piece = self._top.piece(cells[0])
        content = self._lift(cells)
        await _pause(BRUSH_MS // 2)
        self._drop(piece, content)
        await _pause(BRUSH_MS - BRUSH_MS // 2)

    async def _slide(self, asked: typed.Slide) -> None:
        top, places = self._top, self._rules.cells
        start, end = asked.start, asked.end
        if not top.contents[start[0]]:
            raise HandError(f"{top.names[start[0]]} is empty: there is nothing to slide")
        piece = top.piece(start[0])
        if len(start) == len(end) == 1 < len(piece):  # a stone that is named by one of its places goes along whole
            shift = (places[end[0]].x - places[start[0]].x, places[end[0]].y - places[start[0]].y)
            start, end = piece, tuple(self._shifted(cell, shift) for cell in piece)
        if set(start) != set(piece):
            raise HandError(f"{' and '.join(top.names[cell] for cell in start)} are not covered by one stone")
        way = straight_way(places, start, end)
        self._free(way[1:], besides=piece)
        await self._drag(way, asked.speed, content=None)

    def _shifted(self, cell: Cell, shift: tuple[float, float]) -> Cell:
        place = self._rules.cells[cell]
        for other, there in enumerate(self._rules.cells):
            if abs(there.x - place.x - shift[0]) + abs(there.y - place.y - shift[1]) < 1e-6:
                return other
        raise HandError(f"the stone on {place.name} would come to lie beside the board")

    async def _slide_in(self, asked: typed.SlideIn) -> None:
        content = self._known(asked.content)
        blocked: HandError | None = None
        for side in (asked.side,) if asked.side else sorted(SIDES, key=lambda side: len(self._way_in(asked, side))):
            way = self._way_in(asked, side)
            try:
                self._free(way)
            except HandError as error:
                blocked = blocked or error
                continue
            await self._drag(way, asked.speed, content=content)
            return
        assert blocked is not None
        raise blocked

    def _way_in(self, asked: typed.SlideIn, side: str) -> list[tuple[Cell, ...]]:
        return way_in(self._rules.cells, asked.end, side)

    def _free(self, way: list[tuple[Cell, ...]], besides: tuple[Cell, ...] = ()) -> None:
        """Raise HandError where the way is not free of other stones."""
        for cell in itertools.chain.from_iterable(way):
            if self._top.contents[cell] and cell not in besides:
                raise HandError(f"{self._top.names[cell]} is in the way: a slide passes empty cells only")

    async def _drag(self, way: list[tuple[Cell, ...]], speed: Millis, content: Content | None) -> None:
        """Move a stone along; `content` for one that is not on the board yet."""
        if content is not None:
            self._drop(way[0], content)
            await _pause(speed)
        for here, there in itertools.pairwise(way):
            moved = self._lift(here)
            await _pause(speed // 2)
            self._drop(there, moved)
            await _pause(speed - speed // 2)

    # Whole moves ------------------------------------------------------------------------------------------------------

    async def _play(self, move: Any, token: str) -> str:
        table, rules = self._table, self._rules
        await self.settle()
        if not _ready(table):
            raise TypedError(f"{token} has to wait: the board is {table.phase.value}; do first what it says.")
        if move not in table.prospect.moves:
            raise TypedError(f"{token} is not allowed here: {_why_not(rules, table.position, move)}.")
        plies = len(table.round.plies)
        for action in plan(rules, table.position, move, table.sensing, self._dice):
            match action:
                case Lift(cells=cells):
                    self._lift(cells)
                case Drop(cells=cells, content=content):
                    self._drop(cells, content)
                case Press(button=button):
                    await self.press(button)
                case Pause(ms=span):
                    await _pause(span)
        self._held.clear()  # what the rules take off the board lies beside it now
        if not await self._accepted(plies + 1):
            raise TypedError(f"The board did not take {token}: it is {table.phase.value}; do what it says.")
        return f"{table.round.plies[-1].token} counts."

    async def _accepted(self, plies: int) -> bool:
        """Wait until so many plies stand and the board is at rest; return whether that came."""
        try:
            async with asyncio.timeout(ACCEPT_MS / 1000):
                while not (len(self._table.round.plies) == plies and _at_rest(self._table)):
                    self._judged.clear()
                    await self._judged.wait()
        except TimeoutError:
            return False
        return True


async def _pause(span: Millis) -> None:
    await asyncio.sleep(span / 1000)


def _passing(table: Table) -> bool:
    return table.question is not None and table.question.about == questions.PASS


def _ready(table: Table) -> bool:
    return table.phase is Phase.WAITING or _passing(table)


def _at_rest(table: Table) -> bool:
    return _ready(table) or table.phase is Phase.OVER


def _why_not(rules: AnyRules, position: Any, move: Any) -> str:
    try:
        rules.apply(position, move)
    except ValueError as error:
        return str(error).rstrip(".")
    return "the rules do not list it"
