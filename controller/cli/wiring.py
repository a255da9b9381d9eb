"""``stonelight wiring``: what to solder, buy and switch on for a board, from its profile."""

import argparse
import sys
from pathlib import Path

from controller.cli.files import why
from controller.cli.profiles import add_board, read_profile
from controller.cli.status import DONE, FAILED, UsageError
from controller.cli.words import some
from hardware.profile import ProfileError, profile_names
from hardware.wiring_sheet import sheet
from hardware.wiring_svg import svg
from hardware.wiring_text import text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the profile and the drawing."""
    add_board(parser, "what to wire")
    parser.add_argument(
        "--svg",
        metavar="FILE",
        type=some("--svg", "name a file, or leave it out"),
        help="also draw it, into this file; - prints the drawing instead",
    )


def run(args: argparse.Namespace) -> int:
    """Print the wires, parts, currents and boot lines; faults of the profile are told one on a line."""
    if args.board is None:
        raise UsageError(
            f"say which board: a file, or one of {', '.join(profile_names())}; such as: stonelight wiring bao-4x12"
        )
    try:
        wired = sheet(read_profile(args.board))
    except ProfileError as error:
        print(error, file=sys.stderr)
        return FAILED
    if args.svg == "-":
        print(svg(wired), end="")
        return DONE
    print(text(wired), end="")
    if args.svg is not None:
        try:
            Path(args.svg).write_text(svg(wired), encoding="utf-8")
        except (OSError, ValueError) as error:  # ValueError: there can be no such path
            print(f"stonelight: {args.svg} cannot be written: {why(error)}", file=sys.stderr)
            return FAILED
        print(f"\nThe drawing is in {args.svg}.")
    return DONE
