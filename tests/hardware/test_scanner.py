"""The scanner as a `Source`: pace, changes, presses, doubt, and a board that goes away and comes back."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.ports import UNKNOWN, ButtonPress, CellChange, LinkNews, Sensed, Snapshot, Source
from hardware.scanner import RETRY_MS, Scanner


class Levels:
    """A reader whose bits a test sets."""

    def __init__(self, width: int, names: tuple[str, ...] = ()) -> None:
        self.width = width
        self.names = names
        self.bits = 0
        self.reads = 0
        self.closed = 0
        self.trouble: Exception | None = None

    def read(self) -> int:
        self.reads += 1
        if self.trouble is not None:
            raise self.trouble
        return self.bits

    def close(self) -> None:
        self.closed += 1


def run(source: Source, start: int, end: int, at: Callable[[int], None] = lambda now: None) -> list[Sensed]:
    """Poll `source` at each millisecond from `start` to before `end`, doing `at` before each."""
    sensed: list[Sensed] = []
    for now in range(start, end):
        at(now)
        sensed += source.poll(now)
    return sensed


def test_the_first_poll_gives_a_fresh_snapshot_and_later_ones_changes() -> None:
    cells = Levels(4)
    cells.bits = 0b0101
    scanner = Scanner(cells)
    assert scanner.due() == 0
    assert scanner.poll(7) == [Snapshot((1, 0, 1, 0), 7)]
    cells.bits = 0b0110
    assert run(scanner, 8, 60) == [CellChange(0, 0, 27), CellChange(1, 1, 27)]


def test_it_scans_at_leisure_and_faster_while_a_change_is_agreed_and_shortly_after() -> None:
    cells = Levels(1)
    scanner = Scanner(cells)
    times = []
    now = 0
    for _ in range(28):
        scanner.poll(now)
        times.append(now)
        cells.bits = int(now >= 35)
        due = scanner.due()
        assert due is not None
        now = due
    assert times == [0, 20, 40, *range(60, 170, 5), 185, 205, 225]


def test_a_poll_before_it_is_due_reads_nothing() -> None:
    cells = Levels(1)
    scanner = Scanner(cells)
    scanner.poll(0)
    scanner.poll(1)
    scanner.poll(19)
    assert cells.reads == 1


@given(st.integers(0, 19), st.integers(60, 200), st.sampled_from([0, 10, 30]))
def test_a_state_that_lasts_60_ms_is_always_seen(phase: int, lasting: int, agree_ms: int) -> None:
    cells, buttons = Levels(1), Levels(1, ("ok",))
    scanner = Scanner(cells, buttons, agree_ms=agree_ms)
    down = 100 + phase

    def level(now: int) -> None:
        cells.bits = buttons.bits = int(down <= now < down + lasting)

    sensed = run(scanner, 0, 500, level)[1:]
    assert [type(each) for each in sensed] == [CellChange, ButtonPress, CellChange]
    at = sensed[0].at
    assert down <= at < down + 20, "the time is that of the raw change, not of the agreement"
    assert sensed[1] == ButtonPress("ok", at)


def test_a_bouncing_press_wakes_once() -> None:
    buttons = Levels(2, ("red", "blue"))
    scanner = Scanner(Levels(1), buttons)

    def bounce(now: int) -> None:
        down = 100 <= now < 300
        flickering = 100 <= now < 112 or 300 <= now < 312
        buttons.bits = (down ^ (flickering and now % 3 == 0)) << 1

    presses = [each for each in run(scanner, 0, 500, bounce) if isinstance(each, ButtonPress)]
    assert [press.button for press in presses] == ["blue"]


def test_a_button_held_down_at_the_start_is_no_press() -> None:
    buttons = Levels(1, ("ok",))
    buttons.bits = 1
    scanner = Scanner(Levels(1), buttons)
    assert run(scanner, 0, 200) == [Snapshot((0,), 0)]


def test_changes_agreed_in_one_scan_come_in_the_order_in_which_they_happened() -> None:
    cells, buttons = Levels(3), Levels(2, ("red", "blue"))
    scanner = Scanner(cells, buttons, samples=1, agree_ms=30)
    scanner.poll(0)
    cells.bits, buttons.bits = 0b100, 0b10
    scanner.poll(20)
    cells.bits, buttons.bits = 0b101, 0b11
    scanner.poll(25)
    cells.bits = 0b111
    scanner.poll(30)
    assert scanner.poll(200) == [
        CellChange(2, 1, 20),
        ButtonPress("blue", 20),
        CellChange(0, 1, 25),
        ButtonPress("red", 25),
        CellChange(1, 1, 30),
    ]


def test_cells_in_doubt_read_unknown_until_the_doubt_is_gone() -> None:
    cells = Levels(4)

    def in_doubt(bits: int) -> int:
        return bits if bits == 0b1111 else 0

    scanner = Scanner(cells, in_doubt=in_doubt)
    cells.bits = 0b0011
    run(scanner, 0, 100)
    cells.bits = 0b1111
    doubted = run(scanner, 100, 200)
    assert doubted == [CellChange(cell, UNKNOWN, 100) for cell in range(4)]
    cells.bits = 0b0111
    assert run(scanner, 200, 300) == [CellChange(k, reading, 200) for k, reading in enumerate((1, 1, 1, 0))]


def test_a_snapshot_holds_doubt_too() -> None:
    cells = Levels(2)
    cells.bits = 0b11
    assert Scanner(cells, in_doubt=lambda bits: bits & 0b10).poll(0) == [Snapshot((1, UNKNOWN), 0)]


def test_a_board_that_goes_away_is_told_once_and_comes_back_with_a_snapshot() -> None:
    cells, buttons = Levels(2), Levels(1, ("ok",))
    scanner = Scanner(cells, buttons)
    run(scanner, 0, 100)
    cells.trouble = OSError("the cable is out; plug it in")

    def meanwhile(now: int) -> None:
        buttons.bits = int(500 <= now < 600)
        if now == 1300:
            cells.trouble, cells.bits = None, 0b10

    sensed = run(scanner, 100, 2500, meanwhile)
    down, press, up, snapshot = sensed
    assert down == LinkNews(up=False, why="the cable is out; plug it in", at=100)
    assert isinstance(press, ButtonPress), "buttons work meanwhile"
    assert up == LinkNews(up=True, why="", at=up.at)
    assert snapshot == Snapshot((0, 1), up.at)
    assert 1300 <= up.at <= 1300 + RETRY_MS + 20


def test_a_board_that_goes_away_in_the_middle_of_a_change_is_waited_for_at_leisure() -> None:
    cells = Levels(1)
    scanner = Scanner(cells)
    scanner.poll(0)
    cells.bits = 1
    scanner.poll(20)
    assert scanner.due() == 25
    cells.trouble = OSError("gone")
    scanner.poll(25)
    assert scanner.due() == 45


def test_a_board_that_is_away_at_the_start_is_told_and_waited_for() -> None:
    cells = Levels(1)
    cells.trouble = OSError("nothing there")
    scanner = Scanner(cells)
    assert scanner.poll(0) == [LinkNews(up=False, why="nothing there", at=0)]
    cells.trouble = None
    assert [type(each) for each in run(scanner, 1, 1000)] == [LinkNews, Snapshot]


def test_only_the_exceptions_that_mean_a_lost_device_are_taken_for_one() -> None:
    class DriverError(Exception):
        pass

    cells = Levels(1)
    cells.trouble = DriverError("busy")
    assert isinstance(Scanner(cells, lost=(DriverError,)).poll(0)[0], LinkNews)
    with pytest.raises(DriverError):
        Scanner(cells).poll(0)


def test_buttons_that_cannot_be_read_leave_the_cells_alone(caplog: pytest.LogCaptureFixture) -> None:
    buttons = Levels(1, ("ok",))
    buttons.trouble = OSError("broken")
    cells = Levels(1)
    scanner = Scanner(cells, buttons)
    run(scanner, 0, 100)
    cells.bits = 1
    assert run(scanner, 100, 200) == [CellChange(0, 1, 100)]
    assert caplog.messages == ["the buttons cannot be read: broken"]


def test_closing_closes_both_and_polls_give_nothing() -> None:
    cells, buttons = Levels(1), Levels(1, ("ok",))
    scanner = Scanner(cells, buttons)
    scanner.poll(0)
    scanner.close()
    scanner.close()
    assert cells.closed
    assert buttons.closed
    assert scanner.poll(100) == ()
    assert scanner.due() is None
