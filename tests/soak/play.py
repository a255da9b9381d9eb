"""Rounds of seeded play by clumsy people on boards with faults, until so many plies were made."""

import random
from collections.abc import Sequence

from controller.app.simulated import Via, sensing_of, simulated_rig
from controller.games.seam import AnyRules, Outcome
from controller.rehearse.stage import Stage
from tests.soak.people import People, Tally

ROUND_PLIES = 150
"""After so many plies a round is left for a new one."""
HARMLESS = ("bounce=4", "jitter=30", "sample=50", "shadow=60")
"""Faults with which every move must count, and no other."""


def soak(
    rules: AnyRules,
    sense: str,
    via: Via,
    plies: int,
    seed: int,
    faults: Sequence[str] = HARMLESS,
    clumsiness: float = 0.15,
) -> Tally:
    """Play rounds until `plies` moves were made; stop a round at the first thing that goes wrong."""
    tally = Tally()
    number = 0
    while tally.plies < plies:
        number += 1
        dice = random.Random(f"{seed}/{number}")

        def deal(outcome: Outcome | None = None, first: int | None = None) -> AnyRules:
            return rules

        rig = simulated_rig(deal, sensing_of(rules, sense, via), via, seed=dice.randrange(2**31))
        stage = Stage(rig, lambda _notice: None, lambda _now, _frame: None)
        assert rig.top is not None
        if faults:
            rig.top.fail(list(faults))
        people = People(stage, dice, tally, clumsiness, f"{seed}/{number}")
        for _ in range(ROUND_PLIES):
            if tally.plies >= plies or rules.outcome(rig.table.position) is not None or not people.turn():
                break
        tally.faults += rig.top.contacts.upsets
        rig.close()
    return tally
