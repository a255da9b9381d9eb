"""``stonelight dump``: what passes between controller and micro-controller, as text, live or from a capture."""

import argparse
import contextlib
import stat
import sys
from io import FileIO
from pathlib import Path
from typing import Final

from controller.app.listening import listen_in
from controller.cli.files import read_bytes, why
from controller.cli.signals import ended_as_by_ctrl_c
from controller.cli.status import DONE, FAILED, UsageError
from controller.cli.words import some
from hardware.ports import LinkNews
from hardware.wire_dump import FROM_CONTROLLER, FROM_DEVICE, Dump, dump_capture, trace_rows

LONGEST_S: Final = 10_000_000
"""Some months."""


class _UnwritableError(Exception):
    """What passed cannot be printed or kept. An OSError itself would be taken for trouble with the port.

    Attributes:
        error: why not.
        kept: the file of ``--save``, where that is the one; None: the output.
    """

    def __init__(self, error: OSError, kept: Path | None = None) -> None:
        super().__init__(str(error))
        self.error = error
        self.kept = kept


class _Capture:
    """The file of ``--save``. It is made when something passes, and all that has passed is in it at any moment."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: FileIO | None = None

    def keep(self, text: str) -> None:
        """Write more.

        Raises:
            _UnwritableError: it cannot be written.
        """
        if not text:
            return
        try:
            if self._file is None:
                # Never emptied: whatever may have come there since it was looked at stays.
                self._file = self._path.open("ab", buffering=0)
            left = text.encode("ascii")
            while left:
                left = left[self._file.write(left) :]
        except OSError as error:
            raise _UnwritableError(error, self._path) from error

    def close(self) -> None:
        """Let go of it."""
        if self._file is not None:
            self._file.close()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the capture, or the port."""
    parser.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        help="a capture: the bytes as they are, or what --save or pyserial's spy:// wrote; - for the input",
    )
    parser.add_argument(
        "--port",
        metavar="PORT",
        type=some("--port", "give a path such as /dev/ttyACM1, or 'auto' to look for the board"),
        help="listen there instead, playing the controller's part; 'auto' looks for the board",
    )
    parser.add_argument(
        "--save",
        metavar="FILE",
        type=some("--save", "name a file, or leave it out"),
        help="with --port: also keep all that passes in this new file",
    )
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
        if unwritable.kept is None and isinstance(unwritable.error, BrokenPipeError):
            raise unwritable.error from unwritable
        what = "what passes" if unwritable.kept is None else f"the file of --save, {unwritable.kept},"
        print(f"stonelight: {what} cannot be written: {why(unwritable.error)}", file=sys.stderr)
        return FAILED
    except OSError as error:
        print(f"stonelight: {error.filename or args.port}: {error.strerror or error}", file=sys.stderr)
        return FAILED


def _captured(name: str) -> int:
    """Print what a file holds, and tell on the error output what of it is lost on us."""
    data = read_bytes(name, "a capture, as 'stonelight dump --port auto --save FILE' writes it")
    lines, strays = dump_capture(data)
    shown = 0
    for shown, line in enumerate(lines, start=1):  # noqa: B007 - how many there were
        print(line)
    sys.stdout.flush()
    file = "the input" if name == "-" else name
    if strays:
        count = f"{len(strays)} lines are" if len(strays) > 1 else "1 line is"
        which = f"the first is line {strays[0]}" if len(strays) > 1 else f"it is line {strays[0]}"
        print(f"stonelight: {file}: {count} no row of a capture and left out; {which}", file=sys.stderr)
    if not shown:
        what = "is empty" if not data else "holds no frame and no noise"
        print(f"stonelight: {file} {what}: nothing was captured in it", file=sys.stderr)
        return FAILED
    return DONE


def _free(name: str) -> Path:
    """Return the path of a file that can be written without losing what is in it.

    Raises:
        UsageError: there is something in it already, or there can be no such file.
    """
    path = Path(name)
    try:
        there = path.stat()
    except FileNotFoundError as error:
        if not path.parent.is_dir():
            raise UsageError(f"--save {name}: there is no folder {path.parent}: make it, or name another") from error
        return path
    except (OSError, ValueError) as error:
        raise UsageError(f"--save {name}: no such file can be written ({why(error)}): name another") from error
    if stat.S_ISDIR(there.st_mode):
        raise UsageError(f"--save {name}: this is a folder: name a file")
    if stat.S_ISREG(there.st_mode) and there.st_size and Path("/dev") not in path.parents:
        raise UsageError(f"--save {name}: the file is there already: remove it, or name another")
    return path


def _live(args: argparse.Namespace) -> int:
    answered = waits = False
    dumps = {direction: Dump(direction) for direction in (FROM_DEVICE, FROM_CONTROLLER)}
    kept = None if args.save is None else _Capture(_free(args.save))

    def passing(at: float, direction: str, data: bytes) -> None:
        if kept is not None:
            kept.keep("".join(f"{row}\n" for row in trace_rows(at, direction, data)))
        try:
            for line in dumps[direction].feed(data, at):
                print(line, flush=True)
        except OSError as error:
            raise _UnwritableError(error) from error

    def news(news: LinkNews) -> None:
        nonlocal answered, waits
        answered = answered or news.up
        print("the board answers" if news.up else news.why, file=sys.stderr, flush=True)
        if not news.up and not waits:
            waits = True
            end = "Ctrl-C ends it" if args.seconds is None else f"it ends after {args.seconds:g} s"
            print(f"listening goes on, in case that changes; {end}", file=sys.stderr, flush=True)

    with contextlib.suppress(KeyboardInterrupt), ended_as_by_ctrl_c():  # the usual ways to end it
        try:
            listen_in(
                None if args.port == "auto" else args.port,
                passing,
                news,
                for_ms=None if args.seconds is None else int(1000 * args.seconds),
            )
        finally:
            if kept is not None:
                kept.close()
    return DONE if answered else FAILED
