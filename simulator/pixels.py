"""Simulated pixels: what a chain shows, taken from the very bytes that a driver sends.

`PixelTap` is the chain. It is put at the end of one of the two roads of `hardware.strips`: `tap_neopixel` listens to
the real ``neopixel.NeoPixel`` class, and `SimulatedSpi` stands in for ``spidev.SpiDev`` and decodes the SPI bytes.

The NeoPixel class sends through one function of its module. That function is replaced while at least one tap is on,
and put back after the last; each tap hears its own strip only, so several may be on in one process. Blinka must have
been told ``BLINKA_OS_AGNOSTIC=1`` before it was first imported.
"""

from collections.abc import Callable
from typing import Any, Final

from hardware import ws2812
from hardware.strips import AdafruitStrip

_BUS: Final = (0, 0)


class PixelTap:
    """A chain of pixels in memory.

    Args:
        count: pixels on the chain.
        order: the channels as these pixels take them. Where a driver sends another order, colours come out wrong,
            as they would on a table.
        broken_at: the pixel, from 0, that is dead; it and all after it stay dark. None: all are well.

    Attributes:
        sent: the bytes of the last frame, as they were sent.
        frames: how many frames have been sent.
        listener: called with `sent` after each frame.
    """

    def __init__(self, count: int, order: str = "GRB", *, broken_at: int | None = None) -> None:
        self.count: Final = count
        self.order: Final = order
        self.broken_at = broken_at
        self.sent = b""
        self.frames = 0
        self.listener: Callable[[bytes], None] | None = None
        self._latched = bytes(count * len(order))

    def receive(self, data: bytes) -> None:
        """Take one frame. Pixels that it does not reach keep their colour; what is too long runs off the end."""
        self.sent = data
        self.frames += 1
        whole = len(data) - len(data) % len(self.order)
        self._latched = (data[:whole] + self._latched[whole:])[: len(self._latched)]
        if self.listener is not None:
            self.listener(data)

    def colours(self) -> tuple[tuple[int, ...], ...]:
        """Return shape (count, channels): red, green, blue (and white) of each pixel, 0 to 255, first pixel first."""
        channels = len(self.order)
        planes = (self._latched[self.order.index(letter) :: channels] for letter in "RGBW"[:channels])
        colours = list(zip(*planes, strict=True))
        if self.broken_at is not None:
            colours[self.broken_at :] = [(0,) * channels] * (self.count - self.broken_at)
        return tuple(colours)

    def is_dark(self) -> bool:
        """Return whether no pixel shows any light."""
        return not any(map(any, self.colours()))


_TAPS: Final[dict[Any, PixelTap]] = {}
"""Tap by the data pin of the strip that it listens to."""
_ORIGINAL: Final[list[Callable[[Any, Any], None]]] = []
"""The function that the taps stand in for, while any is on."""


def tap_neopixel(strip: AdafruitStrip, tap: PixelTap) -> Callable[[], None]:
    """Let `tap` hear what the NeoPixel object of `strip` sends. Return the function that ends this; twice is fine.

    Close the strip before ending it, so that its last, dark frame is heard too.
    """
    import neopixel  # Blinka's environment is settled before it is imported

    if not _TAPS:
        _ORIGINAL.append(neopixel.neopixel_write)
        neopixel.neopixel_write = _route
    pin = strip.pixels.pin
    _TAPS[pin] = tap

    def untap() -> None:
        if _TAPS.pop(pin, None) is not None and not _TAPS:
            neopixel.neopixel_write = _ORIGINAL.pop()

    return untap


def _route(pin: Any, buffer: Any) -> None:
    """Stand in for ``neopixel.neopixel_write``."""
    tap = _TAPS.get(pin)
    if tap is None:
        _ORIGINAL[0](pin, buffer)
    else:
        tap.receive(bytes(buffer))


class SimulatedSpi:
    """Stands in for ``spidev.SpiDev`` with pixels on its data line; give ``lambda: SimulatedSpi(tap)`` to `SpiStrip`.

    Args:
        tap: the pixels.

    Attributes:
        max_speed_hz, mode: as spidev has them.
    """

    def __init__(self, tap: PixelTap) -> None:
        self.max_speed_hz = 125_000_000
        self.mode = 0
        self._tap = tap
        self._open = False

    def open(self, bus: int, device: int) -> None:
        """Open the only bus there is.

        Raises:
            FileNotFoundError: another bus.
        """
        if (bus, device) != _BUS:
            raise FileNotFoundError(f"/dev/spidev{bus}.{device}")
        self._open = True

    def writebytes2(self, data: bytes) -> None:
        """Show what these bytes say.

        Raises:
            OSError: the bus is closed, or pixels could not read the bytes at this speed and mode.
        """
        if not self._open:
            raise OSError("the bus is closed")
        if self.max_speed_hz != ws2812.SPI_HZ or self.mode != 0:
            raise OSError(f"pixels do not understand {self.max_speed_hz} Hz in mode {self.mode}")
        if len(data) > ws2812.TRANSFER_BYTES:
            raise OSError(f"{len(data)} bytes would be cut in two transfers, with a pause that pixels take for the end")
        try:
            self._tap.receive(ws2812.decode(bytes(data)))
        except ValueError as error:
            raise OSError(f"pixels would show noise: {error}") from error

    def close(self) -> None:
        """Let go of the bus."""
        self._open = False
