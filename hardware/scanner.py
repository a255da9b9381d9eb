"""`Scanner`: makes a `Source` of contacts that are read all at once, and of buttons beside them.

`CellScanner` is the same for cells of any kind: it keeps the pace, reads the buttons, and tells when the cells go away
and come back.

One pace for both: a scan every `quiet_ms` while nothing happens, and every `busy_ms` while a change is being agreed and
shortly after, since a button that comes up is soon pressed again. With the defaults (20 ms, 5 ms, three samples) a
contact that rests is seen after 30 ms at the latest, so a state that lasts 60 ms is never missed; one that follows upon
another is seen after 15 ms.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Protocol

from hardware.chords import Chord
from hardware.debounce import Debounce
from hardware.ports import UNKNOWN, ButtonPress, CellChange, LinkNews, Millis, RawHeard, Sensed, Snapshot

QUIET_MS: Final = 20
"""Between two scans while nothing changes; leaves time to agree within the 60 ms after which a state must be seen."""
BUSY_MS: Final = 5
"""Between two scans while a change is being agreed; a reed switch bounces for less."""
LIVELY_MS: Final = 100
"""How long the busy pace is kept once nothing is being agreed any more: as long as a press takes."""
RETRY_MS: Final = 500
"""Between two tries to read cells that cannot be read."""

_log = logging.getLogger(__name__)


class Reader(Protocol):
    """Contacts that can be read all at once."""

    @property
    def width(self) -> int:
        """How many contacts."""

    def read(self) -> int:
        """Return the contacts that are closed, one bit each.

        Raises:
            OSError: they cannot be read; asking again later may help.
        """

    def close(self) -> None:
        """Let go of the device. Twice is fine."""


class NamedReader(Reader, Protocol):
    """A `Reader` whose contacts have names."""

    @property
    def names(self) -> tuple[str, ...]:
        """Shape (width,): the name of each bit."""


class Cells(Protocol):
    """Cells that can be scanned."""

    @property
    def pending(self) -> bool:
        """Whether a change is being agreed, so that the next scan is wanted soon."""

    @property
    def due(self) -> Millis | None:
        """When a scan may tell something new even if nothing moves; None where it will not."""

    def start(self, now: Millis) -> tuple[int, ...]:
        """Read afresh and return what each cell reads, whatever was known before.

        Raises:
            OSError: they cannot be read; asking again later may help.
        """

    def scan(self, now: Millis) -> Iterable[CellChange]:
        """Read once and return what has changed.

        Raises:
            OSError: they cannot be read.
        """

    def lose(self) -> None:
        """Stop waiting for a change: the cells cannot be read, and will be started anew."""

    def hear_raw(self, heard: RawHeard | None) -> None:
        """Tell raw values from now on, as `hardware.ports.RawTeller` does."""

    def close(self) -> None:
        """Let go of the device. Twice is fine."""


class CellScanner:
    """Cells and buttons as one `hardware.ports.Source`.

    Cells that cannot be read are told once as `LinkNews`, tried again every `RETRY_MS`, and once they read again
    that is told too, with a fresh `Snapshot`; buttons work meanwhile. How many cells change in one scan is not judged
    here: whoever listens decides what is a knock against the table.

    Args:
        cells: the cells.
        buttons: the buttons, if there are any.
        samples, agree_ms: how a press is agreed (`Debounce`).
        quiet_ms, busy_ms: the pace.
        lively_cells: whether a change of a cell keeps the busy pace for a while, as that of a button does.
        lost: further exceptions, besides OSError, by which cells and buttons say that they cannot be read.
    """

    def __init__(
        self,
        cells: Cells,
        buttons: NamedReader | None = None,
        *,
        samples: int = 3,
        agree_ms: int = 0,
        quiet_ms: int = QUIET_MS,
        busy_ms: int = BUSY_MS,
        lively_cells: bool = True,
        lost: tuple[type[Exception], ...] = (),
    ) -> None:
        self._cells = cells
        self._buttons = buttons
        self._names = buttons.names if buttons else ()
        self.chord: Chord | None = None
        self._button_debounce = Debounce(len(self._names), samples=samples, agree_ms=agree_ms)
        self._quiet_ms = quiet_ms
        self._busy_ms = busy_ms
        self._lively_cells = lively_cells
        self._lost: tuple[type[Exception], ...] = (OSError, *lost)
        self._due: Millis | None = None
        self._lively_until: Millis | None = None
        self._retry: Millis = 0
        self._fresh = True
        self._up = True
        self._buttons_up = True
        self._closed = False

    def poll(self, now: Millis) -> Sequence[Sensed]:
        """Scan if it is time to, and return what has changed. The first call always scans and gives a `Snapshot`."""
        due = self._due
        if due is None:
            if self._closed:
                return ()
            self._start_buttons(now)
        elif now < due:
            return ()
        sensed: list[Sensed] = []
        if self._up or now >= self._retry:
            self._scan_cells(now, sensed)
        if self._names:
            self._scan_buttons(now, sensed)
        if len(sensed) > 1:
            sensed.sort(key=lambda each: each.at)
        agreeing = self._cells.pending
        if self._button_debounce.pending or (agreeing and self._lively_cells):
            self._lively_until = now + LIVELY_MS
        busy = agreeing or (self._lively_until is not None and now < self._lively_until)
        due = now + (self._busy_ms if busy else self._quiet_ms)
        awaited = self._cells.due
        self._due = due if awaited is None or awaited >= due else max(awaited, now + 1)
        return sensed

    def due(self) -> Millis | None:
        """Return when the next scan is due; 0 before the first, None once closed."""
        return self._due if self._due is not None or self._closed else 0

    def listen(self, wake: Callable[[], None]) -> None:
        """Nothing here happens before it is due, so `wake` is never called."""

    def hear_raw(self, heard: RawHeard | None) -> None:
        """Tell the raw values of the cells from the next scan on; None: no more."""
        self._cells.hear_raw(heard)

    def close(self) -> None:
        """Let go of cells and buttons. Twice is fine."""
        self._closed = True
        self._due = None
        self._cells.close()
        if self._buttons:
            self._buttons.close()

    def _scan_cells(self, now: Millis, sensed: list[Sensed]) -> None:
        try:
            news = [Snapshot(self._cells.start(now), now)] if self._fresh else self._cells.scan(now)
        except self._lost as error:
            if self._up:
                sensed.append(LinkNews(up=False, why=str(error), at=now))
                self._cells.lose()
                self._lively_until = None
            self._up = False
            self._fresh = True
            self._retry = now + RETRY_MS
            return
        self._fresh = False
        if not self._up:
            self._up = True
            sensed.append(LinkNews(up=True, why="", at=now))
        sensed.extend(news)

    def _start_buttons(self, now: Millis) -> None:
        """Take what is held down at the start as no press."""
        if self._buttons:
            try:
                self._button_debounce.start(now, self._buttons.read())
            except self._lost as error:
                self._button_trouble(error)

    def _scan_buttons(self, now: Millis, sensed: list[Sensed]) -> None:
        assert self._buttons is not None
        try:
            raw = self._buttons.read()
        except self._lost as error:
            self._button_trouble(error)
            return
        self._buttons_up = True
        changed = self._button_debounce.feed(now, raw)
        if pressed := changed & self._button_debounce.state:
            since = self._button_debounce.since
            presses = [ButtonPress(self._names[bit], since(bit)) for bit in _bits(pressed)]
        else:
            presses = []
        if self.chord is not None:
            held = [self._names[bit] for bit in _bits(self._button_debounce.state)]
            presses = self.chord.feed(presses, held, now)
        sensed.extend(presses)

    def _button_trouble(self, error: Exception) -> None:
        if self._buttons_up:
            _log.warning("the buttons cannot be read: %s", error)
        self._buttons_up = False


class Contacts:
    """Contacts, debounced, as the `Cells` of a scanner: closed reads 1.

    Args:
        reader: the contacts; their bits in cell order.
        samples, agree_ms: how a change is agreed (`Debounce`).
        in_doubt: which cells of a debounced reading cannot be trusted (`hardware.ghosts.ghosts`); they read `UNKNOWN`.

    Attributes:
        due: None: contacts that rest tell nothing new.
    """

    def __init__(
        self, reader: Reader, *, samples: int, agree_ms: int, in_doubt: Callable[[int], int] | None = None
    ) -> None:
        self._reader = reader
        self._debounce = Debounce(reader.width, samples=samples, agree_ms=agree_ms)
        self._in_doubt = in_doubt
        self._doubt = 0
        self._raw_heard: RawHeard | None = None
        self._raw_told = -1
        self.due: Millis | None = None

    @property
    def pending(self) -> bool:
        """Whether a change is being agreed."""
        return self._debounce.pending != 0

    def start(self, now: Millis) -> tuple[int, ...]:
        """Take what the contacts read as it is."""
        self._debounce.start(now, self._read(now))
        state = self._debounce.state
        self._doubt = doubt = self._in_doubt(state) if self._in_doubt else 0
        return tuple(UNKNOWN if doubt >> cell & 1 else state >> cell & 1 for cell in range(self._reader.width))

    def scan(self, now: Millis) -> Iterable[CellChange]:
        """Read once; return the cells whose reading is another one now."""
        debounce = self._debounce
        changed = debounce.feed(now, self._read(now))
        if not changed:
            return ()
        state = debounce.state
        told = changed
        cause = -1
        if self._in_doubt:
            cause = max(debounce.since(cell) for cell in _bits(changed))
            before, self._doubt = self._doubt, self._in_doubt(state)
            # A cell that stays in doubt reads as it did.
            told = (changed | (before ^ self._doubt)) & ~(before & self._doubt)
        doubt = self._doubt
        return [
            CellChange(
                cell,
                UNKNOWN if doubt >> cell & 1 else state >> cell & 1,
                debounce.since(cell) if changed >> cell & 1 else cause,
            )
            for cell in _bits(told)
        ]

    def lose(self) -> None:
        """Stop waiting for a change."""
        self._debounce.pending = 0

    def hear_raw(self, heard: RawHeard | None) -> None:
        """Tell 0 or 1 of each contact, at the next scan and whenever one has changed since; None: no more."""
        self._raw_heard, self._raw_told = heard, -1

    def close(self) -> None:
        """Let go of the device."""
        self._reader.close()

    def _read(self, now: Millis) -> int:
        bits = self._reader.read()
        if self._raw_heard is not None and bits != self._raw_told:
            self._raw_told = bits
            self._raw_heard(now, 0, [bits >> cell & 1 for cell in range(self._reader.width)])
        return bits


class Scanner(CellScanner):
    """Contacts and buttons as one `hardware.ports.Source`.

    Args:
        cells: the contacts of the cells; their bits in cell order.
        buttons: the buttons, if there are any.
        samples, agree_ms: how a change is agreed (`Debounce`), for cells and buttons alike.
        quiet_ms, busy_ms: the pace.
        in_doubt: which cells of a debounced reading cannot be trusted (`hardware.ghosts.ghosts`); they read `UNKNOWN`.
        lost: further exceptions, besides OSError, by which the cells say that they cannot be read.
    """

    def __init__(
        self,
        cells: Reader,
        buttons: NamedReader | None = None,
        *,
        samples: int = 3,
        agree_ms: int = 0,
        quiet_ms: int = QUIET_MS,
        busy_ms: int = BUSY_MS,
        in_doubt: Callable[[int], int] | None = None,
        lost: tuple[type[Exception], ...] = (),
    ) -> None:
        super().__init__(
            Contacts(cells, samples=samples, agree_ms=agree_ms, in_doubt=in_doubt),
            buttons,
            samples=samples,
            agree_ms=agree_ms,
            quiet_ms=quiet_ms,
            busy_ms=busy_ms,
            lost=lost,
        )


def _bits(value: int) -> list[int]:
    """Return the numbers of the bits that are set, lowest first."""
    found = []
    while value:
        low = value & -value
        found.append(low.bit_length() - 1)
        value ^= low
    return found
