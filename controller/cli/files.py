"""Reading the files that a person names on the command line."""

import contextlib
import difflib
import sys
from pathlib import Path

from controller.cli.status import UsageError


def read_bytes(file: str, what: str) -> bytes:
    """Return what is in a file; ``-`` is the standard input.

    Args:
        file: the path.
        what: what kind of file is wanted, for messages: ``a record``.

    Raises:
        UsageError: there is no such file, or it cannot be read.
    """
    if not file:
        raise UsageError(f"an empty word names no file: {_wanted(what)}")
    if file == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(file).read_bytes()
    except FileNotFoundError as error:
        raise UsageError(_absent(Path(file), what)) from error
    except IsADirectoryError as error:
        raise UsageError(f"{file} is a directory: {_wanted(what)}") from error
    except (OSError, ValueError) as error:
        raise UsageError(f"{file} cannot be read: {why(error)}") from error


def _absent(path: Path, what: str) -> str:
    """Return what to do about a file that is not there."""
    near: list[str] = []
    with contextlib.suppress(OSError):
        near = difflib.get_close_matches(path.name, [each.name for each in path.parent.iterdir()], n=1, cutoff=0.8)
    meant = f" (did you mean {path.parent / near[0]}?)" if near else ""
    return f"there is no file {path}{meant}: {_wanted(what)}"


def _wanted(what: str) -> str:
    return f"give the path of {what}, or - to read it from the input"


def why(error: Exception) -> str:
    """Return what went wrong in words, without the number that the system gives it."""
    return str(getattr(error, "strerror", None) or error)
