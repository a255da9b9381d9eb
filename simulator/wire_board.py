"""A simulated board with a micro-controller: the firmware itself senses a tabletop, behind a pseudo-terminal.

The host opens the path of a `WireBoard` with pyserial, as any other port. Two pseudo-terminals make the cable::

    firmware - pseudo-terminal - WireLine - pseudo-terminal - host

Between them frames get lost, garbled, doubled and late. Time is in lock-step: at each moment the device is given the
time, says how many bytes it has written, and the host reads just as many (`LockStepChannel`) before time moves on. So
nothing depends on how fast the machine is, and the same seed gives the same rehearsal.
"""

import os
import pty
import random
import select
import tty
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from hardware.ports import UNKNOWN, DeviceError, Millis, Sensing
from hardware.serial_port import Channel, open_channel
from simulator.device import PATIENCE_S, Device, Runner, firmware_modules, read_exactly
from simulator.tabletop import Tabletop
from simulator.wire_line import WireLine

STARTUP_MS: Final = 200
"""From power to a port that can be opened: an estimate; boards with CircuitPython take a part of a second."""
STEADY_MS: Final = 20
"""How long what a cell with levels reads must stay the same before the device tells it."""
REST: Final = 8000
"""What the sensor of an empty cell with levels gives, of 65,535."""
SPAN: Final = 50_000
"""From there to what the greatest reading gives."""
RAILS: Final = (1000, 64_000)
"""What a sound sensor can give, at least and at most."""
MOST: Final = 200
"""The greatest count that a pit of the simulated board can tell."""


def board_plan(
    board: str, sensing: Sensing, cells: int, *, most: int, buttons: Sequence[str], pixels: int
) -> dict[str, Any]:
    """Return ``board.json`` of a simulated board, as ``firmware/lib/plan.py`` reads it.

    Cells that tell presence are contacts on a chain of registers, followed by the buttons. All others give levels
    through multiplexers, and the buttons have pins of their own.

    Args:
        board: its name.
        sensing: what the cells tell.
        cells: how many.
        most: the greatest reading.
        buttons: their names.
        pixels: how many, three channels each.
    """
    plan: dict[str, Any] = {"board": board, "cells": cells, "sensing": sensing.value, "buttons": list(buttons)}
    plan |= {"pixels": pixels, "pixel_pin": "GP22"}
    if sensing is Sensing.PRESENCE:
        contacts = [*range(cells), *(-2 - button for button in range(len(buttons)))]
        return plan | {
            "driver": "chain",
            "load": "GP17",
            "clock": "GP18",
            "data": "GP16",
            "registers": -(-len(contacts) // 8),
            "places": contacts,
        }
    step = SPAN // most
    return plan | {
        "driver": "mux",
        "selects": [f"GP{pin}" for pin in range(2, 6)],
        "adcs": [f"A{adc}" for adc in range(-(-cells // 16))],
        "rest": [REST] * cells,
        "rails": list(RAILS),
        "bands": [[step * reading - step // 4, step * reading + step // 4, reading] for reading in range(most + 1)],
        "steady_ms": STEADY_MS,
        "button_pins": [f"GP{6 + button}" for button in range(len(buttons))],
    }


class _Contacts:
    """What the device's pins need to know of a tabletop: they hear it as long as they have power."""

    def __init__(self, top: Tabletop) -> None:
        self._raw = top.contacts.raw
        self.pressed = top.pressed

    def closed(self, cell: int) -> bool:
        """Return whether the contact of a cell is closed."""
        return self._raw[cell] != 0


class WireBoard:
    """The board, its cable, and the time of both.

    Args:
        top: what lies on it, what is wrong with it, whether its cable is in and its controller runs.
        plan: see `board_plan`.
        runner: what runs the firmware; by default this process.

    Attributes:
        path: what to open as its port; a new one each time that it gets power. None while there is none.
        device: the micro-controller.
        shown: called with the bytes of each frame that its pixels show.
        up, down: the wire to the host and from it.
        now: the moment of all that follows.
        heard: whether the host has the port open. While it has not, what the device says is lost.
        failed: why the simulation itself cannot go on; None while it can.
    """

    def __init__(self, top: Tabletop, plan: Mapping[str, Any], runner: Runner | None = None) -> None:
        self.path: str | None = None
        self.device = Device(plan, _Contacts(top), runner)
        self.shown: Callable[[bytes], None] = lambda _data: None
        self.up = WireLine(lambda: top.faults, lambda: self._dice)
        self.down = WireLine(lambda: top.faults, lambda: self._dice)
        self._top = top
        self._step = SPAN // max(1, max((band[2] for band in plan.get("bands", ())), default=1))
        self._levelled = plan["driver"] == "mux"
        self._gulp: int = firmware_modules()["talk"].READ
        self._master = self._slave = self._cable = -1
        self.heard = False
        self.failed: DeviceError | None = None
        self._unread = 0
        self._dice = random.Random()
        self._seeded: random.Random | None = None
        self._cuts = top.cuts
        self._due: Millis = 0
        self._starts: Millis = top.now
        self.now: Millis = top.now
        self._deal()

    # The host's side --------------------------------------------------------------------------------------------------

    def opened(self) -> None:
        """Say that the host has opened the port: what the device says from here on reaches it."""
        self.heard = True

    def closed(self) -> None:
        """Say that the host has closed the port."""
        self.heard = False

    def sent(self, count: int) -> None:
        """Take `count` bytes that the host has written to the port."""
        if self._master >= 0:
            self.down.put(self.now, read_exactly(self._master, count))

    def turn(self) -> int:
        """Let happen what is due at `now`; return how many bytes the host can read then.

        Raises:
            DeviceError: the device has stopped.
        """
        now = self.now
        self._deal()
        self._follow_cable(now)
        if self.path is None:
            return 0
        incoming = self.down.get(now)
        if incoming:
            os.write(self._cable, incoming)
        if incoming or now >= self._due:
            self._run(now, len(incoming))
        arrived = self.up.get(now)
        if not arrived or not self.heard:
            return 0
        os.write(self._master, arrived)
        return len(arrived)

    def due(self) -> Millis | None:
        """Return when `turn` has something to do next; None while there is no power."""
        if self.path is None:
            return self._starts if self._top.powered() else None
        times = [self._due, *(at for at in (self.up.due(), self.down.due()) if at is not None)]
        return min(times)

    def close(self) -> None:
        """Take the power away, and the port. Twice is fine."""
        self.device.close()
        for fd in (self._master, self._slave, self._cable):
            if fd >= 0:
                os.close(fd)
        self._master = self._slave = self._cable = -1
        self.path = None
        self.heard = False
        self.up.cut()
        self.down.cut()

    # The device's side ------------------------------------------------------------------------------------------------

    def _deal(self) -> None:
        """Take new dice where the tabletop has been seeded anew."""
        dice = self._top.wire_dice
        if dice is not self._seeded:
            self._seeded = self._dice = dice

    def _follow_cable(self, now: Millis) -> None:
        """Give the device power or take it away, as the cable and the controller are."""
        if self._cuts != self._top.cuts:
            self._cuts = self._top.cuts
            self.close()
            self._starts = now + STARTUP_MS
        powered = self._top.powered()
        if not powered:
            self._starts = now + STARTUP_MS
        elif self.path is None and now >= self._starts:
            self._start(now)

    def _start(self, now: Millis) -> None:
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        self.path = os.ttyname(self._slave)
        self._cable = os.open(self.device.plug(now, self._top.starts_by), os.O_RDWR | os.O_NOCTTY)
        self._unread = 0
        self._due = now

    def _run(self, now: Millis, incoming: int) -> None:
        """Give the device a turn, and put on the wire what it says."""
        device = self.device
        broken = "chain" in self._top.faults.line
        device.broken = broken
        if self._levelled:
            step = self._step
            raw = self._top.contacts.raw
            device.levels = [0] * len(raw) if broken else [_level(reading, step) for reading in raw]
        try:
            turn = device.turn(now, incoming)
        except DeviceError as error:
            self.failed = error
            raise
        # A device reads so many bytes in one turn of its loop; what is left is read in the next, a moment later.
        self._unread = max(0, self._unread + incoming - self._gulp)
        self._due = now + 1 if self._unread else max(now + 1, turn.due)
        if turn.written:
            self.up.put(now, read_exactly(self._cable, turn.written))
        if turn.shown is not None:
            self.shown(turn.shown)
        if turn.restart is not None:
            device.reset(now)
            self._due = now + 1


def _level(reading: int, step: int) -> int:
    """Return what a sensor gives: between two readings where the cell cannot tell."""
    if reading == UNKNOWN:
        return REST + step // 2
    return REST + step * min(reading, SPAN // step)


class LockStepChannel:
    """A port of a `WireBoard`, opened as any other; `read` waits in real time for what has come by simulated time.

    Args:
        board: the board; each read lets its time pass up to ``board.now``.
        url: the path of its port.

    Raises:
        DeviceError: the port cannot be opened.
    """

    def __init__(self, board: WireBoard, url: str) -> None:
        self._board = board
        self._channel: Channel = open_channel(url)
        board.opened()

    @property
    def fd(self) -> int | None:
        """The open file."""
        return self._channel.fd

    def read(self) -> bytes:
        """Return what has come.

        Raises:
            OSError: the port is gone.
        """
        count = self._board.turn()
        data = b""
        while len(data) < count:
            self._wait()
            data += self._channel.read()
        return data or self._channel.read()

    def write(self, data: bytes) -> int:
        """Take what the port takes at once, and return how many bytes that were."""
        taken = self._channel.write(data)
        self._board.sent(taken)
        return taken

    def close(self) -> None:
        """Let go of it."""
        self._channel.close()
        self._board.closed()

    def _wait(self) -> None:
        fd = self._channel.fd
        if fd is not None and not select.select([fd], [], [], PATIENCE_S)[0]:
            raise DeviceError("bytes from the simulated board did not come")
