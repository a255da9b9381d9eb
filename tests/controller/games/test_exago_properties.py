"""Exago against a second, slow telling of its rules, and what must hold in every round."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.games.exago import GAME, ExagoRules
from controller.games.exago_play import Position
from controller.games.records import read_record
from controller.games.replay import replay

GOLDEN = sorted((Path(__file__).parents[2] / "golden").glob("exago-*.pgn"))
STEPS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)]
LETTERS = "RBYGPO"


@cache
def neighbours(radius: int) -> dict[tuple[int, int], tuple[tuple[int, int], ...]]:
    """Return the cells of the board as (row, number), each with those next to it."""
    span = range(-radius, radius + 1)
    cells = [(r + radius, q + radius + 1) for r in span for q in span if max(abs(q), abs(r), abs(q + r)) <= radius]
    return {
        (row, number): tuple((row + dr, number + dq) for dq, dr in STEPS if (row + dr, number + dq) in cells)
        for row, number in cells
    }


@dataclass(frozen=True)
class Slow:
    """A round, told with a dict from (row, number) to the player whose piece lies there, and the words of the rules."""

    radius: int
    players: int
    pieces: int
    need: int
    free_moves: bool = False
    always_dissolve: bool = False
    left_block: bool = True
    max_plies: int | None = None
    taken: tuple[int, ...] = ()
    turn: int = 1
    board: dict[tuple[int, int], int] = field(default_factory=dict)
    owed: tuple[int, ...] = (0,) * 6
    passes: int = 0
    plies: int = 0
    over: dict[str, Any] | None = None

    # The board

    def cells(self) -> tuple[tuple[int, int], ...]:
        return tuple(neighbours(self.radius))

    def near(self, cell: tuple[int, int]) -> tuple[tuple[int, int], ...]:
        return neighbours(self.radius)[cell]

    def groups(self, cells: set[tuple[int, int]]) -> list[set[tuple[int, int]]]:
        left, groups = set(cells), []
        while left:
            todo, group = [left.pop()], set[tuple[int, int]]()
            while todo:
                cell = todo.pop()
                group.add(cell)
                fresh = [near for near in self.near(cell) if near in left]
                left.difference_update(fresh)
                todo += fresh
            groups.append(group)
        return groups

    def largest(self, cells: set[tuple[int, int]]) -> list[set[tuple[int, int]]]:
        groups = self.groups(cells)
        most = max(map(len, groups), default=0)
        return sorted((group for group in groups if len(group) == most), key=min)

    def rows(self, board: dict[tuple[int, int], int], player: int) -> list[list[tuple[int, int]]]:
        """Every whole row of the player's colour that is long enough."""
        own = {cell for cell, owner in board.items() if owner == player}
        rows = []
        for dr, dq in ((0, 1), (1, 0), (1, -1)):
            for row, number in own:
                if (row - dr, number - dq) not in own:
                    run = [(row, number)]
                    while (run[-1][0] + dr, run[-1][1] + dq) in own:
                        run.append((run[-1][0] + dr, run[-1][1] + dq))
                    if len(run) >= self.need:
                        rows.append(sorted(run))
        return sorted(rows)

    def hand(self, player: int) -> int:
        gone = self.taken[player - 1] if player <= len(self.taken) else 0
        return self.pieces - gone - list(self.board.values()).count(player)

    # Turns: (from, to, the least cell of the group that stays, the board before anything returns, what returns)

    def turns(self, player: int) -> Iterator[tuple[str, dict[tuple[int, int], int], set[tuple[int, int]]]]:
        """Yield the token, the board with everything that lay on it during the turn, and the cells that go back."""
        if self.hand(player):
            for cell in self.cells():
                touching = any(near in self.board for near in self.near(cell))
                if cell not in self.board and (touching or (not self.board and cell == (self.radius, self.radius + 1))):
                    yield self.name(cell), self.board | {cell: player}, set()
        if self.hand(player) and not (self.free_moves and not self.owed[player - 1]):
            return
        for origin in [cell for cell, owner in self.board.items() if owner == player]:
            rest = {cell: owner for cell, owner in self.board.items() if cell != origin}
            for target in self.cells():
                if target != origin and target not in self.board:
                    yield from self.moves(player, rest, origin, target)

    def moves(
        self, player: int, rest: dict[tuple[int, int], int], origin: tuple[int, int], target: tuple[int, int]
    ) -> Iterator[tuple[str, dict[tuple[int, int], int], set[tuple[int, int]]]]:
        token = f"{self.name(origin)}-{self.name(target)}"
        full = rest | {target: player}
        if self.always_dissolve:
            kept = self.largest(set(rest))
            for group in kept:
                if group & set(self.near(target)):
                    yield token + (f":{self.name(min(group))}" if len(kept) > 1 else ""), full, set(rest) - group
            return
        if not any(near in rest for near in self.near(target)):
            return
        kept = self.largest(set(full))
        if self.rows(full, player):
            yield token, full, set()
            return
        for group in kept:
            yield token + (f":{self.name(min(group))}" if len(kept) > 1 else ""), full, set(full) - group

    def wins(self, player: int) -> bool:
        return any(
            self.rows({cell: owner for cell, owner in full.items() if cell not in gone}, player)
            for _, full, gone in self.turns(player)
        )

    def legal(self) -> list[str]:
        if self.over:
            return []
        tokens = [token for token, _, _ in self.turns(self.turn)] or ["pass"]
        if self.players == 2 or not self.left_block or self.wins(self.turn):
            return sorted(tokens)
        others = [(self.turn - 1 + ahead) % self.players + 1 for ahead in range(1, self.players)]
        threats = [player for player in others if self.wins(player)]
        if len(threats) < 2:
            return sorted(tokens)
        return sorted([token for token in tokens if not self.play(token)[0].wins(threats[0])] or tokens)

    def play(self, token: str) -> tuple["Slow", list[dict[str, Any]]]:
        passed = replace(
            self, turn=self.turn % self.players + 1, plies=self.plies + 1, passes=self.passes + 1, owed=self.owed
        )
        if token == "pass":
            over = {"winner": None, "reason": "blocked"} if passed.passes == self.players else passed.limit()
            return replace(passed, over=over), [{"type": "pass"}, *ending(over)]
        full, gone = next((full, gone) for written, full, gone in self.turns(self.turn) if written == token)
        owed = list(self.owed)
        if "-" in token:
            origin, target = token.split(":")[0].split("-")
            events: list[dict[str, Any]] = [{"type": "move", "from": origin, "to": target}]
        else:
            events = [{"type": "place", "cell": token, "colour": LETTERS[self.turn - 1]}]
            owed[self.turn - 1] = max(0, owed[self.turn - 1] - 1)
        for owner in range(1, self.players + 1):
            back = sorted(cell for cell in gone if full[cell] == owner)
            if back:
                events.append({"type": "return", "owner": owner, "cells": [self.name(cell) for cell in back]})
                owed[owner - 1] += len(back)
        board = {cell: owner for cell, owner in full.items() if cell not in gone}
        rows = self.rows(board, self.turn)
        events += [{"type": "line", "cells": [self.name(cell) for cell in row]} for row in rows]
        over = {"winner": self.turn, "reason": "line"} if rows else passed.limit()
        after = replace(passed, board=board, owed=tuple(owed), passes=0, over=over)
        return after, [*events, *ending(over)]

    def limit(self) -> dict[str, Any] | None:
        return {"winner": None, "reason": "ply-limit"} if self.plies == self.max_plies else None

    def name(self, cell: tuple[int, int]) -> str:
        return f"{'abcdefghijklmno'[cell[0]]}{cell[1]}"

    def text(self) -> str:
        return ",".join(f"{self.name(cell)}:{LETTERS[self.board[cell] - 1]}" for cell in sorted(self.board))


def ending(over: dict[str, Any] | None) -> list[dict[str, Any]]:
    if over is None:
        return []
    if over["winner"] is None:
        return [{"type": "draw", "reason": over["reason"]}]
    return [{"type": "win", "player": over["winner"], "reason": over["reason"]}]


def slow_of(players: int, given: dict[str, str]) -> Slow:
    limit = given.get("max_plies")
    return Slow(
        radius=int(given.get("radius", 5)),
        players=players,
        pieces=int(given.get("pieces", 12 if players == 2 else 6)),
        need=int(given.get("need", 5 if players == 2 else 4)),
        free_moves=given.get("free_moves") == "yes",
        always_dissolve=given.get("always_dissolve") == "yes",
        left_block=given.get("left_block") != "off",
        max_plies=None if limit is None else int(limit),
        taken=tuple(map(int, given.get("handicap", "0").split(","))),
        turn=int(given.get("first", 1)),
    )


def agree(game: ExagoRules, position: Position, slow: Slow) -> None:
    outcome = game.outcome(position)
    assert (None if outcome is None else outcome.as_json()) == slow.over
    assert game.to_move(position) == slow.turn
    assert game.position_text(position) == slow.text()
    assert game.hands(position) == {str(player): slow.hand(player) for player in range(1, slow.players + 1)}
    assert sorted(map(game.move_text, game.legal(position))) == slow.legal()


@st.composite
def variants(draw: st.DrawFn) -> tuple[int, dict[str, str]]:
    """Small boards with few pieces, so that pieces soon move and groups come apart."""
    players = draw(st.integers(2, 4))
    given = {
        "radius": draw(st.sampled_from("23")),
        "pieces": str(draw(st.integers(1, 4))),
        "need": str(draw(st.integers(2, 4))),
        "free_moves": draw(st.sampled_from(["no", "yes"])),
        "always_dissolve": draw(st.sampled_from(["no", "yes"])),
        "left_block": draw(st.sampled_from(["enforce", "enforce", "off"])),
        "handicap": draw(st.sampled_from(["0", "1", "0,1"])),
        "first": draw(st.sampled_from("12")),
    }
    if draw(st.booleans()):
        given["max_plies"] = str(draw(st.integers(1, 30)))
    return players, given


choices = st.lists(st.integers(0, 10_000), max_size=24)


def rounds(examples: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return lambda test: settings(max_examples=examples, deadline=None)(given(variant=variants(), picks=choices)(test))


def walk(game: ExagoRules, picks: list[int]) -> Iterator[tuple[Position, Any]]:
    """Yield each position of a random round and the move chosen there."""
    position = game.initial()
    for pick in picks:
        legal = game.legal(position)
        if not legal:
            return
        move = legal[pick % len(legal)]
        yield position, move
        position, _ = game.apply(position, move)


@rounds(60)
def test_moves_events_and_results_agree_with_the_slow_telling(
    variant: tuple[int, dict[str, str]], picks: list[int]
) -> None:
    game, slow = GAME.rules(*variant), slow_of(*variant)
    position = game.initial()
    agree(game, position, slow)
    for before, move in walk(game, picks):
        position, events = game.apply(before, move)
        slow, told = slow.play(game.move_text(move))
        assert [event.as_json() for event in events] == told
        agree(game, position, slow)


@rounds(40)
def test_no_piece_is_lost_and_footprints_tell_the_board(variant: tuple[int, dict[str, str]], picks: list[int]) -> None:
    game = GAME.rules(*variant)
    have = game.hands(game.initial())
    for position, chosen in walk(game, picks):
        for move in {chosen, *game.legal(position)[::7]}:
            mark = game.footprint(position, move)
            after, _ = game.apply(position, move)
            shown = dict(enumerate(game.contents(position))) | dict(mark.after) | dict(mark.aftermath)
            assert tuple(shown.values()) == game.contents(after)
            assert mark.lifts <= set(mark.after)
            assert all(game.contents(position)[cell] for cell in mark.lifts)
            on_board = game.contents(after)
            assert game.supply(after) == {owner: have[owner] - on_board.count(int(owner)) for owner in have}


@rounds(40)
def test_texts_round_trip(variant: tuple[int, dict[str, str]], picks: list[int]) -> None:
    game = GAME.rules(*variant)
    for position, _ in walk(game, picks):
        again = game.parse_position(game.position_text(position), position.to_move)
        assert again == position._replace(owed=again.owed, passes=0, plies=0)
        assert hash(again) == hash(again._replace())
        legal = game.legal(position)
        assert len(set(legal)) == len(legal)
        assert [game.parse_move(game.move_text(move)) for move in legal] == list(legal)


SYMMETRIES = [
    lambda q, r, turns=turns, flip=flip: turn((r, q) if flip else (q, r), turns)
    for turns in range(6)
    for flip in (False, True)
]


def turn(cell: tuple[int, int], times: int) -> tuple[int, int]:
    for _ in range(times):
        cell = (-cell[1], cell[0] + cell[1])  # a sixth of a round
    return cell


def carried(game: ExagoRules, radius: int, image: Callable[[int, int], tuple[int, int]]) -> list[int]:
    """Return for each cell the cell that the symmetry takes it to."""

    def name(q: int, r: int) -> str:
        return f"{'abcdefghijklmno'[r + radius]}{q + radius + 1}"

    names = [place.name for place in game.cells]
    coordinates = [(int(cell[1:]) - 1 - radius, "abcdefghijklmno".index(cell[0]) - radius) for cell in names]
    return [names.index(name(*image(q, r))) for q, r in coordinates]


@rounds(15)
def test_the_board_has_twelve_symmetries(variant: tuple[int, dict[str, str]], picks: list[int]) -> None:
    """Turning and flipping the board carries legal moves to legal moves, and what they return with them."""
    game = GAME.rules(*variant)
    maps = [carried(game, int(variant[1]["radius"]), image) for image in SYMMETRIES]
    assert len(set(map(tuple, maps))) == 12
    for position, _ in walk(game, picks[:12]):
        legal = game.legal(position)
        effects = {frozenset(game.footprint(position, move).aftermath) for move in legal[::5]}
        for to in maps:
            contents = game.contents(position)
            text = ",".join(f"{game.cells[to[cell]].name}:{LETTERS[c - 1]}" for cell, c in enumerate(contents) if c)
            there = game.parse_position(text, position.to_move)._replace(owed=position.owed)
            moved = game.legal(there)
            assert sorted((to_of(to, move.target), to_of(to, move.origin)) for move in legal) == sorted(
                (to_of(None, move.target), to_of(None, move.origin)) for move in moved
            )
            there_effects = {frozenset(game.footprint(there, move).aftermath) for move in moved}
            assert {frozenset(to[cell] for cell in cells) for cells in effects} <= there_effects


def to_of(to: list[int] | None, cell: int | None) -> int:
    return -1 if cell is None else cell if to is None else to[cell]


def count(game: ExagoRules, position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(count(game, game.apply(position, move)[0], depth - 1) for move in game.legal(position))


@pytest.mark.parametrize(
    ("players", "given", "counts"),
    [
        (2, {}, [1, 6, 48, 468, 5328]),
        (2, {"radius": "2", "pieces": "1"}, [1, 6, 30, 108, 360, 1380]),
        (2, {"radius": "2", "pieces": "2", "free_moves": "yes"}, [1, 6, 78, 1068]),
        (3, {"radius": "2", "need": "3", "pieces": "3"}, [1, 6, 48, 426, 4026]),
    ],
)
def test_counts_of_all_ways_to_play(players: int, given: dict[str, str], counts: list[int]) -> None:
    game = GAME.rules(players, given)
    assert [count(game, game.initial(), depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_recorded_rounds_play_as_the_slow_telling_has_them(path: Path) -> None:
    """Whole rounds, to the end that the record's name says."""
    text = path.read_text(encoding="utf-8")
    record, _ = read_record(text)
    slow = slow_of(record.players or 2, dict(record.settings))
    for line in replay(text):
        assert "error" not in line, line
        events: list[dict[str, Any]] = []
        if line["move"] is not None:
            slow, events = slow.play(line["move"])
        assert line["events"] == events
        assert line["legal"] == slow.legal()
        assert line["position"] == slow.text()
        assert line["outcome"] == slow.over
        assert line["scores"] == [0] * slow.players
    assert path.stem.endswith(line["outcome"]["reason"])


def test_there_are_recorded_rounds() -> None:
    assert len(GOLDEN) >= 5
