"""Debouncing of all cells at once, in place: a scan that changes nothing costs one comparison and no memory.

Times are the device's clock; only their lowest 16 bits are kept.
"""

from array import array

UNKNOWN = 255


def _zeros(count: int):
    """Return an array of `count` 16-bit zeros."""
    return array("H", bytes(2 * count))


class Bits:
    """Contacts, one bit each: byte ``bit >> 3``, highest bit first. A bit changes when its readings agree.

    The same rule as the controller's own: it has read differently from its state in `samples` readings in a row and
    for `agree_ms`. The counters are vertical: ``runs[k]`` has the bits whose last k + 1 readings all differed.

    Attributes:
        state: the debounced bits.
        changed: the bits that the last `feed` changed.
        pending: whether a change is being agreed.
    """

    def __init__(self, size: int, samples: int, agree_ms: int) -> None:
        self.size = size
        self.state = bytearray(size)
        self.changed = bytearray(size)
        self.pending = False
        self._raw = bytearray(size)
        self._since = _zeros(8 * size)
        self.configure(samples, agree_ms)

    def configure(self, samples: int, agree_ms: int) -> None:
        """Agree so from now on; what is being agreed begins anew."""
        self._agree_ms = agree_ms
        self._runs = [bytearray(self.size) for _ in range(samples - 1)]

    def start(self, now: int, raw: bytearray) -> None:
        """Take `raw` as the state as it is."""
        for k in range(self.size):
            self.state[k] = self._raw[k] = raw[k]
            for run in self._runs:
                run[k] = 0
        for bit in range(8 * self.size):
            self._since[bit] = now & 0xFFFF
        self.pending = False

    def feed(self, now: int, raw: bytearray) -> bool:
        """Take one reading of all; return whether it changed `state`. `raw` stays the caller's."""
        if not self.pending and raw == self._raw:
            return False
        any_changed = False
        pending = False
        state, seen, changed, runs = self.state, self._raw, self.changed, self._runs
        for k in range(self.size):
            now_bits = raw[k]
            edges = now_bits ^ seen[k]
            if edges:
                seen[k] = now_bits
                self._stamp(now, k, edges)
            agreed = differs = now_bits ^ state[k]
            for run in runs:
                before = run[k]
                run[k] = agreed
                agreed &= before
            if agreed and self._agree_ms:
                agreed = self._old_enough(now, k, agreed)
            changed[k] = agreed
            if agreed:
                any_changed = True
                state[k] ^= agreed
                for run in runs:
                    run[k] &= agreed ^ 255
            if differs != agreed:
                pending = True
        self.pending = pending
        return any_changed

    def ago(self, now: int, bit: int) -> int:
        """Return the milliseconds since the raw reading of that bit last changed, below 65,536."""
        return (now - self._since[bit]) & 0xFFFF

    def _stamp(self, now: int, k: int, bits: int) -> None:
        for place in range(8):
            if bits & (128 >> place):
                self._since[8 * k + place] = now & 0xFFFF

    def _old_enough(self, now: int, k: int, bits: int) -> int:
        for place in range(8):
            mask = 128 >> place
            if bits & mask and self.ago(now, 8 * k + place) < self._agree_ms:
                bits ^= mask
        return bits


class Levels:
    """Readings of several values, a byte a cell. What is in between, or has not been steady yet, is `UNKNOWN`.

    A cell whose readings have differed from its state `samples` times in a row becomes `UNKNOWN` (where `unsure`),
    and a new reading is given out once it has been the same for `steady_ms`, and `samples` times. So a stone that
    comes down through the fields of other colours is never taken for one of them.

    Attributes:
        state: the debounced readings.
        changed: 1 for each cell that the last `feed` changed.
        pending: whether a change is being agreed.
    """

    def __init__(self, cells: int, samples: int, steady_ms: int, unsure: bool) -> None:
        self.size = cells
        self.state = bytearray(cells)
        self.changed = bytearray(cells)
        self.pending = False
        self._seen = bytearray(cells)
        self._same = bytearray(cells)
        self._off = bytearray(cells)
        self._since = _zeros(cells)
        self._began = _zeros(cells)
        self._unsure = unsure
        self.configure(samples, steady_ms)

    def configure(self, samples: int, steady_ms: int) -> None:
        """Agree so from now on."""
        self._samples = samples
        self._steady_ms = steady_ms

    def start(self, now: int, raw: bytearray) -> None:
        """Take `raw` as the state as it is."""
        for cell in range(self.size):
            self.state[cell] = self._seen[cell] = raw[cell]
            self._same[cell] = self._off[cell] = 0
            self._since[cell] = self._began[cell] = now & 0xFFFF
        self.pending = False

    def feed(self, now: int, raw: bytearray) -> bool:
        """Take one reading of all; return whether it changed `state`."""
        if not self.pending and raw == self._seen:
            return False
        any_changed = False
        pending = False
        for cell in range(self.size):
            reading = raw[cell]
            self.changed[cell] = 0
            if reading != self._seen[cell]:
                self._seen[cell] = reading
                self._same[cell] = 0
                self._since[cell] = now & 0xFFFF
            if self._same[cell] < 255:
                self._same[cell] += 1
            if reading == self.state[cell]:
                self._off[cell] = 0
                continue
            if self._settle(now, cell, reading):
                any_changed = True
                self.changed[cell] = 1
            if self.state[cell] != reading:
                pending = True
        self.pending = pending
        return any_changed

    def ago(self, now: int, cell: int) -> int:
        """Return the milliseconds since the cell began to read otherwise than it did before its last change."""
        return (now - self._began[cell]) & 0xFFFF

    def _settle(self, now: int, cell: int, reading: int) -> bool:
        """Count one more reading that is not the state; return whether the state changes."""
        if self._off[cell] < 255:
            if not self._off[cell]:
                self._began[cell] = now & 0xFFFF
            self._off[cell] += 1
        steady = self._same[cell] >= self._samples
        if steady and (reading == UNKNOWN or ((now - self._since[cell]) & 0xFFFF) >= self._steady_ms):
            if reading != UNKNOWN:
                self._began[cell] = self._since[cell]
            self.state[cell] = reading
        elif self._unsure and self._off[cell] >= self._samples and self.state[cell] != UNKNOWN:
            self.state[cell] = UNKNOWN
        else:
            return False
        self._off[cell] = 0
        return True
