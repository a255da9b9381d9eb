"""What several checks of the doctor's ask of `Facts`."""

from typing import Final

from controller.bench.facts import Facts
from hardware.header import Claim
from hardware.profile_pins import claims

NOT_A_PI: Final = "this computer is no Raspberry Pi"
JOIN: Final = "sudo usermod -aG {groups} $USER, then log out and in again"


def wired_here(facts: Facts) -> bool:
    """Return whether the pins of this computer matter: the board hangs on them, or there is none and this is a Pi."""
    return facts.profile.host == "pi" if facts.profile is not None else facts.model is not None


def on_pico(facts: Facts) -> bool:
    """Return whether the board has a micro-controller."""
    return facts.profile is not None and facts.profile.host == "pico"


def claims_of(facts: Facts) -> list[Claim]:
    """Return the pins that the board itself takes, not those that its profile keeps for others."""
    if facts.profile is None:
        return []
    taken = claims(facts.profile.model_dump(mode="json", exclude_unset=True))
    return [claim for claim in taken if not claim.key.startswith("reserve.")]
