"""What has to be settled before any test imports a library that looks at its environment once."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

# Blinka then offers pins that lead nowhere, on any computer; simulator.pixels listens there.
os.environ.setdefault("BLINKA_OS_AGNOSTIC", "1")

# A busy machine is no fault of the code: examples may take as long as they like.
settings.register_profile("stonelight", deadline=None)
settings.load_profile("stonelight")


@pytest.fixture(scope="session", autouse=True)
def _strict_turns() -> Iterator[None]:
    """News out of place is an error in every test, where in play it is a line in the log."""
    from controller.turns.machine import Turn

    before, Turn.strict = Turn.strict, True
    yield
    Turn.strict = before
