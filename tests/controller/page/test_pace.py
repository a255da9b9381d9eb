"""How fast things go out and come in, told by a clock that the test holds."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.page.pace import (
    ERRORS_KEPT,
    KEEP_ALIVE,
    LIGHTS_GAP,
    STATE_GAP,
    Allowance,
    Due,
    Outbox,
    Verdict,
)


def settled(now: float = 0.0) -> Outbox:
    """An outbox whose page has just been shown everything."""
    outbox = Outbox()
    assert outbox.take(now) is Due.STATE
    return outbox


def test_a_new_page_is_shown_everything_at_once() -> None:
    assert Outbox().take(0.0) is Due.STATE


def test_where_nothing_is_new_nothing_is_sent_until_the_line_must_be_kept_alive() -> None:
    outbox = settled()
    assert outbox.due_at() == KEEP_ALIVE
    assert outbox.take(KEEP_ALIVE - 0.01) is None
    assert outbox.take(KEEP_ALIVE) is Due.LIGHTS


def test_a_change_of_state_goes_out_within_a_frame() -> None:
    outbox = settled()
    outbox.heard(full=True)
    assert outbox.due_at() == STATE_GAP
    assert outbox.take(STATE_GAP / 2) is None
    assert outbox.take(STATE_GAP) is Due.STATE


def test_a_state_covers_the_lights_that_changed_with_it() -> None:
    outbox = settled()
    outbox.heard(full=False)
    outbox.heard(full=True)
    assert outbox.take(1.0) is Due.STATE
    assert outbox.take(1.5) is None


def test_errors_go_first_and_the_oldest_of_too_many_are_let_go() -> None:
    outbox = Outbox()
    for number in range(ERRORS_KEPT + 3):
        outbox.errors.append(str(number))
    assert outbox.take(0.0) is Due.ERROR
    assert list(outbox.errors) == [str(number) for number in range(3, ERRORS_KEPT + 3)]
    outbox.errors.clear()
    assert outbox.take(0.0) is Due.STATE


@settings(deadline=None)
@given(st.lists(st.tuples(st.floats(0.0, 0.2), st.sampled_from(["full", "lights", "wake"])), max_size=60))
def test_light_frames_never_follow_each_other_faster_than_thirty_a_second(steps: list[tuple[float, str]]) -> None:
    outbox, now, sent = settled(), 0.0, [0.0]
    for gap, what in steps:
        now += gap
        if what != "wake":
            outbox.heard(full=what == "full")
        due = outbox.take(now)
        if due is Due.LIGHTS:
            assert now - sent[-1] >= LIGHTS_GAP - 1e-5
        if due is not None:
            sent.append(now)
    assert outbox.take(now + KEEP_ALIVE) is not None


def test_hands_are_never_too_fast() -> None:
    allowance = Allowance()
    for step in range(2000):
        assert allowance.judge(step / 40) is Verdict.WELCOME


def test_a_burst_is_read_and_a_flood_is_told_off_once() -> None:
    allowance = Allowance(burst=5, rate=1.0, pause=1.0, patience=10)
    assert [allowance.judge(0.0) for _ in range(8)] == [Verdict.WELCOME] * 5 + [Verdict.TOO_MANY] + [
        Verdict.IGNORED
    ] * 2
    assert allowance.judge(2.0) is Verdict.WELCOME


def test_a_flood_that_does_not_end_ends_the_line() -> None:
    allowance = Allowance(burst=1, rate=1.0, pause=1.0, patience=10)
    verdicts = [allowance.judge(0.0) for _ in range(11)]
    assert verdicts[-1] is Verdict.GOODBYE
    assert Verdict.GOODBYE not in verdicts[:-1]


@pytest.mark.parametrize("patience", [50, 400])
def test_a_steady_flood_is_told_off_at_most_once_a_second_and_goes(patience: int) -> None:
    allowance = Allowance(burst=20, rate=10.0, patience=patience)
    verdicts = [allowance.judge(step / 1000) for step in range(3000)]
    assert 1 <= verdicts.count(Verdict.TOO_MANY) <= 3
    assert (Verdict.GOODBYE in verdicts) is (patience < 1000)
