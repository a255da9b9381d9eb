"""What a log knows of cells, and how it says it."""

import itertools
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.cell_log import CellLine, CellLog, LoggedSource, age, band, bands_of, columns_in, table
from hardware.ports import UNKNOWN, ButtonPress, CellChange, LinkNews, RawHeard, Sensing, Snapshot
from hardware.restless import NOISE_MS

COLOURS = ("empty", "red", "blue", "yellow")


def test_raw_noise_age_and_changes_of_a_cell_with_levels() -> None:
    log = CellLog(["a1", "a2"], COLOURS, levels=True)
    assert log.take([Snapshot((0, 1), 100)]) == (0, 1)
    for at, values in ((100, [500, 700]), (120, [503, 690]), (140, [498, 701])):
        log.take_raw(at, 0, values)
    assert log.lines(1000) == [CellLine("a1", 498, "empty", 5, None, 0), CellLine("a2", 701, "red", 11, None, 0)]
    log.take_raw(1200, 0, [260])
    assert log.take([CellChange(0, UNKNOWN, 1100), CellChange(0, 3, 1200), CellChange(1, 0, 1300)]) == (0, 0, 1)
    # What moved the value to where it is was no noise.
    assert log.lines(1500) == [CellLine("a1", 260, "yellow", 0, 300, 2), CellLine("a2", 701, "empty", 0, 200, 1)]
    assert [line.changes for line in log.lines(11_250)] == [0, 1]


def test_the_noise_of_a_contact_is_how_often_it_flickered_of_late() -> None:
    log = CellLog(["a1", "a2"])
    log.take([Snapshot((0, 0), 0)])
    log.take_raw(0, 0, [65535, 0])
    assert log.line(0, 0).raw == 1
    log.take([CellChange(0, 0, 500)])
    log.take_raw(510, 0, [0])  # told a little later than the change that it belongs to
    for at, value in ((1000, 65535), (1005, 0), (1010, 0), (2000, 1), (2010, 0)):
        log.take_raw(at, 0, [value])
    assert [(line.raw, line.noise) for line in log.lines(2010)] == [(0, 4), (0, 0)]
    # Nothing more is told of a contact that rests, and its noise ebbs away all the same.
    assert [log.line(0, now).noise for now in (1004 + NOISE_MS, 1006 + NOISE_MS, 2011 + NOISE_MS)] == [3, 2, 0]
    assert log.line(0, 99_999).raw == 0


def test_a_value_that_held_within_the_span_counts_although_it_is_older() -> None:
    log = CellLog(["a1"], levels=True)
    log.take_raw(0, 0, [100])
    log.take_raw(10_000, 0, [130])
    assert log.line(0, 10_000).noise == 30
    assert log.line(0, 10_001 + NOISE_MS).noise == 0


@given(st.lists(st.tuples(st.integers(0, 400), st.integers(0, 9)), min_size=1, max_size=60), st.booleans())
def test_noise_is_that_of_all_values_that_held_within_the_span(steps: list[tuple[int, int]], levels: bool) -> None:
    log, now, held = CellLog(["a1"], levels=levels), 0, list[tuple[int, int]]()
    steps = [(span, value if levels else value % 2) for span, value in steps]
    for span, value in steps:
        now += span
        log.take_raw(now, 0, [value])
        held.append((now, value))
    lasting = [
        value for (_, value), (until, _) in zip(held, [*held[1:], (now + 1, 0)], strict=True) if now - until <= NOISE_MS
    ]
    flickers = sum(one != other for one, other in itertools.pairwise(lasting))
    assert log.line(0, now).noise == (max(lasting) - min(lasting) if levels else flickers)


def test_raw_values_that_nobody_wants_any_more_or_that_are_not_known_are_none() -> None:
    log = CellLog(["a1", "a2"], levels=True)
    log.take_raw(0, 1, [7])
    assert [(line.raw, line.noise) for line in log.lines(0)] == [(None, None), (7, 0)]
    log.take_raw(5, 1, [-1])
    assert (log.line(1, 5).raw, log.line(1, 5).noise) == (None, None)
    log.take_raw(10, 1, [9])
    assert (log.line(1, 10).raw, log.line(1, 10).noise) == (9, 0)
    log.forget_raw()
    assert (log.line(1, 10).raw, log.line(1, 10).noise) == (None, None)


def test_a_contact_of_which_nothing_was_known_meanwhile_did_not_flicker() -> None:
    log = CellLog(["a1"])
    for at, value in ((0, 1), (10, -1), (20, 0), (30, 1)):
        log.take_raw(at, 0, [value])
    assert log.line(0, 30).noise == 1


def test_the_version_grows_with_what_makes_a_difference_alone() -> None:
    log = CellLog(["a1"])
    log.take([Snapshot((0,), 0)])
    log.take_raw(0, 0, [0])
    before = log.version
    log.take_raw(20, 0, [0])
    log.take([])
    assert log.version == before
    log.take_raw(40, 0, [1])
    log.take([ButtonPress("ok", 41)])
    assert log.version == before + 2


def test_a_snapshot_ages_only_what_it_changes() -> None:
    log = CellLog(["a1", "a2"])
    log.take([Snapshot((0, 1), 100)])
    assert log.take([Snapshot((0, 0), 400)]) == (1,)
    assert [line.age_ms for line in log.lines(500)] == [None, 100]


def test_the_table_stands_in_columns_with_trouble_and_buttons_below() -> None:
    log = CellLog(["a1", "a2", "a3"], bands_of(Sensing.PRESENCE, ()))
    log.take([Snapshot((0, 1, UNKNOWN), 0), ButtonPress("ok", 5), LinkNews(up=False, why="pulled out", at=6)])
    assert table(log.lines(0), 2, trouble=log.trouble, pressed=log.pressed).splitlines() == [
        "cell    raw     band  noise     age  changes   cell    raw     band  noise     age  changes",
        "a1        -    empty      -       -        0   a3        -        ?      -       -        0",
        "a2        - occupied      -       -        0",
        "no cells: pulled out",
        "last button: ok",
    ]
    log.take([LinkNews(up=True, why="", at=7)])
    assert log.trouble == ""
    assert [columns_in(width) for width in (10, 90, 91, 138)] == [1, 1, 2, 3]


def test_marks_have_a_place_where_there_are_some() -> None:
    log = CellLog(["a1", "a2"])
    assert table(log.lines(0, {1: "masked"})).splitlines() == [
        "cell    raw     band  noise     age  changes    mark",
        "a1        -        ?      -       -        0        ",
        "a2        -        ?      -       -        0  masked",
    ]
    assert (columns_in(101), columns_in(101, marked=True)) == (2, 1)


def test_a_line_goes_through_json_and_back() -> None:
    line = CellLine("a1", None, "red", 3, 1200, 4, "sick")
    assert CellLine(**line.as_json()) == line


@pytest.mark.parametrize(
    ("ms", "words"), [(None, "-"), (400, "0.4 s"), (9999, "10.0 s"), (61_000, "61 s"), (180_000, "3 min")]
)
def test_ages_in_words(ms: int | None, words: str) -> None:
    assert age(ms) == words


@pytest.mark.parametrize(
    ("sensing", "words"),
    [
        (Sensing.PRESENCE, ["?", "empty", "occupied", "2"]),
        (Sensing.COLOUR, ["?", "empty", "red", "blue"]),
        (Sensing.COUNT, ["?", "empty", "1", "2"]),
    ],
)
def test_readings_in_words(sensing: Sensing, words: list[str]) -> None:
    assert [band(reading, bands_of(sensing, COLOURS[1:])) for reading in (UNKNOWN, 0, 1, 2)] == words


class _Source:
    def __init__(self) -> None:
        self.closed = False
        self.wake: object = None
        self.heard: RawHeard | None = None

    def poll(self, now: int) -> Sequence[CellChange]:
        if self.heard is not None:
            self.heard(now, 0, [now])
        return [CellChange(0, 1, now)] if now else []

    def due(self) -> int:
        return 7

    def listen(self, wake: Callable[[], None]) -> None:
        self.wake = wake

    def hear_raw(self, heard: RawHeard | None) -> None:
        self.heard = heard

    def close(self) -> None:
        self.closed = True


def test_a_logged_source_is_that_source() -> None:
    source = _Source()
    logged = LoggedSource(source, CellLog(["a1"]))
    assert (list(logged.poll(0)), logged.log.reading(0)) == ([], UNKNOWN)
    assert (list(logged.poll(9)), logged.log.reading(0), logged.due()) == ([CellChange(0, 1, 9)], 1, 7)
    logged.listen(print)
    logged.close()
    assert (source.wake, source.closed) == (print, True)


def test_a_logged_source_asks_for_raw_values_only_while_somebody_looks_closely() -> None:
    source = _Source()
    logged = LoggedSource(source, CellLog(["a1"], levels=True))
    logged.poll(3)
    assert logged.log.line(0, 3).raw is None
    logged.look(closely=True)
    logged.poll(5)
    assert logged.log.line(0, 5).raw == 5
    logged.look(closely=False)
    assert (source.heard, logged.log.line(0, 5).raw) == (None, None)
