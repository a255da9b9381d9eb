"""What the board says in each state: never nothing, and the cells by name."""

from collections.abc import Callable
from typing import Any

import pytest

from controller.table.words import detail, how_to, listed, words
from hardware.ports import Sensing

Sit = Callable[..., Any]
CORNER = "..../..../BYR./RBR."


def said(seat: Any) -> str:
    return words(seat.table)


@pytest.mark.parametrize(
    ("names", "text"),
    [([], ""), (["a1"], "a1"), (["a1", "b1"], "a1 and b1"), (["a1", "b1", "c1"], "a1, b1 and c1")],
)
def test_lists_read_as_people_write_them(names: list[str], text: str) -> None:
    if names:
        assert listed(names) == text
    assert listed(["a1", "b1"], "or") == "a1 or b1"


def test_waiting_names_the_player(sit: Sit) -> None:
    seat = sit()
    assert said(seat) == "Player 1: your turn"
    assert said(seat.play("a1=R b1=B")) == "Player 2: your turn"


def test_setup_says_what_to_do_next_and_how_much_is_left(sit: Sit) -> None:
    seat = sit(CORNER, lies="..../..../BYR./.BRY")
    assert said(seat) == "Set up the board: take off what lies on d1 (1 more step after that)"
    assert said(seat.do("d1=-")) == "Set up the board: put the red stone on a1"
    assert said(sit(CORNER, lies="..../..../BYR./.BRR")) == "Set up the board: move the red stone from d1 to a1"


def test_handling_names_where_the_move_may_go_on(sit: Sit) -> None:
    assert said(sit().do("a1=R")) == "Player 1: go on with a2 or b1, or put it back"
    assert said(sit(CORNER).do("a1=- b1=-")) == "Player 1: put the stones down"
    assert said(sit().do("a1=R b1=B")).startswith("Player 1: ")


def test_a_wrong_picture_is_put_right_step_by_step(sit: Sit) -> None:
    seat = sit(CORNER).do("d3=R c1=- a1=Y").wait(1000)
    steps = [
        ("move the red stone from d3 to c1 (1 more step after that)", "d3=- c1=R"),
        ("take the wrong one off a1 and put the red stone there", "a1=- a1=R"),
    ]
    for number, (step, deeds) in enumerate(steps):
        why = "a stone on the board stays there, or changes places with its neighbour"
        before = f"Player 1: that is no move: {why}. To go on, " if number == 0 else "Put the board right: "
        assert said(seat) == before + step
        seat.wait(3000)
        assert said(seat) == f"Put the board right: {step}"
        seat.do(deeds)
    seat.settle()
    assert said(seat) == "Player 1: your turn"


@pytest.mark.parametrize(
    ("position", "deeds", "why"),
    [
        ("", "a1=R b1=R", "both stones are red, and a turn places two colours"),
        ("", "a1=R c1=B", "a1 and c1 do not share a side"),
        ("..../..../..../RBY.", "a1=Y c1=R", "a1 and c1 do not share a side"),
        ("YRB./RBYR/BYRY/RYBB", "d4=Y", "no empty cell shares a side with d4, and a turn places two stones"),
        ("YYY./YYY./..../....", "d1=Y d2=R", "no yellow stone is left"),
        ("", "a1=R d1=B a4=Y", "a turn puts down two stones, not 3"),
    ],
)
def test_what_is_no_move_says_why_and_goes_on_saying_it(sit: Sit, position: str, deeds: str, why: str) -> None:
    seat = (sit(position) if position else sit()).do(deeds).settle()
    assert said(seat).startswith(f"Player 1: that is no move: {why}. ")
    seat.wait(3500)
    assert seat.phase == "mending"
    assert detail(seat.table).startswith(f"That was no move: {why}. ")


def test_a_board_that_is_brought_along_after_a_takeback_was_no_move(sit: Sit) -> None:
    seat = sit().play("a1=R b1=B").press("back").wait(4000)
    assert seat.phase == "mending"
    assert "no move" not in detail(seat.table) + said(seat)


def test_the_question_of_a_colour_names_cell_and_buttons(sit: Sit) -> None:
    seat = sit(sensing=Sensing.PRESENCE).do("a1=R b1=B").settle()
    assert said(seat) == "Player 1: which colour is the stone on a1? Press red, blue or yellow"
    assert said(seat.press("red")) == "Player 1: which colour is the stone on b1? Press blue or yellow"


def test_a_colour_that_looks_another_now_is_asked_about_in_words_of_its_own(sit: Sit) -> None:
    seat = sit().do("a1=Y b1=B").settle().do("a1=- a1=R").settle()
    assert said(seat) == "The stone on a1 looks another colour now. Press ok to correct the last move, back to leave it"
    seat.press("ok")
    assert (seat.moves, said(seat)) == (["Ra1 Bb1"], "Player 2: your turn")


def test_resigning_is_offered_and_asked(sit: Sit) -> None:
    seat = sit().do("a1=Y b1=B").settle()
    assert said(seat.press("new")) == (
        "Begin a new round? Press ok for a new round, back to go on, new to give this one up"
    )
    assert said(seat.press("new")) == (
        "Does Player 2 give this round up? Press ok to resign, the number of the player who does if it is another, "
        "back to go on"
    )
    assert detail(seat.table) == ""  # no cell is lit
    assert said(seat.press("ok")) == "Player 2 resigns: player 1 wins. Press new for another round"


def test_ok_pressed_too_early_says_to_press_again(sit: Sit) -> None:
    seat = sit().do("a1=Y b1=B").settle().press("new").press("ok").do("a1=-").wait(1000).press("ok")
    assert said(seat).startswith("The board has only just seen a change: press ok again in a few seconds. Set up")
    assert seat.wait(2500).press("ok").about == "cell"


def test_every_other_question_says_what_each_button_does(sit: Sit) -> None:
    passing = sit("R.Y./.B.R/R.Y./.B.R")
    assert said(passing) == "Player 1: there is no move; press ok to pass"
    assert said(passing.press("back")) == "Player 1: there is no move; press ok to pass"
    assert "ok for a new round" in said(sit().press("new"))
    swapped = sit(CORNER, sensing=Sensing.PRESENCE).do("a1=- b1=- c1=- a1=R b1=B c1=R", gap=60).settle()
    assert "which stones changed places" in said(swapped)
    back = sit(CORNER, settings={"ko": "always"}).play("a1=- b1=- a1=B b1=R").do("a1=- b1=- a1=R b1=B").settle()
    assert said(back) == "Take back the last move? Press ok to take back, back to go on"


def test_over_says_who_won_and_how_to_go_on(sit: Sit) -> None:
    assert said(sit("..../..../..../RR..", scores=(9, 3)).play("c1=R c2=B")) == (
        "Player 1 wins (target). Press new for another round"
    )
    assert said(sit(settings={"max_plies": "1"}).play("a1=R b1=B")) == (
        "The round is drawn (the limit of moves is reached). Press new for another round"
    )


def test_a_cleared_board_asks_for_a_new_round_and_says_how_to_go_on(sit: Sit) -> None:
    seat = sit().play("a1=R b1=B").play("c1=Y d1=R").do("a1=- b1=- c1=- d1=-").settle()
    assert seat.phase == "mending"
    assert said(seat).startswith("Begin a new round? Press ok for a new round; to go on with this one, press back, ")


def test_while_a_new_round_is_asked_about_ok_means_nothing_else(sit: Sit) -> None:
    seat = sit().play("a1=R b1=B").play("c1=Y d1=R").do("a1=- b1=- c1=- d1=-").settle()
    assert "press ok" not in detail(seat.table)
    seat.press("back")
    assert (seat.phase, seat.about) == ("mending", None)
    assert "does not see it, press ok" in detail(seat.table)


def test_what_may_be_a_sensor_or_a_hand_is_said_as_both(sit: Sit) -> None:
    seat = sit(CORNER).do("c1=-").wait(3100).press("ok")
    assert seat.about == "cell"
    assert said(seat) == (
        "Put the red stone on c1. If that is done, I cannot read c1: press ok to play on without, back to try again"
    )


def test_offline_says_why(sit: Sit) -> None:
    away = sit().link(up=False, why="the board does not answer: see that its cable is plugged in at both ends")
    assert said(away) == "The board does not answer: see that its cable is plugged in at both ends"
    assert detail(away.table) == "Nothing is lost: the round waits for the board."
    assert said(sit().link(up=False)) == "No word from the board"


def test_a_refusal_is_said_until_something_else_happens(sit: Sit) -> None:
    seat = sit().press("back")
    assert said(seat) == "There is no move to take back. Player 1: your turn"
    seat.do("a1=R")
    assert "take back" not in said(seat)
    seat = sit(sensing=Sensing.PRESENCE).do("a1=R b1=B").settle().press("red", "red")
    assert said(seat).startswith("Red is used in this turn already")
    assert said(seat).endswith("which colour is the stone on b1? Press blue or yellow")
    assert said(seat.press("blue")) == "Player 2: your turn"


def test_how_to_speaks_of_colours_only_where_the_board_is_blind(sit: Sit) -> None:
    blind, sees = how_to(sit(sensing=Sensing.PRESENCE).table), how_to(sit().table)
    assert blind.startswith(sees)
    assert "cannot see colours" in blind
    assert "cannot see colours" not in sees
