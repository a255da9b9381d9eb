"""All games alike, in one run: sequences counted, random rounds played, and how long lists of legal moves take.

Times are processor time of one thread, through the public rules with events. A random round is cut after `LONGEST`
plies.
"""

import random
import time
from collections.abc import Iterator

from controller.games.perft import perft
from controller.games.seam import AnyRules, load_game
from tests.bench import Figure

DEPTHS = {"bamogo": 3, "bao-kigogo": 4, "exago": 5, "bambam-booboo": 2}
"""How deep sequences are counted: known counts are 1407120, 111915, 5328 and 6772."""
ROUNDS = 200
"""Random rounds of each game, seeds 0 and on."""
LONGEST = 120


def run() -> Iterator[Figure]:
    for name, depth in DEPTHS.items():
        rules = load_game(name).rules()
        start = time.process_time()
        nodes = perft(rules, depth)
        yield Figure(f"{name}, {nodes} sequences of {depth} plies", nodes / (time.process_time() - start), "nodes/s")
        lists, plies, spent = rounds(rules)
        lists.sort()
        yield Figure(f"{name}, random rounds of {plies / ROUNDS:.0f} plies", ROUNDS / spent, "rounds/s")
        yield Figure(f"{name}, legal moves, p99 of {len(lists)} lists", lists[int(len(lists) * 0.99)] * 1e3, "ms")
        yield Figure(f"{name}, legal moves, slowest", lists[-1] * 1e3, "ms")


def rounds(rules: AnyRules) -> tuple[list[float], int, float]:
    """Return the seconds that each list of legal moves took, the plies played, and the seconds of it all."""
    lists, plies = [], 0
    begun = time.process_time()
    for seed in range(ROUNDS):
        dice, position = random.Random(seed), rules.initial()
        for _ in range(LONGEST):
            start = time.process_time()
            moves = rules.legal(position)
            lists.append(time.process_time() - start)
            if not moves:
                break
            position, _events = rules.apply(position, dice.choice(moves))
            plies += 1
    return lists, plies, time.process_time() - begun
