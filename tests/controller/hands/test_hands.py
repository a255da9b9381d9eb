"""Whatever hands do, the board is never wrong, never stuck: machines that play, fumble and repair, by game and sensor.

`HYPOTHESIS_PROFILE=deep` runs many more examples, each much longer.
"""

import os
import random
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from controller.games.seam import Sower
from controller.table import questions
from controller.turns.phases import Phase
from simulator.faults import Faults
from tests.controller.hands.at_table import BUTTONS, QUICK, AtTable
from tests.controller.hands.deeds import Making, lay_by_hand, make, pairs

SEEDS = st.integers(0, 1 << 20)
DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"


class Hands(RuleBasedStateMachine):
    """Hands at one board. A subclass says at which."""

    game: ClassVar[str] = ""
    settings_: ClassVar[dict[str, str]] = {}
    sense: ClassVar[str] = ""
    players: ClassVar[int | None] = None

    def __init__(self) -> None:
        super().__init__()
        self.at = AtTable(self.game, self.settings_, self.sense, self.players)

    # Means of the rules.

    def calm(self) -> bool:
        """Whether the board is as it should be and hands know what was played."""
        return self.at.stood is not None

    def on_turn(self) -> bool:
        return self.calm() and self.at.table.phase in {Phase.WAITING, Phase.ASKING} and bool(self.at.playable())

    def stray(self) -> None:
        """From here on hands do what nobody means."""
        self.at.stood = None

    # Rules: what people mean to do.

    @initialize(bounce=st.sampled_from((0, 0, 3)), jitter=st.sampled_from((0, 0, 30)), seed=SEEDS)
    def sit_down(self, bounce: int, jitter: int, seed: int) -> None:
        self.at.seed(seed, Faults(bounce=bounce, jitter=jitter))

    @precondition(on_turn)
    @rule(seed=SEEDS)
    def make_a_move(self, seed: int) -> None:
        dice = random.Random(seed)
        make(self.at, dice.choice(self.moves()), dice)

    @precondition(on_turn)
    @rule(seed=SEEDS, count=st.integers(2, 6))
    def make_moves(self, seed: int, count: int) -> None:
        dice = random.Random(seed)
        for _ in range(count):
            if self.on_turn():
                make(self.at, dice.choice(self.moves()), dice)

    def moves(self) -> list[Any]:
        """What may be played here; relays without an end only where there is nothing else."""
        at = self.at
        if not isinstance(at.rules, Sower):
            return at.playable()
        ending = [move for move in at.playable() if at.rules.relay(at.table.position, move) is not None]
        return ending or at.playable()

    @precondition(on_turn)
    @rule(seed=SEEDS)
    def answer_before_the_board_is_quiet(self, seed: int) -> None:
        at, dice = self.at, random.Random(seed)
        assert at.stood is not None
        start, first = at.table.position, dice.choice(self.moves())
        after, _events = at.rules.apply(start, first)
        replies = [
            move
            for move in at.rules.legal(after)
            if at.rules.footprint(after, move).after
            and (not isinstance(at.rules, Sower) or at.rules.relay(after, move) is not None)
        ]
        if not at.rules.footprint(start, first).after or at.rules.outcome(after) is not None or not replies:
            return
        if at.table.picture.masked or (isinstance(at.rules, Sower) and at.rules.relay(start, first) is None):
            return
        reply = dice.choice(replies)
        before = at.seen()
        Making(at, first, dice, position=start).make()
        Making(at, reply, dice, position=after).make()
        both = [*at.stood, at.rules.move_text(first), at.rules.move_text(reply)]
        readings = at.seen()
        clear = not isinstance(at.rules, Sower) and readings != before and not at.whole(readings)
        # Where both lead back to an earlier position, the board asks whether plies were taken back.
        clear = clear and readings not in [at.read_as(at.rules.contents(ply.before)) for ply in at.table.round.plies]
        clear = clear and not at.begun(readings) and self.told_apart(pairs(at, readings, at.done_at), before, readings)
        at.stood = None
        at.respond()
        at.respond()
        at.wait(3500)
        if clear:
            assert at.tokens == both, at.told(f"{both[-2:]} were made at once")
        self.put_right(seed)

    def told_apart(self, found: list[tuple[str, str]], before: list[int], readings: list[int]) -> bool:
        """Whether just one pair explains the picture; colours that the cells cannot tell are asked."""
        if not self.at.blind_to_swaps:
            return len(found) == 1
        if any("~" in token for pair in found for token in pair):
            return False
        return len({tuple(tuple(stone[1:] for stone in token.split()) for token in pair) for pair in found}) == 1

    @precondition(on_turn)
    @rule(seed=SEEDS)
    def move_on_after_resting(self, seed: int) -> None:
        at, dice = self.at, random.Random(seed)
        if at.rules.name not in {"exago", "bambam-booboo"} or at.table.picture.masked:
            return
        start = at.table.position
        marks = {move: at.rules.footprint(start, move) for move in at.rules.legal(start)}
        first = dice.choice(list(marks))
        others = [
            move
            for move, mark in marks.items()
            if mark.lifts == marks[first].lifts
            and mark.after.keys() != marks[first].after.keys()
            and not mark.aftermath
        ]
        if marks[first].aftermath or not marks[first].after or not others:
            return
        second = dice.choice(others)
        make(at, first, dice)
        if at.table.phase is Phase.OVER:
            return
        landed = [cell for cell, content in marks[first].after.items() if content]
        landing = sorted(cell for cell, content in marks[second].after.items() if content)
        picture = at.read_as([marks[second].after.get(c, n) for c, n in enumerate(at.rules.contents(start))])
        if at.whole(picture) or at.begun(picture):
            return
        content = at.lift(landed[0])
        at.wait(dice.choice(QUICK))
        at.put(landing, content)
        assert at.stood is not None
        at.stood = None
        at.wait(500)
        assert at.tokens[-1] == at.rules.move_text(second), at.told(f"{at.rules.move_text(second)} came instead")
        self.put_right(seed)

    # Rules: what people do besides.

    @precondition(calm)
    @rule(seed=SEEDS)
    def brush(self, seed: int) -> None:
        at, dice = self.at, random.Random(seed)
        if not at.full() or at.wrong():
            return
        at.wait(400)
        cell = dice.choice(at.full())
        cells = at.top.piece(cell)
        content = at.lift(cell)
        at.wait(dice.choice(QUICK))
        at.put(cells, content)
        at.wait(500)
        if at.table.question is not None and at.table.question.about == questions.SAME:
            at.press("back")
            at.wait(400)
        assert at.at_rest(), at.told("a stone was brushed")

    @precondition(on_turn)
    @rule(seed=SEEDS)
    def try_what_is_illegal(self, seed: int) -> None:
        at, dice = self.at, random.Random(seed)
        earlier = [at.read_as(at.rules.contents(ply.before)) for ply in at.table.round.plies]
        for cells in dice.sample(at.placements(), min(12, len(at.placements()))):
            content = 1 if not at.rules.stones else dice.randrange(1, len(at.rules.stones))
            contents = list(at.top.contents)
            for cell in cells:
                contents[cell] += content
            readings = at.read_as(contents)
            if readings == at.seen() or readings in earlier or at.table.picture.masked & set(cells):
                continue
            if at.whole(readings) or (at.rules.stones and at.begun(readings)):
                continue
            at.put(cells, content)
            at.wait(3600)
            at.check()
            assert at.table.phase is Phase.MENDING, at.told("an illegal try")
            at.wait(dice.choice((0, 1500, 5000)))
            stood = at.tokens
            at.stood = None
            self.put_right(seed)
            assert at.tokens == stood
            return

    @precondition(lambda self: self.calm() and self.at.table.question is None and self.at.tokens)
    @rule(seed=SEEDS)
    def take_back_by_the_button(self, seed: int) -> None:
        at = self.at
        assert at.stood is not None
        at.press("back")
        at.stood.pop()
        at.check()
        self.put_right(seed)

    @precondition(lambda self: self.on_turn() and self.at.table.question is None and self.at.tokens)
    @rule(seed=SEEDS)
    def take_back_by_hand(self, seed: int) -> None:
        at, dice = self.at, random.Random(seed)
        plies = at.table.round.plies
        back = dice.randint(1, min(4, len(plies)))
        position = plies[-back].before
        readings = at.read_as(at.rules.contents(position))
        since = [at.read_as(at.rules.contents(ply.before)) for ply in plies[-back + 1 :]] if back > 1 else []
        if readings in [at.seen(), *since] or at.whole(readings) or at.table.picture.masked:
            return
        assert at.stood is not None
        stood = at.stood[:-back]
        lay_by_hand(at, position, dice)
        at.wait(500)
        at.check()
        at.press("ok")
        at.wait(400)
        assert at.tokens == stood, at.told(f"{back} plies were put back by hand")
        at.stood = None
        self.put_right(seed)
        assert at.tokens == stood

    @precondition(calm)
    @rule(seed=SEEDS, sure=st.booleans())
    def ask_for_a_new_round(self, seed: int, sure: bool) -> None:
        at = self.at
        at.press("new")
        assert at.table.question is not None
        assert at.table.question.about == questions.NEW_ROUND
        at.press("ok" if sure else "back")
        at.stood = [] if sure else at.stood
        at.check()
        self.put_right(seed)

    @precondition(calm)
    @rule()
    def ask_for_a_hint(self) -> None:
        at = self.at
        at.press("hint")
        at.wait(600)
        if at.table.phase is not Phase.OVER:
            for cell in at.table.prospect.targets():
                assert at.stage.lit(cell)

    @precondition(lambda self: self.calm() and self.at.table.resignable and self.at.table.question is None)
    @rule(seed=SEEDS, whom=st.sampled_from(("ok", "1", "2")))
    def resign_and_think_better_of_it(self, seed: int, whom: str) -> None:
        at = self.at
        loser = at.rules.to_move(at.table.position) if whom == "ok" else int(whom)
        at.press("new")
        at.press("new")
        at.press(whom)
        outcome = at.table.round.outcome
        assert outcome is not None
        assert (at.table.phase, outcome.winner) == (Phase.OVER, 3 - loser)
        at.press("back")
        at.check()
        self.put_right(seed)

    @rule(seed=SEEDS, span=st.sampled_from((0, 60, 1000, 4000)), meanwhile=st.booleans())
    def pull_the_cable(self, seed: int, span: int, meanwhile: bool) -> None:
        at, dice = self.at, random.Random(seed)
        at.pull_the_cable()
        at.wait(span)
        if meanwhile and at.full():
            self.stray()
            at.lift(dice.choice(at.full()))
            at.wait(60)
        at.plug_it_in()
        at.wait(1600)
        assert at.table.phase is not Phase.OFFLINE, at.told("still offline")
        if self.calm():
            at.check()
            self.put_right(seed)

    # Rules: anything at all.

    @rule(seed=SEEDS)
    def lift_anything(self, seed: int) -> None:
        if self.at.full():
            self.stray()
            self.at.lift(random.Random(seed).choice(self.at.full()))
            self.at.wait(60)

    @rule(seed=SEEDS)
    def put_anything_anywhere(self, seed: int) -> None:
        at, dice = self.at, random.Random(seed)
        if at.placements():
            self.stray()
            content = dice.randint(1, 3) if not at.rules.stones else dice.randrange(1, len(at.rules.stones))
            at.put(dice.choice(at.placements()), content)
            at.wait(60)

    @rule(button=st.sampled_from(BUTTONS))
    def press_anything(self, button: str) -> None:
        self.stray()
        self.at.press(button)

    @rule(seed=SEEDS)
    def touch_anything(self, seed: int) -> None:
        self.stray()
        self.at.touch(random.Random(seed).randrange(len(self.at.rules.cells)))

    @precondition(lambda self: self.at.table.question is not None)
    @rule(seed=SEEDS)
    def answer_a_question(self, seed: int) -> None:
        """Each option does something."""
        at = self.at
        question = at.table.question
        assert question is not None
        self.stray()
        option = random.Random(seed).choice(question.options)
        if (option, question.about) == ("back", questions.COLOUR) and not at.table.declarations.any:
            return  # the stones themselves are to be named or taken off
        if option in BUTTONS:
            at.press(option)
        else:
            at.touch(at.rules.spot(option)[0])
        assert at.table.question is not question, at.told(f"{option} answers nothing")

    @rule(span=st.sampled_from((60, 299, 301, 1000, 3100, 6500)))
    def let_time_pass(self, span: int) -> None:
        self.at.wait(span)

    @rule(seed=SEEDS)
    def put_right(self, seed: int) -> None:
        """Do as the board says; what has counted meanwhile stands."""
        expected = self.at.stood
        self.at.put_right(random.Random(seed))
        assert expected is None or self.at.tokens == expected

    @invariant()
    def is_never_wrong(self) -> None:
        self.at.check()

    def teardown(self) -> None:
        """Never stuck: from wherever this ended, doing as the board says leads back into play."""
        self.at.put_right(random.Random(0))
        self.at.check()


BOARDS: dict[str, tuple[str, dict[str, str], str]] = {
    "bamogo_by_colour": ("bamogo", {}, "colour"),
    "bamogo_by_presence": ("bamogo", {"ko": "always"}, "presence"),
    "exago_by_presence": ("exago", {"radius": "2", "pieces": "4", "need": "4"}, "presence"),
    "exago_by_colour": ("exago", {"radius": "3", "pieces": "4", "always_dissolve": "yes"}, "colour"),
    "bambam_by_presence": ("bambam-booboo", {"width": "8", "height": "8", "stones": "4"}, "presence"),
    "bambam_by_colour": ("bambam-booboo", {"width": "8", "height": "8", "stones": "4"}, "colour"),
    "bao_by_presence": ("bao-kigogo", {"columns": "5"}, "presence"),
    "bao_by_count": ("bao-kigogo", {"columns": "4"}, "count"),
}
"""The boards that hands sit at, small so that much happens on them: game, options, sensing kind."""

EXTENT = settings(
    deadline=None,
    max_examples=400 if DEEP else 12,
    stateful_step_count=50 if DEEP else 20,
    derandomize=not DEEP,
    database=None,
    suppress_health_check=list(HealthCheck),
    print_blob=True,
)


@pytest.mark.parametrize("board", BOARDS)
def test_never_wrong_never_stuck(board: str) -> None:
    game, options, sense = BOARDS[board]
    here = type(board, (Hands,), {"game": game, "settings_": options, "sense": sense})
    run_state_machine_as_test(here, settings=EXTENT)
