"""The device's clock told in the controller's: one offset, learned from the quickest of the last heartbeats."""

from collections import deque
from typing import Final

from hardware.ports import Millis
from hardware.wire import CLOCK

SAMPLES: Final = 10
"""Heartbeats that are remembered: ten seconds of them. Two crystals drift apart by a millisecond or so in that time."""
SAME_MS: Final = 2000
"""What two readings of one clock may differ by: late messages, and the drift of an outage."""


class DeviceClock:
    """Turns 16-bit times of the device into `Millis` here.

    A message takes no less than no time, so the smallest difference seen is the nearest to the truth.

    Attributes:
        base: the moment here that belongs to `low`.
        low: lowest 16 bits of the device's time at its last heartbeat.
    """

    def __init__(self) -> None:
        self.base: Millis = 0
        self.low = 0
        self._time: int | None = None
        self._heard: Millis = 0
        self._ahead: deque[int] = deque(maxlen=SAMPLES)

    def restart(self) -> None:
        """Forget all: another device, or the same started anew."""
        self._time = None
        self._ahead.clear()

    def learn(self, now: Millis, time: int) -> None:
        """Take that a message which says that the device's clock shows `time` has come at `now`."""
        last = self._time
        self._heard = now
        if last is None:
            self._time = time
        else:
            step = (time - last) & CLOCK
            self._time = last + (step if step <= CLOCK // 2 else step - CLOCK - 1)
        self._ahead.append(now - self._time)
        self.low = self._time & 0xFFFF
        self.base = self._time + min(self._ahead)

    def agrees(self, now: Millis, time: int) -> bool:
        """Return whether a clock that shows `time` is this one, which has gone on: to two seconds.

        Not where it may as well have begun anew since it was heard last, as that of a board which is lost soon after
        each start.
        """
        if self._time is None or time <= now - self._heard + SAME_MS:
            return False
        ahead = (time - (now - min(self._ahead))) & CLOCK
        return min(ahead, CLOCK + 1 - ahead) <= SAME_MS

    def at(self, time: int, now: Millis) -> Millis:
        """Return when that 16-bit device time was, or `now` if that is earlier. It is less than 32 s from the last."""
        at = self.base + ((time - self.low + 0x8000 & 0xFFFF) - 0x8000)
        return at if at < now else now  # noqa: FURB136 - asked for each change, and half as long as `min`
