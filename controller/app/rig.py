"""A rig: a table with a source and lamps, real or simulated. `Rig.step` is the whole of one turn of the loop."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from controller.app.caution import Caution
from controller.games.seam import AnyRules, Cell
from controller.lighting.mood import IDLE_MS, Mood
from controller.table.core import Table
from controller.table.health import Health
from controller.table.recorder import Recorder, Span
from controller.turns.phases import Phase
from hardware.ports import ButtonPress, CellChange, DeviceError, Lamps, LinkNews, Millis, Sensed, Source
from simulator.supply import feed
from simulator.tabletop import Tabletop

HINT_TWICE_MS: Final = 1000
"""Within how long the hint button must be pressed again to step the brightness."""
LAMPS_RETRY_MS: Final = 1000
"""How long lamps that failed are left alone."""

_log = logging.getLogger(__name__)


BROWNOUT: Final = "The board starts anew whenever it is lit brightly: it is lit half as bright now"
"""What people are told where the supply is too weak for the lights."""


@dataclass(slots=True)
class Rig:
    """Everything that one board needs, joined.

    Fields:
        table: the game.
        source: where readings and presses come from.
        lamps: where frames go.
        top: the simulated board beneath; None on a real one.
        levels: whether the raw values behind the readings are levels, and not contacts that open and close.
        recorder: notes what reaches the table.
        mood: how bright the lights are.
        health: how each cell is.
        oriented: called once people have confirmed how the board lies.
        off: shuts the computer down; called once the board is dark, where people have asked for it.
        feeds: whether the simulated supply is told each frame here; not where it sees what the pixels really show.
    """

    table: Table
    source: Source
    lamps: Lamps
    top: Tabletop | None = None
    levels: bool = False
    recorder: Recorder = field(default_factory=Recorder, init=False)
    mood: Mood = field(default_factory=Mood, init=False)
    oriented: Callable[[], None] | None = field(default=None, init=False)
    off: Callable[[], None] | None = field(default=None, init=False)
    feeds: bool = field(default=True, init=False)
    _rules: AnyRules | None = field(default=None, init=False)
    _lamps_rest_until: Millis = field(default=0, init=False)
    _lamps_failed: bool = field(default=False, init=False)
    _covered_at: int = field(default=-1, init=False)
    _stirred: tuple[int, Millis] = field(default=(-1, 0), init=False)
    _hinted: Millis = field(default=-HINT_TWICE_MS, init=False)
    _share: float = field(default=1.0, init=False)
    _caution: Caution = field(default_factory=Caution, init=False)
    health: Health = field(init=False)

    def __post_init__(self) -> None:
        self.health = Health(len(self.table.rules.cells))

    def step(self, now: Millis) -> None:
        """Take what is there, let the table judge, show the lights. Never waits."""
        if self.top is not None:
            self.top.advance(now)
        sensed = self.source.poll(now)
        table, recorder = self.table, self.recorder
        self._note_rest(now)
        if sensed:
            recorder.sensed(sensed, now)
            table.take(sensed, now)
            for item in sensed:
                self._hear(item, now)
        else:
            before = table.changes
            table.advance(now)
            if table.changes != before:
                recorder.advanced(now)
        self._note_round(now)
        if table.phase is Phase.MENDING or self.health.any_wrong:
            self.health.wrong(table.picture.wrong().cells if table.phase is Phase.MENDING else (), now)
        self._light(now)
        # What the next change needs is thought out now, while the lights already show the last one.
        table.prospect.prepare()

    def press(self, button: str, now: Millis) -> None:
        """Take a button that was pressed in a page."""
        self.recorder.pressed(button, now)
        self.table.press(button, now)
        self._hear_button(button, now)
        self._note_round(now)

    def touch(self, cell: Cell, now: Millis) -> None:
        """Take a cell that was touched in a page."""
        self.recorder.touched(cell, now)
        self.table.touch(cell, now)

    def _hear(self, item: Sensed, now: Millis) -> None:
        """Take what concerns the board and not the game."""
        match item:
            case CellChange():
                self.health.change(item.cell, item.at)
            case ButtonPress():
                self._hear_button(item.button, now)
            case LinkNews(up=False):
                self._caution.lost(now)
            case LinkNews(powered=powered) if self._caution.back(now, powered=powered):
                self.recorder.refused(BROWNOUT, now)
                self.table.refuse(BROWNOUT, now)

    def _hear_button(self, button: str, now: Millis) -> None:
        """Two presses of the hint button within a second step the brightness: every board can do that."""
        if button != "hint":
            return
        if now - self._hinted < HINT_TWICE_MS:
            self.mood = self.mood.stepped()
            self._hinted = now - HINT_TWICE_MS
        else:
            self._hinted = now

    def _dim(self, now: Millis) -> None:
        """Light as bright as people have chosen, and lower while nobody does anything."""
        if self.table.changes != self._stirred[0]:
            self._stirred = (self.table.changes, now)
        share = self._caution.share * self.mood.share(idle=now - self._stirred[1] >= IDLE_MS)
        if share != self._share:
            self._share = share
            self.lamps.dim(share)

    def _note_rest(self, now: Millis) -> None:
        """Begin a span of the recording where the last is long enough and nothing is under way."""
        table = self.table
        if not self.recorder.wants_rest(now):
            return
        watch = table.watch
        if watch is None or (table.phase is Phase.WAITING and not watch.different):
            span = Span(now, dict(table.rules.settings), [ply.token for ply in table.round.plies], None)
            if watch is not None:
                span.readings, span.masked = list(watch.readings), watch.put_by()
            span.unoriented = table.unoriented
            self.recorder.rest(span)

    def _note_round(self, now: Millis) -> None:
        """Note a round that was dealt, and the first moment at which it is known how the board lies."""
        if self.oriented is not None and not self.table.unoriented:
            tell, self.oriented = self.oriented, None
            tell()
        rules = self.table.rules
        if self._rules is not None and rules is not self._rules:
            self.recorder.dealt(rules.settings, now)
        self._rules = rules

    @property
    def leaving(self) -> bool:
        """Whether people have confirmed that the board is to be switched off."""
        return self.table.leaving

    def due(self) -> Millis | None:
        """Return when `step` is wanted next; None: only when somebody stirs."""
        awake = self._share == self._caution.share * self.mood.share(idle=False)
        dims = self._stirred[1] + IDLE_MS if awake else None
        again = self._lamps_rest_until if self._lamps_failed else None
        times = [self.source.due(), self.table.due(), None if self.top is None else self.top.due(), dims, again]
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
        self._dim(now)
        watch = self.table.watch
        if watch is not None and self.table.changes != self._covered_at:
            self._covered_at = self.table.changes
            self.lamps.cover(cell for cell, reading in enumerate(watch.readings) if reading)
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
            if self.top is not None and self.feeds:
                feed(self.top, frame, self._share)
            self._caution.shown(frame, now, self._share)
