"""Watching the cells of a board: what they read, from which values, how noisy and since when."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from controller.bench.road import Road
from hardware.cell_log import HEADING, CellLog, reading_word
from hardware.ports import Millis
from hardware.profile import Profile

SCREEN_MS: Final = 200
"""Between two pictures of the table: as fast as numbers can be read."""
GAP: Final = 3


@dataclass(frozen=True, slots=True)
class Moment:
    """What the monitor has at one moment.

    Fields:
        now: the time.
        changed: a line for each cell that reads differently, for outputs that cannot be drawn over.
        table: the whole table, at most every `SCREEN_MS`; None in between.
    """

    now: Millis
    changed: tuple[str, ...]
    table: str | None


def watch(profile: Profile, road: Road, width: int) -> Iterator[Moment]:
    """Yield what the cells of a board do, for ever; the clock of the road sets the pace.

    Args:
        profile: the board.
        road: where it is.
        width: of the screen, in letters.

    Raises:
        DeviceError: the board cannot be opened.
    """
    log, clock = CellLog(profile.cell_names()), road.clock
    columns = max(1, (width + GAP) // (len(HEADING) + GAP))
    source, values = road.sensing(profile)
    drawn: Millis | None = None
    begun = clock.now()
    try:
        while True:
            now = clock.now()
            changed = log.take(source.poll(now))
            raws = values()
            log.take_raw(raws)
            table = None
            if drawn is None or now - drawn >= SCREEN_MS:
                drawn, table = now, log.text(now, columns)
            names = profile.cell_names()
            yield Moment(
                now,
                tuple(
                    f"{(now - begun) / 1000:9.3f} s  {names[cell]:<5} "
                    f"raw {raws[cell] if raws else '-':>5}  {reading_word(log.reading(cell))}"
                    for cell in changed
                ),
                table,
            )
            due = source.due()
            clock.wait(max(1, (now + SCREEN_MS if due is None else min(due, now + SCREEN_MS)) - now))
    finally:
        source.close()
