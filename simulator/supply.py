"""A supply that is too weak for the lights of a simulated board."""

from typing import Final

from hardware.ports import Frame
from simulator.tabletop import Tabletop

IDLE_MA: Final = 1.0
"""What a dark pixel draws, by the data sheet of the WS2812B."""
CHANNEL_MA: Final = 20.0
"""What one channel of a pixel draws at full light, by the same."""


def frame_ma(frame: Frame, share: float = 1.0) -> float:
    """Return the milliamps that pixels draw which show a frame as it is, before any budget; `share` of their light."""
    return IDLE_MA * len(frame) / 3 + CHANNEL_MA * share * sum(frame) / 255


def feed(top: Tabletop, frame: Frame, share: float = 1.0) -> bool:
    """Let a board show a frame; return whether its device has reset, since that was more than its supply gives."""
    limit = top.faults.brownout
    if not limit or not top.powered() or frame_ma(frame, share) <= limit:
        return False
    top.brown_out()
    return True
