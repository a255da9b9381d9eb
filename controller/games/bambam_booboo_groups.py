"""Stones of Bambam Booboo taken together: groups in contact, and the blocks that win.

The rules as we read them: texts/bambam-booboo.md. Numbers such as (4.1) point into that page.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from controller.games.bambam_booboo_mat import Bits, ByLie, Mat, Placement, flood, members

KEPT: Final = 64
"""Answers that are kept: a list of legal moves asks the same about each of at most 20 stones that may move."""

Offsets: TypeAlias = tuple[tuple[int, int, int], ...]
"""Stones of a block: lie, files and ranks from the block's least corner."""

_WIDE: Final[tuple[Offsets, ...]] = (
    ((1, 0, 0), (1, 1, 0), (1, 2, 0), (1, 3, 0)),
    ((1, 0, 0), (0, 1, 0), (0, 1, 1), (1, 3, 0)),
    ((1, 0, 0), (1, 1, 0), (0, 2, 0), (0, 2, 1)),
    ((0, 0, 0), (0, 0, 1), (1, 2, 0), (1, 3, 0)),
)

COMBINATIONS: Final[tuple[Offsets, ...]] = _WIDE + tuple(
    tuple((1 - lie, ranks, files) for lie, files, ranks in block) for block in _WIDE
)
"""The blocks that win (5.1), each of four stones: four wide and two high, then two wide and four high.

Other rotations and reflections give these eight again; two stacks of two lengthwise stones are not among them (5.2).
"""


def groups(mat: Mat, taken: Bits) -> list[Bits]:
    """Return the groups of stones in contact as the places that they cover, by their least places (4.1)."""
    return list(_groups(mat.spans[0], taken))


@lru_cache(maxsize=KEPT)
def _groups(span: int, taken: Bits) -> tuple[Bits, ...]:
    found = []
    while taken:
        group = flood(span, taken & -taken, taken)
        found.append(group)
        taken ^= group
    return tuple(found)


def groups_with(mat: Mat, others: Bits, stone: Bits) -> list[Bits]:
    """Return the groups of the places `others` and of one more stone, as `groups` of both would.

    The groups of `others` are kept from call to call: whoever tries a stone in many ends asks for them each time.
    """
    near = mat.around(stone)
    joined, apart = stone, []
    for group in _groups(mat.spans[0], others):
        if group & near:
            joined |= group
        else:
            apart.append(group)
    return sorted((joined, *apart), key=lambda group: group & -group)


def largest(parts: Sequence[Bits]) -> list[Bits]:
    """Return the groups of the greatest number of stones, in the order given."""
    most = max(part.bit_count() for part in parts)
    return [part for part in parts if part.bit_count() == most]


def blocks(mat: Mat, stones: ByLie) -> list[tuple[Placement, ...]]:
    """Return the winning blocks among the stones of one player, each as its stones; stones and blocks sorted."""
    if stones[0].bit_count() + stones[1].bit_count() < len(COMBINATIONS[0]):
        return []
    found = []
    stride = mat.spans[0]
    for block in COMBINATIONS:
        corners = -1
        for lie, files, ranks in block:
            corners &= stones[lie] >> (files * stride + ranks)
            if not corners:
                break
        found += [
            tuple(sorted(2 * (corner + files * stride + ranks) + lie for lie, files, ranks in block))
            for corner in members(corners)
        ]
    return sorted(found)
