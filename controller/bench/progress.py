"""How far a calibration has come, kept in a file of its own, so that it can go on where it was left.

Play never reads this file: what is half learned could be wrong.
"""

import itertools
import json
import tomllib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from controller.bench.files import write_whole
from controller.bench.toml_text import dumps
from hardware.adc import FULL_SCALE
from hardware.profile import Profile
from hardware.profile_calibration import SUFFIX, calibration_path, first_fault

PART: Final = ".calibration.part.toml"
LAID: Final = {False: "middle", True: "aside"}
"""How a stone lies, by whether it is off centre."""


class Sample(BaseModel):
    """What a stone made its cell read.

    Fields:
        cell: the cell's name.
        stone: the stone's number.
        off_centre: whether it lay aside.
        value: what the input read, as a mean.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)

    cell: str
    stone: int
    off_centre: bool
    value: float


class Progress(BaseModel):
    """What has been learned so far.

    Fields:
        wiring: the `hardware.profile_calibration.fingerprint` of the profile.
        simulated: whether it is learned on a simulated board.
        place: the next pixel on the chain to ask about.
        pixels: place on the chain by cell.
        resting: what each input reads on an empty board; empty before that was measured.
        noise: from the lowest to the highest, of each.
        inputs: input by cell.
        samples: what stones made cells read.
        closed: the kinds of stones, as `kind_name` has them, of which no more samples are wanted.
        problems: what is wrong with a cell, by its name.
    """

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)

    wiring: str
    simulated: bool = False
    place: int = 0
    pixels: dict[str, int] = Field(default_factory=dict)
    resting: list[float] = Field(default_factory=list)
    noise: list[float] = Field(default_factory=list)
    inputs: dict[str, int] = Field(default_factory=dict)
    samples: list[Sample] = Field(default_factory=list)
    closed: list[str] = Field(default_factory=list)
    problems: dict[str, str] = Field(default_factory=dict)


class UnusableError(ValueError):
    """Progress that cannot be gone on with. The message says why, for a person."""


def kind_name(stone: int, *, off_centre: bool) -> str:
    """Return what a kind of stones is called in `Progress.closed`: ``2 aside``."""
    return f"{stone} {LAID[off_centre]}"


def stones_of(profile: Profile) -> int:
    """Return how many kinds of stones a board is taught."""
    return 1 if profile.bands is None else len(profile.bands.colours)


def progress_path(profile: Path) -> Path:
    """Return where the progress of the profile in that file is kept."""
    whole = calibration_path(profile)
    return whole.with_name(whole.name.removesuffix(SUFFIX) + PART)


def load_progress(path: Path, profile: Profile, wiring: str) -> Progress | None:
    """Return what was learned up to the last stop; None where there is nothing.

    Args:
        path: the file.
        profile: the board that it is about.
        wiring: the `hardware.profile_calibration.fingerprint` of that profile.

    Raises:
        UnusableError: there is a file, but it is damaged, or of another wiring.
    """
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        progress = Progress.model_validate_json(json.dumps(raw, default=str))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnusableError(f"it cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UnusableError("it is no text") from error
    except ValidationError as error:
        raise UnusableError(first_fault(error)) from error
    except (ValueError, RecursionError) as error:  # numbers of thousands of digits and brackets in brackets are no TOML
        raise UnusableError(f"it is not TOML: {error}") from error
    check_progress(progress, profile, wiring)
    return progress


def check_progress(progress: Progress, profile: Profile, wiring: str) -> None:
    """See that a calibration can go on from somewhere.

    Raises:
        UnusableError: it cannot.
    """
    if progress.wiring != wiring:
        raise UnusableError("the wiring in the profile has changed since")
    for wrong in itertools.chain.from_iterable(check(progress, profile) for check in _CHECKS):
        raise UnusableError(wrong)


def _pixels(progress: Progress, profile: Profile) -> Iterator[str]:
    if not 0 <= progress.place <= profile.lamps.count:
        yield f"place: the chain has no pixel {progress.place}"
    yield from _numbers("pixels", progress.pixels, progress.place, profile)


def _rest(progress: Progress, profile: Profile) -> Iterator[str]:
    if len(progress.noise) != len(progress.resting):
        yield f"noise: {len(progress.noise)} values for {len(progress.resting)} inputs"
    for key, values in (("resting", progress.resting), ("noise", progress.noise)):
        yield from (f"{key}: no input reads {value:g}" for value in values if not 0 <= value <= _most(profile))


def _inputs(progress: Progress, profile: Profile) -> Iterator[str]:
    yield from _numbers("inputs", progress.inputs, len(progress.resting), profile)


def _samples(progress: Progress, profile: Profile) -> Iterator[str]:
    for each in progress.samples:
        if each.cell not in progress.inputs:
            yield f"samples: no input is known for {each.cell!r}"
        if not 1 <= each.stone <= stones_of(profile):
            yield f"samples: there is no stone {each.stone}"
        if not 0 <= each.value <= _most(profile):
            yield f"samples: no input reads {each.value:g}"
    yield from _twice(
        "samples", (f"{each.cell} {kind_name(each.stone, off_centre=each.off_centre)}" for each in progress.samples)
    )


def _closed(progress: Progress, profile: Profile) -> Iterator[str]:
    kinds = {kind_name(k, off_centre=off) for k in range(1, stones_of(profile) + 1) for off in LAID}
    yield from (f"closed: there is no {kind!r}" for kind in progress.closed if kind not in kinds)
    yield from _twice("closed", progress.closed)


def _problems(progress: Progress, profile: Profile) -> Iterator[str]:
    for name, words in progress.problems.items():
        if name not in profile.cell_names():
            yield f"problems: there is no cell {name!r}"
        elif name in progress.inputs:
            yield f"problems: {name} has an input"
        elif not words or not words.isprintable():
            yield f"problems: {name} has no words"


def _most(profile: Profile) -> int:
    """Return the most that an input reads."""
    return FULL_SCALE if profile.levels else 1


def _numbers(key: str, numbers: dict[str, int], end: int, profile: Profile) -> Iterator[str]:
    """Yield where cells do not have a number below `end` each, and each its own."""
    names = profile.cell_names()
    yield from (f"{key}: there is no cell {name!r}" for name in numbers if name not in names)
    yield from (f"{key}: {name} cannot have {number}" for name, number in numbers.items() if not 0 <= number < end)
    yield from _twice(key, numbers.values())


def _twice(key: str, values: Iterable[Any]) -> Iterator[str]:
    seen: set[Any] = set()
    for value in values:
        if value in seen:
            yield f"{key}: {value} is there twice"
        seen.add(value)


_CHECKS: Final[tuple[Callable[[Progress, Profile], Iterator[str]], ...]] = (
    _pixels,
    _rest,
    _inputs,
    _samples,
    _closed,
    _problems,
)
"""Each yields what is wrong with one part; those that follow may count on those before."""


def save_progress(path: Path, progress: Progress) -> None:
    """Keep it, in one step.

    Raises:
        OSError: it cannot be written.
    """
    write_whole(
        path,
        "# A calibration that was not finished: `stonelight calibrate` goes on from here.\n"
        + dumps(progress.model_dump()),
    )
