"""`read`: which legal move, if any, explains the board as it is seen."""

from collections.abc import Mapping
from typing import Any

from controller.games.seam import AnyRules, Cell, Content, Sower
from controller.recogniser.answers import Ambiguous, Answer, Doubt, Mismatch, Recognised, Settled, Unfinished
from controller.recogniser.prospect import Prospect, bits
from controller.recogniser.sowing import SowingProspect, read_sowing
from controller.recogniser.watch import Watch
from hardware.ports import Sensing


def prospect_of(rules: AnyRules, position: Any, sensing: Sensing) -> Prospect:
    """Return what may happen next at `position`, in the form that this kind of game is read by."""
    if isinstance(rules, Sower):
        return SowingProspect(rules, rules, position, sensing)
    return Prospect(rules, position, sensing)


def read(prospect: Prospect, watch: Watch, declared: Mapping[Cell, Content]) -> Answer:
    """Return what the picture means.

    A picture is first taken for a whole legal move, then for one on the way, else for a mismatch.

    Args:
        prospect: the legal moves at this position.
        watch: what was seen since the turn began.
        declared: what the player said lies on cells that cannot tell.
    """
    if isinstance(prospect, SowingProspect):
        return read_sowing(prospect, watch)
    different, index = watch.different, prospect.index
    if not different:
        return _back_in_place(prospect, watch)
    fitting = index.complete(different, watch.rested, watch.visited)
    if fitting:
        return _resolve(prospect, watch, fitting, declared)
    begun = index.begun(different) & ~index.needing(watch.masked)
    if begun:
        return Unfinished(index.next_cells(begun, different))
    return mismatch(prospect, watch)


def mismatch(prospect: Prospect, watch: Watch) -> Mismatch:
    """Return how the picture differs from what the board should read, whatever legal move it may fit."""
    base = prospect.base
    cells = sorted(watch.different)
    return Mismatch(
        extra=tuple(cell for cell in cells if not base[cell]),
        missing=tuple(cell for cell in cells if base[cell] and not watch.different[cell]),
        wrong=tuple(cell for cell in cells if base[cell] and watch.different[cell]),
    )


def _back_in_place(prospect: Prospect, watch: Watch) -> Answer:
    """Everything reads as before the turn: only what was lifted at the same moment can tell a move."""
    fitting = [
        number
        for number in bits(prospect.index.hidden)
        if any(prospect.footprints[number].lifts <= lifted for lifted in watch.together)
    ]
    if not fitting:
        return Settled()
    moves = tuple(prospect.moves[number] for number in fitting)
    if len(moves) == 1 and any(prospect.footprints[fitting[0]].lifts == lifted for lifted in watch.together):
        return Recognised(moves[0])
    cells = sorted({cell for number in fitting for cell in prospect.footprints[number].lifts})
    return Ambiguous(Doubt.SWAP, moves, tuple(cells))


def _resolve(prospect: Prospect, watch: Watch, fitting: int, declared: Mapping[Cell, Content]) -> Answer:
    """Choose among whole moves that leave the same readings by what was declared; ask for what was not."""
    numbers = list(bits(fitting))
    if len(numbers) == 1:
        return Recognised(prospect.moves[numbers[0]])
    footprints, index = prospect.footprints, prospect.index
    if any(index.mark(number) != index.mark(numbers[0]) for number in numbers):
        # Of a stone that has gone back again only the way tells where it was put: where it stood last.
        stood = [watch.stood(index.mark(number), footprints[number].aftermath) for number in numbers]
        numbers = [number for number, last in zip(numbers, stood, strict=True) if last == max(stood)]
    unsure = [cell for cell in watch.filled if len({footprints[number].after.get(cell) for number in numbers}) > 1]
    left = [
        number
        for number in numbers
        if all(footprints[number].after.get(cell) == declared[cell] for cell in unsure if cell in declared)
    ]
    if unsure and not left:  # what was declared fits no move any more: ask anew
        return Ambiguous(Doubt.COLOUR, tuple(prospect.moves[number] for number in numbers), (unsure[0],))
    moves = tuple(prospect.moves[number] for number in left)
    for cell in unsure:
        if cell not in declared:
            return Ambiguous(Doubt.COLOUR, moves, (cell,))
    if len(moves) == 1:
        return Recognised(moves[0])
    going = sorted({cell for number in left for cell in footprints[number].aftermath})
    return Ambiguous(Doubt.GROUP, moves, tuple(going))
