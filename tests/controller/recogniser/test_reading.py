"""What a picture of the Bamogo board means, by colour and by presence: tables of what hands did and the answer."""

from typing import Any

import pytest

from controller.games.bamogo import GAME
from controller.games.seam import AnyRules
from controller.recogniser.answers import Ambiguous, Answer, Doubt, Mismatch, Recognised, Settled, Unfinished
from controller.recogniser.prospect import Prospect
from controller.recogniser.reading import mismatch, read
from controller.recogniser.watch import Watch
from hardware.ports import Sensing

RULES: AnyRules = GAME.rules(2, {"ko": "always"})
COLOUR, PRESENCE = Sensing.COLOUR, Sensing.PRESENCE
EMPTY = "..../..../..../...."
CORNER = "..../..../BYR./RBR."  # a1 R, b1 B, c1 R; a2 B, b2 Y, c2 R
LETTERS = {"": 0, "-": 0, "?": -1, "R": 1, "B": 2, "Y": 3}


def cell(name: str) -> int:
    return RULES.spot(name)[0]


def names(cells: Any) -> set[str]:
    return {RULES.cells[c].name for c in cells}


def seen(position: Any, sensing: Sensing, deeds: str, declared: str = "") -> Answer:
    """Read what lies there after ``a1=R b1=-``: each deed is one change, in order, ``-`` for emptied."""
    prospect = Prospect(RULES, position, sensing)
    watch = Watch(prospect.base, prospect.base, 0)
    for at, deed in enumerate(deeds.split(), start=1):
        where, _, what = deed.partition("=")
        reading = LETTERS[what]
        watch.change(cell(where), min(reading, 1) if sensing is PRESENCE else reading, at)
    given = {cell(word[:2]): LETTERS[word[3]] for word in declared.split()}
    return read(prospect, watch, given)


def at(text: str, swapped: str | None = None) -> Any:
    """The position of a text; with `swapped`, as it stands after that swap led to it."""
    if swapped is None:
        return RULES.parse_position(text)
    position, _ = RULES.apply(RULES.parse_position(text), RULES.parse_move(swapped))
    return position


COUNTS = [
    # position, sensing, deeds, declared, move
    (EMPTY, COLOUR, "a1=R b1=B", "", "Ra1 Bb1"),
    (EMPTY, COLOUR, "b1=B a1=R", "", "Ra1 Bb1"),
    (EMPTY, COLOUR, "d4=Y d3=R", "", "Rd3 Yd4"),
    (EMPTY, COLOUR, "a1=R a1=- b1=B a1=R", "", "Ra1 Bb1"),
    (EMPTY, COLOUR, "a1=R a1=- a2=R a2=- a3=R a4=Y", "", "Ra3 Ya4"),  # slid along a file
    (EMPTY, COLOUR, "a1=B b1=B a1=- a1=Y", "", "Ya1 Bb1"),  # a wrong stone exchanged
    (EMPTY, COLOUR, "a1=? a1=R b1=? b1=B", "", "Ra1 Bb1"),
    (CORNER, COLOUR, "a1=- b1=- a1=B b1=R", "", "a1~b1"),
    (CORNER, COLOUR, "b1=- a1=- b1=R a1=B", "", "a1~b1"),
    (CORNER, COLOUR, "b1=- a1=- a1=B b1=R", "", "a1~b1"),
    (CORNER, COLOUR, "a1=- b1=- b2=- a1=B b2=Y b1=R", "", "a1~b1"),  # a neighbour in the hand meanwhile
    (CORNER, COLOUR, "c2=- c2=R a1=- a2=- a2=R a1=B", "", "a1~a2"),  # a neighbour brushed
    (CORNER, COLOUR, "d1=Y d2=B", "", "Yd1 Bd2"),
    (CORNER, COLOUR, "c1=- d2=B c1=R d1=Y", "", "Yd1 Bd2"),
    (EMPTY, PRESENCE, "a1=R b1=B", "a1=R b1=B", "Ra1 Bb1"),
    (EMPTY, PRESENCE, "b1=B a1=R", "a1=R b1=B", "Ra1 Bb1"),
    (EMPTY, PRESENCE, "b1=B a1=R", "b1=B a1=Y", "Ya1 Bb1"),
    (CORNER, PRESENCE, "a1=- b1=- a1=B b1=R", "", "a1~b1"),
    (CORNER, PRESENCE, "a1=- b1=- b1=R a1=B", "", "a1~b1"),
    (CORNER, PRESENCE, "c1=- c1=R a1=- b1=- b1=R a1=B", "", "a1~b1"),  # another one brushed before
    (CORNER, PRESENCE, "a1=- b1=- b1=R a1=B c2=- c2=R", "", "a1~b1"),  # another one brushed after
    (CORNER, PRESENCE, "a1=- a1=R a1=- b1=- b1=R a1=B", "", "a1~b1"),
    (CORNER, PRESENCE, "a1=- b1=- b1=R c1=- c1=R a1=B", "", "a1~b1"),  # a1 and c1 are no neighbours
    (CORNER, PRESENCE, "d1=Y d2=B", "d1=Y d2=B", "Yd1 Bd2"),
    (CORNER, PRESENCE, "a1=- b1=- a1=B b1=R d1=Y d2=B", "d1=Y d2=B", "Yd1 Bd2"),  # the placement tells more
]


@pytest.mark.parametrize(("text", "sensing", "deeds", "declared", "move"), COUNTS)
def test_a_whole_move_is_recognised(text: str, sensing: Sensing, deeds: str, declared: str, move: str) -> None:
    assert seen(at(text), sensing, deeds, declared) == Recognised(RULES.parse_move(move))


SETTLED = [
    (EMPTY, COLOUR, ""),
    (EMPTY, COLOUR, "a1=R a1=-"),
    (CORNER, COLOUR, "a1=- a1=R"),
    (CORNER, COLOUR, "a1=- b1=- a1=R b1=B"),  # lifted together, and each put back
    (CORNER, COLOUR, "a1=- b1=- c1=- c1=R b1=B a1=R"),
    (CORNER, COLOUR, "a1=? a1=R"),
    (CORNER, PRESENCE, "a1=- a1=R"),
    (CORNER, PRESENCE, "a1=- a1=R b1=- b1=B"),  # one after the other: none was in the hand with another
    (CORNER, PRESENCE, "c1=- c2=- c1=R c2=R"),  # alike: no swap could be meant
    (CORNER, PRESENCE, "a1=- b2=- a1=R b2=Y"),  # no neighbours
    (CORNER, PRESENCE, "d1=R d1=-"),
]


@pytest.mark.parametrize(("text", "sensing", "deeds"), SETTLED)
def test_a_board_as_it_should_be_is_settled(text: str, sensing: Sensing, deeds: str) -> None:
    assert seen(at(text), sensing, deeds) == Settled()


UNFINISHED = [
    # position, sensing, deeds, next cells
    (EMPTY, COLOUR, "a1=R", "a2 b1"),
    (EMPTY, COLOUR, "b2=R", "a2 c2 b1 b3"),
    (EMPTY, PRESENCE, "a1=R", "a2 b1"),
    (CORNER, COLOUR, "a1=-", "a1 a2 b1"),
    (CORNER, COLOUR, "c1=-", "c1 b1"),  # c2 is as red as c1
    (CORNER, COLOUR, "a1=- b1=-", "a1 b1"),
    (CORNER, COLOUR, "a1=- b1=- a1=B", "b1"),
    (CORNER, COLOUR, "a1=B", "b1 a2"),  # another was quicker than the sensor
    (CORNER, COLOUR, "d1=Y", "d2"),
    (CORNER, PRESENCE, "a1=-", "a1 a2 b1"),
    (CORNER, PRESENCE, "a1=- b1=-", "a1 b1"),
    (CORNER, PRESENCE, "a1=- b1=- b1=R", "a1 a2 b1"),
    (EMPTY, COLOUR, "a1=?", "a1 a2 b1"),
    (EMPTY, COLOUR, "a1=R b1=?", "b1"),
    (EMPTY, PRESENCE, "a1=R b1=?", "b1"),
]


@pytest.mark.parametrize(("text", "sensing", "deeds", "following"), UNFINISHED)
def test_a_move_on_the_way_names_the_cells_that_may_come_next(
    text: str, sensing: Sensing, deeds: str, following: str
) -> None:
    answer = seen(at(text), sensing, deeds)
    assert isinstance(answer, Unfinished), answer
    assert names(answer.next) == set(following.split())


@pytest.mark.parametrize("deeds", ["a1=? b1=B", "a1=R b1=?", "a1=? b1=?", "a1=- b1=- a1=? b1=R"])
@pytest.mark.parametrize("sensing", [COLOUR, PRESENCE])
@pytest.mark.parametrize("text", [EMPTY, CORNER])
def test_a_reading_that_is_not_known_never_completes_a_move(text: str, sensing: Sensing, deeds: str) -> None:
    assert isinstance(seen(at(text), sensing, deeds, "a1=R b1=B"), Unfinished | Mismatch)


WRONG = [
    # position, sensing, deeds, extra, missing, wrong
    (EMPTY, COLOUR, "a1=R c3=B", "a1 c3", "", ""),
    (EMPTY, COLOUR, "a1=R b1=R", "a1 b1", "", ""),
    (EMPTY, COLOUR, "a1=R b1=B c1=Y", "a1 b1 c1", "", ""),
    (EMPTY, PRESENCE, "a1=R c3=B", "a1 c3", "", ""),
    (EMPTY, PRESENCE, "a1=R b2=B", "a1 b2", "", ""),  # a diagonal is no side
    (EMPTY, PRESENCE, "a1=R a2=B a3=Y", "a1 a2 a3", "", ""),
    (CORNER, COLOUR, "a1=- d1=R", "d1", "a1", ""),
    (CORNER, COLOUR, "a1=Y", "", "", "a1"),
    (CORNER, COLOUR, "a1=- c1=-", "", "a1 c1", ""),
    (CORNER, COLOUR, "a1=- b1=- c1=- a1=B b1=R", "", "c1", "a1 b1"),
    (CORNER, PRESENCE, "a1=- d1=R", "d1", "a1", ""),
    (CORNER, PRESENCE, "a1=- b2=-", "", "a1 b2", ""),
]


@pytest.mark.parametrize(("text", "sensing", "deeds", "extra", "missing", "wrong"), WRONG)
def test_what_no_move_explains_is_said_cell_by_cell(
    text: str, sensing: Sensing, deeds: str, extra: str, missing: str, wrong: str
) -> None:
    answer = seen(at(text), sensing, deeds)
    more, less, other = (tuple(sorted(cell(name) for name in group.split())) for group in (extra, missing, wrong))
    assert answer == Mismatch(more, less, other)
    assert isinstance(answer, Mismatch)
    assert names(answer.cells) == {*extra.split(), *missing.split(), *wrong.split()}


ASKED = [
    # position, deeds, declared, about, cells, moves
    (EMPTY, "a1=R b1=B", "", Doubt.COLOUR, "a1", 6),
    (EMPTY, "b1=B a1=R", "", Doubt.COLOUR, "b1", 6),
    (EMPTY, "a1=R b1=B", "a1=R", Doubt.COLOUR, "b1", 2),
    (EMPTY, "a1=R b1=B", "b1=B", Doubt.COLOUR, "a1", 2),
    (EMPTY, "b1=B a1=R", "b1=B", Doubt.COLOUR, "a1", 2),
    (EMPTY, "a1=R a1=- b1=B a1=R", "", Doubt.COLOUR, "b1", 6),  # a1 was filled last
    (CORNER, "a1=- b1=- c1=- a1=B b1=R c1=R", "", Doubt.SWAP, "a1 b1 c1", 2),
    (CORNER, "a1=- b1=- c2=- a1=B b1=R c2=R", "", Doubt.SWAP, "a1 b1", 1),
    (CORNER, "a1=- b1=- a1=B b1=R b1=- c1=- b1=R c1=B", "", Doubt.SWAP, "a1 b1 c1", 2),
    (CORNER, "a1=- a2=- b1=- b2=- a1=B a2=R b1=Y b2=B", "", Doubt.SWAP, "a1 a2 b1 b2", 4),
]


@pytest.mark.parametrize(("text", "deeds", "declared", "about", "cells", "moves"), ASKED)
def test_what_presence_cannot_tell_is_asked(
    text: str, deeds: str, declared: str, about: Doubt, cells: str, moves: int
) -> None:
    answer = seen(at(text), PRESENCE, deeds, declared)
    assert isinstance(answer, Ambiguous), answer
    assert answer.about is about
    assert [RULES.cells[c].name for c in answer.cells] == cells.split()
    assert len(answer.moves) == moves
    legal = list(RULES.legal(at(text)))
    assert [move for move in legal if move in answer.moves] == list(answer.moves)  # in the order of the rules


def test_ko_hides_the_swap_back_by_presence_and_is_no_move_by_colour() -> None:
    position = at(CORNER, "a1~b1")
    assert seen(position, PRESENCE, "a1=- b1=- b1=R a1=B") == Settled()
    assert seen(position, COLOUR, "a1=- b1=- a1=R b1=B") == Mismatch((), (), (cell("a1"), cell("b1")))
    assert seen(position, COLOUR, "b1=- b2=- b1=Y b2=R") == Recognised(RULES.parse_move("b1~b2"))


def test_a_declaration_that_fits_no_move_is_asked_anew() -> None:
    position = at("YYYR/YYYR/RRRB/BBB.")  # one red is missing and one blue: two colours for one empty cell, no pair
    assert isinstance(seen(position, PRESENCE, "d1=R", "d1=R"), Mismatch)
    answer = seen(at(EMPTY), PRESENCE, "a1=R b1=B", "a1=R b1=R")
    assert isinstance(answer, Ambiguous)
    assert names(answer.cells) == {"a1"}
    assert len(answer.moves) == 6


def test_a_stone_that_the_supply_lacks_is_no_move() -> None:
    position = at("..../.YYB/BBRR/RRRB")  # red is used up
    assert isinstance(seen(position, COLOUR, "a4=R b4=B"), Mismatch)
    assert seen(position, COLOUR, "a4=Y b4=B") == Recognised(RULES.parse_move("Ya4 Bb4"))
    answer = seen(position, PRESENCE, "a4=Y b4=B")
    assert isinstance(answer, Ambiguous)
    assert {RULES.move_text(move) for move in answer.moves} == {"Ya4 Bb4", "Ba4 Yb4"}


def test_mismatch_compares_even_a_picture_that_fits_a_move() -> None:
    prospect = Prospect(RULES, at(CORNER), COLOUR)
    watch = Watch(prospect.base, prospect.base, 0)
    for name, reading in (("d1", 1), ("a1", 0), ("b1", 3)):
        watch.change(cell(name), reading, 1)
    assert mismatch(prospect, watch) == Mismatch((cell("d1"),), (cell("a1"),), (cell("b1"),))


def test_a_board_with_one_move_that_touches_nothing_passes() -> None:
    chequered = Prospect(RULES, at("R.Y./.B.R/R.Y./.B.R"), COLOUR)
    assert chequered.passes
    assert [RULES.move_text(move) for move in chequered.moves] == ["pass"]
    assert not Prospect(RULES, at(EMPTY), COLOUR).passes
    one_swap = Prospect(RULES, at("..../..../..../RB.."), COLOUR)
    assert not one_swap.passes
