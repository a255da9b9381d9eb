"""Playing a game on a board that was not made for it: which places of the board are which cell of the game. Pure.

`Hosting` is the answer, one group of places for each cell of the game. A cell reads what its places read together, and
all its places are lit alike; places that belong to no cell are neither heard nor lit. `by_name` and `by_shape` find a
smaller board of the same kind inside a larger one, and `blocks` follows the rule of a profile.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from hardware.layouts import Layout
from hardware.ports import UNKNOWN, Frame

Spot: TypeAlias = tuple[float, float]
"""A cell's centre, in pitches of its own board: to the right, and away from player 1."""

SURFACES: Final = {"grid": ("square", "mat"), "tiles": ("square", "mat"), "hexagon": ("hexagon",), "pits": ("pit",)}
"""Which surfaces of games (``Rules.surface``) a layout has by itself."""
_NEAR: Final = 1e-6


class HostingError(ValueError):
    """A rule of hosting that does not fit the board. `key`, `wrong` and `remedy` are for a person."""

    def __init__(self, key: str, wrong: str, remedy: str) -> None:
        super().__init__(f"{wrong}; {remedy}")
        self.key, self.wrong, self.remedy = key, wrong, remedy


@dataclass(frozen=True)
class Hosting:
    """Which places of a board are which cell of a game.

    Fields:
        groups: shape (cells of the game,): the places of each, one or more. No place is in two.
        places: how many places the board has.
    """

    groups: tuple[tuple[int, ...], ...]
    places: int

    @cached_property
    def is_plain(self) -> bool:
        """Whether every place is the cell of the same number, so that nothing need be translated."""
        return self.groups == tuple((place,) for place in range(self.places))

    @cached_property
    def cell_of(self) -> tuple[int, ...]:
        """Shape (places,): the cell of each place, -1 for none."""
        cells = [-1] * self.places
        for cell, group in enumerate(self.groups):
            for place in group:
                cells[place] = cell
        return tuple(cells)

    def on_turned(self, places: Sequence[int]) -> "Hosting":
        """Return the same game on a board that lies turned: `places` has for each place the one of the wiring."""
        return Hosting(tuple(tuple(places[place] for place in group) for group in self.groups), self.places)

    def reading(self, cell: int, readings: Sequence[int]) -> int:
        """Return what a cell reads.

        A piece may cover several places of its cell, or one; so the cell is empty when all are, occupied when one is,
        and not known when none is occupied and one is not known. Two colours at once are not known either.

        Args:
            cell: the cell of the game.
            readings: shape (places,): what the places read.
        """
        seen = {readings[place] for place in self.groups[cell]}
        stones = seen - {0, UNKNOWN}
        if len(stones) == 1:
            return stones.pop()
        return UNKNOWN if stones or UNKNOWN in seen else 0

    def frame(self, frame: Frame) -> Frame:
        """Return the frame of the board for one of the game: its cells, then the track as it is."""
        cells = len(self.groups)
        out = bytearray(3 * self.places)
        for cell, group in enumerate(self.groups):
            colour = frame[3 * cell : 3 * cell + 3]
            for place in group:
                out[3 * place : 3 * place + 3] = colour
        return bytes(out) + frame[3 * cells :]


def by_name(layout: Layout, names: Sequence[str]) -> Hosting | None:
    """Return the places that have these names, None where one is missing."""
    place_of = {name: place for place, name in enumerate(layout.names)}
    if not all(name in place_of for name in names):
        return None
    return Hosting(tuple((place_of[name],) for name in names), len(layout.names))


def by_shape(layout: Layout, spots: Sequence[Spot]) -> Hosting | None:
    """Return the places on which cells of the same pitch fall when both boards share their middle, None if none do."""
    middle, ours = _middle(spots), _middle(layout.spots)
    groups = []
    for x, y in spots:
        wanted = (x - middle[0] + ours[0], y - middle[1] + ours[1])
        place = next((k for k, spot in enumerate(layout.spots) if _apart(spot, wanted) < _NEAR), None)
        if place is None:
            return None
        groups.append((place,))
    return Hosting(tuple(groups), len(layout.names))


def blocks(
    layout: Layout, spots: Sequence[Spot], cell: tuple[int, int], step: tuple[int, int], origin: str | None
) -> Hosting:
    """Return blocks of places for the cells of a game with larger ones.

    Args:
        layout: a board of files and ranks.
        spots: shape (cells, 2): the cells of the game. Rows may lie at any distance and be shifted by half a pitch, as
            those of a hexagon are: `step` counts from row to row.
        cell: places that a cell takes, across and deep.
        step: places from one cell to the next of its row, and from one row to the next.
        origin: the near left place of all; None: in the middle of the board.

    Raises:
        HostingError: the rule makes no sense on this board, or so many cells have no room on it.
    """
    if layout.kind not in ("grid", "tiles"):
        raise HostingError("cell", f"a board of kind {layout.kind} has no blocks of places", "leave the section out")
    if min(*cell, *step) < 1 or cell[0] > step[0] or cell[1] > step[1]:
        raise HostingError(
            "step", f"cells of {_by(cell)} every {_by(step)} places overlap", "raise step, or lower cell"
        )
    left, rows = min(x for x, _ in spots), sorted({y for _, y in spots})
    corners = [(round((x - left) * step[0], 6), rows.index(y) * step[1]) for x, y in spots]
    if any(x % 1 for x, _ in corners):
        raise HostingError("step", f"rows shifted by half of {step[0]} places fall between two", "make step even")
    width, height = (max(part) + size for part, size in zip(zip(*corners, strict=True), cell, strict=True))
    files, ranks = len(layout.files), len(layout.ranks)
    if origin is None:
        start = int(files - width) // 2, int(ranks - height) // 2
    elif origin in layout.names:
        start = divmod(layout.names.index(origin), ranks)
    else:
        raise HostingError("origin", f"this board has no place {origin}", f"name one from {layout.names[0]} on")
    if start[0] < 0 or start[1] < 0 or start[0] + width > files or start[1] + height > ranks:
        raise HostingError(
            "step",
            f"{len(spots)} cells of {_by(cell)} places take {_by((int(width), height))}, and the board has "
            f"{_by((files, ranks))}",
            "play with fewer cells",
        )
    groups = tuple(
        tuple(
            (start[0] + int(x) + across) * ranks + start[1] + y + deep
            for across in range(cell[0])
            for deep in range(cell[1])
        )
        for x, y in corners
    )
    return Hosting(groups, len(layout.names))


def _middle(spots: Sequence[Spot]) -> Spot:
    xs, ys = zip(*spots, strict=True)
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def _apart(one: Spot, other: Spot) -> float:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def _by(size: tuple[int, int]) -> str:
    return f"{size[0]} x {size[1]}"
