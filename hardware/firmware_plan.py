"""What the firmware will say to a ``board.json``: its own check, firmware/lib/plan.py, is run here."""

import json
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

from hardware.board_plan import Plan, wiring
from hardware.firmware_files import firmware_folder
from hardware.ports import DeviceError


def check_plan(plan: Plan) -> None:
    """See that the firmware takes a board; it knows no file but its own, so nothing of it becomes importable.

    Raises:
        DeviceError: it does not; says why.
    """
    spec = spec_from_file_location("firmware_plan", firmware_folder() / "lib" / "plan.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    try:
        module.check(plan)
    except ValueError as error:  # its PlanError
        raise DeviceError(str(error).removeprefix("board.json: ")) from error
    except (TypeError, LookupError, AttributeError) as error:  # on the board they end the program just the same
        raise DeviceError("a key has a value of the wrong kind") from error


def read_plan(data: bytes) -> Plan:
    """Return the board that ``board.json`` describes.

    Raises:
        DeviceError: the firmware cannot read it, or does not take it; says why.
    """
    try:
        plan: Any = json.loads(data.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise DeviceError(f"it is not JSON: {error}") from error
    if not isinstance(plan, dict):
        raise DeviceError("it has no keys")
    check_plan(plan)
    return plan


def is_made(data: bytes) -> bool:
    """Return whether this ``board.json`` was made from a profile and not by hand: its ``wiring`` is what it must be."""
    try:
        plan = read_plan(data)
    except DeviceError:
        return False
    return plan.get("wiring") == wiring(plan)


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is no number")
