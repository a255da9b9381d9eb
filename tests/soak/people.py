"""People at a simulated board: they play legal moves, and fumble, brush, slide, hover, knock, reach over, take back.

Everything is drawn from one seed. What they intend is known here, so that every ply that the table counts can be held
against it.
"""

import itertools
import math
import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from controller.app.rig import Rig
from controller.games.seam import pieces
from controller.rehearse.stage import Stage
from controller.table import questions
from controller.table.advice import Step, advise
from controller.table.core import Table
from controller.turns.phases import Phase
from simulator import mishaps
from simulator.hands import Action, Drop, Lift, Pause, Press, plan
from simulator.tabletop import Tabletop

SEEN_MS = 110
"""What lies for less time may go unseen by sensors that look every 50 ms, of which one lags 30 ms behind the other."""
SLIDE_MS = 60
"""How long a stone that is dragged is over each cell on its way."""
LIMIT_MS = 10_000
"""How long after the last action of a move it must have been counted."""


@dataclass(slots=True)
class Tally:
    """What came of it.

    Fields:
        plies: moves that people made.
        wrong: plies that counted and were not the one that was made; each with what was known then.
        stuck: moves that did not count in time, and boards that advice did not put right.
        did: how often people did what.
        faults: how often a sensor or line did something that it should not.
        named: sick cells that the table named in time.
        unseen: sick cells that made no difference to what the board reads, or one that a hand could have made.
    """

    plies: int = 0
    wrong: list[str] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)
    did: Counter[str] = field(default_factory=Counter)
    faults: int = 0
    named: int = 0
    unseen: int = 0


class People:
    """The players of one round, and the hand that knocks against things."""

    def __init__(self, stage: Stage, dice: random.Random, tally: Tally, clumsiness: float, name: str = "") -> None:
        self._stage = stage
        self._dice = dice
        self._tally = tally
        self._clumsiness = clumsiness
        self._name = name
        self._askew = False
        self._down: tuple[int, ...] = ()
        self._down_at = 0
        self.shunned: frozenset[int] = frozenset()

    @property
    def _rig(self) -> Rig:
        return self._stage.rig

    @property
    def _table(self) -> Table:
        return self._stage.rig.table

    @property
    def _top(self) -> Tabletop:
        top = self._stage.rig.top
        assert top is not None
        return top

    def turn(self) -> bool:
        """Make one move, and perhaps other things; return whether play can go on."""
        table = self._table
        if self._may("take back") and table.round.plies and table.phase is Phase.WAITING:
            self.press("back")
            return self.put_right("after back")
        if self._may("fumble") and not self._fumble():
            return False
        if self._may("brush"):
            self._brush()
        if self._may("knock"):
            self._stage.act(self._top.bump)
            self._stage.pass_time(self._dice.randint(100, 900))
        if self._top.optical and self._may("reach over"):
            self._reach_over()
        if self._may("unplug"):
            self._unplug()
        return self._move()

    # Moves ------------------------------------------------------------------------------------------------------------

    def _move(self) -> bool:
        table = self._table
        if table.phase is Phase.OVER:
            return False
        moves = list(table.prospect.moves)
        if self.shunned:
            moves = [move for move in moves if not self.shunned & self.touched(move)]
        if not moves:
            return False
        move = self._dice.choice(moves)
        token, standing = table.rules.move_text(move), len(table.round.plies)
        self._tally.plies += 1
        self._askew = False
        for action in plan(table.rules, table.position, move, table.sensing, self._dice):
            if isinstance(action, Drop) and not self._top.heaps:
                self._before_dropping(action)
            self._do(action)

        def counted() -> bool:
            plies = table.round.plies
            return len(plies) == standing + 1 and plies[-1].token == token and self.at_rest()

        def done() -> bool:
            return counted() or self._asked_whether(token) or self._asked_which(move)

        if self._stage.pass_until(done, LIMIT_MS) and not counted():
            self._say(move)
        if self._stage.pass_until(counted, LIMIT_MS):
            return True
        if self._askew:
            return self._start_over(standing)
        found = [ply.token for ply in table.round.plies[standing:]]
        if found and found != [token]:
            self._tally.wrong.append(self.told(f"{token} was made, {' '.join(found)} counted"))
        else:
            self._tally.stuck.append(self.told(f"{token} did not count"))
        return False

    def _asked_whether(self, token: str) -> bool:
        """Return whether the board asks if the last ply was this one, since the stone now looks another."""
        question = self._table.question
        if question is None or question.about != questions.COLOUR or not question.plies:
            return False
        return self._table.rules.move_text(question.moves[0]) == token

    def _asked_which(self, move: Any) -> bool:
        """Return whether the board asks which stones changed places, and this move is one of the answers."""
        question = self._table.question
        return question is not None and question.about == questions.SWAP and move in question.moves

    def _say(self, move: Any) -> None:
        """Answer what the board asks about the move that was made."""
        if not self._asked_which(move):
            self._tally.did["correct a colour"] += 1
            self.press("ok")
            return
        self._tally.did["say which"] += 1
        for cell in sorted(self._table.prospect.footprint(move).lifts):
            self._rig.touch(cell, self._stage.now)
            self._stage.pass_time(100)

    def touched(self, move: Any) -> set[int]:
        """Return the cells that a move needs to be read."""
        footprint = self._table.prospect.footprint(move)
        return {*footprint.after, *footprint.aftermath}

    def _do(self, action: Action) -> None:
        match action:
            case Lift(cells=cells):
                if self._down == cells:
                    self._stage.pass_time(max(0, self._down_at + SEEN_MS - self._stage.now))
                self._lift(cells)
            case Drop(cells=cells, content=content):
                way = self._way_in(cells) if not self._top.heaps and self._may("slide") else [cells]
                self._stage.act(lambda: self._top.put(way[0], content))
                for old, new in itertools.pairwise(way):
                    self._stage.pass_time(SLIDE_MS)
                    self._drag(old, new, content)
                self._down, self._down_at = cells, self._stage.now
            case Press(button=button):
                self.press(button)
            case Pause(ms=span):
                self._stage.pass_time(span)

    def _drag(self, old: tuple[int, ...], new: tuple[int, ...], content: int) -> None:
        self._stage.act(lambda: self._top.shift(old, new, content))

    def _way_in(self, cells: tuple[int, ...]) -> list[tuple[int, ...]]:
        """Return the places that a stone passes which is dragged in a straight line to lie on `cells`, the last."""
        places = self._table.rules.cells
        at = {(round(place.x, 3), round(place.y, 3)): cell for cell, place in enumerate(places)}
        here = places[cells[0]]
        near = sorted(range(len(places)), key=lambda c: math.dist(places[c][1:], here[1:]))[1:7]
        beside = places[self._dice.choice(near)]
        way = [cells]
        for steps in range(1, self._dice.randint(2, 4)):
            x, y = steps * (beside.x - here.x), steps * (beside.y - here.y)
            spots = [at.get((round(places[cell].x + x, 3), round(places[cell].y + y, 3))) for cell in cells]
            free = [spot for spot in spots if spot is not None and not self._top.contents[spot]]
            if len(free) < len(cells):
                break
            way.append(tuple(free))
        return way[::-1]

    def press(self, button: str) -> None:
        self._stage.act(lambda: self._top.press(button, 70))
        self._stage.pass_time(100)

    # Mishaps ----------------------------------------------------------------------------------------------------------

    def _may(self, what: str) -> bool:
        happens = self._dice.random() < self._clumsiness
        if happens:
            self._tally.did[what] += 1
        return happens

    def _brush(self) -> None:
        """Knock a stone, and put it back."""
        standing = [cell for cell, content in enumerate(self._top.contents) if content]
        if not standing:
            return
        cells = self._top.piece(self._dice.choice(standing))
        self._stage.pass_time(400)
        content = self._top.contents[cells[0]]
        self._lift(cells)
        self._stage.pass_time(self._dice.randint(60, 200))
        self._stage.act(lambda: self._top.put(cells, content))
        self._stage.pass_time(self._dice.choice((500, 1000)))
        if self._table.question is not None and self._table.question.about == questions.SAME:
            self.press("back")
            self._stage.pass_time(500)

    def _before_dropping(self, drop: Drop) -> None:
        """Hold the stone above another place first, or put it half on a neighbour's and straighten it."""
        if self._may("hover"):
            cells = self._elsewhere(drop.cells)
            long = 200 if self._parts(cells) else 900
            self._stage.act(lambda: mishaps.hover(self._top, cells, drop.content))
            self._stage.pass_time(self._dice.randint(60, long))
            self._stage.act(lambda: mishaps.leave(self._top, cells))
            self._stage.pass_time(self._dice.randint(60, 400))
        if self._may("put askew"):
            self._askew = True
            self._stage.act(lambda: mishaps.put_between(self._top, drop.cells, drop.content, self._dice))
            self._stage.pass_time(self._dice.randint(60, 900))
            self._lift(drop.cells)
            self._stage.pass_time(self._dice.randint(60, 400))

    def _parts(self, cells: tuple[int, ...]) -> bool:
        """Return whether a stone put there may have to go back at once: then nothing tells whether it only hovered."""
        return any(not footprint.aftermath.keys().isdisjoint(cells) for footprint in self._table.prospect.footprints)

    def _start_over(self, standing: int) -> bool:
        """A stone on two cells was taken for two plies: take back what nobody meant, and put the board right."""
        self._tally.did["start over"] += 1
        table = self._table
        for _ in range(len(table.round.plies) - standing):
            if table.question is not None:
                self.press("back")
            self.press("back")
        return self.put_right("after a stone askew")

    def _elsewhere(self, cells: tuple[int, ...]) -> tuple[int, ...]:
        """Return the cells of some other place of the same size where nothing lies; the same where there is none."""
        table = self._table
        landings = {
            tuple(sorted(cell for cell, content in table.prospect.footprint(move).after.items() if content))
            for move in self._dice.sample(list(table.prospect.moves), min(8, len(table.prospect.moves)))
        }
        if len(cells) == 1:
            landings |= {(cell,) for cell in range(len(self._top.contents))}
        free = [
            spot
            for spot in sorted(landings)
            if len(spot) == len(cells) and not any(self._top.contents[c] for c in spot)
        ]
        return self._dice.choice(free) if free else cells

    def _reach_over(self) -> None:
        """Reach over the board, for something on the other side."""
        corner, opposite = self._dice.sample(range(len(self._top.contents)), 2)
        cells = mishaps.cells_between(self._top, corner, opposite)
        self._stage.act(lambda: mishaps.shade(self._top, cells, on=True))
        self._stage.pass_time(self._dice.randint(60, 1500))
        self._stage.act(lambda: mishaps.shade(self._top, cells, on=False))
        self._stage.pass_time(self._dice.randint(60, 900))

    def _unplug(self) -> None:
        """Pull the cable for a while."""
        self._stage.act(self._top.unplug)
        self._stage.pass_time(self._dice.randint(0, 3000))
        self._stage.act(self._top.plug)
        self._stage.pass_time(1500)

    def _fumble(self) -> bool:
        """Take a stone off that should stay, or knock it somewhere else; then do as the board says."""
        table, top = self._table, self._top
        standing = pieces(table.rules, table.position)
        if not standing or not table.rules.stones:
            return True
        cells = self._dice.choice(standing)
        content = top.contents[cells[0]]
        self._lift(cells)
        self._stage.pass_time(self._dice.randint(60, 600))
        free = [cell for cell, there in enumerate(top.contents) if not there and cell not in cells]
        if len(cells) == 1 and free and self._dice.random() < 0.6:
            cell = self._dice.choice(free)
            plies = len(table.round.plies)
            self._stage.act(lambda: top.put((cell,), content))
            self._stage.pass_time(3600)
            if len(table.round.plies) != plies:
                return self.put_right("after a move that was not meant")  # it was a legal one, and counts
        else:
            self._stage.pass_time(3600)
        return self.put_right("after a fumble")

    def put_right(self, why: str) -> bool:
        """Do what the board advises, step by step, until it is satisfied."""
        table = self._table
        for _ in range(4 * len(table.rules.cells)):
            self._answer()
            if self.at_rest():
                return True
            for step in advise(table.picture)[:1]:
                self._follow(step.step, step.take, step.put, step.content)
            self._stage.pass_time(self._dice.choice((150, 450, 900)))
        self._stage.pass_time(4000)
        if self.at_rest():
            return True
        self._tally.stuck.append(self.told(f"advice did not help {why}"))
        return False

    def _answer(self) -> None:
        """Answer a question in the way that changes least."""
        question = self._table.question
        if question is None or question.about == questions.PASS:
            return
        if question.about == questions.COLOUR and not question.plies:
            self.press(question.options[0])
        else:
            self.press("back")
        self._stage.pass_time(400)

    def _follow(self, step: Step, take: tuple[int, ...], put: tuple[int, ...], content: int) -> None:
        top = self._top
        if step in {Step.CARRY, Step.TAKE, Step.CHANGE} and top.contents[take[0]]:
            self._lift(top.piece(take[0]))
            self._stage.pass_time(self._dice.randint(60, 300))
        if step is Step.TAKE:
            return
        for cell in put:
            if top.contents[cell]:
                self._lift(top.piece(cell))
        if put:
            self._stage.act(lambda: top.put(put, content))

    def _lift(self, cells: tuple[int, ...]) -> None:
        def hands() -> None:
            self._top.take(cells)

        self._stage.act(hands)

    # The table --------------------------------------------------------------------------------------------------------

    def at_rest(self) -> bool:
        table = self._table
        passing = table.question is not None and table.question.about == questions.PASS
        return table.phase in {Phase.WAITING, Phase.OVER} or passing

    def told(self, what: str) -> str:
        table = self._table
        words: Any = f"{table.phase.value}, {table.answer}"
        return (
            f"round {self._name}: {what}: {table.rules.name} {dict(table.rules.settings)} "
            f"after {len(table.round.plies)} plies, "
            f"{table.rules.position_text(table.position)}, at {self._stage.now} ms: {words}"
        )
