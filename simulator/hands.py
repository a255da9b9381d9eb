"""Hands that make a whole move as a person would: which stones they lift and put down, and which buttons they press.

Plans are values: a list of actions in the order in which they are done, drawn from dice, so that a seed repeats them.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from controller.games.seam import AnyRules, Cell, Content, Footprint, Sower, pieces
from hardware.ports import Millis, Sensing, reads

PAUSES_MS: Final = (60, 450)
"""How long hands wait between two actions, at least and at most."""
SOWING_MS: Final = (60, 150)
"""The same between two seeds of a sowing."""

BUTTONS: Final = {"R": "red", "B": "blue", "Y": "yellow", "G": "green", "P": "purple", "O": "orange"}
"""The button that declares each stone."""


@dataclass(frozen=True, slots=True)
class Lift:
    """Take the stone that covers `cells`, or all seeds of a pit."""

    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Drop:
    """Put a stone down on `cells`, or `content` seeds into a pit."""

    cells: tuple[Cell, ...]
    content: Content


@dataclass(frozen=True, slots=True)
class Press:
    """Press a button."""

    button: str


@dataclass(frozen=True, slots=True)
class Pause:
    """Do nothing for so many milliseconds."""

    ms: Millis


Action: TypeAlias = Lift | Drop | Press | Pause


def plan(rules: AnyRules, position: Any, move: Any, sensing: Sensing, dice: random.Random) -> list[Action]:
    """Return how hands make `move` at `position`, pauses included, in an order and tempo of their own.

    Lifts come before drops, each in a random order; a sowing goes seed by seed. What the cells cannot tell is declared
    once the stones are down, in the order in which they came down. Then comes what the rules ask to be taken off. A
    move that touches nothing is confirmed with ``ok``.
    """
    footprint = rules.footprint(position, move)
    if not footprint.after:
        return [Press("ok")]
    owed = [Lift(cells) for cells in _owed(rules, position, footprint.after, footprint.aftermath)]
    dice.shuffle(owed)
    if isinstance(rules, Sower):
        return [*_sowing(rules, position, move, sensing, dice), *_paced(owed, PAUSES_MS, dice)]
    lifted = _pieces(rules, sorted(footprint.lifts))
    landing = _pieces(rules, sorted(cell for cell, content in footprint.after.items() if content))
    dice.shuffle(lifted)
    dice.shuffle(landing)
    drops = [Drop(cells, footprint.after[cells[0]]) for cells in landing]
    declared = [] if lifted else _declarations(rules, position, footprint, drops, sensing)
    return _paced([*(Lift(cells) for cells in lifted), *drops, *declared, *owed], PAUSES_MS, dice)


def _paced(actions: Sequence[Action], span: tuple[Millis, Millis], dice: random.Random) -> list[Action]:
    """Return the actions, each with a pause behind it."""
    return [step for action in actions for step in (action, Pause(dice.randint(*span)))]


def _pieces(rules: AnyRules, cells: list[Cell]) -> list[tuple[Cell, ...]]:
    """Return the cells of each stone: a stone of a mat covers all that a move lifts or lands."""
    if rules.surface == "mat":
        return [tuple(cells)] if cells else []
    return [(cell,) for cell in cells]


def _owed(
    rules: AnyRules, position: Any, after: Mapping[Cell, Content], aftermath: Mapping[Cell, Content]
) -> list[tuple[Cell, ...]]:
    """Return the stones or pits that are to be emptied after the move, the moved stone among them if it goes back."""
    if rules.surface != "mat":
        return [(cell,) for cell in sorted(aftermath)]
    landed = tuple(sorted(cell for cell, content in after.items() if content))
    standing = [piece for piece in pieces(rules, position) if piece[0] not in after or after[piece[0]]]
    return [piece for piece in sorted({*standing, landed}) if all(cell in aftermath for cell in piece)]


def _sowing(rules: AnyRules, position: Any, move: Any, sensing: Sensing, dice: random.Random) -> list[Action]:
    """Return the seeds of every lap, one by one; where the cells cannot tell that it was done, ``ok`` says so."""
    pit = next(iter(rules.footprint(position, move).lifts))
    assert isinstance(rules, Sower)
    laps = rules.relay(position, move)
    if laps is None:
        return _paced([Lift((pit,)), Press("ok")], (600, 900), dice)
    actions: list[Action] = []
    for taken, sown in laps:
        actions.extend((Lift((taken,)), *(Drop((cell,), 1) for cell in sown)))
    paced = _paced(actions, SOWING_MS, dice)
    contents = rules.contents(position)
    after = rules.footprint(position, move).after
    if all(reads(after[cell], sensing) == reads(contents[cell], sensing) for cell in after):
        paced.extend((Pause(600), Press("ok")))
    return paced


def _declarations(
    rules: AnyRules, position: Any, footprint: Footprint, drops: list[Drop], sensing: Sensing
) -> list[Press]:
    """Return the colours to press: where another stone might lie on the same cells, and the cells cannot tell which."""
    stones = [rules.stones[drop.content] for drop in drops]
    supply = rules.supply(position)
    if sensing is not Sensing.PRESENCE or not all(stone in supply and stone in BUTTONS for stone in stones):
        return []
    others = (rules.footprint(position, other).after for other in rules.legal(position))
    if not any(after.keys() == footprint.after.keys() and after != footprint.after for after in others):
        return []
    return [Press(BUTTONS[stone]) for stone in stones]
