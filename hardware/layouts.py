"""How the cells of a board lie, and in which order a chain may run through them. Plain values; nothing is read here.

A `Layout` has its cells in cell order, which is the order in which the games name theirs. Its lines are what rules
follow: a chain of pixels or of sensors runs along the lines of ranks or of files, from a corner, back and forth or all
lines the same way; a board of tiles is run through tile by tile, by the same rule from tile to tile and within each.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import cos, radians, sin, sqrt
from typing import Final, Literal, TypeAlias

Kind: TypeAlias = Literal["grid", "hexagon", "pits", "tiles"]
Corner: TypeAlias = Literal["near-left", "near-right", "far-left", "far-right"]
Along: TypeAlias = Literal["ranks", "files"]
Pattern: TypeAlias = Literal["serpentine", "lines"]

MOST_FILES: Final = 32
"""Cells across or deep; the largest mat that Bambam Booboo is played on."""
MOST_RADIUS: Final = 7
"""Cells from the middle of a hexagon to its corner; the largest that Exago is played on."""
MOST_PITS: Final = 24
"""Columns of pits; the most that Bao Kigogo is played on."""
PIT_RANKS: Final = "abcd"
"""Ranks of pits from the far side to the near one (docs/rules/bao-kigogo.md)."""
TILE: Final = 4
"""Places along a side of one tile."""

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_HEXAGON_ROWS: Final = sqrt(3) / 2
"""From row to row of a hexagon, in pitches."""

_NEAR: Final = 1e-6
"""Two spots nearer than this, in pitches, are one."""

TURNS: Final = (0, 60, 90, 120, 180, 240, 270, 300)
"""Degrees by which a board may lie turned: quarters of a square, sixths of a hexagon."""

Lines: TypeAlias = tuple[tuple[int, ...], ...]
"""Cells by line: the nearest (or the leftmost) line first, each from the left (or from the near side)."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The cells of a board.

    Fields:
        kind: what they form together.
        names: shape (cells,): their names, in cell order.
        spots: shape (cells, 2): their centres in pitches, x to the right and y away from player 1.
        ranks: the cells as lines from left to right, the nearest line first.
        files: the cells as lines away from player 1, the leftmost line first; in a hexagon they lean to the left.
        tiles: across and deep, the tiles that a chain runs through one by one; (1, 1) unless it is a board of tiles.
    """

    kind: Kind
    names: tuple[str, ...]
    spots: tuple[tuple[float, float], ...]
    ranks: Lines
    files: Lines
    tiles: tuple[int, int] = (1, 1)

    def walk(self, pattern: Pattern, start: Corner, along: Along) -> tuple[int, ...]:
        """Return shape (cells,): all cells in the order in which a chain that follows this rule reaches them."""
        if self.tiles == (1, 1):
            return tuple(_run(self.ranks if along == "ranks" else self.files, pattern, start, along))
        across, deep = self.tiles
        tiles = [[tile_file * deep + tile_rank for tile_rank in range(deep)] for tile_file in range(across)]
        inside = [[file * TILE + rank for rank in range(TILE)] for file in range(TILE)]
        places = _run(inside if along == "files" else _turned(inside), pattern, start, along)
        walk: list[int] = []
        for tile in _run(tiles if along == "files" else _turned(tiles), pattern, start, along):
            file, rank = (TILE * part for part in divmod(tile, deep))
            walk += [(file + place // TILE) * deep * TILE + rank + place % TILE for place in places]
        return tuple(walk)


def file_name(number: int) -> str:
    """Return the letters of a file, counted from 0: ``a`` to ``z``, then ``aa``, ``ab`` and on."""
    return _LETTERS[number] if number < len(_LETTERS) else "a" + _LETTERS[number - len(_LETTERS)]


@lru_cache(maxsize=64)
def grid(files: int, ranks: int) -> Layout:
    """Return a grid: a1, a2, ... by file, then by rank, ranks counted away from player 1."""
    return _squares("grid", files, ranks, (1, 1))


@lru_cache(maxsize=64)
def tiles(files: int, ranks: int) -> Layout:
    """Return a grid that is made of square tiles; `files` and `ranks` are whole numbers of them."""
    return _squares("tiles", files, ranks, (files // TILE, ranks // TILE))


@lru_cache(maxsize=64)
def hexagon(radius: int) -> Layout:
    """Return a hexagon with a pointy side up, by row from the near side, then by number (docs/rules/exago.md).

    A number belongs to a slanted line of cells, so the near row of radius 5 is a6 to a11.
    """
    span = range(-radius, radius + 1)
    axial = [(q, r) for r in span for q in span if abs(q + r) <= radius]
    by_row = tuple(tuple(cell for cell, (_, row) in enumerate(axial) if row == r) for r in span)
    by_number = tuple(tuple(cell for cell, (number, _) in enumerate(axial) if number == q) for q in span)
    return Layout(
        kind="hexagon",
        names=tuple(f"{_LETTERS[r + radius]}{q + radius + 1}" for q, r in axial),
        spots=tuple((q + r / 2, r * _HEXAGON_ROWS) for q, r in axial),
        ranks=by_row,
        files=by_number,
    )


@lru_cache(maxsize=64)
def pits(columns: int) -> Layout:
    """Return four ranks of pits: a1, a2, ... by rank from the far side, then by column from the left."""
    ranks = tuple(tuple(range(row * columns, (row + 1) * columns)) for row in range(len(PIT_RANKS)))
    return Layout(
        kind="pits",
        names=tuple(f"{rank}{column + 1}" for rank in PIT_RANKS for column in range(columns)),
        spots=tuple(
            (float(column), float(len(PIT_RANKS) - 1 - row))
            for row, line in enumerate(ranks)
            for column in range(len(line))
        ),
        ranks=ranks[::-1],
        files=tuple(tuple(line[column] for line in reversed(ranks)) for column in range(columns)),
    )


def _squares(kind: Kind, files: int, ranks: int, tiles: tuple[int, int]) -> Layout:
    by_file = tuple(tuple(range(file * ranks, (file + 1) * ranks)) for file in range(files))
    return Layout(
        kind=kind,
        names=tuple(f"{file_name(file)}{rank + 1}" for file in range(files) for rank in range(ranks)),
        spots=tuple((float(file), float(rank)) for file in range(files) for rank in range(ranks)),
        ranks=tuple(map(tuple, _turned(by_file))),
        files=by_file,
        tiles=tiles,
    )


def _turned(lines: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return lines of one length as lines the other way."""
    return [list(line) for line in zip(*lines, strict=True)]


def _run(lines: Sequence[Sequence[int]], pattern: Pattern, start: Corner, along: Along) -> list[int]:
    """Return the members of `lines` in the order of a run from a corner."""
    from_near, from_left = start.startswith("near"), start.endswith("left")
    first_line_first, first_step_first = (from_near, from_left) if along == "ranks" else (from_left, from_near)
    run: list[int] = []
    for number, line in enumerate(lines if first_line_first else reversed(lines)):
        turned = pattern == "serpentine" and number % 2 == 1
        run += line if first_step_first != turned else reversed(line)
    return run


def turned(layout: Layout, degrees: int) -> tuple[int, ...] | None:
    """Return where each cell lies on a board that was turned on the table: shape (cells,), by cell as players see it.

    Args:
        layout: the board as it is wired.
        degrees: how far it was turned clockwise, seen from above.

    Returns:
        For each cell the cell of the wiring that lies there; None where the board does not look the same turned so.
    """
    angle = radians(degrees)
    across = sum(x for x, _ in layout.spots) / len(layout.spots)
    deep = sum(y for _, y in layout.spots) / len(layout.spots)
    found = []
    for x, y in layout.spots:
        right, away = x - across, y - deep
        wanted = (right * cos(angle) - away * sin(angle), right * sin(angle) + away * cos(angle))
        there = (
            cell
            for cell, (left, near) in enumerate(layout.spots)
            if abs(left - across - wanted[0]) < _NEAR and abs(near - deep - wanted[1]) < _NEAR
        )
        cell = next(there, None)
        if cell is None:
            return None
        found.append(cell)
    return tuple(found)
