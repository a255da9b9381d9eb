"""A board behind a serial port in real time: opened, played on, pulled out; the firmware runs in a thread."""

import array
import asyncio
import fcntl
import os
import pty
import random
import select
import termios
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from controller.app.loop import Loop, clock
from controller.app.on_serial import await_cells, open_serial, serial_board
from controller.app.play import real_rig
from controller.app.rig import Rig
from controller.games.seam import load_game
from controller.match import Dealer
from controller.turns.phases import Phase
from hardware.board_plan import board_plan
from hardware.link_events import Wanted
from hardware.ports import DeviceError, Snapshot
from hardware.profile import load_profile
from simulator.device import Board, InProcess

PROFILE = load_profile("exago-5-reeds")
PATIENCE_S = 20.0


class Running:
    """The firmware of a board, in a thread and in real time, behind a pseudo-terminal."""

    def __init__(self) -> None:
        self.master, self.slave = pty.openpty()
        self.path = os.ttyname(self.slave)
        self.closed = bytes(91)
        self.shown = b""
        self._stop = os.pipe()
        self._ended = False
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        os.set_blocking(self.master, False)
        runner = InProcess(board_plan(PROFILE))
        runner.start(self.master, 0, 0)
        waiting = array.array("i", [0])
        began = time.monotonic()
        wait = 0
        while True:
            came = select.select([self.master, self._stop[0]], [], [], wait / 1000)[0]
            if self._stop[0] in came:
                return
            fcntl.ioctl(self.master, termios.FIONREAD, waiting)
            turn = runner.turn(int((time.monotonic() - began) * 1000), waiting[0], Board(self.closed, bytes(5)))
            self.shown = self.shown if turn.shown is None else turn.shown
            wait = turn.due

    def end(self) -> None:
        """Pull the cable. Twice is fine."""
        if self._ended:
            return
        self._ended = True
        os.write(self._stop[1], b".")
        self._thread.join(PATIENCE_S)
        for fd in (self.master, self.slave, *self._stop):
            os.close(fd)


@pytest.fixture
def device() -> Iterator[Running]:
    running = Running()
    yield running
    running.end()


def exago(port: str) -> Rig:
    game = load_game("exago")
    return real_rig(Dealer(game, None, {}, random.Random(1)), PROFILE, port)


async def until(rig: Rig, true: Callable[[], bool]) -> None:
    """Run a rig until something holds, and wake only when the rig does."""
    done = asyncio.Event()
    loop = Loop(rig)
    loop.listeners.append(lambda: done.set() if true() else None)
    task = asyncio.ensure_future(loop.run())
    try:
        await asyncio.wait_for(done.wait(), PATIENCE_S)
    finally:
        task.cancel()


def test_a_stone_is_answered_by_the_devices_own_pixels(device: Running) -> None:
    rig = exago(device.path)
    dark = bytes(3 * 115)

    async def play() -> None:
        await until(rig, lambda: device.shown not in (b"", dark))
        before = device.shown
        device.closed = bytes(k == 45 for k in range(91))
        await until(rig, lambda: device.shown != before and rig.table.watch is not None)
        assert rig.table.watch is not None
        assert rig.table.watch.readings[45] == 1

    try:
        asyncio.run(play())
    finally:
        rig.close()


def test_s1_a_pulled_cable_pauses_the_game(device: Running) -> None:
    rig = exago(device.path)

    async def play() -> None:
        await until(rig, lambda: rig.table.watch is not None)
        device.end()
        await until(rig, lambda: rig.table.phase is Phase.OFFLINE)

    asyncio.run(play())
    rig.close()
    rig.close()


def test_nothing_is_told_twice_and_nothing_is_lost_at_the_start(device: Running) -> None:
    board, lamps = open_serial(PROFILE, device.path)
    first = board.poll(clock())
    assert [type(each) for each in first[-1:]] == [Snapshot]
    lamps.close()
    board.close()


def test_the_wrong_board_is_refused_at_once(device: Running) -> None:
    board = serial_board(Wanted(cells=48), device.path)
    with pytest.raises(DeviceError, match="91 cells instead of 48"):
        await_cells(board, clock)
    board.close()


def test_a_port_that_is_not_there() -> None:
    with pytest.raises(DeviceError, match="there is no port /dev/no-such-port"):
        open_serial(PROFILE, "/dev/no-such-port")


def test_nothing_answers() -> None:
    master, slave = pty.openpty()
    now = iter(range(0, 100_000, 100))
    board = serial_board(Wanted(), os.ttyname(slave))
    with pytest.raises(DeviceError, match="stonelight flash"):
        await_cells(board, lambda: next(now))
    board.close()
    os.close(master)
    os.close(slave)
