"""How contacts and buttons are soldered to the pins of a header, and at what pace they are read. Plain values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hardware.scanner import BUSY_MS, QUIET_MS


@dataclass(frozen=True, slots=True)
class Wiring:
    """What is soldered to which pin, by BCM number: a matrix, and buttons on pins of their own or at its crossings.

    Fields:
        rows, columns: the pins of the matrix.
        crossings: shape (cells,): row and column of each cell's contact, as indices into `rows` and `columns`.
        buttons: pin by button name; each button joins its pin to ground.
        diodes: whether each contact has one, from its column to its row.
        keys: row and column, as in `crossings`, of buttons that are contacts of the matrix, by name.
    """

    rows: Sequence[int] = ()
    columns: Sequence[int] = ()
    crossings: Sequence[tuple[int, int]] = ()
    buttons: Mapping[str, int] = field(default_factory=dict)
    diodes: bool = True
    keys: Mapping[str, tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pace:
    """When contacts are read and when a change counts.

    Fields:
        settle_us: microseconds from driving a row to reading its columns.
        quiet_ms, busy_ms: between scans, while nothing changes and while a change is being agreed.
        samples, agree_ms: readings in a row that must agree, and for how long (`hardware.debounce.Debounce`).
    """

    settle_us: int = 50
    quiet_ms: int = QUIET_MS
    busy_ms: int = BUSY_MS
    samples: int = 3
    agree_ms: int = 0
