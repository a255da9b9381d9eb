"""``stonelight bug-report``: write one file with which a fault of a running board can be looked into."""

import argparse
import http.client
import sys
from pathlib import Path

from controller.cli.files import why
from controller.cli.status import DONE, FAILED, UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare where play is running and where the file goes."""
    parser.add_argument("--http-port", metavar="N", type=int, default=8000, help="port of the page (default: 8000)")
    parser.add_argument(
        "-o", "--output", metavar="FILE", default="stonelight-report.jsonl", help="the file to write; - for the output"
    )


def run(args: argparse.Namespace) -> int:
    """Ask the running game for its recording and write it down."""
    if not 0 < args.http_port <= 65535:
        raise UsageError(f"--http-port {args.http_port}: a port is a number from 1 to 65535")
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
        raise UsageError(f"{args.output} cannot be written: {error.strerror}") from error
    print(f"{args.output}: {len(body)} bytes. Play it again with: stonelight rehearse {args.output}")
    return DONE
