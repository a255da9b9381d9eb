"""The 40-pin header of a Raspberry Pi, and a ledger that gives each of its pins one owner. Plain values.

Pin numbers are BCM numbers (``GPIO 17``); the header pin is the number counted along the header (11). The layout is
the same on every Pi with 40 pins: Raspberry Pi documentation, "GPIO and the 40-pin header".
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
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
    "i2c": (2, 3),
    "uart": (14, 15),
    "i2s": (18, 19, 21),
    "pwm-audio": (12, 13),
}
"""BCM numbers that each bus owns as a whole. SPI1 is the one with two selects (``dtoverlay=spi1-2cs``);
I2S is sound going out, without the pin for sound coming in."""

_PREFERRED: Final = (4, 5, 6, 16, 17, 22, 23, 24, 25, 26, 27, 12, 13, 18, 19, 20, 21, 7, 8, 9, 10, 11, 14, 15)
"""Pins to propose, those without a second duty first."""


def pin_name(gpio: int) -> str:
    """Return ``GPIO 17 (header pin 11)``."""
    return f"GPIO {gpio} (header pin {HEADER[gpio]})"


@dataclass(frozen=True, slots=True)
class Claim:
    """A key of a profile that takes a pin.

    Fields:
        key: the key's path: ``cells.rows[2]``.
        gpio: the BCM number.
        bus: the bus that takes it as one of its pins; empty for a pin named by its number.
        floats: whether the pin must be able to let go of its line, as a matrix row must.
    """

    key: str
    gpio: int
    bus: str = ""
    floats: bool = False


def bus_claims(key: str, bus: str) -> list[Claim]:
    """Return the claims of a key that takes a whole bus."""
    return [Claim(key, gpio, bus) for gpio in BUSES[bus]]


def disputes(claims: Sequence[Claim]) -> Iterable[tuple[str, str, str]]:
    """Yield (key, what is wrong, what to do) for each claim that cannot be granted.

    Whole buses are granted first, so that the key at fault is the one that names a single pin.
    """
    owners: dict[int, Claim] = {}
    free = [gpio for gpio in _PREFERRED if gpio not in {claim.gpio for claim in claims}]
    buses: dict[tuple[str, str], list[Claim]] = {}
    for claim in claims:
        if claim.bus:
            buses.setdefault((claim.key, claim.bus), []).append(claim)
    wishes = [*buses.values(), *([claim] for claim in claims if not claim.bus)]
    for wish in wishes:
        for claim in wish:
            wrong = _pin_fault(claim)
            if not wrong and claim.gpio in owners:
                wrong = _owner_fault(claim, owners[claim.gpio])
            if wrong:
                yield claim.key, wrong, _proposal(claim, free)
                break
        else:
            owners.update({claim.gpio: claim for claim in wish})


def _pin_fault(claim: Claim) -> str:
    if claim.gpio not in HEADER:
        return f"there is no GPIO {claim.gpio} on the 40-pin header"
    if claim.gpio in MEMORY_PINS:
        return f"{pin_name(claim.gpio)} is kept for the memory of add-on boards"
    if claim.floats and claim.gpio in PULLED_UP:
        return f"{pin_name(claim.gpio)} is pulled up on the Pi itself, so a row on it cannot let go of its line"
    return ""


def _owner_fault(claim: Claim, owner: Claim) -> str:
    mine = pin_name(claim.gpio)
    if claim.bus:
        mine = f"{claim.bus} needs {mine}, which"
    taken = f"{mine} already belongs to {owner.key}"
    return f"{taken}, as part of the bus {owner.bus}" if owner.bus else taken


def _proposal(claim: Claim, free: list[int]) -> str:
    if claim.bus:
        return f"do without the bus {claim.bus} here, or give the other key another pin"
    if not free:
        return "no pin is left: do without a button, or a bus"
    return f"use another pin; free: {pin_name(free.pop(0))}"
