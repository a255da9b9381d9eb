"""Which cells of a matrix without diodes may be ghosts: three closed corners of a rectangle conjure the fourth."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

Crossing: TypeAlias = tuple[int, int]
"""Where a contact is: index of its row and of its column, each from 0."""


def ghosts(crossings: Sequence[Crossing]) -> Callable[[int], int]:
    """Return the function that says which cells of a reading may be ghosts, for a matrix without diodes.

    Current finds its way backwards through closed contacts, so where two rows read two columns alike, one of the four
    contacts may be open. All cells of such a rectangle are in doubt: nothing tells which one is the ghost. Crossings
    without a cell are not read; a way through them is taken to be open, since no contact is there.

    Args:
        crossings: shape (cells,): row and column of each cell.
    """
    bit_of = {crossing: 1 << cell for cell, crossing in enumerate(crossings)}
    lines: Mapping[int, int] = {
        row: sum(bit_of[row, column] for r, column in bit_of if r == row) for row in {row for row, _ in bit_of}
    }
    columns_of = {1 << cell: column for cell, (_, column) in enumerate(crossings)}

    def in_doubt(reading: int) -> int:
        full: list[tuple[int, int]] = []  # rows with two or more closed: their number and the columns, one bit each
        for row, line in lines.items():
            closed = reading & line
            if closed & (closed - 1):
                columns = 0
                while closed:
                    low = closed & -closed
                    columns |= 1 << columns_of[low]
                    closed ^= low
                full.append((row, columns))
        doubt = 0
        for k, (row, columns) in enumerate(full):
            for other, other_columns in full[:k]:
                shared = columns & other_columns
                if shared & (shared - 1):
                    while shared:
                        low = shared & -shared
                        column = low.bit_length() - 1
                        doubt |= bit_of[row, column] | bit_of[other, column]
                        shared ^= low
        return doubt

    return in_doubt
