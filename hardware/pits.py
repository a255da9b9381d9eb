r"""Optical pits: from what a sensor under each pit sees to empty, occupied, or a hand in it.

A seed reflects more than an empty pit, and a hand that passes changes what the sensor sees from scan to scan. So a pit
is given out only once it has been left alone: a value that moves by more than a quarter of what one seed makes starts
the wait anew, and while it lasts the pit reads `UNKNOWN`, which lights it and completes no move::

    value    ______/\/``\/\_/````````````````````````
    given    0000000????????????????????????111111111
                   ^ disturbed     | quiet |

`PitJudge` is arithmetic on (time, values); `PitsSource` reads and paces. A hand that rests in a pit without moving
looks like seeds; nothing here can tell it apart.
"""

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from hardware.ports import UNKNOWN, CellChange, LinkNews, Millis, RawHeard, Sensed, Snapshot
from hardware.scanner import RETRY_MS, NamedReader, Scanner

QUIET_MS: Final = 300
"""How long a pit must be left alone before it counts as emptied or filled; a hand that sows is back sooner."""
STIR: Final = 0.25
"""Which part of the difference that one seed makes a value must move by to be a disturbance."""
HYSTERESIS: Final = 0.1
"""How far on either side of half-way a pit keeps what it was, as a part of the same difference."""


class PitJudge:
    """What all pits are, from their values over time.

    Args:
        levels: shape (pits, 2): what each reads empty and with one seed.
        quiet_ms: how long a pit must be left alone.

    Attributes:
        readings: shape (pits,): 0 empty, 1 occupied, `UNKNOWN` disturbed.
        disturbed: whether any pit is.
    """

    def __init__(self, levels: Sequence[tuple[int, int]], *, quiet_ms: Millis = QUIET_MS) -> None:
        self.readings = [UNKNOWN] * len(levels)
        self.disturbed = False
        self._quiet_ms = quiet_ms
        self._half = [(empty + seed) / 2 for empty, seed in levels]
        self._span = [seed - empty for empty, seed in levels]
        self._occupied = [False] * len(levels)
        self._anchor = [0] * len(levels)
        self._stirred: list[Millis] = [0] * len(levels)

    def start(self, now: Millis, values: Sequence[int]) -> None:
        """Take the pits as they are, for the first values and after any doubt."""
        for pit, value in enumerate(values):
            self._anchor[pit], self._stirred[pit] = value, now - self._quiet_ms
            self._occupied[pit] = value > self._half[pit]
            self.readings[pit] = int(self._occupied[pit])
        self.disturbed = False

    def feed(self, now: Millis, values: Sequence[int]) -> list[tuple[int, int, Millis]]:
        """Take the values of one scan; return (pit, new reading, since when) of the pits that read otherwise now."""
        changes: list[tuple[int, int, Millis]] = []
        disturbed = False
        for pit, value in enumerate(values):
            if abs(value - self._anchor[pit]) > STIR * self._span[pit]:
                self._anchor[pit], self._stirred[pit] = value, now
            if now - self._stirred[pit] < self._quiet_ms:
                reading, disturbed = UNKNOWN, True
            else:
                reading = self._judge(pit, value)
            if reading != self.readings[pit]:
                self.readings[pit] = reading
                changes.append((pit, reading, self._stirred[pit] if reading != UNKNOWN else now))
        self.disturbed = disturbed
        return changes

    def _judge(self, pit: int, value: int) -> int:
        slack = HYSTERESIS * self._span[pit] * (-1 if self._occupied[pit] else 1)
        self._occupied[pit] = value > self._half[pit] + slack
        return int(self._occupied[pit])


class Values(Protocol):
    """Analogue cells that can be read all at once (`hardware.multiplexers.Multiplexed`)."""

    @property
    def width(self) -> int:
        """How many cells."""

    def read(self) -> list[int]:
        """Return shape (width,): the value of each. Raises OSError where they cannot be read."""

    def close(self) -> None:
        """Let go of the device. Twice is fine."""


class PitsSource:
    """Optical pits, and buttons beside them, as one `hardware.ports.Source`.

    Args:
        values: what the sensors see.
        judge: what that means.
        buttons: the buttons, if there are any.
        scan_ms: between two scans.
        lost: exceptions, besides OSError, by which the pits say that they cannot be read.
    """

    def __init__(
        self,
        values: Values,
        judge: PitJudge,
        buttons: NamedReader | None = None,
        *,
        scan_ms: int = 20,
        lost: tuple[type[Exception], ...] = (),
    ) -> None:
        self._values = values
        self._judge = judge
        self._scan_ms = scan_ms
        self._lost: tuple[type[Exception], ...] = (OSError, *lost)
        self._buttons = None if buttons is None else Scanner(_NoCells(), buttons, lost=lost)
        self._raw_heard: RawHeard | None = None
        self._due: Millis = 0
        self._up = True
        self._fresh = True
        self._closed = False

    def poll(self, now: Millis) -> Sequence[Sensed]:
        """Scan if it is time to, and return what has changed, oldest first. The first call gives a `Snapshot`."""
        if self._closed:
            return ()
        sensed: list[Sensed] = []
        if self._buttons is not None:
            sensed += [each for each in self._buttons.poll(now) if not isinstance(each, Snapshot)]
        if now >= self._due:
            self._scan(now, sensed)
        if len(sensed) > 1:
            sensed.sort(key=lambda each: each.at)
        return sensed

    def due(self) -> Millis | None:
        """Return when the next scan is due; None once closed."""
        if self._closed:
            return None
        buttons = None if self._buttons is None else self._buttons.due()
        return self._due if buttons is None else min(self._due, buttons)

    def listen(self, wake: Callable[[], None]) -> None:
        """Nothing here happens before it is due, so `wake` is never called."""

    def hear_raw(self, heard: RawHeard | None) -> None:
        """Tell what the sensors see at each scan from now on; None: no more."""
        self._raw_heard = heard

    def close(self) -> None:
        """Let go of pits and buttons. Twice is fine."""
        self._closed = True
        self._values.close()
        if self._buttons is not None:
            self._buttons.close()

    def _scan(self, now: Millis, sensed: list[Sensed]) -> None:
        self._due = now + self._scan_ms
        try:
            values = self._values.read()
        except self._lost as error:
            if self._up:
                sensed.append(LinkNews(up=False, why=str(error), at=now))
            self._up, self._fresh, self._due = False, True, now + RETRY_MS
            return
        if self._raw_heard is not None:
            self._raw_heard(now, 0, values)
        if not self._up:
            self._up = True
            sensed.append(LinkNews(up=True, why="", at=now))
        if self._fresh:
            self._fresh = False
            self._judge.start(now, values)
            sensed.append(Snapshot(tuple(self._judge.readings), now))
        else:
            sensed += [CellChange(*change) for change in self._judge.feed(now, values)]


class _NoCells:
    """No cells, so that a `Scanner` reads buttons alone."""

    width: Final = 0

    def read(self) -> int:
        """Nothing to read."""
        return 0

    def close(self) -> None:
        """Nothing to let go of."""
