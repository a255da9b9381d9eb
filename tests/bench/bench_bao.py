"""How fast the rules of Bao Kigogo are: random rounds, beside the same rounds in a plain loop, and the slowest lists.

Times are CPU time of one thread. The plain loop sows the same rounds in place, in one function, without events, text or
immutable positions; it is what the rules would cost if nobody had to look at them.
"""

import random
import time
from collections.abc import Callable, Iterator

from controller.games.bao_kigogo import GAME, BaoKigogoRules
from tests.bench import Figure, median_of

ROUNDS = 100
"""Random rounds in one measurement; seeds 0 and on, so that every engine plays the same ones."""
SLOWEST_OF = 200
"""Random rounds that are looked at for the slowest list of legal moves."""

SIZE = 24
RUNS = [[tuple((start + step) % SIZE for step in range(1, seeds + 1)) for seeds in range(93)] for start in range(SIZE)]


def run() -> Iterator[Figure]:
    rules = GAME.rules()
    pairs = [(rate(lambda seed: public(rules, seed)), rate(plain)) for _ in range(5)]
    rules_rate, plain_rate = (sorted(rates)[2] for rates in zip(*pairs, strict=True))
    yield Figure("random rounds, legal + apply + outcome", rules_rate, "rounds/s")
    yield Figure("the same rounds in a plain loop", plain_rate, "rounds/s")
    yield Figure("rules against plain loop", sorted(ours / bare for ours, bare in pairs)[2], "times")
    yield Figure("sequences of 3 plies", median_of(5, lambda: counting(rules)), "nodes/s")
    for columns in ("12", "24"):
        for endless in ("draw", "illegal"):
            slowest = slowest_list(GAME.rules(settings={"columns": columns, "endless": endless}))
            yield Figure(f"legal moves, slowest, columns={columns} endless={endless}", slowest * 1e3, "ms")


def rate(play: Callable[[int], int]) -> float:
    """Return rounds a second."""
    start = time.process_time()
    for seed in range(ROUNDS):
        play(seed)
    return ROUNDS / (time.process_time() - start)


def public(rules: BaoKigogoRules, seed: int) -> int:
    """Play a random round through the rules; return its plies."""
    chance, position, plies = random.Random(seed).random, rules.initial(), 0
    while rules.outcome(position) is None:
        moves = rules.legal(position)
        position, _events = rules.apply(position, moves[int(chance() * len(moves))])
        plies += 1
    return plies


def plain(seed: int) -> int:
    """Play the same random round in place; return its plies."""
    chance, plies, south = random.Random(seed).random, 0, True
    seen: set[tuple[tuple[int, ...], tuple[int, ...], bool]] = set()
    own, foe = [2] * SIZE, [2] * SIZE
    own[SIZE - 1] = foe[SIZE // 2 - 1] = 0
    while True:
        moves = [step for step in range(SIZE) if own[step] > 1]
        if not moves:
            moves = [step for step in range(SIZE) if own[step] and not own[step + 1 - SIZE]]
            if not moves:
                return plies
        step, plies = moves[int(chance() * len(moves))], plies + 1
        for _ in range(10_000):
            seeds, own[step] = own[step], 0
            for step in RUNS[step][seeds]:  # noqa: B020 - the next lap begins where the last seed fell
                own[step] += 1
            if own[step] == 1:
                break
        else:
            return plies
        if (step >= SIZE // 2) == south and foe[SIZE - 1 - step]:
            foe[SIZE - 1 - step] = foe[step] = 0
            seen.clear()
        stands = (tuple(own), tuple(foe), south)
        if stands in seen or not any(foe):
            return plies
        seen.add(stands)
        own, foe, south = foe, own, not south


def counting(rules: BaoKigogoRules) -> float:
    """Return sequences of three plies counted a second."""
    start, root = time.process_time(), rules.initial()
    found = 0
    for first in rules.legal(root):
        one, _events = rules.apply(root, first)
        for second in rules.legal(one):
            found += len(rules.legal(rules.apply(one, second)[0]))
    return found / (time.process_time() - start)


def slowest_list(rules: BaoKigogoRules) -> float:
    """Return the longest time, in seconds, that a list of legal moves took in random rounds."""
    slowest = 0.0
    for seed in range(SLOWEST_OF):
        chance, position = random.Random(seed), rules.initial()
        while True:
            start = time.process_time()
            moves = rules.legal(position)
            slowest = max(slowest, time.process_time() - start)
            if not moves:
                break
            position, _events = rules.apply(position, chance.choice(moves))
    return slowest
