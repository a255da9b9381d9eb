"""What if the board were not as good as it looks: the faults that a page can switch on at a simulated board.

The page shows what is offered here, so that a fault which the simulator learns needs one line in `FAULTS` and no more.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from controller.page.desk import RequestError
from simulator.faults import FaultError, Faults, parse_faults
from simulator.tabletop import Tabletop


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of the contacts, by the name that a script's ``faults`` step has for it.

    Fields:
        name: a field of `simulator.faults.Faults`.
        value: what it is switched on with; empty for a fault of one cell, which the person points at.
        label: what the switch says.
        help: what is then the matter, in one sentence.
    """

    name: str
    value: str
    label: str
    help: str


FAULTS: Final = (
    Fault("bounce", "4", "Contacts bounce", "Each cell flickers for some milliseconds whenever it changes."),
    Fault("jitter", "60", "Halves come apart", "What happens in one moment arrives up to 60 milliseconds apart."),
    Fault("stuck", "", "A cell is stuck", "The cell keeps telling what it told last, whatever lies on it."),
    Fault("dead", "", "A cell is dead", "The cell reads empty, whatever lies on it."),
    Fault("ghost", "yes", "Ghosts", "Three full corners of a rectangle of cells make the fourth look full."),
)
"""What can be wrong for a while. Shown is what the simulator knows."""

DEEDS: Final = (
    Fault("bump", "", "Bump the table", "Many cells flicker for a tenth of a second."),
    Fault("unplug", "", "Pull the cable", "The board falls silent."),
    Fault("plug", "", "Plug it in", "The board is heard again."),
)
"""What happens in a moment. Shown is what the simulator's table top can do, by a method of that name."""


def offered(top: Tabletop) -> list[dict[str, Any]]:
    """Return what can be asked for: ``fault``, ``label``, ``help``, ``takes`` (switch, cell or once) and ``on``."""
    before = _without()
    return [
        *(
            _entry(fault, "switch" if fault.value else "cell", on=getattr(top.faults, fault.name) != before[fault.name])
            for fault in FAULTS
            if fault.name in before
        ),
        *(_entry(deed, "once", on=False) for deed in DEEDS if _deed(top, deed.name)),
    ]


def ask(top: Tabletop, name: str, cell: str) -> None:
    """Switch a fault on, or off where it is on; or do what happens in a moment.

    Args:
        top: the board.
        name: which of those that are `offered`.
        cell: for a fault of one cell, its name; else empty.

    Raises:
        RequestError: it is not offered, or it needs a cell and has none.
    """
    entry = next((entry for entry in offered(top) if entry["fault"] == name), None)
    if entry is None:
        raise RequestError(f"this board knows no fault {name!r}")
    if entry["takes"] == "once":
        deed = _deed(top, name)
        assert deed is not None, "only what can be done is offered"
        deed()
        return
    if entry["on"]:
        top.faults = replace(top.faults, **{name: _without()[name]})
        return
    value = next(fault.value for fault in FAULTS if fault.name == name) or cell
    if not value:
        raise RequestError(f"{entry['label']}: which one? Point at a cell")
    try:
        top.faults = parse_faults([f"{name}={value}"], top.faults)
    except FaultError as error:
        raise RequestError(str(error)) from error


def _without() -> dict[str, Any]:
    """Return each fault as it is on a board without any, by name."""
    whole = Faults()
    return {entry.name: getattr(whole, entry.name) for entry in fields(whole)}


def _entry(fault: Fault, takes: str, *, on: bool) -> dict[str, Any]:
    return {"fault": fault.name, "label": fault.label, "help": fault.help, "takes": takes, "on": on}


def _deed(top: Tabletop, name: str) -> Callable[[], None] | None:
    found: Callable[[], None] | None = getattr(top, name, None)
    return found
