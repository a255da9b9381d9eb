"""How cells are, from their changes and from what had to be put right."""

from controller.table.health import CellHealth, Health


def test_changes_that_no_hand_can_have_made_are_flickers() -> None:
    health = Health(2)
    for at in (0, 100, 130, 160, 400):
        health.change(0, at)
    assert health.cells == [CellHealth(changes=5, flickers=2), CellHealth()]
    assert health.ailing() == [0]


def test_the_time_that_a_cell_was_in_the_way() -> None:
    health = Health(3)
    health.wrong({1}, 1000)
    assert [health.any_wrong] == [True]
    health.wrong({1, 2}, 1500)
    health.wrong({2}, 2000)
    health.wrong((), 2300)
    assert [health.any_wrong] == [False]
    assert health.cells[1] == CellHealth(wrong_ms=1000, longest_ms=1000)
    assert health.cells[2] == CellHealth(wrong_ms=800, longest_ms=800)
    health.wrong({1}, 5000)
    health.wrong({1}, 5400)
    assert health.cells[1] == CellHealth(wrong_ms=1400, longest_ms=1000)
    assert health.ailing() == [1, 2]
