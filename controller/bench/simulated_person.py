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
        self._to_put: Request | None = None
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
        """Begin to do it; `heard` goes on with it."""
        self._lift_all()
        self._waiting_since = self._road.clock.now()
        self._to_put = request if request.deed is Deed.PUT else None

    def heard(self) -> str:
        """Put down what was asked for once it is grasped; later say that it is not seen, where that takes too long."""
        since = self._waiting_since
        if since is None:
            return ""
        spent = self._road.clock.now() - since
        if self._to_put is not None and spent >= GRASP_MS:
            self._put(self._to_put)
            self._to_put = None
        if spent < PATIENCE_MS:
            return ""
        self._waiting_since = None
        return SKIP

    def _lift_all(self) -> None:
        top = self._road.top
        for cell in range(len(top.names)):
            if top.contents[cell]:
                top.take([cell])

    def _put(self, request: Request) -> None:
        cells = [self._road.cell_at(place) for place in self._road.lit()]
        target = next((cell for cell in cells if cell is not None), None)
        if target is not None:
            self._road.top.put([target], request.stone)
            self._road.top.pose(target, offset_mm=DISH_MM if request.off_centre else 0.0)
