"""`Turn`: the phase of a turn, moved by news through a `transitions.Machine`."""

import logging
from typing import ClassVar

from transitions import Machine, MachineError

from controller.turns.phases import ANY_GAME, TABLES, News, Phase, Row

_log = logging.getLogger(__name__)


def rows(game: str) -> tuple[Row, ...]:
    """Return the table of a game, by its name."""
    return TABLES.get(game, ANY_GAME)


class _Place:
    """What the machine moves: the state, and whatever else the library hangs on it."""

    def __init__(self, state: Phase) -> None:
        self.state = state


class Turn:
    """The phase of one board's turn.

    News that the table does not have in the present phase is a fault of the caller: a `MachineError` when `strict`,
    else a line in the log and no change, so that a fault of ours never stops people from playing.
    """

    strict: ClassVar[bool] = False
    """Whether news out of place raises. Tests switch it on."""

    def __init__(self, game: str, initial: Phase) -> None:
        # The machine hangs a method for each trigger on its model, which therefore is an object of its own.
        self._place = _Place(initial)
        self._machine: Machine = Machine(
            model=self._place,
            states=Phase,
            initial=initial,
            transitions=[
                {"trigger": row.news.value, "source": list(row.sources), "dest": row.target} for row in rows(game)
            ],
            auto_transitions=False,
        )

    @property
    def phase(self) -> Phase:
        """Where the turn stands."""
        return self._place.state

    def may(self, news: News) -> bool:
        """Return whether the table has `news` in the present phase."""
        event = self._machine.events.get(news.value)
        return event is not None and self.phase.name in event.transitions

    def hear(self, news: News) -> bool:
        """Take the news; return whether the phase is another than before.

        Raises:
            MachineError: the table does not have it in this phase, and `strict` is on.
        """
        if not self.may(news):
            if self.strict:
                raise MachineError(f"news {news.value!r} means nothing in phase {self.phase.value!r}")
            _log.error("news %r means nothing in phase %r", news.value, self.phase.value)
            return False
        before = self.phase
        self._machine.events[news.value].trigger(self._place)
        return self.phase is not before
