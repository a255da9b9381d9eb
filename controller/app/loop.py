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

    A step is one callback of that loop: a board that is scanned fifty times a second wakes the processor no more often.

    Args:
        rig: what is driven.

    Attributes:
        listeners: each is called after every step.
    """

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self.listeners: list[Callable[[], None]] = []
        self._ended: asyncio.Future[None] | None = None
        self._next: asyncio.Handle | None = None
        self._stirred = False
        self._stepping = False
        rig.source.listen(self.hear)

    def wake(self) -> None:
        """Make the next step come at once. Calls before it are one."""
        if self._stirred or self._ended is None:
            return
        self._stirred = True
        self._plan(0)

    def hear(self) -> None:
        """Step now, since the source has news: the event loop has just called it, so nothing else is under way."""
        if self._stepping:
            self.wake()
        else:
            self._step()

    async def run(self) -> None:
        """Step until cancelled, or until people have confirmed that the board is to be switched off."""
        self._ended = asyncio.get_running_loop().create_future()
        self._step()
        try:
            await self._ended
        finally:
            self._ended = None
            if self._next is not None:
                self._next.cancel()

    def _step(self) -> None:
        """Take a step and plan the next one; what goes wrong ends the loop."""
        ended = self._ended
        if ended is None or ended.done():
            return
        self._stirred, self._stepping = False, True
        try:
            self._rig.step(clock())
            for heard in self.listeners:
                heard()
            due = self._rig.due()
        except Exception as error:  # noqa: BLE001 - whoever runs the loop hears of it
            ended.set_exception(error)
            return
        finally:
            self._stepping = False
        if self._rig.leaving:
            ended.set_result(None)
        elif not self._stirred:
            self._plan(None if due is None else max(0, due - clock()))

    def _plan(self, span: Millis | None) -> None:
        if self._next is not None:
            self._next.cancel()
            self._next = None
        if span is None:
            return
        loop = asyncio.get_running_loop()
        self._next = loop.call_later(span / 1000, self._step) if span else loop.call_soon(self._step)
