"""Cells that are played without: named, put aside by `ok`, heard again by a touch or in a new round."""

from collections.abc import Callable
from typing import Any

import pytest

from controller.table.view import view
from controller.table.words import detail, words

Sit = Callable[..., Any]
CORNER = "..../..../BYR./RBR."


@pytest.fixture
def dead(sit: Sit) -> Any:
    """A board on which c1 has died under its stone, and people have said that they did not lift it."""
    seat = sit(CORNER).do("c1=-").wait(3100)
    assert seat.phase == "handling"
    seat.press("ok")
    assert (seat.about, seat.asked) == ("cell", ["c1"])
    return seat.press("ok")


def spot(seat: Any, name: str) -> int:
    cell: int = seat.rules.spot(name)[0]
    return cell


def test_ok_asks_about_the_sensor_once_a_hand_would_have_gone_on(sit: Sit) -> None:
    seat = sit(CORNER).do("c1=-").wait(2900).press("ok")
    assert (seat.phase, seat.about) == ("handling", None)
    seat.wait(200).press("ok")
    assert (seat.phase, seat.about, seat.lit_over(300)) == ("asking", "cell", {"c1"})
    seat.press("back")
    assert (seat.phase, seat.moves) == ("handling", [])
    seat.do("c1=R").settle()
    assert (seat.phase, seat.moves) == ("waiting", [])


def test_a_cell_that_is_played_without_is_told_and_heard_again_by_a_touch(dead: Any) -> None:
    assert dead.phase == "waiting"
    assert view(dead.table, dead.table.frame(dead.now))["masked"] == ["c1"]
    assert "Played without c1" in detail(dead.table)
    dead.do("d4=Y d3=R").settle()
    assert dead.moves == ["Rd3 Yd4"]
    dead.table.touch(spot(dead, "c1"), dead.now)
    assert dead.phase == "handling"  # it reads empty still
    dead.do("c1=R").settle()
    assert (dead.phase, dead.moves, dead.table.picture.masked) == ("waiting", ["Rd3 Yd4"], frozenset())


def test_a_touch_of_any_other_cell_changes_nothing(dead: Any) -> None:
    dead.table.touch(spot(dead, "a1"), dead.now)
    assert (dead.phase, dead.table.picture.masked) == ("waiting", {spot(dead, "c1")})


@pytest.mark.parametrize("stirs", [False, True])
def test_a_new_round_hears_again_what_has_stirred(dead: Any, stirs: bool) -> None:
    if stirs:
        dead.do("c1=R c1=-", gap=200)
    dead.press("new").press("ok")
    assert dead.table.picture.masked == (frozenset() if stirs else {spot(dead, "c1")})


def test_where_every_move_needs_the_cell_people_are_told(sit: Sit) -> None:
    swaps = ".R.B/B.Y./RR.R/B.Y."  # a1~a2 and a2~a3, and there is no room for two stones side by side
    seat = sit(swaps).do("a2=-").wait(3100).press("ok").press("ok")
    assert seat.phase == "waiting"
    assert "Every move needs one of these" in detail(seat.table)
    assert "no move" not in words(seat.table)


def test_a_stone_that_a_masked_cell_should_give_is_not_waited_for(dead: Any) -> None:
    """Half of a swap with c1: its other half will never be seen, so that is no move under way."""
    dead.do("c2=- c2=B").settle().wait(3000)
    assert (dead.phase, dead.moves) == ("mending", [])
