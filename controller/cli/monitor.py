"""``stonelight monitor``: every cell of a board with its raw value, what it reads, its noise and its age, live."""

import argparse
import shutil
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from controller.cli.files import why
from controller.cli.profiles import read_profile
from controller.cli.status import DONE, FAILED, UsageError
from hardware.ports import DeviceError
from hardware.profile import Profile, ProfileError

HOME_AND_CLEAR: Final = "\x1b[H\x1b[2J"
"""Begins a picture on an empty screen (ECMA-48: CUP, ED)."""
HOME: Final = "\x1b[H"
CLEAR_LINE_END: Final = "\x1b[K"
CLEAR_BELOW: Final = "\x1b[J"
HIDE_CURSOR: Final = "\x1b[?25l"
SHOW_CURSOR: Final = "\x1b[?25h"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the board, or where play is running."""
    parser.add_argument("--board", metavar="FILE", help="read this board itself; nothing may be played on it meanwhile")
    parser.add_argument("--sim", action="store_true", help="with --board: a simulated one, on which stones come and go")
    parser.add_argument("--once", action="store_true", help="print the table once and leave")
    parser.add_argument(
        "--http-port", metavar="N", type=int, default=8000, help="without --board: port of a running game's page"
    )


def run(args: argparse.Namespace) -> int:
    """Watch until Ctrl-C, drawing over the last picture where the output is a terminal."""
    try:
        if args.board is None:
            if args.sim:
                raise UsageError("--sim needs --board: a file, or the name of a profile that comes along")
            print(_running(args.http_port), end="")
            return DONE
        return _watch(read_profile(args.board), simulated=args.sim, once=args.once)
    except (DeviceError, ProfileError) as error:
        print(f"stonelight: {error}", file=sys.stderr)
        return FAILED


def _running(port: int) -> str:
    """Return the table of a running game, which has the board to itself."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/monitor", timeout=5) as answer:
            text: str = answer.read().decode()
    except (OSError, ValueError) as error:
        reason = why(getattr(error, "reason", error))
        raise DeviceError(
            f"no game answers on port {port} ({reason}): name its page's port with --http-port, or the board to read "
            "with --board"
        ) from error
    return text


def _watch(profile: Profile, *, simulated: bool, once: bool) -> int:
    from controller.bench.monitor import watch
    from controller.bench.road import Road
    from controller.cli.bench_roads import real_road

    if simulated:
        from controller.bench.simulated_hands import lively_road

        road: Road = lively_road(profile)
    else:
        road = real_road(profile)
    live = sys.stdout.isatty() and not once
    try:
        with _screen(live=live):
            for moment in watch(profile, road, shutil.get_terminal_size().columns):
                if once and moment.table is not None:
                    print(moment.table, end="")
                    return DONE
                if live and moment.table is not None:
                    rows = moment.table.replace("\n", f"{CLEAR_LINE_END}\n")
                    print(f"{HOME}{rows}Ctrl-C ends.{CLEAR_LINE_END}{CLEAR_BELOW}", end="", flush=True)
                if not live and not once:
                    for line in moment.changed:
                        print(line, flush=True)
    except KeyboardInterrupt:
        return DONE
    finally:
        road.close()
    return DONE


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
