"""Hands that make a whole move as a person would: which stones they lift and put down, and which buttons they press.

Plans are values: a list of actions in the order in which they are done, drawn from dice, so that a seed repeats them.
"""

import random
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from controller.games.seam import AnyRules, Cell, Content
from hardware.ports import Millis, Sensing

PAUSES_MS: Final = (60, 450)
"""How long hands wait between two actions, at least and at most."""

BUTTONS: Final = {"R": "red", "B": "blue", "Y": "yellow", "G": "green", "P": "purple", "O": "orange"}
"""The button that declares each stone."""


@dataclass(frozen=True, slots=True)
class Lift:
    """Take the stone that covers `cells`."""

    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Drop:
    """Put a stone down on `cells`."""

    cells: tuple[Cell, ...]
    content: Content


@dataclass(frozen=True, slots=True)
class Press:
    """Press a button."""

    button: str


Action: TypeAlias = Lift | Drop | Press


def plan(rules: AnyRules, position: Any, move: Any, sensing: Sensing, dice: random.Random) -> list[Action]:
    """Return how hands make `move` at `position`: lifts before drops, each in a random order, and the buttons it needs.

    What the cells cannot tell is declared after the stones are down, in the order in which they came down; a move that
    touches nothing is confirmed with ``ok``.
    """
    footprint = rules.footprint(position, move)
    if not footprint.after:
        return [Press("ok")]
    lifted = _pieces(rules, sorted(footprint.lifts))
    landing = _pieces(rules, sorted(cell for cell, content in footprint.after.items() if content))
    dice.shuffle(lifted)
    dice.shuffle(landing)
    drops = [Drop(cells, footprint.after[cells[0]]) for cells in landing]
    return [*(Lift(cells) for cells in lifted), *drops, *_declarations(rules, position, drops, lifted, sensing)]


def pause(dice: random.Random) -> Millis:
    """Return how long the hands wait before their next action."""
    return dice.randint(*PAUSES_MS)


def _pieces(rules: AnyRules, cells: list[Cell]) -> list[tuple[Cell, ...]]:
    """Return the cells of each stone: a stone of a mat covers all that a move lifts or lands."""
    if rules.surface == "mat":
        return [tuple(cells)] if cells else []
    return [(cell,) for cell in cells]


def _declarations(
    rules: AnyRules, position: Any, drops: list[Drop], lifted: list[tuple[Cell, ...]], sensing: Sensing
) -> list[Press]:
    """Return the colours to press: where anyone may put down any stone and cells cannot tell which."""
    shared = bool(rules.stones) and set(rules.supply(position)) <= set(rules.stones)
    if lifted or not shared or sensing is not Sensing.PRESENCE:
        return []
    return [Press(BUTTONS[rules.stones[drop.content]]) for drop in drops]
