"""The shortest way from a simulated board to the controller."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.ports import ButtonPress, CellChange, Sensing, Snapshot
from simulator.faults import Faults
from simulator.memory import AGREE_MS, MemoryLamps, MemorySource
from simulator.tabletop import Tabletop

NAMES = ("a1", "a2", "b1", "b2")


@pytest.fixture
def top() -> Tabletop:
    return Tabletop(NAMES, Sensing.COLOUR)


def test_the_first_poll_is_a_snapshot_of_what_lies_there(top: Tabletop) -> None:
    source = MemorySource(top)
    top.put((1,), 2)
    top.press("ok", 50)
    assert source.poll(7) == [Snapshot((0, 2, 0, 0), 7), ButtonPress("ok", 0)]
    assert source.poll(8) == []
    assert source.due() is None


def test_changes_come_at_once_in_order_of_time(top: Tabletop) -> None:
    source = MemorySource(top)
    source.poll(0)
    top.advance(5)
    top.put((3,), 1)
    top.put((0,), 2)
    top.advance(6)
    top.take((3,))
    assert source.poll(6) == [CellChange(0, 2, 5)]  # b2 reads as it did


def test_stones_of_one_moment_come_in_cell_order(top: Tabletop) -> None:
    source = MemorySource(top)
    source.poll(0)
    for cell in (2, 0, 3, 1):
        top.put((cell,), 1)
    assert [change.cell for change in source.poll(0) if isinstance(change, CellChange)] == [0, 1, 2, 3]


def test_a_bouncing_contact_is_told_once_it_has_been_still(top: Tabletop) -> None:
    source = MemorySource(top)
    source.poll(0)
    top.faults = Faults(bounce=3)
    top.put((0,), 2)
    told: list[object] = []
    now = 0
    while (due := source.due()) is not None:
        now = max(now, due)
        for change in source.poll(now):
            assert isinstance(change, CellChange)
            assert now - change.at == AGREE_MS
            told.append((change.cell, change.reading))
    assert told == [(0, 2)]


def test_presses_are_told_in_order(top: Tabletop) -> None:
    source = MemorySource(top)
    source.poll(0)
    top.press("red", 40)
    top.advance(60)
    top.press("red", 40)
    assert source.poll(60) == [ButtonPress("red", 0), ButtonPress("red", 60)]


def test_stirring_wakes_whoever_listens(top: Tabletop) -> None:
    source = MemorySource(top)
    source.stirred()  # nobody listens yet
    woken: list[int] = []
    source.listen(lambda: woken.append(1))
    source.stirred()
    assert woken == [1]
    source.close()


@settings(deadline=None)
@given(st.randoms(use_true_random=False), st.integers(0, 8))
def test_what_is_told_adds_up_to_what_lies_there(dice: random.Random, bounce: int) -> None:
    top = Tabletop(NAMES, Sensing.COLOUR, seed=1)
    source = MemorySource(top)
    source.poll(0)
    top.faults = Faults(bounce=bounce)
    readings, now = [0] * 4, 0
    for _ in range(40):
        now += dice.randrange(40)
        top.advance(now)
        cell = dice.randrange(4)
        if dice.random() < 0.6:
            top.take((cell,)) if top.contents[cell] else top.put((cell,), dice.randint(1, 3))
        for change in source.poll(now):
            assert isinstance(change, CellChange)
            assert readings[change.cell] != change.reading
            assert change.at <= now
            readings[change.cell] = change.reading
    for change in source.poll(now + 2000):
        assert isinstance(change, CellChange)
        readings[change.cell] = change.reading
    assert readings == top.contents
    assert source.due() is None


def test_lamps_remember_what_they_show_and_count_what_differed() -> None:
    lamps = MemoryLamps(2)
    shown = [lamps.shown]
    for frame in (b"123456", b"123456", b"123457"):
        lamps.show(frame)
        shown.append(lamps.shown)
    assert shown == [None, b"123456", b"123456", b"123457"]
    assert lamps.sent == 2
    with pytest.raises(ValueError, match="2 pixels"):
        lamps.show(b"12345")
    lamps.close()
    lamps.close()
    assert lamps.shown == bytes(6)
