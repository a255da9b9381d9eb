"""`Table`: readings, presses and the time in; phases, plies, questions and frames out.

When exactly each thing happens is in `docs/play.md`. The table answers to three calls: `take` (something was sensed),
`advance` (time has passed) and `due` (when `advance` is wanted next). `notices` and `frame` are what comes out.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

from controller.games.seam import AnyRules, Cell, Outcome, Sower
from controller.lighting.glow import Glow, next_look, render
from controller.lighting.palettes import STANDARD, Palette
from controller.recogniser.answers import Mismatch, Settled
from controller.recogniser.prospect import Prospect
from controller.recogniser.watch import Watch
from controller.table import judging, presses, questions, show
from controller.table.advice import advise
from controller.table.declaring import Declarations
from controller.table.judging import SETTLE_MS, Act
from controller.table.knocks import Knocks
from controller.table.notices import Notice
from controller.table.outage import RETURNS, Outage
from controller.table.picture import Picture, Seen
from controller.table.questions import Question
from controller.table.round import Round
from controller.turns.machine import Turn
from controller.turns.phases import News, Phase
from hardware.ports import ButtonPress, CellChange, Frame, LinkNews, Millis, Sensed, Sensing, Snapshot

_log = logging.getLogger(__name__)


class Deal(Protocol):
    """Gives the rules of the next round: called once at the start, and for every new round."""

    def __call__(self, outcome: Outcome | None = None, first: int | None = None) -> AnyRules:
        """Return the rules of the next round.

        Args:
            outcome: how the last round ended; None before the first, or where it was given up.
            first: who begins, where people have said so.
        """


class Table:
    """One board at which rounds of one game are played.

    Args:
        deal: gives the rules of each round, see `Deal`.
        sensing: what the cells can tell.
        track: the number of pixels of the score track.
        position: where the first round stands; the rules' start unless given.
        plies: tokens of the plies that have been played from there.
        orient: whether people are first asked if the lit cell is the one in their near left corner.

    Raises:
        RulesError: a token of `plies` is none, or its move is illegal.

    Attributes:
        unoriented: whether nobody has said yet that the board lies as its profile has it.
        strayed: whether the board is being put right after a move that was none.
        leaving: whether people have confirmed that the board is to be switched off.
        palette: the colours that meanings are shown in.
        changes: grows whenever anything but the lights of a moving pattern may look different.
    """

    def __init__(
        self,
        deal: Deal,
        sensing: Sensing,
        *,
        track: int = 24,
        position: Any = None,
        plies: Sequence[str] = (),
        orient: bool = False,
    ) -> None:
        self._deal = deal
        self.sensing = sensing
        self.track_pixels = track
        rules = deal(None)
        self.round = Round(rules, rules.initial() if position is None else position)
        for token in plies:
            self.round.play(rules.parse_move(token))
        self.picture = Picture(self.round, sensing)
        self.turn = Turn(rules.name, Phase.SETUP)
        self.question: Question | None = None
        self.refusal = ""
        self.link_trouble = ""
        self.unoriented = orient
        self.leaving = False
        self.strayed = False
        self.palette = STANDARD
        self.changes = 0
        self._judged = False
        self._waited = False
        self._warned = False
        self._knocks = Knocks()
        self._asked_in = Phase.WAITING
        self._outage: Outage | None = None
        self._again: Question | None = None
        self._since: Millis = 0
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

    def paint(self, palette: Palette, now: Millis) -> None:
        """Show every meaning in the colours of `palette` from now on."""
        self.palette = palette
        self._relight(now)

    def frame(self, now: Millis) -> Frame:
        """Return the frame at `now`. The same bytes object as long as nothing changes."""
        if self._frame_until is None or now >= self._frame_until:
            self._frame = render(self._glows, self._ground, now, self.palette)
            self._frame_until = next_look(self._glows, now) or 1 << 62
        return self._frame

    def due(self) -> Millis | None:
        """Return when `advance` is wanted next, for the turn or for the lights; None: only when something is sensed."""
        if self.watch is None:
            return None
        times = []
        if self._frame_until is not None and self._frame_until < 1 << 62:
            times.append(self._frame_until)
        if self._outage is None:
            if not self._judged:
                times.append(self.watch.changed_at + SETTLE_MS)
            elif (long := self._long()) is not None:
                times.append(long)
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
        """Take a button. One that means nothing now changes nothing; while the board is away, all but switching off."""
        if self.watch is None or (self._outage is not None and not self._may_switch_off(button)):
            return
        self._ask_again(now)
        self.refusal = ""
        presses.press(self, button, now)
        self._relight(now)

    def touch(self, cell: Cell, now: Millis) -> None:
        """Take a cell that was pointed at in a page: see `controller.table.presses.touch`."""
        if self._outage is not None:
            return
        presses.touch(self, cell, now)
        self._relight(now)

    # Changes ----------------------------------------------------------------------------------------------------------

    def _change(self, cell: Cell, reading: int, at: Millis) -> bool:
        watch = self.watch
        before = None if watch is None else watch.changed.get(cell)
        if watch is None or not watch.change(cell, reading, at):
            return False
        self._knocks.note(watch, cell, at, before)
        return True

    def _snapshot(self, snapshot: Snapshot, now: Millis) -> bool:
        if self.watch is None:
            self._outage = None
            self.picture.begin(snapshot)
            self._begin(now)
            return False
        changed = False
        for cell, reading in enumerate(snapshot.readings):
            changed |= self.watch.change(cell, reading, snapshot.at)
        if self._outage is not None:
            self._outage.changed |= changed
            if not self.link_trouble:
                self._back_online(self._outage, now)
            return False
        return changed

    # A board that is lost ---------------------------------------------------------------------------------------------

    def _link(self, news: LinkNews, now: Millis) -> None:
        self.link_trouble = "" if news.up else news.why or "no word from the board"
        self.tell(now, "link", state="up" if news.up else "down")
        if not news.up and self._outage is None and self.turn.may(News.LOST):
            self._outage = Outage(self.phase, self.question, self._asked_in, self._judged, self.strayed)
            self.question = None
            self.hear(News.LOST, now)
        self._relight(now)

    def _may_switch_off(self, button: str) -> bool:
        """Return whether a button asks for switching off, or answers that, while the board is away."""
        return button == "off" or (self.question is not None and button in self.question.options)

    def _back_online(self, outage: Outage, now: Millis) -> None:
        """The cells can be heard again: as they were, all goes on; else the picture is judged afresh."""
        off = self.question
        if off is not None:
            self.question = None
            self.hear(News.LOST, now)
        self._outage = None
        self._asked_in, self._judged = outage.asked_in, outage.judged
        if self.unoriented:
            self._begin(now)
        elif outage.changed:
            self._judge_afresh(outage, now)
        else:
            self._go_on(outage, now)
        if off is not None:
            self.ask(replace(off, over=self._again or self.question), now)
            self._again = None
        self._relight(now)

    def _go_on(self, outage: Outage, now: Millis) -> None:
        """No cell reads otherwise than before the outage: whatever was under way is so still."""
        self.question = outage.question
        if not self._judged:
            self.picture.seen.changed_at = now
        self.hear(RETURNS[outage.phase], now)
        self.strayed = outage.strayed
        if self.phase is Phase.MENDING:
            self._tell_mismatch(now)
        if self.question is not None:
            self._tell_question(self.question, now)

    def _judge_afresh(self, outage: Outage, now: Millis) -> None:
        """Judge a picture of which nobody saw how it came: what nothing legal explains is to be put right at once.

        What buttons had asked for is asked again once that is done.
        """
        watch = self.picture.seen
        if not isinstance(self.rules, Sower):
            watch.forget()  # a sowing goes on: it takes the pits that were emptied before
        self.declarations.follow(watch.filled)
        self.picture.first = frozenset()
        self._again = outage.aside or self._again
        if self._again is not None and self._again.over is not None:
            self._again = replace(self._again, over=None)
        if self._over:
            self.hear(News.ENDED, now)
        elif outage.beneath is Phase.SETUP:
            self._set_up(now)
        elif not watch.different or isinstance(self.picture.look(), Mismatch):
            if watch.different and outage.beneath in {Phase.GUIDING, Phase.MENDING} and self.picture.owed():
                self._judged = True
                self._waited = self._warned = False
                self.hear(News.OWED, now)
            else:
                self.bring_along(now)
        else:
            watch.changed_at = now
            self._look_anew(now)
        if self._judged:
            self._ask_again(now)

    def _ask_again(self, now: Millis) -> None:
        """Ask what buttons had asked for before an outage, now that the picture after it has been judged."""
        asked, self._again = self._again, None
        if asked is None or (asked.about == questions.RESIGN and not self.resignable):
            return
        if self.question is None or self.question.about != asked.about:
            self.ask(replace(asked, over=self.question), now)

    def _begin(self, now: Millis) -> None:
        """Say where a round that was just dealt stands: the first picture is there."""
        self._judged = True
        if self.phase is Phase.OFFLINE:  # the cells were not heard at first
            self.turn.hear(News.RENEWED)
        if self.unoriented:
            # Never inferred from stones: a picture may be right both ways round.
            places = self.rules.cells
            origin = min(range(len(places)), key=lambda cell: (places[cell].y, places[cell].x))
            self.ask(Question(questions.ORIENTATION, ("ok", "back"), (origin,)), now)
            self._relight(now)
            return
        if self.picture.seen.different:
            self.tell(now, "phase", phase=Phase.SETUP.value)
        else:
            self.turn.hear(News.ARRANGED)
            self._rest(now, News.RESTED)
            if self.phase is Phase.WAITING:
                self.tell(now, "phase", phase=Phase.WAITING.value)
        self._relight(now)

    # Judging ----------------------------------------------------------------------------------------------------------

    def _judge(self, now: Millis, *, changed: bool) -> None:
        watch = self.watch
        if self._outage is not None:
            self._outage.changed |= changed
            return
        if watch is None:
            return
        if self.unoriented:
            if changed:
                self._judged = True
            return
        before = self._looks()
        if changed:
            self._judged = self._waited = self._warned = False
            self.refusal = ""
            self._again = None
            if not self._over:
                self._moments = show.undisturbed(self._moments)
            self.declarations.follow(watch.filled)
            self.picture.first = frozenset()
            self._look()
            self._hear_change(now)
        while not self._judged and now - watch.changed_at >= SETTLE_MS:
            self._judged = True
            self._knocks.clear()
            self._carry_out(judging.on_stillness(self.phase, self.picture, over=self._over), now)
            if self._judged:
                self._ask_again(now)
        long = self._long()
        if long is not None and now >= long:
            self._waited = True
            self._carry_out(judging.on_waiting(self.phase, self.picture), now)
        if changed or before != self._looks():
            self._relight(now)

    def _look(self) -> None:
        """Read the picture anew. While the board is set up nothing but the start is right, whatever else it may be."""
        if self.phase is not Phase.SETUP:
            self.picture.look()
        elif self.picture.seen.different:
            self.picture.answer = self.picture.compared()
        else:
            self.picture.answer = Settled()

    def _looks(self) -> tuple[Any, ...]:
        return (self.phase, self.picture.answer, self.question, self._warned, len(self.round.plies))

    def _long(self) -> Millis | None:
        """Return when waiting changes something; None where it does not."""
        if self._waited or not self._judged:
            return None
        asked = self.question is not None
        span = judging.waits(self.phase, self.picture, warned=self._warned, asked=asked)
        return None if span is None else max(self.picture.seen.changed_at, self._since) + span

    @property
    def _over(self) -> bool:
        return self.round.outcome is not None

    def _hear_change(self, now: Millis) -> None:
        """The picture is another one: withdraw what was asked about the old one."""
        if self.phase is Phase.MENDING:
            self.question = None
            if isinstance(self.picture.answer, Mismatch):
                self._tell_mismatch(now)
        elif self.phase is Phase.ASKING and self._asked_in is Phase.SETUP:
            self._set_up(now)
        elif self.phase is Phase.ASKING and self._asked_in is Phase.GUIDING:
            self.question = None
            self.hear(News.OWED, now)
        elif self.phase in {Phase.WAITING, Phase.ASKING} and not self._over:
            self.question = None
            self.hear(News.TOUCHED, now)

    def _carry_out(self, act: Act | None, now: Millis) -> None:
        match act:
            case judging.Play(move=move, instead=instead):
                if instead:
                    self.withdraw(1, now)
                self.accept(move, now)
            case judging.Pose(question=question, mending=mending):
                self.ask(question, now, mending=mending)
            case judging.Rest():
                self._rest(now, News.RESTED)
            case judging.Arrange():
                self.hear(News.ARRANGED, now)
                self._rest(now, News.RESTED)
            case judging.Go():
                self.hear(News.MENDED if self.phase is Phase.MENDING else News.TOUCHED, now)
                self._judged = isinstance(self.picture.answer, Settled)
            case judging.Guide():
                self.hear(News.OWED, now)
            case judging.Warn():
                self._warned = True
            case judging.Mend():
                self.hear(News.STRAYED, now)
                self._waited = False
                self._tell_mismatch(now)

    # Plies ------------------------------------------------------------------------------------------------------------

    def accept(self, move: Any, now: Millis) -> None:
        """Let a legal move count."""
        footprint = self.prospect.footprint(move)
        ply = self.round.play(move)
        self.tell(now, "move", move=ply.token, player=ply.player)
        for event in ply.events:
            self.tell(now, "event", event=event.as_json())
        self.picture.enter_after(ply)
        self._turned()
        self._moments = show.celebration(ply, footprint, self.rules, now)
        different = self.picture.seen.different
        if different and self.picture.owed():
            self.hear(News.OWED, now)
            return
        self._rest(now, News.COUNTED, forget=False)
        if different and not self._over:
            # The next player has moved already.
            self._judged = False
            self._moments = show.undisturbed(self._moments)
            self.picture.look()
            self.hear(News.TOUCHED, now)

    def withdraw(self, plies: int, now: Millis) -> None:
        """Take plies back without a word about the board: something else comes in their place."""
        self.round.take_back(plies)
        self.tell(now, "takeback", plies=plies)
        self.picture.enter()

    def take_back(self, plies: int, now: Millis) -> None:
        """Take the last plies back; the board is brought along."""
        self.withdraw(plies, now)
        self.picture.owe_undoing()
        self._turned()
        self._moments = ()
        self.bring_along(now)

    @property
    def resignable(self) -> bool:
        """Whether a player may give the round up: one of two, once it has begun and before it has ended."""
        return self.rules.players == 2 and bool(self.round.plies) and not self._over

    def resign(self, player: int, now: Millis) -> None:
        """Let a player give up a round that is `resignable`; what lies on the board is of no interest any more."""
        self.round.resign(player)
        self.picture.enter()
        self._turned()
        self._moments = ()
        self.hear(News.ENDED, now)

    def play_on(self, now: Millis) -> None:
        """Take a resignation back."""
        self.round.resigned = None
        self.bring_along(now)

    def renew(self, now: Millis, first: int | None = None) -> None:
        """Begin a new round: the board is brought to its start.

        Args:
            now: the time.
            first: who begins; as the match has it unless given.
        """
        outcome = self.round.outcome
        self.picture.unmask(self.picture.seen.stirred)
        self.round.restart(self._deal(outcome) if first is None else self._deal(outcome, first))
        self.picture.enter()
        self._turned()
        self._moments = ()
        self._set_up(now)

    def bring_along(self, now: Millis) -> None:
        """The game has changed without the board: go on where they agree, else say at once what to do."""
        self._judged = True
        self._waited = False
        self.question = None
        if not self.picture.seen.different:
            self.picture.answer = Settled()
            self._rest(now, News.RESTED)
            return
        self.picture.seen.excuse()
        self.picture.answer = self.picture.compared()
        if self.phase is not Phase.MENDING:
            self.hear(News.STRAYED, now)
        self._since = now
        self._tell_mismatch(now)

    def cancel(self, now: Millis) -> None:
        """Withdraw the question; where the board does not show the game, say at once what to put right."""
        if self._outage is not None:
            self.question = None
            self.hear(News.LOST, now)
            return
        if self.question is not None and self.question.over is not None:
            self.ask(self.question.over, now)
            return
        self.question = None
        watch = self.picture.seen
        if self._over:
            self.hear(News.ENDED, now)
        elif self._asked_in is Phase.SETUP:
            self._set_up(now)
        elif watch.different and self._asked_in is Phase.GUIDING:
            self.hear(News.OWED, now)
        elif watch.different and self._asked_in is Phase.HANDLING:
            self.picture.look()
            self._look_anew(now)
        elif watch.different:
            self.bring_along(now)
        else:
            watch.forget()
            self.picture.answer = Settled()
            self.hear(News.RESTED, now)

    def _look_anew(self, now: Millis) -> None:
        """Hands are at work on a picture that is judged once it has been still."""
        self._judged = self._waited = self._warned = False
        self.hear(News.TOUCHED, now)

    def judge_again(self, now: Millis) -> None:
        """What was declared has changed: read the same picture anew."""
        self.picture.look()
        asked = self.question
        about = asked.about if asked is not None and not asked.plies else ""
        if self._judged and about in {questions.COLOUR, questions.ORDER}:
            self._judged = False
            self._judge(now, changed=False)

    def oriented(self, now: Millis) -> None:
        """People have said that the board lies as its profile has it: begin."""
        self.unoriented = False
        self._set_up(now)

    def _set_up(self, now: Millis) -> None:
        """The board is brought to the start of the round, where it is not there yet."""
        self.question = None
        self.hear(News.RENEWED, now)
        if self.picture.seen.different:
            self.picture.answer = self.picture.compared()
            self._judged = False
        else:
            self.hear(News.ARRANGED, now)
            self._rest(now, News.RESTED)

    def insist(self, now: Millis) -> None:
        """People say that all is done of which the board has asked for more, for some time: ask about its sensors."""
        act = judging.on_insisting(self.phase, self.picture)
        if act is None:
            return
        if now - self.picture.seen.changed_at >= judging.CELL_AFTER_MS:
            self._carry_out(act, now)
        elif self.phase is not Phase.HANDLING:
            self.refuse("the board has only just seen a change: press ok again in a few seconds", now)

    def mask(self, cells: Sequence[Cell], now: Millis) -> None:
        """Play on without cells whose sensors are sick: they are taken to be as they should be from now on."""
        self.question = None
        self.picture.mask(cells)
        if self._asked_in is Phase.SETUP:
            self._set_up(now)
        elif self.picture.seen.different and not isinstance(self.picture.look(), Mismatch):
            self._look_anew(now)
        else:
            self.bring_along(now)

    def unmask(self, cells: Sequence[Cell], now: Millis) -> None:
        """Hear cells again that were put aside: what they read now is judged like any change."""
        self.picture.unmask(cells)
        if self.phase is Phase.SETUP:
            self._set_up(now)
        elif self.picture.seen.different and not self._over:
            self.question = None
            self._look_anew(now)
            self.picture.look()
        self._relight(now)

    def hint(self, now: Millis) -> None:
        """Light what the player on turn may do; where pits are to be put right, walk them one by one to be counted.

        Presence cannot count seeds: when a count was wrong, a later pattern shows it, and only people can find where.
        """
        if self.phase is Phase.MENDING and self.rules.surface == "pit":
            self._moments = show.audit(len(self.rules.cells), now)
        else:
            self._moments = (*self._moments, show.hint(self.prospect.targets(), now))

    def ask(self, question: Question, now: Millis, *, mending: bool = False) -> None:
        """Ask a person; `mending`: in that phase, while the board is being put right."""
        if question.about == questions.GROUP:
            self.picture.seen.rest()
        self.question = question
        aside = question.about in {*presses.ASIDE, questions.CELL} and not mending
        if not aside:
            self._asked_in = Phase.ASKING
        elif self.phase is not Phase.ASKING:
            self._asked_in = self.phase
        self._judged = True
        if mending and self.phase is not Phase.MENDING:
            self.hear(News.STRAYED, now)
            self._tell_mismatch(now)
        elif not mending:
            self.hear(News.ASKED, now)
        self._tell_question(question, now)

    def _tell_question(self, question: Question, now: Millis) -> None:
        facts: dict[str, Any] = {"about": question.about, "options": list(question.options)}
        if question.cells:
            facts["cells"] = [self.rules.cells[cell].name for cell in question.cells]
        self.tell(now, "question", **facts)

    def _turned(self) -> None:
        """Another turn begins: nothing is asked, and the picture is judged when it changes."""
        self.question = None
        self._judged = True
        self._waited = self._warned = False

    def _rest(self, now: Millis, news: News, *, forget: bool = True) -> None:
        """The board is as it should be: the round is over, the player on turn must pass, or `news` leads to waiting.

        `forget`: what was touched so far is not the turn's any more.
        """
        if forget:
            self.picture.seen.forget()
            self.declarations.put_away()
        if self._over:
            if self.phase is not Phase.OVER:
                self.hear(News.ENDED, now)
        elif self.prospect.passes:
            self.ask(Question(questions.PASS, ("ok", "back"), moves=self.prospect.moves), now)
        elif self.phase is not Phase.WAITING:
            self.hear(news, now)

    # What goes out ----------------------------------------------------------------------------------------------------

    def hear(self, news: News, now: Millis) -> None:
        """Let the turn machine hear news; a new phase is told."""
        before = self.phase
        if self.turn.hear(news):
            self.strayed = news is News.STRAYED and before is Phase.HANDLING
            self._moments = show.settled(self._moments, now)
            self._since = now
            self.tell(now, "phase", phase=self.phase.value)

    def refuse(self, why: str, now: Millis) -> None:
        """Tell a person why something cannot be; nothing changes."""
        self.refusal = why
        self.tell(now, "error", message=why)

    def tell(self, now: Millis, kind: str, **facts: Any) -> None:
        """Tell everyone who listens."""
        notice = Notice(now, kind, facts)
        _log.debug("%s", notice)
        self._notices.append(notice)

    def _tell_mismatch(self, now: Millis) -> None:
        wrong = self.picture.wrong()
        names = [place.name for place in self.rules.cells]
        self.tell(
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
        self._ground = show.ground(
            self.rules,
            self.position,
            self.track_pixels,
            self.palette,
            over=self._over,
            away_now=self.phase is Phase.OFFLINE,
        )
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
                return show.mending(advise(self.picture), since)
            case Phase.HANDLING | Phase.GUIDING if self._warned:
                return show.wrong(self.picture.wrong(), since)
            case Phase.HANDLING:
                return show.handled(self.answer, watch, since)
            case Phase.GUIDING:
                return show.owed(tuple(watch.different), self.rules, self.round.plies[-1], since)
        return ()
