"""What has to be settled before any test imports a library that looks at its environment once."""

import os
from collections.abc import Iterator

import pytest

# Blinka then offers pins that lead nowhere, on any computer; simulator.pixels listens there.
os.environ.setdefault("BLINKA_OS_AGNOSTIC", "1")


@pytest.fixture(scope="session", autouse=True)
def _strict_turns() -> Iterator[None]:
    """News out of place is an error in every test, where in play it is a line in the log."""
    from controller.turns.machine import Turn

    before, Turn.strict = Turn.strict, True
    yield
    Turn.strict = before
