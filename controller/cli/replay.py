"""``stonelight replay``: play a record through and show every position."""

import argparse
import json
import sys
from collections.abc import Iterator

from controller.cli.files import read_bytes
from controller.cli.status import DONE, FAILED
from controller.games.replay import Line, fault, plain, replay


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the file and ``--json``."""
    parser.add_argument("file", metavar="FILE", help="the record; - reads it from the input")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line, for programs")


def run(args: argparse.Namespace) -> int:
    """Print each position up to the end or the first fault; a fault makes the exit status 1."""
    status = DONE
    for line in _lines(read_bytes(args.file, "a record")):
        if args.json:
            print(json.dumps(line))
        elif "error" not in line:
            print(plain(line))
        else:
            sys.stdout.flush()
            print(f"stonelight: {args.file}: {_where(line)}{line['error']}", file=sys.stderr)
        if "error" in line:
            status = FAILED
    return status


def _lines(record: bytes) -> Iterator[Line]:
    try:
        text = record.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = record.count(b"\n", 0, error.start) + 1
        yield fault(f"the record is not UTF-8 text: line {line} has a byte that cannot be read; save it as UTF-8")
        return
    yield from replay(text)


def _where(line: Line) -> str:
    return "" if line["ply"] is None else f"ply {line['ply']}{' (' + line['move'] + ')' if line['move'] else ''}: "
