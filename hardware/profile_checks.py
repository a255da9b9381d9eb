"""What no single key of a profile can tell: whether the sections fit each other and the header. Pure."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from hardware import layouts
from hardware.adc import CHIP_CHANNELS
from hardware.currents import emitters_ma, rails
from hardware.hosting import HostingError, blocks
from hardware.pixels import ORDERS
from hardware.profile_analogue_checks import analogue_complaints
from hardware.profile_model import BUTTONS, Profile, track_places
from hardware.profile_pins import Complaint
from hardware.words import near_miss
from hardware.ws2812 import TRANSFER_BYTES, transfer_bytes

SEEN_WITHIN_MS: Final = 60
"""A state that lasts so long must be seen."""
LEAST_CONTRAST: Final = 32
"""How much more than an empty pit one with a seed must reflect, of 1023: the noise of the converter is a few."""
CHANNELS: Final = 16
"""Inputs of one CD74HC4067."""

_LAYOUT_KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "grid": ("files", "ranks"),
    "tiles": ("files", "ranks"),
    "hexagon": ("radius",),
    "pits": ("files",),
}
"""The keys that say how large a layout is."""
_DRIVER_KEYS: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "matrix": (("rows", "columns"), ("diodes", "settle_us", "exceptions", "buttons")),
    "chain": (("load", "registers"), ("clock", "data", "closed_is_low", "buttons")),
    "mux": (("selects", "adcs"), ("emitter", "levels", "settle_us")),
    "mcp3008": ((), ()),
}
"""By driver: the keys that it needs, and those that it takes besides."""
_PICO_KEYS: Final[Mapping[str, tuple[str, ...]]] = {"chain": ("clock", "data")}
"""Keys that a driver needs on a Pico, where no bus has its pins by itself, and that it has no use for on a Pi."""
_SENSINGS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "matrix": ("a matrix of contacts", ("presence",)),
    "chain": ("a chain of registers", ("presence",)),
    "mux": ("a row of optical sensors", ("presence",)),
    "mcp3008": ("sensors that feel fields", ("colour", "presence")),
}
"""What sensors on each driver are in words, and what they can tell."""


def fit_complaints(profile: Profile) -> Iterator[Complaint]:
    """Yield where the sections of a profile do not fit each other."""
    first = list(_keys(profile)) or list(_size(profile))  # the other checks count on these
    yield from first
    if not first:
        for check in _CHECKS:
            yield from check(profile)


def _power(profile: Profile) -> Iterator[Complaint]:
    """Yield where the buttons that switch the Pi off cannot be told to be held."""
    if not profile.power.shutdown:
        return
    if profile.host != "pi" or profile.cells.driver not in {"matrix", "mcp3008"}:
        yield (
            "power.shutdown",
            "this kind of board cannot tell that buttons are held",
            "leave it out; a Pi with a matrix or with MCP3008s can",
        )
    elif missing := [name for name in ("new", "back") if name not in profile.buttons]:
        yield (
            "power.shutdown",
            f"holding new and back switches off, and the board has no button {missing[0]}",
            f"add {missing[0]} under [buttons], or leave it out",
        )


def _turn(profile: Profile) -> Iterator[Complaint]:
    """Yield where a board cannot lie as it is said to."""
    cells = profile.cells
    if layouts.turned(profile.layout(), cells.turned) is None:
        fitting = [degrees for degrees in layouts.TURNS if layouts.turned(profile.layout(), degrees) is not None]
        yield (
            "cells.turned",
            f"this board does not look the same when it is turned by {cells.turned} degrees",
            f"write one of {', '.join(map(str, fitting))}",
        )


def _keys(profile: Profile) -> Iterator[Complaint]:
    """Yield the keys of ``[cells]`` that its layout and driver miss, and those that belong to another."""
    cells = profile.cells
    given = cells.model_fields_set
    pico = _PICO_KEYS.get(cells.driver, ())
    needs = [*_LAYOUT_KEYS[cells.layout], *_DRIVER_KEYS[cells.driver][0], *(pico if profile.host == "pico" else ())]
    for key in needs:
        if key not in given:
            yield f"cells.{key}", "this key is missing", "add it"
    takes = {*needs, *_DRIVER_KEYS[cells.driver][1]} - (set(pico) if profile.host == "pi" else set())
    of_layouts = {key for keys in _LAYOUT_KEYS.values() for key in keys}
    of_drivers = {key for needed, taken in _DRIVER_KEYS.values() for key in (*needed, *taken)}
    for key in sorted(given & (of_layouts | of_drivers) - takes):
        if key in pico:
            yield f"cells.{key}", "on a Pi the chain hangs on SPI1, which has its own pins", "leave it out"
        elif key in of_layouts:
            yield f"cells.{key}", f"a layout of {cells.layout} has no such key", "leave it out, or change layout"
        else:
            yield f"cells.{key}", f"the driver {cells.driver} has no such key", "leave it out, or change driver"


def _size(profile: Profile) -> Iterator[Complaint]:
    cells = profile.cells
    for key in ("files", "ranks"):
        number = getattr(cells, key)
        if cells.layout == "tiles" and number % layouts.TILE:
            yield f"cells.{key}", f"{number} is no whole number of tiles", f"a tile has {layouts.TILE} places on a side"
    if cells.layout == "pits" and (cells.files or 0) > layouts.MOST_PITS:
        yield "cells.files", f"{cells.files} is too great", f"it must be at most {layouts.MOST_PITS}"


def _sensing(profile: Profile) -> Iterator[Complaint]:
    what, kinds = _SENSINGS[profile.cells.driver]
    if profile.cells.sensing not in kinds:
        allowed = " or ".join(f'sensing = "{kind}"' for kind in kinds)
        yield "cells.sensing", f"{what} cannot tell {profile.cells.sensing}", f"use {allowed}, or another driver"


def _button_names(profile: Profile) -> Iterator[Complaint]:
    for section, names in (("buttons", profile.buttons), ("cells.buttons", profile.cells.buttons)):
        for name in names:
            if name not in BUTTONS:
                yield f"{section}.{name}", "no button has this name", near_miss(name, BUTTONS)
    for name in profile.cells.buttons:
        if name in profile.buttons:
            yield f"cells.buttons.{name}", f"buttons.{name} has a pin for this button already", "leave one of them out"


def _pace(profile: Profile) -> Iterator[Complaint]:
    if profile.cells.driver == "mux":
        return  # what is judged there is whether a hand has left, which takes longer
    pace = profile.pace()
    agreeing = max((pace.samples - 1) * pace.busy_ms, -(-pace.agree_ms // pace.busy_ms) * pace.busy_ms)
    if pace.quiet_ms + agreeing >= SEEN_WITHIN_MS:
        yield (
            "cells.scan_ms",
            f"a change is agreed up to {pace.quiet_ms + agreeing} ms after it; it must be within {SEEN_WITHIN_MS}",
            "lower scan_ms, busy_scan_ms, agree_samples or agree_ms",
        )


def _inputs(profile: Profile) -> Iterator[Complaint]:
    """Yield what does not fit between the cells (and buttons) and the inputs that the driver reads."""
    cells, names = profile.cells, profile.cell_names()
    if cells.driver == "mcp3008" and profile.adc is None:
        return  # which is told, and says nothing of how many inputs there would be
    capacity, has, remedy = _capacity(profile)
    if capacity < len(names) + len(cells.buttons):
        wanted = f"{len(names)} cells" + (f" and {len(cells.buttons)} buttons" if cells.buttons else "")
        yield _CAPACITY_KEY[cells.driver], f"{has}, for {wanted}", remedy
        return
    if profile.host == "pico" and cells.driver == "matrix" and not cells.diodes:
        wrong = "a micro-controller's firmware reads no matrix without diodes: it cannot tell ghosts from stones"
        yield "cells.diodes", wrong, "solder a diode to each contact, and say diodes = true"
    elif cells.buttons and not cells.diodes:
        yield "cells.buttons", "without diodes stones would press buttons", "give the buttons pins of their own"
    yield from _unknown_cells("cells.exceptions", cells.exceptions, names)
    if cells.wiring is not None:
        yield from _unknown_cells("cells.wiring.exceptions", cells.wiring.exceptions, names)
    columns = len(cells.columns)
    places = profile.crossings() if cells.driver == "matrix" else [(0, number) for number in profile.inputs()]
    owners: dict[tuple[int, int], str] = {}
    takers = [(name, _input_key(profile, name), place) for name, place in zip(names, places, strict=True)]
    takers += [
        (f"button {name}", f"cells.buttons.{name}", divmod(number, columns) if columns else (0, number))
        for name, number in cells.buttons.items()
    ]
    for name, key, (row, column) in takers:
        if not (0 <= row < (len(cells.rows) or 1) and 0 <= column < (columns or capacity)):
            yield key, f"there is no {_input_words(profile, row, column)}", _count_words(profile, capacity)
        elif (other := owners.setdefault((row, column), name)) != name:
            blamed = key if key not in ("cells.wiring", "cells.driver") else _input_key(profile, other)
            yield (
                blamed,
                f"{_input_words(profile, row, column)} is given to {other} and to {name}",
                "give each an input of its own; list every cell that is not where the rule puts it",
            )


_CAPACITY_KEY: Final[Mapping[str, str]] = {
    "matrix": "cells.columns",
    "chain": "cells.registers",
    "mux": "cells.adcs",
    "mcp3008": "adc.chips",
}
"""The key to mend where a driver reads too few inputs."""


def _capacity(profile: Profile) -> tuple[int, str, str]:
    """Return how many inputs the driver reads, in words whose they are, and what to do where they are too few."""
    cells = profile.cells
    needed = len(profile.cell_names()) + len(cells.buttons)
    if cells.driver == "matrix":
        count = len(cells.rows) * len(cells.columns)
        words = f"{len(cells.rows)} rows and {len(cells.columns)} columns cross {count} times"
        return count, words, f"add pins to rows or columns, or lower {' or '.join(_LAYOUT_KEYS[cells.layout])}"
    if cells.driver == "chain":
        words = f"{cells.registers} registers have {8 * cells.registers} inputs"
        return 8 * cells.registers, words, f"registers = {-(-needed // 8)}, not counting the last, which is fixed"
    if cells.driver == "mcp3008":
        chips = profile.converters().chips
        count = CHIP_CHANNELS * chips
        return count, f"{chips} chips have {count} channels", f"chips = {-(-needed // CHIP_CHANNELS)}"
    count = CHANNELS * len(cells.adcs)
    return count, f"{len(cells.adcs)} multiplexers have {count} inputs", f"name {-(-needed // CHANNELS)} in adcs"


def _input_key(profile: Profile, name: str) -> str:
    """Return the key that says where the input of a cell is."""
    cells = profile.cells
    if name.startswith("button "):
        return f"cells.buttons.{name.removeprefix('button ')}"
    if name in cells.exceptions:
        return f"cells.exceptions.{name}"
    if cells.wiring is None:
        return "cells.driver"
    return f"cells.wiring.exceptions.{name}" if name in cells.wiring.exceptions else "cells.wiring"


def _input_words(profile: Profile, row: int, column: int) -> str:
    if profile.cells.driver != "matrix":
        return f"input {column}"
    return f"crossing of row {row + 1} and column {column + 1}"


def _count_words(profile: Profile, capacity: int) -> str:
    cells = profile.cells
    if cells.driver == "matrix":
        return f"count from 1: rows to {len(cells.rows)}, columns to {len(cells.columns)}"
    return f"count from 0, to {capacity - 1}"


def _unknown_cells(key: str, given: Mapping[str, Any], names: tuple[str, ...]) -> Iterator[Complaint]:
    for name in given:
        if name not in names:
            yield f"{key}.{name}", "this board has no such cell", near_miss(name, names)


def _places(profile: Profile) -> Iterator[Complaint]:
    lamps, names = profile.lamps, profile.cell_names()
    yield from _unknown_cells("lamps.wiring.exceptions", lamps.wiring.exceptions, names)
    owners: dict[int, str] = {}
    pixels = [
        (name, _place_key(profile, name), place)
        for name, place in zip(names, profile.places()[: len(names)], strict=True)
    ]
    pixels += [(f"track pixel {k}", "lamps.track", place) for k, place in enumerate(track_places(lamps.track), 1)]
    beyond = [place for _, _, place in pixels if place >= lamps.count or place < 0]
    if beyond:
        yield (
            "lamps.count",
            f"the wiring reaches pixel {max(beyond)}, and the chain has {lamps.count}, counted from 0",
            f"count = {max(beyond) + 1} if the chain is so long; else mend lamps.wiring or lamps.track",
        )
    for name, key, place in pixels:
        other = owners.setdefault(place, name)
        if other != name:
            yield key, f"pixel {place} is given to {other} and to {name}", "give each a pixel of its own"
            return


def _place_key(profile: Profile, name: str) -> str:
    return f"lamps.wiring.exceptions.{name}" if name in profile.lamps.wiring.exceptions else "lamps.wiring"


def _order(profile: Profile) -> Iterator[Complaint]:
    lamps = profile.lamps
    if lamps.order not in ORDERS:
        yield (
            "lamps.order",
            f"{lamps.order!r} is no channel order",
            near_miss(lamps.order.upper(), ORDERS),
        )
    elif len(lamps.ma_per_channel) not in (1, len(lamps.order)) or min(lamps.ma_per_channel) < 0:
        yield (
            "lamps.ma_per_channel",
            f"{len(lamps.ma_per_channel)} numbers for the {len(lamps.order)} channels of {lamps.order}",
            "give one number for all, or red, green, blue (and white), none below 0",
        )
    elif (
        profile.host == "pi"
        and lamps.driver == "spi"
        and transfer_bytes(lamps.count, len(lamps.order)) > TRANSFER_BYTES
    ):
        most = (TRANSFER_BYTES - transfer_bytes(0, 1)) // (transfer_bytes(1, len(lamps.order)) - transfer_bytes(0, 1))
        yield (
            "lamps.count",
            f"{lamps.count} pixels do not fit in one SPI transfer",
            f"use at most {most}, or let a micro-controller drive them",
        )


def _current(profile: Profile) -> Iterator[Complaint]:
    lamps = profile.lamps
    if lamps.idle_ma * lamps.count >= lamps.budget_ma:
        yield (
            "lamps.budget_ma",
            f"{lamps.count} dark pixels alone draw {lamps.idle_ma * lamps.count:g} mA of {lamps.budget_ma:g}",
            "raise the budget, with a supply that bears it, or use fewer pixels",
        )
    pixels, sensors = rails(profile)
    if pixels.supply_ma is not None and pixels.budget_ma > pixels.supply_ma:
        emitters = emitters_ma(profile)
        besides = f", with {emitters:g} mA for the emitters," if emitters else ""
        limit = "supply_ma" if lamps.supply_ma is not None else "a USB port gives"
        yield (
            "lamps.budget_ma",
            f"{lamps.budget_ma:g} mA{besides} is more than {limit}, {pixels.supply_ma:g}",
            f"lower it to {max(0, pixels.supply_ma - emitters):g} or less"
            + ("" if lamps.supply_ma is not None else ", or name a stronger supply in lamps.supply_ma"),
        )
    if sensors.supply_ma is not None and sensors.worst_ma > sensors.supply_ma:
        yield (
            "sensor.ma",
            f"{len(profile.cell_names())} sensors draw {sensors.worst_ma:g} mA of {sensors.supply_ma:g} at 3.3 V",
            "use sensors that draw less, or feed them by a regulator of their own and say so in sensor.supply_ma",
        )


def _levels(profile: Profile) -> Iterator[Complaint]:
    levels = profile.cells.levels
    yield from _unknown_cells("cells.levels.by_cell", levels.by_cell, profile.cell_names())
    pairs = {"seed": (levels.empty, levels.seed), **{f"by_cell.{name}": pair for name, pair in levels.by_cell.items()}}
    for key, (empty, seed) in pairs.items():
        if seed - empty < LEAST_CONTRAST:
            yield (
                f"cells.levels.{key}",
                f"a pit that reads {empty} empty and {seed} with a seed cannot be told apart",
                f"bring the sensor nearer; the second must be {LEAST_CONTRAST} or more above the first",
            )


def _hosts(profile: Profile) -> Iterator[Complaint]:
    for game, host in profile.hosts.items():
        try:
            blocks(profile.layout(), [(0, 0)], host.cell, host.step, host.origin)
        except HostingError as error:
            yield f"hosts.{game}.{error.key}", error.wrong, error.remedy


def _field(profile: Profile) -> Iterator[Complaint]:
    sensor = profile.sensor
    if sensor.operate_mt is not None and sensor.release_mt is not None and sensor.release_mt >= sensor.operate_mt:
        yield (
            "sensor.release_mt",
            f"a sensor that releases at {sensor.release_mt:g} mT cannot operate at {sensor.operate_mt:g}",
            "release_mt is the smaller of the two in the data sheet",
        )


_CHECKS: Final[tuple[Callable[[Profile], Iterator[Complaint]], ...]] = (
    _sensing,
    _turn,
    _power,
    _button_names,
    _pace,
    _inputs,
    _order,
    _places,
    _current,
    _field,
    _levels,
    _hosts,
    analogue_complaints,
)
