"""Cells that feel fields, as a `hardware.ports.Source`: converters read, fields judged, buttons beside them.

`FieldCells` is what `hardware.scanner.CellScanner` scans; `field_scanner_on` puts a board together for converters that
the caller opened, and `open_converters` opens those of a profile.
"""

from collections.abc import Callable, Sequence
from typing import Any

from gpiozero import GPIOZeroError

from hardware.adc import Adcs, GpiozeroAdcs, Spi, SpidevAdcs
from hardware.bands import ColourCells, Scale
from hardware.buttons import Buttons
from hardware.ports import CellChange, Millis, RawHeard, Sensing
from hardware.profile_model import Profile
from hardware.scanner import CellScanner


class FieldCells:
    """Cells of a board of linear hall sensors.

    Args:
        adcs: what reads them; its inputs in cell order.
        scales: shape (cells,): how counts become fields.
        colours: what judges the fields.
    """

    def __init__(self, adcs: Adcs, scales: Sequence[Scale], colours: ColourCells) -> None:
        self._adcs = adcs
        self._scales = tuple(scales)
        self._colours = colours
        self._raw_heard: RawHeard | None = None

    @property
    def pending(self) -> bool:
        """Whether a change waits for the next reading to agree."""
        return self._colours.pending

    @property
    def due(self) -> Millis | None:
        """When a field will have rested for long enough, if it stays."""
        return self._colours.due

    def start(self, now: Millis) -> tuple[int, ...]:
        """Take the fields as they are; return what the cells read.

        Raises:
            OSError: the converters cannot be read.
        """
        self._colours.start(now, self._fields(now))
        return tuple(self._colours.readings)

    def scan(self, now: Millis) -> list[CellChange]:
        """Read once; return the cells that read differently from now on.

        Raises:
            OSError: the converters cannot be read.
        """
        return self._colours.feed(now, self._fields(now))

    def lose(self) -> None:
        """Stop waiting for a change."""
        self._colours.pending = False
        self._colours.due = None

    def hear_raw(self, heard: RawHeard | None) -> None:
        """Tell the counts of each reading from now on; None: no more."""
        self._raw_heard = heard

    def close(self) -> None:
        """Let go of the converters."""
        self._adcs.close()

    def _fields(self, now: Millis) -> list[float]:
        counts = self._adcs.read()
        if self._raw_heard is not None:
            self._raw_heard(now, 0, counts)
        return [scale.field(count) for scale, count in zip(self._scales, counts, strict=True)]


def field_scanner_on(
    profile: Profile,
    adcs: Adcs,
    pin_factory: Any,
    *,
    sensing: Sensing | None = None,
    lost: tuple[type[Exception], ...] = (),
) -> CellScanner:
    """Return the cells and buttons of a profile over converters that are open.

    Args:
        profile: a checked profile of a board that feels fields.
        adcs: its converters; closed with the source, and where this fails.
        pin_factory: the gpiozero factory with the pins of the buttons.
        sensing: what the cells are to tell: less than they can, or the profile's.
        lost: exceptions, besides OSError, by which the pins say that they cannot be read.

    Raises:
        gpiozero.GPIOZeroError: a pin cannot be had. Nothing stays open.
    """
    try:
        buttons = Buttons(profile.buttons, pin_factory=pin_factory) if profile.buttons else None
    except BaseException:
        adcs.close()
        raise
    pace = profile.pace()
    colours = ColourCells(adcs.width, profile.field_bands(), samples=pace.samples, sensing=sensing or profile.sensing)
    return CellScanner(
        FieldCells(adcs, profile.field_scales(), colours),
        buttons,
        samples=pace.samples,
        agree_ms=pace.agree_ms,
        quiet_ms=pace.quiet_ms,
        busy_ms=pace.busy_ms,
        lively_cells=False,  # a field that has come to rest is waited for, not watched
        lost=(GPIOZeroError, *lost),
    )


def open_converters(profile: Profile, pin_factory: Any, make_spi: Callable[[], Spi] | None = None) -> Adcs:
    """Return the converters of a profile: through the kernel's driver on a bus, else bit by bit on its pins.

    Args:
        profile: a checked profile of a board that feels fields.
        pin_factory: the gpiozero factory with its pins.
        make_spi: makes an SPI port; by default ``spidev.SpiDev``.

    Raises:
        DeviceError: the bus cannot be had; says why and what to do.
        gpiozero.GPIOZeroError: a pin cannot be had.
    """
    converters = profile.converters()
    if converters.bus == "pins":
        return GpiozeroAdcs(profile.channels(), converters.pins(), pin_factory=pin_factory)
    return SpidevAdcs(profile.channels(), int(converters.bus[-1]), make_spi)
