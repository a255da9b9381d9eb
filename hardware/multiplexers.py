"""Analogue cells behind CD74HC4067 multiplexers: all of them share four address lines, each has an input of its own.

With optical sensors the light is switched: every channel is read dark, then lit, and a reading is the difference, so
that daylight and lamps do not count. The light is on for a quarter of the time or less (the scan decides).
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from gpiozero import OutputDevice

from hardware.adc import Adcs

CHANNELS: Final = 16
"""Channels of one multiplexer."""


class Multiplexed:
    """The values of all cells; one that is cell number ``16 * k + address`` is on multiplexer k.

    Args:
        adcs: one input for each multiplexer. It belongs to this one from here on.
        selects: BCM numbers of the address lines, the lowest bit first.
        emitter: BCM number of the pin that switches the light, high for on; None where there is none.
        inputs: shape (cells,): the input of each cell.
        settle_us: how long an address, and the light, is given before a reading.
        wait: waits that many microseconds.
        pin_factory: the gpiozero factory whose pins these are.

    Raises:
        gpiozero.GPIOZeroError: a pin is in use or cannot do it; nothing is left open.
    """

    def __init__(
        self,
        adcs: Adcs,
        selects: Sequence[int],
        emitter: int | None,
        inputs: Sequence[int],
        *,
        settle_us: int,
        wait: Callable[[int], None],
        pin_factory: Any,
    ) -> None:
        self.width: Final = len(inputs)
        self._adcs = adcs
        self._inputs = tuple(inputs)
        self._addresses = sorted({number % CHANNELS for number in inputs})
        self._settle_us = settle_us
        self._wait = wait
        self._devices: list[Any] = []
        try:
            self._selects = [self._open(pin, pin_factory) for pin in selects]
            self._emitter = None if emitter is None else self._open(emitter, pin_factory)
        except BaseException:
            self.close()
            raise

    def _open(self, pin: int, pin_factory: Any) -> Any:
        device = OutputDevice(pin, initial_value=False, pin_factory=pin_factory)
        self._devices.append(device)
        return device.pin

    def read(self) -> list[int]:
        """Return shape (cells,): the value of each, 0 to 1023; with a light, lit minus dark and never below 0.

        Raises:
            OSError: the inputs cannot be read. The light is off afterwards.
        """
        dark = self._sweep()
        if self._emitter is None:
            return [dark[number] for number in self._inputs]
        try:
            self._emitter.state = True
            lit = self._sweep()
        finally:
            self._emitter.state = False
        return [max(0, lit[number] - dark[number]) for number in self._inputs]

    def _sweep(self) -> dict[int, int]:
        """Return the value of each input that has a cell."""
        values: dict[int, int] = {}
        for address in self._addresses:
            for bit, pin in enumerate(self._selects):
                pin.state = bool(address >> bit & 1)
            self._wait(self._settle_us)
            for k, value in enumerate(self._adcs.read()):
                values[CHANNELS * k + address] = value
        return values

    def close(self) -> None:
        """Light off, and let go of pins and inputs. Twice is fine."""
        while self._devices:
            self._devices.pop().close()
        self._adcs.close()
