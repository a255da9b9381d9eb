"""`StonelightFactory`: gpiozero pins with a simulated board under them.

The drivers in `hardware` run on these pins unmodified. The level of a line is worked out when it is read, from the
pins that drive and from the contacts that are closed at that moment, as a real matrix does it: with a diode at each
contact current runs from a column to a driven row only; without diodes it runs any way through closed contacts, and
three corners of a rectangle show the fourth.

Every factory is a board of its own, so several may live in one process as long as each driver is given its factory
(``pin_factory=``); only gpiozero's default, ``Device.pin_factory``, is one for the process. By name it is found as
``GPIOZERO_PIN_FACTORY=stonelight``; such a factory has nothing wired to it until `StonelightFactory.wire` is called.

A board on pins is put together so::

    factory = StonelightFactory()
    factory.wire(profile.wiring(), contacts)
    source = hardware.opening.scanner_on(profile.wiring(), profile.pace(), factory, wait=lambda us: None)

Lines make no edges: devices that wait for events (``when_pressed``) hear nothing from contacts. No pin remembers its
past, so a simulation may run for ever.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

from gpiozero.pins.mock import MockFactory, MockPin

from hardware.wiring import Wiring
from simulator.lines import square

PI_4B: Final = "c03111"
"""Revision code of the Pi that the factory pretends to be: a 4B, with the 40-pin header of all later models."""
MODULE_3: Final = "a020a0"
"""Revision code of a Compute Module 3, whose GPIO 0 to 45 are all led out: pins enough for the largest matrix."""


class Contacts(Protocol):
    """What the pins need to know of a simulated board."""

    def closed(self, cell: int) -> bool:
        """Return whether the contact of that cell, by its index, is closed at this moment.

        Raises:
            OSError: nothing answers, as when the board is unplugged; the driver then tells so and tries again.
        """

    def pressed(self, button: str) -> bool:
        """Return whether the button of that name is held down at this moment."""


class ShortCircuitError(RuntimeError):
    """Two pins drive one line opposite ways, which on a real Pi may destroy both. A fault of the driver."""


class SimulatedPin(MockPin):  # type: ignore[misc]  # gpiozero carries no types
    """A pin of a `StonelightFactory`."""

    _state: bool

    def __init__(self, factory: Any, info: Any) -> None:
        self._driven: dict[int, bool] = factory.driven
        self._hearers: dict[int, Callable[[bool | None], None]] = factory.hearers
        super().__init__(factory, info)

    def _set_function(self, value: str) -> None:
        super()._set_function(value)
        self._note()

    def _set_state(self, value: float) -> None:
        if self._function != "output" or not 0 <= value <= 1:
            super()._set_state(value)  # says what is wrong
        level = value > 0
        if level != self._state:
            self._state = level
            number = self._number
            self._driven[number] = level
            hearer = self._hearers.get(number)
            if hearer is not None:
                hearer(level)

    def _change_state(self, value: bool) -> bool:  # noqa: FBT001  # gpiozero calls it so
        """Change the level without the history that a mock pin keeps."""
        changed: bool = self._state != value
        if changed:
            self._state = value
            self._note()
        return changed

    def _note(self) -> None:
        """Take note of what the pin drives, and tell who hears it."""
        number = self._number
        level: bool | None = None
        if self._function == "output":
            self._driven[number] = level = self._state
        else:
            self._driven.pop(number, None)
        hearer = self._hearers.get(number)
        if hearer is not None:
            hearer(level)

    def _get_state(self) -> bool:
        if self._function == "output":
            return bool(self._state)
        level: bool | None = self.factory.level(self._number)
        return bool(self._state) if level is None else level


class StonelightFactory(MockFactory):  # type: ignore[misc]  # gpiozero carries no types
    """A gpiozero pin factory with a simulated board wired to its pins.

    Args:
        revision: the revision code of the Pi that it pretends to be, in hexadecimal.

    Attributes:
        driven: level by BCM number, of the pins that are outputs now.
        hearers: by BCM number, who is told each change of what a pin drives: its level, None when it lets go.
        talkers: by BCM number, who says what level a chip puts on the line of that pin; None: none.
    """

    def __init__(self, revision: str = PI_4B) -> None:
        super().__init__(revision, pin_class=SimulatedPin)
        self.driven: dict[int, bool] = {}
        self.hearers: dict[int, Callable[[bool | None], None]] = {}
        self.talkers: dict[int, Callable[[], bool | None]] = {}
        self._contacts: Contacts | None = None
        self._diodes = True
        self._buttons: dict[int, str] = {}
        self._cells: dict[tuple[int, int], int] = {}
        self._columns: frozenset[int] = frozenset()
        self._partners: dict[int, tuple[tuple[int, int], ...]] = {}
        self._keys: dict[int, str] = {}

    def wire(self, wiring: Wiring, contacts: Contacts) -> None:
        """Solder a board to the pins, in the place of what was wired before."""
        self._contacts = contacts
        self._diodes = wiring.diodes
        self._buttons = {pin: name for name, pin in wiring.buttons.items()}
        self._cells = {
            (wiring.rows[row], wiring.columns[column]): cell for cell, (row, column) in enumerate(wiring.crossings)
        }
        self._keys = {}
        for number, (name, (row, column)) in enumerate(wiring.keys.items(), start=len(wiring.crossings)):
            self._cells[wiring.rows[row], wiring.columns[column]] = number
            self._keys[number] = name
        self._columns = frozenset(column for _, column in self._cells)
        partners: dict[int, list[tuple[int, int]]] = {}
        for (row, column), cell in self._cells.items():
            partners.setdefault(row, []).append((column, cell))
            partners.setdefault(column, []).append((row, cell))
        self._partners = {pin: tuple(those) for pin, those in partners.items()}

    def reset(self) -> None:
        """Forget all pins and reservations; the wiring stays."""
        super().reset()
        self.driven.clear()

    def level(self, pin: int) -> bool | None:
        """Return what the board makes of that pin as an input: True high, False low, None where it drives nothing.

        Raises:
            ShortCircuitError: the closed contacts join pins that drive opposite ways.
        """
        talker = self.talkers.get(pin)
        if talker is not None:
            return talker()
        contacts = self._contacts
        if contacts is None:
            return None
        if pin in self._buttons:
            return False if contacts.pressed(self._buttons[pin]) else None
        if not self._diodes:
            return self._level_through_contacts(pin, contacts) if pin in self._partners else None
        if pin in self._columns:
            cells = self._cells
            for row, high in self.driven.items():
                if not high:
                    cell = cells.get((row, pin))
                    if cell is not None and self._closed(cell, contacts):
                        return False
        return None

    def _closed(self, number: int, contacts: Contacts) -> bool:
        """Return whether that contact of the matrix is closed: a cell's, or after these a button's."""
        name = self._keys.get(number)
        return contacts.closed(number) if name is None else contacts.pressed(name)

    def _level_through_contacts(self, pin: int, contacts: Contacts) -> bool | None:
        """Follow closed contacts from `pin` to every pin that they join to it; return what those drive."""
        joined = {pin}
        ahead = [pin]
        levels: dict[bool, int] = {}
        while ahead:
            for other, cell in self._partners[ahead.pop()]:
                if other not in joined and self._closed(cell, contacts):
                    joined.add(other)
                    ahead.append(other)
                    if other in self.driven:
                        levels[self.driven[other]] = other
        if len(levels) == 2:
            raise ShortCircuitError(f"GPIO {levels[True]} drives high a line that GPIO {levels[False]} drives low")
        return next(iter(levels), None)


def wide_wiring(cells: int, buttons: Sequence[str], *, diodes: bool = True) -> tuple[Wiring, str]:
    """Return a wiring for any number of cells that a simulated Pi can bear, and the revision of that Pi.

    It is as near to a square as can be; cells fill it row by row. No real header has so many pins.

    Args:
        cells: how many.
        buttons: their names.
        diodes: whether each contact has one.

    Raises:
        ValueError: so many cells and buttons need more than 46 pins.
    """
    crossings = square(cells)
    rows, columns = (1 + max(crossing[axis] for crossing in crossings) for axis in (0, 1))
    needed = rows + columns + len(buttons)
    if needed > 46:
        raise ValueError(
            f"{cells} cells and {len(buttons)} buttons need {needed} pins, and the largest simulated Pi has 46; "
            "simulate this board in memory or over the wire"
        )
    pins = iter(range(46))
    row_pins = [next(pins) for _ in range(rows)]
    column_pins = [next(pins) for _ in range(columns)]
    wiring = Wiring(
        row_pins,
        column_pins,
        crossings,
        {name: next(pins) for name in buttons},
        diodes=diodes,
    )
    return wiring, MODULE_3


def used_pins(factory: Any) -> tuple[str, ...]:
    """Return the names of the pins of `factory` that some device holds, sorted; for tests and diagnosis."""
    return tuple(sorted(info.name for info in factory.pins))
