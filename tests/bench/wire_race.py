"""One way to listen, measured in a process of its own: ``python -m tests.bench.wire_race NAME`` prints a line of JSON.

A device in another process writes to a pseudo-terminal. Three spans, one after the other: silence, in which nothing
changes and a device of ours goes on with its heartbeats; a flood, written as fast as the pseudo-terminal takes it; and
single changes, one every 2 to 6 ms, the same gaps for all. Processor time is that of the whole listening process.
"""

import contextlib
import io
import json
import os
import pty
import random
import resource
import select
import subprocess
import sys
import time
import tty
from dataclasses import asdict, dataclass
from typing import IO, Any, Final

from hardware.wire import BEAT_MS
from tests.bench import wire_devices as devices
from tests.bench.wire_hosts import ENTRANTS, Ear, Entrant

SILENCE_S: Final = 2.0
GAPS_S: Final = (0.002, 0.006)
SEED: Final = 5
PATIENCE_S: Final = 30.0
"""How long a flood, or the single changes, may take."""
REST_S: Final = 0.3
"""Between two spans."""
CHUNK: Final = 4096
"""Bytes that a pseudo-terminal takes at once."""


@dataclass(frozen=True, slots=True)
class Result:
    """What was measured.

    Fields:
        rate: changes a second in the flood.
        flood_ms, singles_ms: processor time for a thousand changes, in the flood and singly.
        median_us, p99_us: from just before the device's write of a single change until the listener is told.
        silence_percent: processor time in silence, of one core.
    """

    rate: float
    flood_ms: float
    singles_ms: float
    median_us: float
    p99_us: float
    silence_percent: float


# The device -----------------------------------------------------------------------------------------------------------


class Bench:
    """A device on its port, told by standard input what to do.

    Args:
        fd: its end of the pseudo-terminal.
        device: what it says.
    """

    def __init__(self, fd: int, device: devices.Device) -> None:
        self._fd = fd
        self._device = device
        self._told = 0
        self._began = time.monotonic()
        self._beat_at = self._began
        os.set_blocking(fd, False)

    def _now(self) -> int:
        return int((time.monotonic() - self._began) * 1000)

    def wait(self, until: float, *others: int) -> list[int]:
        """Answer and beat up to a moment, or until one of the other files has something; return which."""
        while (left := until - time.monotonic()) > 0:
            beat_in = self._beat_at - time.monotonic()
            if beat_in <= 0:
                self._beat_at += BEAT_MS / 1000
                self._write(self._device.beat(self._now()))
                continue
            came = select.select([self._fd, *others], [], [], min(left, beat_in))[0]
            self._answer(came)
            if others_came := [fd for fd in came if fd != self._fd]:
                return others_came
        return []

    def flood(self, changes: int) -> list[int]:
        """Tell of so many changes at once; none of them has a time."""
        now = self._now()
        period = [self._device.change(self._told + number, now) for number in range(devices.PERIOD)]
        self._told += changes
        self._write(b"".join(period) * (changes // devices.PERIOD))
        return []

    def singly(self, changes: int) -> list[int]:
        """Tell of so many changes one by one; return the nanoseconds just before each was written."""
        gaps = random.Random(SEED)
        stamps = []
        for _ in range(changes):
            self.wait(time.monotonic() + gaps.uniform(*GAPS_S))
            data = self._device.change(self._told, self._now())
            self._told += 1
            stamps.append(time.monotonic_ns())
            self._write(data)
        return stamps

    def _write(self, data: bytes) -> None:
        """Write all, and hear meanwhile what the host says, so that both can go on."""
        view = memoryview(data)
        while view:
            with contextlib.suppress(BlockingIOError):
                view = view[os.write(self._fd, view[:CHUNK]) :]
                continue
            self._answer(select.select([self._fd], [self._fd], [])[0])

    def _answer(self, came: list[int]) -> None:
        if self._fd in came:
            answer = self._device.answer(os.read(self._fd, CHUNK))
            if answer:
                self._write(answer)


def serve(fd: int, name: str) -> None:
    """Be the device of the entrant of that name until standard input, or the port, ends."""
    bench = Bench(fd, entrant(name).device())
    _say("ready")
    with contextlib.suppress(OSError):  # the listener has gone
        while True:
            if not bench.wait(time.monotonic() + 3600, sys.stdin.fileno()):
                continue
            order = sys.stdin.readline().split()
            if not order:
                return
            what, changes = order[0], int(order[1])
            _say(json.dumps(bench.flood(changes) if what == "flood" else bench.singly(changes)))


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def started(name: str) -> tuple[str, "subprocess.Popen[str]"]:
    """Start a device, which ends by itself with this process; return the path of its port once it is ready."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    code = f"from tests.bench.wire_race import serve; serve({master}, {name!r})"
    process = subprocess.Popen(
        [sys.executable, "-c", code], pass_fds=(master,), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    os.close(master)
    assert process.stdout is not None
    process.stdout.readline()
    return os.ttyname(slave), process


# The listener ---------------------------------------------------------------------------------------------------------


def entrant(name: str) -> Entrant:
    """Return the entrant of that name."""
    return next(each for each in ENTRANTS if each.name == name)


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


class Listener:
    """A way to listen, and the device that it listens to.

    Args:
        entrant: it.
        path: the device's port.
        process: the device.
    """

    def __init__(self, entrant: Entrant, path: str, process: "subprocess.Popen[str]") -> None:
        self._entrant = entrant
        self._ear = Ear()
        self._process = process
        self._told = 0
        self._kept = entrant.host(path, self._ear)

    def _order(self, what: str, changes: int) -> tuple[Any, float, float]:
        """Have the device tell of changes; return its answer, and wall-clock and processor time until all were heard.

        Raises:
            RuntimeError: what was heard is not what was told.
        """
        orders: IO[str] | None = self._process.stdin
        answers: IO[str] | None = self._process.stdout
        assert orders is not None
        assert answers is not None
        self._ear.expect(changes, stamping=what == "singly")
        began, used = time.monotonic(), _cpu()
        orders.write(f"{what} {changes}\n")
        orders.flush()
        full = self._ear.full.wait(PATIENCE_S)
        took, used = time.monotonic() - began, _cpu() - used
        if not full:
            raise RuntimeError(f"{self._ear.missing} of {changes} changes were not told within {PATIENCE_S:.0f} s")
        answer = json.loads(answers.readline())
        time.sleep(REST_S)
        self._check(changes)
        return answer, took, used

    def _check(self, changes: int) -> None:
        self._told += changes
        last = dict(devices.changed(self._told - devices.CELLS + number) for number in range(devices.CELLS))
        if self._ear.missing:
            raise RuntimeError(f"{-self._ear.missing} changes were told that did not happen")
        if self._told >= devices.CELLS and not self._entrant.counts_only:
            wrong = [cell for cell, reading in last.items() if self._ear.readings[cell] != reading]
            if wrong:
                raise RuntimeError(f"cells {wrong} read wrongly in the end")

    def measure(self, flood: int, singles: int, silence_s: float) -> Result:
        """Measure all three spans."""
        time.sleep(REST_S)
        began, used = time.monotonic(), _cpu()
        time.sleep(silence_s)
        silent, used = time.monotonic() - began, _cpu() - used
        _, took, flooded = self._order("flood", flood)
        stamps, _, worked = self._order("singly", singles)
        late = sorted((heard - told) / 1000 for heard, told in zip(self._ear.stamps, stamps, strict=True))
        return Result(
            rate=flood / took,
            flood_ms=flooded / flood * 1e6,
            singles_ms=worked / singles * 1e6,
            median_us=late[singles // 2],
            p99_us=late[singles * 99 // 100],
            silence_percent=used / silent * 100,
        )


def run(name: str, flood: int = 0, singles: int = 0, silence_s: float = SILENCE_S) -> Result:
    """Measure the entrant of that name, with as many changes as suit it where 0 are given. Its threads go on after."""
    entered = entrant(name)
    path, process = started(name)
    with contextlib.redirect_stdout(io.StringIO()):  # some libraries greet
        listener = Listener(entered, path, process)
        return listener.measure(flood or entered.flood, singles or entered.singles, silence_s)


def main(name: str, *spans: str) -> None:
    """Print the result, or an error in one line; and leave without waiting for anybody's threads."""
    try:
        told = json.dumps(asdict(run(name, *map(int, spans))))
    except Exception as error:  # noqa: BLE001 - a library may fail as it likes, and is then named
        told = json.dumps({"error": f"{type(error).__name__}: {error}"})
    _say(told)
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
