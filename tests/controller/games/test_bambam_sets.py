"""Bambam Booboo's moves and results against a slow reading of the rules with sets of coordinates.

Nothing here shares code or ideas with the rules under test: a stone is ``(file, rank, lie)``, and every slide is walked
step by step. Only the tokens are compared.
"""

import random
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.games.bambam_booboo import GAME, BambamRules

Point = tuple[int, int]
Stone = tuple[int, int, str]
Owners = dict[Stone, int]

WAYS = ((1, 0), (-1, 0), (0, 1), (0, -1))
FILES = [*"abcdefghijklmnopqrstuvwxyz", *("a" + letter for letter in "abcdef")]


@cache
def points(stone: Stone) -> frozenset[Point]:
    file, rank, lie = stone
    return frozenset({(file, rank), (file + 1, rank) if lie == "H" else (file, rank + 1)})


@cache
def beside(where: frozenset[Point]) -> frozenset[Point]:
    return frozenset((file + right, rank + up) for file, rank in where for right, up in WAYS) - where


def covered(stones: Owners) -> set[Point]:
    return {point for stone in stones for point in points(stone)}


def moved(stone: Stone, way: Point, steps: int = 1) -> Stone:
    return stone[0] + steps * way[0], stone[1] + steps * way[1], stone[2]


def name(stone: Stone) -> str:
    return f"{stone[2]}{FILES[stone[0]]}{stone[1] + 1}"


class SlowMat(NamedTuple):
    width: int
    height: int

    def on(self, stone: Stone) -> bool:
        return all(0 <= file < self.width and 0 <= rank < self.height for file, rank in points(stone))

    def off(self, stone: Stone) -> bool:
        return not any(0 <= file < self.width and 0 <= rank < self.height for file, rank in points(stone))

    def all_stones(self) -> Iterator[Stone]:
        for file in range(self.width):
            for rank in range(self.height):
                yield from (stone for stone in ((file, rank, "H"), (file, rank, "V")) if self.on(stone))

    def slides_in(self, end: Stone, taken: set[Point]) -> bool:
        """Walk back from `end` in each direction until the stone is off the mat."""
        for way in WAYS:
            at = end
            while not points(at) & taken:
                if self.off(at):
                    return True
                at = moved(at, way)
        return False

    def from_hand(self, taken: set[Point]) -> set[Stone]:
        free = [stone for stone in self.all_stones() if not points(stone) & taken]
        if not taken:
            return set(free)
        return {end for end in free if beside(points(end)) & taken and self.slides_in(end, taken)}

    def on_table(self, stone: Stone, others: set[Point]) -> set[Stone]:
        def touches(at: Stone) -> bool:
            return bool(beside(points(at)) & others)

        ends = set()
        loose = False
        for way in WAYS:
            at = moved(stone, way)
            while not points(at) & others and not self.off(at):
                if self.on(at):
                    ends.add(at)
                    loose = loose or not touches(at)
                at = moved(at, way)
            loose = loose or self.off(at)
        if loose:
            area, outside = self.area(points(stone), others)
            if outside:
                ends |= self.from_hand(others) if others else set()
            else:
                ends |= {
                    end for end in self.all_stones() if points(end) <= area and self.slid_within(end, area, others)
                }
        return {end for end in ends if touches(end) and end != stone}

    def area(self, seed: frozenset[Point], others: set[Point]) -> tuple[set[Point], bool]:
        """The free places that join `seed`, on the mat and on a rim of table around it; whether the rim is reached."""
        seen, todo = set(seed), list(seed)
        while todo:
            for file, rank in beside(frozenset({todo.pop()})):
                if -1 <= file <= self.width and -1 <= rank <= self.height and (file, rank) not in others | seen:
                    seen.add((file, rank))
                    todo.append((file, rank))
        return seen, any(file in (-1, self.width) or rank in (-1, self.height) for file, rank in seen)

    def slid_within(self, end: Stone, area: set[Point], others: set[Point]) -> bool:
        for way in WAYS:
            at = moved(end, way)
            while points(at) <= area:
                if not beside(points(at)) & others:
                    return True
                at = moved(at, way)
        return False


def groups_of(stones: Owners) -> list[set[Stone]]:
    at = {point: stone for stone in stones for point in points(stone)}
    left = set(stones)
    found = []
    while left:
        group, todo = set(), [left.pop()]
        while todo:
            stone = todo.pop()
            group.add(stone)
            near = {at[point] for point in beside(points(stone)) if point in at} & left
            left -= near
            todo += near
        found.append(group)
    return found


def has_won(stones: Owners, player: int, last: Stone) -> bool:
    """Four own stones that exactly fill a block win, unless all of them lie along the block's length."""
    near = [s for s, owner in stones.items() if owner == player and abs(s[0] - last[0]) < 4 and abs(s[1] - last[1]) < 4]
    if len(near) < 4:
        return False
    for wide, high, lengthwise in ((4, 2, "H"), (2, 4, "V")):
        for left in range(last[0] - wide + 1, last[0] + 1):
            for low in range(last[1] - high + 1, last[1] + 1):
                block = {(left + right, low + up) for right in range(wide) for up in range(high)}
                inside = [stone for stone in near if points(stone) <= block]
                if len(inside) == 4 and any(stone[2] != lengthwise for stone in inside):
                    return True
    return False


def results(stones: Owners, player: int, start: Stone | None, end: Stone) -> dict[str, Owners]:
    """What lies on the mat after each token of that move."""
    after = {stone: owner for stone, owner in stones.items() if stone != start} | {end: player}
    token = name(end) if start is None else f"{name(start)}-{name(end)}"
    if has_won(after, player, end):
        return {token: after}
    found = groups_of(after)
    most = max(len(group) for group in found)
    tied = [group for group in found if len(group) == most]
    kept = [{stone: after[stone] for stone in group} for group in tied]
    if len(tied) == 1:
        return {token: kept[0]}
    return {f"{token}:{name(min(group))}": each for group, each in zip(tied, kept, strict=True)}


def expected(mat: SlowMat, stones: Owners, player: int, hand: int) -> dict[str, Owners]:
    """Every legal token with what lies on the mat after it."""
    taken = covered(stones)
    found: dict[str, Owners] = {}
    if hand:
        for end in mat.from_hand(taken):
            found |= results(stones, player, None, end)
    else:
        for start in [stone for stone, owner in stones.items() if owner == player]:
            for end in mat.on_table(start, taken - points(start)):
                found |= results(stones, player, start, end)
    return found or {"pass": stones}


def text(stones: Owners) -> str:
    return ",".join(f"{name(stone)}:{stones[stone]}" for stone in sorted(stones))


def agree(rules: BambamRules, mat: SlowMat, stones: Owners, player: int, rng: random.Random, samples: int) -> None:
    """Legal tokens agree, and so do the results of a sample of them, those with a choice first."""
    position = rules.parse_position(text(stones), player)
    if position.outcome is not None:
        return
    wanted = expected(mat, stones, player, rules.hands(position)[str(player)])
    moves = {rules.move_text(move): move for move in rules.legal(position)}
    assert len(moves) == len(rules.legal(position))
    assert set(moves) == set(wanted)
    chosen = [token for token in sorted(moves) if ":" in token][:samples]
    for token in {*chosen, *rng.sample(sorted(moves), min(samples, len(moves)))}:
        after, _ = rules.apply(position, moves[token])
        assert rules.position_text(after) == text(wanted[token])
        new = set(wanted[token]) - set(stones)
        won = any(has_won(wanted[token], player, stone) for stone in new)
        assert (rules.outcome(after) is not None) == won


def bound(mat: SlowMat, most: int) -> BambamRules:
    return GAME.rules(settings={"width": str(mat.width), "height": str(mat.height), "stones": str(most)})


MATS = st.builds(SlowMat, st.integers(8, 11), st.integers(8, 11))


@given(mat=MATS, most=st.integers(1, 8), seed=st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_random_games(mat: SlowMat, most: int, seed: int) -> None:
    rng = random.Random(seed)
    rules = bound(mat, most)
    named = {name(stone): stone for stone in mat.all_stones()}
    position = rules.initial()
    stones: Owners = {}
    for ply in range(2 * most + 10):
        if position.outcome is not None:
            return
        player = position.to_move
        if ply % 4 == seed % 4:
            agree(rules, mat, stones, player, rng, 4)
        move = rng.choice(rules.legal(position))
        position, _ = rules.apply(position, move)
        token = rules.move_text(move)
        if token != "pass":
            start, _, end = token.partition(":")[0].rpartition("-")
            stones = results(stones, player, named.get(start), named[end])[token]
        assert rules.position_text(position) == text(stones)


def grown(mat: SlowMat, count: int, rng: random.Random) -> Owners:
    """Stones set down one by one in contact, wherever there is room."""
    stones: Owners = {}
    for turn in range(2 * count):
        taken = covered(stones)
        spots = [
            stone
            for stone in mat.all_stones()
            if not points(stone) & taken and (not taken or beside(points(stone)) & taken)
        ]
        if not spots:
            break
        stones[rng.choice(spots)] = 1 + turn % 2
    return stones


@given(mat=MATS, count=st.integers(2, 14), seed=st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_stones_all_on_the_mat(mat: SlowMat, count: int, seed: int) -> None:
    rng = random.Random(seed)
    stones = grown(mat, count, rng)
    most = sum(owner == 1 for owner in stones.values())
    agree(bound(mat, most), mat, stones, 1, rng, 12)


def ring(left: int, low: int, wide: int, high: int, turn: int) -> list[Stone]:
    """Stones all round a room of that size, its least place at (left, low)."""
    right, top = left + wide, low + high
    path = [
        *((file, low - 1) for file in range(left - 1, right)),
        *((right, rank) for rank in range(low - 1, top)),
        *((file, top) for file in range(right, left - 1, -1)),
        *((left - 1, rank) for rank in range(top, low - 1, -1)),
    ]
    path = path[turn:] + path[:turn]
    pairs = [sorted(pair) for pair in zip(path[::2], path[1::2], strict=True)]
    return [(first[0], first[1], "H" if second[0] > first[0] else "V") for first, second in pairs]


@given(
    wide=st.integers(3, 7),
    high=st.integers(3, 7),
    turn=st.integers(0, 1),
    gap=st.sampled_from([None, None, 0, 1, 2, 5]),
    inside=st.integers(1, 4),
    seed=st.integers(0, 2**32),
)
@settings(max_examples=40, deadline=None)
def test_rooms(wide: int, high: int, turn: int, gap: int | None, inside: int, seed: int) -> None:
    rng = random.Random(seed)
    mat = SlowMat(rng.randrange(max(8, wide + 2), 12), rng.randrange(max(8, high + 2), 12))
    left, low = rng.randrange(1, mat.width - wide), rng.randrange(1, mat.height - high)
    wall = ring(left, low, wide, high, turn)
    if gap is not None:
        wall.pop(gap)
    stones: Owners = {stone: rng.choice((1, 2)) for stone in wall}
    for _ in range(inside):
        taken = covered(stones)
        spots = [
            stone
            for stone in mat.all_stones()
            if not points(stone) & taken
            and all(left <= file < left + wide and low <= rank < low + high for file, rank in points(stone))
        ]
        if spots:
            stones[rng.choice(spots)] = 1
    counts = [sum(owner == player for owner in stones.values()) for player in (1, 2)]
    mover = 1 if counts[0] >= counts[1] else 2
    agree(bound(mat, max(counts)), mat, stones, mover, rng, 8)


def test_the_slow_reading_sees_rooms_and_ties() -> None:
    """The cases above are of use only if such things occur; so a room and a tie by hand."""
    mat = SlowMat(10, 10)
    wall = covered(dict.fromkeys(ring(2, 2, 5, 4, 0), 1))
    ends = mat.on_table((6, 3, "V"), wall)
    assert ends
    assert all(1 < file < 7 and 1 < rank < 6 for end in ends for file, rank in points(end))
    assert (2, 3, "H") in ends
    assert (2, 2, "H") not in ends
    tied = results({(0, 0, "H"): 2, (2, 0, "H"): 1, (4, 0, "H"): 1, (6, 0, "H"): 1}, 1, (2, 0, "H"), (0, 1, "H"))
    assert set(tied) == {"Hc1-Ha2:Ha1", "Hc1-Ha2:He1"}


@pytest.mark.parametrize("seed", range(2))
def test_forty_stones_on_the_usual_mat(seed: int) -> None:
    rng = random.Random(seed)
    mat = SlowMat(16, 16)
    stones = grown(mat, 20, rng)
    agree(bound(mat, 20), mat, stones, 1, rng, 5)


def test_files_after_z() -> None:
    mat = SlowMat(32, 8)
    stones: Owners = {(24, 3, "H"): 1, (26, 3, "H"): 2, (28, 3, "V"): 1, (26, 4, "V"): 2}
    agree(bound(mat, 2), mat, stones, 1, random.Random(1), 20)
