"""What each sensing kind cannot see, shown: docs/sensing.md lists these cases and names these tests."""

import pytest

from tests.field.board import Board

FOUR = "e4:R,e5:B,e6:R,d5:B"
EXAGO = {"radius": "4"}
BAO = {"columns": "5"}


def quiet(board: Board) -> bool:
    return board.wait(5000).phase == "waiting" and not board.heard("mismatch")


def test_two_stones_put_back_look_like_a_swap_and_back_undoes_it() -> None:
    board = Board("bamogo", "..../..../..../RB..", sense="presence")
    board.do("a1=- b1=- a1=R b1=B").wait(300)
    assert board.moves == ["a1~b1"]
    board.press("back")
    assert (board.moves, board.phase) == ([], "waiting")


def test_by_colour_two_stones_put_back_are_no_swap() -> None:
    board = Board("bamogo", "..../..../..../RB..").do("a1=- b1=- a1=R b1=B").wait(300)
    assert (board.moves, board.phase) == ([], "waiting")


def test_a_colour_declared_wrongly_is_believed() -> None:
    board = Board("bamogo", sense="presence").do("a1=R b1=B").press("blue", "red").wait(300)
    assert board.moves == ["Ba1 Rb1"]


@pytest.mark.parametrize(("sense", "moves", "phase"), [("presence", ["f5"], "waiting"), ("colour", [], "mending")])
def test_an_opponents_piece_put_down_for_ones_own(sense: str, moves: list[str], phase: str) -> None:
    board = Board("exago", FOUR, sense=sense, **EXAGO).do("f5=B").wait(4000)
    assert (board.moves, board.phase) == (moves, phase)


@pytest.mark.parametrize("sense", ["presence", "colour"])
def test_two_like_pieces_exchanged_leave_everything_as_it_was(sense: str) -> None:
    assert quiet(Board("exago", FOUR, sense=sense, **EXAGO).do("e4=- e6=- e4=R e6=R"))


@pytest.mark.parametrize(("sense", "seen"), [("presence", False), ("colour", True)])
def test_two_unlike_pieces_exchanged_are_seen_by_colour_only(sense: str, seen: bool) -> None:
    board = Board("exago", FOUR, sense=sense, **EXAGO).do("e4=- e5=- e4=B e5=R")
    assert quiet(board) is not seen


@pytest.mark.parametrize(("sense", "seen"), [("presence", False), ("count", True)])
def test_seeds_miscounted_into_full_pits_are_seen_by_count_only(sense: str, seen: bool) -> None:
    board = Board("bao-kigogo", sense=sense, **BAO).do("a1=3")
    assert quiet(board) is not seen


def test_a_stuck_cell_lets_another_piece_seem_to_have_moved() -> None:
    """c9 goes to e3, and b10 is off the group then; c9 reads full still, so that b10 seems to have gone to e3."""
    pieces = (
        "c6:R,c9:R,d6:B,d7:R,d8:B,d9:R,b10:R,e4:R,e5:B,e6:R,e7:B,f4:B"
        ",f5:B,f6:B,g4:B,g5:R,h4:B,h5:R,i1:R,i2:B,i3:R,i4:R,i5:B,j5:B"
    )
    assert Board("exago", pieces).do("c9=- e3=R").wait(300).do("b10=-").wait(300).moves == ["c9-e3"]
    assert Board("exago", pieces).do("e3=R").wait(300).do("b10=-").wait(300).moves == ["b10-e3"]


def test_a_swap_hides_behind_what_is_put_down_at_once() -> None:
    board = Board("bamogo", "..../..../..../RB..", sense="presence")
    board.do("a1=- b1=- a1=B b1=R c3=Y d3=R").press("yellow", "red").wait(300)
    assert board.moves == ["Yc3 Rd3"]
