"""Straight lines over the cells of a board, for stones that are dragged."""

import itertools
import math
from collections.abc import Sequence

from controller.games.seam import Cell, Place

_NEAR = 1e-6
_REACH = 1.5
"""Two neighbours on a line are nearer than this many pitches; a diagonal step of a square grid is 1.41."""


class StraightLineError(ValueError):
    """Two cells between which no stone can be dragged straight from cell to cell."""


def straight_line(places: Sequence[Place], start: Cell, end: Cell) -> list[Cell]:
    """Return the cells from `start` to `end` along a straight line, both included, in the order of the drag.

    Raises:
        StraightLineError: the way between them does not lead from neighbour to neighbour.
    """
    here, there = places[start], places[end]
    length = math.hypot(there.x - here.x, there.y - here.y)
    if length < _NEAR:
        raise StraightLineError(f"{here.name} to {there.name} is no way: it begins where it ends")
    along = ((there.x - here.x) / length, (there.y - here.y) / length)
    found = []
    for cell, place in enumerate(places):
        x, y = place.x - here.x, place.y - here.y
        forth, aside = x * along[0] + y * along[1], x * along[1] - y * along[0]
        if abs(aside) < _NEAR and -_NEAR < forth < length + _NEAR:
            found.append((forth, cell))
    found.sort()
    steps = [after[0] - before[0] for before, after in itertools.pairwise(found)]
    if any(step > _REACH for step in steps) or max(steps) - min(steps) > _NEAR:
        raise StraightLineError(f"{here.name} to {there.name} is not a straight line of neighbouring cells")
    return [cell for _, cell in found]
