"""Opening a board: from a profile to a `Source` and `Lamps`.

`open_board` is for the real Raspberry Pi. It takes one road to the pins, lgpio, and one to the pixels, the profile's,
and falls back to nothing: where a road is closed there is one `DeviceError` with what to do. `scanner_on` and
`lamps_on` are the same without choosing the device, for pins and strips that the caller made.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from gpiozero import GPIOPinInUse, GPIOZeroError

from hardware.adc import SpidevAdcs
from hardware.analogue import field_scanner_on, open_converters
from hardware.buttons import Buttons
from hardware.chords import Chord
from hardware.ghosts import ghosts
from hardware.lamps import PixelLamps, Strip
from hardware.matrix import Matrix, Wait
from hardware.multiplexers import Multiplexed
from hardware.pits import PitJudge, PitsSource
from hardware.ports import DeviceError, Lamps, RawHeard, Source, hear_raw
from hardware.profile_model import Profile
from hardware.registers import Registers, open_spi
from hardware.scanner import CellScanner, NamedReader, Reader, Scanner
from hardware.shared import CellsFirst, Joined
from hardware.strips import AdafruitStrip, GatedStrip, SpiStrip
from hardware.wiring import Pace, Wiring

HEADER_CHIPS: Final = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""Labels of the GPIO chip behind the header: on a Pi 5, on a Pi 4, on all before and the Zeros."""
CHIPS_TO_TRY: Final = 32
"""Chip numbers that may exist. The header's chip has been number 0, 4 and 0 again on one and the same Pi 5."""


def open_board(profile: Profile, *, wait: Wait) -> tuple[Source, Lamps]:
    """Open the board that `profile` describes on the pins of this Raspberry Pi.

    Args:
        profile: a checked profile.
        wait: waits that many microseconds; called four times or so in each scan.

    Raises:
        DeviceError: this is no Pi, the pins or the pixels cannot be had, or the profile is for a micro-controller; says
            why and what to do. Nothing stays open.
    """
    if profile.host != "pi":
        raise DeviceError(
            f"the board {profile.name!r} is wired to a Pico, not to this computer's header: connect the Pico by USB, "
            "and open the board with the driver for its serial port"
        )
    factory, lost = open_pins()
    try:
        source = source_on(profile, factory, wait=wait, lost=lost)
    except BaseException:
        factory.close()
        raise
    try:
        lamps = lamps_on(profile, gated(open_strip(profile), profile, factory))
    except BaseException:
        source.close()
        factory.close()
        raise
    return _Opened(source, factory), lamps


def source_on(
    profile: Profile,
    pin_factory: Any,
    *,
    wait: Wait,
    lost: tuple[type[Exception], ...] = (),
    make_spi: Callable[[], Any] | None = None,
) -> Source:
    """Return the cells and buttons of a profile for a Pi, on the pins of a gpiozero factory, real or simulated.

    Args:
        profile: a checked profile.
        pin_factory: the gpiozero factory.
        wait: waits that many microseconds.
        lost: exceptions, besides OSError, by which the factory's pins say that they cannot be read.
        make_spi: makes an SPI port, for drivers that read SPI1; by default ``spidev.SpiDev``.

    Raises:
        DeviceError: a pin or the bus cannot be had; says which, why, and what to do. Nothing stays open.
    """
    source = _source_on(profile, pin_factory, wait, lost, make_spi)
    if profile.power.shutdown and isinstance(source, CellScanner):
        source.chord = Chord(("new", "back"), "off")
    return source


def _source_on(
    profile: Profile,
    pin_factory: Any,
    wait: Wait,
    lost: tuple[type[Exception], ...],
    make_spi: Callable[[], Any] | None,
) -> Source:
    if profile.cells.driver == "matrix":
        return scanner_on(profile.wiring(), profile.pace(), pin_factory, wait=wait, lost=lost)
    make = {"chain": _chain_source, "mux": _pits_source, "mcp3008": _field_source}[profile.cells.driver]
    try:
        return make(profile, pin_factory, wait, lost, make_spi)
    except (GPIOZeroError, *lost) as error:
        raise DeviceError(_pin_trouble(error)) from error


def _chain_source(
    profile: Profile,
    pin_factory: Any,
    _wait: Wait,
    lost: tuple[type[Exception], ...],
    make_spi: Callable[[], Any] | None,
) -> Source:
    cells, pace = profile.cells, profile.pace()
    assert cells.load is not None
    reader = Registers(
        open_spi(make_spi),
        cells.load,
        cells.registers,
        (*profile.inputs(), *cells.buttons.values()),
        closed_is_low=cells.closed_is_low,
        pin_factory=pin_factory,
    )
    contacts, buttons = _with_buttons(reader, len(profile.cell_names()), cells.buttons, profile.buttons, pin_factory)
    return Scanner(
        contacts,
        buttons,
        samples=pace.samples,
        agree_ms=pace.agree_ms,
        quiet_ms=pace.quiet_ms,
        busy_ms=pace.busy_ms,
        lost=(GPIOZeroError, *lost),
    )


def _pits_source(
    profile: Profile,
    pin_factory: Any,
    wait: Wait,
    lost: tuple[type[Exception], ...],
    make_spi: Callable[[], Any] | None,
) -> Source:
    cells, pace = profile.cells, profile.pace()
    values = Multiplexed(
        SpidevAdcs([(0, channel) for channel in cells.adcs], 1, make_spi, ends_are_faults=False),
        cells.selects,
        cells.emitter,
        profile.inputs(),
        settle_us=cells.settle_us,
        wait=wait,
        pin_factory=pin_factory,
    )
    try:
        buttons = Buttons(profile.buttons, pin_factory=pin_factory) if profile.buttons else None
    except BaseException:
        values.close()
        raise
    judge = PitJudge(profile.pit_levels(), quiet_ms=pace.agree_ms)
    return PitsSource(values, judge, buttons, scan_ms=pace.quiet_ms, lost=(GPIOZeroError, *lost))


def _field_source(
    profile: Profile,
    pin_factory: Any,
    _wait: Wait,
    lost: tuple[type[Exception], ...],
    make_spi: Callable[[], Any] | None,
) -> Source:
    return field_scanner_on(profile, open_converters(profile, pin_factory, make_spi), pin_factory, lost=lost)


def _with_buttons(
    reader: Reader, cells: int, shared: Mapping[str, Any], own: Mapping[str, int], pin_factory: Any
) -> tuple[Reader, NamedReader | None]:
    """Return the cells of a reader, and its further contacts with the buttons on pins of their own.

    Args:
        reader: all contacts; closed if a pin cannot be had.
        cells: how many of its contacts are cells.
        shared: the names of its others, in the order of their bits.
        own: pin by name of the buttons that have one.
        pin_factory: the gpiozero factory.
    """
    groups: list[NamedReader] = []
    if shared:
        split = CellsFirst(reader, cells, tuple(shared))
        reader = split
        groups.append(split.buttons)
    try:
        if own:
            groups.append(Buttons(own, pin_factory=pin_factory))
    except BaseException:
        reader.close()
        raise
    if len(groups) > 1:
        return reader, Joined(groups)
    return reader, groups[0] if groups else None


def scanner_on(
    wiring: Wiring, pace: Pace, pin_factory: Any, *, wait: Wait, lost: tuple[type[Exception], ...] = ()
) -> Scanner:
    """Return the cells and buttons of `wiring` on the pins of a gpiozero factory, real or simulated.

    Args:
        wiring: what is soldered to which pin.
        pace: when it is read.
        pin_factory: the gpiozero factory.
        wait: waits that many microseconds.
        lost: exceptions, besides OSError, by which the factory's pins say that they cannot be read.

    Raises:
        DeviceError: a pin cannot be had; says which, why, and what to do. Nothing stays open.
    """
    try:
        matrix = Matrix(
            wiring.rows,
            wiring.columns,
            (*wiring.crossings, *wiring.keys.values()),
            settle_us=pace.settle_us,
            wait=wait,
            pin_factory=pin_factory,
        )
        cells, buttons = _with_buttons(matrix, len(wiring.crossings), wiring.keys, wiring.buttons, pin_factory)
    except (GPIOZeroError, OSError, *lost) as error:
        raise DeviceError(_pin_trouble(error)) from error
    return Scanner(
        cells,
        buttons,
        samples=pace.samples,
        agree_ms=pace.agree_ms,
        quiet_ms=pace.quiet_ms,
        busy_ms=pace.busy_ms,
        in_doubt=None if wiring.diodes else ghosts(wiring.crossings),
        lost=(GPIOZeroError, *lost),
    )


def lamps_on(profile: Profile, strip: Strip) -> PixelLamps:
    """Return the lamps of `profile` over a strip that the caller made."""
    return PixelLamps(profile.chain(), strip)


def open_strip(profile: Profile) -> Strip:
    """Return the strip that ``[lamps]`` asks for.

    Raises:
        DeviceError: it cannot be had; says why and what to do.
    """
    lamps = profile.lamps
    if lamps.driver == "spi":
        return SpiStrip()
    return AdafruitStrip(lamps.pin, lamps.count, lamps.order)


def gated(strip: Strip, profile: Profile, pin_factory: Any) -> Strip:
    """Return the strip behind the gate that the profile names, or as it is where it names none.

    Raises:
        DeviceError: the gate's pin cannot be had; the strip is closed then.
    """
    gate = profile.lamps.gate
    if gate is None:
        return strip
    try:
        return GatedStrip(strip, gate, pin_factory=pin_factory)
    except (GPIOZeroError, OSError) as error:
        strip.close()
        raise DeviceError(_pin_trouble(error)) from error


def open_pins() -> tuple[Any, tuple[type[Exception], ...]]:
    """Return a gpiozero factory for this Pi's header, through lgpio, and the exceptions of lgpio.

    Raises:
        DeviceError: lgpio is missing or empty, this is no Pi, or its pins may not be used.
    """
    try:
        import lgpio  # only a Raspberry Pi has it
        from gpiozero.pins.lgpio import LGPIOFactory
    except ImportError as error:
        raise DeviceError(
            "the Python package lgpio, which reaches the pins, is not installed, so this is no Raspberry Pi or not set "
            "up: 'sudo apt install python3-lgpio' and a venv made with --system-site-packages; or play on the "
            "simulated board"
        ) from error
    except AttributeError as error:
        raise DeviceError(
            "the Python package lgpio is an empty shell, as 'pip install lgpio' leaves it on Python 3.13: remove it "
            "with 'pip uninstall lgpio', then 'sudo apt install python3-lgpio' or 'pip install adafruit-lgpio'"
        ) from error
    lost = (lgpio.error,)
    chip = choose_chip(_chip_labels(lgpio))
    try:
        return LGPIOFactory(chip=chip), lost
    except (GPIOZeroError, OSError, lgpio.error) as error:
        raise DeviceError(
            f"the pins of this computer cannot be opened ({error}): see that it is a Raspberry Pi, and that you are in "
            "the group gpio ('sudo usermod -aG gpio $USER', then log out and in again)"
        ) from error


def choose_chip(labels: Mapping[int, str]) -> int:
    """Return the number of the GPIO chip behind the header: the lowest that has one of `HEADER_CHIPS` for a label.

    Args:
        labels: label by number, of the chips that can be opened. Two numbers may lead to one chip.

    Raises:
        DeviceError: there is none.
    """
    for label in HEADER_CHIPS:
        for number in sorted(labels):
            if labels[number] == label:
                return number
    if not labels:
        raise DeviceError(
            "no GPIO chip can be opened: see that this is a Raspberry Pi, and that you are in the group gpio "
            "('sudo usermod -aG gpio $USER', then log out and in again); or play on the simulated board"
        )
    found = ", ".join(sorted(set(labels.values())))
    raise DeviceError(
        f"this computer has GPIO chips ({found}), but none of a Raspberry Pi's header; play on the simulated board, "
        "or with a micro-controller on USB"
    )


def _chip_labels(lgpio: Any) -> dict[int, str]:
    """Return the label of each chip that can be opened, by number."""
    labels = {}
    for number in range(CHIPS_TO_TRY):
        try:
            handle = lgpio.gpiochip_open(number)
        except (OSError, lgpio.error):
            continue
        try:
            _, _, _, label = lgpio.gpio_get_chip_info(handle)
            labels[number] = label.decode() if isinstance(label, bytes) else str(label)
        finally:
            lgpio.gpiochip_close(handle)
    return labels


def _pin_trouble(error: Exception) -> str:
    if isinstance(error, GPIOPinInUse):
        return f"{error}: a pin has one owner, and a process opens one board; close the other board first"
    if "busy" in str(error).lower():
        return f"a pin is held by another program ({error}): 'gpioinfo' names it; stop that program"
    return f"a pin cannot be used as the profile says ({error}): check the numbers under [cells] and [buttons]"


class _Opened:
    """A source that closes the pin factory after itself."""

    def __init__(self, source: Source, factory: Any) -> None:
        self._factory = factory
        self._source = source
        self.poll = source.poll
        self.due = source.due
        self.listen = source.listen

    def hear_raw(self, heard: RawHeard | None) -> None:
        """Pass it on."""
        hear_raw(self._source, heard)

    def close(self) -> None:
        """Let go of the pins. Twice is fine."""
        self._source.close()
        factory, self._factory = self._factory, None
        if factory is not None:
            factory.close()
