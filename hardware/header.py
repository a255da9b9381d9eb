"""The header of a Raspberry Pi and that of a Pico, and a ledger that gives each of their pins one owner. Plain values.

On a Pi pin numbers are BCM numbers (``GPIO 17``), and the header pin is the number counted along the header (11). The
layout is the same on every Pi with 40 pins: Raspberry Pi documentation, "GPIO and the 40-pin header". On a Pico they
are the numbers of its GP pins: Pico data sheet, "Pinout"; Pico W and Pico 2 have the same.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

HEADER: Final[Mapping[int, int]] = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22, 11: 23,
    8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
"""Header pin by BCM number."""

MEMORY_PINS: Final = (0, 1)
"""Kept for the identity memory of add-on boards; the system probes them when it starts."""
PULLED_UP: Final = (2, 3)
"""Soldered to 3.3 V through 1.8 kilohm on the Pi itself, for I2C."""

BUSES: Final[Mapping[str, tuple[int, ...]]] = {
    "spi0": (7, 8, 9, 10, 11),
    "spi1": (17, 18, 19, 20, 21),
    "spi1-1cs": (18, 19, 20, 21),
    "i2c": (2, 3),
    "uart": (14, 15),
    "i2s": (18, 19, 21),
    "pwm-audio": (12, 13),
}
"""BCM numbers that each bus owns as a whole. SPI1 is the one with two selects (``dtoverlay=spi1-2cs``), unless it says
that it has one; I2S is sound going out, without the pin for sound coming in."""

PICO_HEADER: Final[Mapping[int, int]] = {
    0: 1, 1: 2, 2: 4, 3: 5, 4: 6, 5: 7, 6: 9, 7: 10, 8: 11, 9: 12, 10: 14, 11: 15, 12: 16, 13: 17, 14: 19, 15: 20,
    16: 21, 17: 22, 18: 24, 19: 25, 20: 26, 21: 27, 22: 29, 26: 31, 27: 32, 28: 34,
}  # fmt: skip
"""Header pin by GP number."""
PI_POWER: Final[Mapping[int, str]] = {
    1: "3.3 V", 17: "3.3 V", 2: "5 V", 4: "5 V", **dict.fromkeys((6, 9, 14, 20, 25, 30, 34, 39), "ground"),
}  # fmt: skip
"""What the pins of the 40-pin header are that have no number."""
PICO_POWER: Final[Mapping[int, str]] = {
    36: "3.3 V", 37: "3V3_EN", 39: "VSYS", 40: "5 V", 35: "ADC_VREF", 30: "RUN",
    **dict.fromkeys((3, 8, 13, 18, 23, 28, 33, 38), "ground"),
}  # fmt: skip
"""The same of a Pico; its 5 V come from USB (VBUS)."""
PICO_ADCS: Final = (26, 27, 28)
"""GP pins that can measure a voltage."""

_PREFERRED: Final = (4, 5, 6, 16, 17, 22, 23, 24, 25, 26, 27, 12, 13, 18, 19, 20, 21, 7, 8, 9, 10, 11, 14, 15)
"""Pins to propose, those without a second duty first."""


@dataclass(frozen=True, slots=True)
class Header:
    """The pins of one kind of computer.

    Fields:
        title: how it is called.
        prefix: what stands before a pin's number.
        pins: header pin by number.
        power: what the other pins are, by header pin.
        kept: pins that nothing may take.
        pulled_up: pins that the computer itself pulls up for good.
        preferred: pins to propose, the best first.
        buses: the pins that each bus owns as a whole.
    """

    title: str
    prefix: str
    pins: Mapping[int, int]
    power: Mapping[int, str]
    kept: Sequence[int] = ()
    pulled_up: Sequence[int] = ()
    preferred: Sequence[int] = ()
    buses: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def name(self, number: int) -> str:
        """Return ``GPIO 17 (header pin 11)``."""
        return f"{self.prefix}{number} (header pin {self.pins[number]})"


PI: Final = Header("the 40-pin header", "GPIO ", HEADER, PI_POWER, MEMORY_PINS, PULLED_UP, _PREFERRED, BUSES)
PICO: Final = Header("the Pico", "GP", PICO_HEADER, PICO_POWER, preferred=tuple(PICO_HEADER))
HEADERS: Final[Mapping[str, Header]] = {"pi": PI, "pico": PICO}
"""By the word for the host in profiles."""


def pin_name(gpio: int) -> str:
    """Return ``GPIO 17 (header pin 11)``, of a Pi."""
    return PI.name(gpio)


@dataclass(frozen=True, slots=True)
class Claim:
    """A key of a profile that takes a pin.

    Fields:
        key: the key's path: ``cells.rows[2]``.
        gpio: the BCM number.
        bus: the bus that takes it as one of its pins; empty for a pin named by its number.
        floats: whether the pin must be able to let go of its line, as a matrix row must.
        measures: whether the pin must be able to measure a voltage.
    """

    key: str
    gpio: int
    bus: str = ""
    floats: bool = False
    measures: bool = False


def bus_claims(key: str, bus: str) -> list[Claim]:
    """Return the claims of a key that takes a whole bus."""
    return [Claim(key, gpio, bus) for gpio in BUSES[bus]]


def disputes(claims: Sequence[Claim], header: Header = PI) -> Iterable[tuple[str, str, str]]:
    """Yield (key, what is wrong, what to do) for each claim that cannot be granted.

    Whole buses are granted first, so that the key at fault is the one that names a single pin.
    """
    owners: dict[int, Claim] = {}
    free = [gpio for gpio in header.preferred if gpio not in {claim.gpio for claim in claims}]
    buses: dict[tuple[str, str], list[Claim]] = {}
    for claim in claims:
        if claim.bus:
            buses.setdefault((claim.key, claim.bus), []).append(claim)
    wishes = [*buses.values(), *([claim] for claim in claims if not claim.bus)]
    for wish in wishes:
        for claim in wish:
            wrong = _pin_fault(claim, header)
            if not wrong and claim.gpio in owners:
                wrong = _owner_fault(claim, owners[claim.gpio], header)
            if wrong:
                yield claim.key, wrong, _proposal(claim, free, header)
                break
        else:
            owners.update({claim.gpio: claim for claim in wish})


def _pin_fault(claim: Claim, header: Header) -> str:
    if claim.gpio not in header.pins:
        return f"there is no {header.prefix}{claim.gpio} on {header.title}"
    if claim.gpio in header.kept:
        return f"{header.name(claim.gpio)} is kept for the memory of add-on boards"
    if claim.floats and claim.gpio in header.pulled_up:
        return f"{header.name(claim.gpio)} is pulled up on the Pi itself, so a row on it cannot let go of its line"
    if claim.measures and claim.gpio not in PICO_ADCS:
        return f"{header.name(claim.gpio)} cannot measure a voltage"
    return ""


def _owner_fault(claim: Claim, owner: Claim, header: Header) -> str:
    mine = header.name(claim.gpio)
    if claim.bus:
        mine = f"{claim.bus} needs {mine}, which"
    taken = f"{mine} already belongs to {owner.key}"
    return f"{taken}, as part of the bus {owner.bus}" if owner.bus else taken


def _proposal(claim: Claim, free: list[int], header: Header) -> str:
    if claim.bus:
        return f"do without the bus {claim.bus} here, or give the other key another pin"
    if claim.measures:
        return f"use one of {', '.join(f'{header.prefix}{gpio}' for gpio in PICO_ADCS)}"
    if not free:
        return "no pin is left: do without a button, or a bus"
    return f"use another pin; free: {header.name(free.pop(0))}"
