"""The board of Bamogo as tables: cells, moves, strings, and what a set of cells allows or scores.

A set of cells is an int, bit c for cell c; cells count file by file from the near left corner, a1, a2, a3, a4, b1
to d4. So a cell's neighbour up the board is one bit away and its neighbour to the right four. Numbers such as (2.1)
point into docs/rules/bamogo.md.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from controller.games.seam import Cell, Content, Place

SIDE: Final = 4
"""Cells along each side of the board (1.1)."""

STONES: Final = ("", "R", "B", "Y")
"""The stone for each content: nothing, red, blue, yellow (1.2)."""

COLOURS: Final = (1, 2, 3)
"""The contents that are stones."""

COLOUR_NAMES: Final = ("", "red", "blue", "yellow")

SUPPLY: Final = (5, 5, 6)
"""How many red, blue and yellow stones there are (1.2)."""

FULL: Final = (1 << SIDE * SIDE) - 1
"""All cells."""

CELLS: Final = tuple(
    Place(f"{letter}{rank + 1}", float(file), float(rank)) for file, letter in enumerate("abcd") for rank in range(SIDE)
)
"""Shape (16,): every cell with its centre, sorted by file, then rank."""

NAMES: Final = tuple(place.name for place in CELLS)

INDEX: Final[Mapping[str, Cell]] = {name: cell for cell, name in enumerate(NAMES)}

Stones: TypeAlias = tuple[int, int, int]
"""What is on the board: the sets of cells with a red, a blue and a yellow stone."""


class Placement(NamedTuple):
    """Two stones of different colours onto two empty cells that share a side, the lesser cell first (2.1).

    Fields:
        first, second: the cell and the stone that goes there.
    """

    first: tuple[Cell, Content]
    second: tuple[Cell, Content]


class Swap(NamedTuple):
    """Two stones of different colours, on cells that share a side, change places (2.2). The lesser cell first."""

    first: Cell
    second: Cell


@dataclass(frozen=True, slots=True)
class Pass:
    """The turn of a player who can neither place nor swap (2.3)."""


Move: TypeAlias = Placement | Swap | Pass

PASS: Final = Pass()

UP: Final = 1
"""From a cell to its neighbour up the board, in bits."""
UP_FROM: Final = sum(1 << cell for cell in range(16) if cell % SIDE < SIDE - 1)
"""The cells that have such a neighbour."""

ACROSS: Final = SIDE
"""From a cell to its neighbour to the right, in bits."""
ACROSS_FROM: Final = FULL >> SIDE
"""The cells that have such a neighbour."""

PAIRS: Final[Mapping[Swap, int]] = {
    Swap(cell, cell + step): 1 << cell | 1 << cell + step
    for step, starts in ((UP, UP_FROM), (ACROSS, ACROSS_FROM))
    for cell in range(16)
    if starts >> cell & 1
}
"""The 24 pairs of cells that share a side, each with its two cells as a set."""


def _strings() -> tuple[tuple[Cell, Cell, Cell], ...]:
    found = []
    for file in range(SIDE):
        for rank in range(SIDE):
            for right, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if file + 2 * right < SIDE and 0 <= rank + 2 * up < SIDE:
                    start, step = file * SIDE + rank, right * SIDE + up
                    found.append((start, start + step, start + 2 * step))
    return tuple(sorted(found))


STRINGS: Final = _strings()
"""The 24 runs of three cells in a straight line, orthogonal or diagonal, sorted (3.1)."""

STRING_MASKS: Final = tuple(sum(1 << cell for cell in string) for string in STRINGS)
"""Shape (24,): the same runs as sets of cells."""


def _superset_flags(cells: int, width: int) -> bytes:
    """Return shape (2**width,): 1 for each set of the first `width` cells that contains `cells`, else 0."""
    if width == 0:
        return b"\1"
    top = 1 << width - 1
    upper = _superset_flags(cells & ~top, width - 1)
    return (bytes(len(upper)) if cells & top else upper) + upper


@functools.cache
def points() -> bytes:
    """Return shape (65536,): for each set of cells how many strings lie wholly in it.

    Each string adds its flags for all 65536 sets in one sum of big numbers; 24 strings cannot overflow a byte.
    """
    total = sum(int.from_bytes(_superset_flags(mask, 16), "little") for mask in STRING_MASKS)
    return total.to_bytes(1 << 16, "little")


Choices: TypeAlias = tuple[Sequence[tuple[Move, ...]], ...]
"""The moves on a set of pairs, in four tables of 256: pairs that go up from cells 0..7, up from 8..15, across from
0..7, across from 8..15; the index is the set of the pairs' lesser cells in those eight."""


def gather(choices: Choices, up: int, across: int) -> tuple[Move, ...]:
    """Return the moves on the pairs whose lesser cells are the sets `up` and `across`, always in the same order."""
    up_left, up_right, across_left, across_right = choices
    return up_left[up & 255] + up_right[up >> 8] + across_left[across & 255] + across_right[across >> 8]


def _choices(moves_on: Callable[[Swap], tuple[Move, ...]]) -> Choices:
    tables = []
    for step in (UP, ACROSS):
        for start in (0, 8):
            table: list[tuple[Move, ...]] = [()]
            for cell in range(start, start + 8):
                pair = Swap(cell, cell + step)
                more = moves_on(pair) if pair in PAIRS else ()
                table += [moves + more for moves in table]
            tables.append(table)
    return tuple(tables)


@functools.cache
def placements() -> tuple[Choices, ...]:
    """Return shape (8,): the placements on empty pairs, by the set of colours that are left (`palette`)."""

    def on_pairs(palette: int) -> Choices:
        left = [colour for colour in COLOURS if palette >> colour - 1 & 1]
        orders = [(one, other) for one in left for other in left if one != other]
        return _choices(lambda pair: tuple(Placement((pair[0], one), (pair[1], other)) for one, other in orders))

    return tuple(on_pairs(palette) for palette in range(8))


@functools.cache
def swaps() -> Choices:
    """Return the swaps on pairs that hold different colours."""
    return _choices(lambda pair: (pair,))


@functools.cache
def additions() -> Mapping[Placement, Stones]:
    """Return for each of the 144 placements the sets of cells that it adds to each colour."""

    def added(move: Placement) -> Stones:
        red, blue, yellow = (sum(1 << cell for cell, stone in move if stone == colour) for colour in COLOURS)
        return red, blue, yellow

    everywhere = gather(placements()[7], UP_FROM, ACROSS_FROM)
    return {move: added(move) for move in everywhere if isinstance(move, Placement)}


def palette(stones: Stones) -> int:
    """Return the set of colours of which stones are left: bit 0 red, 1 blue, 2 yellow."""
    red, blue, yellow = stones
    return (red.bit_count() < SUPPLY[0]) | (blue.bit_count() < SUPPLY[1]) << 1 | (yellow.bit_count() < SUPPLY[2]) << 2


def supplied(stones: Stones) -> bool:
    """Return whether there are as many stones of each colour as these (1.2)."""
    red, blue, yellow = stones
    return red.bit_count() <= SUPPLY[0] and blue.bit_count() <= SUPPLY[1] and yellow.bit_count() <= SUPPLY[2]


def placements_on(stones: Stones) -> tuple[Move, ...]:
    """Return every placement that the board and the supply allow (2.1)."""
    red, blue, yellow = stones
    empty = FULL ^ (red | blue | yellow)
    up, across = empty & empty >> UP & UP_FROM, empty & empty >> ACROSS
    return gather(placements()[palette(stones)], up, across) if up or across else ()


def swaps_on(stones: Stones, barred: Swap | None = None) -> tuple[Move, ...]:
    """Return every swap that the board allows (2.2) but for `barred`."""
    red, blue, yellow = stones
    full = red | blue | yellow
    up = full & full >> UP & UP_FROM & ~(red & red >> UP | blue & blue >> UP | yellow & yellow >> UP)
    across = full & full >> ACROSS & ~(red & red >> ACROSS | blue & blue >> ACROSS | yellow & yellow >> ACROSS)
    if barred is not None:
        if barred.second - barred.first == UP:
            up &= ~(1 << barred.first)
        else:
            across &= ~(1 << barred.first)
    return gather(swaps(), up, across)


def content(stones: Stones, cell: Cell) -> Content:
    """Return what lies on a cell."""
    for colour, cells in zip(COLOURS, stones, strict=True):
        if cells >> cell & 1:
            return colour
    return 0
