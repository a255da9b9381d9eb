"""The scripts beside this file, each at every depth: when things happen, and what mishaps and faults lead to."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SCRIPTS = sorted((Path(__file__).parent / "scripts").glob("*.txt"))


@pytest.mark.parametrize("depth", ["memory", "pins", "wire"])
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_holds_at_every_depth(play_through: Callable[..., Any], script: Path, depth: str) -> None:
    play_through(script.read_text(encoding="utf-8"), depth)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_gives_the_same_moves_at_every_depth(play_through: Callable[..., Any], script: Path) -> None:
    text = script.read_text(encoding="utf-8")
    memory, pins, wire = (play_through(text, depth).moves for depth in ("memory", "pins", "wire"))
    assert memory == pins == wire
