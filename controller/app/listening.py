"""Listening in on a board's serial port: the controller's part is played, and all that passes is handed on."""

from collections.abc import Callable
from typing import TypeAlias

from controller.app.loop import clock
from controller.app.on_serial import converse
from hardware.link import Link
from hardware.ports import LinkNews, Sensed
from hardware.serial_board import SerialBoard
from hardware.serial_finding import Search
from hardware.serial_plug import Plug
from hardware.serial_port import Channel, open_channel
from hardware.wire_dump import FROM_CONTROLLER, FROM_DEVICE

Passing: TypeAlias = Callable[[float, str, bytes], None]
"""Seconds since the start, direction, and what passed."""


class _Tapped:
    """A channel whose bytes are handed on, both ways."""

    def __init__(self, channel: Channel, passing: Callable[[str, bytes], None]) -> None:
        self._channel = channel
        self._passing = passing

    @property
    def fd(self) -> int | None:
        return self._channel.fd

    def read(self) -> bytes:
        data = self._channel.read()
        if data:
            self._passing(FROM_DEVICE, data)
        return data

    def write(self, data: bytes) -> int:
        taken = self._channel.write(data)
        if taken:
            self._passing(FROM_CONTROLLER, data[:taken])
        return taken

    def close(self) -> None:
        self._channel.close()


def listen_in(
    port: str | None, passing: Passing, news: Callable[[LinkNews], None], *, for_ms: int | None = None
) -> None:
    """Hold a session with whatever board is there, and hand on what passes.

    Args:
        port: a path or URL; None to look for a board.
        passing: told all bytes.
        news: told when the board comes and goes.
        for_ms: when to end; None: when the program is interrupted.
    """
    began = clock()

    def tapped(url: str) -> Channel:
        return _Tapped(open_channel(url), lambda direction, data: passing((clock() - began) / 1000, direction, data))

    def heard(sensed: list[Sensed]) -> bool:
        for each in sensed:
            if isinstance(each, LinkNews):
                news(each)
        passing((clock() - began) / 1000, FROM_DEVICE, b"")  # time passes, too
        return False

    board = SerialBoard(Link(nonce=began), Plug(Search(port), tapped))
    try:
        converse(board, heard, for_ms)
    finally:
        board.close()
