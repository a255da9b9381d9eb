"""Running a script: the scene is set, the steps are done, what happened is told as it happens."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from controller.app.simulated import CombinationError, Firmware, Via, sensing_of, simulated_rig
from controller.games.seam import AnyRules, Outcome, RulesError, load_game
from controller.rehearse.expect import check
from controller.rehearse.script import SCENE, ScriptError, Step, read_script, whole_number
from controller.rehearse.stage import Stage
from controller.rehearse.steps import Hands, RehearsalError
from controller.table.notices import Notice
from hardware.ports import Frame, Millis


@dataclass(slots=True)
class Scene:
    """What the steps before the first hand step have set."""

    rules: AnyRules
    sensing: str
    via: str = "memory"
    position: Any = None
    bare: bool = False
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Listener:
    """Who hears what happens.

    Fields:
        notice: called with each notice.
        frame: called with each new frame, its time and the rules whose cells it lights.
    """

    notice: Callable[[Notice], None]
    frame: Callable[[Millis, Frame, AnyRules], None] = field(default=lambda _now, _frame, _rules: None)


def run(
    text: str,
    listener: Listener,
    *,
    via: str | None = None,
    seed: int | None = None,
    firmware: Firmware = Firmware.CPYTHON,
) -> Millis:
    """Play a script to its end; return the simulated time that passed.

    Args:
        text: the script.
        listener: who hears what happens.
        via: the depth of the stand-in, instead of the script's.
        seed: what everything random starts from, instead of 0; a ``seed`` step starts it anew.
        firmware: what runs the firmware at the other end of a wire.

    Raises:
        ScriptError: a line cannot be read; nothing of a script with a line of no known form is played.
        RehearsalError: a step cannot be done, or an expectation does not hold; what came before is told.
        CombinationError: such a board does not exist.
        DeviceError: the simulated device has stopped.
    """
    steps = read_script(text)
    scene = _scene([step for step in steps if step.verb in SCENE])
    if via is not None:
        scene.via = via
    if seed is not None:
        scene.seed = seed
    stage = _stage(scene, listener, firmware)
    try:
        hands = Hands(stage, scene.seed)
        for step in steps:
            if step.verb not in SCENE:
                _do(step, hands, stage)
    except (RehearsalError, ScriptError) as error:
        error.at = stage.now
        raise
    finally:
        stage.rig.close()
    return stage.now


def _do(step: Step, hands: Hands, stage: Stage) -> None:
    if step.verb != "expect":
        hands.do(step)
    elif (found := check(step, stage)) is not None:
        raise RehearsalError(step.line, f"{step.text}: {found}")


def _scene(steps: Sequence[Step]) -> Scene:
    scene = _game(steps[0])
    for step in steps[1:]:
        match step.verb:
            case "board":
                scene.sensing = step.keys.get("sense", scene.sensing)
                scene.via = step.keys.get("via", scene.via)
            case "position":
                scene.position, scene.bare = _position(step, scene.rules), False
            case "start":
                scene.position, scene.bare = None, False
            case "bare":
                scene.position, scene.bare = None, True
    return scene


def _game(step: Step) -> Scene:
    settings = dict(step.keys)
    players = settings.pop("players", None)
    try:
        game = load_game(step.words[0])
        count = None if players is None else whole_number(step, players, 1, 1000)
        rules = game.rules(count, settings)
    except RulesError as error:
        raise ScriptError(step.line, f"{error}, in: {step.text}") from error
    return Scene(rules, game.sensing)


def _position(step: Step, rules: AnyRules) -> Any:
    to_move = whole_number(step, step.keys.get("to_move", "1"), 1, rules.players)
    scores = [whole_number(step, score, 0, 1_000_000) for score in step.keys.get("scores", "").split(",") if score]
    if scores and len(scores) != rules.players:
        raise ScriptError(step.line, f"{rules.players} scores are wanted, one a player, in: {step.text}")
    try:
        return rules.parse_position(step.words[0], to_move, scores)
    except RulesError as error:
        raise ScriptError(step.line, f"{error}, in: {step.text}") from error


def _stage(scene: Scene, listener: Listener, firmware: Firmware) -> Stage:
    try:
        via = Via(scene.via)
    except ValueError:
        known = ", ".join(via.value for via in Via)
        raise CombinationError(f"there is no via={scene.via}; there are: {known}") from None
    rules = scene.rules

    def deal(outcome: Outcome | None = None, first: int | None = None) -> AnyRules:  # noqa: ARG001
        if first is None:
            return rules
        return load_game(rules.name).rules(rules.players, {**rules.settings, "first": str(first)})

    sensing = sensing_of(rules, scene.sensing, via)
    rig = simulated_rig(
        deal, sensing, via, seed=scene.seed, position=scene.position, bare=scene.bare, firmware=firmware
    )
    return Stage(rig, listener.notice, lambda now, frame: listener.frame(now, frame, rules))
