"""`Picture`: what the board shows against what the game expects, from ply to ply."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from controller.games.seam import Cell, Content
from controller.recogniser.answers import Ambiguous, Answer, Mismatch, Recognised, Settled, Unfinished
from controller.recogniser.pairs import first_of_two
from controller.recogniser.prospect import Prospect
from controller.recogniser.reading import mismatch, prospect_of, read
from controller.recogniser.watch import Watch
from controller.table.declaring import Declarations
from controller.table.round import Ply, Round
from hardware.ports import UNKNOWN, Millis, Sensing, Snapshot, reads


@dataclass(frozen=True, slots=True)
class MovedOn:
    """The last ply was another: the stone just put down has moved on, or a colour was seen wrongly.

    Fields:
        move: the whole as one legal move from before that ply.
        sure: whether it replaces the ply at once; else the player is asked.
    """

    move: Any
    sure: bool = True


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
        first: the cells of the first of two plies at once, where the player has said which it was.
        undone: the cells that hands have to bring back since a ply was taken back by button.
        answer: what the picture means, as of the last `look`.
    """

    def __init__(self, game_round: Round, sensing: Sensing) -> None:
        self.round = game_round
        self.sensing = sensing
        self.prospect = prospect_of(game_round.rules, game_round.position, sensing)
        self.watch: Watch | None = None
        self.first: frozenset[Cell] = frozenset()
        self.undone: frozenset[Cell] = frozenset()
        self.declarations = Declarations()
        self.answer: Seen = Settled()
        self._last: _LastPly | None = None

    def begin(self, snapshot: Snapshot) -> None:
        """Take the first snapshot."""
        self.watch = Watch(snapshot.readings, self.prospect.base, snapshot.at)

    @property
    def masked(self) -> frozenset[Cell]:
        """The cells whose sensors are sick: they are taken to be as they should be."""
        return frozenset() if self.watch is None else self.watch.masked

    def mask(self, cells: Sequence[Cell]) -> None:
        """Take cells to be as they should be, whatever they read."""
        self.seen.mask({*self.masked, *cells})

    def unmask(self, cells: Collection[Cell]) -> None:
        """Take cells to be as they read again; those that are not masked stay as they are."""
        self.seen.unmask(self.masked.intersection(cells))

    @property
    def seen(self) -> Watch:
        """What was seen since the turn began. Only after `begin`."""
        assert self.watch is not None, "nothing has been sensed yet"
        return self.watch

    def enter(self, later: int = 0) -> None:
        """Start a turn at the position that stands now; `later` of the last changes belong to it already."""
        self.prospect = prospect_of(self.round.rules, self.round.position, self.sensing)
        self.seen.begin(self.prospect.base, later)
        self.declarations.clear()
        self.first = frozenset()
        self.undone = frozenset()
        self.answer = Settled()
        self._last = None

    def owe_undoing(self) -> None:
        """Remember what hands have to bring back: the ply that was just taken back still lies on the board."""
        self.undone = frozenset(self.seen.different)

    def untouched(self) -> bool:
        """Return whether hands still have to touch a cell to bring back what was taken back: no sensor is to blame."""
        return any(cell in self.seen.different and cell not in self.seen.changed for cell in self.undone)

    def enter_after(self, ply: Ply) -> None:
        """Start the turn after `ply`, whose stone may still move on."""
        before = self.prospect
        footprint = before.footprint(ply.move)
        counted = self.answer
        self.enter(counted.later if isinstance(counted, Recognised) and counted.move == ply.move else 0)
        if self.round.rules.stones:
            # A stone of a mat may have come to lie partly where it lay before.
            fresh = self.round.rules.surface == "mat"
            landed = frozenset(c for c, content in footprint.after.items() if content and (fresh or not before.base[c]))
            self._last = _LastPly(before, landed)

    def look(self) -> Seen:
        """Read the picture anew; return what it means."""
        self.answer = read(self.prospect, self.seen, self.declarations.given)
        if isinstance(self.answer, Mismatch):
            self.answer = self._moved_on() or self._corrected() or self.answer
        elif isinstance(self.answer, Unfinished) or not any(c in self.seen.emptied for c in self.seen.different):
            self.answer = self._corrected() or self.answer
        return self.answer

    def look_further(self) -> Seen:
        """Look for two plies in one picture that no single move explains: return the first of them, or the mismatch.

        This takes long where many moves are legal, so it is done once a picture is still.
        """
        if isinstance(self.answer, Mismatch):
            self.answer = first_of_two(self.prospect, self.seen, self.declarations.given, self.first) or self.answer
        return self.answer

    def wrong(self) -> Mismatch:
        """Return what is to be put right: as the answer says, else against what the board should read."""
        if isinstance(self.answer, Mismatch) and self.answer.cells:
            return self.answer
        return self.compared()

    def compared(self) -> Mismatch:
        """Return how the board differs from what it should read, whatever move the difference may make."""
        return mismatch(self.prospect, self.seen)

    def owed(self) -> bool:
        """Return whether all that differs is what the rules ask the hands to take off after the last ply."""
        owed = self._owed()
        return bool(owed) and all(cell in owed and reading for cell, reading in self.seen.different.items())

    def _owed(self) -> Mapping[Cell, Content]:
        """Return what the rules asked the hands to bring to another content after the last ply."""
        last = self.round.plies[-1] if self.round.plies else None
        return self.round.rules.footprint(last.before, last.move).aftermath if last is not None else {}

    def group_shown(self, answer: Ambiguous) -> Any:
        """Return the move whose staying group a player has shown by lifting one of its stones and putting it back."""
        shown = self.seen.shown() & set(answer.cells)
        fitting = [move for move in answer.moves if shown and not shown & set(self.prospect.footprint(move).aftermath)]
        return fitting[0] if len(fitting) == 1 else None

    def cleared(self) -> bool:
        """Return whether the board shows nothing at all, or the start of a round laid out again."""
        rules = self.round.rules
        start = [reads(content, self.sensing) for content in rules.contents(rules.initial())]
        cells = [cell for cell in range(len(start)) if cell not in self.masked]
        readings = self.seen.readings
        return not any(readings[cell] for cell in cells) or all(readings[cell] == start[cell] for cell in cells)

    def unsure(self) -> bool:
        """Return whether all that differs are readings that are not known."""
        return bool(self.seen.different) and all(reading == UNKNOWN for reading in self.seen.different.values())

    def earlier(self) -> int:
        """Return how many plies lead back to the position that the board shows; 0 for none."""
        readings = self.seen.readings
        for back, ply in enumerate(reversed(self.round.plies), start=1):
            contents = self.round.rules.contents(ply.before)
            if all(
                reads(content, self.sensing) == seen or cell in self.masked
                for cell, (content, seen) in enumerate(zip(contents, readings, strict=True))
            ):
                return back
        return 0

    def put_back(self) -> tuple[Cell, ...]:
        """Return the cells that the last ply exchanged, where just they were lifted together and filled again.

        Only where no cell can tell: it may be that the hands have undone a swap that ko forbids to make anew.
        """
        last = self.round.plies[-1] if self.round.plies else None
        rules = self.round.rules
        if last is None or self.seen.different or not rules.stones:
            return ()
        footprint = rules.footprint(last.before, last.move)
        contents = rules.contents(last.before)
        blind = all(
            reads(contents[cell], self.sensing) == reads(content, self.sensing)
            for cell, content in footprint.after.items()
        )
        exchanged = footprint.lifts if blind and not footprint.aftermath else frozenset()
        return tuple(sorted(exchanged)) if exchanged and exchanged in self.seen.together else ()

    def still_for(self, now: Millis) -> Millis:
        """Return for how long nothing has changed."""
        return now - self.seen.changed_at

    def _corrected(self) -> MovedOn | None:
        """Return the move that the last ply was if the colour of its stone was seen wrongly.

        A stone that is held over its cell, or lies askew, may read as another colour until it is put down, or straight.
        Just one cell reads another colour then. (Nor is that the half of a swap: of that, a cell would be empty.)
        """
        last, watch = self._last, self.seen
        if last is None or self.sensing is not Sensing.COLOUR or len(watch.different) != 1:
            return None
        (cell, reading), *_ = watch.different.items()
        if reading <= 0 or self.prospect.base[cell] <= 0 or cell not in last.landed:
            return None
        answer = read(last.prospect, watch.under(last.prospect.base), {})
        return MovedOn(answer.move, sure=False) if isinstance(answer, Recognised) else None

    def _moved_on(self) -> MovedOn | None:
        """Return the move that replaces the last ply, where its stone has moved on and nothing else has changed."""
        last, watch = self._last, self.seen
        if last is None:
            return None
        gone = [cell for cell, reading in watch.different.items() if reading == 0 and self.prospect.base[cell]]
        emptied = [cell for cell in gone if cell in last.landed]
        owed = self._owed()
        filled = [cell for cell in watch.different if cell not in gone and cell not in owed]
        one_stone = len(emptied) == 1 or self.round.rules.surface == "mat"
        # It lies elsewhere, or was there and has gone back to its owner, as the rules then ask.
        went = len(filled) == len(emptied) or (not filled and len(watch.visited) >= len(emptied))
        if not emptied or not one_stone or not went:
            return None
        contents = self.round.rules.contents(self.round.position)
        known = {cell: contents[cell] for cell in last.landed if cell not in emptied}
        known.update(zip(filled, (contents[cell] for cell in emptied), strict=False))
        answer = read(last.prospect, watch.retold(last.prospect.base), known)
        if not isinstance(answer, Recognised):
            return None
        # Of all else, hands may have touched just what the whole asks them to take off.
        others = {cell for cell in watch.emptied if self.prospect.base[cell]} - last.landed
        return MovedOn(answer.move) if others <= last.prospect.footprint(answer.move).aftermath.keys() else None
