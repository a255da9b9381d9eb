"""Playing at a terminal: what a person types goes to a simulated board, and what the board does is drawn."""

import asyncio
import contextlib
import os
import random
import signal
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, Final

from controller.app.desk import TableDesk
from controller.app.loop import Loop, clock
from controller.app.monitor import CellMonitor
from controller.app.play import STOP_SIGNALS, Serving, page_texts
from controller.app.rig import Rig
from controller.app.typed_hands import TypedHands
from controller.games.seam import Game
from controller.page.server import PageServer
from controller.table.view import hex_colours, view
from controller.terminal import typed
from controller.terminal.console import Inlet, Manner, Modes, Outlet, manner, size
from controller.terminal.editor import Editor
from controller.terminal.help import help_text
from controller.terminal.quiet import log_aside
from controller.terminal.roll import Roll
from controller.terminal.screen import Face, Screen
from controller.terminal.typed import TypedError
from hardware.ports import Millis

GREETING: Final = "Type help for what can be typed here; quit or Ctrl-C ends."


@dataclass(frozen=True, slots=True)
class Streams:
    """The two ends of a person's terminal.

    Fields:
        keys: descriptor that is read.
        screen: descriptor that is written.
        errors: descriptor of the error output, to which the log goes.
        environ: the environment, for the customs of terminals.
        encoding: how text is written.
    """

    keys: int
    screen: int
    errors: int
    environ: Mapping[str, str]
    encoding: str = "utf-8"


class Session:
    """One person at a terminal, and the board.

    Args:
        rig: the board.
        game: what is played on it.
        loop: drives the rig.
        dice: what the hands' order and tempo are drawn with.
        stop: called when the person has had enough.
    """

    def __init__(self, rig: Rig, game: Game, loop: Loop, dice: random.Random, stop: Callable[[], None]) -> None:
        self._rig = rig
        self._game = game
        self._loop = loop
        self._stop = stop
        self._hands = None if rig.top is None else TypedHands(rig, clock, self._stirred, dice)
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._told: tuple[object, ...] = ()
        self.face: Face
        loop.listeners.append(self._stepped)

    # What is shown ----------------------------------------------------------------------------------------------------

    def state(self, now: Millis) -> dict[str, Any]:
        """Return what the terminal shows; see `controller.terminal.draw.draw`."""
        table, top = self._rig.table, self._rig.top
        state = view(table, table.frame(now))
        state["game"]["title"] = self._game.title
        state["simulated"] = top is not None
        if top is not None and self._hands is not None:
            state["hand"] = self._hands.held()
            stones, names = table.rules.stones, top.names
            for cell, shown in enumerate(state["cells"]):
                content = top.contents[cell]
                shown["piece"] = stones[content] if stones else str(content)
                if content:
                    shown["whole"] = [names[other] for other in top.piece(cell)]
        return state

    def lights(self, now: Millis) -> list[str]:
        """Return the colours of the cells, in cell order."""
        return hex_colours(self._rig.table.frame(now))[: len(self._rig.table.rules.cells)]

    def lines(self) -> list[str]:
        """Return the lines to which what is being typed may be completed."""
        table = self._rig.table
        moves = table.prospect.moves if self._hands is not None else ()
        return [*typed.first_words(), *map(table.rules.move_text, moves)]

    def _stepped(self) -> None:
        if self._hands is not None:
            self._hands.stepped()
        table, top = self._rig.table, self._rig.top
        now = (table.changes, table.frame(clock()), top and tuple(top.contents))
        if now != self._told:
            self._told = now
            self.face.stale()

    def _stirred(self) -> None:
        """Hands have moved something: the pages shall see it too, even where no cell can sense it."""
        self._rig.table.changes += 1
        self._loop.wake()

    # What is typed ----------------------------------------------------------------------------------------------------

    def typed(self, line: str | None, *, at_once: bool) -> None:
        """Take a line, None for the end of typing. Lines are worked through one by one.

        Args:
            line: as typed.
            at_once: whether ``quit`` and the end do not wait for the lines before: a person has typed them.
        """
        if at_once and (line is None or line.strip().lower() in {"quit", "exit"}):
            self._stop()
        else:
            self._lines.put_nowait(line)

    async def work(self) -> None:
        """Do what the lines ask for, one after the other, until cancelled."""
        while True:
            line = await self._lines.get()
            if line is None:
                if self._hands is not None:
                    await self._hands.settle()
                self._stop()
                return
            self.face.begin(line)
            try:
                said = await self._do(line)
            except TypedError as error:
                said = str(error)
            if said:
                self.face.said(said)

    async def _do(self, line: str) -> str:
        table = self._rig.table
        question = table.question
        asked = typed.read(line, table.rules, question.options if question else ())
        match asked:
            case typed.Nothing():
                return ""
            case typed.Quit():
                self._stop()
            case typed.Show(what=what):
                text = self._game.rules_text if what == "rules" else help_text(table.rules, real=self._hands is None)
                self.face.read(f"{self._game.title}: {what}", text)
            case typed.Press(button=button):
                await self._press(button)
            case typed.Touch(cells=cells):
                for cell in cells:
                    table.touch(cell, clock())
                self._loop.wake()
            case _ if self._hands is None:
                return (
                    "This is a real board: move its stones with your hands; buttons, touch, help, rules and quit can "
                    "be typed."
                )
            case _:
                if isinstance(asked, typed.Play):
                    self.face.said(f"The hands make the move {asked.token}.")
                return await self._hands.do(asked)
        return ""

    async def _press(self, button: str) -> None:
        if self._hands is not None:
            await self._hands.press(button)
        else:
            self._rig.table.press(button, clock())
            self._loop.wake()


async def play_at_terminal(
    rig: Rig,
    game: Game,
    streams: Streams,
    *,
    serving: Serving | None,
    dice: random.Random,
    board: str | None = None,
) -> None:
    """Play at a terminal until the person or a signal ends it; then the terminal is as it was, and the board dark.

    Args:
        rig: the board. It is closed here.
        game: what is played on it.
        streams: the terminal.
        serving: how a page is served besides; None: it is not.
        dice: what the hands' order and tempo are drawn with.
        board: the name of its profile; None on a simulated board.

    Raises:
        ServeError: the page cannot be served there.
    """
    stop = asyncio.Event()
    try:
        async with contextlib.AsyncExitStack() as stack:
            _on_signals(stack, STOP_SIGNALS, stop.set)
            texts = page_texts(rig, board) if serving is not None else {}
            loop = Loop(rig)
            session = Session(rig, game, loop, dice, stop.set)
            monitor = CellMonitor(rig, game.title, clock, loop.wake) if serving is not None else None
            rig.step(clock())
            server: PageServer | None = None
            if serving is not None and monitor is not None:
                desk = TableDesk(rig, game.title, clock, loop.wake)
                loop.listeners += [desk.stepped, monitor.stepped]
                server = PageServer(
                    desk, serving.host, serving.port, verbose=serving.verbose, texts=texts, monitor=monitor
                )
                await stack.enter_async_context(server)
            _sit_down(stack, session, streams, stop.set)
            session.face.said(f"The page is at {server.addresses[0]}. {GREETING}" if server else GREETING)
            await _until(stop, loop.run(), session.work(), *([server.wait()] if server else []))
            session.face.close()
            rig.lamps.close()
    finally:
        rig.close()


def _sit_down(stack: contextlib.AsyncExitStack, session: Session, streams: Streams, stop: Callable[[], None]) -> None:
    """Join a person's terminal to the session; the stack brings it back to what it was."""
    how = manner(streams.environ, keys=os.isatty(streams.keys), screen=os.isatty(streams.screen))
    outlet = Outlet(streams.screen, streams.encoding)
    stack.callback(outlet.close)
    outlet.broken = stop
    session.face = _face(session, outlet, how, streams)
    if how.in_place:
        modes = Modes(streams.keys)
        stack.callback(modes.leave)
        modes.enter()
        if os.isatty(streams.errors):
            stack.enter_context(log_aside(lambda message: session.face.said(f"Log: {message}")))
        _on_signals(stack, (signal.SIGWINCH,), session.face.anew)
        _on_signals(stack, (signal.SIGTSTP,), lambda: _rest(session.face, modes))
    stack.callback(session.face.close)
    session.face.open()
    inlet = Inlet(streams.keys, session.face.keys)
    stack.callback(inlet.close)
    inlet.open()


def _face(session: Session, outlet: Outlet, how: Manner, streams: Streams) -> Face:
    def typed_line(line: str | None) -> None:
        session.typed(line, at_once=how.keys)

    def room() -> tuple[int, int]:
        return size(streams.screen)

    if how.in_place:
        return Screen(
            outlet,
            room,
            colour=how.colour,
            state=session.state,
            clock=clock,
            editor=Editor(session.lines),
            typed=typed_line,
        )
    return Roll(
        outlet,
        room,
        colour=how.colour,
        state=session.state,
        lights=session.lights,
        clock=clock,
        echo=not how.keys,
        typed=typed_line,
    )


def _rest(face: Face, modes: Modes) -> None:
    """Ctrl-Z: give the terminal back, stop, and take it again when the shell lets this go on."""
    face.close()
    modes.leave()
    os.kill(os.getpid(), signal.SIGSTOP)
    modes.enter()
    face.open()


def _on_signals(
    stack: contextlib.AsyncExitStack, numbers: tuple[signal.Signals, ...], heard: Callable[[], object]
) -> None:
    """Call `heard` on signals until the stack ends."""
    running = asyncio.get_running_loop()
    for number in numbers:
        running.add_signal_handler(number, heard)
        stack.callback(running.remove_signal_handler, number)


async def _until(stop: asyncio.Event, *work: Coroutine[Any, Any, None]) -> None:
    """Run `work` until `stop` is set; raise what makes a part of it end before."""
    tasks = [asyncio.ensure_future(part) for part in work]
    stopping = asyncio.ensure_future(stop.wait())
    try:
        while not stopping.done() and not any(task.done() and task.exception() for task in tasks):
            pending = [task for task in (stopping, *tasks) if not task.done()]
            await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
    finally:
        stopping.cancel()
        for task in tasks:
            task.cancel()
    for task in tasks:
        with contextlib.suppress(asyncio.CancelledError):
            await task
