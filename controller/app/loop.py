"""The loop of one rig in real time: a step when something is due or somebody stirs, and sleep between."""

import asyncio
import time
from collections.abc import Callable

from controller.app.rig import Rig
from hardware.ports import Millis


def clock() -> Millis:
    """Return the milliseconds of the system's monotonic clock."""
    return time.monotonic_ns() // 1_000_000


class Loop:
    """Drives a rig until it is stopped. Everything happens in the thread of the asyncio loop that runs it.

    Args:
        rig: what is driven.

    Attributes:
        listeners: each is called after every step.
    """

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self.listeners: list[Callable[[], None]] = []
        self._stir = asyncio.Event()
        rig.source.listen(self.wake)

    def wake(self) -> None:
        """Make the next step come at once."""
        self._stir.set()

    async def run(self) -> None:
        """Step until cancelled, or until people have confirmed that the board is to be switched off."""
        loop = asyncio.get_running_loop()
        while True:
            now = clock()
            self._rig.step(now)
            for heard in self.listeners:
                heard()
            if self._rig.leaving:
                return
            due = self._rig.due()
            alarm = None if due is None else loop.call_later(max(0, due - clock()) / 1000, self._stir.set)
            await self._stir.wait()
            self._stir.clear()
            if alarm is not None:
                alarm.cancel()
