"""A person beside a simulated board: sees its lights, puts stones where they are asked to, answers what they see."""

from typing import Final

from controller.bench.person import NONE, SKIP, TRACK, About, Deed, Question, Request
from controller.bench.simulated import SimulatedRoad
from hardware.ports import Millis
from simulator.field import DISH_MM

PATIENCE_MS: Final = 3000
"""After how long they say that a stone which lies there is not seen."""
GRASP_MS: Final = 300
"""What taking a stone or putting one down takes."""


class SimulatedPerson:
    """One who does what they are asked to.

    Args:
        road: the board.

    Attributes:
        told: all that was told to them.
        asked: all that they were asked.
    """

    def __init__(self, road: SimulatedRoad) -> None:
        self._road = road
        self._seen_lit: set[int] = set()
        self._waiting_since: Millis | None = None
        self.told: list[str] = []
        self.asked: list[Question] = []
        road.tap.listener = self._look

    def _look(self, _sent: bytes) -> None:
        self._seen_lit.update(self._road.lit())

    def tell(self, words: str) -> None:
        """Remember it."""
        self.told.append(words)

    def ask(self, question: Question) -> str:
        """Answer from what is to be seen."""
        self.asked.append(question)
        match question.about:
            case About.LIT_CELL:
                return self._lit_cell()
            case About.COLOUR:
                return self._colour()
            case About.ALL_LIT:
                seen, self._seen_lit = self._seen_lit, set()
                return "y" if seen >= set(self._road.truth.places()) else "n"
            case _:
                return question.default

    def _lit_cell(self) -> str:
        lit = self._road.lit()
        if not lit:
            return NONE
        cell = self._road.cell_at(lit[0])
        return TRACK if cell is None else self._road.top.names[cell]

    def _colour(self) -> str:
        lit = self._road.lit()
        if not lit:
            return NONE
        colour = self._road.tap.colours()[lit[0]]
        return "rgbw"[colour.index(max(colour))]

    def request(self, request: Request) -> None:
        """Do it."""
        top, clock = self._road.top, self._road.clock
        for cell in range(len(top.names)):
            if top.contents[cell]:
                top.take([cell])
        clock.wait(GRASP_MS)
        if request.deed is Deed.PUT:
            self._waiting_since = clock.now()
            lit = self._road.lit()
            cells = [self._road.cell_at(place) for place in lit]
            target = next((cell for cell in cells if cell is not None), None)
            if target is not None:
                top.put([target], request.stone)
                top.pose(target, offset_mm=DISH_MM if request.off_centre else 0.0)

    def heard(self) -> str:
        """Say that it is not seen, once that takes too long."""
        if self._waiting_since is None or self._road.clock.now() - self._waiting_since < PATIENCE_MS:
            return ""
        self._waiting_since = None
        return SKIP
