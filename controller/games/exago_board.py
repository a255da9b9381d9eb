"""The board of Exago: cells of a hexagon, sets of cells as ints, groups and rows.

A set of cells is one int. The bit of a cell is ``row * width + number - 1`` with rows from 0 (``a``); rows are one bit
wider than the widest row of cells, so that a shift never carries a piece from the end of one row to the beginning of
another. Bits grow in the order in which cells sort, so the least cell of a set is its lowest bit. The three axes of the
board are shifts by 1 (to the right), by `width` (up and to the right) and by ``width - 1`` (up and to the left).

Numbers such as (1.1) are paragraphs of ``texts/exago.md``.
"""

from dataclasses import dataclass
from math import sqrt
from typing import Final, TypeAlias

from controller.games.seam import Cell, Place

Cells: TypeAlias = int
"""A set of cells, one bit a cell."""

_ROW_LETTERS: Final = "abcdefghijklmno"
_ROW_PITCH: Final = sqrt(3) / 2
"""Distance of two rows when neighbouring cells are one pitch apart."""


@dataclass(frozen=True, slots=True)
class Board:
    """A hexagon of so many cells from the middle to a corner, with the tables that moves are looked up in.

    Attributes:
        radius: 2 to 7.
        places: all cells, sorted by row, then number; pointy side up, neighbours one pitch apart, the middle at (0, 0).
        names: their names, by cell.
        bits: the bit of each cell.
        near: the cells next to each cell.
        axes: for each cell and axis: the shift, the two cells next to it, all cells of its line.
        cell_at: the cell of each bit's place.
        everything: all cells.
        width: bits of a row.
        start: the cell in the middle.
    """

    radius: int
    places: tuple[Place, ...]
    names: tuple[str, ...]
    bits: dict[Cell, Cells]
    near: tuple[Cells, ...]
    axes: tuple[tuple[tuple[int, Cells, Cells], ...], ...]
    cell_at: dict[int, Cell]
    everything: Cells
    width: int
    start: Cell

    @classmethod
    def of(cls, radius: int) -> "Board":
        """Return the board of that radius (1.1)."""
        width, span = 2 * radius + 2, range(-radius, radius + 1)
        axial = [(q, r) for r in span for q in span if abs(q + r) <= radius]
        bit_of = {(q, r): 1 << (r + radius) * width + q + radius for q, r in axial}
        places = tuple(
            Place(f"{_ROW_LETTERS[r + radius]}{q + radius + 1}", q + r / 2, r * _ROW_PITCH) for q, r in axial
        )
        axes = []
        for q, r in axial:
            lines = []
            for shift, dq, dr in ((1, 1, 0), (width, 0, 1), (width - 1, -1, 1)):
                line = [bit_of.get((q + step * dq, r + step * dr), 0) for step in range(-2 * radius, 2 * radius + 1)]
                lines.append((shift, line[2 * radius - 1] | line[2 * radius + 1], sum(line)))
            axes.append(tuple(lines))
        return cls(
            radius=radius,
            places=places,
            names=tuple(place.name for place in places),
            bits=dict(enumerate(bit_of.values())),
            near=tuple(beside[0][1] | beside[1][1] | beside[2][1] for beside in axes),
            axes=tuple(axes),
            cell_at={bit.bit_length() - 1: cell for cell, bit in enumerate(bit_of.values())},
            everything=sum(bit_of.values()),
            width=width,
            start=axial.index((0, 0)),
        )

    def cells(self, mask: Cells) -> list[Cell]:
        """Return the cells of a set, sorted."""
        cell_at, result = self.cell_at, []
        while mask:
            low = mask & -mask
            result.append(cell_at[low.bit_length() - 1])
            mask ^= low
        return result

    def least(self, mask: Cells) -> Cell:
        """Return the least cell of a set that is not empty."""
        return self.cell_at[(mask & -mask).bit_length() - 1]

    def around(self, mask: Cells) -> Cells:
        """Return a set together with all cells next to it."""
        width, slant = self.width, self.width - 1
        sideways = mask | mask << 1 | mask >> 1
        return (sideways | mask << width | mask >> width | mask << slant | mask >> slant) & self.everything

    def group(self, seed: Cells, mask: Cells) -> Cells:
        """Return the cells of `mask` that hang together with `seed`, which lies in it."""
        width, slant = self.width, self.width - 1
        grown = seed
        while True:
            more = grown | grown << 1 | grown >> 1
            more = (more | grown << width | grown >> width | grown << slant | grown >> slant) & mask
            if more == grown:
                return grown
            grown = more

    def groups(self, mask: Cells) -> list[Cells]:
        """Return the groups into which a set falls, sorted by their least cells."""
        result = []
        while mask:
            result.append(group := self.group(mask & -mask, mask))
            mask ^= group
        return result

    def parts(self, mask: Cells, cell: Cell) -> list[Cells]:
        """Return the groups into which a set, in one piece until now, falls without `cell`.

        Cells next to `cell` that hang together among themselves show without a look at the rest that nothing parts.
        """
        rest, beside = mask & ~self.bits[cell], mask & self.near[cell]
        if rest and self.group(beside & -beside, beside) == beside:
            return [rest]
        return self.groups(rest)

    def has_row(self, mask: Cells, cell: Cell, need: int) -> bool:
        """Return whether a straight row of `need` cells or more runs through `cell`, which lies in the set."""
        for shift, beside, line in self.axes[cell]:
            if mask & beside and (mask & line).bit_count() >= need:
                bit = self.bits[cell]
                if self._row(mask, bit, shift).bit_count() >= need:
                    return True
        return False

    def rows(self, mask: Cells, cell: Cell, need: int) -> list[Cells]:
        """Return every whole row of `need` cells or more through `cell`, sorted by their cells."""
        whole = [self._row(mask, self.bits[cell], shift) for shift, _, _ in self.axes[cell]]
        return sorted((row for row in whole if row.bit_count() >= need), key=self.cells)

    @staticmethod
    def _row(mask: Cells, bit: Cells, shift: int) -> Cells:
        row, ahead, behind = bit, bit << shift, bit >> shift
        while ahead & mask:
            row |= ahead
            ahead <<= shift
        while behind & mask:
            row |= behind
            behind >>= shift
        return row

    def completions(self, mask: Cells, need: int) -> Cells:
        """Return the cells that, added to a set, make a row of `need` (2 or more); cells of the set may be among them.

        All cells at once: on each axis a cell is wanted with k cells of the set right before it and ``need - 1 - k``
        right after it.
        """
        if need > 2 * self.radius + 1 or mask.bit_count() < need - 1:
            return 0
        found = 0
        for shift in (1, self.width, self.width - 1):
            before, after = [mask << shift], [mask >> shift]
            for step in range(2, need):
                before.append(before[-1] & mask << step * shift)
                after.append(after[-1] & mask >> step * shift)
            found |= before[-1] | after[-1]
            for ahead in range(need - 2):
                found |= before[ahead] & after[need - 3 - ahead]
        return found & self.everything
