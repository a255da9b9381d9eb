"""Where a stone of Bambam Booboo may come to rest: slides from the hand, and moves of a stone on the mat.

Every question is answered for all places of the mat at once, with the sets of places of `bambam_booboo_mat`.
The rules as we read them: texts/bambam-booboo.md. Numbers such as (2.1) point into that page.
"""

from controller.games.bambam_booboo_mat import NOWHERE, Bits, ByLie, Mat, Placement


def room(mat: Mat, free: Bits) -> ByLie:
    """Return the placements that cover places of `free` only."""
    return free & free >> mat.spans[0], free & free >> mat.spans[1]


def touching(mat: Mat, stones: Bits) -> ByLie:
    """Return the placements in contact with a stone (1.5), whether or not there is room for them.

    Args:
        mat: where.
        stones: the places that stones cover.
    """
    near = mat.around(stones)
    return near | near >> mat.spans[0], near | near >> mat.spans[1]


def entered(mat: Mat, free: Bits) -> ByLie:
    """Return the placements that one straight slide from off the mat reaches (2.3).

    A slide from one side covers, on its way, every place between that side and the end placement in the lines that the
    stone runs along; so both of its places must be open to that side.
    """
    across = along = 0
    for lie in (0, 1):
        first, last = mat.sides[lie]
        for opened in (mat.onward(first & free, free, lie), mat.back(last & free, free, lie)):
            across |= opened & opened >> mat.spans[0]
            along |= opened & opened >> mat.spans[1]
    return across, along


def from_hand(mat: Mat, taken: Bits) -> ByLie:
    """Return where a stone from the hand may come to rest (2.1 to 2.3).

    Args:
        mat: where.
        taken: the places that stones cover.
    """
    free = mat.places & ~taken
    if not taken:
        return room(mat, free)
    touch, enter = touching(mat, taken), entered(mat, free)
    return enter[0] & touch[0], enter[1] & touch[1]


def outside(mat: Mat, taken: Bits) -> Bits:
    """Return the free places that join the table beyond the mat through free places side by side (3.4)."""
    free = mat.places & ~taken
    return mat.flood(mat.edge & free, free)


def on_table(mat: Mat, taken: Bits, open_places: Bits, stone: Placement) -> ByLie:
    """Return where a stone that lies on the mat may come to rest (3.2 to 3.5).

    Args:
        mat: where.
        taken: the places that stones cover, this one's among them.
        open_places: what `outside` gives for `taken`.
        stone: the placement of the stone that is to move.
    """
    pair = mat.pair(stone)
    start, lie = 1 << stone // 2, stone % 2
    others = taken ^ pair
    free = mat.places & ~others
    touch = touching(mat, others)
    enter = entered(mat, free)
    within = room(mat, free)
    reached = mat.straight(start, within[lie]) ^ start
    ends = [0, 0]
    ends[lie] = reached & touch[lie]
    # A way out is a way in gone backwards.
    if enter[lie] & start or reached & ~touch[lie]:
        if (pair & mat.edge) or mat.around(pair) & open_places:
            again = enter
        else:
            again = _slid_within(mat, mat.flood(pair, free), touch)
        ends[0] |= again[0] & touch[0]
        ends[1] |= again[1] & touch[1]
    ends[lie] &= ~start
    return ends[0], ends[1]


def _slid_within(mat: Mat, area: Bits, touch: ByLie) -> ByLie:
    """Return what straight slides within an enclosed area reach from the placements there without contact (3.5)."""
    within = room(mat, area)
    if not (within[0] & ~touch[0] or within[1] & ~touch[1]):
        return NOWHERE
    return (
        mat.straight(within[0] & ~touch[0], within[0]),
        mat.straight(within[1] & ~touch[1], within[1]),
    )
