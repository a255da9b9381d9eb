"""The field under stones: its strength at every place that is known, how it comes and goes, what goes wrong with it."""

import math
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.bands import Band, Bands, ColourCells
from hardware.ports import UNKNOWN, Sensing
from simulator.faults import Faults
from simulator.field import BAMOGO_MAGNETS, DRIFT_MT, DRIFT_PERIOD_MS, FROM_MM, NOISE_MT, Field, HallSensor, Magnet
from simulator.mishaps import lay_metal
from simulator.tabletop import HandError, Tabletop

RED, BLUE, YELLOW = 1, 2, 3
PITCH = 45.0
NAMES = [f"{file}{rank}" for file in "abcd" for rank in range(1, 5)]
SPOTS = [(file * PITCH, rank * PITCH) for file in range(4) for rank in range(4)]
BANDS = Bands((Band(-85, -40), Band(40, 85), Band(-24, -10.5)))


def cell(name: str) -> int:
    return NAMES.index(name)


class Board:
    """A tabletop and its field."""

    def __init__(self, *, seed: int = 0) -> None:
        self.top = Tabletop(NAMES, Sensing.COLOUR, seed)
        self.light_ma = 0.0
        self.field = Field(self.top, SPOTS, seed=seed, light_ma=lambda: self.light_ma)

    def pass_time(self, ms: int) -> None:
        self.top.advance(self.top.now + ms)

    def at(self, name: str) -> float:
        return self.field.at(cell(name))

    def course(self, name: str, ms: int, step: int = 1) -> list[float]:
        """What a cell feels from now on."""
        seen = []
        for _ in range(0, ms, step):
            seen.append(self.at(name))
            self.pass_time(step)
        return seen


@pytest.fixture
def board() -> Board:
    return Board()


@pytest.mark.parametrize(
    ("stone", "height", "offset", "field", "within"),
    [
        pytest.param(RED, 0, 0, -68, 1, id="strong, in the middle"),
        pytest.param(RED, 0, 3, -49, 1, id="strong, 3 mm off"),
        pytest.param(BLUE, 0, 0, 68, 1, id="south"),
        pytest.param(YELLOW, 0, 0, -19, 0.5, id="weak, in the middle"),
        pytest.param(YELLOW, 0, 3, -12, 0.5, id="weak, 3 mm off"),
        pytest.param(RED, 0, 45, 0.15, 0.02, id="a neighbour, from the other side"),
        pytest.param(RED, 7, 0, -10, 0.5, id="held 12 mm above the sensor"),
        pytest.param(RED, 10, 0, -6, 0.2, id="held 15 mm above the sensor"),
        pytest.param(RED, FROM_MM, 0, 0, 0.3, id="where it is hardly felt"),
    ],
)
def test_the_numbers_of_the_bamogo_board(stone: int, height: float, offset: float, field: float, within: float) -> None:
    assert BAMOGO_MAGNETS[stone].field(height, offset) == pytest.approx(field, abs=within)


def test_off_the_axis_meets_the_formula_of_the_axis() -> None:
    for magnet in BAMOGO_MAGNETS.values():
        assert magnet.field(0, 0.01) == pytest.approx(magnet.field(0, 0), rel=0.005)


def test_from_afar_a_disc_is_a_dipole() -> None:
    magnet = Magnet(8.0, 3.0, 5.0, south_down=True)
    moment = 1190 * math.pi * 16 * 3 / (4 * math.pi)
    assert magnet.field(395, 0) == pytest.approx(2 * moment / 401.5**3, rel=0.01)


@given(st.sampled_from(list(BAMOGO_MAGNETS)), st.floats(0, 30), st.floats(0, 20))
def test_upside_down_is_the_other_pole(stone: int, height: float, offset: float) -> None:
    magnet = BAMOGO_MAGNETS[stone]
    assert magnet.field(height, offset, flipped=True) == -magnet.field(height, offset)


def test_what_lies_is_felt_in_its_band_wherever_its_dish_lets_it_rest() -> None:
    for seed in range(30):
        board = Board(seed=seed)
        stones = [1 + (k + seed) % 3 for k in range(16)]
        board.top.lay(stones)
        assert [BANDS.zone(board.field.at(k)) for k in range(16)] == stones


def test_an_empty_board_with_full_neighbours_reads_empty(board: Board) -> None:
    board.top.lay([0 if k == cell("b2") else 1 + k % 3 for k in range(16)])
    assert abs(board.at("b2")) < 1.5


def test_noise_is_there_and_small(board: Board) -> None:
    seen = board.course("a1", 300)
    assert 0.8 * NOISE_MT < max(seen) <= NOISE_MT
    assert -NOISE_MT <= min(seen) < -0.8 * NOISE_MT


def test_the_same_seed_is_the_same_board() -> None:
    def felt(seed: int) -> list[float]:
        board = Board(seed=seed)
        board.top.lay([1 + k % 3 for k in range(16)])
        return [board.field.at(k) for k in range(16)]

    assert felt(4) == felt(4)
    assert felt(4) != felt(5)


def climbs(fields: Sequence[float]) -> bool:
    return all(abs(after) > abs(before) - 2 * NOISE_MT for before, after in pairwise(fields))


def test_a_stone_that_comes_down_climbs_through_the_weaker_bands(board: Board) -> None:
    board.top.faults = Faults(approach=80)
    board.pass_time(1000)
    board.top.put([cell("c3")], RED)
    way = board.course("c3", 80)
    assert abs(way[0]) < 0.6
    assert climbs(way)
    zones = [BANDS.zone(field) for field in way]
    assert {0, UNKNOWN, YELLOW, RED} == set(zones)
    assert all(BANDS.zone(field) == RED for field in board.course("c3", 50))


def test_a_stone_that_leaves_goes_back_the_same_way(board: Board) -> None:
    board.top.faults = Faults(approach=80)
    board.top.lay([BLUE] * 16)
    board.pass_time(1000)
    board.top.take([cell("c3")])
    way = board.course("c3", 80)
    assert way[0] > 40
    assert climbs(way[::-1])
    assert abs(board.at("c3")) < 1.5


def test_without_a_fault_a_stone_is_there_within_a_few_ms(board: Board) -> None:
    board.pass_time(1000)
    board.top.put([cell("c3")], YELLOW)
    board.pass_time(5)
    assert BANDS.zone(board.at("c3")) == YELLOW


def test_a_stone_that_is_down_stays_down_when_stones_begin_to_come_slowly(board: Board) -> None:
    board.top.put([cell("c3")], RED)
    board.pass_time(50)
    before = board.at("c3")
    board.top.faults = Faults(approach=800)
    board.top.put([cell("a1")], RED)
    assert all(abs(field - before) < 1 for field in board.course("c3", 100))
    board.top.take([cell("c3")])
    board.pass_time(300)
    assert 0.2 < abs(board.at("c3")) < abs(before), "but it leaves slowly"


def test_a_stone_off_its_middle_upside_down_or_raised_is_felt_so(board: Board) -> None:
    board.top.put([cell("b2")], RED)
    board.pass_time(50)
    for pose, field in (
        ({"offset_mm": 0.0}, -67.6),
        ({"offset_mm": 22.5}, 1.0),
        ({"offset_mm": 0.0, "flipped": True}, 67.6),
        ({"offset_mm": 0.0, "height_mm": 8.0}, -8.6),
    ):
        board.top.pose(cell("b2"), **pose)  # type: ignore[arg-type]
        assert board.at("b2") == pytest.approx(field, abs=0.6)


def test_an_empty_cell_has_no_pose(board: Board) -> None:
    with pytest.raises(HandError, match="b2 is empty"):
        board.top.pose(cell("b2"), flipped=True)


def test_stones_on_top_of_each_other_are_felt_together(board: Board) -> None:
    board.top.put([cell("b2")], RED)
    board.top.pose(cell("b2"), offset_mm=0.0)
    board.top.hold(cell("b2"), BLUE, 60.0)
    board.pass_time(50)
    assert board.at("b2") == pytest.approx(-67.6, abs=0.5)
    board.top.withdraw(cell("b2"))
    board.top.hold(cell("b2"), BLUE, 6.0)
    board.pass_time(50)
    assert -58 < board.at("b2") < -50


def test_a_stone_held_above_a_cell_trembles_and_goes(board: Board) -> None:
    board.pass_time(1000)
    board.top.hold(cell("b2"), RED, 7.0)
    board.pass_time(20)
    seen = board.course("b2", 400)
    assert max(seen) - min(seen) > BANDS.steady_mt
    assert -14 < min(seen) < max(seen) < -7
    assert all(max(seen[k : k + 100]) - min(seen[k : k + 100]) > BANDS.steady_mt for k in range(0, 300, 20)), (
        "never at rest for 100 ms"
    )
    board.top.withdraw(cell("b2"))
    board.pass_time(50)
    assert abs(board.at("b2")) < 0.5


@given(st.sampled_from([RED, BLUE]), st.floats(2, 12), st.integers(0, 2000), st.integers(0, 9))
def test_a_strong_stone_that_is_held_above_a_cell_is_not_taken_for_a_weak_one(
    stone: int, height: float, start: int, seed: int
) -> None:
    board = Board(seed=seed)
    board.pass_time(start)
    cells = ColourCells(1, BANDS)
    cells.start(board.top.now, [board.at("b2")])
    board.top.hold(cell("b2"), stone, height)
    told = set()
    for _ in range(50):
        board.pass_time(20)
        told |= {change.reading for change in cells.feed(board.top.now, [board.at("b2")])}
    assert YELLOW not in told


def test_a_sensor_that_samples_looks_in_its_own_phase(board: Board) -> None:
    board.top.faults = Faults(sample=50)
    board.pass_time(1000)
    courses: dict[str, list[float]] = {name: [] for name in ("a1", "b2", "c3", "d4")}
    for _ in range(300):
        for name, course in courses.items():
            course.append(board.at(name))
        board.pass_time(1)
    changes = {name: [k for k in range(1, 300) if course[k] != course[k - 1]] for name, course in courses.items()}
    for moments in changes.values():
        assert len(moments) == 6 or len(moments) == 5
        assert all(after - before == 50 for before, after in pairwise(moments))
    assert len({moments[0] for moments in changes.values()}) > 1


def test_drift_wanders_to_and_fro_and_ends_with_its_fault(board: Board) -> None:
    board.top.faults = Faults(drift=True)
    start = [board.field.at(k) for k in range(16)]
    assert all(abs(field) <= NOISE_MT for field in start)
    board.pass_time(DRIFT_PERIOD_MS // 4)
    quarter = [board.field.at(k) for k in range(16)]
    assert max(map(abs, quarter)) > DRIFT_MT / 2
    assert all(abs(field) <= DRIFT_MT + NOISE_MT for field in quarter)
    assert min(quarter) < 0 < max(quarter), "each sensor its own way"
    board.top.faults = Faults()
    assert abs(board.at("a1")) <= NOISE_MT


def test_light_moves_all_zeros_where_the_supply_sags(board: Board) -> None:
    board.light_ma = 1000
    assert abs(board.at("a1")) <= NOISE_MT
    board.top.faults = Faults(sag=True)
    assert all(board.field.at(k) == pytest.approx(0.8, abs=NOISE_MT) for k in range(16))


def test_an_emptied_cell_goes_on_feeling_its_stone_among_full_neighbours(board: Board) -> None:
    board.top.faults = Faults(crosstalk=3)
    full = ["a1", "a2", "b1", "b2"]
    board.top.lay([RED if name in full else 0 for name in NAMES])
    board.at("a1")
    board.top.take([cell("a1")])
    board.pass_time(100)
    assert BANDS.zone(board.at("a1")) == RED
    board.top.take([cell("b2")])
    board.pass_time(100)
    assert BANDS.zone(board.at("a1")) == 0
    board.top.put([cell("b2")], RED)
    board.pass_time(100)
    assert BANDS.zone(board.at("a1")) == 0, "it was empty meanwhile"


def test_dead_and_stuck_sensors(board: Board) -> None:
    board.top.lay([RED] * 16)
    board.top.faults = Faults(dead=("a1",), stuck=("a2",))
    assert board.at("a1") == 0
    held = board.at("a2")
    board.top.take([cell("a2")])
    board.pass_time(100)
    assert board.at("a2") == held
    board.top.faults = Faults()
    assert BANDS.zone(board.at("a1")) == RED
    assert BANDS.zone(board.at("a2")) == 0


def test_metal_reads_as_no_stone_does_and_a_knock_makes_stones_hop(board: Board) -> None:
    lay_metal(board.top, [cell("a1")], on=True)
    assert BANDS.zone(board.at("a1")) == UNKNOWN
    lay_metal(board.top, [cell("a1")], on=False)
    board.top.lay([RED] * 16)
    board.top.bump()
    seen: set[int] = set()
    for _ in range(100):
        board.pass_time(1)
        seen |= {BANDS.zone(board.field.at(k)) for k in range(16)}
    assert seen == {RED, 0}
    assert {BANDS.zone(board.field.at(k)) for k in range(16)} == {RED}, "it is over after 100 ms"


def test_a_board_that_does_not_answer_is_felt_by_nobody(board: Board) -> None:
    board.top.unplug()
    with pytest.raises(OSError, match="cable is plugged in"):
        board.at("a1")
    board.top.plug()
    assert abs(board.at("a1")) <= NOISE_MT


def test_a_sensor_tells_a_field_as_a_share_of_its_supply() -> None:
    sensor = HallSensor(mv_per_mt=15, quiescent_mv=1650, supply_mv=3300)
    assert sensor.level(0) == 0.5
    assert sensor.level(22) == pytest.approx(0.6)
    assert sensor.level(-22) == pytest.approx(0.4)
    assert sensor.level(500) == pytest.approx(3100 / 3300), "its output ends before its supply"
    assert sensor.level(-500) == pytest.approx(200 / 3300)
