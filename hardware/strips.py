"""The two roads from a Raspberry Pi to a chain of pixels, each a `hardware.lamps.Strip`.

`SpiStrip` is the usual one: it needs no root and leaves sound alone. `AdafruitStrip` drives Adafruit's ``NeoPixel``
class, and so whatever Blinka has for the Pi at hand. What either needs is imported when it is made, never before.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, Protocol

from hardware.lamps import Strip
from hardware.pixel_roads import PixelRoad, model_name, pixel_road
from hardware.ports import DeviceError
from hardware.ws2812 import SPI_HZ, encode

_log = logging.getLogger(__name__)


class Spi(Protocol):
    """What `SpiStrip` uses of ``spidev.SpiDev``."""

    max_speed_hz: int
    mode: int

    def open(self, bus: int, device: int) -> None:
        """Open ``/dev/spidev<bus>.<device>``."""

    def writebytes2(self, data: bytes) -> None:
        """Send bytes."""

    def close(self) -> None:
        """Let go of the device."""


class SpiStrip:
    """Pixels on SPI0's MOSI line, GPIO 10.

    Args:
        make_spi: makes the SPI port; by default ``spidev.SpiDev``.

    Raises:
        DeviceError: spidev is not installed, or the bus is off, forbidden or busy; says which and what to do.
    """

    def __init__(self, make_spi: Callable[[], Spi] | None = None) -> None:
        spi = (make_spi or _spidev)()
        try:
            spi.open(0, 0)
            spi.max_speed_hz = SPI_HZ
            spi.mode = 0
        except OSError as error:
            raise DeviceError(_spi_trouble(error)) from error
        self._spi: Spi | None = spi

    def write(self, data: bytes) -> None:
        """Send the bytes of all pixels. Raises OSError where the bus refuses, ValueError once closed."""
        if self._spi is None:
            raise ValueError("the strip is closed")
        self._spi.writebytes2(encode(data))

    def close(self) -> None:
        """Let go of the bus. Twice is fine."""
        spi, self._spi = self._spi, None
        if spi is not None:
            spi.close()


def _spidev() -> Spi:
    try:
        import spidev  # only a Raspberry Pi has it
    except ImportError as error:
        raise DeviceError(
            "the Python package spidev, which sends to pixels over SPI, is not installed; install it with "
            "'sudo apt install python3-spidev' (and a venv made with --system-site-packages) or 'pip install spidev'"
        ) from error
    spi: Spi = spidev.SpiDev()
    return spi


def _spi_trouble(error: OSError) -> str:
    """Return what is wrong with /dev/spidev0.0 and what to do."""
    if isinstance(error, FileNotFoundError):
        return (
            "/dev/spidev0.0 does not exist, so SPI is off; switch it on with 'sudo raspi-config nonint do_spi 0' "
            "and restart the Pi"
        )
    if isinstance(error, PermissionError):
        return (
            "/dev/spidev0.0 may not be opened by this user; join the group with 'sudo usermod -aG spi $USER', "
            "then log out and in again"
        )
    return f"/dev/spidev0.0 cannot be opened ({error}); see that no other program holds it, and that SPI is on"


class GatedStrip:
    """A strip behind a gate that is open while a frame is sent, so that others can use its bus between frames.

    The gate is the enable line of the level shifter before the pixels, low for open (74AHCT125 data sheet, "Function
    table"). Pixels keep what they show while they hear nothing.

    Args:
        strip: what sends the frames.
        pin: BCM number of the gate.
        pin_factory: the gpiozero factory whose pin it is.

    Raises:
        gpiozero.GPIOZeroError: the pin cannot be had.
    """

    def __init__(self, strip: Strip, pin: int, *, pin_factory: Any) -> None:
        from gpiozero import OutputDevice

        self._strip = strip
        self._gate: Any = OutputDevice(pin, active_high=False, initial_value=False, pin_factory=pin_factory)

    def write(self, data: bytes) -> None:
        """Send the bytes of all pixels through the open gate. Raises what the strip raises."""
        with self._open():
            self._strip.write(data)

    def close(self) -> None:
        """Close the strip, whose last frame goes through, and let go of the gate. Twice is fine."""
        if self._gate is not None:
            try:
                with self._open():
                    self._strip.close()
            finally:
                self._gate.close()
                self._gate = None

    @contextmanager
    def _open(self) -> Iterator[None]:
        self._gate.on()
        try:
            yield
        finally:
            self._gate.off()


class AdafruitStrip:
    """Pixels through Adafruit's ``neopixel.NeoPixel``.

    Args:
        pin: the data pin: a BCM number, or the name of a pin of Blinka's ``board`` module (``"NEOPIXEL"``).
        count: pixels on the chain.
        order: the channels as the pixels take them: ``GRB``, ``RGBW``.

    Attributes:
        pixels: the ``NeoPixel`` object.
        road: by which block of the chip, and why.

    Raises:
        DeviceError: Blinka does not know this computer, lacks a driver, has no such pin, or the driver refuses.
    """

    def __init__(self, pin: int | str, count: int, order: str) -> None:
        name = f"D{pin}" if isinstance(pin, int) else pin
        road = pixel_road("neopixel", pin if isinstance(pin, int) else -1, model_name())
        _log.info("pixels on %s by %s: %s", name, road.name, road.why)
        try:
            import board  # Blinka looks at the computer when it is imported
            import neopixel
        except (ImportError, NotImplementedError, RuntimeError) as error:
            raise DeviceError(
                f"Adafruit's NeoPixel driver does not work on this computer ({error}); "
                "use 'driver = \"spi\"' under [lamps], or install what it asks for"
            ) from error
        place = getattr(board, name, None)
        if place is None:
            raise DeviceError(
                f"this computer has no pin {name} for pixels; check 'pin' under [lamps], or play on the simulated board"
            )
        channels: Final = len(order)
        try:
            self.pixels: Any = neopixel.NeoPixel(
                place, count, bpp=channels, brightness=1.0, auto_write=False, pixel_order=order
            )
        except (OSError, RuntimeError, ValueError) as error:
            raise DeviceError(_neopixel_trouble(name, road, error)) from error
        self.road: Final = road
        self._name = name
        self._channels = channels
        self._offsets = tuple(order.index(letter) for letter in "RGBW"[:channels])
        self._colours: list[tuple[int, ...]] = [(0,) * channels] * count
        self._open = True

    def write(self, data: bytes) -> None:
        """Send the bytes of all pixels; only those that differ from the last ones are set anew.

        Raises:
            DeviceError: the driver refuses.
            ValueError: the strip is closed.
        """
        if not self._open:
            raise ValueError("the strip is closed")
        channels = self._channels
        colours = list(zip(*(data[offset::channels] for offset in self._offsets), strict=True))
        pixels, before = self.pixels, self._colours
        if colours != before:
            for k, colour in enumerate(colours):
                if colour != before[k]:
                    pixels[k] = colour
            self._colours = colours
        try:
            pixels.show()
        except (OSError, RuntimeError) as error:
            raise DeviceError(
                f"{_neopixel_trouble(self._name, self.road, error)}; play goes on without light"
            ) from error

    def close(self) -> None:
        """Darken the pixels and let go of the pin. Twice is fine."""
        if self._open:
            self._open = False
            try:
                self.pixels.deinit()
            except (OSError, RuntimeError) as error:
                raise DeviceError(_neopixel_trouble(self._name, self.road, error)) from error


def _neopixel_trouble(name: str, road: PixelRoad, error: Exception) -> str:
    why = "other pins than D10 need root and a Pi up to the 4" if road.name == "unknown" else road.why
    return (
        f"pixels on pin {name}: the driver refuses ({error}); {why}. "
        "Wire the strip to GPIO 10 and use 'driver = \"spi\"' under [lamps]"
    )
