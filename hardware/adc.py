"""Analogue inputs through MCP3008 chips: eight channels of ten bits each, several chips on one bus.

`SpidevAdcs` reads them through the kernel's SPI driver, which is fast; `GpiozeroAdcs` through ``gpiozero.MCP3008``,
which works on any four pins and on simulated ones, bit by bit. Both are an `Adcs`.

A chip is asked with a start bit, a bit for single-ended and the number of the channel; it answers with a zero and ten
bits (Microchip MCP3004/3008 data sheet DS21295, section 6.1: three bytes there and back).
"""

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

from hardware.ports import DeviceError

CHIP_CHANNELS: Final = 8
FULL_SCALE: Final = 1023
"""The greatest count: the input is at the reference voltage, or above."""
SPI_HZ: Final = 1_000_000
"""Well under the 1.35 MHz that the chip bears at 2.7 V (DS21295, "Electrical characteristics")."""
BIT_BY_BIT_MS: Final = 1.5
"""What one reading bit by bit takes on a small Pi; an estimate, for telling how fast a board can be scanned."""

Channel: TypeAlias = tuple[int, int]
"""Which chip, from 0 in the order of the select lines, and which of its channels, 0 to 7."""


@dataclass(frozen=True, slots=True)
class AdcPins:
    """The pins of a bus with chips on it, by BCM number.

    Fields:
        clock, mosi, miso: shared by all chips.
        selects: the select line of each chip.
    """

    clock: int
    mosi: int
    miso: int
    selects: tuple[int, ...]


BUS_PINS: Final = {
    "spi0": AdcPins(11, 10, 9, (8, 7)),
    "spi1": AdcPins(21, 20, 19, (18, 17)),
}
"""The pins of the two buses, and their select lines in the order of the device numbers."""


class Adcs(Protocol):
    """Analogue inputs that are read all at once."""

    @property
    def width(self) -> int:
        """How many inputs."""

    def read(self) -> list[int]:
        """Return shape (width,): what each input is at, 0 to `FULL_SCALE`.

        Raises:
            OSError: the inputs cannot be read; asking again later may help.
        """

    def close(self) -> None:
        """Let go of the device. Twice is fine."""


class Spi(Protocol):
    """What `SpidevAdcs` uses of ``spidev.SpiDev``."""

    max_speed_hz: int
    mode: int

    def open(self, bus: int, device: int) -> None:
        """Open ``/dev/spidev<bus>.<device>``."""

    def xfer2(self, data: list[int]) -> Sequence[int]:
        """Send bytes under one select; return as many that came back."""

    def close(self) -> None:
        """Let go of the device."""


class SpidevAdcs:
    """Chips on a bus of the Pi, one at each select line.

    Args:
        channels: shape (width,): which chip and channel each input is at.
        bus: 0 or 1.
        make_spi: makes an SPI port; by default ``spidev.SpiDev``.
        ends_are_faults: whether a chip whose inputs are all at the same end of the scale does not answer. Optical
            sensors in the dark are there for good reason.

    Raises:
        DeviceError: spidev is not installed, or the bus is off, forbidden or busy; says which and what to do. Nothing
            stays open.
    """

    def __init__(
        self,
        channels: Sequence[Channel],
        bus: int,
        make_spi: Callable[[], Spi] | None = None,
        *,
        ends_are_faults: bool = True,
    ) -> None:
        self.width: Final = len(channels)
        self._where = f"SPI{bus}"
        self._channels = tuple(channels)
        self._ends_are_faults = ends_are_faults
        self._ports: dict[int, Spi] = {}
        make = make_spi or _spidev
        try:
            for chip in sorted({chip for chip, _ in channels}):
                self._ports[chip] = _opened(make(), bus, chip)
        except BaseException:
            self.close()
            raise
        # Three bytes: the start bit; single-ended and the channel; room for the rest of the answer.
        self._plan = [(self._ports[chip], chip, (8 + channel) << 4) for chip, channel in self._channels]

    def read(self) -> list[int]:
        """Return what each input is at.

        Raises:
            OSError: the bus refuses, or a chip does not answer.
        """
        counts = []
        for port, chip, command in self._plan:
            # A new list each time: spidev writes what came back into the one that it is given.
            _, high, low = port.xfer2([1, command, 0])
            if high & 4:
                raise OSError(_silent(chip, self._where, "the zero before its answer is missing"))
            counts.append((high & 3) << 8 | low)
        if self._ends_are_faults:
            _check_alive(self._channels, counts, self._where)
        return counts

    def close(self) -> None:
        """Let go of the bus. Twice is fine."""
        while self._ports:
            self._ports.popitem()[1].close()
        self._plan = []


class GpiozeroAdcs:
    """Chips on any pins, read bit by bit through ``gpiozero.MCP3008``.

    Args:
        channels: shape (width,): which chip and channel each input is at.
        pins: the pins of the chips.
        pin_factory: the gpiozero factory whose pins these are.

    Attributes:
        scan_ms: about how long reading all inputs takes on a small Pi.

    Raises:
        gpiozero.GPIOZeroError: a pin is in use or cannot do it; nothing is left open.
    """

    def __init__(self, channels: Sequence[Channel], pins: AdcPins, *, pin_factory: Any) -> None:
        from gpiozero import MCP3008  # only boards with such chips need it

        self.width: Final = len(channels)
        self.scan_ms: Final = BIT_BY_BIT_MS * len(channels)
        self._where = f"the pins {pins.clock}, {pins.mosi}, {pins.miso}"
        self._channels = tuple(channels)
        self._inputs: list[Any] = []
        try:
            with _default_factory(pin_factory):
                for chip, channel in channels:
                    self._inputs.append(
                        MCP3008(
                            channel,
                            clock_pin=pins.clock,
                            mosi_pin=pins.mosi,
                            miso_pin=pins.miso,
                            select_pin=pins.selects[chip],
                            pin_factory=pin_factory,
                        )
                    )
        except BaseException:
            self.close()
            raise

    def read(self) -> list[int]:
        """Return what each input is at.

        Raises:
            OSError: a chip does not answer, or the pins cannot be read.
        """
        counts = [each.raw_value for each in self._inputs]
        _check_alive(self._channels, counts, self._where)
        return counts

    def close(self) -> None:
        """Let go of the pins. Twice is fine."""
        if self._inputs:
            while self._inputs:
                self._inputs.pop().close()
            # A closed bus of gpiozero lives on in a cycle. Collected later, it would strike the next bus on the same
            # pins off gpiozero's list, and chips would no longer share that one.
            gc.collect()


@contextmanager
def _default_factory(factory: Any) -> Iterator[None]:
    """Make a pin factory gpiozero's default for a while: its bus of single pins takes no other."""
    from gpiozero import Device

    before, Device.pin_factory = Device.pin_factory, factory
    try:
        yield
    finally:
        Device.pin_factory = before


def _check_alive(channels: Sequence[Channel], counts: Sequence[int], where: str) -> None:
    """Raise OSError where all inputs of a chip are at the same end of the scale, as no board of sensors is."""
    if 0 not in counts and FULL_SCALE not in counts:
        return
    by_chip: dict[int, set[int]] = {}
    for (chip, _), count in zip(channels, counts, strict=True):
        by_chip.setdefault(chip, set()).add(count)
    for chip, seen in by_chip.items():
        if seen in ({0}, {FULL_SCALE}) and sum(1 for other, _ in channels if other == chip) > 1:
            raise OSError(_silent(chip, where, f"every channel reads {seen.pop()}"))


def _silent(chip: int, where: str, how: str) -> str:
    return (
        f"the MCP3008 at select line {chip} of {where} does not answer ({how}): check its power, its reference and its "
        "wires for select, clock and data"
    )


def _opened(spi: Spi, bus: int, chip: int) -> Spi:
    try:
        spi.open(bus, chip)
        spi.max_speed_hz = SPI_HZ
        spi.mode = 0
    except OSError as error:
        raise DeviceError(_spi_trouble(error, bus, chip)) from error
    return spi


def _spidev() -> Spi:
    try:
        import spidev  # only a Raspberry Pi has it
    except ImportError as error:
        raise DeviceError(
            "the Python package spidev, which reads analogue inputs over SPI, is not installed; install it with "
            "'sudo apt install python3-spidev' (and a venv made with --system-site-packages) or 'pip install spidev'"
        ) from error
    spi: Spi = spidev.SpiDev()
    return spi


def _spi_trouble(error: OSError, bus: int, chip: int) -> str:
    """Return what is wrong with a device of a bus and what to do."""
    device = f"/dev/spidev{bus}.{chip}"
    if isinstance(error, FileNotFoundError):
        if bus == 1:
            remedy = "add the line 'dtoverlay=spi1-2cs' to /boot/firmware/config.txt and restart the Pi"
        else:
            remedy = "switch it on with 'sudo raspi-config nonint do_spi 0' and restart the Pi"
        return f"{device} does not exist, so SPI{bus} is off; {remedy}"
    if isinstance(error, PermissionError):
        return (
            f"{device} may not be opened by this user; join the group with 'sudo usermod -aG spi $USER', "
            "then log out and in again"
        )
    return f"{device} cannot be opened ({error}); see that no other program holds it, and that SPI{bus} is on"
