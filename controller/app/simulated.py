"""Rigs on the simulator, at each depth of the stand-in."""

import enum
import os
from typing import Any, Final

from controller.app.rig import Rig
from controller.games.seam import AnyRules, pieces
from controller.table.core import Deal, Table
from controller.table.view import BUTTONS
from hardware.ports import DeviceError, Sensing
from simulator.doubt import DoubtedSource
from simulator.memory import MemoryLamps, MemorySource
from simulator.tabletop import Tabletop

TRACK: Final = 24
"""Pixels of the score ring that every reference board has."""
SEATS: Final = tuple(str(seat) for seat in range(1, 7))
"""The seat buttons of a simulated board."""


COLOUR_BOARDS: Final = frozenset({"bamogo"})
"""The games that have a reference board whose sensors tell colours."""


class Via(enum.Enum):
    """How deep the stand-in reaches. The values are the words of scripts."""

    MEMORY = "memory"
    """Cell changes straight to the controller."""
    PINS = "pins"
    """Through the drivers for a Pi, on simulated pins, and the real NeoPixel class."""
    WIRE = "wire"
    """Through pyserial, a pseudo-terminal and the bytes of the wire, with the firmware's modules at the other end."""


class Firmware(enum.Enum):
    """What runs the firmware's modules at the other end of a wire. The values are the words of the option."""

    CPYTHON = "cpython"
    """This very process."""
    MICROPYTHON = "micropython"
    """MicroPython in a process of its own, with the memory of a small micro-controller."""


class CombinationError(ValueError):
    """A sensing kind and a depth that do not go together, or not with this game; says what does."""


def sensing_of(rules: AnyRules, word: str, via: Via) -> Sensing:
    """Return the sensing kind of that name, where this game can be played by it at this depth.

    Raises:
        CombinationError: it cannot.
    """
    kinds = [Sensing.PRESENCE, Sensing.COLOUR if rules.stones else Sensing.COUNT]
    if via is Via.PINS:
        kinds = [Sensing.PRESENCE, *((Sensing.COLOUR,) if rules.name in COLOUR_BOARDS else ())]
    for kind in kinds:
        if kind.value == word:
            return kind
    allowed = " or ".join(kind.value for kind in kinds)
    raise CombinationError(
        f"{rules.name} cannot be played with sense={word} (via {via.value}); it can with sense={allowed}"
    )


def simulated_rig(
    deal: Deal,
    sensing: Sensing,
    via: Via,
    *,
    seed: int = 0,
    position: Any = None,
    bare: bool = False,
    firmware: Firmware = Firmware.CPYTHON,
) -> Rig:
    """Return a rig on a simulated board that shows `position` (the start unless given), or nothing where `bare`.

    Args:
        deal: gives the rules of each round.
        sensing: what the cells can tell.
        via: how deep the stand-in reaches.
        seed: for everything random about the board.
        position: where the first round stands.
        bare: whether the board is empty instead of showing the position.
        firmware: what runs the firmware of a board with a wire; others have none.

    Raises:
        CombinationError: there is no wire for that firmware, or nothing that runs it.
    """
    if firmware is not Firmware.CPYTHON and via is not Via.WIRE:
        raise CombinationError(f"there is no firmware via {via.value}: --firmware {firmware.value} needs via=wire")
    table = Table(deal, sensing, track=TRACK, position=position)
    rules = table.rules
    names, places = [place.name for place in rules.cells], [(place.x, place.y) for place in rules.cells]
    top = Tabletop(names, sensing, seed, heaps=not rules.stones, places=places)
    if not bare:
        top.lay(rules.contents(table.position), pieces(rules, table.position))
    if via is Via.MEMORY:
        source = MemorySource(top)
        return Rig(table, source, MemoryLamps(len(top.names) + TRACK), top)
    if via is Via.WIRE:
        return _wire_rig(table, top, seed, firmware)
    return _pins_rig(table, top, seed)


def settle_libraries() -> None:
    """Tell the pin libraries where they are, before any of them is imported; what the user has set stays.

    Under the simulator Blinka must not look for the pins of this computer, nor offer to install packages.
    """
    for name, value in (("BLINKA_OS_AGNOSTIC", "1"), ("BLINKA_SKIP_DEPENDENCY_CHECK", "1")):
        os.environ.setdefault(name, value)


def _wire_rig(table: Table, top: Tabletop, seed: int, firmware: Firmware) -> Rig:
    from controller.app.wire import wire_rig  # a pseudo-terminal is no thing of every system

    try:
        return wire_rig(table, top, (*BUTTONS, *SEATS), seed=seed, micropython=firmware is Firmware.MICROPYTHON)
    except DeviceError as error:
        raise CombinationError(str(error)) from error


def _pins_rig(table: Table, top: Tabletop, seed: int) -> Rig:
    settle_libraries()
    from controller.app.pins import pins_rig  # gpiozero and Blinka load only where pins are wanted

    rig = pins_rig(table, top, (*BUTTONS, *SEATS), seed=seed)
    rig.source = DoubtedSource(rig.source, top)
    return rig
