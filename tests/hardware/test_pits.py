"""Optical pits: lit minus dark through multiplexers, hands, and three hundred quiet milliseconds."""

from typing import Any

import pytest
from gpiozero import DigitalOutputDevice, GPIOPinInUse
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.adc import SpidevAdcs
from hardware.multiplexers import Multiplexed
from hardware.opening import source_on
from hardware.pits import PitJudge, PitsSource
from hardware.ports import UNKNOWN, ButtonPress, CellChange, LinkNews, Snapshot
from hardware.profile import parse_profile
from simulator.pins import StonelightFactory

LEVELS = ((40, 300), (60, 260))
SELECTS, EMITTER = (2, 3, 4, 22), 6


class Pits:
    """An MCP3008 behind multiplexers, with light: the value of a channel is daylight, plus what the pit reflects."""

    max_speed_hz = mode = 0

    def __init__(self, factory: StonelightFactory, pits: int) -> None:
        self.factory = factory
        self.daylight = 100
        self.reflects = [0] * pits
        self.swept: list[tuple[int, bool]] = []
        self.dead = False
        self.closed = False

    def open(self, bus: int, device: int) -> None:
        assert (bus, device) == (1, 0)

    def xfer2(self, data: list[int]) -> list[int]:
        if self.dead:
            raise OSError("no answer")
        driven = self.factory.driven
        address = sum(driven[pin] << bit for bit, pin in enumerate(SELECTS))
        lit = driven.get(EMITTER, False)
        self.swept.append((address, lit))
        pit = 16 * ((data[1] >> 4) - 8) + address
        value = self.daylight + (self.reflects[pit] if lit and pit < len(self.reflects) else 0)
        return [0, value >> 8, value & 0xFF]

    def close(self) -> None:
        self.closed = True


def multiplexed(pits: int, inputs: tuple[int, ...]) -> tuple[Multiplexed, Pits, list[int]]:
    factory = StonelightFactory()
    chip = Pits(factory, pits)
    waits: list[int] = []
    adcs = SpidevAdcs([(0, 0), (0, 1)], 1, lambda: chip, ends_are_faults=False)
    values = Multiplexed(adcs, SELECTS, EMITTER, inputs, settle_us=50, wait=waits.append, pin_factory=factory)
    return values, chip, waits


def free(factory: StonelightFactory, *pins: int) -> bool:
    """Whether all these pins can be taken."""
    for pin in pins:
        DigitalOutputDevice(pin, pin_factory=factory).close()
    return True


def test_a_reading_is_lit_minus_dark_whatever_the_daylight() -> None:
    values, chip, _ = multiplexed(20, tuple(range(20)))
    chip.reflects = [10 * pit for pit in range(20)]
    for chip.daylight in (0, 100, 700):
        assert values.read() == chip.reflects
    values.close()


def test_cells_may_be_wired_in_any_order_and_unused_addresses_are_left_out() -> None:
    values, chip, waits = multiplexed(20, (17, 0, 3))
    chip.reflects = list(range(20))
    assert values.read() == [17, 0, 3]
    assert {address for address, _ in chip.swept} == {0, 1, 3}
    assert waits == [50] * 6, "once after each switch: three addresses, dark and lit"


def test_the_light_is_off_between_readings_and_after_a_failure() -> None:
    values, chip, _ = multiplexed(2, (0, 1))
    values.read()
    assert not chip.factory.driven[EMITTER]
    chip.swept.clear()
    original = chip.xfer2

    def fail_when_lit(data: list[int]) -> list[int]:
        if chip.factory.driven[EMITTER]:
            raise OSError("no answer")
        return original(data)

    chip.xfer2 = fail_when_lit  # type: ignore[method-assign]
    with pytest.raises(OSError, match="no answer"):
        values.read()
    assert not chip.factory.driven[EMITTER]


def test_without_a_light_values_are_as_they_are() -> None:
    factory = StonelightFactory()
    chip = Pits(factory, 2)
    adcs = SpidevAdcs([(0, 0)], 1, lambda: chip, ends_are_faults=False)
    values = Multiplexed(adcs, SELECTS, None, (0, 1), settle_us=0, wait=lambda us: None, pin_factory=factory)
    assert values.read() == [100, 100]
    values.close()
    values.close()
    assert free(factory, *SELECTS, EMITTER)
    assert chip.closed


def test_a_pin_that_is_taken_leaves_nothing_open() -> None:
    factory = StonelightFactory()
    chip = Pits(factory, 2)
    adcs = SpidevAdcs([(0, 0)], 1, lambda: chip)
    with DigitalOutputDevice(EMITTER, pin_factory=factory), pytest.raises(GPIOPinInUse):
        Multiplexed(adcs, SELECTS, EMITTER, (0,), settle_us=0, wait=lambda us: None, pin_factory=factory)
    assert free(factory, *SELECTS)
    assert chip.closed


def test_a_hand_disturbs_a_pit_until_it_has_been_gone_for_300_ms() -> None:
    judge = PitJudge(LEVELS)
    judge.start(0, [40, 260])
    assert judge.readings == [0, 1]
    assert judge.feed(20, [45, 255]) == [], "noise"
    assert judge.feed(40, [200, 260]) == [(0, UNKNOWN, 40)]
    assert judge.feed(60, [500, 260]) == []
    assert judge.feed(80, [310, 260]) == []
    assert judge.disturbed
    for now in range(100, 380, 20):
        assert judge.feed(now, [300, 260]) == []
    assert judge.feed(380, [300, 260]) == [(0, 1, 80)]
    assert not judge.disturbed


def test_each_movement_starts_the_wait_anew() -> None:
    judge = PitJudge(LEVELS)
    judge.start(0, [40, 60])
    judge.feed(100, [300, 60])
    judge.feed(380, [180, 60])
    assert judge.feed(660, [300, 60]) == []
    assert judge.feed(940, [300, 60]) == []
    assert judge.feed(960, [300, 60]) == [(0, 1, 660)]


def test_a_pit_that_wavers_about_half_way_stays_what_it_was() -> None:
    judge = PitJudge([(0, 200)])
    judge.start(0, [110])
    for now, value in enumerate((95, 105, 85, 115, 99) * 10):
        judge.feed(400 + now, [value])
    assert judge.readings == [1]


@given(st.lists(st.tuples(st.integers(1, 400), st.integers(0, 1023)), max_size=30))
@settings(deadline=None)
def test_a_pit_never_goes_from_empty_to_occupied_without_having_been_disturbed(steps: list[tuple[int, int]]) -> None:
    judge = PitJudge([(100, 500)])
    judge.start(0, [100])
    now, last, given_at = 0, 0, 0
    for pause, value in steps:
        now += pause
        before = judge.readings[0]
        for _, reading, since in judge.feed(now, [value]):
            assert reading != before
            if reading != UNKNOWN:
                assert now - since >= 300
            last, given_at = reading, now
    assert last in (0, 1, UNKNOWN)
    assert given_at <= now


PROFILE = """
name = "pits"
title = "Two ranks of pits on a Pi"
[cells]
sensing = "presence"
layout = "pits"
files = 4
driver = "mux"
selects = [2, 3, 4, 22]
adcs = [0]
emitter = 6
[cells.levels]
by_cell = { d4 = [10, 100] }
[buttons]
ok = 5
[lamps]
count = 16
budget_ma = 500
"""


def test_a_board_of_pits_on_a_pi() -> None:
    profile = parse_profile(PROFILE, "pits.toml")
    factory = StonelightFactory()

    class Board:
        held = False

        def closed(self, cell: int) -> bool:
            raise AssertionError

        def pressed(self, button: str) -> bool:
            return self.held

    board = Board()
    factory.wire(profile.wiring(), board)
    chip = Pits(factory, 16)
    source = source_on(profile, factory, wait=lambda us: None, make_spi=lambda: chip)
    assert isinstance(source, PitsSource)
    assert source.poll(0) == [Snapshot((0,) * 16, 0)]
    chip.reflects[15], board.held = 100, True
    heard = [each for now in range(1, 500) for each in source.poll(now)]
    assert [type(each) for each in heard] == [CellChange, ButtonPress, CellChange]
    assert [(each.cell, each.reading) for each in heard if isinstance(each, CellChange)] == [(15, UNKNOWN), (15, 1)]
    chip.dead = True
    heard = [each for now in range(500, 1500) for each in source.poll(now)]
    assert [type(each) for each in heard] == [LinkNews]
    chip.dead, chip.reflects[0] = False, 400
    heard = [each for now in range(1500, 2500) for each in source.poll(now)]
    assert [type(each) for each in heard] == [LinkNews, Snapshot]
    assert isinstance(heard[1], Snapshot)
    assert heard[1].readings == (1, *(0,) * 14, 1)
    source.close()
    source.close()
    assert source.due() is None
    assert source.poll(3000) == ()
    assert free(factory, *SELECTS, EMITTER)


def test_the_chip_behind_the_multiplexers_takes_its_bus() -> None:
    with pytest.raises(ValueError, match=r"cells.selects\[3\]: GPIO 17 .* already belongs to cells.driver"):
        parse_profile(PROFILE.replace("22]", "17]"), "pits.toml")


def test_the_due_time_is_that_of_the_next_scan() -> None:
    class Still:
        width = 1

        def read(self) -> list[int]:
            return [40]

        def close(self) -> None:
            """Nothing."""

    source: Any = PitsSource(Still(), PitJudge(LEVELS[:1]), scan_ms=20)
    assert source.due() == 0
    source.poll(0)
    assert source.due() == 20
    assert source.poll(19) == []
