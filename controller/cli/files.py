"""Reading the files that a person names on the command line."""

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
    if file == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(file).read_bytes()
    except FileNotFoundError as error:
        raise UsageError(f"there is no file {file}") from error
    except IsADirectoryError as error:
        raise UsageError(f"{file} is a directory; give the file of {what}") from error
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UsageError(f"{file} cannot be read: {why}") from error


def why(error: Exception) -> str:
    """Return what went wrong in words, without the number that the system gives it."""
    return str(getattr(error, "strerror", None) or error)
