"""What no single key of a profile can tell: whether the sections fit each other and the header. Pure."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from hardware.header import BUSES, HEADER, Claim, bus_claims, disputes, pin_name
from hardware.pixels import ORDERS
from hardware.profile_model import BUTTONS, Profile, cell_places, track_places
from hardware.words import near_miss
from hardware.ws2812 import TRANSFER_BYTES, transfer_bytes

Complaint: TypeAlias = tuple[str, str, str]
"""A key's path, what is wrong, what to do."""

SEEN_WITHIN_MS: Final = 60
"""A state that lasts so long must be seen."""
SPI_PIN: Final = 10
NEOPIXEL_PINS: Final = (10, 12, 13, 18, 19, 21)
"""Pins on which a Raspberry Pi can make pixel data: SPI, PWM or PCM (rpi_ws281x, "GPIO usage")."""


def pin_complaints(raw: Mapping[str, Any]) -> Iterator[Complaint]:
    """Yield what the ledger of header pins refuses, from a profile as it was read, whatever else is wrong with it."""
    yield from disputes(_claims(raw))
    lamps = _table(raw, "lamps")
    pin = lamps.get("pin", SPI_PIN)
    driver = lamps.get("driver", "spi")
    if not _is_gpio(pin) or pin not in HEADER:
        return
    if driver == "spi" and pin != SPI_PIN:
        yield (
            "lamps.pin",
            f"the driver spi sends on {pin_name(SPI_PIN)}, never on GPIO {pin}",
            "wire the pixels there and leave 'pin' out, or use driver = \"neopixel\"",
        )
    if driver == "neopixel" and pin not in NEOPIXEL_PINS:
        pins = ", ".join(map(str, NEOPIXEL_PINS))
        yield "lamps.pin", f"{pin_name(pin)} cannot make pixel data", f"use one of GPIO {pins}; 10 needs no root"


def _claims(raw: Mapping[str, Any]) -> list[Claim]:
    """Return what the keys of a profile claim; values that are no numbers are somebody else's fault."""
    claims: list[Claim] = []
    reserve = _table(raw, "reserve")
    for k, bus in enumerate(_list(reserve, "buses")):
        if isinstance(bus, str) and bus in BUSES:
            claims += bus_claims(f"reserve.buses[{k}]", bus)
    lamps = _table(raw, "lamps")
    if lamps:
        pin = lamps.get("pin", SPI_PIN)
        if lamps.get("driver", "spi") == "spi":
            claims += bus_claims("lamps.driver", "spi0")
        elif pin == SPI_PIN:
            claims += bus_claims("lamps.pin", "spi0")
        elif _is_gpio(pin):
            claims.append(Claim("lamps.pin", pin))
    cells = _table(raw, "cells")
    for name in ("rows", "columns"):
        claims += [
            Claim(f"cells.{name}[{k}]", pin, floats=name == "rows")
            for k, pin in enumerate(_list(cells, name))
            if _is_gpio(pin)
        ]
    claims += [Claim(f"buttons.{name}", pin) for name, pin in _table(raw, "buttons").items() if _is_gpio(pin)]
    claims += [Claim(f"reserve.pins[{k}]", pin) for k, pin in enumerate(_list(reserve, "pins")) if _is_gpio(pin)]
    return claims


def _table(raw: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = raw.get(key)
    return value if isinstance(value, dict) else {}


def _list(raw: Mapping[str, Any], key: str) -> list[Any]:
    value = raw.get(key)
    return value if isinstance(value, list) else []


def _is_gpio(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def fit_complaints(profile: Profile) -> Iterator[Complaint]:
    """Yield where the sections of a profile do not fit each other."""
    for check in _CHECKS:
        yield from check(profile)


def _sensing(profile: Profile) -> Iterator[Complaint]:
    if profile.cells.sensing != "presence":
        yield (
            "cells.sensing",
            f"a matrix of contacts cannot tell {profile.cells.sensing}",
            'use sensing = "presence", or another driver',
        )


def _button_names(profile: Profile) -> Iterator[Complaint]:
    for name in profile.buttons:
        if name not in BUTTONS:
            yield f"buttons.{name}", "no button has this name", near_miss(name, BUTTONS)


def _pace(profile: Profile) -> Iterator[Complaint]:
    pace = profile.pace()
    agreeing = max((pace.samples - 1) * pace.busy_ms, -(-pace.agree_ms // pace.busy_ms) * pace.busy_ms)
    if pace.quiet_ms + agreeing >= SEEN_WITHIN_MS:
        yield (
            "cells.scan_ms",
            f"a change is agreed up to {pace.quiet_ms + agreeing} ms after it; it must be within {SEEN_WITHIN_MS}",
            "lower scan_ms, busy_scan_ms, agree_samples or agree_ms",
        )


def _crossings(profile: Profile) -> Iterator[Complaint]:
    cells, names = profile.cells, profile.cell_names()
    crossings = len(cells.rows) * len(cells.columns)
    if crossings < len(names):
        yield (
            "cells.columns",
            f"{len(cells.rows)} rows and {len(cells.columns)} columns cross {crossings} times, for {len(names)} cells",
            "add pins to rows or columns, or lower files or ranks",
        )
        return
    yield from _unknown_cells("cells.exceptions", cells.exceptions, names)
    by_place: dict[tuple[int, int], str] = {}
    for name, (row, column) in zip(names, profile.crossings(), strict=True):
        key = f"cells.exceptions.{name}"
        if not (0 <= row < len(cells.rows) and 0 <= column < len(cells.columns)):
            yield (
                key,
                f"there is no crossing of row {row + 1} and column {column + 1}",
                f"count from 1: rows to {len(cells.rows)}, columns to {len(cells.columns)}",
            )
        elif (other := by_place.setdefault((row, column), name)) != name:
            blamed = name if name in cells.exceptions else other
            yield (
                f"cells.exceptions.{blamed}",
                f"{other} and {name} are both at row {row + 1}, column {column + 1}",
                "give each cell a crossing of its own; list every cell that is not where the rule puts it",
            )


def _unknown_cells(key: str, given: Mapping[str, Any], names: tuple[str, ...]) -> Iterator[Complaint]:
    for name in given:
        if name not in names:
            yield f"{key}.{name}", "this board has no such cell", near_miss(name, names)


def _places(profile: Profile) -> Iterator[Complaint]:
    lamps, names = profile.lamps, profile.cell_names()
    yield from _unknown_cells("lamps.wiring.exceptions", lamps.wiring.exceptions, names)
    owners: dict[int, str] = {}
    pixels = [(name, _place_key(profile, name), place) for name, place in zip(names, cell_places(profile), strict=True)]
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
    elif lamps.driver == "spi" and transfer_bytes(lamps.count, len(lamps.order)) > TRANSFER_BYTES:
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
    if lamps.supply_ma is not None and lamps.budget_ma > lamps.supply_ma:
        yield (
            "lamps.budget_ma",
            f"{lamps.budget_ma:g} mA is more than supply_ma, {lamps.supply_ma:g}",
            f"lower it to {lamps.supply_ma:g} or less",
        )


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
    _button_names,
    _pace,
    _crossings,
    _order,
    _places,
    _current,
    _field,
)
