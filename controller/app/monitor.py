"""`CellMonitor`: the cells of a running game as the monitor page sees them.

What cells read is logged all along, a few steps for each change. Raw values are asked of the board when the first page
looks, and no more when the last one has gone.
"""

from collections.abc import Callable
from typing import Any, Final

from controller.app.rig import Rig
from controller.page.desk import Heard
from controller.table import questions
from controller.table.declaring import COLOURS
from hardware.cell_log import CellLog, LoggedSource, bands_of
from hardware.ports import Millis

MASKED: Final = "masked"
"""The mark of a cell without which play goes on."""
SICK: Final = "sick"
"""The mark of a cell about whose sensor the board asks."""


class CellMonitor:
    """The cells of one rig, for all pages that look at them: a `controller.page.desk.Shown`.

    Args:
        rig: the board. It gets another source, so make this before it steps.
        title: how the game is called.
        clock: gives the time of the rig.
        wake: makes the loop take a step.
    """

    def __init__(self, rig: Rig, title: str, clock: Callable[[], Millis], wake: Callable[[], None]) -> None:
        rules = rig.table.rules
        stones = {letter: colour for colour, letter in COLOURS.items()}
        bands = bands_of(rig.table.sensing, [stones.get(stone, stone) for stone in rules.stones[1:]])
        self._log = CellLog([cell.name for cell in rules.cells], bands, levels=rig.levels)
        rig.source = self._source = LoggedSource(rig.source, self._log)
        self._rig = rig
        self._title = title
        self._clock = clock
        self._wake = wake
        self._hearers: dict[object, Heard] = {}
        self._told = (0, 0)
        self._stale = False

    def state(self) -> dict[str, Any]:
        """Return what the monitor shows; see docs/page.md."""
        self._stale = False
        return {
            "title": self._title,
            "trouble": self._log.trouble,
            "pressed": self._log.pressed,
            "cells": [line.as_json() for line in self._log.lines(self._clock(), self._marks())],
        }

    def watch(self, heard: Heard) -> Callable[[], None]:
        """Call `heard` at the first change after each `state`, and have raw values told; return what ends that."""
        key = object()
        self._hearers[key] = heard
        if len(self._hearers) == 1:
            self._look(closely=True)

        def end() -> None:
            if self._hearers.pop(key, None) is not None and not self._hearers:
                self._look(closely=False)

        return end

    def stepped(self) -> None:
        """Tell the pages, if there are any, that the last step has changed something."""
        if not self._hearers or self._stale:
            return
        now = (self._log.version, self._rig.table.changes)
        if now == self._told:
            return
        self._told = now
        self._stale = True
        for heard in list(self._hearers.values()):
            heard(True)  # noqa: FBT003 - the page's own signature

    def _look(self, *, closely: bool) -> None:
        self._source.look(closely=closely)
        self._stale = False
        self._wake()

    def _marks(self) -> dict[int, str]:
        table = self._rig.table
        question = table.question
        sick = question.cells if question is not None and question.about == questions.CELL else ()
        return {**dict.fromkeys(sick, SICK), **dict.fromkeys(table.picture.masked, MASKED)}
