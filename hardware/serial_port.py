"""Serial ports as bytes that come and go without waiting: what a `hardware.serial_board.SerialBoard` talks through.

`open_channel` opens a path or any pyserial URL, for this program alone. Terminals and sockets are read and written by
their file, so that an event loop can watch it; ports of other kinds through pyserial. What a channel raises is an
OSError whose text is meant for a person.
"""

import contextlib
import errno
import os
import re
import select
import socket
import stat
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

import serial

from hardware.ports import DeviceError

try:
    import fcntl
    import termios

    HAS_TERMINALS = True
except ImportError:
    HAS_TERMINALS = False
    """On Windows no program can wait for a serial port and for other things at once, as an event loop must."""

CHUNK: Final = 65536
"""Most bytes of one read; a pseudo-terminal gives 4096 at a time."""
BAUD: Final = 115200
"""For boards behind a converter; USB itself has no rate."""

_GONE: Final = (
    "the board's port is gone: its cable was pulled, it restarts, or another program reads from it; it is opened again "
    "as soon as it is there"
)
_LOST: Final = frozenset({errno.EIO, errno.ENXIO, errno.ENODEV, errno.EBADF, errno.EPIPE, errno.ECONNRESET})
_NOBODY: Final = frozenset({errno.ECONNREFUSED, errno.EHOSTUNREACH, errno.ENETUNREACH, errno.ETIMEDOUT})
_BUSY: Final = frozenset({errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK})


class Channel(Protocol):
    """An open port."""

    @property
    def fd(self) -> int | None:
        """The file that becomes readable when bytes come; None where there is none, and reading must be tried."""

    def read(self) -> bytes:
        """Return what has come, without waiting; nothing where nothing has.

        Raises:
            OSError: the port is gone; the text says so.
        """

    def write(self, data: bytes) -> int:
        """Take what the port takes at once, and return how many bytes that were.

        Raises:
            OSError: the port is gone; the text says so.
        """

    def close(self) -> None:
        """Let go of it, never waiting for what was not sent. Twice is fine."""


def open_channel(url: str) -> Channel:
    """Open a port exclusively.

    Args:
        url: a path such as ``/dev/ttyACM1``, or a URL of pyserial: ``socket://host:port``, ``spy://...``.

    Raises:
        DeviceError: it cannot be opened; says which, why and what to do.
    """
    if not HAS_TERMINALS:
        raise DeviceError(
            "a board with a micro-controller needs Linux or macOS as its controller; on Windows use WSL, the Windows "
            "Subsystem for Linux, with its usbipd to hand the board on"
        )
    if not url.strip():
        raise DeviceError("the name of the port is empty: give a path such as /dev/ttyACM1, or say no port at all")
    if "://" not in url and (kind := _other_than_port(url)):
        raise DeviceError(f"{url} is no serial port but a {kind}: give a path such as /dev/ttyACM1")
    try:
        if url.startswith("socket://"):
            return _FileChannel(_connecting(url))
        port = serial.serial_for_url(url, baudrate=BAUD, timeout=0, write_timeout=0, exclusive=True)
    except DeviceError:
        raise
    except (OSError, ValueError, TypeError, LookupError) as error:  # what pyserial lets through of a malformed URL
        raise DeviceError(open_words(url, error)) from error
    if type(port) is serial.Serial:
        return _FileChannel(port)
    return _PortChannel(port)


def _other_than_port(path: str) -> str:
    """Return what is at a path that leads to no port; empty where one may be there, or nothing."""
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116  # a path is text here, as pyserial takes it
    except OSError:
        return ""
    if stat.S_ISDIR(mode):
        return "folder"
    return "" if stat.S_ISCHR(mode) else "file"


def open_words(url: str, error: Exception) -> str:
    """Return why a port cannot be opened, and what to do."""
    number = getattr(error, "errno", None)
    if number is None and (told := re.search(r"\[Errno (\d+)\]", str(error))):
        number = int(told[1])  # pyserial's handlers of URLs give it on as text only
    if number == errno.ENOENT:
        return (
            f"there is no port {url}: see that the board is plugged in; 'ls /dev/serial/by-id' lists the ports, and "
            "without --port the board is looked for"
        )
    if number in (errno.EACCES, errno.EPERM):
        return (
            f"the port {url} may not be opened: join its group with 'sudo usermod -aG dialout $USER' (on some systems "
            "'uucp'), then log out and in again"
        )
    if number in _BUSY or "exclusively lock" in str(error):
        return f"another program has the port {url} open, perhaps a serial monitor or a second game: end it"
    if "Could not configure port" in str(error):  # pyserial's own words: the number is not given on
        return f"{url} is a device but no serial port: give a path such as /dev/ttyACM1"
    if number in _NOBODY:
        return f"nobody listens at {url}: start what should answer there, or choose another --port"
    if number is not None:
        return f"the port {url} cannot be opened ({os.strerror(number)}): choose another --port"
    return (
        f"{url!r} is no port that can be opened: give a path such as /dev/ttyACM1, or a URL such as socket://host:port"
    )


def lost_words(error: OSError | None) -> str:
    """Return how the loss of a port is told; None: its end was reached."""
    if error is not None and error.errno in _NOBODY:
        return "nobody listens at the address of the port: start what should answer there, or choose another --port"
    if error is None or error.errno in _LOST or error.errno is None:
        return _GONE
    return f"the board's port fails ({os.strerror(error.errno)}): see that its cable is in"


class _FileChannel:
    """A terminal or a socket, by its file.

    Args:
        port: what keeps the file open, a ``serial.Serial`` or a socket.
    """

    def __init__(self, port: serial.Serial | socket.socket) -> None:
        self._port: Any = port
        self.fd: int | None = port.fileno()
        self._terminal = os.isatty(port.fileno())
        os.set_blocking(port.fileno(), False)
        if self._terminal:
            _make_plain(port.fileno())
        self._stuck = False

    def read(self) -> bytes:
        """Return what has come."""
        if self.fd is None:
            raise OSError(errno.EBADF, lost_words(None))
        try:
            data = os.read(self.fd, CHUNK)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise OSError(error.errno, lost_words(error)) from error
        if not data:
            raise OSError(errno.EIO, lost_words(None))
        return data

    def write(self, data: bytes) -> int:
        """Take what the port takes at once."""
        if self.fd is None:
            raise OSError(errno.EBADF, lost_words(None))
        try:
            taken = os.write(self.fd, data)
        except BlockingIOError:
            taken = 0
        except OSError as error:
            raise OSError(error.errno, lost_words(error)) from error
        self._stuck = taken < len(data)
        return taken

    def close(self) -> None:
        """Let go of it."""
        fd, self.fd = self.fd, None
        if fd is None:
            return
        if self._terminal:
            with contextlib.suppress(OSError, termios.error):
                fcntl.ioctl(fd, termios.TIOCNXCL)
            if self._stuck:  # closing would wait for the device to take it
                with contextlib.suppress(OSError, termios.error):
                    termios.tcflush(fd, termios.TCOFLUSH)
        with contextlib.suppress(OSError):
            self._port.close()


class _PortChannel:
    """Any other port of pyserial, through its own methods: what it does besides (spying, counting) goes on."""

    def __init__(self, port: serial.SerialBase) -> None:
        self._port: Any = port
        self._open = True
        try:
            self.fd: int | None = port.fileno()
        except (OSError, AttributeError):
            self.fd = None
            port.write_timeout = None  # ports without a file never make one wait

    def read(self) -> bytes:
        """Return what has come."""
        try:
            data: bytes = self._port.read(CHUNK)
        except OSError as error:
            raise OSError(error.errno or errno.EIO, lost_words(error)) from error
        return data

    def write(self, data: bytes) -> int:
        """Take what the port takes at once."""
        try:
            if self.fd is not None and not select.select([], [self.fd], [], 0)[1]:
                return 0  # pyserial would try again and again
            taken = self._port.write(data)
        except serial.SerialTimeoutException:
            return 0
        except OSError as error:
            raise OSError(error.errno or errno.EIO, lost_words(error)) from error
        return len(data) if taken is None else int(taken)

    def close(self) -> None:
        """Let go of it."""
        if self._open:
            self._open = False
            with contextlib.suppress(OSError):
                self._port.close()


def _make_plain(fd: int) -> None:
    """Have an empty read told from the end of the port, and nobody else open it, locks or no locks."""
    with contextlib.suppress(OSError, termios.error):
        modes = termios.tcgetattr(fd)
        modes[6][termios.VMIN] = 1  # pyserial's 0 lets a read without data look like a port that has gone
        termios.tcsetattr(fd, termios.TCSANOW, modes)
    with contextlib.suppress(OSError):
        fcntl.ioctl(fd, termios.TIOCEXCL)


def _connecting(url: str) -> socket.socket:
    """Return a socket that is being connected: until it is, nothing comes and nothing is taken.

    pyserial's own would wait up to five seconds for a host that is not there.
    """
    parts = urlsplit(url)
    if parts.hostname is None or parts.port is None:
        raise DeviceError(f"{url!r} is no port: a socket has a host and a port, as in socket://localhost:4000")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(parts.hostname, parts.port, type=socket.SOCK_STREAM)[0]
    except socket.gaierror as error:
        raise DeviceError(f"the name {parts.hostname!r} in {url} is not known: check it, or give an address") from error
    made = socket.socket(family, kind, protocol)
    os.set_blocking(made.fileno(), False)  # by the file alone: the socket's own methods are not used
    number = made.connect_ex(address)
    if number not in (0, errno.EINPROGRESS):
        made.close()
        raise OSError(number, os.strerror(number))
    return made
