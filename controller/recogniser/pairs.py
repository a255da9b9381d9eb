"""Two plies in one picture: an opponent who answered before the board was quiet."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, Final

from controller.games.seam import Cell, Content
from controller.recogniser.answers import Ambiguous, Answer, Doubt, Mismatch, Recognised, Settled, Unfinished
from controller.recogniser.prospect import Prospect
from controller.recogniser.reading import prospect_of, read
from controller.recogniser.sowing import SowingProspect
from controller.recogniser.watch import Watch
from hardware.ports import Millis

MOST_FIRSTS: Final = 3
"""First moves that are thought through when the two have touched the same cells; each costs a list of legal moves."""
BLINK_MS: Final = 40
"""Nobody begins a ply so soon after another has landed: what else changed by then is a part of that one, or of none."""


@dataclass(frozen=True, slots=True)
class _Pair:
    """A first move whose rest is another legal move, or on the way to one.

    Fields:
        moves: the first moves that leave the same readings.
        cells: the cells of the first move.
        landed, then: when the last stone of the first move and of the rest came to lie.
        whole: whether the rest is a whole move.
    """

    moves: tuple[Any, ...]
    cells: frozenset[Cell]
    landed: Millis
    then: Millis
    whole: bool


def first_of_two(
    prospect: Prospect, watch: Watch, declared: Mapping[Cell, Content], first: AbstractSet[Cell] = frozenset()
) -> Answer | None:
    """Return what the first of two plies is, where the picture shows two; None where it does not.

    The earlier landing is the earlier ply. Where both landed in the same scan and either order is legal, the order is
    asked; where only one is, they are not taken for two plies. Where the second has undone a part of the first, or
    seeds of both lie in one pit, the picture does not show the first any more: then it is looked for among the pictures
    on the way.

    Args:
        prospect: the legal moves at this position.
        watch: what was seen since the turn began.
        declared: what the player said lies on cells that cannot tell.
        first: the cells of the first of the two, where the player has said which it was.
    """
    pairs: list[_Pair] = []
    if not isinstance(prospect, SowingProspect):
        pairs = [pair for pair in _pairs(prospect, watch) if pair.landed <= pair.then]
        pairs = [pair for pair in pairs if first and pair.cells <= first] or pairs
    whole = [pair for pair in pairs if pair.whole]
    if not whole:
        # Two whole plies on the way explain more than one with another begun.
        undone = _on_the_way(prospect, watch, declared)
        if undone is not None or not pairs:
            return undone
    pairs = whole or pairs
    if len(pairs) > 1 and any(pair.cells != pairs[0].cells for pair in pairs):
        moves = tuple(move for pair in pairs for move in pair.moves[:1])
        cells = sorted(set().union(*(pair.cells for pair in pairs)))
        return Ambiguous(Doubt.ORDER, moves, tuple(cells))
    found = pairs[0]
    if len(pairs) == 1 and not first and found.then < found.landed + BLINK_MS:
        return None  # a stone that is seen along with another is a ghost sooner than an answer
    if prospect.footprint(found.moves[0]).aftermath:
        # The rest is told from what goes back only by the move itself.
        return Recognised(found.moves[0], _later(found, watch)) if len(pairs) == 1 else None
    alone = Watch(watch.readings, prospect.base, watch.changed_at)
    for cell in set(watch.different) - found.cells:
        alone.change(cell, prospect.base[cell], watch.changed_at)
    alone.filled = [cell for cell in watch.filled if cell in found.cells]
    answer = read(prospect, alone, declared)
    return Recognised(answer.move, _later(found, watch)) if isinstance(answer, Recognised) else answer


def _later(first: _Pair, watch: Watch) -> int:
    """Return how many changes came after the last one of the first move."""
    own = [number for number, (cell, _reading, _at) in enumerate(watch.history, start=1) if cell in first.cells]
    return len(watch.history) - own[-1] if own else 0


def _pairs(prospect: Prospect, watch: Watch) -> Iterator[_Pair]:
    for moves, cells in _firsts(prospect, watch):
        if not cells or not set(watch.different) - cells:
            continue
        rest = _after(prospect, moves[0], watch, watch.changed.keys())
        if rest is None:
            continue
        following, second = rest
        second.emptied = [cell for cell in watch.emptied if cell in second.different]
        answer = read(following, second, {})
        if not second.different or isinstance(answer, Mismatch | Settled):
            continue
        landed, then = _landed(cells, watch), _landed(second.different, watch)
        began = min(watch.changed.get(cell, 0) for cell in second.different)
        done = max(watch.changed.get(cell, 0) for cell in cells)
        whole = not isinstance(answer, Unfinished)
        if whole or began >= done + BLINK_MS:
            yield _Pair(moves, cells, landed, then, whole)


def _landed(cells: Iterable[Cell], watch: Watch) -> Millis:
    """Return when the last stone came to lie on one of the cells; where none has, when the last was lifted."""
    return max((watch.readings[cell] != 0, watch.changed.get(cell, 0)) for cell in cells)[1]


def _firsts(prospect: Prospect, watch: Watch) -> Iterator[tuple[tuple[Any, ...], frozenset[Cell]]]:
    """Yield the moves that may have been made first, with the cells that they changed; together where alike."""
    for cells, numbers in prospect.index.within(watch.different).items():
        parting = [number for number in numbers if prospect.footprints[number].aftermath]
        plain = tuple(prospect.moves[number] for number in numbers if number not in parting)
        if plain:
            yield plain, cells
        for number in parting:
            yield (prospect.moves[number],), cells


def _after(
    prospect: Prospect,
    move: Any,
    watch: Watch,
    touched: AbstractSet[Cell],
    changes: Sequence[tuple[Cell, int, Millis]] = (),
) -> tuple[Prospect, Watch] | None:
    """Return what may happen after a move and how the picture stands to that, what the move owes taken as done.

    Args:
        prospect: what may happen before the move.
        move: the move.
        watch: how the board reads before `changes`.
        touched: the cells that hands have touched in both plies.
        changes: what hands did after the move.

    Returns:
        None where the move ends the round.
    """
    after, _events = prospect.rules.apply(prospect.position, move)
    if prospect.rules.outcome(after) is not None:
        return None
    following = prospect_of(prospect.rules, after, prospect.sensing)
    second = Watch(watch.readings, following.base, watch.changed_at)
    for cell, reading, at in changes:
        second.change(cell, reading, at)
    for cell in prospect.footprint(move).aftermath:
        if cell not in touched:
            second.change(cell, following.base[cell], watch.changed_at)
    return following, second


def _on_the_way(prospect: Prospect, watch: Watch, declared: Mapping[Cell, Content]) -> Answer | None:
    """Return the one first move that stood on the board for a moment and from which the rest is another move.

    Of stones the rest must be a whole move; a sowing may be under way.
    """
    sowing = isinstance(prospect, SowingProspect)
    found: dict[Any, tuple[Answer, Watch, int]] = {}
    alone = watch.replayed(prospect.base)
    for number, (cell, reading, at) in enumerate(watch.history, start=1):
        alone.change(cell, reading, at)
        answer = read(prospect, alone, declared)
        if isinstance(answer, Recognised):
            found[answer.move] = (answer, Watch(alone.readings, prospect.base, at), number)
        elif isinstance(answer, Ambiguous) and answer.about is Doubt.COLOUR:
            found[answer.moves[0]] = (answer, Watch(alone.readings, prospect.base, at), number)
    fitting: list[Answer] = []
    for move, (answer, then, number) in list(found.items())[-MOST_FIRSTS:]:
        later = watch.history[number:]
        second = _after(prospect, move, then, watch.changed.keys(), later) if later else None
        if second is None:
            continue
        rest = read(*second, {})
        if isinstance(rest, Recognised | Ambiguous) or (sowing and isinstance(rest, Unfinished)):
            fitting.append(Recognised(move, len(later)) if isinstance(answer, Recognised) else answer)
    return fitting[0] if len(fitting) == 1 else None
