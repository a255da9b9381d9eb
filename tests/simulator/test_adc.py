"""Simulated converters, clock by clock as their data sheet draws them."""

import random

import pytest
from gpiozero import MCP3008, Device
from hypothesis import given
from hypothesis import strategies as st

from hardware.adc import AdcPins
from simulator.adc import McpChip, solder_chips
from simulator.pins import StonelightFactory


class Host:
    """A host that clocks one chip by hand."""

    def __init__(self, levels: list[float]) -> None:
        self.data = False
        self.asked: list[int] = []
        self.chip = McpChip(self._input, lambda: self.data)
        self.levels = levels

    def _input(self, channel: int) -> float:
        self.asked.append(channel)
        return self.levels[channel]

    def clock(self, bits: str) -> list[bool | None]:
        """Send bits; return what the chip says while the clock is high."""
        heard = []
        for bit in bits:
            self.data = bit == "1"
            self.chip.clock(True)
            heard.append(self.chip.out())
            self.chip.clock(False)
        return heard

    def ask(self, bits: str) -> list[bool | None]:
        self.chip.select(False)
        heard = self.clock(bits)
        self.chip.select(True)
        return heard


def as_bits(count: int) -> list[bool]:
    return [bool(count >> k & 1) for k in reversed(range(10))]


def test_the_answer_follows_as_in_figure_5_1() -> None:
    host = Host([0.0, 0.0, 0.0, 0b1011001110 / 1024, 0.0, 0.0, 0.0, 0.0])
    heard = host.ask("11011" + "0" * 32)
    assert heard[:6] == [None] * 6, "silent until the fifth clock after the start bit has fallen"
    assert heard[6] is False
    assert heard[7:17] == as_bits(0b1011001110)
    assert heard[17:26] == as_bits(0b1011001110)[:-1][::-1], "the same backwards, without the lowest bit again"
    assert heard[26:] == [False] * len(heard[26:])
    assert host.asked == [3]


@pytest.mark.parametrize("zeros", [0, 1, 7, 20])
def test_zeros_before_the_start_bit_are_waited_out(zeros: int) -> None:
    host = Host([k / 8 for k in range(8)])
    heard = host.ask("0" * zeros + "11101" + "0" * 12)
    assert heard[: zeros + 6] == [None] * (zeros + 6)
    assert heard[zeros + 7 :] == as_bits(5 * 128)


def test_each_select_begins_anew() -> None:
    host = Host([0.5, 0.25, 0, 0, 0, 0, 0, 0])
    host.ask("110")
    assert host.ask("11001" + "0" * 12)[7:] == as_bits(256)
    assert host.chip.out() is None


def test_a_chip_that_is_not_selected_hears_and_says_nothing() -> None:
    host = Host([0.5] * 8)
    assert host.clock("11000" + "0" * 12) == [None] * 17
    assert host.asked == []


def test_pairs_of_channels_are_told_as_their_difference() -> None:
    host = Host([0.75, 0.25, 0, 0, 0, 0, 0, 0])
    assert host.ask("10000" + "0" * 12)[7:] == as_bits(512)
    assert host.ask("10001" + "0" * 12)[7:] == as_bits(0), "never below zero"


@pytest.mark.parametrize(("level", "count"), [(-0.1, 0), (0.0, 0), (0.9999, 1023), (1.0, 1023), (1.2, 1023)])
def test_levels_beyond_the_reference_end_at_the_scale(level: float, count: int) -> None:
    assert Host([level] * 8).ask("11000" + "0" * 12)[7:] == as_bits(count)


@given(st.lists(st.integers(0, 1023), min_size=16, max_size=16), st.randoms(use_true_random=False))
def test_the_unmodified_class_reads_every_count_of_two_chips_in_any_order(
    counts: list[int], dice: random.Random
) -> None:
    factory = StonelightFactory()
    pins = AdcPins(21, 20, 19, (18, 17))
    channels = [(chip, channel) for chip in range(2) for channel in range(8)]
    solder_chips(factory, pins, channels, lambda number: counts[number] / 1024)
    before, Device.pin_factory = Device.pin_factory, factory
    try:
        order = list(range(16))
        dice.shuffle(order)
        for number in order[:6]:
            chip, channel = channels[number]
            with MCP3008(
                channel, clock_pin=21, mosi_pin=20, miso_pin=19, select_pin=pins.selects[chip], pin_factory=factory
            ) as device:
                assert device.raw_value == counts[number]
                assert device.voltage == pytest.approx(counts[number] * 3.3 / 1023, abs=0.01)
    finally:
        Device.pin_factory = before


def test_a_channel_without_an_input_is_at_ground() -> None:
    factory = StonelightFactory()
    pins = AdcPins(21, 20, 19, (18,))
    (chip,) = solder_chips(factory, pins, [(0, 2)], lambda _number: 0.5)
    asked = [chip._inputs(channel) for channel in range(8)]
    assert asked == [0, 0, 0.5, 0, 0, 0, 0, 0]
