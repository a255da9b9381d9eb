"""Each step of a script, at every depth: what it does, how long it takes, and when it is impossible."""

from collections.abc import Callable
from typing import Any

import pytest

from controller.app.simulated import CombinationError, Via, simulated_rig
from controller.games.seam import load_game
from controller.rehearse.script import Step
from controller.rehearse.stage import Stage
from controller.rehearse.steps import Hands, RehearsalError
from hardware.ports import Sensing
from simulator.memory import MemorySource
from simulator.tabletop import Tabletop

Play = Callable[..., Any]
BLIND = "game bamogo\nboard sense=presence\n"
CORNER = "position ..../..../BYR./RBR.\n"


# The scene ------------------------------------------------------------------------------------------------------------


def test_the_first_thing_told_is_the_phase(play_through: Play, via: str) -> None:
    played = play_through(BLIND, via)
    assert played.told == [{"t": 0, "type": "phase", "phase": "waiting"}]
    assert played.frames[0][0] == 0


def test_the_board_senses_colour_unless_told_otherwise(play_through: Play) -> None:
    assert play_through("game bamogo\ndrop a1 R\ndrop b1 B\nwait 400\n").moves == ["Ra1 Bb1"]
    blind = play_through(BLIND + "drop a1 R\ndrop b1 B\nwait 400\n")
    assert blind.moves == []


def test_options_players_and_a_position(play_through: Play, via: str) -> None:
    script = "game bamogo players=3 target=2 first=2\nboard sense=presence\n"
    assert play_through(script + "play Ra1 Bb1\n", via).heard("move")[0]["player"] == 2
    script += "position ..../..../..../RR.. to_move=3 scores=0,1,1\nexpect scores 0 1 1\nplay Rc1 Bc2\n"
    played = play_through(script + "expect outcome 3\nexpect phase over\n", via)
    assert played.heard("event")[-1]["event"] == {"type": "win", "player": 3, "reason": "target"}


def test_the_last_of_start_bare_and_position_stands(play_through: Play) -> None:
    play_through("game bamogo\n" + CORNER + "bare\nexpect position ..../..../..../....\n")
    play_through("game bamogo\nbare\n" + CORNER + "expect position ..../..../BYR./RBR.\nexpect phase waiting\n")
    play_through("game bamogo\n" + CORNER + "start\nexpect position ..../..../..../....\n")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("game nosuch", "no game 'nosuch'"),
        ("game bamogo players=0", "'0' is not a whole number"),
        ("game bamogo players=x", "'x' is not a whole number"),
        ("game bamogo target=0", "target"),
        ("game bamogo colour=red", "colour"),
        ("game bamogo first=3", "first"),
        ("game bamogo\nposition RB", "RB"),
        ("game bamogo\nposition ..../..../..../RRRR/....", "...."),
        ("game bamogo\nposition ..../..../..../.... to_move=3", "'3' is not a whole number from 1 to 2"),
        ("game bamogo\nposition ..../..../..../.... scores=1", "2 scores are wanted"),
        ("game bamogo\nposition ..../..../..../.... scores=1,x", "'x' is not a whole number"),
    ],
)
def test_a_scene_that_cannot_be_is_said_with_its_line(attempt: Play, line: str, words: str) -> None:
    error = attempt(line + "\n").error
    assert error is not None
    assert error.line == line.count("\n") + 1
    assert words in str(error)
    assert "in: " in str(error)


@pytest.mark.parametrize(
    ("board", "depth", "words"),
    [
        ("sense=count", None, "sense=presence or sense=colour"),
        ("sense=weight", None, "presence or colour"),
        ("sense=count via=pins", None, "via pins"),
        ("via=teleport", None, "there is no via=teleport; there are: memory, pins"),
        ("sense=presence", "teleport", "there is no via=teleport"),
    ],
)
def test_a_board_that_does_not_exist_is_said(attempt: Play, board: str, depth: str | None, words: str) -> None:
    with pytest.raises(CombinationError) as caught:
        attempt(f"game bamogo\nboard {board}\n", depth)
    for part in words.replace(" or ", " ").split() if "sense=presence" in words else [words]:
        assert part.removeprefix("sense=") in str(caught.value)


# Hands ----------------------------------------------------------------------------------------------------------------


def test_an_action_takes_the_tempo(play_through: Play) -> None:
    assert play_through("game bamogo\ndrop a1 R\nlift a1\npress ok\n").time == 300
    assert play_through("game bamogo\ntempo 60\ndrop a1 R\nlift a1\npress ok\ntempo 500\ndrop a1\n").time == 680
    assert play_through("game bamogo\ndrop a1 R\nbrush a1\n").time == 300
    assert play_through("game bamogo\ndrop a1 R\nslide a1 a4\nslide a4 d4 speed=100\n").time == 100 + 180 + 300
    assert play_through("game bamogo\nwait 0\nwait 12345\nexpect moves 0\nseed 3\nfaults none\n").time == 12345


def test_what_was_lifted_last_is_dropped_unless_named(play_through: Play) -> None:
    script = "game bamogo\n" + CORNER + "lift a1\nlift b1\ndrop a1\ndrop b1 R\nwait 400\nexpect move a1~b1\n"
    play_through(script)
    assert play_through("game bamogo\ndrop a1 R\nlift a1\ndrop a2\ndrop a1 B\nwait 400\n").moves == ["Ba1 Ra2"]
    # A brush in between leaves the hand as it was.
    play_through(
        "game bamogo\n" + CORNER + "lift a1\nbrush c2\nlift b1\ndrop b1 R\ndrop a1 B\nwait 400\nexpect moves 1\n"
    )


def test_hands_never_run_out(play_through: Play) -> None:
    script = "game bamogo\n" + "".join(f"drop {file}{rank} R\n" for file in "abcd" for rank in "1234")
    assert play_through(script).moves == []


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ("lift a1", "a1 is empty"),
        ("drop a1 R\ndrop a1 B", "a1 is taken"),
        ("drop a1", "no stone has been lifted yet"),
        ("slide a1 a2", "a1"),
        ("drop a1 R\ndrop a3 B\nslide a1 a4", "a3 is in the way"),
        ("drop a1 R\ndrop a4 B\nslide a1 a4", "a4 is in the way"),
        ("drop a1 R\nslide a1 b3", "not a straight line"),
        ("drop a1 R\nslide a1 a1", "begins where it ends"),
        ("brush a1", "a1 is empty"),
        ("play Ra1 Rb1", "Ra1 Rb1"),
        ("play a1~b1", "not legal here"),
        ("play pass", "not legal here"),
        ("drop a1 R\nplay Rc1 Bd1", "needs phase waiting; the phase is handling"),
        ("press violet", "no button 'violet'; there are: red, blue"),
        ("press 7", "no button '7'"),
        ("lift e5", "e5"),
        ("drop a1 Z", "'Z' is no stone of this game; there are: R, B, Y"),
        ("play nonsense", "nonsense"),
        ("tempo 59", "whole number from 60"),
        ("tempo fast", "whole number from 60"),
        ("wait -5", "whole number from 0"),
        ("seed x", "whole number"),
        ("faults", "no fault is named"),
        ("faults gravity=3", "no fault 'gravity'; there are: "),
        ("faults bounce=x", "whole number up to"),
        ("faults bounce=99", "whole number up to 50"),
        ("faults bounce=4 none", "'none'"),
        ("faults bounce=0000000000000099", "whole number up to 50"),
        ("faults bounce=-1", "whole number up to 50"),
        ("faults pixel=0", "there is no pixel 0: this board has pixels 1 to 40, in: faults pixel=0"),
        ("faults bounce=1 pixel=41", "there is no pixel 41: this board has pixels 1 to 40"),
        ("faults pixel=-1", "whole number up to"),
        ("faults line=row0", "'row0' is none"),
        ("faults line=row5", "there is no row5: this board has 4 rows"),
        ("faults line=col5", "there is no col5: this board has 4 columns"),
        ("faults stuck=e1", "'e1' is none"),
        ("faults dead=a0", "'a0' is none"),
        ("faults diode=", "'' is none"),
        ("wait 0000000000099999999999", "whole number from 0"),
        ("faults loss=2", "share from 0 to 1"),
        ("faults loss=nan", "share from 0 to 1"),
        ("slide a1 a2 speed=0", "whole number from"),
    ],
)
def test_a_step_that_cannot_be_done_names_its_line_and_why(attempt: Play, steps: str, words: str) -> None:
    played = attempt(f"game bamogo\n{steps}\nwait 400\n")
    assert played.error is not None
    assert played.error.line == 2 + steps.count("\n")
    assert words in str(played.error)
    assert played.told[0]["type"] == "phase"  # what came before is told


@pytest.mark.parametrize("faults", ["pixel=1", "pixel=40", "pixel", "pixel=0040 bounce=0"])
def test_every_pixel_may_be_dead(play_through: Play, faults: str) -> None:
    assert play_through(f"game bamogo\nfaults {faults}\nfaults bounce=1\nfaults none\nwait 400\n").error is None


@pytest.mark.parametrize("via", ["memory", "pins"])
def test_the_wires_faults_do_nothing_without_a_wire(play_through: Play, via: str) -> None:
    script = BLIND + "faults loss=0.5 corrupt=1 duplicate=.25 late=20\nplay Ra1 Bb1\nexpect moves 1\n"
    plain = BLIND + "play Ra1 Bb1\n"
    assert play_through(script, via).told == play_through(plain, via).told


# When things happen, at every depth -----------------------------------------------------------------------------------


@pytest.mark.parametrize("faults", ["none", "bounce=4", "bounce=10 jitter=30"])
def test_a_move_counts_300_to_400_ms_after_its_last_change(play_through: Play, via: str, faults: str) -> None:
    played = play_through(
        "game bamogo\nboard sense=presence\n" + CORNER + f"faults {faults}\n"
        "lift a1\nlift b1\ndrop b1 R\ndrop a1 B\nwait 500\nexpect move a1~b1\n",
        via,
    )
    bounced = 0 if faults == "none" else 80  # the contact itself rests so much later at most
    (move,) = played.heard("move")
    assert 300 + 300 <= move["t"] <= 300 + 400 + bounced


def test_questions_and_mending_come_in_time_at_every_depth(play_through: Play, via: str) -> None:
    played = play_through(BLIND + "drop a1 R\ndrop b1 B\nwait 3000\nlift b1\ndrop c3\nwait 3500\n", via)
    (question,) = played.heard("question")
    assert question["about"] == "colour"
    assert 100 + 300 <= question["t"] <= 100 + 400
    mending = next(line for line in played.heard("phase") if line["phase"] == "mending")
    assert 3200 + 100 + 3000 <= mending["t"] <= 3200 + 100 + 3200
    (told,) = played.heard("mismatch")
    assert (told["t"], told["extra"], told["missing"], told["wrong"]) == (mending["t"], ["a1", "c3"], [], [])


def test_a_pause_in_the_hand_is_no_matter(play_through: Play, via: str) -> None:
    script = BLIND + CORNER + "lift a1\nwait 60000\nlift b1\nwait 60000\ndrop a1\nwait 60000\nexpect phase handling\n"
    play_through(script + "drop b1 R\nwait 400\nexpect move a1~b1\nexpect phase waiting\n", via)


def test_b1_a_slide_is_the_move_to_its_end(play_through: Play, via: str) -> None:
    script = BLIND + "press red\npress blue\ndrop a1 R\nslide a1 a3\ndrop d4 B\nslide d4 b4 speed=200\n"
    play_through(script + "lift b4\ndrop a4\nwait 400\nexpect move Ra3 Ba4\nexpect moves 1\n", via)


def test_b1_a_slow_slide_of_the_last_stone_replaces_the_ply(play_through: Play, via: str) -> None:
    script = BLIND + "play Ra1 Bb1\nwait 1000\nslide b1 b2 speed=100\nlift b2\nwait 500\ndrop a2\nwait 500\n"
    played = play_through(script + "expect move Ra1 Ba2\nexpect moves 1\n", via)
    assert [line["plies"] for line in played.heard("takeback")] == [1]


def test_brushes_are_no_moves(play_through: Play, via: str) -> None:
    script = BLIND + CORNER + "brush a1\nbrush b1\nbrush c2\nwait 500\nexpect moves 0\nexpect phase waiting\n"
    play_through(script, via)


@pytest.mark.parametrize("tempo", [60, 61, 64, 67, 73, 83])
@pytest.mark.parametrize("offset", range(0, 20, 4))
def test_two_equal_presses_in_a_row_are_two(play_through: Play, tempo: int, offset: int) -> None:
    script = BLIND + "play Ra1 Bb1\nplay Rc3 Bd3\n" + f"wait {1000 + offset}\ntempo {tempo}\npress back\npress back\n"
    played = play_through(script + "wait 100\nexpect moves 0\n", "pins")
    assert len(played.heard("takeback")) == 2


@pytest.mark.parametrize("offset", range(0, 20, 4))
def test_a_state_that_lasts_60_ms_is_seen_at_every_depth(play_through: Play, via: str, offset: int) -> None:
    script = BLIND + CORNER + f"tempo 60\nfaults bounce=4\nwait {1000 + offset}\n"
    # The pair is out of its cells together for one step only.
    played = play_through(script + "lift a1\nlift b1\ndrop a1\ndrop b1\nwait 500\n", via)
    assert played.moves == ["a1~b1"]


def test_power_of_buttons_at_pins_that_have_no_pin(play_through: Play, via: str) -> None:
    script = BLIND + CORNER + "wait 5000\nexpect dark\npress hint\nexpect lit a1 d1\nwait 4100\nexpect dark\n"
    play_through(script, via)


def test_a_seat_pressed_in_setup_begins(play_through: Play, via: str) -> None:
    script = BLIND + "play Ra1 Bb1\npress new\npress ok\nexpect phase setup\npress 2\nlift a1\nlift b1\nwait 500\n"
    played = play_through(script + "expect phase waiting\nplay Ra1 Bb1\n", via)
    assert [line["player"] for line in played.heard("move")] == [1, 2]


# Playing whole moves --------------------------------------------------------------------------------------------------


def test_play_makes_the_move_and_stops_when_it_counts(play_through: Play, via: str) -> None:
    played = play_through(BLIND + "play Ra1 Bb1\nexpect phase waiting\nexpect move Ra1 Bb1\n", via)
    assert played.time < 3500
    assert played.moves == ["Ra1 Bb1"]


def test_play_passes_with_ok(play_through: Play, via: str) -> None:
    script = BLIND + "position R.Y./.B.R/R.Y./.B.R\nexpect phase asking\nexpect question pass\nplay pass\n"
    played = play_through(script + "expect moves 1\nexpect question pass\nplay pass\nexpect moves 2\n", via)
    assert played.moves == ["pass", "pass"]


def test_play_of_a_move_that_never_counts_fails_after_10_s() -> None:
    rules = load_game("bamogo").rules()
    rig = simulated_rig(lambda _outcome=None, _first=None: rules, Sensing.COLOUR, Via.MEMORY)
    stage = Stage(rig, lambda _notice: None, lambda _now, _frame: None)
    rig.source = MemorySource(Tabletop([place.name for place in rules.cells], Sensing.COLOUR))  # another board's cells
    with pytest.raises(RehearsalError, match="Ra1 Bb1 was not accepted within 10 s: the phase is waiting, 0") as caught:
        Hands(stage, 1).do(Step(7, "play", ("Ra1", "Bb1"), {}, "play Ra1 Bb1"))
    assert caught.value.line == 7
    assert 10_000 <= stage.now <= 11_000


def test_play_that_ends_in_another_move_says_so(attempt: Play) -> None:
    error = attempt(BLIND + "press yellow\nplay Ra1 Bb1\n").error
    assert error is not None
    assert "was accepted for Ra1 Bb1" in str(error)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_same_script_twice_is_the_same_to_the_millisecond(play_through: Play, via: str, seed: int) -> None:
    script = BLIND + f"seed {seed}\nfaults bounce=4 jitter=30\nplay Ra1 Bb1\nplay a1~b1\nplay Rc1 Yd1\n"
    one, other = play_through(script, via), play_through(script, via)
    assert (one.told, one.frames) == (other.told, other.frames)
    assert play_through(script.replace(f"seed {seed}", "seed 99"), via).told != one.told


def test_the_seed_of_the_command_counts_where_the_script_has_none(play_through: Play) -> None:
    script = BLIND + "faults bounce=4\nplay Ra1 Bb1\n"
    times = [play_through(script, "memory", seed).heard("move")[0]["t"] for seed in (None, 0, 1, 2)]
    assert times[0] == times[1]
    assert len(set(times)) > 1
