"""Signals that ask a command to end."""

import contextlib
import signal
import threading
from collections.abc import Iterator


@contextlib.contextmanager
def ended_as_by_ctrl_c() -> Iterator[None]:
    """While this lasts, SIGTERM raises KeyboardInterrupt, as Ctrl-C does; whoever started us may have it ignored.

    Only the main thread may say what signals do; in any other nothing changes.
    """
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
