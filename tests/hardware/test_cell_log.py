"""What a log knows of cells, and how it says it."""

import pytest

from hardware.cell_log import CellLog, LoggedSource, age, reading_word
from hardware.ports import UNKNOWN, ButtonPress, CellChange, LinkNews, Snapshot


def test_raw_noise_age_and_changes_of_a_cell() -> None:
    log = CellLog(["a1", "a2"])
    assert log.take([Snapshot((0, 1), 100)]) == (0, 1)
    for values in ([500, 700], [503, 690], [498, 701]):
        log.take_raw(values)
    first, second = log.lines(1000)
    assert (first.raw, first.reading, first.noise, first.age_ms, first.changes) == (498, 0, 5, None, 0)
    assert (second.raw, second.reading, second.noise) == (701, 1, 11)
    assert log.take([CellChange(0, UNKNOWN, 1100), CellChange(0, 3, 1200), CellChange(1, 0, 1300)]) == (0, 0, 1)
    first, second = log.lines(1500)
    assert (first.raw, first.reading, first.noise, first.age_ms, first.changes) == (None, 3, None, 300, 2)
    assert (second.reading, second.age_ms, second.changes) == (0, 200, 1)
    assert [line.changes for line in log.lines(11_250)] == [0, 1]


def test_a_snapshot_ages_only_what_it_changes() -> None:
    log = CellLog(["a1", "a2"])
    log.take([Snapshot((0, 1), 100)])
    assert log.take([Snapshot((0, 0), 400)]) == (1,)
    assert [line.age_ms for line in log.lines(500)] == [None, 100]


def test_the_table_stands_in_columns_with_trouble_and_buttons_below() -> None:
    log = CellLog(["a1", "a2", "a3"])
    log.take([Snapshot((0, 1, UNKNOWN), 0), ButtonPress("ok", 5), LinkNews(up=False, why="pulled out", at=6)])
    assert log.text(0, 2).splitlines() == [
        "cell    raw  reading  noise     age  changes   cell    raw  reading  noise     age  changes",
        "a1        -    empty      -       -        0   a3        -        ?      -       -        0",
        "a2        -        1      -       -        0",
        "no cells: pulled out",
        "last button: ok",
    ]
    log.take([LinkNews(up=True, why="", at=7)])
    assert "no cells" not in log.text(0)


@pytest.mark.parametrize(
    ("ms", "words"), [(None, "-"), (400, "0.4 s"), (9999, "10.0 s"), (61_000, "61 s"), (180_000, "3 min")]
)
def test_ages_in_words(ms: int | None, words: str) -> None:
    assert age(ms) == words


def test_readings_in_words() -> None:
    assert [reading_word(reading) for reading in (UNKNOWN, 0, 2)] == ["?", "empty", "2"]


class _Source:
    def __init__(self) -> None:
        self.closed = False
        self.wake: object = None

    def poll(self, now: int) -> list[CellChange]:
        return [CellChange(0, 1, now)] if now else []

    def due(self) -> int:
        return 7

    def listen(self, wake: object) -> None:
        self.wake = wake

    def close(self) -> None:
        self.closed = True


def test_a_logged_source_is_that_source() -> None:
    source = _Source()
    logged = LoggedSource(source, ["a1"])
    assert (list(logged.poll(0)), logged.log.reading(0)) == ([], UNKNOWN)
    assert (list(logged.poll(9)), logged.log.reading(0), logged.due()) == ([CellChange(0, 1, 9)], 1, 7)
    logged.listen(print)
    logged.close()
    assert (source.wake, source.closed) == (print, True)
