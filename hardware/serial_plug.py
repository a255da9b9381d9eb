"""`Plug`: a port that is opened, lost and opened again, on whichever of several ports the board is."""

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from hardware.ports import DeviceError, Millis
from hardware.serial_port import Channel, open_channel

FIRST_RETRY_MS: Final = 100
"""From the loss of a port to the first try to open it again; the wait doubles with each try."""
LAST_RETRY_MS: Final = 1000
"""The longest wait between two tries."""
MOST_WAITING: Final = 32768
"""Bytes kept for a device that takes none; beyond it messages are dropped, and sent again as any that got lost."""
NO_PORT: Final = (
    "no board is plugged in: connect it by USB with a cable that carries data; if it is connected, press its reset, "
    "run 'stonelight flash' to put the firmware on it, or name its port with --port"
)

Opener: TypeAlias = Callable[[str], Channel]


class Plug:
    """One end of a cable that may be pulled.

    Args:
        search: returns what may be opened, in order, each time that a port is wanted.
        opener: opens one.

    Attributes:
        channel: the open port; None without one.
        where: its name; empty without one.
        retry_at: when the next try to open one is due.
    """

    def __init__(self, search: Callable[[], list[str]], opener: Opener = open_channel) -> None:
        self.channel: Channel | None = None
        self.where = ""
        self.retry_at: Millis = 0
        self._search = search
        self._opener = opener
        self._retry_ms = FIRST_RETRY_MS
        self._ports: list[str] = []
        self._tried: dict[str, str] = {}
        self._pending = b""
        self._wake: Callable[[], None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._watched: int | None = None
        self._awaits_room = False

    # Opening ----------------------------------------------------------------------------------------------------------

    def open(self, now: Millis) -> str | None:
        """Try the next port.

        Returns:
            None if it is open now; else what to tell a person, which is empty while others are still to be tried.
        """
        self._ports = self._search()
        self._tried = {port: why for port, why in self._tried.items() if port in self._ports}
        port = next((port for port in self._ports if port not in self._tried), None)
        if port is None:
            self._rest(now)
            return NO_PORT
        try:
            self.channel = self._opener(port)
        except DeviceError as error:
            return self._failed(now, port, str(error))
        self.where = port
        self._pending = b""
        self._watch()
        return None

    def is_board(self) -> None:
        """Take that the board is on the open port."""
        self._tried = {}
        self._retry_ms = FIRST_RETRY_MS

    def is_not_board(self, now: Millis, why: str) -> str:
        """Take that nothing useful answers on the open port, and go on to another where there is one.

        Returns:
            What to tell a person; empty while other ports are still to be tried.
        """
        port = self.where
        if len(self._ports) > 1:
            self.close()
            self._retry_ms = FIRST_RETRY_MS
            return self._failed(now, port, why)
        return why

    def lost(self, now: Millis) -> None:
        """Take that the open port is gone."""
        self.close()
        self._rest(now)

    def _failed(self, now: Millis, port: str, why: str) -> str:
        self._tried[port] = why
        self._rest(now)
        if any(each not in self._tried for each in self._ports):
            return ""
        tried, self._tried = self._tried, {}
        return _each(tried)

    def _rest(self, now: Millis) -> None:
        self.retry_at = now + self._retry_ms
        self._retry_ms = min(2 * self._retry_ms, LAST_RETRY_MS)

    def close(self) -> None:
        """Let go of the port. Twice is fine."""
        self._unwatch()
        channel, self.channel = self.channel, None
        self.where, self._pending = "", b""
        if channel is not None:
            channel.close()

    # Bytes ------------------------------------------------------------------------------------------------------------

    def write(self, data: bytes) -> None:
        """Write whole frames as soon as the port takes them. A port that is gone shows at the next read, not here."""
        if self.channel is None:
            return
        if len(self._pending) + len(data) <= MOST_WAITING:
            self._pending += data
        if not self._pending:
            return
        try:
            taken = self.channel.write(self._pending)
        except OSError:
            taken = len(self._pending)
        self._pending = self._pending[taken:]
        self._watch_room()

    # Waking -----------------------------------------------------------------------------------------------------------

    def listen(self, wake: Callable[[], None]) -> None:
        """Have `wake` called by the running event loop, where there is one, when the port has something."""
        self._unwatch()
        self._wake = wake
        try:
            self._loop = asyncio.get_running_loop()
        except RuntimeError:
            self._loop = None
        self._watch()

    @property
    def watched(self) -> bool:
        """Whether an event loop wakes somebody as long as there is something to read."""
        return self._watched is not None

    def _watch(self) -> None:
        fd = None if self.channel is None else self.channel.fd
        if self._loop is not None and self._wake is not None and fd is not None:
            self._loop.add_reader(fd, self._wake)
            self._watched = fd

    def _watch_room(self) -> None:
        """Be woken when the device takes bytes again, while some wait for it."""
        if self._loop is None or self._wake is None or self._watched is None:
            return
        waits = bool(self._pending)
        if waits is self._awaits_room:
            return  # to remove a writer that is not there costs a call to the system
        self._awaits_room = waits
        if waits:
            self._loop.add_writer(self._watched, self._wake)
        else:
            self._loop.remove_writer(self._watched)

    def _unwatch(self) -> None:
        fd, self._watched = self._watched, None
        self._awaits_room = False
        if fd is not None and self._loop is not None:
            with contextlib.suppress(RuntimeError, OSError, ValueError):  # the event loop may have ended before us
                self._loop.remove_reader(fd)
                self._loop.remove_writer(fd)


def _each(tried: Mapping[str, str]) -> str:
    """Return why none of these ports is the board."""
    if len(tried) == 1:
        return next(iter(tried.values()))
    return "the board is on none of the ports: " + "; ".join(f"{port}: {why}" for port, why in sorted(tried.items()))
