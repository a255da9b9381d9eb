"""What every installed game promises, whatever its rules."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from controller.games.seam import (
    AnyRules,
    Event,
    IllegalMoveError,
    NotationError,
    OptionError,
    Outcome,
    game_names,
    load_game,
)

GAMES = game_names()
SURFACES = {"square", "hexagon", "pit", "mat"}
EVENTS = {"place", "swap", "move", "sow", "slide", "return", "capture", "line", "combination", "pass", "win", "draw"}


def walk(rules: AnyRules, seed: int, plies: int) -> Iterator[tuple[Any, Any]]:
    """Yield positions of a random round, each with the move played there."""
    chance = random.Random(seed)
    position = rules.initial()
    for _ in range(plies):
        moves = rules.legal(position)
        if not moves:
            return
        move = chance.choice(moves)
        yield position, move
        position, _events = rules.apply(position, move)


def test_the_installed_games_are_found_by_name() -> None:
    assert "bamogo" in GAMES
    assert list(GAMES) == sorted(set(GAMES))
    assert load_game("bamogo").name == "bamogo"


def test_a_game_that_is_not_installed_is_refused_with_those_that_are() -> None:
    with pytest.raises(OptionError, match=r"no game 'nim'; installed: .*bamogo"):
        load_game("nim")


def test_values_have_a_json_form() -> None:
    assert Event("place", {"cell": "a1"}).as_json() == {"type": "place", "cell": "a1"}
    assert Outcome(None, "ply-limit").as_json() == {"winner": None, "reason": "ply-limit"}


@pytest.mark.parametrize("name", GAMES)
class TestEveryGame:
    def test_it_says_what_it_is(self, name: str) -> None:
        game = load_game(name)
        least, most = game.seats
        assert game.name == name
        assert game.title
        assert game.summary.endswith(".")
        assert least <= game.default_players <= (most or game.default_players)
        assert game.sensing in {"presence", "colour", "count"}
        assert game.rules_text.startswith("# ")
        for option in game.options:
            assert option.takes
            assert option.help.endswith(".")

    def test_its_options_at_their_defaults_differ_from_no_default(self, name: str) -> None:
        game = load_game(name)
        defaults = {option.key: option.default for option in game.options if option.default}
        rules = game.rules(None, defaults)
        assert rules.players == game.default_players
        assert dict(rules.settings) == {}
        assert rules.initial() == game.rules().initial()

    def test_unknown_options_and_too_few_players_are_refused(self, name: str) -> None:
        game = load_game(name)
        with pytest.raises(OptionError, match="nonesuch"):
            game.rules(None, {"nonesuch": "1"})
        with pytest.raises(OptionError):
            game.rules(game.seats[0] - 1)
        if game.seats[1] is not None:
            with pytest.raises(OptionError):
                game.rules(game.seats[1] + 1)

    def test_its_board_can_be_drawn(self, name: str) -> None:
        rules = load_game(name).rules()
        names = [cell.name for cell in rules.cells]
        assert rules.surface in SURFACES
        assert len(set(names)) == len(names)
        assert len({(cell.x, cell.y) for cell in rules.cells}) == len(names)
        assert rules.stones == () or rules.stones[0] == ""
        assert [rules.spot(cell.name) for cell in rules.cells] == [(index,) for index in range(len(names))]

    def test_the_start_is_as_the_text_of_it_says(self, name: str) -> None:
        rules = load_game(name).rules()
        start = rules.initial()
        assert rules.outcome(start) is None
        assert rules.to_move(start) == 1
        assert rules.scores(start) == (0,) * rules.players
        text = rules.position_text(start)
        assert rules.position_text(rules.parse_position(text)) == text

    @pytest.mark.parametrize("seed", range(3))
    def test_moves_and_positions_round_trip_in_play(self, name: str, seed: int) -> None:
        rules = load_game(name).rules()
        for position, move in walk(rules, seed, 40):
            moves = rules.legal(position)
            tokens = [rules.move_text(one) for one in moves]
            assert list(rules.legal(position)) == list(moves)
            assert len(set(tokens)) == len(tokens) == len(set(moves))
            assert rules.parse_move(rules.move_text(move)) == move
            text = rules.position_text(position)
            again = rules.parse_position(text, rules.to_move(position), rules.scores(position))
            assert rules.position_text(again) == text
            assert rules.contents(again) == rules.contents(position)
            once, twice = rules.apply(position, move)[0], rules.apply(position, move)[0]
            assert once == twice != position
            assert hash(once) == hash(twice)

    @pytest.mark.parametrize("seed", range(3))
    def test_the_footprint_leads_from_a_board_to_the_next(self, name: str, seed: int) -> None:
        rules = load_game(name).rules()
        for position, move in walk(rules, seed, 40):
            before = rules.contents(position)
            footprint = rules.footprint(position, move)
            after, events = rules.apply(position, move)
            overlay = {**footprint.after, **footprint.aftermath}
            assert tuple(overlay.get(cell, held) for cell, held in enumerate(before)) == rules.contents(after)
            assert footprint.lifts <= set(footprint.after)
            assert all(before[cell] for cell in footprint.lifts)
            assert {event.type for event in events} <= EVENTS
            assert (events[-1].type in {"win", "draw"}) == (rules.outcome(after) is not None)
            assert rules.to_move(after) == rules.to_move(position) % rules.players + 1

    def test_junk_is_no_move_and_no_position(self, name: str) -> None:
        rules = load_game(name).rules()
        for junk in ("", "?", "a1 a1 a1 a1", "~~", "-", ":", "\x00", "zz99", "pass pass"):
            with pytest.raises(NotationError):
                rules.parse_move(junk)
        for junk in ("?", "///////", "\x00", "nonsense"):
            with pytest.raises(NotationError):
                rules.parse_position(junk)
        with pytest.raises(NotationError):
            rules.spot("zz99")

    def test_a_move_that_is_not_legal_is_refused_and_says_why(self, name: str) -> None:
        rules = load_game(name).rules()
        played: list[Any] = []
        refused = 0
        for position, move in walk(rules, 1, 30):
            here = set(rules.legal(position))
            for earlier in played:
                if earlier not in here:
                    with pytest.raises(IllegalMoveError) as caught:
                        rules.apply(position, earlier)
                    assert str(caught.value)
                    refused += 1
            played.append(move)
        assert refused
