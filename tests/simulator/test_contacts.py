"""What contacts make of what lies on their cells, fault by fault."""

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.ports import UNKNOWN, CellChange, Sensing, Snapshot
from simulator import mishaps
from simulator.contacts import BUMP_MS
from simulator.doubt import Doubt
from simulator.faults import FaultError, Faults
from simulator.lines import cells_on, conducting, drawn, square
from simulator.supply import feed, frame_ma
from simulator.tabletop import RESET_MS, HandError, Tabletop

FILES, RANKS = "abcd", "1234"
NAMES = [f"{file}{rank}" for file in FILES for rank in RANKS]
PLACES = [(float(x), float(y)) for x in range(4) for y in range(4)]
A1, A2, A3, A4, B1, B2, B3, B4, C1, C2 = range(10)


def board(*words: str, sensing: Sensing = Sensing.PRESENCE, full: str = "", heaps: bool = False) -> Tabletop:
    top = Tabletop(NAMES, sensing, seed=4, places=PLACES, heaps=heaps)
    top.lay([int(name in full.split()) for name in NAMES])
    if words:
        top.fail(list(words))
    return top


def reads_full(top: Tabletop) -> str:
    return " ".join(name for name, reading in zip(NAMES, top.raw, strict=True) if reading)


# Sick sensors ---------------------------------------------------------------------------------------------------------


def test_a_dead_cell_reads_empty_whatever_lies_on_it() -> None:
    top = board("dead=a1,b2", full="a1")
    assert reads_full(top) == ""
    top.put((B2,), 1)
    top.put((B1,), 1)
    assert reads_full(top) == "b1"
    top.fail(["none"])
    assert reads_full(top) == "a1 b1 b2"


def test_a_stuck_cell_goes_on_telling_what_it_told_first() -> None:
    top = board("stuck=a1,b1", full="a1")
    top.take((A1,))
    top.put((B1,), 1)
    assert reads_full(top) == "a1"
    top.fail(["bounce=2"])
    assert reads_full(top) == "a1", "further faults do not begin it anew"
    top.fail(["none"])
    assert reads_full(top) == "b1"


@pytest.mark.parametrize(
    ("line", "silent"), [("row1", "a1 b1 c1 d1"), ("row4", "a4 b4 c4 d4"), ("col1", "a1 a2 a3 a4"), ("col4", "d1")]
)
def test_a_dead_line_reads_empty_as_the_board_is_drawn(line: str, silent: str) -> None:
    top = board(f"line={line}", full=" ".join(NAMES))
    assert set(silent.split()).isdisjoint(reads_full(top).split())
    assert len(reads_full(top).split()) == 12


def test_a_broken_chain_silences_the_whole_board() -> None:
    top = board("line=chain", full="a1")
    assert "chain" in str(top.trouble())
    with pytest.raises(OSError, match="chain of registers"):
        top.closed(A1)


def test_a_slow_sensor_looks_at_moments_of_its_own() -> None:
    top = board("sample=50")
    for cell in range(16):
        top.put((cell,), 1)
    top.advance(50)
    moments = {cell: at for at, cell, _ in top.flips()}
    assert len(moments) == 16
    assert len(set(moments.values())) > 4
    assert all(0 <= at <= 50 for at in moments.values())
    later = top.now
    top.take((A1,))
    top.advance(later + 60)
    ((at, _, reading),) = top.flips()
    assert reading == 0
    assert (at - moments[A1]) % 50 == 0


def test_a_slow_sensor_misses_what_happens_between_two_looks() -> None:
    top = board("sample=1000")
    top.put((A1,), 1)
    top.take((A1,))
    top.advance(5000)
    assert top.flips() == []


# Neighbours -----------------------------------------------------------------------------------------------------------


def test_crosstalk_keeps_an_emptied_cell_full_until_its_neighbours_leave() -> None:
    top = board("crosstalk=3", full="a1 a2 b1 b2 d4")
    top.take((A1,))
    top.take((NAMES.index("d4"),))
    assert reads_full(top) == "a1 a2 b1 b2"
    top.take((A2,))
    assert reads_full(top) == "b1 b2"
    top.put((A2,), 1)
    assert reads_full(top) == "a2 b1 b2", "a cell that has let go is not filled again by its neighbours"


def test_a_leaking_cell_keeps_the_next_full() -> None:
    top = board("settling", full="a1 a2 a4")
    top.take((A2,))
    top.take((A4,))
    assert reads_full(top) == "a1 a2"
    top.take((A1,))
    assert reads_full(top) == ""


def test_shadows_fall_on_cells_that_see_light_alone() -> None:
    for heaps, seen_at in ((True, 400), (False, 0)):
        top = board("shadow=400", full="a1", heaps=heaps)
        top.take((A1,))
        top.advance(1000)
        assert top.flips() == [(seen_at, A1, 0)]


# Lines ----------------------------------------------------------------------------------------------------------------


def test_three_corners_conjure_the_fourth_without_diodes() -> None:
    top = board("ghost", full="a1 a2 b1")
    assert reads_full(top) == "a1 a2 b1 b2"
    top.take((A1,))
    assert reads_full(top) == "a2 b1"


def test_a_shorted_diode_conjures_only_the_corner_across() -> None:
    assert reads_full(board("diode=a1", full="a1 a2 b1")) == "a1 a2 b1 b2"
    assert reads_full(board("diode=b1", full="a1 a2 b1")) == "a1 a2 b1"
    assert reads_full(board("ghost", full="a1 a2 b1", sensing=Sensing.COLOUR)) == "a1 a2 b1", "no contacts, no ghosts"


CLOSED = st.sets(st.integers(0, 11))


@given(CLOSED)
def test_without_diodes_all_that_is_joined_reads_closed(closed: set[int]) -> None:
    """Told by joining lines until nothing changes: a crossing reads closed where its row and column are joined."""
    crossings = square(12)
    joined = [{("r", crossings[cell][0]), ("c", crossings[cell][1])} for cell in closed]
    for _, first, second in itertools.product(range(12), joined, joined):
        if first & second:
            first.update(second)
            second.update(first)
    expected = {
        cell
        for cell, (row, column) in enumerate(crossings)
        if any({("r", row), ("c", column)} <= net for net in joined)
    }
    assert conducting(crossings, closed, None) == expected
    assert conducting(crossings, closed, frozenset()) == closed, "with diodes nothing is conjured"


@given(CLOSED, st.sets(st.integers(0, 11)))
def test_a_shorted_diode_lies_between_all_and_none(closed: set[int], shorted: set[int]) -> None:
    reads = conducting(square(12), closed, shorted)
    assert closed <= reads <= conducting(square(12), closed, None)


def test_a_line_that_is_not_there_is_said() -> None:
    with pytest.raises(FaultError, match="no row5: this board has 4 rows"):
        board("line=row5")
    assert cells_on(drawn(PLACES), "row2") == {1, 5, 9, 13}
    top = board("line=row1")
    with pytest.raises(FaultError):
        top.fail(["line=col9"])
    assert top.faults.line == ("row1",), "what cannot be does not change what is"


def test_cells_that_may_be_ghosts_are_not_known_and_known_again() -> None:
    top = board(full="a1 a2")
    doubt = Doubt(top)
    assert doubt.over([Snapshot(tuple(top.raw), 0)], 0) == [Snapshot(tuple(top.raw), 0)]
    top.fail(["ghost"])
    assert doubt.over([], 1) == []
    told = doubt.over([CellChange(B1, 1, 5), CellChange(B2, 1, 5)], 6)
    assert told == [CellChange(cell, UNKNOWN, 5) for cell in (A1, A2, B1, B2)]
    top.fail(["none"])
    assert doubt.over([CellChange(B2, 0, 9)], 9) == [
        CellChange(A1, 1, 9),
        CellChange(A2, 1, 9),
        CellChange(B1, 1, 9),
        CellChange(B2, 0, 9),
    ]


# Mishaps --------------------------------------------------------------------------------------------------------------


def test_a_bump_leaves_the_board_as_it_was() -> None:
    top = board(full="a1 b2 c3")
    top.bump()
    top.advance(BUMP_MS)
    flips = top.flips()
    assert len({cell for _, cell, _ in flips}) > 4
    assert all(0 <= at <= BUMP_MS for at, _, _ in flips)
    assert reads_full(top) == "a1 b2 c3"


def test_a_stone_half_beside_its_cell_is_seen_on_neither_one_or_both() -> None:
    seen = set()
    for seed in range(40):
        top = board()
        mishaps.put_between(top, (B2,), 1, random.Random(seed))
        seen.add(len(reads_full(top).split()) * 10 + ("b2" in reads_full(top)))
        assert top.take((B2,)) == 1
        assert reads_full(top) == ""
    assert seen == {0, 10, 11, 21}


def test_a_stone_upside_down_reads_the_other_pole() -> None:
    colours = board(sensing=Sensing.COLOUR)
    for cell, stone in enumerate((1, 2, 3)):
        mishaps.put_upside_down(colours, (cell,), stone)
    assert colours.raw[:3] == [2, 1, UNKNOWN]
    colours.take((A1,))
    colours.put((A1,), 1)
    assert colours.raw[A1] == 1
    plain = board()
    mishaps.put_upside_down(plain, (A1,), 1)
    assert reads_full(plain) == "a1"


def test_of_a_stack_the_upper_stone_is_taken_first() -> None:
    top = board(sensing=Sensing.COLOUR)
    top.put((A1,), 1)
    top.stack((A1,), 2)
    assert top.raw[A1] == UNKNOWN
    assert top.take((A1,)) == 2
    assert top.raw[A1] == 1
    assert top.take((A1,)) == 1
    with pytest.raises(HandError, match="no stone on a1"):
        top.stack((A1,), 2)


def test_what_hovers_is_felt_while_it_is_there() -> None:
    colours = board(sensing=Sensing.COLOUR)
    mishaps.hover(colours, (A1,), 1)
    mishaps.hover(colours, (A2,), 3)
    assert colours.raw[:2] == [3, 0], "a strong stone feels like a weak one, a weak one like none"
    mishaps.leave(colours, (A1,))
    assert colours.raw[A1] == 0


def test_a_hand_darkens_pits_alone() -> None:
    pits, reeds = board(heaps=True), board()
    cells = mishaps.cells_between(pits, A1, B2)
    assert cells == [A1, A2, B1, B2]
    for top in (pits, reeds):
        mishaps.shade(top, cells, on=True)
    assert reads_full(pits) == "a1 a2 b1 b2"
    assert reads_full(reeds) == ""
    mishaps.shade(pits, cells, on=False)
    assert reads_full(pits) == ""


def test_metal_fills_a_cell_until_it_is_taken_off() -> None:
    top = board(full="a2")
    mishaps.lay_metal(top, (A1, A2), on=True)
    assert reads_full(top) == "a1 a2"
    mishaps.lay_metal(top, (A1, A2), on=False)
    assert reads_full(top) == "a2"


def test_a_cable_and_a_reset_are_told_and_over() -> None:
    top = board(full="a1")
    top.unplug()
    assert "cable" in str(top.trouble())
    with pytest.raises(OSError, match="cable"):
        top.closed(A1)
    top.plug()
    assert top.closed(A1)
    top.reset()
    assert "starting anew" in str(top.trouble())
    top.advance(RESET_MS)
    assert top.trouble() is None


def test_a_weak_supply_resets_the_device_above_its_current_alone() -> None:
    top = board("brownout=100")
    white = bytes([255] * 3)
    assert frame_ma(white * 2 + bytes(6)) == 124
    assert not feed(top, white + bytes(9)), "64 mA"
    assert feed(top, white * 2 + bytes(6))
    assert not feed(top, white * 4), "a device that is starting anew shows nothing"
    top.advance(RESET_MS)
    assert not feed(top, white * 2 + bytes(6), share=0.5)
    assert not feed(board(), white * 1000)


def test_behind_a_dead_pixel_all_is_dark() -> None:
    top = board("pixel=3")
    assert top.seen(bytes([9] * 15)) == bytes([9] * 6 + [0] * 9)
    top.faults = Faults()
    assert top.seen(bytes([9] * 15)) == bytes([9] * 15)
