"""Less light where a board starts anew under bright frames: its supply is too weak for them. Arithmetic, no clock."""

from typing import Final

from hardware.ports import Frame, Millis

SOON_MS: Final = 500
"""A board that is lost so soon after its light grew brighter was lost by that."""
AGAIN_MS: Final = 10_000
"""Two such losses within this time are no accident."""
LEAST: Final = 1 / 16
"""No less light than this: it must still be seen."""


class Caution:
    """What share of its brightness a board can bear.

    Attributes:
        share: 0.0 to 1.0.
    """

    def __init__(self) -> None:
        self.share = 1.0
        self._light = 0
        self._brighter_at: Millis | None = None
        self._lost_at: Millis | None = None

    def shown(self, frame: Frame, now: Millis) -> None:
        """Take a frame that was shown."""
        light = sum(frame)
        if light > self._light:
            self._brighter_at = now
        self._light = light

    def lost(self, now: Millis) -> bool:
        """Take that the board was lost; return whether it has to be lit less from now on."""
        if self._brighter_at is None or now - self._brighter_at > SOON_MS:
            return False
        again = self._lost_at is not None and now - self._lost_at <= AGAIN_MS
        self._lost_at = None if again else now
        if not again or self.share <= LEAST:
            return False
        self.share /= 2
        return True
