"""Why what hands have done is no move, in the words of each game."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.games.seam import AnyRules, Content, Explainer, game_names, load_game

UNKNOWN: Content | None = None


def why(rules: AnyRules, position: Any, seen: dict[str, Content | None]) -> str:
    assert isinstance(rules, Explainer)
    return rules.why_not(position, {rules.spot(name)[0]: content for name, content in seen.items()})


@pytest.mark.parametrize(
    ("game", "position", "seen", "said"),
    [
        ("bamogo", "", {"a1": 1, "b1": 1}, "both stones are red, and a turn places two colours"),
        ("bamogo", "", {"a1": UNKNOWN, "c1": UNKNOWN}, "a1 and c1 do not share a side"),
        ("bamogo", "", {"a1": 1, "b1": 2, "c1": 3}, "a turn puts down two stones, not 3"),
        ("bamogo", "YYY./YYY./..../....", {"d1": 3, "d2": 1}, "no yellow stone is left"),
        ("bamogo", "YYY./YYY./..../....", {"d1": 3}, "no yellow stone is left"),
        (
            "bamogo",
            "..../..../..../RB..",
            {"a1": 0, "c1": 1},
            "a stone on the board stays there, or changes places with",
        ),
        ("bamogo", "..../..../..../RBY.", {"a1": 3, "c1": 1}, "a1 and c1 do not share a side"),
        ("bamogo", "..../..../..../RR..", {"a1": 2}, ""),
        ("exago", "", {"a6": UNKNOWN}, "the first piece goes on f6"),
        ("exago", "f6:R,f7:B", {"f8": 2}, "the piece on f8 is not player 1's, who is on turn"),
        ("exago", "f6:R,f7:B", {"a8": 1}, "a8 touches no piece"),
        ("exago", "f6:R,f7:B", {"f8": 1, "e8": 1}, "a turn puts down one piece, not 2"),
        ("exago", "f6:R,f7:B", {"f6": 0, "f8": 1}, "a piece in hand must be placed before a piece on the board may be"),
        ("bambam-booboo", "He8:1,Vg8:2", {"a1": UNKNOWN, "b1": UNKNOWN}, "at Ha1 the stone would share no side with"),
        (
            "bambam-booboo",
            "He8:1,Vg8:2",
            {"e8": 0, "f8": 0, "a1": 1, "a2": 1},
            "player 1 still holds 19 in hand; those",
        ),
        ("bambam-booboo", "He8:1,Vg8:2", {"a1": 1, "b1": 1, "c1": 1, "d1": 1}, "a turn slides in one stone, of two"),
        ("bambam-booboo", "He8:1,Vg8:2", {"a1": UNKNOWN, "c1": UNKNOWN}, ""),
        ("bao-kigogo", "", {"a1": 0}, "a1 is no pit of South (ranks c and d), who is on turn"),
        ("bao-kigogo", "", {"c5": 0, "c6": 3}, ""),
    ],
)
def test_a_reason_in_plain_words(game: str, position: str, seen: dict[str, Content | None], said: str) -> None:
    rules = load_game(game).rules(None, {})
    start = rules.parse_position(position) if position else rules.initial()
    assert why(rules, start, seen).startswith(said)
    assert bool(why(rules, start, seen)) is bool(said)


def test_ko_is_named_where_two_stones_change_back() -> None:
    rules = load_game("bamogo").rules(None, {"ko": "always"})
    position = rules.parse_position("..../..../..../RB..")
    position, _ = rules.apply(position, rules.parse_move("a1~b1"))
    assert why(rules, position, {"a1": 1, "b1": 2}).startswith("ko: the turn before was a1~b1")


def test_a_pit_with_one_seed_says_when_it_may_move() -> None:
    rules = load_game("bao-kigogo").rules(None, {"columns": "4"})
    position = rules.parse_position("2,0,0,0/0,0,0,0/0,0,0,0/2,0,1,1")
    assert why(rules, position, {"d3": 0}).startswith("d3 holds a single seed, which may move only when")


@pytest.mark.parametrize("game", game_names())
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_whatever_lies_there_has_a_clause_or_none_and_no_rule_s_number(game: str, data: st.DataObject) -> None:
    rules = load_game(game).rules(None, {})
    assert isinstance(rules, Explainer)
    position = rules.initial()
    for _ in range(data.draw(st.integers(0, 5))):
        position, _events = rules.apply(position, data.draw(st.sampled_from(rules.legal(position))))
    contents = rules.contents(position)
    cells = data.draw(st.lists(st.integers(0, len(contents) - 1), min_size=1, max_size=4, unique=True))
    kinds = [UNKNOWN, *range(len(rules.stones) or 4)]
    drawn = {cell: data.draw(st.sampled_from(kinds)) for cell in cells}
    seen = {cell: content for cell, content in drawn.items() if content != contents[cell]}
    if seen:
        said = rules.why_not(position, seen)
        assert not said.endswith((".", ")")) or "ranks" in said
