"""The physical truth of a simulated board: what lies where, and how contacts flicker on the way."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.ports import Sensing, reads
from simulator.faults import Faults
from simulator.tabletop import HandError, Tabletop

NAMES = ("a1", "a2", "b1", "b2")


@pytest.fixture
def top() -> Tabletop:
    return Tabletop(NAMES, Sensing.COLOUR)


def test_a_stone_put_down_is_there_and_told_once(top: Tabletop) -> None:
    top.advance(50)
    top.put((1,), 3)
    assert (top.contents, top.raw) == ([0, 3, 0, 0], [0, 3, 0, 0])
    assert top.flips() == [(50, 1, 3)]
    assert top.flips() == []
    assert [top.closed(cell) for cell in range(4)] == [False, True, False, False]
    assert top.take((1,)) == 3
    assert (top.contents, top.flips()) == ([0, 0, 0, 0], [(50, 1, 0)])


def test_by_presence_a_contact_only_closes() -> None:
    top = Tabletop(NAMES, Sensing.PRESENCE)
    top.put((2,), 3)
    assert (top.contents[2], top.raw[2]) == (3, 1)


def test_hands_cannot_put_two_stones_on_a_cell_or_take_none(top: Tabletop) -> None:
    top.put((0,), 1)
    with pytest.raises(HandError, match="a1 is taken"):
        top.put((0,), 2)
    with pytest.raises(HandError, match="b1 is empty"):
        top.take((2,))
    assert top.contents == [1, 0, 0, 0]


def test_a_board_is_laid_out_without_a_sound(top: Tabletop) -> None:
    top.lay([1, 0, 2, 3])
    assert (top.contents, top.raw, top.flips()) == ([1, 0, 2, 3], [1, 0, 2, 3], [])


def test_time_never_runs_back(top: Tabletop) -> None:
    top.advance(100)
    top.advance(40)
    assert top.now == 100
    top.put((0,), 1)
    assert top.flips() == [(100, 0, 1)]


def test_a_button_is_down_for_as_long_as_it_is_held(top: Tabletop) -> None:
    top.advance(10)
    top.press("ok", 40)
    seen = {}
    for now in (10, 49, 50, 60):
        top.advance(now)
        seen[now] = top.pressed("ok")
    assert seen == {10: True, 49: True, 50: False, 60: False}
    assert not top.pressed("back")
    assert top.presses() == [(10, "ok")]
    assert top.presses() == []


def test_a_bouncing_contact_flickers_and_comes_to_rest(top: Tabletop) -> None:
    top.faults = Faults(bounce=4)
    top.put((0,), 2)
    times = []
    while (due := top.due()) is not None:
        top.advance(due)
        times.append(due)
    flips = top.flips()
    assert [reading for _, _, reading in flips] == [2, 0, 2, 0, 2, 0, 2, 0, 2]
    assert [at for at, _, _ in flips] == sorted(at for at, _, _ in flips)
    assert flips[-1][0] <= 4 * 8
    assert top.raw[0] == 2
    assert times


def test_the_next_action_on_a_cell_ends_its_bouncing(top: Tabletop) -> None:
    top.faults = Faults(bounce=50)
    top.put((0,), 2)
    top.advance(3)
    top.faults = Faults()
    top.take((0,))
    assert top.due() is None
    assert top.raw[0] == 0


@settings(deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from([Sensing.PRESENCE, Sensing.COLOUR]), st.integers(0, 10))
def test_whatever_hands_do_the_contacts_come_to_rest_at_what_lies_there(
    dice: random.Random, sensing: Sensing, bounce: int
) -> None:
    top = Tabletop(NAMES, sensing, seed=dice.randrange(100))
    top.faults = Faults(bounce=bounce)
    now = 0
    for _ in range(30):
        now += dice.randrange(15)
        top.advance(now)
        cell = dice.randrange(4)
        top.take((cell,)) if top.contents[cell] else top.put((cell,), dice.randint(1, 3))
    top.advance(now + 1000)
    assert top.due() is None
    assert top.raw == [reads(content, sensing) for content in top.contents]
    replayed = [0] * 4
    for at, cell, reading in top.flips():
        assert replayed[cell] != reading  # each flip is one
        assert at <= now + 1000
        replayed[cell] = reading
    assert replayed == top.raw


def test_the_same_seed_is_the_same_bad_luck() -> None:
    def story(seed: int, reseed: int | None = None) -> list[tuple[int, int, int]]:
        top = Tabletop(NAMES, Sensing.PRESENCE, seed)
        if reseed is not None:
            top.reseed(reseed)
        top.faults = Faults(bounce=6)
        top.put((0,), 1)
        top.advance(500)
        return top.flips()

    assert story(1) == story(1)
    assert story(1) != story(2)
    assert story(1, reseed=2) == story(2)
