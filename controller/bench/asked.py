"""What several checks of the doctor's ask of `Facts`."""

from typing import Final

from controller.bench.facts import Facts
from hardware.header import Claim
from hardware.profile_pins import claims

NOT_A_PI: Final = "this computer is no Raspberry Pi"
ELSEWHERE: Final = "this board's wires go to its micro-controller"
JOIN: Final = "sudo usermod -aG {groups} $USER, then log out and in again"


def wired_here(facts: Facts) -> bool:
    """Return whether the pins of this computer matter: the board hangs on them, or there is none and this is a Pi."""
    return facts.profile.host == "pi" if facts.profile is not None else facts.model is not None


def on_pico(facts: Facts) -> bool:
    """Return whether the board has a micro-controller."""
    return facts.profile is not None and facts.profile.host == "pico"


def why_not_here(facts: Facts) -> str:
    """Return why the pins of this computer do not matter, where they do not."""
    return ELSEWHERE if on_pico(facts) else NOT_A_PI


def why_no_board(facts: Facts) -> str:
    """Return why there is no board to judge by, where there is none."""
    return "the board's profile has faults" if facts.profile_faults else "no board was named with --board"


def claims_of(facts: Facts) -> list[Claim]:
    """Return the pins that the board itself takes, not those that its profile keeps for others."""
    if facts.profile is None:
        return []
    taken = claims(facts.profile.model_dump(mode="json", exclude_unset=True))
    return [claim for claim in taken if not claim.key.startswith("reserve.")]
