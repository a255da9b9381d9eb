"""How to put a board right: what to take from where, what to put where, one step at a time. Pure."""

import enum
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from controller.games.seam import AnyRules, Cell, Content, pieces
from controller.recogniser.answers import Mismatch
from controller.table.picture import Picture
from hardware.ports import Sensing


class Step(enum.Enum):
    """What a piece of advice asks hands to do."""

    CARRY = "carry"
    """Take a stone from one place to another."""
    CHANGE = "change"
    """Take a wrong stone off, and put the right one there."""
    TAKE = "take"
    """Take a stone off the board."""
    PUT = "put"
    """Put a stone down."""


@dataclass(frozen=True, slots=True)
class Advice:
    """One step.

    Fields:
        step: what to do.
        take: the cells of the stone to lift; empty where none is.
        put: the cells to put a stone on; empty where there are none.
        content: what to put there: a stone's number, or a count of seeds; 0 where nothing is put.
    """

    step: Step
    take: tuple[Cell, ...] = ()
    put: tuple[Cell, ...] = ()
    content: Content = 0


def advise(picture: Picture) -> tuple[Advice, ...]:
    """Return the steps that put the board right, in the order in which to do them: stones to carry first, by distance.

    A stone is carried to where one like it is missing; where cells cannot tell stones apart, any will do.
    """
    wrong = picture.wrong()
    rules, position = picture.round.rules, picture.round.position
    contents = {**dict(enumerate(rules.contents(position))), **wrong.wanted}
    extra = _together(rules, wrong.extra)
    missing = _standing(rules, position, wrong)
    carried = _carried(picture, extra, missing, contents)
    left = [cells for cells in extra if not any(step.take == cells for step in carried)]
    wanted = [cells for cells in missing if not any(step.put == cells for step in carried)]
    return (
        *carried,
        *(Advice(Step.CHANGE, (cell,), (cell,), contents[cell]) for cell in wrong.wrong),
        *(Advice(Step.TAKE, cells) for cells in left),
        *(Advice(Step.PUT, (), cells, contents[cells[0]]) for cells in wanted),
    )


def _carried(
    picture: Picture,
    extra: Sequence[tuple[Cell, ...]],
    missing: Sequence[tuple[Cell, ...]],
    contents: Mapping[Cell, Content],
) -> list[Advice]:
    """Return which stones to carry where: pairs of like stones, the nearest first."""
    rules = picture.round.rules
    if not rules.stones:
        return []
    known = picture.sensing is Sensing.COLOUR
    readings = picture.seen.readings
    pairs = sorted(
        (_distance(rules, source, target), source, target)
        for source in extra
        for target in missing
        if len(source) == len(target) == _size(rules) and (not known or readings[source[0]] == contents[target[0]])
    )
    steps: list[Advice] = []
    used: set[tuple[Cell, ...]] = set()
    for _, source, target in pairs:
        if source not in used and target not in used:
            used |= {source, target}
            steps.append(Advice(Step.CARRY, source, target, contents[target[0]]))
    return steps


def _together(rules: AnyRules, cells: Sequence[Cell]) -> list[tuple[Cell, ...]]:
    """Return the stones that lie on cells where none should: on a mat two neighbours are taken for one stone."""
    if rules.surface != "mat":
        return [(cell,) for cell in cells]
    left = list(cells)
    stones: list[tuple[Cell, ...]] = []
    while left:
        cell = left.pop(0)
        beside = next((other for other in left if _distance(rules, (cell,), (other,)) == 1), None)
        if beside is not None:
            left.remove(beside)
        stones.append((cell,) if beside is None else (cell, beside))
    return stones


def _standing(rules: AnyRules, position: object, wrong: Mismatch) -> list[tuple[Cell, ...]]:
    """Return the stones that are missing, each as the cells that it should cover."""
    missing = set(wrong.missing)
    stones = [piece for piece in pieces(rules, position) if not missing.isdisjoint(piece)]
    alone = missing - {cell for piece in stones for cell in piece}
    return [*stones, *((cell,) for cell in sorted(alone))]


def _size(rules: AnyRules) -> int:
    """Return how many cells a stone covers. Where only a part of one is seen, it is taken off before it is put anew."""
    return 2 if rules.surface == "mat" else 1


def _distance(rules: AnyRules, first: Sequence[Cell], second: Sequence[Cell]) -> float:
    def middle(cells: Sequence[Cell]) -> tuple[float, float]:
        places = [rules.cells[cell] for cell in cells]
        return sum(place.x for place in places) / len(places), sum(place.y for place in places) / len(places)

    return math.dist(middle(first), middle(second))
