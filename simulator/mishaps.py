"""What people do at a board besides lifting stones and putting them down: half beside a cell, upside down, on top.

Each function changes a `Tabletop` at its present moment. What a cell then reads depends on what it senses with.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Final

from hardware.ports import UNKNOWN, Sensing, reads
from simulator.tabletop import HandError, Tabletop

HOVER_MM: Final = 13.0
"""How high a stone is held that hovers: a strong magnet then feels as a weak one does at rest."""
BESIDE_MM: Final = (3.0, 20.0)
"""How far from the middle of its cell a stone lies that is half beside it: where it is felt, and where it is not."""
UPSIDE_DOWN: Final[Mapping[int, int]] = {1: 2, 2: 1}
"""What a colour reads upside down: red and blue differ in polarity alone. The others read what no stone reads."""
HELD_HIGH: Final[Mapping[int, int]] = {1: 3, 3: 0}
"""What a colour reads that is held above a cell: strong as weak, weak as nothing. The others read what none reads."""


def put_between(top: Tabletop, cells: Sequence[int], content: int, dice: random.Random) -> None:
    """Put a stone down half on its cells and half on their neighbours: neither, one or both sides feel it.

    Raises:
        HandError: a cell is taken, or the cells have no neighbours.
    """
    beside = _shifted(top, cells, dice)
    here, there = dice.choice(((False, False), (True, False), (False, True), (True, True)))
    reading = reads(content, top.sensing)
    if not here:
        for cell in cells:
            top.seem(cells, cell, reads(top.contents[cell], top.sensing))
    top.put(cells, content)
    if there:
        for cell in beside:
            if not top.contents[cell]:
                top.seem(cells, cell, reading)
    top.advance(top.now)
    if not top.heaps:
        for cell in cells:
            top.pose(cell, offset_mm=BESIDE_MM[not here])


def _shifted(top: Tabletop, cells: Sequence[int], dice: random.Random) -> list[int]:
    """Return the cells that the stone would cover if it lay one cell further, in a direction drawn from the dice."""
    at = {(round(x, 3), round(y, 3)): cell for cell, (x, y) in enumerate(top.places)}
    x, y = top.places[cells[0]] if top.places else (0.0, 0.0)
    ways = [(to_x - x, to_y - y) for to_x, to_y in top.places if 0 < (to_x - x) ** 2 + (to_y - y) ** 2 < 1.1]
    if not ways:
        raise HandError(f"{top.names[cells[0]]} has no neighbour that a stone could half lie on")
    across, along = dice.choice(ways)
    spots = [top.places[cell] for cell in cells]
    moved = [at.get((round(x + across, 3), round(y + along, 3))) for x, y in spots]
    return [cell for cell in moved if cell is not None and cell not in cells]


def put_upside_down(top: Tabletop, cells: Sequence[int], content: int) -> None:
    """Put a stone down with its lower side up; what only tells full from empty does not notice.

    Raises:
        HandError: a cell is taken, or these are seeds.
    """
    if top.heaps:
        raise HandError("a seed has no upside")
    if top.sensing is Sensing.COLOUR:
        for cell in cells:
            top.seem(cells, cell, UPSIDE_DOWN.get(content, UNKNOWN))
    top.put(cells, content)
    for cell in cells:
        top.pose(cell, flipped=True)


def hover(top: Tabletop, cells: Sequence[int], content: int) -> None:
    """Hold a stone above cells until `leave`: an empty cell feels it, as far as it can."""
    for cell in cells:
        reading = HELD_HIGH.get(content, UNKNOWN) if top.sensing is Sensing.COLOUR else 1
        if not top.contents[cell] and reading and top.sensing is not Sensing.COUNT:
            top.contacts.hide(cell, reading, top.now)
        if not top.heaps:
            top.hold(cell, content, HOVER_MM)
    top.advance(top.now)


def leave(top: Tabletop, cells: Sequence[int]) -> None:
    """Take away what hovers above cells."""
    for cell in cells:
        top.contacts.hide(cell, None, top.now)
        if not top.heaps:
            top.withdraw(cell)
    top.advance(top.now)


def cells_between(top: Tabletop, corner: int, opposite: int) -> list[int]:
    """Return the cells under a hand that reaches from one cell to another: all in the rectangle that they span."""
    (ax, ay), (bx, by) = top.places[corner], top.places[opposite]
    slack = 0.01
    return [
        cell
        for cell, (x, y) in enumerate(top.places)
        if min(ax, bx) - slack <= x <= max(ax, bx) + slack and min(ay, by) - slack <= y <= max(ay, by) + slack
    ]


def shade(top: Tabletop, cells: Sequence[int], *, on: bool) -> None:
    """Hold a hand over cells, or take it away: those that see light read full, others notice nothing."""
    if top.optical:
        for cell in cells:
            top.contacts.hide(cell, 1 if on else None, top.now)
        top.advance(top.now)


def lay_metal(top: Tabletop, cells: Sequence[int], *, on: bool) -> None:
    """Lay metal on cells, or take it off: they read full, or what no stone reads where they tell colours."""
    reading = UNKNOWN if top.sensing is Sensing.COLOUR else 1
    if top.sensing is Sensing.COUNT:
        return
    for cell in cells:
        top.contacts.hide(cell, reading if on else None, top.now)
    top.advance(top.now)
