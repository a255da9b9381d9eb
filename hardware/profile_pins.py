"""Who takes which pin in a profile: the claims of its keys, for the ledger of header pins. Pure.

Works on a profile as it was read, whatever else is wrong with it, so that all faults are told at once. Keys whose value
is not known, since it is wrong or their name is misspelt, are told by their paths as `doubtful`: what would follow only
from a guess of theirs is left out.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final, TypeAlias

from hardware.header import HEADERS, Claim, Header, bus_claims, disputes

Complaint: TypeAlias = tuple[str, str, str]
"""A key's path, what is wrong, what to do."""

SPI_PIN: Final = 10
NEOPIXEL_PINS: Final = (10, 12, 13, 18, 19, 21)
"""Pins on which a Raspberry Pi can make pixel data: SPI, PWM or PCM (rpi_ws281x, "GPIO usage")."""
SENSOR_BUSES: Final = {"chain": "spi1-1cs", "mux": "spi1"}
"""The bus on a Pi that reads a chain of registers, or the converter behind multiplexers; SPI0 has the pixels."""


def pin_complaints(raw: Mapping[str, Any], doubtful: Collection[str] = ()) -> Iterator[Complaint]:
    """Yield what the ledger of header pins refuses; nothing where it is not known whose header it is."""
    if "host" in doubtful:
        return
    header = header_of(raw)
    yield from disputes(claims(raw, doubtful), header)
    lamps = _table(raw, "lamps")
    pin, driver = _pixels_by(lamps, doubtful)
    if header is not HEADERS["pi"]:
        for k, bus in enumerate(_list(_table(raw, "reserve"), "buses")):
            yield f"reserve.buses[{k}]", f"on a Pico {bus} has no pins of its own", "name its pins in reserve.pins"
        if driver == "spi" and lamps:
            yield "lamps.driver", "a Pico makes pixel data by itself", 'use driver = "neopixel" and name the pin'
        return
    if not _is_gpio(pin) or pin not in header.pins:
        return
    if driver == "spi" and pin != SPI_PIN:
        yield (
            "lamps.pin",
            f"the driver spi sends on {header.name(SPI_PIN)}, never on GPIO {pin}",
            "wire the pixels there and leave 'pin' out, or use driver = \"neopixel\"",
        )
    if driver == "neopixel" and pin not in NEOPIXEL_PINS:
        pins = ", ".join(map(str, NEOPIXEL_PINS))
        yield "lamps.pin", f"{header.name(pin)} cannot make pixel data", f"use one of GPIO {pins}; 10 needs no root"


def header_of(raw: Mapping[str, Any]) -> Header:
    """Return the header of the computer that the board is wired to."""
    host = raw.get("host", "pi")
    return HEADERS.get(host if isinstance(host, str) else "pi", HEADERS["pi"])


def _pixels_by(lamps: Mapping[str, Any], doubtful: Collection[str] = ()) -> tuple[Any, Any]:
    """Return the pin of the pixels and their driver; None for what is not known."""
    pin = None if "lamps.pin" in doubtful else lamps.get("pin", SPI_PIN)
    driver = None if "lamps.driver" in doubtful else lamps.get("driver", "spi")
    return pin, driver


def claims(raw: Mapping[str, Any], doubtful: Collection[str] = ()) -> list[Claim]:
    """Return what the keys of a profile claim; values that are no numbers are somebody else's fault."""
    found: list[Claim] = []
    header = header_of(raw)
    reserve = _table(raw, "reserve")
    for k, bus in enumerate(_list(reserve, "buses")):
        if isinstance(bus, str) and bus in header.buses:  # another is a fault of its own
            found += bus_claims(f"reserve.buses[{k}]", bus)
    found += _lamp_claims(_table(raw, "lamps"), header, doubtful)
    found += _cell_claims(_table(raw, "cells"), header)
    found += _converter_claims(raw, header, doubtful)
    found += [Claim(f"buttons.{name}", pin) for name, pin in _table(raw, "buttons").items() if _is_gpio(pin)]
    found += [Claim(f"reserve.pins[{k}]", pin) for k, pin in enumerate(_list(reserve, "pins")) if _is_gpio(pin)]
    return found


def _lamp_claims(lamps: Mapping[str, Any], header: Header, doubtful: Collection[str]) -> list[Claim]:
    if not lamps:
        return []
    pin, driver = _pixels_by(lamps, doubtful)
    if "spi0" in header.buses:
        if driver == "spi":
            return bus_claims("lamps.driver", "spi0")
        if pin == SPI_PIN:
            return bus_claims("lamps.pin", "spi0")
    elif driver == "spi" and "pin" not in lamps:
        return []  # that driver is a fault of its own, and so nobody has chosen this pin
    return [Claim("lamps.pin", pin)] if _is_gpio(pin) else []


def _converter_claims(raw: Mapping[str, Any], header: Header, doubtful: Collection[str]) -> list[Claim]:
    """Return the pins of the chips of ``[adc]``, and of the gate that keeps what they are sent from the pixels."""
    adc, lamps = _table(raw, "adc"), _table(raw, "lamps")
    found = [Claim("lamps.gate", lamps["gate"])] if _is_gpio(lamps.get("gate")) else []
    if not adc or "adc.bus" in doubtful or _table(raw, "cells").get("driver") != "mcp3008":
        return found  # chips that no driver reads are a fault of their own
    bus = adc.get("bus", "spi1")
    if bus == "spi1":
        one = adc.get("chips") == 1 or "adc.chips" in doubtful
        found += bus_claims("adc.bus", "spi1-1cs" if one else "spi1") if header.buses else []
    elif bus == "spi0":
        # The pixels may own the bus already; whether they can share it is no matter of pins.
        if header.buses and not any(claim.bus == "spi0" for claim in _lamp_claims(lamps, header, doubtful)):
            found += bus_claims("adc.bus", "spi0")
    else:
        found += [Claim(f"adc.{name}", adc[name]) for name in ("clock", "mosi", "miso") if _is_gpio(adc.get(name))]
        found += [Claim(f"adc.selects[{k}]", pin) for k, pin in enumerate(_list(adc, "selects")) if _is_gpio(pin)]
    return found


def _cell_claims(cells: Mapping[str, Any], header: Header) -> list[Claim]:
    found: list[Claim] = []
    driver = cells.get("driver")
    bus = SENSOR_BUSES.get(str(driver), "")
    if bus in header.buses:
        found += bus_claims("cells.driver", bus)
    singles = {"chain": ("load", "clock", "data"), "mux": ("emitter",)}.get(str(driver), ())
    found += [Claim(f"cells.{name}", cells[name]) for name in singles if _is_gpio(cells.get(name))]
    lists = {"matrix": ("rows", "columns"), "mux": ("selects", "adcs")}.get(str(driver), ("rows", "columns"))
    for name in lists:
        if name == "adcs" and bus in header.buses:
            continue  # channels of the converter, no pins
        found += [
            Claim(f"cells.{name}[{k}]", pin, floats=name == "rows", measures=name == "adcs")
            for k, pin in enumerate(_list(cells, name))
            if _is_gpio(pin)
        ]
    return found


def _table(raw: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = raw.get(key)
    return value if isinstance(value, dict) else {}


def _list(raw: Mapping[str, Any], key: str) -> list[Any]:
    value = raw.get(key)
    return value if isinstance(value, list) else []


def _is_gpio(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
