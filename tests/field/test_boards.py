"""What people meet on electronic boards, each as it was reported: what the hands did, and what this board does instead.

The letters and numbers in the names are those of the list of reports that this board was built against.
"""

import random

import pytest

from controller.lighting.language import LANGUAGE
from controller.table import questions
from controller.table.advice import advise
from controller.table.view import view
from controller.table.words import words
from hardware.ports import Snapshot
from tests.field.board import Board

FOUR = "e4:R,e5:B,e6:R,d5:B"
"""Four pieces on a board of radius 4; e5 is its middle."""


def test_b1_a_stone_slid_slowly_over_other_cells_is_one_move_to_its_end() -> None:
    board = Board("exago", FOUR, radius="4", pieces="2").do("e4=- e3=R", gap=100)
    board.do("e3=- d4=R", gap=150).wait(300)
    assert board.moves == ["e4-d4"]


def test_b1_a_stone_that_rested_on_the_way_is_replaced_by_the_longer_move() -> None:
    board = Board("exago", FOUR, radius="4", pieces="2").do("e4=- d4=R", gap=100).wait(400)
    assert board.moves == ["e4-d4"]
    board.do("d4=- f5=R", gap=150).wait(300)
    assert board.moves == ["e4-f5"]
    assert [notice.type for notice in board.table.notices() if notice.type in {"move", "takeback"}] == [
        "move",
        "takeback",
        "move",
    ]


@pytest.mark.parametrize(
    ("game", "position", "settings", "deeds", "moves"),
    [
        pytest.param(
            "bamogo", "..../..../..../....", {}, "a1=R b1=B c3=Y d3=R", ["Ra1 Bb1", "Yc3 Rd3"], id="apart, colour"
        ),
        pytest.param(
            "bamogo",
            "..../..../..../..Y.",
            {},
            "a1=R b1=B b1=- c1=- b1=Y c1=B",
            ["Ra1 Bb1", "b1~c1"],
            id="the reply moves what was just put down",
        ),
        pytest.param("exago", FOUR, {"radius": "4"}, "f5=R d4=B", ["f5", "d4"], id="apart, presence"),
        pytest.param(
            "exago",
            FOUR,
            {"radius": "4", "pieces": "2"},
            "e4=- d4=R d5=- e4=B",
            ["e4-d4", "d5-e4"],
            id="the reply goes where the first came from",
        ),
        pytest.param(
            "bao-kigogo",
            "0,0,0,0,0,2/0,0,0,0,2,0/0,0,0,0,0,0/2,1,0,0,0,2",
            {"columns": "6"},
            "d1=0 d2=2 d3=1 b5=0 b6=1 a6=3 a6=0 a5=1 a4=1 a3=1",
            ["d1", "b5"],
            id="two sowings",
        ),
    ],
)
def test_b2_two_plies_in_one_change_both_count(
    game: str, position: str, settings: dict[str, str], deeds: str, moves: list[str]
) -> None:
    board = Board(game, position, **settings).do(deeds, gap=70)
    assert board.moves == []
    board.wait(300)
    assert board.moves == moves
    assert board.phase == "waiting"


def test_b2_two_plies_between_two_looks_at_the_board() -> None:
    board = Board("exago", FOUR, radius="4", plies=())
    board.table.take([Snapshot(tuple(board.but("f5=1 d4=1")), board.now)], board.now)
    board.wait(300)
    assert board.about in {None, questions.ORDER}
    assert board.moves in (["f5", "d4"], [])


def test_b3_fast_play_to_and_fro_takes_nothing_back() -> None:
    board = Board("exago", plies=["e5", "e6"], radius="4")
    board.do("e6=-").wait(200).do("e6=B").wait(5000)  # as it was a ply ago, for a moment
    assert board.moves == ["e5", "e6"]
    assert board.heard("question") == []
    board.do("e6=-").wait(10_000)
    assert board.about == questions.TAKEBACK
    assert board.moves == ["e5", "e6"]  # waiting never takes back


@pytest.mark.parametrize("lost", ["e4=-", "d4=R"])
def test_b5_one_lost_change_heals_with_the_next_snapshot(lost: str) -> None:
    board = Board("exago", FOUR, radius="4", pieces="2")
    real = board.but("e4=0 d4=1")
    board.do(" ".join(deed for deed in ("e4=-", "d4=R") if deed != lost)).wait(700)
    assert board.moves == []
    board.table.take([Snapshot(tuple(real), board.now)], board.now)
    board.wait(400)
    assert board.moves == ["e4-d4"]
    board.do("d5=- f6=B").wait(300)
    assert board.moves == ["e4-d4", "d5-f6"]


def test_b6_a_wrong_move_is_said_in_words_in_light_and_for_programs() -> None:
    board = Board("bamogo", "..../..../..../RB..", lies=None)
    board.do("a1=- d4=R").wait(1000)
    assert "d4" in words(board.table)
    assert "a1" in words(board.table)
    assert board.phase == "handling"  # not while a hand may still be on the way
    board.wait(2200)
    assert board.phase == "mending"
    mismatch = board.heard("mismatch")[0].facts
    assert (mismatch["extra"], mismatch["missing"]) == (["d4"], ["a1"])
    shown = view(board.table, board.table.frame(board.now))
    assert shown["words"] == words(board.table) == "Put the board right: move the red stone from d4 to a1"
    meanings = {glow.meaning for glow in board.table._glows if glow.cells}
    assert len({LANGUAGE[meaning].pattern for meaning in meanings}) == len(meanings) == 2


def test_b7_a_position_that_is_legal_both_ways_round_is_read_one_way() -> None:
    board = Board("bamogo", "..../..../..../RB..", lies="..BR/..../..../....")
    assert board.phase != "waiting"
    board.wait(20_000)
    assert board.moves == []
    assert {"a1", "b1"} & set(words(board.table).replace(",", " ").split())


@pytest.mark.parametrize("seed", range(20))
def test_b8_cells_that_flicker_back_to_where_they_were_change_nothing(seed: int) -> None:
    dice = random.Random(seed)
    board = Board("exago", FOUR, radius="4")
    names = [place.name for place in board.rules.cells]
    for _ in range(40):
        cell = dice.choice(names)
        before = board.table.prospect.base[board.rules.spot(cell)[0]]
        stone = "R" if before else "-"
        board.do(f"{cell}={'-' if before else 'R'} {cell}={stone}", gap=dice.choice((0, 5, 20)))
        board.wait(dice.choice((0, 100, 400)))
    board.wait(500)
    assert (board.moves, board.phase) == ([], "waiting")
    board.do("f5=R").wait(300)
    assert board.moves == ["f5"]


def test_b13_where_two_moves_look_alike_the_options_are_lit_and_a_touch_chooses() -> None:
    """The bridge is taken away, and which of two groups of one size is meant to stay no sensor can tell."""
    board = Board("exago", "e3:B,e4:R,e5:R,e6:B,e7:R,e8:B", radius="4", pieces="3")
    tied = [move for move in map(board.rules.move_text, board.rules.legal(board.table.position)) if ":" in move]
    move = tied[0]
    source, target = move.split(":")[0].split("-")
    board.do(f"{source}=- {target}=R").wait(300)
    assert board.about == questions.GROUP
    frames = [board.wait(50).table.frame(board.now) for _ in range(20)]
    assert board.table.question is not None
    for name in board.table.question.options:
        if name != "back":
            cell = board.rules.spot(name)[0]
            assert any(any(frame[3 * cell : 3 * cell + 3]) for frame in frames)
    board.table.touch(board.rules.spot(move.split(":")[1])[0], board.now)
    assert board.moves == [move]


def test_b17_clearing_the_board_is_asked_and_never_taken_for_a_move() -> None:
    board = Board("bamogo", plies=["Ra1 Bb1", "Yc3 Rd3", "Ba4 Rb4"])
    board.do("a1=- b1=- c3=- d3=- a4=- b4=-").wait(20_000)
    assert board.about == questions.NEW_ROUND
    assert len(board.moves) == 3


def test_b17_clearing_that_may_be_the_beginning_of_a_move_asks_nothing() -> None:
    board = Board("bamogo", "..../..../..../RB..")
    board.do("a1=- b1=-").wait(20_000)
    assert (board.about, board.phase) == (None, "handling")
    board.do("a1=B b1=R").wait(300)
    assert board.moves == ["a1~b1"]


def test_a_colour_declared_for_a_stone_that_went_away_is_not_the_next_ones() -> None:
    board = Board("bamogo", sense="presence").do("a1=R").press("red").do("a1=-").wait(1000)
    board.do("c3=B d3=Y").press("blue", "yellow").wait(300)
    assert board.moves == ["Bc3 Yd3"]


def test_a_colour_pressed_while_something_else_is_asked_leaves_the_question_open() -> None:
    board = Board("bamogo", sense="presence").press("new", "red").wait(500)
    assert (board.about, board.phase) == (questions.NEW_ROUND, "asking")
    assert board.press("back").phase == "waiting"


def test_within_a_sowing_the_seeds_are_named_that_its_lap_leaves() -> None:
    board = Board("bao-kigogo", columns="4").do("c3=0 c2=5").wait(400)
    assert "put the 3 seeds there" in words(board.table)


def test_while_the_start_is_laid_out_no_sowing_is_followed() -> None:
    """What was sown before lies there still, and looks like the same pit sown anew."""
    board = Board("bao-kigogo", columns="4", plies=["c3"]).press("new", "ok").do("d1=0").wait(400)
    assert board.phase == "setup"
    named = {cell for step in advise(board.table.picture) for cell in (*step.take, *step.put)}
    assert named == {board.rules.spot(name)[0] for name in ("a1", "b1", "c1", "c2", "c3", "d1")}


def test_b2_a_reply_that_looks_like_the_last_stone_moving_on_is_two_plies() -> None:
    """To full and empty both look alike; but a third stone was lifted, and the last one has not moved on."""
    board = Board("exago", FOUR, radius="4", pieces="2").do("e4=- f5=R").wait(300)
    assert board.moves == ["e4-f5"]
    board.do("d5=- f6=B f5=- d5=R", gap=70).wait(300)
    assert board.moves == ["e4-f5", "d5-f6", "f5-d5"]
