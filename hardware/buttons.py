"""Push buttons between a pin and ground, read through gpiozero.

`Buttons.read` gives what is held down now, one bit a button; `hardware.scanner.Scanner` debounces that and makes one
`ButtonPress` of every press. gpiozero's own ``bounce_time`` is left alone: it has lost releases, and on mock pins it
does nothing.
"""

from collections.abc import Mapping
from typing import Any, Final

from gpiozero import InputDevice


class Buttons:
    """Buttons as a `hardware.scanner.Reader`.

    Args:
        pins: BCM number by button name, in the order of the bits.
        pin_factory: the gpiozero factory whose pins these are.

    Attributes:
        names: shape (width,): the name of each bit.

    Raises:
        gpiozero.GPIOZeroError: a pin is in use or cannot do it; nothing is left open.
    """

    def __init__(self, pins: Mapping[str, int], *, pin_factory: Any) -> None:
        self.names: Final = tuple(pins)
        self.width: Final = len(pins)
        self._devices: list[Any] = []
        try:
            for pin in pins.values():
                self._devices.append(InputDevice(pin, pull_up=True, pin_factory=pin_factory))
        except BaseException:
            self.close()
            raise
        self._pins = tuple((device.pin, 1 << k) for k, device in enumerate(self._devices))

    def read(self) -> int:
        """Return the buttons that are down, one bit each.

        Raises:
            OSError: the pins cannot be read.
        """
        raw = 0
        for pin, bit in self._pins:
            if not pin.state:
                raw |= bit
        return raw

    def close(self) -> None:
        """Let go of the pins. Twice is fine."""
        while self._devices:
            self._devices.pop().close()
