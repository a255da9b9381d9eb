"""Whatever hands, buttons and time do: only legal plies, never a dead end, and the lights agree with the phase."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.lighting.language import LANGUAGE
from controller.table.advice import Advice, advise
from controller.table.view import view
from controller.table.words import words
from hardware.ports import Sensing

Sit = Callable[..., Any]
SENSINGS = (Sensing.COLOUR, Sensing.PRESENCE)
MANY = settings(
    deadline=None,
    max_examples=15,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
BUTTONS = ("red", "blue", "yellow", "ok", "back", "new", "hint", "1", "2")


def anything(seat: Any, dice: random.Random) -> None:
    """One thing that people do."""
    match dice.randrange(8):
        case 0 | 1 | 2 | 3:
            name = dice.choice(seat.rules.cells).name
            seat.do(f"{name}={dice.choice('-RBY')}")
        case 4:
            seat.press(dice.choice(BUTTONS))
        case 5:
            seat.table.touch(dice.randrange(16), seat.now)
            seat._note()
        case _:
            seat.wait(dice.choice([10, 100, 300, 301, 900, 3100]))


def follow(seat: Any, advice: Advice) -> None:
    """Do the one step that the board asks for."""
    names, stones = [place.name for place in seat.rules.cells], seat.rules.stones
    for cell in advice.take:
        seat.do(f"{names[cell]}=-").wait(20)
    for cell in advice.put:
        seat.do(f"{names[cell]}={stones[advice.content]}").wait(20)


def check_plies(seat: Any) -> None:
    """The plies that stand are legal and lead from the start to the position."""
    position = seat.table.round.start
    for ply in seat.table.round.plies:
        assert ply.before == position
        assert ply.move in seat.rules.legal(position)
        position, events = seat.table.rules.apply(position, ply.move)
        assert (ply.after, ply.events) == (position, events)
    assert seat.table.position == position


def check_patterns(seat: Any) -> None:
    """Nobody needs colour sight: what is lit together differs in pattern."""
    shown = {glow.meaning for glow in seat.table._glows if glow.cells and glow.lit(seat.now)}
    patterns = [LANGUAGE[meaning].pattern for meaning in shown]
    assert len(patterns) == len(set(patterns)), shown


def check_lights(seat: Any) -> None:
    """What is wrong for long is lit; what is as it should be is dark after a while."""
    frame = seat.table.frame(seat.now)
    assert len(frame) == 3 * (16 + 24)
    if seat.phase in {"mending", "setup"}:
        shown = seat.lit_over(600)
        wrong = {seat.rules.cells[cell].name for cell in seat.table.watch.different}
        assert wrong <= shown


@MANY
@given(st.randoms(use_true_random=False), st.sampled_from(SENSINGS))
def test_no_sequence_makes_an_illegal_ply_or_an_error(sit: Sit, dice: random.Random, sensing: Sensing) -> None:
    seat = sit(sensing=sensing)
    for _ in range(45):
        anything(seat, dice)
        check_plies(seat)
        check_patterns(seat)
        state = view(seat.table, seat.table.frame(seat.now))
        assert state["words"]
        assert state["phase"] == seat.phase
        assert (state["question"] is None) is (seat.table.question is None)
        if seat.phase == "asking":
            assert seat.about is not None
        elif seat.about is not None:
            assert (seat.phase, seat.about) == ("mending", "new-round")


@MANY
@given(st.randoms(use_true_random=False), st.sampled_from(SENSINGS))
def test_putting_the_stones_as_shown_always_leads_back(sit: Sit, dice: random.Random, sensing: Sensing) -> None:
    seat = sit(sensing=sensing)
    for _ in range(40):
        anything(seat, dice)
    check_lights(seat)
    for _ in range(60):
        if seat.about is not None and seat.about != "pass":
            seat.press("back").wait(400)
        steps = advise(seat.table.picture)
        if not steps:
            break
        follow(seat, steps[0])
        seat.wait(400)
    assert seat.phase in {"waiting", "over"} or seat.about == "pass", words(seat.table)
    assert seat.table.watch.different == {} or seat.phase == "over"
    check_plies(seat)


@MANY
@given(st.randoms(use_true_random=False))
def test_b8_noise_that_ends_where_it_began_leaves_the_game(sit: Sit, dice: random.Random) -> None:
    seat = sit("..../RB../BYR./RBR.")
    before = seat.table.position
    contents = seat.rules.contents(before)
    letters = [seat.rules.stones[content] or "-" for content in contents]
    for _ in range(30):
        cell = dice.randrange(16)
        seat.do(f"{seat.rules.cells[cell].name}={dice.choice('-RBY')}").wait(dice.choice([0, 3, 20, 60]))
    for cell in dice.sample(range(16), 16):
        seat.do(f"{seat.rules.cells[cell].name}={letters[cell]}").wait(dice.choice([0, 10, 40]))
    seat.wait(400)
    assert (seat.table.position, seat.phase, seat.moves) == (before, "waiting", [])


@MANY
@given(st.randoms(use_true_random=False), st.sampled_from(SENSINGS))
def test_a_frame_stands_until_the_table_is_due(sit: Sit, dice: random.Random, sensing: Sensing) -> None:
    seat = sit(sensing=sensing)
    for _ in range(25):
        anything(seat, dice)
        frame, due = seat.table.frame(seat.now), seat.table.due()
        later = seat.now + 50 if due is None else due - 1
        if later > seat.now:
            seat.now = later
            seat.table.advance(later)
            assert seat.table.frame(later) is frame


@MANY
@given(st.randoms(use_true_random=False), st.sampled_from(SENSINGS))
def test_the_same_deeds_twice_are_the_same_story(sit: Sit, dice: random.Random, sensing: Sensing) -> None:
    seed = dice.randrange(1 << 30)
    stories = []
    for _ in range(2):
        seat, again = sit(sensing=sensing), random.Random(seed)
        other = sit(sensing=sensing)  # another board in the same process
        for _ in range(30):
            anything(seat, again)
            anything(other, dice)
        stories.append((seat.told, seat.frames))
    assert stories[0] == stories[1]


@pytest.mark.parametrize("sensing_kind", SENSINGS, ids=["colour", "presence"])
def test_a_whole_random_game_by_legal_deeds(sit: Sit, sensing_kind: Sensing) -> None:
    dice = random.Random(7)
    for _ in range(3):
        seat = sit(sensing=sensing_kind, settings={"max_plies": "40"})
        plies: list[str] = []
        while seat.phase != "over":
            position = seat.table.position
            move = dice.choice(list(seat.rules.legal(position)))
            footprint = seat.rules.footprint(position, move)
            letters = seat.rules.stones
            deeds = [f"{seat.rules.cells[cell].name}=-" for cell in footprint.lifts]
            drops = [(cell, letters[what]) for cell, what in footprint.after.items()]
            dice.shuffle(deeds)
            dice.shuffle(drops)
            seat.do(" ".join([*deeds, *(f"{seat.rules.cells[cell].name}={what}" for cell, what in drops)]), gap=60)
            if sensing_kind is Sensing.PRESENCE and not footprint.lifts:
                seat.press(*({"R": "red", "B": "blue", "Y": "yellow"}[what] for _, what in drops))
            seat.press("ok") if not footprint.after else seat.wait(300)
            plies.append(seat.rules.move_text(move))
            assert seat.moves == plies
        assert len(plies) >= 3
        assert len(seat.heard("move")) == len(plies)
        assert seat.heard("mismatch") == []
