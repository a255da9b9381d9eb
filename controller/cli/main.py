"""Reading the command line, and what becomes of errors on the way out."""

import argparse
import contextlib
import errno
import io
import logging
import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NoReturn

from controller.cli.commands import COMMANDS, Command, CommandModule
from controller.cli.status import DONE, FAILED, INTERRUPTED, UNHEARD, USAGE, UsageError

HINT: Final = "To play at once, with or without a board: stonelight play bamogo"


class _Version(argparse.Action):
    """Print the version, looked up only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        # Slow to import, and only this needs it.
        from importlib.metadata import PackageNotFoundError, version

        try:
            known = version("stonelight")
        except PackageNotFoundError:
            known = "(not installed: run from its source)"
        print(f"stonelight {known}")
        parser.exit(DONE)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status.

    Args:
        argv: the words after the program's name; those of this process unless given.
    """
    words = sys.argv[1:] if argv is None else list(argv)
    with _standard_streams():
        if isinstance(sys.stdout, io.TextIOWrapper):
            # A letter that the terminal cannot show becomes a question mark, not an error.
            sys.stdout.reconfigure(errors="replace")
        try:
            status = _run(words)
            sys.stdout.flush()
        except UsageError as error:
            print(f"stonelight: {error}", file=sys.stderr)
            return USAGE
        except KeyboardInterrupt:
            return INTERRUPTED
        except BrokenPipeError:
            _discard_output()
            return UNHEARD
        except OSError as error:
            if error.errno != errno.ENOSPC or error.filename is not None:
                raise
            _discard_output()
            print(f"stonelight: the output cannot be written: {error.strerror}", file=sys.stderr)
            return FAILED
        return status


@contextlib.contextmanager
def _standard_streams() -> Iterator[None]:
    """Give the process nothing to read, and nowhere to write, in place of what it was started without.

    Print would fail there, and what is meant for the error output would get into the other.
    """
    with contextlib.ExitStack() as stack:
        for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
            if getattr(sys, name) is None:
                setattr(sys, name, stack.enter_context(Path(os.devnull).open(mode, encoding="utf-8")))
                stack.callback(setattr, sys, name, None)
        yield


def _run(words: Sequence[str]) -> int:
    parser, sub = _parser(words)
    try:
        args, strays = parser.parse_known_args(words)
        if strays and args.command is None:
            parser.error(f"unknown: {' '.join(strays)}")
    except SystemExit as left:  # argparse has said why: help was asked for, or a word is wrong
        return left.code if isinstance(left.code, int) else USAGE
    if strays:
        raise UsageError(_stray(args, strays[0], re.findall(r"--[a-z-]+", sub.format_usage())))
    if args.command is None:
        parser.print_help()
        print(f"\n{HINT}")
        return DONE
    command = next(command for command in COMMANDS if command.name == args.command)
    with _logging(verbose=args.verbose):
        return _load(command).run(args)


def _stray(args: argparse.Namespace, word: str, options: Sequence[str]) -> str:
    """Return what to say of a word that the command, which has these options, does not take."""
    # Only this needs them.
    import difflib

    from controller.cli.profiles import is_board

    command = f"stonelight {args.command}"
    if "board" in args and is_board(word):
        return f"{word}: say which board with --board: {command} {_game(args)}--board {word}"
    near = difflib.get_close_matches(word.partition("=")[0], options, n=1)
    advice = f"did you mean {near[0]}?" if near else f"leave it out, or see '{command} --help'"
    return f"'{command}' takes no {word}: {advice}"


def _game(args: argparse.Namespace) -> str:
    return f"{args.game} " if args.command == "play" else ""


def _load(command: Command) -> CommandModule:
    """Return the command's module.

    Raises:
        UsageError: this system has not what the command needs.
    """
    if command.unix and os.name != "posix":
        raise UsageError(
            f"'stonelight {command.name}' needs Linux or macOS; on Windows use WSL, the Windows Subsystem for Linux"
        )
    return command.load()


def _parser(words: Sequence[str]) -> tuple[argparse.ArgumentParser, argparse.ArgumentParser]:
    """Return the parser, and that of the command that `words` name: it alone is loaded; without one the first."""
    own = parser = argparse.ArgumentParser(
        prog="stonelight",
        description="Plays board games with you on a board that senses its stones, or on a simulated one.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and leave")
    parser.add_argument("--verbose", action="store_true", help="tell on the error output what goes on inside")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    named = next((word for word in words if not word.startswith("-")), None)
    for command in COMMANDS:
        sub = commands.add_parser(command.name, help=command.help, description=f"{command.help.capitalize()}.")
        # Left out means: as said before the command's name.
        sub.add_argument("--verbose", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
        sub.register("type", int, whole_number)
        sub.register("type", float, number)
        if command.name == named:
            _load(command).add_arguments(sub)
            own = sub
    return parser, own


def whole_number(text: str) -> int:
    """Return the number that was typed.

    Raises:
        argparse.ArgumentTypeError: it is none; argparse says then to which argument it was given.
    """
    try:
        return int(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number: write it in digits, such as 8") from error


def number(text: str) -> float:
    """Return the number that was typed. Raises as `whole_number`."""
    try:
        return float(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no number: write it in digits, such as 1.5") from error


@contextlib.contextmanager
def _logging(*, verbose: bool) -> Iterator[None]:
    """While a command runs: with `verbose` every message of the log goes to the error output, else only warnings."""
    if not verbose:
        yield
        return
    root = logging.getLogger()
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        root.setLevel(level)
        root.removeHandler(handler)


def _discard_output() -> None:
    """Let buffered output go nowhere: its reader has gone, as ``head`` does, and the flush at exit would fail again."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
