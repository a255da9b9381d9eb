"""The wire between the controller and a micro-controller: frames and numbering. One source for both ends.

Bytes in, payloads out: nothing here reads a port or a clock. This module has the frames and the numbering, and
wire_messages what the messages say; docs/protocol.md describes both. It is copied onto the device as it is, so it
keeps to what CircuitPython and MicroPython also run: no enum, no dataclasses, no run-time typing; annotations are
parsed there and not looked at.

A frame is ``COBS(payload + CRC-32 of the payload, lowest byte first) + 0x00``. A payload is a kind and a session, in
numbered kinds (`NUMBERED` is set) a number, then the body. Numbers are little-endian.
"""

import struct
from binascii import crc32

NUMBERED = 0x80
"""The bit of a kind that says that the message is numbered: it arrives once, and in order."""
ACK = 0x03
"""Kind of an acknowledgement; all others are in wire_messages."""
LONGEST = 256
"""Most bytes between two delimiters; what is longer is no frame."""
WINDOW = 16
"""Numbered messages that may be under way, not acknowledged, in one direction."""
BEAT_MS = 1000
"""Between two BEATs, each way."""
RESEND_MS = 80
"""After so long without acknowledgement messages go again; the time doubles with each try, up to `RESEND_MOST_MS`."""
RESEND_MOST_MS = 640
NAK_MS = 30
"""Between two demands for the same missing message."""
CLOCK = 0x1FFFFFFF
"""Device clocks wrap here (CircuitPython's ``ticks_ms``): differences are taken ``& CLOCK``."""

_GOOD = 0x2144DF1C
"""CRC-32 of anything followed by its own CRC-32."""


# Frames ---------------------------------------------------------------------------------------------------------------


def cobs(data: bytes) -> bytes:
    """Return `data` without zero bytes: each zero, and each run of 254 others, becomes the distance to the next."""
    out = bytearray()
    start = 0
    size = len(data)
    while True:
        end = data.find(b"\0", start)
        if end < 0:
            end = size
        while end - start >= 254:
            out.append(255)
            out.extend(data[start : start + 254])
            start += 254
            if start == size:
                return bytes(out)
        out.append(end - start + 1)
        out.extend(data[start:end])
        if end == size:
            return bytes(out)
        start = end + 1


def uncobs(chunk: bytes) -> bytes | None:
    """Return what `cobs` made `chunk` of; None where it holds a zero or ends too soon."""
    size = len(chunk)
    if not size or b"\0" in chunk:
        return None
    at = 0
    data = b""
    while True:
        step = chunk[at]
        end = at + step
        if end > size:
            return None
        data += chunk[at + 1 : end]
        if end == size:
            return data
        if step < 255:
            data += b"\0"
        at = end


def seal(payload: bytes) -> bytes:
    """Return `payload` as a frame, with its check and its delimiter."""
    return cobs(payload + struct.pack("<I", crc32(payload))) + b"\0"


class Deframer:
    """Finds payloads in a stream of bytes, however it is cut. What it holds never exceeds `LONGEST` bytes.

    Attributes:
        bad: chunks that were no frame: COBS or check wrong, too short, too long.
    """

    def __init__(self) -> None:
        self.bad = 0
        self._rest = b""
        self._long = False

    def feed(self, data: bytes) -> list[bytes | tuple[bytes]]:
        """Take bytes; return what they complete, in order: payloads as bytes, noise as a tuple of one bytes."""
        got: list[bytes | tuple[bytes]] = []
        chunks = (self._rest + data).split(b"\0")
        rest = chunks.pop()
        for chunk in chunks:
            size = len(chunk)
            if size > 254 or self._long:
                self._take_long(chunk, got)
                continue
            if size < 7:
                self._noise(chunk, got)
                continue
            # uncobs, spelt out for a chunk that holds no zero and no block of 254: this is the busiest loop of all.
            at = chunk[0]
            if at == size:
                plain = chunk[1:]
            else:
                parts = [chunk[1:at]]
                while at < size:
                    end = at + chunk[at]
                    parts.append(chunk[at + 1 : end])
                    at = end
                plain = b"\0".join(parts)
            if at == size and crc32(plain) == _GOOD:
                got.append(plain[:-4])
            else:
                self._noise(chunk, got)
        self._rest = rest if len(rest) <= LONGEST else self._cut(rest, got)
        return got

    def _take_long(self, chunk: bytes, got: list[bytes | tuple[bytes]]) -> None:
        """Take what is longer than one COBS block, or ends what was too long."""
        chunk = self._cut(chunk, got)
        plain = None if self._long else uncobs(chunk)
        if plain is None or len(plain) < 6 or crc32(plain) != _GOOD:
            self._noise(chunk, got)
        else:
            got.append(plain[:-4])
        self._long = False

    def waiting(self) -> int:
        """Return how many bytes are held that no delimiter has ended."""
        return len(self._rest)

    def flush(self) -> list[tuple[bytes]]:
        """Return what is held as noise, as `feed` does: no delimiter came in time. Up to the next all is noise."""
        rest = self._rest
        if not rest:
            return []
        self.bad += 1
        self._rest = b""
        self._long = True
        return [(rest,)]

    def _cut(self, chunk: bytes, got: list[bytes | tuple[bytes]]) -> bytes:
        """Tell what is too long to be a frame as noise, in pieces of `LONGEST`; return the remainder."""
        while len(chunk) > LONGEST:
            self._noise(chunk[:LONGEST], got)
            chunk = chunk[LONGEST:]
            self._long = True
        return chunk

    def _noise(self, chunk: bytes, got: list[bytes | tuple[bytes]]) -> None:
        if chunk:
            self.bad += 1
            got.append((chunk,))


# Numbering ------------------------------------------------------------------------------------------------------------


def later(now: int, then: int) -> int:
    """Return the milliseconds from `then` to `now`, for clocks that wrap at `CLOCK` and for those that do not."""
    return (now - then) & CLOCK


class Outbox:
    """Numbered messages on their way: numbered from 0, kept until acknowledged, sent again when that takes too long.

    Attributes:
        resent: frames that went again.
    """

    def __init__(self, session: int) -> None:
        self.resent = 0
        self._session = session
        self._frames: list[bytes] = []
        self._first = 0
        self._since = 0
        self._patience = RESEND_MS

    def room(self) -> int:
        """Return how many more messages fit in the window."""
        return WINDOW - len(self._frames)

    def put(self, kind: int, body: bytes, now: int) -> bytes:
        """Number a message and return its frame. The caller has seen that there is `room`."""
        if not self._frames:
            self._since = now
        number = (self._first + len(self._frames)) & 255
        frame = seal(bytes((kind, self._session, number)) + body)
        self._frames.append(frame)
        return frame

    def acknowledge(self, until: int, now: int) -> None:
        """Take that all numbers before `until` have arrived. What cannot be is ignored."""
        done = (until - self._first) & 255
        if 0 < done <= len(self._frames):
            self._frames = self._frames[done:]
            self._first = until
            self._since = now
            self._patience = RESEND_MS

    def demand(self, now: int) -> None:
        """Take that the other end misses what it has not acknowledged: `again` gives it at once."""
        self._since = (now - self._patience) & CLOCK

    def again(self, now: int) -> list[bytes]:
        """Return the frames that must go again now, since they were demanded or are not acknowledged in time."""
        if not self.overdue(now):
            return []
        self._since = now
        self._patience = min(2 * self._patience, RESEND_MOST_MS)
        self.resent += len(self._frames)
        return self._frames[:]

    def overdue(self, now: int) -> bool:
        """Return whether `again` has something: asking costs no memory."""
        return len(self._frames) > 0 and later(now, self._since) >= self._patience

    def wait(self, now: int) -> int | None:
        """Return in how many milliseconds `again` will have something; None while nothing is under way."""
        if not self._frames:
            return None
        return max(0, self._patience - later(now, self._since))


class Inbox:
    """Takes each number once and in order.

    Attributes:
        next: the number that must come next; all before it have arrived.
        gaps: how often a later one came instead.
        owed: whether something has arrived that was not acknowledged yet.
        missing: whether the sender must be asked for `next` again.
    """

    def __init__(self) -> None:
        self.next = 0
        self.gaps = 0
        self.owed = False
        self.missing = False
        self._asked = 0
        self._gap = False

    def take(self, number: int) -> bool:
        """Return whether the message of that number is the next one; else it is to be thrown away."""
        if number == self.next:  # `arrived`, spelt out, for what comes one by one
            self.next = (number + 1) & 255
            self.owed = True
            self._gap = False
            return True
        self.owed = True
        if (number - self.next) & 255 < WINDOW:
            if not self._gap:
                self.gaps += 1
            self._gap = self.missing = True
        return False

    def arrived(self, following: int) -> None:
        """Take that all up to before `following` have come, as `take` would have for each of them."""
        self.next = following
        self.owed = True
        self._gap = False

    def answer(self, session: int, now: int) -> bytes:
        """Return the acknowledgement that is owed, as a frame; nothing where none is."""
        if not self.owed:
            return b""
        demand = self.missing and later(now, self._asked) >= NAK_MS
        self.owed = self.missing = False
        if demand:
            self._asked = now
        return seal(bytes((ACK, session, self.next, 1 if demand else 0)))
