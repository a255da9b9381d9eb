"""What if the board were not as good as it looks: the faults that a page can switch on at a simulated board.

What is offered is the simulator's own table of faults, so that one which it learns appears by itself.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from controller.page.desk import RequestError
from hardware.ports import Sensing
from simulator.faults import KINDS, FaultError, Faults, Kind, Takes
from simulator.tabletop import Tabletop


def _wired(top: Tabletop) -> bool:
    return top.wired


def _feels(top: Tabletop) -> bool:
    return top.sensing is Sensing.COLOUR


def _sees(top: Tabletop) -> bool:
    return top.optical


NEEDS: Final[Mapping[str, Callable[[Tabletop], bool]]] = {
    **dict.fromkeys(("loss", "corrupt", "duplicate", "late"), _wired),
    **dict.fromkeys(("approach", "drift", "sag"), _feels),
    "shadow": _sees,
    "reset": _wired,
}
"""Which boards a fault or deed can befall, where that is not every one."""

DEEDS: Final[Mapping[str, tuple[str, str]]] = {
    "bump": ("Bump the table", "Many cells flicker for a tenth of a second."),
    "unplug": ("Pull the cable", "Nothing is heard of the cells."),
    "plug": ("Plug it in again", "The cells are heard again."),
    "reset": ("Reset the micro-controller", "It starts anew, and all it knew has to be told again."),
}
"""What happens in a moment: methods of a table top, each with its label and what it does."""


def offered(top: Tabletop) -> list[dict[str, Any]]:
    """Return what can be asked for: ``fault``, ``label``, ``help``, ``takes`` (switch, cell or once) and ``on``."""
    whole = Faults()
    return [
        *(
            {
                "fault": kind.name,
                "label": kind.label,
                "help": kind.help,
                "takes": "cell" if kind.takes is Takes.CELLS else "switch",
                "on": getattr(top.faults, kind.name) != getattr(whole, kind.name),
            }
            for kind in _kinds(top)
        ),
        *(
            {"fault": name, "label": label, "help": words, "takes": "once", "on": False}
            for name, (label, words) in DEEDS.items()
            if _may_befall(top, name)
        ),
    ]


def ask(top: Tabletop, name: str, cell: str) -> None:
    """Switch a fault on, or off where it is on; or do what happens in a moment.

    Args:
        top: the board.
        name: which of those that are `offered`.
        cell: for a fault of one cell, its name; else empty.

    Raises:
        RequestError: it is not offered, or it needs a cell and has none, or this board has no such part.
    """
    if name in DEEDS and _may_befall(top, name):
        getattr(top, name)()
        return
    kind = next((kind for kind in _kinds(top) if kind.name == name), None)
    if kind is None:
        raise RequestError(f"this board knows no fault {name!r}")
    whole = getattr(Faults(), name)
    if getattr(top.faults, name) != whole:
        top.faults = replace(top.faults, **{name: whole})
        return
    value = kind.usual or cell
    if not value:
        raise RequestError(f"{kind.label}: which one? Point at a cell")
    try:
        top.fail([f"{name}={value}"])
    except FaultError as error:
        raise RequestError(str(error)) from error


def _kinds(top: Tabletop) -> list[Kind]:
    return [kind for kind in KINDS if _may_befall(top, kind.name)]


def _may_befall(top: Tabletop, name: str) -> bool:
    return name not in NEEDS or NEEDS[name](top)
