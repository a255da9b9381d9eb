"""A simulated board with a micro-controller: its plan, its levels, its cable, its lock-step."""

import sys
from collections.abc import Callable, Iterator

import pytest

from hardware.link import Link, Stage
from hardware.link_events import Button, Laid, LinkEvent, Wanted
from hardware.ports import UNKNOWN, CellChange, DeviceError, Sensing
from simulator.device import InChild, Runner, firmware_modules, micropython
from simulator.tabletop import RESET_MS, Tabletop
from simulator.wire_board import MOST, STARTUP_MS, LockStepChannel, WireBoard, board_plan

BUTTONS = ("red", "blue", "yellow", "ok", "back", "new", "hint", "1", "2", "3", "4", "5", "6")
NAMES = [f"{column}{row}" for row in range(1, 7) for column in "abcdef"]


class End:
    """The controller's end of the cable: a link and a port, in lock-step."""

    def __init__(
        self, sensing: Sensing = Sensing.PRESENCE, runner: Callable[[dict[str, object]], Runner] | None = None
    ) -> None:
        most = {Sensing.PRESENCE: 1, Sensing.COLOUR: 3, Sensing.COUNT: MOST}[sensing]
        self.top = Tabletop(NAMES, sensing, heaps=sensing is Sensing.COUNT)
        self.plan = board_plan("mat-6", sensing, 36, most=most, buttons=BUTTONS, pixels=40)
        self.board = WireBoard(self.top, self.plan, runner(self.plan) if runner else None)
        self.link = Link(Wanted(cells=36, sensing=sensing, pixels=40, channels=3), nonce=3)
        self.channel: LockStepChannel | None = None
        self.shown: list[bytes] = []
        self.board.shown = self.shown.append
        self.board.turn()
        self.plug()

    def plug(self) -> None:
        assert self.board.path is not None
        self.channel = LockStepChannel(self.board, self.board.path)
        self.link.begin(self.board.now)

    def run(self, until: int) -> list[LinkEvent]:
        """Let time pass; both ends talk."""
        assert self.channel is not None
        events: list[LinkEvent] = []
        while True:
            now = self.board.now
            self.top.advance(now)
            if out := self.link.outgoing():
                self.channel.write(out)
            while data := self.channel.read():
                events += self.link.receive(now, data)
                if out := self.link.outgoing():
                    self.channel.write(out)
            events += self.link.tick(now)
            times = [due for due in (self.link.due(), self.board.due(), self.top.due()) if due is not None]
            due = max(now, min(times))
            if due > until:
                self.board.now = until
                return events
            self.board.now = due

    def close(self) -> None:
        if self.channel is not None:
            self.channel.close()
        self.board.close()


@pytest.fixture
def make() -> Iterator[Callable[..., End]]:
    """A function that makes ends; all are closed in the end."""
    ends: list[End] = []

    def made(sensing: Sensing = Sensing.PRESENCE, runner: Callable[..., Runner] | None = None) -> End:
        ends.append(End(sensing, runner))
        return ends[-1]

    yield made
    for end in ends:
        end.close()


def moved(events: list[LinkEvent]) -> list[tuple[int, int]]:
    return [(event.cell, event.reading) for event in events if isinstance(event, CellChange)]


def settled(events: list[LinkEvent]) -> dict[int, int]:
    """What the cells that moved read in the end; a cell with levels is unknown first, and that is checked."""
    told = moved(events)
    assert [cell for cell, reading in told if reading == UNKNOWN] == [
        cell for cell, reading in told if reading != UNKNOWN
    ]
    return {cell: reading for cell, reading in told if reading != UNKNOWN}


@pytest.mark.parametrize("cells", [1, 16, 61, 256, 400])
@pytest.mark.parametrize(("sensing", "most"), [(Sensing.PRESENCE, 1), (Sensing.COLOUR, 6), (Sensing.COUNT, MOST)])
def test_the_firmware_takes_every_plan(sensing: Sensing, most: int, cells: int) -> None:
    plan = board_plan("any", sensing, cells, most=most, buttons=BUTTONS, pixels=cells + 24)
    module = firmware_modules()["plan"]
    checked = module.check(plan)
    assert module.top(checked) == most
    assert checked["cells"] == cells


def test_contacts_and_buttons_are_told(make: Callable[..., End]) -> None:
    end = make()
    (laid,) = (event for event in end.run(100) if isinstance(event, Laid))
    assert laid.readings == (0,) * 36
    end.top.put((0, 7), 2)
    end.top.press("6", 70)
    events = end.run(200)
    assert moved(events) == [(0, 1), (7, 1)]
    assert [(event.name, event.down) for event in events if isinstance(event, Button)] == [("6", True), ("6", False)]


def test_levels_tell_colours_and_what_is_between_them(make: Callable[..., End]) -> None:
    end = make(Sensing.COLOUR)
    end.run(100)
    for cell in (1, 2, 3):
        end.top.put((cell,), cell)
    assert settled(end.run(200)) == {1: 1, 2: 2, 3: 3}
    end.top.seem((2,), 2, UNKNOWN)
    assert moved(end.run(300)) == [(2, UNKNOWN)]
    end.top.press("hint", 70)
    assert [event.name for event in end.run(400) if isinstance(event, Button) and event.down] == ["hint"]


def test_levels_tell_counts(make: Callable[..., End]) -> None:
    end = make(Sensing.COUNT)
    end.run(100)
    end.top.put((4,), 1)
    end.top.put((5,), MOST - 1)
    assert settled(end.run(200)) == {4: 1, 5: MOST - 1}
    end.top.put((5,), 40)  # more than the board can tell
    assert settled(end.run(300)) == {5: MOST}
    end.top.take((4,))
    assert settled(end.run(400)) == {4: 0}


def test_a_broken_chain_is_a_fault_of_contacts_and_makes_levels_unknown(make: Callable[..., End]) -> None:
    contacts, levels = make(), make(Sensing.COLOUR)
    for end in (contacts, levels):
        end.run(100)
        end.top.fail(["line=chain"])
    assert [type(event).__name__ for event in contacts.run(200)] == ["DeviceFault"]
    assert moved(levels.run(200)) == [(cell, UNKNOWN) for cell in range(36)]


def test_a_pulled_cable_is_a_port_that_is_gone_and_comes_back_under_its_own_time(make: Callable[..., End]) -> None:
    end = make()
    end.run(100)
    end.top.unplug()
    assert end.channel is not None
    with pytest.raises(OSError, match="port is gone"):
        end.channel.read()
    end.channel.close()
    assert end.board.path is None
    end.board.now = 5000
    assert end.board.turn() == 0
    assert end.board.due() is None
    end.top.plug()
    end.board.turn()
    assert end.board.due() == 5000 + STARTUP_MS
    end.board.now = 5000 + STARTUP_MS
    end.board.turn()
    end.plug()
    end.top.put((9,), 1)
    end.run(5500)
    assert end.link.stage is Stage.UP
    assert end.link._session.readings[9] == 1


def test_a_reset_takes_the_port_away_until_the_device_runs_again(make: Callable[..., End]) -> None:
    end = make()
    end.run(100)
    end.top.reset()
    assert end.channel is not None
    with pytest.raises(OSError, match="port is gone"):
        end.channel.read()
    end.channel.close()
    for now in range(100, 100 + RESET_MS + STARTUP_MS + 20, 20):
        end.top.advance(now)
        end.board.now = now
        end.board.turn()
        assert (end.board.path is not None) is (now >= 100 + RESET_MS + STARTUP_MS - 20)


def test_the_pixels_are_told_as_the_device_shows_them(make: Callable[..., End]) -> None:
    end = make()
    end.run(100)
    frame = bytes(k * 7 % 256 for k in range(120))
    end.link.light(100, frame)
    end.run(200)
    assert end.shown[-1] == frame
    assert end.board.device.pixels == frame


def test_a_long_chain_is_lit_in_a_few_turns_of_a_device_that_reads_in_gulps(make: Callable[..., End]) -> None:
    end = make()
    end.run(100)
    for shade in range(1, 6):
        end.link.light(end.board.now, bytes(range(shade, shade + 120)))
    end.run(end.board.now + 15)  # at one gulp a scan it would take 40 ms and more
    assert end.shown[-1] == bytes(range(5, 125))


def test_the_same_seed_gives_the_same_bytes(make: Callable[..., End]) -> None:
    told = []
    for seed in (4, 4, 5):
        end = make()
        end.top.reseed(seed)
        end.top.fail(["loss=0.2", "corrupt=0.1", "duplicate=0.1", "late=20"])
        events: list[LinkEvent] = end.run(200)
        for cell in range(12):
            end.top.put((cell,), 1)
            events += end.run(200 + 100 * (cell + 1))
        told.append([str(event) for event in events])
        assert end.board.up.spoiled + end.board.down.spoiled > 5
    assert told[0] == told[1] != told[2]


@pytest.mark.parametrize(
    "runner",
    [
        pytest.param(lambda plan: InChild(plan, [sys.executable]), id="cpython"),
        pytest.param(
            InChild.under_micropython,
            id="micropython",
            marks=pytest.mark.skipif(micropython() is None, reason="MicroPython has a wheel for x86-64 only"),
        ),
    ],
)
def test_a_plan_longer_than_an_argument_can_be_reaches_the_child(
    make: Callable[..., End], runner: Callable[..., Runner]
) -> None:
    end = make(Sensing.COLOUR, runner)
    assert len(str(end.plan)) > 255
    end.run(100)
    end.top.put((1,), 3)
    assert settled(end.run(200)) == {1: 3}


def test_a_device_that_has_stopped_says_so_and_stays_stopped(make: Callable[..., End]) -> None:
    end = make(Sensing.PRESENCE, lambda plan: InChild(plan, [sys.executable]))
    end.run(50)
    end.board.device._runner._process.kill()  # type: ignore[attr-defined]
    with pytest.raises(DeviceError, match="has stopped"):
        end.run(200)
    assert end.board.failed is not None
