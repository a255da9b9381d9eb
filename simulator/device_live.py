"""A simulated micro-controller that lives by a clock of its own: for programs that wait in real time.

`simulator.device.Device` goes in step with whoever gives it its turns. Here the firmware runs in a thread, sleeps until
something comes or is due, and answers at its port like a board on a cable.
"""

import array
import fcntl
import os
import pty
import select
import termios
import threading
import tty
from collections.abc import Callable, Mapping
from typing import Any, Final

from hardware.ports import Millis
from simulator.device import Board, InProcess, Runner

END_S: Final = 10.0
"""Real seconds after which a thread that does not end is left behind."""


class LiveDevice:
    """A board on a cable, with power.

    Args:
        plan: ``board.json`` as a mapping.
        clock: gives the time.
        runner: what runs the firmware; by default this process.

    Attributes:
        path: what to open as its serial port.
        closed: a byte for each cell, 1 where its contact is closed; set it to move stones.
        pressed: a byte for each button, 1 where it is down.
        shown: the bytes that its pixels show.
        restarts: the modes of the restarts that it was asked for, and has carried out.
    """

    def __init__(self, plan: Mapping[str, Any], clock: Callable[[], Millis], runner: Runner | None = None) -> None:
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.path: Final = os.ttyname(self._slave)
        self.closed = bytes(int(plan["cells"]))
        self.pressed = bytes(len(plan.get("buttons", ())))
        self.shown = b""
        self.restarts: list[int] = []
        self._clock = clock
        self._runner = runner or InProcess(plan)
        self._stirs, self._stir = os.pipe()
        self._ended = False
        self._thread = threading.Thread(target=self._live, name="simulated board", daemon=True)
        self._thread.start()

    def move(self, closed: bytes) -> None:
        """Set `closed` and have the board notice at its next scan, however long that would take."""
        self.closed = closed
        os.write(self._stir, b".")

    def unplug(self) -> None:
        """Pull the cable. Twice is fine."""
        if self._ended:
            return
        self._ended = True
        os.write(self._stir, b".")
        self._thread.join(END_S)
        self._runner.stop()
        for fd in (self._master, self._slave, self._stirs, self._stir):
            os.close(fd)

    def _live(self) -> None:
        waiting = array.array("i", [0])
        began = self._boot(0)
        wait = 0
        while True:
            if self._stirs in select.select([self._master, self._stirs], [], [], wait / 1000)[0]:
                os.read(self._stirs, 4096)
            if self._ended:
                return
            fcntl.ioctl(self._master, termios.FIONREAD, waiting)
            board = Board(self.closed, self.pressed)
            turn = self._runner.turn(self._clock() - began, waiting[0], board)
            if turn.shown is not None:
                self.shown = turn.shown
            wait = turn.due
            if turn.restart is not None:
                self.restarts.append(turn.restart)
                self._runner.stop()
                began, wait = self._boot(2), 0

    def _boot(self, reason: int) -> Millis:
        self._runner.start(self._master, 0, reason)
        return self._clock()
