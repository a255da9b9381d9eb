"""The inputs of a board with a micro-controller by what their sensors give, not by what its firmware makes of them."""

from collections.abc import Sequence
from typing import Final

from controller.bench.road import Clock
from hardware.board_plan import ADC_UNITS
from hardware.ports import DeviceError, LinkNews, Millis
from hardware.profile import Profile
from hardware.serial_board import SerialBoard

LOOK_MS: Final = 20
"""Between two looks for the first values."""
PATIENCE_MS: Final = 3000
"""So long they may take; the firmware tells all values of 100 cells twenty times a second."""


class SerialLevels:
    """Every input of a board with levels, as counts of a Pi's converters (0 to 1023): a `Probe`.

    Args:
        board: what tells them.
        flashed: the profile that its firmware was given: where it takes its cells to be.
        clock: the time.
    """

    def __init__(self, board: SerialBoard, flashed: Profile, clock: Clock) -> None:
        self._board = board
        self._clock = clock
        self._inputs = flashed.inputs()
        self._awaited = set(self._inputs)
        self._values = [0] * (max(self._inputs) + 1)
        self.width: Final = len(self._values)
        board.hear_raw(self._hear)

    def read(self) -> list[int]:
        """Return what each input gives; of optical ones lit minus dark.

        Raises:
            DeviceError: the board cannot be heard, or does not tell values; says why and what to do.
        """
        end = self._clock.now() + PATIENCE_MS
        while True:
            for each in self._board.poll(self._clock.now()):
                if isinstance(each, LinkNews) and not each.up:
                    raise DeviceError(each.why)
            if not self._awaited:
                return list(self._values)
            if self._clock.now() >= end:
                raise DeviceError(
                    "the board answers, but does not say what its sensors give: put this program's firmware on it with "
                    "'stonelight flash'"
                )
            self._clock.wait(LOOK_MS)

    def _hear(self, _at: Millis, first: int, values: Sequence[int]) -> None:
        for cell, value in enumerate(values, first):
            number = self._inputs[cell]
            self._values[number] = value // ADC_UNITS
            self._awaited.discard(number)

    def close(self) -> None:
        """Have no more told; the road closes the board."""
        self._board.hear_raw(None)
