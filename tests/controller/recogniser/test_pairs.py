"""Two plies in one picture, and what only looks like two."""

import pytest

from controller.games.exago import GAME
from controller.games.seam import AnyRules
from controller.recogniser.answers import Recognised
from controller.recogniser.pairs import BLINK_MS, first_of_two
from controller.recogniser.prospect import Prospect
from controller.recogniser.watch import Watch
from hardware.ports import Sensing

RULES: AnyRules = GAME.rules(2, {})
START = "c7:R,d6:R,d7:B,d8:B,e6:B"
NO_HANDS = (
    "c5:B,c7:R,c8:R,c10:B,d5:B,d7:R,d8:R,d9:B,d10:B,e4:R,e6:B,e7:B,e9:B,f3:R,f6:R,f7:B,f8:R,g3:B,g4:B,g5:R,h3:R,h4:R,"
    "i2:B,i3:R"
)
"""All pieces lie on the board: a ply lifts one and puts it down elsewhere."""


def first(deeds: str, start: str = START, rules: AnyRules = RULES) -> str | None:
    """Return the first of two plies that `deeds` show (``f6=1@40``: what a cell reads from when on); None for none."""
    position = rules.parse_position(start)
    prospect = Prospect(rules, position, Sensing.PRESENCE)
    watch = Watch(prospect.base, prospect.base, 0)
    for deed in deeds.split():
        cell, rest = deed.split("=")
        reading, at = map(int, rest.split("@"))
        watch.change(rules.spot(cell)[0], reading, at)
    answer = first_of_two(prospect, watch, {})
    return rules.move_text(answer.move) if isinstance(answer, Recognised) else None


def test_the_earlier_landing_is_the_earlier_ply() -> None:
    assert first(f"c8=1@10 b9=1@{10 + BLINK_MS}") == "c8"  # b9 touches c8 alone: it is legal only after that


@pytest.mark.parametrize("later", [0, 20, BLINK_MS - 1])
def test_a_stone_that_is_seen_along_with_another_is_a_ghost(later: int) -> None:
    assert first(f"c8=1@10 b9=1@{10 + later}") is None


def test_an_opponent_who_begins_before_the_first_ply_is_whole_has_not_begun_a_ply() -> None:
    """The new piece came before the old one went; what went in between belongs to that move or to none."""
    assert first("i4=1@10 i3=0@100 i2=0@200", NO_HANDS) == "i3-i4"
    assert first("i4=1@10 i2=0@100 i3=0@200", NO_HANDS) is None


def test_two_whole_plies_on_the_way_explain_more_than_one_and_a_beginning() -> None:
    """The piece on c1 came from d2, whose group lost e2; the answer goes to d2 and hides where the first came from."""
    rules: AnyRules = GAME.rules(2, {"radius": "2", "pieces": "4", "need": "4"})
    deeds = "d2=0@10 e2=0@100 c1=1@200 c2=0@400 d2=1@500"
    start = "a3:R,b2:B,b3:B,b4:B,c2:B,c3:R,d2:R,e2:R"
    assert first(deeds, start, rules) == "d2-c1"
