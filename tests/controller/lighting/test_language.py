"""The light language: every meaning can be told from those beside it, with colour sight and without."""

from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.lighting.language import LANGUAGE, LEVELS, SEATS, Meaning, Pattern, seat_colour

M = Meaning
TOGETHER = (
    # what hands have made and what the players are shown of it
    {M.COUNTED, M.LINE, M.WIN},
    {M.COUNTED, M.LINE, M.HINT},
    {M.COUNTED, M.LINE, M.GIVE_BACK},
    # what the board asks for, with a hint that may still be lit
    {M.TOUCHED, M.QUESTION, M.HINT},
    {M.TOUCHED, M.TARGET, M.HINT},
    {M.SOW, M.SOW_LAST, M.HINT},
    {M.TAKE_OFF, M.PUT_BACK, M.WRONG_ONE, M.HINT},
    {M.TAKE_OFF, M.PUT_BACK, M.LATER, M.HINT},
    {M.WRONG_ONE, M.LATER, M.HINT},
)
"""Meanings that may be lit at the same time, as `controller.table.show` and the phases have it."""


def test_every_pattern_and_meaning_has_a_look() -> None:
    assert set(LEVELS) == set(Pattern)
    assert set(LANGUAGE) == set(Meaning)
    assert set().union(*TOGETHER) == set(Meaning)  # nothing is left out of the table above


@pytest.mark.parametrize("pattern", Pattern)
@given(t=st.integers(0, 10**9), cell=st.integers(0, 300))
def test_a_level_is_a_share_of_the_light(pattern: Pattern, t: int, cell: int) -> None:
    assert 0.0 <= LEVELS[pattern](t, cell) <= 1.0


@pytest.mark.parametrize("pattern", Pattern)
def test_a_pattern_reaches_full_light_and_shows_within_a_second(pattern: Pattern) -> None:
    for cell in range(20):
        levels = [LEVELS[pattern](t, cell) for t in range(2001)]
        assert max(levels) == pytest.approx(1.0, abs=0.01)
        assert max(levels[:1000]) > 0.9  # whoever looks for a second sees it


@pytest.mark.parametrize(("one", "other"), list(combinations(Pattern, 2)), ids=lambda pattern: pattern.value)
def test_patterns_differ_for_the_eye(one: Pattern, other: Pattern) -> None:
    apart = [abs(LEVELS[one](t, 3) - LEVELS[other](t, 3)) for t in range(2000)]
    assert sum(difference > 0.3 for difference in apart) > 300


def test_no_two_meanings_look_alike() -> None:
    looks = [(look.pattern, look.colour) for look in LANGUAGE.values()]
    assert len(set(looks)) == len(looks)


@pytest.mark.parametrize("together", TOGETHER, ids=lambda group: ", ".join(sorted(m.name for m in group)))
def test_what_is_lit_together_differs_in_pattern(together: set[Meaning]) -> None:
    patterns = [LANGUAGE[meaning].pattern for meaning in together]
    assert len(set(patterns)) == len(patterns)


def test_what_must_not_be_missed_covers_the_rest() -> None:
    said = {M.QUESTION, M.TAKE_OFF, M.PUT_BACK, M.WRONG_ONE}
    for above, below in product(said, set(Meaning) - said - {M.LATER}):
        assert LANGUAGE[above].layer > LANGUAGE[below].layer


def test_colours_are_bytes_and_none_is_dark() -> None:
    for colour in (*SEATS, *(look.colour for look in LANGUAGE.values())):
        assert all(0 <= channel <= 255 for channel in colour)
        assert max(colour) >= 50


def test_seats_have_colours_of_their_own_that_repeat() -> None:
    assert len(set(SEATS)) == len(SEATS) == 6
    assert [seat_colour(player) for player in range(1, 7)] == list(SEATS)
    assert seat_colour(7) == seat_colour(1)
