"""Hands of pages on a simulated board: what they may do, what is refused, what the tray holds."""

import json
import random
from typing import Any

import pytest

from controller.app.desk import TableDesk
from controller.app.rig import Rig
from controller.app.simulated import Via, simulated_rig
from controller.games.bamogo import GAME
from controller.games.seam import AnyRules
from controller.match import Dealer
from controller.page.desk import RequestError
from controller.turns.phases import Phase
from hardware.ports import Sensing

CORNER = "..../..../BYR./RBR."


class Room:
    """A desk on a board in memory, with a clock of its own."""

    def __init__(self, position: str = CORNER, *, sensing: Sensing = Sensing.COLOUR, real: bool = False) -> None:
        rules: AnyRules = GAME.rules()
        start = rules.parse_position(position)
        self.now = 0
        self.woken = 0
        self.rig: Rig = simulated_rig(lambda _outcome=None, _first=None: rules, sensing, Via.MEMORY, position=start)
        if real:
            self.rig.top = None
        self.desk = TableDesk(self.rig, "Bamogo", lambda: self.now, self._wake)
        self.rig.step(0)

    def _wake(self) -> None:
        self.woken += 1

    def act(self, client: str, kind: str, **fields: str) -> None:
        self.desk.act(client, {"type": kind, **fields})
        self.rig.step(self.now)

    def wait(self, span: int) -> None:
        end = self.now + span
        while (due := self.rig.due()) is not None and due <= end:
            self.now = max(self.now, due)
            self.rig.step(self.now)
        self.now = end
        self.rig.step(end)

    @property
    def state(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(json.dumps(self.desk.state()))
        return told

    def piece(self, name: str) -> str:
        return str(next(cell["piece"] for cell in self.state["cells"] if cell["id"] == name))

    @property
    def supply(self) -> dict[str, int]:
        return {entry["stone"]: entry["count"] for entry in self.state["supply"]}

    @property
    def held(self) -> list[tuple[str, str, str | None]]:
        return [(entry["client"], entry["stone"], entry["from"]) for entry in self.state["held"]]


@pytest.fixture
def room() -> Room:
    return Room()


def refused(room: Room, client: str, kind: str, **fields: str) -> str:
    """What the page is told; nothing on the board has changed."""
    before = room.state
    with pytest.raises(RequestError) as caught:
        room.act(client, kind, **fields)
    assert room.state == before
    return str(caught.value)


def test_the_state_says_all_that_the_desk_promises(room: Room) -> None:
    state = room.state
    assert {
        "game", "sensing", "simulated", "phase", "words", "detail", "question", "cells", "track", "stones", "supply",
        "players", "buttons", "moves", "outcome", "held", "light", "seats",
    } <= set(state)  # fmt: skip
    assert state["game"]["title"] == "Bamogo"
    assert state["simulated"] is True
    assert (room.piece("a1"), room.piece("d4")) == ("R", "")
    assert room.supply == {"R": 2, "B": 3, "Y": 5}
    assert room.held == []


def test_a_stone_goes_from_the_tray_to_a_cell(room: Room) -> None:
    room.act("me", "take", stone="R")
    assert (room.held, room.supply["R"], room.piece("d1")) == ([("me", "R", None)], 1, "")
    room.act("me", "drop", cell="d1")
    assert (room.held, room.supply["R"], room.piece("d1")) == ([], 1, "R")
    assert room.state["phase"] == "handling"


def test_a_stone_is_lifted_carried_and_put_down_elsewhere(room: Room) -> None:
    room.act("me", "lift", cell="a1")
    assert (room.held, room.piece("a1"), room.supply["R"]) == ([("me", "R", "a1")], "", 2)
    room.act("me", "drop", cell="d4")
    assert (room.held, room.piece("d4")) == ([], "R")


def test_what_is_in_the_hand_may_be_discarded_or_given_back(room: Room) -> None:
    room.act("me", "lift", cell="a1")
    room.act("me", "discard")
    assert (room.held, room.piece("a1"), room.supply["R"]) == ([], "", 3)
    room.act("me", "lift", cell="b1")
    room.act("me", "return")
    assert (room.held, room.piece("b1")) == ([], "B")
    room.act("me", "take", stone="Y")
    room.act("me", "return")
    assert (room.held, room.supply["Y"]) == ([], 5)


def test_a_whole_ply_by_the_hands_of_a_page(room: Room) -> None:
    for stone, cell in (("Y", "d1"), ("B", "d2")):
        room.act("me", "take", stone=stone)
        room.act("me", "drop", cell=cell)
    room.wait(400)
    assert room.state["moves"] == [{"ply": 1, "player": 1, "move": "Yd1 Bd2"}]
    assert [player["turn"] for player in room.state["players"]] == [False, True]
    for cell in ("a1", "b1"):
        room.act("me" + cell, "lift", cell=cell)  # a swap takes two hands
    room.act("mea1", "drop", cell="b1")
    room.act("meb1", "drop", cell="a1")
    room.wait(400)
    assert room.state["moves"][-1]["move"] == "a1~b1"
    assert room.rig.table.notices()[-1].facts["phase"] == "waiting"


def test_what_a_hand_cannot_do_is_refused_and_changes_nothing(room: Room) -> None:
    assert "b1" not in refused(room, "me", "drop", cell="d1")
    assert "empty" in refused(room, "me", "lift", cell="d1")
    assert "q7" in refused(room, "me", "lift", cell="q7")
    assert "no Q left" in refused(room, "me", "take", stone="Q")
    assert "no button 'red1'" in refused(room, "me", "press", button="red1")
    assert "no button '3'" in refused(room, "me", "press", button="3")
    refused(room, "me", "discard")
    refused(room, "me", "return")
    refused(room, "me", "touch", cell="z")
    room.act("me", "take", stone="R")
    assert "full" in refused(room, "me", "take", stone="B")
    assert "full" in refused(room, "me", "lift", cell="a1")
    assert "a1 is taken" in refused(room, "me", "drop", cell="a1")
    assert room.held == [("me", "R", None)]


def test_the_supply_can_be_used_up(room: Room) -> None:
    for client in ("one", "two"):
        room.act(client, "take", stone="R")
    assert room.supply["R"] == 0
    assert "no R left" in refused(room, "three", "take", stone="R")
    room.act("one", "discard")
    room.act("three", "take", stone="R")
    assert room.supply["R"] == 0


def test_two_pages_have_two_hands(room: Room) -> None:
    room.act("one", "lift", cell="a1")
    room.act("two", "take", stone="Y")
    assert sorted(room.held) == [("one", "R", "a1"), ("two", "Y", None)]
    assert "full" in refused(room, "two", "lift", cell="b1")
    room.act("two", "drop", cell="a1")
    assert "a1 is taken" in refused(room, "one", "return")  # its place is taken meanwhile
    room.act("one", "drop", cell="d4")
    assert (room.piece("a1"), room.piece("d4"), room.held) == ("Y", "R", [])


def test_a_page_that_leaves_puts_back_what_it_held(room: Room) -> None:
    room.act("one", "lift", cell="a1")
    room.act("two", "take", stone="Y")
    room.act("three", "lift", cell="b1")
    room.act("two", "drop", cell="b1")
    for client in ("one", "two", "three", "three", "stranger"):
        room.desk.leave(client)
    assert (room.piece("a1"), room.piece("b1"), room.held) == ("R", "Y", [])
    assert room.supply == {"R": 2, "B": 4, "Y": 4}  # the blue one's cell was taken: it lies off the board


def test_stones_are_never_lost_or_made(room: Room) -> None:
    deeds: list[tuple[str, str, dict[str, str]]] = [
        ("a", "take", {"stone": "R"}), ("b", "lift", {"cell": "a1"}), ("a", "drop", {"cell": "d4"}),
        ("b", "discard", {}), ("a", "lift", {"cell": "c1"}), ("b", "take", {"stone": "Y"}), ("a", "return", {}),
    ]  # fmt: skip
    for client, kind, fields in deeds:
        room.act(client, kind, **fields)
        lying = [cell["piece"] for cell in room.state["cells"] if cell["piece"]]
        in_hands = [stone for _, stone, _ in room.held]
        total = {stone: room.supply[stone] + (lying + in_hands).count(stone) for stone in "RBY"}
        assert total == {"R": 5, "B": 5, "Y": 6}, (kind, fields)


def test_buttons_and_touches_reach_the_table() -> None:
    room = Room("..../..../..../....", sensing=Sensing.PRESENCE)
    for stone, cell in (("R", "a1"), ("B", "b1")):
        room.act("me", "take", stone=stone)
        room.act("me", "drop", cell=cell)
    room.wait(400)
    assert room.state["question"]["cell"] == "a1"
    for button in ("red", "blue"):
        room.act("other", "press", button=button)
        room.wait(200)
    assert [move["move"] for move in room.state["moves"]] == ["Ra1 Bb1"]
    asked = Room(sensing=Sensing.PRESENCE)
    for number, cell in enumerate(("a1", "b1", "c1")):
        asked.act(str(number), "lift", cell=cell)
    asked.wait(200)  # no hand puts three stones back at once
    for number, cell in enumerate(("a1", "b1", "c1")):
        asked.act(str(number), "drop", cell=cell)
    asked.wait(400)
    assert asked.state["question"]["about"] == "swap"
    asked.act("me", "touch", cell="c1")
    assert [move["move"] for move in asked.state["moves"]] == ["b1~c1"]


def test_a_seat_says_who_begins_only_while_the_board_is_set_up(room: Room) -> None:
    assert room.state["seats"] == []
    assert "while the board is being set up" in refused(room, "me", "press", button="2")
    dealer = Dealer(GAME, None, {}, random.Random(1))
    room.rig = simulated_rig(dealer, Sensing.COLOUR, Via.MEMORY, position=GAME.rules().parse_position(CORNER))
    room.desk = TableDesk(room.rig, "Bamogo", lambda: room.now, room._wake)
    room.rig.step(room.now)
    for button in ("new", "ok"):
        room.act("me", "press", button=button)
        room.wait(200)
    assert (room.state["phase"], room.state["seats"]) == ("setup", ["1", "2"])
    for seat in ("2", "1", "2"):
        room.act("me", "press", button=seat)
        room.wait(200)
        assert [str(player["number"]) for player in room.state["players"] if player["turn"]] == [seat]


def test_nobody_begins_before_the_board_has_been_heard() -> None:
    rig = simulated_rig(Dealer(GAME, None, {}, random.Random(1)), Sensing.COLOUR, Via.MEMORY)
    rig.top = None
    desk = TableDesk(rig, "Bamogo", lambda: 0, lambda: None)
    assert (rig.table.phase, desk.state()["seats"]) == (Phase.SETUP, [])
    with pytest.raises(RequestError, match="who begins"):
        desk.act("me", {"type": "press", "button": "1"})


def test_pages_hear_of_a_brightness_that_was_chosen_at_the_board(room: Room) -> None:
    room.desk.stepped()
    heard: list[bool] = []
    room.desk.watch(heard.append)
    room.rig.mood = room.rig.mood.stepped()
    room.desk.stepped()
    assert heard == [True]
    assert room.state["light"]["brightness"] == 60


def test_pages_hear_of_every_change_and_of_lights_apart(room: Room) -> None:
    heard: list[bool] = []
    end = room.desk.watch(heard.append)
    room.act("me", "take", stone="R")
    assert heard == [True]
    room.act("me", "drop", cell="d1")
    room.desk.stepped()
    heard.clear()
    room.desk.stepped()
    assert heard == []  # nothing new
    room.now += 40  # the target lights swell
    room.rig.step(room.now)
    room.desk.stepped()
    assert heard == [False]
    end()
    end()
    room.act("me", "take", stone="R")
    assert heard == [False]


def test_every_act_wakes_the_loop(room: Room) -> None:
    room.act("me", "lift", cell="a1")
    room.act("me", "drop", cell="a1")
    room.act("me", "press", button="hint")
    room.desk.leave("me")
    assert room.woken >= 3


def test_lights_are_those_of_the_table(room: Room) -> None:
    room.act("me", "take", stone="R")
    room.act("me", "drop", cell="d1")
    lights = room.desk.lights()
    assert len(lights["cells"]) == 16
    assert len(lights["track"]) == 24
    assert lights["cells"] == [cell["light"] for cell in room.state["cells"]]
    assert any(colour != "#000000" for colour in lights["cells"])


def test_on_a_real_board_hands_of_a_page_move_nothing() -> None:
    room = Room(real=True)
    assert room.state["simulated"] is False
    assert "piece" not in room.state["cells"][0]
    for kind, fields in (("take", {"stone": "R"}), ("lift", {"cell": "a1"}), ("discard", {}), ("return", {})):
        assert "real board" in refused(room, "me", kind, **fields)
    room.act("me", "press", button="new")
    assert room.state["question"]["about"] == "new-round"
    room.desk.leave("me")


def test_one_sweep_takes_all_stones_off_and_asks_for_a_new_round(room: Room) -> None:
    room.act("me", "take", stone="Y")
    room.act("me", "drop", cell="d1")
    room.act("me", "take", stone="R")
    room.act("me", "drop", cell="d2")
    room.wait(500)
    room.act("me", "lift", cell="a1")
    room.act("me", "return")
    assert room.state["sweep"] == "Take all off"
    assert len(room.state["moves"]) == 1
    room.act("me", "sweep")
    assert {cell["piece"] for cell in room.state["cells"]} == {""}
    assert room.supply == {"R": 5, "B": 5, "Y": 6}
    room.wait(1000)
    assert room.state["question"]["about"] in ("new-round", "takeback")
    assert room.state["sweep"] == "Put all back"
    assert len(room.state["moves"]) == 1  # a question is no answer


def test_what_was_swept_off_can_be_put_back_as_it_lay(room: Room) -> None:
    before = [cell["piece"] for cell in room.state["cells"]]
    room.act("me", "sweep")
    room.wait(1000)
    room.act("you", "sweep")
    assert [cell["piece"] for cell in room.state["cells"]] == before
    room.wait(2000)
    assert (room.state["phase"], room.state["sweep"]) == ("waiting", "Take all off")


def test_once_something_else_was_done_nothing_comes_back(room: Room) -> None:
    room.act("me", "sweep")
    room.act("me", "take", stone="Y")
    room.act("me", "drop", cell="d4")
    assert room.state["sweep"] == "Take all off"
    room.act("me", "sweep")
    room.act("me", "sweep")
    assert [cell["id"] for cell in room.state["cells"] if cell["piece"]] == ["d4"]


def test_an_empty_board_has_nothing_to_sweep() -> None:
    assert Room("..../..../..../....").state["sweep"] == ""


def test_a_real_board_is_not_swept(room: Room) -> None:
    real = Room(real=True)
    assert "real board" in refused(real, "me", "sweep")
    assert "sweep" not in real.state
