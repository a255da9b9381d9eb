"""How fast the rules are, for every installed game, and how soon the command answers.

Rates are CPU time of one thread over random rounds, median of `ROUNDS` measurements of `SECONDS` each.
"""

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

from controller.games import bamogo_board
from controller.games.seam import AnyRules, game_names, load_game
from tests.bench import Figure, median_of

ROUNDS = 5
SECONDS = 0.4
LONGEST = 200
"""Plies after which a random round is broken off."""


def run() -> Iterator[Figure]:
    for name in game_names():
        rules = load_game(name).rules()
        played = positions(rules, seed=1)
        yield Figure(f"{name}, legal and apply", median_of(ROUNDS, lambda: playing(rules)), "moves/s")  # noqa: B023
        yield Figure(f"{name}, apply alone", median_of(ROUNDS, lambda: applying(rules, played)), "moves/s")  # noqa: B023
        yield Figure(f"{name}, legal alone", median_of(ROUNDS, lambda: listing(rules, played)), "positions/s")  # noqa: B023
    yield Figure("bamogo, building the points table", median_of(ROUNDS, building), "ms")
    yield Figure("stonelight --help, whole process", median_of(9, answering), "ms")


def positions(rules: AnyRules, seed: int) -> list[tuple[Any, Any]]:
    """Return the positions of one random round, each with the move played there."""
    chance = random.Random(seed).random
    played = []
    position = rules.initial()
    for _ in range(LONGEST):
        moves = rules.legal(position)
        if not moves:
            break
        move = moves[int(chance() * len(moves))]
        played.append((position, move))
        position, _events = rules.apply(position, move)
    return played


def playing(rules: AnyRules) -> float:
    """Return moves a second of random rounds: list the legal moves, pick one, apply it."""
    moves, seed = 0, 0
    start = time.process_time()
    while (gone := time.process_time() - start) < SECONDS:
        moves += len(positions(rules, seed))
        seed += 1
    return moves / gone


def applying(rules: AnyRules, played: list[tuple[Any, Any]]) -> float:
    """Return moves applied a second, over the moves of a round."""
    apply, count = rules.apply, 0
    start = time.process_time()
    while (gone := time.process_time() - start) < SECONDS:
        for position, move in played:
            apply(position, move)
        count += len(played)
    return count / gone


def listing(rules: AnyRules, played: list[tuple[Any, Any]]) -> float:
    """Return positions a second of which all legal moves are listed."""
    legal, count = rules.legal, 0
    start = time.process_time()
    while (gone := time.process_time() - start) < SECONDS:
        for position, _ in played:
            legal(position)
        count += len(played)
    return count / gone


def building() -> float:
    """Return the milliseconds that Bamogo's points table takes to build."""
    start = time.process_time()
    bamogo_board.points.__wrapped__()
    return (time.process_time() - start) * 1e3


def answering() -> float:
    """Return the milliseconds from starting the command to its end, when it only prints its help."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", "controller", "--help"], check=True, stdout=subprocess.DEVNULL)
    return (time.perf_counter() - start) * 1e3
