"""A table as plain data, for pages, terminals and other programs."""

from typing import Any

from controller.games.seam import Cell
from controller.lighting.language import seat_colour
from controller.table.core import Table
from controller.table.words import how_to, words
from hardware.ports import UNKNOWN, Frame, Sensing

BUTTONS = ("red", "blue", "yellow", "ok", "back", "new", "hint")


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


def view(table: Table, frame: Frame) -> dict[str, Any]:
    """Return everything that a page shows of a table, as JSON-able data. The keys are described in docs/page.md."""
    rules, position = table.rules, table.position
    outcome = rules.outcome(position)
    lights = hex_colours(frame)
    question = table.question
    turn = None if outcome else rules.to_move(position)
    return {
        "game": {"name": rules.name, "surface": rules.surface, "settings": dict(rules.settings)},
        "sensing": table.sensing.value,
        "phase": table.phase.value,
        "words": words(table),
        "detail": how_to(table),
        "question": question
        and {
            "about": question.about,
            "cell": rules.cells[question.cells[0]].name if question.cells else None,
            "options": list(question.options),
        },
        "cells": [
            {"id": place.name, "x": place.x, "y": place.y, "stone": stone_text(table, cell), "light": lights[cell]}
            for cell, place in enumerate(rules.cells)
        ],
        "track": lights[len(rules.cells) :],
        "stones": [stone for stone in rules.stones if stone],
        "supply": [{"stone": stone, "count": count} for stone, count in rules.supply(position).items()],
        "players": [
            {
                "number": number,
                "name": f"Player {number}",
                "score": score,
                "turn": number == turn,
                "colour": "#{:02x}{:02x}{:02x}".format(*seat_colour(number)),
            }
            for number, score in enumerate(rules.scores(position), start=1)
        ],
        "buttons": list(BUTTONS),
        "moves": [
            {"ply": number, "player": ply.player, "move": ply.token}
            for number, ply in enumerate(table.round.plies, start=1)
        ],
        "outcome": outcome and outcome.as_json(),
    }
