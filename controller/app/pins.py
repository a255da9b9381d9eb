"""A rig whose board sits on simulated pins, under the drivers for a real Pi and the real NeoPixel class."""

import contextlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from controller.app.chains import HostedContacts, profile_source, wide_source
from controller.app.hosted import BoardError, hosted, hosting_for
from controller.app.rig import Rig
from controller.table.core import Table
from hardware.adc import GpiozeroAdcs
from hardware.analogue import field_scanner_on
from hardware.hosting import Hosting
from hardware.lamps import PixelLamps
from hardware.opening import scanner_on
from hardware.pixels import Chain, PixelEncoder
from hardware.ports import ButtonPress, Millis, RawHeard, Sensed, Sensing, Source, hear_raw
from hardware.profile import Profile, load_profile, profile_names
from hardware.strips import AdafruitStrip
from hardware.wiring import Pace
from simulator.adc import solder_chips
from simulator.field import Field, HallSensor
from simulator.pins import PI_4B, StonelightFactory, wide_wiring
from simulator.pixels import PixelTap, tap_neopixel
from simulator.tabletop import Tabletop

DRIVERS: Final = {Sensing.PRESENCE: ("matrix", "chain"), Sensing.COLOUR: ("mcp3008",)}
"""The drivers that a simulated board of each sensing kind may have."""
PITCH_MM: Final = 45.0
"""From cell to cell, where the profile does not say."""
MA_PER_PIXEL: Final = 60.0
"""What a chain without a profile is allowed to draw: as much as all of its pixels take at full white."""


class TappedLamps(PixelLamps):
    """Pixel lamps whose bytes are heard by a tap.

    Attributes:
        tap: the simulated pixels, which know their colours from the bytes alone.
    """

    def __init__(self, chain: Chain) -> None:
        strip = AdafruitStrip("NEOPIXEL", chain.count, chain.order)
        super().__init__(chain, strip)
        self.tap = PixelTap(chain.count, chain.order)
        self._untap = tap_neopixel(strip, self.tap)
        self._meter = PixelEncoder(chain)
        self._drawn = (-1, 0.0)

    def drawn_ma(self) -> float:
        """Return what the pixels draw, by the bytes that they were sent."""
        if self._drawn[0] != self.tap.frames:
            self._drawn = (self.tap.frames, self._meter.estimate_ma(self.tap.sent))
        return self._drawn[1]

    def close(self) -> None:
        """All dark, and let go."""
        super().close()
        self._untap()


class PinsSource:
    """The scanner of a simulated board, and the buttons that have no pin: those reach the table as from a page."""

    def __init__(self, scanner: Source, top: Tabletop, wired: Sequence[str]) -> None:
        self._scanner = scanner
        self._top = top
        self._wired = frozenset(wired)

    def poll(self, now: Millis) -> Sequence[Sensed]:
        """Return what the scanner has seen, then the presses of buttons without a pin."""
        self._top.flips()
        unwired = [ButtonPress(name, at) for at, name in self._top.presses() if name not in self._wired]
        return [*self._scanner.poll(now), *unwired]

    def due(self) -> Millis | None:
        """Return when the next scan is due."""
        return self._scanner.due()

    def listen(self, wake: Callable[[], None]) -> None:
        """Pass the function on."""
        self._scanner.listen(wake)

    def hear_raw(self, heard: RawHeard | None) -> None:
        """Pass it on."""
        hear_raw(self._scanner, heard)

    def close(self) -> None:
        """Let go of the pins."""
        self._scanner.close()


def pins_rig(
    table: Table, top: Tabletop, buttons: Sequence[str], *, seed: int = 0, board: Profile | None = None
) -> Rig:
    """Return a rig on the reference board for these cells, else on pins and pixels in a row.

    Args:
        table: the game.
        top: what lies on the board.
        buttons: the names of the buttons that a board without a profile has.
        seed: for noise and whatever else is random about sensors that feel fields.
        board: a board for a Pi to play on instead.

    Raises:
        BoardError: the game cannot be played on `board`.
    """
    profile, hosting = _reference(table, top) if board is None else (board, hosting_for(table.rules, board))
    if profile is not None and top.sensing is Sensing.COLOUR:
        return field_rig(table, top, profile, seed=seed)
    if profile is None:
        source, wired = _without_profile(top, buttons)
        pixels = len(top.names) + table.track_pixels
        chain = Chain(tuple(range(pixels)), pixels, budget_ma=MA_PER_PIXEL * pixels)
    else:
        contacts = top if hosting.is_plain else HostedContacts(top, hosting)
        source, wired = profile_source(profile, contacts), (*profile.buttons, *profile.cells.buttons)
        chain = profile.chain()
    try:
        lamps = TappedLamps(chain)
    except BaseException:
        source.close()
        raise
    as_cells, as_frames = hosted(source, lamps, hosting)
    return Rig(table, PinsSource(as_cells, top, wired), as_frames, top)


def _without_profile(top: Tabletop, buttons: Sequence[str]) -> tuple[Source, Sequence[str]]:
    """Return cells and buttons as a matrix where a Pi has the pins for it, else as a chain; and the buttons wired."""
    try:
        wiring, revision = wide_wiring(len(top.names), buttons)
    except ValueError:
        return wide_source(top, buttons), buttons
    factory = StonelightFactory(revision)
    factory.wire(wiring, top)
    return scanner_on(wiring, Pace(settle_us=0), factory, wait=lambda _us: None), buttons


def field_rig(table: Table, top: Tabletop, profile: Profile, *, seed: int = 0) -> Rig:
    """Return a rig on a board whose sensors feel the fields of its stones.

    On a real board the kernel reads the converters on their bus. Here gpiozero's own class reads them on the same pins.

    Args:
        table: the game.
        top: what lies on the board.
        profile: the board.
        seed: for noise, for drift, and for where stones come to rest.
    """
    factory = StonelightFactory(PI_4B)
    factory.wire(profile.wiring(), top)
    lamps = TappedLamps(profile.chain())
    try:
        scanner = field_scanner_on(profile, _soldered(factory, top, profile, lamps, seed), factory)
    except BaseException:
        lamps.close()
        raise
    return Rig(table, PinsSource(scanner, top, tuple(profile.buttons)), lamps, top, levels=True)


def _soldered(
    factory: StonelightFactory, top: Tabletop, profile: Profile, lamps: TappedLamps, seed: int
) -> GpiozeroAdcs:
    """Return the converters of a board whose chips and sensors are put on simulated pins."""
    pitch = PITCH_MM if profile.bands is None else profile.bands.pitch_mm or PITCH_MM
    spots = [(x * pitch, y * pitch) for x, y in profile.layout().spots]
    field = Field(top, spots, seed=seed, light_ma=lamps.drawn_ma)
    sensor = profile.sensor
    assert sensor.mv_per_mt is not None
    hall = HallSensor(sensor.mv_per_mt, sensor.quiescent_mv, sensor.supply_mv)
    pins, channels = profile.converters().pins(), profile.channels()
    solder_chips(factory, pins, channels, lambda cell: hall.level(field.at(cell)))
    return GpiozeroAdcs(channels, pins, pin_factory=factory)


def _reference(table: Table, top: Tabletop) -> tuple[Profile | None, Hosting]:
    """Return the profile of the package for these cells that can be put on the pins of a Pi, and how it hosts the game.

    One that was made for the game goes before one that lends it a part.
    """
    drivers = DRIVERS.get(top.sensing, ())
    found: list[tuple[Profile, Hosting]] = []
    for profile in _profiles():
        if profile.sensing is top.sensing and profile.host == "pi" and profile.cells.driver in drivers:
            with contextlib.suppress(BoardError):
                found.append((profile, hosting_for(table.rules, profile)))
    for profile, hosting in found:
        if hosting.is_plain:
            return profile, hosting
    cells = len(top.names)
    if found and top.sensing is Sensing.PRESENCE:  # fields are not carried over to another board
        return found[0]
    return None, Hosting(tuple((cell,) for cell in range(cells)), cells)


@lru_cache(maxsize=1)
def _profiles() -> tuple[Profile, ...]:
    return tuple(map(load_profile, profile_names()))
