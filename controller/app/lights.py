"""What people choose about the lights: brightness, night and palette, from a page, a command or the button."""

from dataclasses import replace
from typing import Any

from controller.app.rig import Rig
from controller.lighting.mood import Mood
from controller.lighting.palettes import PALETTES
from controller.page.desk import RequestError
from hardware.ports import Millis


def chosen(rig: Rig) -> dict[str, Any]:
    """Return the choice as JSON-able data."""
    return {
        "brightness": rig.mood.brightness,
        "night": rig.mood.night,
        "palette": rig.table.palette.name,
        "palettes": list(PALETTES),
    }


def choose(rig: Rig, setting: str, value: str, now: Millis) -> None:
    """Change one setting.

    Args:
        rig: whose lights.
        setting: ``brightness`` (1 to 100), ``night`` (``on`` or ``off``) or ``palette`` (a name of `PALETTES`).
        value: what to set it to.
        now: the time.

    Raises:
        RequestError: there is no such setting, or it does not take that value.
    """
    match setting:
        case "brightness":
            if not (value.isascii() and value.isdecimal() and 1 <= int(value) <= 100):
                raise RequestError(f"brightness is a whole number from 1 to 100, not {value!r}")
            rig.mood = Mood(int(value))
        case "night":
            if value not in {"on", "off"}:
                raise RequestError(f"night is on or off, not {value!r}")
            rig.mood = replace(rig.mood, night=value == "on")
        case "palette":
            if value not in PALETTES:
                raise RequestError(f"there is no palette {value!r}; there are: {', '.join(PALETTES)}")
            rig.table.paint(PALETTES[value], now)
        case _:
            raise RequestError(f"the lights have no setting {setting!r}; they have brightness, night and palette")
