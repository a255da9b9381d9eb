"""A round in progress: the plies that stand, and the positions between them."""

from dataclasses import dataclass
from typing import Any, Final

from controller.games.seam import AnyRules, Event, Outcome

RESIGNED: Final = "resigned"
"""The reason of an outcome that no rule gives: the other player gave the round up."""


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
        resigned: the player who has given the round up; None for nobody.
    """

    def __init__(self, rules: AnyRules, start: Any) -> None:
        self.rules = rules
        self.start = start
        self.plies: list[Ply] = []
        self.resigned: int | None = None

    @property
    def position(self) -> Any:
        """The position that stands."""
        return self.plies[-1].after if self.plies else self.start

    @property
    def outcome(self) -> Outcome | None:
        """How the round ended, by the rules or because a player of two has given it up; None while it goes on."""
        if self.resigned is not None:
            return Outcome(3 - self.resigned, RESIGNED)
        return self.rules.outcome(self.position)

    def restart(self, rules: AnyRules) -> None:
        """Begin a new round under `rules`, from their start."""
        self.resigned = None
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
        self.resigned = None

    def resign(self, player: int) -> None:
        """Let a player give the round up, which the other one wins.

        Raises:
            ValueError: there are not two players, this is none of them, or the round has ended.
        """
        if self.rules.players != 2 or player not in {1, 2} or self.outcome is not None:
            raise ValueError(f"player {player} of {self.rules.players} cannot resign")
        self.resigned = player
