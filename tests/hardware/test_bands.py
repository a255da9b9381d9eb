"""Fields into colours: bands, hysteresis, patience, and zeros that wander."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.bands import EMPTY, Band, Bands, ColourCells, Scale
from hardware.ports import UNKNOWN, CellChange, Sensing

RED, BLUE, YELLOW = 1, 2, 3
BANDS = Bands((Band(-85, -40), Band(40, 85), Band(-24, -10.5)))
MIDDLE = {EMPTY: 0.0, RED: -55.0, BLUE: 55.0, YELLOW: -16.0}


def fed(cells: ColourCells, fields: Iterable[float], start: int = 0, step: int = 10) -> list[CellChange]:
    """Feed one cell a field every `step` ms."""
    changes = []
    for k, field in enumerate(fields):
        changes += cells.feed(start + k * step, [field])
    return changes


def started(reading: int = EMPTY) -> ColourCells:
    cells = ColourCells(1, BANDS)
    cells.start(0, [MIDDLE[reading]])
    return cells


@pytest.mark.parametrize(
    ("field", "before", "zone"),
    [
        (0, UNKNOWN, EMPTY),
        (4, UNKNOWN, EMPTY),
        (-4.1, UNKNOWN, UNKNOWN),
        (-4.9, EMPTY, EMPTY),
        (-5.1, EMPTY, UNKNOWN),
        (-10.4, UNKNOWN, UNKNOWN),
        (-10.5, UNKNOWN, YELLOW),
        (-9.6, YELLOW, YELLOW),
        (-9.4, YELLOW, UNKNOWN),
        (-24.9, YELLOW, YELLOW),
        (-30, YELLOW, UNKNOWN),
        (-40, UNKNOWN, RED),
        (-39.5, RED, RED),
        (40, UNKNOWN, BLUE),
        (16, UNKNOWN, UNKNOWN),
        (-86.5, RED, UNKNOWN),
        (-50, YELLOW, RED),
    ],
)
def test_where_a_field_lies(field: float, before: int, zone: int) -> None:
    assert BANDS.zone(field, before) == zone


def test_a_scale_takes_the_middle_of_a_count() -> None:
    assert Scale(zero=512.0, mt_per_count=0.2).field(512) == pytest.approx(0.1)
    assert Scale(zero=500.0, mt_per_count=0.2).field(449) == pytest.approx(-10.1)


def test_the_first_readings_are_the_bands_as_they_are() -> None:
    cells = ColourCells(5, BANDS)
    cells.start(0, [0, -55, 55, -16, -30])
    assert cells.readings == [EMPTY, RED, BLUE, YELLOW, UNKNOWN]


def test_a_colour_is_given_out_once_its_field_has_rested_for_100_ms() -> None:
    cells = started()
    changes = fed(cells, [-20, -48, *[-55.0] * 20], start=10)
    assert changes == [CellChange(0, UNKNOWN, 10), CellChange(0, RED, 30)]
    assert not fed(started(), [-20, -48, *[-55.0] * 10], start=10)[1:], "90 ms are not enough"


def test_it_says_when_a_resting_field_will_have_rested_for_long_enough() -> None:
    cells = started()
    fed(cells, [-55.0, -55.0], start=10)
    assert cells.due == 110
    assert not cells.pending
    assert cells.feed(109, [-55.0]) == []
    assert cells.feed(110, [-55.0]) == [CellChange(0, RED, 10)]
    assert cells.due is None


def test_empty_is_told_after_two_readings() -> None:
    cells = started(RED)
    assert cells.feed(10, [0.0]) == []
    assert cells.pending
    assert cells.feed(20, [0.0]) == [CellChange(0, EMPTY, 10)]
    assert not cells.pending


def test_one_reading_out_of_line_is_no_change() -> None:
    for reading, field in MIDDLE.items():
        cells = started(reading)
        for wrong in (0.0, -30.0, -16.0, 55.0, -55.0):
            assert fed(cells, [field, wrong, *[field] * 30]) == []


def test_a_colour_after_another_is_told_without_the_cell_having_been_empty() -> None:
    cells = started(YELLOW)
    changes = fed(cells, [-16.0, -30.0, -44.0, *[-55.0] * 12], start=10)
    assert [change.reading for change in changes] == [UNKNOWN, RED]


def test_a_field_that_moves_within_its_band_is_waited_for() -> None:
    cells = started()
    trembling = [-16.0 + (1 if k % 2 else -1) for k in range(100)]
    assert [change.reading for change in fed(cells, trembling, start=10)] == [UNKNOWN]
    assert [change.reading for change in fed(cells, [-15.0] * 12, start=1010)] == [YELLOW]


def test_a_field_between_the_bands_is_not_known_and_needs_no_haste() -> None:
    cells = started()
    assert [change.reading for change in fed(cells, [-30.0] * 100, start=10)] == [UNKNOWN]
    assert (cells.pending, cells.due) == (False, None)


def test_cells_do_not_hear_each_other() -> None:
    cells = ColourCells(3, BANDS)
    cells.start(0, [0, -55, 0])
    changes = [change for k in range(1, 20) for change in cells.feed(10 * k, [0, -55, 55 if k > 3 else 0])]
    assert changes == [CellChange(2, UNKNOWN, 40), CellChange(2, BLUE, 40)]


def test_by_presence_every_colour_reads_one() -> None:
    cells = ColourCells(1, BANDS, sensing=Sensing.PRESENCE)
    cells.start(0, [-16.0])
    assert cells.readings == [1]
    changes = fed(cells, [0.0, 0.0, *[55.0] * 14], start=10)
    assert [change.reading for change in changes] == [EMPTY, UNKNOWN, 1]


def drifted(bands: Bands, rate: float, seconds: int) -> tuple[list[CellChange], ColourCells]:
    """An empty cell whose zero moves by `rate` mT a second."""
    cells = ColourCells(1, bands)
    cells.start(0, [0.0])
    changes = fed(cells, [rate * k / 50 for k in range(50 * seconds)], start=0, step=20)
    return changes, cells


def test_the_zero_follows_an_empty_cell_that_wanders_slowly() -> None:
    changes, cells = drifted(BANDS, 0.03, 190)  # 5.7 mT: more than an empty cell may read
    assert changes == []
    weak = 1.9 - 10.8  # the weakest yellow there is, with its sensor's zero where it has wandered to
    assert [change.reading for change in fed(cells, [weak] * 14, start=190_000)] == [UNKNOWN, YELLOW]


def test_the_zero_follows_only_so_far_and_so_fast() -> None:
    changes, _ = drifted(BANDS, 0.03, 300)
    assert [change.reading for change in changes] == [UNKNOWN], "9 mT are no drift any more"
    changes, _ = drifted(BANDS, 2.0, 4)
    assert [change.reading for change in changes] == [UNKNOWN], "a hand that comes near is no drift"


def test_the_zero_stays_while_a_stone_lies_there() -> None:
    cells = started(RED)
    fed(cells, [-55.0 - 0.1 * k / 50 for k in range(5000)], step=20)
    assert [change.reading for change in fed(cells, [0.0] * 3, start=100_000)] == [EMPTY]
    assert [change.reading for change in fed(cells, [-11.0] * 14, start=100_100)] == [UNKNOWN, YELLOW]


def test_a_stone_held_far_above_for_a_while_hardly_moves_the_zero() -> None:
    cells = started()
    assert fed(cells, [-3.5] * 200, start=10) == []
    assert [change.reading for change in fed(cells, [-10.7] * 14, start=2010)] == [UNKNOWN, YELLOW]


def test_a_board_needs_a_reading_to_agree() -> None:
    with pytest.raises(ValueError, match="at least one"):
        ColourCells(1, BANDS, samples=0)


# Whatever happens on the way --------------------------------------------------------------------------------------

passing = st.lists(
    st.tuples(st.floats(-100, 100), st.integers(1, 9)),  # a field, and for how many readings of 10 ms it is held
    max_size=12,
)


@given(st.sampled_from(list(MIDDLE)), passing, st.sampled_from(list(MIDDLE)))
def test_a_path_that_ends_in_a_band_gives_that_colour_and_no_other_on_the_way(
    first: int, way: Sequence[tuple[float, int]], last: int
) -> None:
    cells = started(first)
    fields = [field for field, times in way for _ in range(times)]
    changes = fed(cells, [*fields, *[MIDDLE[last]] * 14], start=10)
    told = [first, *(change.reading for change in changes)]
    assert told[-1] == last
    longest = _longest_rests(fields)
    for reading in told[1:]:
        assert reading in (EMPTY, UNKNOWN, last, first) or longest.get(reading, 0) >= 10
    assert all(told[k] != told[k + 1] for k in range(len(told) - 1))
    assert all(before.at <= after.at for before, after in pairwise(changes)), "in the order in which they happened"


def _longest_rests(fields: Sequence[float]) -> dict[int, int]:
    """For each colour, the most readings in a row in its band or within its hysteresis."""
    longest: dict[int, int] = {}
    for reading, band in enumerate(BANDS.colours, 1):
        run = 0
        for field in fields:
            run = run + 1 if band.low - 1 <= field <= band.high + 1 else 0
            longest[reading] = max(longest.get(reading, 0), run)
    return longest


@given(
    st.sampled_from([RED, BLUE]),
    st.integers(1, 60),
    st.sampled_from([5, 10, 20]),
    st.floats(-0.2, 0.2),
)
def test_a_strong_stone_that_comes_and_goes_is_never_taken_for_a_weak_one(
    colour: int, readings: int, step: int, noise: float
) -> None:
    cells = started()
    rest = MIDDLE[colour]
    down = [rest * (k / readings) ** 3 for k in range(readings)]
    there = [rest + (noise if k % 2 else -noise) for k in range(-(-140 // step))]
    changes = fed(cells, [*down, *there, *reversed(down), 0.0, 0.0, 0.0], start=10, step=step)
    told = [change.reading for change in changes if change.reading != UNKNOWN]
    slow = readings * step > 900  # a hand that takes a second for the last two centimetres rests on the way
    assert told in ([colour, EMPTY], *([[YELLOW, colour, YELLOW, EMPTY]] if slow else []))


@given(st.lists(st.floats(-120, 120), min_size=1, max_size=60), st.sampled_from([5, 10, 20]))
def test_nothing_but_a_rest_of_100_ms_gives_a_colour(fields: list[float], step: int) -> None:
    cells = started()
    for k, field in enumerate(fields):
        for change in cells.feed(10 + k * step, [field]):
            assert change.at <= 10 + k * step
            if change.reading > EMPTY:
                seen = [fields[j] for j in range(k + 1) if 10 + j * step >= change.at]
                assert 10 + k * step - change.at >= 100
                assert max(seen) - min(seen) <= BANDS.steady_mt
                band = BANDS.colours[change.reading - 1]
                assert all(band.low - 1 <= value <= band.high + 1 for value in seen)
