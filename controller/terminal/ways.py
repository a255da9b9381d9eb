"""The straight ways along which stones are dragged over the cells, also in from off the mat. Pure."""

import math
from collections.abc import Sequence
from typing import Final

from controller.games.seam import Cell, Place

REACH: Final = 1.5
"""The longest step, in pitches: a diagonal step of a square grid is 1.41, the next longer one 1.73 or 2."""

SIDES: Final[dict[str, tuple[int, int]]] = {"west": (1, 0), "east": (-1, 0), "south": (0, 1), "north": (0, -1)}
"""The direction in which a stone moves that comes in from each side, in pitches."""

_FINE: Final = 1000
"""Places that differ by less than a thousandth of a pitch are the same place."""


class NoWayError(ValueError):
    """Two placements between which no stone can be dragged straight; the message is for a person."""


def straight_way(places: Sequence[Place], start: Sequence[Cell], end: Sequence[Cell]) -> list[tuple[Cell, ...]]:
    """Return the cells that a stone covers at each step of a straight drag, both ends included.

    Args:
        places: all cells.
        start: the cells that the stone covers.
        end: the cells that it is to cover, in the same order.

    Raises:
        NoWayError: the way does not lead from neighbour to neighbour, or the stone would have to turn.
    """
    here, there = places[start[0]], places[end[0]]
    across, along = there.x - here.x, there.y - here.y
    names = f"{here.name} to {there.name}"
    if len(start) != len(end) or any(
        _key(places[one].x + across, places[one].y + along) != _key(places[other].x, places[other].y)
        for one, other in zip(start, end, strict=False)
    ):
        raise NoWayError(f"{names} is no slide: a stone does not turn on the way")
    far = math.hypot(across, along)
    if not far:
        raise NoWayError(f"{names} is no way: it ends where it begins")
    index = _index(places)
    # The more steps, the shorter: a step from neighbour to neighbour is the shortest that meets cells all the way.
    for steps in range(math.ceil(far) + 1, 0, -1):
        if far / steps > REACH:
            break
        way = [
            tuple(
                index.get(_key(places[cell].x + across * step / steps, places[cell].y + along * step / steps))
                for cell in start
            )
            for step in range(steps + 1)
        ]
        whole = [tuple(cell for cell in covered if cell is not None) for covered in way]
        if all(len(covered) == len(start) for covered in whole):
            return whole
    raise NoWayError(f"{names} is not a straight line of neighbouring cells")


def way_in(places: Sequence[Place], end: Sequence[Cell], side: str) -> list[tuple[Cell, ...]]:
    """Return the cells that a stone covers at each step from off the mat to `end`, from its first touch on.

    Args:
        places: all cells.
        end: the cells that the stone covers at last.
        side: one of `SIDES`.
    """
    across, along = SIDES[side]
    index = _index(places)
    way: list[tuple[Cell, ...]] = []
    for back in range(len(places) + 1):
        covered = _covered(places, index, end, -across * back, -along * back)
        if not covered:
            break
        way.append(covered)
    return way[::-1]


def _covered(
    places: Sequence[Place], index: dict[tuple[int, int], Cell], stone: Sequence[Cell], across: float, along: float
) -> tuple[Cell, ...]:
    """Return the cells that a stone covers when it is moved by so many pitches, those of them that there are."""
    keys = [_key(places[cell].x + across, places[cell].y + along) for cell in stone]
    return tuple(index[key] for key in keys if key in index)


def _index(places: Sequence[Place]) -> dict[tuple[int, int], Cell]:
    return {_key(place.x, place.y): cell for cell, place in enumerate(places)}


def _key(x: float, y: float) -> tuple[int, int]:
    return round(x * _FINE), round(y * _FINE)
