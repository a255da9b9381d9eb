"""Words and numbers that several commands take alike: no word may be empty, and a page's port is one that there is."""

import argparse
from collections.abc import Callable
from typing import Final

from controller.cli.status import UsageError

PAGE_PORT: Final = 8000
"""The port of the page unless another is named."""
LAST_PORT: Final = 65535
"""Ports are numbers of 16 bits (RFC 9293)."""


def some(option: str, advice: str) -> Callable[[str], str]:
    """Return what reads a word that may not be empty, as the type of an argument.

    Args:
        option: how the argument is called.
        advice: what to do where it is empty, as in a script whose variable has no value.

    Returns:
        A function that returns the word as it is, or raises UsageError.
    """

    def read(word: str) -> str:
        if not word.strip():
            raise UsageError(f"{option} is empty: {advice}")
        return word

    return read


def add_page_port(parser: argparse.ArgumentParser, use: str = "") -> None:
    """Declare ``--http-port``, of a page that is there or is to be there.

    Args:
        parser: the command's.
        use: when it counts, for the help.
    """
    when = f"{use}: " if use else ""
    parser.add_argument(
        "--http-port",
        metavar="N",
        type=int,
        default=PAGE_PORT,
        help=f"{when}port of the page (default: {PAGE_PORT})",
    )


def check_page_port(port: int) -> None:
    """See that a page can be on that port.

    Raises:
        UsageError: there is no such port.
    """
    if not 0 < port <= LAST_PORT:
        raise UsageError(f"--http-port {port}: a port is a number from 1 to {LAST_PORT}")
