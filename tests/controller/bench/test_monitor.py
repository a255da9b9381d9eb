"""Watching cells: a board of one's own on the bench, and that of a running game."""

import asyncio
import itertools
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest

from controller.app.monitor import CellMonitor
from controller.app.simulated import Via, simulated_rig
from controller.bench.monitor import Moment, watch, watch_game
from controller.bench.serial_road import SerialRoad
from controller.bench.simulated import SimulatedRoad
from controller.games.seam import AnyRules, load_game
from controller.page.desk import Heard
from controller.page.server import PageServer
from hardware.ports import CellChange, DeviceError, Millis, RawHeard, Sensed, Sensing, Snapshot
from hardware.profile import load_profile

DEADLINE = 20.0


def tables(moments: Iterator[Moment], count: int) -> list[list[str]]:
    """Return the lines of so many tables."""
    found = (moment.table for moment in moments if moment.table is not None)
    return [text.splitlines() for text in itertools.islice(found, count)]


def test_a_board_of_fields_is_told_by_counts_bands_noise_and_age() -> None:
    road = SimulatedRoad(load_profile("bamogo-4x4-colour"))
    with closing(watch(road.truth, road, 200)) as moments:
        first = next(moments)
        assert first.known
        assert len(first.changed) == 16
        road.top.put([0], 2)
        told = [line for _ in range(100) for line in next(moments).changed]
        assert [line.split()[2:] for line in told if "?" not in line] == [["a1", "raw", *told[-1].split()[4:]]]
        assert told[-1].endswith("  blue")
        row = tables(moments, 1)[0][1].split()
    name, raw, band, noise, age, unit, changes = row[:7]
    assert (name, band, unit, changes) == ("a1", "blue", "s", "2")
    assert int(raw) > 700
    assert 0 <= int(noise) < 20
    assert 0 < float(age) < 3


def test_a_board_of_contacts_is_told_by_0_and_1() -> None:
    road = SimulatedRoad(load_profile("bamogo-4x4-presence"))
    with closing(watch(road.truth, road, 40)) as moments:
        next(moments)
        road.top.put([0], 1)
        told = [line for _ in range(50) for line in next(moments).changed]
        assert [line.split()[2:] for line in told] == [["a1", "raw", "1", "occupied"]]
        assert tables(moments, 1)[0][1].split()[:4] == ["a1", "1", "occupied", "0"]


class Board:
    """A serial board that tells what a test wants."""

    def __init__(self) -> None:
        self.heard: RawHeard | None = None
        self.told: list[Sensed] = []

    def poll(self, now: Millis) -> list[Sensed]:
        told, self.told = self.told, []
        return told

    def due(self) -> None:
        return None

    def listen(self, wake: Callable[[], None]) -> None:
        """Nobody wakes."""

    def hear_raw(self, heard: RawHeard | None) -> None:
        self.heard = heard

    def close(self) -> None:
        """Nothing."""


class Clock:
    """Time that passes only while somebody waits."""

    def __init__(self) -> None:
        self.time = 0

    def now(self) -> Millis:
        return self.time

    def wait(self, ms: Millis) -> None:
        self.time += ms


def test_a_board_behind_a_port_says_what_its_sensors_give() -> None:
    profile = load_profile("exago-5-registers")
    board = Board()
    road = SerialRoad(board, profile, Clock())  # type: ignore[arg-type]
    with closing(watch(profile, road, 40)) as moments:
        board.told = [Snapshot((0,) * 91, 0)]
        assert not next(moments).known
        assert board.heard is not None
        board.heard(100, 0, [65535] + [0] * 90)
        board.told = [CellChange(0, 1, 100)]
        moment = next(moments)
        assert moment.known
        assert moment.table is not None
        assert moment.table.splitlines()[1].split()[:4] == ["a6", "1", "occupied", "0"]


class Room:
    """A game and its page in a thread of their own, in time that a test gives."""

    def __init__(self) -> None:
        rules: AnyRules = load_game("bamogo").rules(None, {"first": "1"})
        self.now = 0
        self.rig = simulated_rig(lambda _outcome=None, _first=None: rules, Sensing.COLOUR, Via.MEMORY)
        self.monitor = CellMonitor(self.rig, "Bamogo", lambda: self.now, lambda: None)
        self.rig.step(0)
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.server = PageServer(Blank(), "127.0.0.1", 0, monitor=self.monitor)
        self.wait(self.server.start())

    def wait(self, awaitable: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(awaitable, self.loop).result(DEADLINE)

    def put(self, cell: int, content: int, now: Millis) -> None:
        async def put() -> None:
            self.now = now
            assert self.rig.top is not None
            self.rig.top.advance(now)
            self.rig.top.put([cell], content)
            self.rig.step(now)
            self.monitor.stepped()

        self.wait(put())

    def close(self) -> None:
        self.wait(self.server.stop())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(DEADLINE)
        self.loop.close()


class Blank:
    """A desk that nobody sits at."""

    def state(self) -> dict[str, Any]:
        return {}

    lights = state

    def watch(self, heard: Heard) -> Callable[[], None]:
        return lambda: None

    def act(self, client: str, message: Any) -> None:
        """No hands."""

    def leave(self, client: str) -> None:
        """No hands."""


@pytest.fixture
def room() -> Iterator[Room]:
    room = Room()
    yield room
    room.close()


def test_a_running_game_is_watched_over_its_shoulder(room: Room) -> None:
    seconds = itertools.count()  # each look at the clock is a second later
    with closing(watch_game(room.server.port, 200, lambda: next(seconds))) as moments:
        first = next(moments)
        assert first.known
        assert len(first.changed) == 16
        room.put(0, 3, 2000)
        changed = next(moment for moment in moments if moment.changed)
        assert [line.split()[2:] for line in changed.changed] == [["a1", "raw", "1", "yellow"]]
        assert changed.table is not None
        assert changed.table.splitlines()[1].split()[:7] == ["a1", "1", "yellow", "0", "0.0", "s", "1"]
        # While the game has nothing new the table grows older by itself.
        assert tables(moments, 1)[0][1].split()[4:6] == ["1.0", "s"]
        room.wait(room.server.stop())
        with pytest.raises(DeviceError, match="has ended"):
            list(moments)


def test_a_port_without_a_game_says_so() -> None:
    with pytest.raises(DeviceError, match=r"no game answers on port 1 .*--http-port, or the board"):
        next(watch_game(1, 80))
