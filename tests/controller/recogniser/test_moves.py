"""For any position and any legal move: every order of its physical changes ends in that move, and no step earlier."""

import random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.games.bamogo import GAME
from controller.games.seam import AnyRules, Footprint
from controller.recogniser.answers import Ambiguous, Answer, Doubt, Mismatch, Recognised, Settled, Unfinished
from controller.recogniser.prospect import Prospect
from controller.recogniser.reading import read
from controller.recogniser.watch import Watch
from hardware.ports import Sensing, reads

RULES: AnyRules = GAME.rules(2, {"target": "99"})
SENSINGS = (Sensing.COLOUR, Sensing.PRESENCE)
FAST = settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.too_slow])


def position_after(dice: random.Random) -> Any:
    """A position that play has reached."""
    position = RULES.initial()
    for _ in range(dice.randrange(14)):
        position, _ = RULES.apply(position, dice.choice(list(RULES.legal(position))))
    return position


def physical(dice: random.Random, footprint: Footprint) -> list[tuple[int, int]]:
    """The changes of a move, (cell, content): lifts before drops, each in any order."""
    lifts = [(cell, 0) for cell in footprint.lifts]
    drops = list(footprint.after.items())
    dice.shuffle(lifts)
    dice.shuffle(drops)
    return lifts + drops


class Hands:
    """Changes into a watch, read after each."""

    def __init__(self, position: Any, sensing: Sensing) -> None:
        self.prospect = Prospect(RULES, position, sensing)
        self.watch = Watch(self.prospect.base, self.prospect.base, 0)
        self.declared: dict[int, int] = {}
        self.at = 0

    def change(self, cell: int, content: int) -> Answer:
        self.at += 1
        self.watch.change(cell, reads(content, self.prospect.sensing), self.at)
        return self.read()

    def read(self) -> Answer:
        return read(self.prospect, self.watch, self.declared)

    def declare_all(self, content: dict[int, int]) -> Answer:
        """Answer what is asked, cell by cell, until nothing is."""
        answer = self.read()
        while isinstance(answer, Ambiguous) and answer.about is Doubt.COLOUR:
            (cell,) = answer.cells
            assert cell not in self.declared
            self.declared[cell] = content[cell]
            answer = self.read()
        return answer


@FAST
@given(st.randoms(use_true_random=False), st.sampled_from(SENSINGS))
def test_any_order_of_changes_ends_in_the_move_and_no_step_before_does(dice: random.Random, sensing: Sensing) -> None:
    position = position_after(dice)
    move = dice.choice(list(RULES.legal(position)))
    footprint = RULES.footprint(position, move)
    changes = physical(dice, footprint)
    hands = Hands(position, sensing)
    for number, (cell, content) in enumerate(changes, start=1):
        answer = hands.change(cell, content)
        if number < len(changes):
            assert isinstance(answer, Unfinished), (RULES.move_text(move), changes[:number])
            assert {left for left, _ in changes[number:]} <= answer.next
    if changes:
        if sensing is Sensing.PRESENCE and not footprint.lifts:
            assert isinstance(hands.read(), Ambiguous)
            # Filled first, asked first.
            first = hands.read()
            assert isinstance(first, Ambiguous)
            assert first.cells == (changes[0][0],)
        assert hands.declare_all(dict(footprint.after)) == Recognised(move), RULES.move_text(move)
    else:
        assert hands.read() == Settled()
        assert hands.prospect.passes


@FAST
@given(st.randoms(use_true_random=False), st.sampled_from(SENSINGS))
def test_brushes_and_detours_on_the_way_change_nothing(dice: random.Random, sensing: Sensing) -> None:
    position = position_after(dice)
    move = dice.choice(list(RULES.legal(position)))
    footprint = RULES.footprint(position, move)
    contents = RULES.contents(position)
    touched = set(footprint.after)
    still = [cell for cell, content in enumerate(contents) if content and cell not in touched]
    free = [cell for cell, content in enumerate(contents) if not content and cell not in touched]
    hands = Hands(position, sensing)
    for cell, content in physical(dice, footprint):
        # By presence a stone brushed while another is in the hand might have been swapped: that is asked, not tested.
        lifted = bool(footprint.lifts) and any(not reading for reading in hands.watch.different.values())
        if still and dice.random() < 0.5 and not (lifted and sensing is Sensing.PRESENCE):
            brushed = dice.choice(still)
            assert not isinstance(hands.change(brushed, 0), Recognised)
            assert not isinstance(hands.change(brushed, contents[brushed]), Recognised)
        if free and content and dice.random() < 0.5:
            crossed = dice.choice(free)
            hands.change(crossed, content)  # a slide over it; whether that rests is for the time to tell
            hands.change(crossed, 0)
        hands.change(cell, content)
    if footprint.after:
        assert hands.declare_all(dict(footprint.after)) == Recognised(move), RULES.move_text(move)


@FAST
@given(st.randoms(use_true_random=False), st.sampled_from(SENSINGS))
def test_noise_that_ends_where_it_began_makes_no_move(dice: random.Random, sensing: Sensing) -> None:
    position = position_after(dice)
    contents = RULES.contents(position)
    hands = Hands(position, sensing)
    for _ in range(dice.randrange(1, 25)):
        # One cell at a time flickers, so that never two stones are in a hand together.
        cell = dice.randrange(16)
        hands.change(cell, 0 if contents[cell] else dice.randint(1, 3))
        answer = hands.change(cell, contents[cell])
        assert answer == Settled()
    assert hands.watch.different == {}
    assert hands.watch.filled == []


@FAST
@given(st.randoms(use_true_random=False), st.sampled_from(SENSINGS))
def test_whatever_hands_do_the_answer_is_one_of_five_and_a_move_is_legal(dice: random.Random, sensing: Sensing) -> None:
    position = position_after(dice)
    legal = list(RULES.legal(position))
    hands = Hands(position, sensing)
    top = 3 if sensing is Sensing.COLOUR else 1
    for _ in range(dice.randrange(1, 40)):
        answer = hands.change(dice.randrange(16), dice.choice([0, 0, dice.randint(1, top), -1]))
        match answer:
            case Recognised(move=move):
                assert move in legal
                shown = {cell: reads(what, sensing) for cell, what in RULES.footprint(position, move).after.items()}
                base = hands.prospect.base
                wanted = [shown.get(cell, base[cell]) for cell in range(16)]
                assert hands.watch.readings == wanted  # the board reads exactly as after the move
            case Ambiguous(moves=moves):
                assert moves
                assert all(move in legal for move in moves)
            case Mismatch():
                assert set(answer.cells) == set(hands.watch.different)
            case Unfinished() | Settled():
                pass
            case _:
                raise AssertionError(answer)


@FAST
@given(st.randoms(use_true_random=False))
def test_b5_by_colour_only_the_readings_count_not_their_history(dice: random.Random) -> None:
    """The same picture means the same however it came about: a lost edge heals by itself."""
    position = position_after(dice)
    hands = Hands(position, Sensing.COLOUR)
    for _ in range(dice.randrange(1, 30)):
        hands.change(dice.randrange(16), dice.randint(0, 3))
    jumped = Hands(position, Sensing.COLOUR)
    for cell, reading in enumerate(hands.watch.readings):
        jumped.change(cell, reading)
    assert jumped.read() == hands.read()
