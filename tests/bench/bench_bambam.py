"""How fast the rules of Bambam Booboo are: counting, random rounds, and the slowest list of legal moves.

Times are CPU time of one thread. The recogniser asks for the list of legal moves on every ply, so its slowest ones
matter most: the aim is under 50 ms on 16 x 16 with all forty stones on the mat.
"""

import random
import time
from collections.abc import Iterator

from controller.games.bambam_booboo import GAME, BambamRules
from controller.games.bambam_booboo_position import Position
from tests.bench import Figure, median_of

ROUNDS = 200
"""Random rounds that are looked at for the slowest list of legal moves."""
LONGEST = 120
"""Plies after which a random round is broken off: forty to empty the hands, then eighty on the mat."""


def run() -> Iterator[Figure]:
    rules = GAME.rules()
    small = GAME.rules(settings={"width": "8", "height": "8"})
    yield Figure("sequences of 2 plies, 16 x 16", median_of(5, lambda: counting(rules, 2)), "nodes/s")
    yield Figure("sequences of 3 plies, 8 x 8", median_of(5, lambda: counting(small, 3)), "nodes/s")
    times: list[float] = []
    full: list[float] = []
    start = time.process_time()
    for seed in range(ROUNDS):
        round_through(rules, random.Random(seed), times, full)
    yield Figure(f"random rounds of up to {LONGEST} plies", ROUNDS / (time.process_time() - start), "rounds/s")
    times.sort()
    yield Figure("legal moves, median", times[len(times) // 2] * 1e3, "ms")
    yield Figure("legal moves, p99", times[len(times) * 99 // 100] * 1e3, "ms")
    yield Figure("legal moves, slowest", times[-1] * 1e3, "ms")
    yield Figure("legal moves, slowest with all 40 stones down", max(full) * 1e3, "ms")


def sequences(rules: BambamRules, position: Position, depth: int) -> int:
    """Return how many sequences of moves there are, the last ply counted by the length of its list."""
    moves = rules.legal(position)
    if depth == 1:
        return len(moves)
    return sum(sequences(rules, rules.apply(position, move)[0], depth - 1) for move in moves)


def counting(rules: BambamRules, depth: int) -> float:
    """Return sequences counted a second."""
    start = time.process_time()
    return sequences(rules, rules.initial(), depth) / (time.process_time() - start)


def round_through(rules: BambamRules, chance: random.Random, times: list[float], full: list[float]) -> None:
    """Play a random round; note what each list of legal moves took, and apart those with both hands empty."""
    position = rules.initial()
    for _ in range(LONGEST):
        start = time.process_time()
        moves = rules.legal(position)
        took = time.process_time() - start
        if not moves:
            return
        times.append(took)
        if not any(rules.supply(position).values()):
            full.append(took)
        position, _events = rules.apply(position, chance.choice(moves))
