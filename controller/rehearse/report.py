"""Playing a report again: the same readings and presses at the same moments lead to the same plies."""

import json
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, Final

from controller.app.report import FORMAT
from controller.games.seam import AnyRules, Outcome, RulesError, load_game
from controller.rehearse.runner import Listener
from controller.rehearse.script import ScriptError
from controller.table.core import Table
from controller.table.recorder import decode
from hardware.ports import Sensing, Snapshot

MARK: Final = '{"stonelight-report":'
"""How a report begins."""


def is_report(text: str) -> bool:
    """Return whether a text is a report, and not a script."""
    return text.lstrip().startswith(MARK)


def replay_report(text: str, listener: Listener) -> None:
    """Play all spans of a report, each from its own beginning.

    Args:
        text: the report.
        listener: who hears what happens.

    Raises:
        ScriptError: it is no report, or a line of it makes no sense; says which.
    """
    header, *spans = _read(text)
    for number, span in enumerate(spans, start=2):
        try:
            _play(header, span, listener)
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise ScriptError(number, f"this line of the report makes no sense: {error}") from error


def _read(text: str) -> list[Mapping[str, Any]]:
    lines: list[Mapping[str, Any]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            value = json.loads(line)
        except ValueError as error:
            raise ScriptError(number, f"this line of the report is not JSON: {error}") from error
        if not isinstance(value, dict):
            raise ScriptError(number, "this line of the report is no object")
        lines.append(value)
    if lines[0].get("stonelight-report") != FORMAT:
        raise ScriptError(1, f"this report has form {lines[0].get('stonelight-report')}; this version reads {FORMAT}")
    return lines


def _play(header: Mapping[str, Any], span: Mapping[str, Any], listener: Listener) -> None:
    game = load_game(header["game"])
    rounds = deque([span["settings"], *(entry[2] for entry in span["entries"] if entry[0] == "d")])

    def deal(outcome: Outcome | None = None, first: int | None = None) -> AnyRules:  # noqa: ARG001
        settings = rounds.popleft() if len(rounds) > 1 else rounds[0]
        return game.rules(header["players"], settings)

    try:
        sensing, unoriented = Sensing(header["sensing"]), span.get("unoriented", False)
        table = Table(deal, sensing, track=header["track"], plies=span["plies"], orient=unoriented)
    except RulesError as error:
        raise ValueError(str(error)) from error
    if span["readings"] is not None:
        table.take([Snapshot(tuple(span["readings"]), span["at"])], span["at"])
        table.picture.seen.take_over((int(cell), int(told), bool(stirred)) for cell, told, stirred in span["masked"])
        table.notices()
    for entry in span["entries"]:
        _enter(table, entry)
        now = entry[1]
        listener.frame(now, table.frame(now), table.rules)
        for notice in table.notices():
            listener.notice(notice)


def _enter(table: Table, entry: Sequence[Any]) -> None:
    kind, now, *rest = entry
    match kind:
        case "batch":
            table.take([decode(item) for item in rest[0]], now)
        case "a":
            table.advance(now)
        case "p":
            table.press(rest[0], now)
        case "t":
            table.touch(rest[0], now)
        case "r":
            table.refuse(rest[0], now)
        case "d":
            pass
        case _:
            raise ValueError(f"{kind!r} is no kind of entry")
