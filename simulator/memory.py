"""The shortest way from a simulated board to the controller: cell changes straight from memory, no pins, no wire."""

from collections.abc import Callable, Iterable, Sequence

from hardware.ports import ButtonPress, CellChange, Frame, Millis, Sensed, Snapshot
from simulator.tabletop import Tabletop

AGREE_MS = 20
"""How long a bouncing contact must be still before its reading is given out; others need no time."""


class MemorySource:
    """A `Tabletop` as a source of cell changes and presses."""

    def __init__(self, top: Tabletop) -> None:
        self._top = top
        self._given: list[int] | None = None
        self._unsure: dict[int, Millis] = {}
        self._wake: Callable[[], None] = lambda: None

    def poll(self, now: Millis) -> Sequence[Sensed]:
        """Return the changes up to `now` whose contacts have been still long enough; a `Snapshot` first."""
        self._top.advance(now)
        if self._given is None:
            self._top.flips()
            self._given = list(self._top.raw)
            return [Snapshot(tuple(self._given), now), *self._pressed()]
        for at, cell, _reading in self._top.flips():
            self._unsure[cell] = at
        agree = AGREE_MS if self._top.faults.bounce else 0
        sensed: list[Sensed] = []
        for cell, at in sorted(self._unsure.items(), key=lambda entry: (entry[1], entry[0])):
            if now - at < agree:
                continue
            del self._unsure[cell]
            reading = self._top.raw[cell]
            if reading != self._given[cell]:
                self._given[cell] = reading
                sensed.append(CellChange(cell, reading, at))
        return [*sensed, *self._pressed()]

    def due(self) -> Millis | None:
        """Return when the next contact flips or has been still long enough."""
        agree = AGREE_MS if self._top.faults.bounce else 0
        times = [at + agree for at in self._unsure.values()]
        flip = self._top.due()
        return min(times if flip is None else [*times, flip], default=None)

    def listen(self, wake: Callable[[], None]) -> None:
        """Take the function to call when hands have moved something: `stirred` calls it."""
        self._wake = wake

    def stirred(self) -> None:
        """Say that hands have done something, so that the loop polls."""
        self._wake()

    def close(self) -> None:
        """Nothing to let go of."""

    def _pressed(self) -> list[ButtonPress]:
        return [ButtonPress(button, at) for at, button in self._top.presses()]


class MemoryLamps:
    """Lamps that remember what they show.

    Fields:
        shown: the last frame, None before the first and after closing.
        sent: how many frames differed from the one before.
        share: how bright they are lit, 0.0 to 1.0.
    """

    def __init__(self, pixels: int) -> None:
        self._bytes = 3 * pixels
        self.shown: Frame | None = None
        self.sent = 0
        self.share = 1.0

    def show(self, frame: Frame) -> None:
        """Remember the frame."""
        if len(frame) != self._bytes:
            raise ValueError(f"a frame of {len(frame)} bytes for {self._bytes // 3} pixels")
        if frame != self.shown:
            self.shown = frame
            self.sent += 1

    def dim(self, share: float) -> None:
        """Remember the share; frames are remembered as they are, before brightness."""
        self.share = share

    def cover(self, cells: Iterable[int]) -> None:
        """These lamps have no stones above them."""

    def close(self) -> None:
        """Go dark."""
        self.shown = bytes(self._bytes)
