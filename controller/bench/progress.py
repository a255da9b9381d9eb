"""How far a calibration has come, kept in a file of its own, so that it can go on where it was left.

Play never reads this file: what is half learned could be wrong.
"""

import json
import tomllib
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from controller.bench.files import write_whole
from controller.bench.toml_text import dumps
from hardware.profile_calibration import SUFFIX, calibration_path

PART: Final = ".calibration.part.toml"


class Sample(BaseModel):
    """What a stone made its cell read.

    Fields:
        cell: the cell's name.
        stone: the stone's number.
        off_centre: whether it lay aside.
        value: what the input read, as a mean.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    cell: str
    stone: int
    off_centre: bool
    value: float


class Progress(BaseModel):
    """What has been learned so far.

    Fields:
        wiring: the `hardware.profile_calibration.fingerprint` of the profile.
        place: the next pixel on the chain to ask about.
        pixels: place on the chain by cell.
        resting: what each input reads on an empty board; empty before that was measured.
        noise: from the lowest to the highest, of each.
        inputs: input by cell.
        samples: what stones made cells read.
        closed: the kinds of stones, as (number, off centre), of which no more samples are wanted.
        problems: what is wrong with a cell, by its name.
    """

    model_config = ConfigDict(strict=True, extra="forbid")

    wiring: str
    place: int = 0
    pixels: dict[str, int] = Field(default_factory=dict)
    resting: list[float] = Field(default_factory=list)
    noise: list[float] = Field(default_factory=list)
    inputs: dict[str, int] = Field(default_factory=dict)
    samples: list[Sample] = Field(default_factory=list)
    closed: list[str] = Field(default_factory=list)
    problems: dict[str, str] = Field(default_factory=dict)


def progress_path(profile: Path) -> Path:
    """Return where the progress of the profile in that file is kept."""
    whole = calibration_path(profile)
    return whole.with_name(whole.name.removesuffix(SUFFIX) + PART)


def load_progress(path: Path, wiring: str) -> Progress | None:
    """Return what was learned up to the last stop; None where there is nothing, or it is of other wiring."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        progress = Progress.model_validate_json(json.dumps(raw, default=str))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, ValidationError):
        return None
    return progress if progress.wiring == wiring else None


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
