"""Counting ways to play."""

import pytest

from controller.games import perft as counting
from controller.games.bamogo import GAME
from controller.games.perft import divide, perft
from controller.games.seam import AnyRules


def plain_count(rules: AnyRules, position: object, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(plain_count(rules, rules.apply(position, move)[0], depth - 1) for move in rules.legal(position))


@pytest.mark.parametrize(("depth", "count"), [(0, 1), (1, 144), (2, 16272), (3, 1407120)])
def test_bamogo(depth: int, count: int) -> None:
    assert perft(GAME.rules(), depth) == count


def test_rounds_that_end_earlier_do_not_count() -> None:
    rules = GAME.rules(2, {"max_plies": "1"})
    assert [perft(rules, depth) for depth in (0, 1, 2, 3)] == [1, 144, 0, 0]


def test_a_move_that_wins_is_counted_but_nothing_follows_it() -> None:
    rules = GAME.rules(2, {"target": "1"})
    position = rules.parse_position("..../..../RB../RB..")
    reached = [rules.apply(position, move)[0] for move in rules.legal(position)]
    open_still = [after for after in reached if rules.outcome(after) is None]
    assert 0 < len(open_still) < len(reached)
    assert perft(rules, 1, position) == len(reached)
    assert perft(rules, 2, position) == sum(len(rules.legal(after)) for after in open_still)


@pytest.mark.parametrize("board", ["RYBY/YYBB/YBYR/RBRR", ".B.B/R.B./YR.R/R.R.", "R.../.BYR/RYB./Y.RB"])
def test_it_counts_what_playing_every_sequence_counts(board: str) -> None:
    rules = GAME.rules(2, {"target": "3"})
    position = rules.parse_position(board)
    assert perft(rules, 3, position) == plain_count(rules, position, 3)


def test_it_counts_the_same_when_it_can_remember_little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "REMEMBERED", 3)
    rules = GAME.rules()
    position = rules.parse_position("RYBY/YYBB/YBYR/RBRR")
    assert perft(rules, 4, position) == plain_count(rules, position, 4)


def test_divide_lists_the_first_moves_sorted_and_sums_to_the_count() -> None:
    rules = GAME.rules()
    counts = divide(rules, 2)
    assert [token for token, _ in counts] == sorted(rules.move_text(move) for move in rules.legal(rules.initial()))
    assert sum(count for _, count in counts) == 16272
    assert dict(counts)["Ra1 Bb1"] == len(rules.legal(rules.apply(rules.initial(), rules.parse_move("Ra1 Bb1"))[0]))


def test_divide_of_one_ply_counts_each_move_once_and_of_none_is_empty() -> None:
    assert {count for _, count in divide(GAME.rules(), 1)} == {1}
    assert divide(GAME.rules(), 0) == []


@pytest.mark.parametrize("count", [perft, divide])
def test_a_negative_depth_is_refused(count: object) -> None:
    with pytest.raises(ValueError, match="0 or more"):
        count(GAME.rules(), -1)  # type: ignore[operator]
