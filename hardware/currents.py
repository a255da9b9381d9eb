"""What a board draws from each of its supplies, by its profile. Pure arithmetic on data-sheet numbers; no measurement.

The computer itself is not counted: it is fed beside the board.
"""

from dataclasses import dataclass
from typing import Final

from hardware.profile_model import RAIL_3V3_MA, USB_MA, Profile

WHITE: Final = 3
"""Channels that a pixel at full white lights; a fourth, white one is lit instead of these, not besides."""


@dataclass(frozen=True, slots=True)
class Rail:
    """One supply.

    Fields:
        name: ``5 V`` or ``3.3 V``.
        feeds: what hangs on it, in words.
        dark_ma: milliamps with all pixels dark; emitters counted as lit, since the supply must bear that moment.
        budget_ma: milliamps in the brightest picture that the budget lets through.
        worst_ma: milliamps if every channel were full on, which the budget prevents.
        supply_ma: milliamps that it gives; None where the profile does not say.
        key: the key that says what it gives.
    """

    name: str
    feeds: str
    dark_ma: float
    budget_ma: float
    worst_ma: float
    supply_ma: float | None
    key: str


def fed_by_usb(profile: Profile) -> bool:
    """Return whether the pixels take their current from the USB port that feeds their micro-controller."""
    return profile.host == "pico" and profile.lamps.supply_ma is None


def emitters_ma(profile: Profile) -> float:
    """Return the milliamps of all emitters while they are lit."""
    return profile.sensor.emitter_ma * len(profile.cell_names())


def rails(profile: Profile) -> tuple[Rail, Rail]:
    """Return the supply of the pixels and that of the sensors."""
    lamps, sensor = profile.lamps, profile.sensor
    emitters = emitters_ma(profile)
    ma = lamps.ma_per_channel
    pixel_ma = sum(ma) if len(ma) > 1 else ma[0] * len(lamps.order)
    supply = USB_MA if fed_by_usb(profile) else lamps.supply_ma
    sensors = sensor.ma * len(profile.cell_names())
    return (
        Rail(
            name="5 V",
            feeds="pixels and emitters" if emitters else "pixels",
            dark_ma=lamps.idle_ma * lamps.count + emitters,
            budget_ma=lamps.budget_ma + emitters,
            worst_ma=pixel_ma * lamps.count + emitters,
            supply_ma=supply,
            key="lamps.supply_ma",
        ),
        Rail(
            name="3.3 V",
            feeds="sensors",
            dark_ma=sensors,
            budget_ma=sensors,
            worst_ma=sensors,
            supply_ma=sensor.supply_ma if sensor.supply_ma is not None else RAIL_3V3_MA[profile.host],
            key="sensor.supply_ma",
        ),
    )
