"""From what lies on the cells to what their contacts read: the stage at which sensors and lines go wrong.

A change passes through it in this order, each step where its fault is on:

1. the contact bounces (`bounce`); hands, hovering stones, pieces of metal hide what lies below (`CellContacts.hide`);
2. an emptied cell is held full by its neighbours (`crosstalk`) or by the one before it on its multiplexer (`settling`);
3. the sensor looks only now and then (`sample`);
4. the sensor is sick (`stuck`, `dead`), or its line is (`line`);
5. current takes ways that it should not (`ghost`, `diode`), where cells are contacts that are open or closed.

Every depth of the stand-in reads the same contacts, so a fault looks the same in memory and at pins.
"""

import enum
import heapq
import random
from collections.abc import Iterable, Sequence
from typing import Final

from hardware.ports import UNKNOWN, Millis, Sensing
from simulator.faults import Faults
from simulator.lines import Crossing, cells_on, conducting, drawn, square

BOUNCE_MS: Final = (1, 4)
"""How long one flicker of a bouncing contact lasts, at least and at most."""
BUMP_MS: Final = 100
"""How long cells flicker when the table is knocked."""
FLICKER_MS: Final = (2, 30)
"""How long one of these flickers lasts, at least and at most: a stone hops, a reed swings."""
BUMPED: Final = 0.6
"""The share of the cells that flicker then."""
MULTIPLEXED: Final = 16
"""Cells that share one multiplexer; the first of each sixteen has none before it."""
NEAR_PITCHES: Final = 1.5
"""Cells this near to each other are neighbours."""


class _What(enum.Enum):
    LIES = 0
    HIDES = 1
    LOOKS = 2


class CellContacts:
    """The contacts of one board.

    Args:
        cells: how many.
        sensing: what they can tell.
        places: shape (cells, 2): their middles, in pitches; without it no cell has neighbours.
        optical: whether they see light, so that hands throw shadows on them.
        seed: for everything random: bounces, bumps, the moments at which sensors look.

    Attributes:
        raw: shape (cells,): what each contact reads now.
        dice: for everything random.
        crossings: shape (cells,): where each contact is in its matrix, whose rows are the board's.
        upsets: how often something read otherwise than what lay there, or later.
        restless_until: until when flickers that are no change are to be expected, as after a bump.
    """

    def __init__(
        self,
        cells: int,
        sensing: Sensing,
        places: Sequence[tuple[float, float]] = (),
        seed: int = 0,
        *,
        optical: bool = False,
    ) -> None:
        self.raw = [0] * cells
        self.crossings: Sequence[Crossing] = drawn(places) if places else square(cells)
        self.upsets = 0
        self.restless_until: Millis = -BUMP_MS
        self._sensing = sensing
        self._optical = optical
        self._places = places
        self._near: Sequence[tuple[int, ...]] = [()] * cells
        self._faults = Faults()
        self._lies = [0] * cells
        self._hidden: dict[int, int] = {}
        self._felt = [0] * cells
        self._seen = [0] * cells
        self._looking: set[int] = set()
        self._held: dict[int, int] = {}
        self._silent: frozenset[int] = frozenset()
        self._backwards: frozenset[int] | None = frozenset()
        self._coming: list[tuple[Millis, int, _What, int, int | None]] = []
        self._order = 0
        self._flips: list[tuple[Millis, int, int]] = []
        self.reseed(seed)

    def reseed(self, seed: int) -> None:
        """Start everything random anew."""
        self.dice = random.Random(seed)
        looks = random.Random(f"{seed}/looks")
        self._phases = [looks.random() for _ in self.raw]

    def lay(self, readings: Sequence[int]) -> None:
        """Take what lies on the whole board at once, without a sound."""
        self._lies = list(readings)
        self._felt, self._seen = list(self._lies), list(self._lies)
        self.raw = list(self._lies)
        self._coming.clear()
        self._looking.clear()

    # What goes in -----------------------------------------------------------------------------------------------------

    def change(self, cell: int, old: int, new: int, at: Millis) -> None:
        """Let what lies on a cell read `new` instead of `old` from `at` on, with the bounces of its contact."""
        self._coming = [entry for entry in self._coming if entry[3] != cell or entry[2] is not _What.LIES]
        heapq.heapify(self._coming)
        if self._optical and old and not new:
            at += self._faults.shadow
        self._later(at, _What.LIES, cell, new)
        self.upsets += self._faults.bounce
        for _ in range(self._faults.bounce):
            at += self.dice.randint(*BOUNCE_MS)
            self._later(at, _What.LIES, cell, old)
            at += self.dice.randint(*BOUNCE_MS)
            self._later(at, _What.LIES, cell, new)

    def hide(self, cell: int, reading: int | None, at: Millis) -> None:
        """Let a cell read this, whatever lies on it, from `at` on; None: what lies there is felt again."""
        self.upsets += reading is not None
        self._later(at, _What.HIDES, cell, reading)

    def hidden(self, cell: int) -> int | None:
        """Return what a cell reads whatever lies on it; None where what lies there is felt."""
        return self._hidden.get(cell)

    def bump(self, now: Millis) -> None:
        """Knock against the table: for a moment many cells flicker, full ones empty and empty ones full."""
        self.restless_until = now + BUMP_MS
        full = UNKNOWN if self._sensing is Sensing.COLOUR else 1
        for cell, lies in enumerate(self._lies):
            if self.dice.random() >= BUMPED or cell in self._hidden:
                continue
            at = now + self.dice.randint(0, BUMP_MS // 2)
            while (until := at + self.dice.randint(*FLICKER_MS)) <= now + BUMP_MS:
                self.hide(cell, 0 if lies else full, at)
                self.hide(cell, None, until)
                at = until + self.dice.randint(*FLICKER_MS)

    def fail(self, faults: Faults, names: Sequence[str], now: Millis) -> None:
        """Take what is wrong from here on.

        Raises:
            FaultError: a line that this board has not.
        """
        lines = [cells_on(self.crossings, line) for line in faults.line]
        number = {name: cell for cell, name in enumerate(names)}
        dead = (number[name] for name in faults.dead)
        stuck = (number[name] for name in faults.stuck)
        self._silent = frozenset().union(*lines, dead)
        self._held = {cell: self._held.get(cell, self.raw[cell]) for cell in stuck}
        self._backwards = None if faults.ghost else frozenset(number[name] for name in faults.diode)
        self._faults = faults
        if faults.crosstalk and self._places:
            self._near = _neighbours(self._places)
        for cell in range(len(self.raw)):
            self._feel(cell, now)
            if not faults.sample:
                self._seen[cell] = self._felt[cell]
        self._tell(range(len(self.raw)), now)

    # What comes out ---------------------------------------------------------------------------------------------------

    def advance(self, now: Millis) -> None:
        """Let everything happen up to `now`."""
        while self._coming and self._coming[0][0] <= now:
            at, _, what, cell, reading = heapq.heappop(self._coming)
            if what is _What.LOOKS:
                self._looking.discard(cell)
                self._look(cell, at)
                continue
            if what is _What.LIES:
                self._lies[cell] = reading or 0
            elif reading is None:
                self._hidden.pop(cell, None)
            else:
                self._hidden[cell] = reading
            self._feel(cell, at)
            for other in self._held_by(cell):
                self._feel(other, at)

    def due(self) -> Millis | None:
        """Return when something happens next by itself; None where nothing will."""
        return self._coming[0][0] if self._coming else None

    def flips(self) -> list[tuple[Millis, int, int]]:
        """Return the raw changes since the last call, oldest first: (when, cell, reading)."""
        told, self._flips = self._flips, []
        return told

    # The stages -------------------------------------------------------------------------------------------------------

    def _own(self, cell: int) -> int:
        """Return what a cell feels of what is on it."""
        return self._hidden.get(cell, self._lies[cell])

    def _held_by(self, cell: int) -> Iterable[int]:
        """Return the cells that this one may hold full."""
        near = self._near[cell] if self._faults.crosstalk else ()
        following = cell + 1
        if self._faults.settling and following < len(self.raw) and following % MULTIPLEXED:
            return (*near, following)
        return near

    def _kept_full(self, cell: int) -> bool:
        """Return whether others keep a cell from reading empty once it has read full."""
        most = self._faults.crosstalk
        if most and sum(1 for other in self._near[cell] if self._own(other)) >= most:
            return True
        return self._faults.settling and cell % MULTIPLEXED > 0 and self._own(cell - 1) != 0

    def _feel(self, cell: int, at: Millis) -> None:
        own = self._own(cell)
        felt = own if own or not self._felt[cell] or not self._kept_full(cell) else self._felt[cell]
        self.upsets += felt != own
        if felt == self._felt[cell]:
            return
        self._felt[cell] = felt
        sample = self._faults.sample
        if not sample:
            self._look(cell, at)
        elif cell not in self._looking:
            self._looking.add(cell)
            self.upsets += 1
            phase = int(self._phases[cell] * sample)
            self._later(-((phase - at) // sample) * sample + phase, _What.LOOKS, cell, None)

    def _look(self, cell: int, at: Millis) -> None:
        if self._seen[cell] != self._felt[cell]:
            self._seen[cell] = self._felt[cell]
            self._tell((cell,), at)

    def _tell(self, cells: Iterable[int], at: Millis) -> None:
        """Let the contacts read what their sensors have seen, as far as sensors and lines are sound."""
        sneaking = self._sensing is Sensing.PRESENCE and self._backwards != frozenset()
        if sneaking:
            closed = [cell for cell in range(len(self.raw)) if self._sound(cell)]
            conducts = conducting(self.crossings, closed, self._backwards)
            for cell in range(len(self.raw)):
                self.upsets += (cell in conducts) != (self._sound(cell) != 0)
                self._flip(cell, int(cell in conducts), at)
            return
        for cell in cells:
            self.upsets += self._sound(cell) != self._seen[cell]
            self._flip(cell, self._sound(cell), at)

    def _sound(self, cell: int) -> int:
        if cell in self._held:
            return self._held[cell]
        return 0 if cell in self._silent else self._seen[cell]

    def _flip(self, cell: int, reading: int, at: Millis) -> None:
        if self.raw[cell] != reading:
            self.raw[cell] = reading
            self._flips.append((at, cell, reading))

    def _later(self, at: Millis, what: _What, cell: int, reading: int | None) -> None:
        self._order += 1
        heapq.heappush(self._coming, (at, self._order, what, cell, reading))


def _neighbours(places: Sequence[tuple[float, float]]) -> list[tuple[int, ...]]:
    """Return the neighbours of each cell."""
    return [
        tuple(
            other
            for other, (x, y) in enumerate(places)
            if other != cell and (x - here_x) ** 2 + (y - here_y) ** 2 < NEAR_PITCHES**2
        )
        for cell, (here_x, here_y) in enumerate(places)
    ]
