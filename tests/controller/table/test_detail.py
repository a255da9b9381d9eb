"""What is said beside the sentence of a state, and how the boards of the other games are told to pages."""

from typing import Any

import pytest

from controller.games.seam import load_game
from controller.table.core import Table
from controller.table.view import owed, placement, view
from controller.table.words import MOST_NAMED, detail, how_to, words
from hardware.ports import CellChange, LinkNews, Sensing, Snapshot


class Seat:
    """A table of any game whose board shows what it should."""

    def __init__(self, game: str, position: str = "", players: int | None = None, **settings: str) -> None:
        rules = load_game(game).rules(players, settings)
        start = rules.parse_position(position) if position else None
        self.table = Table(lambda _outcome=None, _first=None: rules, Sensing.PRESENCE, position=start)
        self.now = 0
        readings = tuple(min(content, 1) for content in rules.contents(self.table.position))
        self.table.take([Snapshot(readings, 0)], 0)

    def do(self, *deeds: str) -> "Seat":
        """``+f6`` fills, ``-f6`` empties a cell or both of a placement."""
        for deed in deeds:
            self.now += 100
            cells = self.table.rules.spot(deed[1:])
            changes = [CellChange(cell, int(deed[0] == "+"), self.now) for cell in cells]
            self.table.take(changes, self.now)
        return self

    def wait(self, span: int = 400) -> "Seat":
        end = self.now + span
        while (due := self.table.due()) is not None and due <= end:
            self.now = max(self.now, due)
            self.table.advance(self.now)
        self.now = end
        self.table.advance(end)
        return self

    @property
    def state(self) -> dict[str, Any]:
        return view(self.table, self.table.frame(self.now))


def test_who_has_pieces_in_hand_is_told_to_place_and_who_has_none_to_move() -> None:
    placing = Seat("exago", "f6:R,f7:B").table
    moving = Seat("exago", "f6:R,f7:B", pieces="1").table
    assert "Put one of your pieces" in detail(placing)
    assert "hand is empty" in detail(moving)
    assert how_to(moving) == detail(moving)


@pytest.mark.parametrize(("waited", "told"), [(400, "red flash"), (3500, "red flash")])
def test_a_wrong_picture_explains_its_lights(waited: int, told: str) -> None:
    seat = Seat("exago", "f6:R,f7:B").do("+a6").wait(waited)
    assert told in detail(seat.table)
    assert "Put one of your pieces" not in detail(seat.table)


def test_a_lost_board_says_that_nothing_is_lost() -> None:
    seat = Seat("exago")
    seat.table.take([LinkNews(up=False, why="the cable is out", at=10)], 10)
    assert "Nothing is lost" in detail(seat.table)


def test_sowing_is_told_in_one_short_sentence() -> None:
    seat = Seat("bao-kigogo").do("-d5")
    assert words(seat.table) == "Player 1: sow d5 as far as d7, then take up all of d7 (lap 1 of 9)"
    assert "flashes twice" in detail(seat.table)


def test_many_cells_are_lit_and_not_named() -> None:
    seat = Seat("exago", "f6:R,f7:B,f8:R,g7:B", pieces="2").do("-f6")
    answer = seat.table.answer
    assert len(getattr(answer, "next", ())) > MOST_NAMED
    assert words(seat.table) == "Player 1: go on with a lit cell, or put it back"


def test_what_is_owed_is_told_until_it_is_off() -> None:
    seat = Seat("bao-kigogo", columns="4", setup="2,2,2,2/1,1,4,1/0,0,2,0/2,0,0,0")
    assert owed(seat.table) == []
    seat.do("-c3", "+c2", "+c1").wait()
    assert seat.state["owed"] == ["a1", "b1"]
    assert "comes off the board" in detail(seat.table)
    assert seat.do("-b1").wait(100).state["owed"] == ["a1"]
    assert seat.do("-a1").wait().state["owed"] == []


def test_two_place_stones_are_named_after_their_least_place_while_they_lie_there() -> None:
    seat = Seat("bambam-booboo", "He8:1,Vg8:2")
    rules = seat.table.rules
    for name in ("He8", "Vg8", "Ha1", "Vp15"):
        assert placement(rules, rules.spot(name)) == name
        assert placement(rules, tuple(reversed(rules.spot(name)))) == name
    assert (placement(rules, ()), placement(rules, rules.spot("e8"))) == ("", "")
    named = {cell["id"]: cell["placement"] for cell in seat.state["cells"] if cell["placement"]}
    assert named == {"e8": "He8", "f8": "He8", "g8": "Vg8", "g9": "Vg8"}
    seat.do("-g9")
    named = {cell["id"]: cell["placement"] for cell in seat.state["cells"] if cell["placement"]}
    assert named == {"e8": "He8", "f8": "He8"}
    assert "placement" not in Seat("exago").state["cells"][0]


def test_colours_are_buttons_only_where_they_can_be_declared() -> None:
    assert Seat("exago").state["buttons"] == ["ok", "back", "new", "hint"]
    assert Seat("bamogo").state["buttons"] == ["red", "blue", "yellow", "ok", "back", "new", "hint"]


def test_each_player_of_bao_hears_whose_pits_are_whose() -> None:
    assert "one of your pits, in rank c or d," in detail(Seat("bao-kigogo").table)
    assert "one of your pits, in rank a or b," in detail(Seat("bao-kigogo", first="2").table)


def test_why_it_is_no_move_says_where_to_go_only_once() -> None:
    seat = Seat("exago").do("+a6").wait(400)
    assert words(seat.table).count("f6") == 1
