"""``stonelight bug-report``: write one file with which a fault of a running board can be looked into."""

import argparse
import http.client
import stat
import sys
from pathlib import Path

from controller.cli.files import why
from controller.cli.status import DONE, FAILED, UsageError
from controller.cli.words import add_page_port, check_page_port, some


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare where play is running and where the file goes."""
    add_page_port(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=some("--output", "name a file, or leave it out"),
        default="stonelight-report.jsonl",
        help="the file to write, in place of an earlier report; - for the output (default: stonelight-report.jsonl)",
    )


def run(args: argparse.Namespace) -> int:
    """Ask the running game for its recording and write it down."""
    check_page_port(args.http_port)
    if args.output != "-":
        _check_output(args.output)
    connection = http.client.HTTPConnection("127.0.0.1", args.http_port, timeout=10)
    try:
        connection.request("GET", "/report")
        response = connection.getresponse()
        body = response.read()
    except (OSError, http.client.HTTPException) as error:
        print(
            f"stonelight: no game answers on port {args.http_port} ({why(error)}): "
            "start one with 'stonelight play', or name its page's port with --http-port",
            file=sys.stderr,
        )
        return FAILED
    finally:
        connection.close()
    if response.status != http.client.OK:
        print(f"stonelight: what answers on port {args.http_port} is no game of Stonelight", file=sys.stderr)
        return FAILED
    if args.output == "-":
        sys.stdout.write(body.decode())
        return DONE
    try:
        Path(args.output).write_bytes(body)
    except OSError as error:
        raise UsageError(f"{args.output} cannot be written: {why(error)}") from error
    print(f"{args.output}: {len(body)} bytes. Play it again with: stonelight rehearse {args.output}")
    return DONE


def _check_output(name: str) -> None:
    """See that nothing but an earlier report is replaced.

    Raises:
        UsageError: the file is something else, or there can be none.
    """
    path = Path(name)
    try:
        there = path.stat()
        begins = _beginning(path) if stat.S_ISREG(there.st_mode) else b""
    except FileNotFoundError:
        return
    except (OSError, ValueError) as error:
        raise UsageError(f"{name} cannot be written: {why(error)}") from error
    if not begins:
        return
    from controller.rehearse.report import is_report  # slow to import, and seldom needed

    if not is_report(begins.decode("utf-8", "replace")):
        raise UsageError(f"{name} is there already and is no report: name another file with --output")


def _beginning(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(100)
