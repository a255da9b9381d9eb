"""A simulated board at the bench: what a profile describes, on simulated pins, and perhaps wired otherwise in truth."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from controller.bench.road import Clock, PinRoad
from hardware.adc import CHIP_CHANNELS, FULL_SCALE, Adcs, GpiozeroAdcs, SpidevAdcs
from hardware.multiplexers import CHANNELS
from hardware.ports import Millis
from hardware.profile import Profile
from hardware.registers import open_spi
from simulator.adc import solder_chips
from simulator.field import Field, HallSensor
from simulator.pins import MODULE_3, PI_4B, StonelightFactory
from simulator.pixels import PixelTap
from simulator.registers import SimulatedChain
from simulator.tabletop import Tabletop

PITCH_MM: Final = 45.0
"""From cell to cell, where the profile does not say."""
DARK_COUNT: Final = 12
"""What daylight makes of an optical sensor whose light is off."""


class SimulatedClock:
    """Time that passes only while somebody waits; the board lives along.

    Args:
        top: the board.
    """

    def __init__(self, top: Tabletop) -> None:
        self._top = top
        self._now: Millis = 0

    def now(self) -> Millis:
        """Return the time."""
        return self._now

    def wait(self, ms: Millis) -> None:
        """Let time pass."""
        self._now += ms
        self._top.advance(self._now)


class TapStrip:
    """Pixels that take chain bytes as they are.

    Args:
        tap: the pixels.
    """

    def __init__(self, tap: PixelTap) -> None:
        self._tap = tap

    def write(self, data: bytes) -> None:
        """Show it."""
        self._tap.receive(data)

    def close(self) -> None:
        """Nothing to let go of."""


class OpticalInputs:
    """What the common pins of multiplexers give: the pit at the address that the select lines hold, lit or dark.

    Args:
        factory: the pins.
        profile: how the board is wired in truth.
        top: what lies in the pits.
    """

    def __init__(self, factory: StonelightFactory, profile: Profile, top: Tabletop) -> None:
        cells = profile.cells
        self.width: Final = len(cells.adcs)
        self._factory = factory
        self._selects, self._emitter = cells.selects, cells.emitter
        self._levels = profile.pit_levels()
        self._pit_at = {number: pit for pit, number in enumerate(profile.inputs())}
        self._top = top

    def read(self) -> list[int]:
        """Return what each multiplexer lets through."""
        driven = self._factory.driven
        address = sum(driven.get(pin, False) << bit for bit, pin in enumerate(self._selects))
        lit = self._emitter is None or driven.get(self._emitter, False)
        return [self._value(CHANNELS * k + address, lit=lit) for k in range(self.width)]

    def _value(self, number: int, *, lit: bool) -> int:
        pit = self._pit_at.get(number)
        if pit is None:
            return 0
        empty, seed = self._levels[pit]
        return DARK_COUNT + (seed if self._top.closed(pit) else empty) if lit else DARK_COUNT

    def close(self) -> None:
        """Nothing to let go of."""


class Converter:
    """Stands in for ``spidev.SpiDev`` with MCP3008 chips on its bus (Microchip DS21295, section 6.1).

    Args:
        level: gives what a channel is at, as a share of the reference, by chip and channel.
    """

    def __init__(self, level: Callable[[tuple[int, int]], float]) -> None:
        self.max_speed_hz = 0
        self.mode = 0
        self._level = level
        self._chip = 0

    def open(self, bus: int, device: int) -> None:  # noqa: ARG002  # as spidev has it
        """Open one select line."""
        self._chip = device

    def xfer2(self, data: list[int]) -> list[int]:
        """Answer what was asked: the zero bit, then ten bits."""
        count = min(FULL_SCALE, int(self._level((self._chip, data[1] >> 4 & 7)) * (FULL_SCALE + 1)))
        return [0, count >> 8, count & 255]

    def close(self) -> None:
        """Nothing to let go of."""


class SimulatedRoad(PinRoad):
    """A simulated board.

    Args:
        profile: how the board is wired in truth; programs may believe another profile.
        seed: for everything random about it.
        clock: the time it lives by; simulated time unless given.

    Attributes:
        top: what lies on it.
        tap: its pixels.
        truth: as `profile`.
    """

    def __init__(self, profile: Profile, *, seed: int = 0, clock: Clock | None = None) -> None:
        self.truth: Final = profile
        layout = profile.layout()
        self.top: Final = Tabletop(
            layout.names, profile.sensing, seed, heaps=layout.kind == "pits", places=layout.spots
        )
        self.tap: Final = PixelTap(profile.lamps.count, profile.lamps.order)
        self.clock: Clock = clock or SimulatedClock(self.top)
        self.lost: tuple[type[Exception], ...] = ()
        # A Pico pulls up none of its pins for good, as that module does not either.
        self.factory: Any = StonelightFactory(PI_4B if profile.host == "pi" else MODULE_3)
        self.factory.wire(profile.wiring(), self.top)
        self._chain = self._soldered_chain()
        self._field = Field(self.top, _millimetres(profile), seed=seed) if profile.cells.driver == "mcp3008" else None

    def _soldered_chain(self) -> SimulatedChain | None:
        cells = self.truth.cells
        if cells.driver != "chain" or cells.load is None:
            return None
        return SimulatedChain(
            self.factory,
            cells.load,
            registers=cells.registers,
            inputs=self.truth.inputs(),
            buttons=cells.buttons,
            contacts=self.top,
            closed_is_low=cells.closed_is_low,
        )

    def settle(self, us: int) -> None:
        """Simulated lines need no time."""

    def registers_spi(self) -> Any:
        """Return the chain."""
        chain = self._chain
        assert chain is not None, "the profile has no chain"
        return open_spi(lambda: chain)

    def converters(self, profile: Profile, inputs: int) -> Adcs:
        """Return the chips, through the driver of the kernel's bus or bit by bit on their pins."""
        sensor, field = self.truth.sensor, self._field
        assert sensor.mv_per_mt is not None
        assert field is not None
        hall = HallSensor(sensor.mv_per_mt, sensor.quiescent_mv, sensor.supply_mv)
        channels = [divmod(number, CHIP_CHANNELS) for number in range(inputs)]
        converters, wired = profile.converters(), self.truth.channels()
        if converters.bus == "pins":
            pins = converters.pins()
            solder_chips(self.factory, pins, wired, lambda cell: hall.level(field.at(cell)))
            return GpiozeroAdcs(channels, pins, pin_factory=self.factory)
        cell_at = {channel: cell for cell, channel in enumerate(wired)}

        def level(channel: tuple[int, int]) -> float:
            cell = cell_at.get(channel)
            return hall.level(0.0 if cell is None else field.at(cell))

        return SpidevAdcs(channels, int(converters.bus[-1]), lambda: Converter(level))

    def multiplexer_inputs(self, profile: Profile) -> Adcs:  # noqa: ARG002  # the truth is known
        """Return the inputs behind the multiplexers."""
        return OpticalInputs(self.factory, self.truth, self.top)

    def strip(self, profile: Profile) -> TapStrip:  # noqa: ARG002  # the truth is known
        """Return the pixels."""
        return TapStrip(self.tap)

    def close(self) -> None:
        """Let go of the pins."""
        self.factory.close()

    def lit(self) -> tuple[int, ...]:
        """Return the places on the chain that show light."""
        return tuple(place for place, colour in enumerate(self.tap.colours()) if any(colour))

    def cell_at(self, place: int) -> int | None:
        """Return the cell over a pixel in truth; None where it is none's."""
        places = self.truth.places()[: len(self.top.names)]
        return places.index(place) if place in places else None


def _millimetres(profile: Profile) -> Sequence[tuple[float, float]]:
    pitch = PITCH_MM if profile.bands is None else profile.bands.pitch_mm or PITCH_MM
    return [(x * pitch, y * pitch) for x, y in profile.layout().spots]
