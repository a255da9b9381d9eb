"""Micro-controllers that exist only as bytes: each speaks what one way of reading a serial port expects to hear.

A device has `CELLS` cells; change number n lays or lifts the stone on cell n modulo `CELLS`, so that each is a change
indeed. What a library asks before it listens is answered as its own firmware would. Nothing here opens a port.
"""

from typing import Final, Protocol

from hardware import wire
from hardware import wire_messages as says

CELLS: Final = 16
PERIOD: Final = 256
"""Changes after which the bytes of a device repeat, its clock apart."""
FRAME: Final = 15
"""Bytes of a change in a frame of ours."""


def changed(number: int) -> tuple[int, int]:
    """Return cell and new reading of a change."""
    return number % CELLS, 1 - number // CELLS % 2


class Device(Protocol):
    """What is at the other end."""

    def answer(self, data: bytes) -> bytes:
        """Take what the host has written; return what it is answered."""

    def change(self, number: int, now: int) -> bytes:
        """Return the bytes of a change at that millisecond; changes come in order, each once."""

    def beat(self, now: int) -> bytes:
        """Return what is sent once a second."""


class Lines:
    """Text lines, as in a first sketch: ``E cell reading``."""

    def answer(self, data: bytes) -> bytes:
        return b""

    def change(self, number: int, now: int) -> bytes:
        return b"E %d %d\n" % changed(number)

    def beat(self, now: int) -> bytes:
        return b""


class Blocks(Lines):
    """As many bytes as ours, saying nothing: for a reader that only counts."""

    def change(self, number: int, now: int) -> bytes:
        return b"." * FRAME


class Ours:
    """Our own wire: greets, tells its cells, then frames with one change each. It never waits for acknowledgements.

    With each heartbeat goes a snapshot, as a device of ours sends it.
    """

    def __init__(self) -> None:
        self._readings = bytearray(CELLS)
        self._snapshots = 1
        self._told = 0
        self._deframer = wire.Deframer()
        self._session = 0
        self._nonce: int | None = None

    def answer(self, data: bytes) -> bytes:
        out = b""
        for payload in self._deframer.feed(data):
            if isinstance(payload, bytes) and payload[0] == says.OPEN:
                opened = says.unpack_open(payload[2:])
                if opened is not None and opened[1] != self._nonce:
                    self._session, self._nonce = payload[1], opened[1]
                    out += self._greeting(opened[1])
        return out

    def _greeting(self, nonce: int) -> bytes:
        numbers = dict.fromkeys(says.HELLO_WORDS, 0) | {
            "protocol": says.PROTOCOL,
            "nonce": nonce,
            "cells": CELLS,
            "top": 1,
            "channels": 3,
            "scan_ms": 20,
            "busy_ms": 5,
            "samples": 3,
            "agree_ms": 10,
        }
        hello = bytes((says.HELLO, self._session)) + says.pack_hello(numbers, "", "bench", [])
        laid = bytes((says.SNAPSHOT, self._session, 0)) + says.pack_snapshot(0, 0, says.SNAP_LAST, bytes(CELLS))
        return wire.seal(hello) + wire.seal(laid)

    def change(self, number: int, now: int) -> bytes:
        cell, reading = changed(number)
        self._readings[cell] = reading
        self._told = number + 1
        place = number + self._snapshots & 255
        return wire.seal(bytes((says.CHANGES, self._session, place)) + says.pack_changes(now, [(cell, reading, 0)]))

    def beat(self, now: int) -> bytes:
        if not self._session:
            return b""
        laid = says.pack_snapshot(now, 0, says.SNAP_LAST, bytes(self._readings))
        place = self._told + self._snapshots & 255
        self._snapshots += 1
        snapshot = wire.seal(bytes((says.SNAPSHOT, self._session, place)) + laid)
        return snapshot + wire.seal(bytes((says.BEAT, self._session)) + says.pack_beat(now, 0))


class Firmata:
    """The Firmata protocol: a message tells eight pins at once. Answers who it is and that no pin is analogue."""

    _ANSWERS: Final = {
        0x51: bytes((0x52, 1)),  # are you there: yes, number 1
        0x79: bytes((0x79, 2, 5, *b"b\0")),  # version and name of the firmware, each character in two bytes
        0x69: bytes((0x6A, *[0x7F] * CELLS)),  # which pins are analogue
    }

    def __init__(self) -> None:
        self._rest = b""
        self._ports = [0] * (CELLS // 8)

    def answer(self, data: bytes) -> bytes:
        *messages, self._rest = (self._rest + data).split(b"\xf7")
        asked = [message[message.rindex(b"\xf0") + 1] for message in messages if b"\xf0" in message[:-1]]
        return b"".join(b"\xf0" + self._ANSWERS[kind] + b"\xf7" for kind in asked if kind in self._ANSWERS)

    def change(self, number: int, now: int) -> bytes:
        cell, _ = changed(number)
        port = cell // 8
        self._ports[port] ^= 1 << cell % 8
        return bytes((0x90 + port, self._ports[port] & 0x7F, self._ports[port] >> 7))

    def beat(self, now: int) -> bytes:
        return b""


class Telemetrix:
    """The protocol of telemetrix: a length, a kind, and what belongs to it."""

    _ANSWERS: Final = {
        6: bytes((2, 6, 1)),  # are you there: yes, number 1
        5: bytes((4, 5, 1, 0, 0)),  # version of the firmware
        54: bytes((2, 20, 0)),  # features
    }

    def __init__(self) -> None:
        self._rest = b""

    def answer(self, data: bytes) -> bytes:
        rest, out = self._rest + data, b""
        while rest and len(rest) > rest[0]:
            message, rest = rest[1 : 1 + rest[0]], rest[1 + rest[0] :]
            out += self._ANSWERS.get(message[0], b"") if message else b""
        self._rest = rest
        return out

    def change(self, number: int, now: int) -> bytes:
        return bytes((3, 2, *changed(number)))

    def beat(self, now: int) -> bytes:
        return b""


class Messenger(Lines):
    """The protocol of CmdMessenger: command 0 with two binary bytes, moved to where none has to be escaped."""

    def change(self, number: int, now: int) -> bytes:
        cell, reading = changed(number)
        return b"0,%c,%c;" % (64 + cell, 64 + reading)
