"""A table as pages see it: the keys, and what they hold."""

import json
from collections.abc import Callable
from typing import Any

from controller.lighting.language import seat_colour
from controller.table.view import hex_colours, stone_text, view
from hardware.ports import Sensing

Sit = Callable[..., Any]
CORNER = "..../..../BYR./RBR."


def seen(seat: Any) -> dict[str, Any]:
    state = view(seat.table, seat.table.frame(seat.now))
    told: dict[str, Any] = json.loads(json.dumps(state))  # nothing but JSON values
    return told


def test_the_keys_that_pages_are_promised(sit: Sit) -> None:
    state = seen(sit(CORNER, scores=(2, 5), to_move=2))
    assert {
        "game", "sensing", "phase", "words", "detail", "question", "cells", "track", "stones", "supply", "players",
        "buttons", "moves", "outcome",
    } <= set(state)  # fmt: skip
    assert state["game"]["name"] == "bamogo"
    assert state["game"]["surface"] == "square"
    assert state["game"]["settings"] == {}
    assert (state["sensing"], state["phase"], state["question"], state["outcome"]) == ("colour", "waiting", None, None)
    assert [cell["id"] for cell in state["cells"]][:5] == ["a1", "a2", "a3", "a4", "b1"]
    assert state["cells"][4] == {"id": "b1", "x": 1.0, "y": 0.0, "stone": "B", "light": "#000000"}
    assert len(state["track"]) == 24
    assert state["stones"] == ["R", "B", "Y"]
    assert state["supply"] == [
        {"stone": "R", "count": 2},
        {"stone": "B", "count": 3},
        {"stone": "Y", "count": 5},
    ]
    assert state["players"] == [
        {"number": 1, "name": "Player 1", "score": 2, "turn": False, "colour": "#ff281e"},
        {"number": 2, "name": "Player 2", "score": 5, "turn": True, "colour": "#285aff"},
    ]
    assert state["buttons"] == ["red", "blue", "yellow", "ok", "back", "new", "hint"]
    assert state["moves"] == []


def test_moves_and_lights_follow_the_table(sit: Sit) -> None:
    seat = sit("..../..../..../RR..").play("c1=R c2=B")
    state = seen(seat)
    assert state["moves"] == [{"ply": 1, "player": 1, "move": "Rc1 Bc2"}]
    lit = {cell["id"] for cell in state["cells"] if cell["light"] != "#000000"}
    assert lit == seat.lit()
    assert {"a1", "b1", "c1", "c2"} == lit
    assert "".join(state["track"]).replace("#", "") == seat.table.frame(seat.now)[48:].hex()


def test_a_question_has_cell_and_options(sit: Sit) -> None:
    seat = sit(sensing=Sensing.PRESENCE).do("b1=R a1=B").settle()
    assert seen(seat)["question"] == {"about": "colour", "cell": "b1", "options": ["red", "blue", "yellow", "back"]}
    assert seen(sit().press("new"))["question"] == {"about": "new-round", "cell": None, "options": ["ok", "back"]}


def test_nobody_is_on_turn_when_the_round_is_over(sit: Sit) -> None:
    state = seen(sit("..../..../..../RR..", scores=(9, 3)).play("c1=R c2=B"))
    assert state["outcome"] == {"winner": 1, "reason": "target"}
    assert [player["turn"] for player in state["players"]] == [False, False]
    assert [player["score"] for player in state["players"]] == [10, 3]


def test_a_stone_is_what_the_board_takes_it_for(sit: Sit) -> None:
    seat = sit(CORNER, sensing=Sensing.PRESENCE).do("d1=R d2=B b1=-").press("yellow")
    told = {place.name: stone_text(seat.table, c) for c, place in enumerate(seat.rules.cells)}
    assert (told["d1"], told["d2"], told["b1"], told["a1"], told["d4"]) == ("Y", "?", "", "R", "")
    seat = sit(CORNER).do("d1=R a1=Y b1=?")
    told = {place.name: stone_text(seat.table, c) for c, place in enumerate(seat.rules.cells)}
    assert (told["d1"], told["a1"], told["b1"]) == ("R", "Y", "?")


def test_before_the_first_snapshot_nothing_is_known(sit: Sit) -> None:
    from controller.table.core import Table

    rules = sit().rules
    table = Table(lambda _outcome=None, _first=None: rules, Sensing.COLOUR)
    state = view(table, table.frame(0))
    assert {cell["stone"] for cell in state["cells"]} == {"?"}
    assert state["phase"] == "setup"
    assert state["words"]


def test_colours_are_written_in_hexadecimal() -> None:
    assert hex_colours(bytes([255, 0, 10, 1, 2, 3])) == ["#ff000a", "#010203"]
    assert hex_colours(b"") == []
    assert seat_colour(1) == seat_colour(7)
