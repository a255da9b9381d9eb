"""What `stonelight doctor` knows of a computer: plain values. `gather` collects them, `checks` judges them.

Where something cannot be known (no such file, no such program, not allowed) it is None, and what depends on it is left
out rather than guessed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from hardware.profile import Profile

PACKAGES: Final = ("controller", "hardware", "simulator")
"""The import packages of Stonelight."""


@dataclass(frozen=True, slots=True)
class Install:
    """Python, and how Stonelight came to it.

    Fields:
        python: its version, as (3, 11, 4).
        executable: its path.
        owners: the distributions that bring each of `PACKAGES`; none where it runs from its source.
        homes: the directory from which each of `PACKAGES` was imported.
        own_home: the directory that holds this very program's packages.
    """

    python: tuple[int, int, int]
    executable: str
    owners: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    homes: Mapping[str, str] = field(default_factory=dict)
    own_home: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A pin that somebody holds.

    Fields:
        gpio: its BCM number.
        holder: who, as the kernel knows them.
    """

    gpio: int
    holder: str


@dataclass(frozen=True, slots=True)
class Port:
    """A serial port.

    Fields:
        device: ``/dev/ttyACM0``.
        interface: the name of its USB interface; empty where it has none.
        vendor: four hexadecimal digits; empty where it is not on USB.
        allowed: whether this user may open it.
        ignored: whether ModemManager has been told to leave it alone; None where that is not known.
    """

    device: str
    interface: str = ""
    vendor: str = ""
    allowed: bool = True
    ignored: bool | None = None


@dataclass(frozen=True, slots=True)
class Spi:
    """A node of the SPI buses.

    Fields:
        device: ``/dev/spidev0.0``.
        allowed: whether this user may open it.
    """

    device: str
    allowed: bool


@dataclass(frozen=True, slots=True)
class State:
    """Where games are kept.

    Fields:
        path: the directory.
        writable: whether files can be made there, or it can be made itself.
        owner: whose it is, where that is somebody else; empty otherwise.
        free_mb: megabytes left.
    """

    path: str
    writable: bool
    owner: str = ""
    free_mb: int | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """The port of the page.

    Fields:
        number: the port.
        free: whether this program can listen there.
        ours: where not: whether it is Stonelight that listens.
        lan: this computer's address on its network; None where it has none.
        reachable: whether a connection to `lan` arrives; None where that was not tried.
    """

    number: int
    free: bool
    ours: bool = False
    lan: str | None = None
    reachable: bool | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """All that is known.

    Fields:
        install: Python and Stonelight.
        system: the operating system in words.
        model: the model of Raspberry Pi; None on another computer.
        user: who runs this.
        root: whether that is root.
        groups: the groups of this session.
        groups_file: the groups that the system's files give the user; a new session will have them.
        chips: label by number of the GPIO chips that may be opened; None where there are none at all.
        chips_forbidden: how many more there are that may not be opened.
        lines: pins of the header that are held; None where that cannot be asked.
        lgpio: ``real``, ``empty`` for the stub, ``missing``, or ``broken: ...``.
        spi: the nodes of the SPI buses.
        spi_buffer: bytes in one SPI transfer; None where not known.
        pio: whether the node of a Pi 5's PIO may be used; None where there is none.
        core_mhz: what the firmware keeps the core clock at: (setting, megahertz), 0 where unset; None where not known.
        modules: the kernel's modules that are loaded; None where not known.
        config: the text of the Pi's config.txt; None where there is none.
        cmdline: the kernel's command line; None where not known.
        ports: serial ports.
        port_named: the serial port that was named for the board; empty where it is looked for.
        modem_manager: whether ModemManager runs.
        year: of the clock.
        synchronised: whether the clock follows a time server; None where not known.
        state: where games are kept.
        page: the port of the page.
        throttled: the firmware's word about its supply; None where not known.
        profile: the board; None where none was asked for or it has faults.
        profile_faults: what is wrong with it.
    """

    install: Install
    system: str
    user: str
    state: State
    page: Page
    model: str | None = None
    root: bool = False
    groups: frozenset[str] = frozenset()
    groups_file: frozenset[str] = frozenset()
    chips: Mapping[int, str] | None = None
    chips_forbidden: int = 0
    lines: tuple[Line, ...] | None = None
    lgpio: str = "missing"
    spi: tuple[Spi, ...] = ()
    spi_buffer: int | None = None
    pio: bool | None = None
    core_mhz: Mapping[str, int] | None = None
    modules: frozenset[str] | None = None
    config: str | None = None
    cmdline: str | None = None
    ports: tuple[Port, ...] = ()
    port_named: str = ""
    modem_manager: bool = False
    year: int = 2026
    synchronised: bool | None = None
    throttled: int | None = None
    profile: Profile | None = None
    profile_faults: tuple[str, ...] = ()
