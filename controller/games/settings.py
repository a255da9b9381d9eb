"""Reading option values: one place for the words in which a bad ``--set`` or ``Set`` is refused."""

import difflib
from collections.abc import Mapping, Sequence

from controller.games.seam import Option, OptionError


def merged(options: Sequence[Option], given: Mapping[str, str] | None) -> dict[str, str]:
    """Return a value for every option: the given ones over the defaults, in the order of `options`.

    Raises:
        OptionError: a key that is no option of this game.
    """
    values = {option.key: option.default for option in options}
    for key, value in (given or {}).items():
        if key not in values:
            near = difflib.get_close_matches(key, values, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"it has: {', '.join(values)}"
            raise OptionError(f"option {key!r} is not one of this game's; {hint}")
        values[key] = value
    return values


def refused(option: Option, value: str) -> OptionError:
    """Return the error for a value that `option` does not take."""
    return OptionError(f"option {option.key!r}: {value!r} is not a value it takes; it takes {option.takes}")


def number(option: Option, value: str, least: int, most: int | None = None) -> int:
    """Return the whole number that `value` writes.

    Raises:
        OptionError: it is no plain decimal number, or lies outside `least`..`most`.
    """
    if not (value.isascii() and value.isdigit()) or len(value) > 9:
        raise refused(option, value)
    result = int(value)
    if result < least or (most is not None and result > most):
        raise refused(option, value)
    return result


def choice(option: Option, value: str, allowed: Sequence[str]) -> str:
    """Return `value` if it is one of `allowed`.

    Raises:
        OptionError: it is not.
    """
    if value not in allowed:
        raise refused(option, value)
    return value


def changed(options: Sequence[Option], values: Mapping[str, str]) -> dict[str, str]:
    """Return the values that differ from their defaults, in the order of `options`."""
    return {option.key: values[option.key] for option in options if values[option.key] != option.default}
