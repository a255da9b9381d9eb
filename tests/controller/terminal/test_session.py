"""Sessions in this process: hands of all games, a real board, the log, pipes that nobody reads."""

import asyncio
import logging
import os
import random
from collections.abc import Mapping
from typing import Any

import pytest

from controller.app.at_terminal import Session, Streams, play_at_terminal
from controller.app.loop import Loop
from controller.app.play import Serving
from controller.app.rig import Rig
from controller.app.simulated import Via, sensing_of, simulated_rig
from controller.games.seam import load_game
from controller.lighting.language import Meaning
from controller.page.server import ServeError
from controller.terminal.console import Manner, Outlet, manner
from controller.terminal.editor import Editor
from controller.terminal.quiet import log_aside
from controller.terminal.roll import Narrator
from controller.terminal.screen import Screen
from simulator.memory import MemoryLamps


def rig_of(name: str, position: str | None = None, *, real: bool = False) -> Rig:
    game = load_game(name)
    rules = game.rules(None, {"first": "1"})
    stands = None if position is None else rules.parse_position(position)
    rig = simulated_rig(
        lambda *_, **__: rules, sensing_of(rules, game.sensing, Via.MEMORY), Via.MEMORY, position=stands
    )
    return Rig(rig.table, rig.source, rig.lamps) if real else rig


def session(rig: Rig, lines: str) -> str:
    """Type lines into a pipe; return what was told until the end."""
    keys, typing = os.pipe()
    hearing, screen = os.pipe()
    os.write(typing, lines.encode())
    os.close(typing)
    streams = Streams(keys, screen, 2, {})
    try:
        asyncio.run(
            play_at_terminal(rig, load_game(rig.table.rules.name), streams, serving=None, dice=random.Random(2))
        )
    finally:
        os.close(screen)
        os.close(keys)
    with os.fdopen(hearing, encoding="utf-8") as told:
        return told.read()


@pytest.mark.parametrize(
    ("game", "position", "lines", "told", "stands"),
    [
        ("bamogo", None, "Ra1 Bb1\na1~b1", "2. a1~b1 by player 2", "..../..../..../BR.."),
        ("bamogo", None, "drop a1 R\ndrop b1 B\na1~b1", "a1~b1 counts.", "..../..../..../BR.."),
        ("exago", "f6:R", "f7", "1. f7 by player", "f6:R,f7:R"),
        ("bambam-booboo", "He8:1", "He9", "He9 counts.", "He8:1,He9:1"),
    ],
)
def test_hands_make_typed_moves(game: str, position: str | None, lines: str, told: str, stands: str) -> None:
    rig = rig_of(game, position)
    assert told in session(rig, lines)
    assert rig.table.rules.position_text(rig.table.position) == stands
    assert isinstance(rig.lamps, MemoryLamps)
    assert not any(rig.lamps.shown or b"x"), "the board is dark at the end"


def test_single_pits_are_sown_by_hand() -> None:
    rows = ["0," * 11 + "0"] * 4
    rows[0], rows[2], rows[3] = "2" + rows[0][1:], rows[2], "0,0,0,0,2,0,0,0,0,0,0,0"
    rig = rig_of("bao-kigogo", "/".join(rows))
    told = session(rig, "lift d5\ndrop d6\ndrop d7\n")
    assert "on the board: d5 empty" in told
    assert "1. d5 by player 1" in told


def test_stone_slides_in_and_along() -> None:
    rig = rig_of("bambam-booboo", "Hh8:1")
    told = session(rig, "slide off Hd8 2 from=west\nslide Hd8 Hf8\nslide f8 e8\nslide Hh8 Hk8\n")
    assert "e8 is in the way" not in told
    assert rig.top is not None
    names = [rig.top.names[cell] for cell, content in enumerate(rig.top.contents) if content]
    assert sorted(names) == ["e8", "f8", "k8", "l8"]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("slide off Hd8 2 from=east", "i8 is in the way"),
        ("slide Hd8 He8", "d8 is empty"),
        ("slide Hh8 Vh8", "does not turn"),
        ("lift Hg8", "g8"),
        ("slide off Hd8", "No stone has been lifted yet"),
        ("Hd8", "Hd8 is not allowed here"),
        ("drop Hd3 2\nHh9", "Hh9 has to wait"),
        ("slide p8 q8", "q8"),
    ],
)
def test_hands_that_cannot_say_why_and_do_nothing(lines: str, said: str) -> None:
    rig = rig_of("bambam-booboo", "Hh8:1")
    told = session(rig, lines)
    assert said in told
    assert rig.top is not None
    assert {rig.top.names[cell] for cell, content in enumerate(rig.top.contents) if content} <= {
        "h8", "i8", "d3", "e3",
    }  # fmt: skip


def test_real_board_takes_buttons_and_says_why_not_stones() -> None:
    told = session(rig_of("bamogo", real=True), "Ra1 Bb1\nlift a1\nback\nrules\ntouch a1\n")
    assert told.count("This is a real board: move its stones with your hands") == 2
    assert "There is no move to take back" in told
    assert "On your turn do exactly one of these" in told
    assert "on the board:" not in told


class Counting:
    """A face that counts how often it was told to look."""

    def __init__(self) -> None:
        self.looks = 0

    def stale(self) -> None:
        self.looks += 1

    def said(self, text: str) -> None: ...

    def read(self, title: str, text: str) -> None: ...

    def keys(self, text: str | None) -> None: ...

    def begin(self, line: str) -> None: ...

    def anew(self) -> None: ...

    def open(self) -> None: ...

    def close(self) -> None: ...


@pytest.mark.parametrize("own", [True, False], ids=["by typed hands", "by a hand of a page"])
def test_seeds_that_no_cell_can_sense_are_shown(own: bool) -> None:
    async def drop() -> tuple[int, int]:
        rig = rig_of("bao-kigogo")
        assert rig.top is not None
        rig.step(0)
        loop = Loop(rig)
        sitting = Session(rig, load_game("bao-kigogo"), loop, random.Random(1), stopped.set)
        sitting.face = face = Counting()
        work = [asyncio.create_task(part) for part in (loop.run(), sitting.work())]
        await asyncio.sleep(0)
        looks, changes = face.looks, rig.table.changes
        if own:
            sitting.typed("drop d6 x3", at_once=False)
            sitting.typed("quit", at_once=False)
            await stopped.wait()
        else:
            rig.top.put(rig.table.rules.spot("d6"), 3)
            loop.wake()
            for _ in range(3):
                await asyncio.sleep(0)
        for task in work:
            task.cancel()
        return face.looks - looks, rig.table.changes - changes

    stopped = asyncio.Event()
    looks, changes = asyncio.run(drop())
    assert looks == 1
    assert changes == own, "pages look when the table has changed"


def test_reader_that_goes_away_ends_play() -> None:
    keys, typing = os.pipe()
    hearing, screen = os.pipe()
    os.close(hearing)
    rig = rig_of("bamogo")
    try:
        asyncio.run(
            play_at_terminal(
                rig, load_game("bamogo"), Streams(keys, screen, 2, {}), serving=None, dice=random.Random(1)
            )
        )
    finally:
        for number in (keys, typing, screen):
            os.close(number)
    assert isinstance(rig.lamps, MemoryLamps)
    assert not any(rig.lamps.shown or b"x")


def test_page_that_cannot_be_served_leaves_the_board_dark() -> None:
    rig = rig_of("bamogo")
    serving = Serving("127.0.0.1", 70_000, browser=False)
    with pytest.raises(ServeError, match="70000"):
        asyncio.run(
            play_at_terminal(rig, load_game("bamogo"), Streams(0, 1, 2, {}), serving=serving, dice=random.Random(1))
        )
    assert isinstance(rig.lamps, MemoryLamps)
    assert not any(rig.lamps.shown or b"x")


class Stalled(Outlet):
    """A terminal whose line is held up until it is let go."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.held = False

    @property
    def busy(self) -> bool:
        return self.held

    def write(self, text: str) -> None:
        self.sent.append(text)

    def flush(self, seconds: float) -> None: ...


def test_stalled_terminal_gets_only_the_newest_picture(states: Any) -> None:
    async def draw() -> list[str]:
        screen.open()
        outlet.sent.clear()
        outlet.held = True
        for words in ("overtaken", "newest"):
            state["words"] = words
            screen.keys("")
        assert outlet.sent == []
        outlet.held = False
        outlet.drained()
        await asyncio.sleep(0.15)
        screen.close()
        return outlet.sent

    state = states("bamogo")
    outlet = Stalled()
    screen = Screen(
        outlet,
        lambda: (80, 24),
        colour=False,
        state=lambda _now: state,
        clock=lambda: 0,
        editor=Editor(),
        typed=lambda _line: None,
    )
    sent = "".join(asyncio.run(draw()))
    assert "newest" in sent
    assert "overtaken" not in sent
    assert "Bamogo" not in sent, "rows that are as they were are not sent again"


def test_reader_that_stalls_does_not_hold_up_the_board() -> None:
    """A pipe that nobody reads is full after 64 KiB; the lines behind that are still worked through."""
    keys, typing = os.pipe()
    hearing, screen = os.pipe()
    os.write(typing, b"rules\n" * 40 + b"drop a1 R\ndrop a2 B\n")
    os.close(typing)
    rig = rig_of("bamogo")
    try:
        asyncio.run(
            play_at_terminal(
                rig, load_game("bamogo"), Streams(keys, screen, 2, {}), serving=None, dice=random.Random(1)
            )
        )
    finally:
        for number in (keys, hearing, screen):
            os.close(number)
    assert rig.table.rules.position_text(rig.table.position) == "..../..../B.../R..."


@pytest.mark.parametrize(
    ("environ", "keys", "screen", "wanted"),
    [
        ({"TERM": "xterm"}, True, True, Manner(in_place=True, colour=True, keys=True)),
        ({"TERM": "xterm", "NO_COLOR": "1"}, True, True, Manner(in_place=True, colour=False, keys=True)),
        ({"TERM": "xterm", "NO_COLOR": ""}, True, True, Manner(in_place=True, colour=True, keys=True)),
        ({"TERM": "dumb"}, True, True, Manner(in_place=False, colour=False, keys=True)),
        ({}, True, True, Manner(in_place=False, colour=False, keys=True)),
        ({"TERM": "xterm"}, False, True, Manner(in_place=False, colour=True, keys=False)),
        ({"TERM": "xterm"}, True, False, Manner(in_place=False, colour=False, keys=True)),
    ],
)
def test_customs_of_terminals(environ: Mapping[str, str], keys: bool, screen: bool, wanted: Manner) -> None:
    assert manner(environ, keys=keys, screen=screen) == wanted


def test_log_is_kept_while_a_screen_is_drawn_and_passed_on_after() -> None:
    class Heard(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            told.append(record.getMessage())

    told: list[str] = []
    shown: list[str] = []
    root = logging.getLogger()
    heard = Heard()
    root.addHandler(heard)
    try:
        with log_aside(shown.append):
            logging.getLogger("x").warning("no %s", "light")
            logging.getLogger("x").error("worse")
            assert told == []
        assert shown == told == ["no light", "worse"]
        assert heard in root.handlers
    finally:
        root.removeHandler(heard)


def test_each_change_is_told_once(states: Any) -> None:
    narrator = Narrator()

    def told(state: dict[str, Any], now: int) -> str:
        return "\n".join(narrator.tell(state, 80, colour=False, now=now))

    state = states("bamogo", "..../..../..../RB..", moves="Ra1 Bb1")
    first = told(state, 0)
    assert "1. Ra1 Bb1 by player 1" in first
    assert first.endswith("waiting: Player 1: your turn")
    assert told(state, 100) == ""
    lit = states("bamogo", "..../..../..../RB..", moves="Ra1 Bb1", lights={"a1": Meaning.COUNTED})
    assert told(lit, 150) == "", "a light that goes out by itself is no news"
    later = states("bamogo", "..../..../..../R...")
    later["phase"] = "mending"
    assert told(later, 200).splitlines()[:2] == ["on the board: b1 empty", "taken back: Ra1 Bb1"]
    assert told(later, 300) == ""
