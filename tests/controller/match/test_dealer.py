"""Who begins which round."""

import random
from collections.abc import Mapping

import pytest

from controller.games.bamogo import GAME as BAMOGO
from controller.games.exago import GAME as EXAGO
from controller.games.seam import Game, OptionError, Outcome
from controller.match import Dealer


def beginners(dealer: Dealer, outcomes: list[Outcome | None]) -> list[int]:
    rounds = [dealer(outcome) for outcome in outcomes]
    return [rules.to_move(rules.initial()) for rules in rounds]


WON_BY_3, WON_BY_1, DRAWN = Outcome(3, "x"), Outcome(1, "x"), Outcome(None, "x")


def test_bamogo_draws_lots_every_round_and_a_seed_repeats_them() -> None:
    outcomes = [None, WON_BY_1, WON_BY_1, DRAWN, None] * 20
    first = beginners(Dealer(BAMOGO, 3, {}, random.Random(5)), outcomes)
    assert set(first) == {1, 2, 3}
    assert first == beginners(Dealer(BAMOGO, 3, {}, random.Random(5)), outcomes)
    assert first != beginners(Dealer(BAMOGO, 3, {}, random.Random(6)), outcomes)


@pytest.mark.parametrize(
    ("outcomes", "begin"),
    [
        ([None], [1]),
        ([None, WON_BY_3], [1, 3]),
        ([None, WON_BY_3, DRAWN, DRAWN, DRAWN], [1, 3, 4, 1, 2]),
        ([None, WON_BY_3, None], [1, 3, 3]),
        ([None, DRAWN, WON_BY_1], [1, 2, 1]),
    ],
    ids=["the first", "the winner", "after draws the next seat", "given up: the same again", "draw, then a winner"],
)
def test_in_other_games_the_winner_begins(outcomes: list[Outcome | None], begin: list[int]) -> None:
    assert beginners(Dealer(EXAGO, 4, {}, random.Random(1)), outcomes) == begin


@pytest.mark.parametrize(("game", "settings"), [(BAMOGO, {"first": "2", "target": "4"}), (EXAGO, {"first": "2"})])
def test_a_player_who_was_named_begins_every_round(game: Game, settings: Mapping[str, str]) -> None:
    dealer = Dealer(game, 3, settings, random.Random(1))
    assert beginners(dealer, [None, WON_BY_1, DRAWN, None]) == [2, 2, 2, 2]


def test_whoever_people_choose_begins_and_counts_as_the_last_beginner() -> None:
    dealer = Dealer(EXAGO, 4, {}, random.Random(1))
    dealer()
    chosen = dealer(None, 3)
    assert chosen.to_move(chosen.initial()) == 3
    assert beginners(dealer, [None, DRAWN]) == [3, 4]


def test_the_settings_stay_in_every_round() -> None:
    dealer = Dealer(BAMOGO, 2, {"target": "4"}, random.Random(1))
    for outcome in (None, WON_BY_1):
        assert dealer(outcome).settings["target"] == "4"
    assert dealer.players == 2


def test_bad_settings_are_said_at_once() -> None:
    with pytest.raises(OptionError, match="target"):
        Dealer(BAMOGO, 2, {"target": "0"}, random.Random(1))
    with pytest.raises(OptionError):
        Dealer(BAMOGO, 0, {}, random.Random(1))
