"""A board behind a serial port in real time: opened, played on, pulled out; the firmware runs in a thread."""

import asyncio
import os
import pty
import random
import tty
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from types import SimpleNamespace
from typing import cast

import pytest

from controller.app.loop import Loop, clock
from controller.app.on_serial import await_cells, converse, open_serial, pace_of, serial_board
from controller.app.play import real_rig
from controller.app.rig import Rig
from controller.games.seam import load_game
from controller.match import Dealer
from controller.turns.phases import Phase
from hardware.board_plan import board_plan
from hardware.link import Stage
from hardware.link_events import Configured, LinkEvent, Settings, Wanted
from hardware.ports import CellChange, DeviceError, LinkNews, Sensed, Snapshot
from hardware.profile import load_profile
from hardware.serial_board import SerialBoard
from hardware.serial_plug import Plug
from simulator.device_live import LiveDevice

PROFILE = load_profile("exago-5-reeds")
PATIENCE_S = 20.0


@pytest.fixture
def device() -> Iterator[LiveDevice]:
    live = LiveDevice(board_plan(PROFILE), clock)
    yield live
    live.unplug()


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


def test_a_stone_is_answered_by_the_devices_own_pixels(device: LiveDevice) -> None:
    rig = exago(device.path)
    dark = bytes(3 * 115)

    def seen() -> bool:
        return rig.table.watch is not None and rig.table.watch.readings[45] == 1

    async def play() -> None:
        await until(rig, lambda: device.shown not in (b"", dark))
        device.closed = bytes(k == 45 for k in range(91))
        before: list[bytes] = []

        def answered() -> bool:
            # A frame of before may still be on its way when the stone is seen.
            if seen() and not before:
                before.append(device.shown)
            return bool(before) and device.shown != before[0]

        await until(rig, answered)
        assert rig.table.phase is not Phase.WAITING

    try:
        asyncio.run(play())
    finally:
        rig.close()


def test_s1_a_pulled_cable_pauses_the_game(device: LiveDevice) -> None:
    rig = exago(device.path)

    async def play() -> None:
        await until(rig, lambda: rig.table.watch is not None)
        device.unplug()
        await until(rig, lambda: rig.table.phase is Phase.OFFLINE)

    asyncio.run(play())
    rig.close()
    rig.close()


def test_nothing_is_told_twice_and_nothing_is_lost_at_the_start(device: LiveDevice) -> None:
    board, lamps = open_serial(PROFILE, device.path)
    first = board.poll(clock())
    assert [type(each) for each in first[-1:]] == [Snapshot]
    lamps.close()
    board.close()


def test_the_wrong_board_is_refused_at_once(device: LiveDevice) -> None:
    board = serial_board(Wanted(cells=48), device.path)
    with pytest.raises(DeviceError, match="91 cells instead of 48"):
        await_cells(board, clock)
    board.close()


def test_a_board_that_is_still_starting_is_waited_for(device: LiveDevice) -> None:
    """Its first second and a half of silence is told, and is no reason to give up."""
    board = serial_board(Wanted(), device.path)
    silent = LinkNews(up=False, why="nothing answers", at=0)
    real = board.poll

    def starting(now: int) -> Sequence[Sensed]:
        board.poll = real  # type: ignore[method-assign]
        return [silent, *real(now)]

    board.poll = starting  # type: ignore[method-assign]
    await_cells(board)
    told = board.poll(clock())
    assert silent not in told  # it is over
    assert isinstance(told[-1], Snapshot)
    board.close()


def test_a_board_that_starts_anew_while_it_greets_is_waited_for(caplog: pytest.LogCaptureFixture) -> None:
    """Its port is gone for a moment: it is opened again, as people are told."""
    moments = iter(range(0, 100_000, 50))
    sent: list[list[Sensed]] = [[], [LinkNews(False, "the port is gone", 0)], *[[] for _ in range(20)]]
    sent.append([LinkNews(True, "", 0), Snapshot((0,), 0)])

    class Starting:
        """A serial board, as far as it is asked here."""

        plug = SimpleNamespace(channel=SimpleNamespace(fd=None), where="/dev/ttyACM7")
        link = SimpleNamespace(stage=Stage.OPENING)

        def poll(self, _now: int) -> list[Sensed]:
            told = sent.pop(0)
            if LinkNews(False, "the port is gone", 0) in told:
                self.plug.channel = None
            return told

        def due(self) -> int:
            return 0

        def unread(self, told: list[Sensed]) -> None:
            self.told = told

    board = Starting()
    await_cells(cast("SerialBoard", board), lambda: next(moments))
    assert [type(each) for each in board.told] == [LinkNews, Snapshot]
    assert caplog.messages == ["waiting for the board to answer on /dev/ttyACM7"]


def test_a_port_that_is_not_there() -> None:
    with pytest.raises(DeviceError, match="there is no port /dev/no-such-port"):
        open_serial(PROFILE, "/dev/no-such-port")


def settings_of(board: SerialBoard) -> Settings:
    hello = board.link.hello
    assert hello is not None
    return hello.settings


def test_a_board_scans_as_its_profile_says_now(device: LiveDevice) -> None:
    cells = PROFILE.cells.model_copy(update={"scan_ms": 30, "agree_samples": 4})
    changed = PROFILE.model_copy(update={"cells": cells})
    board, _ = open_serial(changed, device.path)
    told: list[LinkEvent] = []
    board.heard = told.extend
    assert settings_of(board) != pace_of(changed)
    assert converse(board, lambda _: any(isinstance(each, Configured) for each in told), 5000)
    board.close()
    board, _ = open_serial(changed, device.path)
    assert settings_of(board) == pace_of(changed) == Settings(30, 5, 4, 10)
    board.close()


@pytest.mark.parametrize("name", ["bao-4x12", "exago-5-reeds"])
def test_a_board_as_it_was_flashed_is_told_nothing(name: str) -> None:
    profile = load_profile(name)
    device = LiveDevice(board_plan(profile), clock)
    board, _ = open_serial(profile, device.path)
    assert settings_of(board) == pace_of(profile)
    board.close()
    device.unplug()


def test_a_board_that_was_set_up_as_another_is_told_of(device: LiveDevice, caplog: pytest.LogCaptureFixture) -> None:
    board, _ = open_serial(PROFILE.model_copy(update={"name": "mine"}), device.path)
    board.close()
    (warned,) = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert "set up as 'exago-5-reeds', and the profile is 'mine'" in warned
    assert "stonelight flash" in warned


def test_a_board_whose_profile_was_changed_since_is_refused(device: LiveDevice) -> None:
    lamps = PROFILE.lamps.model_copy(update={"pin": PROFILE.lamps.pin + 1})
    with pytest.raises(DeviceError, match=r"before it was changed.*stonelight flash"):
        open_serial(PROFILE.model_copy(update={"lamps": lamps}), device.path)


def test_nothing_answers() -> None:
    master, slave = pty.openpty()
    now = iter(range(0, 100_000, 500))
    board = serial_board(Wanted(), os.ttyname(slave))
    with pytest.raises(DeviceError, match="stonelight flash"):
        await_cells(board, lambda: next(now))
    board.close()
    os.close(master)
    os.close(slave)


def test_c3_the_loop_sleeps_between_beats_and_wakes_at_once(device: LiveDevice) -> None:
    """No polling: in a second and a half at rest there are beats, snapshots and acknowledgements, and nothing else."""
    board, _ = open_serial(PROFILE, device.path)
    polls: list[int] = []

    async def rest() -> None:
        stirred = asyncio.Event()
        board.listen(stirred.set)
        end = clock() + 1500
        while clock() < end:
            polls.append(clock())
            board.poll(clock())
            due = board.due()
            assert due is not None
            with suppress(TimeoutError):
                await asyncio.wait_for(stirred.wait(), max(0, due - clock()) / 1000)
            stirred.clear()
        device.move(bytes(k == 3 for k in range(91)))
        told: list[Sensed] = []
        while not any(isinstance(each, CellChange) for each in told):
            told += board.poll(clock())
            await asyncio.wait_for(stirred.wait(), PATIENCE_S)  # woken by the port alone
            stirred.clear()

    try:
        asyncio.run(rest())
    finally:
        board.close()
    assert len(polls) < 60


def test_c3_what_a_stalled_device_does_not_take_is_written_once_it_does() -> None:
    master, slave = pty.openpty()
    tty.setraw(slave)
    plug = Plug(lambda: [os.ttyname(slave)])
    sent = bytes(range(256)) * 100

    async def stall() -> bytes:
        came = bytearray()
        stirred = asyncio.Event()
        plug.listen(stirred.set)
        assert plug.open(0) is None
        plug.write(sent)

        def take() -> None:
            came.extend(os.read(master, 4096))
            stirred.set()

        asyncio.get_running_loop().add_reader(master, take)
        while len(came) < len(sent):
            await asyncio.wait_for(stirred.wait(), PATIENCE_S)
            stirred.clear()
            plug.write(b"")
        return bytes(came)

    assert asyncio.run(stall()) == sent
    plug.close()
    os.close(master)
    os.close(slave)
