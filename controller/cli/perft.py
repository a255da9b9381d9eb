"""``stonelight perft``: how many ways there are to play so many plies, to compare implementations of the rules."""

import argparse
from typing import Final

from controller.cli.options import add_game, add_variant, rules_of
from controller.cli.status import DONE
from controller.games.perft import divide, perft

DEEPEST: Final = 500
"""Plies. Each is a nested call, and no count of an undecided game comes near."""


def _depth(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 9 or int(text) > DEEPEST:
        raise argparse.ArgumentTypeError(f"{text!r} is no depth; it takes a whole number, 0 to {DEEPEST}")
    return int(text)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the game, the depth, the variant and ``--divide``."""
    add_game(parser)
    parser.add_argument("--depth", metavar="D", type=_depth, required=True, help="how many plies")
    add_variant(parser)
    parser.add_argument("--divide", action="store_true", help="first print the count for each first move")


def run(args: argparse.Namespace) -> int:
    """Print the count, as the last line and a bare number."""
    rules = rules_of(args)
    if args.divide and args.depth:
        counts = divide(rules, args.depth)
        for token, count in counts:
            print(token, count)
        print(sum(count for _, count in counts))
    else:
        print(perft(rules, args.depth))
    return DONE
