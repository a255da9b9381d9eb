"""What a `hardware.link.Link` tells: who is at the other end, what its cells and buttons did, and what went wrong."""

import enum
from dataclasses import dataclass
from typing import Final, TypeAlias

from hardware import wire_messages as says
from hardware.ports import CellChange, Millis, Sensing

SENSINGS: Final = (Sensing.PRESENCE, Sensing.COLOUR, Sensing.COUNT)
"""By the number that HELLO gives."""


class Can(enum.Flag):
    """What a device offers besides cells and pixels."""

    RAW = says.CAN_RAW
    """Gives the raw value of each sensor."""
    UNKNOWN = says.CAN_UNKNOWN
    """Says of a cell that it does not know."""
    SETTINGS = says.CAN_SETTINGS
    """Lets its debounce and scan rate be set."""
    DRIVE = says.CAN_DRIVE
    """Restarts with its drive in sight, for new firmware."""


NOTHING: Final = Can(0)


class FaultCode(enum.IntEnum):
    """What a device finds wrong with itself. The values are those of the wire."""

    CHAIN = says.FAULT_CHAIN
    """The register chain does not end in its fixed pattern."""
    LINE = says.FAULT_LINE
    """A line of the matrix reads closed while nothing is selected."""
    ANALOGUE = says.FAULT_ANALOGUE
    """A sensor gives a value that no field and no light can."""
    PIXELS = says.FAULT_PIXELS
    """The pixels cannot be sent to."""
    MEMORY = says.FAULT_MEMORY
    """Memory runs short."""
    RESET = says.FAULT_RESET
    """The device started because of a brownout, its watchdog or a crash."""
    PROGRAM = says.FAULT_PROGRAM
    """Something went wrong in the firmware, and it went on."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a device scans and when a change counts.

    Fields:
        scan_ms, busy_ms: between scans, while nothing changes and while a change is being agreed: 1 to 250.
        samples: readings in a row that must agree, 1 to 16.
        agree_ms: for how long they must agree besides, 0 to 250.
    """

    scan_ms: int = 20
    busy_ms: int = 5
    samples: int = 3
    agree_ms: int = 10

    def __post_init__(self) -> None:
        bounds = ((self.scan_ms, 1, 250), (self.busy_ms, 1, 250), (self.samples, 1, 16), (self.agree_ms, 0, 250))
        if not all(least <= value <= most for value, least, most in bounds):
            raise ValueError(f"{self}: scan_ms and busy_ms are 1 to 250, samples 1 to 16, agree_ms 0 to 250")

    def numbers(self) -> tuple[int, int, int, int]:
        """Return the four in the order of the wire."""
        return self.scan_ms, self.busy_ms, self.samples, self.agree_ms


@dataclass(frozen=True, slots=True)
class Hello:
    """Who a device is.

    Fields:
        firmware: its version, such as ``1.0.2``.
        protocol: version of the wire; where it is not ours, all below is empty.
        identity: its serial number in hexadecimal, the same for ever.
        board: the name of the board that it was set up for.
        cells, sensing, top: how many cells, what they tell, the greatest reading.
        pixels, channels: how many pixels, and bytes for each.
        can: what else it offers.
        settings: how it scans.
        buttons: names in the order of their numbers.
        reset: why it last started: a number of CircuitPython's ``ResetReason`` in the order of its documentation.
        wiring: which wiring it was told, as `hardware.board_plan.wiring` has it; 0 where it does not say.
    """

    firmware: str
    protocol: int
    identity: str = ""
    board: str = ""
    cells: int = 0
    sensing: Sensing = Sensing.PRESENCE
    top: int = 0
    pixels: int = 0
    channels: int = 3
    can: Can = NOTHING
    settings: Settings = Settings()
    buttons: tuple[str, ...] = ()
    reset: int = 0
    wiring: int = 0


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the board at the other end must be. None: anything will do.

    Fields:
        board: name of the board profile; only told, never a reason to refuse.
        cells, sensing, pixels, channels: as in `Hello`.
        wiring: as in `Hello`; compared where both are known.
    """

    board: str = ""
    cells: int | None = None
    sensing: Sensing | None = None
    pixels: int | None = None
    channels: int | None = None
    wiring: int = 0

    def misses(self, hello: Hello) -> str:
        """Return in words what `hello` is not; empty where it is all that was wanted."""
        wrong = [
            f"{has} {what} instead of {want}"
            for what, want, has in (
                ("cells", self.cells, hello.cells),
                ("pixels", self.pixels, hello.pixels),
                ("bytes for each pixel", self.channels, hello.channels),
            )
            if want is not None and want != has
        ]
        if self.sensing is not None and self.sensing is not hello.sensing:
            wrong.append(f"cells that tell {hello.sensing.value} instead of {self.sensing.value}")
        if self.wiring and hello.wiring and self.wiring != hello.wiring:
            wrong.append("pins, cell order or sensor levels of another profile, or of this one before it was changed")
        return ", ".join(wrong)


@dataclass(frozen=True, slots=True)
class Up:
    """A session has begun. A `Laid` follows.

    Fields:
        hello: who is there.
        at: when.
        went_on: whether the device is the one of the session before by its clock, which has gone on all the time.
    """

    hello: Hello
    at: Millis
    went_on: bool = False


@dataclass(frozen=True, slots=True)
class Down:
    """The board cannot be heard, or it is the wrong one; `why` says what is wrong and what to do.

    Told again only when the reason is another one.
    """

    why: str
    at: Millis


class Cause(enum.Enum):
    """Why all cells are told at once."""

    START = "start"
    """The session has just begun."""
    ASKED = "asked"
    """Somebody asked."""
    LOST = "lost"
    """The device had to drop changes that nobody fetched in time; what happened in between is not known."""
    DIFFERS = "differs"
    """The regular snapshot was not what the changes had added up to."""


@dataclass(frozen=True, slots=True)
class Laid:
    """All cells, freshly read: as `hardware.ports.Snapshot`."""

    readings: tuple[int, ...]
    cause: Cause
    at: Millis


@dataclass(frozen=True, slots=True)
class Button:
    """A button went down or up."""

    name: str
    down: bool
    at: Millis


@dataclass(frozen=True, slots=True)
class DeviceFault:
    """The device finds something wrong with itself, or right again.

    Fields:
        code: what; a number where this program does not know it.
        on: whether it begins.
        detail: the line, the register's reading, the reason: by `code`.
    """

    code: FaultCode | int
    on: bool
    detail: int
    at: Millis


@dataclass(frozen=True, slots=True)
class Statistics:
    """What the device counted since it started.

    Fields:
        up_s: seconds since it started.
        scans: scans in the last second.
        slowest_ms: longest turn of its loop since the last statistics.
        bad_frames: frames from here that failed their check.
        noise: messages that were well checked and said nothing sensible.
        resent: frames that it sent again.
        dropped: messages that it dropped because nobody fetched them.
        free: bytes of memory that are free.
    """

    up_s: int
    scans: int
    slowest_ms: int
    bad_frames: int
    noise: int
    resent: int
    dropped: int
    free: int
    at: Millis


@dataclass(frozen=True, slots=True)
class Configured:
    """The device scans so from now on."""

    settings: Settings
    at: Millis


@dataclass(frozen=True, slots=True)
class Raw:
    """What sensors give before any judgement, 0 to 65535, of the cells from `first` on."""

    first: int
    values: tuple[int, ...]
    at: Millis


@dataclass(frozen=True, slots=True)
class Gap:
    """A message is missing; it has been asked for again. Nothing that follows is told before it has come."""

    at: Millis


class NoiseKind(enum.Enum):
    """What bytes that are no message look like. The values are for logs."""

    PROMPT = "prompt"
    TRACEBACK = "traceback"
    BANNER = "banner"
    LOGIN = "login"
    MODEM = "modem"
    TEXT = "text"
    GARBLED = "garbled"
    SENSELESS = "senseless"


@dataclass(frozen=True, slots=True)
class Noise:
    """Bytes that are no message. They change nothing.

    Fields:
        kind: what they look like.
        says: that in words, and what to do.
        data: the bytes, at most `hardware.wire.LONGEST`.
    """

    kind: NoiseKind
    says: str
    data: bytes
    at: Millis


LinkEvent: TypeAlias = (
    Up | Down | CellChange | Laid | Button | DeviceFault | Statistics | Configured | Raw | Gap | Noise
)
