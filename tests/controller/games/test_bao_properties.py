"""Bao Kigogo against a second, slow telling of its rules, and what must hold in every round."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.games.bao_kigogo import GAME, BaoKigogoRules, Position
from controller.games.replay import replay

GOLDEN = sorted((Path(__file__).parents[2] / "golden").glob("bao-*.pgn"))


@dataclass
class Slow:
    """A round, told with a dict of pits by name and the words of the rules; one seed at a time."""

    columns: int
    endless: str
    pits: dict[str, int]
    turn: int = 1
    captured: list[int] = field(default_factory=lambda: [0, 0])
    before: list[tuple[dict[str, int], int]] = field(default_factory=list)
    over: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        self.before.append((dict(self.pits), self.turn))
        if not self.legal():
            self.lose(self.turn)

    def lose(self, player: int) -> dict[str, Any]:
        seeds = any(self.pits[pit] for pit in self.ring(player))
        self.over = {"winner": 3 - player, "reason": "no-move" if seeds else "all-captured"}
        return self.over

    def ring(self, player: int) -> list[str]:
        there, back = ("d", "c") if player == 1 else ("b", "a")
        columns = range(1, self.columns + 1)
        return [f"{there}{column}" for column in columns] + [f"{back}{column}" for column in reversed(columns)]

    def following(self, pit: str) -> str:
        ring = self.ring(1 if pit[0] in "cd" else 2)
        return ring[(ring.index(pit) + 1) % len(ring)]

    def sow(self, start: str) -> tuple[dict[str, int], list[tuple[str, list[str]]]] | None:
        ring = self.ring(1 if start[0] in "cd" else 2)
        pits, at, laps = [self.pits[pit] for pit in ring], ring.index(start), []
        for _ in range(10_000):
            hand, pits[at], lap = pits[at], 0, (ring[at], list[str]())
            for _ in range(hand):
                at = (at + 1) % len(ring)
                pits[at] += 1
                lap[1].append(ring[at])
            laps.append(lap)
            if pits[at] == 1:
                return {**self.pits, **dict(zip(ring, pits, strict=True))}, laps
        return None

    def legal(self, player: int | None = None) -> list[str]:
        if self.over:
            return []
        ring = self.ring(player or self.turn)
        many = [pit for pit in ring if self.pits[pit] >= 2]
        if many:
            return sorted(pit for pit in many if self.endless == "draw" or self.sow(pit))
        return sorted(pit for pit in ring if self.pits[pit] == 1 and self.pits[self.following(pit)] == 0)

    def play(self, start: str) -> list[dict[str, Any]]:
        mover, sown = self.turn, self.sow(start)
        self.turn = 3 - mover
        if sown is None:
            self.over = {"winner": None, "reason": "endless"}
            return [{"type": "draw", "reason": "endless"}]
        self.pits, laps = sown
        last = laps[-1][1][-1]
        seeds = sum(len(drops) for _, drops in laps)
        events: list[dict[str, Any]] = [{"type": "sow", "from": start, "laps": len(laps), "seeds": seeds, "last": last}]
        front, behind, mine = ("b", "a", "c") if mover == 1 else ("c", "d", "b")
        if last[0] == mine and self.pits[front + last[1:]]:
            taken = {row + last[1:]: self.pits[row + last[1:]] for row in sorted(front + behind)}
            self.pits.update(dict.fromkeys(taken, 0))
            self.captured[mover - 1] += sum(taken.values())
            events.append({"type": "capture", "pits": {pit: count for pit, count in taken.items() if count}})
        if not self.legal():
            events.append({"type": "win", "player": mover, "reason": self.lose(self.turn)["reason"]})
        elif (self.pits, self.turn) in self.before:
            self.over = {"winner": None, "reason": "repetition"}
            events.append({"type": "draw", "reason": "repetition"})
        self.before.append((dict(self.pits), self.turn))
        return events

    def text(self) -> str:
        return "/".join(",".join(str(self.pits[f"{rank}{n}"]) for n in range(1, self.columns + 1)) for rank in "abcd")


def pits_of(text: str) -> dict[str, int]:
    ranks = zip("abcd", text.split("/"), strict=True)
    return {f"{rank}{n}": int(count) for rank, row in ranks for n, count in enumerate(row.split(","), start=1)}


def slow_of(game: BaoKigogoRules) -> Slow:
    start = game.initial()
    columns = len(game.cells) // 4
    return Slow(columns, game.settings.get("endless", "draw"), pits_of(game.position_text(start)), start.to_move)


def agree(game: BaoKigogoRules, position: Position, slow: Slow) -> None:
    outcome = game.outcome(position)
    assert (None if outcome is None else outcome.as_json()) == slow.over
    assert sorted(map(game.move_text, game.legal(position))) == slow.legal()
    assert game.position_text(position) == slow.text()
    assert game.hands(position) == {"captured": slow.captured}
    assert game.scores(position) == tuple(slow.captured)
    assert game.to_move(position) == slow.turn


@st.composite
def set_ups(draw: st.DrawFn) -> BaoKigogoRules:
    """A game of 4 to 6 columns from its start, or from few or many seeds anywhere."""
    columns = draw(st.integers(4, 6))
    given = {
        "columns": str(columns),
        "first": draw(st.sampled_from("12")),
        "endless": draw(st.sampled_from(["draw", "illegal"])),
    }
    seeds = draw(st.sampled_from([None, (0, 0, 0, 1), (0, 0, 0, 1, 1, 2), (0, 1, 2, 3), (0, 1, 1, 5, 13, 30)]))
    if seeds is not None:
        ranks = st.lists(st.sampled_from(seeds).map(str), min_size=columns, max_size=columns).map(",".join)
        given["setup"] = "/".join(draw(st.tuples(ranks, ranks, ranks, ranks)))
    return GAME.rules(settings=given)


choices = st.lists(st.integers(0, 1000), max_size=40)


def rounds(test: Callable[..., None]) -> Callable[..., None]:
    return settings(max_examples=80, deadline=None)(given(game=set_ups(), picks=choices)(test))


@rounds
def test_moves_events_and_results_agree_with_the_slow_telling(game: BaoKigogoRules, picks: list[int]) -> None:
    slow, position = slow_of(game), game.initial()
    agree(game, position, slow)
    for pick in picks:
        legal = game.legal(position)
        if not legal:
            break
        move = legal[pick % len(legal)]
        position, events = game.apply(position, move)
        assert [event.as_json() for event in events] == slow.play(game.move_text(move))
        agree(game, position, slow)


@rounds
def test_r1_no_seed_is_lost_and_none_crosses_over(game: BaoKigogoRules, picks: list[int]) -> None:
    position = game.initial()
    half = len(game.cells) // 2
    north, south = sum(game.contents(position)[:half]), sum(game.contents(position)[half:])
    for pick in picks:
        legal = game.legal(position)
        if not legal:
            break
        position, events = game.apply(position, legal[pick % len(legal)])
        contents = game.contents(position)
        by_south, by_north = game.scores(position)
        assert sum(contents[:half]) + by_south == north
        assert sum(contents[half:]) + by_north == south
        assert min(contents) >= 0
        for event in events:
            assert event.type != "capture" or all(count > 0 for count in event.facts["pits"].values())


@rounds
def test_footprints_and_relays_tell_what_the_move_does(game: BaoKigogoRules, picks: list[int]) -> None:
    slow, position = slow_of(game), game.initial()
    for pick in picks:
        legal = game.legal(position)
        if not legal:
            break
        for move in legal:
            mark, relay = game.footprint(position, move), game.relay(position, move)
            after, events = game.apply(position, move)
            shown = dict(enumerate(game.contents(position))) | dict(mark.after) | dict(mark.aftermath)
            assert tuple(shown.values()) == game.contents(after)
            assert mark.lifts == {move}
            slow.pits = pits_of(game.position_text(position))
            told = slow.sow(game.move_text(move))
            if relay is None or told is None:
                assert (relay, told) == (None, None)
                assert [event.type for event in events] == ["draw"]
                continue
            names = [(game.move_text(lap.taken), list(map(game.move_text, lap.sown))) for lap in relay]
            assert names == told[1]
            assert set(mark.after) == {move}.union(*(lap.sown for lap in relay))
            assert {game.move_text(cell): count for cell, count in mark.after.items()}.items() <= told[0].items()
            captured = {pit for event in events if event.type == "capture" for pit in event.facts["pits"]}
            assert {game.move_text(cell) for cell in mark.aftermath} == captured
        position, _ = game.apply(position, legal[pick % len(legal)])


def turned(game: BaoKigogoRules, position: Position) -> Position:
    """Return the board turned by half a round: South sits where North sat."""
    text = "/".join(",".join(reversed(rank.split(","))) for rank in reversed(game.position_text(position).split("/")))
    return game.parse_position(text, 3 - position.to_move, position.captured[::-1])


@rounds
def test_south_and_north_may_change_seats(game: BaoKigogoRules, picks: list[int]) -> None:
    """The same moves are legal on the board turned round, and lead to the same boards turned round."""
    position = game.initial()
    last = len(game.cells) - 1
    for pick in picks:
        other, legal = turned(game, position), game.legal(position)
        assert {last - cell for cell in game.legal(other)} == set(legal)
        if not legal:
            break
        move = legal[pick % len(legal)]
        position, _ = game.apply(position, move)
        there, _ = game.apply(other, last - move)
        assert there.pits == position.pits[::-1]
        assert there.captured == position.captured[::-1]
        ended, ended_there = game.outcome(position), game.outcome(there)
        if ended is not None and ended.reason != "repetition":  # a board that is set up has no past
            assert ended_there is not None
            assert ended_there.reason == ended.reason
            assert ended_there.winner == (ended.winner and 3 - ended.winner)
        if ended is not None:
            break


@rounds
def test_texts_round_trip(game: BaoKigogoRules, picks: list[int]) -> None:
    position = game.initial()
    for pick in picks:
        text = game.position_text(position)
        again = game.parse_position(text, position.to_move, position.captured)
        assert game.position_text(again) == text
        assert again[:3] == position[:3]
        assert hash(again) == hash(game.parse_position(text, position.to_move, position.captured))
        legal = game.legal(position)
        if not legal:
            break
        assert [game.parse_move(game.move_text(move)) for move in legal] == list(legal)
        position, _ = game.apply(position, legal[pick % len(legal)])


def count(game: BaoKigogoRules, position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(count(game, game.apply(position, move)[0], depth - 1) for move in game.legal(position))


@pytest.mark.parametrize(("columns", "counts"), [("12", [1, 23, 499, 7393]), ("4", [1, 7, 43, 164, 552, 1566, 4233])])
def test_counts_of_all_ways_to_play(columns: str, counts: list[int]) -> None:
    game = GAME.rules(settings={"columns": columns})
    assert [count(game, game.initial(), depth) for depth in range(len(counts))] == counts


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_recorded_rounds_play_as_the_slow_telling_has_them(path: Path) -> None:
    """Whole rounds, to the end that the record's name says."""
    lines = list(replay(path.read_text(encoding="utf-8")))
    assert "error" not in lines[-1], lines[-1]
    start = lines[0]
    pits = pits_of(start["position"])
    slow = Slow(len(pits) // 4, "illegal" if "illegal" in path.stem else "draw", pits, start["to_move"])
    for line in lines:
        events = [] if line["move"] is None else slow.play(line["move"])
        assert line["events"] == events
        assert line["legal"] == slow.legal()
        assert line["position"] == slow.text()
        assert line["scores"] == slow.captured
        assert line["outcome"] == slow.over
    assert path.stem.endswith(lines[-1]["outcome"]["reason"])


def test_there_are_recorded_rounds() -> None:
    assert len(GOLDEN) >= 5
