"""`Dealer`: gives the rules of each round, with the player who begins it."""

import random
from collections.abc import Mapping
from typing import Final

from controller.games.seam import AnyRules, Game, Outcome

DRAWN: Final = frozenset({"bamogo"})
"""Games in which the beginner is drawn by lot each round; in the others the winner of the last round begins."""


class Dealer:
    """Deals the rounds of one match.

    Player 1 begins the first round, or the player drawn by lot where the game draws. Later the winner of the last round
    begins, or, after a draw, the next seat after the last beginner; a round that was given up is begun again by whoever
    began it. Where ``first`` is among the settings, that player begins every round.

    Args:
        game: what is played.
        players: how many; as usual for the game unless given.
        settings: option values that differ from the defaults.
        dice: what lots are drawn with.

    Raises:
        OptionError: as `Game.rules`.
    """

    def __init__(self, game: Game, players: int | None, settings: Mapping[str, str], dice: random.Random) -> None:
        self._game = game
        self._settings = dict(settings)
        self._dice = dice
        self._fixed = "first" in settings
        self._last: int | None = None
        self.players: Final = game.rules(players, settings).players

    def __call__(self, outcome: Outcome | None = None, first: int | None = None) -> AnyRules:
        """Return the rules of the next round.

        Args:
            outcome: how the last round ended; None before the first, or where it was given up.
            first: who begins, where people have said so; a game in which that cannot be chosen begins as usual.
        """
        if not any(option.key == "first" for option in self._game.options):
            return self._game.rules(self.players, self._settings)
        if first is not None:
            self._last = first
            return self._game.rules(self.players, {**self._settings, "first": str(first)})
        if self._fixed:
            return self._game.rules(self.players, self._settings)
        self._last = self._beginner(outcome)
        return self._game.rules(self.players, {**self._settings, "first": str(self._last)})

    def _beginner(self, outcome: Outcome | None) -> int:
        if self._game.name in DRAWN:
            return self._dice.randint(1, self.players)
        if self._last is None:
            return 1
        if outcome is None:
            return self._last
        if outcome.winner is None:
            return self._last % self.players + 1
        return outcome.winner
