"""The shortest way from a simulated board to the controller: cell changes straight from memory, no pins, no wire."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from hardware.ports import ButtonPress, CellChange, Frame, LinkNews, Millis, RawHeard, Sensed, Snapshot
from simulator.doubt import Doubt
from simulator.tabletop import Tabletop

AGREE_MS: Final = 20
"""How long a restless contact must be still before its reading is given out; others need no time."""
RETRY_MS: Final = 500
"""Between two tries to reach a board that does not answer."""


class MemorySource:
    """A `Tabletop` as a source of cell changes, presses and news of the link."""

    def __init__(self, top: Tabletop) -> None:
        self._top = top
        self._agreed: list[int] | None = None
        self._doubt = Doubt(top)
        self._unsure: dict[int, Millis] = {}
        self._retry: Millis | None = None
        self._failures = top.failures
        self._wake: Callable[[], None] = lambda: None
        self._raw_heard: RawHeard | None = None

    def poll(self, now: Millis) -> Sequence[Sensed]:
        """Return the changes up to `now` whose contacts have been still long enough; a `Snapshot` first.

        A board that does not answer is told once, tried again every `RETRY_MS`, and told with a fresh `Snapshot`.
        """
        self._top.advance(now)
        return [*self._doubt.over(self._read(now), now), *self._pressed()]

    def _read(self, now: Millis) -> Sequence[Sensed]:
        top = self._top
        if self._retry is not None and now < self._retry:
            return ()
        if (why := top.trouble()) is not None:
            return self._lost(why, now)
        if self._agreed is None:
            return self._afresh(now)
        for at, cell, reading in top.flips():
            self._unsure[cell] = at
            if self._raw_heard is not None:
                self._raw_heard(at, cell, (reading,))
        agree = self._agree()
        changed: list[Sensed] = []
        for cell, at in sorted(self._unsure.items(), key=lambda entry: (entry[1], entry[0])):
            if now - at < agree:
                continue
            del self._unsure[cell]
            if top.raw[cell] != self._agreed[cell]:
                self._agreed[cell] = top.raw[cell]
                changed.append(CellChange(cell, top.raw[cell], at))
        return changed

    def due(self) -> Millis | None:
        """Return when the next contact flips or has been still long enough, or a silent board is tried again."""
        if self._retry is not None:
            return self._retry
        if self._top.trouble() is not None:
            return self._top.now
        agree = self._agree()
        times = [at + agree for at in self._unsure.values()]
        flip = self._top.due()
        return min(times if flip is None else [*times, flip], default=None)

    def listen(self, wake: Callable[[], None]) -> None:
        """Take the function to call when hands have moved something: `stirred` calls it."""
        self._wake = wake

    def hear_raw(self, heard: RawHeard | None) -> None:
        """Tell what the contacts read, all at once and then each flip; None: no more."""
        self._raw_heard = heard
        if heard is not None:
            heard(self._top.now, 0, tuple(self._top.raw))

    def stirred(self) -> None:
        """Say that hands have done something, so that the loop polls."""
        self._wake()

    def close(self) -> None:
        """Nothing to let go of."""

    def _agree(self) -> Millis:
        top = self._top
        restless = top.faults.bounce or top.now <= top.contacts.restless_until + AGREE_MS
        return AGREE_MS if restless else 0

    def _afresh(self, now: Millis) -> Sequence[Sensed]:
        """Read the whole board, whatever was known before."""
        self._top.flips()
        self._unsure.clear()
        self._agreed = list(self._top.raw)
        if self._raw_heard is not None:
            self._raw_heard(now, 0, self._agreed)
        powered = self._failures == self._top.failures
        news = [] if self._retry is None else [LinkNews(up=True, why="", at=now, powered=powered)]
        self._retry, self._failures = None, self._top.failures
        return [*news, Snapshot(tuple(self._agreed), now)]

    def _lost(self, why: str, now: Millis) -> Sequence[Sensed]:
        news = [LinkNews(up=False, why=why, at=now)] if self._retry is None else []
        self._agreed = None
        self._retry = now + RETRY_MS
        return news

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
