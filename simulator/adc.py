"""MCP3008 chips on simulated pins, bit by bit as their data sheet draws them, and the sensors at their inputs.

`McpChip` is one chip: it hears its select and clock lines, looks at the data line, and talks on the other. The
unmodified ``gpiozero.MCP3008`` reads it. `solder_chips` joins the chips of a board to the pins of a
`simulator.pins.StonelightFactory`.

Timing: Microchip MCP3004/3008 data sheet DS21295, figures 5-1 and 5-2. The first clock with data high is the start
bit; four more bring single-ended or not and the channel; the input is held at the end of the fifth; then come a zero,
ten bits from the greatest on, the same bits backwards, and zeros. Data changes when the clock falls.
"""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from hardware.adc import CHIP_CHANNELS, FULL_SCALE, AdcPins, Channel
from simulator.pins import StonelightFactory

Input: TypeAlias = Callable[[int], float]
"""Gives what a channel is at, as a share of the reference voltage."""

_ASKED: Final = 4
"""Clocks after the start bit, up to the last bit of the channel."""
_BITS: Final = 10


class McpChip:
    """One chip.

    Args:
        inputs: what its channels are at.
        data: what the data line from the host is at.
    """

    def __init__(self, inputs: Input, data: Callable[[], bool]) -> None:
        self._inputs = inputs
        self._data = data
        self._selected = False
        self._started = -1
        self._asked = 0
        self._answer: list[bool] = []
        self._out: bool | None = None

    def select(self, level: bool | None) -> None:  # noqa: FBT001  # a line's level, not a mode
        """Take the level of the select line: low selects, and each fall begins anew."""
        selected = level is False
        if selected != self._selected:
            self._selected = selected
            self._started = -1
            self._asked = 0
            self._answer = []
            self._out = None

    def clock(self, level: bool | None) -> None:  # noqa: FBT001
        """Take a new level of the clock line."""
        if not self._selected:
            return
        if level:
            self._rise()
        elif self._started > _ASKED:
            self._fall()

    def out(self) -> bool | None:
        """Return the level that the chip puts on its data line; None where it lets go."""
        return self._out

    def _rise(self) -> None:
        if self._started < 0:
            if self._data():
                self._started = 0
            return
        self._started += 1
        if self._started <= _ASKED:
            self._asked = self._asked << 1 | self._data()

    def _fall(self) -> None:
        if self._started == _ASKED + 1:
            count = self._convert()
            bits = [bool(count >> k & 1) for k in range(_BITS)]
            # The lowest bit is told once: it ends one way and begins the other.
            self._answer = [*bits[:0:-1], *bits]
            self._out = False
        else:
            place = self._started - _ASKED - 2
            self._out = self._answer[place] if place < len(self._answer) else False

    def _convert(self) -> int:
        channel = self._asked & 7
        level = self._inputs(channel)
        if not self._asked & 8:  # a pair of channels: this one less its neighbour
            level -= self._inputs(channel ^ 1)
        return max(0, min(FULL_SCALE, int(level * (FULL_SCALE + 1))))


def solder_chips(
    factory: StonelightFactory, pins: AdcPins, channels: Sequence[Channel], level: Callable[[int], float]
) -> tuple[McpChip, ...]:
    """Join the chips of a board to pins; return them in the order of their select lines.

    Args:
        factory: the pins' factory.
        pins: which pins.
        channels: shape (inputs,): where each input is. Channels without one are at ground.
        level: gives what an input is at, as a share of the reference voltage.
    """
    owners = {place: number for number, place in enumerate(channels)}

    def data() -> bool:
        return factory.driven.get(pins.mosi, False)

    def inputs_of(chip: int) -> Input:
        numbers = [owners.get((chip, channel)) for channel in range(CHIP_CHANNELS)]

        def inputs(channel: int) -> float:
            number = numbers[channel]
            return 0.0 if number is None else level(number)

        return inputs

    chips = tuple(McpChip(inputs_of(chip), data) for chip in range(len(pins.selects)))

    def selecting(chip: McpChip) -> Callable[[bool | None], None]:
        def select(level: bool | None) -> None:  # noqa: FBT001
            chip.select(level)
            # Only the chip that was selected last may listen to the clock and talk; the others need not be asked.
            if level is False:
                factory.hearers[pins.clock] = chip.clock
                factory.talkers[pins.miso] = chip.out

        return select

    for chip, pin in zip(chips, pins.selects, strict=True):
        factory.hearers[pin] = selecting(chip)
    return chips
