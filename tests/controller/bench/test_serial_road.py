"""A board with a micro-controller at the bench: what it tells of its cells is enough to walk and to teach it."""

import random
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any

import pytest

from controller.app.wire import WireSource
from controller.bench.calibrate import teach
from controller.bench.findings import Verdict
from controller.bench.learned import learned_of
from controller.bench.progress import Progress
from controller.bench.serial_road import SerialProbe, SerialRoad
from controller.bench.simulated import SimulatedClock, SimulatedRoad
from controller.bench.simulated_person import SimulatedPerson
from controller.bench.walk import walk
from hardware.board_plan import board_plan as firmware_plan
from hardware.link import Link
from hardware.link_events import Wanted
from hardware.ports import UNKNOWN, CellChange, DeviceError, LinkNews, Sensed, Snapshot
from hardware.profile import check_profile
from hardware.profile_calibration import calibrated, fingerprint
from hardware.serial_board import SerialBoard
from hardware.serial_plug import Plug
from simulator.tabletop import Tabletop
from simulator.wire_board import REST, SPAN, LockStepChannel, WireBoard, board_plan

RAW = tomllib.loads((files("hardware") / "profiles" / "exago-5-reeds.toml").read_text())
PROFILE = check_profile(RAW, "exago-5-reeds")


class _Told:
    """A source that tells what it is given."""

    def __init__(self, *batches: Sequence[Sensed]) -> None:
        self._batches = list(batches)

    def poll(self, now: int) -> Sequence[Sensed]:
        return self._batches.pop(0) if self._batches else ()

    def due(self) -> int:
        return 0

    def listen(self, wake: Callable[[], None]) -> None:
        """Nobody wakes."""

    def close(self) -> None:
        """Nothing."""


def _probe(*batches: Sequence[Sensed]) -> SerialProbe:
    top = Tabletop(PROFILE.cell_names(), PROFILE.sensing)
    return SerialProbe(_Told(*batches), PROFILE, SimulatedClock(top))


def test_cells_are_told_at_the_inputs_that_the_firmware_takes_them_for() -> None:
    readings = [0] * 91
    readings[2] = 1
    probe = _probe(
        [Snapshot(tuple(readings), 0)], [], [CellChange(2, 0, 5), CellChange(40, 1, 6)], [CellChange(40, UNKNOWN, 9)]
    )
    inputs = PROFILE.inputs()
    assert probe.read() == [int(number == inputs[2]) for number in range(probe.width)]
    assert probe.read()[inputs[2]] == 1
    moved = probe.read()
    assert (moved[inputs[2]], moved[inputs[40]]) == (0, 1)
    assert probe.read() == moved  # what is not known stays as it was


def test_a_board_that_is_lost_says_why() -> None:
    with pytest.raises(DeviceError, match="plug it in"):
        _probe([LinkNews(up=False, why="plug it in", at=1)]).read()


def test_the_road_leaves_closing_the_board_for_last() -> None:
    closed: list[bool] = []

    class Board(_Told):
        def light(self, data: bytes) -> None:
            assert not closed, "lights go dark before the board is let go of"

        def close(self) -> None:
            closed.append(True)

    road = SerialRoad(Board(), PROFILE)  # type: ignore[arg-type]
    source = road.sensing(PROFILE)
    lamps = road.cell_lamps(PROFILE)
    lamps.show(bytes(3 * len(PROFILE.places())))
    source.close()
    lamps.close()
    assert closed == []
    assert not road.tells_values(PROFILE)
    road.close()
    assert closed == [True]


SMALL = RAW | {
    "name": "small",
    "cells": RAW["cells"] | {"radius": 2, "buttons": {"ok": 91}},
    "lamps": RAW["lamps"] | {"count": 43, "track": {"first": 19, "count": 24}},
}


class _Wired:
    """The firmware at the other end of a cable, in lock-step with a simulated board, as the road wants its board."""

    def __init__(self, road: SimulatedRoad, told_as: Sequence[int], plan: dict[str, Any] | None = None) -> None:
        cells, pixels = len(told_as), road.truth.lamps.count
        if plan is None:
            plan = board_plan("small", road.truth.sensing, cells, most=1, buttons=(), pixels=pixels)
        self._device = WireBoard(road.top, plan)
        self._device.shown = road.tap.receive
        link = Link(Wanted(cells=cells, sensing=road.truth.sensing, pixels=pixels, channels=3), nonce=1)
        plug = Plug(
            lambda: [] if self._device.path is None else [self._device.path],
            lambda url: LockStepChannel(self._device, url),
        )
        self._serial = SerialBoard(link, plug)
        self._source = WireSource(self._serial, self._device)
        self.due, self.listen, self.hear_raw = self._source.due, self._source.listen, self._source.hear_raw
        self._told_as = told_as
        self._unread: list[Sensed] = []

    def poll(self, now: int) -> list[Sensed]:
        unread, self._unread = self._unread, []
        return unread + [self._crossed(each) for each in self._source.poll(now)]

    def _crossed(self, sensed: Sensed) -> Sensed:
        """Return what a board tells whose wires are crossed."""
        if isinstance(sensed, CellChange):
            return sensed._replace(cell=self._told_as[sensed.cell])
        if isinstance(sensed, Snapshot):
            readings = [0] * len(sensed.readings)
            for cell, reading in enumerate(sensed.readings):
                readings[self._told_as[cell]] = reading
            return replace(sensed, readings=tuple(readings))
        return sensed

    def unread(self, told: Sequence[Sensed]) -> None:
        self._unread = [*told]

    def light(self, data: bytes) -> None:
        self._serial.light(data)
        self._source.catch_up()

    def close(self) -> None:
        self._source.close()


@pytest.fixture
def wired() -> Iterator[tuple[SimulatedRoad, SerialRoad, list[int]]]:
    profile = check_profile(SMALL, "small")
    simulated = SimulatedRoad(profile)
    told_as = [*range(19)]
    random.Random(3).shuffle(told_as)
    board = _Wired(simulated, told_as)
    yield simulated, SerialRoad(board, profile, simulated.clock), told_as  # type: ignore[arg-type]
    board.close()


def test_a_board_that_is_wired_otherwise_than_it_was_flashed_is_learned_through_its_firmware(
    wired: tuple[SimulatedRoad, SerialRoad, list[int]],
) -> None:
    simulated, road, told_as = wired
    profile = simulated.truth
    progress = Progress(wiring=fingerprint(SMALL))
    teach(profile, road, SimulatedPerson(simulated), progress, lambda _grown: None)
    assert not progress.problems
    flashed = profile.inputs()
    expected = {name: flashed[told_as[cell]] for cell, name in enumerate(profile.cell_names())}
    assert learned_of(profile, progress).inputs == expected


def test_a_board_that_is_tended_stays_with_us_and_loses_nothing_it_told(
    wired: tuple[SimulatedRoad, SerialRoad, list[int]],
) -> None:
    """Somebody thinks for a minute, and meanwhile a stone is put down: the lights stay, and the stone is heard."""
    simulated, road, told_as = wired
    probe, lamps = road.probe(simulated.truth), road.chain_lamps(simulated.truth)
    assert not any(probe.read())
    lamps.show(b"\xff\xff\xff" + bytes(3 * 42))
    for moment in range(1200):
        road.clock.wait(50)
        road.tend()
        if moment == 600:
            simulated.top.put([4], 1)
        if moment > 2:
            assert simulated.lit() == (0,)
    assert [number for number, value in enumerate(probe.read()) if value] == [simulated.truth.inputs()[told_as[4]]]


def test_a_board_that_came_back_while_it_was_tended_is_no_loss() -> None:
    class Board(_Told):
        def unread(self, told: Sequence[Sensed]) -> None:
            self._batches.insert(0, told)

    readings = (1,) + (0,) * 90
    up = LinkNews(up=True, why="", at=2)
    board = Board([CellChange(3, 1, 0), LinkNews(up=False, why="gone", at=1), up, Snapshot(readings, 3)])
    clock = SimulatedClock(Tabletop(PROFILE.cell_names(), PROFILE.sensing))
    road = SerialRoad(board, PROFILE, clock)  # type: ignore[arg-type]
    probe = road.probe(PROFILE)
    road.tend()
    assert [number for number, value in enumerate(probe.read()) if value] == [PROFILE.inputs()[0]]


RAW_PITS = tomllib.loads((files("hardware") / "profiles" / "bao-4x12.toml").read_text())
# Up to 64 pixels show a frame at once.
LIT_PITS = {key: value for key, value in RAW_PITS["lamps"].items() if key != "track"} | {"count": 48}
PITS = check_profile(RAW_PITS | {"lamps": LIT_PITS}, "pits")
LEVEL, DARK = 64, 1000
"""Counts of the device for one of ours, and what its simulated sensors give in the dark."""


@pytest.fixture
def pits() -> Iterator[tuple[SimulatedRoad, SerialRoad]]:
    """A board of pits whose wires are crossed: its firmware was told so, and the profile of old was not."""
    simulated = SimulatedRoad(PITS)
    plan = firmware_plan(PITS)
    plan["places"] = [*range(47, -1, -1)]
    board = _Wired(simulated, range(48), plan)
    yield simulated, SerialRoad(board, PITS, simulated.clock)  # type: ignore[arg-type]
    board.close()


def test_pits_are_measured_through_the_firmware_empty_and_with_a_seed(
    pits: tuple[SimulatedRoad, SerialRoad],
) -> None:
    simulated, road = pits
    assert road.tells_values(PITS)
    progress = Progress(wiring="x")
    teach(PITS, road, SimulatedPerson(simulated), progress, lambda _grown: None)
    assert not progress.problems
    learned = learned_of(PITS, progress)
    empty, seed = ((level - DARK) // LEVEL for level in (REST, REST + SPAN))
    assert learned.levels == dict.fromkeys(PITS.cell_names(), (empty, seed))
    assert learned.inputs == dict(zip(PITS.cell_names(), PITS.inputs(), strict=True))
    # What was learned is what the board is flashed with next.
    plan = firmware_plan(check_profile(calibrated(RAW_PITS | {"lamps": LIT_PITS}, learned), "pits"))
    assert plan["rest"] == [LEVEL * (empty + seed) // 2] * 48


def test_a_pit_that_is_not_seen_is_dead_there_too(pits: tuple[SimulatedRoad, SerialRoad]) -> None:
    simulated, road = pits
    simulated.top.fail(["dead=a6"])
    progress = Progress(wiring="x")
    teach(PITS, road, SimulatedPerson(simulated), progress, lambda _grown: None)
    assert set(progress.problems) == {PITS.cell_names()[5]}


def test_firmware_that_tells_no_values_is_told_of() -> None:
    class Silent(_Told):
        def hear_raw(self, heard: object) -> None:
            """It cannot."""

    clock = SimulatedClock(Tabletop(PITS.cell_names(), PITS.sensing))
    probe = SerialRoad(Silent(), PITS, clock).probe(PITS)  # type: ignore[arg-type]
    with pytest.raises(DeviceError, match=r"does not say what its sensors give: .*stonelight flash"):
        probe.read()
    lost = Silent([LinkNews(up=False, why="plug it in", at=1)])
    with pytest.raises(DeviceError, match="plug it in"):
        SerialRoad(lost, PITS, clock).probe(PITS).read()  # type: ignore[arg-type]


def test_a_walk_through_the_firmware_finds_crossed_wires(
    wired: tuple[SimulatedRoad, SerialRoad, list[int]],
) -> None:
    simulated, road, _ = wired
    found = {each.check: each for each in walk(simulated.truth, road, SimulatedPerson(simulated))}
    assert found["pixels"].verdict is Verdict.OK
    assert found["colours"].verdict is Verdict.OK
    assert found["cells"].verdict is Verdict.FAILED
    assert "stones are seen elsewhere" in found["cells"].said
