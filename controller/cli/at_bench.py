"""The person at this terminal, as the bench commands ask and hear them."""

import os
import select
import sys
from collections.abc import Callable
from typing import Final

from controller.bench.person import SKIP, Question, Request, StoppedError

QUIT = frozenset({"q", "quit"})
SHORT = {"s": SKIP}
TEND_S: Final = 0.05
"""Between two words to the board while somebody thinks; it takes 1.5 s of silence for an end."""


class AtTerminal:
    """Somebody who reads and types lines.

    Args:
        source: the file descriptor to read from; the standard input unless given.
        tend: called again and again while an answer is awaited.
    """

    def __init__(self, source: int | None = None, tend: Callable[[], None] = lambda: None) -> None:
        self._source = sys.stdin.fileno() if source is None else source
        self._tend = tend
        self._typed = b""
        self._ended = False

    def tell(self, words: str) -> None:
        """Print it."""
        print(words, flush=True)

    def ask(self, question: Question) -> str:
        """Print the question and wait for a line.

        Raises:
            StoppedError: the line is ``q``, or there are no more.
        """
        print(f"{question.words} ", end="", flush=True)
        line = self._line(wait=True)
        assert line is not None
        return line or question.default

    def request(self, request: Request) -> None:
        """Print what is to be done. What was typed before it is forgotten."""
        while self._line(wait=False) is not None:
            pass
        print(request.words, flush=True)

    def heard(self) -> str:
        """Return a line that was typed meanwhile; ``s`` is short for `SKIP`."""
        line = self._line(wait=False)
        return "" if line is None else SHORT.get(line, line)

    def _awaited(self) -> bool:
        """Wait until there is something to read."""
        while not select.select([self._source], [], [], TEND_S)[0]:
            self._tend()
        return True

    def _line(self, *, wait: bool) -> str | None:
        """Return the next line; None where there is none yet and nobody waits.

        Raises:
            StoppedError: it is ``q``, or the input has ended.
        """
        while b"\n" not in self._typed:
            if self._ended or not (self._awaited() if wait else select.select([self._source], [], [], 0)[0]):
                break
            more = os.read(self._source, 4096)
            self._ended = not more
            self._typed += more
        if b"\n" not in self._typed:
            if not self._ended:
                return None
            raise StoppedError
        line, _, self._typed = self._typed.partition(b"\n")
        word = line.decode(errors="replace").strip()
        if word.lower() in QUIT:
            raise StoppedError
        return word
