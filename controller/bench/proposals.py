"""What is proposed for keys that were not asked about yet: it follows from what was, and gives way to it. Pure.

All functions change the profile that they are given, as tables, and only keys that are still `open_keys`: not answered.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final

from hardware.adc import CHIP_CHANNELS
from hardware.header import PICO_ADCS, Claim, disputes
from hardware.layouts import PIT_RANKS
from hardware.multiplexers import CHANNELS
from hardware.profile_pins import NEOPIXEL_PINS, SPI_PIN, Complaint, claims, header_of

SIZES: Final = ("cells.files", "cells.ranks", "cells.radius")
"""The keys that say how many cells there are."""
PIN_KEYS: Final = (
    *("cells.rows", "cells.columns", "cells.load", "cells.clock", "cells.data", "cells.selects", "cells.adcs"),
    *("cells.emitter", "lamps.pin"),
)
"""The keys that name pins, but for those of buttons."""
REGISTER_INPUTS: Final = 8
"""Of one 74HC165 (Texas Instruments SCLS116)."""

Raw = dict[str, Any]


def get(raw: Mapping[str, Any], key: str) -> Any:
    """Return what is at the path of a key; None where there is nothing."""
    value: Any = raw
    for part in key.split("."):
        if not isinstance(value, dict) or part not in value:
            return None
        value = value[part]
    return value


def put(raw: Raw, key: str, value: Any) -> None:
    """Put a value at the path of a key."""
    *parts, last = key.split(".")
    for part in parts:
        raw = raw.setdefault(part, {})
    raw[last] = value


def drop(raw: Raw, key: str) -> None:
    """Take away what is at the path of a key."""
    *parts, last = key.split(".")
    for part in parts:
        raw = raw.get(part, {})
    raw.pop(last, None)


def within(path: str, key: str) -> bool:
    """Return whether a path leads to a key, or into it."""
    rest = path.removeprefix(key)
    return path.startswith(key) and (not rest or rest[0] in "[.")


def cell_count(cells: Mapping[str, Any]) -> int:
    """Return how many cells a layout has, whatever else is wrong with it."""
    layout = cells.get("layout", "grid")
    if layout == "hexagon":
        return int(3 * cells["radius"] * (cells["radius"] + 1) + 1)
    return int(cells["files"] * (len(PIT_RANKS) if layout == "pits" else cells["ranks"]))


def numbered(raw: Raw, names: Iterable[str]) -> dict[str, int]:
    """Return the buttons of those names on the inputs that come after those of the cells."""
    cells = cell_count(raw["cells"])
    return {name: cells + number for number, name in enumerate(dict.fromkeys(names))}


def without_buttons(raw: Raw, names: Collection[str]) -> None:
    """Leave buttons out of a board, wherever they hang."""
    for section in (raw.get("buttons", {}), raw["cells"].get("buttons", {})):
        for name in names:
            section.pop(name, None)
    if raw["cells"].get("buttons"):
        raw["cells"]["buttons"] = numbered(raw, raw["cells"]["buttons"])


def follow(raw: Raw, key: str, open_keys: Collection[str]) -> tuple[str, ...]:
    """Let what depends on a key that has changed follow it.

    Returns:
        Keys that may have been answered, and have to be asked about again.
    """
    if key in SIZES and (buttons := raw["cells"].get("buttons")):
        raw["cells"]["buttons"] = numbered(raw, buttons)
    if key == "cells.diodes" and not raw["cells"]["diodes"]:
        _free_the_matrix(raw)
    if key == "lamps.driver":
        _follow_driver(raw)
    if key in (*SIZES, "cells.buttons", "cells.diodes"):
        _follow_needs(raw, open_keys)
    if key == "cells.rows" and "cells.columns" in open_keys:
        _resize(raw, "cells.columns", _columns(raw, len(raw["cells"]["rows"])))
    if key not in (*SIZES, "lamps.track.count"):
        return ()
    cells, track = cell_count(raw["cells"]), raw["lamps"].get("track")
    if track is not None:
        track["first"] = cells
    raw["lamps"]["count"] = cells + (track["count"] if track is not None else 0)
    return ("lamps.count",)


def _free_the_matrix(raw: Raw) -> None:
    """Give the buttons of a matrix pins of their own: without diodes stones would press them."""
    for name in raw["cells"].pop("buttons", {}):
        if free := _free(raw, f"buttons.{name}"):
            raw.setdefault("buttons", {})[name] = free[0]


def _follow_driver(raw: Raw) -> None:
    lamps = raw["lamps"]
    if lamps["driver"] == "spi" and "pin" in lamps:
        lamps["pin"] = SPI_PIN
    elif "pin" not in lamps and (free := _free(raw, "lamps.pin")):
        lamps["pin"] = free[0]


def _follow_needs(raw: Raw, open_keys: Collection[str]) -> None:
    """Propose as many of everything as cells, and buttons among them, need."""
    needed = _needed(raw)
    if "cells.registers" in open_keys:
        raw["cells"]["registers"] = -(-needed // REGISTER_INPUTS)
    if "adc.chips" in open_keys:
        raw["adc"]["chips"] = -(-needed // CHIP_CHANNELS)
    if "cells.adcs" in open_keys:
        _resize(raw, "cells.adcs", -(-needed // CHANNELS))
    if "cells.rows" in open_keys and "cells.columns" in open_keys:
        rows, columns = _shape(raw)
        raw["cells"]["columns"] = raw["cells"]["columns"][:columns]  # so that the rows may have the pins of the others
        _resize(raw, "cells.rows", rows)
        _resize(raw, "cells.columns", columns)
    elif "cells.columns" in open_keys:
        _resize(raw, "cells.columns", _columns(raw, len(raw["cells"]["rows"])))


def _needed(raw: Raw) -> int:
    return cell_count(raw["cells"]) + len(raw["cells"].get("buttons", {}))


def _is_plain(raw: Raw) -> bool:
    """Return whether rows and columns of a matrix are ranks and files of the board."""
    return raw["cells"].get("layout", "grid") in ("grid", "tiles") and not raw["cells"].get("buttons")


def _shape(raw: Raw) -> tuple[int, int]:
    """Return how many rows and columns to propose: as few pins as will do, and among these as few crossings."""
    if _is_plain(raw):
        return raw["cells"]["ranks"], raw["cells"]["files"]
    needed = _needed(raw)
    shapes = ((rows, -(-needed // rows)) for rows in range(1, needed + 1))
    return min(shapes, key=lambda shape: (sum(shape), shape[0] * shape[1], shape[0] < shape[1]))


def _columns(raw: Raw, rows: int) -> int:
    """Return how many columns to propose for so many rows."""
    if _is_plain(raw) and rows == raw["cells"]["ranks"]:
        return int(raw["cells"]["files"])
    return -(-_needed(raw) // max(rows, 1))


def _resize(raw: Raw, key: str, count: int) -> None:
    """Propose so many pins: those that are proposed already, and then free ones; fewer where there are no more."""
    kept = get(raw, key)[:count]
    put(raw, key, kept)
    free = sorted(_free(raw, key), key=lambda pin: pin < max(kept, default=0))  # those that come next before others
    put(raw, key, [*kept, *free[: count - len(kept)]])


def give_way(raw: Raw, open_keys: Collection[str]) -> None:
    """Propose other pins for what is still open, where its pins were given to something else meanwhile."""
    firm = {claim.gpio for claim in claims(raw) if not _is_open(claim, open_keys)}
    lamps, header = raw["lamps"], header_of(raw)
    if "lamps.driver" in open_keys and lamps.get("driver", "spi") == "spi" and firm & set(header.buses.get("spi0", ())):
        free = [pin for pin in _free(raw, "lamps.pin") if pin != SPI_PIN]
        if free:
            lamps.update(driver="neopixel", pin=free[0])
    for key in open_keys:
        if (key in PIN_KEYS and not _are_channels(raw, key)) or key.startswith("buttons."):
            _move(raw, key, firm)


def _move(raw: Raw, key: str, firm: Collection[int]) -> None:
    """Propose free pins in the place of those that are taken; where there are none, all stays as it is."""
    value = get(raw, key)
    free = iter(_free(raw, key))
    if isinstance(value, list):
        put(raw, key, [next(free, pin) if pin in firm else pin for pin in value])
    elif value in firm and value is not None:
        put(raw, key, next(free, value))


def _are_channels(raw: Raw, key: str) -> bool:
    """Return whether a key names channels of a converter instead of pins."""
    return key == "cells.adcs" and bool(header_of(raw).buses)


def _is_open(claim: Claim, open_keys: Collection[str]) -> bool:
    return any(within(claim.key, key) for key in open_keys)


def _free(raw: Raw, key: str) -> list[int]:
    """Return what can be proposed for a key: pins that nothing takes, and that can do what is wanted of them."""
    header = header_of(raw)
    if _are_channels(raw, key):
        return [channel for channel in range(CHIP_CHANNELS) if channel not in get(raw, key)]
    fit: Mapping[str, Callable[[int], bool]] = {
        "cells.rows": lambda pin: pin not in header.pulled_up,
        "cells.adcs": lambda pin: pin in PICO_ADCS,
        "lamps.pin": lambda pin: pin in NEOPIXEL_PINS or not header.buses,
    }
    taken = {claim.gpio for claim in claims(raw)}
    return [pin for pin in header.preferred if pin not in taken and (key not in fit or fit[key](pin))]


def dispute(raw: Raw, key: str, open_keys: Collection[str]) -> Complaint | None:
    """Return why a key cannot have its pins, which others have that are not open; the key is the one that is blamed."""
    firm, mine, later = [], [], []
    for claim in claims(raw):
        if within(claim.key, key):
            mine.append(claim)
        elif not _is_open(claim, open_keys):
            firm.append(claim)
        elif not claim.bus:
            later.append(claim)  # not judged, but nothing to propose either
    complaints = disputes([*firm, *mine, *later], header_of(raw))
    return next((complaint for complaint in complaints if within(complaint[0], key)), None)
