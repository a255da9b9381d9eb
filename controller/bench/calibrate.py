"""Teaching a board: which pixel and which input belong to which cell, and what stones make its sensors read.

Lights are lit one by one and named; then a stone is asked for on each lit cell, and whatever input stirs is that
cell's. Cells that feel or see are then measured with every kind of stone. Everything learned is kept at once
(`Progress`), and `controller.bench.learned` makes a calibration of it.
"""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from controller.bench.person import NONE, REST, SKIP, TRACK, About, Deed, Person, Question, Request
from controller.bench.progress import LAID, Progress, Sample, kind_name, stones_of
from controller.bench.road import Clock, Probe, Road
from hardware.ports import Lamps, Millis
from hardware.profile import Profile
from hardware.profile_checks import LEAST_CONTRAST
from hardware.profile_model import BUTTONS
from hardware.words import near_miss

READ_MS: Final = 20
"""Between two readings."""
RESTING_READINGS: Final = 25
"""Readings of the empty board: half a second, ten periods of the mains."""
STEADY_READINGS: Final = 10
"""Readings for which a stone must lie still: 200 ms, more than any bounce and any hand that trembles."""
STEADY_SHARE: Final = 0.06
"""How far a value may wander meanwhile, as a share of how far the stone moved it."""
PATIENCE_MS: Final = 120_000
"""How long a stone is waited for; then its cell counts as dead."""
WHITE: Final = b"\xff\xff\xff"
CONTACT: Final = 0.5
"""Half-way between open and closed."""
STONES: Final = BUTTONS[:3]
"""What stones are called by their numbers, from 1."""


class RestError(Exception):
    """The person wants to do no more of one kind."""


@dataclass(frozen=True)
class Teacher:
    """One calibration under way.

    Fields:
        profile: the board as its profile says it is.
        probe: its inputs.
        lamps: its pixels, in chain order.
        clock: the time.
        person: who helps.
        progress: what is known so far; it grows.
        keep: called whenever it has grown.
        values: whether inputs tell how far a stone moves them, not only 0 and 1.
    """

    profile: Profile
    probe: Probe
    lamps: Lamps
    clock: Clock
    person: Person
    progress: Progress
    keep: Callable[[Progress], None]
    values: bool = False

    def light(self, place: int | None) -> None:
        """Light one pixel, or none."""
        frame = bytearray(3 * self.profile.lamps.count)
        if place is not None:
            frame[3 * place : 3 * place + 3] = WHITE
        self.lamps.show(bytes(frame))


def teach(profile: Profile, road: Road, person: Person, progress: Progress, keep: Callable[[Progress], None]) -> None:
    """Learn all that there is to learn about a board into `progress`.

    Raises:
        DeviceError: the board cannot be opened or read.
        StoppedError: the person wants no more of it; what was learned is kept.
    """
    probe = road.probe(profile)
    try:
        lamps = road.chain_lamps(profile)
    except BaseException:
        probe.close()
        raise
    values = road.tells_values(profile)
    teacher = Teacher(profile, probe, lamps, road.clock, person, progress, keep, values=values)
    try:
        learn_pixels(teacher)
        learn_resting(teacher)
        learn_inputs(teacher)
        learn_samples(teacher)
        teacher.light(None)
    finally:
        lamps.close()
        probe.close()


# Pixels ---------------------------------------------------------------------------------------------------------------


def expected_places(profile: Profile) -> dict[int, str]:
    """Return what lies over each pixel by the profile: a cell's name or `TRACK`; pixels of nothing are left out."""
    names = profile.cell_names()
    places = profile.places()
    return {place: names[k] if k < len(names) else TRACK for k, place in enumerate(places)}


def learn_pixels(teacher: Teacher) -> None:
    """Light the chain's pixels one by one and have each named."""
    progress, expected = teacher.progress, expected_places(teacher.profile)
    count = teacher.profile.lamps.count
    if progress.place < count:
        teacher.person.tell(
            f"The {count} pixels of the chain light up one by one. Name the cell that is lit, or press Enter where the "
            f"proposal is right. Also: {TRACK}, {NONE}, and {REST} when this and all that follow are as proposed."
        )
    while progress.place < count:
        place = progress.place
        teacher.light(place)
        answer = _name_of(teacher, place, expected.get(place, NONE))
        if answer == REST:
            free = set(teacher.profile.cell_names()) - set(progress.pixels)
            progress.pixels |= {name: other for other, name in expected.items() if other >= place and name in free}
            progress.place = count
        else:
            if answer not in (TRACK, NONE):
                progress.pixels[answer] = place
            progress.place += 1
        teacher.keep(progress)


def _name_of(teacher: Teacher, place: int, proposal: str) -> str:
    """Ask until the answer makes sense."""
    names = teacher.profile.cell_names()
    while True:
        answer = teacher.person.ask(
            Question(About.LIT_CELL, f"Pixel {place}: which cell is lit? [{proposal}]", proposal)
        ).lower()
        if answer not in (*names, TRACK, NONE, REST):
            teacher.person.tell(f"There is no cell {answer}; {near_miss(answer, names)}")
        elif answer in teacher.progress.pixels:
            teacher.person.tell(f"{answer} has pixel {teacher.progress.pixels[answer]} already: name another")
        else:
            return answer


# Inputs ---------------------------------------------------------------------------------------------------------------


def learn_resting(teacher: Teacher) -> None:
    """Measure what every input reads on an empty board."""
    progress, width = teacher.progress, teacher.probe.width
    if len(progress.resting) == width:
        return
    if progress.resting:  # a micro-controller that was flashed anew tells other inputs
        teacher.person.tell(f"The board has {width} inputs, not {len(progress.resting)}: they are learned anew.")
        progress.inputs, progress.samples, progress.closed, progress.problems = {}, [], [], {}
    teacher.light(None)
    teacher.person.request(Request(Deed.CLEAR, "Take everything off the board."))
    teacher.person.ask(Question(About.AGREE, "Is the board empty? Press Enter.", "y"))
    seen = [_read(teacher) for _ in range(RESTING_READINGS)]
    progress.resting = [round(fmean(values), 2) for values in zip(*seen, strict=True)]
    progress.noise = [float(max(values) - min(values)) for values in zip(*seen, strict=True)]
    teacher.keep(progress)


def _read(teacher: Teacher) -> list[int]:
    teacher.clock.wait(READ_MS)
    return teacher.probe.read()


def threshold(teacher: Teacher) -> float:
    """Return how far from rest an input must be for something to lie there, in what the inputs count."""
    profile = teacher.profile
    if not teacher.values:
        return CONTACT
    if profile.bands is not None:
        scale = profile.field_scales()[0]
        return abs(profile.field_bands().empty_mt / scale.mt_per_count)
    return LEAST_CONTRAST


@dataclass(frozen=True, slots=True)
class Stirred:
    """What a stone did.

    Fields:
        inputs: the inputs that left their rest, the one that moved farthest first.
        value: what that one reads, as a mean.
    """

    inputs: tuple[int, ...]
    value: float


def learn_inputs(teacher: Teacher) -> None:
    """Ask for a stone on each cell, and take note of the input that stirs."""
    progress = teacher.progress
    for name in teacher.profile.cell_names():
        if name in progress.inputs or name in progress.problems:
            continue
        if name not in progress.pixels:
            progress.problems[name] = "no light: it was not among those that were named"
            teacher.keep(progress)
            continue
        teacher.light(progress.pixels[name])
        words = f"Put a stone on the lit cell, {name}. ('{SKIP}' if it is there; '{REST}': all others are as proposed.)"
        try:
            stirred = _stone_on(teacher, Request(Deed.PUT, words))
        except RestError:
            _rest_as_expected(teacher)
            return
        owner = {number: other for other, number in progress.inputs.items()}
        if stirred is None:
            progress.problems[name] = "dead: a stone there is not seen"
        elif len(stirred.inputs) > 1 and not teacher.values:
            others = ", ".join(owner.get(number, f"input {number}") for number in stirred.inputs)
            progress.problems[name] = f"joined: a stone there closes {others} at once"
        elif (number := stirred.inputs[0]) in owner:
            progress.problems[name] = f"duplicate: it reads as {owner[number]} does"
        else:
            progress.inputs[name] = number
            if teacher.values:
                progress.samples.append(Sample(cell=name, stone=1, off_centre=False, value=stirred.value))
        if name in progress.problems:
            teacher.person.tell(f"{name} is {progress.problems[name]}")
        teacher.keep(progress)


def _rest_as_expected(teacher: Teacher) -> None:
    """Take the profile's word for all cells that are not known."""
    progress, profile = teacher.progress, teacher.profile
    taken = set(progress.inputs.values())
    for name, number in zip(profile.cell_names(), profile.inputs(), strict=True):
        if name not in progress.inputs and name not in progress.problems and number not in taken:
            progress.inputs[name] = number
    teacher.keep(progress)


def _stone_on(teacher: Teacher, request: Request, expected: int | None = None) -> Stirred | None:
    """Ask for a stone and return what it stirs, once it lies still; None where nothing does.

    Inputs that are away from rest already count once they have come to rest in between.

    Args:
        teacher: the calibration.
        request: what is asked for.
        expected: the only input that matters, where it is known.

    Raises:
        RestError: the person wants to do no more of this kind.
    """
    away, least = set(_away(teacher, teacher.probe.read())), threshold(teacher)
    teacher.person.request(request)
    end: Millis = teacher.clock.now() + PATIENCE_MS
    run: list[list[int]] = []
    candidates: tuple[int, ...] = ()
    while teacher.clock.now() < end:
        values = _read(teacher)
        now_away = _away(teacher, values)
        away &= set(now_away)
        fresh = tuple(number for number in now_away if number not in away and expected in (None, number))
        if set(fresh) != set(candidates) or not fresh:
            candidates, run = fresh, []
        else:
            candidates = fresh
        run = [*run, values][-STEADY_READINGS:]
        if candidates and len(run) == STEADY_READINGS and _still(teacher, run, candidates[0], least):
            return Stirred(candidates, round(fmean(each[candidates[0]] for each in run), 2))
        heard = teacher.person.heard()
        if heard == REST:
            raise RestError
        if heard == SKIP:
            return None
    return None


def _away(teacher: Teacher, values: list[int]) -> list[int]:
    """Return the inputs that are away from rest, the farthest first."""
    least, resting = threshold(teacher), teacher.progress.resting
    far = [(abs(value - rest), number) for number, (value, rest) in enumerate(zip(values, resting, strict=True))]
    return [number for distance, number in sorted(far, key=lambda each: (-each[0], each[1])) if distance > least]


def _still(teacher: Teacher, run: list[list[int]], number: int, least: float) -> bool:
    values = [each[number] for each in run]
    moved = abs(fmean(values) - teacher.progress.resting[number])
    return max(values) - min(values) <= max(STEADY_SHARE * moved, least / 4)


# Stones ---------------------------------------------------------------------------------------------------------------


def kinds(teacher: Teacher) -> Iterator[tuple[int, bool]]:
    """Yield the stones to measure, as number and whether off centre, besides the first one in the middle."""
    profile = teacher.profile
    if not teacher.values or profile.bands is None:
        return
    for off_centre in LAID:
        for stone in range(1, stones_of(profile) + 1):
            if (stone, off_centre) != (1, False):
                yield stone, off_centre


def learn_samples(teacher: Teacher) -> None:
    """Measure each kind of stone on each cell, in the middle and aside."""
    progress = teacher.progress
    for stone, off_centre in kinds(teacher):
        kind = kind_name(stone, off_centre=off_centre)
        if kind in progress.closed:
            continue
        with contextlib.suppress(RestError):
            _one_kind(teacher, stone, off_centre=off_centre)
        progress.closed.append(kind)
        teacher.keep(progress)


def _one_kind(teacher: Teacher, stone: int, *, off_centre: bool) -> None:
    progress = teacher.progress
    done = {each.cell for each in progress.samples if (each.stone, each.off_centre) == (stone, off_centre)}
    colour = STONES[stone - 1] if stone <= len(STONES) else f"number {stone}"
    where = "as far from the middle of the lit cell as it lets it" if off_centre else "in the middle of the lit cell"
    for name, number in progress.inputs.items():
        if name in done or name not in progress.pixels:
            continue
        teacher.light(progress.pixels[name])
        words = f"Put a {colour} stone {where}, {name}. ('{REST}' if that is enough of these.)"
        stirred = _stone_on(teacher, Request(Deed.PUT, words, stone, off_centre), number)
        if stirred is not None:
            progress.samples.append(Sample(cell=name, stone=stone, off_centre=off_centre, value=stirred.value))
            teacher.keep(progress)
