"""Games on boards that were not made for them: which places, what they read, how they are lit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware import layouts
from hardware.hosting import Hosting, HostingError, blocks, by_name, by_shape
from hardware.ports import UNKNOWN

MAT = layouts.tiles(16, 16)


def names_of(hosting: Hosting, cell: int) -> list[str]:
    return [MAT.names[place] for place in hosting.groups[cell]]


def test_a_cell_of_bamogo_is_the_middle_of_a_tile() -> None:
    game = layouts.grid(4, 4)
    hosting = blocks(MAT, game.spots, (2, 2), (4, 4), None)
    assert names_of(hosting, game.names.index("a1")) == ["b2", "b3", "c2", "c3"]
    assert names_of(hosting, game.names.index("d1")) == ["n2", "n3", "o2", "o3"]
    assert names_of(hosting, game.names.index("b4")) == ["f14", "f15", "g14", "g15"]


@pytest.mark.parametrize("radius", [2, 3])
def test_cells_of_an_exago_touch_their_neighbours_and_no_others(radius: int) -> None:
    game = layouts.hexagon(radius)
    hosting = blocks(MAT, game.spots, (2, 2), (2, 2), None)
    spots = [[MAT.spots[place] for place in group] for group in hosting.groups]
    for one in range(len(game.names)):
        for other in range(one):
            (x1, y1), (x2, y2) = game.spots[one], game.spots[other]
            neighbours = (x1 - x2) ** 2 + (y1 - y2) ** 2 < 1.1
            touch = any(abs(a - c) + abs(b - d) == 1 for a, b in spots[one] for c, d in spots[other])
            assert touch == neighbours


def test_a_block_may_begin_at_a_named_place() -> None:
    hosting = blocks(MAT, [(0, 0), (1, 0)], (1, 2), (3, 3), "c2")
    assert [names_of(hosting, cell) for cell in (0, 1)] == [["c2", "c3"], ["f2", "f3"]]


@pytest.mark.parametrize(
    ("radius", "cell", "step", "origin", "key"),
    [
        pytest.param(4, (2, 2), (2, 2), None, "step", id="too many cells"),
        pytest.param(3, (2, 2), (2, 2), "d1", "step", id="too far to the right"),
        pytest.param(3, (2, 2), (2, 2), "a4", "step", id="too far away"),
        pytest.param(2, (1, 1), (3, 3), None, "step", id="half of three places"),
        pytest.param(2, (3, 1), (2, 2), None, "step", id="overlap"),
        pytest.param(2, (0, 1), (2, 2), None, "step", id="no place at all"),
        pytest.param(2, (1, 1), (2, 2), "z9", "origin", id="no such place"),
    ],
)
def test_a_rule_that_does_not_fit(
    radius: int, cell: tuple[int, int], step: tuple[int, int], origin: str | None, key: str
) -> None:
    with pytest.raises(HostingError) as caught:
        blocks(MAT, layouts.hexagon(radius).spots, cell, step, origin)
    assert caught.value.key == key


def test_too_many_cells_say_how_much_room_they_take() -> None:
    with pytest.raises(HostingError, match="91 cells of 2 x 2 places take 22 x 22, and the board has 16 x 16"):
        blocks(MAT, layouts.hexagon(5).spots, (2, 2), (2, 2), None)


def test_a_smaller_hexagon_is_in_the_middle_of_a_larger_one() -> None:
    board = layouts.hexagon(5)
    hosting = by_shape(board, layouts.hexagon(2).spots)
    assert hosting is not None
    placed = [board.names[place] for (place,) in hosting.groups]
    assert placed[:3] == ["d6", "d7", "d8"]
    assert placed[9] == "f6", "the middle"
    assert by_shape(layouts.hexagon(2), board.spots) is None
    assert by_shape(layouts.hexagon(5), layouts.grid(3, 3).spots) is None


def test_a_smaller_mat_has_the_places_of_its_names() -> None:
    hosting = by_name(MAT, layouts.grid(8, 12).names)
    assert hosting is not None
    assert [MAT.names[place] for (place,) in hosting.groups] == list(layouts.grid(8, 12).names)
    assert by_name(layouts.grid(4, 4), layouts.grid(5, 4).names) is None


def test_the_same_board_is_plain() -> None:
    same = by_name(MAT, MAT.names)
    assert same is not None
    assert same.is_plain
    smaller = by_name(MAT, MAT.names[:16])
    assert smaller is not None
    assert not smaller.is_plain


@pytest.mark.parametrize(
    ("readings", "reading"),
    [
        pytest.param((0, 0, 0, 0), 0, id="nothing"),
        pytest.param((0, 1, 0, 0), 1, id="a stone on one place"),
        pytest.param((1, 1, 0, 0), 1, id="a stone on two"),
        pytest.param((UNKNOWN, 0, 0, 0), UNKNOWN, id="a hand"),
        pytest.param((UNKNOWN, 1, 0, 0), 1, id="a stone and a hand"),
        pytest.param((2, 2, 0, 0), 2, id="a colour"),
        pytest.param((2, 3, 0, 0), UNKNOWN, id="two colours"),
    ],
)
def test_what_a_cell_of_several_places_reads(readings: tuple[int, ...], reading: int) -> None:
    assert Hosting(((0, 1, 2, 3),), 4).reading(0, readings) == reading


@given(st.data())
def test_each_place_is_lit_as_its_cell_and_the_others_are_dark(data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(10)))
    cuts = sorted(data.draw(st.sets(st.integers(1, 9), min_size=1, max_size=4)))
    groups = tuple(tuple(order[a:b]) for a, b in zip([0, *cuts[:-1]], cuts, strict=True))
    hosting = Hosting(groups, 10)
    frame = data.draw(st.binary(min_size=3 * len(groups) + 6, max_size=3 * len(groups) + 6))
    lit = hosting.frame(frame)
    assert len(lit) == 3 * (10 + 2)
    assert lit[30:] == frame[-6:], "the track as it is"
    for place in range(10):
        cell = hosting.cell_of[place]
        assert lit[3 * place : 3 * place + 3] == (frame[3 * cell : 3 * cell + 3] if cell >= 0 else bytes(3))
        assert cell == -1 or place in groups[cell]
