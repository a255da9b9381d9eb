"""Bamogo by colour, through fields, converters and pins: the same moves as in memory, and what only fields can do."""

import random
from collections.abc import Iterator

import pytest

from controller.app.simulated import CombinationError, Via, sensing_of
from controller.games.seam import load_game
from controller.rehearse.runner import Listener, run
from controller.table.notices import Notice
from hardware.ports import Sensing

TOLD = ("move", "takeback", "question", "phase", "event")


def told(script: str, via: str, seed: int = 0) -> list[Notice]:
    notices: list[Notice] = []
    run(script, Listener(notices.append), via=via, seed=seed)
    return notices


def moves(notices: list[Notice]) -> list[str]:
    return [str(notice.facts["move"]) for notice in notices if notice.type == "move"]


def phases(notices: list[Notice]) -> list[str]:
    return [str(notice.facts["phase"]) for notice in notices if notice.type == "phase"]


def random_game(seed: int, plies: int) -> str:
    """A script of a whole game that dice have drawn, to its end or for so many plies."""
    dice = random.Random(seed)
    rules = load_game("bamogo").rules(2, {})
    position = rules.initial()
    lines = ["game bamogo", "board sense=colour"]
    for _ in range(plies):
        if rules.outcome(position) is not None:
            break
        move = dice.choice(list(rules.legal(position)))
        lines.append(f"play {rules.move_text(move)}")
        position, _ = rules.apply(position, move)
    return "\n".join(lines)


@pytest.mark.parametrize(("seed", "plies"), [(3, 100), (1, 5), (2, 5)])
def test_random_games_are_the_same_in_memory_and_through_fields(seed: int, plies: int) -> None:
    script = random_game(seed, plies)
    memory, pins = told(script, "memory", seed), told(script, "pins", seed)
    assert moves(pins) == moves(memory)
    assert len(moves(pins)) == script.count("play")
    assert phases(pins) == phases(memory)
    assert not [notice for notice in pins if notice.type in ("question", "takeback", "mismatch", "error")]


@pytest.mark.parametrize(
    "faults", ["approach=80", "approach=300 jitter=30", "sample=50", "drift=yes sag=yes", "bounce=4 jitter=60"]
)
def test_a_game_is_the_same_with_fields_that_misbehave(faults: str) -> None:
    game = random_game(7, 4).splitlines()
    script = "\n".join([*game[:2], f"faults {faults}", *game[2:]])
    assert moves(told(script, "pins")) == moves(told("\n".join(game), "memory"))


def test_a_move_counts_as_soon_as_in_memory() -> None:
    script = "game bamogo\nboard sense=colour\ntempo 100\nwait 77\ndrop a1 R\ndrop b1 Y\nwait 1000"
    for via in ("memory", "pins"):
        (move,) = [notice for notice in told(script, via) if notice.type == "move"]
        assert 177 + 300 <= move.at <= 177 + 400, via


def test_a_touched_cell_is_lit_before_its_colour_is_known() -> None:
    script = "game bamogo\nboard sense=colour via=pins\ndrop a1 R\nexpect phase handling\nexpect lit a1"
    told(script, "pins")


def test_a_stone_that_comes_down_slowly_is_no_yellow_on_the_way() -> None:
    script = (
        "game bamogo\nboard sense=colour\nfaults approach=700\ntempo 2000\ndrop a1 R\ndrop b1 B\nwait 1000\n"
        "expect moves 1\nexpect move Ra1 Bb1"
    )
    notices = told(script, "pins")
    assert not [notice for notice in notices if notice.type in ("question", "takeback")]


def test_a_stone_upside_down_is_the_other_colour_until_it_is_turned() -> None:
    script = (
        "game bamogo\nboard sense=colour\ndrop a1 Y\ndrop b1 R flipped\nwait 500\nexpect move Ya1 Bb1\n"
        "lift b1\nwait 300\ndrop b1 R\nwait 500"
    )
    for via in ("memory", "pins"):
        assert moves(told(script, via))[0] == "Ya1 Bb1", via


def test_metal_and_a_stone_held_above_complete_no_move() -> None:
    script = "game bamogo\nboard sense=colour\ndrop a1 R\nmetal b1 on\nwait 900\nexpect moves 0\nmetal b1 off\n"
    script += "hover b1 B 500\nwait 400\nexpect moves 0\ndrop b1 B\nwait 500\nexpect move Ra1 Bb1"
    assert moves(told(script, "pins")) == ["Ra1 Bb1"]


def test_a_pulled_cable_is_told_and_play_goes_on() -> None:
    script = (
        "game bamogo\nboard sense=colour\nplay Ra1 Bb1\nunplug\nwait 800\nexpect phase offline\n"
        "drop c3 Y\ndrop c4 R\nplug\nwait 1200\nexpect moves 2\nexpect move Yc3 Rc4"
    )
    told(script, "pins")


def combinations() -> Iterator[tuple[str, str, Via, bool]]:
    for name in ("bamogo", "exago", "bambam-booboo", "bao-kigogo"):
        for via in (Via.MEMORY, Via.PINS):
            yield name, "presence", via, True
            yield name, "colour", via, name == "bamogo" or (via is Via.MEMORY and name != "bao-kigogo")


@pytest.mark.parametrize(("name", "word", "via", "exists"), list(combinations()))
def test_which_boards_can_be_simulated(name: str, word: str, via: Via, exists: bool) -> None:
    rules = load_game(name).rules(None, {})
    if exists:
        assert sensing_of(rules, word, via) is Sensing(word)
    else:
        with pytest.raises(CombinationError, match=rf"{name} cannot be played with sense={word} .via {via.value}.; it"):
            sensing_of(rules, word, via)


def test_what_bamogo_cannot_be_played_by_names_what_it_can() -> None:
    with pytest.raises(CombinationError, match="it can with sense=presence or colour"):
        sensing_of(load_game("bamogo").rules(None, {}), "count", Via.PINS)
