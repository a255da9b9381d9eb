"""Runs of frames that tell one change each: unpacked all at once, since there may be many of them.

Frames of one change are equally long. So byte k of all of them is a column, a slice of what was read, and the columns
are worked on as great integers with a byte for each frame: COBS is undone for all frames in a dozen steps.

Their checks are judged at once too. A CRC that runs over a payload and its own CRC ends in a state that tells nothing
of the payload, only of the state in which it began. So after any number of good blocks of one size the state is known.
A bad one leaves another state, and good ones after it never lead back.
"""

import struct
from binascii import crc32
from itertools import accumulate
from typing import Final

LEAST: Final = 16
"""Frames in the shortest run: fewer are as quickly taken one by one."""
MOST: Final = 512
"""Frames in the longest run: more than a read of a terminal brings."""
KIND, SESSION, NUMBER, TIME, CELL, READING, AGO = 1, 2, 3, 4, 6, 8, 9
"""Where they are in a block, after a zero; the check and another zero come last."""
BLOCK: Final = AGO + 1 + 5
"""Bytes of a frame, and of the block that it becomes."""

_PAYLOAD: Final = bytes(BLOCK - 6)
_GOOD_BLOCK: Final = b"\0" + _PAYLOAD + struct.pack("<I", crc32(_PAYLOAD)) + b"\0"
_CHECKS: Final = tuple(accumulate(range(MOST), lambda check, _: crc32(_GOOD_BLOCK, check), initial=0))
"""The CRC of so many good blocks."""


def unpack_run(data: bytes) -> bytes:
    """Return the run with which `data` begins, as blocks of `BLOCK` bytes: a zero, the payload, its check, a zero.

    Args:
        data: what was read, from the beginning of a frame on.

    Returns:
        Blocks that passed their checks; nothing where there are fewer than `LEAST`, or one is bad.
    """
    ends = data[BLOCK - 1 : MOST * BLOCK : BLOCK]
    count = len(ends) - len(ends.lstrip(b"\0"))
    if count < LEAST or data.count(0, 0, count * BLOCK) != count:
        return b""
    return _unstuffed(data[: count * BLOCK], count)


def _unstuffed(data: bytes, count: int) -> bytes:
    """Undo COBS for frames that hold no zero but their last byte.

    A distance that leads out of its frame may spoil those beside it too; then something is left, or the check is wrong.
    """
    ones = int.from_bytes(b"\1" * count, "little")
    high = ones << 7
    out = bytearray(data)
    out[0::BLOCK] = bytes(count)
    # For each frame, how many bytes come before its next distance, which is where a zero was.
    left = int.from_bytes(data[0::BLOCK], "little") - ones
    for place in range(1, BLOCK - 1):
        if ended := ((high - left) >> 7) & ones:
            column = int.from_bytes(data[place::BLOCK], "little")
            distances = column & ended * 255
            out[place::BLOCK] = (column ^ distances).to_bytes(count, "little")
            left += distances
        left -= ones
    return bytes(out) if not left and crc32(out) == _CHECKS[count] else b""
