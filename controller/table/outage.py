"""What was under way when a board was lost, and how it goes on once it is heard again."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from controller.table.presses import ASIDE
from controller.table.questions import Question
from controller.turns.phases import News, Phase

RETURNS: Final[Mapping[Phase, News]] = {
    Phase.SETUP: News.RENEWED,
    Phase.WAITING: News.RESTED,
    Phase.HANDLING: News.TOUCHED,
    Phase.ASKING: News.ASKED,
    Phase.GUIDING: News.OWED,
    Phase.MENDING: News.STRAYED,
    Phase.OVER: News.ENDED,
}
"""What leads from `Phase.OFFLINE` back to each phase."""


@dataclass(slots=True)
class Outage:
    """What was under way.

    Fields:
        phase: where the turn stood.
        question: what was asked.
        asked_in: from where that had been asked for.
        judged: whether the picture had been judged.
        strayed: whether the board was being put right after a move that was none.
        changed: whether a cell has turned out to read otherwise than before.
    """

    phase: Phase
    question: Question | None
    asked_in: Phase
    judged: bool
    strayed: bool
    changed: bool = False

    @property
    def beneath(self) -> Phase:
        """Where the turn stood, whatever was asked there."""
        return self.asked_in if self.phase is Phase.ASKING else self.phase

    @property
    def aside(self) -> Question | None:
        """The question, where buttons had asked for it: it is not about what lies on the board."""
        asked = self.question if self.phase is Phase.ASKING else None
        return asked if asked is not None and asked.about in ASIDE else None
