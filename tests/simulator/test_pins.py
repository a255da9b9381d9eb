"""Simulated pins: what a real matrix would show, no memory that grows, and boards that leave each other alone."""

import sys
from importlib.metadata import entry_points

import pytest
from gpiozero import Button, DigitalOutputDevice, InputDevice
from hypothesis import given
from hypothesis import strategies as st

from hardware.buttons import Buttons
from hardware.matrix import Matrix
from hardware.opening import scanner_on
from hardware.ports import ButtonPress, CellChange, LinkNews, Snapshot
from hardware.wiring import Pace, Wiring
from simulator.pins import ShortCircuitError, StonelightFactory, wide_wiring

SQUARE = Wiring((4, 17), (13, 16), ((0, 0), (0, 1), (1, 0), (1, 1)), {"ok": 23})


class Hand:
    """Contacts and buttons that a test closes."""

    def __init__(self, *cells: int) -> None:
        self.cells = set(cells)
        self.buttons: set[str] = set()
        self.unplugged = False

    def closed(self, cell: int) -> bool:
        if self.unplugged:
            raise OSError("the board is unplugged; plug it in")
        return cell in self.cells

    def pressed(self, button: str) -> bool:
        return button in self.buttons


def wired(hand: Hand, wiring: Wiring = SQUARE) -> StonelightFactory:
    factory = StonelightFactory()
    factory.wire(wiring, hand)
    return factory


def without_diodes(wiring: Wiring = SQUARE) -> Wiring:
    return Wiring(wiring.rows, wiring.columns, wiring.crossings, wiring.buttons, diodes=False)


def test_gpiozero_finds_the_factory_by_name() -> None:
    (found,) = entry_points(group="gpiozero_pin_factories", name="stonelight")
    assert found.load() is StonelightFactory


def test_an_unwired_pin_shows_its_pull() -> None:
    factory = StonelightFactory()
    assert InputDevice(5, pull_up=True, pin_factory=factory).pin.state
    assert not InputDevice(6, pull_up=False, pin_factory=factory).pin.state


def test_a_column_is_low_while_a_joined_row_is_driven_low() -> None:
    factory = wired(Hand(1))
    row = DigitalOutputDevice(4, initial_value=True, pin_factory=factory)
    joined = InputDevice(16, pull_up=True, pin_factory=factory)
    other = InputDevice(13, pull_up=True, pin_factory=factory)
    assert joined.pin.state
    row.off()
    assert not joined.pin.state
    assert other.pin.state
    row.pin.function = "input"
    assert joined.pin.state


def test_any_gpiozero_button_sees_the_press() -> None:
    hand = Hand()
    button = Button(23, pin_factory=wired(hand))
    assert not button.is_pressed
    hand.buttons.add("ok")
    assert button.is_pressed


@given(st.sets(st.integers(0, 3)))
def test_with_diodes_there_are_no_ghosts(cells: set[int]) -> None:
    matrix = Matrix(*_matrix(SQUARE), settle_us=0, wait=lambda us: None, pin_factory=wired(Hand(*cells)))
    assert matrix.read() == sum(1 << cell for cell in cells)


@pytest.mark.parametrize("absent", range(4))
def test_without_diodes_three_corners_show_the_fourth(absent: int) -> None:
    factory = wired(Hand(*({0, 1, 2, 3} - {absent})), without_diodes())
    matrix = Matrix(*_matrix(SQUARE), settle_us=0, wait=lambda us: None, pin_factory=factory)
    assert matrix.read() == 0b1111


def _matrix(wiring: Wiring) -> tuple[tuple[int, ...], tuple[int, ...], tuple[tuple[int, int], ...]]:
    return tuple(wiring.rows), tuple(wiring.columns), tuple(wiring.crossings)


def test_a_driver_that_shorts_two_pins_is_caught() -> None:
    factory = wired(Hand(0, 2), without_diodes())
    low = DigitalOutputDevice(4, initial_value=False, pin_factory=factory)
    high = DigitalOutputDevice(17, initial_value=True, pin_factory=factory)
    column = InputDevice(13, pull_up=True, pin_factory=factory)
    with pytest.raises(ShortCircuitError, match="GPIO 17 drives high a line that GPIO 4 drives low"):
        _ = column.pin.state
    high.close()
    assert not column.pin.state
    low.close()
    assert column.pin.state


def test_nothing_grows_with_time() -> None:
    factory = wired(Hand(0, 3))
    source = scanner_on(SQUARE, Pace(), factory, wait=lambda us: None)
    for now in range(0, 40_000, 20):
        source.poll(now)
    assert {len(pin.states) for pin in factory.pins.values()} == {1}
    assert factory.driven == {}


def test_two_boards_in_one_process_leave_each_other_alone() -> None:
    hands = Hand(0), Hand(3)
    sources = [scanner_on(SQUARE, Pace(), wired(hand), wait=lambda us: None) for hand in hands]
    assert [source.poll(0) for source in sources] == [[Snapshot((1, 0, 0, 0), 0)], [Snapshot((0, 0, 0, 1), 0)]]
    hands[0].cells.add(1)
    hands[1].buttons.add("ok")
    heard = [[each for now in range(1, 100) for each in source.poll(now)] for source in sources]
    assert heard == [[CellChange(1, 1, 20)], [ButtonPress("ok", 20)]]


def test_an_unplugged_board_goes_offline_and_comes_back() -> None:
    hand = Hand(2)
    source = scanner_on(SQUARE, Pace(), wired(hand), wait=lambda us: None)
    source.poll(0)
    hand.unplugged = True
    news = [each for now in range(1, 1000) for each in source.poll(now)]
    assert news == [LinkNews(up=False, why="the board is unplugged; plug it in", at=20)]
    hand.unplugged = False
    up, snapshot = (each for now in range(1000, 2000) for each in source.poll(now))
    assert isinstance(up, LinkNews)
    assert up.up
    assert up.at <= 1500
    assert snapshot == Snapshot((0, 0, 1, 0), up.at)


def test_wiring_anew_replaces_the_board() -> None:
    factory = wired(Hand(0, 1, 2, 3))
    matrix = Matrix(*_matrix(SQUARE), settle_us=0, wait=lambda us: None, pin_factory=factory)
    assert matrix.read() == 0b1111
    factory.wire(SQUARE, Hand(2))
    assert matrix.read() == 0b0100


def test_reset_forgets_pins_but_not_the_wiring() -> None:
    factory = wired(Hand(2))
    Matrix(*_matrix(SQUARE), settle_us=0, wait=lambda us: None, pin_factory=factory)
    factory.reset()
    again = Matrix(*_matrix(SQUARE), settle_us=0, wait=lambda us: None, pin_factory=factory)
    assert again.read() == 0b0100


@pytest.mark.parametrize("cells", [1, 16, 48, 91, 256])
def test_a_board_of_any_size_fits_on_a_wide_pi(cells: int) -> None:
    names = ("red", "blue", "yellow", "ok", "back", "new", "hint")
    wiring, revision = wide_wiring(cells, names)
    hand = Hand(0, cells - 1)
    factory = StonelightFactory(revision)
    factory.wire(wiring, hand)
    matrix = Matrix(*_matrix(wiring), settle_us=0, wait=lambda us: None, pin_factory=factory)
    buttons = Buttons(wiring.buttons, pin_factory=factory)
    assert matrix.read() == 1 | 1 << cells - 1
    hand.buttons.add("hint")
    assert buttons.read() == 1 << 6


def test_a_board_that_does_not_fit_says_so() -> None:
    with pytest.raises(ValueError, match="need 47 pins, and the largest simulated Pi has 46"):
        wide_wiring(400, [str(k) for k in range(7)])


def test_pins_need_no_blinka() -> None:
    assert "simulator.pins" in sys.modules
    import simulator.pins

    assert not hasattr(simulator.pins, "board")
