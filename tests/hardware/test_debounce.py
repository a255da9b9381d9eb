"""The bit-parallel debounce against a model with one contact, and against bouncing contacts."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.debounce import Debounce

WIDTH = 8


@dataclass
class OneContact:
    """The rule in the words of its docstring, for one contact."""

    samples: int
    agree_ms: int
    state: int = 0
    raw: int = 0
    since: int = 0
    run: int = 0

    def feed(self, now: int, raw: int) -> bool:
        if raw != self.raw:
            self.raw, self.since = raw, now
        self.run = self.run + 1 if raw != self.state else 0
        if self.run >= self.samples and now - self.since >= self.agree_ms:
            self.state, self.run = raw, 0
            return True
        return False


readings = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 2**WIDTH - 1)), max_size=60)
few_changes = st.lists(
    st.tuples(st.integers(0, 12), st.sampled_from([0, 0, 0, 1, 3, 128, 255])), min_size=5, max_size=80
)


@given(st.one_of(readings, few_changes), st.integers(1, 6), st.sampled_from([0, 1, 5, 10, 25]))
def test_every_bit_does_what_one_contact_would(steps: list[tuple[int, int]], samples: int, agree_ms: int) -> None:
    debounce = Debounce(WIDTH, samples=samples, agree_ms=agree_ms)
    models = [OneContact(samples, agree_ms) for _ in range(WIDTH)]
    debounce.start(0, 0)
    now = 0
    for gap, raw in steps:
        now += gap
        changed = debounce.feed(now, raw)
        expected = [model.feed(now, raw >> bit & 1) for bit, model in enumerate(models)]
        assert [bool(changed >> bit & 1) for bit in range(WIDTH)] == expected
        assert [debounce.state >> bit & 1 for bit in range(WIDTH)] == [model.state for model in models]
        assert [debounce.since(bit) for bit in range(WIDTH)] == [model.since for model in models]
        assert debounce.pending == debounce.state ^ raw


@st.composite
def bouncing(draw: st.DrawFn) -> list[int]:
    """Levels of one contact, one a sample: each press and release flickers for a while, then rests."""
    levels: list[int] = []
    level = 0
    for _ in range(draw(st.integers(1, 6))):
        level ^= 1
        levels += draw(st.lists(st.sampled_from([0, 1]), max_size=8))
        levels += [level] * draw(st.integers(0, 12))
    return levels + [level] * 12


@given(bouncing(), st.integers(1, 5), st.sampled_from([0, 5, 20]))
def test_g4_edges_alternate_and_the_state_ends_as_the_input(levels: list[int], samples: int, agree_ms: int) -> None:
    debounce = Debounce(1, samples=samples, agree_ms=agree_ms)
    debounce.start(0, 0)
    edges = [debounce.state for k, level in enumerate(levels, 1) if debounce.feed(5 * k, level)]
    assert edges == [k % 2 ^ 1 for k in range(len(edges))]
    assert debounce.state == levels[-1]
    assert not debounce.pending


def test_a_change_carries_the_time_of_its_first_raw_reading() -> None:
    debounce = Debounce(2, samples=3)
    debounce.start(0, 0b00)
    assert debounce.feed(20, 0b10) == 0
    assert debounce.feed(25, 0b00) == 0
    assert debounce.feed(30, 0b10) == 0
    assert debounce.feed(35, 0b10) == 0
    assert debounce.feed(40, 0b10) == 0b10
    assert debounce.since(1) == 30
    assert debounce.since(0) == 0


def test_start_forgets_what_was_being_agreed() -> None:
    debounce = Debounce(1, samples=2)
    debounce.start(0, 0)
    debounce.feed(5, 1)
    debounce.start(10, 0)
    assert debounce.feed(15, 1) == 0
    assert debounce.feed(20, 1) == 1


def test_it_holds_more_contacts_than_a_machine_word() -> None:
    debounce = Debounce(256, samples=1)
    debounce.start(0, 0)
    assert debounce.feed(5, 1 << 255 | 1) == 1 << 255 | 1
    assert debounce.since(255) == 5


@pytest.mark.parametrize("wrong", [{"samples": 0}, {"agree_ms": -1}])
def test_senseless_agreement_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="at least one sample"):
        Debounce(4, **wrong)


def test_a_change_counts_as_soon_as_it_is_old_enough() -> None:
    debounce = Debounce(1, samples=2, agree_ms=10)
    debounce.start(0, 0)
    assert [debounce.feed(now, 1) for now in (20, 29, 30)] == [0, 0, 1]
