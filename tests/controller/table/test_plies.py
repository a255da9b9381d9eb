"""Plies that count, are taken back, replaced, passed; rounds that end and begin."""

from collections.abc import Callable
from typing import Any

import pytest

from hardware.ports import CellChange, Sensing

Sit = Callable[..., Any]
CORNER = "..../..../BYR./RBR."
CHEQUERED = "R.Y./.B.R/R.Y./.B.R"  # nothing to place, nothing to swap


def test_a_round_begins_waiting_where_the_board_shows_the_start(sit: Sit, sensing: Sensing) -> None:
    assert sit(sensing=sensing).told == [{"t": 1000, "type": "phase", "phase": "waiting"}]
    assert sit(CORNER, sensing=sensing).told == [{"t": 1000, "type": "phase", "phase": "waiting"}]


def test_a_ply_is_told_with_its_events_and_then_the_phase(sit: Sit) -> None:
    seat = sit("..../..../..../RR..").do("c1=R c2=B").settle()
    counted = [told for told in seat.told if told["t"] == seat.now]
    assert counted == [
        {"t": 1300, "type": "move", "move": "Rc1 Bc2", "player": 1},
        {"t": 1300, "type": "event", "event": {"type": "place", "cell": "c1", "colour": "R"}},
        {"t": 1300, "type": "event", "event": {"type": "place", "cell": "c2", "colour": "B"}},
        {
            "t": 1300,
            "type": "event",
            "event": {"type": "line", "cells": ("a1", "b1", "c1"), "colour": "R", "points": 1},
        },
        {"t": 1300, "type": "phase", "phase": "waiting"},
    ]
    assert seat.rules.scores(seat.table.position) == (1, 0)
    assert seat.rules.to_move(seat.table.position) == 2


# Taking back by button ------------------------------------------------------------------------------------------------


def test_back_takes_the_last_ply_back_and_mending_begins_at_once(sit: Sit, sensing: Sensing) -> None:
    seat = sit(sensing=sensing).play("a1=R b1=B", "red", "blue").wait(5000)
    before = len(seat.told)
    seat.press("back")
    assert seat.since(before) == ["takeback", "mending", "mismatch"]
    assert seat.told[before] == {"t": seat.now, "type": "takeback", "plies": 1}
    assert seat.told[-1] == {"t": seat.now, "type": "mismatch", "extra": ["a1", "b1"], "missing": [], "wrong": []}
    assert (seat.moves, seat.lit_over(300)) == ([], {"a1", "b1"})
    seat.wait(60_000)  # the stones still lie there: that alone is no move
    assert (seat.phase, seat.moves) == ("mending", [])
    seat.do("a1=- b1=-", gap=200).settle()
    assert (seat.phase, seat.moves) == ("waiting", [])


def test_a_swap_taken_back(sit: Sit, sensing: Sensing) -> None:
    seat = sit(CORNER, sensing=sensing).do("a1=- b1=- a1=B b1=R").settle().press("back")
    assert seat.moves == []
    if sensing is Sensing.PRESENCE:
        assert seat.phase == "waiting"  # it cannot see that the stones are still exchanged
    else:
        assert seat.phase == "mending"
        assert seat.heard("mismatch")[-1]["wrong"] == ["a1", "b1"]
        seat.do("a1=- b1=- a1=R b1=B").settle()
        assert (seat.phase, seat.moves) == ("waiting", [])


PHASES = {
    # how a table with one ply gets into a phase, and whether `back` there takes the ply back
    "waiting": ("", (), True),
    "handling, on the way": ("c3=R", (), True),
    "handling, wrong": ("c3=R d1=B", (), True),
    "mending": ("c3=R d1=B wait", (), True),
    "asking for a new round": ("", ("new",), False),
}


@pytest.mark.parametrize("how", PHASES)
def test_back_in_every_phase(sit: Sit, how: str) -> None:
    deeds, buttons, takes = PHASES[how]
    seat = sit().play("a1=R b1=B")
    seat.do(deeds.removesuffix("wait"))
    if deeds.endswith("wait"):
        seat.wait(3100)
    seat.press(*buttons)
    assert seat.phase == how.split(",")[0].split()[0]
    seat.press("back")
    assert seat.moves == ([] if takes else ["Ra1 Bb1"])
    assert seat.phase == ("mending" if takes else "waiting")


def test_back_where_the_board_has_been_cleared_already(sit: Sit, sensing: Sensing) -> None:
    seat = sit(sensing=sensing).play("a1=R b1=B", "red", "blue").do("a1=- b1=-").wait(100).press("back")
    assert (seat.phase, seat.moves) == ("waiting", [])


def test_back_with_no_ply_says_so(sit: Sit) -> None:
    seat = sit().press("back")
    assert "no move to take back" in seat.heard("error")[0]["message"]
    assert (seat.phase, seat.moves) == ("waiting", [])


def test_back_goes_on_ply_by_ply(sit: Sit) -> None:
    seat = sit().play("a1=R b1=B").play("c1=R d1=Y").play("a1=- b1=- a1=B b1=R")
    for left in (["Ra1 Bb1", "Rc1 Yd1"], ["Ra1 Bb1"], []):
        seat.press("back")
        assert seat.moves == left
        assert seat.phase == "mending"
    assert seat.heard("mismatch")[-1]["extra"] == ["a1", "b1", "c1", "d1"]


def test_back_in_over_takes_the_winning_ply_back(sit: Sit) -> None:
    seat = sit("..../..../..../RR..", scores=(9, 0)).play("c1=R c2=B")
    assert seat.phase == "over"
    seat.press("back")
    assert (seat.phase, seat.moves) == ("mending", [])
    seat.do("c1=- c2=-").settle()
    assert seat.phase == "waiting"


# Taking back by hand --------------------------------------------------------------------------------------------------


def test_putting_the_stones_back_takes_back_once_confirmed(sit: Sit) -> None:
    seat = sit(CORNER).play("a1=- b1=- a1=B b1=R").wait(4000)
    ko = sit(CORNER, settings={"ko": "always"}).play("a1=- b1=- a1=B b1=R").wait(4000)
    seat.do("a1=- b1=- a1=R b1=B").settle()
    assert seat.moves == ["a1~b1", "a1~b1"]  # a legal move goes before a takeback
    ko.do("a1=- b1=- a1=R b1=B").wait(299)
    assert ko.phase == "handling"
    ko.wait(1)
    assert (ko.phase, ko.about) == ("asking", "takeback")
    assert ko.heard("question")[-1]["options"] == ["ok", "back"]
    ko.wait(600_000)
    assert (ko.about, ko.moves) == ("takeback", ["a1~b1"])  # waiting never confirms
    ko.press("ok")
    assert (ko.phase, ko.moves) == ("waiting", [])
    assert ko.heard("takeback")[-1]["plies"] == 1


def test_a_placement_taken_off_is_asked_where_nothing_else_explains_it(sit: Sit, sensing: Sensing) -> None:
    seat = sit("..../..../..../R..Y", sensing=sensing).play("b3=R c3=B", "red", "blue").wait(4000)
    seat.do("b3=-", gap=0).wait(2000)
    assert seat.phase == "handling"
    seat.do("c3=-").settle()
    # Both lifted are on the way to a swap too: the phase stays, and ok takes back.
    assert (seat.phase, seat.about) == ("handling", None)
    seat.wait(60_000)
    assert seat.moves == ["Rb3 Bc3"]
    seat.press("ok")
    assert (seat.phase, seat.moves) == ("waiting", [])


def test_an_earlier_position_of_the_round_takes_back_all_plies_since(sit: Sit, sensing: Sensing) -> None:
    seat = sit(sensing=sensing).play("a1=R b1=B", "red", "blue").play("c3=Y d3=B", "yellow", "blue")
    seat.play("a3=Y a4=R", "yellow", "red")
    seat.do("a3=- a4=- c3=- d3=-", gap=100).settle()
    assert (seat.phase, seat.about) == ("asking", "takeback")
    assert seat.table.question.plies == 2
    seat.press("ok")
    assert (seat.moves, seat.phase) == (["Ra1 Bb1"], "waiting")
    assert seat.heard("takeback") == [{"t": seat.now, "type": "takeback", "plies": 2}]


def test_back_declines_a_takeback_and_mending_begins_at_once(sit: Sit) -> None:
    seat = sit().play("a1=R b1=B").play("c3=Y d3=B").play("a3=Y a4=R")
    seat.do("a3=- a4=- c3=- d3=-").settle().press("back")
    assert (seat.phase, seat.about, len(seat.moves)) == ("mending", None, 3)
    assert seat.heard("mismatch")[-1]["missing"] == ["a3", "a4", "c3", "d3"]
    seat.wait(60_000)
    assert seat.phase == "mending"
    seat.do("a3=Y a4=R c3=Y d3=B").settle()
    assert (seat.phase, len(seat.moves)) == ("waiting", 3)


def test_a_change_withdraws_the_takeback_question(sit: Sit) -> None:
    seat = sit().play("a1=R b1=B").play("c3=Y d3=B").play("a3=Y a4=R")
    seat.do("a3=- a4=- c3=- d3=-").settle().do("c3=Y")
    assert (seat.phase, seat.about) == ("handling", None)
    seat.press("ok")
    assert len(seat.moves) == 3


def test_two_stones_put_back_where_ko_forbids_the_swap_ask_for_the_takeback(sit: Sit) -> None:
    seat = sit(CORNER, sensing=Sensing.PRESENCE, settings={"ko": "always"}).play("a1=- b1=- a1=B b1=R")
    seat.do("a1=- b1=- b1=B a1=R", gap=100).settle()
    assert (seat.phase, seat.about, seat.asked) == ("asking", "takeback", ["a1", "b1"])
    brushed = sit(CORNER, sensing=Sensing.PRESENCE, settings={"ko": "always"}).play("a1=- b1=- a1=B b1=R")
    brushed.do("a1=- a1=B b1=- b1=R c1=- c1=R", gap=100).settle()  # one after the other undoes nothing
    assert (brushed.phase, brushed.about) == ("waiting", None)
    no, yes = seat, sit(CORNER, sensing=Sensing.PRESENCE, settings={"ko": "always"}).play("a1=- b1=- a1=B b1=R")
    no.press("back")
    assert (no.phase, no.moves) == ("waiting", ["a1~b1"])
    yes.do("a1=- b1=- b1=B a1=R", gap=100).settle().press("ok")
    assert (yes.phase, yes.moves) == ("waiting", [])


def test_two_stones_put_back_where_the_swap_is_allowed_are_a_swap(sit: Sit) -> None:
    seat = sit(CORNER, sensing=Sensing.PRESENCE).do("a1=- b1=- b1=B a1=R", gap=60).settle()
    assert seat.moves == ["a1~b1"]
    same = sit(CORNER).do("a1=- b1=- b1=B a1=R").settle()
    assert (same.phase, same.moves) == ("waiting", [])  # the colours have not changed places


# A stone that moves on ------------------------------------------------------------------------------------------------


def test_a_stone_that_moves_on_replaces_the_ply(sit: Sit, sensing: Sensing) -> None:
    seat = sit(sensing=sensing).play("b1=B a1=R", "blue", "red").wait(500)
    before = len(seat.told)
    seat.do("b1=- a2=B", gap=120).wait(299)
    assert seat.moves == ["Ra1 Bb1"]
    seat.wait(1)
    assert seat.moves == ["Ra1 Ba2"]
    assert seat.since(before) == ["handling", "takeback", "move", "event", "event", "waiting"]
    assert seat.rules.to_move(seat.table.position) == 2
    seat.do("a2=- b1=B", gap=120).settle()  # and on again
    assert seat.moves == ["Ra1 Bb1"]


def test_a_stone_that_moves_on_to_where_no_move_puts_it_is_wrong(sit: Sit, sensing: Sensing) -> None:
    seat = sit(sensing=sensing).play("a1=R b1=B", "red", "blue").do("b1=- c3=B", gap=100).wait(3300)
    assert (seat.phase, seat.moves) == ("mending", ["Ra1 Bb1"])


def test_a_stone_of_an_earlier_ply_does_not_move_on(sit: Sit, sensing: Sensing) -> None:
    seat = sit(sensing=sensing).play("a1=R b1=B", "red", "blue").play("d3=R d4=Y", "red", "yellow")
    seat.do("b1=- a2=B", gap=100).wait(3300)
    assert (seat.phase, len(seat.moves)) == ("mending", 2)


def test_a_legal_move_goes_before_a_replacement(sit: Sit) -> None:
    seat = sit().play("a1=R b1=B").do("a1=- b1=- a1=B b1=R", gap=50).settle()
    assert seat.moves == ["Ra1 Bb1", "a1~b1"]


# Pass, new round, the end ---------------------------------------------------------------------------------------------


def test_where_only_a_pass_is_left_it_is_asked_at_once(sit: Sit, sensing: Sensing) -> None:
    seat = sit(CHEQUERED, sensing=sensing)
    assert seat.told[0] == {"t": 1000, "type": "phase", "phase": "asking"}
    assert seat.heard("question") == [{"t": 1000, "type": "question", "about": "pass", "options": ["ok", "back"]}]
    seat.press("ok")
    assert (seat.moves, seat.heard("event")[-1]["event"]) == (["pass"], {"type": "pass"})
    assert (seat.phase, seat.about) == ("asking", "pass")  # the other player can do nothing either
    assert seat.press("ok").moves == ["pass", "pass"]
    seat.press("back")
    assert (seat.phase, seat.about, len(seat.moves)) == ("waiting", None, 2)
    seat.press("back")
    assert (len(seat.moves), seat.about) == (1, "pass")


def test_a_stone_touched_while_a_pass_is_asked_is_seen(sit: Sit, sensing: Sensing) -> None:
    seat = sit(CHEQUERED, sensing=sensing).do("a2=-").wait(3100)
    assert (seat.phase, seat.moves) == ("mending", [])
    seat.do("a2=R").settle()
    assert (seat.phase, seat.about) == ("asking", "pass")
    assert seat.press("ok").moves == ["pass"]


def test_new_asks_and_ok_begins_a_new_round(sit: Sit, sensing: Sensing) -> None:
    seat = sit(sensing=sensing).play("a1=R b1=B", "red", "blue").press("new")
    assert (seat.phase, seat.about) == ("asking", "new-round")
    assert seat.heard("question")[-1]["options"] == ["ok", "back"]
    before = len(seat.told)
    seat.press("ok")
    assert seat.since(before) == ["setup"]
    assert (seat.moves, seat.dealt) == ([], [None, None])
    assert seat.lit_over(300) == {"a1", "b1"}
    seat.do("a1=-").wait(5000)
    assert seat.phase == "setup"
    seat.do("b1=-").wait(299)
    assert seat.phase == "setup"
    assert seat.wait(1).phase == "waiting"


def test_new_on_the_start_position_goes_on_at_once(sit: Sit) -> None:
    seat = sit().press("new", "ok")
    assert seat.since(0) == ["waiting", "asking", "question", "setup", "waiting"]


def test_back_or_a_touch_withdraws_new_round(sit: Sit) -> None:
    seat = sit().play("a1=R b1=B").press("new", "back")
    assert (seat.phase, seat.about, seat.moves) == ("waiting", None, ["Ra1 Bb1"])
    seat.press("new").do("c1=R")
    assert (seat.phase, seat.about) == ("handling", None)
    seat.press("ok")
    assert seat.moves == ["Ra1 Bb1"]


@pytest.mark.parametrize("waited", [0, 100, 1000])
def test_new_in_the_middle_of_a_move_asks_until_answered(sit: Sit, waited: int) -> None:
    seat = sit().play("a1=R b1=B").do("c3=R").wait(waited).press("new").wait(5000)
    assert (seat.phase, seat.about) == ("asking", "new-round")
    seat.press("back")
    assert (seat.about, seat.moves) == (None, ["Ra1 Bb1"])
    seat.do("c4=Y").settle()
    assert seat.moves == ["Ra1 Bb1", "Rc3 Yc4"]


@pytest.mark.parametrize("waited", [0, 100])
def test_new_after_a_stone_was_put_back_asks_until_answered(sit: Sit, waited: int) -> None:
    seat = sit().play("a1=R b1=B").do("c3=R c3=-").wait(waited).press("new").wait(5000)
    assert (seat.phase, seat.about) == ("asking", "new-round")
    seat.press("back")
    assert (seat.phase, seat.about) == ("waiting", None)


def test_the_round_is_over_when_the_rules_say_so(sit: Sit, sensing: Sensing) -> None:
    seat = sit("..../..../..../RR..", sensing=sensing, scores=(9, 3)).play("c1=R c2=B", "red", "blue")
    assert seat.phase == "over"
    assert seat.heard("event")[-1]["event"] == {"type": "win", "player": 1, "reason": "target"}
    assert seat.lit_over(3000) == {place.name for place in seat.rules.cells}
    before = len(seat.told)
    seat.do("a1=- b1=- c1=- c2=-", gap=400).wait(5000)  # the stones are cleared away
    assert seat.since(before) == []
    seat.press("ok", "red", "hint")
    assert seat.since(before) == []
    seat.press("new")
    assert (seat.phase, seat.about) == ("asking", "new-round")
    seat.press("ok")
    assert (seat.phase, seat.dealt[1].winner) == ("waiting", 1)
    assert seat.play("d1=R d2=Y", "red", "yellow").moves == ["Rd1 Yd2"]


def test_new_round_in_over_may_be_declined(sit: Sit) -> None:
    seat = sit("..../..../..../RR..", scores=(9, 3)).play("c1=R c2=B").press("new", "back")
    assert (seat.phase, seat.about) == ("over", None)


def test_a_draw_by_the_ply_limit_is_the_end_too(sit: Sit) -> None:
    seat = sit(settings={"max_plies": "1"}).play("a1=R b1=B")
    assert seat.phase == "over"
    assert seat.heard("event")[-1]["event"] == {"type": "draw", "reason": "ply-limit"}


def test_an_emptied_board_after_one_ply_asks_for_the_takeback(sit: Sit) -> None:
    seat = sit("..../..../..../R..Y").play("b3=R c3=B").do("a1=- d1=- b3=- c3=-").wait(3500)
    assert (seat.phase, seat.about) == ("asking", "takeback")  # swept, though it was never a position of this round
    seat = sit(settings={"ko": "always"}).play("a1=R b1=B").do("a1=- b1=-").settle()
    assert seat.phase == "handling"  # two stones in the hand may be about to be swapped
    assert seat.press("ok").moves == []


def test_an_emptied_board_after_more_plies_is_mended_or_begun_anew(sit: Sit, sensing: Sensing) -> None:
    def cleared() -> Any:
        seat = sit(sensing=sensing).play("a1=R b1=B", "red", "blue").play("c3=Y d3=B", "yellow", "blue")
        return seat.do("a1=- b1=- c3=- d3=-", gap=100).settle()

    seat = cleared()
    assert (seat.phase, seat.about) == ("mending", "new-round")
    assert seat.heard("mismatch")[-1]["missing"] == ["a1", "b1", "c3", "d3"]
    seat.press("ok")
    assert (seat.phase, seat.moves) == ("waiting", [])
    seat = cleared()
    seat.do("a1=R b1=B c3=Y d3=B", gap=100).settle()
    assert len(seat.moves) == 2
    # Four were in the hand together: a board that cannot see colours asks whether two changed places.
    assert (seat.phase, seat.about) == (("waiting", None) if sensing is Sensing.COLOUR else ("asking", "swap"))


def test_in_setup_the_board_says_what_is_in_the_way(sit: Sit) -> None:
    seat = sit(lies="..../..../..../R..B")
    assert seat.told == [{"t": 1000, "type": "phase", "phase": "setup"}]
    assert seat.lit_over(300) == {"a1", "d1"}
    seat.press("new", "ok", "red")
    assert seat.phase == "setup"
    seat.do("a1=- d1=-").settle()
    assert seat.phase == "waiting"


def test_a_seat_pressed_in_setup_says_who_begins(sit: Sit) -> None:
    seat = sit(lies="..../..../..../R..B").press("2").do("a1=- d1=-").settle()
    assert seat.phase == "waiting"
    assert seat.rules.to_move(seat.table.position) == 2


# Three lifted together ------------------------------------------------------------------------------------------------


@pytest.fixture
def three(sit: Sit) -> Any:
    """Three neighbours lifted together and put back, on a board that sees presence only."""
    return sit(CORNER, sensing=Sensing.PRESENCE).do("a1=- b1=- c1=- a1=R b1=B c1=R", gap=60).settle()


def test_three_stones_put_back_ask_which_were_swapped(three: Any) -> None:
    assert (three.phase, three.about, three.asked) == ("asking", "swap", ["a1", "b1", "c1"])
    assert three.heard("question")[-1]["options"] == ["a1", "b1", "c1", "back"]


@pytest.mark.parametrize(("touched", "move"), [("a1", "a1~b1"), ("c1", "b1~c1")])
def test_touching_a_stone_of_one_swap_chooses_it(three: Any, touched: str, move: str) -> None:
    three.table.touch(three.cell("b1"), three.now)  # in both swaps
    assert three.moves == []
    three.table.touch(three.cell("d4"), three.now)  # in neither
    assert three.moves == []
    three.table.touch(three.cell(touched), three.now)
    assert (three.moves, three.phase) == ([move], "waiting")


def test_back_says_that_none_was_swapped(three: Any) -> None:
    three.press("back").wait(10_000)
    assert (three.phase, three.about, three.moves) == ("waiting", None, [])


def test_among_four_in_a_square_two_touches_choose(sit: Sit) -> None:
    """Each of the four is in two swaps, so that one touch can never tell."""
    seat = sit(CORNER, sensing=Sensing.PRESENCE)
    seat.do("a1=- b1=- a2=- b2=- a1=R b1=B a2=B b2=Y", gap=60).settle()
    assert (seat.about, seat.asked) == ("swap", ["a1", "a2", "b1", "b2"])
    seat.table.touch(seat.cell("b2"), seat.now)
    assert seat.moves == []
    seat.table.touch(seat.cell("b1"), seat.now)
    assert seat.moves == ["b1~b2"]


# The link -------------------------------------------------------------------------------------------------------------


def test_a_lost_link_is_told_and_play_goes_on_where_the_board_agrees(sit: Sit, sensing: Sensing) -> None:
    seat = sit(sensing=sensing).play("a1=R b1=B", "red", "blue")
    before = len(seat.told)
    seat.link(up=False, why="the cable is out").wait(10_000)
    assert seat.since(before) == ["link", "offline"]
    assert seat.told[before]["state"] == "down"
    assert seat.table.link_trouble == "the cable is out"
    seat.press("back", "new", "red")
    seat.do("a1=-").wait(5000)  # nothing can be said by a board that is not heard
    assert seat.since(before) == ["link", "offline"]
    seat.link(up=True)
    assert seat.phase == "offline"
    seat.snapshot("..../..../..../RB..")
    assert seat.since(before) == ["link", "offline", "link", "waiting"]
    assert seat.table.link_trouble == ""
    assert seat.moves == ["Ra1 Bb1"]


def test_what_changed_while_the_link_was_down_is_judged_like_any_change(sit: Sit) -> None:
    def back_with(text: str) -> Any:
        seat = sit().play("a1=R b1=B").link(up=False, why="x").wait(2000)
        return seat.link(up=True).snapshot(text)

    moved = back_with("..../..Y./..R./RB..")
    assert moved.moves == ["Ra1 Bb1"]
    moved.settle()
    assert (moved.phase, moved.moves) == ("waiting", ["Ra1 Bb1", "Rc2 Yc3"])  # one ply explains it
    half = back_with("..../..../..R./RB..").wait(5000)
    assert (half.phase, len(half.moves)) == ("handling", 1)
    wrong = back_with("..../...B/..R./RB..")
    assert wrong.phase == "mending"  # at once
    assert wrong.heard("mismatch")[-1]["extra"] == ["c2", "d3"]


@pytest.mark.parametrize("buttons", [(), ("new",)], ids=["over", "asking in over"])
def test_a_finished_round_stays_finished_when_the_link_comes_back(sit: Sit, buttons: tuple[str, ...]) -> None:
    seat = sit("..../..../..../RR..", scores=(9, 0)).play("c1=R c2=B").press(*buttons)
    seat.link(up=False, why="x").link(up=True).snapshot("..../..../..../R...")
    if buttons:
        assert seat.about == "new-round"
        seat.press("back")
    assert seat.phase == "over"


def test_a_link_lost_while_colours_were_asked(sit: Sit) -> None:
    seat = sit(sensing=Sensing.PRESENCE).do("a1=R b1=B").settle().link(up=False, why="x")
    assert (seat.phase, seat.about) == ("offline", None)
    seat.link(up=True).snapshot("..../..../..../RB..").settle()
    assert (seat.phase, seat.about) == ("asking", "colour")
    assert seat.press("red", "blue").moves == ["Ra1 Bb1"]


# What nobody should be able to break ----------------------------------------------------------------------------------


def test_presses_before_the_first_snapshot_do_nothing(sit: Sit) -> None:
    from controller.table.core import Table

    rules = sit().rules
    table = Table(lambda _outcome=None, _first=None: rules, Sensing.COLOUR)
    for button in ("red", "ok", "back", "new", "hint", "1"):
        table.press(button, 5)
    table.take([CellChange(0, 1, 6)], 6)
    table.advance(1000)
    assert table.notices() == []
    assert table.due() is None


# Two plies in one scan ------------------------------------------------------------------------------------------------


def test_which_of_two_plies_in_one_scan_was_first_is_asked_and_then_their_colours(sit: Sit) -> None:
    """Presence knows neither the order nor the colours: nothing is guessed of either."""
    seat = sit(sensing=Sensing.PRESENCE).do("a1=R b1=B c3=Y d3=R").settle()
    assert (seat.phase, seat.about, seat.moves) == ("asking", "order", [])
    seat.table.touch(seat.cell("c3"), seat.now)
    assert (seat.about, seat.asked, seat.moves) == ("colour", ["c3"], [])
    seat.press("yellow", "red").settle()
    assert seat.moves == ["Yc3 Rd3"]
    assert (seat.about, seat.asked) == ("colour", ["a1"])
    seat.press("red", "blue").settle()
    assert seat.moves == ["Yc3 Rd3", "Ra1 Bb1"]
    assert seat.phase == "waiting"


def test_by_colour_the_touch_is_enough(sit: Sit) -> None:
    seat = sit().do("a1=R b1=B c3=Y d3=R").settle()
    assert seat.about == "order"
    seat.table.touch(seat.cell("c3"), seat.now)
    seat.settle()
    assert seat.moves == ["Yc3 Rd3", "Ra1 Bb1"]
