"""The firmware's modules, by their names on the device."""

from collections.abc import Mapping
from types import ModuleType

import pytest

from simulator.device import firmware_modules


@pytest.fixture
def firmware() -> Mapping[str, ModuleType]:
    return firmware_modules()
