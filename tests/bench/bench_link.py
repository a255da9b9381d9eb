"""The wire to a micro-controller: framed changes parsed per second, and round trips over a pseudo-terminal.

The link is told of single changes, one in each frame, as a device sends them when stones move one by one. In the round
trips a device in a process of its own answers. What others make of a serial port is measured in `bench_link_peers`.
"""

import os
import pty
import select
import subprocess
import sys
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import serial

from hardware import wire
from hardware import wire_messages as says
from hardware.link import Link
from hardware.link_events import Laid, LinkEvent
from tests.bench import Figure, median_of

CHANGES = 256_000
"""Changes in one flood: a multiple of 256, so that the numbers of a second flood go on where the first ended."""
CELLS = 256
BATCH = says.MOST_CHANGES
TRIPS = 2000
ROUNDS = 5


def opened() -> tuple[Link, int]:
    """Return a link in a session with a board of 256 cells, and the session's number."""
    link = Link(nonce=0)
    link.begin(0)
    session = 2
    numbers = dict.fromkeys(says.HELLO_WORDS, 0) | {
        "protocol": says.PROTOCOL,
        "nonce": 1,
        "cells": CELLS,
        "top": 1,
        "channels": 3,
    }
    numbers |= {"scan_ms": 20, "busy_ms": 5, "samples": 3, "agree_ms": 10}
    link.receive(0, wire.seal(bytes((says.HELLO, session)) + says.pack_hello(numbers, "", "", [])))
    for number in range(2):
        part = says.pack_snapshot(0, 128 * number, says.SNAP_LAST * number, bytes(128))
        link.receive(0, wire.seal(bytes((says.SNAPSHOT, session, number)) + part))
    link.outgoing()
    return link, session


def flood(changes: int, each: int) -> bytes:
    """Return framed changes, `each` a frame, numbered from 2 on."""
    entries = [(k % 91, k // 91 & 1, 12) for k in range(changes)]
    frames = [
        wire.seal(bytes((says.CHANGES, 2, number + 2 & 255)) + says.pack_changes(number // 8, entries[at : at + each]))
        for number, at in enumerate(range(0, changes, each))
    ]
    return b"".join(frames)


def parsed(data: bytes) -> Iterator[list[LinkEvent]]:
    """Give `data` to a link in pieces, as a port does."""
    link, _ = opened()
    for at in range(0, len(data), 4096):
        yield link.receive(0, data[at : at + 4096])
        link.outgoing()


def in_memory(data: bytes, changes: int) -> Callable[[], float]:
    def measure() -> float:
        began = time.process_time()
        told = sum(map(len, parsed(data)))
        assert told == changes
        return changes / (time.process_time() - began)

    return measure


# Over a pseudo-terminal -----------------------------------------------------------------------------------------------


def device(fd: int, what: str) -> None:
    """What the process at the other end does: echo, or be the firmware."""
    os.set_blocking(fd, True)
    if what == "firmware":
        _firmware(fd)
    while data := os.read(fd, 4096):
        os.write(fd, data)


def _firmware(fd: int) -> None:
    """The firmware in real time: it sleeps until something comes or is due."""
    from simulator.device import Board, InProcess

    os.set_blocking(fd, False)
    plan = {"cells": CELLS, "driver": "chain", "load": "a", "clock": "b", "data": "c", "registers": 32}
    runner = InProcess(plan)
    runner.start(fd, 0, 0)
    board = Board(bytes(CELLS), b"")
    began = time.monotonic()
    wait = 0
    while True:
        came = select.select([fd], [], [], wait / 1000)[0]
        ready = _waiting(fd) if came else 0
        wait = runner.turn(int((time.monotonic() - began) * 1000), ready, board).due


def _waiting(fd: int) -> int:
    import array
    import fcntl
    import termios

    count = array.array("i", [0])
    fcntl.ioctl(fd, termios.FIONREAD, count)
    return count[0]


@contextmanager
def other_end(what: str) -> Iterator[str]:
    """Run a `device`; give the path of its port."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    code = f"from tests.bench.bench_link import device; device({master}, {what!r})"
    process = subprocess.Popen([sys.executable, "-c", code], pass_fds=(master,))
    os.close(master)
    try:
        yield os.ttyname(slave)
    finally:
        process.kill()
        process.wait()
        os.close(slave)


def trips(trip: Callable[[], None]) -> tuple[float, float]:
    """Return median and 99th percentile of so many round trips, in microseconds."""
    taken = []
    for _ in range(TRIPS):
        began = time.perf_counter()
        trip()
        taken.append((time.perf_counter() - began) * 1e6)
    taken.sort()
    return taken[TRIPS // 2], taken[TRIPS * 99 // 100]


def _figures(name: str, taken: tuple[float, float]) -> Iterator[Figure]:
    yield Figure(f"round trip, {name}, median", taken[0], "us")
    yield Figure(f"round trip, {name}, p99", taken[1], "us")


def round_trips() -> Iterator[Figure]:
    with other_end("echo") as path:
        port = serial.serial_for_url(path, timeout=5)
        fd = port.fileno()
        os.set_blocking(fd, True)

        def bare() -> None:
            os.write(fd, b"E 12 1\n")
            select.select([fd], [], [])
            os.read(fd, 64)

        def line() -> None:
            port.write(b"E 12 1\n")
            port.readline()

        bare()
        yield from _figures("bare os.read, 7 bytes echoed", trips(bare))
        yield from _figures("pyserial readline, 7 bytes echoed", trips(line))
        port.close()
    with other_end("firmware") as path:
        port = serial.serial_for_url(path, timeout=0)
        yield from _figures("link asks, firmware scans and answers", trips(_asking(port)))
        port.close()


def _asking(port: serial.Serial) -> Callable[[], None]:
    """Return what asks a device for a snapshot and waits for it."""
    fd = port.fileno()
    link = Link(nonce=1)
    began = time.monotonic()

    def until_laid() -> None:
        while True:
            now = int((time.monotonic() - began) * 1000)
            port.write(link.outgoing())
            if select.select([fd], [], [], 0.05)[0]:
                events = link.receive(now, os.read(fd, 4096))
                port.write(link.outgoing())
                if any(isinstance(event, Laid) for event in events):
                    return
            link.tick(now)

    def trip() -> None:
        link.ask_snapshot(int((time.monotonic() - began) * 1000))
        until_laid()

    link.begin(0)
    until_laid()
    return trip


def run() -> Iterator[Figure]:
    """Parsing first, since it needs nothing; then round trips."""
    yield Figure(
        "changes parsed, one a frame, in memory", median_of(ROUNDS, in_memory(flood(CHANGES, 1), CHANGES)), "changes/s"
    )
    many = CHANGES // BATCH * BATCH
    yield Figure(
        f"changes parsed, {BATCH} a frame, in memory",
        median_of(ROUNDS, in_memory(flood(many, BATCH), many)),
        "changes/s",
    )
    yield from round_trips()
