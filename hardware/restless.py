"""How restless the raw value of a sensor has been of late.

`Level` is for sensors that give levels, `Contact` for those that open and close. Pure; every call is told the time.
Taking a value and telling the noise cost the same, however many values there were.
"""

from collections import deque
from typing import Final, Protocol

from hardware.ports import Millis

NOISE_MS: Final = 3000
"""The noise of a sensor is that of so long: long enough to see a flicker, short enough to see it mended."""
MOST_FLIPS: Final = 1000
"""Flickers that are counted; no contact that is scanned has more in the time."""


class Raw(Protocol):
    """One sensor.

    Attributes:
        value: what it gave last; None where that is not known.
    """

    value: int | None

    def take(self, at: Millis, value: int) -> bool:
        """Take what it gives from `at` on, negative where that is not known; return whether it is another value."""

    def calm(self) -> None:
        """Let nothing before this moment count."""

    def noise(self, now: Millis) -> int | None:
        """Return its noise in the last `NOISE_MS`; None where nothing is known."""


class Contact:
    """A contact: 0 open, anything above it closed, which is told as 1. Its noise is how often it opened or closed."""

    __slots__ = ("_flips", "value")

    def __init__(self) -> None:
        self.value: int | None = None
        self._flips: deque[Millis] = deque(maxlen=MOST_FLIPS)

    def take(self, at: Millis, value: int) -> bool:
        """See `Raw.take`."""
        closed = None if value < 0 else min(value, 1)
        if closed == self.value:
            return False
        if self.value is not None and closed is not None:
            self._flips.append(at)
        self.value = closed
        return True

    def calm(self) -> None:
        """See `Raw.calm`."""
        self._flips.clear()

    def noise(self, now: Millis) -> int | None:
        """See `Raw.noise`."""
        flips = self._flips
        while flips and now - flips[0] > NOISE_MS:
            flips.popleft()
        return None if self.value is None else len(flips)


class Level:
    """A sensor that gives levels. Its noise is how far these went up and down; a value holds until the next one comes.

    Of the values that held within the time only those are kept that may yet be the lowest or the highest of the rest:
    a value that another one has undercut since will never be the lowest any more.
    """

    __slots__ = ("_highs", "_lows", "value")

    def __init__(self) -> None:
        self.value: int | None = None
        # Values with the time until which each held, oldest first; the last is the one that holds now.
        self._lows: deque[tuple[int, Millis]] = deque()
        self._highs: deque[tuple[int, Millis]] = deque()

    def take(self, at: Millis, value: int) -> bool:
        """See `Raw.take`."""
        known = None if value < 0 else value
        if known == self.value:
            return False
        self.value = known
        if known is None:
            self.calm()
            return True
        for kept, up in ((self._lows, 1), (self._highs, -1)):
            if kept:
                kept.append((kept.pop()[0], at))
            while kept and up * kept[-1][0] >= up * known:
                kept.pop()
            kept.append((known, at))
            _expire(kept, at)
        return True

    def calm(self) -> None:
        """See `Raw.calm`."""
        for kept in (self._lows, self._highs):
            while len(kept) > (self.value is not None):
                kept.popleft()

    def noise(self, now: Millis) -> int | None:
        """See `Raw.noise`."""
        if self.value is None:
            return None
        _expire(self._lows, now)
        _expire(self._highs, now)
        return self._highs[0][0] - self._lows[0][0]


def _expire(kept: deque[tuple[int, Millis]], now: Millis) -> None:
    """Drop the values that had given way to others already `NOISE_MS` ago."""
    while len(kept) > 1 and now - kept[0][1] > NOISE_MS:
        kept.popleft()
