"""Converters: bytes to counts over a pretended bus, gpiozero's class on simulated pins, chips that do not answer."""

import gc
import sys
from collections.abc import Sequence
from types import ModuleType

import pytest
from gpiozero import Device, GPIOPinInUse, OutputDevice

from hardware.adc import BUS_PINS, SPI_HZ, AdcPins, Channel, GpiozeroAdcs, SpidevAdcs
from hardware.header import BUSES
from hardware.ports import DeviceError
from simulator.adc import solder_chips
from simulator.pins import StonelightFactory, used_pins

PINS = BUS_PINS["spi1"]
BOARD: tuple[Channel, ...] = tuple((chip, channel) for chip in range(2) for channel in range(8))


class Bus:
    """Chips on SPI buses, as spidev shows them: one port object for each device that is opened."""

    def __init__(self, counts: dict[Channel, int]) -> None:
        self.counts = counts
        self.opened: list[tuple[int, int]] = []
        self.closed: list[tuple[int, int]] = []
        self.sent: list[list[int]] = []
        self.trouble: OSError | None = None
        self.stuck_high = False

    def port(self) -> "Port":
        return Port(self)


class Port:
    max_speed_hz = 0
    mode = 3

    def __init__(self, bus: Bus) -> None:
        self.bus = bus
        self.place = (-1, -1)

    def open(self, bus: int, device: int) -> None:
        if self.bus.trouble is not None:
            raise self.bus.trouble
        self.place = (bus, device)
        self.bus.opened.append(self.place)

    def xfer2(self, data: list[int]) -> Sequence[int]:
        assert (self.max_speed_hz, self.mode) == (SPI_HZ, 0)
        self.bus.sent.append(list(data))
        if self.bus.trouble is not None:
            raise self.bus.trouble
        start, command, last = data
        assert (start, command & 0x8F, last) == (1, 0x80, 0), "single-ended, nothing else"
        count = self.bus.counts.get((self.place[1], command >> 4 & 7), 0)
        noise = 0xF8 if not self.bus.stuck_high else 0xFC
        data[:] = [0xFF, noise | count >> 8, count & 0xFF]  # as spidev does: into the list that it was given
        return data

    def close(self) -> None:
        self.bus.closed.append(self.place)


@pytest.fixture
def bus() -> Bus:
    return Bus({place: 37 * number + 5 for number, place in enumerate(BOARD)})


def test_each_input_is_asked_for_with_three_bytes_of_its_own(bus: Bus) -> None:
    adcs = SpidevAdcs([(1, 7), (0, 0)], 1, bus.port)
    assert adcs.width == 2
    assert adcs.read() == [560, 5]
    assert adcs.read() == [560, 5]
    assert bus.sent == [[1, 0xF0, 0], [1, 0x80, 0]] * 2
    assert sorted(bus.opened) == [(1, 0), (1, 1)]


def test_all_counts_of_ten_bits_come_back_whole(bus: Bus) -> None:
    adcs = SpidevAdcs([(0, 3), (0, 4)], 0, bus.port)
    for count in range(1024):
        bus.counts.update({(0, 3): count, (0, 4): 512})
        assert adcs.read() == [count, 512]


def test_closing_closes_every_port_once(bus: Bus) -> None:
    adcs = SpidevAdcs(BOARD, 1, bus.port)
    adcs.close()
    adcs.close()
    assert sorted(bus.closed) == [(1, 0), (1, 1)]


@pytest.mark.parametrize(
    ("trouble", "says"),
    [
        (FileNotFoundError(2, "No such file"), r"/dev/spidev1.0 does not exist.*dtoverlay=spi1-2cs"),
        (PermissionError(13, "denied"), r"/dev/spidev1.0 may not be opened.*usermod -aG spi"),
        (OSError(16, "busy"), r"/dev/spidev1.0 cannot be opened .*busy.*no other program"),
    ],
)
def test_a_bus_that_cannot_be_had_says_what_to_do(bus: Bus, trouble: OSError, says: str) -> None:
    bus.trouble = trouble
    with pytest.raises(DeviceError, match=says):
        SpidevAdcs(BOARD, 1, bus.port)
    assert bus.opened == []


def test_the_other_bus_has_another_remedy(bus: Bus) -> None:
    bus.trouble = FileNotFoundError(2, "No such file")
    with pytest.raises(DeviceError, match=r"/dev/spidev0.0 .*raspi-config nonint do_spi 0"):
        SpidevAdcs(BOARD, 0, bus.port)


def test_a_second_chip_that_cannot_be_had_leaves_the_first_closed(bus: Bus) -> None:
    ports = iter([bus.port(), bus.port()])

    def port() -> Port:
        if bus.opened:
            bus.trouble = FileNotFoundError(2, "No such file")
        return next(ports)

    with pytest.raises(DeviceError, match=r"spidev1\.1 does not exist"):
        SpidevAdcs(BOARD, 1, port)
    assert bus.closed == [(1, 0)]


def test_without_spidev_it_is_said_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    with pytest.raises(DeviceError, match="apt install python3-spidev"):
        SpidevAdcs(BOARD, 1)


def test_spidev_itself_is_used_where_nothing_else_is_given(bus: Bus, monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("spidev")
    monkeypatch.setattr(module, "SpiDev", bus.port, raising=False)
    monkeypatch.setitem(sys.modules, "spidev", module)
    assert SpidevAdcs([(0, 1), (0, 2)], 1).read() == [42, 79]


def test_a_chip_whose_channels_are_all_at_one_end_does_not_answer(bus: Bus) -> None:
    adcs = SpidevAdcs(BOARD, 1, bus.port)
    bus.counts.update({(1, channel): 0 for channel in range(8)})
    with pytest.raises(OSError, match=r"select line 1 of SPI1 does not answer \(every channel reads 0\)"):
        adcs.read()
    bus.counts.update({(1, channel): 1023 for channel in range(8)})
    with pytest.raises(OSError, match="every channel reads 1023"):
        adcs.read()
    bus.counts[1, 5] = 1022
    assert adcs.read()[13] == 1022


def test_one_channel_at_an_end_is_a_matter_of_its_sensor(bus: Bus) -> None:
    bus.counts[0, 0] = 0
    assert SpidevAdcs(BOARD, 1, bus.port).read()[0] == 0
    assert SpidevAdcs([(0, 0)], 1, bus.port).read() == [0]


def test_an_answer_without_its_zero_is_none(bus: Bus) -> None:
    bus.stuck_high = True
    with pytest.raises(OSError, match=r"select line 0 of SPI1 .*zero before its answer is missing"):
        SpidevAdcs(BOARD, 1, bus.port).read()


def test_ends_may_be_no_faults(bus: Bus) -> None:
    dark = Bus({})
    assert SpidevAdcs([(0, 0), (0, 1)], 1, dark.port, ends_are_faults=False).read() == [0, 0]


def soldered(counts: list[int], factory: StonelightFactory) -> None:
    solder_chips(factory, PINS, BOARD, lambda number: (counts[number] + 0.5) / 1024)


def test_gpiozero_reads_the_same_chips_bit_by_bit() -> None:
    factory = StonelightFactory()
    counts = [1, *range(60, 1020, 64)]
    soldered(counts, factory)
    before = Device.pin_factory
    adcs = GpiozeroAdcs(BOARD, PINS, pin_factory=factory)
    assert Device.pin_factory is before, "gpiozero's own default is put back"
    assert adcs.width == 16
    assert adcs.read() == counts
    counts[:] = reversed(counts)
    assert adcs.read() == counts
    assert adcs.scan_ms == 24
    adcs.close()
    adcs.close()
    assert not any(pin.function == "output" for pin in factory.pins.values())


def test_gpiozero_tells_a_missing_chip_too() -> None:
    factory = StonelightFactory()
    adcs = GpiozeroAdcs(BOARD, PINS, pin_factory=factory)  # nothing is soldered to the pins
    with pytest.raises(OSError, match="the pins 21, 20, 19 does not answer"):
        adcs.read()
    adcs.close()


def test_a_pin_in_use_leaves_nothing_open() -> None:
    factory = StonelightFactory()
    with OutputDevice(17, pin_factory=factory), pytest.raises(GPIOPinInUse):
        GpiozeroAdcs(BOARD, PINS, pin_factory=factory)
    adcs = GpiozeroAdcs(BOARD, PINS, pin_factory=factory)
    assert {"GPIO17", "GPIO18", "GPIO19", "GPIO20", "GPIO21"} <= set(used_pins(factory))
    adcs.close()


def test_a_board_that_was_closed_leaves_the_next_one_on_its_pins_alone() -> None:
    first = StonelightFactory()
    soldered([512] * 16, first)
    adcs = GpiozeroAdcs(BOARD[:8], PINS, pin_factory=first)
    adcs.close()
    second = StonelightFactory()
    soldered([600] * 16, second)
    one = GpiozeroAdcs(BOARD[:8], PINS, pin_factory=second)
    gc.collect()
    other = GpiozeroAdcs(BOARD[8:], PINS, pin_factory=second)
    assert one.read() + other.read() == [600] * 16
    other.close()
    one.close()


def test_any_pins_will_do() -> None:
    factory = StonelightFactory()
    pins = AdcPins(clock=4, mosi=5, miso=6, selects=(12,))
    channels = [(0, channel) for channel in (7, 0, 3)]
    solder_chips(factory, pins, channels, lambda number: (100 * number + 50.5) / 1024)
    adcs = GpiozeroAdcs(channels, pins, pin_factory=factory)
    assert adcs.read() == [50, 150, 250]
    adcs.close()


@pytest.mark.parametrize("bus_name", sorted(BUS_PINS))
def test_the_pins_of_a_bus_are_those_of_the_ledger(bus_name: str) -> None:
    pins = BUS_PINS[bus_name]
    assert sorted((pins.clock, pins.mosi, pins.miso, *pins.selects)) == sorted(BUSES[bus_name])
