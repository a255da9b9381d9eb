"""``stonelight play``: play a game on a real board, or on a simulated one in the browser or at the terminal."""

import argparse
import asyncio
import os
import random
import sys

from controller.app.at_terminal import Streams, play_at_terminal
from controller.app.hosted import BoardError
from controller.app.play import Serving, play, real_rig
from controller.app.rig import Rig
from controller.app.simulated import CombinationError, Via, sensing_of, simulated_rig
from controller.cli.options import add_game, add_variant, game_of, settings_of
from controller.cli.profiles import read_profile
from controller.cli.status import DONE, FAILED, UsageError
from controller.cli.words import LAST_PORT, PAGE_PORT
from controller.games.seam import AnyRules, OptionError
from controller.match import Dealer
from controller.page.server import ServeError
from hardware.ports import DeviceError
from hardware.profile import Profile, ProfileError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the game and its variant, the board and the page."""
    add_game(parser)
    add_variant(parser)
    parser.add_argument(
        "--sense",
        metavar="KIND",
        choices=("presence", "colour", "count"),
        help="what the cells of the simulated board can tell: presence (through simulated pins), colour or count",
    )
    parser.add_argument(
        "--wire",
        action="store_true",
        help="let a simulated micro-controller read the cells: its firmware runs here, behind a pseudo-terminal",
    )
    parser.add_argument(
        "--board", metavar="FILE", help="profile of a real board: a file, or the name of one that comes along"
    )
    parser.add_argument(
        "--port",
        metavar="PORT",
        help="where the board's micro-controller is, such as /dev/ttyACM1 or socket://host:port (default: looked for); "
        "the page's port is --http-port",
    )
    parser.add_argument(
        "--terminal",
        action="store_true",
        help="play at this terminal: type moves, see the board; a page is then served only with --http-port",
    )
    parser.add_argument("--http-port", metavar="N", type=int, help=f"port of the page (default: {PAGE_PORT})")
    parser.add_argument(
        "--host",
        metavar="ADDRESS",
        default="0.0.0.0",  # noqa: S104 - a phone on the same network is meant to reach the page
        help="address to serve the page on (default: all; 127.0.0.1 for this computer alone)",
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")
    parser.add_argument("--seed", metavar="N", type=int, help="make the draw of who begins repeatable")


def run(args: argparse.Namespace) -> int:
    """Play until Ctrl-C or a signal; what goes wrong is said in one line."""
    if args.http_port is not None and not 0 <= args.http_port <= LAST_PORT:
        raise UsageError(f"--http-port {args.http_port}: a port is a number from 0 to {LAST_PORT}")
    game = game_of(args)
    try:
        dealer = Dealer(game, args.players, settings_of(args), random.Random(args.seed))
    except OptionError as error:
        raise UsageError(str(error)) from error
    port = PAGE_PORT if args.http_port is None else args.http_port
    serving = Serving(args.host, port, browser=not args.no_browser, verbose=args.verbose)
    try:
        streams = _streams() if args.terminal else None
        rig, where = _rig(args, dealer, game.rules(args.players, settings_of(args)))

        if streams is not None:
            page = serving if args.http_port is not None else None
            dice = random.Random(args.seed)
            asyncio.run(play_at_terminal(rig, game, streams, serving=page, dice=dice, board=args.board))
            return _left(rig)

        def ready(addresses: list[str]) -> None:
            print(f"{game.title}, {where}. To play, open:")
            for number, address in enumerate(addresses):
                print(address if number == 0 else f"{address}   (from a phone on the same network)")
            print("Ctrl-C ends.", flush=True)

        asyncio.run(play(rig, game.title, serving, ready, board=args.board))
        return _left(rig)
    except (BoardError, DeviceError, ServeError) as error:
        print(f"stonelight: {error}", file=sys.stderr)
        return FAILED


def _left(rig: Rig) -> int:
    """Return the exit status after play; first shut the computer down where people at the board have asked for it."""
    if rig.table.leaving and rig.off is not None:
        rig.off()
    return DONE


def _streams() -> Streams:
    """Return this process's own terminal, pipes or files.

    Raises:
        UsageError: the process was started without them.
    """
    if None in (sys.__stdin__, sys.__stdout__, sys.__stderr__):
        raise UsageError("--terminal needs an input and an output, and one of them is closed")
    sys.stdout.flush()
    encoding = sys.stdout.encoding or "utf-8"
    return Streams(sys.stdin.fileno(), sys.stdout.fileno(), sys.stderr.fileno(), os.environ, encoding)


def _rig(args: argparse.Namespace, dealer: Dealer, rules: AnyRules) -> tuple[Rig, str]:
    """Return the rig that the arguments ask for, and where it is in words."""
    if args.board is None and args.port is not None:
        raise UsageError(f"--port {args.port}: say which board is there with --board; the page's port is --http-port")
    if args.board is not None and args.wire:
        raise UsageError("--wire simulates a board, and --board says which real one is there: leave one of them out")
    if args.board is not None:
        profile = _profile(args.board)
        if args.port is not None and profile.host != "pico":
            raise UsageError(
                f"--port {args.port}: the board {profile.name} has no micro-controller, so leave --port out; the port "
                "of the page is --http-port"
            )
        if args.sense is not None and args.sense != profile.sensing.value:
            raise UsageError(f"--sense {args.sense}: this board senses {profile.sensing.value}; leave --sense out")
        played = profile.for_stones(len(rules.stones) - 1)
        where = f"on the board {profile.title!r}"
        if played is not profile:
            where += f", by presence: its cells tell {profile.max_colours} colours, and the game has more"
        return real_rig(dealer, played, args.port), where
    # Presence is played through the pins, so that it exercises the drivers of a real board.
    sense = args.sense or "presence"
    via = Via.WIRE if args.wire else Via.PINS if sense == "presence" else Via.MEMORY
    try:
        rig = simulated_rig(dealer, sensing_of(rules, sense, via), via)
    except CombinationError as error:
        raise UsageError(str(error)) from error
    through = " and tells of it through a wire" if args.wire else ""
    return rig, f"on a simulated board that senses {sense}{through}"


def _profile(name: str) -> Profile:
    try:
        return read_profile(name)
    except ProfileError as error:
        raise BoardError(str(error)) from error
