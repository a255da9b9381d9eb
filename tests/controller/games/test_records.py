"""Records as text."""

import contextlib
import string
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.games.records import (
    WIDTH,
    Ply,
    Record,
    RecordError,
    format_record,
    parse_record,
    read_record,
    result_text,
    with_move,
    with_takeback,
)

WHOLE = """\
[Game "exago"]
[Players "Ann, Bob \\"the\\" Ox, Cy"]
[Set "radius=4 handicap=1,0"]
[Date "2026.11.29"]
[Result "player 3"]
[Place "At C:\\\\home"]

{a windy day} 1. e5 {takeback 1} {well} 2. Ra1 Bb1 3. f5 player 3
"""

READ = Record(
    game="exago",
    players=3,
    names=("Ann", 'Bob "the" Ox', "Cy"),
    settings={"radius": "4", "handicap": "1,0"},
    date="2026.11.29",
    result="player 3",
    plies=(Ply("e5", ("takeback 1", "well")), Ply("Ra1 Bb1"), Ply("f5")),
    preface=("a windy day",),
    tags={"Place": "At C:\\home"},
)


def record(moves: str, tags: str = '[Players "2"]') -> str:
    return f'[Game "bamogo"]\n{tags}\n\n{moves}\n'


def test_every_part_is_read() -> None:
    assert parse_record(WHOLE) == READ


def test_every_part_is_written() -> None:
    assert format_record(READ) == WHOLE


def test_the_least_record() -> None:
    assert parse_record('[Game "bamogo"]') == Record("bamogo")
    assert parse_record(format_record(Record("bamogo"))) == Record("bamogo")


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        pytest.param("1. a1~b1 2. pass", ["a1~b1", "pass"], id="spaces"),
        pytest.param("1.a1~b1 2.pass", ["a1~b1", "pass"], id="no space after the number"),
        pytest.param("1.\na1~b1\n2.\r\npass\r\n", ["a1~b1", "pass"], id="line breaks"),
        pytest.param("1. Ra1\n  Bb1", ["Ra1 Bb1"], id="a line break within a ply"),
        pytest.param("1. Ra1{red}Bb1", ["Ra1 Bb1"], id="a comment within a ply"),
        pytest.param("1.{first}a1~b1", ["a1~b1"], id="a comment after the number"),
        pytest.param("1. a1~b1 {2. c1~c2} 2. pass", ["a1~b1", "pass"], id="a comment that looks like a ply"),
        pytest.param("1. a1~b1 {over\ntwo lines}", ["a1~b1"], id="a comment over two lines"),
        pytest.param("{nothing yet}", [], id="only a comment"),
        pytest.param("1. a1~b1 *", ["a1~b1"], id="an open end"),
        pytest.param("*", [], id="an open end alone"),
        pytest.param("1. a1~b1 1-0 {resigned}", ["a1~b1"], id="a comment after the result"),
    ],
)
def test_moves_are_read(text: str, moves: list[str]) -> None:
    assert [ply.move for ply in parse_record(record(text)).plies] == moves


@pytest.mark.parametrize(
    ("tags", "ending", "result"),
    [
        ('[Players "2"]', "", "*"),
        ('[Players "2"]\n[Result "1-0"]', "", "1-0"),
        ('[Players "2"]\n[Result "0-1"]', "0-1", "0-1"),
        ('[Players "2"]\n[Result "*"]', "1/2-1/2", "1/2-1/2"),
        ('[Players "2"]\n[Result "1-0"]', "*", "1-0"),
        ('[Players "3"]\n[Result "player 3"]', "", "player 3"),
        ('[Players "3"]', "player 2", "player 2"),
        ('[Players "3"]', "draw", "draw"),
        ('[Players "1"]', "player 1", "player 1"),
        ("", "1-0", "1-0"),
        ("", "player 3", "player 3"),
    ],
)
def test_results_are_read_from_the_tag_and_the_end(tags: str, ending: str, result: str) -> None:
    read = parse_record(record(f"1. a1~b1 {ending}", tags))
    assert read.result == result
    assert read.plies == (Ply("a1~b1"),)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "names no game"),
        ('[Players "2"]\n\n1. e5', "names no game"),
        ('[Game ""]', "names no game"),
        ("[Game bamogo]", "line 1: this is no tag"),
        ('[Game "bamogo]\n', "line 1: this is no tag"),
        ('[Game "bamogo"]\n[Game "exago"]', "line 2: tag Game stands twice"),
        (record('1. e5\n[Date "2026"]'), "line 5: tag Date stands after the moves"),
        (record("1. e5 {open"), "line 4: this comment is not closed"),
        (record("1. e5 {one {two} }"), "line 4: this comment is not closed"),
        (record("1. e5 }"), "line 4: a } without its {"),
        (record("1. e5 ]"), "line 4: this is no tag"),
        (record("", '[Players ""]'), "tag Players: '' has an empty name"),
        (record("", '[Players "Ann,,Bob"]'), "an empty name"),
        (record("", '[Players "0"]'), "tag Players: 0 is not how many"),
        (record("", '[Set "ko"]'), "tag Set: 'ko' is not of the form key=value"),
        (record("", '[Set "=3"]'), "not of the form key=value"),
        (record("", '[Set "ko=always ko=never"]'), "tag Set: option 'ko' stands twice"),
        (record("", '[Players "2"]\n[Result "player 1"]'), "write \\*, 1-0, 0-1 or 1/2-1/2"),
        (record("", '[Players "3"]\n[Result "1-0"]'), "write \\*, draw or player 1 to player 3"),
        (record("", '[Players "3"]\n[Result "player 4"]'), "'player 4' is no result"),
        (record("", '[Players "3"]\n[Result "player 0"]'), "'player 0' is no result"),
        (record("", '[Result "won"]'), "'won' is no result"),
        (record("1. e5 0-1", '[Result "1-0"]'), "the moves end with 0-1, but tag Result says 1-0"),
    ],
)  # fmt: skip
def test_a_fault_of_the_whole_record_belongs_to_no_ply(text: str, why: str) -> None:
    with pytest.raises(RecordError, match=why) as caught:
        parse_record(text)
    assert (caught.value.ply, caught.value.move) == (None, None)


@pytest.mark.parametrize(
    ("moves", "before", "ply", "move", "why"),
    [
        ("1. a1~b1 3. pass", 1, 2, "pass", "ply 2 is numbered 3"),
        ("2. pass", 0, 1, "pass", "ply 1 is numbered 2"),
        ("1. a1~b1 1. pass", 1, 2, "pass", "ply 2 is numbered 1"),
        ("0. pass", 0, 1, "pass", "ply 1 is numbered 0"),
        ("1. a1~b1 2. 3. pass", 1, 2, "", "ply 2 has no move"),
        ("1. a1~b1\n2.", 1, 2, "", "line 5: ply 2 has no move"),
        ("a1~b1 2. pass", 0, 1, "a1~b1", "'a1~b1' stands before the first number"),
    ],
)
def test_a_fault_of_a_ply_says_which_and_keeps_those_before(
    moves: str, before: int, ply: int, move: str, why: str
) -> None:
    read, fault = read_record(record(moves))
    assert len(read.plies) == before
    assert fault is not None
    assert (fault.ply, fault.move) == (ply, move)
    with pytest.raises(RecordError, match=why):
        parse_record(record(moves))


def test_a_takeback_leaves_the_plies_that_stand_and_a_comment() -> None:
    played = Record("bamogo", 2)
    for move in ("Ra1 Bb1", "Ra2 Bb2", "Ra3 Bb3"):
        played = with_move(played, move)
    back = with_takeback(played, 2)
    assert back.plies == (Ply("Ra1 Bb1", ("takeback 2",)),)
    on = with_move(back, "Yd1 Rd2")
    assert "1. Ra1 Bb1 {takeback 2} 2. Yd1 Rd2" in format_record(on)


def test_a_takeback_of_all_plies_is_told_before_the_first() -> None:
    back = with_takeback(with_move(Record("bamogo", 2), "Ra1 Bb1"), 1)
    assert (back.plies, back.preface) == ((), ("takeback 1",))


def test_earlier_takebacks_are_kept_when_their_ply_goes() -> None:
    played = Record("bamogo", 2, plies=(Ply("Ra1 Bb1"), Ply("Ra2 Bb2", ("hm", "takeback 1")), Ply("pass")))
    assert with_takeback(played, 2).plies == (Ply("Ra1 Bb1", ("takeback 1", "takeback 2")),)


@pytest.mark.parametrize("plies", [0, 2, -1])
def test_no_more_can_be_taken_back_than_stands(plies: int) -> None:
    with pytest.raises(ValueError, match="1 stand"):
        with_takeback(with_move(Record("bamogo", 2), "Ra1 Bb1"), plies)


@pytest.mark.parametrize(
    ("players", "winner", "text"),
    [(2, 1, "1-0"), (2, 2, "0-1"), (2, None, "1/2-1/2"), (1, 1, "player 1"), (3, 3, "player 3"), (4, None, "draw")],
)
def test_results_are_written_and_read_back(players: int, winner: int | None, text: str) -> None:
    assert result_text(players, winner) == text
    ended = Record("bamogo", players, result=text)
    assert parse_record(format_record(ended)) == ended


@pytest.mark.parametrize(
    "bad",
    [
        replace(READ, names=("Ann, Bob", "Cy", "Di")),
        replace(READ, names=("Ann", "Bob"), players=3),
        replace(READ, names=("3",), players=1, result="*"),
        replace(READ, preface=("a } brace",)),
        replace(READ, settings={"setup": "1 2"}),
        replace(READ, plies=(Ply(""),)),
        replace(READ, plies=(Ply("1. e5"),)),
        replace(READ, result="player 9"),
        replace(READ, tags={"No tag": "x"}),
    ],
    ids=[
        "comma",
        "count",
        "a number as a name",
        "brace",
        "space in a value",
        "empty ply",
        "number",
        "result",
        "tag name",
    ],
)
def test_a_record_that_would_not_read_back_is_not_written(bad: Record) -> None:
    with pytest.raises(RecordError, match="cannot be written"):
        format_record(bad)


def test_lines_of_moves_are_wrapped() -> None:
    text = format_record(Record("bamogo", 2, plies=(Ply("Ra1 Bb1"),) * 50))
    lines = text.splitlines()[4:]
    assert len(lines) > 5
    assert all(len(line) <= WIDTH for line in lines)


WORD = st.text(string.ascii_letters + string.digits + "~:,-", min_size=1, max_size=9).filter(
    lambda word: word not in {"draw", "player", "1-0", "0-1"}
)
COMMENT = st.text(string.printable, max_size=100).filter(lambda text: not set(text) & set("{}")).map(str.strip)
PLY = st.builds(
    Ply, st.lists(WORD, min_size=1, max_size=3).map(" ".join), st.lists(COMMENT, max_size=2).map(tuple)
)  # fmt: skip
NAME = st.text(string.ascii_letters + ' "\\.-é', min_size=1, max_size=9).map(str.strip).filter(bool)


@given(
    st.lists(NAME, max_size=4).map(tuple),
    st.dictionaries(st.from_regex("[a-z_]{1,9}", fullmatch=True), WORD, max_size=3),
    st.lists(PLY, max_size=30).map(tuple),
    st.lists(COMMENT, max_size=2).map(tuple),
)
@settings(deadline=None, max_examples=60)
def test_what_is_written_reads_back(
    names: tuple[str, ...], options: dict[str, str], plies: tuple[Ply, ...], preface: tuple[str, ...]
) -> None:
    written = Record("exago", len(names) or None, names, options, plies=plies, preface=preface)
    assert parse_record(format_record(written)) == written


@given(st.text(alphabet='[]{}" \n\\aG12.*-', max_size=60))
@settings(deadline=None, max_examples=150)
def test_any_text_is_refused_or_reads_back_when_written(text: str) -> None:
    with contextlib.suppress(RecordError):
        read = parse_record('[Game "x"]' + text)
        assert parse_record(format_record(read)) == read
