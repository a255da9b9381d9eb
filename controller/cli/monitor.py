"""``stonelight monitor``: every cell of a board with its raw value, its band, its noise and its age, live."""

import argparse
import shutil
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Final

from controller.cli.profiles import add_board, add_port, check_port, read_profile, simulation_note
from controller.cli.signals import ended_as_by_ctrl_c
from controller.cli.status import DONE, FAILED, UsageError
from controller.cli.words import add_page_port, check_page_port
from hardware.ports import DeviceError
from hardware.profile import Profile, ProfileError

if TYPE_CHECKING:
    from controller.bench.monitor import Moment
    from controller.bench.road import Road

HOME_AND_CLEAR: Final = "\x1b[H\x1b[2J"
"""Begins a picture on an empty screen (ECMA-48: CUP, ED)."""
HOME: Final = "\x1b[H"
CLEAR_LINE_END: Final = "\x1b[K"
CLEAR_BELOW: Final = "\x1b[J"
HIDE_CURSOR: Final = "\x1b[?25l"
SHOW_CURSOR: Final = "\x1b[?25h"
COMPLETE_MS: Final = 1000
"""A table that is printed once waits no longer for raw values: not every board has them."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the board, or where play is running."""
    add_board(parser, "read this board itself, on which nothing may be played meanwhile")
    add_port(parser)
    parser.add_argument("--sim", action="store_true", help="with --board: a simulated one, on which stones come and go")
    parser.add_argument("--once", action="store_true", help="print the table once and leave")
    add_page_port(parser, "without --board, where a game is running")


def run(args: argparse.Namespace) -> int:
    """Watch until Ctrl-C or SIGTERM, drawing over the last picture where the output is a terminal."""
    if args.board is None and args.sim:
        raise UsageError("--sim needs --board: a file, or the name of a profile that comes along")
    if args.board is None and args.port is not None:
        raise UsageError(f"--port {args.port}: say which board is there with --board; the page's port is --http-port")
    check_page_port(args.http_port)
    try:
        with ended_as_by_ctrl_c(), closing(_moments(args)) as moments:
            _show(moments, once=args.once, note="" if args.board is None else simulation_note(args.board))
    except KeyboardInterrupt:
        return DONE
    except (DeviceError, ProfileError) as error:
        print(f"stonelight: {error}", file=sys.stderr)
        return FAILED
    return DONE


def _moments(args: argparse.Namespace) -> Generator["Moment", None, None]:
    """Watch the board that is named, or that of a running game, which has it to itself."""
    from controller.bench.monitor import watch, watch_game

    width = shutil.get_terminal_size().columns
    if args.board is None:
        yield from watch_game(args.http_port, width)
        return
    profile = read_profile(args.board)
    check_port(args.port, profile, simulated=args.sim)
    road = _road(profile, args.port, simulated=args.sim)
    try:
        yield from watch(profile, road, width)
    finally:
        road.close()


def _road(profile: Profile, port: str | None, *, simulated: bool) -> "Road":
    if simulated:
        from controller.bench.simulated_hands import lively_road

        return lively_road(profile)
    from controller.cli.bench_roads import real_road

    return real_road(profile, port)


def _show(moments: Iterable["Moment"], *, once: bool, note: str) -> None:
    """Print tables over each other, or what changes line by line, or one table as soon as it is complete.

    Args:
        moments: what is to be shown.
        once: whether one table is enough.
        note: what to say below a table that covers all that was said before; empty for nothing.
    """
    below = f"{note}{CLEAR_LINE_END}\n" if note else ""
    live = sys.stdout.isatty() and not once
    with _screen(live=live):
        for moment in moments:
            if once and moment.table is not None and (moment.known or moment.now >= COMPLETE_MS):
                print(moment.table, end="")
                return
            if live and moment.table is not None:
                rows = moment.table.replace("\n", f"{CLEAR_LINE_END}\n")
                print(f"{HOME}{rows}{below}Ctrl-C ends.{CLEAR_LINE_END}{CLEAR_BELOW}", end="", flush=True)
            if not live and not once:
                for line in moment.changed:
                    print(line, flush=True)


@contextmanager
def _screen(*, live: bool) -> Iterator[None]:
    """While a live table is shown the cursor is hidden; afterwards the last picture stays."""
    if not live:
        yield
        return
    print(HIDE_CURSOR + HOME_AND_CLEAR, end="", flush=True)
    try:
        yield
    finally:
        print(SHOW_CURSOR, flush=True)
