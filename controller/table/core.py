"""`Table`: readings, presses and the time in; phases, plies, questions and frames out.

When exactly each thing happens is in `docs/play.md`. The table answers to three calls: `take` (something was sensed),
`advance` (time has passed) and `due` (when `advance` is wanted next). `notices` and `frame` are what comes out.
"""

import logging
from collections.abc import Callable, Sequence
from typing import Any, Final

from controller.games.seam import AnyRules, Cell, Content, Outcome
from controller.lighting.glow import Glow, next_look, render
from controller.recogniser.answers import Ambiguous, Doubt, Mismatch, Recognised, Settled, Unfinished
from controller.recogniser.prospect import Prospect
from controller.recogniser.watch import Watch
from controller.table import questions, show
from controller.table.declaring import COLOURS, Declarations, RefusedError
from controller.table.notices import Notice
from controller.table.picture import MovedOn, Picture, Seen
from controller.table.questions import Question, question_about
from controller.table.round import Round
from controller.turns.machine import Turn
from controller.turns.phases import News, Phase
from hardware.ports import ButtonPress, CellChange, Frame, LinkNews, Millis, Sensed, Sensing, Snapshot

SETTLE_MS: Final = 300
"""How long no cell may change before a picture is judged (docs/play.md, Times)."""
MEND_AFTER_MS: Final = 3000
"""How long a wrong picture may stand before the board asks for it to be put right (docs/play.md, Times)."""
HINT_MS: Final = 3000
"""How long a hint is lit."""

_log = logging.getLogger(__name__)


class Table:
    """One board at which rounds of one game are played.

    Args:
        deal: gives the rules of the next round; called once at the start, with None, and for every new round with how
            the last one ended (None where it was given up).
        sensing: what the cells can tell.
        track: the number of pixels of the score track.
        position: where the first round stands; the rules' start unless given.

    Attributes:
        changes: grows whenever anything but the lights of a moving pattern may look different.
    """

    def __init__(
        self, deal: Callable[[Outcome | None], AnyRules], sensing: Sensing, *, track: int = 24, position: Any = None
    ) -> None:
        self._deal = deal
        self.sensing = sensing
        self.track_pixels = track
        rules = deal(None)
        self.round = Round(rules, rules.initial() if position is None else position)
        self.picture = Picture(self.round, sensing)
        self.turn = Turn(rules.name, Phase.SETUP)
        self.question: Question | None = None
        self.refusal = ""
        self.link_trouble = ""
        self._judged = False
        self._shown_wrong = False
        self.changes = 0
        self._notices: list[Notice] = []
        self._moments: tuple[Glow, ...] = ()
        self._glows: tuple[Glow, ...] = ()
        self._ground: Frame = bytes(3 * (len(rules.cells) + track))
        self._frame: Frame = self._ground
        self._frame_until: Millis | None = None

    # What others read -------------------------------------------------------------------------------------------------

    @property
    def rules(self) -> AnyRules:
        """The rules of this round."""
        return self.round.rules

    @property
    def position(self) -> Any:
        """The position that stands."""
        return self.round.position

    @property
    def phase(self) -> Phase:
        """Where the turn stands."""
        return self.turn.phase

    @property
    def watch(self) -> Watch | None:
        """What was seen since the turn began; None before the first snapshot."""
        return self.picture.watch

    @property
    def prospect(self) -> Prospect:
        """What may happen next."""
        return self.picture.prospect

    @property
    def answer(self) -> Seen:
        """What the picture of the board means."""
        return self.picture.answer

    @property
    def declarations(self) -> Declarations:
        """What the player said lies on cells that cannot tell."""
        return self.picture.declarations

    def notices(self) -> list[Notice]:
        """Return what has happened since the last call, oldest first."""
        told, self._notices = self._notices, []
        return told

    def frame(self, now: Millis) -> Frame:
        """Return the frame at `now`. The same bytes object as long as nothing changes."""
        if self._frame_until is None or now >= self._frame_until:
            self._frame = render(self._glows, self._ground, now)
            self._frame_until = next_look(self._glows, now) or 1 << 62
        return self._frame

    def due(self) -> Millis | None:
        """Return when `advance` is wanted next, for the turn or for the lights; None: only when something is sensed."""
        if self.watch is None:
            return None
        times = []
        if self._frame_until is not None and self._frame_until < 1 << 62:
            times.append(self._frame_until)
        if not self._judged:
            times.append(self.watch.changed_at + SETTLE_MS)
        elif self._waits_long():
            times.append(self.watch.changed_at + MEND_AFTER_MS)
        return min(times, default=None)

    # What comes in ----------------------------------------------------------------------------------------------------

    def take(self, sensed: Sequence[Sensed], now: Millis) -> None:
        """Take what was sensed, oldest first, and the time."""
        changed = False
        for item in sensed:
            match item:
                case CellChange():
                    changed |= self._change(item.cell, item.reading, item.at)
                case Snapshot():
                    changed |= self._snapshot(item, now)
                case ButtonPress():
                    self._judge(now, changed=changed)
                    changed = False
                    self.press(item.button, now)
                case LinkNews():
                    self._link(item, now)
        self._judge(now, changed=changed)

    def advance(self, now: Millis) -> None:
        """Take the time."""
        self._judge(now, changed=False)

    def press(self, button: str, now: Millis) -> None:
        """Take a button. One that means nothing now changes nothing."""
        if self.watch is None or self.phase is Phase.OFFLINE:
            return
        self.refusal = ""
        if button in COLOURS:
            self._declare(button, now)
        elif button in _PRESSES:
            _PRESSES[button](self, now)
        self._relight(now)

    def touch(self, cell: Cell, now: Millis) -> None:
        """Take a cell that was pointed at in a page, as an answer to a question about moves."""
        question = self.question
        if question is None or question.about not in {questions.SWAP, questions.GROUP}:
            return
        fitting = [move for move in question.moves if self._chosen_by(move, cell, question.about)]
        if len(fitting) == 1:
            self._accept(fitting[0], now)
            self._relight(now)

    # Changes ----------------------------------------------------------------------------------------------------------

    def _change(self, cell: Cell, reading: int, at: Millis) -> bool:
        return self.watch is not None and self.watch.change(cell, reading, at)

    def _snapshot(self, snapshot: Snapshot, now: Millis) -> bool:
        if self.watch is None:
            self.picture.begin(snapshot)
            self._begin(now)
            return False
        changed = False
        for cell, reading in enumerate(snapshot.readings):
            changed |= self.watch.change(cell, reading, snapshot.at)
        if self.phase is Phase.OFFLINE and not self.link_trouble:
            self._brought_along(now)
            return False
        return changed

    def _link(self, news: LinkNews, now: Millis) -> None:
        self.link_trouble = "" if news.up else news.why or "no word from the board"
        self._tell(now, "link", state="up" if news.up else "down")
        if not news.up and self.turn.may(News.LOST):
            self.question = None
            self._hear(News.LOST, now)
        self._relight(now)

    def _begin(self, now: Millis) -> None:
        """Say where a round that was just dealt stands: the first picture is there."""
        self._judged = True
        if self.picture.seen.different:
            self._tell(now, "phase", phase=Phase.SETUP.value)
        else:
            self.turn.hear(News.ARRANGED)
            self._rest(now)
            if self.phase is Phase.WAITING:
                self._tell(now, "phase", phase=Phase.WAITING.value)
        self._relight(now)

    def _judge(self, now: Millis, *, changed: bool) -> None:
        watch = self.watch
        if watch is None or self.phase is Phase.OFFLINE:
            return
        before = (self.phase, self.answer, self.question, self._shown_wrong)
        if changed:
            self._judged = False
            self._shown_wrong = False
            self.declarations.follow(watch.filled)
            self.picture.look()
            self._hear_change(now)
        if not self._judged and self.picture.still_for(now) >= SETTLE_MS:
            self._judged = True
            self._settle(now)
        if self._waits_long() and self.picture.still_for(now) >= MEND_AFTER_MS:
            self._waited_long(now)
        if changed or before != (self.phase, self.answer, self.question, self._shown_wrong):
            self._relight(now)

    def _waits_long(self) -> bool:
        """Return whether the picture as it stands changes the phase after `MEND_AFTER_MS`."""
        if self.phase is Phase.GUIDING:
            return self._shown_wrong
        if self.phase is not Phase.HANDLING:
            return False
        answer = self.answer
        return isinstance(answer, Mismatch) or (isinstance(answer, Unfinished) and answer.likely is not None)

    def _waited_long(self, now: Millis) -> None:
        answer = self.answer
        if self.phase is Phase.HANDLING and isinstance(answer, Unfinished):
            self._accept(answer.likely, now)
            return
        self._hear(News.STRAYED, now)
        self._tell_mismatch(now)

    def _hear_change(self, now: Millis) -> None:
        """The picture is another one: withdraw what was asked about the old one."""
        over = self.rules.outcome(self.position) is not None
        if self.phase in {Phase.WAITING, Phase.ASKING} and not over:
            self.question = None
            self._hear(News.TOUCHED, now)
        elif self.phase is Phase.MENDING and isinstance(self.answer, Mismatch):
            self._tell_mismatch(now)

    def _settle(self, now: Millis) -> None:
        """The board has been still for long enough: act on what it shows."""
        if self.phase is Phase.OVER or (self.phase is Phase.ASKING and self.rules.outcome(self.position)):
            return
        if self.phase is Phase.SETUP:
            if not self.picture.seen.different:
                self._hear(News.ARRANGED, now)
                self._rest(now)
            return
        if self.phase in {Phase.GUIDING, Phase.MENDING} and self._guide(now):
            return
        match self.answer:
            case Settled():
                self._rest(now)
            case Recognised(move=move):
                self._accept(move, now)
            case MovedOn(move=move):
                self._replace(move, now)
            case Ambiguous():
                self._ask_about(self.answer, now)
            case Unfinished():
                if self.phase is Phase.MENDING:
                    self._hear(News.MENDED, now)
            case Mismatch():
                self._refuse(now)

    def _refuse(self, now: Millis) -> None:
        """What lies there is no move: show what is wrong, or ask where an earlier position lies there again."""
        self._shown_wrong = True
        earlier = self.picture.earlier()
        if earlier:
            cells = tuple(sorted(self.picture.seen.different))
            self._ask(Question(questions.TAKEBACK, ("ok", "back"), cells, plies=earlier), now)

    def _guide(self, now: Millis) -> bool:
        """Lead the hands through what a ply has left to do; return whether the picture was all about that."""
        if not self.picture.seen.different or not self.picture.owed():
            if self.phase is Phase.GUIDING and self.picture.seen.different:
                self._shown_wrong = True
                return True
            return False
        if self.phase is Phase.MENDING:
            self._hear(News.OWED, now)
        return True

    # Plies ------------------------------------------------------------------------------------------------------------

    def _accept(self, move: Any, now: Millis) -> None:
        footprint = self.prospect.footprint(move)
        ply = self.round.play(move)
        self._tell(now, "move", move=ply.token, player=ply.player)
        for event in ply.events:
            self._tell(now, "event", event=event.as_json())
        self.picture.enter_after(ply)
        self._turned()
        self._moments = show.celebration(ply, footprint, self.rules, now)
        if self.picture.seen.different and self.picture.owed():
            self._hear(News.OWED, now)
        else:
            self._rest(now, News.COUNTED)

    def _replace(self, move: Any, now: Millis) -> None:
        self.round.take_back(1)
        self._tell(now, "takeback", plies=1)
        self.picture.enter()
        self._accept(move, now)

    def _take_back(self, plies: int, now: Millis) -> None:
        self.round.take_back(plies)
        self._tell(now, "takeback", plies=plies)
        self.picture.enter()
        self._turned()
        self._moments = ()
        self._brought_along(now)

    def _turned(self) -> None:
        """Another turn begins: nothing is asked, and the picture is judged when it changes."""
        self.question = None
        self._judged = True
        self._shown_wrong = False

    def _brought_along(self, now: Millis) -> None:
        """The game has changed without the board: go on where they agree, else say at once what to do."""
        self._judged = True
        self.question = None
        if not self.picture.seen.different:
            self.picture.answer = Settled()
            self._rest(now)
            return
        self.picture.answer = self.picture.compared()
        self._shown_wrong = True
        if self.phase is not Phase.MENDING:
            self._hear(News.STRAYED, now)
        self._tell_mismatch(now)

    def _rest(self, now: Millis, news: News = News.RESTED) -> None:
        """The board is as it should be: the round is over, the player on turn must pass, or `news` leads to waiting."""
        self.picture.seen.forget()
        if self.rules.outcome(self.position) is not None:
            if self.phase is not Phase.OVER:
                self._hear(News.ENDED, now)
        elif self.prospect.passes:
            self._ask(Question(questions.PASS, ("ok", "back"), moves=self.prospect.moves), now)
        elif self.phase is not Phase.WAITING:
            self._hear(news, now)

    # Questions and buttons --------------------------------------------------------------------------------------------

    def _ask_about(self, answer: Ambiguous, now: Millis) -> None:
        if answer.about is Doubt.GROUP:
            chosen = self._group_shown(answer)
            if chosen is not None:
                self._accept(chosen, now)
                return
            self.picture.seen.rest()
        self._ask(question_about(answer, self.rules, self.prospect), now)

    def _group_shown(self, answer: Ambiguous) -> Any:
        """Return the move whose staying group a player has shown by lifting one of its stones and putting it back."""
        shown = self.picture.seen.shown() & set(answer.cells)
        fitting = [move for move in answer.moves if shown and not shown & set(self.prospect.footprint(move).aftermath)]
        return fitting[0] if len(fitting) == 1 else None

    def _ask(self, question: Question, now: Millis) -> None:
        self.question = question
        self._hear(News.ASKED, now)
        facts: dict[str, Any] = {"about": question.about, "options": list(question.options)}
        if question.cells:
            facts["cells"] = [self.rules.cells[cell].name for cell in question.cells]
        self._tell(now, "question", **facts)

    def _chosen_by(self, move: Any, cell: Cell, about: str) -> bool:
        footprint = self.prospect.footprint(move)
        if about == questions.SWAP:
            return cell in footprint.lifts
        return cell not in footprint.aftermath

    def _declare(self, button: str, now: Millis) -> None:
        stone = self._stone(button)
        if stone is None or self.phase in {Phase.SETUP, Phase.OVER, Phase.GUIDING}:
            return
        left = self.rules.supply(self.position).get(COLOURS[button], 0)
        try:
            self.declarations.declare(stone, button, left, self.picture.seen.filled)
        except RefusedError as refused:
            self.refusal = str(refused)
            self._tell(now, "error", message=self.refusal)
            return
        self._judge_again(now)

    def _judge_again(self, now: Millis) -> None:
        """What was declared has changed: read the same picture anew."""
        self.picture.look()
        if self._judged and self.phase is Phase.ASKING and isinstance(self.answer, Recognised | Ambiguous):
            self._settle(now)

    def _stone(self, button: str) -> Content | None:
        """Return the stone that a colour button declares at this table; None where colours are not declared."""
        letter = COLOURS[button]
        if self.sensing is not Sensing.PRESENCE or letter not in self.rules.supply(self.position):
            return None
        return self.rules.stones.index(letter)

    def _ok(self, now: Millis) -> None:
        question = self.question
        if question is None:
            if self.phase is Phase.WAITING and self.prospect.passes:
                self._accept(self.prospect.moves[0], now)
            elif (
                self.phase is Phase.HANDLING
                and isinstance(self.answer, Unfinished)
                and (plies := self.picture.earlier())
            ):
                self._take_back(plies, now)
        elif question.about in {questions.PASS, questions.ENDLESS, questions.SAME}:
            self._accept(question.moves[0], now)
        elif question.about == questions.TAKEBACK:
            self._take_back(question.plies, now)
        elif question.about == questions.NEW_ROUND:
            self._renew(now)

    def _back(self, now: Millis) -> None:
        if self.declarations.undo():
            self._judge_again(now)
        elif self.question is not None and self.question.about == questions.COLOUR:
            return  # nothing has been declared, and the stones themselves still have to be named or taken off
        elif self.question is not None:
            self._cancel(now)
        elif self.round.plies:
            self._take_back(1, now)
        else:
            self.refusal = "there is no ply to take back"
            self._tell(now, "error", message=self.refusal)

    def _cancel(self, now: Millis) -> None:
        """Withdraw the question; where the board does not show the game, say at once what to put right."""
        self.question = None
        watch = self.picture.seen
        if self.rules.outcome(self.position) is not None:
            self._hear(News.ENDED, now)
        elif watch.different:
            self._brought_along(now)
        else:
            watch.forget()
            self.picture.answer = Settled()
            self._hear(News.RESTED, now)

    def _new(self, now: Millis) -> None:
        if self.phase is not Phase.SETUP:
            self._ask(Question(questions.NEW_ROUND, ("ok", "back")), now)

    def _renew(self, now: Millis) -> None:
        """Begin a new round: the board is brought to its start."""
        rules = self._deal(self.rules.outcome(self.position))
        self.round.restart(rules)
        self.picture.enter()
        self._turned()
        self._moments = ()
        self._hear(News.RENEWED, now)
        if self.picture.seen.different:
            self.picture.answer = self.picture.compared()
            self._shown_wrong = True
        else:
            self._hear(News.ARRANGED, now)
            self._rest(now)

    def _hint(self, now: Millis) -> None:
        self._moments = (*self._moments, show.hint(self.prospect.targets(), now, HINT_MS))

    # What goes out ----------------------------------------------------------------------------------------------------

    def _hear(self, news: News, now: Millis) -> None:
        if self.turn.hear(news):
            self._tell(now, "phase", phase=self.phase.value)

    def _tell(self, now: Millis, kind: str, **facts: Any) -> None:
        notice = Notice(now, kind, facts)
        _log.debug("%s", notice)
        self._notices.append(notice)

    def _tell_mismatch(self, now: Millis) -> None:
        wrong = self.picture.wrong()
        names = [place.name for place in self.rules.cells]
        self._tell(
            now,
            "mismatch",
            extra=[names[cell] for cell in wrong.extra],
            missing=[names[cell] for cell in wrong.missing],
            wrong=[names[cell] for cell in wrong.wrong],
        )

    def _relight(self, now: Millis) -> None:
        """Work out what the lights mean from here on; something has changed for everyone who looks."""
        self.changes += 1
        self._moments = tuple(glow for glow in self._moments if glow.until is None or now < glow.until)
        self._glows = (*self._moments, *self._standing())
        self._ground = show.ground(self.rules, self.position, self.track_pixels)
        self._frame_until = None

    def _standing(self) -> tuple[Glow, ...]:
        watch = self.watch
        if watch is None:
            return ()
        since = watch.changed_at
        match self.phase:
            case Phase.ASKING if self.question is not None:
                return show.asked(self.question.cells, tuple(watch.different), since)
            case Phase.SETUP | Phase.MENDING:
                return show.wrong(self.picture.wrong(), since)
            case Phase.HANDLING | Phase.GUIDING if self._shown_wrong:
                return show.wrong(self.picture.wrong(), since)
            case Phase.HANDLING:
                return show.handled(self.answer, watch, since)
            case Phase.GUIDING:
                return show.owed(tuple(watch.different), self.rules, self.round.plies[-1], since)
        return ()


_PRESSES: Final[dict[str, Callable[[Table, Millis], None]]] = {
    "ok": Table._ok,  # noqa: SLF001 - the table of what each button does at a table
    "back": Table._back,  # noqa: SLF001
    "new": Table._new,  # noqa: SLF001
    "hint": Table._hint,  # noqa: SLF001
}
