"""A chain of 74HC165 shift registers on SPI1 of a Raspberry Pi, as a `hardware.scanner.Reader`.

All inputs are latched at once by a pulse on SH/LD and read in one hardware transfer, one byte a register. The register
next to the Pi comes first, and of each its input H (D7) comes first, so that input ``8 * k + j`` is D``j`` of register
``k`` (Texas Instruments SN74HC165 data sheet, "Functional Block Diagram"). The data are stable when the first clock
rises and shift on each rise, which is SPI mode 0.

The inputs of one register more, the farthest, are wired to `END`. What else comes from there is a broken chain, which
says nothing about stones: `Registers.read` then raises `DeviceError`.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

from gpiozero import OutputDevice

from hardware.ports import DeviceError

END: Final = 0xA5
"""What the farthest register is wired to: bits that neither a dead line nor one shifted by a bit can give."""
BUS: Final = (1, 0)
"""SPI1 with its first select, which no register needs; SPI0 belongs to the pixels."""
SPI_HZ: Final = 1_000_000
"""Slow enough for a metre of ribbon between tiles; 33 bytes take 0.26 ms."""


class ChainSpi(Protocol):
    """What `Registers` uses of ``spidev.SpiDev``."""

    max_speed_hz: int
    mode: int

    def open(self, bus: int, device: int) -> None:
        """Open ``/dev/spidev<bus>.<device>``."""

    def readbytes(self, count: int) -> Sequence[int]:
        """Read so many bytes in one transfer."""

    def close(self) -> None:
        """Let go of the device."""


class Registers:
    """Contacts on a chain of registers.

    Args:
        spi: an SPI port that is open; it belongs to the reader from here on.
        load: BCM number of the pin to SH/LD of all registers.
        registers: how many, without the farthest.
        inputs: shape (width,): the input of each contact, no two alike.
        closed_is_low: whether a closed contact pulls its input low.
        pin_factory: the gpiozero factory whose pin `load` is.

    Raises:
        gpiozero.GPIOZeroError: the pin is in use; the port is closed then.
    """

    def __init__(
        self,
        spi: ChainSpi,
        load: int,
        registers: int,
        inputs: Sequence[int],
        *,
        closed_is_low: bool = True,
        pin_factory: Any,
    ) -> None:
        self.width: Final = len(inputs)
        self._spi: ChainSpi | None = spi
        self._registers = registers
        self._resting = (1 << 8 * registers) - 1 if closed_is_low else 0
        self._contact_of = [-1] * (8 * registers)
        for contact, number in enumerate(inputs):
            self._contact_of[number] = contact
        self._levels = self._resting
        self._closed = 0
        try:
            self._load = OutputDevice(load, initial_value=True, pin_factory=pin_factory)
        except BaseException:
            spi.close()
            raise

    def read(self) -> int:
        """Latch and read all inputs once. Return the closed contacts, one bit each.

        Raises:
            DeviceError: the chain is broken or closed; says how and what to do.
            OSError: the bus refuses.
        """
        spi = self._spi
        if spi is None:
            raise DeviceError("the chain of registers is closed; open the board again")
        pin = self._load.pin
        pin.state = False
        pin.state = True
        data = bytes(spi.readbytes(self._registers + 1))
        if data[-1] != END:
            raise DeviceError(broken(data))
        levels = int.from_bytes(data[:-1], "little")
        changed = levels ^ self._levels
        if changed:
            self._levels = levels
            contact_of = self._contact_of
            while changed:
                low = changed & -changed
                contact = contact_of[low.bit_length() - 1]
                if contact >= 0:
                    self._closed ^= 1 << contact
                changed ^= low
        return self._closed

    def close(self) -> None:
        """Let go of the bus and the pin. Twice is fine."""
        spi, self._spi = self._spi, None
        if spi is not None:
            spi.close()
            self._load.close()


def broken(data: bytes) -> str:
    """Return what is wrong with a chain that read so, and what to do.

    Bytes that are all alike at the end come from behind the break, since no register drives them.
    """
    dead = len(data) - len(data.rstrip(data[-1:]))
    whole = len(data) - dead
    if data[-1] in (0x00, 0xFF) and whole:
        where = f"after register {whole} of {len(data) - 1}, counted from the Pi"
    elif data[-1] in (0x00, 0xFF):
        where = "before its first register"
    else:
        where = "somewhere: the bits are shifted"
    return (
        f"the chain of registers is broken {where} (its end reads 0x{data[-1]:02X} instead of 0x{END:02X}): "
        "check the plugs, the supply and the clock there"
    )


def open_spi(make_spi: Callable[[], ChainSpi] | None = None) -> ChainSpi:
    """Return SPI1, open, in mode 0.

    Args:
        make_spi: makes the port; by default ``spidev.SpiDev``.

    Raises:
        DeviceError: spidev is not installed, or the bus is off, forbidden or busy; says which and what to do.
    """
    spi = (make_spi or _spidev)()
    try:
        spi.open(*BUS)
        spi.max_speed_hz = SPI_HZ
        spi.mode = 0
    except OSError as error:
        raise DeviceError(_spi1_trouble(error)) from error
    return spi


def _spidev() -> ChainSpi:
    try:
        import spidev  # only a Raspberry Pi has it
    except ImportError as error:
        raise DeviceError(
            "the Python package spidev, which reads registers over SPI, is not installed; install it with "
            "'sudo apt install python3-spidev' (and a venv made with --system-site-packages) or 'pip install spidev'"
        ) from error
    spi: ChainSpi = spidev.SpiDev()
    return spi


def _spi1_trouble(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return (
            "/dev/spidev1.0 does not exist, so SPI1 is off: add the line dtoverlay=spi1-1cs to "
            "/boot/firmware/config.txt and restart the Pi"
        )
    if isinstance(error, PermissionError):
        return (
            "/dev/spidev1.0 may not be opened by this user; join the group with 'sudo usermod -aG spi $USER', "
            "then log out and in again"
        )
    return f"/dev/spidev1.0 cannot be opened ({error}); see that no other program holds it, and that SPI1 is on"
