"""A report of a run: all that reached the table in its last hour, in one file from which it can be played again.

A report is JSON, one object a line: first the header (what was played, where, with which versions), then one line for
each span of the recording (`controller.table.recorder.Span`).
"""

import json
import platform
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from controller.app.rig import Rig

FORMAT: Final = 1
"""The version of the form; a reader refuses others."""
_PACKAGES: Final = ("stonelight", "gpiozero", "adafruit-circuitpython-neopixel", "pyserial", "transitions", "starlette")


def report(rig: Rig, board: str | None, profile: str | None = None) -> str:
    """Return the report of a rig as text.

    Args:
        rig: whose recording is told.
        board: the name of its board profile, or the path of its file; None on a simulated board.
        profile: the text of that profile.
    """
    return "\n".join(json.dumps(line) for line in _lines(rig, board, profile)) + "\n"


def _lines(rig: Rig, board: str | None, profile: str | None) -> Iterator[Mapping[str, Any]]:
    table = rig.table
    yield {
        "stonelight-report": FORMAT,
        "game": table.rules.name,
        "players": table.rules.players,
        "sensing": table.sensing.value,
        "track": table.track_pixels,
        "board": board,
        "profile": profile,
        "cells": {table.rules.cells[cell].name: rig.health.cells[cell].as_json() for cell in rig.health.ailing()},
        "masked": [table.rules.cells[cell].name for cell in sorted(table.picture.masked)],
        "record": [ply.token for ply in table.round.plies],
        "versions": {name: _version(name) for name in _PACKAGES},
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
    }
    for span in rig.recorder.spans:
        yield span.as_json()


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
