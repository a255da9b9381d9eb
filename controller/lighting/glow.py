"""Glows: cells that mean something from one moment to another; and the frame that they make together."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from controller.games.seam import Cell
from controller.lighting.language import LANGUAGE, LEVELS, UNEVEN, Meaning, Pattern, Rgb
from controller.lighting.palettes import STANDARD, Palette
from hardware.ports import Frame, Millis

FRAME_MS: Final = 33
"""How long a frame of something that moves stands: 30 frames a second."""


@dataclass(frozen=True, slots=True)
class Glow:
    """Cells that light up together.

    Fields:
        cells: which, by index.
        meaning: what they say.
        since: when the pattern begins; nothing is lit before.
        until: when it ends; None while it stands.
        seat: the player, by number from 1, in whose colour it is lit; None for the meaning's own.
    """

    cells: tuple[Cell, ...]
    meaning: Meaning
    since: Millis
    until: Millis | None = None
    seat: int | None = None

    def lit(self, now: Millis) -> bool:
        """Return whether it shows at `now`."""
        return self.since <= now and (self.until is None or now < self.until)


def dark(pixels: int) -> Frame:
    """Return a frame of so many dark pixels."""
    return bytes(3 * pixels)


def render(glows: Iterable[Glow], ground: Frame, now: Millis, palette: Palette = STANDARD) -> Frame:
    """Return the frame at `now`: the glows over `ground`, higher layers and later glows on top."""
    shown = sorted((glow for glow in glows if glow.cells and glow.lit(now)), key=lambda g: LANGUAGE[g.meaning].layer)
    if not shown:
        return ground
    frame = bytearray(ground)
    for glow in shown:
        colour = palette.meanings[glow.meaning] if glow.seat is None else palette.seat(glow.seat)
        pattern, age = LANGUAGE[glow.meaning].pattern, now - glow.since
        level = LEVELS[pattern]
        if pattern in UNEVEN:
            for cell in glow.cells:
                frame[3 * cell : 3 * cell + 3] = _dimmed(colour, level(age, cell))
        else:
            alike = _dimmed(colour, level(age, 0))
            for cell in glow.cells:
                frame[3 * cell : 3 * cell + 3] = alike
    return bytes(frame)


def _dimmed(colour: Rgb, share: float) -> bytes:
    red, green, blue = colour
    return bytes((int(red * share), int(green * share), int(blue * share)))


def next_look(glows: Iterable[Glow], now: Millis) -> Millis | None:
    """Return when the frame is next to be rendered; None when it stays as it is at `now` for ever.

    Until then it stays as it is, or belongs to a pattern that moves, of which a frame stands for `FRAME_MS`.
    """
    times = [_next_of(glow, now) for glow in glows if glow.cells]
    return min((time for time in times if time is not None), default=None)


def _next_of(glow: Glow, now: Millis) -> Millis | None:
    if now < glow.since:
        return glow.since
    if not glow.lit(now):
        return None
    if LANGUAGE[glow.meaning].pattern is Pattern.STEADY:
        return glow.until
    step = now + FRAME_MS
    return step if glow.until is None else min(step, glow.until)
