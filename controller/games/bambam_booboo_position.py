"""Positions and moves of Bambam Booboo, and their text forms.

The rules as we read them: texts/bambam-booboo.md. Numbers such as (6.1) point into that page.
"""

import re
from typing import Final, NamedTuple

from controller.games.bambam_booboo_mat import NOWHERE, Bits, ByLie, Mat, Placement
from controller.games.seam import Cell, NotationError, Outcome

PLAYERS: Final = 2


class Move(NamedTuple):
    """What a player does in a ply; with neither `start` nor `end` it is `PASS`.

    Fields:
        start: where the stone lay on the mat; None for a stone from the hand.
        end: where it comes to rest; None for a pass.
        stays: the least placement of the group that stays, where groups tie for largest (4.2); else None.
    """

    start: Placement | None
    end: Placement | None
    stays: Placement | None = None


PASS: Final = Move(None, None)
"""The player can do nothing (2.4, 3.6)."""


class Position(NamedTuple):
    """All that the rules need to know about a round in progress.

    Fields:
        stones: shape (2,), by player: the placements of the stones on the mat. The others are in the player's hand.
        to_move: the number of the player on turn.
        passed: whether the last ply was a pass.
        wins: shape (2,): the rounds of the match that each player has won before this one.
        plies_left: how many plies remain until the round is drawn; None without a limit (5.5).
        outcome: how the round ended; None while it goes on.
    """

    stones: tuple[ByLie, ByLie]
    to_move: int
    passed: bool = False
    wins: tuple[int, int] = (0, 0)
    plies_left: int | None = None
    outcome: Outcome | None = None

    @property
    def mine(self) -> ByLie:
        """The stones on the mat of the player on turn."""
        return self.stones[self.to_move - 1]


class Choice(NamedTuple):
    """One answer to the question which group stays (4.2).

    Fields:
        move: the move with its suffix; the plain move where nothing ties.
        stays: the stones that remain on the mat, each as its two cells, sorted.
        goes: the stones that return to the hands, each as its two cells, sorted.
    """

    move: Move
    stays: tuple[tuple[Cell, Cell], ...]
    goes: tuple[tuple[Cell, Cell], ...]


def on_mat(stones: ByLie) -> int:
    """Return how many stones these are."""
    return stones[0].bit_count() + stones[1].bit_count()


def with_stone(stones: ByLie, placement: Placement) -> ByLie:
    """Return the stones with that one put down, or taken away if it is among them."""
    across, along = stones
    bit: Bits = 1 << placement // 2
    return (across, along ^ bit) if placement % 2 else (across ^ bit, along)


def move_text(mat: Mat, move: Move) -> str:
    """Return the token: ``pass``, ``He8``, ``He8-Vc4`` or ``He8-Vc4:Hb2`` (6.1)."""
    if move.end is None:
        return "pass"
    start = "" if move.start is None else f"{mat.placement_text(move.start)}-"
    suffix = "" if move.stays is None else f":{mat.placement_text(move.stays)}"
    return f"{start}{mat.placement_text(move.end)}{suffix}"


_MOVE: Final = re.compile(r"(?:([^-:]+)-)?([^-:]+)(?::([^-:]+))?")


def parse_move(mat: Mat, text: str) -> Move:
    """Return the move that a token names.

    Raises:
        NotationError: the text is no token, or names a placement that is not on this mat.
    """
    if text == "pass":
        return PASS
    match = _MOVE.fullmatch(text)
    if match is None:
        raise NotationError(
            f"{text!r} is no move; write He8 to slide in, He8-Vc4 to move, He8-Vc4:Hb2 to choose, or pass"
        )
    start, end, stays = (mat.parse_placement(part) if part else None for part in match.groups())
    return Move(start, end, stays)


def stones_text(mat: Mat, stones: tuple[ByLie, ByLie]) -> str:
    """Return the text of what lies on the mat: ``He8:1,Vc4:2``, sorted by placement; empty for an empty mat (6.2)."""
    lying = sorted((placement, owner) for owner in (1, 2) for placement in mat.placements_of(stones[owner - 1]))
    return ",".join(f"{mat.placement_text(placement)}:{owner}" for placement, owner in lying)


def parse_stones(mat: Mat, text: str, most: int) -> tuple[ByLie, ByLie]:
    """Return the stones of a text as `stones_text` gives it; the order of the stones does not matter.

    Args:
        mat: where.
        text: the stones with their owners, split by commas.
        most: how many stones each player has.

    Raises:
        NotationError: the text is unreadable, two stones overlap, or an owner has more stones than there are.
    """
    stones: list[ByLie] = [NOWHERE, NOWHERE]
    taken = 0
    for item in text.split(",") if text else ():
        name, _, owner = item.partition(":")
        if owner not in ("1", "2"):
            raise NotationError(f"stone {item!r}: write the placement and its owner 1 or 2, such as He8:1")
        placement = mat.parse_placement(name)
        if taken & mat.pair(placement):
            raise NotationError(f"stone {item!r} overlaps another stone; each place holds one stone at most")
        taken |= mat.pair(placement)
        stones[int(owner) - 1] = with_stone(stones[int(owner) - 1], placement)
    for owner_number, lying in enumerate(stones, start=1):
        if on_mat(lying) > most:
            raise NotationError(f"player {owner_number} has {on_mat(lying)} stones on the mat, but only {most} in all")
    return stones[0], stones[1]
