"""Cells that are contacts, open or closed: a diode matrix, or a chain of 74HC165 registers."""

from array import array

from debounce import Bits

# Codes of FAULT, as in wire_messages; a cells module knows nothing else of the wire.
FAULT_CHAIN = 1
FAULT_LINE = 2

CHAIN_END = 0xA5
"""What the inputs of the last register are wired to. Anything else is a broken chain, never stones."""
BUTTON = 0x8000
NOWHERE = 0xFFFF


class Matrix:
    """Rows and columns with a diode at each crossing, scanned active low.

    One row at a time is an output that drives low; all others are inputs that drive nothing, so that two closed
    contacts in a column never join two outputs. Columns have pull-ups.

    Args:
        rows, columns: pins as ``digitalio`` has them; columns are inputs with pull-ups already.
        wait_us: waits so many microseconds.
        settle_us: from driving a row to reading its columns.
    """

    fault_code = FAULT_LINE
    closed = 1

    def __init__(self, rows, columns, wait_us, settle_us: int) -> None:
        self.bits = len(rows) * len(columns)
        self.fault = -1
        self._rows = rows
        self._columns = columns
        self._wait_us = wait_us
        self._settle_us = settle_us
        for row in rows:
            row.switch_to_input()

    def read(self, raw: bytearray) -> bool:
        """Scan into `raw`. A column that is low with no row driven keeps its bits, and the first such is `fault`."""
        columns = self._columns
        held = 0
        self.fault = -1
        for number in range(len(columns) - 1, -1, -1):
            if not columns[number].value:
                held |= 1 << number
                self.fault = number
        bit = 0
        for row in self._rows:
            row.switch_to_output(False)
            self._wait_us(self._settle_us)
            for number in range(len(columns)):
                mask = 128 >> (bit & 7)
                if held >> number & 1:
                    pass
                elif columns[number].value:
                    raw[bit >> 3] &= mask ^ 255
                else:
                    raw[bit >> 3] |= mask
                bit += 1
            row.switch_to_input()
        return True


class Chain:
    """74HC165 registers in a row, read in one hardware SPI transfer; a contact to ground is closed.

    Args:
        spi: as ``busio`` has it, locked and configured.
        load: the pin of SH/LD, an output that is high.
        registers: how many, without the last one, which is wired to `CHAIN_END`.
    """

    fault_code = FAULT_CHAIN
    closed = 0

    def __init__(self, spi, load, registers: int) -> None:
        self.bits = 8 * registers
        self.fault = -1
        self._spi = spi
        self._load = load
        self._end = registers
        self._buffer = bytearray(registers + 1)

    def read(self, raw: bytearray) -> bool:
        """Read into `raw`; return whether the chain is whole. `fault`: what its end reads instead of `CHAIN_END`."""
        buffer = self._buffer
        self._load.value = False
        self._load.value = True
        self._spi.readinto(buffer)
        self.fault = -1
        if buffer[self._end] != CHAIN_END:
            self.fault = buffer[self._end]
            return False
        for k in range(self._end):
            raw[k] = buffer[k]
        return True


class Contacts:
    """The cells, and perhaps buttons, on a `Matrix` or a `Chain`.

    Args:
        reader: what reads all contacts.
        places: for each bit the cell; `BUTTON` and up: a button's number; `NOWHERE`: nothing.
        cells: how many.
        samples, agree_ms: see `debounce.Bits`.

    Attributes:
        fault: what is wrong with the lines, -1 if nothing; the cells concerned keep their readings.
    """

    def __init__(self, reader, places: list, cells: int, samples: int, agree_ms: int) -> None:
        size = (reader.bits + 7) // 8
        self.cells = cells
        self.fault_code = reader.fault_code
        self.fault = -1
        self._reader = reader
        self._raw = bytearray(size)
        self._bits = Bits(size, samples, agree_ms)
        self._places = array("H", places)
        self._bit_of = array("H", bytes(2 * cells))
        for bit in range(len(self._places)):
            if self._places[bit] < BUTTON:
                self._bit_of[self._places[bit]] = bit
        self._fresh = True

    def configure(self, samples: int, agree_ms: int) -> None:
        """Agree so from now on."""
        self._bits.configure(samples, agree_ms)

    def pending(self) -> bool:
        """Return whether a change is being agreed."""
        return self._bits.pending

    def scan(self, now: int) -> bool:
        """Read all once; return whether anything changed. The first reading is taken as it is, and is no change."""
        readable = self._reader.read(self._raw)
        self.fault = self._reader.fault
        if not readable:
            return False
        if self._fresh:
            self._fresh = False
            self._bits.start(now, self._raw)
            return False
        return self._bits.feed(now, self._raw)

    def changes(self, now: int, cells: list, buttons: list) -> None:
        """Add what the last `scan` changed: (cell, reading, ms since), and (button, down, ms since)."""
        bits = self._bits
        for k in range(bits.size):
            changed = bits.changed[k]
            if changed:
                for place in range(8):
                    if changed & (128 >> place):
                        self._add(now, 8 * k + place, cells, buttons)

    def readings(self, out: bytearray) -> None:
        """Write what each cell reads."""
        for cell in range(self.cells):
            out[cell] = self._reading(self._bit_of[cell])

    def raw_value(self, cell: int) -> int:
        """Return the bit of the last scan, before any judgement: 0 open, 65535 closed."""
        bit = self._bit_of[cell]
        return 65535 if (self._raw[bit >> 3] >> (7 - (bit & 7)) & 1) == self._reader.closed else 0

    def _reading(self, bit: int) -> int:
        return 1 if (self._bits.state[bit >> 3] >> (7 - (bit & 7)) & 1) == self._reader.closed else 0

    def _add(self, now: int, bit: int, cells: list, buttons: list) -> None:
        place = self._places[bit] if bit < len(self._places) else NOWHERE
        if place < BUTTON:
            cells.append((place, self._reading(bit), self._bits.ago(now, bit)))
        elif place != NOWHERE:
            buttons.append((place - BUTTON, self._reading(bit), self._bits.ago(now, bit)))
