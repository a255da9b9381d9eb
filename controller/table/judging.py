"""What a picture leads to, as values: the table decides here and acts elsewhere. Pure.

`on_stillness` is asked once a picture has been still for `SETTLE_MS`, `on_waiting` once nobody has done anything about
it for as long as `waits` says. What they return is carried out by `controller.table.core.Table`.
"""

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from controller.recogniser.answers import Ambiguous, Doubt, Mismatch, Recognised, Settled, Unfinished
from controller.table import diagnosis, questions
from controller.table.picture import MovedOn, Picture
from controller.table.questions import Question, question_about
from controller.turns.phases import Phase
from hardware.ports import Millis

SETTLE_MS: Final = 300
"""How long no cell may change before a picture is judged (docs/play.md, Times)."""
MEND_AFTER_MS: Final = 3000
"""How long a wrong picture may stand before the board asks for it to be put right (docs/play.md, Times)."""
CELL_AFTER_MS: Final = 3000
"""How long the board may ask in vain for cells to be put right before it asks if their sensors are sick."""


@dataclass(frozen=True, slots=True)
class Play:
    """A legal move counts. `instead`: it replaces the last ply."""

    move: Any
    instead: bool = False


@dataclass(frozen=True, slots=True)
class Pose:
    """A question is asked. `mending`: while the board is being put right."""

    question: Question
    mending: bool = False


@dataclass(frozen=True, slots=True)
class Rest:
    """The board is as it should be."""


@dataclass(frozen=True, slots=True)
class Arrange:
    """The start lies on the board."""


@dataclass(frozen=True, slots=True)
class Go:
    """The hands are on the way to a move."""


@dataclass(frozen=True, slots=True)
class Guide:
    """All that is left to do is what the rules ask for after the last ply."""


@dataclass(frozen=True, slots=True)
class Warn:
    """What lies there is no move: show what is wrong."""


@dataclass(frozen=True, slots=True)
class Mend:
    """Ask for the board to be put right."""


Act: TypeAlias = Play | Pose | Rest | Arrange | Go | Guide | Warn | Mend


def on_stillness(phase: Phase, picture: Picture, *, over: bool) -> Act | None:
    """Return what a still picture leads to; None for nothing."""
    if phase is Phase.OVER:
        # The stone that ended the round may still move on; whatever else happens to the board is nobody's business.
        moved = picture.answer
        return Play(moved.move, instead=True) if isinstance(moved, MovedOn) and moved.sure else None
    if phase is Phase.ASKING and over:
        return None
    if phase is Phase.SETUP:
        return None if picture.seen.different else Arrange()
    if phase in {Phase.GUIDING, Phase.MENDING} and picture.seen.different and picture.owed():
        return Guide() if phase is Phase.MENDING else None
    return _meaning(phase, picture, over=over)


def _meaning(phase: Phase, picture: Picture, *, over: bool) -> Act | None:
    answer = picture.answer
    if isinstance(answer, Mismatch) and not picture.earlier():
        # Plies that were put back may look like plies made: better asked than counted.
        answer = picture.look_further()
    match answer:
        case Settled() if undone := picture.put_back():
            return Pose(Question(questions.TAKEBACK, ("ok", "back"), undone, plies=1))
        case Settled():
            return Rest()
        case Recognised(move=move):
            return Play(move)
        case MovedOn(move=move, sure=True):
            return Play(move, instead=True)
        case MovedOn(move=move):
            return Pose(questions.correction(picture, move))
        case Ambiguous():
            return _doubt(answer, picture)
        case Unfinished():
            return Go() if phase in {Phase.MENDING, Phase.GUIDING} else None
        case Mismatch():
            return _refusal(picture, over=over)


def _doubt(answer: Ambiguous, picture: Picture) -> Act:
    """A tie of groups may have been answered by hand; everything else is asked."""
    if answer.about is Doubt.GROUP:
        shown = picture.group_shown(answer)
        if shown is not None:
            return Play(shown)
    return Pose(question_about(answer, picture.round.rules, picture.prospect))


def _refusal(picture: Picture, *, over: bool) -> Act:
    """Nothing legal explains the picture: an earlier position, a board cleared for a new round, or simply wrong."""
    cells = tuple(sorted(picture.seen.different))
    plies = len(picture.round.plies)
    earlier = picture.earlier()
    if not earlier and plies == 1 and picture.cleared():
        earlier = 1  # a board swept after the first ply, in a game that does not begin with an empty one
    if plies > 1 and not over and picture.cleared():
        return Pose(Question(questions.NEW_ROUND, ("ok", "back")), mending=True)
    if earlier:
        return Pose(Question(questions.TAKEBACK, ("ok", "back"), cells, plies=earlier))
    return Warn()


def waits(phase: Phase, picture: Picture, *, warned: bool, asked: bool) -> Millis | None:
    """Return how long after the last change `on_waiting` is to be asked; None where waiting changes nothing.

    Args:
        phase: where the turn stands.
        picture: what the board shows.
        warned: whether what is wrong is shown.
        asked: whether a question is open.
    """
    answer = picture.answer
    if phase is Phase.HANDLING:
        likely = isinstance(answer, Unfinished) and answer.likely is not None
        return MEND_AFTER_MS if likely or isinstance(answer, Mismatch) or picture.unsure() else None
    if phase is Phase.GUIDING:
        return MEND_AFTER_MS if warned else None
    return CELL_AFTER_MS if phase is Phase.MENDING and not asked else None


def on_insisting(phase: Phase, picture: Picture) -> Act | None:
    """Return what it leads to when people say that all is done of which the board asks for more; None for nothing.

    Only they know where a sensor is to blame that could as well be right: a cell under a stone that seems to be lifted,
    or one that still reads full once it has been cleared.
    """
    if phase not in {Phase.SETUP, Phase.HANDLING, Phase.GUIDING, Phase.MENDING}:
        return None
    cells = diagnosis.doubted(picture)
    return Pose(Question(questions.CELL, ("ok", "back"), cells)) if cells else None


def on_waiting(phase: Phase, picture: Picture) -> Act | None:
    """Return what a picture leads to about which nobody has done anything for as long as `waits` says."""
    answer = picture.answer
    if phase is Phase.MENDING:
        sick = diagnosis.sick(picture)
        return Pose(Question(questions.CELL, ("ok", "back"), sick)) if sick else None
    if isinstance(answer, Unfinished) and answer.likely is not None:
        return Play(answer.likely)
    return Mend()
