"""``stonelight lights``: how bright a running board is lit, and in which colours."""

import argparse
import json
import sys
from typing import Any

from controller.bench.dark import darken
from controller.cli.files import why
from controller.cli.profiles import BOARD_ADVICE, read_profile
from controller.cli.status import DONE, FAILED, UsageError
from controller.cli.words import add_page_port, check_page_port, some
from hardware.currents import fed_by_usb
from hardware.ports import DeviceError
from hardware.profile import ProfileError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be chosen, and where play is running."""
    left_out = "give a value, or leave it out"
    parser.add_argument("--brightness", metavar="PERCENT", type=some("--brightness", left_out), help="1 to 100")
    parser.add_argument("--night", choices=("on", "off"), help="as low as the lights go")
    parser.add_argument(
        "--palette",
        metavar="NAME",
        type=some("--palette", left_out),
        help="standard, protan, deutan, tritan or contrast",
    )
    add_page_port(parser)
    parser.add_argument(
        "--off",
        action="store_true",
        help="make the pixels of --board dark, on a Pi's own pins; nothing may be played on it",
    )
    parser.add_argument(
        "--board",
        metavar="FILE",
        type=some("--board", BOARD_ADVICE),
        help="with --off: profile of the board",
    )


def run(args: argparse.Namespace) -> int:
    """Send each choice to the running game; without any, say what is chosen. With ``--off`` make a board dark."""
    if args.off:
        return _off(args)
    if args.board is not None:
        raise UsageError("--board goes with --off; brightness, night and palette are a running game's")
    check_page_port(args.http_port)
    wanted = [(name, getattr(args, name)) for name in ("brightness", "night", "palette") if getattr(args, name)]
    from websockets.exceptions import WebSocketException
    from websockets.sync.client import connect

    try:
        with connect(f"ws://127.0.0.1:{args.http_port}/live", open_timeout=5, max_size=None) as line:
            light = _next(line, "state")["light"]
            for setting, value in wanted:
                line.send(json.dumps({"type": "light", "setting": setting, "value": value}))
                answer = _next(line, "state", "error")
                if answer["type"] == "error":
                    raise UsageError(answer["message"])
                light = answer["light"]
    except (OSError, TimeoutError, WebSocketException) as error:
        print(
            f"stonelight: no game answers on port {args.http_port} ({why(error)}): "
            "start one with 'stonelight play', or name its page's port with --http-port",
            file=sys.stderr,
        )
        return FAILED
    print(f"brightness {light['brightness']} %, night {'on' if light['night'] else 'off'}, palette {light['palette']}")
    return DONE


def _off(args: argparse.Namespace) -> int:
    """Make the pixels of a board dark, as after play that ended in a crash.

    Nothing is to be done, and so nothing fails, where a micro-controller takes its lights down by itself.
    """
    if args.board is None:
        raise UsageError("--off needs --board: a file, or the name of a profile that comes along")
    try:
        profile = read_profile(args.board)
        if not darken(profile):
            dark = "unplug its USB cable" if fed_by_usb(profile) else "switch off the supply of its pixels"
            print(
                "nothing was sent: once play has ended for three seconds, the micro-controller of this board lets its "
                f"lights fade to a few that breathe, dim and white. To have it dark, {dark}."
            )
    except (DeviceError, ProfileError) as error:
        print(f"stonelight: {error}", file=sys.stderr)
        return FAILED
    return DONE


def _next(line: Any, *kinds: str) -> dict[str, Any]:
    """Return the next message of one of these kinds."""
    while True:
        message: dict[str, Any] = json.loads(line.recv(timeout=5))
        if message["type"] in kinds:
            return message
