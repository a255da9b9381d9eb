"""By which road pixel data leaves a Raspberry Pi, and why: chosen by the name of the model, never by its revision.

A list of revision numbers is out of date with every new board; the name says which chip has the header. A Pi 5 and all
that came with its chip RP1 have no PWM that the older driver knows, and make pixel data with a PIO instead.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hardware.profile_pins import SPI_PIN

MODEL: Final = Path("/proc/device-tree/model")
"""Where the kernel tells the name of the model; it ends in a zero byte."""
PCM_PIN: Final = 21
"""The only pin of those that make pixel data that is on PCM ("rpi_ws281x", GPIO usage)."""
FIRST_RP1: Final = "5"
"""Raspberry Pi 5, 500 and Compute Module 5 are the first with that chip."""


@dataclass(frozen=True, slots=True)
class PixelRoad:
    """A road to the pixels.

    Fields:
        name: ``SPI``, ``PWM``, ``PCM`` or ``PIO``; ``unknown`` on a computer that is no Pi.
        why: why this one, for a person.
        root: whether only root may take it.
    """

    name: str
    why: str
    root: bool = False

    @property
    def shares_sound(self) -> bool:
        """Whether the headphone sound is made by the same block."""
        return self.name == "PWM"


def model_name(path: Path = MODEL) -> str | None:
    """Return the name of this Raspberry Pi; None on another computer."""
    try:
        name = path.read_text(encoding="utf-8", errors="replace").strip("\0\n ")
    except OSError:
        return None
    return name if "Raspberry Pi" in name else None


def pixel_road(driver: str, pin: int, model: str | None) -> PixelRoad:
    """Return the road that ``[lamps]`` leads to on a model.

    Args:
        driver: ``spi`` or ``neopixel``, the key of the profile.
        pin: BCM number of the data pin.
        model: the model's name, such as ``Raspberry Pi Zero 2 W Rev 1.0``; None where this is no Pi.
    """
    if driver == "spi":
        return PixelRoad("SPI", f"'driver = \"spi\"' sends on GPIO {SPI_PIN} of every Pi, without root")
    if model is None:
        return PixelRoad("unknown", "this computer is no Raspberry Pi")
    if has_rp1(model):
        return PixelRoad("PIO", f"the pins of a {model} are on the chip RP1, whose PIO makes pixel data")
    if pin == SPI_PIN:
        return PixelRoad("SPI", f"GPIO {pin} of a {model} is on SPI, which needs no root")
    name = "PCM" if pin == PCM_PIN else "PWM"
    return PixelRoad(name, f"GPIO {pin} of a {model} is on {name}, which only root may use", root=True)


def has_rp1(model: str) -> bool:
    """Return whether the header of that model is on the chip RP1."""
    number = re.search(r"Raspberry Pi (?:Compute Module )?(\d)", model)
    return number is not None and number[1] >= FIRST_RP1
