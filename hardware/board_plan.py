"""``board.json``: what the firmware must know of a board, from its profile. The keys: firmware/lib/plan.py."""

import json
from binascii import crc32
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from hardware.pits import HYSTERESIS
from hardware.ports import DeviceError
from hardware.profile_model import Profile

Plan: TypeAlias = dict[str, Any]

ADC_UNITS: Final = 64
"""The Pico's converter, as CircuitPython gives it, has 16 bits; profiles count in 1023rds."""
MUX_CHANNELS: Final = 16
"""Inputs of one multiplexer (CD74HC4067)."""
_NO_WIRING: Final = frozenset({"board", "wiring", "scan_ms", "busy_ms", "samples", "agree_ms", "steady_ms"})
NOTHING: Final = -1
"""A contact that is wired to nothing."""


def board_plan(profile: Profile) -> Plan:
    """Return the contents of ``board.json`` for a checked profile.

    Raises:
        DeviceError: the board is not for a micro-controller, or has what the firmware does not do; says what to change.
    """
    if profile.host != "pico":
        raise DeviceError(
            f"the board {profile.name!r} is wired to a Raspberry Pi's own pins: there is no micro-controller to flash"
        )
    make = _DRIVERS.get(profile.cells.driver)
    if make is None:
        raise DeviceError(
            f"the board {profile.name!r} reads its cells by {profile.cells.driver}, which the firmware does not do: "
            f"use one of {', '.join(_DRIVERS)}"
        )
    pace, lamps = profile.pace(), profile.lamps
    plan: Plan = {
        "board": profile.name,
        "driver": profile.cells.driver,
        "cells": len(profile.cell_names()),
        "sensing": profile.sensing.value,
        "scan_ms": pace.quiet_ms,
        "busy_ms": pace.busy_ms,
        "samples": pace.samples,
        "settle_us": pace.settle_us,
        "buttons": [*profile.buttons, *profile.cells.buttons],
        "button_pins": [_pin(number) for number in profile.buttons.values()],
        "pixels": lamps.count,
        "channels": len(lamps.order),
        "red": lamps.order.index("R"),
        "pixel_pin": _pin(lamps.pin),
    }
    plan |= make(profile)
    return plan | {"wiring": wiring(plan)}


def wiring(plan: Plan) -> int:
    """Return 32 bits that tell what is wired to what, and how it is judged, from any other such plan; never 0.

    The name of the board, and what the controller tells the device anew in each session, make no difference.
    """
    told = {key: value for key, value in plan.items() if key not in _NO_WIRING}
    return crc32(json.dumps(told, sort_keys=True).encode()) or 1


def _pin(number: int) -> str:
    return f"GP{number}"


def _matrix(profile: Profile) -> Plan:
    cells = profile.cells
    if not cells.diodes:
        raise DeviceError(
            f"the board {profile.name!r} has no diodes, and its micro-controller cannot tell ghosts from stones: "
            "solder a diode to each contact and say diodes = true"
        )
    return {
        "rows": [_pin(number) for number in cells.rows],
        "columns": [_pin(number) for number in cells.columns],
        "places": _places(profile, len(cells.rows) * len(cells.columns)),
        "agree_ms": profile.pace().agree_ms,
    }


def _chain(profile: Profile) -> Plan:
    cells = profile.cells
    assert cells.load is not None
    assert cells.clock is not None
    assert cells.data is not None
    if not cells.closed_is_low:
        raise DeviceError(
            f"the board {profile.name!r} has contacts that pull up, and its micro-controller expects them to pull "
            "down: use sensors that pull to ground and say closed_is_low = true"
        )
    by_input = _places(profile, 8 * cells.registers)
    # The firmware counts bits as they are shifted, D7 of each register first; profiles count D0 to D7.
    shifted = [by_input[8 * (bit // 8) + 7 - bit % 8] for bit in range(len(by_input))]
    return {
        "load": _pin(cells.load),
        "clock": _pin(cells.clock),
        "data": _pin(cells.data),
        "registers": cells.registers,
        "places": shifted,
        "agree_ms": profile.pace().agree_ms,
    }


def _mux(profile: Profile) -> Plan:
    cells = profile.cells
    levels = profile.pit_levels()
    # Every pit is judged by how far it is from its own middle, so that one pair of bands serves all.
    between = int(ADC_UNITS * HYSTERESIS * min(seed - empty for empty, seed in levels))
    plan: Plan = {
        "selects": [_pin(number) for number in cells.selects],
        "adcs": [_pin(number) for number in cells.adcs],
        "places": _places(profile, MUX_CHANNELS * len(cells.adcs)),
        "rest": [ADC_UNITS * (empty + seed) // 2 for empty, seed in levels],
        "bands": [[-65535, -between - 1, 0], [between + 1, 65535, 1]],
        "steady_ms": profile.pace().agree_ms,
    }
    if cells.emitter is not None:
        plan["emitter"] = _pin(cells.emitter)
    return plan


def _places(profile: Profile, contacts: int) -> list[int]:
    """Return for each contact its cell; -2 and down for buttons, in the order of the plan; `NOTHING` for no use."""
    places = [NOTHING] * contacts
    for cell, number in enumerate(profile.inputs()):
        places[number] = cell
    for k, number in enumerate(profile.cells.buttons.values(), len(profile.buttons)):
        places[number] = -2 - k
    return places


_DRIVERS: Final[Mapping[str, Callable[[Profile], Plan]]] = {"matrix": _matrix, "chain": _chain, "mux": _mux}
