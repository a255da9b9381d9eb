"""Whether a sensor rather than a hand is to blame for a picture that is wrong, and which. Pure."""

from collections.abc import Iterable
from typing import Final

from controller.games.seam import Cell, Sower
from controller.recogniser.answers import Ambiguous, Recognised, Unfinished
from controller.recogniser.reading import read
from controller.recogniser.watch import Watch
from controller.table.picture import Picture
from hardware.ports import UNKNOWN

MOST_WRONG: Final = 8
"""Where more cells than these are wrong, none that is wrong is alone to blame, and people are not asked about them."""
FEW_PITS: Final = 3
"""So many pits may be asked about together: playing without one that is well costs little: it fits any pattern."""


def sick(picture: Picture) -> tuple[Cell, ...]:
    """Return the cells whose sensors may be to blame for the picture; empty where hands are as likely.

    Those are cells that read nothing known where nothing else is wrong; the one cell that is wrong, where nothing lies
    there or it has not changed; and the one of several without which the picture would be a legal move. Also the one
    that goes on reading full, without which it would be: hands have emptied it, and have done all the rest. Cells that
    are put aside already are none of them, and there are none while hands still have a ply to bring back.
    """
    if picture.untouched():
        return ()
    wrong, seen = picture.wrong() if _sows(picture) else picture.compared(), picture.seen
    unknown = tuple(cell for cell in wrong.cells if seen.readings[cell] == UNKNOWN)
    if unknown and (len(unknown) == len(wrong.cells) or _sound(picture, seen.without(unknown))):
        return unknown
    if len(wrong.cells) == 1 and (wrong.missing or wrong.cells[0] not in seen.changed):
        return wrong.cells
    if not wrong.cells:
        return ()
    dead = wrong.missing if len(wrong.cells) <= MOST_WRONG or _sows(picture) else ()
    heard = [(cell, reading) for cell, reading in enumerate(seen.readings) if cell not in picture.masked]
    stuck = [cell for cell, reading in heard if reading and cell not in seen.changed]
    blamed = [*_blamed(picture, dead), *(cell for cell in stuck if _sound(picture, _emptied(picture, cell)))]
    return tuple(sorted(blamed)) if 1 <= len(blamed) <= (FEW_PITS if _sows(picture) else 1) else ()


def doubted(picture: Picture) -> tuple[Cell, ...]:
    """Return the cells that people may mean who say that the board does not see what they did; none for too many.

    Those are the ones that may be sick, else all that are wrong; while a move is under way, what is left of it, where
    something may have been put down already: into a pit that is full seeds fall unseen.
    """
    answer = picture.answer
    if isinstance(answer, Unfinished) and (answer.last is not None or any(picture.seen.different.values())):
        cells = _left(picture, answer)
    elif not (cells := sick(picture)):
        ghosts = _blamed(picture, picture.compared().extra)
        cells = tuple(ghosts) if len(ghosts) == 1 else picture.wrong().cells
    return cells if len(cells) <= MOST_WRONG else ()


def _left(picture: Picture, answer: Unfinished) -> tuple[Cell, ...]:
    """Return the cells that a move under way still asks for; none where it may go on in several ways."""
    if answer.last is None:
        left = answer.next.difference(picture.seen.different)
        return tuple(left) if len(left) == 1 else ()
    empty = tuple(sorted(cell for cell in answer.next if not picture.seen.readings[cell]))
    return empty if empty or answer.lap == answer.laps else (answer.last,)


def _sows(picture: Picture) -> bool:
    return isinstance(picture.round.rules, Sower)


def _blamed(picture: Picture, suspects: Iterable[Cell]) -> list[Cell]:
    """Return those of the cells without which the picture would be sound."""
    return [cell for cell in suspects if _sound(picture, picture.seen.without((cell,)))]


def _emptied(picture: Picture, cell: Cell) -> Watch:
    """Return the picture as it would be if hands had emptied the cell."""
    if _sows(picture):
        # A pit may have been filled again since: whatever it reads is right, and it may have named the move.
        alone = picture.seen.without((cell,))
        alone.emptied.insert(0, cell)
        return alone
    alone = picture.seen.without(())
    alone.change(cell, 0, alone.changed_at)
    return alone


def _sound(picture: Picture, watch: Watch) -> bool:
    """Return whether a picture would be a legal move, or the sowing of one."""
    way = Unfinished if _sows(picture) else Ambiguous
    return isinstance(read(picture.prospect, watch, picture.declarations.given), (Recognised, way))
