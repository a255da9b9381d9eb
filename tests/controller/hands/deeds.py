"""How hands make one whole move: in an order and a tempo of their own, with fumbles on the way."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from controller.games.seam import AnyRules, Cell, Sower, pieces
from tests.controller.hands.at_table import COLOUR_BUTTONS, LIMIT_MS, QUICK, SLOW, AtTable


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing that hands do: `content` 0 lifts what lies on `cells`, else so much is put there."""

    cells: tuple[Cell, ...]
    content: int = 0


def deeds(rules: AnyRules, position: Any, move: Any, dice: random.Random) -> list[Deed]:
    """Return what hands lift and put down for a move, in an order of their own."""
    footprint = rules.footprint(position, move)
    landing = _stones(rules, [cell for cell, content in footprint.after.items() if content])
    owed = _owed(rules, position, footprint.after, footprint.aftermath)
    dice.shuffle(owed)
    if isinstance(rules, Sower):
        laps = rules.relay(position, move)
        assert laps is not None, "a relay without an end is asked about, not sown"
        sown = [deed for taken, pits in laps for deed in (Deed((taken,)), *(Deed((pit,), 1) for pit in pits))]
        return [*sown, *map(Deed, owed)]
    lifts = [Deed(cells) for cells in _stones(rules, list(footprint.lifts))]
    drops = [Deed(cells, footprint.after[cells[0]]) for cells in landing]
    dice.shuffle(lifts)
    dice.shuffle(drops)
    lifted = {cell for deed in lifts for cell in deed.cells}
    apart = all(lifted.isdisjoint(deed.cells) for deed in drops)
    if lifts and apart and dice.random() < 0.2:
        return [*drops, *lifts, *map(Deed, owed)]  # the new stone comes before the old one goes
    if lifts and apart and not any(set(cells) & footprint.after.keys() for cells in owed) and dice.random() < 0.3:
        return [*lifts, *map(Deed, owed), *drops]  # what goes back goes while the stone is in the hand
    return [*lifts, *drops, *map(Deed, owed)]


def _stones(rules: AnyRules, cells: list[Cell]) -> list[tuple[Cell, ...]]:
    cells = sorted(cells)
    if rules.surface == "mat":
        return [tuple(cells)] if cells else []
    return [(cell,) for cell in cells]


def _owed(
    rules: AnyRules, position: Any, after: Mapping[Cell, int], aftermath: Mapping[Cell, int]
) -> list[tuple[Cell, ...]]:
    if rules.surface != "mat":
        return [(cell,) for cell in sorted(aftermath)]
    landed = tuple(sorted(cell for cell, content in after.items() if content))
    standing = [piece for piece in pieces(rules, position) if piece[0] not in after or after[piece[0]]]
    return [piece for piece in sorted({*standing, landed}) if piece and all(cell in aftermath for cell in piece)]


class Making:
    """One move being made."""

    def __init__(self, at: AtTable, move: Any, dice: random.Random, *, position: Any = None) -> None:
        """`position`: where a move is made before the board was quiet; None: at rest, where the game stands."""
        self._at, self._dice, self._hasty = at, dice, position is not None
        self._move = move
        self._position = at.table.position if position is None else position
        self._stand = len(at.tokens)
        self._footprint = at.rules.footprint(self._position, move)
        self._filled: list[Cell] = []
        self._declared: list[int] = []
        self._landing: list[int] = []

    def make(self) -> None:
        """Do all of it; the last change is the end of the move."""
        at, dice = self._at, self._dice
        if not self._footprint.after:
            at.press("ok")
            return
        steps = deeds(at.rules, self._position, self._move, dice)
        self._landing = [deed.content for deed in steps if deed.content]
        for deed in steps:
            self._maybe_declare()
            self._do(deed)
            at.wait(self._pause())
        while self._maybe_declare(late=True):
            pass

    def _do(self, deed: Deed) -> None:
        at, dice = self._at, self._dice
        sowing = isinstance(at.rules, Sower)
        if not deed.content:
            content = at.lift(deed.cells[0])
            if dice.random() < 0.15 and not self._together():
                # Put back, and taken again.
                at.wait(dice.choice(QUICK))
                at.put(deed.cells, content)
                at.wait(dice.choice(QUICK))
                at.lift(deed.cells[0])
            return
        if not sowing and dice.random() < 0.25:
            self._slide(deed)
        at.put(deed.cells, deed.content)
        self._filled.append(deed.cells[0])
        if not sowing and dice.random() < 0.15:
            at.wait(dice.choice(QUICK))
            at.lift(deed.cells[0])
            self._filled.pop()
            at.wait(dice.choice(QUICK))
            at.put(deed.cells, deed.content)
            self._filled.append(deed.cells[0])

    def _slide(self, deed: Deed) -> None:
        """Come down on other cells first, on each for a moment."""
        at = self._at
        places = [cells for cells in at.placements() if self._footprint.after.keys().isdisjoint(cells)]
        for cells in self._dice.sample(places, min(len(places), self._dice.randint(1, 3))):
            at.put(cells, deed.content)
            at.wait(self._dice.choice((60, 120)))
            at.lift(cells[0])
            at.wait(self._dice.choice((60, 70)))

    def _together(self) -> bool:
        """Whether what is lifted together is all that tells the move."""
        return self._at.blind_to_swaps and bool(self._footprint.lifts)

    def _pause(self) -> int:
        """Return a pause: a long one only where nobody could take the picture for another whole move."""
        at, dice = self._at, self._dice
        if self._hasty:
            return dice.choice(QUICK)
        if isinstance(at.rules, Sower):
            return dice.choice((60, 60, 90, 150, 350, 800)) if dice.random() < 0.3 else 60
        others = [move for move in at.whole(at.seen()) if move != self._move]
        return dice.choice(QUICK if others else SLOW)

    # Colours that the cells cannot tell.

    def _maybe_declare(self, *, late: bool = False) -> bool:
        """Press the next colour, now or later; return whether there was one."""
        at, dice = self._at, self._dice
        if not at.blind_to_swaps or self._footprint.lifts or self._hasty or len(at.tokens) > self._stand:
            return False
        if len(self._declared) == 2 or (not late and dice.random() < 0.5):
            return False
        order = [*(self._footprint.after[cell] for cell in self._filled)]
        order += [content for content in self._landing if content not in order]
        stone = next(content for content in order if content not in self._declared)
        at.press(COLOUR_BUTTONS[at.rules.stones[stone]])
        if dice.random() < 0.2 and not late:
            at.press("back")  # a slip
            at.wait(dice.choice((60, 200)))
            at.press(COLOUR_BUTTONS[at.rules.stones[stone]])
        self._declared.append(stone)
        return True


def make(at: AtTable, move: Any, dice: random.Random) -> None:
    """Make a move from a board at rest; it must count as what it is, and nothing else may."""
    assert at.stood is not None
    token, stand = at.rules.move_text(move), len(at.tokens)
    if isinstance(at.rules, Sower) and at.rules.relay(at.table.position, move) is None:
        at.lift(at.rules.spot(token)[0])
        at.wait(500)
        at.press("ok")
    else:
        unseen = at.read_as(at.rules.contents(at.rules.apply(at.table.position, move)[0])) == at.seen()
        Making(at, move, dice).make()
        if isinstance(at.rules, Sower) and unseen:
            at.wait(600)
            at.press("ok")
    at.respond()
    counted = at.stage.pass_until(lambda: len(at.tokens) > stand and at.at_rest(), LIMIT_MS)
    assert counted, at.told(f"{token} did not count")
    at.stood.append(token)
    at.tidy()
    at.check()


def lay_by_hand(at: AtTable, position: Any, dice: random.Random) -> None:
    """Bring the board to another position, without letting it come to rest on the way."""
    wanted = at.rules.contents(position)
    if isinstance(at.rules, Sower):
        for cell in dice.sample(range(len(wanted)), len(wanted)):
            there = at.top.contents[cell]
            if there > wanted[cell]:
                at.take_some(cell, there - wanted[cell])
                at.wait(60)
            elif there < wanted[cell]:
                at.put((cell,), wanted[cell] - there)
                at.wait(60)
        return
    standing = {frozenset(at.top.piece(cell)): at.top.contents[cell] for cell in at.full()}
    should = {frozenset(piece): wanted[piece[0]] for piece in pieces(at.rules, position)}
    going = sorted((sorted(cells) for cells, content in standing.items() if should.get(cells) != content))
    coming = sorted((sorted(cells), content) for cells, content in should.items() if standing.get(cells) != content)
    for cells in dice.sample(going, len(going)):
        at.lift(cells[0])
        at.wait(dice.choice(QUICK))
    for place, content in dice.sample(coming, len(coming)):
        at.put(place, content)
        at.wait(dice.choice(QUICK))


def _landed(after: Mapping[Cell, int], done_at: Mapping[Cell, int]) -> int:
    """Return when the stones of a move were put down."""
    return max((done_at.get(cell, 0) for cell, content in after.items() if content), default=0)


def pairs(at: AtTable, readings: list[int], done_at: Mapping[Cell, int]) -> list[tuple[str, str]]:
    """Return the pairs of plies that lead to these readings, the first landed no later than the second; tokens.

    Not for sowing games.
    """
    rules, position = at.rules, at.table.position
    found = []
    for first in rules.legal(position):
        after, _events = rules.apply(position, first)
        between = at.read_as(rules.contents(after))
        left = {cell for cell, reading in enumerate(readings) if reading != between[cell]}
        if not left or rules.outcome(after) is not None:
            continue
        landed = _landed(rules.footprint(position, first).after, done_at)
        for second in rules.legal(after):
            footprint = rules.footprint(after, second)
            if not left <= {*footprint.after, *footprint.aftermath}:
                continue
            last = at.read_as(rules.contents(rules.apply(after, second)[0]))
            if last == readings and landed <= _landed(footprint.after, done_at):
                found.append((rules.move_text(first), rules.move_text(second)))
    return found
