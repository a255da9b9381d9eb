"""``stonelight wiring``: what to solder, buy and switch on for a board, from its profile."""

import argparse
import sys
from pathlib import Path

from controller.cli.profiles import read_profile
from controller.cli.status import DONE, FAILED
from hardware.profile import ProfileError
from hardware.wiring_sheet import sheet
from hardware.wiring_svg import svg
from hardware.wiring_text import text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the profile and the drawing."""
    parser.add_argument("board", metavar="BOARD", help="board profile: a file, or the name of one that comes along")
    parser.add_argument("--svg", metavar="FILE", help="also draw it, into this file; - prints the drawing instead")


def run(args: argparse.Namespace) -> int:
    """Print the wires, parts, currents and boot lines; faults of the profile are told one on a line."""
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
        except OSError as error:
            print(f"stonelight: {args.svg} cannot be written: {error.strerror}", file=sys.stderr)
            return FAILED
        print(f"\nThe drawing is in {args.svg}.")
    return DONE
