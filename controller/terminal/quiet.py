"""Keeping the log off a screen that is drawn in place."""

import contextlib
import logging
from collections import deque
from collections.abc import Callable, Iterator
from typing import Final

KEPT: Final = 500
"""Messages that are kept until the screen is given back; when more come, the oldest are let go."""


class _Aside(logging.Handler):
    """Keeps what is logged, and shows warnings to the person."""

    def __init__(self, show: Callable[[str], None]) -> None:
        super().__init__()
        self._show = show
        self.kept: deque[logging.LogRecord] = deque(maxlen=KEPT)

    def emit(self, record: logging.LogRecord) -> None:
        self.kept.append(record)
        if record.levelno >= logging.WARNING:
            self._show(record.getMessage())


@contextlib.contextmanager
def log_aside(show: Callable[[str], None]) -> Iterator[None]:
    """While a screen is drawn, keep the log; afterwards pass it on to whom it was for.

    Args:
        show: called with each warning, to show it on the screen.
    """
    root = logging.getLogger()
    before = root.handlers[:]
    aside = _Aside(show)
    root.handlers[:] = [aside]
    logging.captureWarnings(capture=True)
    try:
        yield
    finally:
        logging.captureWarnings(capture=False)
        root.handlers[:] = before
        for record in aside.kept:
            root.handle(record) if before else _last(record)


def _last(record: logging.LogRecord) -> None:
    """Pass a record on as `logging` does where nobody has asked for the log: warnings alone."""
    last = logging.lastResort
    if last is not None and record.levelno >= last.level:
        last.handle(record)
