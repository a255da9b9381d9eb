"""From a frame to the bytes of a pixel chain: order, gamma, brightness, current. Pure; no device, no clock.

`PixelEncoder.encode` does these in turn, without a loop over pixels:

1. gamma and brightness in one table (and a second, brighter one for covered cells);
2. each logical pixel to its place on the chain, channels in the chain's order;
3. for chains with a white channel, the part that red, green and blue share goes to white;
4. where the estimated current is above the budget, the whole frame is dimmed by one factor, so that hues stay.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import Any, Final

from hardware.ports import Frame

ORDERS: Final = tuple(order for base in ("GRB", "RGB", "BGR", "BRG", "GBR", "RBG") for order in (base, base + "W"))
"""Channel orders of pixels that are sold; the number of letters is the number of channels."""


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain of pixels as it is wired and fed.

    Fields:
        places: shape (logical pixels,): place on the chain, from 0, of each pixel of a frame.
        count: pixels on the chain; those that no logical pixel is wired to stay dark.
        order: the channels as the pixels take them, one letter each: ``GRB``, ``RGBW``.
        brightness: 0.0 to 1.0, of the light (after gamma).
        gamma: exponent from a frame's value to light; 1.0 changes nothing.
        ma_per_channel: milliamps that one channel of one pixel draws at 255: red, green, blue, and white where there
            is one.
        idle_ma: milliamps that one dark pixel draws.
        budget_ma: milliamps that the whole chain may draw.
        covered_gain: how many times brighter a covered cell is lit, 1.0 or more.
    """

    places: tuple[int, ...]
    count: int
    order: str = "GRB"
    brightness: float = 1.0
    gamma: float = 1.0
    ma_per_channel: tuple[float, ...] = (20.0, 20.0, 20.0)
    idle_ma: float = 1.0
    budget_ma: float = 500.0
    covered_gain: float = 1.0

    def __post_init__(self) -> None:
        if sorted(self.order) not in (["B", "G", "R"], ["B", "G", "R", "W"]):
            raise ValueError(f"order {self.order!r} is not one letter each of R, G, B and perhaps W")
        if len(self.ma_per_channel) != len(self.order):
            raise ValueError(f"ma_per_channel has {len(self.ma_per_channel)} numbers for {len(self.order)} channels")
        if len(set(self.places)) != len(self.places) or not all(0 <= place < self.count for place in self.places):
            raise ValueError(f"places must be different numbers from 0 to {self.count - 1}")
        if self.idle_ma * self.count > self.budget_ma:
            raise ValueError(f"{self.count} dark pixels alone draw more than the budget of {self.budget_ma:g} mA")


def light_table(gamma: float, brightness: float) -> bytes:
    """Return shape (256,): the channel value for each frame value. What is not 0 stays at least 1, so as to be seen."""
    if brightness <= 0:
        return bytes(256)
    return bytes(
        min(255, max(1, round(255 * brightness * (value / 255) ** gamma))) if value else 0 for value in range(256)
    )


@lru_cache(maxsize=256)
def _dimmer(k: int) -> bytes:
    """Return shape (256,): each value times k / 256, rounded down, so that the sum never exceeds its share."""
    return bytes(value * k >> 8 for value in range(256))


class PixelEncoder:
    """Frames in, chain bytes out.

    Args:
        chain: the chain.
    """

    def __init__(self, chain: Chain) -> None:
        self.chain: Final = chain
        self._frame_bytes: Final = 3 * len(chain.places)
        self._share = 1.0
        self._plain = light_table(chain.gamma, chain.brightness)
        self._covered = light_table(chain.gamma, min(1.0, chain.brightness * chain.covered_gain))
        self._bright: frozenset[int] = frozenset()
        self._white = len(chain.order) == 4
        # By place in the order: which channel's milliamps, and one factor where all are alike.
        self._ma = tuple(chain.ma_per_channel["RGBW".index(letter)] / 255 for letter in chain.order)
        self._alike = self._ma[0] if len(set(self._ma)) == 1 else None
        self._idle = chain.idle_ma * chain.count
        self._pick = self._picker()

    def dim(self, share: float) -> bool:
        """Light everything at this share, 0.0 to 1.0, of the chain's brightness; return whether that is a change."""
        if share == self._share:
            return False
        self._share = share
        chain = self.chain
        self._plain = light_table(chain.gamma, chain.brightness * share)
        self._covered = light_table(chain.gamma, min(1.0, chain.brightness * chain.covered_gain) * share)
        return True

    def cover(self, cells: Iterable[int]) -> bool:
        """Say which logical pixels have something lying on them; return whether that makes a difference to frames."""
        bright = frozenset(cells) if self._plain != self._covered else frozenset()
        if bright == self._bright:
            return False
        self._bright = bright
        self._pick = self._picker()
        return True

    def encode(self, frame: Frame) -> bytes:
        """Return the bytes of one refresh of the chain, `Chain.order` letters for each pixel, first pixel first.

        Raises:
            ValueError: `frame` has not three bytes for each logical pixel.
        """
        if len(frame) != self._frame_bytes:
            raise ValueError(f"a frame of {len(frame)} bytes; these pixels take {self._frame_bytes}")
        lit = frame.translate(self._plain)
        if self._bright:
            lit += frame.translate(self._covered)
        data = bytes(self._pick(lit + b"\0"))
        if self._white:
            data = self._with_white(data)
        return self._within_budget(data)

    def estimate_ma(self, data: bytes) -> float:
        """Return the milliamps that these chain bytes draw, by the chain's own figures. An estimate."""
        return self._idle + self._lit_ma(data)

    def _picker(self) -> Callable[[bytes], Sequence[int]]:
        """Return what picks, from the lit frame (twice where cells are covered) and a zero, the chain's bytes."""
        chain = self.chain
        letters = "RGB" if self._white else chain.order
        dark = self._frame_bytes * (2 if self._bright else 1)
        picks = [dark] * (chain.count * 3)
        for pixel, place in enumerate(chain.places):
            start = 3 * pixel + (self._frame_bytes if pixel in self._bright else 0)
            for k, letter in enumerate(letters):
                picks[3 * place + k] = start + "RGB".index(letter)
        getter: Any = itemgetter(*picks)
        return getter  # type: ignore[no-any-return]

    def _with_white(self, rgb: bytes) -> bytes:
        """Return `rgb` with a white channel, in the chain's order."""
        red, green, blue = rgb[0::3], rgb[1::3], rgb[2::3]
        white = bytes(map(min, red, green, blue))
        if any(white):
            # No byte of a colour is less than white's, so whole planes may be subtracted as numbers: nothing borrows.
            share = int.from_bytes(white)
            red, green, blue = ((int.from_bytes(plane) - share).to_bytes(len(white)) for plane in (red, green, blue))
        out = bytearray(4 * len(white))
        for k, letter in enumerate(self.chain.order):
            out[k::4] = {"R": red, "G": green, "B": blue, "W": white}[letter]
        return bytes(out)

    def _lit_ma(self, data: bytes) -> float:
        if self._alike is not None:
            return sum(data) * self._alike
        channels = len(self._ma)
        return sum(sum(data[k::channels]) * ma for k, ma in enumerate(self._ma))

    def _within_budget(self, data: bytes) -> bytes:
        lit = self._lit_ma(data)
        allowed = self.chain.budget_ma - self._idle
        if lit <= allowed:
            return data
        return data.translate(_dimmer(int(256 * allowed / lit)))
