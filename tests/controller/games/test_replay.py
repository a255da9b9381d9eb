"""Playing records through."""

import json
from pathlib import Path
from typing import Any

import pytest

from controller.games.replay import plain, replay

GOLDEN = Path(__file__).parents[2] / "golden"
"""Records, each beside what it replays to; `make golden` writes the latter."""

RECORDS = sorted(file.with_suffix(".pgn") for file in GOLDEN.glob("*.jsonl"))


def record(moves: str, *tags: str, game: str = "bamogo") -> str:
    return "\n".join([f'[Game "{game}"]', *tags, "", moves])


@pytest.mark.parametrize("file", RECORDS, ids=lambda file: file.stem)
def test_golden_records_replay_as_before(file: Path) -> None:
    played = [json.loads(json.dumps(line)) for line in replay(file.read_text(encoding="utf-8"))]
    golden = [json.loads(line) for line in file.with_suffix(".jsonl").read_text(encoding="utf-8").splitlines()]
    for line, expected in zip(played, golden, strict=True):
        assert line == expected


def test_there_are_golden_records() -> None:
    assert len(RECORDS) >= 4


def test_the_first_line_is_the_start() -> None:
    (line,) = replay(record("", '[Players "3"]', '[Set "first=2"]'))
    legal = line.pop("legal")
    assert legal == sorted(legal)
    assert len(legal) == 144
    assert line == {
        "ply": 0,
        "move": None,
        "player": None,
        "to_move": 2,
        "position": "..../..../..../....",
        "scores": [0, 0, 0],
        "hands": {"supply": {"R": 5, "B": 5, "Y": 6}},
        "events": [],
        "outcome": None,
    }


def test_each_ply_is_a_line() -> None:
    _, line = replay(record("1. Ra1\nBb1", '[Players "2"]'))
    assert line.pop("legal")
    assert line == {
        "ply": 1,
        "move": "Ra1 Bb1",
        "player": 1,
        "to_move": 2,
        "position": "..../..../..../RB..",
        "scores": [0, 0],
        "hands": {"supply": {"R": 4, "B": 4, "Y": 6}},
        "events": [
            {"type": "place", "cell": "a1", "colour": "R"},
            {"type": "place", "cell": "b1", "colour": "B"},
        ],
        "outcome": None,
    }


def test_after_the_end_the_turn_has_passed_on_and_nothing_is_legal() -> None:
    *_, line = replay(record("1. Ra1 Bb1 2. Ra2 Bb2 3. Ra3 Bb3", '[Set "target=2"]'))
    assert (line["to_move"], line["legal"]) == (2, [])
    assert line["outcome"] == {"winner": 1, "reason": "target"}
    assert line["events"][-1] == {"type": "win", "player": 1, "reason": "target"}


@pytest.mark.parametrize(
    ("moves", "ply", "move", "why"),
    [
        pytest.param("1. Ra1 Bb1 2. Ra1 Bb1", 2, "Ra1 Bb1", "a1 is taken", id="illegal"),
        pytest.param("1. Ra1 Bb1 2. Zz", 2, "Zz", "is no move", id="unreadable"),
        pytest.param("1. Ra1 Bb1 3. Ra2 Bb2", 2, "Ra2 Bb2", "numbered 3", id="misnumbered"),
        pytest.param("1. Ra1 Bb1 2.", 2, "", "no move", id="missing"),
        pytest.param("Ra1 Bb1", 1, "Ra1", "first number", id="no number"),
        pytest.param(
            "1. Ra1 Bb1 2. Ra2 Bb2 3. Ra3 Bb3 4. pass", 4, "pass", "is over: player 1 has won", id="after the end"
        ),
        pytest.param("1. Ra1 Bb1 2. Ra2 Bb2 3. Ra3 Bb3 4. junk", 4, "junk", "is over", id="junk after the end"),
    ],
)
def test_a_fault_in_a_ply_comes_after_the_plies_before_it(moves: str, ply: int, move: str, why: str) -> None:
    *before, last = replay(record(moves, '[Set "target=2"]'))
    assert [line["ply"] for line in before] == list(range(ply))
    assert (last["ply"], last["move"]) == (ply, move)
    assert why in last["error"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "names no game"),
        (record("1. e5", game="nim"), "there is no game 'nim'"),
        (record("", '[Players "0"]'), "tag Players"),
        (record("", '[Set "colour=red"]'), "option 'colour' is not one of this game's"),
        (record("", '[Set "target=0"]'), "option 'target'"),
        (record("", '[Set "first=3"]', '[Players "2"]'), "option 'first'"),
        (record("1. Ra1 Bb1 {"), "comment is not closed"),
    ],
)
def test_a_fault_of_the_record_is_the_only_line(text: str, why: str) -> None:
    (line,) = replay(text)
    assert set(line) == {"ply", "error", "move"}
    assert (line["ply"], line["move"]) == (None, None)
    assert why in line["error"]


def test_comments_and_takebacks_change_nothing() -> None:
    said = replay(record("{so} 1. Ra1 {and} Bb1 {takeback 2} 2. pass"))
    unsaid = replay(record("1. Ra1 Bb1 2. pass"))
    assert list(said) == list(unsaid)


def test_the_result_is_not_held_against_the_play() -> None:
    lines: list[dict[str, Any]] = list(replay(record("1. Ra1 Bb1 0-1", '[Players "2"]', '[Result "0-1"]')))
    assert [line["ply"] for line in lines] == [0, 1]
    assert lines[-1]["outcome"] is None


def test_for_a_person_a_line_shows_move_events_board_and_turn() -> None:
    start, *_, last = replay(record("1. Ra1 Bb1 2. Ra2 Bb2 3. Ra3 Bb3", '[Set "target=2"]'))
    assert plain(start).splitlines() == [
        "Start",
        "     ....",
        "     ....",
        "     ....",
        "     ....",
        "   scores: 0, 0; off the board: supply R 5, B 5, Y 6",
        "   player 1 to move",
    ]
    assert plain(last).splitlines() == [
        "3. Ra3 Bb3  (player 1)",
        "   place: cell a3, colour R",
        "   place: cell b3, colour B",
        "   line: cells a1 a2 a3, colour R, points 1",
        "   line: cells b1 b2 b3, colour B, points 1",
        "   win: player 1, reason target",
        "     ....",
        "     RB..",
        "     RB..",
        "     RB..",
        "   scores: 2, 0; off the board: supply R 2, B 2, Y 6",
        "   player 1 has won (target)",
    ]


def test_for_a_person_a_draw_is_told() -> None:
    *_, last = replay(record("1. Ra1 Bb1", '[Set "max_plies=1"]'))
    assert plain(last).splitlines()[-1] == "   drawn (ply-limit)"
