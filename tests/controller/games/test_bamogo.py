"""Bamogo rule by rule. Numbers such as (2.1) point into docs/rules/bamogo.md."""

from typing import Any

import pytest

from controller.games.bamogo import GAME, PASS, BamogoRules, Placement, Position, Swap
from controller.games.bamogo_board import PAIRS, STRINGS, points
from controller.games.seam import IllegalMoveError, NotationError, OptionError, Outcome

FULL = "RYBY/YYBB/YBYR/RBRR"
"""All sixteen stones; no three of a colour in a row."""

SPOILT = ".B.B/R.B./YR.R/R.R."
"""No two empty cells share a side; two colours are left (2.1)."""

SPENT = "RBRB/RBRB/RB../...."
"""Two empty cells share a side, but only yellow is left (1.2)."""


def rules(players: int = 2, **settings: str) -> BamogoRules:
    return GAME.rules(players, settings)


def tokens(game: BamogoRules, position: Position) -> set[str]:
    return {game.move_text(move) for move in game.legal(position)}


def play(game: BamogoRules, position: Position, *moves: str) -> tuple[Position, list[dict[str, Any]]]:
    """Play the moves; return where they lead and the events of the last."""
    events: tuple[Any, ...] = ()
    for move in moves:
        position, events = game.apply(position, game.parse_move(move))
    return position, [event.as_json() for event in events]


def test_the_board_has_24_pairs_and_24_strings() -> None:
    assert len(PAIRS) == 24
    assert len(set(STRINGS)) == len(STRINGS) == 24


def test_cells_are_sorted_by_file_and_rank_with_x_to_the_right_and_y_away() -> None:
    cells = rules().cells
    assert [cell.name for cell in cells] == [file + rank for file in "abcd" for rank in "1234"]
    assert [(cell.x, cell.y) for cell in cells] == [(x, y) for x in range(4) for y in range(4)]


def test_the_points_table_counts_strings_in_a_set() -> None:
    table = points()
    assert len(table) == 65536
    assert table[0xFFFF] == 24
    assert table[0b1111] == 2
    for cells in range(0, 65536, 97):
        assert table[cells] == sum(all(cells >> cell & 1 for cell in string) for string in STRINGS)


def test_a_round_begins_with_an_empty_board_and_144_placements() -> None:
    game = rules()
    start = game.initial()
    assert game.position_text(start) == "..../..../..../...."
    assert game.hands(start) == {"supply": {"R": 5, "B": 5, "Y": 6}}
    assert game.to_move(start) == 1
    assert len(tokens(game, start)) == len(game.legal(start)) == 144


@pytest.mark.parametrize("text", [FULL, SPOILT, SPENT])
def test_the_boards_of_this_file_allow_no_placement(text: str) -> None:
    game = rules()
    assert all("~" in token for token in tokens(game, game.parse_position(text)))


def test_a_placement_puts_two_stones_and_takes_them_from_the_supply() -> None:
    game = rules()
    position, events = play(game, game.initial(), "Ra1 Bb1")
    assert game.position_text(position) == "..../..../..../RB.."
    assert game.supply(position) == {"R": 4, "B": 4, "Y": 6}
    assert events == [
        {"type": "place", "cell": "a1", "colour": "R"},
        {"type": "place", "cell": "b1", "colour": "B"},
    ]
    assert game.to_move(position) == 2


def test_a_swap_exchanges_two_stones() -> None:
    game = rules()
    position, events = play(game, game.parse_position("..../..../Y.../R..."), "a1~a2")
    assert game.position_text(position) == "..../..../R.../Y..."
    assert events == [{"type": "swap", "cells": ("a1", "a2")}]


def test_colours_that_are_spent_are_not_placed() -> None:
    game = rules()
    position = game.parse_position("RRRR/R.../..../....")
    assert {token[0] + token[4] for token in tokens(game, position) if " " in token} == {"BY", "YB"}


@pytest.mark.parametrize(
    ("board", "move", "lines"),
    [
        pytest.param("..../RB../R.../....", "Ra1 Bb1", ["a1 a2 a3 R"], id="three along a file"),
        pytest.param("..../..../..../.RR.", "Rd1 Bd2", ["b1 c1 d1 R"], id="three along a rank"),
        pytest.param("..../..Y./.Y../....", "Ya1 Bb1", ["a1 b2 c3 Y"], id="a rising diagonal"),
        pytest.param("..../..../.B../..B.", "Ba3 Ra4", ["a3 b2 c1 B"], id="a falling diagonal"),
        pytest.param("R.../..../R.../R...", "Ra3 Bb3", ["a1 a2 a3 R", "a2 a3 a4 R"], id="a new four brings two"),
        pytest.param("..../R.../R.../R...", "Ra4 Bb4", ["a2 a3 a4 R"], id="a fourth at the end of an old three: one"),
        pytest.param(
            "..../RB../RB../....", "Ra1 Bb1", ["a1 a2 a3 R", "b1 b2 b3 B"], id="two colours in one placement"
        ),
        pytest.param("..../BR../BR../....", "Ba1 Rb1", ["a1 a2 a3 B", "b1 b2 b3 R"], id="strings sort by cells"),
        pytest.param("..../RB../RB../BR..", "a1~b1", ["a1 a2 a3 R", "b1 b2 b3 B"], id="two colours in one swap"),
        pytest.param("..../R.../R.../RB..", "Yc1 Bd1", [], id="a string from before does not score"),
        pytest.param("..../R.../R.../RBY.", "b1~c1", [], id="nor when other stones are swapped"),
        pytest.param("..../.R../R.R./YRR.", "a1~b1", [], id="swapping out of a string scores nothing"),
        pytest.param(
            "...R/..R./RB../.R..", "a2~b2", ["b2 c3 d4 R"], id="a swap into a diagonal"
        ),
        pytest.param("RR.R/..../..../....", "Bc3 Rc4", ["a4 b4 c4 R", "b4 c4 d4 R"], id="a four along a rank"),
        pytest.param(
            "..R./..R./RR../....", "Rc2 Bd2", ["a2 b2 c2 R", "c2 c3 c4 R"], id="two strings through one stone"
        ),
    ],
)  # fmt: skip
def test_scoring(board: str, move: str, lines: list[str]) -> None:
    game = rules(target="99")
    position = game.parse_position(board)
    after, events = play(game, position, move)
    scored = [event for event in events if event["type"] == "line"]
    assert [" ".join(event["cells"]) + " " + event["colour"] for event in scored] == lines
    assert all(event["points"] == 1 for event in scored)
    assert game.scores(after) == (len(lines), 0)


def test_points_go_to_the_player_on_turn() -> None:
    game = rules(players=3)
    position = game.parse_position("..../R.../R.../....", to_move=2, scores=(1, 4, 2))
    after, _ = play(game, position, "Ra1 Bb1")
    assert game.scores(after) == (1, 5, 2)
    assert game.to_move(after) == 3


def test_the_last_seat_hands_on_to_the_first() -> None:
    game = rules(players=3, first="3")
    assert game.to_move(game.initial()) == 3
    assert game.to_move(play(game, game.initial(), "Ra1 Bb1")[0]) == 1


@pytest.mark.parametrize(
    ("ko", "board", "bound"),
    [
        pytest.param("after-placement", "..../..../..../RB..", False, id="after-placement, placing possible"),
        pytest.param("after-placement", FULL, True, id="after-placement, all sixteen down"),
        pytest.param("after-placement", SPOILT, True, id="after-placement, board spoilt"),
        pytest.param("after-placement", SPENT, True, id="after-placement, one colour left"),
        pytest.param("board-full", "..../..../..../RB..", False, id="board-full, placing possible"),
        pytest.param("board-full", FULL, True, id="board-full, all sixteen down"),
        pytest.param("board-full", SPOILT, False, id="board-full, board spoilt"),
        pytest.param("board-full", SPENT, False, id="board-full, one colour left"),
        pytest.param("always", "..../..../..../RB..", True, id="always, placing possible"),
        pytest.param("always", SPOILT, True, id="always, board spoilt"),
        pytest.param("never", FULL, False, id="never, all sixteen down"),
        pytest.param("never", SPOILT, False, id="never, board spoilt"),
    ],
)
def test_ko_binds(ko: str, board: str, bound: bool) -> None:
    game = rules(ko=ko)
    before = game.parse_position(board)
    swap = next(token for token in ("a1~b1", "a1~a2", "a2~b2") if token in tokens(game, before))
    after, _ = play(game, before, swap)
    assert (swap not in tokens(game, after)) == bound
    if bound:
        with pytest.raises(IllegalMoveError, match="ko"):
            play(game, after, swap)
    else:
        assert game.position_text(play(game, after, swap)[0]) == board


def test_ko_binds_one_turn_whoever_makes_it() -> None:
    game = rules(players=1, target="99")
    position, _ = play(game, game.parse_position(FULL), "a1~b1")
    assert "a1~b1" not in tokens(game, position)
    position, _ = play(game, position, "d3~d4")
    assert "a1~b1" in tokens(game, position)
    assert "d3~d4" not in tokens(game, position)


def test_a_placement_lifts_ko() -> None:
    game = rules(ko="always")
    position, _ = play(game, game.parse_position("..../..../..../RB.."), "a1~b1", "Ra4 Bb4")
    assert "a1~b1" in tokens(game, position)


def test_where_ko_leaves_nothing_one_passes_and_the_pass_lifts_ko() -> None:
    game = rules()
    position, _ = play(game, game.parse_position(SPOILT), "a1~a2")
    assert tokens(game, position) == {"pass"}
    position, events = play(game, position, "pass")
    assert events == [{"type": "pass"}]
    assert tokens(game, position) == {"a1~a2"}
    assert game.to_move(position) == 1


def test_where_nothing_can_be_done_one_passes() -> None:
    game = rules()
    position = game.parse_position("R.B./.Y.R/B.Y./.R.B")
    assert game.legal(position) == (PASS,)
    after, _ = play(game, position, "pass")
    assert game.legal(after) == (PASS,)
    assert game.outcome(after) is None


def test_reaching_the_target_wins_at_once() -> None:
    game = rules(target="2")
    position, events = play(game, game.initial(), "Ra1 Bb1", "Ra2 Bb2", "Ra3 Bb3")
    assert game.outcome(position) == Outcome(1, "target")
    assert [event["type"] for event in events] == ["place", "place", "line", "line", "win"]
    assert events[-1] == {"type": "win", "player": 1, "reason": "target"}
    assert game.to_move(position) == 2
    assert game.legal(position) == ()
    with pytest.raises(IllegalMoveError, match="over"):
        play(game, position, "Ra4 Bb4")


def test_more_than_the_target_wins_too() -> None:
    game = rules(target="1")
    position, _ = play(game, game.parse_position("..../RB../RB../...."), "Ra1 Bb1")
    assert game.scores(position) == (2, 0)
    assert game.outcome(position) == Outcome(1, "target")


@pytest.mark.parametrize(
    ("players", "plies", "moves", "outcome"),
    [
        pytest.param(2, 3, ["Ra1 Bb1", "Ra2 Yb2"], None, id="not before the limit"),
        pytest.param(2, 3, ["Ra1 Bb1", "Ra2 Yb2", "Ra3 Yb3"], Outcome(1, "ply-limit"), id="the highest score wins"),
        pytest.param(2, 2, ["Ra1 Bb1", "Ra2 Yb2"], Outcome(None, "ply-limit"), id="level scores draw"),
        pytest.param(3, 3, ["Ra1 Bb1", "Ra2 Yb2", "Ra3 Yb3"], Outcome(3, "ply-limit"), id="three players"),
        pytest.param(1, 1, ["Ra1 Bb1"], Outcome(1, "ply-limit"), id="alone one always wins"),
    ],
)
def test_the_ply_limit(players: int, plies: int, moves: list[str], outcome: Outcome | None) -> None:
    game = rules(players, max_plies=str(plies))
    position, events = play(game, game.initial(), *moves)
    assert game.outcome(position) == outcome
    assert (game.legal(position) == ()) == (outcome is not None)
    if outcome is not None:
        ending = {"type": "win", "player": outcome.winner} if outcome.winner else {"type": "draw"}
        assert events[-1] == {**ending, "reason": "ply-limit"}


def test_a_draw_needs_a_tie_at_the_top_only() -> None:
    game = rules(players=3, max_plies="1")
    at_top, _ = play(game, game.parse_position(SPOILT, scores=(2, 2, 1)), "a1~a2")
    assert game.outcome(at_top) == Outcome(None, "ply-limit")
    below, _ = play(game, game.parse_position(SPOILT, scores=(1, 2, 1)), "a1~a2")
    assert game.outcome(below) == Outcome(2, "ply-limit")


def test_the_target_on_the_last_ply_wins_by_the_target() -> None:
    game = rules(target="1", max_plies="3")
    position, events = play(game, game.initial(), "Ra1 Bb1", "Ra2 Yb2", "Ra3 Yb3")
    assert game.outcome(position) == Outcome(1, "target")
    assert events[-1]["reason"] == "target"


def test_a_pass_counts_towards_the_limit() -> None:
    game = rules(max_plies="2")
    position, _ = play(game, game.parse_position(SPOILT), "a1~a2", "pass")
    assert game.outcome(position) == Outcome(None, "ply-limit")


def test_one_player_plays_alone() -> None:
    game = rules(players=1, target="2")
    position, _ = play(game, game.initial(), "Ra1 Bb1", "Ra2 Bb2", "Ra3 Bb3")
    assert game.scores(position) == (2,)
    assert game.outcome(position) == Outcome(1, "target")


@pytest.mark.parametrize(
    ("board", "move", "why"),
    [
        ("..../..../..../R...", "Ra1 Bb1", "a1 is taken by a red stone"),
        ("..../..../..../.Y..", "Ra1 Bb1", "b1 is taken by a yellow stone"),
        ("..../..../..../....", "Ra1 Bc1", "a1 and c1 do not share a side"),
        ("..../..../..../....", "Ra1 Bb2", "a1 and b2 do not share a side"),
        ("..../..../..../....", "Ra4 Bb1", "a4 and b1 do not share a side"),
        ("RRRR/R.../..../....", "Ba1 Rb1", "no red stone is left"),
        ("YYYY/YY../..../....", "Ba1 Yb1", "no yellow stone is left"),
        ("..../..../..../R...", "a1~b1", "b1 is empty"),
        ("..../..../..../....", "a1~b1", "a1 is empty"),
        ("..../..../..../RR..", "a1~b1", "a1 and b1 both hold red"),
        ("..../..../.B../R...", "a1~b2", "a1 and b2 do not share a side"),
        ("..../..../..../RB..", "pass", "who can place or swap may not pass"),
        (FULL, "pass", "who can place or swap may not pass"),
    ],
)
def test_an_illegal_move_is_refused_with_the_rule(board: str, move: str, why: str) -> None:
    game = rules()
    with pytest.raises(IllegalMoveError, match=why):
        play(game, game.parse_position(board), move)


@pytest.mark.parametrize(
    ("move", "why"),
    [
        (Placement((1, 1), (0, 2)), "named out of order; the lesser cell comes first"),
        (Placement((0, 1), (1, 1)), "two different colours"),
        (Placement((0, 1), (1, 4)), "two different colours"),
        (Placement((0, 0), (1, 1)), "two different colours"),
        (Placement((15, 1), (16, 2)), "not both on the board"),
        (Swap(-1, 0), "not both on the board"),
        (Swap(1, 0), "named out of order; the lesser cell comes first"),
    ],
)
def test_a_move_that_no_token_names_is_refused_too(move: Placement | Swap, why: str) -> None:
    game = rules()
    with pytest.raises(IllegalMoveError, match=why):
        game.apply(game.initial(), move)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is no move"),
        ("a1", "is no move"),
        ("Ra1", "is no move"),
        ("Ra1 Bb1 Yc1", "is no move"),
        ("a1~b1~c1", "is no move"),
        ("PASS", "is no move"),
        ("Bb1 Ra1", "write 'Ra1 Bb1'"),
        ("Rb1 Ba2", "write 'Ba2 Rb1'"),
        ("b1~a1", "write 'a1~b1'"),
        ("a1~a1", "names a1 twice"),
        ("Ra1 Ba1", "names a1 twice"),
        ("Ra1 Rb1", "different colours"),
        ("Ga1 Bb1", "'Ga1' does not begin with R, B or Y"),
        ("ra1 bb1", "'ra1' does not begin with R, B or Y"),
        ("Ra5 Bb1", "'a5' is no cell"),
        ("Ra1 Be1", "'e1' is no cell"),
        ("R B", "'' is no cell"),
        ("a0~a1", "'a0' is no cell"),
        ("~", "'' is no cell"),
        ("Ra1 B\u0661", "is no cell"),
    ],
)
def test_a_text_that_is_no_token_is_refused(text: str, why: str) -> None:
    with pytest.raises(NotationError, match=why):
        rules().parse_move(text)


@pytest.mark.parametrize(
    ("text", "arguments", "why"),
    [
        ("", {}, "four ranks of four"),
        ("..../..../....", {}, "four ranks of four"),
        ("..../..../..../.....", {}, "four ranks of four"),
        ("..../..../..../G...", {}, "'G' on a1"),
        ("..../...r/..../....", {}, "'r' on d3"),
        ("RRRR/RR../..../....", {}, "holds 6 stones R; there are 5"),
        ("BBBB/BB../..../....", {}, "holds 6 stones B; there are 5"),
        ("YYYY/YYY./..../....", {}, "holds 7 stones Y; there are 6"),
        (FULL, {"to_move": 3}, "player 3 cannot be on turn"),
        (FULL, {"to_move": 0}, "player 0 cannot be on turn"),
        (FULL, {"scores": (1,)}, "one number"),
        (FULL, {"scores": (1, -1)}, "one number"),
        (FULL, {"scores": (10, 11)}, "only one can have 10"),
    ],
)
def test_a_text_that_is_no_position_is_refused(text: str, arguments: dict[str, Any], why: str) -> None:
    with pytest.raises(NotationError, match=why):
        rules().parse_position(text, **arguments)


@pytest.mark.parametrize(
    ("players", "settings", "why"),
    [
        (0, {}, "1 or more players"),
        (-2, {}, "1 or more players"),
        (2, {"target": "0"}, "'target'.*1 or more"),
        (2, {"target": "ten"}, "'target'"),
        (2, {"target": "-1"}, "'target'"),
        (2, {"ko": "sometimes"}, "'ko'.*after-placement"),
        (2, {"max_plies": "0"}, "'max_plies'"),
        (2, {"first": "3"}, "'first'.*1 to 2"),
        (2, {"first": "0"}, "'first'"),
        (2, {"taget": "3"}, "did you mean 'target'"),
    ],
)
def test_a_bad_option_is_refused(players: int, settings: dict[str, str], why: str) -> None:
    with pytest.raises(OptionError, match=why):
        GAME.rules(players, settings)


def test_settings_are_those_that_differ_written_plainly_in_the_games_order() -> None:
    game = GAME.rules(2, {"first": "02", "target": "010", "max_plies": "none", "ko": "never"})
    assert list(game.settings.items()) == [("ko", "never"), ("first", "2")]
    assert GAME.rules().settings == {}
    assert GAME.rules().players == 2


def test_footprints() -> None:
    game = rules()
    start = game.initial()
    placed = game.footprint(start, game.parse_move("Ra1 Yb1"))
    assert (placed.lifts, placed.after, placed.aftermath) == (frozenset(), {0: 1, 4: 3}, {})
    position = game.parse_position("..../..../..../RY..")
    swapped = game.footprint(position, game.parse_move("a1~b1"))
    assert (swapped.lifts, swapped.after) == (frozenset({0, 4}), {0: 3, 4: 1})
    passed = game.footprint(position, PASS)
    assert (passed.lifts, passed.after) == (frozenset(), {})


def test_spots() -> None:
    game = rules()
    assert [game.spot(cell.name) for cell in game.cells] == [(index,) for index in range(16)]
    with pytest.raises(NotationError, match="'e5' is no cell"):
        game.spot("e5")


def test_the_rules_text_names_every_option() -> None:
    assert GAME.rules_text.startswith("# Bamogo")
    for option in GAME.options:
        assert f"`{option.key}`" in GAME.rules_text
