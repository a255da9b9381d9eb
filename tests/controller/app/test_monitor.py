"""The monitor of a running game: what it knows of each cell at every depth of the stand-in, and that it costs nothing
while nobody looks."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from controller.app.hosted import HostedSource
from controller.app.monitor import CellMonitor
from controller.app.rig import Rig
from controller.app.simulated import Via, simulated_rig
from controller.games.seam import AnyRules, load_game
from hardware.cell_log import LoggedSource
from hardware.hosting import Hosting
from hardware.ports import LinkNews, RawHeard, Sensed, Sensing

BAMOGO: AnyRules = load_game("bamogo").rules(None, {"first": "1"})


class Room:
    """A rig and its monitor, with a clock of their own."""

    def __init__(self, sensing: Sensing, via: Via, rules: AnyRules = BAMOGO) -> None:
        self.now = 0
        self.woken = 0
        self.heard: list[bool] = []
        self.rig: Rig = simulated_rig(lambda _outcome=None, _first=None: rules, sensing, via)
        self.monitor = CellMonitor(self.rig, "Bamogo", lambda: self.now, self._wake)
        self.rig.step(0)

    def _wake(self) -> None:
        self.woken += 1

    def wait(self, span: int) -> None:
        """Let time pass as the loop does."""
        end = self.now + span
        while (due := self.rig.due()) is not None and due <= end:
            self.now = max(self.now + 1, due)
            self.step()
        self.now = end

    def put(self, cell: int, content: int) -> None:
        assert self.rig.top is not None
        self.rig.top.advance(self.now)
        self.rig.top.put((cell,), content)
        self.step()

    def step(self) -> None:
        """Take the step that a page's hand wakes the loop for."""
        self.rig.step(self.now)
        self.monitor.stepped()

    def look(self) -> Callable[[], None]:
        return self.monitor.watch(self.heard.append)

    @property
    def state(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(json.dumps(self.monitor.state()))
        return told

    def cell(self, name: str) -> dict[str, Any]:
        return next(cell for cell in self.state["cells"] if cell["name"] == name)


@pytest.fixture
def room(request: pytest.FixtureRequest) -> Any:
    made = Room(*request.param)
    yield made
    made.rig.close()


def depths(*depths: tuple[Sensing, Via]) -> pytest.MarkDecorator:
    names = [f"{sensing.value} by {via.value}" for sensing, via in depths]
    return pytest.mark.parametrize("room", depths, ids=names, indirect=True)


@depths(
    (Sensing.PRESENCE, Via.MEMORY),
    (Sensing.PRESENCE, Via.PINS),
    (Sensing.PRESENCE, Via.WIRE),
    (Sensing.COLOUR, Via.MEMORY),
)
def test_a_contact_gives_0_and_1_and_what_it_reads_has_a_name_and_an_age(room: Room) -> None:
    room.wait(1000)
    room.look()
    room.wait(300)
    empty = {"name": "a1", "raw": 0, "band": "empty", "noise": 0, "age_ms": None, "changes": 0, "mark": ""}
    assert room.cell("a1") == empty
    room.put(0, 2)
    room.wait(1000)
    full = room.cell("a1")
    age = full.pop("age_ms")
    assert 900 <= age <= 1000
    colour = room.rig.table.sensing is Sensing.COLOUR
    assert full == {
        "name": "a1",
        "raw": 1,
        "band": "blue" if colour else "occupied",
        "noise": 0,
        "changes": 1,
        "mark": "",
    }
    assert room.cell("a2") == empty | {"name": "a2"}


@depths((Sensing.COLOUR, Via.PINS), (Sensing.COLOUR, Via.WIRE))
def test_a_level_gives_counts_and_its_noise_is_how_far_they_move(room: Room) -> None:
    room.wait(1000)
    room.look()
    room.wait(3500)
    cells = room.state["cells"]
    assert {cell["band"] for cell in cells} == {"empty"}
    rest = room.cell("a1")["raw"]
    noises = [cell["noise"] for cell in cells]
    # Converters tremble by a count or two; the firmware's end has none of it here.
    assert max(noises) in ({1, 2, 3, 4} if rest < 1024 else {0})
    room.put(0, 1)
    room.wait(1000)
    red = room.cell("a1")
    assert (red["band"], red["changes"] >= 1, red["age_ms"] < 1000) == ("red", True, True)
    assert abs(red["raw"] - rest) > 100
    assert red["noise"] < 20, "what moved the value to where it is was no noise"


@depths((Sensing.PRESENCE, Via.PINS))
def test_a_contact_that_flickers_without_being_believed_is_noisy_for_a_while(room: Room) -> None:
    room.look()
    room.wait(100)
    top = room.rig.top
    assert top is not None
    room.put(0, 1)
    room.wait(20)  # one scan sees it, and the next does not any more
    top.take([0])
    room.wait(200)
    cell = room.cell("a1")
    assert (cell["raw"], cell["band"], cell["noise"], cell["changes"]) == (0, "empty", 2, 0)
    room.wait(3000)
    assert room.cell("a1")["noise"] == 0


class Tap:
    """A source whose wish to hear raw values is noted."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.asked: list[bool] = []
        self.listen, self.due, self.poll, self.close = inner.listen, inner.due, inner.poll, inner.close

    def hear_raw(self, heard: RawHeard | None) -> None:
        self.asked.append(heard is not None)
        self.inner.hear_raw(heard)


@depths((Sensing.COLOUR, Via.PINS))
def test_raw_values_are_asked_for_with_the_first_page_and_no_more_with_the_last(room: Room) -> None:
    logged = room.rig.source
    assert isinstance(logged, LoggedSource)
    tap = Tap(logged._source)
    logged._source = tap
    room.wait(1000)
    assert (tap.asked, room.heard, room.woken) == ([], [], 0)
    assert {cell["raw"] for cell in room.state["cells"]} == {None}
    first, second = room.look(), room.look()
    assert (tap.asked, room.woken) == ([True], 1)
    room.wait(100)
    assert None not in {cell["raw"] for cell in room.state["cells"]}
    first()
    first()
    room.wait(100)
    assert tap.asked == [True]
    second()
    assert (tap.asked, room.woken) == ([True, False], 2)
    version = logged.log.version
    room.wait(1000)
    assert logged.log.version == version, "nothing is collected for nobody"
    assert {cell["raw"] for cell in room.state["cells"]} == {None}


@depths((Sensing.COLOUR, Via.PINS))
def test_a_page_is_told_once_until_it_has_looked(room: Room) -> None:
    room.look()
    room.wait(200)
    assert room.heard == [True]
    assert room.state["cells"][0]["raw"] is not None
    room.wait(200)
    assert room.heard == [True, True]


@depths((Sensing.PRESENCE, Via.MEMORY))
def test_a_board_at_rest_has_nothing_to_say(room: Room) -> None:
    room.wait(1000)
    room.look()
    room.step()
    assert room.state["trouble"] == ""
    room.heard.clear()
    for _ in range(50):
        room.now += 20
        room.step()
    assert room.heard == []


@depths((Sensing.PRESENCE, Via.WIRE))
def test_a_pulled_cable_is_said_and_raw_values_come_again_with_it(room: Room) -> None:
    top = room.rig.top
    assert top is not None
    room.look()
    room.wait(1000)
    top.unplug()
    room.wait(3000)
    assert "cable" in room.state["trouble"]
    top.plug()
    room.put(3, 1)
    room.wait(3000)
    assert room.state["trouble"] == ""
    assert room.cell("a4")["raw"] == 1
    room.put(4, 1)
    room.wait(1000)
    assert room.cell("b1")["raw"] == 1


@depths((Sensing.COLOUR, Via.MEMORY))
def test_sick_and_masked_cells_are_marked(room: Room) -> None:
    top = room.rig.top
    assert top is not None
    for cell, content in ((0, 1), (4, 2)):
        room.put(cell, content)
    room.wait(2000)
    assert room.rig.table.round.plies
    top.fail(["dead=a1"])
    room.step()
    for cell, content in ((9, 1), (10, 2)):
        room.put(cell, content)
    room.wait(10_000)
    assert room.cell("a1")["mark"] == "sick"
    top.press("ok", 120)
    room.step()
    assert (room.cell("a1")["mark"], room.cell("b1")["mark"]) == ("masked", "")
    assert room.state["pressed"] == "ok"


class Board:
    """A source that tells raw values when a test wants it to."""

    heard: RawHeard | None = None

    def poll(self, now: int) -> Sequence[Sensed]:
        return [LinkNews(up=True, why="", at=now)]

    def due(self) -> None:
        return None

    def listen(self, wake: Callable[[], None]) -> None:
        """Nobody wakes."""

    def hear_raw(self, heard: RawHeard | None) -> None:
        self.heard = heard

    def close(self) -> None:
        """Nothing."""


def test_raw_values_of_a_larger_board_are_told_by_cell_of_the_game() -> None:
    board, told = Board(), list[tuple[int, int, list[int]]]()
    source = HostedSource(board, Hosting(((1, 2), (4,)), 5))
    source.hear_raw(lambda at, first, values: told.append((at, first, list(values))))
    assert board.heard is not None
    board.heard(1, 0, [9, 0, 1])
    board.heard(2, 3, [9, 7])
    board.heard(3, 2, [0])
    assert told == [(1, 0, [1]), (2, 1, [7]), (3, 0, [0])]
    source.hear_raw(None)
    assert board.heard is None
