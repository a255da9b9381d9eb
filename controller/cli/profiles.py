"""Reading the board profile that a person names on the command line."""

from pathlib import Path

from controller.cli.status import UsageError
from hardware.profile import Profile, load_profile, profile_names


def read_profile(name: str) -> Profile:
    """Return a profile by the name of one that comes along, or by the path of a file.

    Raises:
        UsageError: there is none.
        ProfileError: it has faults; the message has one line for each.
    """
    if name not in profile_names() and not Path(name).exists():
        raise UsageError(f"there is no board profile {name}: give a file, or one of {', '.join(profile_names())}")
    return load_profile(name if name in profile_names() else Path(name))
