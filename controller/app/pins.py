"""A rig whose board sits on simulated pins, under the drivers for a real Pi and the real NeoPixel class."""

from collections.abc import Callable, Sequence
from typing import Final

from controller.app.rig import Rig
from controller.table.core import Table
from hardware.lamps import PixelLamps
from hardware.opening import scanner_on
from hardware.pixels import Chain
from hardware.ports import ButtonPress, Millis, Sensed, Source
from hardware.profile import Profile, load_profile, profile_names
from hardware.strips import AdafruitStrip
from hardware.wiring import Pace
from simulator.pins import PI_4B, StonelightFactory, wide_wiring
from simulator.pixels import PixelTap, tap_neopixel
from simulator.tabletop import Tabletop

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

    def close(self) -> None:
        """Let go of the pins."""
        self._scanner.close()


def pins_rig(table: Table, top: Tabletop, buttons: Sequence[str]) -> Rig:
    """Return a rig on the reference board whose cells these are, else on pins and pixels in a row."""
    profile = _reference(top)
    if profile is None:
        wiring, revision = wide_wiring(len(top.names), buttons)
        pixels = len(top.names) + table.track_pixels
        pace, chain = Pace(settle_us=0), Chain(tuple(range(pixels)), pixels, budget_ma=MA_PER_PIXEL * pixels)
    else:
        wiring, revision, pace, chain = profile.wiring(), PI_4B, profile.pace(), profile.chain()
    factory = StonelightFactory(revision)
    factory.wire(wiring, top)
    scanner = scanner_on(wiring, pace, factory, wait=lambda _us: None)
    try:
        lamps = TappedLamps(chain)
    except BaseException:
        scanner.close()
        raise
    return Rig(table, PinsSource(scanner, top, tuple(wiring.buttons)), lamps, top)


def _reference(top: Tabletop) -> Profile | None:
    """Return the profile that comes with the package and has just these cells and this sensing, if there is one."""
    for name in profile_names():
        profile = load_profile(name)
        on_a_pi = profile.host == "pi" and profile.cells.driver == "matrix"
        if on_a_pi and profile.cell_names() == top.names and profile.sensing is top.sensing:
            return profile
    return None
