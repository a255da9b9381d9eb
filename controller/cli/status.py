"""Exit statuses, and the error for a command that was called wrongly."""

from typing import Final

DONE: Final = 0
FAILED: Final = 1
"""It did not work, or a record is bad."""
USAGE: Final = 2
"""Wrong words on the command line, or a file that is not there."""
INTERRUPTED: Final = 130
"""As shells report a program that Ctrl-C ended."""
UNHEARD: Final = 141
"""As shells report a program whose reader has gone, as ``head`` does after its last line."""


class UsageError(Exception):
    """A command was called wrongly, or with a file that cannot be read: exit status 2. The message is for a person."""
