"""Colours that the player names where the board knows only that something lies there."""

from collections.abc import Callable
from typing import Any

import pytest

from controller.table.declaring import Declarations, RefusedError
from hardware.ports import CellChange, Sensing

Sit = Callable[..., Any]


@pytest.fixture
def blind(sit: Sit) -> Callable[..., Any]:
    """A function that sits down at a board that knows presence only."""
    return lambda *args, **options: sit(*args, sensing=Sensing.PRESENCE, **options)


def question(seat: Any) -> tuple[str, list[str], list[str]]:
    """The last question told: about, cells, options."""
    told = seat.heard("question")[-1]
    return told["about"], told["cells"], told["options"]


@pytest.mark.parametrize(
    ("deeds", "colours", "move"),
    [
        ("a1=R b1=B", ("red", "blue"), "Ra1 Bb1"),
        ("b1=B a1=R", ("red", "blue"), "Ba1 Rb1"),  # the colours go in the order in which the stones came down
        ("a1=R b1=B", ("yellow", "red"), "Ya1 Rb1"),
        ("d4=R d3=B", ("blue", "yellow"), "Yd3 Bd4"),
    ],
)
def test_colours_go_to_the_stones_in_the_order_in_which_they_came_down(
    blind: Sit, deeds: str, colours: tuple[str, str], move: str
) -> None:
    one, other = colours
    down = deeds.split()
    both_after = blind().do(deeds, gap=80).settle()
    assert both_after.phase == "asking"
    both_after.press(one)
    assert both_after.phase == "asking"
    both_after.press(other)
    assert (both_after.phase, both_after.moves) == ("waiting", [move])
    # As they come down, before they have settled, or kept from before the first one.
    assert blind().do(down[0]).press(one).do(down[1]).press(other).settle().moves == [move]
    assert blind().do(deeds).press(one, other).settle().moves == [move]
    assert blind().press(one, other).do(deeds).settle().moves == [move]
    assert blind().press(one).do(deeds).press(other).settle().moves == [move]
    assert blind().do(down[0]).press(one, other).do(down[1]).settle().moves == [move]


def test_stones_of_the_same_scan_are_asked_in_cell_order(blind: Sit) -> None:
    seat = blind()
    now = seat.now
    seat.table.take([CellChange(seat.cell("a1"), 1, now), CellChange(seat.cell("b1"), 1, now)], now)
    seat.settle()
    assert question(seat) == ("colour", ["a1"], ["red", "blue", "yellow", "back"])


def test_the_question_names_the_cell_lights_it_and_moves_on(blind: Sit) -> None:
    seat = blind().do("b1=B a1=R", gap=30).settle()
    assert question(seat) == ("colour", ["b1"], ["red", "blue", "yellow", "back"])
    violet = (150, 60, 255)
    lit = seat.table.frame(seat.now)
    assert tuple(lit[3 * seat.cell("b1") :][:3]) == violet
    assert tuple(lit[3 * seat.cell("a1") :][:3]) != violet
    seat.press("blue")
    assert question(seat) == ("colour", ["a1"], ["red", "yellow", "back"])
    assert seat.asked == ["a1"]
    seat.press("red")
    assert seat.moves == ["Ra1 Bb1"]


@pytest.mark.parametrize("presses", [("red",), ("red", "blue", "blue")], ids=["none of it left", "and again"])
def test_a_colour_that_the_supply_lacks_is_an_error_and_the_question_stays(blind: Sit, presses: tuple[str]) -> None:
    seat = blind("..../.YYB/BBRR/RRRB").do("a4=Y b4=B").settle()
    assert question(seat) == ("colour", ["a4"], ["blue", "yellow", "back"])
    for button in presses:
        seat.press(button)
    assert "red" in seat.heard("error")[0]["message"]
    assert seat.about == "colour"
    assert seat.moves == []
    assert seat.press("yellow").press("blue").moves != []


def test_a_colour_used_in_this_turn_is_an_error_and_the_question_stays(blind: Sit) -> None:
    seat = blind().do("a1=R b1=B").settle().press("red", "red")
    assert [told["message"] for told in seat.heard("error")] != []
    assert (seat.about, seat.asked, seat.moves) == ("colour", ["b1"], [])
    assert seat.press("blue").moves == ["Ra1 Bb1"]


@pytest.mark.parametrize("button", ["green", "purple", "orange", "1", "6", "ok", "hint"])
def test_a_button_that_names_no_stone_answers_no_colour(blind: Sit, button: str) -> None:
    seat = blind().do("a1=R b1=B").settle().press(button)
    assert (seat.about, seat.asked, seat.heard("error"), seat.moves) == ("colour", ["a1"], [], [])


def test_back_takes_the_last_colour_back(blind: Sit) -> None:
    seat = blind().do("a1=R b1=B").settle().press("red", "back")
    assert (seat.phase, seat.asked) == ("asking", ["a1"])
    assert seat.press("blue", "yellow").moves == ["Ba1 Yb1"]
    assert seat.heard("takeback") == []


def test_back_takes_back_a_colour_that_was_kept(blind: Sit) -> None:
    seat = blind().press("red", "back", "blue").do("a1=R b1=B").settle()
    assert seat.asked == ["b1"]
    assert seat.press("red").moves == ["Ba1 Rb1"]


def test_back_with_nothing_declared_takes_no_ply_back(blind: Sit) -> None:
    seat = blind().play("a1=R b1=B", "red", "blue").do("c3=R c4=B").settle()
    assert seat.about == "colour"
    seat.press("back")
    assert (seat.moves, seat.heard("takeback")) == (["Ra1 Bb1"], [])


def test_a_stone_that_moves_on_keeps_its_colour(blind: Sit) -> None:
    seat = blind().do("a1=R").press("red").wait(1000).do("a1=- a2=R").wait(200).do("a3=B").press("blue").settle()
    assert seat.moves == ["Ra2 Ba3"]


@pytest.mark.parametrize("brushed", ["a1", "b1"])
def test_a_stone_brushed_while_colours_are_asked_keeps_its_colour_and_gives_it_to_no_other(
    blind: Sit, brushed: str
) -> None:
    seat = blind().do("a1=R b1=B").settle().press("red")
    assert seat.asked == ["b1"]
    seat.do(f"{brushed}=- {brushed}=R", gap=100).settle()
    assert seat.asked == ["b1"]
    assert seat.press("blue").moves == ["Ra1 Bb1"]


def test_a_stone_with_a_colour_moves_on_beside_one_without(blind: Sit) -> None:
    seat = blind().do("a1=R b1=B").settle().press("red").do("a1=- c1=R", gap=100).settle()
    assert seat.asked == ["b1"]
    assert seat.press("blue").moves == ["Bb1 Rc1"]


def test_where_two_coloured_stones_were_in_the_hand_together_the_board_asks_again(blind: Sit) -> None:
    """Which of them came down first cannot be seen, and nothing is guessed."""
    seat = blind().do("a1=R").press("red").do("b1=B").press("blue")
    seat.do("a1=- b1=- c1=B c2=R", gap=50).settle()
    assert seat.about == "colour"
    assert seat.asked == ["c1"]
    assert seat.press("blue", "red").moves == ["Bc1 Rc2"]


def test_colours_are_forgotten_when_the_ply_counts(blind: Sit) -> None:
    seat = blind().do("a1=R b1=B").press("red", "blue", "yellow").settle()
    assert seat.moves == ["Ra1 Bb1"]
    seat.do("c1=R c2=B").settle()
    assert (seat.about, seat.asked) == ("colour", ["c1"])


def test_colours_are_not_asked_for_a_swap(blind: Sit) -> None:
    seat = blind("..../..../BYR./RBR.").do("a1=- b1=- a1=B b1=R", gap=50).settle()
    assert seat.moves == ["a1~b1"]
    assert seat.heard("question") == []


def test_a_board_that_sees_colours_ignores_the_buttons(sit: Sit) -> None:
    seat = sit().press("red", "red", "blue").do("a1=Y b1=B").press("red").settle()
    assert (seat.moves, seat.heard("error"), seat.heard("question")) == (["Ya1 Bb1"], [], [])


def test_declarations_alone() -> None:
    declared = Declarations()
    declared.declare(1, "red", 5, [])
    assert (dict(declared.given), declared.any) == ({}, True)
    declared.follow([7])
    declared.declare(2, "blue", 1, [7, 8])
    assert dict(declared.given) == {7: 1, 8: 2}
    with pytest.raises(RefusedError, match="yellow"):
        declared.declare(3, "yellow", 0, [7, 8])
    with pytest.raises(RefusedError, match="red"):
        declared.declare(1, "red", 4, [7, 8])
    assert declared.undo()
    assert dict(declared.given) == {7: 1}
    assert declared.undo()
    assert not declared.undo()
    assert not declared.any
