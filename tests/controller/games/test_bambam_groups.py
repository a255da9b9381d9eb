"""Groups that one more stone makes, against those of all stones looked at anew."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.games.bambam_booboo_groups import groups, groups_with
from controller.games.bambam_booboo_mat import ByLie, Mat, Placement, mat_of, members

MATS = {size: mat_of(*size) for size in ((4, 4), (5, 9), (16, 16))}


def scattered(mat: Mat, dice: random.Random, stones: int) -> list[Placement]:
    """Return stones that lie on the mat and not on each other."""
    taken, lying = 0, []
    anywhere = [2 * place + lie for place in members(mat.places) for lie in (0, 1)]
    for placement in dice.sample(anywhere, min(stones, len(anywhere))):
        pair = mat.pair(placement)
        if pair & mat.places == pair and not pair & taken:
            taken |= pair
            lying.append(placement)
    return lying


def by_lie(stones: list[Placement]) -> ByLie:
    across = sum(1 << stone // 2 for stone in stones if stone % 2 == 0)
    return across, sum(1 << stone // 2 for stone in stones if stone % 2)


@settings(deadline=None, max_examples=300)
@given(size=st.sampled_from(sorted(MATS)), seed=st.integers(0, 1 << 30), count=st.integers(0, 30))
def test_one_more_stone_makes_the_groups_of_all(size: tuple[int, int], seed: int, count: int) -> None:
    mat, dice = MATS[size], random.Random(seed)
    stones = scattered(mat, dice, count)
    if not stones:
        return
    last = dice.choice(stones)
    others = [stone for stone in stones if stone != last]
    taken = mat.covered(by_lie(others))
    assert groups_with(mat, taken, mat.pair(last)) == groups(mat, taken | mat.pair(last))
