"""Boards of shift registers on simulated pins: reference boards, and boards of any size without a profile."""

from collections.abc import Sequence
from typing import Final

from hardware.hosting import Hosting
from hardware.opening import source_on
from hardware.ports import Source
from hardware.profile_model import Profile
from hardware.registers import Registers, open_spi
from hardware.scanner import Scanner
from hardware.shared import CellsFirst
from simulator.pins import PI_4B, StonelightFactory
from simulator.registers import SimulatedChain
from simulator.tabletop import Tabletop

LOAD_PIN: Final = 16
"""Where SH/LD is on a board without a profile."""


class HostedContacts:
    """The contacts of a board on which a game is hosted: a piece closes the first place of its cell.

    Args:
        top: what lies on the cells of the game.
        hosting: which places are which cells.
    """

    def __init__(self, top: Tabletop, hosting: Hosting) -> None:
        self._top = top
        self._cell_at = {group[0]: cell for cell, group in enumerate(hosting.groups)}

    def closed(self, cell: int) -> bool:
        """Return whether the contact of that place is closed."""
        hosted = self._cell_at.get(cell)
        return hosted is not None and self._top.closed(hosted)

    def pressed(self, button: str) -> bool:
        """Return whether the button of that name is held down."""
        return self._top.pressed(button)


def profile_source(profile: Profile, contacts: Tabletop | HostedContacts) -> Source:
    """Return the driver of a profile, a matrix or a chain, on simulated pins with these contacts."""
    factory = StonelightFactory(PI_4B)
    factory.wire(profile.wiring(), contacts)
    cells = profile.cells
    chain = None
    if cells.load is not None:
        chain = SimulatedChain(
            factory,
            cells.load,
            registers=cells.registers,
            inputs=profile.inputs(),
            buttons=cells.buttons,
            contacts=contacts,
            closed_is_low=cells.closed_is_low,
        )
    return source_on(profile, factory, wait=lambda _us: None, make_spi=None if chain is None else lambda: chain)


def wide_source(top: Tabletop, buttons: Sequence[str]) -> Source:
    """Return the driver of a chain without a profile: as many registers as the cells and then the buttons need."""
    cells = len(top.names)
    width = cells + len(buttons)
    registers = -(-width // 8)
    factory = StonelightFactory(PI_4B)
    chain = SimulatedChain(
        factory,
        LOAD_PIN,
        registers=registers,
        inputs=range(cells),
        buttons={name: cells + k for k, name in enumerate(buttons)},
        contacts=top,
    )
    reader = Registers(open_spi(lambda: chain), LOAD_PIN, registers, range(width), pin_factory=factory)
    split = CellsFirst(reader, cells, buttons)
    return Scanner(split, split.buttons)
