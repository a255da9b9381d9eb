"""Whole games by the simulator's hands: the same record at every depth, and lights that the pixels show."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from controller.app.simulated import Via, simulated_rig
from controller.games.bamogo import GAME
from controller.games.seam import AnyRules
from controller.rehearse.stage import Stage
from hardware.lamps import PixelLamps
from hardware.ports import Sensing

Play = Callable[..., Any]


def random_game(seed: int, plies: int, **settings: str) -> list[str]:
    """The tokens of a game by legal moves alone."""
    rules: AnyRules = GAME.rules(2, settings)
    dice, position = random.Random(seed), rules.initial()
    tokens: list[str] = []
    while len(tokens) < plies and rules.outcome(position) is None:
        move = dice.choice(list(rules.legal(position)))
        tokens.append(rules.move_text(move))
        position, _ = rules.apply(position, move)
    return tokens


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_random_game_with_bouncing_contacts_is_the_same_record_at_every_depth(play_through: Play, seed: int) -> None:
    tokens = random_game(seed, 25, target="5")
    script = f"game bamogo target=5\nboard sense=presence\nseed {seed}\nfaults bounce=4 jitter=30\n"
    script += "".join(f"play {token}\n" for token in tokens) + f"expect moves {len(tokens)}\n"
    records = {}
    for depth in ("memory", "pins", "wire"):
        played = play_through(script, depth)
        assert played.moves == tokens
        assert played.heard("mismatch") == []
        assert played.heard("takeback") == []
        records[depth] = [
            {key: value for key, value in line.items() if key != "t"}
            for line in played.told
            if line["type"] in {"move", "event"}
        ]
    assert records["memory"] == records["pins"] == records["wire"]


def test_a_random_game_by_colour(play_through: Play, via: str) -> None:
    tokens = random_game(4, 40, max_plies="40", target="60")
    script = "game bamogo max_plies=40 target=60\nfaults bounce=6\n" + "".join(f"play {token}\n" for token in tokens)
    played = play_through(script + "expect phase over\n", via)
    assert played.moves == tokens
    assert played.heard("question") == []


def test_the_pixels_show_what_the_table_means() -> None:
    """From readings at pins to the bytes of the NeoPixel class, decoded again, through a whole game."""
    rules: AnyRules = GAME.rules(2, {"target": "4"})
    rig = simulated_rig(lambda _outcome=None, _first=None: rules, Sensing.PRESENCE, Via.PINS, seed=3)
    assert isinstance(rig.lamps, PixelLamps)
    tap = rig.lamps.tap  # type: ignore[attr-defined]
    places = rig.lamps._encoder.chain.places
    compared = lit_frames = 0
    try:
        from controller.rehearse.script import read_script
        from controller.rehearse.steps import Hands

        def compare(_now: int, frame: bytes) -> None:
            nonlocal compared, lit_frames
            colours = tap.colours()
            for pixel, place in enumerate(places):
                meant = frame[3 * pixel : 3 * pixel + 3]
                shown = colours[place]
                assert any(shown) is any(meant), (pixel, meant, shown)
                if any(meant):
                    # The brightest channel stays the brightest: hues survive gamma, brightness and the current budget.
                    assert shown[max(range(3), key=lambda k: meant[k])] == max(shown)
            assert len(tap.sent) == 3 * len(colours)
            compared += 1
            lit_frames += any(frame[:48])

        stage = Stage(rig, lambda _notice: None, compare)
        hands = Hands(stage, 3)
        text = "game bamogo\nfaults bounce=3\n" + "".join(f"play {token}\n" for token in random_game(6, 12, target="4"))
        text += "press hint\nwait 1000\npress new\nwait 100\npress ok\nwait 2500\n"
        for step in read_script(text)[1:]:
            hands.do(step)
        assert compared > 100
        assert lit_frames > 100
    finally:
        rig.close()
    assert tap.is_dark()
