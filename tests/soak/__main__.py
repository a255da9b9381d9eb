"""The command of the soak: plays so many plies of a game, and says what went wrong."""

import argparse
import sys

from controller.app.simulated import Via
from controller.games.seam import load_game
from tests.soak.play import HARMLESS, soak
from tests.soak.sick import Findings, sicken


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
    parser.add_argument("--fault", dest="faults", action="append", help="such as bounce=4; may be repeated")
    parser.add_argument("--clumsiness", type=float, default=0.15, help="how likely each mishap is before a move")
    parser.add_argument("--sick", type=int, default=0, metavar="ROUNDS", help="then so many rounds with sick cells")
    args = parser.parse_args()
    game = load_game(args.game)
    rules = game.rules(args.players, dict(item.split("=", 1) for item in args.settings))
    faults = args.faults or HARMLESS
    tally = soak(rules, args.sense or game.sensing, args.via, args.plies, args.seed, faults, args.clumsiness)
    out = sys.stdout.write
    lost = len(tally.wrong) + len(tally.stuck)
    out(
        f"{game.name}: {tally.plies} plies, {tally.faults} faults injected, {tally.plies - lost} moves recognised, "
        f"{len(tally.wrong)} wrong, {len(tally.stuck)} stuck\n"
    )
    out(f"faults: {' '.join(faults)}\n")
    out("people did: " + ", ".join(f"{what} {count}" for what, count in sorted(tally.did.items())) + "\n")
    for line in (*tally.wrong[:10], *tally.stuck[:10]):
        out(f"  {line}\n")
    bad = bool(tally.wrong or tally.stuck)
    if args.sick:
        bad |= _sick(sicken(rules, args.sense or game.sensing, args.via, args.sick, args.seed, faults))
    return int(bad)


def _sick(findings: Findings) -> bool:
    """Print what came of sick cells; return whether anything was misread."""
    out = sys.stdout.write
    out(
        f"sick cells in {findings.rounds} rounds, {findings.tally.plies} plies: {findings.named} named in time, "
        f"{len(findings.silent)} not, {findings.unseen} without effect; play went on in {findings.played_on}, "
        f"could have and did not in {len(findings.halted)}; {len(findings.tally.wrong)} wrong, "
        f"{len(findings.blind)} as the sensors told\n"
    )
    for line in (*findings.tally.wrong[:10], *findings.silent[:10], *findings.halted[:10]):
        out(f"  {line}\n")
    return bool(findings.tally.wrong or findings.silent)


if __name__ == "__main__":
    sys.exit(main())
