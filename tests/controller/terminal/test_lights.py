"""Reading lights: every meaning at every level, and the marks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.lighting.language import LANGUAGE, LEVELS, SEATS, Meaning
from controller.terminal.lights import BEHAVES, DARK, HOLD_MS, MARKS, Afterglow, Seen, meaning


@given(st.sampled_from(Meaning), st.integers(0, 20_000), st.integers(0, 255))
def test_meaning_is_read_at_every_level_of_its_pattern(meant: Meaning, at: int, cell: int) -> None:
    look = LANGUAGE[meant]
    share = LEVELS[look.pattern](at, cell)
    light = "#{:02x}{:02x}{:02x}".format(*(int(channel * share) for channel in look.colour))
    assert meaning(light) is (meant if light != DARK else None)


@pytest.mark.parametrize("colour", SEATS)
def test_colour_of_a_player_says_what_the_phase_makes_of_it(colour: tuple[int, int, int]) -> None:
    for share in (1.0, 0.2):
        light = "#{:02x}{:02x}{:02x}".format(*(int(channel * share) for channel in colour))
        assert meaning(light, guiding=True) is Meaning.GIVE_BACK
        assert meaning(light, over=True) is Meaning.WIN


def test_marks_are_single_characters_and_hardly_shared() -> None:
    assert set(MARKS) == set(Meaning)
    assert all(len(mark) == 1 and mark in "*'+~$-=?,xo!#" for mark in MARKS.values()), "no letter of a stone"
    shared = [meant for meant in Meaning if list(MARKS.values()).count(MARKS[meant]) > 1]
    assert set(shared) == {Meaning.TARGET, Meaning.SOW}, "one is for stones, the other for seeds"
    assert set(BEHAVES) == set(LEVELS)
    assert len(set(BEHAVES.values())) == len(BEHAVES)


def test_afterglow_remembers_when_a_light_last_burned() -> None:
    glow = Afterglow()
    assert glow.over(["#ff0000", DARK], 100) == [Seen("#ff0000", 100), Seen(DARK, 100)]
    assert glow.over([DARK, "#00ff00"], 200) == [Seen("#ff0000", 100), Seen("#00ff00", 200)]
    assert glow.fades_at([DARK, "#00ff00"], 200) == 100 + HOLD_MS
    assert glow.fades_at([DARK, "#00ff00"], 100 + HOLD_MS) is None
    assert glow.over(["#0000ff"], 300) == [Seen("#0000ff", 300)], "a board with other cells begins anew"
