"""A board in memory: stones lie on its cells, contacts close and bounce, buttons go down and up, a cable is pulled.

`Tabletop` is the physical truth of the simulation. Hands change it (`put`, `take`, `press`), at any moment of simulated
time; what stands above it reads contacts (`closed`, `pressed`), as wires would, or takes the raw readings as they flip.
What contacts make of what lies there is the matter of `simulator.contacts`.
"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hardware.ports import UNKNOWN, Frame, Millis, Sensing, reads
from simulator.contacts import CellContacts
from simulator.faults import Faults, parse_faults

LONG_AGO: Final = -(1 << 40)
"""When the stones came that were laid out without a sound."""
STACKED_MM: Final = 8.0
"""How much higher a stone lies on top of another; an estimate."""
GONE_MS: Final = 2000
"""How long it is remembered that a stone was taken away; fields are looked at within it."""
RESET_MS: Final = 1000
"""How long a micro-controller takes from its reset until it scans again; an estimate on the slow side."""
POWER_ON: Final = 0
BROWNOUT: Final = 1
RESET_PIN: Final = 4
"""Why a device starts, by the numbers of ``RESETS`` in ``firmware/lib/recovery.py``."""


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
        places: shape (cells, 2): the middles of the cells, in pitches; without it no cell has neighbours.

    Fields:
        contents: shape (cells,): what really lies on each cell: a stone's number, a count of seeds, 0 for nothing.
        lying: shape (cells,): the stones on and above each cell, those taken away of late included.
        stirs: grows with each change of `lying`.
        now: the moment up to which everything has happened.
        optical: whether the cells see light, so that hands throw shadows on them.
        cuts: how often the device has lost its power or its program, by a pulled cable or a reset.
        failures: how often of those its power has failed, for however short a time.
        starts_by: why it started last, or will next: `POWER_ON`, `BROWNOUT` or `RESET_PIN`.
        wire_dice: for everything random about a wire; others as soon as the tabletop is seeded anew.
        wired: whether a micro-controller reads the cells and tells of them through a wire.
    """

    def __init__(
        self,
        names: Sequence[str],
        sensing: Sensing,
        seed: int = 0,
        *,
        heaps: bool = False,
        places: Sequence[tuple[float, float]] = (),
    ) -> None:
        self.names = tuple(names)
        self.sensing = sensing
        self.contents = [0] * len(self.names)
        self.lying: list[tuple[Lying, ...]] = [()] * len(self.names)
        self.stirs = 0
        self.heaps = heaps
        self.places = tuple(places)
        self.optical = heaps and sensing is Sensing.PRESENCE
        self.contacts = CellContacts(len(self.names), sensing, self.places, seed, optical=self.optical)
        self.now: Millis = 0
        self._faults = Faults()
        self._pieces: dict[int, tuple[int, ...]] = {}
        self._on_top: dict[int, list[int]] = {}
        self._seeming: dict[int, list[int]] = {}
        self.cuts = 0
        self.failures = 0
        self.starts_by = POWER_ON
        self.wire_dice = random.Random(f"{seed}/wire")
        self.wired = False
        self._plugged = True
        self._mute = False
        self._silent_until: Millis = -1
        self._down: dict[str, Millis] = {}
        self._presses: list[tuple[Millis, str]] = []

    @property
    def raw(self) -> list[int]:
        """Shape (cells,): how each cell's contact reads at this moment, bounces and faults included."""
        return self.contacts.raw

    @property
    def faults(self) -> Faults:
        """What is wrong with the board from here on."""
        return self._faults

    @faults.setter
    def faults(self, faults: Faults) -> None:
        self.contacts.fail(faults, self.names, self.now)
        self._faults = faults
        self._hush()

    def fail(self, words: Sequence[str]) -> None:
        """Take what is wrong from here on as a script says it.

        Raises:
            FaultError: an unknown fault, a value that it does not take, a cell or line that this board has not.
        """
        self.faults = parse_faults(words, self._faults, self.names)

    def reseed(self, seed: int) -> None:
        """Start everything random anew."""
        self.contacts.reseed(seed)
        self.wire_dice = random.Random(f"{seed}/wire")

    def lay(self, contents: Sequence[int], pieces: Iterable[tuple[int, ...]] = ()) -> None:
        """Lay out the whole board at once, without a sound.

        Args:
            contents: shape (cells,).
            pieces: the stones that cover several cells, each as those cells.
        """
        self.contents = list(contents)
        self._pieces = {cell: piece for piece in pieces for cell in piece}
        self.contacts.lay([reads(content, self.sensing) for content in contents])
        self.lying = [(Lying(content, LONG_AGO),) if content else () for content in contents]
        self.stirs += 1

    # What hands do ----------------------------------------------------------------------------------------------------

    def put(self, cells: Sequence[int], content: int) -> None:
        """Put a stone down on empty cells (one stone may cover several), or `content` seeds into a pit.

        Raises:
            HandError: a cell is taken by a stone.
        """
        for cell in cells:
            if self.contents[cell] and not self.heaps:
                raise HandError(f"{self.names[cell]} is taken: nothing can be put there")
        self._pieces.update(dict.fromkeys(cells, tuple(cells)))
        for cell, at in zip(cells, self._moments(len(cells)), strict=True):
            self._set(cell, content + (self.contents[cell] if self.heaps else 0), at)

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
        if self._on_top.get(piece[0]):
            return self._unstack(piece)
        self._straighten(piece)
        content = self.contents[piece[0]]
        taken = content if most is None or not self.heaps else min(most, content)
        for cell, at in zip(piece, self._moments(len(piece)), strict=True):
            self._pieces.pop(cell, None)
            self._set(cell, content - taken if self.heaps else 0, at)
        return taken

    def shift(self, old: Sequence[int], new: Sequence[int], content: int) -> None:
        """Drag a stone without lifting it: it covers `new` instead of `old`; either may be empty, off the board.

        Raises:
            HandError: another stone is in the way.
        """
        for cell in new:
            if self.contents[cell] and cell not in old:
                raise HandError(f"{self.names[cell]} is in the way: a slide passes empty cells only")
        self._straighten(old)
        for cell in set(old) - set(new):
            self._pieces.pop(cell, None)
            self._set(cell, 0, self.now)
        self._pieces.update(dict.fromkeys(new, tuple(new)))
        added = [cell for cell in new if cell not in old]
        for cell, at in zip(added, self._moments(len(added)) if added else (), strict=True):
            self._set(cell, content, at)

    def stack(self, cells: Sequence[int], content: int) -> None:
        """Put a stone on top of the one that covers the cells; `take` takes it first.

        Raises:
            HandError: there is no such stone, or these are pits.
        """
        piece = self.piece(cells[0])
        if self.heaps or not self.contents[cells[0]] or set(piece) != set(cells):
            raise HandError(f"there is no stone on {self.names[cells[0]]} to put another one on")
        self._on_top.setdefault(piece[0], []).append(content)
        for cell in piece:
            self.lying[cell] = (*self.lying[cell], Lying(content, self.now, height_mm=STACKED_MM))
            if self.sensing is Sensing.COLOUR and content != self.contents[cell]:
                self.seem(piece, cell, UNKNOWN)
        self.stirs += 1
        self.advance(self.now)

    def _unstack(self, piece: Sequence[int]) -> int:
        content = self._on_top[piece[0]].pop()
        if not self._on_top[piece[0]]:
            self._straighten(piece)
        for cell in piece:
            *below, above = self.lying[cell]
            self.lying[cell] = (*below, replace(above, until=self.now))
        self.stirs += 1
        self.advance(self.now)
        return content

    def seem(self, stone: Sequence[int], cell: int, reading: int) -> None:
        """Let a cell read this until the stone that covers the cells `stone` is moved."""
        self._seeming.setdefault(stone[0], []).append(cell)
        self.contacts.hide(cell, reading, self.now)

    def _straighten(self, stone: Sequence[int]) -> None:
        """A stone is moved: what it made cells read is over."""
        for cell in self._seeming.pop(stone[0], ()) if stone else ():
            self.contacts.hide(cell, None, self.now)

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

    # What happens to the board ----------------------------------------------------------------------------------------

    def bump(self) -> None:
        """Knock against the table: many cells flicker for a moment."""
        self.contacts.bump(self.now)

    def unplug(self) -> None:
        """Pull the cable: nothing is heard of the cells, and the device is without power."""
        self.cuts += self._plugged
        self.failures += self._plugged
        self.starts_by = POWER_ON
        self._plugged = False
        self._hush()

    def plug(self) -> None:
        """Plug the cable in again."""
        self._plugged = True
        self._hush()

    def reset(self) -> None:
        """Pull the reset of the device that reads the cells: nothing is heard of them before it has started anew."""
        self._restart(RESET_PIN)

    def brown_out(self) -> None:
        """Let the supply sag so low that the device starts anew."""
        self._restart(BROWNOUT)

    def _restart(self, reason: int) -> None:
        self.cuts += 1
        self.failures += reason == BROWNOUT
        if self._plugged:
            self.starts_by = reason
        self._silent_until = self.now + RESET_MS

    def powered(self) -> bool:
        """Return whether the device that reads the cells has power and runs its program."""
        return self._plugged and self.now >= self._silent_until

    def seen(self, frame: Frame) -> Frame:
        """Return what eyes see of a frame: behind a dead pixel all is dark, in the order of the frame."""
        lit = 3 * (self._faults.pixel - 1)
        return frame[:lit] + bytes(len(frame) - lit) if 0 <= lit < len(frame) else frame

    def _hush(self) -> None:
        self._mute = not self._plugged or "chain" in self._faults.line

    def trouble(self) -> str | None:
        """Return why nothing is heard of the cells, for a person; None where they answer."""
        if not self._plugged:
            return "the board does not answer: see that its cable is plugged in at both ends"
        if self.now < self._silent_until:
            return "the board is starting anew; it goes on by itself"
        if "chain" in self._faults.line:
            return "the chain of registers is broken: see that the cables between its boards sit well"
        return None

    # Time and contacts ------------------------------------------------------------------------------------------------

    def advance(self, now: Millis) -> None:
        """Let everything happen up to `now`. Time never runs back."""
        self.contacts.advance(now)
        self.now = max(self.now, now)

    def due(self) -> Millis | None:
        """Return when a contact changes next by itself; None when all are still."""
        return self.contacts.due()

    def closed(self, cell: int) -> bool:
        """Return whether the contact of a cell is closed at this moment.

        Raises:
            OSError: nothing answers (`trouble`).
        """
        if self._mute or self.now < self._silent_until:
            raise OSError(self.trouble())
        return self.contacts.raw[cell] != 0

    def pressed(self, button: str) -> bool:
        """Return whether a button is down at this moment."""
        return self._down.get(button, -1) > self.now

    def flips(self) -> list[tuple[Millis, int, int]]:
        """Return the raw changes since the last call, oldest first: (when, cell, reading)."""
        return self.contacts.flips()

    def presses(self) -> list[tuple[Millis, str]]:
        """Return the presses since the last call, oldest first: (when, button)."""
        told, self._presses = self._presses, []
        return told

    def _moments(self, count: int) -> list[Millis]:
        """Return when each of the cells of one action changes: the first at once, the others within the jitter."""
        return [self.now, *(self.now + self.contacts.dice.randint(0, self.faults.jitter) for _ in range(count - 1))]

    def _set(self, cell: int, content: int, at: Millis) -> None:
        before, after = self.contents[cell], content
        self.contents[cell] = content
        self._note(cell, content, at)
        old, new = reads(before, self.sensing), reads(after, self.sensing)
        self.contacts.change(cell, old, new, at)
        self.advance(self.now)

    def _note(self, cell: int, content: int, at: Millis) -> None:
        """Note that what lies on a cell is another from then on."""
        kept = [each for each in self.lying[cell] if each.until is None or each.until > self.now - GONE_MS]
        kept = [replace(each, until=at) if each.until is None and not each.held else each for each in kept]
        self.lying[cell] = (*kept, Lying(content, at)) if content else tuple(kept)
        self.stirs += 1
