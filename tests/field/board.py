"""A board in simulated time whose cells are changed by name."""

from collections.abc import Sequence
from typing import Any

from controller.games.seam import AnyRules, Outcome, load_game
from controller.table.core import Table
from hardware.ports import ButtonPress, CellChange, Sensing, Snapshot, reads

SENSE = {"bamogo": Sensing.COLOUR, "exago": Sensing.PRESENCE, "bambam-booboo": Sensing.PRESENCE}


class Board:
    """A table in simulated time whose cells are changed by name."""

    def __init__(
        self,
        game: str,
        position: str = "",
        *,
        sense: str = "",
        lies: str | None = None,
        plies: Sequence[str] = (),
        **settings: str,
    ) -> None:
        self.rules: AnyRules = load_game(game).rules(None, settings)
        self.sensing = Sensing(sense) if sense else SENSE.get(game, Sensing.COUNT)
        start = self.rules.parse_position(position) if position else None

        def deal(outcome: Outcome | None = None, first: int | None = None) -> AnyRules:
            return self.rules

        self.table = Table(deal, self.sensing, position=start, plies=plies)
        there = self.table.position if lies is None else self.rules.parse_position(lies)
        self.now = 1000
        readings = tuple(reads(content, self.sensing) for content in self.rules.contents(there))
        self.table.take([Snapshot(readings, self.now)], self.now)

    def do(self, deeds: str, gap: int = 60) -> "Board":
        """Do ``a1=R b1=-``, with `gap` ms after each; ``-`` lifts, ``He8=1`` lays a two-place stone."""
        for deed in deeds.split():
            name, _, what = deed.partition("=")
            content = 0 if what == "-" else self.content(what)
            changes = [CellChange(c, reads(content, self.sensing), self.now) for c in self.rules.spot(name)]
            self.table.take(changes, self.now)
            self.wait(gap)
        return self

    def content(self, what: str) -> int:
        return self.rules.stones.index(what) if self.rules.stones else int(what)

    def wait(self, span: int) -> "Board":
        end = self.now + span
        while (due := self.table.due()) is not None and due <= end:
            self.now = max(self.now, due)
            self.table.advance(self.now)
            self.table.frame(self.now)
        self.now = end
        self.table.advance(end)
        return self

    def press(self, *buttons: str) -> "Board":
        for button in buttons:
            self.table.take([ButtonPress(button, self.now)], self.now)
            self.wait(60)
        return self

    def but(self, deeds: str) -> list[int]:
        """Return the readings as they are but for ``f5=1 d4=0``."""
        assert self.table.watch is not None
        readings = list(self.table.watch.readings)
        for deed in deeds.split():
            name, _, reading = deed.partition("=")
            readings[self.rules.spot(name)[0]] = int(reading)
        return readings

    @property
    def phase(self) -> str:
        return self.table.phase.value

    @property
    def moves(self) -> list[str]:
        return [ply.token for ply in self.table.round.plies]

    @property
    def about(self) -> str | None:
        return self.table.question.about if self.table.question else None

    def heard(self, kind: str) -> list[Any]:
        return [notice for notice in self.table.notices() if notice.type == kind]
