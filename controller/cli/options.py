"""Arguments that several commands share: which game, for how many, with which options."""

import argparse

from controller.cli.status import UsageError
from controller.games.seam import AnyRules, Game, OptionError, game_names, load_game


def add_game(parser: argparse.ArgumentParser) -> None:
    """Declare the name of a game."""
    parser.add_argument("game", metavar="GAME", help="name of the game, as `stonelight games` lists it")


def add_variant(parser: argparse.ArgumentParser) -> None:
    """Declare ``--players`` and ``--set``."""
    parser.add_argument("--players", metavar="N", type=int, help="how many play (default: as usual for the game)")
    parser.add_argument(
        "--set",
        metavar="KEY=VALUE",
        dest="settings",
        action="append",
        default=[],
        help="an option of the game; may be repeated, the last value of a key counts",
    )


def game_of(args: argparse.Namespace) -> Game:
    """Return the game that the arguments name.

    Raises:
        UsageError: there is none of that name.
    """
    try:
        return load_game(args.game)
    except OptionError as error:
        from controller.cli.profiles import is_board  # slow to import, and only this needs it

        if "board" in args and is_board(args.game):
            raise UsageError(
                f"{args.game} is a board; say the game first, one of {', '.join(game_names())}: "
                f"stonelight play GAME --board {args.game}"
            ) from error
        raise UsageError(str(error)) from error


def settings_of(args: argparse.Namespace) -> dict[str, str]:
    """Return the option values given with ``--set``.

    Raises:
        UsageError: one is not of the form key=value.
    """
    settings = {}
    for item in args.settings:
        key, equals, value = item.partition("=")
        if not (key and equals):
            raise UsageError(f"--set {item}: write key=value, such as --set first=2")
        settings[key] = value
    return settings


def rules_of(args: argparse.Namespace) -> AnyRules:
    """Return the rules that the arguments ask for.

    Raises:
        UsageError: no such game, option or value, or it is not for so many.
    """
    try:
        return game_of(args).rules(args.players, settings_of(args))
    except OptionError as error:
        raise UsageError(str(error)) from error
