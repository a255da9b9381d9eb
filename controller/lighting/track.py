"""The score track: a row or ring of pixels that shows every player's score and whose turn it is."""

from collections.abc import Sequence

from controller.lighting.language import Rgb
from controller.lighting.palettes import STANDARD, Palette

DIM = 0.25
"""The share of full light of a marker whose player is not on turn."""


def spot(score: int, full: int, pixels: int) -> int:
    """Return the pixel of a score on a track that ends with the score `full`; scores beyond stay on the last pixel."""
    return min(score, full) * (pixels - 1) // max(full, 1)


def track(scores: Sequence[int], to_move: int | None, full: int, pixels: int, palette: Palette = STANDARD) -> bytes:
    """Return the colours of the track, 3 bytes a pixel.

    Each player has one dim pixel at the score. The player on turn has two bright ones, the score's and the next (the
    one before at the end of the track), so that the turn can be read without colours. Where markers meet, the player on
    turn is shown, else the one with the lowest number.

    Args:
        scores: shape (players,), player 1 first.
        to_move: the player on turn, or None when nobody is.
        full: the score at the end of the track.
        pixels: how many pixels the track has.
        palette: the colours of the players.
    """
    colours: list[Rgb] = [(0, 0, 0)] * pixels
    if not pixels:
        return b""
    for player in range(len(scores), 0, -1):
        red, green, blue = palette.seat(player)
        place = spot(scores[player - 1], full, pixels)
        colours[place] = (int(red * DIM), int(green * DIM), int(blue * DIM))
    if to_move is not None:
        place = spot(scores[to_move - 1], full, pixels)
        beside = place + 1 if place + 1 < pixels else place - 1
        for pixel in {place, max(beside, 0)}:
            colours[pixel] = palette.seat(to_move)
    return bytes(channel for colour in colours for channel in colour)


def away(pixels: int) -> bytes:
    """Return the colours of the track while the cells cannot be heard: every third pixel, dim white.

    No score looks like it, whatever colours one sees.
    """
    return bytes(channel for pixel in range(pixels) for channel in ((40, 40, 40) if pixel % 3 == 0 else (0, 0, 0)))
