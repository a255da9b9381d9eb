"""What is asked, declared and under way when a board is lost, and once it is heard again."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from controller.games.seam import load_game
from controller.table.core import Table
from controller.turns.phases import Phase
from hardware.ports import CellChange, LinkNews, Sensing, Snapshot

ENDLESS = "2,2,0,0/0,0,0,0/2,1,0,1/0,2,1,0"
TIED = "e2:B,e3:R,e4:B,e5:R,e6:B,e7:R,e8:B,e9:R"


class Seat:
    """A table of any game, by presence, whose readings are known here."""

    def __init__(self, game: str, position: str = "", orient: bool = False, **options: str) -> None:
        rules = load_game(game).rules(None, options)
        start = rules.parse_position(position) if position else None
        self.table = Table(lambda *_, **__: rules, Sensing.PRESENCE, position=start, orient=orient)
        self.readings = [min(content, 1) for content in rules.contents(self.table.position)]
        self.now = 0
        self.told: list[dict[str, Any]] = []
        self.take(Snapshot(tuple(self.readings), 0))

    def take(self, *items: Any) -> "Seat":
        self.table.take(items, self.now)
        self.told += [notice.as_json() for notice in self.table.notices()]
        return self

    def flip(self, names: str) -> list[tuple[int, int]]:
        changes = []
        for name in names.split():
            cell = self.table.rules.spot(name)[0]
            self.readings[cell] = 1 - self.readings[cell]
            changes.append((cell, self.readings[cell]))
        return changes

    def do(self, names: str, gap: int = 60) -> "Seat":
        """Change cells one after the other, and let them settle."""
        for cell, reading in self.flip(names):
            self.take(CellChange(cell, reading, self.now)).wait(gap)
        return self.wait(400)

    def press(self, *buttons: str) -> "Seat":
        for button in buttons:
            self.table.press(button, self.now)
        return self

    def wait(self, span: int) -> "Seat":
        end = self.now + span
        while (due := self.table.due()) is not None and due <= end:
            self.now = max(self.now, due)
            self.table.advance(self.now)
        self.now = end
        self.table.advance(end)
        return self

    def lose(self) -> "Seat":
        return self.take(LinkNews(up=False, why="the cable is out", at=self.now))

    def find(self, changed: str = "") -> "Seat":
        """The board is heard again; these cells have changed meanwhile."""
        self.flip(changed)
        return self.take(LinkNews(up=True, why="", at=self.now), Snapshot(tuple(self.readings), self.now))

    @property
    def about(self) -> str | None:
        return self.table.question.about if self.table.question else None

    @property
    def moves(self) -> list[str]:
        return [ply.token for ply in self.table.round.plies]

    def state(self) -> Mapping[str, Any]:
        table = self.table
        return {
            "phase": table.phase,
            "question": table.question,
            "answer": table.answer,
            "given": dict(table.declarations.given),
            "different": dict(table.picture.seen.different),
            "emptied": list(table.picture.seen.emptied),
            "together": list(table.picture.seen.together),
            "plies": self.moves,
            "strayed": table.strayed,
        }


def colour() -> Seat:
    return Seat("bamogo").do("a1 b1").press("red")


def swap() -> Seat:
    return Seat("bamogo", "RB../..YR/..../....").do("c3 d3 a4 a4 c3 d3", 150)


def order() -> Seat:
    seat = Seat("bamogo")
    return seat.take(*(CellChange(cell, reading, 0) for cell, reading in seat.flip("a1 b1 c3 d3"))).wait(400)


def group() -> Seat:
    return Seat("exago", TIED, radius="4", pieces="4", need="5").do("e5 e1")


def endless() -> Seat:
    return Seat("bao-kigogo", columns="4", setup=ENDLESS).do("c1")


def passing() -> Seat:
    return Seat("bamogo", "R.Y./.B.R/R.Y./.B.R")


def takeback() -> Seat:
    return Seat("exago").do("f6").do("f7").do("g7").do("g7")


def new_round() -> Seat:
    return Seat("exago").do("f6").do("f7").press("new")


def resign() -> Seat:
    return new_round().press("new")


def shutdown() -> Seat:
    return Seat("exago").do("f6").do("f7").press("off")


def cell() -> Seat:
    return Seat("bamogo", "R.../..../..../...B").do("a4 b1 b2").wait(7000)


def orientation() -> Seat:
    return Seat("exago", orient=True)


def swept() -> Seat:
    return Seat("exago").do("f6").do("f7").do("f6 f7")


KINDS: Mapping[str, Callable[[], Seat]] = {
    "colour": colour,
    "swap": swap,
    "order": order,
    "group": group,
    "endless": endless,
    "pass": passing,
    "takeback": takeback,
    "new-round": new_round,
    "resign": resign,
    "shutdown": shutdown,
    "orientation": orientation,
    "cell": cell,
}
UNASKED: Mapping[str, Callable[[], Seat]] = {
    "waiting": lambda: Seat("exago").do("f6"),
    "handling": lambda: Seat("exago").do("f6").do("f7").do("f6"),
    "mending": lambda: Seat("exago").do("f6").do("f7").do("f6 f7 g7").wait(3400),
    "mending and asking": swept,
    "guiding": lambda: Seat("bao-kigogo", columns="4", setup="2,2,2,2/1,1,4,1/0,0,2,0/2,0,0,0").do("c3 c2 c1"),
    "over": lambda: Seat("exago").do("f6").do("f7").press("new", "new", "ok"),
    "setup": lambda: Seat("exago").do("f6").do("f7").press("new", "ok"),
}


@pytest.mark.parametrize("away", [20, 1500, 60_000])
@pytest.mark.parametrize("kind", [*KINDS, *UNASKED])
def test_a_board_that_reads_as_before_goes_on_as_before(kind: str, away: int) -> None:
    seat = {**KINDS, **UNASKED}[kind]()
    before = seat.state()
    assert seat.table.phase.value == kind.split()[0] if kind in UNASKED else seat.about == kind
    seat.lose()
    assert (seat.table.phase, seat.about) == (Phase.OFFLINE, None)
    seat.told.clear()
    seat.press("ok", "back", "new", "red", "1", "hint").wait(away).press("ok", "back")
    assert (seat.table.phase, seat.about, seat.moves) == (Phase.OFFLINE, None, before["plies"])
    seat.find()
    assert seat.state() == before
    asked = [told["about"] for told in seat.told if told["type"] == "question"]
    assert asked == [before["question"].about] if before["question"] else not asked
    again = {**KINDS, **UNASKED}[kind]().wait(2000)
    assert seat.wait(2000).state() == again.state()


@pytest.mark.parametrize("kind", ["new-round", "resign", "shutdown", "orientation"])
@pytest.mark.parametrize(("changed", "phase"), [("g7", "waiting"), ("a6 a7", "mending"), ("f6", "mending")])
def test_what_is_not_about_the_picture_is_asked_again_whatever_it_is(kind: str, changed: str, phase: str) -> None:
    seat = KINDS[kind]().lose().wait(1000).find(changed).wait(400)
    assert seat.about == kind
    seat.press("back")
    if kind == "orientation":
        assert seat.about == kind
    else:
        assert (seat.table.phase.value, len(seat.moves)) == (phase, 3 if phase == "waiting" else 2)


def test_a_button_pressed_before_the_picture_has_settled_answers_what_was_asked() -> None:
    seat = new_round().lose().find("g7").press("back")
    assert (seat.about, len(seat.moves)) == (None, 2)
    assert len(seat.wait(400).moves) == 3


@pytest.mark.parametrize(
    ("kind", "changed", "phase"),
    [
        ("colour", "a1", "handling"),
        ("colour", "a1 b1", "waiting"),
        ("swap", "c3", "handling"),
        ("order", "a1 b1 c3 d3", "waiting"),
        ("group", "e1 e5", "waiting"),
        ("group", "a5", "mending"),
        ("endless", "c1", "waiting"),
        ("takeback", "g7", "waiting"),
        ("takeback", "f6", "mending"),
    ],
)
def test_what_is_about_the_picture_goes_with_it(kind: str, changed: str, phase: str) -> None:
    seat = KINDS[kind]()
    plies = seat.moves
    seat.lose().wait(1000).find(changed)
    assert (seat.table.phase.value, seat.about) == (phase, None)
    assert seat.moves == plies


def test_what_is_owed_may_be_taken_off_while_nobody_hears_it() -> None:
    seat = UNASKED["guiding"]()
    seat.lose().find("b1")
    assert seat.table.phase.value == "guiding"
    seat.lose().find("a1")
    assert seat.table.phase.value == "waiting"


def test_a_board_can_be_switched_off_while_it_is_away() -> None:
    seat = new_round().lose().press("off")
    assert (seat.table.phase, seat.about) == (Phase.ASKING, "shutdown")
    seat.press("new", "hint", "red").press("back")
    assert (seat.table.phase, seat.about) == (Phase.OFFLINE, None)
    seat.press("off").find()
    assert (seat.table.phase, seat.about) == (Phase.ASKING, "shutdown")
    seat.press("back")
    assert seat.about == "new-round"
    seat.press("back")
    assert (seat.table.phase, len(seat.moves)) == (Phase.WAITING, 2)
    assert seat.lose().press("off", "ok").table.leaving


def test_a_picture_that_had_not_settled_is_judged_once_it_is_back() -> None:
    seat = Seat("exago").do("f6")
    seat.take(*(CellChange(cell, reading, seat.now) for cell, reading in seat.flip("f7"))).lose()
    seat.press("off", "back").wait(5000)
    assert seat.find().moves == ["f6"]
    assert seat.wait(299).moves == ["f6"]
    assert seat.wait(1).moves == ["f6", "f7"]


def test_a_cell_is_not_heard_again_by_a_touch_while_nobody_hears_it() -> None:
    seat = Seat("exago").do("f6")
    seat.table.picture.mask([3])
    seat.lose().table.touch(3, seat.now)
    assert seat.table.picture.masked == {3}
