"""Two plies in one picture: an opponent who answered before the board was quiet."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from controller.games.seam import AnyRules, Cell, Content
from controller.recogniser.answers import Ambiguous, Answer, Doubt, Mismatch, Recognised, Settled
from controller.recogniser.prospect import Prospect
from controller.recogniser.reading import prospect_of, read
from controller.recogniser.sowing import SowingProspect
from controller.recogniser.watch import Watch
from hardware.ports import Millis


@dataclass(frozen=True, slots=True)
class _Pair:
    """A first move whose rest is another legal move, or on the way to one.

    Fields:
        moves: the first moves that leave the same readings.
        cells: the cells of the first move.
        landed, then: when the first move and the rest were complete.
    """

    moves: tuple[Any, ...]
    cells: frozenset[Cell]
    landed: Millis
    then: Millis


def first_of_two(rules: AnyRules, prospect: Prospect, watch: Watch, declared: Mapping[Cell, Content]) -> Answer | None:
    """Return what the first of two plies is, where the picture shows two; None where it does not.

    The earlier landing is the earlier ply. Where both landed in the same scan and either order is legal, the order is
    asked.
    """
    pairs = [pair for pair in _pairs(rules, prospect, watch) if pair.landed <= pair.then]
    if not pairs:
        return None
    if len(pairs) > 1 and any(pair.cells != pairs[0].cells for pair in pairs):
        moves = tuple(move for pair in pairs for move in pair.moves[:1])
        cells = sorted(set().union(*(pair.cells for pair in pairs)))
        return Ambiguous(Doubt.ORDER, moves, tuple(cells))
    first = pairs[0]
    if isinstance(prospect, SowingProspect):
        return Recognised(first.moves[0])
    alone = Watch(watch.readings, prospect.base, watch.changed_at)
    for cell in set(watch.different) - first.cells:
        alone.change(cell, prospect.base[cell], watch.changed_at)
    alone.filled = [cell for cell in watch.filled if cell in first.cells]
    return read(prospect, alone, declared)


def _pairs(rules: AnyRules, prospect: Prospect, watch: Watch) -> Iterator[_Pair]:
    for moves, cells in _firsts(prospect, watch):
        rest = {cell for cell in watch.different if cell not in cells}
        if not rest or not cells:
            continue
        footprint = prospect.footprint(moves[0])
        after, _ = rules.apply(prospect.position, moves[0])
        if rules.outcome(after) is not None:
            continue
        following = prospect_of(rules, after, prospect.sensing)
        then = Watch(watch.readings, following.base, watch.changed_at)
        for cell in footprint.aftermath:
            then.change(cell, following.base[cell], watch.changed_at)
        then.emptied = [cell for cell in watch.emptied if cell in then.different]
        if not then.different or isinstance(read(following, then, {}), Mismatch | Settled):
            continue
        times = watch.changed
        yield _Pair(
            moves,
            cells,
            max(times.get(cell, 0) for cell in cells),
            max(times.get(cell, 0) for cell in then.different),
        )


def _firsts(prospect: Prospect, watch: Watch) -> Iterator[tuple[tuple[Any, ...], frozenset[Cell]]]:
    """Yield the moves that may have been made first, with the cells that they changed."""
    if isinstance(prospect, SowingProspect):
        for pit in dict.fromkeys(watch.emptied):
            course = prospect.course(pit)
            if course is not None and course.laps:
                yield (course.move,), frozenset({*course.laps[-1].after} & {*watch.changed})
        return
    for cells, numbers in prospect.index.within(watch.different).items():
        yield tuple(prospect.moves[number] for number in numbers), cells
