"""What the hardware room costs in Python: frames to bytes, scans through mock pins, debouncing. No device is there.

Medians of processor time. Run with ``python -m tests.bench hardware``.
"""

import os
import random
import time
import timeit
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from hardware import ws2812
from hardware.adc import GpiozeroAdcs
from hardware.analogue import field_scanner_on
from hardware.bands import ColourCells
from hardware.debounce import Debounce
from hardware.opening import scanner_on
from hardware.pixels import Chain, PixelEncoder
from hardware.ports import Source
from hardware.profile import load_profile
from hardware.strips import AdafruitStrip
from hardware.wiring import Pace
from simulator.adc import solder_chips
from simulator.pins import StonelightFactory, wide_wiring
from simulator.pixels import PixelTap, tap_neopixel
from tests.bench import Figure


class Still:
    """Contacts of which some are closed and nothing moves."""

    def closed(self, cell: int) -> bool:
        return cell % 3 == 0

    def pressed(self, button: str) -> bool:
        return False


def microseconds(work: Callable[[], Any], rounds: int = 7) -> float:
    """The median processor time of `work` in microseconds."""
    timer = timeit.Timer(work, timer=time.process_time)  # what other programs do does not count
    number, _ = timer.autorange()
    number = max(1, number // 10)
    return sorted(taken / number for taken in timer.repeat(rounds, number))[rounds // 2] * 1e6


def _write(strip: AdafruitStrip, pair: list[bytes], turn: Iterator[int]) -> None:
    strip.write(pair[next(turn) & 1])


def _poll(source: Source, clock: Iterator[int]) -> Any:
    return source.poll(next(clock))


def _feed(debounce: Debounce, flicker: tuple[int, int], clock: Iterator[int]) -> int:
    now = next(clock)
    return debounce.feed(now, flicker[now >> 3 & 1])


def frames() -> Iterator[tuple[str, float]]:
    """Frames to chain bytes, and those to SPI bytes."""
    dice = random.Random(1)
    for pixels, order in ((40, "GRB"), (91, "GRB"), (91, "GRBW"), (256, "GRB")):
        places = list(range(pixels))
        dice.shuffle(places)
        chain = Chain(tuple(places), pixels, order, 0.6, 2.2, (20.0,) * len(order), 1.0, 10.0 * pixels, 1.5)
        encoder = PixelEncoder(chain)
        frame = dice.randbytes(3 * pixels)
        data = encoder.encode(frame)
        yield (
            f"frame to bytes, {pixels} pixels {order}, dimmed",
            microseconds(partial(encoder.encode, frame)),
        )
        encoder.cover(range(0, pixels, 2))
        yield (
            f"frame to bytes, {pixels} pixels {order}, half covered",
            microseconds(partial(encoder.encode, frame)),
        )
        yield f"bytes to SPI, {pixels} pixels {order}", microseconds(partial(ws2812.encode, data))


def adafruit() -> Iterator[tuple[str, float]]:
    """The real NeoPixel class, when every pixel changes in every frame."""
    os.environ.setdefault("BLINKA_OS_AGNOSTIC", "1")
    for pixels in (40, 91, 256):
        strip = AdafruitStrip("NEOPIXEL", pixels, "GRB")
        untap = tap_neopixel(strip, PixelTap(pixels))
        pair = [bytes([k % 251 + j for k in range(3 * pixels)]) for j in (0, 4)]
        turn = iter(range(10**9))
        yield (
            f"bytes through NeoPixel, {pixels} pixels, all change",
            microseconds(partial(_write, strip, pair, turn)),
        )
        strip.close()
        untap()


def scans() -> Iterator[tuple[str, float]]:
    """Whole scans through gpiozero on simulated pins: cells, buttons, debouncing."""
    profile = load_profile("bamogo-4x4-presence")
    names = tuple(profile.buttons)
    boards = [("4 x 4 and 6 buttons", profile.wiring(), StonelightFactory())]
    for cells in (48, 91, 256):
        wiring, revision = wide_wiring(cells, names)
        boards.append((f"{cells} cells and 6 buttons", wiring, StonelightFactory(revision)))
    for title, wiring, factory in boards:
        factory.wire(wiring, Still())
        source = scanner_on(wiring, Pace(), factory, wait=lambda us: None)
        clock = iter(range(0, 10**12, 20))
        yield f"scan, {title}", microseconds(partial(_poll, source, clock))
        source.close()


def fields() -> Iterator[tuple[str, float]]:
    """Sixteen cells that feel fields: the whole scan bit by bit through gpiozero, and the judging of fields alone."""
    profile = load_profile("bamogo-4x4-colour")
    factory = StonelightFactory()
    pins, channels = profile.converters().pins(), profile.channels()
    solder_chips(factory, pins, channels, lambda number: 0.3 + number / 40)
    source = field_scanner_on(profile, GpiozeroAdcs(channels, pins, pin_factory=factory), factory)
    clock = iter(range(0, 10**12, 20))
    yield "scan, 16 fields bit by bit and 7 buttons", microseconds(partial(_poll, source, clock))
    source.close()
    cells = ColourCells(16, profile.field_bands())
    fields = [-60.0, 60.0, -16.0, 0.0] * 4
    cells.start(0, fields)
    yield "judging, 16 fields, quiet", microseconds(partial(cells.feed, 0, fields))


def debouncing() -> Iterator[tuple[str, float]]:
    """One reading: nothing new, and one contact on its way."""
    for cells in (16, 91, 256):
        quiet, busy = Debounce(cells), Debounce(cells)
        raw = (1 << cells) - 1
        quiet.start(0, raw)
        busy.start(0, raw)
        clock = iter(range(10**12))
        yield f"debounce, {cells} cells, quiet", microseconds(partial(quiet.feed, 0, raw))
        flicker = (raw, raw ^ 1)

        yield (
            f"debounce, {cells} cells, one changing",
            microseconds(partial(_feed, busy, flicker, clock)),
        )


def run() -> Iterator[Figure]:
    for group in (frames, adafruit, scans, fields, debouncing):
        for title, taken in group():
            yield Figure(title, taken, "us")
