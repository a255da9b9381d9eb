"""Bamogo against a second, slow telling of its rules, and what must hold in every round."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.games.bamogo import GAME, BamogoRules, Position

NAMES = [file + rank for file in "abcd" for rank in "1234"]
SUPPLY = {"R": 5, "B": 5, "Y": 6}


def spot(name: str) -> tuple[int, int]:
    return "abcd".index(name[0]), int(name[1]) - 1


def neighbours(one: str, other: str) -> bool:
    (file, rank), (file2, rank2) = spot(one), spot(other)
    return abs(file - file2) + abs(rank - rank2) == 1


def in_a_row(cells: tuple[str, str, str]) -> bool:
    (a, b), (c, d), (e, f) = map(spot, cells)
    return (c - a, d - b) == (e - c, f - d) and max(abs(c - a), abs(d - b)) == 1


ROWS = [cells for cells in combinations(NAMES, 3) if in_a_row(cells)]


@dataclass(frozen=True)
class Slow:
    """A round, told with a dict of stones and the words of the rules."""

    ko: str
    players: int
    target: int
    limit: int | None
    turn: int = 1
    board: dict[str, str] = field(default_factory=dict)
    scores: tuple[int, ...] = ()
    last: str = ""
    plies: int = 0

    def left(self) -> dict[str, int]:
        return {colour: count - list(self.board.values()).count(colour) for colour, count in SUPPLY.items()}

    def over(self) -> dict[str, Any] | None:
        for number, score in enumerate(self.scores, start=1):
            if score >= self.target:
                return {"winner": number, "reason": "target"}
        if self.limit is None or self.plies < self.limit:
            return None
        leaders = [number for number, score in enumerate(self.scores, start=1) if score == max(self.scores)]
        return {"winner": leaders[0] if len(leaders) == 1 else None, "reason": "ply-limit"}

    def legal(self) -> set[str]:
        if self.over():
            return set()
        pairs = [(one, other) for one, other in combinations(NAMES, 2) if neighbours(one, other)]
        left = self.left()
        places = {
            f"{colour}{one} {colour2}{other}"
            for one, other in pairs
            for colour, colour2 in product("RBY", repeat=2)
            if one not in self.board and other not in self.board
            if colour != colour2 and left[colour] and left[colour2]
        }
        binds = {
            "always": True,
            "never": False,
            "board-full": len(self.board) == 16,
            "after-placement": not places,
        }[self.ko]
        swaps = {
            f"{one}~{other}"
            for one, other in pairs
            if one in self.board and other in self.board and self.board[one] != self.board[other]
            if not (binds and self.last == f"{one}~{other}")
        }
        return places | swaps or {"pass"}

    def play(self, token: str) -> tuple["Slow", list[str]]:
        """Return the round after the move, and the rows that score as ``a1 a2 a3 R``."""
        board = dict(self.board)
        if "~" in token:
            touched = token.split("~")
            one, other = touched
            board[one], board[other] = board[other], board[one]
        elif token == "pass":
            touched = []
        else:
            touched = [word[1:] for word in token.split()]
            board |= {word[1:]: word[0] for word in token.split()}
        lines = [
            f"{' '.join(row)} {board[row[0]]}"
            for row in ROWS
            if set(row) & set(touched) and len({board.get(cell, cell) for cell in row}) == 1
        ]
        scores = list(self.scores)
        scores[self.turn - 1] += len(lines)
        after = replace(
            self,
            board=board,
            scores=tuple(scores),
            turn=self.turn % self.players + 1,
            last=token,
            plies=self.plies + 1,
        )
        return after, lines

    def text(self) -> str:
        return "/".join("".join(self.board.get(file + rank, ".") for file in "abcd") for rank in "4321")


KO = st.sampled_from(["after-placement", "board-full", "always", "never"])
CHOICES = st.lists(st.integers(0, 10_000), min_size=20, max_size=60)


def chosen(game: BamogoRules, position: Position, choice: int) -> Any:
    """Return one of the legal moves; about every third choice undoes or repeats a swap where that is legal."""
    moves = game.legal(position)
    if choice % 3 == 0 and position.swapped in moves:
        return position.swapped
    return moves[choice % len(moves)]


@given(KO, st.integers(1, 4), st.integers(1, 12), st.none() | st.integers(1, 40), CHOICES, st.data())
@settings(deadline=None, max_examples=120)
def test_legality_scoring_and_ends_agree_with_the_slow_rules(
    ko: str, players: int, target: int, limit: int | None, choices: list[int], data: st.DataObject
) -> None:
    first = data.draw(st.integers(1, players))
    options = {"ko": ko, "target": str(target), "max_plies": str(limit or "none"), "first": str(first)}
    game = GAME.rules(players, options)
    position = game.initial()
    slow = Slow(ko, players, target, limit, turn=first, scores=(0,) * players)
    for choice in [*choices, None]:
        moves = [game.move_text(move) for move in game.legal(position)]
        assert len(set(moves)) == len(moves)
        assert set(moves) == slow.legal()
        outcome = game.outcome(position)
        assert (outcome and outcome.as_json()) == slow.over()
        assert game.position_text(position) == slow.text()
        assert game.supply(position) == slow.left()
        assert (game.to_move(position), game.scores(position)) == (slow.turn, slow.scores)
        if choice is None or outcome:
            break
        move = chosen(game, position, choice)
        position, events = game.apply(position, move)
        slow, lines = slow.play(game.move_text(move))
        scored = [event.facts for event in events if event.type == "line"]
        assert [f"{' '.join(facts['cells'])} {facts['colour']}" for facts in scored] == lines


def walk(game: BamogoRules, choices: list[int]) -> list[tuple[Position, Any]]:
    """Return the positions of a round, each with the move played there."""
    steps = []
    position = game.initial()
    for choice in choices:
        if not game.legal(position):
            break
        move = chosen(game, position, choice)
        steps.append((position, move))
        position, _ = game.apply(position, move)
    return steps


@given(KO, CHOICES)
@settings(deadline=None, max_examples=40)
def test_texts_read_back(ko: str, choices: list[int]) -> None:
    game = GAME.rules(2, {"ko": ko, "target": "40"})
    for position, _ in walk(game, choices):
        for move in game.legal(position):
            assert game.parse_move(game.move_text(move)) == move
        text = game.position_text(position)
        again = game.parse_position(text, position.to_move, position.scores)
        assert again == position._replace(swapped=None, plies=0)
        assert game.position_text(again) == text


@given(CHOICES)
@settings(deadline=None, max_examples=40)
def test_stones_are_neither_lost_nor_made(choices: list[int]) -> None:
    game = GAME.rules(2, {"target": "40"})
    for position, move in walk(game, choices):
        contents = game.contents(position)
        left = game.supply(position)
        assert all(contents.count("_RBY".index(stone)) + left[stone] == SUPPLY[stone] for stone in SUPPLY)
        footprint = game.footprint(position, move)
        after, _ = game.apply(position, move)
        overlaid = [footprint.after.get(cell, held) for cell, held in enumerate(contents)]
        assert tuple(overlaid) == game.contents(after)
        assert footprint.lifts == {cell for cell in footprint.after if contents[cell]}


SYMMETRIES: dict[str, Callable[[int, int], tuple[int, int]]] = {
    "as it is": lambda x, y: (x, y),
    "quarter turn": lambda x, y: (y, 3 - x),
    "half turn": lambda x, y: (3 - x, 3 - y),
    "three quarters": lambda x, y: (3 - y, x),
    "left to right": lambda x, y: (3 - x, y),
    "near to far": lambda x, y: (x, 3 - y),
    "rising diagonal": lambda x, y: (y, x),
    "falling diagonal": lambda x, y: (3 - y, 3 - x),
}
COLOURS = {"as they are": str.maketrans("RB", "RB"), "red for blue": str.maketrans("RB", "BR")}


@pytest.mark.parametrize("colours", COLOURS)
@pytest.mark.parametrize("symmetry", SYMMETRIES)
@given(KO, CHOICES)
@settings(deadline=None, max_examples=8)
def test_the_turned_round_is_the_same_round(symmetry: str, colours: str, ko: str, choices: list[int]) -> None:
    def turned(name: str) -> str:
        x, y = SYMMETRIES[symmetry](*spot(name))
        return "abcd"[x] + "1234"[y]

    def turned_token(token: str) -> str:
        if token == "pass":
            return token
        if "~" in token:
            return "~".join(sorted(map(turned, token.split("~"))))
        words = [word[0].translate(COLOURS[colours]) + turned(word[1:]) for word in token.split()]
        return " ".join(sorted(words, key=lambda word: word[1:]))

    def turned_board(position: Position) -> dict[str, int]:
        mixed = (0, 1, 2, 3) if colours == "as they are" else (0, 2, 1, 3)
        return {turned(name): mixed[held] for name, held in zip(NAMES, game.contents(position), strict=True)}

    game = GAME.rules(2, {"ko": ko, "target": "40"})
    mirror = game.initial()
    for position, move in walk(game, choices):
        assert dict(zip(NAMES, game.contents(mirror), strict=True)) == turned_board(position)
        assert mirror.scores == position.scores
        expected = {turned_token(game.move_text(legal)) for legal in game.legal(position)}
        assert {game.move_text(legal) for legal in game.legal(mirror)} == expected
        mirror, _ = game.apply(mirror, game.parse_move(turned_token(game.move_text(move))))
