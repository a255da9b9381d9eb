"""All that somebody who builds a board has to solder, buy and switch on, worked out from its profile. Plain values.

`sheet` gives the whole; `hardware.wiring_text` writes it down, `hardware.wiring_svg` draws it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from hardware.adc import CHIP_CHANNELS
from hardware.board_plan import board_plan
from hardware.currents import Rail, fed_by_usb, rails
from hardware.header import HEADERS, PI, Header
from hardware.multiplexers import CHANNELS
from hardware.profile_model import Profile
from hardware.registers import END

FEED_EVERY: Final = 64
"""Pixels after which a chain wants its supply anew, since its own copper is thin."""
PICO_MA: Final = 100
"""What a Pico itself takes from USB at most, roughly (Pico data sheet, "Power consumption")."""
LETTERS: Final = "ABCDEFGH"
"""Inputs of a 74HC165 as its data sheet calls them: A is D0."""

NOT_NEEDED: Final = "nothing; this wire is not needed"

_SPI1: Final = {"MISO": 19, "SCLK": 21, "MOSI": 20, "CE0": 18, "CE1": 17}
_POWER: Final = {"pi": {"3.3 V": 1, "5 V": 2, "ground": 6}, "pico": {"3.3 V": 36, "5 V": 40, "ground": 38}}
"""The header pins to take power from, by host."""


@dataclass(frozen=True, slots=True)
class Wire:
    """One wire from the header.

    Fields:
        pin: header pin.
        label: what the pin is: ``GPIO 17``, ``3.3 V``.
        kind: ``power``, ``pixels``, ``row``, ``column``, ``bus``, ``button``.
        short: what it is for, in a word or two.
        to: where it goes.
    """

    pin: int
    label: str
    kind: str
    short: str
    to: str


@dataclass(frozen=True, slots=True)
class Part:
    """Something to buy, and how many."""

    count: int
    name: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Inputs that belong together: a register, a multiplexer, a converter, a row.

    Fields:
        name: what they are on.
        inputs: what hangs on each, as (input's name, cell or button).
    """

    name: str
    inputs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A board on paper.

    Fields:
        profile: the board.
        header: the header that the wires come from.
        wires: by header pin.
        kept: header pin and reason of pins that must stay free.
        groups: what hangs on each input.
        order: shape (pixels,): what is lit by each pixel of the chain, ``""`` for nothing.
        parts: what to buy.
        rails: what it draws.
        boot: lines for ``/boot/firmware/config.txt``.
        members: the groups of users that may open its devices.
        notes: what else to know, a sentence each.
        wiring: the number of the wiring in HELLO (docs/protocol.md); None where no micro-controller says one.
    """

    profile: Profile
    header: Header
    wires: tuple[Wire, ...]
    kept: tuple[tuple[int, str], ...]
    groups: tuple[Group, ...]
    order: tuple[str, ...]
    parts: tuple[Part, ...]
    rails: tuple[Rail, ...]
    boot: tuple[str, ...]
    members: tuple[str, ...]
    notes: tuple[str, ...]
    wiring: int | None


def sheet(profile: Profile) -> Sheet:
    """Return the sheet of a checked profile."""
    wires = sorted(_wires(profile), key=lambda wire: wire.pin)
    used = {wire.pin for wire in wires}
    return Sheet(
        profile=profile,
        header=HEADERS[profile.host],
        wires=tuple(wires),
        kept=tuple(sorted((pin, why) for pin, why in _kept(profile) if pin not in used)),
        groups=tuple(_groups(profile)),
        order=_order(profile),
        parts=tuple(_parts(profile)),
        rails=rails(profile),
        boot=tuple(_boot(profile)),
        members=("dialout",) if profile.host == "pico" else ("gpio", "spi") if _uses_spi(profile) else ("gpio",),
        notes=tuple(_notes(profile)),
        wiring=_number(profile),
    )


def _number(profile: Profile) -> int | None:
    if profile.host != "pico":
        return None
    number: int = board_plan(profile)["wiring"]
    return number


def input_names(profile: Profile) -> tuple[str, ...]:
    """Return shape (cells,): what the input of each cell is called for short: ``r1 c3``, ``12``."""
    if profile.cells.driver == "matrix":
        return tuple(f"r{row + 1} c{column + 1}" for row, column in profile.crossings())
    return tuple(map(str, profile.inputs()))


def _uses_spi(profile: Profile) -> bool:
    own = profile.adc is not None and profile.adc.bus != "pins"
    return profile.lamps.driver == "spi" or profile.cells.driver in ("chain", "mux") or own


def _wires(profile: Profile) -> Iterator[Wire]:
    header = HEADERS[profile.host]

    def wire(gpio: int, kind: str, short: str, to: str) -> Wire:
        return Wire(header.pins[gpio], f"{header.prefix}{gpio}", kind, short, to)

    for label, pin in _POWER[profile.host].items():
        if label == "3.3 V" and profile.cells.driver == "matrix":
            continue  # contacts need no supply
        yield Wire(pin, label, "power", label, _power_to(profile, label))
    lamps = profile.lamps
    yield wire(lamps.pin, "pixels", "pixels", f"level shifter, 330 ohm, DIN of pixel 0 (of {lamps.count})")
    if lamps.gate is not None:
        yield wire(lamps.gate, "pixels", "gate", "output enable of the level shifter: open while a frame is sent")
    for gpio, kind, short, to in _sensor_wires(profile):
        yield wire(gpio, kind, short, to)
    for name, gpio in profile.buttons.items():
        yield wire(gpio, "button", f"button {name}", f"button {name}; its other side to ground")


def _power_to(profile: Profile, label: str) -> str:
    usb = fed_by_usb(profile)
    if label == "ground":
        return "ground of everything" if usb else "ground of everything, the pixels' supply included"
    if label == "5 V":
        fed = rails(profile)[0].feeds
        return (
            f"5 V of the {fed}, and level shifter's supply"
            if usb
            else f"level shifter's supply only; the {fed} have a supply of their own"
        )
    first = {"chain": "registers", "mux": "multiplexers", "mcp3008": "converters"}.get(profile.cells.driver, "contacts")
    return f"{first} and sensors"


def _sensor_wires(profile: Profile) -> Iterator[tuple[int, str, str, str]]:
    """Yield (GPIO, kind, short, to) of all wires to the sensors."""
    cells, pi = profile.cells, profile.host == "pi"
    if cells.driver == "matrix":
        yield from _matrix_wires(profile)
    elif cells.driver == "chain":
        assert cells.load is not None
        data, clock = (_SPI1["MISO"], _SPI1["SCLK"]) if pi else (cells.data, cells.clock)
        assert data is not None
        assert clock is not None
        yield data, "bus", "MISO", "QH (serial out) of register 1"
        yield clock, "bus", "SCLK", f"CLK of all {cells.registers + 1} registers; CLK INH to ground"
        yield cells.load, "bus", "LOAD", "SH/LD of all registers"
    elif cells.driver == "mux":
        for bit, gpio in enumerate(cells.selects):
            yield gpio, "row", f"S{bit}", f"S{bit} of all multiplexers; E to ground"
        if cells.emitter is not None:
            yield cells.emitter, "row", "emitters", "gate of the transistor that switches all emitters"
        if pi:
            yield from _converter_wires((_SPI1["SCLK"], _SPI1["MOSI"], _SPI1["MISO"]), (_SPI1["CE0"],))
        else:
            for k, gpio in enumerate(cells.adcs, start=1):
                yield gpio, "column", f"mux {k}", f"common pin (SIG) of multiplexer {k}, 10 kilohm to ground"
    else:
        pins = profile.converters().pins()
        yield from _converter_wires((pins.clock, pins.mosi, pins.miso), pins.selects)


def _matrix_wires(profile: Profile) -> Iterator[tuple[int, str, str, str]]:
    cells, by_row = profile.cells, list(_groups(profile))
    for row, gpio in enumerate(cells.rows):
        members = " ".join(name for _, name in by_row[row].inputs)
        yield gpio, "row", f"row {row + 1}", f"row {row + 1}: {members or NOT_NEEDED}"
    for column, gpio in enumerate(cells.columns):
        label = f"column {column + 1}"
        members = " ".join(name for group in by_row for where, name in group.inputs if where == label)
        yield gpio, "column", label, f"{label}: {members or NOT_NEEDED}"


def _converter_wires(bus: tuple[int, int, int], selects: tuple[int, ...]) -> Iterator[tuple[int, str, str, str]]:
    clock, mosi, miso = bus
    yield clock, "bus", "SCLK", "CLK of every MCP3008"
    yield mosi, "bus", "MOSI", "DIN of every MCP3008"
    yield miso, "bus", "MISO", "DOUT of every MCP3008"
    for chip, gpio in enumerate(selects, start=1):
        yield gpio, "bus", f"CS {chip}", f"CS/SHDN of MCP3008 {chip}"


def _kept(profile: Profile) -> Iterator[tuple[int, str]]:
    """Yield the header pins that a bus owns without using them, and those that the profile reserves."""
    if profile.host != "pi":
        return
    for gpio in PI.kept:
        yield PI.pins[gpio], f"GPIO {gpio} is for the memory of add-on boards"
    buses = {"SPI0": PI.buses["spi0"]} if profile.lamps.pin == 10 else {}
    if profile.cells.driver == "chain":
        buses["SPI1"] = PI.buses["spi1-1cs"]
    elif profile.cells.driver == "mux" or (profile.adc is not None and profile.adc.bus == "spi1"):
        buses["SPI1"] = PI.buses["spi1"]
    for bus, pins in buses.items():
        for gpio in pins:
            yield PI.pins[gpio], f"GPIO {gpio} belongs to {bus}"
    for bus in profile.reserve.buses:
        for gpio in PI.buses[bus]:
            yield PI.pins[gpio], f"GPIO {gpio} is reserved for {bus}"
    for gpio in profile.reserve.pins:
        yield PI.pins[gpio], f"GPIO {gpio} is reserved"


def _groups(profile: Profile) -> Iterator[Group]:
    """Yield what hangs on the inputs, in the order of the inputs."""
    cells = profile.cells
    owners = dict(zip(profile.inputs(), profile.cell_names(), strict=True))
    owners |= {number: f"button {name}" for name, number in cells.buttons.items()}
    if cells.driver == "matrix":
        width, count, name, labels = (
            len(cells.columns),
            len(cells.rows),
            "row",
            [f"column {column + 1}" for column in range(len(cells.columns))],
        )
    elif cells.driver == "chain":
        width, count, name, labels = 8, cells.registers, "register", list(LETTERS)
    elif cells.driver == "mux":
        width, count, name = CHANNELS, len(cells.adcs), "multiplexer"
        labels = [f"C{channel}" for channel in range(CHANNELS)]
    else:
        width, count, name = CHIP_CHANNELS, len(profile.converters().pins().selects), "MCP3008"
        labels = [f"CH{channel}" for channel in range(CHIP_CHANNELS)]
    for k in range(count):
        taken = [(label, owners.get(width * k + j, "")) for j, label in enumerate(labels)]
        yield Group(f"{name} {k + 1}", tuple(pair for pair in taken if pair[1]))
    if cells.driver == "chain":
        levels = tuple((letter, "3.3 V" if END >> j & 1 else "ground") for j, letter in enumerate(LETTERS))
        yield Group(f"register {count + 1}, the farthest", levels)


def _order(profile: Profile) -> tuple[str, ...]:
    lit = [*profile.cell_names()]
    places = profile.places()
    lit += [f"ring {k}" for k in range(1, len(places) - len(lit) + 1)]
    order = [""] * profile.lamps.count
    for name, place in zip(lit, places, strict=True):
        order[place] = name
    return tuple(order)


def _parts(profile: Profile) -> Iterator[Part]:
    lamps, cells = profile.lamps, profile.cells
    count = len(profile.cell_names())
    host = "Raspberry Pi with a 40-pin header" if profile.host == "pi" else "Raspberry Pi Pico, Pico W or Pico 2"
    yield Part(1, host)
    yield Part(count, profile.sensor.part, "one under each cell")
    yield from _driver_parts(profile, count + len(cells.buttons))
    kind = "SK6812 RGBW" if len(lamps.order) == 4 else "WS2812B or SK6812"
    yield Part(lamps.count, f"pixel, {kind}, order {lamps.order}")
    yield Part(1, "74AHCT125", "level shifter, 3.3 V to 5 V, for the pixels' data")
    yield Part(1, "resistor 330 ohm", "between the shifter and the first pixel")
    if not fed_by_usb(profile):
        rail = rails(profile)[0]
        ma = rail.budget_ma if rail.supply_ma is None else rail.supply_ma
        yield Part(
            1, f"supply 5 V, {ma / 1000:g} A or more", f"for the {rail.feeds}; its ground joins that of the board"
        )
        yield Part(-(-lamps.count // FEED_EVERY), "capacitor 1000 uF, 6.3 V", "where the supply meets the chain")
    buttons = len(profile.buttons) + len(cells.buttons)
    if buttons:
        yield Part(buttons, "push button")


def _driver_parts(profile: Profile, inputs: int) -> Iterator[Part]:
    cells = profile.cells
    if cells.driver == "matrix":
        if cells.diodes:
            yield Part(inputs, "diode 1N4148", "one at each contact")
    elif cells.driver == "chain":
        yield Part(cells.registers + 1, "74HC165", "shift register; the last is wired to a fixed pattern")
        yield Part(cells.registers + 1, "capacitor 100 nF", "at each register")
        if cells.closed_is_low:
            yield Part(inputs, "resistor 10 kilohm", "from each input to 3.3 V; or networks of them")
    elif cells.driver == "mux":
        yield Part(len(cells.adcs), "CD74HC4067", "analogue multiplexer")
        yield Part(len(cells.adcs), "resistor 10 kilohm", "from each common pin to ground")
        if cells.emitter is not None:
            yield Part(1, "logic-level MOSFET", "switches all emitters")
            yield Part(len(profile.cell_names()), "resistor 330 ohm", "one in each emitter's line")
        if profile.host == "pi":
            yield Part(1, "MCP3008", "converter")
    else:
        chips = len(profile.converters().pins().selects)
        yield Part(chips, "MCP3008", "converter; VREF to the sensors' 3.3 V")
        yield Part(chips + len(profile.cell_names()), "capacitor 100 nF", "at each converter and each sensor")


def _boot(profile: Profile) -> Iterator[str]:
    if profile.host != "pi":
        return
    cells, lamps = profile.cells, profile.lamps
    spi0 = lamps.pin == 10 or (profile.adc is not None and profile.adc.bus == "spi0")
    if spi0:
        yield "dtparam=spi=on"
    if cells.driver == "chain":
        yield "dtoverlay=spi1-1cs"
    elif cells.driver == "mux" or (profile.adc is not None and profile.adc.bus == "spi1"):
        yield "dtoverlay=spi1-1cs" if profile.adc is not None and profile.adc.chips == 1 else "dtoverlay=spi1-2cs"
    if lamps.pin == 10:
        yield from ("[pi02]", "core_freq=250", "[pi3]", "core_freq=250", "[pi4]", "core_freq_min=500", "[all]")
    elif lamps.pin in (12, 13, 18, 19):
        yield "dtparam=audio=off"


def _notes(profile: Profile) -> Iterator[str]:
    cells, lamps = profile.cells, profile.lamps
    if profile.host == "pi" and lamps.pin == 10:
        yield "The core_freq lines keep the SPI clock, and so the pixels' colours, steady; a Pi 5 needs none."
    if profile.host == "pi" and cells.driver in ("chain", "mux", "mcp3008"):
        yield "SPI1 lies on the pins of I2S sound: this board cannot have both."
    if cells.driver == "matrix":
        yield "Each contact joins its row to its column." + (
            " Its diode stands between the contact and the row, with its ring (cathode) towards the row."
            if cells.diodes
            else ""
        )
    if cells.driver == "chain":
        yield "QH of each register goes to SER of the one before it; SER of the farthest goes to ground."
        yield (
            f"The farthest register is wired to 0x{END:02X}. If anything else is read there, the chain is broken, and "
            "play stops with a message instead of seeing stones that are not there."
        )
    if lamps.count > FEED_EVERY:
        yield f"Feed the pixels with 5 V and ground anew every {FEED_EVERY} pixels."
    if profile.host == "pico":
        yield from _usb_notes(profile)
    yield from _idle_notes(profile)
    if cells.layout == "tiles":
        yield "Buffer clock and load between tiles (a 74AHCT125 each), since so many inputs load the lines."


def _usb_notes(profile: Profile) -> Iterator[str]:
    """Yield how a Pico gets its current, and its pixels theirs."""
    pixels = rails(profile)[0]
    by_usb = "The Pico hangs by USB on the computer that runs the game"
    if not fed_by_usb(profile):
        yield f"{by_usb}; its {pixels.feeds} have a supply of their own."
        return
    yield (
        f"{by_usb}, and its {pixels.feeds} are fed from there too: {pixels.budget_ma:g} mA at most of the "
        f"{pixels.supply_ma:g} that a port gives, beside about {PICO_MA} for the Pico itself."
    )
    yield "Leave a large capacitor at the pixels out: a USB port is not made to charge one when it is plugged in."


def _idle_notes(profile: Profile) -> Iterator[str]:
    """Yield what the profile names and no cell or button needs."""
    cells, groups = profile.cells, list(_groups(profile))
    if cells.driver == "chain":
        groups.pop()  # the fixed one
    taken = {label for group in groups for label, _ in group.inputs}
    columns = [f"column {k + 1}" for k in range(len(cells.columns))]
    for key, units in (
        (_UNITS[cells.driver], {group.name: bool(group.inputs) for group in groups}),
        ("", {name: name in taken for name in columns}),
    ):
        idle = [name for name, used in units.items() if not used]
        last = [*units][-len(idle) :] == idle  # others are counted past, and stay
        if idle and key and last:
            them = "it" if len(idle) == 1 else "them"
            yield f"Nothing hangs on {', '.join(idle)}: shorten {key} in the profile, and leave {them} out."
        elif idle:
            why = "what comes after is read through it" if cells.driver == "chain" else "no wire is needed there"
            yield f"Nothing hangs on {', '.join(idle)}: {why}."


_UNITS: Final = {"matrix": "cells.rows", "chain": "cells.registers", "mux": "cells.adcs", "mcp3008": "adc.chips"}
"""By driver: the key that says how many groups of inputs there are."""
