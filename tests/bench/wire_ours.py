"""Our own ways to hear of cell changes, as `wire_hosts` has those of others.

The wire alone carries nothing of the controller with it: that is imported where it is used.
"""

import asyncio
import os
import select
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from hardware.link import Link
from hardware.link_events import Laid, Wanted
from hardware.ports import CellChange, Millis
from tests.bench.wire_devices import CELLS
from tests.bench.wire_hosts import Ear, in_thread, opened

if TYPE_CHECKING:
    from controller.app.rig import Rig
    from hardware.serial_board import SerialBoard

PATIENCE_S: Final = 10.0
"""How long a device may take to greet."""


def clock() -> Millis:
    """Return the milliseconds that the controller's loop goes by."""
    return time.monotonic_ns() // 1_000_000


def link(path: str, ear: Ear) -> object:
    """The logic of our wire alone, driven by ``select`` and ``os.read``."""
    fd = opened(path)
    wire = Link(Wanted(cells=CELLS), nonce=1)
    laid = threading.Event()

    def run() -> None:
        wire.begin(clock())
        while True:
            if out := wire.outgoing():
                os.write(fd, out)
            due = wire.due()
            assert due is not None
            if select.select([fd], [], [], max(0, due - clock()) / 1000)[0]:
                events = wire.receive(clock(), os.read(fd, 65536))
            else:
                events = wire.tick(clock())
            for event in events:
                if isinstance(event, CellChange):
                    ear.heard(event.cell, event.reading)
                elif isinstance(event, Laid):
                    laid.set()

    thread = in_thread(run)
    if not laid.wait(PATIENCE_S):
        raise TimeoutError("the device does not greet")
    return thread


@dataclass(slots=True)
class _Hearing:
    """As much of a rig as a loop drives: where a table would be told of what was sensed, an ear is."""

    source: "SerialBoard"
    ear: Ear
    leaving: bool = False

    def step(self, now: Millis) -> None:
        heard = self.ear.heard
        for sensed in self.source.poll(now):
            if isinstance(sensed, CellChange):
                heard(sensed.cell, sensed.reading)

    def due(self) -> Millis | None:
        return self.source.due()


def composed(path: str, ear: Ear) -> object:
    """Ours as it is in play: the real event loop, its reader, the port, the link; up to what a recogniser is told."""
    from controller.app.loop import Loop
    from controller.app.on_serial import await_cells, serial_board

    board = serial_board(Wanted(cells=CELLS), path)
    await_cells(board)

    async def play() -> None:
        await Loop(cast("Rig", _Hearing(board, ear))).run()

    return in_thread(lambda: asyncio.run(play()))
