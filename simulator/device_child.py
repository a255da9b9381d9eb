"""Runs the firmware on a simulated board in a process of its own, under CPython or MicroPython, in lock-step.

Started with four arguments: folders of modules joined by ``:``, the number of the pseudo-terminal's open file, the
reason for the start, and the device's clock at the start. The first line of standard input is the plan as JSON, which
is longer than an argument of MicroPython can be (255 bytes). Each line after it is one turn::

    NOW INCOMING CLOSED PRESSED LEVELS FLAGS

with NOW the device's clock; INCOMING how many bytes there are to read first; CLOSED and PRESSED hexadecimal, one byte
a cell and button; LEVELS hexadecimal, two bytes a cell; ``-`` for what is as before; FLAGS 1 for a broken chain. Each
is answered with ``WAIT WRITTEN SHOWN RESTART``: milliseconds until the next turn, bytes written, pixel bytes in
hexadecimal or ``-``, and the mode of a restart or ``-``.
"""

import io
import select
import sys

WAIT_MS = 5000


class Port:
    """The pseudo-terminal as ``usb_cdc.data``."""

    connected = True

    def __init__(self, number: int) -> None:
        self.written = 0
        self._file: io.RawIOBase
        self._poll = select.poll()
        if sys.implementation.name == "micropython":
            self._file = open(number, "r+b")  # type: ignore[assignment]  # noqa: SIM115
            self._poll.register(self._file, select.POLLIN)
        else:
            self._file = open(number, "r+b", buffering=0)  # noqa: SIM115
            self._poll.register(number, select.POLLIN)
        self._came = b""

    @property
    def in_waiting(self) -> int:
        """Bytes that can be read."""
        return len(self._came)

    def pull(self, count: int) -> None:
        """Wait for that many bytes, which have been sent already."""
        while count > 0:
            if not self._poll.poll(WAIT_MS):
                raise OSError("what was sent did not come")
            data = self._file.read(count) or b""
            self._came += data
            count -= len(data)

    def read(self, count: int) -> bytes:
        """Return up to that many bytes."""
        data, self._came = self._came[:count], self._came[count:]
        return data

    def write(self, data: bytes) -> int:
        """Return how many bytes were taken."""
        try:
            taken = self._file.write(data) or 0
        except OSError:
            taken = 0
        self.written += taken
        return taken


def main() -> None:
    """Build the board and take turns until standard input ends."""
    folders, number, reason, clock = sys.argv[1:5]
    sys.path[:0] = folders.split(":")
    import binascii
    import json

    from device_parts import Hardware  # type: ignore[import-not-found]
    from plan import check  # type: ignore[import-not-found]
    from station import Station  # type: ignore[import-not-found]

    port = Port(int(number))
    checked = check(json.loads(sys.stdin.readline()))
    hw = Hardware(checked, port, int(reason))
    hw.now = int(clock)
    station = Station(checked, hw)
    while True:
        line = sys.stdin.readline()
        if not line:
            return
        now, incoming, closed, pressed, levels, flags = line.split()
        hw.now = int(now)
        if closed != "-":
            hw.world.closed = binascii.unhexlify(closed)
        if pressed != "-":
            hw.world.pressed = binascii.unhexlify(pressed)
        if levels != "-":
            data = binascii.unhexlify(levels)
            hw.world.levels = [data[k] << 8 | data[k + 1] for k in range(0, len(data), 2)]
        hw.world.broken = flags == "1"
        port.written = 0
        port.pull(int(incoming))
        wait = station.tick(hw.now)
        shown = "-"
        if hw.strip.fresh:
            hw.strip.fresh = False
            shown = binascii.hexlify(hw.strip.shown).decode() or "-"
        restart = str(hw.restarts.pop()) if hw.restarts else "-"
        sys.stdout.write("%d %d %s %s\n" % (wait, port.written, shown, restart))
        if hasattr(sys.stdout, "flush"):
            sys.stdout.flush()


if __name__ == "__main__":
    main()
