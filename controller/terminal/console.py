"""The person's terminal: bytes in, bytes out, its size and its modes. The only module here that touches a device.

Nothing here waits: what cannot be written now is written when the terminal takes it, so that a stalled connection never
holds up the board.
"""

import asyncio
import codecs
import contextlib
import os
import select
import stat
import termios
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

CHUNK: Final = 4096
"""Bytes that a pipe takes at once when it takes any (POSIX: PIPE_BUF, on Linux)."""
UNREAD: Final = 65536
"""Bytes read from the input at once."""
USUAL: Final = (80, 24)
"""Columns and rows where nobody tells."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How to speak to a person.

    Fields:
        in_place: whether the screen is drawn over and over; else text is appended.
        colour: whether colours may be used.
        keys: whether the input is a terminal at which a person types.
    """

    in_place: bool
    colour: bool
    keys: bool


def manner(environ: Mapping[str, str], *, keys: bool, screen: bool) -> Manner:
    """Return how to speak, by the customs of terminals: ``TERM=dumb`` obeys nothing, ``NO_COLOR`` wants no colours.

    Args:
        environ: the environment.
        keys: whether the input is a terminal.
        screen: whether the output is one.
    """
    able = screen and environ.get("TERM", "") not in {"", "dumb"}
    return Manner(in_place=able and keys, colour=able and not environ.get("NO_COLOR"), keys=keys)


class Outlet:
    """Where text goes. Writes at once what is taken at once, and the rest when it can.

    A terminal is opened once more for this: its own open file can be told never to wait, without that telling the
    shell's.

    Args:
        number: the file's descriptor; it stays open.
        encoding: how the text is sent; what it cannot express becomes a question mark.
    """

    def __init__(self, number: int, encoding: str = "utf-8") -> None:
        self._encoding = encoding
        self._own = _reopened(number)
        self._number = number if self._own is None else self._own
        self._plain = stat.S_ISREG(os.fstat(number).st_mode)
        self._left = b""
        self._waiting = False
        self.drained: Callable[[], None] = lambda: None
        """Called when everything has been written after some of it had to wait."""
        self.broken: Callable[[], None] = lambda: None
        """Called when nobody reads any more."""

    @property
    def busy(self) -> bool:
        """Whether something is still to be written."""
        return bool(self._left)

    def write(self, text: str) -> None:
        """Send text, now or as soon as it is taken."""
        self._left += text.encode(self._encoding, "replace")
        if not self._waiting:
            self._push()

    def flush(self, seconds: float) -> None:
        """Write what is left, and wait for that so long at most: for the end, when nothing else is to be done."""
        self._wait(on=False)
        with contextlib.suppress(OSError):
            while self._left and select.select([], [self._number], [], seconds)[1]:
                self._some()

    def close(self) -> None:
        """Let go of the terminal. Twice is fine."""
        self._wait(on=False)
        if self._own is not None:
            os.close(self._own)
            self._own = None

    def _push(self) -> None:
        try:
            while self._left and (self._plain or select.select([], [self._number], [], 0)[1]):
                self._some()
        except OSError:
            self._left = b""
            self._wait(on=False)
            self.broken()
            return
        waited = self._waiting
        self._wait(on=bool(self._left))
        if waited and not self._left:
            self.drained()

    def _some(self) -> None:
        """Write a piece that is taken without waiting."""
        with contextlib.suppress(BlockingIOError):
            self._left = self._left[os.write(self._number, self._left[:CHUNK]) :]

    def _wait(self, *, on: bool) -> None:
        if on != self._waiting:
            loop = asyncio.get_running_loop()
            if on:
                loop.add_writer(self._number, self._push)
            else:
                loop.remove_writer(self._number)
            self._waiting = on


def _reopened(number: int) -> int | None:
    """Return another open file of the terminal behind a descriptor, one that never waits; None where it is none."""
    try:
        return os.open(os.ttyname(number), os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
    except OSError:
        return None


class Inlet:
    """Where bytes come from: a terminal, a pipe or a file.

    Args:
        number: the file's descriptor.
        heard: called with the text of what came, cut anywhere; with None once at the end.
    """

    def __init__(self, number: int, heard: Callable[[str | None], None]) -> None:
        self._number = number
        self._heard = heard
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._open = False

    def open(self) -> None:
        """Begin to listen; a file is read at once."""
        loop = asyncio.get_running_loop()
        try:
            loop.add_reader(self._number, self._read)
            self._open = True
        except PermissionError:
            # The system never tells when a file can be read, since it always can.
            while self._read():
                pass

    def close(self) -> None:
        """Listen no more. Twice is fine."""
        if self._open:
            asyncio.get_running_loop().remove_reader(self._number)
            self._open = False

    def _read(self) -> bool:
        """Pass on what is there; return whether more may come."""
        try:
            came = os.read(self._number, UNREAD)
        except BlockingIOError:
            return True
        except OSError:
            came = b""
        if came:
            self._heard(self._decoder.decode(came))
            return True
        self.close()
        self._heard(None)
        return False


class Modes:
    r"""The modes of a terminal at which keys are read one by one; `leave` brings back what was.

    Ctrl-C and Ctrl-Z stay signals. Ctrl-\ does nothing: it would leave the terminal as it is.
    """

    def __init__(self, number: int) -> None:
        self._number = number
        self._before = termios.tcgetattr(number)

    def enter(self) -> None:
        """Read keys one by one, and do not echo them."""
        modes = termios.tcgetattr(self._number)
        modes[3] &= ~(termios.ICANON | termios.ECHO)
        modes[6][termios.VMIN], modes[6][termios.VTIME] = 1, 0
        modes[6][termios.VQUIT] = os.fpathconf(self._number, "PC_VDISABLE").to_bytes()
        # Now, not when the output has drained: a stalled terminal never drains.
        termios.tcsetattr(self._number, termios.TCSANOW, modes)

    def leave(self) -> None:
        """Bring back the modes that were. Twice is fine; a terminal that is gone needs none."""
        with contextlib.suppress(termios.error):
            termios.tcsetattr(self._number, termios.TCSANOW, self._before)


def size(number: int) -> tuple[int, int]:
    """Return the columns and rows of a terminal; the usual ones where it does not tell."""
    try:
        columns, rows = os.get_terminal_size(number)
    except OSError:
        return USUAL
    return (columns or USUAL[0], rows or USUAL[1])
