"""What the desk adds for pits, hexagons and two-place stones, and the faults that a page may ask for."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from controller.app.desk import TableDesk
from controller.app.simulated import Via, simulated_rig
from controller.games.seam import AnyRules, load_game
from controller.page.desk import RequestError
from hardware.ports import Sensing
from simulator.faults import Faults
from simulator.tabletop import Tabletop


class Room:
    """A desk on a board in memory for any game, with a clock of its own."""

    def __init__(
        self,
        game: str,
        players: int | None = None,
        settings: Mapping[str, str] | None = None,
        *,
        position: str = "",
        sensing: Sensing = Sensing.PRESENCE,
        via: Via = Via.MEMORY,
    ) -> None:
        rules: AnyRules = load_game(game).rules(players, settings or {})
        self.rules = rules
        start = rules.parse_position(position) if position else None
        self.now = 0
        self.rig = simulated_rig(lambda _outcome=None, _first=None: rules, sensing, via, position=start)
        self.desk = TableDesk(self.rig, "a game", lambda: self.now, lambda: None)
        self.rig.step(0)

    @property
    def top(self) -> Tabletop:
        assert self.rig.top is not None
        return self.rig.top

    def act(self, kind: str, client: str = "me", **fields: str) -> None:
        self.desk.act(client, {"type": kind, **fields})
        self.rig.step(self.now)

    def do(self, *steps: str) -> "Room":
        """``lift d5`` and the like, 100 ms each."""
        for step in steps:
            kind, *value = step.split()
            keys = {"take": "stone", "whatif": "fault"}
            self.act(kind, **{keys.get(kind, "cell"): word for word in value})
            self.wait(100)
        return self

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

    def cell(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = next(cell for cell in self.state["cells"] if cell["id"] == name)
        return found

    @property
    def supply(self) -> dict[str, int]:
        return {entry["stone"]: entry["count"] for entry in self.state["supply"]}

    @property
    def held(self) -> list[tuple[str, int, str | None, str]]:
        return [(each["stone"], each["count"], each["from"], each["placement"]) for each in self.state["held"]]

    @property
    def moves(self) -> list[str]:
        return [ply["move"] for ply in self.state["moves"]]

    def refused(self, kind: str, **fields: str) -> str:
        """What the page is told; nothing has changed."""
        before = self.state
        with pytest.raises(RequestError) as caught:
            self.act(kind, **fields)
        assert self.state == before
        return str(caught.value)


# --- pits -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sensing", [Sensing.PRESENCE, Sensing.COUNT])
def test_a_hand_takes_all_seeds_and_sows_them_one_by_one(sensing: Sensing) -> None:
    room = Room("bao-kigogo", settings={"columns": "4", "setup": "1,1,1,1/0,1,1,1/0,0,0,0/3,0,0,0"}, sensing=sensing)
    room.do("lift d1")
    assert (room.cell("d1")["piece"], room.held) == ("0", [("seed", 3, "d1", "")])
    room.do("drop d2", "drop d3")
    assert [room.cell(name)["piece"] for name in ("d2", "d3", "d4")] == ["1", "1", "0"]
    assert room.held == [("seed", 1, "d1", "")]
    room.do("drop d4")
    assert room.held == []
    room.wait(400)
    assert room.moves == ["d1"]
    assert [room.cell(name)["stone"] for name in ("d1", "d2", "d3", "d4")] == ["0", "1", "1", "1"]


def test_a_seed_dropped_wrongly_is_taken_back_alone() -> None:
    room = Room("bao-kigogo").do("lift d5", "drop d6", "drop d8")
    assert (room.cell("d8")["piece"], room.held) == ("3", [])
    room.do("pick d8")
    assert (room.cell("d8")["piece"], room.held) == ("2", [("seed", 1, "d8", "")])
    room.do("pick d6", "drop d6", "drop d7")
    assert room.state["phase"] == "handling"
    assert room.held == []
    assert sum(room.top.contents) == 92


def test_captured_seeds_are_owed_and_lie_beside_the_board_then() -> None:
    room = Room("bao-kigogo", settings={"columns": "4", "setup": "2,2,2,2/0,1,4,1/0,0,0,0/2,0,0,0"})
    assert (room.supply, room.state["owed"]) == ({"seed": 0}, [])
    room = Room("bao-kigogo", settings={"columns": "4", "setup": "2,2,2,2/0,1,4,1/0,0,2,0/2,0,0,0"})
    room.do("lift c3", "drop c2", "drop c1")
    room.wait(400)
    assert room.moves == ["c3"], room.state["words"]
    room = Room("bao-kigogo", settings={"columns": "4", "setup": "2,2,2,2/1,1,4,1/0,0,2,0/2,0,0,0"})
    room.do("lift c3", "drop c2", "drop c1")
    room.wait(400)
    assert (room.state["phase"], room.state["owed"]) == ("guiding", ["a1", "b1"])
    room.do("lift a1", "discard", "lift b1", "discard")
    room.wait(400)
    assert (room.state["phase"], room.state["owed"], room.supply) == ("waiting", [], {"seed": 3})
    room.do("take seed", "take seed")
    assert (room.supply, room.held) == ({"seed": 1}, [("seed", 2, None, "")])
    room.do("return")
    assert room.supply == {"seed": 3}


def test_seeds_in_the_hand_of_a_page_that_goes_away_are_back_in_their_pit() -> None:
    room = Room("bao-kigogo").do("lift d5", "drop d6")
    room.desk.leave("me")
    assert (room.cell("d5")["piece"], room.cell("d6")["piece"], room.held) == ("1", "3", [])
    room.do("lift d5", "drop d7", "take seed") if room.supply["seed"] else room.do("lift d5", "drop d7")
    assert sum(room.top.contents) == 92


def test_what_pits_cannot_do_is_refused() -> None:
    room = Room("bao-kigogo")
    assert "no seed left" in room.refused("take", stone="seed")
    assert "empty" in room.refused("pick", cell="c1")
    assert "empty" in room.refused("lift", cell="c1")
    room.do("lift d5")
    assert "full" in room.refused("lift", cell="d6")
    assert "whole stones" in Room("exago").refused("pick", cell="f6")


# --- hexagons ---------------------------------------------------------------------------------------------------------


def test_each_player_of_exago_has_a_tray_of_its_own() -> None:
    room = Room("exago", 6)
    assert room.supply == dict.fromkeys("123456", 6)
    room.do("take 1")
    assert (room.supply["1"], room.held) == (5, [("R", 1, None, "")])
    room.do("drop f6")
    room.wait(400)
    assert (room.moves, room.cell("f6")["stone"], room.cell("f6")["piece"]) == (["f6"], "R", "R")
    room.do("take 2", "drop f7")
    room.wait(400)
    assert (room.moves, room.cell("f7")["stone"]) == (["f6", "f7"], "B")
    assert room.supply == {"1": 5, "2": 5, "3": 6, "4": 6, "5": 6, "6": 6}
    assert "no 7 left" in room.refused("take", stone="7")
    assert "no R left" in room.refused("take", stone="R")


def test_a_board_without_colours_to_declare_has_no_buttons_for_them() -> None:
    assert Room("exago").state["buttons"] == ["ok", "back", "new", "hint"]
    assert Room("bamogo").state["buttons"][:3] == ["red", "blue", "yellow"]


# --- the mat ----------------------------------------------------------------------------------------------------------


def test_a_stone_of_two_places_is_put_down_by_its_placement() -> None:
    room = Room("bambam-booboo")
    room.do("take 1", "drop He8")
    room.wait(400)
    assert room.moves == ["He8"]
    for name in ("e8", "f8"):
        assert (room.cell(name)["stone"], room.cell(name)["piece"], room.cell(name)["placement"]) == ("1", "1", "He8")
    assert (room.cell("g8")["stone"], room.cell("g8")["placement"], room.supply) == ("", "", {"1": 19, "2": 20})
    room.do("take 2", "drop Vg8")
    room.wait(400)
    assert (room.moves[-1], room.cell("g9")["placement"]) == ("Vg8", "Vg8")
    room.do("lift g9")
    assert (room.held, room.cell("g8")["placement"]) == ([("2", 1, "g8", "Vg8")], "")
    room.do("return")
    assert (room.cell("g8")["placement"], room.held) == ("Vg8", [])


def test_where_a_stone_of_two_places_cannot_lie_is_said_in_one_sentence() -> None:
    room = Room("bambam-booboo").do("take 1")
    assert "say He8 or Ve8" in room.refused("drop", cell="e8")
    assert room.refused("drop", cell="Hp8")
    assert room.refused("drop", cell="Ve16")
    room.do("drop He8", "take 2")
    assert "f8 is taken" in room.refused("drop", cell="Vf7")
    room.desk.leave("me")
    assert room.supply == {"1": 19, "2": 20}


def test_a_real_mat_names_the_stones_that_it_still_shows() -> None:
    room = Room("bambam-booboo", position="He8:1,Vg8:2")
    top, room.rig.top = room.top, None
    assert room.cell("f8")["placement"] == "He8"
    assert "faults" not in room.state
    room.rig.top = top
    room.do("lift e8")
    room.rig.top = None
    assert (room.cell("f8")["placement"], room.cell("g8")["placement"]) == ("", "Vg8")


# --- what if ----------------------------------------------------------------------------------------------------------


def test_what_the_simulator_can_break_is_offered_and_switched() -> None:
    room = Room("bamogo")
    offered = {entry["fault"]: entry for entry in room.state["faults"]}
    assert {"bounce", "jitter"} <= offered.keys()
    assert all(entry["label"] and entry["help"] for entry in offered.values())
    assert (offered["bounce"]["takes"], offered["bounce"]["on"]) == ("switch", False)
    room.do("whatif bounce")
    assert room.top.faults.bounce > 0
    assert next(entry["on"] for entry in room.state["faults"] if entry["fault"] == "bounce") is True
    room.do("whatif bounce")
    assert room.top.faults == Faults()
    assert "no fault 'flood'" in room.refused("whatif", fault="flood")
    assert room.refused("whatif", fault="bounce", cell="z9")


def test_only_what_can_befall_a_board_is_offered() -> None:
    def names(room: Room) -> set[str]:
        return {entry["fault"] for entry in room.state["faults"]}

    assert not {"loss", "late", "drift", "shadow"} & names(Room("exago"))
    assert "drift" in names(Room("bamogo", sensing=Sensing.COLOUR))
    assert "shadow" in names(Room("bao-kigogo"))
    assert {"bump", "unplug", "plug"} <= names(Room("exago"))


def test_frames_are_lost_where_there_is_a_wire() -> None:
    room = Room("exago", via=Via.WIRE)
    try:
        names = {entry["fault"] for entry in room.state["faults"]}
        assert {"loss", "corrupt", "duplicate", "late", "reset"} <= names
        room.do("whatif loss", "whatif corrupt", "take 1", "drop f6")
        room.wait(2000)
        assert [ply["move"] for ply in room.state["moves"]] == ["f6"]
        room.do("whatif reset")
        room.wait(500)
        assert room.state["phase"] == "offline"
        room.wait(3000)
        assert room.state["phase"] == "waiting"
    finally:
        room.rig.close()
    assert "reset" not in {entry["fault"] for entry in Room("exago").state["faults"]}
    assert "no fault 'reset'" in Room("exago").refused("whatif", fault="reset")


def test_a_seat_answers_who_resigns() -> None:
    room = Room("exago").do("take 1", "drop f6")
    room.wait(500)
    for button in ("new", "new", "1"):
        room.act("press", button=button)
        room.wait(200)
    assert room.state["outcome"] == {"winner": 2, "reason": "resigned"}
    assert "who begins" in room.refused("press", button="1")


def test_what_happens_in_a_moment_is_done_at_once() -> None:
    room = Room("bamogo").do("whatif unplug")
    room.wait(1500)
    assert room.state["phase"] == "offline"
    room.do("whatif plug")
    room.wait(1500)
    assert room.state["phase"] == "waiting"


def test_a_fault_of_one_cell_wants_to_know_which() -> None:
    room = Room("bamogo")
    assert next(entry["takes"] for entry in room.state["faults"] if entry["fault"] == "dead") == "cell"
    assert "Point at a cell" in room.refused("whatif", fault="dead")
    room.act("whatif", fault="dead", cell="b1")
    assert room.top.faults.dead == ("b1",)
    room.do("whatif dead")
    assert room.top.faults == Faults()


def test_a_dead_pixel_is_seen_to_be_dark() -> None:
    room = Room("bamogo").do("take R", "drop a1")
    assert room.cell("a1")["light"] != "#000000"
    room.top.fail(["pixel=1"])
    assert {cell["light"] for cell in room.state["cells"]} == {"#000000"}
    assert set(room.desk.lights()["cells"]) == {"#000000"}


def test_a_sweep_of_pits_lays_out_the_start_and_once_more_what_was_there() -> None:
    room = Room("bao-kigogo")
    assert room.state["sweep"] == ""
    start = room.top.contents[:]
    room.do("lift c5", "drop c6", "return")
    lying = room.top.contents[:]
    assert lying != start
    assert room.state["sweep"] == "Lay out the start"
    room.act("sweep")
    assert room.top.contents == start
    room.act("sweep")
    assert room.top.contents == lying


def test_a_sweep_of_a_mat_keeps_in_mind_how_each_stone_lay() -> None:
    room = Room("bambam-booboo", position="Hh8:1,Vj8:2")
    lying = [(cell["piece"], cell["placement"]) for cell in room.state["cells"]]
    room.act("sweep")
    assert not any(room.top.contents)
    room.wait(1000)
    room.act("sweep")
    assert [(cell["piece"], cell["placement"]) for cell in room.state["cells"]] == lying
