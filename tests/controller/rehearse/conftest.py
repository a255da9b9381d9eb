"""Scripts played in the test itself, and what came of them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from controller.rehearse.runner import Listener, run
from controller.rehearse.script import ScriptError
from controller.rehearse.steps import RehearsalError


@dataclass
class Played:
    """What came of a script."""

    told: list[dict[str, Any]] = field(default_factory=list)
    frames: list[tuple[int, bytes]] = field(default_factory=list)
    error: RehearsalError | ScriptError | None = None
    time: int = 0

    def heard(self, kind: str) -> list[dict[str, Any]]:
        return [line for line in self.told if line["type"] == kind]

    @property
    def moves(self) -> list[str]:
        """The moves that stand at the end."""
        stand: list[str] = []
        for line in self.told:
            if line["type"] == "move":
                stand.append(line["move"])
            elif line["type"] == "takeback":
                del stand[-line["plies"] :]
        return stand

    @property
    def phases(self) -> list[str]:
        return [line["phase"] for line in self.heard("phase")]


def rehearse(script: str, via: str | None = None, seed: int | None = None) -> Played:
    """Play a script; an error that ends it is kept."""
    played = Played()
    listener = Listener(
        lambda notice: played.told.append(notice.as_json()),
        lambda now, frame, _rules: played.frames.append((now, frame)),
    )
    try:
        played.time = run(script, listener, via=via, seed=seed)
    except (RehearsalError, ScriptError) as error:
        played.error = error
    return played


@pytest.fixture
def attempt() -> Callable[..., Played]:
    """A function that plays a script and keeps the error that ends it."""
    return rehearse


@pytest.fixture
def play_through() -> Callable[..., Played]:
    """A function that plays a script in which nothing may fail."""

    def played(script: str, via: str | None = None, seed: int | None = None) -> Played:
        result = rehearse(script, via, seed)
        assert result.error is None, f"line {result.error.line}: {result.error}"
        return result

    return played


@pytest.fixture(params=["memory", "pins", "wire"])
def via(request: pytest.FixtureRequest) -> str:
    """Every depth of the stand-in that Bamogo is rehearsed at."""
    depth: str = request.param
    return depth
