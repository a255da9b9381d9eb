"""``expect``: what a script says must be so at this instant."""

from collections.abc import Callable
from typing import Final

from controller.games.seam import AnyRules, NotationError
from controller.rehearse.script import ScriptError, Step, whole_number
from controller.rehearse.stage import Stage
from controller.turns.phases import Phase


def check(step: Step, stage: Stage) -> str | None:
    """Return None where the expectation holds, else what was found instead.

    Raises:
        ScriptError: it is no expectation.
    """
    what, *values = step.words
    checker = _CHECKS.get(what)
    if checker is None:
        raise ScriptError(step.line, f"'expect {what}' is not known; there are: {', '.join(_CHECKS)}")
    if step.keys:
        raise ScriptError(step.line, f"'expect {what}' takes no {next(iter(step.keys))}=")
    return checker(step, values, stage)


def _rules(stage: Stage) -> AnyRules:
    return stage.rig.table.rules


def _one(step: Step, values: list[str]) -> str:
    if len(values) != 1:
        raise ScriptError(step.line, f"one value is wanted in: {step.text}")
    return values[0]


def _same(wanted: str, found: str) -> str | None:
    return None if wanted == found else f"found {found}"


def _move(step: Step, values: list[str], stage: Stage) -> str | None:
    if not values:
        raise ScriptError(step.line, f"a move is wanted in: {step.text}")
    rules = _rules(stage)
    try:
        wanted = rules.move_text(rules.parse_move(" ".join(values)))
    except NotationError as error:
        raise ScriptError(step.line, f"{error}, in: {step.text}") from error
    plies = stage.rig.table.round.plies
    return _same(wanted, plies[-1].token if plies else "no move")


def _moves(step: Step, values: list[str], stage: Stage) -> str | None:
    wanted = whole_number(step, _one(step, values), 0, 1_000_000)
    return _same(str(wanted), str(len(stage.rig.table.round.plies)))


def _phase(step: Step, values: list[str], stage: Stage) -> str | None:
    wanted = _one(step, values)
    if wanted not in {phase.value for phase in Phase}:
        raise ScriptError(step.line, f"{wanted!r} is no phase; there are: {', '.join(p.value for p in Phase)}")
    return _same(wanted, stage.rig.table.phase.value)


def _lit(step: Step, values: list[str], stage: Stage) -> str | None:
    if not values:
        raise ScriptError(step.line, f"cells are wanted in: {step.text}")
    dark = [name for name in values if not all(stage.lit(cell) for cell in _cells(step, name, stage))]
    return f"dark for the last second: {' '.join(dark)}" if dark else None


def _dark(step: Step, values: list[str], stage: Stage) -> str | None:
    cells = [cell for name in values for cell in _cells(step, name, stage)] or range(len(_rules(stage).cells))
    lit = [_rules(stage).cells[cell].name for cell in cells if stage.lit(cell)]
    return f"lit within the last second: {' '.join(lit)}" if lit else None


def _cells(step: Step, name: str, stage: Stage) -> tuple[int, ...]:
    try:
        return _rules(stage).spot(name)
    except NotationError as error:
        raise ScriptError(step.line, f"{error}, in: {step.text}") from error


def _position(step: Step, values: list[str], stage: Stage) -> str | None:
    if len(values) > 1:
        raise ScriptError(step.line, f"one position is wanted in: {step.text}")
    wanted = values[0] if values else ""
    return _same(wanted, _rules(stage).position_text(stage.rig.table.position))


def _scores(step: Step, values: list[str], stage: Stage) -> str | None:
    scores = _rules(stage).scores(stage.rig.table.position)
    wanted = [whole_number(step, value, 0, 1_000_000) for value in values]
    return _same(" ".join(map(str, wanted)), " ".join(map(str, scores)))


def _outcome(step: Step, values: list[str], stage: Stage) -> str | None:
    wanted = _one(step, values)
    if wanted not in {"none", "draw"}:
        wanted = str(whole_number(step, wanted, 1, _rules(stage).players))
    outcome = stage.rig.table.round.outcome
    found = "none" if outcome is None else str(outcome.winner or "draw")
    return _same(wanted, found)


def _question(step: Step, values: list[str], stage: Stage) -> str | None:
    question = stage.rig.table.question
    if question is None:
        return "found no question"
    return _same(_one(step, values), question.about) if values else None


_CHECKS: Final[dict[str, Callable[[Step, list[str], Stage], str | None]]] = {
    "move": _move,
    "moves": _moves,
    "phase": _phase,
    "lit": _lit,
    "dark": _dark,
    "position": _position,
    "scores": _scores,
    "outcome": _outcome,
    "question": _question,
}
