"""Simulated time over a rig: it passes only when told to, and everything due on the way happens at its moment."""

from collections import deque
from collections.abc import Callable
from typing import Final

from controller.app.rig import Rig
from controller.games.seam import Cell
from controller.table.notices import Notice
from hardware.ports import Frame, Millis

LOOK_BACK_MS: Final = 1000
"""How far back ``expect lit`` and ``expect dark`` look."""


class Stage:
    """A rig in simulated time, with what it has shown and told.

    Args:
        rig: on a simulated board.
        heard: called with each notice, in order.
        seen: called with each new frame and its time.
    """

    def __init__(self, rig: Rig, heard: Callable[[Notice], None], seen: Callable[[Millis, Frame], None]) -> None:
        self.rig = rig
        self.now: Millis = 0
        self._heard = heard
        self._seen = seen
        self._frames: deque[tuple[Millis, Frame]] = deque()
        self._step()

    def act(self, hands: Callable[[], None]) -> None:
        """Let hands do something at this moment."""
        hands()
        self._step()

    def pass_time(self, span: Millis) -> None:
        """Let time pass."""
        end = self.now + span
        while True:
            due = self.rig.due()
            self.now = end if due is None else max(self.now, min(due, end))
            self._step()
            if self.now >= end and ((due := self.rig.due()) is None or due > end):
                return

    def pass_until(self, reached: Callable[[], bool], limit: Millis) -> bool:
        """Let time pass until `reached`, for at most `limit`; return whether it was."""
        end = self.now + limit
        while not reached():
            if self.now >= end:
                return False
            due = self.rig.due()
            self.pass_time(min(end - self.now, max(1, (end if due is None else due) - self.now)))
        return True

    def lit(self, cell: Cell) -> bool:
        """Return whether some frame of the last second lit the cell."""
        return any(any(frame[3 * cell : 3 * cell + 3]) for frame in self._recent())

    def _recent(self) -> list[Frame]:
        """Return the frames shown in the last second, the one that stood when it began included."""
        while len(self._frames) > 1 and self._frames[1][0] <= self.now - LOOK_BACK_MS:
            self._frames.popleft()
        return [frame for _, frame in self._frames]

    def _step(self) -> None:
        self.rig.step(self.now)
        for notice in self.rig.table.notices():
            self._heard(notice)
        frame = self.rig.table.frame(self.now)
        if self.rig.top is not None:
            frame = self.rig.top.seen(frame)
        if not self._frames or self._frames[-1][1] != frame:
            self._frames.append((self.now, frame))
            self._recent()
            self._seen(self.now, frame)
