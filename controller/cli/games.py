"""``stonelight games``: what there is to play."""

import argparse
import textwrap

from controller.cli.status import DONE
from controller.games.seam import Game, game_names, load_game


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare nothing: the command takes no arguments."""


def run(args: argparse.Namespace) -> int:  # noqa: ARG001 (every command takes its arguments)
    """Print each game with its players and options."""
    print("\n\n".join(described(load_game(name)) for name in game_names()))
    return DONE


def described(game: Game) -> str:
    """Return what a person needs to know to choose a game."""
    lines = [f"{game.name}: {game.summary}", f"  players: {_seats(game)}", "  options (--set key=value):"]
    width = max((len(option.key) for option in game.options), default=0)
    for option in game.options:
        text = f"{option.key:{width}}  {option.help} Takes {option.takes}; usually {option.default or 'none'}."
        lines += textwrap.wrap(text, 100, initial_indent=" " * 4, subsequent_indent=" " * (width + 6))
    return "\n".join(lines)


def _seats(game: Game) -> str:
    least, most = game.seats
    if least == most:
        return str(least)
    return f"{f'{least} or more' if most is None else f'{least} to {most}'}, usually {game.default_players}"
