"""A simulated chain of shift registers: stands in for ``spidev.SpiDev`` on SPI1, with a board at its inputs.

`SimulatedChain` latches when the pin to SH/LD rises, as the chip does, and hands the latched bits out once: a driver
that forgets the pulse reads what a real chain gives then, zeros from behind its end.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from hardware.registers import BUS, END
from simulator.pins import Contacts, StonelightFactory


class SimulatedChain:
    """The registers of one board.

    Args:
        factory: the pins of the same board.
        load: BCM number of the pin to SH/LD.
        registers: how many, without the farthest, which is wired to `hardware.registers.END`.
        inputs: shape (cells,): the input of each cell.
        buttons: input by name of the buttons on the chain.
        contacts: the board.
        closed_is_low: whether a closed contact pulls its input low.

    Attributes:
        max_speed_hz, mode: as spidev has them.
        broken_at: the first register, from 0, that is cut off; it and all behind it read as zeros. None: all are well.
    """

    def __init__(
        self,
        factory: StonelightFactory,
        load: int,
        *,
        registers: int,
        inputs: Sequence[int],
        buttons: Mapping[str, int],
        contacts: Contacts,
        closed_is_low: bool = True,
    ) -> None:
        self.max_speed_hz = 500_000
        self.mode = 0
        self.broken_at: int | None = None
        self._registers: Final = registers
        self._inputs = tuple(inputs)
        self._buttons = dict(buttons)
        self._contacts = contacts
        self._resting = (1 << 8 * registers) - 1 if closed_is_low else 0
        self._bytes = b""
        self._open = False
        factory.hearers[load] = self._latch

    def _latch(self, level: bool | None) -> None:  # noqa: FBT001  # the level of a pin
        if not level:
            return
        contacts = self._contacts
        closed = 0
        for cell, number in enumerate(self._inputs):
            if contacts.closed(cell):
                closed |= 1 << number
        for name, number in self._buttons.items():
            if contacts.pressed(name):
                closed |= 1 << number
        whole = (closed ^ self._resting).to_bytes(self._registers, "little") + bytes([END])
        kept = len(whole) if self.broken_at is None else self.broken_at
        self._bytes = whole[:kept] + bytes(len(whole) - kept)

    def open(self, bus: int, device: int) -> None:
        """Open the only bus there is.

        Raises:
            FileNotFoundError: another bus.
        """
        if (bus, device) != BUS:
            raise FileNotFoundError(f"/dev/spidev{bus}.{device}")
        self._open = True

    def readbytes(self, count: int) -> list[int]:
        """Shift so many bytes out.

        Raises:
            OSError: the bus is closed, or in a mode in which every bit would be the next one's.
        """
        if not self._open:
            raise OSError("the bus is closed")
        if self.mode != 0:
            raise OSError(f"registers do not understand mode {self.mode}")
        out, self._bytes = self._bytes[:count], self._bytes[count:]
        return list(out + bytes(count - len(out)))

    def close(self) -> None:
        """Let go of the bus."""
        self._open = False
