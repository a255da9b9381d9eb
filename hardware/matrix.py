"""A matrix of reed switches, or of other contacts, on the pins of a Raspberry Pi, read through gpiozero.

`Matrix.read` gives the raw occupancy, one bit a cell; `hardware.scanner.Scanner` makes a `Source` of it. Scanning is
active low: columns are inputs with pull-ups, the selected row is an output driven low, and every other row is an
input that drives nothing, so that two contacts closed in one column never join a high row to a low one.

Without a diode at each contact three corners of a rectangle conjure the fourth; `hardware.ghosts` says which cells may
be such ghosts, and they read `UNKNOWN`.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from gpiozero import GPIODevice, InputDevice

from hardware.ghosts import Crossing

Wait: TypeAlias = Callable[[int], None]
"""Waits that many microseconds."""


class Row(GPIODevice):  # type: ignore[misc]  # gpiozero carries no types
    """A row of a matrix: drives its line low while selected, else lets go of it."""

    def __init__(self, pin: int, *, pin_factory: Any = None) -> None:
        super().__init__(pin, pin_factory=pin_factory)
        try:
            self.pin.input_with_pull("floating")
        except BaseException:
            self.close()
            raise

    def select(self) -> None:
        """Drive the line low."""
        self.pin.output_with_state(0)

    def release(self) -> None:
        """Make the line an input again, without a pull as at the start: it drives nothing."""
        self.pin.function = "input"


class Matrix:
    """Rows and columns of contacts as a `hardware.scanner.Reader`.

    Args:
        rows: BCM numbers of the row pins.
        columns: BCM numbers of the column pins.
        crossings: shape (cells,): where the contact of each cell is. No two share a crossing; a crossing without a
            cell is not read.
        settle_us: how long a selected row is given before its columns are read.
        wait: waits that long; a simulated board gives a function that does nothing.
        pin_factory: the gpiozero factory whose pins these are.

    Raises:
        gpiozero.GPIOZeroError: a pin is in use or cannot do it; nothing is left open.
    """

    def __init__(
        self,
        rows: Sequence[int],
        columns: Sequence[int],
        crossings: Sequence[Crossing],
        *,
        settle_us: int,
        wait: Wait,
        pin_factory: Any,
    ) -> None:
        bits = _bits_by_row(len(rows), len(columns), crossings)
        self.width: Final = len(crossings)
        self._settle_us = settle_us
        self._wait = wait
        self._devices: list[Any] = []
        try:
            row_devices = [self._open(Row(pin, pin_factory=pin_factory)) for pin in rows]
            column_pins = [self._open(InputDevice(pin, pull_up=True, pin_factory=pin_factory)).pin for pin in columns]
        except BaseException:
            self.close()
            raise
        # The pins themselves: asking a gpiozero device for its value costs three times as much.
        self._plan: tuple[tuple[Row, tuple[tuple[Any, int], ...]], ...] = tuple(
            (row, tuple((column_pins[column], bit) for column, bit in columns_of_row))
            for row, columns_of_row in zip(row_devices, bits, strict=True)
            if columns_of_row
        )

    def _open(self, device: Any) -> Any:
        self._devices.append(device)
        return device

    def read(self) -> int:
        """Scan once: drive each row, wait until its lines have settled, read, release. Return one bit a cell.

        Raises:
            OSError: the pins cannot be read.
        """
        raw = 0
        wait, settle_us = self._wait, self._settle_us
        for row, columns in self._plan:
            row.select()
            try:
                wait(settle_us)
                for pin, bit in columns:
                    if not pin.state:
                        raw |= bit
            finally:
                row.release()
        return raw

    def close(self) -> None:
        """Let go of the pins. Twice is fine."""
        while self._devices:
            self._devices.pop().close()


def _bits_by_row(rows: int, columns: int, crossings: Sequence[Crossing]) -> list[list[tuple[int, int]]]:
    """Return for each row its (column, bit of the cell)."""
    by_row: list[list[tuple[int, int]]] = [[] for _ in range(rows)]
    seen: set[Crossing] = set()
    for cell, (row, column) in enumerate(crossings):
        if not (0 <= row < rows and 0 <= column < columns):
            raise ValueError(f"cell {cell}: crossing {row}, {column} is outside {rows} rows and {columns} columns")
        if (row, column) in seen:
            raise ValueError(f"cell {cell}: crossing {row}, {column} has a cell already")
        seen.add((row, column))
        by_row[row].append((column, 1 << cell))
    return by_row
