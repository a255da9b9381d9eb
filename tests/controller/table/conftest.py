"""A table in simulated time, with hands that change readings at the exact millisecond."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from controller.games.bamogo import GAME
from controller.games.seam import AnyRules, Outcome
from controller.table.core import Table
from hardware.ports import CellChange, LinkNews, Sensing, Snapshot

LETTERS = {"": 0, "-": 0, "?": -1, "R": 1, "B": 2, "Y": 3}


class Seat:
    """A table and what happened at it.

    Args:
        position: text of the position of the round; the start unless given.
        sensing: what the cells can tell.
        lies: text of what lies on the board at first; the position unless given.
    """

    def __init__(
        self,
        position: str = "",
        *,
        sensing: Sensing = Sensing.COLOUR,
        lies: str = "",
        to_move: int = 1,
        scores: tuple[int, ...] = (),
        settings: Mapping[str, str] | None = None,
    ) -> None:
        rules: AnyRules = GAME.rules(2, dict(settings or {}))
        self.dealt: list[Any] = []

        def deal(outcome: Outcome | None = None, first: int | None = None) -> AnyRules:
            self.dealt.append(outcome)
            return rules if first is None else GAME.rules(2, {**(settings or {}), "first": str(first)})

        start = rules.parse_position(position, to_move, scores) if position else None
        self.rules = rules
        self.sensing = sensing
        self.table = Table(deal, sensing, track=24, position=start)
        self.now = 1000
        self.told: list[dict[str, Any]] = []
        self.frames: list[tuple[int, bytes]] = []
        contents = rules.contents(rules.parse_position(lies)) if lies else rules.contents(self.table.position)
        self.table.take([Snapshot(tuple(map(self._reading, contents)), self.now)], self.now)
        self._note()

    # Hands.

    def do(self, deeds: str, gap: int = 0) -> "Seat":
        """Do ``a1=R b1=-``, each `gap` ms after the one before; ``-`` lifts."""
        for number, deed in enumerate(deeds.split()):
            if number and gap:
                self.wait(gap)
            name, _, what = deed.partition("=")
            change = CellChange(self.cell(name), self._reading(LETTERS[what]), self.now)
            self.table.take([change], self.now)
            self._note()
        return self

    def press(self, *buttons: str) -> "Seat":
        """Press buttons, in the same millisecond."""
        for button in buttons:
            self.table.press(button, self.now)
            self._note()
        return self

    def wait(self, span: int) -> "Seat":
        """Let time pass, with a step whenever the table wants one."""
        end = self.now + span
        while (due := self.table.due()) is not None and due <= end:
            self.now = max(self.now, due)
            self.table.advance(self.now)
            self._note()
            assert (after := self.table.due()) is None or after > self.now, "the table asks for the same moment again"
        self.now = end
        self.table.advance(end)
        self._note()
        return self

    def settle(self) -> "Seat":
        """Wait until a picture counts."""
        return self.wait(300)

    def play(self, deeds: str, *colours: str) -> "Seat":
        """Do the deeds, press the colours where the board is blind, and let it count."""
        plies = len(self.moves)
        self.do(deeds, gap=60)
        if self.sensing is Sensing.PRESENCE:
            self.press(*colours)
        self.settle()
        assert len(self.moves) == plies + 1, self.told[-3:]
        return self

    def link(self, *, up: bool, why: str = "") -> "Seat":
        """Tell of the link."""
        self.table.take([LinkNews(up, why, self.now)], self.now)
        self._note()
        return self

    def snapshot(self, text: str) -> "Seat":
        """Tell all readings, of a board that lies so."""
        contents = self.rules.contents(self.rules.parse_position(text))
        self.table.take([Snapshot(tuple(map(self._reading, contents)), self.now)], self.now)
        self._note()
        return self

    # What is seen.

    def cell(self, name: str) -> int:
        return self.rules.spot(name)[0]

    @property
    def phase(self) -> str:
        return self.table.phase.value

    @property
    def about(self) -> str | None:
        return self.table.question.about if self.table.question else None

    @property
    def asked(self) -> list[str]:
        assert self.table.question is not None
        return [self.rules.cells[cell].name for cell in self.table.question.cells]

    @property
    def moves(self) -> list[str]:
        return [ply.token for ply in self.table.round.plies]

    def heard(self, kind: str) -> list[dict[str, Any]]:
        """All notices of a kind so far."""
        return [told for told in self.told if told["type"] == kind]

    def since(self, number: int) -> list[str]:
        """The kinds of the notices after the first `number`, phases by their name."""
        return [told["phase"] if told["type"] == "phase" else told["type"] for told in self.told[number:]]

    def lit(self) -> set[str]:
        """The cells that are lit now."""
        frame = self.table.frame(self.now)
        return {place.name for c, place in enumerate(self.rules.cells) if any(frame[3 * c : 3 * c + 3])}

    def lit_over(self, span: int) -> set[str]:
        """The cells that are lit at some moment of the time to come."""
        found = self.lit()
        for _ in range(span // 10):
            self.wait(10)
            found |= self.lit()
        return found

    def _reading(self, content: int) -> int:
        return min(content, 1) if self.sensing is Sensing.PRESENCE else content

    def _note(self) -> None:
        self.told += [notice.as_json() for notice in self.table.notices()]
        frame = self.table.frame(self.now)
        if not self.frames or self.frames[-1][1] != frame:
            self.frames.append((self.now, frame))


@pytest.fixture
def sit() -> Callable[..., Seat]:
    """A function that sits hands down at a new table; see `Seat`."""
    return Seat


@pytest.fixture(params=[Sensing.COLOUR, Sensing.PRESENCE], ids=["colour", "presence"])
def sensing(request: pytest.FixtureRequest) -> Sensing:
    """Every kind of sensing that Bamogo is played by."""
    kind: Sensing = request.param
    return kind
