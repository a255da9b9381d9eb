"""Cells and buttons that hang on the same inputs: one scan, told apart afterwards."""

from collections.abc import Sequence
from typing import Final

from hardware.scanner import NamedReader, Reader


class CellsFirst:
    """The cells of a reader whose first contacts are cells and whose others are buttons.

    Args:
        reader: all contacts. It belongs to this one from here on.
        cells: how many are cells.
        names: the buttons, in the order of their bits.

    Attributes:
        buttons: the buttons as a `hardware.scanner.NamedReader`. They read as they did in the last scan of the cells.
    """

    def __init__(self, reader: Reader, cells: int, names: Sequence[str]) -> None:
        self.width: Final = cells
        self._reader = reader
        self._mask = (1 << cells) - 1
        self._scanned: int | None = None
        self.buttons: Final = _Rest(self, names)

    def read(self) -> int:
        """Scan all contacts once; return the cells. Raises OSError where they cannot be read."""
        self._scanned = self._reader.read()
        return self._scanned & self._mask

    def held(self) -> int:
        """Return the buttons that were down in the last scan; scans where there was none."""
        if self._scanned is None:
            self.read()
        assert self._scanned is not None
        return self._scanned >> self.width

    def close(self) -> None:
        """Let go of the device. Twice is fine."""
        self._reader.close()


class _Rest:
    def __init__(self, cells: CellsFirst, names: Sequence[str]) -> None:
        self.names: Final = tuple(names)
        self.width: Final = len(self.names)
        self._cells = cells

    def read(self) -> int:
        """Return the buttons that are down, one bit each."""
        return self._cells.held()

    def close(self) -> None:
        """The cells let go of the device."""


class Joined:
    """Several groups of buttons as one `hardware.scanner.NamedReader`.

    Args:
        groups: the groups; their bits follow each other.
    """

    def __init__(self, groups: Sequence[NamedReader]) -> None:
        self._groups = tuple(groups)
        self.names: Final = tuple(name for group in self._groups for name in group.names)
        self.width: Final = len(self.names)

    def read(self) -> int:
        """Return the buttons that are down, one bit each. Raises OSError where a group cannot be read."""
        raw = shift = 0
        for group in self._groups:
            raw |= group.read() << shift
            shift += group.width
        return raw

    def close(self) -> None:
        """Let go of all devices. Twice is fine."""
        for group in self._groups:
            group.close()
