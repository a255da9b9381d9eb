"""How bright the lights are: levels, night, and dimming when nobody has done anything for a while. Pure."""

from dataclasses import dataclass
from typing import Final

LEVELS: Final = (100, 60, 30)
"""Brightness levels that a button steps through, in percent of what the board is built for; night comes after them."""
NIGHT_SHARE: Final = 0.06
"""The share of full brightness at night."""
IDLE_MS: Final = 5 * 60_000
"""How long nothing must happen before the lights dim."""
IDLE_SHARE: Final = 0.3
"""The share of its brightness at which an idle board is lit."""


@dataclass(frozen=True, slots=True)
class Mood:
    """What people have chosen.

    Fields:
        brightness: percent, 1 to 100.
        night: whether the lights are as low as they go.
    """

    brightness: int = 100
    night: bool = False

    def share(self, *, idle: bool) -> float:
        """Return the share of full brightness at which to light, 0.0 to 1.0."""
        chosen = NIGHT_SHARE if self.night else self.brightness / 100
        return chosen * IDLE_SHARE if idle and not self.night else chosen

    def stepped(self) -> "Mood":
        """Return the next level: down through `LEVELS`, then night, then full again."""
        if self.night:
            return Mood()
        lower = [level for level in LEVELS if level < self.brightness]
        return Mood(lower[0]) if lower else Mood(self.brightness, night=True)
