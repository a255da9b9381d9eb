"""Reading the board profile that a person names on the command line, and the port that goes with it."""

import argparse
import sys
from pathlib import Path
from typing import Final

from controller.cli.files import why
from controller.cli.status import UsageError
from controller.cli.words import some
from hardware.profile import Profile, load_profile, profile_names
from hardware.profile_calibration import calibration_path, is_simulated

BOARD_ADVICE: Final = "give a board's profile, as a file or by the name of one that comes along, or leave it out"
PORT_ADVICE: Final = "give a path such as /dev/ttyACM1, or leave it out and the board is looked for"


def read_profile(name: str) -> Profile:
    """Return a profile by the name of one that comes along, or by the path of a file.

    Where what was learned beside it comes from a simulation, that is said.

    Raises:
        UsageError: there is none, or no such path can be.
        ProfileError: it has faults; the message has one line for each.
    """
    some("--board", BOARD_ADVICE)(name)
    if name in profile_names():
        return load_profile(name)
    try:
        Path(name).stat()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise UsageError(
            f"there is no board profile {name}: give a file, or one of {', '.join(profile_names())}; "
            "'stonelight setup' writes a file for a board of your own"
        ) from error
    except (OSError, ValueError) as error:
        raise UsageError(f"the board profile {name!r} cannot be read: {why(error)}: give another file") from error
    profile = load_profile(Path(name))
    if note := simulation_note(name):
        print(f"stonelight: {note}", file=sys.stderr)
    return profile


def simulation_note(board: str) -> str:
    """Return what to know where the calibration of a board was learned on a simulated one; else nothing."""
    path = Path(board)
    if board in profile_names() or not is_simulated(path):
        return ""
    beside = calibration_path(path)
    return f"{beside} comes from a simulation: run 'stonelight calibrate {path}' on the real board, or delete that file"


def is_board(word: str) -> bool:
    """Return whether somebody who types this means a board."""
    return word in profile_names() or word.endswith(".toml")


def add_board(parser: argparse.ArgumentParser, use: str) -> None:
    """Declare the board, by itself or after ``--board``: either way it becomes ``board``, None where it is not named.

    Args:
        parser: of a command that is about a board above all.
        use: what the command does with it.
    """
    named = some("--board", BOARD_ADVICE)
    either = parser.add_mutually_exclusive_group()
    either.add_argument(
        "board", metavar="BOARD", nargs="?", type=named, default=argparse.SUPPRESS, help="the same as --board BOARD"
    )
    either.add_argument(
        "--board", metavar="BOARD", type=named, help=f"{use}: a file, or the name of a profile that comes along"
    )


def add_port(parser: argparse.ArgumentParser) -> None:
    """Declare ``--port``."""
    parser.add_argument(
        "--port",
        metavar="PORT",
        type=some("--port", PORT_ADVICE),
        help="where the board's micro-controller is, such as /dev/ttyACM1 or socket://host:port (default: looked for)",
    )


def check_port(port: str | None, profile: Profile | None, *, simulated: bool) -> None:
    """See that the board is one that can be on a port.

    Raises:
        UsageError: it cannot.
    """
    if port is None:
        return
    if simulated:
        raise UsageError(f"--port {port}: a simulated board is on no port, so leave --port or --sim out")
    if profile is not None and profile.host != "pico":
        raise UsageError(f"--port {port}: the board {profile.name} has no micro-controller, so leave --port out")
