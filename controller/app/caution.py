"""Less light where a board starts anew under bright frames: its supply is too weak for them. Arithmetic, no clock."""

from typing import Final

from hardware.ports import Frame, Millis

SOON_MS: Final = 250
"""A board that is lost so soon after its light grew may have been lost by that: a supply gives way within milliseconds,
and a hub looks for devices that have gone every 255 ms at the slowest (USB 2.0, interrupt endpoints at full speed)."""
AGAIN_MS: Final = 10_000
"""Two such losses within this time are no accident."""
LEAST: Final = 1 / 16
"""No less light than this: it must still be seen."""
BRIGHT: Final = 255 / 60
"""The mean of a frame's bytes above which its light takes more than the pixels do when they are dark: 20 mA a channel
at 255, 1 mA a pixel in the dark, by the data sheet of the WS2812B. Below that, less light saves next to nothing."""
RESTORED_MS: Final = 10 * 60_000
"""After so long in the light without such a loss, a board is lit more again; so long it is on trial then."""


class Caution:
    """What share of its brightness a board can bear.

    An outage begins when the board is lost and ends when it is heard again; whatever else is said meanwhile, it is one.
    Two outages within `AGAIN_MS` halve the light, where each began just after it had grown and the power may have
    failed. Later it is restored, step by step: the cause may have been another, or is mended. On trial, one such outage
    is enough; and once a board had to be lit less again, it stays so.
    """

    def __init__(self) -> None:
        self._share = 1.0
        self._light = 0.0
        self._brighter_at: Millis | None = None
        self._down = False
        self._blamed = False
        self._went_at: Millis = 0
        self._lost_at: Millis | None = None
        self._lit_ms: Millis = 0
        self._shown_at: Millis = 0
        self._restored = False
        self._on_trial = False
        self._for_good = False

    @property
    def share(self) -> float:
        """How bright the board may be lit, 0.0 to 1.0.

        A board is shown a frame at once when it is heard again: where it may have to be lit less, it is already.
        """
        return self._share / 2 if self._down and self._too_bright() else self._share

    def shown(self, frame: Frame, now: Millis, share: float = 1.0) -> None:
        """Take a frame that was shown at a share of the brightness; one that the board cannot get is for later."""
        mean = share * sum(frame) / len(frame) if frame else 0.0
        if not self._down:
            if mean > max(self._light, BRIGHT):
                self._brighter_at = now
            if self._light:
                self._lit_ms += now - self._shown_at
                self._restore()
            self._shown_at = now
        self._light = mean

    def lost(self, now: Millis) -> None:
        """Take that the board is lost; anything but the first word of an outage changes nothing."""
        if self._down:
            return
        self._down = True
        self._went_at = now
        self._blamed = self._brighter_at is not None and now - self._brighter_at <= SOON_MS

    def back(self, now: Millis, *, powered: bool) -> bool:
        """Take that the board is heard again; return whether it has to be lit less from now on.

        Args:
            now: the time.
            powered: whether the board says that its power did not fail.
        """
        if not self._down:
            return False
        less = not powered and self._too_bright()
        self._down = False
        self._shown_at = now
        if self._light > BRIGHT:
            self._brighter_at = now  # it was dark, and has got what was shown last
        if powered or not self._blamed:
            return False
        self._lost_at = None if less else self._went_at
        self._lit_ms = 0
        if less:
            self._share /= 2
            self._for_good = self._restored
            self._on_trial = False
        return less

    def _too_bright(self) -> bool:
        """Return whether this outage halves the light, if the power failed."""
        again = self._lost_at is not None and self._went_at - self._lost_at <= AGAIN_MS
        return self._blamed and (again or self._on_trial) and self._share > LEAST

    def _restore(self) -> None:
        if self._lit_ms < RESTORED_MS:
            return
        self._lit_ms = 0
        self._on_trial = self._share < 1.0 and not self._for_good
        if self._on_trial:
            self._share = min(1.0, 2 * self._share)
            self._restored = True
