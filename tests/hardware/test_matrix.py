"""The matrix scanner on simulated pins: what it reads, what it drives, and where it admits doubt."""

from itertools import product
from typing import Any

import pytest
from gpiozero import GPIOPinInUse
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.ghosts import ghosts
from hardware.matrix import Matrix
from hardware.wiring import Wiring
from simulator.pins import SimulatedPin, StonelightFactory, used_pins

ROWS, COLUMNS = (4, 17, 12, 26), (13, 16, 20, 27)
CROSSINGS = tuple((rank, file) for file in range(4) for rank in range(4))


class Switches:
    """Contacts that a test closes by hand."""

    def __init__(self) -> None:
        self.on: set[int] = set()

    def closed(self, cell: int) -> bool:
        return cell in self.on

    def pressed(self, button: str) -> bool:
        return False


def matrix_on(switches: Switches, *, diodes: bool = True, waits: list[int] | None = None) -> Matrix:
    factory = StonelightFactory()
    factory.wire(Wiring(ROWS, COLUMNS, CROSSINGS, diodes=diodes), switches)
    wait = waits.append if waits is not None else lambda us: None
    return Matrix(ROWS, COLUMNS, CROSSINGS, settle_us=50, wait=wait, pin_factory=factory)


@given(st.sets(st.integers(0, 15)))
def test_it_reads_exactly_the_closed_contacts(on: set[int]) -> None:
    switches = Switches()
    matrix = matrix_on(switches)
    switches.on = on
    assert matrix.read() == sum(1 << cell for cell in on)
    matrix.close()


def test_it_waits_for_each_row_once_it_is_driven() -> None:
    waits: list[int] = []
    matrix_on(Switches(), waits=waits).read()
    assert waits == [50] * 4


def test_a_row_is_driven_low_or_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    outputs: list[tuple[str, bool, tuple[int, ...]]] = []
    change = SimulatedPin._note

    def note(pin: Any) -> None:
        change(pin)
        outputs.append((repr(pin), bool(pin._state), tuple(sorted(pin.factory.driven))))

    monkeypatch.setattr(SimulatedPin, "_note", note)
    switches = Switches()
    switches.on = set(range(16))
    matrix = matrix_on(switches)
    outputs.clear()
    matrix.read()
    assert {driven for _, _, driven in outputs} == {(), (4,), (17,), (12,), (26,)}, "one row at a time, then none"
    assert not any(level for _, level, driven in outputs if driven)


def test_a_row_is_released_even_where_reading_fails() -> None:
    switches = Switches()
    factory = StonelightFactory()
    factory.wire(Wiring(ROWS, COLUMNS, CROSSINGS), switches)
    matrix = Matrix(ROWS, COLUMNS, CROSSINGS, settle_us=50, wait=lambda us: None, pin_factory=factory)

    def unplugged(cell: int) -> bool:
        raise OSError("the board is unplugged")

    switches.closed = unplugged  # type: ignore[method-assign]
    with pytest.raises(OSError, match="unplugged"):
        matrix.read()
    assert factory.driven == {}


def test_closing_gives_the_pins_back_and_may_be_done_twice() -> None:
    factory = StonelightFactory()
    factory.wire(Wiring(ROWS, COLUMNS, CROSSINGS), Switches())
    for _ in range(2):
        matrix = Matrix(ROWS, COLUMNS, CROSSINGS, settle_us=0, wait=lambda us: None, pin_factory=factory)
        matrix.close()
        matrix.close()
    assert len(used_pins(factory)) == 8


def test_a_pin_in_use_leaves_nothing_open() -> None:
    factory = StonelightFactory()
    with pytest.raises(GPIOPinInUse):
        Matrix((4, 17), (13, 17), [(0, 0)], settle_us=0, wait=lambda us: None, pin_factory=factory)
    Matrix((4, 17), (13,), [(0, 0)], settle_us=0, wait=lambda us: None, pin_factory=factory).close()


@pytest.mark.parametrize(
    ("crossings", "complaint"),
    [
        pytest.param([(0, 0), (0, 0)], "cell 1: crossing 0, 0 has a cell already", id="two cells at one crossing"),
        pytest.param([(0, 4)], "cell 0: crossing 0, 4 is outside", id="a crossing off the matrix"),
    ],
)
def test_impossible_crossings_are_refused(crossings: list[tuple[int, int]], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Matrix(ROWS, COLUMNS, crossings, settle_us=0, wait=lambda us: None, pin_factory=StonelightFactory())


def rectangles() -> list[tuple[int, int, int, int]]:
    """All rectangles of the 4 x 4 matrix, as four cells."""
    cell = {crossing: k for k, crossing in enumerate(CROSSINGS)}
    return [
        (cell[r, c], cell[r, d], cell[s, c], cell[s, d])
        for r, s in product(range(4), repeat=2)
        for c, d in product(range(4), repeat=2)
        if r < s and c < d
    ]


@pytest.mark.parametrize("corners", rectangles())
def test_g8_without_diodes_three_corners_are_a_rectangle_in_doubt(corners: tuple[int, int, int, int]) -> None:
    switches = Switches()
    matrix = matrix_on(switches, diodes=False)
    whole = sum(1 << cell for cell in corners)
    for absent in corners:
        switches.on = set(corners) - {absent}
        assert matrix.read() == whole, "the fourth shows"
        assert ghosts(CROSSINGS)(whole) == whole, "and none of the four is believed"
    matrix.close()


@settings(max_examples=200)
@given(st.sets(st.integers(0, 15), max_size=9))
def test_g8_without_diodes_what_is_believed_is_true(on: set[int]) -> None:
    switches = Switches()
    matrix = matrix_on(switches, diodes=False)
    switches.on = on
    raw = matrix.read()
    doubt = ghosts(CROSSINGS)(raw)
    believed = raw & ~doubt
    truth = sum(1 << cell for cell in on)
    assert believed & ~truth == 0, "no stone where none is"
    assert truth & ~raw == 0, "an empty reading is empty"
    matrix.close()


def test_cells_that_share_no_rectangle_are_never_in_doubt() -> None:
    diagonal = sum(1 << CROSSINGS.index((k, k)) for k in range(4))
    row = sum(1 << CROSSINGS.index((0, k)) for k in range(4))
    assert ghosts(CROSSINGS)(diagonal) == 0
    assert ghosts(CROSSINGS)(row) == 0
