"""A stone moves on a device, and the device's own pixels answer, through the controller: how long that takes.

The device is the firmware in a process of its own, behind a pseudo-terminal; it scans as soon as a stone moves, and a
change counts at once, so that scanning and debouncing are left out. The controller is a rig with the real event loop.
The time is taken in the device's process, from the stone to the bytes that its pixels get. The table is a game's
own, whose lights change under the stone.
"""

import asyncio
import contextlib
import os
import pty
import random
import select
import subprocess
import sys
import time
import tty
from collections.abc import Iterator

from controller.app.loop import Loop
from controller.app.on_serial import open_serial
from controller.app.rig import Rig
from controller.games.seam import load_game
from controller.match import Dealer
from controller.table.core import Table
from hardware.board_plan import board_plan
from hardware.profile import Profile, parse_profile
from tests.bench import Figure
from tests.bench.bench_link import _waiting

TRIPS = 200
"""Stones that are laid or lifted."""
CELLS = 16
CELL = 5
REST_S = 0.02
"""Between two stones, so that each is answered by itself."""
PROFILE = """
name = "bench"
title = "Bamogo on a Pico"
host = "pico"
[cells]
sensing = "presence"
layout = "grid"
files = 4
ranks = 4
driver = "matrix"
rows = [0, 1, 2, 3]
columns = [4, 5, 6, 7]
agree_samples = 1
agree_ms = 0
[lamps]
driver = "neopixel"
pin = 22
count = 40
budget_ma = 400
[lamps.track]
first = 16
count = 24
"""
"""A chain so short that the device sends its frames at once; longer ones it sends 30 times a second."""


def board() -> Profile:
    return parse_profile(PROFILE, "bench.toml")


def device(fd: int, told: int) -> None:
    """The firmware, and the hands on its board: move a stone, wait for other pixels, and so on; tell all times."""
    from simulator.device import Board, InProcess

    os.set_blocking(fd, False)
    plan = board_plan(board())
    runner = InProcess(plan)
    runner.start(fd, 0, 0)
    began = time.monotonic()
    closed = bytearray(CELLS)
    shown = moved = b""
    taken: list[float] = []
    at = 0.0
    next_at = began + 2.5
    wait = 0.0
    while len(taken) < TRIPS:
        came = select.select([fd], [], [], wait)[0]
        now = time.monotonic()
        if not moved and now >= next_at and shown:
            closed[CELL] ^= 1
            runner.station._scan_at = int((now - began) * 1000)  # the stone comes just before a scan
            at, moved = now, shown
        turn = runner.turn(int((now - began) * 1000), _waiting(fd) if came else 0, Board(bytes(closed), b""))
        if turn.shown is not None:
            shown = turn.shown
            if moved and shown != moved:
                taken.append((time.monotonic() - at) * 1e6)
                moved, next_at = b"", time.monotonic() + REST_S
        if moved and time.monotonic() - at > 1:
            moved, next_at = b"", time.monotonic() + REST_S  # this stone changed no light
        until = max(0.0, next_at - time.monotonic()) if not moved else 1.0
        wait = min(turn.due / 1000, until)
    taken.sort()
    os.write(told, f"{taken[TRIPS // 2]} {taken[TRIPS * 99 // 100]}\n".encode())
    select.select([], [], [], 60)


@contextlib.contextmanager
def _device() -> Iterator[tuple[str, int]]:
    master, slave = pty.openpty()
    tty.setraw(slave)
    back, told = os.pipe()
    code = f"from tests.bench.bench_serial_board import device; device({master}, {told})"
    process = subprocess.Popen([sys.executable, "-c", code], pass_fds=(master, told))
    os.close(master)
    os.close(told)
    try:
        yield os.ttyname(slave), back
    finally:
        process.kill()
        process.wait()
        os.close(slave)
        os.close(back)


async def _play(path: str, back: int) -> tuple[float, float]:
    """Return median and p99 in microseconds."""
    profile = board()
    table = Table(Dealer(load_game("bamogo"), None, {}, random.Random(1)), profile.sensing, track=24)
    rig = Rig(table, *open_serial(profile, path))
    done = asyncio.Event()
    asyncio.get_running_loop().add_reader(back, done.set)
    task = asyncio.ensure_future(Loop(rig).run())
    try:
        await done.wait()
        asyncio.get_running_loop().remove_reader(back)
        median, last = map(float, os.read(back, 200).split())
        return median, last
    finally:
        task.cancel()
        rig.close()


def run() -> Iterator[Figure]:
    """The whole way, there and back."""
    with _device() as (path, back):
        median, last = asyncio.run(_play(path, back))
    yield Figure("stone on the device to its pixels, through the table, median", median, "us")
    yield Figure("stone on the device to its pixels, through the table, p99", last, "us")
