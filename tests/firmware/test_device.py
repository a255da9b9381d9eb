"""The simulated micro-controller: the firmware behind a pseudo-terminal, in this process and under two interpreters."""

import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import serial

from hardware.link import Link, Stage
from hardware.link_events import Button, Down, Laid, LinkEvent, Up, Wanted
from hardware.ports import CellChange, DeviceError, Sensing
from simulator.device import Device, InChild, InProcess, Runner, micropython, read_exactly

PLAN: dict[str, Any] = {
    "board": "mat-16x16",
    "cells": 256,
    "driver": "chain",
    "load": "GP17",
    "clock": "GP18",
    "data": "GP16",
    "registers": 32,
    "pixels": 280,
    "pixel_pin": "GP22",
    "buttons": ["ok", "back"],
    "button_pins": ["GP10", "GP11"],
}
needs_micropython = pytest.mark.skipif(micropython() is None, reason="MicroPython has a wheel for x86-64 only")
RUNNERS = [
    pytest.param(lambda: InProcess(PLAN), id="this process"),
    pytest.param(lambda: InChild(PLAN, [sys.executable]), id="cpython"),
    pytest.param(lambda: InChild.under_micropython(PLAN), id="micropython", marks=needs_micropython),
]


class Hands:
    def __init__(self) -> None:
        self.on: set[int] = set()
        self.down: set[str] = set()

    def closed(self, cell: int) -> bool:
        return cell in self.on

    def pressed(self, button: str) -> bool:
        return button in self.down


class Desk:
    """A device on a cable, pyserial at the other end, and one clock."""

    def __init__(self, runner: Runner) -> None:
        self.now = 0
        self.hands = Hands()
        self.device = Device(PLAN, self.hands, runner)
        self.link = Link(Wanted(cells=256, sensing=Sensing.PRESENCE, pixels=280), nonce=11)
        self.incoming = 0
        self.restart: int | None = None
        self.plug()

    def plug(self) -> None:
        self.port = serial.serial_for_url(self.device.plug(self.now), exclusive=True, timeout=0)
        self.link.begin(self.now)

    def unplug(self) -> list[LinkEvent]:
        self.device.unplug()
        with pytest.raises(serial.SerialException, match="readiness to read but returned no data"):
            self.port.read(1)  # S1
        self.port.close()
        return self.link.end(self.now, "the cable is out")

    def run(self, until: int) -> list[LinkEvent]:
        """Lock-step: nothing moves before what was written has been read."""
        events: list[LinkEvent] = []
        while self.now < until:
            out = self.link.outgoing()
            self.port.write(out)
            turn = self.device.turn(self.now, len(out))
            data = read_exactly(self.port.fileno(), turn.written)
            events += self.link.receive(self.now, data) + self.link.tick(self.now)
            if turn.restart is not None:
                self.restart = turn.restart
            due = self.link.due()
            self.now = until if due is None else max(self.now + 1, min(turn.due, due, until))
        return events


@pytest.fixture(params=RUNNERS)
def desk(request: pytest.FixtureRequest) -> Iterator[Desk]:
    make: Callable[[], Runner] = request.param
    desk = Desk(make())
    yield desk
    desk.port.close()
    desk.device.close()


def test_the_whole_firmware_on_a_cable(desk: Desk) -> None:
    up, laid = desk.run(100)
    assert isinstance(up, Up)
    assert up.hello.board == "mat-16x16"
    assert isinstance(laid, Laid)
    assert laid.readings == (0,) * 256
    desk.hands.on = {0, 17, 255}
    desk.hands.down = {"back"}
    events = desk.run(200)
    assert [event[:2] for event in events if isinstance(event, CellChange)] == [(0, 1), (17, 1), (255, 1)]
    assert [(event.name, event.down) for event in events if isinstance(event, Button)] == [("back", True)]
    assert all(100 <= event.at <= 120 for event in events if isinstance(event, CellChange))
    desk.link.light(desk.now, bytes(k * 11 % 256 for k in range(840)))
    desk.run(400)
    assert desk.device.pixels == bytes(k * 11 % 256 for k in range(840))
    assert not any(isinstance(event, Down) for event in desk.run(3000))


def test_s1_unplug_and_plug_under_another_name(desk: Desk) -> None:
    desk.run(100)
    assert desk.unplug() == [Down("the cable is out", 100)]
    assert desk.device.path is None
    desk.hands.on = {9}
    desk.now = 5000
    desk.plug()
    up, laid = desk.run(5100)
    assert isinstance(up, Up)
    assert isinstance(laid, Laid)
    assert laid.readings[9] == 1


def test_s3_reset_mcu_is_over_within_a_second(desk: Desk) -> None:
    desk.run(100)
    desk.device.reset(desk.now, reason=5)
    desk.hands.on = {3}
    events = desk.run(1100)
    assert [type(event).__name__ for event in events] == ["Down", "Up", "Laid", "DeviceFault"]
    assert desk.link.stage is Stage.UP


def test_a_restart_is_handed_on(desk: Desk) -> None:
    desk.run(100)
    desk.link.restart(desk.now, 1)
    desk.run(150)
    assert desk.restart == 1


def test_c3_a_host_that_does_not_read_stops_nothing(desk: Desk) -> None:
    desk.run(100)
    for now in range(100, 20_000, 20):
        desk.hands.on ^= {5}
        desk.device.turn(now)  # and nobody reads
    assert any(desk.device.pixels)
    desk.now = 20_000
    while data := os.read(desk.port.fileno(), 65536):  # pyserial has set it to return at once
        desk.link.receive(desk.now, data)
    desk.hands.on = {77}
    events = desk.run(22_000)
    assert desk.link.stage is Stage.UP
    at = max(k for k, event in enumerate(events) if isinstance(event, Laid))
    laid = events[at]
    assert isinstance(laid, Laid)
    seen = {cell for cell, reading in enumerate(laid.readings) if reading}
    for event in events[at:]:
        if isinstance(event, CellChange):
            seen ^= {event.cell}
    assert seen == {77}


def test_a_plan_that_is_wrong_stops_the_child_with_its_words() -> None:
    runner = InChild(PLAN | {"cells": 0}, [sys.executable])
    device = Device(PLAN, Hands(), runner)
    device.plug(0)
    try:
        with pytest.raises(DeviceError, match="cells must be a whole number"):
            device.turn(0)
    finally:
        device.close()


def test_loading_the_firmware_leaves_no_name_behind() -> None:
    InProcess(PLAN)
    Desk(InProcess(PLAN)).device.close()
    assert not {"wire", "station", "talk", "plan", "lights"} & set(sys.modules)
