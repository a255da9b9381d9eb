"""A short soak of each game, as `make soak` does it at length."""

import pytest

from controller.app.simulated import Via
from controller.games.seam import load_game
from tests.soak.play import HARMLESS, soak
from tests.soak.sick import sicken


@pytest.mark.parametrize(
    ("game", "via", "plies"),
    [
        ("bamogo", Via.MEMORY, 150),
        ("bamogo", Via.PINS, 25),
        ("exago", Via.MEMORY, 120),
        ("bambam-booboo", Via.MEMORY, 40),
        ("bao-kigogo", Via.MEMORY, 100),
    ],
    ids=lambda value: value.value if isinstance(value, Via) else str(value),
)
def test_clumsy_people_on_a_bad_board_are_never_misread_and_never_stuck(game: str, via: Via, plies: int) -> None:
    loaded = load_game(game)
    tally = soak(loaded.rules(), "presence", via, plies, seed=11)
    assert tally.wrong == []
    assert tally.stuck == []
    assert tally.plies >= plies
    assert tally.faults > plies, "a soak without faults proves nothing"
    assert tally.did["knock"]
    assert tally.did["unplug"]


@pytest.mark.parametrize("game", ["bamogo", "exago", "bambam-booboo", "bao-kigogo"])
def test_sick_cells_are_named_and_misread_nothing(game: str) -> None:
    loaded = load_game(game)
    findings = sicken(loaded.rules(), "presence", Via.MEMORY, 8, seed=1, others=HARMLESS)
    assert findings.tally.wrong == []
    assert findings.silent == []
    assert findings.halted == []
    assert findings.named
    assert findings.played_on


def test_the_soak_finds_a_board_that_misreads() -> None:
    """Cells that stay full for longer than people wait: moves do not count, and the soak says so."""
    rules = load_game("bamogo").rules()
    tally = soak(rules, "presence", Via.MEMORY, 60, seed=2, faults=[*HARMLESS, "crosstalk=1"])
    assert tally.stuck
