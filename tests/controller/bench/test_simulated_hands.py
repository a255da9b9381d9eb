"""A simulated board that lives by itself, for `monitor --sim`."""

import pytest

from controller.bench.simulated_hands import lively_road
from hardware.profile import parse_profile

SMALL = """\
name = "small"
title = "Small"
host = "pico"
[cells]
sensing = "presence"
layout = "grid"
files = {files}
ranks = 1
driver = "matrix"
rows = [0]
columns = {columns}
[lamps]
driver = "neopixel"
count = {files}
pin = 22
budget_ma = 200
"""


@pytest.mark.parametrize("cells", [1, 2, 4, 5])
def test_a_board_of_a_few_cells_lives_too(cells: int) -> None:
    profile = parse_profile(SMALL.format(files=cells, columns=[*range(1, cells + 1)]), "small.toml")
    road = lively_road(profile)
    assert 1 <= sum(map(bool, road.top.contents)) <= cells
