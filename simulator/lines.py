"""The lines of a matrix of contacts: who shares a row or column, and the ways of current through closed contacts."""

from collections.abc import Collection, Sequence
from typing import TypeAlias

from simulator.faults import FaultError

Crossing: TypeAlias = tuple[int, int]
"""Row and column of a contact, each from 0."""


def square(cells: int) -> tuple[Crossing, ...]:
    """Return the crossings of so many cells in a matrix as near to a square as can be, filled row by row."""
    rows = max(1, int(cells**0.5))
    columns = -(-cells // rows)
    return tuple(divmod(cell, columns) for cell in range(cells))


def drawn(places: Sequence[tuple[float, float]]) -> tuple[Crossing, ...]:
    """Return the crossings of a board whose rows are wired as they are drawn: row 1 nearest to player 1, from the left.

    Args:
        places: shape (cells, 2): the middles of the cells, x to the right and y away from player 1.
    """
    rows: dict[float, list[int]] = {}
    for cell, (_, y) in enumerate(places):
        rows.setdefault(round(y, 3), []).append(cell)
    crossings: list[Crossing] = [(0, 0)] * len(places)
    for row, y in enumerate(sorted(rows)):
        for column, cell in enumerate(sorted(rows[y], key=lambda cell: places[cell][0])):
            crossings[cell] = row, column
    return tuple(crossings)


def cells_on(crossings: Sequence[Crossing], line: str) -> frozenset[int]:
    """Return the cells of a line: ``row3``, ``col2``, counted from 1, or ``chain``, which has none of its own.

    Raises:
        FaultError: the matrix has not so many; says how many it has.
    """
    if line == "chain":
        return frozenset()
    axis = 0 if line.startswith("row") else 1
    wanted = int(line[3:]) - 1
    found = frozenset(cell for cell, crossing in enumerate(crossings) if crossing[axis] == wanted)
    if not found:
        most = 1 + max(crossing[axis] for crossing in crossings)
        raise FaultError(f"there is no {line}: this board has {most} {'rows' if axis == 0 else 'columns'}")
    return found


def conducting(
    crossings: Sequence[Crossing], closed: Collection[int], backwards: Collection[int] | None
) -> frozenset[int]:
    """Return the cells that read closed when each row in turn is driven low.

    Current runs through a closed contact from its column to its row, and the other way only where the diode is missing
    or shorted. A column is low where a way leads from it to the driven row.

    Args:
        crossings: shape (cells,).
        closed: the cells whose contacts are closed.
        backwards: the cells without a working diode; None: no cell has one.
    """
    columns_of: dict[int, list[int]] = {}
    rows_behind: dict[int, list[int]] = {}
    for cell in closed:
        row, column = crossings[cell]
        columns_of.setdefault(row, []).append(column)
        if backwards is None or cell in backwards:
            rows_behind.setdefault(column, []).append(row)
    low: dict[int, set[int]] = {}
    for driven in columns_of:
        rows, columns, ahead = {driven}, set[int](), [driven]
        while ahead:
            fresh = set(columns_of.get(ahead.pop(), ())) - columns
            columns |= fresh
            behind = {row for column in fresh for row in rows_behind.get(column, ())} - rows
            rows |= behind
            ahead.extend(behind)
        low[driven] = columns
    return frozenset(cell for cell, (row, column) in enumerate(crossings) if column in low.get(row, ()))
