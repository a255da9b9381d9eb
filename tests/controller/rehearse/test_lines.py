"""Straight lines over cells."""

import pytest

from controller.games.bamogo import GAME as BAMOGO
from controller.games.exago import GAME as EXAGO
from controller.games.seam import AnyRules
from controller.rehearse.lines import StraightLineError, straight_line

SQUARES: AnyRules = BAMOGO.rules()
HEXAGONS: AnyRules = EXAGO.rules()


def line(rules: AnyRules, start: str, end: str) -> str:
    cells = straight_line(rules.cells, rules.spot(start)[0], rules.spot(end)[0])
    return " ".join(rules.cells[cell].name for cell in cells)


@pytest.mark.parametrize(
    ("start", "end", "cells"),
    [
        ("a1", "a4", "a1 a2 a3 a4"),
        ("a4", "a1", "a4 a3 a2 a1"),
        ("a1", "d1", "a1 b1 c1 d1"),
        ("a1", "b1", "a1 b1"),
        ("a1", "d4", "a1 b2 c3 d4"),
        ("d1", "b3", "d1 c2 b3"),
    ],
)
def test_a_straight_way_over_squares(start: str, end: str, cells: str) -> None:
    assert line(SQUARES, start, end) == cells


@pytest.mark.parametrize(("start", "end"), [("a1", "b3"), ("a1", "c4"), ("a1", "a1"), ("d1", "a3"), ("b1", "c3")])
def test_no_straight_way_is_said(start: str, end: str) -> None:
    with pytest.raises(StraightLineError, match=f"{start}.*{end}"):
        line(SQUARES, start, end)


def test_every_way_can_be_gone_back() -> None:
    for start in range(16):
        for end in range(16):
            try:
                there = straight_line(SQUARES.cells, start, end)
            except StraightLineError:
                continue
            assert straight_line(SQUARES.cells, end, start) == there[::-1]
            assert (there[0], there[-1]) == (start, end)


def test_hexagons_have_six_ways() -> None:
    middle = HEXAGONS.cells[len(HEXAGONS.cells) // 2].name
    reached = 0
    for place in HEXAGONS.cells:
        try:
            reached += len(line(HEXAGONS, middle, place.name).split()) >= 2
        except StraightLineError:
            continue
    assert reached == 6 * 5
