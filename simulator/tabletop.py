"""A board in memory: stones lie on its cells, contacts close and bounce, buttons go down and up.

`Tabletop` is the physical truth of the simulation. Hands change it (`put`, `take`, `press`), at any moment of simulated
time; what stands above it reads contacts (`closed`, `pressed`), as wires would, or takes the raw readings as they flip.
"""

import heapq
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hardware.ports import Millis, Sensing, reads
from simulator.faults import Faults

BOUNCE_MS = (1, 4)
"""How long one flicker of a bouncing contact lasts, at least and at most."""


LONG_AGO: Final = -(1 << 40)
"""When the stones came that were laid out without a sound."""
GONE_MS: Final = 2000
"""How long it is remembered that a stone was taken away; fields are looked at within it."""


@dataclass(frozen=True, slots=True)
class Lying:
    """A stone on a cell or held above it, as a sensor that feels it needs to know it.

    Fields:
        content: the stone's number.
        since: when it came.
        until: when it was taken away; None while it is there.
        height_mm: how far it is above where it rests.
        offset_mm: how far it is from the middle of its cell; None: wherever the cell lets it come to rest.
        flipped: whether it is upside down.
        held: whether a hand holds it there, which trembles.
    """

    content: int
    since: Millis
    until: Millis | None = None
    height_mm: float = 0.0
    offset_mm: float | None = None
    flipped: bool = False
    held: bool = False


class HandError(ValueError):
    """Something that hands cannot do here: take from an empty cell, put down on a full one."""


class Tabletop:
    """The cells of one board, what lies on them, and how they read.

    Args:
        names: the names of the cells, in cell order.
        sensing: what the cells can tell.
        heaps: whether a cell is a pit that holds any number of seeds; else it holds one stone or a part of one.
        seed: for everything random: bounces, jitter.

    Fields:
        contents: shape (cells,): what really lies on each cell: a stone's number, a count of seeds, 0 for nothing.
        lying: shape (cells,): the stones on and above each cell, those taken away of late included.
        stirs: grows with each change of `lying`.
        raw: shape (cells,): how each cell's contact reads at this moment, bounces included.
        now: the moment up to which everything has happened.
        faults: what is wrong with the contacts from here on.
    """

    def __init__(self, names: Sequence[str], sensing: Sensing, seed: int = 0, *, heaps: bool = False) -> None:
        self.names = tuple(names)
        self.sensing = sensing
        self.contents = [0] * len(self.names)
        self.lying: list[tuple[Lying, ...]] = [()] * len(self.names)
        self.stirs = 0
        self._heaps = heaps
        self._pieces: dict[int, tuple[int, ...]] = {}
        self.raw = [0] * len(self.names)
        self.now: Millis = 0
        self.faults = Faults()
        self._dice = random.Random(seed)
        self._coming: list[tuple[Millis, int, int, int]] = []
        self._down: dict[str, Millis] = {}
        self._order = 0
        self._flips: list[tuple[Millis, int, int]] = []
        self._presses: list[tuple[Millis, str]] = []

    def reseed(self, seed: int) -> None:
        """Start everything random anew."""
        self._dice = random.Random(seed)

    def lay(self, contents: Sequence[int], pieces: Iterable[tuple[int, ...]] = ()) -> None:
        """Lay out the whole board at once, without a sound.

        Args:
            contents: shape (cells,).
            pieces: the stones that cover several cells, each as those cells.
        """
        self.contents = list(contents)
        self._pieces = {cell: piece for piece in pieces for cell in piece}
        self.raw = [reads(content, self.sensing) for content in contents]
        self.lying = [(Lying(content, LONG_AGO),) if content else () for content in contents]
        self.stirs += 1

    # What hands do ----------------------------------------------------------------------------------------------------

    def put(self, cells: Sequence[int], content: int) -> None:
        """Put a stone down on empty cells (one stone may cover several), or `content` seeds into a pit.

        Raises:
            HandError: a cell is taken by a stone.
        """
        for cell in cells:
            if self.contents[cell] and not self._heaps:
                raise HandError(f"{self.names[cell]} is taken: nothing can be put there")
        self._pieces.update(dict.fromkeys(cells, tuple(cells)))
        for cell, at in zip(cells, self._moments(len(cells)), strict=True):
            self._set(cell, content + (self.contents[cell] if self._heaps else 0), at)

    def take(self, cells: Sequence[int], most: int | None = None) -> int:
        """Take the stone that covers the cells, or the seeds of a pit (all of them, or `most`); return it.

        Raises:
            HandError: a cell is empty, or several stones cover the cells.
        """
        for cell in cells:
            if not self.contents[cell]:
                raise HandError(f"{self.names[cell]} is empty: there is nothing to take")
        piece = self.piece(cells[0])
        if not set(cells) <= set(piece):
            raise HandError(f"{' and '.join(self.names[cell] for cell in cells)} are not covered by one stone")
        content = self.contents[piece[0]]
        taken = content if most is None or not self._heaps else min(most, content)
        for cell, at in zip(piece, self._moments(len(piece)), strict=True):
            self._pieces.pop(cell, None)
            self._set(cell, content - taken if self._heaps else 0, at)
        return taken

    def shift(self, old: Sequence[int], new: Sequence[int], content: int) -> None:
        """Drag a stone without lifting it: it covers `new` instead of `old`; either may be empty, off the board.

        Raises:
            HandError: another stone is in the way.
        """
        for cell in new:
            if self.contents[cell] and cell not in old:
                raise HandError(f"{self.names[cell]} is in the way: a slide passes empty cells only")
        for cell in set(old) - set(new):
            self._pieces.pop(cell, None)
            self._set(cell, 0, self.now)
        self._pieces.update(dict.fromkeys(new, tuple(new)))
        added = [cell for cell in new if cell not in old]
        for cell, at in zip(added, self._moments(len(added)) if added else (), strict=True):
            self._set(cell, content, at)

    def piece(self, cell: int) -> tuple[int, ...]:
        """Return the cells that the stone on `cell` covers."""
        return self._pieces.get(cell, (cell,))

    def pose(self, cell: int, *, height_mm: float = 0.0, offset_mm: float | None = None, flipped: bool = False) -> None:
        """Say how the stone on a cell lies; what only tells full from empty does not notice.

        Raises:
            HandError: the cell is empty.
        """
        if not any(each.until is None and not each.held for each in self.lying[cell]):
            raise HandError(f"{self.names[cell]} is empty: there is nothing to lay otherwise")
        self.lying[cell] = tuple(
            each
            if each.held or each.until is not None
            else replace(each, height_mm=height_mm, offset_mm=offset_mm, flipped=flipped)
            for each in self.lying[cell]
        )
        self.stirs += 1

    def hold(self, cell: int, content: int, height_mm: float, *, flipped: bool = False) -> None:
        """Hold a stone above a cell; only what feels it from afar notices."""
        stone = Lying(content, self.now, height_mm=height_mm, flipped=flipped, held=True)
        self.lying[cell] = (*self.lying[cell], stone)
        self.stirs += 1

    def withdraw(self, cell: int) -> None:
        """Take away what is held above a cell."""
        self.lying[cell] = tuple(
            replace(each, until=self.now) if each.held and each.until is None else each for each in self.lying[cell]
        )
        self.stirs += 1

    def press(self, button: str, hold: Millis) -> None:
        """Hold a button down for `hold` milliseconds from now."""
        self._presses.append((self.now, button))
        self._down[button] = self.now + hold

    # Time and contacts ------------------------------------------------------------------------------------------------

    def advance(self, now: Millis) -> None:
        """Let everything happen up to `now`. Time never runs back."""
        while self._coming and self._coming[0][0] <= now:
            at, _, cell, reading = heapq.heappop(self._coming)
            self._flip(cell, reading, at)
        self.now = max(self.now, now)

    def due(self) -> Millis | None:
        """Return when a contact changes next by itself; None when all are still."""
        return self._coming[0][0] if self._coming else None

    def closed(self, cell: int) -> bool:
        """Return whether the contact of a cell is closed at this moment."""
        return self.raw[cell] != 0

    def pressed(self, button: str) -> bool:
        """Return whether a button is down at this moment."""
        return self._down.get(button, -1) > self.now

    def flips(self) -> list[tuple[Millis, int, int]]:
        """Return the raw changes since the last call, oldest first: (when, cell, reading)."""
        told, self._flips = self._flips, []
        return told

    def presses(self) -> list[tuple[Millis, str]]:
        """Return the presses since the last call, oldest first: (when, button)."""
        told, self._presses = self._presses, []
        return told

    def _moments(self, count: int) -> list[Millis]:
        """Return when each of the cells of one action changes: the first at once, the others within the jitter."""
        return [self.now, *(self.now + self._dice.randint(0, self.faults.jitter) for _ in range(count - 1))]

    def _set(self, cell: int, content: int, at: Millis) -> None:
        before, after = self.contents[cell], content
        self.contents[cell] = content
        self._note(cell, content, at)
        old, new = reads(before, self.sensing), reads(after, self.sensing)
        self._coming = [entry for entry in self._coming if entry[2] != cell]
        heapq.heapify(self._coming)
        self._later(at, cell, new)
        for _ in range(self.faults.bounce):
            at += self._dice.randint(*BOUNCE_MS)
            self._later(at, cell, old)
            at += self._dice.randint(*BOUNCE_MS)
            self._later(at, cell, new)
        self.advance(self.now)

    def _note(self, cell: int, content: int, at: Millis) -> None:
        """Note that what lies on a cell is another from then on."""
        kept = [each for each in self.lying[cell] if each.until is None or each.until > self.now - GONE_MS]
        kept = [replace(each, until=at) if each.until is None and not each.held else each for each in kept]
        self.lying[cell] = (*kept, Lying(content, at)) if content else tuple(kept)
        self.stirs += 1

    def _later(self, at: Millis, cell: int, reading: int) -> None:
        self._order += 1
        heapq.heappush(self._coming, (at, self._order, cell, reading))

    def _flip(self, cell: int, reading: int, at: Millis) -> None:
        if self.raw[cell] != reading:
            self.raw[cell] = reading
            self._flips.append((at, cell, reading))
