"""Telling the system's service manager how this process fares: that it is ready, that it is alive, that it ends.

The manager names a datagram socket in ``NOTIFY_SOCKET`` and, where it watches, the microseconds after which silence
counts as a hang in ``WATCHDOG_USEC`` (systemd's sd_notify(3) and sd_watchdog_enabled(3)). Without them nothing is said.
"""

import asyncio
import logging
import os
import socket
from collections.abc import Mapping
from typing import Final

READY: Final = "READY=1"
ALIVE: Final = "WATCHDOG=1"
STOPPING: Final = "STOPPING=1"

_log = logging.getLogger(__name__)


class Supervisor:
    """The service manager, if one started this process.

    Args:
        environ: the environment that may name its socket.

    Attributes:
        watches: whether it waits for `beat`.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        where = environ.get("NOTIFY_SOCKET", "")
        # A name that begins with @ is one without a file; the system writes it with a zero byte.
        self._where = "\0" + where[1:] if where.startswith("@") else where
        self._seconds = _watchdog_seconds(environ)
        self.watches: Final = bool(self._where) and self._seconds is not None

    def say(self, state: str) -> None:
        """Tell a state; a manager that cannot be reached is only logged."""
        if not self._where:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
                line.connect(self._where)
                line.send(state.encode())
        except OSError as error:
            _log.warning("the service manager cannot be told %s: %s", state, error)

    async def beat(self) -> None:
        """Say that the loop is alive, twice as often as is asked for, until cancelled."""
        assert self._seconds is not None, "only where somebody watches"
        while True:
            self.say(ALIVE)
            await asyncio.sleep(self._seconds / 2)


def _watchdog_seconds(environ: Mapping[str, str]) -> float | None:
    """Return after how much silence this process counts as hung; None where nobody watches it."""
    if environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    try:
        microseconds = int(environ.get("WATCHDOG_USEC", ""))
    except ValueError:
        return None
    return microseconds / 1_000_000 if microseconds > 0 else None
