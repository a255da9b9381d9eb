"""Sensors that fail in the middle of a round: whether the table names them in time, and whether play goes on."""

import random
from dataclasses import dataclass, field

from controller.app.simulated import Via, sensing_of, simulated_rig
from controller.games.seam import AnyRules, Outcome
from controller.rehearse.stage import Stage
from controller.table import questions
from controller.table.notices import Notice
from controller.turns.phases import Phase
from simulator.lines import cells_on
from tests.soak.people import People, Tally

NAMED_WITHIN_MS = 10_000
"""How soon after hands have done with the board a sick cell that makes a difference must have been named."""
FAULTS = ("dead", "stuck", "line", "ghost", "diode")
"""What befalls the sensors, in turn."""
PLIES_AFTER = 6
"""How many plies are played with the fault."""


@dataclass(slots=True)
class Findings:
    """What came of it.

    Fields:
        rounds: rounds played, each with one fault.
        named: faults whose cells a question or mismatch named.
        lit: faults that read as hands would: a move or its aftermath seems to be under way, and its cells are lit.
        unseen: faults that made no difference while the round was played.
        silent: faults that kept a move from counting and were not named in time.
        played_on: rounds in which moves that do not need the cells counted afterwards.
        tally: the plies.
    """

    rounds: int = 0
    named: int = 0
    lit: int = 0
    unseen: int = 0
    silent: list[str] = field(default_factory=list)
    played_on: int = 0
    tally: Tally = field(default_factory=Tally)


def sicken(rules: AnyRules, sense: str, via: Via, rounds: int, seed: int) -> Findings:
    """Play so many rounds; in each something fails after a few plies."""
    findings = Findings()
    for number in range(rounds):
        _Round(rules, sense, via, f"{seed}/sick/{number}", FAULTS[number % len(FAULTS)], findings).play()
    return findings


class _Round:
    def __init__(self, rules: AnyRules, sense: str, via: Via, name: str, fault: str, findings: Findings) -> None:
        self.dice = random.Random(name)
        self.fault = fault
        self.findings = findings
        self.heard: list[Notice] = []

        def deal(outcome: Outcome | None = None, first: int | None = None) -> AnyRules:
            return rules

        self.rig = simulated_rig(deal, sensing_of(rules, sense, via), via, seed=self.dice.randrange(2**31))
        self.stage = Stage(self.rig, self.heard.append, lambda _now, _frame: None)
        self.people = People(self.stage, self.dice, findings.tally, 0.0, f"{name} {fault}")

    def play(self) -> None:
        """Play a few plies, let something fail, and play on."""
        findings = self.findings
        findings.rounds += 1
        for _ in range(self.dice.randint(4, 30)):
            if not self.people.turn():
                break
        if self.rig.table.phase is not Phase.OVER and not findings.tally.stuck:
            sick = self._fail()
            self.heard.clear()
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
        words |= {"ghost": "ghost=yes", "diode": f"diode={top.names[cell]}"}
        self.stage.act(lambda: top.fail([words[self.fault]]))
        if self.fault in {"ghost", "diode"}:
            return frozenset(range(len(top.names)))
        return cells_on(top.contacts.crossings, f"row{row}") if self.fault == "line" else frozenset({cell})

    def _judge(self, sick: frozenset[int]) -> None:
        findings, people, table = self.findings, self.people, self.rig.table
        self.stage.pass_time(NAMED_WITHIN_MS)
        self._answer()
        standing = len(table.round.plies)
        for _ in range(PLIES_AFTER):
            if not people.at_rest():
                break
            people.shunned = frozenset(table.picture.masked)
            stuck = len(findings.tally.stuck)
            if not people.turn():
                if len(findings.tally.stuck) > stuck:
                    findings.tally.stuck.pop()
                self._answer()
                break
        findings.played_on += len(table.round.plies) > standing
        names = {self.rig.table.rules.cells[cell].name for cell in sick}
        if any(names & set(_cells(notice)) for notice in self.heard):
            findings.named += 1
        elif people.at_rest():
            findings.unseen += 1
        elif table.phase in {Phase.HANDLING, Phase.GUIDING} or table.question is not None:
            findings.lit += 1
        else:
            findings.silent.append(people.told(f"{self.fault} {sorted(names)[:4]} was not named"))

    def _answer(self) -> None:
        """Let sick cells be put aside, as the board asks."""
        table = self.rig.table
        for _ in range(4):
            if table.question is None or table.question.about != questions.CELL:
                return
            self.people.press("ok")
            self.stage.pass_time(NAMED_WITHIN_MS)


def _cells(notice: Notice) -> list[str]:
    """Return the cells that a notice names."""
    facts = notice.facts
    if notice.type == "mismatch":
        return [*facts["extra"], *facts["missing"], *facts["wrong"]]
    return list(facts.get("cells", ())) if notice.type == "question" else []
