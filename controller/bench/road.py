"""The roads to a board at the bench: the pins of this Raspberry Pi, or a simulated board; and what is read there.

A `Probe` reads every input that a driver has, whether a cell is known to be there or not. `sensing_on` makes of it what
play makes: a `hardware.ports.Source` of the profile's cells and buttons, by the same drivers and judges. A board with a
micro-controller, behind a serial port, is reached by `controller.bench.serial_road`.
"""

import dataclasses
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from gpiozero import GPIOZeroError

from hardware.adc import CHIP_CHANNELS, Adcs, GpiozeroAdcs, SpidevAdcs
from hardware.analogue import FieldCells
from hardware.bands import ColourCells
from hardware.buttons import Buttons
from hardware.ghosts import ghosts
from hardware.lamps import PixelLamps, Strip
from hardware.matrix import Matrix
from hardware.multiplexers import CHANNELS, Multiplexed
from hardware.opening import open_pins, open_strip
from hardware.pits import PitJudge, PitsSource
from hardware.pixels import Chain
from hardware.ports import DeviceError, Lamps, Millis, Source
from hardware.profile import Profile
from hardware.registers import Registers, open_spi
from hardware.scanner import CellScanner, Contacts, NamedReader
from hardware.shared import Joined


class Clock(Protocol):
    """Time at the bench."""

    def now(self) -> Millis:
        """Return the time."""

    def wait(self, ms: Millis) -> None:
        """Return so many milliseconds later."""


class SystemClock:
    """The system's monotonic clock."""

    def now(self) -> Millis:
        """Return its milliseconds."""
        return time.monotonic_ns() // 1_000_000

    def wait(self, ms: Millis) -> None:
        """Sleep."""
        time.sleep(ms / 1000)


class Probe(Protocol):
    """All inputs of a board, read at once."""

    @property
    def width(self) -> int:
        """How many inputs."""

    def read(self) -> list[int]:
        """Return shape (width,): 0 or 1 of contacts, counts of analogue sensors.

        Raises:
            OSError: they cannot be read.
        """

    def close(self) -> None:
        """Let go of the device. Twice is fine."""


class Road(Protocol):
    """A way to a board."""

    clock: Clock

    def sensing(self, profile: Profile) -> Source:
        """Return the cells and buttons as play hears them, with their raw values (`hardware.ports.RawTeller`).

        Raises:
            DeviceError: they cannot be had; says why and what to do.
        """

    def probe(self, profile: Profile) -> Probe:
        """Return all inputs. Raises as `sensing`."""

    def tells_values(self, profile: Profile) -> bool:
        """Return whether the inputs give values that say how far a stone moves them, not only 0 and 1."""

    def cell_lamps(self, profile: Profile) -> Lamps:
        """Return the lamps of the cells, then of the track. Raises as `sensing`."""

    def chain_lamps(self, profile: Profile) -> Lamps:
        """Return the pixels in the order of their chain. Raises as `sensing`."""

    def tend(self) -> None:
        """Keep in touch with the board while a person thinks: call it some times a second. Nothing it tells is lost."""

    def close(self) -> None:
        """Let go of the board. Twice is fine."""


class Pins(Protocol):
    """Where the pins, converters and pixels of a board are."""

    factory: Any
    lost: tuple[type[Exception], ...]

    def settle(self, us: int) -> None:
        """Wait so many microseconds for a line to settle."""

    def registers_spi(self) -> Any:
        """Return the SPI port of a chain of registers, open."""

    def converters(self, profile: Profile, inputs: int) -> Adcs:
        """Return the first so many channels of the converters that read fields."""

    def multiplexer_inputs(self, profile: Profile) -> Adcs:
        """Return the inputs at the common pins of the multiplexers."""

    def strip(self, profile: Profile) -> Strip:
        """Return the pixels."""


class PinRoad:
    """A way to a board over pins: `Road`, for what is a `Pins`."""

    def sensing(self: Pins, profile: Profile) -> Source:
        """Return the cells and buttons, by the drivers and judges of play."""
        return sensing_on(profile, self)

    def probe(self: Pins, profile: Profile) -> Probe:
        """Return all inputs."""
        return open_probe(profile, self)

    def tells_values(self, profile: Profile) -> bool:
        """Return whether there are converters."""
        return profile.levels

    def cell_lamps(self: Pins, profile: Profile) -> Lamps:
        """Return the lamps of the cells, then of the track."""
        return PixelLamps(profile.chain(), self.strip(profile))

    def chain_lamps(self: Pins, profile: Profile) -> Lamps:
        """Return the pixels in the order of their chain."""
        return PixelLamps(in_chain_order(profile), self.strip(profile))

    def tend(self) -> None:
        """Pins and pixels stay as they are."""


class PiRoad(PinRoad):
    """The header of this Raspberry Pi.

    Args:
        profile: the board.

    Raises:
        DeviceError: the pins cannot be had, or the board is not wired to them; says why and what to do.
    """

    def __init__(self, profile: Profile) -> None:
        if profile.host != "pi":
            raise DeviceError(
                f"the board {profile.name!r} is wired to a Pico, not to this computer's header: reach it by its port"
            )
        self.clock: Clock = SystemClock()
        self.factory, self.lost = open_pins()

    def settle(self, us: int) -> None:
        """Sleep."""
        time.sleep(us / 1_000_000)

    def registers_spi(self) -> Any:
        """Return SPI1."""
        return open_spi()

    def converters(self, profile: Profile, inputs: int) -> Adcs:
        """Return the chips, through the kernel's driver where they are on a bus."""
        converters = profile.converters()
        channels = [divmod(number, CHIP_CHANNELS) for number in range(inputs)]
        if converters.bus == "pins":
            return GpiozeroAdcs(channels, converters.pins(), pin_factory=self.factory)
        return SpidevAdcs(channels, int(converters.bus[-1]))

    def multiplexer_inputs(self, profile: Profile) -> Adcs:
        """Return the channels of one chip on SPI1."""
        return SpidevAdcs([(0, channel) for channel in profile.cells.adcs], 1, ends_are_faults=False)

    def strip(self, profile: Profile) -> Strip:
        """Return what ``[lamps]`` asks for."""
        return open_strip(profile)

    def close(self) -> None:
        """Let go of the pins."""
        self.factory.close()


class BitsProbe:
    """Contacts as a `Probe`.

    Args:
        reader: a `hardware.scanner.Reader`.
    """

    def __init__(self, reader: Matrix | Registers) -> None:
        self._reader = reader
        self.width: Final = reader.width

    def read(self) -> list[int]:
        """Return 1 for each contact that is closed."""
        bits = self._reader.read()
        return [bits >> number & 1 for number in range(self.width)]

    def close(self) -> None:
        """Let go of the pins."""
        self._reader.close()


def open_probe(profile: Profile, road: Pins) -> Probe:
    """Return all inputs of a board.

    Raises:
        DeviceError: pins or buses cannot be had; says which, why, and what to do.
    """
    try:
        return _PROBES[profile.cells.driver](profile, road)
    except (GPIOZeroError, *road.lost) as error:
        raise DeviceError(
            f"a pin cannot be used as the profile says ({error}): 'gpioinfo' names who holds it; stop that program, "
            "or check the numbers in the profile"
        ) from error


def _matrix(profile: Profile, road: Pins) -> Probe:
    cells = profile.cells
    crossings = [(row, column) for row in range(len(cells.rows)) for column in range(len(cells.columns))]
    reader = Matrix(
        cells.rows,
        cells.columns,
        crossings,
        settle_us=cells.settle_us,
        wait=road.settle,
        pin_factory=road.factory,
    )
    return BitsProbe(reader)


def _chain(profile: Profile, road: Pins) -> Probe:
    cells = profile.cells
    assert cells.load is not None, "the checks have seen it to be there"
    reader = Registers(
        road.registers_spi(),
        cells.load,
        cells.registers,
        range(8 * cells.registers),
        closed_is_low=cells.closed_is_low,
        pin_factory=road.factory,
    )
    return BitsProbe(reader)


def _mux(profile: Profile, road: Pins) -> Probe:
    cells = profile.cells
    return Multiplexed(
        road.multiplexer_inputs(profile),
        cells.selects,
        cells.emitter,
        range(CHANNELS * len(cells.adcs)),
        settle_us=cells.settle_us,
        wait=road.settle,
        pin_factory=road.factory,
    )


def _mcp3008(profile: Profile, road: Pins) -> Probe:
    return road.converters(profile, CHIP_CHANNELS * profile.converters().chips)


_PROBES: Final[dict[str, Callable[[Profile, Pins], Probe]]] = {
    "matrix": _matrix,
    "chain": _chain,
    "mux": _mux,
    "mcp3008": _mcp3008,
}


class Tapped:
    """A probe, read as the cells of a profile; what it last read is kept.

    Args:
        probe: all inputs.
        inputs: shape (cells,): the input of each cell.

    Attributes:
        raw: shape (inputs,): the last values; empty before the first.
    """

    def __init__(self, probe: Probe, inputs: Sequence[int]) -> None:
        self._probe = probe
        self._inputs = tuple(inputs)
        self.width: Final = len(self._inputs)
        self.raw: list[int] = []

    def read(self) -> list[int]:
        """Return shape (cells,): the value of each."""
        self.raw = self._probe.read()
        return [self.raw[number] for number in self._inputs]

    def close(self) -> None:
        """Let go of the inputs."""
        self._probe.close()


@dataclass(frozen=True, slots=True)
class TappedBits:
    """The same as a `hardware.scanner.Reader`."""

    tapped: Tapped

    @property
    def width(self) -> int:
        """How many cells."""
        return self.tapped.width

    def read(self) -> int:
        """Return the contacts that are closed, one bit a cell."""
        return sum(value << cell for cell, value in enumerate(self.tapped.read()))

    def close(self) -> None:
        """Let go of the inputs."""
        self.tapped.close()


@dataclass(frozen=True, slots=True)
class SharedButtons:
    """The buttons that are inputs beside the cells, as what the cells' last reading saw of them."""

    tapped: Tapped
    inputs: dict[str, int]

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each bit."""
        return tuple(self.inputs)

    @property
    def width(self) -> int:
        """How many."""
        return len(self.inputs)

    def read(self) -> int:
        """Return those that are down, one bit each."""
        raw = self.tapped.raw
        return sum(raw[number] << k for k, number in enumerate(self.inputs.values())) if raw else 0

    def close(self) -> None:
        """Whoever has the cells lets go of them."""


def sensing_on(profile: Profile, road: Pins) -> Source:
    """Return the cells and buttons of a board as play hears them.

    Raises:
        DeviceError: as `open_probe`.
    """
    tapped = Tapped(open_probe(profile, road), profile.inputs())
    try:
        buttons = _buttons(profile, road, tapped)
    except BaseException as error:
        tapped.close()
        if isinstance(error, GPIOZeroError | road.lost):
            raise DeviceError(f"a button's pin cannot be used ({error}): check [buttons]") from error
        raise
    pace, cells, lost = profile.pace(), profile.cells, (GPIOZeroError, *road.lost)
    if cells.driver == "mux":
        judge = PitJudge(profile.pit_levels(), quiet_ms=pace.agree_ms)
        return PitsSource(tapped, judge, buttons, scan_ms=pace.quiet_ms, lost=lost)
    judged: FieldCells | Contacts
    if cells.driver == "mcp3008":
        colours = ColourCells(tapped.width, profile.field_bands(), samples=pace.samples, sensing=profile.sensing)
        judged = FieldCells(tapped, profile.field_scales(), colours)
    else:
        in_doubt = None
        if cells.driver == "matrix" and not cells.diodes:
            in_doubt = ghosts(profile.crossings())
        judged = Contacts(TappedBits(tapped), samples=pace.samples, agree_ms=pace.agree_ms, in_doubt=in_doubt)
    return CellScanner(
        judged,
        buttons,
        samples=pace.samples,
        agree_ms=pace.agree_ms,
        quiet_ms=pace.quiet_ms,
        busy_ms=pace.busy_ms,
        lively_cells=cells.driver != "mcp3008",
        lost=lost,
    )


def _buttons(profile: Profile, road: Pins, tapped: Tapped) -> NamedReader | None:
    groups: list[NamedReader] = []
    if profile.cells.buttons:
        groups.append(SharedButtons(tapped, dict(profile.cells.buttons)))
    if profile.buttons:
        groups.append(Buttons(profile.buttons, pin_factory=road.factory))
    return Joined(groups) if groups else None


def in_chain_order(profile: Profile) -> Chain:
    """Return the chain of a board with a logical pixel for each of its pixels, in their order."""
    return dataclasses.replace(profile.chain(), places=tuple(range(profile.lamps.count)))
