"""Cells and buttons on the same inputs, and boards that a Pi cannot open by itself."""

import pytest

from hardware.opening import open_board, source_on
from hardware.ports import ButtonPress, CellChange, DeviceError, Snapshot
from hardware.profile import load_profile, parse_profile
from hardware.shared import CellsFirst, Joined
from simulator.pins import StonelightFactory

MATRIX = """
name = "small"
title = "Two by two, and two buttons at the crossings"
[cells]
sensing = "presence"
files = 2
ranks = 2
driver = "matrix"
rows = [4, 17]
columns = [13, 16, 20]
[cells.buttons]
ok = 4
back = 5
[buttons]
red = 5
[lamps]
count = 4
budget_ma = 100
"""


class Raw:
    """A reader that says what it is told to say."""

    width = 6

    def __init__(self) -> None:
        self.says = 0
        self.reads = 0
        self.closed = 0

    def read(self) -> int:
        self.reads += 1
        return self.says

    def close(self) -> None:
        self.closed += 1


def test_one_scan_serves_cells_and_buttons() -> None:
    raw = Raw()
    cells = CellsFirst(raw, 4, ("ok", "back"))
    assert (cells.width, cells.buttons.width, cells.buttons.names) == (4, 2, ("ok", "back"))
    raw.says = 0b10_0101
    assert cells.buttons.read() == 0b10, "the first time there is no scan to look at yet"
    assert cells.read() == 0b0101
    raw.says = 0b01_0000
    assert cells.buttons.read() == 0b10, "as in the last scan"
    assert (cells.read(), cells.buttons.read()) == (0, 0b01)
    assert raw.reads == 3
    cells.buttons.close()
    assert raw.closed == 0
    cells.close()
    assert raw.closed == 1


def test_groups_of_buttons_follow_each_other() -> None:
    one, other = Raw(), Raw()
    few, more = CellsFirst(one, 3, ("a", "b", "c")), CellsFirst(other, 4, ("d", "e"))
    joined = Joined([few.buttons, more.buttons])
    one.says, other.says = 0b101_000, 0b10_0000
    assert joined.names == ("a", "b", "c", "d", "e")
    assert joined.width == 5
    assert joined.read() == 0b10_101
    joined.close()


class Board:
    """Contacts that a test closes."""

    def __init__(self) -> None:
        self.cells: set[int] = set()
        self.held: set[str] = set()

    def closed(self, cell: int) -> bool:
        return cell in self.cells

    def pressed(self, button: str) -> bool:
        return button in self.held


def test_buttons_at_crossings_of_a_matrix() -> None:
    profile = parse_profile(MATRIX, "small.toml")
    factory, board = StonelightFactory(), Board()
    factory.wire(profile.wiring(), board)
    source = source_on(profile, factory, wait=lambda us: None)
    assert source.poll(0) == [Snapshot((0,) * 4, 0)]
    board.cells, board.held = {3}, {"back", "red"}
    heard = [each for now in range(1, 100) for each in source.poll(now)]
    assert [each.cell for each in heard if isinstance(each, CellChange)] == [3]
    assert sorted(each.button for each in heard if isinstance(each, ButtonPress)) == ["back", "red"]
    board.cells, board.held = set(), {"ok"}
    heard = [each for now in range(100, 200) for each in source.poll(now)]
    assert [each.button for each in heard if isinstance(each, ButtonPress)] == ["ok"]
    source.close()


@pytest.mark.parametrize("name", ["bao-4x12", "exago-5-reeds"])
def test_a_board_on_a_pico_is_not_opened_on_the_header(name: str) -> None:
    with pytest.raises(DeviceError, match="wired to a Pico, not to this computer's header: connect the Pico by USB"):
        open_board(load_profile(name), wait=lambda us: None)
