"""One direction of a wire that loses, garbles, doubles and delays frames. The same dice give the same bad luck.

Faults act on bytes that have been written to one pseudo-terminal, before they are written to the next. What ends in
the delimiter of `hardware.wire`, or is written without one, is a frame.
"""

import random
from collections.abc import Callable

from hardware.ports import Millis
from simulator.faults import Faults


class WireLine:
    """Bytes under way in one direction; they never overtake each other.

    Args:
        faults: gives what is wrong with the wire at the moment.
        dice: gives what decides which frames it befalls.

    Attributes:
        carried, spoiled: how many frames went in, and how many of them a fault befell.
    """

    def __init__(self, faults: Callable[[], Faults], dice: Callable[[], random.Random]) -> None:
        self.carried = 0
        self.spoiled = 0
        self._faults = faults
        self._dice = dice
        self._under_way: list[tuple[Millis, bytes]] = []

    def put(self, now: Millis, data: bytes) -> None:
        """Take bytes in at one end."""
        faults = self._faults()
        for frame in _frames(data):
            self.carried += 1
            at = now
            if faults.late:
                at += self._dice().randint(0, faults.late)
            spoilt = self._spoil(frame, faults)
            self.spoiled += spoilt != frame
            if spoilt:
                self._under_way.append((at, spoilt))

    def get(self, now: Millis) -> bytes:
        """Return the bytes that have come out at the other end; what comes behind a late frame waits for it."""
        arrived = 0
        while arrived < len(self._under_way) and self._under_way[arrived][0] <= now:
            arrived += 1
        data = b"".join(frame for _, frame in self._under_way[:arrived])
        del self._under_way[:arrived]
        return data

    def due(self) -> Millis | None:
        """Return when the next bytes come out; None while there are none under way."""
        return self._under_way[0][0] if self._under_way else None

    def cut(self) -> None:
        """Lose what is under way."""
        self._under_way.clear()

    def _spoil(self, frame: bytes, faults: Faults) -> bytes:
        """Return what becomes of a frame."""
        if faults.loss and self._dice().random() < faults.loss:
            return b""
        if faults.corrupt and self._dice().random() < faults.corrupt:
            at, bit = self._dice().randrange(len(frame)), 1 << self._dice().randrange(8)
            frame = frame[:at] + bytes((frame[at] ^ bit,)) + frame[at + 1 :]
        if faults.duplicate and self._dice().random() < faults.duplicate:
            frame += frame
        return frame


def _frames(data: bytes) -> list[bytes]:
    """Return data cut behind each delimiter; a delimiter that ends nothing goes with what follows."""
    frames: list[bytes] = []
    start = end = 0
    while (end := data.find(b"\0", end)) >= 0:
        end += 1
        if end - start > 1:
            frames.append(data[start:end])
            start = end
    if start < len(data):
        frames.append(data[start:])
    return frames
