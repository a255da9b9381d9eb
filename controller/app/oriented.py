"""Remembering on disk that somebody has confirmed how a board lies, so that it is asked once."""

import json
import logging
import os
from pathlib import Path

from hardware.profile import Profile

_log = logging.getLogger(__name__)


def _file() -> Path:
    state = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(state) / "stonelight" / "oriented.json"


def _key(profile: Profile) -> str:
    """Return what a confirmation holds for: the board, and how its cells are wired and turned."""
    return f"{profile.name} {profile.cells.model_dump_json()}"


def is_oriented(profile: Profile) -> bool:
    """Return whether somebody has confirmed this board as this profile has it. Unreadable files count as no."""
    try:
        known = json.loads(_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(known, list) and _key(profile) in known


def remember_oriented(profile: Profile) -> None:
    """Write down that this board was confirmed; where that cannot be, it is asked again next time."""
    path = _file()
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        known = []
    boards = [*known, _key(profile)] if isinstance(known, list) else [_key(profile)]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(".new")
        fresh.write_text(json.dumps(boards), encoding="utf-8")
        fresh.replace(path)
    except OSError as error:
        _log.warning("that the board is oriented cannot be written down (%s): it will be asked again", error)
