"""A simulated micro-controller's pins, bus, converters, buttons and pixels, as its firmware sees them.

Runs under MicroPython too, and keeps to what that knows. The parts answer as CircuitPython's ``digitalio``, ``busio``,
``analogio``, ``keypad`` and ``usb_cdc`` do. `World` is what the board looks like at this moment.
"""

NOWHERE = 0xFFFF
BUTTON = 0x8000
CHAIN_END = 0xA5


class World:
    """The board at one moment.

    Attributes:
        closed: bytes, 1 for each cell whose contact is closed.
        pressed: bytes, 1 for each button that is held down.
        levels: 16-bit values of the analogue cells; empty: `empty_level`, or `full_level` where `closed`.
        broken: the register chain has come apart.
        low: column of the matrix that is shorted to ground, -1 for none.
    """

    empty_level = 32768
    full_level = 44000
    dark_level = 1000

    def __init__(self, cells: int, buttons: int) -> None:
        self.closed = bytes(cells)
        self.pressed = bytes(buttons)
        self.levels: list[int] = []
        self.broken = False
        self.low = -1

    def level(self, cell: int) -> int:
        """Return what the sensor of a cell gives."""
        if self.levels:
            return self.levels[cell]
        return self.full_level if self.closed[cell] else self.empty_level


class Pin:
    """A pin: an output or an input, as ``digitalio.DigitalInOut``."""

    def __init__(self) -> None:
        self.driven: int = -1
        self._level = True

    def switch_to_output(self, value: bool = False) -> None:
        """Drive the line."""
        self.driven = 1 if value else 0

    def switch_to_input(self) -> None:
        """Let go of the line."""
        self.driven = -1

    @property
    def value(self) -> bool:
        """The level of the line."""
        return self.driven == 1 if self.driven >= 0 else self._level

    @value.setter
    def value(self, value: bool) -> None:
        self.driven = 1 if value else 0


class Column:
    """A column of a matrix: an input with a pull-up."""

    def __init__(self, number: int, rows: list[Pin], places: list[int], columns: int, world: World) -> None:
        self._number = number
        self._rows = rows
        self._places = places
        self._columns = columns
        self._world = world

    @property
    def value(self) -> bool:
        """Low where a driven row meets a closed contact."""
        world = self._world
        if world.low == self._number:
            return False
        for row in range(len(self._rows)):
            if self._rows[row].driven == 0 and shut(world, self._places[row * self._columns + self._number]):
                return False
        return True


class Load(Pin):
    """SH/LD of the registers: while it is low they take what their inputs are."""

    def __init__(self, spi: "Spi") -> None:
        super().__init__()
        self._spi = spi

    @property
    def value(self) -> bool:
        """The level of the line."""
        return self.driven == 1

    @value.setter
    def value(self, value: bool) -> None:
        self.driven = 1 if value else 0
        if not value:
            self._spi.load()


class Spi:
    """A chain of registers at the end of a bus, as ``busio.SPI``."""

    def __init__(self, registers: int, places: list[int], world: World) -> None:
        self._registers = registers
        self._places = places
        self._world = world
        self._held = bytearray(registers + 1)

    def load(self) -> None:
        """Take the inputs: a closed contact pulls its input low."""
        held, places, world = self._held, self._places, self._world
        for byte in range(self._registers):
            bits = 0
            for place in range(8):
                if not shut(world, places[8 * byte + place]):
                    bits |= 128 >> place
            held[byte] = bits
        held[self._registers] = 0xFF if world.broken else CHAIN_END

    def readinto(self, buffer: bytearray) -> None:
        """Shift out what was taken; behind the last register the line is high."""
        for k in range(len(buffer)):
            buffer[k] = self._held[k] if k < len(self._held) else 0xFF
        for k in range(len(self._held)):
            self._held[k] = 0xFF


class Adc:
    """An analogue input behind a multiplexer, as ``analogio.AnalogIn``."""

    def __init__(self, number: int, selects: list[Pin], emitter: "Pin | None", places: list[int], world: World) -> None:
        self._number = number
        self._selects = selects
        self._emitter = emitter
        self._places = places
        self._world = world

    @property
    def value(self) -> int:
        """The level of the cell that the address selects: in the dark next to nothing, where there is a light."""
        address = 0
        for k in range(len(self._selects)):
            if self._selects[k].driven == 1:
                address |= 1 << k
        cell = self._places[16 * self._number + address]
        if cell == NOWHERE:
            return 0
        if self._emitter is not None and self._emitter.driven != 1:
            return self._world.dark_level
        return self._world.level(cell)


class Event:
    """A button went down or up, as ``keypad.Event``."""

    def __init__(self, key_number: int, pressed: bool, timestamp: int) -> None:
        self.key_number = key_number
        self.pressed = pressed
        self.timestamp = timestamp


class Keys:
    """The buttons that have pins of their own, as the queue of ``keypad.Keys``."""

    def __init__(self, count: int, hw: "Hardware") -> None:
        self._down = bytearray(count)
        self._hw = hw

    def get(self) -> "Event | None":
        """Return the next event."""
        pressed = self._hw.world.pressed
        for number in range(len(self._down)):
            if pressed[number] != self._down[number]:
                self._down[number] = pressed[number]
                return Event(number, bool(pressed[number]), self._hw.now)
        return None


class Strip:
    """The chain of pixels: remembers what it shows."""

    def __init__(self) -> None:
        self.busy = False
        self.shown = b""
        self.fresh = False

    def write(self, data: bytearray) -> None:
        """Show `data`."""
        self.shown = bytes(data)
        self.fresh = True


class Hardware:
    """All of it, as `station.Station` wants it.

    Args:
        plan: the checked ``board.json``.
        port: as ``usb_cdc.data``.
    """

    def __init__(self, plan: dict[str, object], port: object, reset_reason: int = 0) -> None:
        cells = number(plan, "cells")
        self.world = World(cells, len(items(plan, "buttons")))
        self.port = port
        self.reset_reason = reset_reason
        self.identity = "51a0000000000001"
        self.now = 0
        self.restarts: list[int] = []
        self.strip = Strip()
        self.keys = Keys(len(items(plan, "button_pins")), self)
        self.rows = [Pin() for _ in items(plan, "rows")]
        columns = len(items(plan, "columns"))
        places = items(plan, "places")
        self.columns = [Column(k, self.rows, places, columns, self.world) for k in range(columns)]
        self.spi = Spi(number(plan, "registers"), places, self.world)
        self.load = Load(self.spi)
        self.selects = [Pin() for _ in items(plan, "selects")]
        self.emitter = Pin() if plan["emitter"] else None
        self.adcs = [Adc(k, self.selects, self.emitter, places, self.world) for k in range(len(items(plan, "adcs")))]

    def ticks(self) -> int:
        """Return the device's clock."""
        return self.now

    def wait_us(self, microseconds: int) -> None:
        """Simulated lines settle at once."""

    def free(self) -> int:
        """Return the free memory; not told here."""
        return 0

    def restart(self, mode: int) -> None:
        """Note that the firmware wants to be restarted."""
        self.restarts.append(mode)

    def healthy(self) -> None:
        """Nothing is remembered over a restart here."""


def number(plan: dict[str, object], key: str) -> int:
    """Return a number of the plan."""
    value = plan[key]
    assert isinstance(value, int)
    return value


def items(plan: dict[str, object], key: str) -> list[int]:
    """Return a list of the plan."""
    value = plan[key]
    assert isinstance(value, list)
    return value


def shut(world: World, place: int) -> bool:
    """Return whether the contact of a cell or button is closed."""
    if place >= BUTTON:
        return place != NOWHERE and bool(world.pressed[place - BUTTON])
    return bool(world.closed[place])
