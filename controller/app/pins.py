"""A rig whose board sits on simulated pins, under the drivers for a real Pi and the real NeoPixel class."""

from collections.abc import Sequence

from controller.app.rig import Rig
from controller.table.core import Table
from hardware.buttons import Buttons
from hardware.lamps import PixelLamps
from hardware.matrix import Matrix
from hardware.pixels import Chain
from hardware.scanner import Scanner
from hardware.strips import AdafruitStrip
from simulator.pins import StonelightFactory, wide_wiring
from simulator.pixels import PixelTap, tap_neopixel
from simulator.tabletop import Tabletop


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


def pins_rig(table: Table, top: Tabletop, buttons: Sequence[str]) -> Rig:
    """Return a rig whose cells and buttons hang on pins of their own."""
    wiring, revision = wide_wiring(len(top.names), buttons)
    factory = StonelightFactory(revision)
    factory.wire(wiring, top)
    matrix = Matrix(
        wiring.rows, wiring.columns, wiring.crossings, settle_us=0, wait=lambda _us: None, pin_factory=factory
    )
    source = Scanner(matrix, Buttons(wiring.buttons, pin_factory=factory))
    pixels = len(top.names) + table.track_pixels
    chain = Chain(tuple(range(pixels)), pixels, budget_ma=20.0 * pixels)
    return Rig(table, source, TappedLamps(chain), top)
