"""Brightness, night and palette on a rig: chosen, stepped by the button, dimmed when idle."""

import pytest

from controller.app import lights
from controller.app.rig import Rig
from controller.app.simulated import Via, simulated_rig
from controller.games.seam import AnyRules, Outcome, load_game
from controller.lighting.mood import IDLE_MS, IDLE_SHARE, NIGHT_SHARE
from controller.lighting.palettes import PALETTES
from controller.page.desk import RequestError
from hardware.ports import Sensing
from simulator.memory import MemoryLamps


@pytest.fixture
def rig() -> Rig:
    rules = load_game("bamogo").rules()

    def deal(outcome: Outcome | None = None, first: int | None = None) -> AnyRules:
        return rules

    rig = simulated_rig(deal, Sensing.COLOUR, Via.MEMORY)
    rig.step(0)
    return rig


def share(rig: Rig) -> float:
    assert isinstance(rig.lamps, MemoryLamps)
    return rig.lamps.share


def test_brightness_and_night_reach_the_lamps(rig: Rig) -> None:
    lights.choose(rig, "brightness", "40", 10)
    rig.step(10)
    assert share(rig) == pytest.approx(0.4)
    lights.choose(rig, "night", "on", 20)
    rig.step(20)
    assert share(rig) == pytest.approx(NIGHT_SHARE)
    lights.choose(rig, "night", "off", 30)
    rig.step(30)
    assert share(rig) == pytest.approx(0.4)
    assert lights.chosen(rig)["brightness"] == 40


def test_a_palette_colours_the_track_and_the_players(rig: Rig) -> None:
    before = rig.table.frame(5)
    lights.choose(rig, "palette", "contrast", 5)
    rig.step(5)
    after = rig.table.frame(5)
    assert before != after
    assert bytes(PALETTES["contrast"].seat(1)) in after


@pytest.mark.parametrize(
    ("setting", "value", "word"),
    [
        ("brightness", "0", "1 to 100"),
        ("brightness", "101", "1 to 100"),
        ("brightness", "bright", "1 to 100"),
        ("night", "dark", "on or off"),
        ("palette", "sepia", "standard"),
        ("mood", "blue", "brightness"),
    ],
)
def test_what_is_wrong_is_refused_and_changes_nothing(rig: Rig, setting: str, value: str, word: str) -> None:
    before = lights.chosen(rig)
    with pytest.raises(RequestError, match=word):
        lights.choose(rig, setting, value, 1)
    assert lights.chosen(rig) == before


def test_two_presses_of_hint_within_a_second_step_the_brightness(rig: Rig) -> None:
    rig.press("hint", 1000)
    rig.press("hint", 1500)
    assert rig.mood.brightness == 60
    rig.press("hint", 1900)  # the third press is the first of another pair
    assert rig.mood.brightness == 60
    rig.press("hint", 4000)
    assert rig.mood.brightness == 60


def test_an_idle_board_dims_and_wakes_with_the_next_change(rig: Rig) -> None:
    due = rig.due()
    assert due is not None
    assert due <= IDLE_MS
    rig.step(IDLE_MS - 1)
    assert share(rig) == 1.0
    rig.step(IDLE_MS)
    assert share(rig) == pytest.approx(IDLE_SHARE)
    assert rig.top is not None
    rig.top.advance(IDLE_MS + 100)
    rig.top.put((0,), 1)
    rig.step(IDLE_MS + 100)
    assert share(rig) == 1.0
