"""An outage at any point of any scripted play: what is known and asked afterwards is what would be without it."""

import itertools
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.games.seam import AnyRules, load_game
from controller.rehearse.script import SCENE
from controller.table.view import placement
from hardware.ports import Sensing
from simulator.hands import Drop, Lift, Pause, Press, plan

AWAY_MS = 1600
BACK_MS = 5400
"""Whatever a board waits for takes its time anew after an outage; this is longer than 1.5 s and all that."""
TROUBLE = ("unplug", "reset-mcu", "brownout")


def scripts() -> dict[str, str]:
    """The scripts beside this file in which the board is heard all the time."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in (Path(__file__).parent / "scripts").glob("*.txt")}
    return {name: text for name, text in sorted(texts.items()) if not any(word in text for word in TROUBLE)}


def drawn(game: str, sense: str, seed: int) -> str:
    """A script of a few moves, each single deed of the hands a step."""
    dice, rules = random.Random(seed), load_game(game).rules()
    lines, position = [f"game {game}", f"board sense={sense}", "tempo 60"], rules.initial()
    for _ in range(4):
        move = dice.choice(list(rules.legal(position)))
        for action in plan(rules, position, move, Sensing(sense), dice):
            lines += _lines(rules, action)
        position, _events = rules.apply(position, move)
        lines.append("wait 900")
    return "\n".join(lines)


def _lines(rules: AnyRules, action: Lift | Drop | Press | Pause) -> list[str]:
    def name(cells: tuple[int, ...]) -> str:
        return placement(rules, cells) or rules.cells[cells[0]].name

    match action:
        case Lift(cells=cells):
            return [f"lift {name(cells)}"]
        case Drop(cells=cells, content=content):
            return [f"drop {name(cells)} {rules.stones[content] if rules.stones else f'x{content}'}"]
        case Press(button=button):
            return [f"press {button}"]
        case Pause(ms=span):
            return [f"wait {span}"]


PLAYS = {
    **scripts(),
    **{
        f"{game} {sense} {seed}": drawn(game, sense, seed)
        for game, sense in [
            ("bamogo", "presence"),
            ("bamogo", "colour"),
            ("exago", "presence"),
            ("bambam-booboo", "presence"),
            ("bao-kigogo", "presence"),
            ("bao-kigogo", "count"),
        ]
        for seed in range(3)
    },
}


def steps(script: str) -> tuple[list[str], list[str]]:
    """Return the lines that set the scene, and those that do something: a wait as two, so that it can be broken off."""
    lines = [line.partition("#")[0].strip() for line in script.splitlines()]
    verbs = [line for line in lines if line and not line.startswith("expect")]
    scene = list(itertools.takewhile(lambda line: line.split()[0] in SCENE or "tempo" in line, verbs))
    deeds: list[str] = []
    for line in verbs[len(scene) :]:
        verb, _, span = line.partition(" ")
        deeds += [f"wait {int(span) // 3}", f"wait {int(span) - int(span) // 3}"] if verb == "wait" else [line]
    return scene, deeds


def ended(played: Any) -> tuple[list[str], str, list[dict[str, Any]], str]:
    """What stands at the end: the moves, the phase, what was asked last there, and the error if one ended it."""
    last = max((at for at, line in enumerate(played.told) if line["type"] == "phase"), default=0)
    asked = [
        {key: line[key] for key in ("about", "options")} for line in played.told[last:] if line["type"] == "question"
    ]
    return played.moves, played.phases[-1], asked[-1:], str(played.error or "").partition(", in")[0]


def check(attempt: Callable[..., Any], script: str, depth: str, place: float, trouble: str) -> None:
    scene, deeds = steps(script)
    at = round(place * len(deeds))
    calm = [f"wait {AWAY_MS}", f"wait {BACK_MS}"]
    outage = [trouble, f"wait {AWAY_MS}", "plug", f"wait {BACK_MS}"]
    texts = ("\n".join([*scene, *deeds[:at], *between, *deeds[at:], "wait 8000"]) for between in (calm, outage))
    without, within = (ended(attempt(text, depth)) for text in texts)
    assert within == without, (at, deeds[max(0, at - 3) : at])


OUTAGES = st.sampled_from(["unplug", "reset-mcu"])
ON_PINS = [name for name in sorted(PLAYS) if "count" not in PLAYS[name]]
lightly = settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@settings(lightly, max_examples=60)
@given(st.sampled_from(sorted(PLAYS)), st.floats(0, 1), OUTAGES)
def test_an_outage_changes_nothing(attempt: Callable[..., Any], name: str, place: float, trouble: str) -> None:
    check(attempt, PLAYS[name], "memory", place, trouble)


@settings(lightly, max_examples=3)
@given(st.sampled_from(ON_PINS), st.floats(0, 1), OUTAGES)
def test_an_outage_changes_nothing_on_pins(attempt: Callable[..., Any], name: str, place: float, trouble: str) -> None:
    check(attempt, PLAYS[name], "pins", place, trouble)


@lightly
@given(st.sampled_from(sorted(PLAYS)), st.floats(0, 1), OUTAGES)
def test_an_outage_changes_nothing_on_a_wire(
    attempt: Callable[..., Any], name: str, place: float, trouble: str
) -> None:
    check(attempt, PLAYS[name], "wire", place, trouble)
