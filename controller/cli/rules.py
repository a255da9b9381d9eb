"""``stonelight rules``: the rules of a game, for a person at the table."""

import argparse

from controller.cli.options import add_game, game_of
from controller.cli.status import DONE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the name of a game."""
    add_game(parser)


def run(args: argparse.Namespace) -> int:
    """Print its rules."""
    print(game_of(args).rules_text.rstrip())
    return DONE
