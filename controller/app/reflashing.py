"""What a board is asked on its serial port before and after its firmware is renewed."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from controller.app.loop import clock
from controller.app.on_serial import converse, serial_board
from hardware import wire_messages as says
from hardware.circuitpy_drive import mounted_drives, unmounted_drive
from hardware.link_events import Can, Wanted
from hardware.ports import DeviceError, LinkNews, Millis, Sensed
from hardware.serial_board import SerialBoard

ANSWER_MS: Final = 2500
"""So long a board that runs may take to answer."""
RESTART_MS: Final = 10_000
"""So long one that restarts may take."""
DRIVE_MS: Final = 20_000
"""So long its drive may take to be mounted."""
MOUNT_MS: Final = 4000
"""So long it may take once it is in sight."""
LOOK_MS: Final = 250
"""Between two looks for the drive."""


def await_drive(
    port: str | None,
    telling: Callable[[], None],
    drives: Callable[[], list[Path]] = mounted_drives,
    clock: Callable[[], Millis] = clock,
    wait_ms: Callable[[int], None] = lambda ms: time.sleep(ms / 1000),
    *,
    unmounted: Callable[[], Path | None] = unmounted_drive,
) -> None:
    """Have a board that hides its drive show it, mounted or not.

    Args:
        port: where to ask; None to look for the board.
        telling: called once it restarts.
        drives: returns the drives that are mounted.
        clock: gives the time.
        wait_ms: waits so long.
        unmounted: returns the drive, mounted or not; a system that mounts nothing by itself is not waited for long.

    Raises:
        DeviceError: no board answers, or it shows no drive; says why.
    """
    board = serial_board(Wanted(), port)
    try:
        version, why = _answer(board, ANSWER_MS, clock)
        hello = board.link.hello
        if version is None or hello is None:
            raise DeviceError(why)
        if Can.DRIVE not in hello.can:
            raise DeviceError(f"the board {hello.board!r} answers, and is none that shows a drive when it is asked to")
        _restart(board, says.RESTART_DRIVE, clock)
    finally:
        board.close()
    telling()
    until = clock() + DRIVE_MS
    while not drives():
        if unmounted() is not None:
            until = min(until, clock() + MOUNT_MS)
        if clock() >= until:
            if unmounted() is None:
                raise DeviceError("the board has restarted, and its drive does not come: press its reset and try again")
            return
        wait_ms(LOOK_MS)


def check_port(port: str, clock: Callable[[], Millis] = clock) -> None:
    """See that a port can be opened and stays open; whether a board answers there is not asked.

    Raises:
        DeviceError: it does not; says why.
    """
    board = serial_board(Wanted(), port)

    def heard(sensed: list[Sensed]) -> bool:
        news = [each for each in sensed if isinstance(each, LinkNews) and not each.up]
        if news and board.plug.channel is None:
            raise DeviceError(news[-1].why)
        return bool(news) or board.link.hello is not None

    try:
        converse(board, heard, ANSWER_MS, clock)  # that nobody listens at a socket shows only when it is read
    finally:
        board.close()


def await_firmware(port: str | None, clock: Callable[[], Millis] = clock) -> tuple[str | None, str]:
    """Have a board restart, and hear which firmware it runs then.

    Returns:
        The version, or None where no board answers; then why not.
    """
    board = serial_board(Wanted(), port)
    try:
        version, why = _answer(board, ANSWER_MS, clock)
        if version is None:
            return None, why
        _restart(board, says.RESTART_PLAIN, clock)
        return _answer(board, RESTART_MS, clock)
    finally:
        board.close()


def _restart(board: SerialBoard, mode: int, clock: Callable[[], Millis]) -> None:
    """Ask for it until the session is over: then it has been heard."""
    board.link.restart(clock(), mode)
    converse(board, lambda sensed: any(isinstance(each, LinkNews) and not each.up for each in sensed), ANSWER_MS, clock)


def _answer(board: SerialBoard, for_ms: int, clock: Callable[[], Millis]) -> tuple[str | None, str]:
    """Return the version that answers, or None and the last reason why nothing does."""
    why = "nothing answers"

    def heard(sensed: list[Sensed]) -> bool:
        nonlocal why
        for each in sensed:
            if isinstance(each, LinkNews) and not each.up:
                why = each.why
        return board.link.hello is not None

    found = converse(board, heard, for_ms, clock)
    hello = board.link.hello
    return (hello.firmware, "") if found and hello is not None else (None, why)
