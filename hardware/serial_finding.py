"""Finding a board's port by what USB says of it; the handshake decides.

A Pico with CircuitPython has two ports that differ by the name of their interface alone: the first is its console, the
second carries data (CircuitPython, ``usb_cdc``).
"""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from serial.tools import list_ports

DATA: Final = "CircuitPython CDC2 control"
"""The interface of a CircuitPython board's data port."""
CONSOLE: Final = "CircuitPython CDC control"
"""The interface of its console, where Python answers."""


@dataclass(frozen=True, slots=True)
class Found:
    """A port on USB.

    Fields:
        path: what to open.
        vid, pid: the numbers of its maker and product.
        serial: its serial number; empty where it has none.
        interface: the name of the interface; empty where the system does not tell.
        product: what it calls itself.
    """

    path: str
    vid: int
    pid: int
    serial: str = ""
    interface: str = ""
    product: str = ""

    @property
    def identity(self) -> tuple[int, int, str, str]:
        """What stays the same when the board is plugged in elsewhere."""
        return self.vid, self.pid, self.serial, self.interface


Listing: TypeAlias = Callable[[], Iterable[Any]]
"""As ``serial.tools.list_ports.comports``: of that this module is told, so that it can be told otherwise."""


def usb_ports(listing: Listing | None = None) -> list[Found]:
    """Return the ports on USB, in the order of their paths."""
    ports = (listing or list_ports.comports)()
    found = [
        Found(port.device, port.vid, port.pid or 0, port.serial_number or "", port.interface or "", port.product or "")
        for port in ports
        if port.vid is not None
    ]
    return sorted(found, key=lambda port: port.path)


def candidates(ports: Iterable[Found]) -> list[Found]:
    """Return the ports on which a board may answer, the likeliest first; consoles are left out."""
    worth = [port for port in ports if port.interface != CONSOLE]
    return sorted(worth, key=lambda port: port.interface != DATA)


class Search:
    """Where to look for a board, again and again.

    Args:
        url: the port that was asked for; None to look for it.
        listing: see `Listing`.

    With a port that was asked for, a board that comes back under another name is followed by its identity.
    """

    def __init__(self, url: str | None = None, listing: Listing | None = None) -> None:
        self._url = url
        self._listing = listing
        self._known: Found | None = None

    def __call__(self) -> list[str]:
        """Return what to open, in order; empty where no port may be the board's."""
        if self._url is None:
            return [port.path for port in candidates(usb_ports(self._listing))]
        if "://" in self._url:
            return [self._url]
        ports = usb_ports(self._listing)
        path = os.path.realpath(self._url)
        here = next((port for port in ports if port.path == path), None)
        if self._known is None:
            self._known = here
        known = self._known
        if known is None or (here is not None and here.identity == known.identity):
            return [self._url]
        return [port.path for port in ports if port.identity == known.identity] or [self._url]
