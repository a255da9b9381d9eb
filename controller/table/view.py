"""A table as plain data, for pages, terminals and other programs."""

from collections.abc import Sequence
from typing import Any

from controller.games.seam import AnyRules, Cell, pieces
from controller.table.core import Table
from controller.table.declaring import COLOURS
from controller.table.words import detail, words
from controller.turns.phases import Phase
from hardware.ports import UNKNOWN, Frame, Sensing

BUTTONS = ("red", "blue", "yellow", "ok", "back", "new", "hint")
"""The buttons of a board that can be played by any game."""


def hex_colours(frame: Frame) -> list[str]:
    """Return the pixels of a frame as ``#rrggbb``, in frame order."""
    text = frame.hex()
    return [f"#{text[start : start + 6]}" for start in range(0, len(text), 6)]


def stone_text(table: Table, cell: Cell) -> str:
    """Return what the board takes to lie on a cell: a stone's letter, a count of seeds, empty, or ``?``."""
    watch, rules = table.watch, table.rules
    if watch is None:
        return "?"
    reading = watch.readings[cell]
    if reading == 0:
        return "0" if not rules.stones else ""
    if reading == UNKNOWN:
        return "?"
    if reading == table.prospect.base[cell]:
        content = rules.contents(table.position)[cell]
    elif table.sensing is not Sensing.PRESENCE:
        content = reading
    else:
        content = table.declarations.given.get(cell, 0)
    if not content:
        return "?"
    return rules.stones[content] if rules.stones else str(content)


def placement(rules: AnyRules, cells: Sequence[Cell]) -> str:
    """Return the name of the stone that covers two cells of a mat, ``He8``; empty for any other number of cells."""
    if len(cells) != 2:
        return ""
    near, far = sorted((rules.cells[cell] for cell in cells), key=lambda place: (place.x, place.y))
    return f"{'H' if near.y == far.y else 'V'}{near.name}"


def owed(table: Table) -> list[str]:
    """Return the cells, by name, that the rules ask to be emptied after the ply that has just counted."""
    if table.phase is not Phase.GUIDING:
        return []
    last = table.round.plies[-1]
    aftermath = table.rules.footprint(last.before, last.move).aftermath
    different = table.picture.seen.different
    return [table.rules.cells[cell].name for cell in sorted(aftermath) if not aftermath[cell] and different.get(cell)]


def _placements(table: Table) -> dict[Cell, str]:
    """Return the name of the stone on each cell of a mat, where the board still shows it as the game has it."""
    watch, rules = table.watch, table.rules
    if watch is None:
        return {}
    base = table.prospect.base
    standing = [
        piece for piece in pieces(rules, table.position) if all(watch.readings[cell] == base[cell] for cell in piece)
    ]
    return {cell: placement(rules, piece) for piece in standing for cell in piece}


def _cells(table: Table, lights: Sequence[str]) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = [
        {"id": place.name, "x": place.x, "y": place.y, "stone": stone_text(table, cell), "light": lights[cell]}
        for cell, place in enumerate(table.rules.cells)
    ]
    if table.rules.surface == "mat":
        names = _placements(table)
        for cell, shown in enumerate(cells):
            shown["placement"] = names.get(cell, "")
    return cells


def view(table: Table, frame: Frame) -> dict[str, Any]:
    """Return everything that a page shows of a table, as JSON-able data. The keys are described in docs/page.md."""
    rules, position = table.rules, table.position
    outcome = table.round.outcome
    lights = hex_colours(frame)
    question = table.question
    supply = rules.supply(position)
    turn = None if outcome else rules.to_move(position)
    return {
        "game": {"name": rules.name, "surface": rules.surface, "settings": dict(rules.settings)},
        "sensing": table.sensing.value,
        "phase": table.phase.value,
        "words": words(table),
        "detail": detail(table),
        "question": question
        and {
            "about": question.about,
            "cell": rules.cells[question.cells[0]].name if question.cells else None,
            "options": list(question.options),
        },
        "cells": _cells(table, lights),
        "owed": owed(table),
        "masked": [rules.cells[cell].name for cell in sorted(table.picture.masked)],
        "track": lights[len(rules.cells) :],
        "stones": [stone for stone in rules.stones if stone],
        "supply": [{"stone": stone, "count": count} for stone, count in supply.items()],
        "players": [
            {
                "number": number,
                "name": f"Player {number}",
                "score": score,
                "turn": number == turn,
                "colour": "#{:02x}{:02x}{:02x}".format(*table.palette.seat(number)),
            }
            for number, score in enumerate(rules.scores(position), start=1)
        ],
        "buttons": [button for button in BUTTONS if COLOURS.get(button) in {None, *supply}],
        "moves": [
            {"ply": number, "player": ply.player, "move": ply.token}
            for number, ply in enumerate(table.round.plies, start=1)
        ],
        "outcome": outcome and outcome.as_json(),
    }
