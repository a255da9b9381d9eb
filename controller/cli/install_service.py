"""``stonelight install-service``: have the system start a board by itself, watch it, and leave its port alone."""

import argparse
import shutil
import sys
from pathlib import Path

from controller.app.hosted import BoardError, hosting_for
from controller.bench.references import references
from controller.bench.service import USER, InstallError, Service, install, known_groups
from controller.cli.options import add_variant, settings_of
from controller.cli.profiles import add_board, add_port, check_port, read_profile
from controller.cli.status import DONE, FAILED, UsageError
from controller.cli.words import some
from controller.games.seam import OptionError, load_game
from hardware.profile import ProfileError, profile_names


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what is to be played where, and for whom."""
    parser.add_argument("--print", action="store_true", help="print the files and where they go; write nothing")
    parser.add_argument("--game", metavar="NAME", default="bamogo", help="what is played (default: bamogo)")
    add_variant(parser)
    add_board(parser, "which board (default: the first that comes along for the game)")
    add_port(parser)
    parser.add_argument(
        "--user",
        metavar="NAME",
        type=some("--user", "name a user, or leave it out and the service gets its own"),
        default=USER,
        help=f"whose service it is (default: {USER}, a user of its own)",
    )
    parser.add_argument(
        "--root",
        metavar="DIR",
        type=some("--root", "name a directory, or leave it out"),
        default="/",
        help="write under this directory, for system images",
    )


def run(args: argparse.Namespace) -> int:
    """Write the files, or print them, and tell what to do next."""
    try:
        game = load_game(args.game)
    except OptionError as error:
        raise UsageError(f"--game: {error}") from error
    settings = settings_of(args)
    try:
        rules = game.rules(args.players, settings)
    except OptionError as error:
        raise UsageError(str(error)) from error
    try:
        if args.board is None:
            if args.port is not None:
                raise UsageError(f"--port {args.port}: say which board is there with --board")
            board = references(rules)[0].name
        else:
            profile = read_profile(args.board)
            check_port(args.port, profile, simulated=False)
            hosting_for(rules, profile)
            board = args.board if args.board in profile_names() else str(Path(args.board).resolve())
        players = () if args.players is None else ("--players", str(args.players))
        variant = (*players, *(word for key, value in settings.items() for word in ("--set", f"{key}={value}")))
        service = Service(_command(), args.game, board, args.user, known_groups(), args.port or "", variant)
        if args.print:
            for place, text in service.files().items():
                print(f"# ---- /{place}\n{text}")
            return DONE
        for path in install(service, Path(args.root)):
            print(f"written: {path}")
    except (BoardError, InstallError, ProfileError) as error:
        print(f"stonelight: {error}", file=sys.stderr)
        return FAILED
    print("\nNow run:")
    for step in service.next_steps():
        print(f"  {step}")
    return DONE


def _command() -> str:
    """Return the whole path of this command."""
    beside = Path(sys.executable).with_name("stonelight")
    if beside.exists():
        return str(beside)
    found = shutil.which("stonelight")
    if found is None:
        raise InstallError("the command stonelight is not installed, only run from its source: install it with pipx")
    return str(Path(found).absolute())
