"""What holds at every position of Bambam Booboo: the books balance, mirrors change nothing, footprints differ."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.games.bambam_booboo import GAME, BambamRules
from controller.games.bambam_booboo_position import Move, Position
from controller.games.seam import Cell

Turn = Callable[[float, float], tuple[float, float]]


def bound(width: int, height: int, stones: int) -> BambamRules:
    return GAME.rules(settings={"width": str(width), "height": str(height), "stones": str(stones)})


def played(rules: BambamRules, plies: int, rng: random.Random) -> Position:
    """A position after so many random plies, or the last one before the end."""
    position = rules.initial()
    for _ in range(plies):
        after, _ = rules.apply(position, rng.choice(rules.legal(position)))
        if after.outcome is not None:
            break
        position = after
    return position


ROUNDS = {
    "size": st.tuples(st.integers(8, 16), st.integers(8, 16)),
    "stones": st.integers(1, 20),
    "plies": st.integers(0, 60),
    "seed": st.integers(0, 2**32),
}


@given(**ROUNDS)
@settings(max_examples=30, deadline=None)
def test_every_ply_keeps_the_books(size: tuple[int, int], stones: int, plies: int, seed: int) -> None:
    rng = random.Random(seed)
    rules = bound(*size, stones)
    position = rules.initial()
    for _ in range(plies):
        moves = rules.legal(position)
        assert bool(moves) == (rules.outcome(position) is None)
        if not moves:
            break
        assert moves == rules.legal(position)
        move = rng.choice(moves)
        assert rules.parse_move(rules.move_text(move)) == move
        mark = rules.footprint(position, move)
        before = rules.contents(position)
        position, events = rules.apply(position, move)
        contents = rules.contents(position)
        overlaid = dict(enumerate(before)) | dict(mark.after) | dict(mark.aftermath)
        assert tuple(overlaid[cell] for cell in range(len(before))) == contents
        assert mark.lifts <= set(mark.after)
        hands = rules.hands(position)
        for owner in (1, 2):
            assert contents.count(owner) % 2 == 0
            assert contents.count(owner) // 2 + hands[str(owner)] == stones
        text = rules.position_text(position)
        read = rules.parse_position(text, position.to_move)
        assert (rules.position_text(read), read.stones) == (text, position.stones)
        assert (read.outcome is None) == (position.outcome is None or position.outcome.reason == "blocked")
        assert (events[-1].type in ("win", "draw")) == (position.outcome is not None)
        assert hash(position) == hash(position._replace())


SQUARE: list[Turn] = [
    lambda x, y: (x, y),
    lambda x, y: (-x, y),
    lambda x, y: (x, -y),
    lambda x, y: (-x, -y),
    lambda x, y: (y, x),
    lambda x, y: (-y, x),
    lambda x, y: (y, -x),
    lambda x, y: (-y, -x),
]


def cell_map(rules: BambamRules, turn: Turn) -> list[Cell]:
    """Where each cell goes when the mat is turned about its centre."""
    middle_x, middle_y = rules.mat.width - 1, rules.mat.height - 1
    at = {(place.x, place.y): cell for cell, place in enumerate(rules.cells)}
    turned = [turn(2 * place.x - middle_x, 2 * place.y - middle_y) for place in rules.cells]
    return [at[((x + middle_x) / 2, (y + middle_y) / 2)] for x, y in turned]


def turned_text(rules: BambamRules, position: Position, mapped: list[Cell]) -> str:
    stones = []
    for item in filter(None, rules.position_text(position).split(",")):
        name, owner = item.split(":")
        first, second = sorted(mapped[cell] for cell in rules.spot(name))
        lie = "V" if rules.cells[first].x == rules.cells[second].x else "H"
        stones.append(f"{lie}{rules.cells[first].name}:{owner}")
    return ",".join(stones)


Trace = tuple[frozenset[Cell], frozenset[Cell], frozenset[Cell]]


def trace(rules: BambamRules, position: Position, move: Move, mapped: list[Cell]) -> Trace:
    """A move as the cells of its start, its end and what stays, each sent through `mapped`."""
    stays = next(choice.stays for choice in rules.choices(position, move) if choice.move == move)
    start = () if move.start is None else rules.mat.cells_of(move.start)
    end = () if move.end is None else rules.mat.cells_of(move.end)
    kept = [cell for pair in stays for cell in pair]
    start_cells, end_cells, kept_cells = (frozenset(mapped[cell] for cell in cells) for cells in (start, end, kept))
    return start_cells, end_cells, kept_cells


@pytest.mark.parametrize("square", [True, False], ids=["square, 8 ways", "oblong, 4 ways"])
@given(wide=st.integers(8, 10), stones=st.integers(1, 7), plies=st.integers(0, 30), seed=st.integers(0, 2**32))
@settings(max_examples=8, deadline=None)
def test_turning_the_mat_turns_the_moves(square: bool, wide: int, stones: int, plies: int, seed: int) -> None:
    rules = bound(wide, wide if square else wide + 1, stones)
    position = played(rules, plies, random.Random(seed))
    unturned = list(range(len(rules.cells)))
    for turn in SQUARE if square else SQUARE[:4]:
        mapped = cell_map(rules, turn)
        assert sorted(mapped) == unturned
        twin = rules.parse_position(turned_text(rules, position, mapped), position.to_move)
        here = {trace(rules, position, move, mapped) for move in rules.legal(position)}
        there = {trace(rules, twin, move, unturned) for move in rules.legal(twin)}
        assert here == there
        assert len(here) == len(rules.legal(position))


@given(**ROUNDS)
@settings(max_examples=20, deadline=None)
def test_no_two_moves_leave_the_same_mark(size: tuple[int, int], stones: int, plies: int, seed: int) -> None:
    rules = bound(*size, stones)
    position = played(rules, plies, random.Random(seed))
    moves = rules.legal(position)
    marks = [rules.footprint(position, move) for move in moves]
    assert len({(mark.lifts, frozenset(mark.after.items()), frozenset(mark.aftermath)) for mark in marks}) == len(moves)


@given(**ROUNDS)
@settings(max_examples=20, deadline=None)
def test_choices_agree_with_what_is_played(size: tuple[int, int], stones: int, plies: int, seed: int) -> None:
    rng = random.Random(seed)
    rules = bound(*size, stones)
    position = played(rules, plies, rng)
    moves = rules.legal(position)
    tied = [move for move in moves if move.stays is not None][:5]
    for move in {*tied, *rng.sample(moves, min(5, len(moves)))}:
        choices = rules.choices(position, move)
        assert {choice.move for choice in choices} == {each for each in moves if each[:2] == move[:2]}
        assert (len(choices) > 1) == (move.stays is not None)
        for choice in choices:
            after, _ = rules.apply(position, choice.move)
            lying = {cell for cell, content in enumerate(rules.contents(after)) if content}
            assert lying == {cell for pair in choice.stays for cell in pair}
            gone = {cell for pair in choice.goes for cell in pair}
            assert gone == set(rules.footprint(position, choice.move).aftermath)
            assert sorted(choice.stays) == list(choice.stays)


def test_random_rounds_do_come_to_ties_and_returns() -> None:
    """The properties above would be hollow if small rounds never split."""
    rules = bound(9, 9, 4)
    rng = random.Random(5)
    position = rules.initial()
    ties = returns = 0
    for _ in range(150):
        if position.outcome is not None:
            position = rules.initial()
        moves = rules.legal(position)
        ties += any(move.stays is not None for move in moves)
        position, events = rules.apply(position, rng.choice(moves))
        returns += any(event.type == "return" for event in events)
    assert ties > 5
    assert returns > 5
