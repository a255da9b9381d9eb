"""What a watch remembers of a turn, against a slow telling of the same."""

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.recogniser.watch import HISTORY, Watch
from hardware.ports import UNKNOWN

BASE = (1, 2, 0, 0, 3, 1)
CHANGES = st.lists(st.tuples(st.integers(0, len(BASE) - 1), st.sampled_from([UNKNOWN, 0, 1, 2, 3])), max_size=30)


@settings(deadline=None)
@given(CHANGES)
def test_what_is_different_and_filled_and_was_empty_together(changes: list[tuple[int, int]]) -> None:
    watch = Watch(BASE, BASE, 0)
    readings = list(BASE)
    empty_sets: list[frozenset[int]] = []
    filled: list[int] = []
    for at, (cell, reading) in enumerate(changes, start=1):
        moved = watch.change(cell, reading, at)
        assert moved is (readings[cell] != reading)
        readings[cell] = reading
        empty_sets.append(frozenset(c for c, what in enumerate(readings) if what == 0 and BASE[c]))
        filled = [c for c in filled if readings[c] != 0]
        filled += [cell] if not BASE[cell] and reading > 0 and cell not in filled else []
        assert watch.readings == readings
        assert watch.different == {c: what for c, what in enumerate(readings) if what != BASE[c]}
        assert watch.filled == filled
    largest = {one for one in empty_sets if one and not any(one < other for other in empty_sets)}
    assert set(watch.together) == largest
    assert len(watch.together) == len(largest)


def test_the_time_of_the_last_change_never_runs_back() -> None:
    watch = Watch(BASE, BASE, 100)
    assert watch.changed_at == 100
    watch.change(0, 0, 250)
    watch.change(1, 0, 240)  # told later, happened earlier
    assert watch.changed_at == 250
    assert not watch.change(1, 0, 900)  # nothing new
    assert watch.changed_at == 250


def test_a_turn_begins_with_what_differs_already() -> None:
    watch = Watch((1, 0, 2, 0, 3, 1), BASE, 0)
    assert watch.different == {1: 0, 2: 2}
    assert watch.filled == [2]
    assert watch.together == [frozenset({1})]
    watch.begin((1, 0, 2, 0, 3, 1))
    assert (watch.different, watch.filled, watch.together) == ({}, [], [])
    assert watch.readings == [1, 0, 2, 0, 3, 1]


def test_forgetting_keeps_the_readings() -> None:
    watch = Watch(BASE, BASE, 0)
    for at, (cell, reading) in enumerate([(0, 0), (1, 0), (0, 1), (1, 2)], start=1):
        watch.change(cell, reading, at)
    assert watch.together
    watch.forget()
    assert watch.together == []
    assert watch.different == {}


def test_a_masked_cell_reads_as_it_should_until_it_is_heard_again() -> None:
    watch = Watch([0, 1, 1], [0, 1, 1], 0)
    assert watch.change(1, 0, 10)
    watch.mask([1])
    assert (watch.readings, watch.different, watch.stirred) == ([0, 1, 1], {}, set())
    assert not watch.change(1, 0, 20)  # what it told all along
    assert watch.stirred == set()
    assert not watch.change(1, 1, 30)
    assert watch.stirred == {1}
    assert not watch.change(1, 0, 40)
    watch.begin([0, 1, 0])
    assert watch.different == {2: 1}
    watch.unmask([1])
    assert (watch.masked, watch.stirred, watch.readings) == (frozenset(), set(), [0, 0, 1])
    assert watch.different == {1: 0, 2: 1}


def test_a_turn_is_retold_under_another_base() -> None:
    watch = Watch([1, 1, 0, 0], [1, 1, 0, 0], 0)
    watch.mask([3])
    for cell, reading, at in ((0, 0, 10), (2, 1, 20), (2, 0, 30)):
        watch.change(cell, reading, at)
    told = watch.retold([1, 0, 0, 1])
    assert (told.different, told.visited, told.emptied) == ({0: 0, 1: 1}, {2}, [0, 2])
    assert told.masked == {3}
    assert told.stood({0: 0, 1: 1, 2: 1}) == 2
    alone = watch.under([1, 0, 0, 1])
    assert (alone.different, alone.visited, alone.history) == ({0: 0, 1: 1}, set(), [])


def test_a_turn_too_long_to_be_kept_is_retold_by_its_readings() -> None:
    watch = Watch([1, 0], [1, 0], 0)
    watch.change(1, 1, 5)
    watch.change(1, 0, 6)
    for number in range(HISTORY + 1):
        watch.change(0, number % 2, 10 + number)
    assert watch.history == [] or len(watch.history) < HISTORY
    told = watch.retold([1, 0])
    assert (told.readings, told.visited) == (watch.readings, watch.visited)


def test_a_mark_stood_though_something_was_going_already() -> None:
    watch = Watch([1, 1, 0, 0], [1, 1, 0, 0], 0)
    for cell, reading, at in ((0, 0, 10), (2, 1, 20), (2, 0, 30), (1, 0, 40), (3, 1, 50), (3, 0, 60)):
        watch.change(cell, reading, at)
    assert watch.stood({0: 0, 2: 1}) == 2
    assert watch.stood({0: 0, 3: 1}) == 0
    assert watch.stood({0: 0, 3: 1}, owed=[1]) == 5
