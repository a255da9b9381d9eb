"""When exactly things happen, to the millisecond."""

from collections.abc import Callable
from typing import Any

import pytest

from hardware.ports import Sensing

Sit = Callable[..., Any]
CORNER = "..../..../BYR./RBR."


@pytest.mark.parametrize(
    ("position", "deeds", "colours", "move"),
    [("", "a1=R b1=B", ("red", "blue"), "Ra1 Bb1"), (CORNER, "a1=- b1=- b1=R a1=B", (), "a1~b1")],
    ids=["placement", "swap"],
)
def test_a_move_counts_300_ms_after_its_last_change(
    sit: Sit, sensing: Sensing, position: str, deeds: str, colours: tuple[str, ...], move: str
) -> None:
    seat = sit(position, sensing=sensing)
    seat.do(deeds, gap=70)
    if sensing is Sensing.PRESENCE:
        seat.press(*colours)
    seat.wait(299)
    assert (seat.phase, seat.moves) == ("handling", [])
    seat.wait(1)
    assert (seat.phase, seat.moves) == ("waiting", [move])
    assert seat.heard("move") == [{"t": seat.now, "type": "move", "move": move, "player": 1}]


def test_each_change_begins_the_wait_anew(sit: Sit) -> None:
    seat = sit()
    seat.do("a1=R b1=B").wait(299).do("b1=-").wait(299).do("b1=B").wait(299)
    assert seat.moves == []
    assert seat.wait(1).moves == ["Ra1 Bb1"]


def test_a_question_begins_300_ms_after_the_last_change(sit: Sit) -> None:
    seat = sit(sensing=Sensing.PRESENCE)
    seat.do("a1=R").wait(5000)
    assert seat.phase == "handling"  # one stone is on the way for as long as the player thinks
    seat.do("b1=B").wait(299)
    assert (seat.phase, seat.about) == ("handling", None)
    seat.wait(1)
    assert (seat.phase, seat.about, seat.asked) == ("asking", "colour", ["a1"])


def test_b6_a_wrong_picture_is_lit_at_300_ms_and_mended_at_3000(sit: Sit, sensing: Sensing) -> None:
    seat = sit(sensing=sensing)
    seat.do("a1=R").wait(1000).do("c3=B").wait(299)
    assert seat.phase == "handling"
    before = seat.table.frame(seat.now)
    seat.wait(1)
    assert seat.table.frame(seat.now) != before
    assert seat.lit_over(300) == {"a1", "c3"}
    seat.wait(2999 - 600)
    assert (seat.phase, seat.heard("mismatch")) == ("handling", [])
    seat.wait(1)
    assert seat.phase == "mending"
    assert seat.heard("mismatch") == [
        {"t": seat.now, "type": "mismatch", "extra": ["a1", "c3"], "missing": [], "wrong": []}
    ]


def test_every_later_change_of_a_wrong_picture_is_told(sit: Sit) -> None:
    seat = sit(CORNER)
    seat.do("d1=R d3=B").wait(3000)
    seat.do("c1=-").wait(10).do("b1=Y").wait(3500)
    assert [(told["extra"], told["missing"], told["wrong"]) for told in seat.heard("mismatch")] == [
        (["d1", "d3"], [], []),
        (["d1", "d3"], ["c1"], []),
        (["d1", "d3"], ["c1"], ["b1"]),
    ]
    assert seat.phase == "mending"


@pytest.mark.parametrize(
    ("deeds", "phase", "moves"),
    [
        pytest.param("a1=- c3=-", "waiting", 0, id="as it should be"),
        pytest.param("c3=-", "handling", 0, id="on the way to a move"),
        pytest.param("c3=- b1=B", "waiting", 1, id="a legal move"),
    ],
)
def test_mending_ends_300_ms_after_the_board_is_put_right(sit: Sit, deeds: str, phase: str, moves: int) -> None:
    seat = sit().do("a1=R c3=B").wait(3100)
    assert seat.phase == "mending"
    seat.do(deeds, gap=50).wait(299)
    assert (seat.phase, seat.moves) == ("mending", [])
    seat.wait(1)
    assert (seat.phase, len(seat.moves)) == (phase, moves)


def test_a_picture_on_the_way_to_a_move_is_never_wrong(sit: Sit, sensing: Sensing) -> None:
    for deeds in ("d1=R", "a1=-", "a1=- b1=-", "a1=- b1=- b1=R"):
        seat = sit(CORNER, sensing=sensing).do(deeds).wait(120_000)
        assert (seat.phase, seat.heard("mismatch")) == ("handling", []), deeds


SCORING = {
    # rows that one move closes: position, deeds
    0: ("", "a1=R b1=B"),
    1: ("..../..../..../RR..", "c1=R c2=B"),
    2: (".YR./BBRY/..RY/RYYR", "c1=- d1=- c1=R d1=Y"),
    5: ("BRYB/..YB/YYRY/RRYR", "c1=- c2=- c1=R c2=Y"),
}


@pytest.mark.parametrize("rows", SCORING)
def test_in_waiting_all_cells_are_dark_3_s_after_the_last_event(sit: Sit, rows: int) -> None:
    position, deeds = SCORING[rows]
    seat = sit(position, settings={"target": "50"}).do(deeds).settle()
    counted = seat.now
    assert seat.phase == "waiting"
    assert sum(told["event"]["type"] == "line" for told in seat.heard("event")) == rows
    assert seat.lit()
    seat.wait(counted + 2800 - seat.now)
    assert seat.lit()
    seat.wait(counted + 3000 - seat.now)
    assert seat.lit() == set()
    seat.wait(60_000)
    assert seat.lit() == set()
    assert seat.table.due() is None


@pytest.mark.parametrize("rows", [1, 2, 5])
def test_every_closed_row_is_lit_alone_and_then_all_together(sit: Sit, rows: int) -> None:
    position, deeds = SCORING[rows]
    seat = sit(position, settings={"target": "50"}).do(deeds).settle()
    lines = [frozenset(told["event"]["cells"]) for told in seat.heard("event") if told["event"]["type"] == "line"]
    gold = (255, 200, 40)
    alone: list[frozenset[str]] = []
    for _ in range(290):
        frame = seat.table.frame(seat.now)
        shown = frozenset(
            place.name for c, place in enumerate(seat.rules.cells) if tuple(frame[3 * c : 3 * c + 3]) == gold
        )
        if shown and (not alone or alone[-1] != shown):
            alone.append(shown)
        seat.wait(10)
    assert alone[: len(lines)] == lines
    assert alone[-1] == frozenset().union(*lines)


def test_a_celebration_makes_way_for_the_next_hand(sit: Sit) -> None:
    seat = sit("..../..../..../RR..", settings={"target": "50"}).do("c1=R c2=B").settle()
    assert seat.wait(100).lit() == {"a1", "b1", "c1", "c2"}
    seat.do("a4=Y")
    assert seat.lit_over(900) == {"a4", "a3", "b4"}
    won = sit("..../..../..../RR..", scores=(9, 0)).do("c1=R c2=B").settle().wait(1000).do("a1=-")
    assert won.lit_over(900) == {place.name for place in won.rules.cells}  # a won round is lit to its end


def test_a_hint_outlives_a_touch(sit: Sit) -> None:
    seat = sit(CORNER).press("hint").wait(100).do("d1=Y").wait(100)
    assert "a1" in seat.lit_over(700)


def test_the_track_stays_lit_in_waiting(sit: Sit) -> None:
    seat = sit().wait(10_000)
    frame = seat.table.frame(seat.now)
    assert any(frame[48:])
    assert not any(frame[:48])


def test_a_hint_is_lit_for_3_s(sit: Sit) -> None:
    seat = sit(CORNER).wait(5000).press("hint")
    assert seat.lit_over(600) == {
        "a1", "a2", "a3", "a4", "b1", "b2", "b3", "b4", "c1", "c2", "c3", "c4", "d1", "d2", "d3", "d4",
    }  # fmt: skip
    seat = sit("RBYB/YRBR/BYRY/R..Y").press("hint").wait(2999)
    assert "b1" in seat.lit_over(0)
    assert seat.wait(1).lit() == set()


def test_when_nothing_is_due_the_table_wants_no_time(sit: Sit) -> None:
    seat = sit()
    assert seat.table.due() is None
    seat.do("a1=R")
    assert seat.table.due() is not None
    assert seat.table.due() <= seat.now + 300


def test_b8_two_seconds_of_noise_that_ends_where_it_began_is_no_event(sit: Sit, sensing: Sensing) -> None:
    seat = sit(CORNER, sensing=sensing)
    for _ in range(40):
        seat.do("b2=-").wait(25).do("b2=Y").wait(25)
    seat.settle()
    assert (seat.phase, seat.moves) == ("waiting", [])
    assert seat.since(0) == ["waiting", "handling", "waiting"]
