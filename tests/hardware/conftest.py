"""What several tests of the hardware room share."""

import os
from typing import Any

import pytest

from hardware import wire_messages as says
from hardware.wire import Deframer, seal

NUMBERS = {"protocol": says.PROTOCOL, "top": 1, "pixels": 2, "channels": 3}
PACE = {"scan_ms": 20, "busy_ms": 5, "samples": 3, "agree_ms": 10}


class Far:
    """The far end of a port, as the channel to it: what it says is read, what is written is noted as payloads.

    Attributes:
        cells: how many it has.
        says: what is read next, piece by piece.
        heard: payloads that were written.
        hello: numbers of HELLO that differ from a plain board of presence.
        texts: the texts of HELLO: serial number, board.
        number: what its next numbered message gets.
    """

    def __init__(self) -> None:
        self.fd, self._other = os.pipe()
        self.cells = 4
        self.says: list[bytes] = []
        self.heard: list[bytes] = []
        self.hello: dict[str, int] = {}
        self.texts = ("", "far")
        self.session = 0
        self.number = 0
        self._nonce = 0
        self._deframer = Deframer()

    def read(self) -> bytes:
        return self.says.pop(0) if self.says else b""

    def write(self, data: bytes) -> int:
        for payload in self._deframer.feed(data):
            if not isinstance(payload, bytes):
                continue
            self.heard.append(payload)
            if payload[0] == says.OPEN:
                opened = says.unpack_open(payload[2:])
                assert opened is not None
                self.session, self._nonce, self.number = payload[1], opened[1], 0
        return len(data)

    def close(self) -> None:
        os.close(self.fd)
        os.close(self._other)

    def greet(self) -> None:
        """Answer the last OPEN."""
        about = dict.fromkeys(says.HELLO_WORDS, 0) | NUMBERS | PACE | {"cells": self.cells, "nonce": self._nonce}
        body = says.pack_hello(about | self.hello, *self.texts, [])
        self.says.append(seal(bytes((says.HELLO, self.session)) + body))

    def lay(self, readings: bytes | None = None) -> None:
        """Tell what all cells read: nothing, unless given."""
        laid = bytes(self.cells) if readings is None else readings
        self.numbered(says.SNAPSHOT, says.pack_snapshot(0, 0, says.SNAP_LAST, laid))

    def change(self, cell: int, reading: int) -> None:
        self.numbered(says.CHANGES, says.pack_changes(0, [(cell, reading, 0)]))

    def beat(self, now: int, awaited: int = 0) -> None:
        self.says.append(seal(bytes((says.BEAT, self.session)) + says.pack_beat(now, awaited)))

    def numbered(self, kind: int, body: bytes) -> None:
        self.says.append(seal(bytes((kind, self.session, self.number & 255)) + body))
        self.number += 1

    def kinds(self) -> list[int]:
        """Return the kinds of what was written, and forget it."""
        kinds = [payload[0] for payload in self.heard]
        self.heard.clear()
        return kinds


@pytest.fixture
def far() -> Any:
    return Far()
