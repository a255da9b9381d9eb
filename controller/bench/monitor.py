"""Watching the cells of a board: what they read, from which values, how noisy and since when.

`watch` reads a board itself; `watch_game` looks over the shoulder of a game that has its board to itself.
"""

import json
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from controller.bench.calibrate import STONES
from controller.bench.road import Road
from hardware.cell_log import CellLine, CellLog, bands_of, columns_in, table
from hardware.ports import DeviceError, Millis, hear_raw
from hardware.profile import Profile

SCREEN_MS: Final = 200
"""Between two pictures of the table: as fast as numbers can be read."""
GREETING_S: Final = 5
"""How long a game may take to answer."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What the monitor has at one moment.

    Fields:
        now: the time since the first.
        changed: a line for each cell that reads differently, for outputs that cannot be drawn over.
        table: the whole table, at most every `SCREEN_MS`; None in between.
        known: whether the table has the raw value of every cell.
    """

    now: Millis
    changed: tuple[str, ...]
    table: str | None
    known: bool


def watch(profile: Profile, road: Road, width: int) -> Generator[Moment, None, None]:
    """Yield what the cells of a board do, for ever; the clock of the road sets the pace.

    Args:
        profile: the board.
        road: where it is.
        width: of the screen, in letters.

    Raises:
        DeviceError: the board cannot be opened.
    """
    log = CellLog(profile.cell_names(), bands_of(profile.sensing, STONES), levels=profile.levels)
    clock, columns = road.clock, columns_in(width)
    source = road.sensing(profile)
    hear_raw(source, log.take_raw)
    drawn: Millis | None = None
    begun = clock.now()
    try:
        while True:
            now = clock.now()
            changed = log.take(source.poll(now))
            text, known = None, False
            if drawn is None or now - drawn >= SCREEN_MS:
                lines = log.lines(now)
                drawn, known = now, _known(lines)
                text = table(lines, columns, trouble=log.trouble, pressed=log.pressed)
            texts = tuple(_told(log.line(cell, now), now - begun) for cell in changed)
            yield Moment(now - begun, texts, text, known)
            due = source.due()
            clock.wait(max(1, (now + SCREEN_MS if due is None else min(due, now + SCREEN_MS)) - now))
    finally:
        source.close()


def watch_game(port: int, width: int, clock: Callable[[], float] = time.monotonic) -> Generator[Moment, None, None]:
    """Yield what the cells of a running game do, for as long as it runs.

    Args:
        port: of its page, on this computer.
        width: of the screen, in letters.
        clock: gives the time in seconds; a table grows older while the game has nothing new.

    Raises:
        DeviceError: no game answers there, or it has ended.
    """
    from websockets.exceptions import ConnectionClosed, WebSocketException  # only this way needs them
    from websockets.sync.client import connect

    begun = clock()
    lines: list[CellLine] = []
    notes: dict[str, str] = {}
    heard = begun
    try:
        with connect(f"ws://127.0.0.1:{port}/cells", proxy=None, open_timeout=GREETING_S) as line:
            while True:
                changed: Sequence[CellLine] = ()
                try:
                    told = _read(line.recv(timeout=SCREEN_MS / 1000))
                except TimeoutError:
                    told = None
                now = clock()
                if told is not None:
                    heard, before, (lines, notes) = now, {each.name: each.band for each in lines}, told
                    changed = [each for each in lines if before.get(each.name) != each.band]
                aged = [_older(each, round((now - heard) * 1000)) for each in lines]
                columns = columns_in(width, marked=any(each.mark for each in lines))
                since = round((now - begun) * 1000)
                texts = tuple(_told(each, since) for each in changed)
                yield Moment(since, texts, table(aged, columns, **notes) if lines else None, _known(lines))
    except ConnectionClosed as error:
        raise DeviceError(f"the game on port {port} has ended") from error
    except DeviceError:
        raise
    except (OSError, WebSocketException) as error:
        why = getattr(error, "strerror", None) or error
        raise DeviceError(
            f"no game answers on port {port} ({why}): name its page's port with --http-port, or the board to read with "
            "--board"
        ) from error


def _read(text: str | bytes) -> tuple[list[CellLine], dict[str, str]]:
    """Return the cells of a message of a running game, and its words on trouble and buttons."""
    told: dict[str, Any] = json.loads(text)
    if told["type"] == "error":
        raise DeviceError(told["message"])
    return [CellLine(**fields) for fields in told["cells"]], {name: told[name] for name in ("trouble", "pressed")}


def _told(line: CellLine, since: Millis) -> str:
    """Return what a cell reads from now on, `since` the start."""
    raw = "-" if line.raw is None else line.raw
    return f"{since / 1000:9.3f} s  {line.name:<5} raw {raw:>5}  {line.band}"


def _known(lines: Sequence[CellLine]) -> bool:
    return bool(lines) and all(line.raw is not None for line in lines)


def _older(line: CellLine, ms: Millis) -> CellLine:
    return line if line.age_ms is None else replace(line, age_ms=line.age_ms + ms)
