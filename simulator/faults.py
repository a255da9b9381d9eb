"""What is wrong with the simulated sensors. The same seed gives the same bad luck."""

import re
from dataclasses import dataclass, fields, replace
from typing import Any, Final


class FaultError(ValueError):
    """A fault that does not exist, or a value that it does not take; the message says what it takes."""


@dataclass(frozen=True, slots=True)
class Faults:
    """The faults of a board's contacts.

    Fields:
        bounce: how often a cell flickers, for a few milliseconds, each time that it changes.
        jitter: milliseconds within which the two halves of one action arrive.
        loss, corrupt, duplicate: the share of the frames on the wire that gets lost, is garbled, comes twice. Without
            effect on a board that has no wire.
        late: milliseconds by which a frame on the wire may be late. Without effect on a board that has no wire.
        approach: milliseconds that a stone takes to come down to its cell, or to leave it, where fields are felt.
        sample: milliseconds between two looks of each sensor that feels fields; 0: it always looks.
        drift: microtesla a second by which the zero of each such sensor wanders, at most.
        sag: microtesla by which the zeros of all such sensors move for each ampere of light.
        crosstalk: an emptied cell goes on feeling its stone while so many of its neighbours are full; 0: none does.
    """

    bounce: int = 0
    jitter: int = 0
    loss: float = 0.0
    corrupt: float = 0.0
    duplicate: float = 0.0
    late: int = 0
    approach: int = 4
    sample: int = 0
    drift: int = 0
    sag: int = 0
    crosstalk: int = 0


_MOST: Final = {
    "bounce": 50,
    "jitter": 1000,
    "late": 1000,
    "approach": 5000,
    "sample": 1000,
    "drift": 1000,
    "sag": 20_000,
    "crosstalk": 8,
}
_SHARES = frozenset({"loss", "corrupt", "duplicate"})


def parse_faults(words: list[str], before: Faults) -> Faults:
    """Return `before` with the faults that ``key=value`` words name; ``none`` alone ends all.

    Raises:
        FaultError: an unknown fault or a value that it does not take.
    """
    if not words:
        raise FaultError("no fault is named; say for example bounce=4, or none to end all")
    if words == ["none"]:
        return Faults()
    known = {entry.name for entry in fields(Faults)}
    faults = before
    for word in words:
        key, _, value = word.partition("=")
        if key not in known:
            raise FaultError(f"there is no fault {key!r}; there are: {', '.join(sorted(known))}, or none")
        read: Any = _share(key, value) if key in _SHARES else _whole(key, value)
        faults = replace(faults, **{key: read})
    return faults


def _whole(key: str, value: str) -> int:
    if not (value.isascii() and value.isdecimal()) or int(value[:12]) > _MOST[key]:
        raise FaultError(f"fault {key!r} takes a whole number up to {_MOST[key]}, not {value!r}")
    return int(value)


def _share(key: str, value: str) -> float:
    if not re.fullmatch(r"[01]|0?\.[0-9]{1,9}|1\.0{1,9}", value):
        raise FaultError(f"fault {key!r} takes a share from 0 to 1 such as 0.05, not {value!r}")
    return float(value)
