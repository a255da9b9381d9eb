"""Cells with analogue sensors behind CD74HC4067 multiplexers: Hall sensors, or optical ones with a switched light."""

from array import array

from debounce import UNKNOWN, Levels

FAULT_ANALOGUE = 3
CHANNELS = 16
"""Inputs of one multiplexer."""


class Analogue:
    """Cells on multiplexers that share their address lines, one ADC each; input ``16 * k + address`` is on ADC k.

    Args:
        selects: the four address pins, outputs, lowest bit first.
        adcs: as ``analogio`` has them.
        emitter: the pin that switches the light of optical sensors, an output; None for others. A reading is then lit
            minus dark, so that daylight does not count.
        wait_us: waits so many microseconds.
        plan: cells; places: the cell of each input; settle_us after each switch; rest: shape (cells,) the value of
            each cell when empty; bands: shape (n, 3) least and greatest difference from rest, and the reading; rails:
            least and greatest possible value.
        samples, steady_ms: see `debounce.Levels`.

    Attributes:
        fault: a cell whose value is outside of the rails, and which reads `UNKNOWN`; -1 if there is none.
    """

    fault_code = FAULT_ANALOGUE

    def __init__(self, selects, adcs, emitter, wait_us, plan: dict, samples: int, steady_ms: int) -> None:
        self.cells = plan["cells"]
        self.fault = -1
        self._selects = selects
        self._adcs = adcs
        self._emitter = emitter
        self._wait_us = wait_us
        self._settle_us = plan["settle_us"]
        self._bands = plan["bands"]
        self._places = array("H", plan["places"])
        self._rest = array("H", plan["rest"])
        self._least, self._most = plan["rails"]
        self._values = array("H", bytes(2 * self.cells))
        self._dark = array("H", bytes(2 * self.cells))
        self._raw = bytearray(self.cells)
        self._least_ms = plan["steady_ms"]
        self._levels = Levels(self.cells, samples, steady_ms, steady_ms > 0)
        self._fresh = True

    def configure(self, samples: int, agree_ms: int) -> None:
        """Agree so from now on, but never for less than ``steady_ms`` of the plan: a hand over a pit is no seed."""
        self._levels.configure(samples, max(agree_ms, self._least_ms))

    def pending(self) -> bool:
        """Return whether a change is being agreed."""
        return self._levels.pending

    def scan(self, now: int) -> bool:
        """Read all once; return whether anything changed. The first reading is taken as it is, and is no change."""
        if self._emitter is not None:
            self._sweep(self._dark)
            self._emitter.value = True
            self._sweep(self._values)
            self._emitter.value = False
        else:
            self._sweep(self._values)
        self._judge()
        if self._fresh:
            self._fresh = False
            self._levels.start(now, self._raw)
            return False
        return self._levels.feed(now, self._raw)

    def changes(self, now: int, cells: list, buttons: list) -> None:
        """Add what the last `scan` changed: (cell, reading, ms since)."""
        levels = self._levels
        for cell in range(self.cells):
            if levels.changed[cell]:
                cells.append((cell, levels.state[cell], levels.ago(now, cell)))

    def readings(self, out: bytearray) -> None:
        """Write what each cell reads."""
        state = self._levels.state
        for cell in range(self.cells):
            out[cell] = state[cell]

    def raw_value(self, cell: int) -> int:
        """Return the value of the last scan: of optical sensors lit minus dark."""
        return self._values[cell]

    def _sweep(self, values) -> None:
        """Read every channel into `values`."""
        places, cells = self._places, self.cells
        for address in range(CHANNELS):
            for k in range(len(self._selects)):
                self._selects[k].value = bool(address >> k & 1)
            self._wait_us(self._settle_us)
            number = address
            for adc in self._adcs:
                if places[number] < cells:
                    values[places[number]] = adc.value
                number += CHANNELS

    def _judge(self) -> None:
        """Turn values into raw readings."""
        fault = -1
        for cell in range(self.cells):
            value = self._values[cell]
            if value < self._least or value > self._most:
                self._raw[cell] = UNKNOWN
                fault = cell if fault < 0 else fault
                continue
            if self._emitter is not None:
                value = max(0, value - self._dark[cell])
                self._values[cell] = value
            self._raw[cell] = self._band(value - self._rest[cell])
        self.fault = fault

    def _band(self, off: int) -> int:
        for band in self._bands:
            if band[0] <= off <= band[1]:
                return band[2]
        return UNKNOWN
