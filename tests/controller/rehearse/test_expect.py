"""Every expectation, held and broken: what is said of one that does not hold, and of one that is none."""

from collections.abc import Callable
from typing import Any

import pytest

from controller.rehearse.script import ScriptError
from controller.rehearse.steps import RehearsalError

Play = Callable[..., Any]
PLAYED = "game bamogo target=9\nboard sense=presence\nplay Ra1 Bb1\nplay a1~b1\nplay Rc3 Bd3\nwait 4100\n"
WON = "game bamogo\nposition ..../..../..../RR.. scores=9,4\nplay Rc1 Bc2\n"
DRAWN = "game bamogo max_plies=1\nplay Ra1 Bb1\n"
ASKED = "game bamogo\nboard sense=presence\ndrop b1 R\ndrop a1 B\nwait 400\n"

HOLDS = [
    (PLAYED, "move Rc3 Bd3"),
    (PLAYED, "moves 3"),
    (PLAYED, "phase waiting"),
    (PLAYED, "dark"),
    (PLAYED, "dark a1 d4"),
    (PLAYED, "position ..../..RB/..../BR.."),
    (PLAYED, "scores 0 0"),
    (PLAYED, "outcome none"),
    (PLAYED + "press back\n", "move a1~b1"),
    (PLAYED + "press back\n", "moves 2"),
    (PLAYED + "press back\n", "phase mending"),
    (PLAYED + "drop a3 R\nwait 400\n", "lit a3 a2 b3 a4"),
    (PLAYED + "drop a3 R\nwait 400\n", "dark c3 d3"),
    (PLAYED + "drop a3 R\nlift a3\nwait 800\n", "lit a3"),
    (WON, "outcome 1"),
    (WON, "scores 10 4"),
    (WON, "phase over"),
    (DRAWN, "outcome draw"),
    (ASKED, "question"),
    (ASKED, "question colour"),
    (ASKED, "phase asking"),
    (ASKED, "lit a1 b1"),
]


@pytest.mark.parametrize(("script", "claim"), HOLDS)
def test_what_holds(play_through: Play, script: str, claim: str) -> None:
    before = play_through(script)
    assert play_through(f"{script}expect {claim}\n").time == before.time  # it takes no time


BROKEN = [
    (PLAYED, "move Rc3 Yd3", "found Rc3 Bd3"),
    ("game bamogo\n", "move Rc3 Yd3", "found no move"),
    (PLAYED, "moves 2", "found 3"),
    (PLAYED, "phase over", "found waiting"),
    (PLAYED, "lit a1 b1", "dark for the last second: a1 b1"),
    (PLAYED + "drop a3 R\nwait 400\n", "lit a3 d4", "dark for the last second: d4"),
    (PLAYED + "drop a3 R\nwait 400\n", "dark", "lit within the last second: a2 a3 a4 b3"),
    (PLAYED + "drop a3 R\nwait 400\n", "dark d4 a3", "lit within the last second: a3"),
    (PLAYED, "position ..../..RB/..../RB..", "found ..../..RB/..../BR.."),
    (PLAYED, "position", "found ..../..RB/..../BR.."),
    (PLAYED, "scores 0 1", "found 0 0"),
    (PLAYED, "scores", "found 0 0"),
    (PLAYED, "outcome 1", "found none"),
    (PLAYED, "outcome draw", "found none"),
    (WON, "outcome none", "found 1"),
    (WON, "outcome 2", "found 1"),
    (DRAWN, "outcome 2", "found draw"),
    (PLAYED, "question", "found no question"),
    (PLAYED, "question pass", "found no question"),
    (ASKED, "question swap", "found colour"),
]


@pytest.mark.parametrize(("script", "claim", "found"), BROKEN)
def test_what_does_not_hold_says_what_was_found(attempt: Play, script: str, claim: str, found: str) -> None:
    error = attempt(f"{script}expect {claim}\nwait 5\n").error
    assert isinstance(error, RehearsalError)
    assert error.line == script.count("\n") + 1
    assert str(error) == f"expect {claim}: {found}"


UNREADABLE = [
    ("happiness", "'expect happiness' is not known; there are: move, moves"),
    ("move", "a move is wanted"),
    ("move nonsense", "nonsense"),
    ("moves", "one value is wanted"),
    ("moves x", "'x' is not a whole number"),
    ("moves 1 2", "one value is wanted"),
    ("phase", "one value is wanted"),
    ("phase asleep", "'asleep' is no phase; there are: setup, waiting"),
    ("lit", "cells are wanted"),
    ("lit e9", "e9"),
    ("dark a1 z9", "z9"),
    ("position a b", "one position is wanted"),
    ("scores 1 x", "'x' is not a whole number"),
    ("outcome", "one value is wanted"),
    ("outcome 3", "'3' is not a whole number from 1 to 2"),
    ("outcome won", "'won' is not a whole number"),
    ("phase waiting now=yes", "takes no now="),
]


@pytest.mark.parametrize(("claim", "words"), UNREADABLE)
def test_what_is_no_expectation_is_said(attempt: Play, claim: str, words: str) -> None:
    error = attempt(f"game bamogo\n\nexpect {claim}\n").error
    assert isinstance(error, ScriptError)
    assert error.line == 3
    assert words in str(error)


def test_two_questions_at_once_are_no_question_word(attempt: Play) -> None:
    error = attempt(f"{ASKED}expect question colour swap\n").error
    assert isinstance(error, ScriptError)


@pytest.mark.parametrize("past", [100, 500, 999])
def test_lit_looks_back_one_second(play_through: Play, attempt: Play, past: int) -> None:
    # A stone that is taken off again leaves its light at once, here 100 ms before the waiting begins.
    script = f"game bamogo\ndrop a1 R\nlift a1\nwait {past - 100}\n"
    play_through(script + "expect lit a1\n")
    assert attempt(script + "expect dark a1\n").error is not None


def test_dark_looks_back_one_second_and_no_further(play_through: Play, attempt: Play) -> None:
    script = "game bamogo\ndrop a1 R\nlift a1\nwait 900\n"
    assert attempt(script + "expect lit a1\n").error is not None
    play_through(script + "expect dark\n")


def test_the_track_does_not_count_as_lit(play_through: Play) -> None:
    played = play_through("game bamogo\nwait 2000\nexpect dark\n")
    assert any(played.frames[-1][1])
