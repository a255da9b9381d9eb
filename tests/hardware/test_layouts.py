"""How cells lie, and the ways through them: names in the games' order, and every walk a permutation."""

from itertools import pairwise
from math import dist
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.games.seam import load_game
from hardware import layouts
from hardware.layouts import Layout

patterns = st.sampled_from(["serpentine", "lines"])
corners = st.sampled_from(["near-left", "near-right", "far-left", "far-right"])
alongs = st.sampled_from(["ranks", "files"])
boards = st.one_of(
    st.builds(layouts.grid, st.integers(1, 9), st.integers(1, 9)),
    st.builds(layouts.hexagon, st.integers(1, 7)),
    st.builds(layouts.pits, st.integers(1, 24)),
    st.builds(lambda across, deep: layouts.tiles(4 * across, 4 * deep), st.integers(1, 4), st.integers(1, 4)),
)


@pytest.mark.parametrize(
    ("layout", "game", "settings"),
    [
        pytest.param(layouts.grid(4, 4), "bamogo", {}, id="bamogo"),
        pytest.param(layouts.pits(12), "bao-kigogo", {}, id="bao"),
        pytest.param(layouts.pits(4), "bao-kigogo", {"columns": "4"}, id="small bao"),
        *(pytest.param(layouts.hexagon(r), "exago", {"radius": str(r)}, id=f"exago {r}") for r in range(2, 8)),
        pytest.param(layouts.tiles(16, 16), "bambam-booboo", {}, id="mat"),
        pytest.param(layouts.tiles(32, 8), "bambam-booboo", {"width": "32", "height": "8"}, id="wide mat"),
    ],
)
def test_cells_are_those_of_the_game_in_its_order_and_where_it_draws_them(
    layout: Layout, game: str, settings: dict[str, str]
) -> None:
    places = load_game(game).rules(None, settings).cells
    assert layout.names == tuple(place.name for place in places)
    for spot, place in zip(layout.spots, places, strict=True):
        assert spot == pytest.approx((place.x, place.y))


@given(boards, patterns, corners, alongs)
@settings(deadline=None)
def test_every_walk_is_a_permutation_and_leaves_no_line_before_its_end(
    layout: Layout, pattern: Any, start: Any, along: Any
) -> None:
    walk = layout.walk(pattern, start, along)
    assert sorted(walk) == list(range(len(layout.names)))
    lines = layout.ranks if along == "ranks" else layout.files
    if layout.tiles == (1, 1):
        line_of = {cell: number for number, line in enumerate(lines) for cell in line}
        changes = sum(line_of[one] != line_of[other] for one, other in pairwise(walk))
        assert changes == len(lines) - 1


@given(boards, corners, alongs)
@settings(deadline=None)
def test_a_serpentine_only_ever_steps_to_a_neighbour(layout: Layout, start: Any, along: Any) -> None:
    if layout.tiles != (1, 1):
        return
    walk = layout.walk("serpentine", start, along)
    steps = [dist(layout.spots[one], layout.spots[other]) for one, other in pairwise(walk)]
    assert all(step == pytest.approx(1) for step in steps)


@given(boards, patterns, corners)
@settings(deadline=None)
def test_a_walk_begins_at_its_corner(layout: Layout, pattern: Any, start: Any) -> None:
    line = layout.ranks[0 if start.startswith("near") else -1]
    assert layout.walk(pattern, start, "ranks")[0] == line[0 if start.endswith("left") else -1]


def test_tiles_are_walked_one_by_one_and_alike() -> None:
    layout = layouts.tiles(8, 8)
    walk = [layout.names[cell] for cell in layout.walk("serpentine", "near-left", "ranks")]
    assert walk[:16] == ["a1", "b1", "c1", "d1", "d2", "c2", "b2", "a2", "a3", "b3", "c3", "d3", "d4", "c4", "b4", "a4"]
    assert walk[16:20] == ["e1", "f1", "g1", "h1"], "the second tile to the right"
    assert walk[32:36] == ["e5", "f5", "g5", "h5"], "then the one beyond it: back"
    assert walk[48:52] == ["a5", "b5", "c5", "d5"]
    by_file = [layout.names[cell] for cell in layout.walk("lines", "far-right", "files")]
    assert by_file[:5] == ["h8", "h7", "h6", "h5", "g8"]
    assert by_file[16:18] == ["h4", "h3"]


def test_lines_of_a_hexagon_are_its_rows_and_its_numbers() -> None:
    layout = layouts.hexagon(2)
    names = [[layout.names[cell] for cell in line] for line in layout.ranks]
    assert names[0] == ["a3", "a4", "a5"]
    assert names[2] == ["c1", "c2", "c3", "c4", "c5"]
    assert [layout.names[cell] for cell in layout.files[0]] == ["c1", "d1", "e1"]


def test_files_beyond_z_have_two_letters() -> None:
    assert [layouts.file_name(number) for number in (0, 25, 26, 31)] == ["a", "z", "aa", "af"]
