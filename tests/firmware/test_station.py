"""The whole device in one turn of its loop: lights, faults, statistics, and what happens when a turn fails."""

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import pytest

from hardware import wire
from hardware import wire_messages as says
from hardware.link import Link
from hardware.link_events import Configured, DeviceFault, Down, FaultCode, LinkEvent, Raw, Settings, Statistics, Up
from simulator import device_parts
from simulator.device import firmware_modules

PLAN: dict[str, Any] = {
    "cells": 16,
    "driver": "chain",
    "load": "GP17",
    "clock": "GP18",
    "data": "GP16",
    "registers": 2,
    "pixels": 24,
    "pixel_pin": "GP22",
    "buttons": ["ok"],
    "button_pins": ["GP10"],
}


class Port:
    connected = True

    def __init__(self) -> None:
        self.out = self.came = b""

    @property
    def in_waiting(self) -> int:
        return len(self.came)

    def read(self, count: int) -> bytes:
        data, self.came = self.came[:count], self.came[count:]
        return data

    def write(self, data: bytes) -> int:
        self.out += data
        return len(data)


class Desk:
    """A device with a link that may be away."""

    def __init__(self, start: int = 0, reason: int = 0, **plan: Any) -> None:
        modules = firmware_modules()
        checked = modules["plan"].check(PLAN | plan)
        self.port = Port()
        self.hw = device_parts.Hardware(checked, self.port, reason)
        self.hw.now = start
        self.station = modules["station"].Station(checked, self.hw)
        self.link: Link | None = None
        self.now = 0
        self.start = start

    def connect(self) -> None:
        self.link = Link(nonce=3)
        self.link.begin(self.now)

    def run(self, milliseconds: int) -> list[LinkEvent]:
        events: list[LinkEvent] = []
        for _ in range(milliseconds):
            self.now += 1
            self.hw.now = self.start + self.now & 0x1FFFFFFF
            if self.link:
                self.port.came += self.link.outgoing()
            self.station.tick(self.hw.now)
            if self.link:
                events += self.link.receive(self.now, self.port.out) + self.link.tick(self.now)
            self.port.out = b""
        return events


def test_at_rest_it_writes_once_a_second_and_snapshots_ride_along() -> None:
    desk = Desk()
    desk.connect()
    desk.run(1000)
    writes: list[bytes] = []
    write = desk.port.write

    def noted(data: bytes) -> int:
        writes.append(data)
        return write(data)

    desk.port.write = noted  # type: ignore[method-assign]
    desk.run(10_000)
    assert len(writes) == pytest.approx(10, abs=1)
    kinds = [[item[0] for item in wire.Deframer().feed(data) if isinstance(item, bytes)] for data in writes]
    assert all(says.BEAT in each for each in kinds)
    assert all(says.SNAPSHOT in each for each in kinds)
    assert sum(says.STATS in each for each in kinds) == 2


def test_what_goes_again_goes_with_a_heartbeat() -> None:
    """On a way that loses acknowledgements the answer to it is another one."""
    desk = Desk()
    desk.connect()
    desk.run(1100)
    writes: list[bytes] = []

    def noted(data: bytes) -> int:
        writes.append(data)
        return len(data)

    desk.port.write = noted  # type: ignore[method-assign]
    desk.hw.world.closed = bytes((1, *desk.hw.world.closed[1:]))
    desk.link = None
    desk.run(600)
    kinds = [[item[0] for item in wire.Deframer().feed(data) if isinstance(item, bytes)] for data in writes]
    assert kinds[0] == [says.CHANGES]
    assert len(kinds) == 4  # after 80, 160 and 320 ms
    assert kinds[1:] == [[says.CHANGES, says.BEAT]] * 3


def test_what_waits_is_written_together_as_far_as_it_is_short() -> None:
    desk = Desk()
    desk.connect()
    desk.run(500)
    talk = desk.station.talk
    writes: list[bytes] = []

    def taken_in_part(data: bytes) -> int:
        writes.append(data)
        return min(len(data), 200)

    desk.port.write = taken_in_part  # type: ignore[method-assign]
    for number in range(20):
        talk.mention(desk.now, says.STATS, bytes((number,)) * 20)
    talk._flush()
    assert [len(data) <= 256 for data in writes] == [True]
    talk._flush()
    taken = b"".join(data[:200] for data in writes)
    items = wire.Deframer().feed(taken)
    assert len(items) > 8
    assert [item[2] for item in items if isinstance(item, bytes) and item[0] == says.STATS] == [*range(len(items))]


def brightness(desk: Desk) -> list[int]:
    shown = desk.hw.strip.shown
    return [max(shown[3 * k : 3 * k + 3]) for k in range(len(shown) // 3)]


def test_without_a_word_the_lamps_fade_to_a_dim_breathing_pattern() -> None:
    desk = Desk()
    desk.connect()
    desk.run(100)
    assert desk.link is not None
    desk.link.light(desk.now, b"\xff" * 72)
    desk.run(100)
    assert brightness(desk) == [255] * 24
    desk.link = None
    desk.run(2700)
    assert brightness(desk) == [255] * 24
    desk.run(600)
    assert max(brightness(desk)) < 130
    seen = []
    for _ in range(60):
        desk.run(100)
        seen.append(brightness(desk))
    last = seen[-40:]
    assert all(level == 0 for frame in last for k, level in enumerate(frame) if k % 8)
    assert max(frame[0] for frame in last) == 12
    assert min(frame[0] for frame in last) == 0
    desk.connect()
    desk.run(100)
    assert brightness(desk) == [0] * 24


def test_long_chains_get_30_frames_a_second_and_never_while_busy() -> None:
    desk = Desk(pixels=280)
    desk.connect()
    desk.run(100)
    assert desk.link is not None
    before = desk.station.lights.frames
    for level in range(1000):
        desk.link.light(desk.now, bytes((level & 255,)) * 840)
        desk.run(1)
    assert 25 <= desk.station.lights.frames - before <= 31
    desk.hw.strip.busy = True
    before = desk.station.lights.frames
    desk.link.light(desk.now, b"\1" * 840)
    desk.run(200)
    assert desk.station.lights.frames == before
    desk.hw.strip.busy = False
    desk.run(1)
    assert desk.hw.strip.shown == b"\1" * 840


def test_a_broken_chain_is_told_when_it_begins_when_it_ends_and_to_each_new_session() -> None:
    desk = Desk()
    desk.connect()
    desk.run(100)
    desk.hw.world.broken = True
    (fault,) = desk.run(100)
    assert isinstance(fault, DeviceFault)
    assert (fault.code, fault.on, fault.detail) == (FaultCode.CHAIN, True, 0xFF)
    desk.connect()
    assert [event.code for event in desk.run(100) if isinstance(event, DeviceFault)] == [FaultCode.CHAIN]
    desk.hw.world.broken = False
    (fault,) = desk.run(100)
    assert isinstance(fault, DeviceFault)
    assert not fault.on


@pytest.mark.parametrize(("reason", "told"), [(0, 0), (1, 1), (2, 0), (5, 1), (8, 1)])
def test_a_start_after_a_brownout_a_watchdog_or_a_crash_is_a_fault(reason: int, told: int) -> None:
    desk = Desk(reason=reason)
    desk.connect()
    faults = [event for event in desk.run(100) if isinstance(event, DeviceFault)]
    assert [(event.code, event.detail) for event in faults] == [(FaultCode.RESET, reason)] * told


def test_settings_statistics_and_raw_values() -> None:
    desk = Desk()
    desk.connect()
    desk.run(100)
    assert desk.link is not None
    desk.link.configure(desk.now, Settings(50, 10, 2, 20))
    assert next(event for event in desk.run(30) if isinstance(event, Configured)).settings == Settings(50, 10, 2, 20)
    desk.run(10_000)
    desk.link.ask_statistics(desk.now)
    statistics = [event for event in desk.run(30) if isinstance(event, Statistics)]
    desk.link.watch_raw(desk.now, on=True)
    raw = [event for event in desk.run(200) if isinstance(event, Raw)]
    desk.link.watch_raw(desk.now, on=False)
    desk.run(100)
    assert statistics[-1].up_s == 10
    assert 18 <= [event for event in desk.run(6000) if isinstance(event, Statistics)][-1].scans <= 21
    assert len(raw) >= 3
    assert raw[0].values == (0,) * 16
    assert not [event for event in desk.run(200) if isinstance(event, Raw)]
    desk.connect()
    up = next(event for event in desk.run(50) if isinstance(event, Up))
    assert up.hello.settings == Settings(50, 10, 2, 20)


def test_all_goes_on_where_the_clock_of_the_device_wraps() -> None:
    desk = Desk(start=0x1FFFFFFF - 700)
    desk.connect()
    events = desk.run(3000)
    assert not any(isinstance(event, Down) for event in events)
    desk.hw.world.closed = b"\1" + bytes(15)
    assert len(desk.run(60)) == 1


def test_a_restart_is_asked_for() -> None:
    desk = Desk()
    desk.connect()
    desk.run(100)
    assert desk.link is not None
    desk.link.restart(desk.now, 1)
    desk.run(10)
    assert desk.hw.restarts == [1]


class Unwell(device_parts.Hardware):
    """Hardware whose clock raises, as a bug would."""

    error: Exception | None = None
    given_up = 0
    fed = 0

    def ticks(self) -> int:
        if self.error:
            raise self.error
        return super().ticks()

    def feed(self) -> None:
        self.fed += 1

    def give_up(self) -> None:
        self.given_up += 1


@pytest.mark.parametrize(("error", "code"), [(MemoryError(), 5), (KeyError("x"), 7)])
def test_a_turn_that_fails_is_a_fault_and_some_in_a_row_a_restart(
    firmware: Mapping[str, ModuleType], error: Exception, code: int
) -> None:
    plan = firmware["plan"].check(PLAN)
    hw = Unwell(plan, Port())
    reported: list[Exception] = []
    loop = firmware["running"].Loop(plan, hw, reported.append)
    loop.turn()
    hw.error = error
    for _ in range(4):
        loop.turn()
    assert loop.station._faults == {code: 4}
    assert hw.given_up == 0
    hw.error = None
    loop.turn()
    assert loop.station._faults == {}
    hw.error = error
    for _ in range(5):
        loop.turn()
    assert hw.given_up == 1
    assert reported == [error] * 9
    assert hw.fed == 11


def test_restarts_out_of_safe_mode_are_counted(firmware: Mapping[str, ModuleType]) -> None:
    recovery = firmware["recovery"]
    memory = bytearray(b"\xff" * 3)
    assert not recovery.worth_a_restart(memory, "USER")
    assert [recovery.worth_a_restart(memory, "BROWNOUT") for _ in range(5)] == [True] * 3 + [False] * 2
    assert recovery.start_reason(memory, 2) == recovery.CRASH
    assert recovery.start_reason(memory, 2) == 2
    recovery.healthy(memory)
    assert recovery.worth_a_restart(memory, "HARD_FAULT")


def test_the_drive_is_in_sight_once_after_it_was_asked_for(firmware: Mapping[str, ModuleType]) -> None:
    recovery = firmware["recovery"]
    for fresh in (b"\xff\xff\xff", b"\0\0\0"):
        memory = bytearray(fresh)
        assert not recovery.drive_wanted(memory)
        recovery.want_drive(memory)
        assert recovery.drive_wanted(memory)
        assert not recovery.drive_wanted(memory)


def test_a_device_that_has_run_well_for_a_minute_says_so() -> None:
    desk = Desk()
    well: list[int] = []
    desk.hw.healthy = lambda: well.append(desk.now)  # type: ignore[method-assign]
    desk.run(59_000)
    assert well == []
    desk.run(2_000)
    assert well == [60_000]
