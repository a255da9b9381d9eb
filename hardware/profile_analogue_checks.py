"""What no single key can tell of a profile whose cells feel fields: whether its sections fit each other. Pure."""

from collections.abc import Iterator
from typing import Final

from hardware.adc import BUS_PINS
from hardware.bands import Band
from hardware.profile_model import Profile
from hardware.profile_pins import SPI_PIN, Complaint
from hardware.words import near_miss

DRIVER: Final = "mcp3008"
LEAST_PITCH_MM: Final = 40.0
"""Cells nearer to each other than this have no room for magnets of two strengths and the dishes that hold them."""
RAIL_MV: Final = 200.0
"""How near to ground and to its supply a sensor's output comes (Texas Instruments DRV5055 data sheet, "Linear output
range")."""


def analogue_complaints(profile: Profile) -> Iterator[Complaint]:
    """Yield what does not fit between the driver, the converters, the sensors and the bands."""
    if profile.cells.driver != DRIVER:
        for key in ("adc", "bands", "calibration"):
            if key in profile.model_fields_set:
                yield key, f"the driver {profile.cells.driver} reads no fields", f'leave it out, or use "{DRIVER}"'
        return
    if profile.host != "pi":
        yield "cells.driver", "only a Pi reads these chips", 'use host = "pi"'
        return
    missing = [
        (key, why)
        for key, value, why in (
            ("adc", profile.adc, "it says which chips read the cells"),
            ("bands", profile.bands, "it says which field is which colour"),
            ("sensor.mv_per_mt", profile.sensor.mv_per_mt, "it is the sensitivity in the sensor's data sheet"),
        )
        if value is None
    ]
    for key, why in missing:
        yield key, "this key is missing", f"add it: {why}"
    if not missing:
        yield from _converters(profile)
        yield from _bands(profile)
        yield from _calibration(profile)


def _converters(profile: Profile) -> Iterator[Complaint]:
    adc, lamps = profile.converters(), profile.lamps
    if adc.bus == "pins":
        for key in ("clock", "mosi", "miso"):
            if getattr(adc, key) is None:
                yield f"adc.{key}", "this key is missing", "add it: without a bus each line has a pin of its own"
        if len(adc.selects) != adc.chips:
            yield (
                "adc.selects",
                f"{len(adc.selects)} pins select {adc.chips} chips",
                "name one for each chip, the first chip's first",
            )
        return
    for key in sorted(adc.model_fields_set & {"clock", "mosi", "miso", "selects"}):
        yield f"adc.{key}", f"the bus {adc.bus} has its own pins", 'leave it out, or use bus = "pins"'
    most = len(BUS_PINS[adc.bus].selects)
    if adc.chips > most:
        yield "adc.chips", f"{adc.bus} selects {most} chips, not {adc.chips}", 'use fewer, or bus = "pins"'
    shares = lamps.driver == "spi" or lamps.pin == SPI_PIN
    if adc.bus == "spi0" and shares and lamps.gate is None:
        yield (
            "adc.bus",
            "the pixels listen on spi0 too, so whatever the converters are asked would be shown as colours",
            'use bus = "spi1"; or lead the enable pin of the level shifter to a pin and name it in lamps.gate',
        )


def _bands(profile: Profile) -> Iterator[Complaint]:
    keys = profile.bands
    assert keys is not None
    bands = keys.bands()
    slack = bands.hysteresis_mt
    zones = [("an empty cell", Band(-bands.empty_mt, bands.empty_mt))]
    for k, (colour, band) in enumerate(zip(keys.colours, bands.colours, strict=True)):
        key = f"bands.colours[{k}]"
        if colour.from_mt >= colour.to_mt:
            yield f"{key}.to_mt", f"a band from {colour.from_mt:g} to {colour.to_mt:g} mT is empty", "raise to_mt"
            continue
        for other, zone in zones:
            if band.low - slack <= zone.high + slack and zone.low - slack <= band.high + slack:
                yield (
                    f"{key}.from_mt",
                    f"with {slack:g} mT of hysteresis each this band meets that of {other}",
                    "leave a gap between them, or use magnets that differ more",
                )
        zones.append((f"bands.colours[{k}]", band))
        if colour.from_mt > (reach := _reach(profile, colour.pole)):
            yield f"{key}.from_mt", f"the sensor's output ends at {reach:.0f} mT", "use a less sensitive sensor"
    if keys.max_colours is not None and keys.max_colours > len(keys.colours):
        yield (
            "bands.max_colours",
            f"there are bands for {len(keys.colours)} colours, not {keys.max_colours}",
            "add the missing bands, or lower it",
        )
    elif profile.max_colours > 2 and keys.pitch_mm is not None and keys.pitch_mm < LEAST_PITCH_MM:
        yield (
            "bands.max_colours",
            f"cells of {keys.pitch_mm:g} mm tell two colours, by pole; three need {LEAST_PITCH_MM:g} mm",
            "use max_colours = 2; a game that has more is then played by presence",
        )
    if bands.drift_mt >= bands.empty_mt:
        yield (
            "bands.drift_mt",
            f"a zero that wanders by {bands.drift_mt:g} mT leaves an empty cell's {bands.empty_mt:g}",
            "lower drift_mt, or calibrate more often",
        )


def _reach(profile: Profile, pole: str) -> float:
    """Return the strongest field of a pole that the sensor can still tell, in mT."""
    sensor = profile.sensor
    assert sensor.mv_per_mt is not None
    room = sensor.supply_mv - sensor.quiescent_mv if pole == "south" else sensor.quiescent_mv
    return (room - RAIL_MV) / sensor.mv_per_mt


def _calibration(profile: Profile) -> Iterator[Complaint]:
    names = profile.cell_names()
    for key in ("zero", "gain"):
        for name, value in getattr(profile.calibration, key).items():
            where = f"calibration.{key}.{name}"
            if name not in names:
                yield where, "this board has no such cell", near_miss(name, names)
            elif key == "zero" and not 0 < value < 1023:
                yield where, f"{value:g} is no count between 0 and 1023", "measure the empty cell again"
            elif key == "gain" and not 0.5 <= value <= 2:
                yield where, f"no sensor is {value:g} times as sensitive as its data sheet says", "measure again"
