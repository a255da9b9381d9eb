"""Full or empty is all that cells need to tell: what hands do to them names the legal move that was made and no other.

Bamogo needs the colours declared besides; its moves are in `test_moves`.
"""

import os
import random
from collections.abc import Iterator
from typing import Any

import pytest

from controller.games.seam import AnyRules, Sower, load_game
from controller.recogniser.answers import Ambiguous, Doubt, Recognised, Unfinished
from controller.recogniser.prospect import Prospect, bits
from controller.recogniser.reading import prospect_of, read
from controller.recogniser.watch import Watch
from hardware.ports import Sensing, reads

MORE = 40 if os.environ.get("HYPOTHESIS_PROFILE") == "deep" else 1
STONES = {
    "exago": ("exago", None, {"radius": "2", "pieces": "6"}, 60),
    "exago, three players, groups go first": ("exago", 3, {"radius": "3", "always_dissolve": "yes"}, 20),
    "exago, free moves": ("exago", None, {"radius": "2", "pieces": "5", "free_moves": "yes"}, 40),
    "bambam": ("bambam-booboo", None, {"width": "8", "height": "8", "stones": "5"}, 40),
}
SEEDS = {
    "bao": ("bao-kigogo", {}, 60),
    "bao, narrow": ("bao-kigogo", {"columns": "5"}, 1500),
}


def positions(rules: AnyRules, count: int, dice: random.Random) -> Iterator[Any]:
    """So many positions that play has reached, from all parts of a round."""
    found = 0
    while found < count:
        position = rules.initial()
        for _ in range(120):
            if found == count or rules.outcome(position) is not None:
                break
            if dice.random() < 0.3:
                found += 1
                yield position
            position, _events = rules.apply(position, dice.choice(list(rules.legal(position))))


def after(prospect: Prospect, changes: list[tuple[int, int]]) -> Watch:
    """What was seen once the cells have changed so, one by one."""
    watch = Watch(prospect.base, prospect.base, 0)
    for number, (cell, content) in enumerate(changes, start=1):
        watch.change(cell, reads(content, Sensing.PRESENCE), 100 * number)
    return watch


@pytest.mark.parametrize("name", STONES)
def test_a_stone_that_comes_and_one_that_goes_name_the_move(name: str) -> None:
    game, players, settings, count = STONES[name]
    rules, dice = load_game(game).rules(players, settings), random.Random(name)
    parted = 0
    for position in positions(rules, count * MORE, dice):
        prospect = prospect_of(rules, position, Sensing.PRESENCE)
        assert prospect.index.hidden == 0
        for move in prospect.moves:
            mark = prospect.footprint(move)
            if not mark.after:
                assert prospect.passes
                continue
            lifts = [(cell, 0) for cell in mark.lifts]
            drops = [(cell, content) for cell, content in mark.after.items() if content]
            there = after(prospect, lifts + drops)
            whole = [prospect.moves[number] for number in bits(prospect.index.complete(there.different))]
            assert move in whole
            assert all(prospect.footprint(other).after == mark.after for other in whole), rules.move_text(move)
            # Of groups that tie the one that stays is named by those that go.
            gone = after(prospect, [*lifts, *drops, *mark.aftermath.items()])
            assert read(prospect, gone, {}) == Recognised(move), rules.move_text(move)
            parted += bool(mark.aftermath)
    assert parted


@pytest.mark.parametrize("name", SEEDS)
def test_the_pit_that_was_emptied_names_the_move(name: str) -> None:
    game, settings, count = SEEDS[name]
    rules, dice = load_game(game).rules(None, settings), random.Random(name)
    assert isinstance(rules, Sower)
    for position in positions(rules, count * MORE, dice):
        prospect = prospect_of(rules, position, Sensing.PRESENCE)
        for move in prospect.moves:
            contents = list(rules.contents(position))
            watch = Watch(prospect.base, prospect.base, 0)
            laps = rules.relay(position, move)
            pit = next(iter(prospect.footprint(move).lifts))
            if laps is None:
                watch.change(pit, 0, 100)
                assert read(prospect, watch, {}) == Ambiguous(Doubt.ENDLESS, (move,), (pit,))
                continue
            for number, (taken, sown) in enumerate(laps):
                for cell in (taken, *sown):
                    contents[cell] = 0 if cell == taken and contents[cell] and cell not in sown else contents[cell] + 1
                    watch.change(cell, reads(contents[cell], Sensing.PRESENCE), watch.changed_at + 100)
                    answer = read(prospect, watch, {})
                    if number < len(laps) - 1:
                        assert not isinstance(answer, Recognised), (rules.move_text(move), number)
                        assert not isinstance(answer, Unfinished) or answer.likely in {None, move}
            if watch.different:
                assert answer == Recognised(move), rules.move_text(move)
            else:
                assert answer == Ambiguous(Doubt.SAME, (move,), (pit,))
