"""A round in progress: the plies that stand, and the positions between them."""

from dataclasses import dataclass
from typing import Any

from controller.games.seam import AnyRules, Event


@dataclass(frozen=True, slots=True)
class Ply:
    """One player's turn, as it was played.

    Fields:
        move: the move, of the game's own type.
        token: its text.
        player: who played it.
        before, after: the positions around it.
        events: what a player saw happen.
    """

    move: Any
    token: str
    player: int
    before: Any
    after: Any
    events: tuple[Event, ...]


class Round:
    """The plies of the present round that stand.

    Fields:
        rules: what is played.
        start: the position before the first ply.
        plies: oldest first.
    """

    def __init__(self, rules: AnyRules, start: Any) -> None:
        self.rules = rules
        self.start = start
        self.plies: list[Ply] = []

    @property
    def position(self) -> Any:
        """The position that stands."""
        return self.plies[-1].after if self.plies else self.start

    def restart(self, rules: AnyRules) -> None:
        """Begin a new round under `rules`, from their start."""
        self.rules = rules
        self.start = rules.initial()
        self.plies = []

    def play(self, move: Any) -> Ply:
        """Add a legal move; return the ply.

        Raises:
            IllegalMoveError: the rules forbid it here.
        """
        before = self.position
        after, events = self.rules.apply(before, move)
        ply = Ply(move, self.rules.move_text(move), self.rules.to_move(before), before, after, events)
        self.plies.append(ply)
        return ply

    def take_back(self, plies: int) -> None:
        """Take the last plies back: from 1 to as many as stand."""
        if not 1 <= plies <= len(self.plies):
            raise ValueError(f"{plies} plies cannot be taken back: {len(self.plies)} stand")
        del self.plies[-plies:]
