"""Legal moves of Bambam Booboo, why others are refused, and what a move leaves on the mat.

The rules as we read them: texts/bambam-booboo.md. Numbers such as (2.1) point into that page.
"""

from collections.abc import Iterator
from typing import NamedTuple

from controller.games.bambam_booboo_groups import blocks, groups, groups_with, largest
from controller.games.bambam_booboo_mat import NOWHERE, Bits, ByLie, Mat, Placement, least, members
from controller.games.bambam_booboo_position import PASS, Move, Position, on_mat, with_stone
from controller.games.bambam_booboo_slides import from_hand, on_table, outside, room, touching
from controller.games.seam import IllegalMoveError


class Landing(NamedTuple):
    """The mat right after a stone has come to rest, before anything is returned.

    Fields:
        stones: shape (2,), by player: the stones on the mat.
        combinations: the blocks that the mover has completed, as stones sorted; then nothing is returned (5.3).
        tied: the largest groups as places covered: more than one where the mover must choose; empty after a win.
    """

    stones: tuple[ByLie, ByLie]
    combinations: list[tuple[Placement, ...]]
    tied: list[Bits]


def taken_by(mat: Mat, stones: tuple[ByLie, ByLie]) -> Bits:
    """Return the places that the stones of both players cover."""
    (across_1, along_1), (across_2, along_2) = stones
    return mat.covered((across_1 | across_2, along_1 | along_2))


def stone_at(stones: tuple[ByLie, ByLie], place: int) -> Placement:
    """Return the stone whose least place is that one; there must be one."""
    lies_along_rank = (stones[0][0] | stones[1][0]) >> place & 1
    return 2 * place + (0 if lies_along_rank else 1)


def legal(mat: Mat, position: Position, in_hand: int) -> tuple[Move, ...]:
    """Return every legal move once; `PASS` alone where there is no other, nothing after the end.

    Args:
        mat: where.
        position: what is on the mat, and whose turn it is.
        in_hand: how many stones the player on turn holds.
    """
    if position.outcome is not None:
        return ()
    taken = taken_by(mat, position.stones)
    moves: list[Move] = []
    if in_hand:
        moves += _settled(mat, position, None, from_hand(mat, taken), taken)
    else:
        open_places = outside(mat, taken)
        for stone in mat.placements_of(position.mine):
            ends = on_table(mat, taken, open_places, stone)
            moves += _settled(mat, position, stone, ends, taken ^ mat.pair(stone))
    return tuple(moves) or (PASS,)


def _settled(mat: Mat, position: Position, start: Placement | None, ends: ByLie, others: Bits) -> list[Move]:
    """Return the moves from `start` to each of `ends`, one for each group that may stay (4.1, 4.2)."""
    parts = groups(mat, others) if ends != NOWHERE else []
    moves = []
    for lie in (0, 1):
        for joined, apart, same in _alike(mat, parts, ends[lie], lie):
            # The stone itself is two places more; which two makes no difference to the sizes.
            sizes = [joined.bit_count() + 2, *(part.bit_count() for part in apart)]
            if sizes.count(max(sizes)) == 1:
                moves += [Move(start, 2 * place + lie) for place in members(same)]
            else:
                for place in members(same):
                    moves += _choices(mat, position, Move(start, 2 * place + lie))
    return moves


def _alike(mat: Mat, parts: list[Bits], ends: Bits, lie: int) -> Iterator[tuple[Bits, list[Bits], Bits]]:
    """Yield the end placements sorted out by the groups that they touch: groups joined, groups left apart, ends."""
    if len(parts) < 2:
        yield 0, [], ends
        return
    sorted_out: list[tuple[Bits, list[Bits], Bits]] = [(0, [], ends)]
    for part in parts:
        touch = touching(mat, part)[lie]
        sorted_out = [
            kind
            for joined, apart, same in sorted_out
            for kind in ((joined | part, apart, same & touch), (joined, [*apart, part], same & ~touch))
            if kind[2]
        ]
    yield from sorted_out


def _choices(mat: Mat, position: Position, move: Move) -> Iterator[Move]:
    """Yield the tokens of a move after which groups tie: the plain one if it wins, else one for each tied group."""
    landing = land(mat, position, move)
    if landing.combinations:
        yield move
    for group in landing.tied:
        yield move._replace(stays=stone_at(landing.stones, least(group)))


def land(mat: Mat, position: Position, move: Move) -> Landing:
    """Return the mat with the stone at rest, given that it can get there."""
    assert move.end is not None, "a pass lands nowhere"
    kept = position.mine if move.start is None else with_stone(position.mine, move.start)
    mine = with_stone(kept, move.end)
    theirs = position.stones[2 - position.to_move]
    stones = (mine, theirs) if position.to_move == 1 else (theirs, mine)
    combinations = blocks(mat, mine)
    tied = [] if combinations else largest(groups_with(mat, taken_by(mat, (kept, theirs)), mat.pair(move.end)))
    return Landing(stones, combinations, tied)


def landed(mat: Mat, position: Position, move: Move, in_hand: int) -> Landing:
    """Return the mat after a legal move that is no pass, the stones of groups that do not stay still on it.

    Raises:
        IllegalMoveError: the stone cannot be taken from there, cannot get there, or the wrong group is to stay.
    """
    _check_source(mat, position, move, in_hand)
    _check_way(mat, position, move)
    landing = land(mat, position, move)
    _check_suffix(mat, landing, move)
    return landing


def _check_source(mat: Mat, position: Position, move: Move, in_hand: int) -> None:
    """Refuse a stone that the player may not take up (2.1, 3.1)."""
    player = position.to_move
    if move.start is None:
        if not in_hand:
            raise IllegalMoveError(f"player {player} has no stone in hand; move one on the mat, such as He8-Vc4 (3.1)")
        return
    if in_hand:
        raise IllegalMoveError(f"player {player} still holds {in_hand} in hand; those must be slid in first (2.1)")
    place, lie = divmod(move.start, 2)
    if not position.mine[lie] >> place & 1:
        raise IllegalMoveError(f"player {player} has no stone at {mat.placement_text(move.start)} (3.1)")


def _check_way(mat: Mat, position: Position, move: Move) -> None:
    """Refuse an end placement that the stone cannot come to rest on (2.2, 2.3, 3.2 to 3.5)."""
    assert move.end is not None, "a pass goes nowhere"
    taken = taken_by(mat, position.stones)
    others = taken
    if move.start is None:
        ends = from_hand(mat, taken)
    else:
        others ^= mat.pair(move.start)
        ends = on_table(mat, taken, outside(mat, taken), move.start)
    place, lie = divmod(move.end, 2)
    if ends[lie] >> place & 1:
        return
    name = mat.placement_text(move.end)
    if move.start == move.end:
        raise IllegalMoveError(f"the stone lies at {name} already; it must end elsewhere (3.2)")
    if not room(mat, mat.places & ~others)[lie] >> place & 1:
        raise IllegalMoveError(f"{name} is not free: another stone covers a place of it (2.2)")
    if not touching(mat, others)[lie] >> place & 1:
        raise IllegalMoveError(f"at {name} the stone would share no side with another stone (2.2)")
    if move.start is None:
        raise IllegalMoveError(f"no straight slide from off the mat reaches {name}: stones are in the way (2.3)")
    raise IllegalMoveError(
        f"{mat.placement_text(move.start)} cannot get to {name}: not in a straight line (3.3),"
        " nor by coming loose and being slid in again (3.4, 3.5)"
    )


def _check_suffix(mat: Mat, landing: Landing, move: Move) -> None:
    """Refuse a suffix where nothing is to be chosen, and a choice that is none of the tied groups (4.2)."""
    names = [mat.placement_text(stone_at(landing.stones, least(group))) for group in landing.tied]
    if len(names) < 2:
        if move.stays is not None:
            raise IllegalMoveError("no groups tie for largest here: leave out what follows the ':' (4.2)")
        return
    listed = ", ".join(f":{name}" for name in names)
    if move.stays is None:
        raise IllegalMoveError(f"groups tie for largest: add which one stays, one of {listed} (4.2)")
    if mat.placement_text(move.stays) not in names:
        raise IllegalMoveError(f"{mat.placement_text(move.stays)} begins no group tied for largest; add {listed} (4.2)")


def staying(landing: Landing, move: Move) -> tuple[tuple[ByLie, ByLie], tuple[ByLie, ByLie]]:
    """Return the stones that stay on the mat and those that return to the hands, each by player (4.1)."""
    if landing.combinations:
        return landing.stones, (NOWHERE, NOWHERE)
    kept = landing.tied[0]
    if move.stays is not None:
        kept = next(group for group in landing.tied if group >> move.stays // 2 & 1)
    (across_1, along_1), (across_2, along_2) = landing.stones
    return (
        ((across_1 & kept, along_1 & kept), (across_2 & kept, along_2 & kept)),
        ((across_1 & ~kept, along_1 & ~kept), (across_2 & ~kept, along_2 & ~kept)),
    )


def in_hand_of(position: Position, player: int, most: int) -> int:
    """Return how many stones a player of `most` in all holds in hand."""
    return most - on_mat(position.stones[player - 1])
