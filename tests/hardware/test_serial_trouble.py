"""A board that answers and yet cannot be played on is told from one that is silent, and both from what is no board."""

from collections.abc import Callable
from typing import Any

import pytest

from hardware import wire_messages as says
from hardware.link import Link
from hardware.link_session import DEAF_MS, FIRST_MS, UNTOLD_MS
from hardware.ports import CellChange, LinkNews, Sensed, Snapshot
from hardware.serial_board import SerialBoard
from hardware.serial_plug import Plug
from hardware.wire import seal

PACE = {"scan_ms": 20, "busy_ms": 5, "samples": 3, "agree_ms": 10}


class Desk:
    """A board, time, and a far end that does each hundred milliseconds what it is told to."""

    def __init__(self, far: Any) -> None:
        self.far = far
        self.now = 0
        self.board = SerialBoard(Link(), Plug(lambda: ["far"], lambda _: far))

    def run(self, span: int, does: Callable[["Desk"], None] = lambda _: None) -> list[Sensed]:
        told: list[Sensed] = []
        for _ in range(span // 100):
            self.now += 100
            does(self)
            told += self.board.poll(self.now)
            for _ in range(3):  # what was read is answered
                told += self.board.poll(self.now)
        return told

    def answer(self) -> None:
        """Greet where an OPEN has come."""
        if self.far.heard and 0x10 in self.far.kinds():
            self.far.greet()

    def begin(self) -> None:
        self.run(100)
        self.answer()
        self.far.lay()
        told = self.run(100)
        assert [type(each) for each in told] == [LinkNews, Snapshot]


@pytest.fixture
def desk(far: Any) -> Desk:
    return Desk(far)


def whys(told: list[Sensed]) -> list[str]:
    return [each.why for each in told if isinstance(each, LinkNews) and not each.up]


def beats(desk: Desk) -> None:
    """A good device at rest, which takes all that it is sent."""
    desk.answer()
    if desk.now % 1000 == 0:
        desk.far.lay()
        desk.far.beat(desk.now)


def test_a_good_device_at_rest_stays_up(desk: Desk) -> None:
    desk.begin()
    assert desk.run(20_000, beats) == []


def test_a_board_is_up_once_it_has_told_its_cells(desk: Desk) -> None:
    """Else play would be paused without a word."""
    desk.run(100)
    desk.answer()
    assert desk.run(FIRST_MS - 200, lambda desk: desk.far.beat(desk.now)) == []
    (why,) = whys(desk.run(400, lambda desk: desk.far.beat(desk.now)))
    assert "does not tell its cells" in why
    desk.answer()
    desk.far.lay()
    news, laid = desk.run(100)
    assert isinstance(news, LinkNews)
    assert news.up
    assert isinstance(laid, Snapshot)


def test_cells_that_it_has_not_are_told_in_vain(desk: Desk) -> None:
    desk.run(100)
    desk.answer()
    desk.far.lay(bytes(3))
    (why,) = whys(desk.run(FIRST_MS + 100, lambda desk: desk.far.beat(desk.now)))
    assert "makes no sense" in why


@pytest.mark.parametrize("skipped", [1, 5, 20, 100])
def test_a_number_that_was_skipped_ends_the_session_before_long(desk: Desk, skipped: int) -> None:
    """Beats go on, and nothing that is told can be taken: people would wait for ever."""
    desk.begin()
    desk.far.number += skipped
    assert desk.run(UNTOLD_MS - 1000, beats) == []
    told = desk.run(3000, beats)
    assert "does not tell its cells" in whys(told)[0]
    assert [each.up for each in told if isinstance(each, LinkNews)] == [False, True]
    desk.far.change(1, 1)
    assert [type(each) for each in desk.run(100)] == [CellChange]


def test_who_takes_nothing_that_it_is_sent_is_told(desk: Desk) -> None:
    desk.begin()
    desk.board.light(b"\1\2\3" * 2)

    def acknowledges_nothing(desk: Desk) -> None:
        if desk.now % 1000 == 0:
            desk.far.lay()
            desk.far.beat(desk.now)

    assert desk.run(DEAF_MS - 300, acknowledges_nothing) == []
    (why,) = whys(desk.run(600, acknowledges_nothing))
    assert "lights stand still" in why


def test_who_takes_it_late_is_not(desk: Desk) -> None:
    desk.begin()
    for number in range(1, 6):
        desk.board.light(bytes((number,)) * 6)
        assert desk.run(DEAF_MS - 1000, lambda desk: desk.far.lay() if desk.now % 1000 == 0 else None) == []
        for _ in range(8):  # and then rests for longer than it may be deaf
            desk.far.lay()
            desk.far.beat(desk.now, number)
            assert desk.run(1000) == []


@pytest.mark.parametrize(
    ("hello", "said"),
    [
        ({"channels": 0}, "the number of bytes for a pixel is 0, and should be 3 to 4"),
        ({"sensing": 9}, "what the cells tell is 9, and should be 0 to 2"),
        ({"scan_ms": 0}, "scan_ms is 0, and should be 1 to 250"),
        ({"samples": 17}, "samples is 17, and should be 1 to 16"),
        ({"top": 0}, "the greatest reading is 0, and should be 1 to 254"),
        ({"top": 255}, "the greatest reading is 255, and should be 1 to 254"),
    ],
)
def test_a_greeting_that_makes_no_sense_is_told_by_its_number(desk: Desk, hello: dict[str, int], said: str) -> None:
    desk.far.hello = hello
    (why,) = whys(desk.run(3000, Desk.answer))
    assert said in why
    assert "greeting makes no sense" in why
    desk.far.hello = {}
    desk.run(1100, Desk.answer)
    desk.far.lay()
    assert [type(each) for each in desk.run(100)] == [LinkNews, Snapshot]


def test_texts_of_a_board_do_not_reach_the_terminal_as_they_are(desk: Desk) -> None:
    desk.board.link._wanted = type(desk.board.link._wanted)(cells=16)
    desk.far.texts = ("\x1b]0;pwn\x07", "\x1b[31mRED\x07\n" + "x" * 150)
    (why,) = whys(desk.run(1000, Desk.answer))
    assert why.isprintable()
    assert "?[31mRED??xxx" in why
    assert len(why) < 500


@pytest.mark.parametrize(
    ("noise", "said"),
    [
        (b"\x01\x99\x80\xff\xfe\xee\xaa" * 5 + b"\0", "is damaged, or no message of a board"),
        (b"Hello from another sketch: 17\r\n", "something else than the board's firmware writes text"),
        (b"AT\r\n", "looks for a modem"),
        (b"\xff" * 600, "is damaged, or no message of a board"),
    ],
)
def test_what_comes_in_place_of_a_board_is_told(desk: Desk, noise: bytes, said: str) -> None:

    def talks(desk: Desk) -> None:
        if desk.now % 300 == 0:
            desk.far.says.append(noise)

    told = desk.run(3000, talks)
    (why,) = whys(told)
    assert said in why


def test_a_device_that_only_greets_does_not_keep_us_busy(desk: Desk) -> None:
    """Each first snapshot is followed by the greeting of a device that has just started."""
    desk.begin()
    greeting = bytes((says.HELLO, 0)) + says.pack_hello(
        dict.fromkeys(says.HELLO_WORDS, 0) | {"protocol": 1, "cells": 4, "top": 1, "channels": 3} | PACE, "", "", []
    )

    def starts_again(desk: Desk) -> None:
        desk.answer()
        desk.far.lay()
        desk.far.says.append(seal(greeting))

    told = desk.run(10_000, starts_again)
    assert 10 <= len(whys(told)) <= 21


@pytest.mark.parametrize("asks", [True, False])
def test_cells_are_told_anew_once_a_broken_chain_is_whole(desk: Desk, asks: bool) -> None:
    """Whether the device marks the snapshot that it was asked for or not; its power has not failed meanwhile."""
    desk.begin()
    desk.far.numbered(says.FAULT, says.pack_fault(says.FAULT_CHAIN, 1, 0))
    assert "registers" in whys(desk.run(100))[0]
    desk.far.change(1, 1)
    desk.far.numbered(says.FAULT, says.pack_fault(says.FAULT_CHAIN, 0, 0))
    assert desk.run(100) == []
    flags = says.SNAP_LAST | (says.SNAP_ASKED if asks else 0)
    desk.far.numbered(says.SNAPSHOT, says.pack_snapshot(0, 0, flags, b"\0\1\0\0"))
    news, laid = desk.run(100)
    assert isinstance(news, LinkNews)
    assert (news.up, news.powered) == (True, True)
    assert isinstance(laid, Snapshot)
    assert laid.readings == (0, 1, 0, 0)


def test_a_chain_that_was_broken_before_the_first_snapshot_brings_no_board_up(desk: Desk) -> None:
    desk.run(100)
    desk.answer()
    for on in (1, 0):
        desk.far.numbered(says.FAULT, says.pack_fault(says.FAULT_CHAIN, on, 0))
    assert [each.up for each in desk.run(500) if isinstance(each, LinkNews)] == [False]
    desk.far.lay()
    assert [type(each) for each in desk.run(100)] == [LinkNews, Snapshot]


def test_a_device_that_comes_back_with_a_senseless_greeting_is_not_called_silent(desk: Desk) -> None:
    desk.begin()
    desk.far.hello = {"top": 0}

    def greets(desk: Desk) -> None:
        if desk.now % 400 == 0:
            desk.far.greet()

    assert "the greatest reading is 0" in whys(desk.run(3000, greets))[0]


def test_a_prompt_of_long_ago_is_not_why_the_cable_is_out(desk: Desk) -> None:
    desk.begin()
    desk.far.says.append(b"\r\n>>> \0")
    assert desk.run(10_000, beats) == []
    assert "gone silent" in whys(desk.run(3000))[0]


def test_noise_of_long_ago_does_not_say_why_a_board_is_silent(desk: Desk) -> None:
    desk.begin()
    desk.far.says.append(b"AT\r\n\0")
    (silent, nobody) = whys(desk.run(6000))
    assert "gone silent" in silent
    assert "nothing answers" in nobody


@pytest.mark.parametrize(
    ("reset", "time", "powered"),
    [(0, 65_000, True), (0, 100, False), (1, 100, False), (6, 100, False), (4, 100, True), (5, 100, True)],
)
def test_whether_its_power_failed_is_told_by_its_clock_and_its_reason(
    desk: Desk, reset: int, time: int, powered: bool
) -> None:
    """The clock shows about 65,000 where it has gone on, and little after a start."""
    desk.far.hello = {"time": 60_000, "reset": reset}
    desk.begin()
    desk.run(5000)
    desk.far.hello["time"] = time
    desk.answer()
    desk.far.lay()
    news = desk.run(100)[0]
    assert isinstance(news, LinkNews)
    assert (news.up, news.powered) == (True, powered)


@pytest.mark.parametrize(
    "tail", [b"", b"\r\nCode done running.\r\n\r\nPress any key to enter the REPL. Use CTRL-D to reload.\r\n>>> "]
)
def test_a_traceback_is_told_by_what_was_raised(desk: Desk, tail: bytes) -> None:
    said = b'Traceback (most recent call last):\r\n  File "code.py", line 3\r\nMemoryError: no room'
    desk.run(100)
    desk.far.says.append(said + tail)
    (why,) = whys(desk.run(3000))
    assert why.endswith("(MemoryError: no room)")
