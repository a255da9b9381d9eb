"""A rig: a table with a source and lamps, real or simulated. `Rig.step` is the whole of one turn of the loop."""

import logging
from dataclasses import dataclass, field
from typing import Final

from controller.table.core import Table
from hardware.ports import DeviceError, Lamps, Millis, Source
from simulator.tabletop import Tabletop

LAMPS_RETRY_MS: Final = 1000
"""How long lamps that failed are left alone."""

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Rig:
    """Everything that one board needs, joined.

    Fields:
        table: the game.
        source: where readings and presses come from.
        lamps: where frames go.
        top: the simulated board beneath; None on a real one.
    """

    table: Table
    source: Source
    lamps: Lamps
    top: Tabletop | None = None
    _lamps_rest_until: Millis = field(default=0, init=False)
    _lamps_failed: bool = field(default=False, init=False)

    def step(self, now: Millis) -> None:
        """Take what is there, let the table judge, show the lights. Never waits."""
        if self.top is not None:
            self.top.advance(now)
        sensed = self.source.poll(now)
        if sensed:
            self.table.take(sensed, now)
        else:
            self.table.advance(now)
        self._light(now)

    def due(self) -> Millis | None:
        """Return when `step` is wanted next; None: only when somebody stirs."""
        times = [self.source.due(), self.table.due(), None if self.top is None else self.top.due()]
        return min((time for time in times if time is not None), default=None)

    def close(self) -> None:
        """All dark, and let go of the devices. Twice is fine."""
        try:
            self.lamps.close()
        finally:
            self.source.close()

    def _light(self, now: Millis) -> None:
        """Show the frame; lamps that fail never stop play."""
        frame = self.table.frame(now)
        if now < self._lamps_rest_until:
            return
        try:
            self.lamps.show(frame)
        except DeviceError as error:
            self._lamps_rest_until = now + LAMPS_RETRY_MS
            if not self._lamps_failed:
                _log.warning("no light: %s", error)
            self._lamps_failed = True
        else:
            self._lamps_failed = False
