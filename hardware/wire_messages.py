"""What is said on the wire: the kinds of message, and the body of each. One source for both ends.

The frames around the bodies, and their numbering, are in `wire`; docs/protocol.md shows examples. Copied onto the
device as it is, like that module, so it keeps to the same small Python. Numbers are little-endian. Unpacking returns
None for what is not well formed.
"""

import struct

PROTOCOL = 1
"""Version of wire and messages; the first byte of OPEN and HELLO in every version."""

# Kinds of message. The highest bit says that the message is numbered: it arrives once, and in order.
HELLO = 0x01
BEAT = 0x02
ACK = 0x03
STATS = 0x04
RAW = 0x05
OPEN = 0x10
CHANGES = 0x81
SNAPSHOT = 0x82
BUTTON = 0x83
FAULT = 0x84
SETTINGS = 0x85
LAMPS = 0x90
ASK = 0x91
RESTART = 0x92

# What ASK asks for.
ASK_SNAPSHOT = 1
ASK_STATS = 2
ASK_RAW = 3

# What a part of a SNAPSHOT says about itself.
SNAP_LAST = 1
SNAP_BYTES = 2
SNAP_LOST = 4
SNAP_ASKED = 8

LAMPS_SHOW = 1
"""The runs of this LAMPS, and of those before it, are to be shown now."""

# What RESTART starts into.
RESTART_PLAIN = 0
RESTART_DRIVE = 1
RESTART_LOADER = 2

# What a device can, as bits of HELLO's capabilities.
CAN_RAW = 1
CAN_UNKNOWN = 2
CAN_SETTINGS = 4
CAN_DRIVE = 8

# Codes of FAULT.
FAULT_CHAIN = 1
FAULT_LINE = 2
FAULT_ANALOGUE = 3
FAULT_PIXELS = 4
FAULT_MEMORY = 5
FAULT_RESET = 6
FAULT_PROGRAM = 7

BODY = 240
"""Most bytes of a body: a payload and its check then fit one COBS block of 254."""
TEXT = 68
"""Most bytes of each text in HELLO."""
UNKNOWN = 255
"""A reading that is disturbed or not yet known; all others are 0 to 254."""

_HELLO = "<BIBBBBHBBHBHIBBBB"
_HELLO_SIZE = struct.calcsize(_HELLO)
HELLO_WORDS = (
    "protocol",
    "nonce",
    "major",
    "minor",
    "patch",
    "reset",
    "cells",
    "sensing",
    "top",
    "pixels",
    "channels",
    "can",
    "time",
    "scan_ms",
    "busy_ms",
    "samples",
    "agree_ms",
)
"""The numbers of HELLO: sensing 0 presence, 1 colour, 2 count; `top` the greatest reading; `channels` bytes a pixel."""
_STATS = "<IHHHHHHI"
STATS_WORDS = ("up_s", "scans", "slowest_ms", "bad_frames", "noise", "resent", "dropped", "free")
CHANGES_HEAD = "<H"
CHANGES_ENTRY = "<HBB"
MOST_CHANGES = (BODY - 2) // 4


def pack_open(nonce: int) -> bytes:
    """OPEN: a host begins a session; `nonce` (32 bits) tells it from any other that had the same number."""
    return struct.pack("<BI", PROTOCOL, nonce)


def unpack_open(body: bytes) -> tuple[int, int] | None:
    """Return protocol and nonce."""
    return struct.unpack("<BI", body) if len(body) == 5 else None


def pack_hello(numbers: dict[str, int], identity: str, board: str, buttons: list[str]) -> bytes:
    """HELLO: what the device is: `HELLO_WORDS`, who it is, the name of its board, the names of its buttons.

    `numbers` may also have ``wiring``, 32 bits that tell one wiring of a board from another; 0 or left out: not known.
    """
    body = struct.pack(_HELLO, *[numbers[word] for word in HELLO_WORDS])
    for text in (identity, board, " ".join(buttons)):
        data = text.encode()[:TEXT]
        body += bytes((len(data),)) + data
    return body + struct.pack("<I", numbers["wiring"]) if numbers.get("wiring") else body


def unpack_hello(body: bytes) -> tuple[dict[str, int], str, str, list[str]] | None:
    """Return what `pack_hello` was given; of another protocol only protocol, nonce, major, minor and patch."""
    if len(body) < 8:
        return None
    if body[0] != PROTOCOL:
        return dict(zip(HELLO_WORDS, struct.unpack("<BIBBB", body[:8]))), "", "", []
    if len(body) < _HELLO_SIZE:
        return None
    numbers = dict(zip(HELLO_WORDS, struct.unpack(_HELLO, body[:_HELLO_SIZE])))
    texts = []
    at = _HELLO_SIZE
    for _ in range(3):
        end = at + 1 + body[at] if at < len(body) else len(body) + 1
        if end > len(body):
            return None
        try:
            texts.append(body[at + 1 : end].decode())
        except UnicodeError:
            return None
        at = end
    if len(body) >= at + 4:
        numbers["wiring"] = struct.unpack("<I", body[at : at + 4])[0]
    return numbers, texts[0], texts[1], texts[2].split()


def pack_beat(time: int, until: int) -> bytes:
    """BEAT: the sender lives, at that moment of its own clock, and has all numbers before `until`."""
    return struct.pack("<IB", time & 0xFFFFFFFF, until)


def unpack_beat(body: bytes) -> tuple[int, int] | None:
    """Return time and the number that is awaited."""
    return struct.unpack("<IB", body) if len(body) == 5 else None


def pack_stats(values: tuple[int, ...]) -> bytes:
    """STATS: `STATS_WORDS`, each in its place, cut to what it can hold."""
    tops = (0xFFFFFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFFFFFF)
    return struct.pack(_STATS, *[min(value, top) for value, top in zip(values, tops)])


def unpack_stats(body: bytes) -> tuple[int, ...] | None:
    """Return the values, shape (8,)."""
    return struct.unpack(_STATS, body) if len(body) == 20 else None


def pack_changes(time: int, entries: list[tuple[int, int, int]]) -> bytes:
    """CHANGES: at `time` these cells have come to read otherwise; shape (n, 3): cell, reading, ms since it began."""
    body = struct.pack(CHANGES_HEAD, time & 0xFFFF)
    for cell, reading, ago in entries:
        body += struct.pack(CHANGES_ENTRY, cell, reading, min(ago, 255))
    return body


def unpack_changes(body: bytes) -> tuple[int, list[tuple[int, int, int]]] | None:
    """Return time and entries."""
    if len(body) < 6 or len(body) % 4 != 2:
        return None
    entries = [struct.unpack(CHANGES_ENTRY, body[at : at + 4]) for at in range(2, len(body), 4)]
    return body[0] | body[1] << 8, entries


def pack_snapshot(time: int, first: int, flags: int, readings: bytes) -> bytes:
    """SNAPSHOT: what the cells from `first` on read; a bit each where none reads more than 1, else a byte each."""
    body = struct.pack("<HHB", time & 0xFFFF, first, flags | (SNAP_BYTES if max(readings) > 1 else 0))
    if max(readings) > 1:
        return body + readings
    bits = bytearray((len(readings) + 7) // 8)
    for k in range(len(readings)):
        if readings[k]:
            bits[k >> 3] |= 1 << (k & 7)
    return body + bytes((len(readings),)) + bits


def unpack_snapshot(body: bytes) -> tuple[int, int, int, bytes] | None:
    """Return time, first cell, flags, and a byte for each cell."""
    if len(body) < 6:
        return None
    time, first, flags = struct.unpack("<HHB", body[:5])
    if flags & SNAP_BYTES:
        return time, first, flags, body[5:]
    count = body[5]
    if not count or len(body) != 6 + (count + 7) // 8:
        return None
    return time, first, flags, bytes([body[6 + (k >> 3)] >> (k & 7) & 1 for k in range(count)])


def pack_button(time: int, button: int, down: int, ago: int) -> bytes:
    """BUTTON: the button of that number, in HELLO's order, went down (1) or up (0), `ago` ms before `time`."""
    return struct.pack("<HBBB", time & 0xFFFF, button, down, min(ago, 255))


def unpack_button(body: bytes) -> tuple[int, int, int, int] | None:
    """Return time, button, down and ago."""
    return struct.unpack("<HBBB", body) if len(body) == 5 else None


def pack_fault(code: int, on: int, detail: int) -> bytes:
    """FAULT: a fault of that code begins (1) or ends (0); `detail` is a line, a pin, a register's reading."""
    return struct.pack("<BBH", code, on, detail)


def unpack_fault(body: bytes) -> tuple[int, int, int] | None:
    """Return code, on and detail."""
    return struct.unpack("<BBH", body) if len(body) == 4 else None


def pack_settings(settings: tuple[int, ...]) -> bytes:
    """SETTINGS: scan_ms, busy_ms, samples, agree_ms; from the host as wished, from the device as they now are."""
    return bytes(settings)


def unpack_settings(body: bytes) -> tuple[int, ...] | None:
    """Return the four, where they are possible: 1 to 250, 1 to 250, 1 to 16, 0 to 250."""
    if len(body) != 4 or not (0 < body[0] <= 250 and 0 < body[1] <= 250 and 0 < body[2] <= 16 and body[3] <= 250):
        return None
    return tuple(body)


def pack_runs(flags: int, runs: list[tuple[int, int, bytes]]) -> bytes:
    """LAMPS: runs of pixels of one colour; shape (n, 3): first pixel, how many, colour as the chain takes it."""
    body = bytes((flags,))
    for start, count, colour in runs:
        body += struct.pack("<HH", start, count) + colour
    return body


def unpack_runs(body: bytes, channels: int) -> tuple[int, list[tuple[int, int, bytes]]] | None:
    """Return flags and runs."""
    size = 4 + channels
    if not body or (len(body) - 1) % size:
        return None
    runs = []
    for at in range(1, len(body), size):
        start, count = struct.unpack("<HH", body[at : at + 4])
        runs.append((start, count, body[at + 4 : at + size]))
    return body[0], runs


def pack_raw(time: int, first: int, values: list[int]) -> bytes:
    """RAW: what the sensors of the cells from `first` on give, 16 bits each, before any judgement."""
    return struct.pack("<HH", time & 0xFFFF, first) + struct.pack("<%dH" % len(values), *values)


def unpack_raw(body: bytes) -> tuple[int, int, list[int]] | None:
    """Return time, first cell and values."""
    if len(body) < 6 or len(body) % 2:
        return None
    time, first = struct.unpack("<HH", body[:4])
    return time, first, list(struct.unpack("<%dH" % (len(body) // 2 - 2), body[4:]))
