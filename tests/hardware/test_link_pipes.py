"""Both ends of the wire, the controller's and the firmware's, joined by pipes that deliver badly.

Whatever a pipe does, once it delivers again the controller has told every change of every cell exactly once and in
order, every press, and the device shows the last frame.
"""

import random
from collections.abc import Callable
from typing import Any

import pytest

from hardware.link import Link, Stage
from hardware.link_events import Button, Cause, Down, Laid, LinkEvent, Noise, Up
from hardware.ports import CellChange
from simulator import device_parts
from simulator.device import firmware_modules

PLAN: dict[str, Any] = {
    "board": "mat-6",
    "cells": 36,
    "driver": "matrix",
    "rows": [f"GP{k}" for k in range(6)],
    "columns": [f"GP{k}" for k in range(6, 12)],
    "buttons": ["ok", "back"],
    "button_pins": ["GP14", "GP15"],
    "pixels": 40,
    "pixel_pin": "GP22",
    "samples": 1,
    "agree_ms": 0,
    "scan_ms": 10,
}


class Pipe:
    """One way of a wire, in simulated time: delivers in order, after spoiling what it likes."""

    def __init__(self, dice: random.Random, spoil: Callable[[random.Random, bytes], list[bytes]], late: int) -> None:
        self.open = True
        self._dice = dice
        self._spoil = spoil
        self._late = late
        self._under_way: list[tuple[int, bytes]] = []

    def put(self, now: int, data: bytes) -> None:
        if self.open and data:
            at = now + self._dice.randint(0, self._late)
            if self._under_way:
                at = max(at, self._under_way[-1][0])
            self._under_way += [(at, piece) for piece in self._spoil(self._dice, data)]

    def get(self, now: int) -> bytes:
        ready = [data for at, data in self._under_way if at <= now]
        self._under_way = [entry for entry in self._under_way if entry[0] > now]
        return b"".join(ready)

    def well(self) -> None:
        """Deliver everything from here on."""
        self._spoil, self._late = whole, 0


def whole(_dice: random.Random, data: bytes) -> list[bytes]:
    return [data]


def bytewise(_dice: random.Random, data: bytes) -> list[bytes]:
    return [data[at : at + 1] for at in range(len(data))]


def losing(dice: random.Random, data: bytes) -> list[bytes]:
    """Lose whole frames, one in five."""
    return [frame + b"\0" for frame in data.split(b"\0")[:-1] if dice.random() >= 0.2]


def chewing(dice: random.Random, data: bytes) -> list[bytes]:
    """Lose single bytes, one in a hundred, delimiters too."""
    return [bytes(byte for byte in data if dice.random() >= 0.01)]


def corrupting(dice: random.Random, data: bytes) -> list[bytes]:
    return [bytes(byte ^ (1 << dice.randrange(8)) if dice.random() < 0.01 else byte for byte in data)]


def doubling(dice: random.Random, data: bytes) -> list[bytes]:
    return [(frame + b"\0") * dice.choice((1, 1, 2, 3)) for frame in data.split(b"\0")[:-1]]


def chattering(dice: random.Random, data: bytes) -> list[bytes]:
    """Somebody else's text in between."""
    return [data, dice.choice((b"", b"", b"AT\r", b">>> ", b"x" * 300, b"\0\0"))]


class Port:
    """The device's end."""

    connected = True

    def __init__(self) -> None:
        self.out = b""
        self.came = b""
        self.full = False

    @property
    def in_waiting(self) -> int:
        return len(self.came)

    def read(self, count: int) -> bytes:
        data, self.came = self.came[:count], self.came[count:]
        return data

    def write(self, data: bytes) -> int:
        if self.full:
            return 0
        self.out += data
        return len(data)


class Bench:
    """A link, a device, two pipes, and one clock."""

    def __init__(self, spoil: Callable[[random.Random, bytes], list[bytes]], late: int = 0, seed: int = 1) -> None:
        dice = random.Random(seed)
        self.now = 0
        self.up = Pipe(dice, spoil, late)
        self.down = Pipe(dice, spoil, late)
        self.link = Link(nonce=seed)
        self.link.begin(0)
        self.events: list[LinkEvent] = []
        self.closed = bytearray(36)
        self.pressed = bytearray(2)
        self.start()

    def start(self) -> None:
        """Give the device power."""
        modules = firmware_modules()
        plan = modules["plan"].check(PLAN)
        self.port = Port()
        self.hw = device_parts.Hardware(plan, self.port)
        self.station = modules["station"].Station(plan, self.hw)
        self.began = self.now

    def run(self, milliseconds: int) -> None:
        for _ in range(milliseconds):
            self.now += 1
            self.hw.now = self.now - self.began
            self.hw.world.closed, self.hw.world.pressed = bytes(self.closed), bytes(self.pressed)
            self.port.came += self.down.get(self.now)
            self.station.tick(self.hw.now)
            self.up.put(self.now, self.port.out)
            self.port.out = b""
            self.events += self.link.receive(self.now, self.up.get(self.now))
            self.events += self.link.tick(self.now)
            self.down.put(self.now, self.link.outgoing())

    def until_laid(self) -> None:
        for _ in range(20_000):
            if any(isinstance(event, Laid) for event in self.events):
                return
            self.run(1)
        raise AssertionError("no session came about")


PIPES = [
    pytest.param(whole, 0, id="whole"),
    pytest.param(bytewise, 0, id="byte by byte"),
    pytest.param(losing, 0, id="losing frames"),
    pytest.param(chewing, 0, id="losing bytes"),
    pytest.param(corrupting, 0, id="corrupting"),
    pytest.param(doubling, 0, id="doubling"),
    pytest.param(whole, 40, id="late"),
    pytest.param(chattering, 0, id="chattering"),
    pytest.param(losing, 40, id="losing and late"),
]


@pytest.mark.parametrize(("spoil", "late"), PIPES)
def test_everything_arrives_once_and_in_order(spoil: Callable[[random.Random, bytes], list[bytes]], late: int) -> None:
    bench = Bench(spoil, late)
    bench.until_laid()
    begun = len(bench.events)
    dice = random.Random(7)
    done: list[tuple[int, int]] = []
    presses = 0
    for _ in range(60):
        cell = dice.randrange(36)
        bench.closed[cell] ^= 1
        done.append((cell, bench.closed[cell]))
        if dice.random() < 0.3:
            bench.pressed[0] ^= 1
            presses += bench.pressed[0]
        bench.link.light(bench.now, bytes([dice.randrange(256)]) * 120)
        bench.run(dice.randint(30, 90) + late)  # not so fast that a slow way runs out of room
    bench.up.well()
    bench.down.well()
    bench.run(5000)
    later = bench.events[begun:]
    assert bench.link.stage is Stage.UP
    if not any(isinstance(event, Down) for event in later):
        # The session has held: nothing is missing, nothing is twice.
        assert [event[:2] for event in later if isinstance(event, CellChange)] == done
        assert sum(isinstance(event, Button) and event.down for event in later) == presses
        assert not any(isinstance(event, Laid) for event in later)
    else:
        # Only a pipe that spoils nearly everything ends a session; the picture is whole all the same.
        assert spoil in (losing, corrupting, chewing, chattering)
    readings = list(next(event for event in reversed(bench.events) if isinstance(event, Laid)).readings)
    at = max(k for k, event in enumerate(bench.events) if isinstance(event, Laid))
    for event in bench.events[at:]:
        if isinstance(event, CellChange):
            readings[event.cell] = event.reading
    assert readings == list(bench.closed)
    frame = bench.link._frame
    assert bench.hw.strip.shown == frame


def test_changes_are_told_at_the_time_of_the_scan_that_saw_them() -> None:
    bench = Bench(whole, late=30)
    bench.until_laid()
    bench.run(3000)
    for _ in range(20):
        before = len(bench.events)
        bench.closed[5] ^= 1
        at = bench.now
        bench.run(100)
        (moved,) = (event for event in bench.events[before:] if isinstance(event, CellChange))
        assert at < moved.at <= at + 12


def test_c3_a_host_that_stops_reading_finds_a_snapshot_when_it_comes_back() -> None:
    bench = Bench(whole)
    bench.until_laid()
    bench.run(100)
    written = len(bench.events)
    bench.up.open = False  # what the device sends goes nowhere, and nothing acknowledges it
    for _ in range(60):
        bench.closed[3] ^= 1
        bench.run(12)
    bench.closed[4] = 1
    bench.up.open = True
    bench.run(1500)
    laid = [event for event in bench.events[written:] if isinstance(event, Laid)]
    assert [event.cause for event in laid] == [Cause.LOST]
    assert list(laid[0].readings) == list(bench.closed)


def test_c3_the_device_goes_on_scanning_and_lighting_while_nothing_is_taken() -> None:
    bench = Bench(whole)
    bench.until_laid()
    bench.port.full = True
    bench.down.open = False
    for _ in range(100):
        bench.closed[3] ^= 1
        bench.run(12)
    assert bench.station.talk.dropped > 0
    bench.run(20_000)  # greetings to nobody pile up, to a bound
    talk = bench.station.talk
    assert talk._kept == sum(map(len, talk._out)) <= 2048
    assert bench.station.cells.raw_value(3) == 65535 * bench.closed[3]
    assert any(bench.hw.strip.shown)  # the calm pattern


def test_a_device_that_starts_anew_in_the_middle_is_picked_up_by_itself() -> None:
    bench = Bench(whole)
    bench.until_laid()
    bench.run(500)
    bench.closed[7] = 1
    bench.start()
    before = len(bench.events)
    bench.run(1500)
    down, up, laid = (event for event in bench.events[before:] if not isinstance(event, Noise))
    assert isinstance(down, Down)
    assert isinstance(up, Up)
    assert isinstance(laid, Laid)
    assert laid.readings[7] == 1
    assert up.at - bench.began < 1000


def test_a_controller_that_starts_anew_takes_over_the_device() -> None:
    bench = Bench(whole)
    bench.until_laid()
    bench.run(300)
    bench.link = Link(nonce=1)  # the very nonce and session of the first
    bench.link.begin(bench.now)
    before = len(bench.events)
    bench.run(3000)
    assert bench.link.stage is Stage.UP
    bench.closed[9] = 1
    bench.run(50)
    assert any(isinstance(event, CellChange) and event.cell == 9 for event in bench.events[before:])


def test_a_cable_that_is_out_for_a_while_ends_the_session_on_both_ends() -> None:
    bench = Bench(whole)
    bench.until_laid()
    bench.up.open = bench.down.open = False
    bench.run(2500)
    assert next(event.why for event in bench.events if isinstance(event, Down)).startswith("the board has gone silent")
    bench.run(600)
    assert not bench.station.talk.up
    bench.up.open = bench.down.open = True
    began = bench.now
    bench.run(1500)
    assert bench.link.stage is Stage.UP
    last = [event for event in bench.events if isinstance(event, Laid)][-1]
    assert last.at - began < 1000
