"""The mat of Bambam Booboo: sets of places held in one whole number, and the names of places and placements.

A place is the bit ``file * stride + rank``, both counted from 0, where the stride is one more than the mat's height.
The bit above each file is a guard that no set of places ever holds, so that a step off the far end of a file does not
run into the next file, and a set of places moves by one shift.

A stone lies in one of two ways (a **lie**): 0 along a rank (``H``), 1 along a file (``V``). A set of placements of one
lie holds the least place of each. A single **placement** is ``2 * place + lie``: placements sort as numbers in the
order of the rules (1.4).

The rules as we read them: texts/bambam-booboo.md. Numbers such as (2.1) point into that page.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from string import ascii_lowercase
from typing import Final, TypeAlias

from controller.games.seam import Cell, NotationError, Place

Bits: TypeAlias = int
"""A set of places, or of placements of one lie by their least places."""

Placement: TypeAlias = int
"""``2 * place + lie`` of a stone's least place."""

ByLie: TypeAlias = tuple[Bits, Bits]
"""A set of placements: those along a rank, those along a file."""

LIES: Final = "HV"
"""The letter of each lie."""

NOWHERE: Final[ByLie] = (0, 0)
"""No placement at all."""

_PLACE: Final = re.compile(r"[a-z]{1,2}[1-9][0-9]?")
_PLACEMENT: Final = re.compile(rf"([{LIES}])({_PLACE.pattern})")


def members(bits: Bits) -> list[int]:
    """Return the numbers of the bits that are set, ascending."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found


def least(bits: Bits) -> int:
    """Return the number of the lowest bit that is set; `bits` is not empty."""
    return (bits & -bits).bit_length() - 1


def file_name(file: int) -> str:
    """Return the letters of a file counted from 0: a..z, then aa, ab and on (1.3)."""
    tens, ones = divmod(file, len(ascii_lowercase))
    return (ascii_lowercase[tens - 1] if tens else "") + ascii_lowercase[ones]


def flood(span: int, seed: Bits, area: Bits) -> Bits:
    """Return the places of `area` that join `seed`, itself within `area`; `span` is from a place to the next rank's."""
    grown = seed
    while True:
        seed = grown
        grown = (seed | seed << 1 | seed >> 1 | seed << span | seed >> span) & area
        if grown == seed:
            return seed


@dataclass(frozen=True, slots=True)
class Mat:
    """A mat of so many places, with what slides and contact need worked out once. Build it with `mat_of`.

    Fields:
        width, height: places along a rank and along a file.
        spans: by lie: the shift from a place to the next along that lie.
        leaps: by lie: shifts of 1, 2, 4 and on places along that lie that together cross the mat.
        places: every place.
        edge: the places at the four edges.
        sides: by lie: the places at the beginning and at the end of each line along that lie.
        cells: every place by cell index, for drawing.
        place_of: by cell index: the bit of the place.
        cell_of: by bit of a place: the cell index; -1 for a guard.
        by_name: the bit of each place by its name.
    """

    width: int
    height: int
    spans: tuple[int, int]
    leaps: tuple[tuple[int, ...], tuple[int, ...]]
    places: Bits
    edge: Bits
    sides: tuple[tuple[Bits, Bits], tuple[Bits, Bits]]
    cells: tuple[Place, ...]
    place_of: tuple[int, ...]
    cell_of: tuple[Cell, ...]
    by_name: Mapping[str, int] = field(hash=False)

    def covered(self, stones: ByLie) -> Bits:
        """Return the places that these stones cover."""
        across, along = stones
        return across | across << self.spans[0] | along | along << 1

    def pair(self, placement: Placement) -> Bits:
        """Return the two places that a placement covers."""
        place, lie = divmod(placement, 2)
        return (1 | 1 << self.spans[lie]) << place

    def cells_of(self, placement: Placement) -> tuple[Cell, Cell]:
        """Return the two cells that a placement covers, the least first."""
        place, lie = divmod(placement, 2)
        return self.cell_of[place], self.cell_of[place + self.spans[lie]]

    def placement_on(self, cells: Sequence[Cell]) -> Placement | None:
        """Return the placement that covers just these two cells, the least first; None where they do not touch."""
        if len(cells) != 2:
            return None
        place, other = (self.place_of[cell] for cell in cells)
        return 2 * place + self.spans.index(other - place) if other - place in self.spans else None

    def around(self, bits: Bits) -> Bits:
        """Return the places that share a side with one of `bits`; those of `bits` may be among them."""
        span = self.spans[0]
        return (bits << 1 | bits >> 1 | bits << span | bits >> span) & self.places

    def flood(self, seed: Bits, area: Bits) -> Bits:
        """Return the places of `area` that join `seed`, itself within `area`, side by side."""
        return flood(self.spans[0], seed, area)

    def onward(self, seed: Bits, free: Bits, lie: int) -> Bits:
        """Return `seed` and all that single steps within `free` reach from it towards higher files or ranks.

        Args:
            seed: where to begin, within `free`.
            free: where a step may end: places, or least places of placements.
            lie: 0 to step along the ranks, 1 along the files.
        """
        # Each round doubles how far the fill has come, so a line of 32 takes five rounds, not 31.
        for leap in self.leaps[lie]:
            seed |= free & seed << leap
            free &= free << leap
        return seed

    def back(self, seed: Bits, free: Bits, lie: int) -> Bits:
        """Return as `onward`, towards lower files or ranks."""
        for leap in self.leaps[lie]:
            seed |= free & seed >> leap
            free &= free >> leap
        return seed

    def straight(self, seed: Bits, free: Bits) -> Bits:
        """Return `seed` and all that straight steps within `free` reach from it in one of the four directions."""
        return (
            self.onward(seed, free, 0)
            | self.back(seed, free, 0)
            | self.onward(seed, free, 1)
            | self.back(seed, free, 1)
        )

    def placement_text(self, placement: Placement) -> str:
        """Return the name of a placement, ``He8`` (1.4)."""
        place, lie = divmod(placement, 2)
        return LIES[lie] + self.cells[self.cell_of[place]].name

    def parse_place(self, text: str) -> int:
        """Return the bit of the place of that name.

        Raises:
            NotationError: it is no name of a place, or the place is not on this mat.
        """
        if text in self.by_name:
            return self.by_name[text]
        if _PLACE.fullmatch(text):
            raise NotationError(f"place {text!r} is not on the mat; it runs from a1 to {self.cells[-1].name}")
        raise NotationError(f"{text!r} names no place; write file letters and a rank, such as e8")

    def parse_placement(self, text: str) -> Placement:
        """Return the placement of that name.

        Raises:
            NotationError: it is no name of a placement, or the stone would not lie wholly on this mat.
        """
        match = _PLACEMENT.fullmatch(text)
        if match is None:
            raise NotationError(f"{text!r} names no placement; write H or V and the least place, such as He8")
        place, lie = self.parse_place(match[2]), LIES.index(match[1])
        if not self.places >> (place + self.spans[lie]) & 1:
            raise NotationError(f"placement {text!r} hangs over the edge of the mat; it ends at {self.cells[-1].name}")
        return 2 * place + lie

    def placements_of(self, stones: ByLie) -> list[Placement]:
        """Return these stones as single placements, sorted."""
        return sorted(2 * place + lie for lie in (0, 1) for place in members(stones[lie]))


def _bits(places: Iterable[int]) -> Bits:
    result = 0
    for place in places:
        result |= 1 << place
    return result


@lru_cache(maxsize=32)
def mat_of(width: int, height: int) -> Mat:
    """Return the mat of that size; the same one every time, as it never changes."""
    stride = height + 1
    squares = list(product(range(width), range(height)))
    place_of = tuple(file * stride + rank for file, rank in squares)
    cell_of = [-1] * (width * stride)
    for cell, place in enumerate(place_of):
        cell_of[place] = cell
    west, east = (_bits([file * stride + rank for rank in range(height)]) for file in (0, width - 1))
    near, far = (_bits([file * stride + rank for file in range(width)]) for rank in (0, height - 1))
    rounds = (max(width, height) - 1).bit_length()
    cells = tuple(Place(f"{file_name(file)}{rank + 1}", float(file), float(rank)) for file, rank in squares)
    return Mat(
        width=width,
        height=height,
        spans=(stride, 1),
        leaps=(tuple(stride << k for k in range(rounds)), tuple(1 << k for k in range(rounds))),
        places=_bits(place_of),
        edge=west | east | near | far,
        sides=((west, east), (near, far)),
        cells=cells,
        place_of=place_of,
        cell_of=tuple(cell_of),
        by_name={cell.name: place for cell, place in zip(cells, place_of, strict=True)},
    )
