"""The command of the soak: plays so many plies of a game, and says what went wrong."""

import argparse
import random
import sys

from controller.app.simulated import Via, sensing_of, simulated_rig
from controller.games.seam import AnyRules, Outcome, load_game
from controller.rehearse.stage import Stage
from simulator.faults import parse_faults
from tests.soak.people import People, Tally

ROUND_PLIES = 150
"""After so many plies a round is left for a new one."""


def soak(rules: AnyRules, sense: str, via: Via, plies: int, seed: int, faults: list[str], clumsiness: float) -> Tally:
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
            rig.top.faults = parse_faults(faults, rig.top.faults)
        people = People(stage, dice, tally, clumsiness)
        for _ in range(ROUND_PLIES):
            if tally.plies >= plies or rules.outcome(rig.table.position) is not None or not people.turn():
                break
        rig.close()
    return tally


def main() -> int:
    """Read the command line, play, and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--plies", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sense", default=None)
    parser.add_argument("--via", default="memory", type=Via)
    parser.add_argument("--players", type=int, default=None)
    parser.add_argument("--set", dest="settings", action="append", default=[])
    parser.add_argument("--fault", dest="faults", action="append", default=[], help="such as bounce=4; may be repeated")
    parser.add_argument("--clumsiness", type=float, default=0.15, help="how likely each mishap is before a move")
    args = parser.parse_args()
    game = load_game(args.game)
    rules = game.rules(args.players, dict(item.split("=", 1) for item in args.settings))
    tally = soak(rules, args.sense or game.sensing, args.via, args.plies, args.seed, args.faults, args.clumsiness)
    out = sys.stdout.write
    out(f"{game.name}: {tally.plies} plies, {len(tally.wrong)} wrong, {len(tally.stuck)} stuck\n")
    out("people did: " + ", ".join(f"{what} {count}" for what, count in sorted(tally.did.items())) + "\n")
    for line in (*tally.wrong[:10], *tally.stuck[:10]):
        out(f"  {line}\n")
    return 1 if tally.wrong or tally.stuck else 0


if __name__ == "__main__":
    sys.exit(main())
