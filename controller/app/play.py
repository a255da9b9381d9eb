"""Playing in real time: a rig, its loop and its page, until somebody says stop."""

import asyncio
import contextlib
import logging
import os
import signal
import subprocess
import sys
import time
import webbrowser
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final

from controller.app.desk import TableDesk
from controller.app.hosted import hosted, hosting_for
from controller.app.loop import Loop, clock
from controller.app.monitor import CellMonitor
from controller.app.notify import READY, STOPPING, Supervisor
from controller.app.oriented import is_oriented, remember_oriented
from controller.app.report import report
from controller.app.rig import Rig
from controller.page.server import PageServer
from controller.table.core import Deal, Table
from hardware.ports import DeviceError, Lamps, Source
from hardware.profile import Profile, profile_text

_log = logging.getLogger(__name__)

STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What ends play: all lights go dark first."""


@dataclass(frozen=True, slots=True)
class Serving:
    """How the page is served.

    Fields:
        host: address to listen on.
        port: port to listen on; 0 for any free one.
        browser: whether to open a browser on this computer where there is a screen.
        verbose: whether to log each request.
    """

    host: str
    port: int
    browser: bool
    verbose: bool = False


def real_rig(deal: Deal, profile: Profile, port: str | None = None) -> Rig:
    """Return a rig on the real board that `profile` describes: on this computer's pins, or on a serial port.

    Args:
        deal: gives the rules of each round.
        profile: the board.
        port: where its micro-controller is, a path or URL; None to look for it. Only for boards that have one.

    Raises:
        BoardError: the board has not the cells of this game.
        DeviceError: its pins, pixels or port cannot be had.
    """
    track = profile.lamps.track.count if profile.lamps.track else 0
    table = Table(deal, profile.sensing, track=track, orient=not is_oriented(profile))
    hosting = hosting_for(table.rules, profile)
    rig = Rig(table, *hosted(*_opened(profile, port), hosting), levels=profile.levels)
    rig.off = lambda: switch_off(profile)
    if table.unoriented:
        rig.oriented = lambda: remember_oriented(profile)
    return rig


def switch_off(profile: Profile) -> None:
    """Shut the computer down, as people at the board have confirmed.

    Raises:
        DeviceError: it cannot be; says why and what to do.
    """
    command = profile.power.command
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=20)  # noqa: S603 - the profile's own
    except (OSError, subprocess.SubprocessError) as error:
        raise DeviceError(
            f"the computer could not be shut down by {' '.join(command)!r} ({error}): see that this user may do so, "
            "or change 'command' under [power]"
        ) from error


def _opened(profile: Profile, port: str | None) -> tuple[Source, Lamps]:
    """Open the board; the libraries of the other kinds are not loaded."""
    if profile.host == "pico":
        from controller.app.on_serial import open_serial

        return open_serial(profile, port)
    from hardware.opening import open_board

    os.environ.setdefault("BLINKA_SKIP_DEPENDENCY_CHECK", "1")  # Blinka would offer to install packages
    return open_board(profile, wait=lambda us: time.sleep(us / 1_000_000))


def page_texts(rig: Rig, board: str | None) -> dict[str, Callable[[], str]]:
    """Return the plain texts that go with the page of a rig.

    Args:
        rig: the board.
        board: the name of its profile; None on a simulated board.
    """
    try:
        text = None if board is None else profile_text(board)
    except (OSError, UnicodeDecodeError) as error:
        text = f"it cannot be read: {error}"
    return {"report": lambda: report(rig, board, text)}


async def play(
    rig: Rig, title: str, serving: Serving, ready: Callable[[list[str]], None], *, board: str | None = None
) -> None:
    """Play until a signal ends it; the board is dark and let go of afterwards, whatever happens.

    Args:
        rig: the board. It is closed here.
        title: how the game is called.
        serving: how the page is served.
        ready: told the page's addresses once it can be opened.
        board: the name of its profile; None on a simulated board.

    Raises:
        ServeError: the page cannot be served there.
    """
    stop = asyncio.Event()
    running = asyncio.get_running_loop()
    supervisor = Supervisor(os.environ)
    try:
        for number in STOP_SIGNALS:
            running.add_signal_handler(number, stop.set)
        texts = page_texts(rig, board)
        loop = Loop(rig)
        desk = TableDesk(rig, title, clock, loop.wake)
        monitor = CellMonitor(rig, title, clock, loop.wake)
        loop.listeners += [desk.stepped, monitor.stepped]
        rig.step(clock())
        async with PageServer(
            desk, serving.host, serving.port, verbose=serving.verbose, texts=texts, monitor=monitor
        ) as server:
            ready(server.addresses)
            supervisor.say(READY)
            if serving.browser:
                _open_browser(server.addresses[0])
            beats = (supervisor.beat(),) if supervisor.watches else ()
            await _until(stop, loop.run(), server.wait(), *beats)
            supervisor.say(STOPPING)
            rig.lamps.close()
    finally:
        for number in STOP_SIGNALS:
            running.remove_signal_handler(number)
        rig.close()


async def _until(stop: asyncio.Event, *work: Coroutine[Any, Any, None]) -> None:
    """Run `work` until `stop` is set or a part of it ends; raise what made it end."""
    tasks = [asyncio.ensure_future(part) for part in work]
    stopping = asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait((stopping, *tasks), return_when=asyncio.FIRST_COMPLETED)
    finally:
        stopping.cancel()
        for task in tasks:
            task.cancel()
    for task in tasks:
        with contextlib.suppress(asyncio.CancelledError):
            await task


def _open_browser(address: str) -> None:
    """Open a browser where there is a screen; a terminal's browser would take the terminal."""
    screen = sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if screen:
        try:
            webbrowser.open(address)
        except (OSError, webbrowser.Error) as error:
            _log.info("no browser could be opened: %s", error)
