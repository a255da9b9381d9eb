"""What one change of a cell costs until its meaning is known, and what a new ply costs, on the largest boards.

Times are CPU time of one thread, for readings by presence. The aim is 2 ms at the 99th percentile on the mat of 256
places with all forty stones down.
"""

import random
import statistics
import time
from collections.abc import Iterator
from typing import Any

from controller.games.seam import AnyRules, load_game
from controller.recogniser.reading import prospect_of
from controller.table.picture import Picture
from controller.table.round import Round
from hardware.ports import Millis, Sensing, Snapshot, reads
from tests.bench import Figure

BOARDS = (
    ("mat of 256 places", "bambam-booboo", 42),
    ("91 hexagons", "exago", 26),
    ("48 pits", "bao-kigogo", 20),
)
"""The boards: what to call each, its game, and after how many plies it is looked at."""
ROUNDS = 12
"""Positions that are looked at on each board."""
MOVES = 40
"""Moves that are made in each of them."""


def run() -> Iterator[Figure]:
    for name, game, plies in BOARDS:
        rules = load_game(game).rules()
        changes: list[float] = []
        still: list[float] = []
        new: list[float] = []
        for seed in range(ROUNDS):
            dice = random.Random(seed)
            position = stand(rules, plies, dice)
            new.append(timed(prospect_of(rules, position, Sensing.PRESENCE).prepare))
            fumble(rules, position, dice, changes, still)
        yield Figure(f"{name}: a change, median", statistics.median(changes), "ms")
        yield Figure(f"{name}: a change, p99", sorted(changes)[len(changes) * 99 // 100], "ms")
        yield Figure(f"{name}: a wrong picture once still, median", statistics.median(still), "ms")
        yield Figure(f"{name}: a wrong picture once still, slowest", max(still), "ms")
        yield Figure(f"{name}: a new ply, median", statistics.median(new), "ms")
        yield Figure(f"{name}: a new ply, slowest", max(new), "ms")


def timed(work: Any) -> float:
    """Return the milliseconds that some work took."""
    start = time.thread_time_ns()
    work()
    return (time.thread_time_ns() - start) / 1e6


def stand(rules: AnyRules, plies: int, dice: random.Random) -> Any:
    """Return a position of an open round after so many plies or more, on the mat with both hands empty."""
    position, played = rules.initial(), 0
    while True:
        if rules.outcome(position) is not None or played > 4 * plies:
            position, played = rules.initial(), 0
        if played >= plies and not (rules.surface == "mat" and any(rules.supply(position).values())):
            return position
        moves = list(rules.legal(position))
        if rules.surface == "mat":
            moves = [move for move in moves if not rules.footprint(position, move).aftermath] or moves
        position, _events = rules.apply(position, dice.choice(moves))
        played += 1


def fumble(rules: AnyRules, position: Any, dice: random.Random, changes: list[float], still: list[float]) -> None:
    """Make moves cell by cell, every other with a cell that is none of its own; note what each change took."""
    picture = Picture(Round(rules, position), Sensing.PRESENCE)
    base = tuple(reads(content, Sensing.PRESENCE) for content in rules.contents(position))
    moves = list(rules.legal(position))
    for number in range(MOVES):
        picture.begin(Snapshot(base, 0))
        picture.prospect.prepare()
        footprint = rules.footprint(position, dice.choice(moves))
        steps = [(cell, 0) for cell in footprint.lifts]
        steps += [(cell, content) for cell, content in footprint.after.items() if content]
        steps += list(footprint.aftermath.items())
        if number % 2:
            steps.insert(dice.randrange(len(steps) + 1), (cell := dice.randrange(len(base)), 1 - base[cell]))
        for moment, (cell, content) in enumerate(steps):
            at: Millis = 100 * moment
            changes.append(timed(lambda c=cell, n=content, t=at: sense(picture, c, n, t)))
        if number % 4 == 1:
            still.append(timed(picture.look_further))


def sense(picture: Picture, cell: int, content: int, at: Millis) -> None:
    """Take one change, and read what the picture means now."""
    if picture.seen.change(cell, reads(content, Sensing.PRESENCE), at):
        picture.look()
