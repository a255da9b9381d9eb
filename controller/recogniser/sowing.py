"""Reading a board of pits: the pit that a player emptied names the move, and the sowing is followed lap by lap.

Presence cannot count seeds. Which pit was emptied first is seen, and the rules then know every lap; of the sowing
itself the pattern of empty and occupied pits is checked, within a lap in any order. A counting board checks every seed.
A pit that is masked fits every pattern; only the move that it names cannot be made.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from controller.games.seam import AnyRules, Cell, Content, Sower
from controller.recogniser.answers import Ambiguous, Answer, Doubt, Mismatch, Recognised, Settled, Unfinished
from controller.recogniser.prospect import Prospect
from controller.recogniser.watch import Watch
from hardware.ports import UNKNOWN, Sensing, reads


class Lap(NamedTuple):
    """One lap of a sowing.

    Fields:
        taken: the pit that is emptied.
        sown: the pits that then get a seed each, in order.
        before, after: the contents of every pit of the course once `taken` is empty, and once all `sown` have theirs.
    """

    taken: Cell
    sown: tuple[Cell, ...]
    before: Mapping[Cell, Content]
    after: Mapping[Cell, Content]


class Course(NamedTuple):
    """The whole way of one move.

    Fields:
        move: the move.
        pit: the pit that names it.
        laps: in order; empty for a relay that never ends.
        captured: pits that the rules then ask to be emptied.
    """

    move: Any
    pit: Cell
    laps: tuple[Lap, ...]
    captured: frozenset[Cell]


class SowingProspect(Prospect):
    """The moves of a sowing game at one position, by the pit that names each."""

    def __init__(self, rules: AnyRules, sower: Sower, position: Any, sensing: Sensing) -> None:
        super().__init__(rules, position, sensing)
        self._sower = sower
        self._contents = rules.contents(position)
        self._courses: dict[Cell, Course] = {}

    def targets(self) -> tuple[Cell, ...]:
        """Return the pits that may be played, sorted."""
        return tuple(sorted(self._pits))

    def prepare(self) -> None:
        """Do the thinking that the first change of a turn would else wait for."""
        _ = self._pits

    @cached_property
    def _pits(self) -> dict[Cell, Any]:
        return {next(iter(self.footprint(move).lifts)): move for move in self.moves}

    def course(self, pit: Cell) -> Course | None:
        """Return the way of the move that emptying `pit` names; None where it names none."""
        if pit not in self._courses:
            move = self._pits.get(pit)
            if move is None:
                return None
            footprint = self.footprint(move)
            laps = self._sower.relay(self.position, move)
            self._courses[pit] = Course(
                move, pit, tuple(_laps(self._contents, laps or ())), frozenset(footprint.aftermath)
            )
        return self._courses[pit]


def _laps(contents: Sequence[Content], laps: Sequence[tuple[Cell, tuple[Cell, ...]]]) -> Iterator[Lap]:
    course = {cell for taken, sown in laps for cell in (taken, *sown)}
    now = {cell: contents[cell] for cell in course}
    for taken, sown in laps:
        now[taken] = 0
        before = dict(now)
        for cell in sown:
            now[cell] += 1
        yield Lap(taken, sown, before, dict(now))


def read_sowing(prospect: SowingProspect, watch: Watch) -> Answer:
    """Return what the picture of a board of pits means."""
    tried = [course for pit in dict.fromkeys(watch.emptied) if (course := prospect.course(pit)) is not None]
    for course in tried:
        if (answer := _follow(course, prospect, watch)) is not None:
            return answer
    if not watch.different:
        return Settled()
    # Whichever takes fewer hands: back to how it should be, or on with the lap that was under way. From a later lap on
    # nobody goes back: what lies in the pits is not what the readings say.
    ways, further = [], False
    for course in tried:
        number = _lap_under_way(course, watch)
        # Once a later lap is under way the first pit may hold seeds again.
        if course.laps and (watch.readings[course.pit] == 0 or number > 0):
            lap = course.laps[number]
            ways.append(_against(lap.after, prospect, watch, lap))
            further |= number > 0
    if not further:
        ways.insert(0, _against({}, prospect, watch))
    return min(ways, key=lambda way: len(way.cells))


def _follow(course: Course, prospect: SowingProspect, watch: Watch) -> Answer | None:
    """Return what the picture means if this move is under way; None where it cannot be."""
    if not course.laps:
        alone = watch.different == {course.pit: 0}
        return Ambiguous(Doubt.ENDLESS, (course.move,), (course.pit,)) if alone else None
    if _matches(course.laps[-1].after, course, prospect, watch):
        if watch.different:
            last = len(course.laps)
            if _lap_under_way(course, watch) == last - 1:
                return Recognised(course.move)
            # The pattern is there before all of its laps were seen: they may still come.
            ending = course.laps[-1]
            return Unfinished(frozenset(), ending.taken, ending.sown[-1], last, last, likely=course.move)
        return Ambiguous(Doubt.SAME, (course.move,), (course.pit,))
    started = _lap_under_way(course, watch)
    if not watch.different:
        return None
    for number in (started, *(other for other in range(len(course.laps)) if other != started)):
        if _within(course.laps[number], course, prospect, watch):
            lap = course.laps[number]
            left = _open_pits(lap, prospect, watch)
            return Unfinished(left, lap.taken, lap.sown[-1], number + 1, len(course.laps))
    return None


def _lap_under_way(course: Course, watch: Watch) -> int:
    """Return the number, from 0, of the lap whose pit was emptied last, following the pits in the order of emptying."""
    lap = -1
    for pit in watch.emptied:
        following = lap + 1
        while following < len(course.laps) - 1 and course.laps[following].taken in watch.masked:
            following += 1
        if following < len(course.laps) and pit == course.laps[following].taken:
            lap = following
    return max(lap, 0)


def _wanted(cell: Cell, contents: Mapping[Cell, Content], prospect: Prospect) -> int:
    return reads(contents[cell], prospect.sensing) if cell in contents else prospect.base[cell]


def _matches(contents: Mapping[Cell, Content], course: Course, prospect: Prospect, watch: Watch) -> bool:
    """Return whether the board reads so; captured pits may be empty already."""
    for cell in {*contents, *watch.different} - watch.masked:
        reading = watch.readings[cell]
        if reading != _wanted(cell, contents, prospect) and not (cell in course.captured and reading == 0):
            return False
    return True


def _within(lap: Lap, course: Course, prospect: Prospect, watch: Watch) -> bool:
    """Return whether the board reads as it may at some moment of this lap, its seeds falling in any order."""
    for cell in {*lap.before, *watch.different} - watch.masked:
        reading = watch.readings[cell]
        if reading == UNKNOWN or (cell in course.captured and reading == 0):
            continue
        least, most = _wanted(cell, lap.before, prospect), _wanted(cell, lap.after, prospect)
        if not min(least, most) <= reading <= max(least, most):
            return False
    return True


def _open_pits(lap: Lap, prospect: Prospect, watch: Watch) -> frozenset[Cell]:
    """Return the pits of the lap to light: on a counting board those that still get a seed, else all."""
    if prospect.sensing is not Sensing.COUNT:
        return frozenset(lap.sown)
    return frozenset(cell for cell in lap.sown if watch.readings[cell] < lap.after[cell])


def _against(
    contents: Mapping[Cell, Content],
    prospect: Prospect,
    watch: Watch,
    lap: Lap | None = None,
) -> Mismatch:
    """Return how the board differs from `contents` over what it should read; what the lap leaves open is right."""
    extra, missing, wrong = [], [], []
    for cell in sorted({*contents, *watch.different} - watch.masked):
        reading, wanted = watch.readings[cell], _wanted(cell, contents, prospect)
        if reading in {wanted, UNKNOWN}:
            continue
        if lap is not None and cell in lap.before and _between(reading, cell, lap, prospect):
            continue
        if wanted == 0:
            extra.append(cell)
        elif reading == 0:
            missing.append(cell)
        else:
            wrong.append(cell)
    return Mismatch(tuple(extra), tuple(missing), tuple(wrong), contents)


def _between(reading: int, cell: Cell, lap: Lap, prospect: Prospect) -> bool:
    ends = sorted((reads(lap.before[cell], prospect.sensing), reads(lap.after[cell], prospect.sensing)))
    return ends[0] <= reading <= ends[1]
