"""Slides of two-place stones over a mat: where the stone lies at each step of the drag."""

from collections.abc import Sequence
from typing import Final

from controller.games.seam import Cell, Place
from controller.rehearse.lines import StraightLineError

SIDES: Final = {"west": (-1, 0), "east": (1, 0), "south": (0, -1), "north": (0, 1)}
"""The sides of a mat from which a stone may come in, each as the way out to it."""


def slid(places: Sequence[Place], start: tuple[Cell, ...], end: tuple[Cell, ...]) -> list[tuple[Cell, ...]]:
    """Return where the stone lies from `start` to `end`, both included, one place further each time.

    Raises:
        StraightLineError: it would have to turn, or to leave its rank and file.
    """
    (x0, y0), (x1, y1) = _corner(places, start), _corner(places, end)
    if _shape(places, start) != _shape(places, end) or (x0 != x1) == (y0 != y1):
        raise StraightLineError(f"{_names(places, start)} to {_names(places, end)} is no straight slide")
    at = {(int(place.x), int(place.y)): cell for cell, place in enumerate(places)}
    steps = max(abs(x1 - x0), abs(y1 - y0))
    across = ((x1 - x0) // steps, (y1 - y0) // steps)
    spots = _spots(places, start)
    return [tuple(at[x + across[0] * step, y + across[1] * step] for x, y in spots) for step in range(steps + 1)]


def slid_in(places: Sequence[Place], end: tuple[Cell, ...], side: str) -> list[tuple[Cell, ...]]:
    """Return the places of the mat that the stone covers at each step as it comes in from `side` to `end`.

    Raises:
        StraightLineError: there is no such side.
    """
    if side not in SIDES:
        raise StraightLineError(f"a stone comes in from=west, east, south or north, not from={side}")
    at = {(int(place.x), int(place.y)): cell for cell, place in enumerate(places)}
    out_x, out_y = SIDES[side]
    spots = _spots(places, end)
    steps: list[tuple[Cell, ...]] = []
    back = 0
    while covered := tuple(at[spot] for x, y in spots if (spot := (x + out_x * back, y + out_y * back)) in at):
        steps.append(covered)
        back += 1
    return steps[::-1]


def _spots(places: Sequence[Place], cells: tuple[Cell, ...]) -> list[tuple[int, int]]:
    return [(int(places[cell].x), int(places[cell].y)) for cell in cells]


def _corner(places: Sequence[Place], cells: tuple[Cell, ...]) -> tuple[int, int]:
    return min(_spots(places, cells))


def _shape(places: Sequence[Place], cells: tuple[Cell, ...]) -> list[tuple[int, int]]:
    x0, y0 = _corner(places, cells)
    return sorted((x - x0, y - y0) for x, y in _spots(places, cells))


def _names(places: Sequence[Place], cells: tuple[Cell, ...]) -> str:
    return " and ".join(places[cell].name for cell in cells)
