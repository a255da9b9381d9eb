"""Sensors that fail in the middle of a round: whether the table names them in time, and whether play goes on.

A sensor lies when it reads otherwise than what lies on its cell. Whenever hands have been still for `NAMED_WITHIN_MS`
and some sensor lies, the table must name one that does: by a light on its cell, in words, in a question or as put by.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from controller.app.simulated import Via, sensing_of, simulated_rig
from controller.games.seam import AnyRules, Outcome, pieces
from controller.recogniser.answers import Mismatch
from controller.rehearse.stage import Stage
from controller.table import questions
from controller.table.notices import Notice
from controller.table.words import words
from controller.turns.phases import Phase
from hardware.ports import reads
from simulator.lines import cells_on
from tests.soak.people import People, Tally

NAMED_WITHIN_MS = 10_000
"""How soon after hands have done with the board a sick cell that makes a difference must have been named."""
FAULTS = ("dead", "stuck", "line", "ghost", "diode", "crosstalk", "settling")
"""What befalls the sensors, in turn."""
FAR = frozenset({"diode", "crosstalk", "settling"})
"""Faults by which many cells lie, some of them far from the cause: of these, none is asked to be named."""
PLIES_AFTER = 6
"""How many plies are played with the fault."""


@dataclass(slots=True)
class Findings:
    """What came of it.

    Fields:
        rounds: rounds played, each with one fault.
        named: rounds in which a sensor lied, and whenever hands were still one was named in time.
        unseen: rounds in which no sensor lied when hands were still.
        silent: times at which a sensor lied, and none was named in time, other than by one of the faults in `FAR`.
        played_on: rounds in which moves counted afterwards.
        could: rounds in which there was a move that needs no cell concerned.
        halted: rounds among these in which the move that was made did not count.
        blind: plies that counted and were not the one that was made, where the sensors told of just that other ply.
        tally: the plies.
    """

    rounds: int = 0
    named: int = 0
    unseen: int = 0
    silent: list[str] = field(default_factory=list)
    played_on: int = 0
    could: int = 0
    halted: list[str] = field(default_factory=list)
    blind: list[str] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)


def sicken(rules: AnyRules, sense: str, via: Via, rounds: int, seed: int, others: Sequence[str]) -> Findings:
    """Play so many rounds; in each something fails after a few plies. In every other one `others` are on besides."""
    findings = Findings()
    for number in range(rounds):
        game = _Round(rules, sense, via, f"{seed}/sick/{number}", FAULTS[number % len(FAULTS)], findings)
        if number % 2:
            game.suffer(others)
        game.play()
    return findings


class _Round:
    def __init__(self, rules: AnyRules, sense: str, via: Via, name: str, fault: str, findings: Findings) -> None:
        self.dice = random.Random(name)
        self.fault = fault
        self.findings = findings

        def deal(outcome: Outcome | None = None, first: int | None = None) -> AnyRules:
            return rules

        self.rig = simulated_rig(deal, sensing_of(rules, sense, via), via, seed=self.dice.randrange(2**31))
        self.explained, self.misled = True, False
        self.stage = Stage(self.rig, self._hear, lambda _now, _frame: None)
        self.people = People(self.stage, self.dice, findings.tally, 0.0, f"{name} {fault}")

    def suffer(self, others: Sequence[str]) -> None:
        """Let other faults be on from the beginning."""
        assert self.rig.top is not None
        self.rig.top.fail(list(others))

    def play(self) -> None:
        """Play a few plies, let something fail, and play on."""
        findings = self.findings
        findings.rounds += 1
        for _ in range(self.dice.randint(4, 30)):
            if not self.people.turn():
                break
        if self.rig.table.phase is not Phase.OVER and not findings.tally.stuck:
            sick = self._fail()
            self._judge(sick)
        assert self.rig.top is not None
        findings.tally.faults += self.rig.top.contacts.upsets
        self.rig.close()

    def _fail(self) -> frozenset[int]:
        """Let something fail; return the cells that it may concern."""
        top = self.rig.top
        assert top is not None
        cell = self.dice.choice([cell for cell, content in enumerate(top.contents) if content] or [0])
        row = top.contacts.crossings[cell][0] + 1
        words = {"dead": f"dead={top.names[cell]}", "stuck": f"stuck={top.names[cell]}", "line": f"line=row{row}"}
        words |= {"ghost": "ghost=yes", "diode": f"diode={top.names[cell]}", "crosstalk": "crosstalk=2"}
        words |= {"settling": "settling=yes"}
        self.stage.act(lambda: top.fail([words[self.fault]]))
        if self.fault in {"ghost", *FAR}:
            return frozenset(range(len(top.names)))
        return cells_on(top.contacts.crossings, f"row{row}") if self.fault == "line" else frozenset({cell})

    def _judge(self, sick: frozenset[int]) -> None:
        findings, people, table = self.findings, self.people, self.rig.table
        told = self._still()
        standing = len(table.round.plies)
        for _ in range(PLIES_AFTER):
            if not people.at_rest() or table.phase is Phase.OVER:
                break
            can, plies = self._can(sick), len(table.round.plies)
            if self._turn():
                continue
            if self.misled:
                break  # hands and game have parted, and only people can know
            told += self._still()
            if len(table.round.plies) == plies and table.round.outcome is None:
                self._restore()
                told += self._still()
                people.shunned |= sick
                if can and not self._turn():
                    findings.halted.append(people.told(f"{self.fault}: no ply counts any more"))
                    break
        findings.could += self._can(sick)
        findings.played_on += len(table.round.plies) > standing
        silent = [what for what in told if what and self.fault not in FAR]
        findings.silent += silent
        findings.named += bool(told) and not silent
        findings.unseen += not told

    def _hear(self, notice: Notice) -> None:
        """Note whether a ply counts while a sensor lies, and is the one of which all tell, or the next begins."""
        if notice.type == "move":
            table = self.rig.table
            last = table.round.plies[-1]
            owed = table.rules.footprint(last.before, last.move).aftermath
            whole = table.picture.seen.different.keys() <= owed.keys()
            self.explained = bool(self._lies()) and (whole or not isinstance(table.answer, Mismatch))

    def _turn(self) -> bool:
        """Make a move; return whether it counted. That it may not is not to be counted as stuck: a sensor is sick."""
        self.people.shunned |= self.rig.table.picture.masked
        tally = self.findings.tally
        stuck, wrong = len(tally.stuck), len(tally.wrong)
        played = self.people.turn()
        del tally.stuck[stuck:]
        if len(tally.wrong) > wrong and self.explained:
            self.findings.blind.append(tally.wrong.pop())
            self.misled = True
        return played

    def _restore(self) -> None:
        """Put everything back where it was before the move that did not count."""
        table, top = self.rig.table, self.rig.top
        assert top is not None
        contents = table.rules.contents(table.position)
        standing = pieces(table.rules, table.position)
        for cell in range(len(contents)):
            piece = top.piece(cell)
            if top.contents[cell] and (piece not in standing or contents[cell] != top.contents[cell]):
                self._act(top.take, piece)
        for piece in standing:
            if not top.contents[piece[0]]:
                self._act(top.put, piece, contents[piece[0]])

    def _act(self, deed: Callable[..., object], *what: object) -> None:
        def hands() -> None:
            deed(*what)

        self.stage.act(hands)
        self.stage.pass_time(200)

    def _can(self, sick: frozenset[int]) -> bool:
        """Return whether some legal move needs no cell of those that may be sick."""
        people, table = self.people, self.rig.table
        return any(not sick & people.touched(move) for move in table.prospect.moves)

    def _still(self) -> list[str]:
        """Keep hands still, and let sick cells be put aside as the board asks; return what was told of those that lie.

        Returns:
            For each time that hands were still and a sensor lied to the table's knowledge: empty where one such cell
            was named, else what was shown instead.
        """
        told: list[str] = []
        for _ in range(6):
            self.stage.pass_time(NAMED_WITHIN_MS)
            lying = self._lying()
            told += self._said_of(lying)
            question = self.rig.table.question
            if question is None and not self.people.at_rest() and lying:
                self.people.press("ok")  # all is done of which the board asks for more
                question = self.rig.table.question
            if question is None or question.about != questions.CELL:
                break
            self.people.press("ok" if lying.issuperset(question.cells) else "back")
        return told

    def _lying(self) -> set[int]:
        """Return the cells that read otherwise than what lies on them, where the table sees that something is wrong."""
        watch = self.rig.table.watch
        return (
            self._lies() if watch is not None and watch.different and self.rig.table.phase is not Phase.OVER else set()
        )

    def _lies(self) -> set[int]:
        """Return the cells that read otherwise than what lies on them."""
        top, watch = self.rig.top, self.rig.table.watch
        assert top is not None
        assert watch is not None
        return {
            cell
            for cell, content in enumerate(top.contents)
            if cell not in watch.masked and watch.readings[cell] != reads(content, self.rig.table.sensing)
        }

    def _said_of(self, lying: set[int]) -> list[str]:
        table = self.rig.table
        if not lying:
            return []
        asked = set(table.question.cells) if table.question is not None else set()
        said = {word.strip(",.:;()") for word in words(table).split()}
        names = {table.rules.cells[cell].name for cell in lying}
        if lying & asked or names & said or any(self.stage.lit(cell) for cell in lying):
            return [""]
        return [self.people.told(f"{self.fault} {sorted(names)[:4]} was not named")]
