"""`PixelLamps`: a chain of pixels as `hardware.ports.Lamps`, over whatever sends bytes to it (`Strip`)."""

import logging
from collections.abc import Iterable
from typing import Protocol

from hardware.pixels import Chain, PixelEncoder
from hardware.ports import DeviceError, Frame

_log = logging.getLogger(__name__)


class Strip(Protocol):
    """The road to the pixels: `hardware.strips` has one through Adafruit's class and one through SPI."""

    def write(self, data: bytes) -> None:
        """Send the bytes of all pixels, in chain order and in the chain's channel order.

        Raises:
            OSError: the pixels cannot be reached; writing again later may help.
        """

    def close(self) -> None:
        """Let go of the device. Twice is fine."""


class PixelLamps:
    """Lamps over a strip.

    Args:
        chain: how frames become chain bytes.
        strip: where they go. It belongs to the lamps from here on: `close` closes it.
    """

    def __init__(self, chain: Chain, strip: Strip) -> None:
        self._encoder = PixelEncoder(chain)
        self._strip = strip
        self._shown: bytes | None = None
        self._sent: bytes | None = None
        self._frame_bytes = 3 * len(chain.places)
        self._closed = False

    def show(self, frame: Frame) -> None:
        """Light the pixels so. Sends nothing when the frame is the one already shown.

        After a failure the next call sends, whatever its frame.

        Raises:
            ValueError: the frame has not three bytes for each pixel.
            DeviceError: the lamps cannot be reached, or are closed; play goes on without them.
        """
        if frame == self._shown:
            return
        data = self._encoder.encode(frame)
        if self._closed:
            raise DeviceError("the lamps are closed; open the board again")
        if data != self._sent:
            self._shown = self._sent = None
            try:
                self._strip.write(data)
            except DeviceError:
                raise
            except (OSError, RuntimeError) as error:
                raise DeviceError(
                    f"the pixels cannot be reached ({error}); play goes on without light: "
                    "check the strip's plug and supply"
                ) from error
            self._sent = data
        self._shown = bytes(frame)

    def dim(self, share: float) -> None:
        """Light everything at this share, 0.0 to 1.0, of the chain's brightness; the frame is sent again so."""
        if self._encoder.dim(share):
            self._shown = None

    def cover(self, cells: Iterable[int]) -> None:
        """Say which cells have something lying on them: they are lit ``covered_gain`` times brighter from now on.

        The frame shown last is sent again so at the next `show`, the same frame included.
        """
        if self._encoder.cover(cells):
            self._shown = None

    def close(self) -> None:
        """All dark, and let go of the device. Twice is fine; a strip that fails now is only logged."""
        if self._closed:
            return
        self._closed = True
        self._shown = None
        try:
            self._strip.write(self._encoder.encode(bytes(self._frame_bytes)))
        except (OSError, RuntimeError) as error:
            _log.warning("the pixels could not be darkened: %s", error)
        try:
            self._strip.close()
        except (OSError, RuntimeError) as error:
            _log.info("the pixels could not be let go of: %s", error)
