"""Pixel frames as runs that changed, and runs as message bodies."""

from typing import TypeAlias

from hardware import wire_messages as says

Run: TypeAlias = tuple[int, int, bytes]
"""First pixel, how many, and their colour as the chain takes it."""


def changed_runs(before: bytes | None, after: bytes, channels: int) -> list[Run]:
    """Return the runs of one colour that make `after` of `before`; of anything where `before` is None.

    Args:
        before: chain bytes of the whole chain as it is.
        after: as it shall be, as many.
        channels: bytes a pixel, 3 or 4.
    """
    runs: list[Run] = []
    pixel, start, colour = 0, 0, b""
    for at in range(0, len(after), channels):
        new = after[at : at + channels]
        if before is None or new != before[at : at + channels]:
            if colour != new:
                if colour:
                    runs.append((start, pixel - start, colour))
                start, colour = pixel, new
        elif colour:
            runs.append((start, pixel - start, colour))
            colour = b""
        pixel += 1
    if colour:
        runs.append((start, pixel - start, colour))
    return runs


def run_bodies(runs: list[Run], channels: int) -> list[bytes]:
    """Return `runs` as bodies of LAMPS messages; the last one says that all are to be shown."""
    room = (says.BODY - 1) // (4 + channels)
    pieces = [runs[at : at + room] for at in range(0, len(runs), room)] or [[]]
    return [says.pack_runs(says.LAMPS_SHOW if piece is pieces[-1] else 0, piece) for piece in pieces]
