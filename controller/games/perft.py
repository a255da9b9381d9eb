"""Counting the ways to play: how many sequences of so many legal moves there are.

Two implementations of a game that count alike, depth by depth, most likely agree on every legal move.
"""

from typing import Final, TypeAlias

from controller.games.seam import AnyRules

REMEMBERED: Final = 200_000
"""How many positions a count keeps in mind, so that a position that is reached in several ways is counted once. Bounds
the memory to some 100 MB; beyond it, counting goes on more slowly."""

_Memory: TypeAlias = dict[tuple[object, int], int]


def perft(rules: AnyRules, depth: int, position: object = None) -> int:
    """Return the number of legal move sequences of exactly `depth` plies; sequences that end earlier do not count.

    Args:
        rules: of the game.
        depth: 0 or more; 0 gives 1.
        position: where they begin; the start of a round unless given.

    Raises:
        ValueError: a negative depth.
    """
    if depth < 0:
        raise ValueError(f"the depth is {depth}; it counts plies, so it is 0 or more")
    return _count(rules, rules.initial() if position is None else position, depth, {})


def divide(rules: AnyRules, depth: int) -> list[tuple[str, int]]:
    """Return for each move at the start of a round its token and the number of sequences that begin with it, sorted.

    The counts sum to `perft`. For depth 0, where no move is played, the list is empty.

    Raises:
        ValueError: a negative depth.
    """
    if depth < 0:
        raise ValueError(f"the depth is {depth}; it counts plies, so it is 0 or more")
    if depth == 0:
        return []
    root = rules.initial()
    memory: _Memory = {}
    counts = (
        (rules.move_text(move), _count(rules, rules.apply(root, move)[0], depth - 1, memory))
        for move in rules.legal(root)
    )
    return sorted(counts)


def _count(rules: AnyRules, position: object, depth: int, memory: _Memory) -> int:
    if depth == 0:
        return 1
    if depth == 1:
        # The last ply is not played, only counted: that is where nearly all of the work would be.
        return len(rules.legal(position))
    key = (position, depth)
    known = memory.get(key)
    if known is None:
        known = sum(_count(rules, rules.apply(position, move)[0], depth - 1, memory) for move in rules.legal(position))
        if len(memory) < REMEMBERED:
            memory[key] = known
    return known
