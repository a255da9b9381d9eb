"""Hands at a simulated board, and what must be true of it whatever they do.

What hands mean to do is known here, and what a picture may be taken for is worked out from the rules alone, without the
recogniser, so that every ply that the table counts can be held against it.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from controller.app.simulated import Via, sensing_of, simulated_rig
from controller.games.seam import AnyRules, Cell, Outcome, Sower, load_game, pieces
from controller.recogniser.answers import Mismatch, Unfinished
from controller.rehearse.stage import Stage
from controller.table import questions
from controller.table.advice import Advice, Step, advise
from controller.table.core import Table
from controller.table.notices import Notice
from controller.table.view import view
from controller.turns.phases import Phase
from hardware.ports import Sensing, reads
from simulator.faults import Faults
from simulator.tabletop import Tabletop

QUICK: Final = (60, 70, 150, 220)
"""Pauses after which no picture has settled, in ms; long enough for every sensor to see."""
SLOW: Final = (60, 150, 350, 700, 3400)
"""Pauses of all lengths, in ms."""
LIMIT_MS: Final = 10_000
"""How long after the last action of a move it must have been counted."""
LIT_MS: Final = 1_300
"""How long after a change what is wrong must have been lit, blinking included."""
BUTTONS: Final = ("red", "blue", "yellow", "ok", "back", "new", "hint", "1", "2", "3")
COLOUR_BUTTONS: Final = {"R": "red", "B": "blue", "Y": "yellow", "G": "green", "P": "purple", "O": "orange"}


class AtTable:
    """A board in simulated time with hands at it.

    Fields:
        stood: the tokens of the plies that were meant and stand; None while hands do what nobody means.
        touched_at: when hands or presses last did something.
        done_at: when hands last did something to a cell.
    """

    def __init__(self, game: str, settings: Mapping[str, str], sense: str, players: int | None = None) -> None:
        self._game, self._settings, self._players = load_game(game), dict(settings), players
        rules = self._game.rules(players, settings)
        rig = simulated_rig(self._deal, sensing_of(rules, sense, Via.MEMORY), Via.MEMORY)
        assert rig.top is not None
        self.top: Tabletop = rig.top
        self.stood: list[str] | None = []
        self.touched_at = 0
        self.done_at: dict[Cell, int] = {}
        self.heard: list[Notice] = []
        self.stage = Stage(rig, self._hear, lambda _now, _frame: None)

    def _deal(self, outcome: Outcome | None = None, first: int | None = None) -> AnyRules:
        more = {} if first is None else {"first": str(first)}
        return self._game.rules(self._players, {**self._settings, **more})

    @property
    def table(self) -> Table:
        return self.stage.rig.table

    @property
    def rules(self) -> AnyRules:
        return self.table.rules

    @property
    def tokens(self) -> list[str]:
        return [ply.token for ply in self.table.round.plies]

    @property
    def blind(self) -> bool:
        """Whether the cells only tell full from empty."""
        return self.table.sensing is Sensing.PRESENCE

    @property
    def blind_to_swaps(self) -> bool:
        return self.blind and self.rules.name == "bamogo"

    # What hands do ----------------------------------------------------------------------------------------------------

    def seed(self, seed: int, faults: Faults) -> None:
        self.top.reseed(seed)
        self.top.faults = faults

    def wait(self, span: int) -> None:
        self.stage.pass_time(span)

    def lift(self, cell: Cell) -> int:
        """Take the stone that covers the cell, or all seeds of the pit."""
        content = self.top.contents[cell]
        self.done_at.update(dict.fromkeys(self.top.piece(cell), self.stage.now))
        self._act(lambda: self.top.take(self.top.piece(cell)))
        return content

    def take_some(self, cell: Cell, seeds: int) -> None:
        self.done_at[cell] = self.stage.now
        self._act(lambda: self.top.take((cell,), seeds))

    def put(self, cells: Sequence[Cell], content: int) -> None:
        self.done_at.update(dict.fromkeys(cells, self.stage.now))
        self._act(lambda: self.top.put(tuple(cells), content))

    def press(self, button: str) -> None:
        self._act(lambda: self.top.press(button, 60))
        self.wait(70)

    def touch(self, cell: Cell) -> None:
        self.touched_at = self.stage.now
        self.stage.rig.touch(cell, self.stage.now)
        self.wait(1)

    def pull_the_cable(self) -> None:
        self._act(self.top.unplug)

    def plug_it_in(self) -> None:
        self._act(self.top.plug)

    def _act(self, hands: Callable[[], object]) -> None:
        self.touched_at = self.stage.now

        def done() -> None:
            hands()

        self.stage.act(done)

    def full(self) -> list[Cell]:
        """The cells that something lies on."""
        return [cell for cell, content in enumerate(self.top.contents) if content]

    def placements(self) -> list[tuple[Cell, ...]]:
        """Where a stone, or seeds, can be put down now."""
        free = [cell for cell, content in enumerate(self.top.contents) if not content or not self.rules.stones]
        if self.rules.surface != "mat":
            return [(cell,) for cell in free]
        at = {(place.x, place.y): cell for cell, place in enumerate(self.rules.cells)}
        places = [(cell, self.rules.cells[cell]) for cell in free]
        beside = [(cell, at.get((x, y))) for cell, p in places for x, y in ((p.x + 1, p.y), (p.x, p.y + 1))]
        return [(cell, other) for cell, other in beside if other is not None and other in free]

    # What a picture may mean, by the rules alone ----------------------------------------------------------------------

    def read_as(self, contents: Sequence[int]) -> list[int]:
        return [reads(content, self.table.sensing) for content in contents]

    def seen(self) -> list[int]:
        """How the board reads once it is still."""
        return self.read_as(self.top.contents)

    def whole(self, readings: Sequence[int]) -> list[Any]:
        """The legal moves that leave exactly these readings, whatever part of their aftermath is done."""
        rules, position = self.rules, self.table.position
        before = rules.contents(position)
        found = []
        for move in rules.legal(position):
            footprint = rules.footprint(position, move)
            after = {**dict(enumerate(before)), **footprint.after}
            if footprint.after and all(
                reading
                in {reads(after[cell], self.table.sensing)}
                | ({reads(footprint.aftermath[cell], self.table.sensing)} if cell in footprint.aftermath else set())
                for cell, reading in enumerate(readings)
            ):
                found.append(move)
        return found

    def begun(self, readings: Sequence[int]) -> list[Any]:
        """The legal moves of which these readings show a part and nothing else. Not for sowing games."""
        rules, position = self.rules, self.table.position
        before = self.read_as(rules.contents(position))
        changed = {cell: reading for cell, reading in enumerate(readings) if reading != before[cell]}
        found = []
        for move in rules.legal(position):
            footprint = rules.footprint(position, move)
            if all(
                (cell in footprint.lifts and reading == 0)
                or (cell in footprint.after and reading == reads(footprint.after[cell], self.table.sensing))
                or (cell in footprint.aftermath and reading == reads(footprint.aftermath[cell], self.table.sensing))
                for cell, reading in changed.items()
            ):
                found.append(move)
        return found

    def wrong(self) -> set[Cell]:
        """The cells that do not read what they should."""
        should, masked = self.read_as(self.rules.contents(self.table.position)), self.table.picture.masked
        return {cell for cell, reading in enumerate(self.seen()) if reading != should[cell] and cell not in masked}

    def at_rest(self) -> bool:
        passing = self.table.question is not None and self.table.question.about == questions.PASS
        return self.table.phase in {Phase.WAITING, Phase.OVER} or passing

    def playable(self) -> list[Any]:
        """The legal moves that need no cell whose sensor is taken to be sick."""
        masked = self.table.picture.masked
        rules, position = self.rules, self.table.position
        return [m for m in rules.legal(position) if masked.isdisjoint(rules.footprint(position, m).after)]

    # Doing as the board says ------------------------------------------------------------------------------------------

    def put_right(self, dice: random.Random) -> None:
        """Do what the board advises, `back` to questions, until it is satisfied."""
        answered = None
        for _ in range(6 * len(self.rules.cells) + 30):
            if self.at_rest() and not (self.table.phase is Phase.WAITING and self.wrong()):
                break
            question = self.table.question
            if question is not None and question is not answered:
                answered = question
                self.press("back")
                self.wait(400)
                continue
            if self.go_on():
                continue
            steps = advise(self.table.picture)
            for advice in steps[:1]:
                self.follow(advice, dice)
            self.wait(dice.choice((150, 450, 900)) if steps else 3600)
        assert self.at_rest(), self.told("never back in play")
        if self.table.phase is not Phase.OVER:
            assert not self.wrong(), self.told("in play with a wrong board")
        self.tidy()
        self.stood = self.tokens

    def go_on(self) -> bool:
        """Sow on where the words say so; return whether they do."""
        answer = self.table.answer
        if self.table.phase is not Phase.HANDLING or not isinstance(answer, Unfinished) or answer.last is None:
            return False
        for cell in sorted(answer.next):
            self.put((cell,), 1)
            self.wait(60)
        if answer.lap < answer.laps:
            self.lift(answer.last)
        self.wait(3600 if answer.likely is not None else 400)
        return True

    def follow(self, advice: Advice, dice: random.Random) -> None:
        """Take one step of advice."""
        if advice.step is not Step.PUT:
            for cell in advice.take:
                if self.top.contents[cell]:
                    self.lift(cell)
                    self.wait(dice.choice(QUICK))
        for cell in advice.put:
            if self.top.contents[cell]:
                self.lift(cell)
                self.wait(60)
        if advice.put:
            self.put(advice.put, advice.content)

    def tidy(self) -> None:
        """Exchange, without a sound, what the cells cannot tell apart, so that the board is as the game has it."""
        rules, position = self.rules, self.table.position
        if self.table.phase is Phase.OVER or self.wrong():
            return
        while self.table.declarations.any:
            self.press("back")  # a colour that was pressed by mistake is kept for the next stone
        self.wait(60)
        self.top.lay(rules.contents(position), pieces(rules, position))

    def respond(self) -> None:
        """Answer what is asked about the stones truthfully, for as long as something is asked."""
        for _ in range(8):
            self.wait(400)
            question = self.table.question
            if question is None or question.about != questions.COLOUR or question.plies:
                return
            stone = self.rules.stones[self.top.contents[question.cells[0]]]
            self.press(COLOUR_BUTTONS[stone])

    # What must be true ------------------------------------------------------------------------------------------------

    def _hear(self, notice: Notice) -> None:
        self.heard.append(notice)
        if notice.type == "move":
            self._check_counted()

    def _check_counted(self) -> None:
        """What has just counted is what lies there: all else that differs is owed, or the next move under way."""
        table = self.table
        ply = table.round.plies[-1]
        owed = table.rules.footprint(ply.before, ply.move).aftermath
        astray = set(table.picture.seen.different) - set(owed)
        assert not astray or not isinstance(table.answer, Mismatch), self.told(f"{ply.token} counted")

    def check(self) -> None:
        self._check_plies()
        self._check_shown()
        self._check_lights()
        if self.stood is not None:
            assert self.tokens == self.stood, self.told(f"{self.stood} were made")

    def _check_plies(self) -> None:
        """The plies that stand are legal, and lead to the position."""
        position = self.table.round.start
        for ply in self.table.round.plies:
            assert ply.before == position
            assert ply.move in self.rules.legal(position), self.told(f"{ply.token} is illegal")
            position, _events = self.rules.apply(position, ply.move)
        assert position == self.table.position

    def _check_shown(self) -> None:
        """There are words for every state, and options for every question."""
        table = self.table
        state = view(table, table.frame(self.stage.now))
        assert state["words"], self.told("no words")
        assert state["phase"] == table.phase.value
        question = table.question
        if table.phase is Phase.ASKING:
            assert question is not None, self.told("asking nothing")
        if question is not None:
            names = {place.name for place in self.rules.cells}
            assert table.phase in {Phase.ASKING, Phase.MENDING}
            assert set(question.options) <= {*BUTTONS, *names}
            assert len(set(question.options)) == len(question.options) > 0

    def _check_lights(self) -> None:
        """What is wrong is lit; a board as it should be is dark after a while."""
        table, now = self.table, self.stage.now
        told = max((notice.at for notice in self.heard), default=0)
        quiet = now - max(self.touched_at, told, table.picture.seen.changed_at)
        if table.phase in {Phase.MENDING, Phase.SETUP} and table.question is None and quiet >= LIT_MS:
            self._assert_lit(set(table.picture.wrong().cells) if isinstance(self.rules, Sower) else self.wrong())
        if table.phase is Phase.HANDLING and isinstance(table.answer, Mismatch) and quiet >= LIT_MS + 300:
            self._assert_lit(set(table.answer.cells))
        if table.phase is Phase.WAITING and quiet >= 3000:
            frame = table.frame(now)
            assert not any(frame[: 3 * len(self.rules.cells)]), self.told("lit in waiting")

    def _assert_lit(self, cells: set[Cell]) -> None:
        dark = [self.rules.cells[cell].name for cell in cells if not self.stage.lit(cell)]
        assert not dark, self.told(f"{dark} are wrong and dark")

    def told(self, what: str) -> str:
        """Return a sentence about what went wrong, with all that is needed to look at it again."""
        table = self.table
        return (
            f"{what}; at {self.stage.now} ms {table.phase.value}, {self.tokens} stand, {table.question}, "
            f"{table.answer}, {self.rules.position_text(table.position)}, physically {self.top.contents}, "
            f"different {table.picture.seen.different}, emptied {table.picture.seen.emptied}"
        )
