"""A board that lies turned on the table is configuration: cells are heard and lit where players see them."""

import pytest

from controller.app.hosted import hosting_for
from controller.games.seam import load_game
from hardware.layouts import TURNS, Layout, grid, hexagon, pits, turned
from hardware.profile import ProfileError, parse_profile

TEXT = """
name = "mine"
title = "Mine"
[cells]
sensing = "presence"
layout = "grid"
files = 4
ranks = 4
driver = "matrix"
rows = [4, 17, 12, 26]
columns = [13, 16, 20, 27]
turned = {turned}
[buttons]
new = 25
back = 24
[lamps]
driver = "spi"
pin = 10
order = "GRB"
count = 16
budget_ma = 500
{more}
"""


def names(layout: Layout, degrees: int) -> dict[str, str]:
    """Return for each cell as players see it the cell of the wiring that lies there."""
    places = turned(layout, degrees)
    assert places is not None
    return {layout.names[cell]: layout.names[place] for cell, place in enumerate(places)}


def test_a_quarter_turn_brings_the_near_left_corner_to_the_far_left() -> None:
    seen = names(grid(4, 4), 90)
    assert (seen["a4"], seen["d4"], seen["d1"], seen["a1"]) == ("a1", "a4", "d4", "d1")


def test_half_a_turn_is_its_own_undoing() -> None:
    seen = names(grid(4, 4), 180)
    assert seen["a1"] == "d4"
    assert all(seen[seen[name]] == name for name in seen)


@pytest.mark.parametrize("degrees", [degrees for degrees in TURNS if degrees % 60 == 0])
def test_a_hexagon_turns_by_sixths_and_keeps_its_middle(degrees: int) -> None:
    seen = names(hexagon(5), degrees)
    assert sorted(seen.values()) == sorted(seen)
    assert seen["f6"] == "f6"


@pytest.mark.parametrize(
    ("layout", "degrees"), [(grid(4, 3), 90), (grid(4, 4), 60), (hexagon(3), 90), (pits(12), 90)], ids=str
)
def test_what_does_not_look_the_same_cannot_lie_so(layout: Layout, degrees: int) -> None:
    assert turned(layout, degrees) is None


def test_the_game_is_played_on_the_turned_cells() -> None:
    rules = load_game("bamogo").rules()
    hosting = hosting_for(rules, parse_profile(TEXT.format(turned=90, more=""), "mine.toml"))
    cells = {place.name: cell for cell, place in enumerate(rules.cells)}
    assert hosting.groups[cells["a4"]] == (cells["a1"],)
    assert hosting_for(rules, parse_profile(TEXT.format(turned=0, more=""), "mine.toml")).is_plain


def test_a_turn_that_does_not_fit_is_a_fault_with_the_ones_that_do() -> None:
    with pytest.raises(ProfileError, match=r"cells\.turned.*0, 90, 180, 270"):
        parse_profile(TEXT.format(turned=60, more=""), "mine.toml")


def test_switching_off_needs_both_buttons() -> None:
    text = TEXT.format(turned=0, more="[power]\nshutdown = true")
    assert parse_profile(text, "mine.toml").power.shutdown
    with pytest.raises(ProfileError, match=r"power\.shutdown.*back"):
        parse_profile(text.replace("back = 24\n", ""), "mine.toml")
