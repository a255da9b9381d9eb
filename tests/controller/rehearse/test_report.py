"""A report of a run, played again, tells what the run told: every notice at its very moment."""

import json
import random
from typing import Any

import pytest

from controller.app.report import report
from controller.app.rig import Rig
from controller.app.simulated import Via, simulated_rig
from controller.games.seam import AnyRules, load_game
from controller.rehearse.report import is_report, replay_report
from controller.rehearse.runner import Listener
from controller.rehearse.script import ScriptError
from controller.rehearse.stage import Stage
from controller.table.notices import Notice
from controller.table.recorder import SPAN_MS
from hardware.ports import Sensing
from tests.soak.people import People, Tally
from tests.soak.play import HARMLESS


class Run:
    """A simulated board at which people play, and what was told from the first span of the recording on."""

    def __init__(self, game: str, sensing: Sensing, seed: int) -> None:
        rules: AnyRules = load_game(game).rules()
        self.rig: Rig = simulated_rig(lambda _outcome=None, _first=None: rules, sensing, Via.MEMORY, seed=seed)
        self.told: list[Notice] = []
        self.stage = Stage(self.rig, self.told.append, lambda _now, _frame: None)
        self.dice = random.Random(seed)
        assert self.rig.top is not None
        self.top = self.rig.top

    def play(self, plies: int, clumsiness: float = 0.2) -> None:
        people = People(self.stage, self.dice, Tally(), clumsiness)
        for _ in range(plies):
            if not people.turn():
                self.press("new")
                self.press("ok")
                people.put_right("for a new round")

    def press(self, button: str) -> None:
        self.stage.act(lambda: self.top.press(button, 70))
        self.stage.pass_time(100)

    def replayed(self) -> list[Notice]:
        notices: list[Notice] = []
        replay_report(report(self.rig, None), Listener(notices.append))
        return notices


@pytest.mark.parametrize(
    ("game", "sensing"),
    [
        ("bamogo", Sensing.PRESENCE),
        ("bamogo", Sensing.COLOUR),
        ("exago", Sensing.PRESENCE),
        ("bambam-booboo", Sensing.PRESENCE),
        ("bao-kigogo", Sensing.PRESENCE),
        ("bao-kigogo", Sensing.COUNT),
    ],
    ids=lambda value: value.value if isinstance(value, Sensing) else str(value),
)
def test_a_report_played_again_tells_the_same(game: str, sensing: Sensing) -> None:
    run = Run(game, sensing, seed=5)
    run.top.fail(list(HARMLESS))
    run.play(12)
    run.stage.pass_time(SPAN_MS)
    run.play(12)
    assert len(run.rig.recorder.spans) > 1
    assert sum(notice.type == "move" for notice in run.told) >= 15
    replayed = run.replayed()
    assert [_plain(notice) for notice in replayed] == [_plain(notice) for notice in run.told]


def _plain(notice: Notice) -> Any:
    return json.loads(json.dumps({"t": notice.at, "type": notice.type, **notice.facts}))


def test_cells_that_are_played_without_stay_so_in_the_next_span() -> None:
    run = Run("exago", Sensing.PRESENCE, seed=1)
    run.play(4, 0)
    cell = run.rig.table.rules.spot(run.rig.table.round.plies[0].token)[0]
    run.stage.act(lambda: run.top.fail([f"dead={run.top.names[cell]}"]))
    run.stage.pass_time(4000)
    while run.rig.table.question is None:
        run.press("ok")
        run.stage.pass_time(4000)
    run.press("ok")
    run.stage.pass_time(SPAN_MS)
    run.stage.act(lambda: run.top.fail(["none"]))
    run.stage.pass_time(1000)
    assert run.rig.table.picture.masked == {cell}
    assert [len(span.masked) for span in run.rig.recorder.spans] == [0, 1]
    run.rig.touch(cell, run.stage.now)
    run.stage.pass_time(1000)
    assert (run.rig.table.phase.value, run.rig.table.picture.masked) == ("waiting", frozenset())
    run.press("new")
    run.press("new")
    run.press("ok")
    assert run.rig.table.round.outcome is not None
    replayed = run.replayed()
    assert [_plain(notice) for notice in replayed] == [_plain(notice) for notice in run.told]


def test_a_report_holds_the_profile_and_the_record() -> None:
    run = Run("bamogo", Sensing.PRESENCE, seed=2)
    run.play(3, 0)
    text = report(run.rig, "my-board.toml", 'name = "mine"\n')
    header = json.loads(text.splitlines()[0])
    assert is_report(text)
    assert (header["board"], header["profile"]) == ("my-board.toml", 'name = "mine"\n')
    assert header["record"] == [ply.token for ply in run.rig.table.round.plies]
    assert header["versions"]["gpiozero"]


@pytest.mark.parametrize(
    ("spoil", "line"),
    [
        (lambda text: text.replace('"entries": [[', '"entries": [["x", 1], [', 1), 2),
        (lambda text: text.replace("\n{", "\nno {", 1), 2),
        (lambda text: text.replace('"stonelight-report": 1', '"stonelight-report": 99'), 1),
        (lambda text: text.replace('"plies": []', '"plies": ["zz"]', 1), 2),
    ],
)
def test_a_spoilt_report_says_in_which_line(spoil: Any, line: int) -> None:
    run = Run("bamogo", Sensing.PRESENCE, seed=2)
    run.play(2, 0)
    text = spoil(report(run.rig, None))
    with pytest.raises(ScriptError) as fault:
        replay_report(text, Listener(lambda _notice: None))
    assert fault.value.line == line
