"""How fast the rules of Exago are: placing, counting, and the slowest lists of legal moves.

Times are CPU time of one thread. A list of legal moves is asked for once a ply at the table; a search may keep it.
"""

import random
import time
from collections.abc import Iterator

from controller.games.exago import GAME, ExagoRules
from controller.games.exago_play import Move, Position
from tests.bench import Figure, median_of

ROUNDS = 200
"""Random rounds in one measurement of placing."""
LONGEST = 60
"""Plies after which a random round is broken off where the slowest list is looked for."""

HARD: dict[str, tuple[int, dict[str, str]]] = {
    "2 players": (2, {}),
    "6 players": (6, {}),
    "3 players, always_dissolve": (3, {"always_dissolve": "yes"}),
    "6 players, 12 pieces, free_moves": (6, {"pieces": "12", "need": "5", "free_moves": "yes"}),
    "2 players, 40 pieces on radius 7": (2, {"pieces": "40", "need": "6", "radius": "7"}),
}
"""What makes long lists: many pieces, many players to look at, groups to look at for every piece."""


def run() -> Iterator[Figure]:
    rules = GAME.rules()
    games = [placed(rules, seed) for seed in range(ROUNDS)]
    yield Figure("placements, apply + outcome", median_of(7, lambda: applying(rules, games)), "plies/s")
    yield Figure("placements, legal + apply + outcome", median_of(7, lambda: playing(rules)), "plies/s")
    yield Figure("sequences of 4 plies", median_of(5, lambda: counting(rules)), "nodes/s")
    for name, (players, given) in HARD.items():
        slowest, longest = slowest_list(GAME.rules(players, given))
        yield Figure(f"legal moves, slowest, {name} (up to {longest})", slowest * 1e3, "ms")


def placed(rules: ExagoRules, seed: int) -> list[Move]:
    """Return the moves of a random round until a hand is empty."""
    chance, position, moves = random.Random(seed).random, rules.initial(), list[Move]()
    while rules.outcome(position) is None and position.hands[position.to_move - 1]:
        legal = rules.legal(position)
        move = legal[int(chance() * len(legal))]
        position, _events = rules.apply(position, move)
        moves.append(move)
    return moves


def applying(rules: ExagoRules, games: list[list[Move]]) -> float:
    """Return plies a second when the moves are known."""
    start = time.process_time()
    for moves in games:
        position = rules.initial()
        for move in moves:
            position, _events = rules.apply(position, move)
            rules.outcome(position)
    return sum(map(len, games)) / (time.process_time() - start)


def playing(rules: ExagoRules) -> float:
    """Return plies a second of random rounds, lists of legal moves and the drawing of lots included."""
    start = time.process_time()
    plies = sum(len(placed(rules, seed)) for seed in range(ROUNDS))
    return plies / (time.process_time() - start)


def sequences(rules: ExagoRules, position: Position, depth: int) -> int:
    """Return how many sequences of moves there are, the last ply counted by the length of its list."""
    moves = rules.legal(position)
    if depth == 1:
        return len(moves)
    return sum(sequences(rules, rules.apply(position, move)[0], depth - 1) for move in moves)


def counting(rules: ExagoRules) -> float:
    """Return sequences of four plies counted a second."""
    start = time.process_time()
    return sequences(rules, rules.initial(), 4) / (time.process_time() - start)


def slowest_list(rules: ExagoRules) -> tuple[float, int]:
    """Return the longest time, in seconds, that a list of legal moves took in random rounds, and the longest list."""
    slowest, longest = 0.0, 0
    for seed in range(8):
        chance, position = random.Random(seed), rules.initial()
        for _ in range(LONGEST + 2 * sum(position.hands)):
            start = time.process_time()
            moves = rules.legal(position)
            slowest, longest = max(slowest, time.process_time() - start), max(longest, len(moves))
            if not moves:
                break
            quiet = [move for move in chance.sample(list(moves), min(4, len(moves))) if not ends(rules, position, move)]
            position, _events = rules.apply(position, (quiet or moves)[0])
    return slowest, longest


def ends(rules: ExagoRules, position: Position, move: Move) -> bool:
    """Return whether the move ends the round."""
    return rules.outcome(rules.apply(position, move)[0]) is not None
