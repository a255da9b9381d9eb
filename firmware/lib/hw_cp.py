"""The micro-controller's own pins, under CircuitPython 9 and 10. The only module that touches any.

What it makes answers as `station.Station` expects of its hardware; the simulated board has the same parts.
"""

import gc
import time
from array import array

import analogio
import board
import busio
import digitalio
import keypad
import microcontroller
import neopixel_write
import recovery
import rp2pio
import supervisor
import usb_cdc
import watchdog
from lights import LONG

SPI_HZ = 1000000
"""Clock of the register chain: slow enough for long leads between tiles."""
BUTTON_S = 0.02
"""Between two looks at the buttons; they bounce for less."""
WATCHDOG_S = 5
"""The device restarts if a turn of the loop takes longer."""

# WS2812 for the RP2040's PIO at 8 MHz, ten cycles a bit, by the data sheet's own example (section 3.6.2):
#   out x, 1  side 0 [2] / jmp !x, 3  side 1 [1] / jmp 0  side 1 [4] / nop  side 0 [4]
_PIO = array("H", (0x6221, 0x1123, 0x1400, 0xA442))
_PIO_HZ = 8000000


def pin(name: str):
    """Return the pin of that name.

    Raises:
        ValueError: this board has none.
    """
    found = getattr(board, name, None)
    if found is None:
        raise ValueError("board.json: this board has no pin %s" % name)
    return found


def output(name: str, value: bool):
    """Return a pin as an output."""
    made = digitalio.DigitalInOut(pin(name))
    made.switch_to_output(value)
    return made


def floating(name: str):
    """Return a pin as an input without a pull."""
    made = digitalio.DigitalInOut(pin(name))
    made.switch_to_input()
    return made


def pulled_up(name: str):
    """Return a pin as an input with a pull-up."""
    made = digitalio.DigitalInOut(pin(name))
    made.switch_to_input(pull=digitalio.Pull.UP)
    return made


def held_down(name: str) -> bool:
    """Return whether the button on that pin is held down, for ``boot.py``."""
    button = pulled_up(name)
    time.sleep(0.01)
    down = not button.value
    button.deinit()
    return down


class ShortStrip:
    """Up to `lights.LONG` pixels: a frame is sent while the program waits, two milliseconds at most."""

    busy = False

    def __init__(self, name: str) -> None:
        self._pin = output(name, False)

    def write(self, data) -> None:
        """Show `data`."""
        neopixel_write.neopixel_write(self._pin, data)


class LongStrip:
    """More pixels: a frame is sent by the chip's own state machine while the program goes on."""

    def __init__(self, name: str) -> None:
        self._machine = rp2pio.StateMachine(
            _PIO,
            frequency=_PIO_HZ,
            first_sideset_pin=pin(name),
            auto_pull=True,
            pull_threshold=8,
            out_shift_right=False,
        )

    @property
    def busy(self) -> bool:
        """Whether a frame is still being sent."""
        return self._machine.writing

    def write(self, data) -> None:
        """Show `data`, which must stay where it is."""
        self._machine.background_write(once=data)


class NoStrip:
    """No pixels."""

    busy = False

    def write(self, data) -> None:
        """Nothing to show."""


class NoKeys:
    """No buttons with pins of their own."""

    def get(self):
        """No event."""


class Hardware:
    """All parts that the plan names."""

    def __init__(self, plan: dict) -> None:
        self.port = usb_cdc.data
        if self.port is None:
            raise ValueError("the data port is off: boot.py must run before code.py; restart the board")
        self.port.timeout = 0
        self.port.write_timeout = 0
        self.identity = "".join(["%02x" % byte for byte in microcontroller.cpu.uid])
        self.reset_reason = recovery.start_reason(microcontroller.nvm, _reset_reason())
        self.rows = [floating(name) for name in plan["rows"]]
        self.columns = [pulled_up(name) for name in plan["columns"]]
        self.selects = [output(name, False) for name in plan["selects"]]
        self.adcs = [analogio.AnalogIn(pin(name)) for name in plan["adcs"]]
        self.emitter = output(plan["emitter"], False) if plan["emitter"] else None
        self.spi = self.load = None
        if plan["driver"] == "chain":
            self.load = output(plan["load"], True)
            self.spi = busio.SPI(pin(plan["clock"]), MISO=pin(plan["data"]))
            self.spi.try_lock()
            self.spi.configure(baudrate=SPI_HZ, polarity=0, phase=0)
        self.keys = _keys([pin(name) for name in plan["button_pins"]])
        self.strip = _strip(plan)
        self._watchdog = microcontroller.watchdog
        self._watched = False

    def ticks(self) -> int:
        """Return milliseconds that wrap at 2 ** 29."""
        return supervisor.ticks_ms()

    def wait_us(self, microseconds: int) -> None:
        """Wait so long."""
        microcontroller.delay_us(microseconds)

    def feed(self) -> None:
        """Tell the watchdog that all is well. It watches from the first time on: no start that fails is tried again."""
        dog = self._watchdog
        if dog is None:
            return
        if not self._watched:
            self._watched = True
            dog.timeout = WATCHDOG_S
            dog.mode = watchdog.WatchDogMode.RESET
        dog.feed()

    def free(self) -> int:
        """Return the bytes of memory that are free."""
        return gc.mem_free()  # type: ignore[attr-defined]  # the desktop's gc has no such thing

    def healthy(self) -> None:
        """Take that this start has gone well."""
        recovery.healthy(microcontroller.nvm)

    def restart(self, mode: int) -> None:
        """Restart: 0 as it is, 1 with the drive in sight, 2 into the loader for a new CircuitPython."""
        if mode == 1:
            recovery.want_drive(microcontroller.nvm)
        if mode == 2:
            microcontroller.on_next_reset(microcontroller.RunMode.BOOTLOADER)
        microcontroller.reset()

    def give_up(self) -> None:
        """Restart because the program cannot go on."""
        recovery.crashed(microcontroller.nvm)
        microcontroller.reset()


def _reset_reason() -> int:
    reason = str(microcontroller.cpu.reset_reason).split(".")[-1]
    return recovery.RESETS.index(reason) if reason in recovery.RESETS else recovery.RESETS.index("UNKNOWN")


def _keys(pins: list):
    if not pins:
        return NoKeys()
    return keypad.Keys(tuple(pins), value_when_pressed=False, pull=True, interval=BUTTON_S).events


def _strip(plan: dict):
    if not plan["pixels"]:
        return NoStrip()
    return (LongStrip if plan["pixels"] > LONG else ShortStrip)(plan["pixel_pin"])


def show_red(plan: dict) -> None:
    """Light the first pixel red, for ``safemode.py``."""
    if plan["pixels"]:
        data = bytearray(plan["channels"] * plan["pixels"])
        data[plan["red"]] = 24
        ShortStrip(plan["pixel_pin"]).write(data)
