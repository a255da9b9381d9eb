"""Rehearsals through a wire: pyserial, a pseudo-terminal and the firmware's own modules at the other end."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from controller.app.simulated import CombinationError, Firmware, Via, simulated_rig
from controller.app.wire import WireLamps
from controller.games.records import Ply, Record, format_record
from controller.games.seam import AnyRules, load_game
from controller.rehearse.runner import Listener, run
from controller.rehearse.script import read_script
from controller.rehearse.stage import Stage
from controller.rehearse.steps import Hands
from controller.table.notices import Notice
from hardware.ports import Sensing
from simulator.device import micropython

FAULTS = "faults loss=0.05 corrupt=0.02 duplicate=0.02 late=20"
GAMES = [
    ("bamogo", "presence", {"target": "6"}),
    ("bamogo", "colour", {"target": "6"}),
    ("exago", "presence", {"radius": "3"}),
    ("exago", "colour", {"radius": "3"}),
    ("bambam-booboo", "presence", {}),
    ("bambam-booboo", "colour", {}),
    ("bao-kigogo", "presence", {}),
    ("bao-kigogo", "count", {}),
]
BOARDS = [pytest.param(*game, id=f"{game[0]} {game[1]}") for game in GAMES]
needs_micropython = pytest.mark.skipif(micropython() is None, reason="MicroPython has a wheel for x86-64 only")


@dataclass
class Drawn:
    """A game that dice have drawn, and how it is rehearsed."""

    rules: AnyRules
    tokens: list[str]
    head: list[str]
    notices: list[Notice] = field(default_factory=list)

    def play(self, via: str, between: Callable[[int], Sequence[str]] = lambda _ply: (), **options: Any) -> list[str]:
        """Rehearse it, with more steps before each ply; return the moves that counted, none of them taken back."""
        lines = list(self.head)
        for ply, token in enumerate(self.tokens):
            lines += [*between(ply), f"play {token}"]
        self.notices = []
        run("\n".join([*lines, f"expect moves {len(self.tokens)}"]), Listener(self.notices.append), via=via, **options)
        assert not self.heard("takeback")
        return [str(notice.facts["move"]) for notice in self.heard("move")]

    def heard(self, kind: str) -> list[Notice]:
        return [notice for notice in self.notices if notice.type == kind]

    def record(self, tokens: list[str]) -> bytes:
        """The record of the game with these moves."""
        plies = tuple(map(Ply, tokens))
        return format_record(Record(self.rules.name, settings=self.rules.settings, plies=plies)).encode()


def drawn(name: str, sense: str, settings: dict[str, str], seed: int, plies: int, *more: str) -> Drawn:
    dice, rules = random.Random(seed), load_game(name).rules(None, settings)
    position, tokens = rules.initial(), list[str]()
    while len(tokens) < plies and rules.outcome(position) is None:
        move = dice.choice(list(rules.legal(position)))
        tokens.append(rules.move_text(move))
        position, _ = rules.apply(position, move)
    options = " ".join(f"{key}={value}" for key, value in settings.items())
    return Drawn(rules, tokens, [f"game {name} {options}", f"board sense={sense}", f"seed {seed}", *more])


def trouble(seed: int, share: float) -> Callable[[int], Sequence[str]]:
    """Now and then, before a ply: the cable is pulled, or the micro-controller reset."""
    dice = random.Random(f"{seed}/trouble")

    def between(ply: int) -> Sequence[str]:
        steps: list[str] = []
        if ply and dice.random() < share:
            steps += ["unplug", "wait 1500", "expect phase offline", "plug", "wait 2500"]
        if ply and dice.random() < share:
            steps += ["reset-mcu", "wait 3000"]
        return steps

    return between


# The same moves -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "sense", "settings"), BOARDS)
def test_a_game_is_the_same_at_every_depth(name: str, sense: str, settings: dict[str, str]) -> None:
    game = drawn(name, sense, settings, 3, 4)
    depths = ["memory", "wire"]
    if sense == "presence" or name == "bamogo":
        depths.append("pins")
    for via in depths:
        assert game.play(via) == game.tokens, via
        assert not game.heard("link")


@pytest.mark.parametrize(("name", "sense", "settings"), BOARDS)
def test_the_record_is_the_game_that_was_played_whatever_the_wire_does(
    name: str, sense: str, settings: dict[str, str]
) -> None:
    game = drawn(name, sense, settings, 5, 5, FAULTS)
    moves = game.play("wire", trouble(5, 0.4))
    assert game.record(moves) == game.record(game.tokens)
    assert game.heard("link")
    assert {"up", "down"} == {notice.facts["state"] for notice in game.heard("link")}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("name", "sense", "settings"), BOARDS)
def test_whole_games_with_everything_that_a_wire_may_do(
    name: str, sense: str, settings: dict[str, str], seed: int
) -> None:
    game = drawn(name, sense, settings, 100 + seed, 60, f"{FAULTS} bounce=4 jitter=30")
    moves = game.play("wire", trouble(seed, 0.1))
    assert game.record(moves) == game.record(game.tokens)


@needs_micropython
@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", ["bamogo", "exago", "bambam-booboo", "bao-kigogo"])
def test_a_whole_game_under_micropython(name: str) -> None:
    game = drawn(name, "presence", {}, 11, 1000, FAULTS)
    moves = game.play("wire", trouble(11, 0.15), firmware=Firmware.MICROPYTHON)
    assert game.record(moves) == game.record(game.tokens)
    assert game.heard("phase")[-1].facts["phase"] == "over"


@needs_micropython
@pytest.mark.parametrize("sense", ["presence", "colour"])
def test_micropython_tells_what_this_process_tells_to_the_millisecond(sense: str) -> None:
    game = drawn("bamogo", sense, {}, 2, 4, FAULTS)
    told = []
    for firmware in Firmware:
        assert game.play("wire", trouble(2, 0.5), firmware=firmware) == game.tokens
        told.append(game.notices)
    assert told[0] == told[1]


def test_the_same_seed_is_the_same_to_the_millisecond_and_another_is_not() -> None:
    told = []
    for seed in (2, 2, 3):
        game = drawn("bamogo", "colour", {}, 2, 6, f"seed {seed}", FAULTS)
        game.play("wire")
        told.append(game.notices)
    assert told[0] == told[1] != told[2]


# Times ----------------------------------------------------------------------------------------------------------------


def told(script: str, via: str = "wire", **options: Any) -> list[Notice]:
    notices: list[Notice] = []
    run(script, Listener(notices.append), via=via, **options)
    return notices


def when(notices: list[Notice], kind: str, **facts: object) -> int:
    """The first moment at which that was told."""
    return next(n.at for n in notices if n.type == kind and all(n.facts.get(k) == v for k, v in facts.items()))


@pytest.mark.parametrize("offset", range(100, 126, 5))
def test_a_move_counts_300_to_400_ms_after_its_last_change(offset: int) -> None:
    for faults in ("none", "bounce=4 jitter=30"):
        script = f"game bamogo\nboard sense=colour\nfaults {faults}\nwait {offset}\ndrop a1 R\ndrop b1 Y\n"
        script += "wait 1000\nexpect move Ra1 Yb1"
        since = offset + 100
        # A contact that bounces four times is still after 32 ms at the latest.
        assert since + 300 <= when(told(script), "move") <= since + 400 + (32 if faults != "none" else 0)


@pytest.mark.parametrize("seed", range(8))
def test_a_move_counts_within_two_seconds_whatever_the_wire_does(seed: int) -> None:
    script = f"game bamogo\nboard sense=colour\nseed {seed}\n{FAULTS}\nwait 500\ndrop a1 R\ndrop b1 Y\nwait 2000\n"
    assert when(told(script + "expect move Ra1 Yb1"), "move") <= 2600


@pytest.mark.parametrize("via", ["memory", "pins", "wire"])
@pytest.mark.parametrize("offset", [0, 90, 470, 990])
def test_a_pulled_cable_and_a_reset_are_over_in_time(via: str, offset: int) -> None:
    script = (
        f"game bamogo\nboard sense=presence\nwait {offset}\nunplug\nwait 1500\nexpect phase offline\n"
        f"wait {offset}\nplug\nwait 1500\nexpect phase waiting\nreset-mcu\nwait 900\nexpect phase offline\n"
        "wait 2100\nexpect phase waiting"
    )
    links = [notice.facts["state"] for notice in told(script, via) if notice.type == "link"]
    assert links == ["down", "up"] * 2


@pytest.mark.parametrize("seed", range(4))
def test_a_cable_and_a_reset_are_over_in_time_whatever_the_wire_does(seed: int) -> None:
    told(
        f"game exago\nseed {seed}\n{FAULTS}\nunplug\nwait 1500\nexpect phase offline\nwait {seed * 333}\nplug\n"
        "wait 2000\nexpect phase waiting\nreset-mcu\nwait 3000\nexpect phase waiting"
    )


def test_what_hands_did_while_nobody_heard_them_is_judged_afterwards() -> None:
    script = "game bamogo\nboard sense=colour\nunplug\ndrop a1 R\nplug\ndrop b1 Y\nwait 2500\nexpect move Ra1 Yb1\n"
    told(script + "reset-mcu\ndrop d4 R\nwait 3000\nexpect phase handling\nlift d4\nwait 500\nexpect phase waiting")


def test_a_cable_pulled_and_put_back_at_once_is_told() -> None:
    links = [n.facts["state"] for n in told("game bamogo\nunplug\nplug\nwait 1500") if n.type == "link"]
    assert links == ["down", "up"]


def test_a_state_of_60_ms_is_seen() -> None:
    game = "game bamogo\nboard sense={}\ntempo 60\nplay Ra1 Yb1\nwait 777\nlift a1\ndrop a1 R\nwait 100"
    for sense in ("presence", "colour"):
        assert told(game.format(sense))[-1] != told(game.format(sense).replace("lift a1\ndrop a1 R\n", ""))[-1]


@pytest.mark.parametrize("sense", ["presence", "colour"])
def test_a_broken_chain_ends_when_it_is_whole(sense: str) -> None:
    script = f"game bamogo\nboard sense={sense}\nfaults line=chain\nwait 1500\nexpect phase {{}}\n"
    script += "faults none\nwait 1500\nexpect phase waiting\nplay Ra1 Bb1"
    told(script.format("offline" if sense == "presence" else "handling"))


# Lights ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("faults", ["none", FAULTS.removeprefix("faults ")])
def test_the_device_shows_what_the_table_means(faults: str) -> None:
    """From readings at contacts to the pixels of the firmware, decoded again."""
    game = drawn("bamogo", "presence", {}, 6, 6)
    rig = simulated_rig(lambda _outcome=None, _first=None: game.rules, Sensing.PRESENCE, Via.WIRE, seed=3)
    lamps = rig.lamps
    assert isinstance(lamps, WireLamps)
    frames: list[tuple[bytes, tuple[tuple[int, ...], ...]]] = []
    stage = Stage(rig, lambda _notice: None, lambda _now, frame: frames.append((frame, lamps.tap.colours())))
    try:
        hands = Hands(stage, 3)
        text = f"game bamogo\nfaults {faults}\n" + "".join(f"play {token}\n" for token in game.tokens)
        for step in read_script(text + "press hint\nwait 2000\n")[1:]:
            hands.do(step)
            if faults != "none" and step.verb == "play":
                stage.pass_time(1000)  # what got lost has come by now
                check_shown(rig.table.frame(stage.now), lamps.tap.colours())
    finally:
        rig.close()
    assert lamps.tap.is_dark()
    assert len(frames) > 20
    if faults == "none":
        for frame, shown in frames:
            check_shown(frame, shown)


def check_shown(frame: bytes, shown: tuple[tuple[int, ...], ...]) -> None:
    """Each pixel is lit if it is meant to be, and its hue is the one that was meant."""
    for pixel, colour in enumerate(shown):
        meant = frame[3 * pixel : 3 * pixel + 3]
        assert any(colour) is any(meant), (pixel, meant, colour)
        if any(meant):
            assert colour[max(range(3), key=lambda k: meant[k])] == max(colour)


# What is held ---------------------------------------------------------------------------------------------------------


def open_files() -> list[str]:
    return sorted(path.name for path in Path("/proc/self/fd").iterdir())


def test_many_boards_leave_no_file_and_no_process_behind() -> None:
    rules = load_game("bamogo").rules(None, {})
    before = open_files()
    for _ in range(3):
        rig = simulated_rig(lambda *_, **__: rules, Sensing.PRESENCE, Via.WIRE)
        rig.step(0)
        assert rig.top is not None
        rig.top.unplug()
        rig.step(20)
        rig.top.plug()
        rig.step(40)
        rig.step(1500)
        rig.close()
        rig.close()
    assert open_files() == before


def test_micropython_needs_a_wire_and_to_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    script = "game bamogo\nplay Ra1 Bb1"
    for via in ("memory", "pins"):
        with pytest.raises(CombinationError, match=f"no firmware via {via}.*needs via=wire"):
            told(script, via, firmware=Firmware.MICROPYTHON)
    monkeypatch.setattr("simulator.device.micropython", lambda: None)
    with pytest.raises(CombinationError, match="MicroPython is not installed"):
        told(script, "wire", firmware=Firmware.MICROPYTHON)


@pytest.mark.parametrize("via", ["memory", "pins", "wire"])
def test_a_supply_that_is_too_weak_is_said_and_the_light_halved(via: str) -> None:
    script = (Path(__file__).parent / "scripts" / "exago-brownout.txt").read_text()
    notices = told(script, via)
    assert [n.facts["state"] for n in notices if n.type == "link"] == ["down", "up"] * 2
    (said,) = [n for n in notices if n.type == "error"]
    assert "lit half as bright" in str(said.facts["message"])
