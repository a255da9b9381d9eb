"""Opening a board behind a serial port in real time: found, greeted and heard, or one error that says why."""

import logging
import random
import select
from collections.abc import Callable
from typing import Final

from controller.app.loop import clock
from hardware.link import Link, Stage
from hardware.link_events import Can, Settings, Wanted
from hardware.ports import DeviceError, LinkNews, Millis, Sensed, Snapshot
from hardware.profile_model import Profile
from hardware.serial_board import SerialBoard, SerialLamps, wanted_by
from hardware.serial_finding import Search
from hardware.serial_plug import Plug

PATIENCE_MS: Final = 6000
"""So long a board may take: one that has just been plugged in starts for two or three seconds."""
SAY_MS: Final = 1000
"""After so long without an answer people are told that it is waited for."""
LOOK_MS: Final = 250
"""The longest wait between two looks at a board that is waited for."""

_log = logging.getLogger(__name__)


def open_serial(profile: Profile, port: str | None = None) -> tuple[SerialBoard, SerialLamps]:
    """Return the cells and pixels of the board that `profile` describes, once they answer.

    Args:
        profile: a profile whose host is a micro-controller.
        port: a path or URL of pyserial; None to look for it on USB.

    Raises:
        DeviceError: there is no such port, it may not be opened, nothing answers, or another board does; says which,
            and what to do. Nothing stays open.
    """
    board = serial_board(wanted_by(profile), port)
    try:
        await_cells(board)
    except BaseException:
        board.close()
        raise
    hello = board.link.hello
    if hello is not None:
        if hello.board != profile.name:
            _log.warning(
                "the board on %s was set up as %r, and the profile is %r: where cells are not where they should be, "
                "run 'stonelight flash' with this profile",
                board.plug.where,
                hello.board,
                profile.name,
            )
        if Can.SETTINGS in hello.can and hello.settings != (pace := pace_of(profile)):
            board.link.configure(clock(), pace)  # a profile may have changed since its board was flashed
    return board, SerialLamps(profile.chain(), board)


def pace_of(profile: Profile) -> Settings:
    """Return how a profile has its micro-controller scan. Pits have more patience of their own, set when flashed."""
    pace = profile.pace()
    agree_ms = Settings().agree_ms if profile.cells.driver == "mux" else pace.agree_ms
    return Settings(pace.quiet_ms, pace.busy_ms, pace.samples, agree_ms)


def serial_board(wanted: Wanted, port: str | None = None) -> SerialBoard:
    """Return the way to a board on that port, or on any; nothing is opened before it is polled."""
    return SerialBoard(Link(wanted, nonce=random.getrandbits(32)), Plug(Search(port)))


def await_cells(board: SerialBoard, clock: Callable[[], Millis] = clock) -> None:
    """Wait until the board has told its cells; what it tells from its session on is told again by its next `poll`.

    Args:
        board: one that has not been polled yet.
        clock: gives the time.

    Raises:
        DeviceError: it does not, and says why.
    """
    told: list[Sensed] = []
    why = ""
    began = clock()
    was_open = said = False

    def heard(sensed: list[Sensed]) -> bool:
        nonlocal why, was_open, said
        was_open = was_open or board.plug.channel is not None
        if not said and clock() - began >= SAY_MS:
            said = True
            _log.warning("waiting for the board to answer on %s", board.plug.where or "its port")
        for each in sensed:
            told.append(each)
            if isinstance(each, LinkNews):
                why = each.why
                if each.up:
                    told[:] = [each]  # what came before it is over
        # A port that was open and is gone belongs to a board that starts anew: it comes back by itself.
        if why and ((board.plug.channel is None and not was_open) or board.link.stage is Stage.REFUSED):
            raise DeviceError(why)
        return any(isinstance(each, Snapshot) for each in sensed)

    if not converse(board, heard, PATIENCE_MS, clock):
        raise DeviceError(
            why or "the board answers, but does not tell its cells: press its reset, or run 'stonelight flash'"
        )
    board.unread(told)


def converse(
    board: SerialBoard, heard: Callable[[list[Sensed]], bool], for_ms: int | None, clock: Callable[[], Millis] = clock
) -> bool:
    """Carry a board's bytes, waiting for them, until what it tells is enough.

    Args:
        board: the board.
        heard: told, after each look, what is new (perhaps nothing); True ends it.
        for_ms: when to give up; None: never.
        clock: gives the time.

    Returns:
        Whether it was enough.
    """
    began = clock()
    while True:
        now = clock()
        if heard([*board.poll(now)]):
            return True
        if for_ms is not None and now - began >= for_ms:
            return False
        due, channel = board.due(), board.plug.channel
        wait = LOOK_MS if due is None else max(0, min(due - clock(), LOOK_MS))
        fds = [] if channel is None or channel.fd is None else [channel.fd]
        select.select(fds, [], [], wait / 1000)
