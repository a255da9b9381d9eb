"""A board behind a serial port that an event loop watches: what is told first, and what is written when."""

import asyncio
from collections.abc import Callable
from typing import Any

from hardware import wire_messages as says
from hardware.link import Link
from hardware.link_answers import ACK_MS, HALF_WINDOW
from hardware.ports import CellChange
from hardware.serial_board import SerialBoard
from hardware.serial_plug import Plug
from hardware.wire import ACK

CELLS = 4


def watched(far: Any, then: Callable[[SerialBoard], None]) -> None:
    """Open the port, begin a session at 100 with everything acknowledged, and go on."""

    async def run() -> None:
        board = SerialBoard(Link(), Plug(lambda: ["far"], lambda _: far))
        board.listen(lambda: None)
        board.poll(0)
        far.greet()
        far.lay()
        far.says = [b"".join(far.says)]
        board.poll(50)
        board.poll(100)
        far.heard.clear()
        then(board)
        board.close()

    asyncio.run(run())


def test_an_acknowledgement_that_may_wait_is_written_in_time(far: Any) -> None:
    def then(board: SerialBoard) -> None:
        far.change(1, 1)
        assert [type(each) for each in board.poll(200)] == [CellChange]
        assert board.due() == 200 + ACK_MS
        assert far.kinds() == []
        board.poll(200 + ACK_MS)
        assert far.kinds() == [ACK]

    watched(far, then)


def test_changes_are_told_before_anything_is_written_for_them(far: Any) -> None:
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


def test_lamps_that_answer_a_change_take_its_acknowledgement_along(far: Any) -> None:
    def then(board: SerialBoard) -> None:
        far.change(1, 1)
        board.poll(200)
        board.light(b"\1\2\3" * 2)
        assert far.kinds() == [ACK, says.LAMPS]

    watched(far, then)


def test_what_is_owed_at_once_is_written_by_the_next_poll_whatever_comes_then(far: Any) -> None:
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


def test_what_the_port_did_not_take_is_written_as_soon_as_it_does(far: Any) -> None:
    def then(board: SerialBoard) -> None:
        take, far.write = far.write, lambda data: 0
        board.light(b"\1\2\3" * 2)
        far.write = take
        board.poll(120)
        assert far.kinds() == [says.LAMPS]

    watched(far, then)
