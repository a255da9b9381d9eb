"""Ways to hear of cell changes over a serial port: ours, bare reads, and libraries that others use.

Each takes the path of a port and an ear, begins to listen in threads of its own, and returns once it is listening. All
tell the ear of each change by itself: cell and reading. What they need is imported only where it is used, so that
nobody carries the others' weight.
"""

import os
import threading
import time
import tty
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias

import serial

from tests.bench import wire_devices as devices
from tests.bench.wire_devices import CELLS, FRAME

SETTLING_S: Final = 0.05
"""What libraries wait for a board that resets when its port is opened; ours does not."""


class Ear:
    """Counts changes, and notes when each came where that is wanted.

    Attributes:
        readings: shape (CELLS,): what the cells read, by what was heard.
        stamps: nanoseconds of the monotonic clock at which changes were heard; empty where nobody wants them.
        missing: how many changes are still to come.
        full: set when all have come.
    """

    def __init__(self) -> None:
        self.readings = bytearray(CELLS)
        self.stamps: list[int] = []
        self.missing = 0
        self.full = threading.Event()
        self._stamping = False

    def expect(self, changes: int, *, stamping: bool) -> None:
        """Wait for so many changes."""
        self.stamps, self.missing, self._stamping = [], changes, stamping
        self.full.clear()

    def heard(self, cell: int, reading: int) -> None:
        """Take a change."""
        if self._stamping:
            self.stamps.append(time.monotonic_ns())
        self.readings[cell] = reading
        self.missing -= 1
        if not self.missing:
            self.full.set()

    def counted(self, changes: int) -> None:
        """Take changes of which only the number is known."""
        if self._stamping:
            self.stamps += [time.monotonic_ns()] * changes
        self.missing -= changes
        if not self.missing:
            self.full.set()


Host: TypeAlias = Callable[[str, Ear], object]
"""What it returns is to be kept for as long as it shall listen."""


def in_thread(run: Callable[[], object]) -> threading.Thread:
    """Run it until the process ends."""
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def opened(path: str) -> int:
    """Open a port and return its file."""
    fd = os.open(path, os.O_RDWR | os.O_NOCTTY)
    tty.setraw(fd)
    return fd


def bare(path: str, ear: Ear) -> object:
    """``os.read``, and nothing is looked at: what no reader in Python can do better."""
    fd = opened(path)

    def run() -> None:
        left = 0
        while True:
            left += len(os.read(fd, 65536))
            ear.counted(left // FRAME)
            left %= FRAME

    return in_thread(run)


# Ours, which is in wire_ours ------------------------------------------------------------------------------------------


def link(path: str, ear: Ear) -> object:
    """The logic of our wire alone, driven by ``select`` and ``os.read``."""
    from tests.bench.wire_ours import link as listening

    return listening(path, ear)


def composed(path: str, ear: Ear) -> object:
    """Ours as it is in play: the real event loop, its reader, the port, the link; up to what a recogniser is told."""
    from tests.bench.wire_ours import composed as listening

    return listening(path, ear)


# Others ---------------------------------------------------------------------------------------------------------------


def readline(path: str, ear: Ear) -> object:
    """pyserial's ``readline`` on text lines, as tutorials have it."""
    port = serial.Serial(path, 115200, timeout=1)

    def run() -> None:
        while True:
            words = port.readline().decode().split()
            if words and words[0] == "E":
                ear.heard(int(words[1]), int(words[2]))

    return in_thread(run)


def pyfirmata2(path: str, ear: Ear) -> object:
    """pyFirmata2: calls back for all eight pins of a message; who wants changes compares."""
    from pyfirmata2 import pyfirmata2 as library

    library.BOARD_SETUP_WAIT_TIME = SETTLING_S
    layout = {"digital": tuple(range(CELLS)), "analog": (), "pwm": (), "disabled": ()}
    board = library.Board(path, layout=layout)
    before = [False] * CELLS

    def told(cell: int, value: bool) -> None:
        if value != before[cell]:
            before[cell] = value
            ear.heard(cell, value)

    for cell in range(CELLS):
        board.get_pin(f"d:{cell}:u").register_callback(partial(told, cell))
    board.samplingOn()
    return board


def _pins_of(board: Any, ear: Ear) -> object:
    def told(message: list[Any]) -> None:
        ear.heard(message[1], message[2])

    for cell in range(CELLS):
        board.set_pin_mode_digital_input_pullup(cell, told)
    return board


def pymata4(path: str, ear: Ear) -> object:
    """pymata4: Firmata once more, by the author of telemetrix."""
    from pymata4.pymata4 import Pymata4

    return _pins_of(Pymata4(com_port=path, arduino_wait=SETTLING_S), ear)


def telemetrix(path: str, ear: Ear) -> object:
    """telemetrix: its own protocol."""
    from telemetrix.telemetrix import Telemetrix

    return _pins_of(Telemetrix(com_port=path, arduino_wait=SETTLING_S), ear)


def messenger(path: str, ear: Ear) -> object:
    """PyCmdMessenger: commands with binary arguments."""
    from PyCmdMessenger import ArduinoBoard, CmdMessenger

    board = ArduinoBoard(path, baud_rate=115200, settle_time=SETTLING_S, timeout=1.0)
    commands = CmdMessenger(board, [["changed", "bb"]])

    def run() -> None:
        while True:
            received = commands.receive()
            if received:
                cell, reading = received[1]
                ear.heard(cell - 64, reading - 64)

    return in_thread(run)


@dataclass(frozen=True, slots=True)
class Entrant:
    """One way to listen.

    Fields:
        name: how figures call it.
        host: it.
        device: what it listens to.
        flood: changes in a flood, a multiple of `wire_devices.PERIOD`: about a second of them.
        package: what must be importable.
        singles: changes that come one by one; fewer where each takes long.
    """

    name: str
    host: Host
    device: Callable[[], devices.Device]
    flood: int
    package: str = "serial"
    singles: int = 600

    @property
    def counts_only(self) -> bool:
        """Whether it does not look at what comes."""
        return self.device is devices.Blocks


ENTRANTS: Final = (
    Entrant("bare os.read", bare, devices.Blocks, 4_096_000),
    Entrant("link", link, devices.Ours, 512_000),
    Entrant("link as in play", composed, devices.Ours, 512_000),
    Entrant("pyserial readline", readline, devices.Lines, 16_384),
    Entrant("pyFirmata2", pyfirmata2, devices.Firmata, 24_576, "pyfirmata2"),
    Entrant("PyCmdMessenger", messenger, devices.Messenger, 16_384, "PyCmdMessenger"),
    Entrant("telemetrix", telemetrix, devices.Telemetrix, 12_288, "telemetrix"),
    Entrant("pymata4", pymata4, devices.Firmata, 512, "pymata4", 150),
)
