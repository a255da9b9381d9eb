"""``stonelight dump``: what passes between controller and micro-controller, as text, live or from a capture."""

import argparse
import contextlib
import sys
from pathlib import Path
from typing import Final, TextIO

from controller.app.listening import listen_in
from controller.cli.files import read_bytes, why
from controller.cli.status import DONE, FAILED, UsageError
from hardware.ports import LinkNews
from hardware.wire_dump import FROM_CONTROLLER, FROM_DEVICE, Dump, dump_capture, trace_rows

LONGEST_S: Final = 10_000_000
"""Some months."""


class _UnwritableError(Exception):
    """What passed cannot be printed or kept. An OSError itself would be taken for trouble with the port."""

    def __init__(self, error: OSError) -> None:
        super().__init__(str(error))
        self.error = error


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the capture, or the port."""
    parser.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        help="a capture: the bytes as they are, or what --save or pyserial's spy:// wrote; - for the input",
    )
    parser.add_argument(
        "--port", metavar="PORT", help="listen there instead, playing the controller's part; 'auto' looks for the board"
    )
    parser.add_argument("--save", metavar="FILE", help="with --port: also keep all that passes in this file")
    parser.add_argument("--seconds", metavar="N", type=float, help="with --port: end after so long (default: Ctrl-C)")


def run(args: argparse.Namespace) -> int:
    """Print a line for each frame and each piece of noise."""
    if (args.file is None) == (args.port is None):
        raise UsageError("dump takes either a file or --port, such as: stonelight dump --port auto")
    if args.port is None and (args.save is not None or args.seconds is not None):
        raise UsageError("--save and --seconds go with --port")
    if args.seconds is not None and not 0 < args.seconds <= LONGEST_S:
        raise UsageError(f"--seconds {args.seconds:g}: give more than 0, and at most {LONGEST_S}")
    if args.port is None:
        return _captured(args.file)
    try:
        return _live(args)
    except _UnwritableError as unwritable:
        if isinstance(unwritable.error, BrokenPipeError):
            raise unwritable.error from unwritable
        print(f"stonelight: what passes cannot be written: {why(unwritable.error)}", file=sys.stderr)
        return FAILED
    except OSError as error:
        print(f"stonelight: {error.filename or args.port}: {error.strerror or error}", file=sys.stderr)
        return FAILED


def _captured(name: str) -> int:
    for line in dump_capture(read_bytes(name, "a capture, as 'stonelight dump --port auto --save FILE' writes it")):
        print(line)
    return DONE


def _live(args: argparse.Namespace) -> int:
    answered = False
    dumps = {direction: Dump(direction) for direction in (FROM_DEVICE, FROM_CONTROLLER)}
    with contextlib.ExitStack() as stack:
        kept: TextIO | None = None
        if args.save is not None:
            kept = stack.enter_context(Path(args.save).open("w", encoding="ascii"))

        def passing(at: float, direction: str, data: bytes) -> None:
            try:
                if kept is not None:
                    kept.writelines(f"{row}\n" for row in trace_rows(at, direction, data))
                for line in dumps[direction].feed(data, at):
                    print(line, flush=True)
            except OSError as error:
                raise _UnwritableError(error) from error

        def news(news: LinkNews) -> None:
            nonlocal answered
            answered = answered or news.up
            print("the board answers" if news.up else news.why, file=sys.stderr, flush=True)

        with contextlib.suppress(KeyboardInterrupt):  # the usual way to end it
            listen_in(
                None if args.port == "auto" else args.port,
                passing,
                news,
                for_ms=None if args.seconds is None else int(1000 * args.seconds),
            )
    return DONE if answered else FAILED
