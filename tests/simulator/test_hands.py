"""Plans of whole moves: every one of them makes just that move, in the time that hands take."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.games.bamogo import GAME
from controller.games.seam import AnyRules
from hardware.ports import Sensing
from simulator.hands import BUTTONS, PAUSES_MS, Drop, Lift, Pause, Press, plan

RULES: AnyRules = GAME.rules(2, {"target": "99"})


def position_after(dice: random.Random) -> Any:
    position = RULES.initial()
    for _ in range(dice.randrange(14)):
        position, _ = RULES.apply(position, dice.choice(list(RULES.legal(position))))
    return position


@settings(deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from([Sensing.COLOUR, Sensing.PRESENCE]))
def test_a_plan_lays_the_board_as_after_the_move(dice: random.Random, sensing: Sensing) -> None:
    position = position_after(dice)
    move = dice.choice(list(RULES.legal(position)))
    actions = plan(RULES, position, move, sensing, dice)
    contents = list(RULES.contents(position))
    hand: list[int] = []
    dropped: list[str] = []
    pressed: list[str] = []
    for action in actions:
        match action:
            case Lift(cells=cells):
                assert not dropped, "all are lifted before any is put down"
                for cell in cells:
                    assert contents[cell]
                    hand.append(contents[cell])
                    contents[cell] = 0
            case Drop(cells=cells, content=content):
                assert not pressed
                for cell in cells:
                    assert not contents[cell]
                    contents[cell] = content
                dropped.append(RULES.stones[content])
            case Press(button=button):
                pressed.append(button)
            case Pause(ms=span):
                assert PAUSES_MS[0] <= span <= PAUSES_MS[1]
    after, _ = RULES.apply(position, move)
    assert tuple(contents) == RULES.contents(after)
    if not RULES.footprint(position, move).after:
        assert pressed == ["ok"]
    elif hand or sensing is Sensing.COLOUR:
        assert pressed == []
    else:
        assert pressed == [BUTTONS[stone] for stone in dropped]  # in the order in which they came down


@pytest.mark.parametrize("token", ["Ra1 Bb1", "Yc3 Rc4"])
def test_a_seed_repeats_the_plan_and_seeds_differ(token: str) -> None:
    def planned(seed: int) -> list[Any]:
        start = RULES.initial()
        return plan(RULES, start, RULES.parse_move(token), Sensing.PRESENCE, random.Random(seed))

    assert planned(1) == planned(1)
    orders = {tuple(type(action).__name__ + str(action) for action in planned(seed)) for seed in range(20)}
    assert len(orders) > 10
    firsts = {action.cells for seed in range(20) for action in planned(seed)[:1] if isinstance(action, Drop)}
    assert len(firsts) == 2  # either stone may come down first
