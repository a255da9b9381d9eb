"""`Picture`: what the board shows against what the game expects, from ply to ply."""

from dataclasses import dataclass
from typing import Any, TypeAlias

from controller.games.seam import Cell
from controller.recogniser.answers import Answer, Mismatch, Recognised, Settled
from controller.recogniser.prospect import Prospect
from controller.recogniser.reading import mismatch, prospect_of, read
from controller.recogniser.watch import Watch
from controller.table.declaring import Declarations
from controller.table.round import Ply, Round
from hardware.ports import Millis, Sensing, Snapshot, reads


@dataclass(frozen=True, slots=True)
class MovedOn:
    """The stone just put down has moved on, and the whole is one legal move from before: it replaces the ply."""

    move: Any


Seen: TypeAlias = Answer | MovedOn


@dataclass(frozen=True, slots=True)
class _LastPly:
    """What is needed to see that the stone of the last ply moves on: the prospect before it, and where it landed."""

    prospect: Prospect
    landed: frozenset[Cell]


class Picture:
    """The readings of one board, held against a round.

    Attributes:
        round: the round that is played.
        sensing: what the cells can tell.
        prospect: what may happen next.
        watch: what was seen since the turn began; None before the first snapshot.
        declarations: what the player said lies on cells that cannot tell.
        answer: what the picture means, as of the last `look`.
    """

    def __init__(self, game_round: Round, sensing: Sensing) -> None:
        self.round = game_round
        self.sensing = sensing
        self.prospect = prospect_of(game_round.rules, game_round.position, sensing)
        self.watch: Watch | None = None
        self.declarations = Declarations()
        self.answer: Seen = Settled()
        self._last: _LastPly | None = None

    def begin(self, snapshot: Snapshot) -> None:
        """Take the first snapshot."""
        self.watch = Watch(snapshot.readings, self.prospect.base, snapshot.at)

    @property
    def seen(self) -> Watch:
        """What was seen since the turn began. Only after `begin`."""
        assert self.watch is not None, "nothing has been sensed yet"
        return self.watch

    def enter(self) -> None:
        """Start a turn at the position that stands now."""
        self.prospect = prospect_of(self.round.rules, self.round.position, self.sensing)
        self.seen.begin(self.prospect.base)
        self.declarations.clear()
        self.answer = Settled()
        self._last = None

    def enter_after(self, ply: Ply) -> None:
        """Start the turn after `ply`, whose stone may still move on."""
        before = self.prospect
        footprint = before.footprint(ply.move)
        self.enter()
        if self.round.rules.stones:
            landed = frozenset(cell for cell, content in footprint.after.items() if content and not before.base[cell])
            self._last = _LastPly(before, landed)

    def look(self) -> Seen:
        """Read the picture anew; return what it means."""
        self.answer = read(self.prospect, self.seen, self.declarations.given)
        if isinstance(self.answer, Mismatch):
            self.answer = self._moved_on() or self.answer
        return self.answer

    def wrong(self) -> Mismatch:
        """Return what is to be put right: as the answer says, else against what the board should read."""
        return self.answer if isinstance(self.answer, Mismatch) else mismatch(self.prospect, self.seen)

    def compared(self) -> Mismatch:
        """Return how the board differs from what it should read, whatever move the difference may make."""
        return mismatch(self.prospect, self.seen)

    def owed(self) -> bool:
        """Return whether all that differs is what the rules ask the hands to take off after the last ply."""
        last = self.round.plies[-1] if self.round.plies else None
        if last is None:
            return False
        aftermath = self.round.rules.footprint(last.before, last.move).aftermath
        return all(cell in aftermath and reading for cell, reading in self.seen.different.items())

    def earlier(self) -> int:
        """Return how many plies lead back to the position that the board shows; 0 for none."""
        readings = self.seen.readings
        for back, ply in enumerate(reversed(self.round.plies), start=1):
            contents = self.round.rules.contents(ply.before)
            if all(reads(content, self.sensing) == seen for content, seen in zip(contents, readings, strict=True)):
                return back
        return 0

    def still_for(self, now: Millis) -> Millis:
        """Return for how long nothing has changed."""
        return now - self.seen.changed_at

    def _moved_on(self) -> MovedOn | None:
        """Return the move that replaces the last ply, where its stone has moved on and nothing else has changed."""
        last, watch = self._last, self.seen
        if last is None:
            return None
        emptied = [cell for cell, reading in watch.different.items() if reading == 0 and self.prospect.base[cell]]
        filled = [cell for cell in watch.different if cell not in emptied]
        one_stone = len(emptied) == 1 or self.round.rules.surface == "mat"
        if not emptied or not one_stone or len(filled) != len(emptied) or not last.landed.issuperset(emptied):
            return None
        contents = self.round.rules.contents(self.round.position)
        known = {cell: contents[cell] for cell in last.landed if cell not in emptied}
        known.update(zip(filled, (contents[cell] for cell in emptied), strict=True))
        whole = Watch(watch.readings, last.prospect.base, watch.changed_at)
        answer = read(last.prospect, whole, known)
        return MovedOn(answer.move) if isinstance(answer, Recognised) else None
