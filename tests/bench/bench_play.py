"""From a stone to light, and what a running game costs: latency at each depth, start, memory, idle processor time.

Latencies are wall-clock times of one thread, from a cell change entering the table to the bytes of the frame leaving
the lamps, each change after the board has been at rest. The process figures are of a real `stonelight play` with one
page's line open; memory and processor time are the kernel's own accounts in /proc.
"""

import json
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from websockets.sync.client import connect

from controller.app.rig import Rig
from controller.app.simulated import Via, simulated_rig
from controller.games.seam import AnyRules, Outcome, load_game
from controller.lighting.glow import FRAME_MS, Glow, render
from controller.lighting.language import Meaning
from hardware.pixels import Chain, PixelEncoder
from hardware.ports import CellChange, Sensing
from hardware.ws2812 import encode
from tests.bench import Figure

CHANGES = 1500
"""Changes measured for one latency."""
IDLE_SECONDS = 10
"""How long an idle game is watched."""


def run() -> Iterator[Figure]:
    for name, via, sensing in (
        ("bamogo, colour, memory", Via.MEMORY, Sensing.COLOUR),
        ("bamogo, presence, pins", Via.PINS, Sensing.PRESENCE),
    ):
        times = latencies(rig_of("bamogo", via, sensing))
        yield Figure(f"change to bytes, {name}, median", statistics.median(times) * 1e3, "ms")
        yield Figure(f"change to bytes, {name}, p99", sorted(times)[int(len(times) * 0.99)] * 1e3, "ms")
    for pixels in (91, 256):
        yield Figure(f"cue to SPI bytes, {pixels} pixels, median", statistics.median(cues(pixels)) * 1e3, "ms")
    yield from process()


def cues(pixels: int) -> list[float]:
    """Return the seconds from glows to the bytes for SPI, in frames of which each differs from the one before."""
    chain = Chain(tuple(range(pixels)), pixels, brightness=0.6, gamma=2.2, budget_ma=10.0 * pixels)
    encoder, ground = PixelEncoder(chain), bytes(3 * pixels)
    third = pixels // 3
    glows = [
        Glow(tuple(range(third)), Meaning.TOUCHED, 0),
        Glow(tuple(range(third, 2 * third)), Meaning.TARGET, 0),
        Glow(tuple(range(2 * third, pixels)), Meaning.WIN, 0),
    ]
    times = []
    for frame in range(400):
        start = time.perf_counter()
        encode(encoder.encode(render(glows, ground, frame * FRAME_MS)))
        times.append(time.perf_counter() - start)
    return times


def rig_of(game: str, via: Via, sensing: Sensing) -> Rig:
    rules = load_game(game).rules()

    def deal(outcome: Outcome | None = None, first: int | None = None) -> AnyRules:
        return rules

    return simulated_rig(deal, sensing, via)


def latencies(rig: Rig) -> list[float]:
    """Return the seconds from each change to its light."""
    rig.step(0)
    times, now = [], 0
    cells = len(rig.table.rules.cells)
    for number in range(CHANGES):
        now += 5000
        rig.step(now)
        change = [CellChange(number % cells, 1, now)]
        start = time.perf_counter()
        rig.table.take(change, now)
        rig.lamps.show(rig.table.frame(now))
        times.append(time.perf_counter() - start)
        rig.table.take([CellChange(number % cells, 0, now + 100)], now + 100)
        rig.step(now + 500)
    rig.close()
    return times


def process() -> Iterator[Figure]:
    """Yield the figures of a whole process."""
    starts, resident, idle = [], 0.0, 0.0
    for number in range(5):
        begun = time.perf_counter()
        game = subprocess.Popen(
            [sys.executable, "-m", "controller", "play", "bamogo", "--no-browser", "--http-port", "0"],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert game.stdout is not None
            address = next(line for line in game.stdout if line.startswith("http"))
            starts.append(time.perf_counter() - begun)
            if number == 0:
                resident, idle = watched(game.pid, address)
        finally:
            game.terminate()
            game.wait(10)
            if game.stdout is not None:
                game.stdout.close()
    yield Figure("command to page ready, first frame lit before", statistics.median(starts), "s")
    yield Figure("resident memory with a page open", resident, "MiB")
    yield Figure("idle, a page open, of one core", idle, "%")


def watched(pid: int, address: str) -> tuple[float, float]:
    """Return the resident memory in MiB and the processor time in percent of an idle game with a page open."""
    port = re.search(r":(\d+)/", address)
    assert port is not None
    with connect(f"ws://127.0.0.1:{port[1]}/live", max_size=None) as line:
        assert json.loads(line.recv())["type"] == "state"
        end = time.monotonic() + 4
        while (left := end - time.monotonic()) > 0:  # the page reads what it is sent, as a browser does
            drain(line, left)
        before, start = cpu(pid), time.monotonic()
        while time.monotonic() - start < IDLE_SECONDS:
            drain(line, 1)
        used = cpu(pid) - before
        status = Path(f"/proc/{pid}/status").read_text()
    memory = re.search(r"VmRSS:\s+(\d+)", status)
    assert memory is not None
    return int(memory[1]) / 1024, 100 * used / IDLE_SECONDS


def drain(line: object, seconds: float) -> None:
    try:
        line.recv(timeout=seconds)  # type: ignore[attr-defined]
    except TimeoutError:
        return


def cpu(pid: int) -> float:
    """Return the seconds of processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
