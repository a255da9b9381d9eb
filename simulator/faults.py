"""What is wrong with the simulated sensors. The same seed gives the same bad luck."""

from dataclasses import dataclass, fields, replace


class FaultError(ValueError):
    """A fault that does not exist, or a value that it does not take; the message says what it takes."""


@dataclass(frozen=True, slots=True)
class Faults:
    """The faults of a board's contacts.

    Fields:
        bounce: how often a cell flickers, for a few milliseconds, each time that it changes.
        jitter: milliseconds within which the two halves of one action arrive.
    """

    bounce: int = 0
    jitter: int = 0


_MOST = {"bounce": 50, "jitter": 1000}


def parse_faults(words: list[str], before: Faults) -> Faults:
    """Return `before` with the faults that ``key=value`` words name; ``none`` alone ends all.

    Raises:
        FaultError: an unknown fault or a value that it does not take.
    """
    if words == ["none"]:
        return Faults()
    known = {entry.name for entry in fields(Faults)}
    faults = before
    for word in words:
        key, _, value = word.partition("=")
        if key not in known:
            raise FaultError(f"there is no fault {key!r}; there are: {', '.join(sorted(known))}, or none")
        if not value.isdecimal() or int(value) > _MOST[key]:
            raise FaultError(f"fault {key!r} takes a whole number up to {_MOST[key]}, not {value!r}")
        faults = replace(faults, **{key: int(value)})
    return faults
