"""What was learned about one board, kept beside its profile: ``my-board.toml`` has ``my-board.calibration.toml``.

A calibration is laid over the profile when that is read; it never changes the file. It holds for the wiring on which it
was learned: `fingerprint` tells whether the profile still says the same.
"""

import copy
import hashlib
import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field, ValidationError

from hardware.profile_section import Section

SUFFIX: Final = ".calibration.toml"
REMEDY: Final = "run 'stonelight calibrate' again, or delete the file"
"""What to do about a calibration that cannot be used."""
PACE_KEYS: Final = ("scan_ms", "busy_scan_ms", "agree_samples", "agree_ms", "settle_us", "levels")
"""Keys of ``[cells]`` that may change without a calibration becoming stale."""


class LearnedBand(Section):
    """The field of the stones of one colour, as it was measured."""

    pole: Literal["north", "south"]
    from_mt: float
    to_mt: float


class Learned(Section):
    """What was learned about a board.

    Fields:
        board: the name of its profile.
        wiring: the `fingerprint` of that profile.
        simulated: whether it was learned on a simulated board, and so says nothing of the real one.
        inputs: input by cell, as `hardware.profile_model.Profile.inputs` counts them.
        pixels: place on the chain by cell, from 0.
        levels: counts over an empty pit and over one seed, by pit.
        zero: counts of an empty cell that feels fields, by cell.
        bands: the field of each colour, in the order of the profile's ``[[bands.colours]]``.
        margins: by cell, how far the nearest thing that was measured there is from being mistaken: in mT for fields, in
            counts for pits.
        problems: what is wrong with a cell, in words, by cell.
    """

    board: str
    wiring: str
    simulated: bool = False
    inputs: dict[str, int] = Field(default_factory=dict)
    pixels: dict[str, int] = Field(default_factory=dict)
    levels: dict[str, tuple[int, int]] = Field(default_factory=dict)
    zero: dict[str, float] = Field(default_factory=dict)
    bands: tuple[LearnedBand, ...] = ()
    margins: dict[str, float] = Field(default_factory=dict)
    problems: dict[str, str] = Field(default_factory=dict)


class CalibrationError(ValueError):
    """A calibration that cannot be used. `wrong` and `remedy` are for a person."""

    def __init__(self, wrong: str) -> None:
        self.wrong, self.remedy = wrong, REMEDY
        super().__init__(f"{self.wrong}; {self.remedy}")


def first_fault(error: ValidationError) -> str:
    """Return the first of what is wrong with values, with its key, as it may be shown."""
    first = error.errors(include_url=False)[0]
    key = ".".join(map(str, first["loc"]))
    return f"{key if key.isprintable() else ascii(key)}: {first['msg']}"


def calibration_path(profile: Path) -> Path:
    """Return where the calibration of the profile in that file is kept."""
    return profile.with_name(profile.name.removesuffix(".toml") + SUFFIX)


def fingerprint(raw: Mapping[str, Any]) -> str:
    """Return what a calibration holds for: how cells and pixels of a profile, as it was read, are wired."""
    cells, lamps = dict(_table(raw, "cells")), _table(raw, "lamps")
    for key in PACE_KEYS:
        cells.pop(key, None)
    wiring = [raw.get("host", "pi"), cells, raw.get("adc"), *(lamps.get(key) for key in ("count", "wiring", "track"))]
    return hashlib.sha256(json.dumps(wiring, sort_keys=True, default=str).encode()).hexdigest()[:16]


def parse_calibration(text: str, raw: Mapping[str, Any]) -> Learned:
    """Return what a calibration file holds.

    Args:
        text: the file.
        raw: the profile beside it, as it was read.

    Raises:
        CalibrationError: it makes no sense, or was learned on another board or wiring.
    """
    try:
        learned = Learned.model_validate_json(json.dumps(tomllib.loads(text), default=str))
    except ValidationError as error:
        raise CalibrationError(first_fault(error)) from error
    except (ValueError, RecursionError) as error:  # numbers of thousands of digits and brackets in brackets are no TOML
        raise CalibrationError(f"this is not TOML ({error})") from error
    if learned.board != raw.get("name"):
        raise CalibrationError(f"this was learned on the board {learned.board!r}, not on {raw.get('name')!r}")
    if learned.wiring != fingerprint(raw):
        raise CalibrationError("the wiring in the profile has changed since this was learned")
    return learned


def is_simulated(profile: Path) -> bool:
    """Return whether the calibration beside the profile in that file was learned on a simulated board."""
    try:
        raw = tomllib.loads(calibration_path(profile).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):  # what is wrong with it is told where it is used
        return False
    return raw.get("simulated") is True


def calibrated(raw: Mapping[str, Any], learned: Learned) -> dict[str, Any]:
    """Return a profile, as it was read, with what was learned laid over it."""
    merged = copy.deepcopy(dict(raw))
    cells, lamps = merged.setdefault("cells", {}), merged.setdefault("lamps", {})
    if learned.inputs:
        _lay_inputs(cells, learned.inputs)
    if learned.pixels:
        lamps.setdefault("wiring", {}).setdefault("exceptions", {}).update(learned.pixels)
    if learned.levels:
        by_cell = cells.setdefault("levels", {}).setdefault("by_cell", {})
        by_cell.update({name: list(pair) for name, pair in learned.levels.items()})
    if learned.zero:
        merged.setdefault("calibration", {}).setdefault("zero", {}).update(learned.zero)
    if learned.bands:
        merged.setdefault("bands", {})["colours"] = [band.model_dump() for band in learned.bands]
    return merged


def _lay_inputs(cells: dict[str, Any], inputs: Mapping[str, int]) -> None:
    """Say where cells are wired, in the way that their driver is told."""
    if cells.get("driver") == "matrix":
        columns = len(cells["columns"])
        places = {name: [number // columns + 1, number % columns + 1] for name, number in inputs.items()}
        cells.setdefault("exceptions", {}).update(places)
    else:
        cells.setdefault("wiring", {}).setdefault("exceptions", {}).update(inputs)


def _table(raw: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    table = raw.get(key)
    return table if isinstance(table, dict) else {}
