"""The sections of a profile whose cells feel fields: converters, bands and calibration. Keys: docs/profiles.md."""

from collections.abc import Sequence
from typing import Final, Literal

from pydantic import Field

from hardware.adc import BUS_PINS, CHIP_CHANNELS, FULL_SCALE, AdcPins, Channel
from hardware.bands import STEADY_MS, Band, Bands, Scale
from hardware.profile_section import Gpio, Section

SCALE_STEPS: Final = FULL_SCALE + 1


class Converters(Section):
    """``[adc]``: the chips that read analogue sensors."""

    bus: Literal["spi0", "spi1", "pins"] = "spi1"
    chips: int = Field(default=2, ge=1, le=8)
    clock: Gpio | None = None
    mosi: Gpio | None = None
    miso: Gpio | None = None
    selects: tuple[Gpio, ...] = ()

    def pins(self) -> AdcPins:
        """Return the pins of the bus."""
        if self.bus != "pins":
            pins = BUS_PINS[self.bus]
            return AdcPins(pins.clock, pins.mosi, pins.miso, pins.selects[: self.chips])
        assert self.clock is not None, "the checks have seen it to be there"
        assert self.mosi is not None
        assert self.miso is not None
        return AdcPins(self.clock, self.mosi, self.miso, self.selects)


class ColourBand(Section):
    """``[[bands.colours]]``: the field of the stones of one colour."""

    pole: Literal["north", "south"]
    from_mt: float = Field(gt=0, le=1000)
    to_mt: float = Field(gt=0, le=1000)

    def band(self) -> Band:
        """Return the band with its sign: north is negative."""
        return Band(self.from_mt, self.to_mt) if self.pole == "south" else Band(-self.to_mt, -self.from_mt)


class BandKeys(Section):
    """``[bands]``: what the fields of cells mean. The colours come in the order in which a game lists its stones."""

    colours: tuple[ColourBand, ...] = Field(min_length=1, max_length=6)
    max_colours: int | None = Field(default=None, ge=1, le=6)
    pitch_mm: float | None = Field(default=None, gt=0)
    empty_mt: float = Field(default=4.0, gt=0, le=100)
    hysteresis_mt: float = Field(default=1.0, ge=0, le=50)
    steady_ms: int = Field(default=STEADY_MS, ge=STEADY_MS, le=200)
    steady_mt: float = Field(default=1.2, gt=0, le=50)
    drift_mt: float = Field(default=2.0, ge=0, le=50)

    def bands(self) -> Bands:
        """Return the bands."""
        return Bands(
            tuple(colour.band() for colour in self.colours),
            empty_mt=self.empty_mt,
            hysteresis_mt=self.hysteresis_mt,
            steady_ms=self.steady_ms,
            steady_mt=self.steady_mt,
            drift_mt=self.drift_mt,
        )


class Calibration(Section):
    """``[calibration]``: what the sensor of each cell read when it was measured; others are as the data sheet says.

    Fields:
        zero: counts of an empty cell, by cell.
        gain: how many times stronger than the data sheet says a cell's sensor tells a field, by cell.
    """

    zero: dict[str, float] = Field(default_factory=dict)
    gain: dict[str, float] = Field(default_factory=dict)


def channels(inputs: Sequence[int]) -> tuple[Channel, ...]:
    """Return the chip and its channel of each input: eight to a chip."""
    return tuple(divmod(number, CHIP_CHANNELS) for number in inputs)


def scales(
    names: Sequence[str], *, mv_per_mt: float, quiescent_mv: float, supply_mv: float, calibration: Calibration
) -> tuple[Scale, ...]:
    """Return shape (cells,): how the counts of each cell become a field.

    Args:
        names: the cells.
        mv_per_mt: the sensor's sensitivity, by its data sheet.
        quiescent_mv: its output without a field.
        supply_mv: its supply, which is the converters' reference too.
        calibration: what was measured.
    """
    zero = quiescent_mv / supply_mv * SCALE_STEPS
    per_mt = mv_per_mt / supply_mv * SCALE_STEPS
    return tuple(
        Scale(calibration.zero.get(name, zero), 1 / (per_mt * calibration.gain.get(name, 1.0))) for name in names
    )
