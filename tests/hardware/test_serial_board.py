"""A board behind a serial port: the firmware at the far end of a pseudo-terminal, pulled cables, and strangers."""

import array
import asyncio
import fcntl
import gc
import itertools
import os
import pty
import select
import socket
import termios
import tty
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
import serial

from hardware.board_plan import board_plan
from hardware.link import Link
from hardware.link_events import Can, Wanted
from hardware.pixels import Chain
from hardware.ports import ButtonPress, CellChange, DeviceError, LinkNews, Sensed, Sensing, Snapshot
from hardware.profile import load_profile
from hardware.serial_board import SHORT, SerialBoard, SerialLamps, wanted_by
from hardware.serial_plug import LAST_RETRY_MS, NO_PORT, Plug
from hardware.serial_port import Channel, open_channel
from simulator.device import Device, InProcess

PLAN: dict[str, Any] = {
    "board": "first",
    "cells": 4,
    "driver": "matrix",
    "rows": ["GP0", "GP1"],
    "columns": ["GP12", "GP13"],
    "pixels": 8,
    "pixel_pin": "GP22",
    "buttons": ["ok"],
    "button_pins": ["GP15"],
}
WANTED = Wanted(board="first", cells=4, sensing=Sensing.PRESENCE, pixels=8, channels=3)
CHAIN = Chain(places=(0, 1, 2, 3), count=8, order="GRB", budget_ma=500)


class Hands:
    def __init__(self) -> None:
        self.on: set[int] = set()
        self.down: set[str] = set()

    def closed(self, cell: int) -> bool:
        return cell in self.on

    def pressed(self, button: str) -> bool:
        return button in self.down


class Counted:
    """A channel that counts what is written, since the simulated device waits for just so much."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.written = 0

    @property
    def fd(self) -> int | None:
        return self.channel.fd

    def read(self) -> bytes:
        return self.channel.read()

    def write(self, data: bytes) -> int:
        taken = self.channel.write(data)
        self.written += taken
        return taken

    def close(self) -> None:
        self.channel.close()


def wait_for(fd: int, count: int) -> None:
    """Wait until so many bytes can be read."""
    waiting = array.array("i", [0])
    while waiting[0] < count:
        assert select.select([fd], [], [], 10)[0]
        fcntl.ioctl(fd, termios.FIONREAD, waiting)


class Desk:
    """A device, its cable, and the board as the controller has it; one clock."""

    def __init__(self, plan: dict[str, Any] = PLAN, wanted: Wanted = WANTED) -> None:
        self.now = 0
        self.hands = Hands()
        self.device = Device(plan, self.hands, InProcess(plan))
        self.ports: list[str] = []
        self.opened: list[str] = []
        self.channel: Counted | None = None
        self.board = SerialBoard(Link(wanted, nonce=7), Plug(lambda: self.ports, self._open))

    def _open(self, url: str) -> Channel:
        self.opened.append(url)
        self.channel = Counted(open_channel(url))
        return self.channel

    def plug(self) -> None:
        self.ports = [self.device.plug(self.now)]

    def run(self, until: int) -> list[Sensed]:
        """Lock-step: what was written has been read before time moves."""
        told: list[Sensed] = []
        while self.now < until:
            told += self.board.poll(self.now)
            due = self.board.due()
            nexts = [until] if due is None else [until, due]
            if self.device.path is not None and self.channel is not None and self.channel.fd is not None:
                written, self.channel.written = self.channel.written, 0
                turn = self.device.turn(self.now, written)
                wait_for(self.channel.fd, turn.written)
                told += self.board.poll(self.now)
                nexts.append(turn.due)
            self.now = max(self.now + 1, min(nexts))
        return told


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    yield desk
    desk.board.close()
    desk.device.close()


def up(told: list[Sensed]) -> list[bool]:
    return [news.up for news in told if isinstance(news, LinkNews)]


def whys(told: list[Sensed]) -> list[str]:
    return [news.why for news in told if isinstance(news, LinkNews) and not news.up]


def test_cells_buttons_and_pixels(desk: Desk) -> None:
    desk.plug()
    news, snapshot = desk.run(100)
    assert news == LinkNews(up=True, why="", at=0)
    assert isinstance(snapshot, Snapshot)
    assert snapshot.readings == (0, 0, 0, 0)
    desk.hands.on, desk.hands.down = {2}, {"ok"}
    press, change = sorted(desk.run(200), key=lambda each: type(each).__name__)
    assert isinstance(press, ButtonPress)
    assert press.button == "ok"
    assert isinstance(change, CellChange)
    assert (change.cell, change.reading) == (2, 1)
    assert 100 <= change.at <= 120
    lamps = SerialLamps(CHAIN, desk.board)
    lamps.show(bytes((255, 0, 0)) + bytes(9))
    desk.run(300)
    assert desk.device.pixels == bytes((0, 255, 0)) + bytes(21)
    lamps.dim(0.5)
    lamps.show(bytes((255, 0, 0)) + bytes(9))
    desk.run(400)
    assert desk.device.pixels == bytes((0, 128, 0)) + bytes(21)
    lamps.close()
    desk.run(500)
    assert desk.device.pixels == bytes(24)
    with pytest.raises(DeviceError, match="closed"):
        lamps.show(bytes(12))


def test_s1_unplug_and_replug_under_another_name(desk: Desk) -> None:
    desk.plug()
    desk.run(100)
    lamps = SerialLamps(CHAIN, desk.board)
    lamps.show(bytes((0, 0, 255)) * 4)
    first, desk.ports = desk.ports[0], []
    desk.device.unplug()
    told = desk.run(3000)
    taken = pty.openpty()  # takes the old name, so that the device's next one differs
    assert up(told) == [False, False]
    assert "cable" in whys(told)[0]
    assert whys(told)[1] == NO_PORT
    desk.hands.on = {1, 3}
    desk.plug()
    assert desk.ports[0] != first
    news, snapshot = desk.run(3000 + LAST_RETRY_MS + 100)
    assert isinstance(news, LinkNews)
    assert news.up
    assert isinstance(snapshot, Snapshot)
    assert snapshot.readings == (0, 1, 0, 1)
    assert desk.device.pixels == bytes((0, 0, 255)) * 4 + bytes(12)
    for fd in taken:
        os.close(fd)


def test_s1_tries_come_at_most_a_second_apart() -> None:
    tries: list[int] = []
    now = 0

    def search() -> list[str]:
        tries.append(now)
        return []

    board = SerialBoard(Link(), Plug(search))
    while now < 10_000:
        board.poll(now)
        due = board.due()
        assert due is not None
        now = due
    gaps = [after - before for before, after in itertools.pairwise(tries)]
    assert gaps[:5] == [100, 200, 400, 800, 1000]
    assert max(gaps) == LAST_RETRY_MS


def test_s3_a_reset_is_a_full_resync(desk: Desk) -> None:
    desk.plug()
    desk.run(100)
    desk.hands.on = {0}
    desk.device.reset(desk.now)
    told = desk.run(2000)
    assert up(told) == [False, True]
    assert "restarted" in whys(told)[0]
    assert isinstance(told[-1], Snapshot)
    assert told[-1].readings == (1, 0, 0, 0)


def test_a_device_that_stalls_is_told_and_comes_back(desk: Desk) -> None:
    desk.plug()
    desk.run(100)
    channel = desk.channel
    assert channel is not None
    path, desk.device.path = desk.device.path, None  # it gets no turns
    told = desk.run(5000)
    assert "silent" in whys(told)[0]
    assert "nothing answers" in whys(told)[1]
    desk.device.path = path
    told = desk.run(8000)
    assert up(told)[-1:] == [True]
    assert isinstance(told[-1], Snapshot)


def test_a_broken_chain_is_no_empty_board() -> None:
    plan = {**PLAN, "driver": "chain", "load": "GP1", "clock": "GP2", "data": "GP0", "registers": 1}
    desk = Desk(plan)
    desk.plug()
    desk.hands.on = {3}
    desk.run(100)
    desk.device.broken = True
    desk.hands.on = set()
    told = desk.run(2500)
    assert [type(each) for each in told] == [LinkNews]
    assert "registers" in whys(told)[0]
    desk.device.broken = False
    news, snapshot, change = desk.run(3000)
    assert isinstance(news, LinkNews)
    assert news.up
    assert isinstance(snapshot, Snapshot)  # the stone was lifted while nobody could see it
    assert isinstance(change, CellChange)
    assert (change.cell, change.reading) == (3, 0)
    desk.board.close()
    desk.device.close()


def test_a_shorted_line_hides_all_cells_until_it_is_mended(desk: Desk) -> None:
    runner = InProcess(PLAN)
    desk.device._runner = runner
    desk.plug()
    desk.run(100)
    assert runner.hw is not None
    runner.hw.world.low = 0
    told = desk.run(300)
    assert "shorted" in whys(told)[0]
    desk.hands.on = {1}  # its own line is sound
    assert desk.run(2500) == []
    runner.hw.world.low = -1
    news, snapshot = desk.run(3000)
    assert isinstance(news, LinkNews)
    assert news.up
    assert isinstance(snapshot, Snapshot)
    assert snapshot.readings == (0, 1, 0, 0)


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        (Wanted(cells=91), "4 cells instead of 91"),
        (Wanted(pixels=115, sensing=Sensing.COLOUR), "8 pixels instead of 115, cells that tell presence instead"),
    ],
)
def test_the_wrong_board_is_named(wanted: Wanted, words: str) -> None:
    desk = Desk(wanted=wanted)
    desk.plug()
    (why,) = whys(desk.run(3000))
    assert words in why
    assert "'first'" in why
    desk.board.close()
    desk.device.close()


def test_the_right_one_of_several_ports_is_found(desk: Desk) -> None:
    strangers = [pty.openpty() for _ in range(2)]
    for _, slave in strangers:
        tty.setraw(slave)
    desk.plug()
    desk.ports = [os.ttyname(slave) for _, slave in strangers] + desk.ports
    desk.channel = None
    told: list[Sensed] = []
    while not told:
        told += desk.board.poll(desk.now)
        if desk.board.plug.where == desk.device.path:
            told += desk.run(desk.now + 300)
        desk.now += 50
        assert desk.now < 10_000
    assert up(told) == [True]
    assert desk.opened == desk.ports
    for fds in strangers:
        for fd in fds:
            os.close(fd)


def test_none_of_several_ports_is_the_board() -> None:
    masters = [pty.openpty() for _ in range(2)]
    paths = sorted(os.ttyname(slave) for _, slave in masters)
    board = SerialBoard(Link(WANTED), Plug(lambda: paths))
    told = [each for now in range(0, 9000, 50) for each in board.poll(now)]
    (why,) = whys(told)
    assert why.startswith(f"the board is on none of the ports: {paths[0]}: nothing answers")
    assert paths[1] in why
    board.close()
    for fds in masters:
        for fd in fds:
            os.close(fd)


# Strangers at the other end -------------------------------------------------------------------------------------------


class Stranger:
    """Something else than the firmware at the far end of a pseudo-terminal."""

    def __init__(self) -> None:
        self.master, self.slave = pty.openpty()
        tty.setraw(self.slave)
        self.path = os.ttyname(self.slave)
        self.board = SerialBoard(Link(WANTED), Plug(lambda: [self.path]))

    def tell(self, now: int, data: bytes) -> list[Sensed]:
        os.write(self.master, data)
        fd = self.fd()
        select.select([fd], [], [], 10)
        return [*self.board.poll(now)]

    def fd(self) -> int:
        channel = self.board.plug.channel
        assert channel is not None
        assert channel.fd is not None
        return channel.fd

    def close(self) -> None:
        self.board.close()
        for fd in (self.master, self.slave):
            with suppress(OSError):
                os.close(fd)


@pytest.fixture
def stranger() -> Iterator[Stranger]:
    stranger = Stranger()
    stranger.board.poll(0)
    yield stranger
    stranger.close()


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (b"\r\nAdafruit CircuitPython 9.2.1\r\n>>> ", "Python prompt"),
        (b"Traceback (most recent call last):\r\nOSError: [Errno 5]\r\n\r\n>>> ", "stopped with an error"),
        (b"raspberrypi login: ", "asks for a login"),
    ],
    ids=["prompt", "traceback", "login"],
)
def test_c1_a_prompt_or_a_traceback_is_named(stranger: Stranger, said: bytes, words: str) -> None:
    told = stranger.tell(100, said)
    for now in range(150, 4000, 50):
        told += stranger.board.poll(now)
    (why,) = whys(told)
    assert words in why


def test_s5_a_modem_search_is_told_where_no_board_answers(stranger: Stranger) -> None:
    told = stranger.tell(100, b"AT\rAT\rATE0\r")
    for now in range(150, 2000, 50):
        told += stranger.board.poll(now)
    (why,) = whys(told)
    assert "ModemManager" in why


def test_c3_a_device_that_takes_nothing_blocks_nothing(stranger: Stranger) -> None:
    """Nobody reads at the far end: what waits is bounded, and closing does not wait for it."""
    for now in range(0, 2_000_000, 250):
        stranger.board.poll(now)
    assert len(stranger.board.plug._pending) <= 32768
    stranger.board.close()


def test_s6_frames_cut_at_every_byte_make_the_same_session(desk: Desk) -> None:
    desk.plug()
    whole = desk.channel
    told: list[Sensed] = []
    cut = _OneByOne(desk)
    desk.board.plug._opener = cut.open
    told = desk.run(500)
    assert whole is None
    assert up(told) == [True]
    assert isinstance(told[-1], Snapshot)


@pytest.mark.parametrize(("watched", "reads"), [(True, 1), (False, 2)])
def test_a_port_that_the_event_loop_watches_is_read_once_for_what_is_short(
    stranger: Stranger, watched: bool, reads: int
) -> None:
    """What comes later wakes the loop; without one, reading goes on until there is nothing."""
    channel = stranger.board.plug.channel
    assert channel is not None
    read, came = channel.read, list[bytes]()

    def noted() -> bytes:
        came.append(read())
        return came[-1]

    object.__setattr__(channel, "read", noted)

    async def poll() -> None:
        stirred = asyncio.Event()
        if watched:
            stranger.board.listen(stirred.set)
        stranger.tell(10, b"x" * (SHORT - 1))
        assert len(came) == reads
        came.clear()
        stranger.tell(20, b"x" * SHORT)
        assert len(came) == 2
        if watched:
            os.write(stranger.master, b"later")
            await asyncio.wait_for(stirred.wait(), 10)

    asyncio.run(poll())


def test_c3_room_wakes_only_as_long_as_something_waits_for_it() -> None:
    master, slave = pty.openpty()
    tty.setraw(slave)
    plug = Plug(lambda: [os.ttyname(slave)])

    async def fill() -> None:
        wakes = 0
        stirred = asyncio.Event()

        def wake() -> None:
            nonlocal wakes
            wakes += 1
            stirred.set()

        plug.listen(wake)
        assert plug.open(0) is None
        for _ in range(2):
            plug.write(bytes(30_000))
            assert plug._pending, "or all of this proves nothing"
            left = 30_000
            while left:
                left -= len(os.read(master, 4096))
                if plug._pending:
                    await asyncio.wait_for(stirred.wait(), 10)
                    stirred.clear()
                    plug.write(b"")
            wakes = 0
            for _ in range(5):
                await asyncio.sleep(0)
            assert wakes == 0

    asyncio.run(fill())
    plug.close()
    os.close(master)
    os.close(slave)


class _OneByOne:
    """Gives what came byte by byte."""

    def __init__(self, desk: Desk) -> None:
        self._open = desk._open
        self._rest = b""
        self._channel: Channel | None = None
        self._desk = desk

    def open(self, url: str) -> Channel:
        self._channel = self._open(url)
        whole = self._channel.read

        def read() -> bytes:
            self._rest += whole()
            data, self._rest = self._rest[:1], self._rest[1:]
            return data

        self._desk.board.plug.channel = None
        object.__setattr__(self._channel, "read", read)
        return self._channel


# Ports ----------------------------------------------------------------------------------------------------------------


def refused(url: str) -> str:
    with pytest.raises(DeviceError) as error:
        open_channel(url)
    return str(error.value)


def test_s1_a_port_is_opened_for_one_program_alone() -> None:
    master, slave = pty.openpty()
    path = os.ttyname(slave)
    first = open_channel(path)
    assert "another program" in refused(path)
    with pytest.raises(serial.SerialException):
        serial.serial_for_url(path, exclusive=True)
    modes = array.array("i", [0])
    fcntl.ioctl(slave, termios.TIOCGEXCL if hasattr(termios, "TIOCGEXCL") else 0x80045440, modes)
    assert modes[0] == 1  # so that programs that ask for no lock are kept out, too
    first.close()
    first.close()
    open_channel(path).close()
    os.close(master)
    os.close(slave)


def test_a_port_that_is_not_there_or_is_none() -> None:
    assert "no port /dev/no-such-port" in refused("/dev/no-such-port")
    assert "is no port" in refused("nonsense://x")
    assert "a socket has a host" in refused("socket://nowhere")
    assert "the name of the port is empty" in refused(" ")
    for url in ("rfc2217://", "rfc2217://h:1?ign_set_control&logging=xx", "loop://?x=1", "socket://host:x"):
        said = refused(url)  # and none of pyserial's inner words
        assert said.startswith(f"{url!r} is no port that can be opened: give a path")
    assert refused("rfc2217://127.0.0.1:1").startswith("nobody listens at rfc2217://127.0.0.1:1: start what")
    assert "is no serial port but a file: give a path" in refused(__file__)
    assert "is no serial port but a folder: give a path" in refused("/dev")
    assert refused("/dev/null") == "/dev/null is a device but no serial port: give a path such as /dev/ttyACM1"
    with pytest.raises(DeviceError, match="ls /dev/serial/by-id"):
        open_channel("/dev/no-such-port")


def test_a_port_without_permission_names_the_group(monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(*_: object, **__: object) -> None:
        raise serial.SerialException(13, "could not open port: [Errno 13] Permission denied")

    monkeypatch.setattr(serial, "serial_for_url", denied)
    assert "dialout" in refused("/dev/ttyACM0")


def test_s1_an_unplugged_port_is_an_end_and_no_empty_read() -> None:
    master, slave = pty.openpty()
    channel = open_channel(os.ttyname(slave))
    assert channel.read() == b""
    os.close(slave)
    os.close(master)
    with pytest.raises(OSError, match="the board's port is gone"):
        channel.read()
    with pytest.raises(OSError, match="the board's port is gone"):
        channel.write(b"x")
    channel.close()


def test_a_socket_is_a_port() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"socket://127.0.0.1:{server.getsockname()[1]}"
        channel = open_channel(url)
        peer, _ = server.accept()
        peer.sendall(b"hello")
        assert channel.fd is not None
        assert select.select([channel.fd], [], [], 10)[0]
        assert channel.read() == b"hello"
        assert channel.write(b"there") == 5
        assert peer.recv(5) == b"there"
        peer.close()
        assert select.select([channel.fd], [], [], 10)[0]
        with pytest.raises(OSError, match="gone"):
            channel.read()
        channel.close()


@pytest.mark.filterwarnings("ignore:Exception ignored")  # pyserial leaves the log of spy:// open
def test_loop_and_spy_are_ports(tmp_path: Any) -> None:
    loop = open_channel("loop://")
    assert loop.fd is None
    assert loop.write(b"abc") == 3
    assert loop.read() == b"abc"
    loop.close()
    master, slave = pty.openpty()
    tty.setraw(slave)
    spied = open_channel(f"spy://{os.ttyname(slave)}?file={tmp_path / 'log'}")
    spied.write(b"hi")
    assert os.read(master, 2) == b"hi"
    assert spied.read() == b""
    spied.close()
    del spied
    gc.collect()
    assert "68 69" in (tmp_path / "log").read_text()
    os.close(master)
    os.close(slave)


def test_wanted_by_a_profile() -> None:
    profile = load_profile("bao-4x12")
    wiring = board_plan(profile)["wiring"]
    assert wanted_by(profile) == Wanted("bao-4x12", 48, Sensing.PRESENCE, 72, 3, wiring)


def test_of_a_board_that_our_firmware_does_not_do_no_wiring_is_wanted() -> None:
    assert wanted_by(load_profile("bamogo-4x4-presence")).wiring == 0


def test_raw_values_are_asked_for_while_somebody_listens_in_every_session(desk: Desk) -> None:
    told: list[tuple[int, list[int]]] = []
    desk.plug()
    desk.hands.on.add(1)
    desk.run(1000)
    desk.board.hear_raw(lambda _at, first, values: told.append((first, list(values))))
    desk.run(1500)
    assert told[-1] == (0, [0, 65535, 0, 0])
    assert 5 <= len(told) <= 10  # every 50 ms
    # Another cable, another session: it is asked again.
    desk.device.unplug()
    desk.run(1600)
    told.clear()
    desk.hands.on.add(2)
    desk.plug()
    desk.run(4000)
    assert told[-1] == (0, [0, 65535, 65535, 0])
    desk.board.hear_raw(None)
    desk.run(4200)
    told.clear()
    desk.run(5000)
    assert told == []


def test_a_firmware_without_raw_values_is_not_asked(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    desk.plug()
    desk.run(1000)
    hello = desk.board.link.hello
    assert hello is not None
    desk.board.link._session.hello = replace(hello, can=Can(0))  # type: ignore[misc]
    monkeypatch.setattr(desk.board.link, "watch_raw", lambda _now, *, on: asked.append(on))
    desk.board.hear_raw(lambda *_: None)
    desk.run(1500)
    assert asked == []
