"""A board behind a serial port that an event loop watches: what is told first, and what is written when."""

import asyncio
import os
from collections.abc import Callable

import pytest

from hardware import wire_messages as says
from hardware.link import Link
from hardware.link_answers import ACK_MS, HALF_WINDOW
from hardware.ports import CellChange
from hardware.serial_board import SerialBoard
from hardware.serial_plug import Plug
from hardware.wire import ACK, Deframer, seal

CELLS = 4
NUMBERS = {"protocol": says.PROTOCOL, "cells": CELLS, "top": 1, "pixels": 2, "channels": 3}
PACE = {"scan_ms": 20, "busy_ms": 5, "samples": 3, "agree_ms": 10}


class Far:
    """The far end of a port, as the channel to it: what it says is read, what is written is noted as payloads."""

    def __init__(self) -> None:
        self.fd, self._other = os.pipe()
        self.says: list[bytes] = []
        self.heard: list[bytes] = []
        self.session = 0
        self._number = 0
        self._deframer = Deframer()

    def read(self) -> bytes:
        return self.says.pop(0) if self.says else b""

    def write(self, data: bytes) -> int:
        self.heard += [payload for payload in self._deframer.feed(data) if isinstance(payload, bytes)]
        return len(data)

    def close(self) -> None:
        os.close(self.fd)
        os.close(self._other)

    def greet(self) -> None:
        """Answer the OPEN that came, and tell that all cells are empty."""
        (opening,) = self.heard
        opened = says.unpack_open(opening[2:])
        assert opened is not None
        self.session = opening[1]
        about = dict.fromkeys(says.HELLO_WORDS, 0) | NUMBERS | PACE | {"nonce": opened[1]}
        hello = bytes((says.HELLO, self.session)) + says.pack_hello(about, "", "far", [])
        laid = says.pack_snapshot(0, 0, says.SNAP_LAST, bytes(CELLS))
        self.says.append(seal(hello) + self._numbered(says.SNAPSHOT, laid))

    def change(self, cell: int, reading: int) -> None:
        self.says.append(self._numbered(says.CHANGES, says.pack_changes(0, [(cell, reading, 0)])))

    def _numbered(self, kind: int, body: bytes) -> bytes:
        self._number += 1
        return seal(bytes((kind, self.session, self._number - 1)) + body)

    def kinds(self) -> list[int]:
        kinds = [payload[0] for payload in self.heard]
        self.heard.clear()
        return kinds


@pytest.fixture
def far() -> Far:
    return Far()


def watched(far: Far, then: Callable[[SerialBoard], None]) -> None:
    """Open the port, begin a session at 100 with everything acknowledged, and go on."""

    async def run() -> None:
        board = SerialBoard(Link(), Plug(lambda: ["far"], lambda _: far))
        board.listen(lambda: None)
        board.poll(0)
        far.greet()
        board.poll(50)
        board.poll(100)
        far.heard.clear()
        then(board)
        board.close()

    asyncio.run(run())


def test_an_acknowledgement_that_may_wait_is_written_in_time(far: Far) -> None:
    def then(board: SerialBoard) -> None:
        far.change(1, 1)
        assert [type(each) for each in board.poll(200)] == [CellChange]
        assert board.due() == 200 + ACK_MS
        assert far.kinds() == []
        board.poll(200 + ACK_MS)
        assert far.kinds() == [ACK]

    watched(far, then)


def test_changes_are_told_before_anything_is_written_for_them(far: Far) -> None:
    def then(board: SerialBoard) -> None:
        for number in range(HALF_WINDOW):
            far.change(number % CELLS, 1 - number // CELLS % 2)
        far.says = [b"".join(far.says)]
        assert [type(each) for each in board.poll(200)] == [CellChange] * HALF_WINDOW
        assert far.kinds() == []
        due = board.due()
        assert due is not None
        assert due <= 200  # at once
        board.poll(200)
        assert far.kinds() == [ACK]

    watched(far, then)


def test_lamps_that_answer_a_change_take_its_acknowledgement_along(far: Far) -> None:
    def then(board: SerialBoard) -> None:
        far.change(1, 1)
        board.poll(200)
        board.light(b"\1\2\3" * 2)
        assert far.kinds() == [ACK, says.LAMPS]

    watched(far, then)


def test_what_is_owed_at_once_is_written_by_the_next_poll_whatever_comes_then(far: Far) -> None:
    """A device that never stops telling changes is acknowledged all the same."""

    def then(board: SerialBoard) -> None:
        for number in range(4 * HALF_WINDOW):
            far.change(number % CELLS, 1 - number // CELLS % 2)
            assert [type(each) for each in board.poll(200 + number)] == [CellChange]
            due = board.due()
            assert due is not None
            if number % HALF_WINDOW == HALF_WINDOW - 1:
                assert due <= 200 + number  # at once
        assert far.kinds() == [ACK] * 3

    watched(far, then)


def test_what_the_port_did_not_take_is_written_as_soon_as_it_does(far: Far) -> None:
    def then(board: SerialBoard) -> None:
        take, far.write = far.write, lambda data: 0  # type: ignore[method-assign]
        board.light(b"\1\2\3" * 2)
        far.write = take  # type: ignore[method-assign]
        board.poll(120)
        assert far.kinds() == [says.LAMPS]

    watched(far, then)
