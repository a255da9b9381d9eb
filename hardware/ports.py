"""The words that every board speaks: readings, changes, frames, and the few calls between a device and the table.

Standard library only. Whatever senses cells, lights pixels or has buttons (pins, a serial link, the simulator) answers
to these protocols, so that nothing above knows which of them is there.

Time is a plain ``int`` of milliseconds on the clock that the caller chose (``Millis``); devices are told the time and
never read a clock, never wait.
"""

import enum
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol, TypeAlias, runtime_checkable

Millis: TypeAlias = int
"""Milliseconds since a moment that the caller chose; only differences mean anything."""

UNKNOWN: Final = -1
"""A reading that is disturbed or not yet known (written ``?``). It never completes a move."""


class Sensing(enum.Enum):
    """What a cell's sensor can tell apart. The values are the words of profiles, options and scripts."""

    PRESENCE = "presence"
    """0 empty, 1 occupied."""
    COLOUR = "colour"
    """0 empty, 1..k the colour of the stone, in the order in which the game lists its stones."""
    COUNT = "count"
    """0..n seeds."""


class CellChange(NamedTuple):
    """One cell reads differently. A tuple, since there may be many.

    Fields:
        cell: index of the cell, from 0, in the order of the board's list of cells.
        reading: what it reads now: 0 empty, 1 and up by the board's `Sensing`, or `UNKNOWN`.
        at: when the raw reading last changed on the way to this one, that is before debouncing.
    """

    cell: int
    reading: int
    at: Millis


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All cells, freshly read: given at the start and after any doubt.

    Fields:
        readings: shape (cells,), as `CellChange.reading`.
        at: when they were read.
    """

    readings: tuple[int, ...]
    at: Millis


@dataclass(frozen=True, slots=True)
class ButtonPress:
    """A button went down, debounced.

    Fields:
        button: ``red``, ``blue``, ``yellow``, ``ok``, ``back``, ``new``, ``hint`` or a seat, ``1`` and up.
        at: when.
    """

    button: str
    at: Millis


@dataclass(frozen=True, slots=True)
class LinkNews:
    """The way to the cells came up or went down. A link that comes up is followed by a `Snapshot`.

    Fields:
        up: whether the cells can be heard.
        why: for a person: what is wrong and what to do; empty when up.
        at: when.
        powered: when up: whether the board says that its power did not fail meanwhile, as after a pressed reset. False
            where it cannot tell.
    """

    up: bool
    why: str
    at: Millis
    powered: bool = False


Sensed: TypeAlias = CellChange | Snapshot | ButtonPress | LinkNews


class Source(Protocol):
    """Something that senses: cells, buttons, or both."""

    def poll(self, now: Millis) -> Sequence[Sensed]:
        """Return what has been sensed up to `now`, oldest first, without waiting. The first call gives a `Snapshot`."""

    def due(self) -> Millis | None:
        """Return when `poll` wants to be called next; None where nothing will happen before `listen`'s call."""

    def listen(self, wake: Callable[[], None]) -> None:
        """Take a function to call when `poll` has news that `due` did not foretell.

        It is called from the loop's thread and with nothing else under way, for it may poll at once.
        """

    def close(self) -> None:
        """Let go of the device. Twice is fine."""


RawHeard: TypeAlias = Callable[[Millis, int, Sequence[int]], None]
"""Takes raw values: when they were read, the first cell, and what the sensors of the cells from that one on gave then,
before any judgement: counts of a converter; of a contact 0 open, above it closed; negative where that is not known."""


@runtime_checkable
class RawTeller(Protocol):
    """A `Source` that gives raw values to whoever looks for faults. While nobody does, they cost nothing."""

    def hear_raw(self, heard: RawHeard | None) -> None:
        """Tell raw values from now on: all that are known soon, then each that is read or, of contacts, that changes.

        Args:
            heard: takes them; returns at once. It replaces the one before. None: nobody any more.
        """


def hear_raw(source: Source, heard: RawHeard | None) -> None:
    """Have `source` tell raw values, where it has them; see `RawTeller.hear_raw`."""
    if isinstance(source, RawTeller):
        source.hear_raw(heard)


Frame: TypeAlias = bytes
"""Colours of all pixels, 3 bytes each (red, green, blue, 0..255), before brightness, gamma and current scaling: the
cells in cell order, then the pixels of the score track in track order."""


class Lamps(Protocol):
    """Something that lights pixels."""

    def show(self, frame: Frame) -> None:
        """Light the pixels so. Sends nothing when the frame is the one already shown.

        Raises:
            ValueError: the frame has not three bytes for each pixel.
            DeviceError: the lamps cannot be reached; play goes on without them.
        """

    def dim(self, share: float) -> None:
        """Light everything at this share, 0.0 to 1.0, of the brightness that the board is built for, from now on."""

    def cover(self, cells: Iterable[int]) -> None:
        """Take the cells on which something lies, by index: their light has to get past a stone."""

    def close(self) -> None:
        """All dark, and let go of the device. Twice is fine."""


class DeviceError(OSError):
    """A device is missing, busy or broken. The message says what, where and what to do."""


def reads(content: int, sensing: Sensing) -> int:
    """Return what a cell that holds `content` (a stone's number or a count of seeds, 0 for nothing) reads."""
    return content if sensing is not Sensing.PRESENCE else min(content, 1)
