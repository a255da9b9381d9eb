"""Exago rule by rule. Numbers such as (2.1) are paragraphs of its rules page.

Boards have radius 3 unless said otherwise. Their cells, far row on top as player 1 sees them::

          g1 g2 g3 g4
        f1 f2 f3 f4 f5
      e1 e2 e3 e4 e5 e6
    d1 d2 d3 d4 d5 d6 d7
      c2 c3 c4 c5 c6 c7
        b3 b4 b5 b6 b7
          a4 a5 a6 a7
"""

from itertools import combinations
from math import dist, isclose
from typing import Any

import pytest

from controller.games.exago import GAME, ExagoRules
from controller.games.exago_board import Board
from controller.games.exago_play import PASS, Move, Position
from controller.games.seam import Event, IllegalMoveError, NotationError, OptionError, Outcome, load_game


def rules(players: int = 2, /, **settings: str) -> ExagoRules:
    return GAME.rules(players, {"radius": "3", **settings})


def tokens(game: ExagoRules, position: Position) -> set[str]:
    return set(map(game.move_text, game.legal(position)))


def play(game: ExagoRules, position: Position, *moves: str) -> tuple[Position, list[dict[str, Any]]]:
    """Return where the moves lead, and the events of the last one."""
    events: tuple[Event, ...] = ()
    for move in moves:
        position, events = game.apply(position, game.parse_move(move))
    return position, [event.as_json() for event in events]


# -- The board (1) ----------------------------------------------------------------------------------------------------


def test_the_board_has_91_cells_and_start_is_in_the_middle() -> None:
    game = GAME.rules()
    names = [place.name for place in game.cells]
    assert len(names) == 91
    assert (names[0], names[45], names[-1]) == ("a6", "f6", "k6")
    assert game.parse_move("f9") < game.parse_move("f10")
    assert tokens(game, game.initial()) == {"f6"}


@pytest.mark.parametrize(("radius", "cells", "start"), [(2, 19, "c3"), (3, 37, "d4"), (4, 61, "e5"), (7, 169, "h8")])
def test_other_sizes(radius: int, cells: int, start: str) -> None:
    game = GAME.rules(settings={"radius": str(radius)})
    assert len(game.cells) == cells
    assert tokens(game, game.initial()) == {start}
    (middle,) = game.spot(start)
    assert (game.cells[middle].x, game.cells[middle].y) == (0, 0)


def test_cells_are_sorted_by_row_then_number() -> None:
    names = [place.name for place in rules().cells]
    rows = {"a": (4, 7), "b": (3, 7), "c": (2, 7), "d": (1, 7), "e": (1, 6), "f": (1, 5), "g": (1, 4)}
    assert names == [f"{row}{number}" for row, (low, high) in rows.items() for number in range(low, high + 1)]


def test_cells_that_touch_are_drawn_one_pitch_apart_and_rows_grow_away() -> None:
    game, board = rules(), Board.of(3)
    for one, other in combinations(range(len(game.cells)), 2):
        apart = dist(game.cells[one][1:], game.cells[other][1:])
        assert isclose(apart, 1) == bool(board.near[one] & board.bits[other])
        assert apart > 0.99
    heights = [place.y for place in game.cells]
    assert heights == sorted(heights)
    (e3,), (d3,) = game.spot("e3"), game.spot("d3")
    assert isclose(game.cells[e3].x - game.cells[d3].x, 0.5)


@pytest.mark.parametrize(("players", "pieces", "need"), [(2, 12, 5), (3, 6, 4), (4, 6, 4), (5, 6, 4), (6, 6, 4)])
def test_pieces_and_rows_by_players(players: int, pieces: int, need: int) -> None:
    """Player 1 lays a row to the right from Start, the others above it; the row wins when it is long enough."""
    game = GAME.rules(players, {"left_block": "off"})
    position = game.initial()
    assert game.hands(position) == {str(player): pieces for player in range(1, players + 1)}
    assert game.supply(position) == game.hands(position)
    for turn in range(need):
        assert game.outcome(position) is None
        position, _ = play(game, position, f"f{6 + turn}")
        for _ in range(players - 1):
            if game.outcome(position) is None:
                position, _ = play(game, position, free(game, position))
    assert game.outcome(position) == Outcome(1, "line")


def free(game: ExagoRules, position: Position) -> str:
    """Return a placement away from row f that makes no row."""
    for move in reversed(game.legal(position)):
        token = game.move_text(move)
        if token[0] != "f" and game.outcome(game.apply(position, move)[0]) is None:
            return token
    raise AssertionError("no such placement")


def test_a_handicap_takes_pieces_away() -> None:
    game = rules(4, handicap="1,0,2")
    assert game.hands(game.initial()) == {"1": 5, "2": 6, "3": 4, "4": 6}


def test_another_player_may_begin() -> None:
    game = rules(3, first="3")
    assert game.to_move(game.initial()) == 3
    position, events = play(game, game.initial(), "d4")
    assert events == [{"type": "place", "cell": "d4", "colour": "Y"}]
    assert game.to_move(position) == 1


# -- A turn (2) -------------------------------------------------------------------------------------------------------


def test_a_piece_touches_a_piece() -> None:
    game = rules()
    position, events = play(game, game.initial(), "d4")
    assert events == [{"type": "place", "cell": "d4", "colour": "R"}]
    assert tokens(game, position) == {"d3", "d5", "c4", "c5", "e3", "e4"}
    assert game.hands(position) == {"1": 11, "2": 12}
    assert game.position_text(position) == "d4:R"


def test_with_an_empty_hand_a_piece_is_moved_to_another_place_that_touches() -> None:
    """d4:R d5:B, one piece each. Taken out, R may touch only d5, and not where it lay (2.3)."""
    game = rules(pieces="1")
    position = game.parse_position("d4:R,d5:B")
    assert tokens(game, position) == {"d4-d6", "d4-c5", "d4-c6", "d4-e4", "d4-e5"}
    position, events = play(game, position, "d4-e5")
    assert events == [{"type": "move", "from": "d4", "to": "e5"}]
    assert game.position_text(position) == "d5:B,e5:R"


def test_free_moves_let_a_player_move_before_the_hand_is_empty() -> None:
    game = rules(pieces="2", free_moves="yes")
    position = game.parse_position("d4:R,d5:B")
    assert {"d4-d6", "d3", "e4"} <= tokens(game, position)
    assert not any("-" in token for token in tokens(rules(pieces="2"), position))


def test_free_moves_wait_until_what_came_back_is_placed() -> None:
    """R takes d3 out and B's d2 is cut off. B places one piece, and may then move with one in hand (2.4)."""
    game = rules(pieces="3", free_moves="yes")
    position = game.parse_position("d2:B,d3:R,d4:R,d5:R,d6:B")
    position, events = play(game, position, "d3-e5")
    assert events[1:] == [{"type": "return", "owner": 2, "cells": ["d2"]}]
    assert game.hands(position) == {"1": 0, "2": 2}
    assert not any("-" in token for token in tokens(game, position))
    with pytest.raises(IllegalMoveError, match="pieces that came back must be placed before"):
        play(game, position, "d6-d3")
    position, _ = play(game, position, "d7", "d4-c7")
    assert game.hands(position) == {"1": 0, "2": 1}
    assert any("-" in token for token in tokens(game, position))
    assert "d3" not in tokens(game, position)


def test_who_can_do_nothing_passes_and_a_round_of_passes_draws() -> None:
    """R has the only piece on the board and none in hand; B has none at all."""
    game = rules(pieces="1", handicap="0,1")
    position, _ = play(game, game.initial(), "d4")
    assert game.legal(position) == [PASS]
    position, events = play(game, position, "pass")
    assert events == [{"type": "pass"}]
    assert game.outcome(position) is None
    assert game.legal(position) == [PASS]
    position, events = play(game, position, "pass")
    assert events == [{"type": "pass"}, {"type": "draw", "reason": "blocked"}]
    assert game.outcome(position) == Outcome(None, "blocked")
    assert game.legal(position) == ()
    assert game.to_move(position) == 2


def test_a_turn_between_passes_starts_their_count_anew() -> None:
    game = rules(pieces="1", handicap="1")
    position, _ = play(game, game.initial(), "pass")
    assert tokens(game, position) == {"d4"}
    position, _ = play(game, position, "d4", "pass")
    assert game.outcome(position) is None
    assert game.outcome(play(game, position, "pass")[0]) == Outcome(None, "blocked")


# -- Separation (3) ---------------------------------------------------------------------------------------------------

CHAIN = "d2:B,d3:R,d4:B,d5:R"


def test_the_smaller_group_goes_back() -> None:
    """d2 B, d3 R, d4 B, d5 R: R takes d3 to e3, above d4, and d2 is alone."""
    game = rules(pieces="2")
    position, events = play(game, game.parse_position(CHAIN), "d3-e3")
    assert events == [
        {"type": "move", "from": "d3", "to": "e3"},
        {"type": "return", "owner": 2, "cells": ["d2"]},
    ]
    assert game.position_text(position) == "d4:B,d5:R,e3:R"
    assert game.hands(position) == {"1": 0, "2": 1}
    assert not any("-" in token for token in tokens(game, position))  # placed before anything moves (3.3)


@pytest.mark.parametrize(
    ("token", "returns", "left"),
    [
        ("d3-e1:d2", [(1, ["d5"]), (2, ["d4"])], "d2:B,e1:R"),
        ("d3-e1:d4", [(1, ["e1"]), (2, ["d2"])], "d4:B,d5:R"),  # the moved piece goes back too
    ],
)
def test_where_groups_tie_the_mover_chooses(token: str, returns: list[tuple[int, list[str]]], left: str) -> None:
    """R takes d3 to e1, which touches d2: two and two."""
    game = rules(pieces="2")
    start = game.parse_position(CHAIN)
    assert {text for text in tokens(game, start) if text.startswith("d3-e1")} == {"d3-e1:d2", "d3-e1:d4"}
    position, events = play(game, start, token)
    assert events[1:] == [{"type": "return", "owner": owner, "cells": cells} for owner, cells in returns]
    assert game.position_text(position) == left
    move = game.parse_move(token)
    gone = sorted(game.parse_move(cell).target or 0 for _, cells in returns for cell in cells)
    mark = game.footprint(start, move)
    assert mark.lifts == {move.origin}
    assert mark.after == {move.origin: 0, move.target: 1}
    assert mark.aftermath == dict.fromkeys(gone, 0)
    assert game.tie_groups(start, move)[move] == tuple(gone)


def test_groups_that_the_moved_piece_does_not_join_may_tie() -> None:
    """d4 R holds three arms together: d1 d2 d3, e4 f4 g4 and c5. Joining c5 makes two, less than three and three."""
    game = rules(free_moves="yes")
    start = game.parse_position("d4:R,d1:B,d2:B,d3:B,e4:B,f4:B,g4:B,c5:B")
    assert {text for text in tokens(game, start) if text.startswith("d4-b5")} == {"d4-b5:d1", "d4-b5:e4"}
    position, events = play(game, start, "d4-b5:e4")
    assert events[1:] == [
        {"type": "return", "owner": 1, "cells": ["b5"]},
        {"type": "return", "owner": 2, "cells": ["c5", "d1", "d2", "d3"]},
    ]
    assert game.position_text(position) == "e4:B,f4:B,g4:B"


def test_tie_groups_lists_every_choice_and_is_empty_without_a_tie() -> None:
    game = rules(pieces="2")
    start = game.parse_position(CHAIN)
    choices = game.tie_groups(start, game.parse_move("d3-e1:d4"))
    assert [game.move_text(move) for move in choices] == ["d3-e1:d2", "d3-e1:d4"]
    assert game.tie_groups(start, game.parse_move("d3-e3")) == {}


JOINED = "d2:B,d3:R,e3:B"


def test_parting_and_joining_again_in_one_turn_loses_nothing() -> None:
    """d3 R lies between d2 and e3; e2 touches both as well (3.4)."""
    game = rules(pieces="2", handicap="1")
    position, events = play(game, game.parse_position(JOINED), "d3-e2")
    assert events == [{"type": "move", "from": "d3", "to": "e2"}]
    assert game.position_text(position) == "d2:B,e2:R,e3:B"


def test_always_dissolve_looks_as_soon_as_the_piece_is_out() -> None:
    """Without d3 the pieces d2 and e3 tie: the choice comes first, then the piece touches what stays (3.5)."""
    game = rules(pieces="2", handicap="1", always_dissolve="yes")
    start = game.parse_position(JOINED)
    assert {text for text in tokens(game, start) if "-e2" in text} == {"d3-e2:d2", "d3-e2:e3"}
    assert "d3-f3:d2" not in tokens(game, start)
    assert "d3-f3:e3" in tokens(game, start)
    position, events = play(game, start, "d3-e2:e3")
    assert events == [
        {"type": "move", "from": "d3", "to": "e2"},
        {"type": "return", "owner": 2, "cells": ["d2"]},
    ]
    assert game.position_text(position) == "e2:R,e3:B"


def test_always_dissolve_without_a_tie_keeps_the_larger_group() -> None:
    game = rules(pieces="2", always_dissolve="yes")
    start = game.parse_position(CHAIN)
    assert not any(":" in text for text in tokens(game, start))
    assert "d3-e1" not in tokens(game, start)  # it would touch only d2, which goes
    assert "d3-e3" in tokens(game, start)


# -- The end (5) ------------------------------------------------------------------------------------------------------

WINNING = "e1:R,d2:R,d3:R,d4:B,d5:B,e5:B"


def test_a_row_wins_before_groups_are_looked_at() -> None:
    """e1 d2 c3 is a row. Moving d3 to c3 leaves three and three, but the row was there first: no choice, no return."""
    game = rules(pieces="3", need="3")
    start = game.parse_position(WINNING)
    assert {text for text in tokens(game, start) if text.startswith("d3-c3")} == {"d3-c3"}
    position, events = play(game, start, "d3-c3")
    assert events == [
        {"type": "move", "from": "d3", "to": "c3"},
        {"type": "line", "cells": ["c3", "d2", "e1"]},
        {"type": "win", "player": 1, "reason": "line"},
    ]
    assert game.outcome(position) == Outcome(1, "line")
    assert game.legal(position) == ()
    assert game.to_move(position) == 2
    again = game.parse_position(game.position_text(position), to_move=2)  # in two pieces, and won
    assert game.outcome(again) == Outcome(1, "line")


def test_always_dissolve_makes_the_choice_on_a_winning_turn_too() -> None:
    game = rules(pieces="3", need="3", always_dissolve="yes")
    start = game.parse_position("e1:R,d2:R,d3:R,d4:B,d5:B")
    assert {text for text in tokens(game, start) if text.startswith("d3-c3")} == {"d3-c3:d2"}
    _, events = play(game, start, "d3-c3:d2")
    assert [event["type"] for event in events] == ["move", "return", "line", "win"]
    assert events[1] == {"type": "return", "owner": 2, "cells": ["d4", "d5"]}


@pytest.mark.parametrize(("dissolve", "wins"), [("no", True), ("yes", False)])
def test_pieces_that_always_dissolve_sent_home_make_no_row(dissolve: str, wins: bool) -> None:
    """R's e3 e4 hang on R's d3, which joins them to B's three. Moved to e2 it would make a row with them."""
    game = rules(pieces="3", need="3", always_dissolve=dissolve)
    position, events = play(game, game.parse_position("d1:B,d2:B,c2:B,d3:R,e3:R,e4:R"), "d3-e2")
    assert (game.outcome(position) == Outcome(1, "line")) is wins
    assert [event["type"] for event in events] == (["move", "line", "win"] if wins else ["move", "return"])


def test_every_row_is_shown_whole() -> None:
    """R fills d4: row d (four long, where three are needed) and the column of c4 and e4."""
    game = rules(need="3")
    start = game.parse_position("d2:R,d3:R,d5:R,c4:R,e4:R,c3:B,c5:B,e3:B,e5:B,b5:B")
    _, events = play(game, start, "d4")
    assert events == [
        {"type": "place", "cell": "d4", "colour": "R"},
        {"type": "line", "cells": ["c4", "d4", "e4"]},
        {"type": "line", "cells": ["d2", "d3", "d4", "d5"]},
        {"type": "win", "player": 1, "reason": "line"},
    ]


@pytest.mark.parametrize("row", ["d2 d3 d4", "c4 d4 e4", "c5 d4 e3"])
def test_rows_run_along_three_axes(row: str) -> None:
    game = rules(need="3")
    *placed, last = row.split()
    text = ",".join(f"{cell}:R" for cell in placed)
    assert game.outcome(play(game, game.parse_position(text), last)[0]) == Outcome(1, "line")


def test_no_row_runs_from_the_end_of_one_row_of_cells_to_the_next() -> None:
    """d7 and e1 follow each other in the list of cells, and do not touch."""
    game = rules(need="2")
    text = ",".join(f"d{number}:B" if number % 2 else f"d{number}:R" for number in range(2, 7)) + ",d7:B"
    position = rules(need="3").parse_position(text)
    assert game.outcome(play(rules(need="3"), position, "e1")[0]) is None


@pytest.mark.parametrize(("plies", "outcome"), [("1", Outcome(None, "ply-limit")), ("2", None)])
def test_the_ply_limit_draws(plies: str, outcome: Outcome | None) -> None:
    game = rules(max_plies=plies)
    position, events = play(game, game.initial(), "d4")
    assert game.outcome(position) == outcome
    assert (events[-1] == {"type": "draw", "reason": "ply-limit"}) is (outcome is not None)


def test_a_row_on_the_last_ply_wins() -> None:
    placed = rules(max_plies="1", need="3")
    assert game_ends(placed, "d3:R,d4:R", "d5") == Outcome(1, "line")
    moved = rules(max_plies="1", need="3", pieces="3")
    assert game_ends(moved, WINNING, "d3-c3") == Outcome(1, "line")
    assert game_ends(moved, WINNING, "d3-e3") == Outcome(None, "ply-limit")


def game_ends(game: ExagoRules, text: str, move: str) -> Outcome | None:
    return game.outcome(play(game, game.parse_position(text), move)[0])


def test_passes_count_towards_the_limit_and_blocked_goes_before_it() -> None:
    game = rules(pieces="1", handicap="0,1", max_plies="2")
    position, events = play(game, game.initial(), "d4", "pass")
    assert events[-1] == {"type": "draw", "reason": "ply-limit"}
    game = rules(pieces="1", handicap="0,1", max_plies="3")
    position, events = play(game, game.initial(), "d4", "pass", "pass")
    assert game.outcome(position) == Outcome(None, "blocked")


# -- The player to the left (4) ---------------------------------------------------------------------------------------

TWO_THREATS = "d3:R,d4:B,d5:B,e4:Y,e5:Y"


@pytest.mark.parametrize(
    ("text", "to_move", "duty", "only"),
    [
        (TWO_THREATS, 1, 2, {"d6"}),  # B would win at d6, Y at e3 or e6: B comes first after R
        (TWO_THREATS, 3, None, None),  # Y can win itself
        ("d3:R,d4:B,d5:B,e4:Y", 1, None, None),  # one threat alone obliges nobody
        ("d4:B,d5:B,e4:Y,e5:Y", 1, 2, None),  # B has two ends open: no move stops B, so all are legal
        ("d3:B,d4:R,d5:R,e4:Y,e5:Y,f5:B", 2, 3, None),  # Y's ends e3 and e6 are both open
        ("d3:B,d4:R,d5:R,e3:R,e4:Y,e5:Y", 2, 3, {"e6"}),  # Y comes first after B
    ],
)
def test_the_first_of_several_who_could_win_must_be_stopped(
    text: str, to_move: int, duty: int | None, only: set[str] | None
) -> None:
    game, off = rules(3, need="3"), rules(3, need="3", left_block="off")
    position = game.parse_position(text, to_move)
    assert game.duty(position) == duty
    assert tokens(game, position) == (only or tokens(off, position))
    assert off.duty(position) is None


def test_a_move_that_does_not_stop_the_player_to_the_left_is_refused() -> None:
    game = rules(3, need="3")
    position = game.parse_position(TWO_THREATS, 1)
    with pytest.raises(IllegalMoveError, match="after e3 player 2 could still win"):
        game.apply(position, game.parse_move("e3"))
    assert play(game, position, "d6")[1] == [{"type": "place", "cell": "d6", "colour": "R"}]


def test_a_player_with_an_empty_hand_needs_a_piece_outside_the_row_to_win() -> None:
    """B has just the two pieces of the pair and none in hand: B could not win, and Y alone obliges nobody."""
    game = rules(3, need="3", pieces="3", handicap="0,1")
    position = game.parse_position(TWO_THREATS, 1)
    assert game.hands(position)["2"] == 0
    assert game.duty(position) is None


# -- Illegal moves ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "text", "move", "why"),
    [
        ({}, "", "d5", "the first piece goes on d4"),
        ({}, "d4:R", "d4", "d4 is taken"),
        ({}, "d4:R", "a4", "a4 touches no piece"),
        ({}, "d4:R", "pass", "passing is for a player who can neither place nor move"),
        ({}, "d4:R", "d4-d5", "a piece in hand must be placed before"),
        ({"pieces": "1"}, "d4:R,d5:B", "c4", "there is no piece in hand"),
        ({"pieces": "1"}, "d4:R,d5:B", "d5-d6", "d5 holds no piece of player 1"),
        ({"pieces": "1"}, "d4:R,d5:B", "d6-c6", "d6 holds no piece of player 1"),
        ({"pieces": "1"}, "d4:R,d5:B", "d4-d4", "d4 is taken"),
        ({"pieces": "1"}, "d4:R,d5:B", "d4-d3", "d3 touches nothing that stays once d4 is taken out"),
        ({"pieces": "2"}, CHAIN, "d3-e1", "groups tie for largest; say which one stays: d3-e1:d2 or d3-e1:d4"),
        ({"pieces": "2"}, CHAIN, "d3-e1:d5", "d5 is not the least cell of a group that may stay"),
        ({"pieces": "2"}, CHAIN, "d3-e3:d4", "d4 is not the least cell of a group that may stay; write d3-e3$"),
        ({"need": "2"}, "d4:R,d5:R", "d6", r"the round is over \(line\)"),
    ],
)
def test_an_illegal_move_is_refused_with_the_rule(settings: dict[str, str], text: str, move: str, why: str) -> None:
    game = rules(**settings)
    position = game.parse_position(text)
    with pytest.raises(IllegalMoveError, match=why):
        game.apply(position, game.parse_move(move))


@pytest.mark.parametrize("move", [Move(-1), Move(37), Move(400, 2), Move(0, 99), Move(0, 18, 99)])
def test_a_move_off_the_board_is_refused(move: Move) -> None:
    game = rules()
    position, _ = play(game, game.initial(), "d4", "d5")
    with pytest.raises(IllegalMoveError, match="names a cell that is not on the board"):
        game.apply(position, move)


def test_a_placement_that_names_a_group_is_refused() -> None:
    game = rules()
    with pytest.raises(IllegalMoveError):
        game.apply(game.initial(), Move(18, None, 18))


# -- Text -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["d4", "a7", "d4-d5", "d4-d5:c4", "pass"])
def test_tokens_round_trip(text: str) -> None:
    assert rules().move_text(rules().parse_move(text)) == text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is no move"),
        ("D4", "is no move"),
        ("d04", "is no move"),
        ("d4:d4", "is no move"),
        ("d4-", "is no move"),
        ("d4-d5:", "is no move"),
        ("d4-d5-d6", "is no move"),
        ("d4 d5", "is no move"),
        ("Pass", "is no move"),
        ("d8", "there is no cell 'd8'; this board has a4 to g4"),
        ("d4-a1", "'d4-a1': there is no cell 'a1'"),
        ("d4-d5:h1", "there is no cell 'h1'"),
    ],
)
def test_a_text_that_is_no_token_is_refused(text: str, why: str) -> None:
    with pytest.raises(NotationError, match=why):
        rules().parse_move(text)


def test_spots_are_cells() -> None:
    game = rules()
    assert [game.spot(place.name) for place in game.cells] == [(cell,) for cell in range(37)]
    with pytest.raises(NotationError, match="there is no cell 'd8'"):
        game.spot("d8")


@pytest.mark.parametrize(
    ("text", "arguments", "why"),
    [
        ("d4", {}, "'d4' is no piece on a cell; write the cell and the colour, as in f6:R"),
        ("d4:R,", {}, "'' is no piece on a cell"),
        ("d4:R:B", {}, "is no piece on a cell"),
        ("d9:R", {}, "there is no cell 'd9'"),
        ("d4:Y", {}, "'Y' is no colour in this game; it has R, B"),
        ("d4:", {}, "'' is no colour"),
        ("d4:R,d4:B", {}, "d4 is named twice"),
        ("d3:R,d4:R,d5:R", {}, "3 pieces of R are more than the 2 that there are"),
        ("d3:R,d5:B", {}, "the pieces fall into 2 groups; all must hang together, and d5 does not"),
        ("d4:R", {"to_move": 0}, "player 0 cannot be on turn"),
        ("d4:R", {"to_move": 3}, "player 3 cannot be on turn; the players are 1 to 2"),
        ("d4:R", {"scores": (1,)}, "write 2 numbers"),
        ("d4:R", {"scores": (1, -1)}, "each 0 or more"),
    ],
)
def test_a_text_that_is_no_position_is_refused(text: str, arguments: dict[str, Any], why: str) -> None:
    with pytest.raises(NotationError, match=why):
        rules(pieces="2").parse_position(text, **arguments)


def test_a_position_is_read_in_any_order_with_rounds_won() -> None:
    game = rules()
    position = game.parse_position("d5:B,d4:R", 2, (3, 1))
    assert game.position_text(position) == "d4:R,d5:B"
    assert (game.to_move(position), game.scores(position)) == (2, (3, 1))
    position, _ = play(game, position, "d6")
    assert game.scores(position) == (3, 1)
    assert game.scores(game.initial()) == (0, 0)
    assert game.parse_position("") == game.initial()


def test_of_several_rows_the_last_movers_counts() -> None:
    game = rules(need="2")
    text = "d4:R,d5:R,e4:B,e5:B"
    assert game.outcome(game.parse_position(text, 1)) == Outcome(2, "line")
    assert game.outcome(game.parse_position(text, 2)) == Outcome(1, "line")


# -- Options ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "given", "why"),
    [
        (2, {"radius": "1"}, "'radius': '1' .* 2 to 7"),
        (2, {"radius": "8"}, "'radius': '8'"),
        (2, {"pieces": "0"}, "'pieces': '0' .* 1 or more"),
        (2, {"need": "1"}, "'need': '1' .* 2 or more"),
        (2, {"need": "x"}, "'need': 'x'"),
        (2, {"handicap": "1,1,1"}, "'handicap': '1,1,1'"),
        (2, {"handicap": "3"}, "'handicap': '3' .* 0, 1 or 2"),
        (2, {"handicap": ""}, "'handicap': ''"),
        (2, {"handicap": "1,,"}, "'handicap'"),
        (2, {"handicap": "2", "pieces": "1"}, "no more than the player has"),
        (2, {"first": "3"}, "'first': '3'"),
        (3, {"first": "0"}, "'first': '0'"),
        (2, {"free_moves": "true"}, "'free_moves': 'true' .* yes or no"),
        (2, {"always_dissolve": ""}, "'always_dissolve'"),
        (3, {"left_block": "no"}, "'left_block': 'no' .* enforce or off"),
        (2, {"max_plies": "0"}, "'max_plies': '0' .* 1 or more"),
        (2, {"peices": "3"}, "did you mean 'pieces'"),
    ],
)
def test_a_bad_option_is_refused(players: int, given: dict[str, str], why: str) -> None:
    with pytest.raises(OptionError, match=why):
        GAME.rules(players, given)


@pytest.mark.parametrize("players", [0, 1, 7])
def test_two_to_six_play(players: int) -> None:
    with pytest.raises(OptionError, match=f"for 2 to 6 players, not {players}"):
        GAME.rules(players)


def test_settings_are_those_that_differ_written_in_one_way() -> None:
    spelled = {option.key: option.default for option in GAME.options}
    for players in range(2, 7):
        assert GAME.rules(players, spelled).settings == {}
        assert GAME.rules(players, spelled).initial() == GAME.rules(players).initial()
    assert GAME.rules(2, {"pieces": "12", "need": "5", "radius": "05", "handicap": "0,0"}).settings == {}
    assert GAME.rules(3, {"pieces": "12", "need": "5"}).settings == {"pieces": "12", "need": "5"}
    given = {"max_plies": "9", "left_block": "off", "handicap": "0,2,0", "free_moves": "yes", "always_dissolve": "yes"}
    assert list(GAME.rules(4, given).settings.items()) == [
        ("handicap", "0,2"),
        ("free_moves", "yes"),
        ("always_dissolve", "yes"),
        ("left_block", "off"),
        ("max_plies", "9"),
    ]


def test_a_row_longer_than_the_board_is_never_made() -> None:
    game = GAME.rules(3, {"radius": "2", "need": "999999999", "pieces": "19"})
    position = game.initial()
    while game.outcome(position) is None:
        position, _ = game.apply(position, game.legal(position)[-1])
        if sum(map(bool, game.contents(position))) == 19:
            break
    assert game.legal(position) == [PASS]


def test_the_game_plugs_in_under_its_name() -> None:
    game = load_game("exago")
    assert (game.name, game.seats, game.default_players, game.sensing) == ("exago", (2, 6), 2, "presence")
    facts = GAME.rules(3)
    assert (facts.name, facts.players, facts.surface) == ("exago", 3, "hexagon")
    assert facts.stones == ("", "R", "B", "Y", "G", "P", "O")
    for option in game.options:
        assert f"{option.key}=" in game.rules_text, option.key
