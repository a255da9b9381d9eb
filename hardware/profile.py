"""Board profiles: reading the file that says how a board is built, and saying everything that is wrong with it.

A profile is TOML. `load_profile` takes the name of one that comes with the package, or the path of a builder's own;
a `ProfileError` holds every fault at once, each with its key and what to do. The keys: docs/profiles.md.
"""

import json
import tomllib
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import entry_points
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from hardware.profile_calibration import REMEDY, CalibrationError, calibrated, calibration_path, parse_calibration
from hardware.profile_checks import fit_complaints
from hardware.profile_model import Profile
from hardware.profile_pins import Complaint, pin_complaints
from hardware.words import near_miss

__all__ = ["Fault", "Profile", "ProfileError", "check_profile", "load_profile", "parse_profile", "profile_names"]

GROUP: Final = "stonelight.boards"
"""The entry-point group in which other packages name their profiles: each leads to the path of one."""
INTEGER_BITS: Final = 63
"""Of a whole number in TOML, without its sign."""
DEEPEST: Final = 32
"""Tables and lists in each other; no profile has more than five."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a profile.

    Fields:
        file: the file, as it was asked for.
        key: the path of the key, ``cells.rows[2]``; empty where the whole file is meant.
        wrong: what is wrong.
        remedy: what to do.
    """

    file: str
    key: str
    wrong: str
    remedy: str

    def __str__(self) -> str:
        """Return the fault as one line for a person."""
        where = f"{self.file}: {self.key}" if self.key else self.file
        return f"{where}: {self.wrong}; {self.remedy}"


class ProfileError(ValueError):
    """A profile that cannot be used. `faults` holds all that is wrong with it; the message has one line for each."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("\n".join(map(str, faults)))
        self.faults = faults


def profile_names() -> tuple[str, ...]:
    """Return the names of the installed profiles, sorted: those that come along, and those of other packages."""
    own = (entry.name for entry in (files("hardware") / "profiles").iterdir())
    others = (entry.name for entry in entry_points(group=GROUP))
    return tuple(sorted({*(name.removesuffix(".toml") for name in own if name.endswith(".toml")), *others}))


def _installed(name: str) -> str:
    """Return the text of the installed profile of that name."""
    for entry in entry_points(group=GROUP, name=name):
        path: Path = entry.load()
        return path.read_text(encoding="utf-8")
    return (files("hardware") / "profiles" / f"{name}.toml").read_text(encoding="utf-8")


def profile_text(name: str) -> str:
    """Return the text of an installed profile, or of the file of that path.

    Raises:
        OSError, UnicodeDecodeError: it cannot be read.
    """
    return _installed(name) if name in profile_names() else Path(name).read_text(encoding="utf-8")


def load_profile(name_or_path: str | Path) -> Profile:
    """Return the profile of that name, or in that file; what was learned about the board beside it is laid over it.

    Args:
        name_or_path: a path if it ends in ``.toml`` or has a ``/`` in it, else a name of `profile_names`.

    Raises:
        ProfileError: there is no such profile, or it has faults: all of them.
    """
    asked = str(name_or_path)
    if isinstance(name_or_path, str) and "/" not in asked and not asked.endswith(".toml"):
        if asked not in profile_names():
            raise ProfileError(
                (Fault(asked, "", "there is no board profile of this name", near_miss(asked, profile_names())),)
            )
        return parse_profile(_installed(asked), f"{asked}.toml")
    try:
        text = Path(name_or_path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ProfileError((Fault(asked, "", f"this is no text ({error.reason})", "save it as UTF-8"),)) from error
    except (OSError, ValueError) as error:  # ValueError: there can be no such path
        raise ProfileError(
            (
                Fault(
                    asked,
                    "",
                    f"the file cannot be read ({getattr(error, 'strerror', None) or error})",
                    f"check the path, or name a profile that comes with Stonelight: {', '.join(profile_names())}",
                ),
            )
        ) from error
    profile = parse_profile(text, asked)
    learned = calibration_path(Path(name_or_path))
    try:
        known = learned.exists()
    except OSError:  # a name that is too long for a file
        known = False
    return _calibrated(text, asked, learned) if known else profile


def _calibrated(text: str, file: str, beside: Path) -> Profile:
    """Return a profile that is sound by itself with the calibration beside it.

    Raises:
        ProfileError: the calibration cannot be read, is stale, or does not fit.
    """
    raw = tomllib.loads(text)
    try:
        learned = parse_calibration(beside.read_text(encoding="utf-8"), raw)
    except CalibrationError as error:
        raise ProfileError((Fault(str(beside), "", error.wrong, error.remedy),)) from error
    except UnicodeDecodeError as error:
        raise ProfileError((Fault(str(beside), "", "this is no text", REMEDY),)) from error
    except OSError as error:
        raise ProfileError(
            (Fault(str(beside), "", f"it cannot be read ({error.strerror})", "check the file"),)
        ) from error
    return check_profile(calibrated(raw, learned), f"{file} with {beside.name}")


def parse_profile(text: str, file: str) -> Profile:
    """Return the profile that this TOML text holds.

    Args:
        text: the text.
        file: how to call it in faults.

    Raises:
        ProfileError: it has faults: all of them.
    """
    try:
        raw = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # numbers of thousands of digits and brackets in brackets are no TOML
        raise ProfileError(
            (Fault(file, "", f"this is not TOML ({error})", "mend that line; strings need quotes, lists brackets"),)
        ) from error
    return check_profile(raw, file)


def check_profile(raw: Mapping[str, Any], file: str) -> Profile:
    """Return the profile that these tables hold, as TOML has them.

    Args:
        raw: the tables.
        file: how to call them in faults.

    Raises:
        ProfileError: they have faults: all of them.
    """
    _check_text(raw, file)
    complaints: list[Complaint] = []
    profile: Profile | None = None
    try:
        # As JSON, so that lists may become tuples while everything else stays strict.
        profile = Profile.model_validate_json(json.dumps(raw, default=str))
    except ValidationError as error:
        shape, doubtful = _shape_complaints(error, raw)
        complaints += [*shape, *pin_complaints(raw, doubtful)]
    else:
        complaints += pin_complaints(raw)
    if profile is not None:
        complaints += fit_complaints(profile)
    if complaints or profile is None:
        raise ProfileError(tuple(Fault(file, *complaint) for complaint in complaints))
    return profile


def _check_text(raw: Mapping[str, Any], file: str) -> None:
    """See that a profile can be told as text at all.

    Raises:
        ProfileError: numbers or tables in it are beyond what TOML asks any reader for (TOML 1.0, "Integer"), or deeper
            than any section. Nothing else is then told.
    """
    faults: list[Fault] = []
    left: list[tuple[tuple[int | str, ...], Any]] = [((), raw)]
    while left:
        loc, value = left.pop()
        if len(loc) > DEEPEST:
            faults.append(
                Fault(file, _path(loc[:2]), "there are tables in tables in tables", "leave the inner ones out")
            )
            break
        if isinstance(value, int) and value.bit_length() > INTEGER_BITS:
            faults.append(Fault(file, _path(loc), "the number has more digits than TOML allows", "write a smaller one"))
        elif isinstance(value, dict | list | tuple):
            inner = value.items() if isinstance(value, dict) else enumerate(value)
            left += [((*loc, key), each) for key, each in inner]
    if faults:
        raise ProfileError(tuple(reversed(faults)))


_WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "missing": ("this key is missing", "add it"),
    "int_type": ("{value} is no whole number", "write a number without quotes or a point"),
    "int_from_float": ("{value} is no whole number", "write a number without a point"),
    "float_type": ("{value} is no number", "write a number without quotes"),
    "bool_type": ("{value} is neither true nor false", "write true or false, without quotes"),
    "string_type": ("{value} is no text", "put it in quotes"),
    "literal_error": ("{value} is not known here", "use {expected}"),
    "greater_than": ("{value} is too small", "it must be above {gt}"),
    "greater_than_equal": ("{value} is too small", "it must be at least {ge}"),
    "less_than_equal": ("{value} is too great", "it must be at most {le}"),
    "tuple_type": ("{value} is no list", "write [ ] around it"),
    "too_short": ("the list is too short", "it needs at least {min_length}"),
    "too_long": ("the list is too long", "it takes at most {max_length}"),
    "string_too_short": ("the text is empty", "write something"),
    "string_pattern_mismatch": ("{value} is no profile name", "use small letters, digits and single hyphens"),
    "dict_type": ("{value} is no table", "write it as a section, key = value on each line"),
    "model_type": ("{value} is no table", "write it as a section, key = value on each line"),
    "finite_number": ("{value} is no finite number", "write a number"),
}
"""What is wrong and what to do, by pydantic's error type."""


def _shape_complaints(error: ValidationError, raw: Mapping[str, Any]) -> tuple[list[Complaint], frozenset[str]]:
    """Return what is wrong with single keys, and the paths of those whose value is thereby not known.

    A key that is near a missing one is told once, as a near miss.
    """
    details = error.errors(include_url=False)
    missing = {detail["loc"] for detail in details if detail["type"] == "missing"}
    meant: set[tuple[int | str, ...]] = set()
    unknown: dict[tuple[int | str, ...], str] = {}
    for detail in details:
        if detail["type"] == "extra_forbidden":
            *where, key = detail["loc"]
            known = _keys_at(tuple(where))
            absent = [name for name in known if (*where, name) in missing]
            remedy = near_miss(str(key), absent) if absent else ""
            if not remedy.startswith("did"):
                remedy = near_miss(str(key), known)
            unknown[detail["loc"]] = remedy
            meant |= {(*where, name) for name in known if remedy == near_miss(name, [name])}
    told = [*_unknown_keys(unknown), *_wrong_values(details, raw, {*unknown, *(meant & missing)})]
    return told, frozenset(map(_path, {*meant, *(detail["loc"] for detail in details)}))


def _unknown_keys(unknown: Mapping[tuple[int | str, ...], str]) -> Iterator[Complaint]:
    for loc, remedy in unknown.items():
        yield _path(loc), "there is no such key", remedy


def _wrong_values(
    details: list[ErrorDetails], raw: Mapping[str, Any], told: Container[tuple[int | str, ...]]
) -> Iterator[Complaint]:
    """Yield what is wrong with the values of keys; not of those that are `told` otherwise."""
    for detail in details:
        loc = detail["loc"]
        if loc not in told:
            wrong, remedy = _WORDS.get(detail["type"], ("{value} will not do", detail["msg"]))
            facts = {"value": json.dumps(_at(raw, loc), default=str), **detail.get("ctx", {})}
            yield _path(loc), wrong.format_map(facts), remedy.format_map(facts)


def _keys_at(where: tuple[int | str, ...]) -> tuple[str, ...]:
    """Return the keys that the section at `where` may have."""
    model: type[BaseModel] = Profile
    one_of_many = False
    for key in where:
        if one_of_many:  # the name of a game, or the place in a list
            one_of_many = False
            continue
        annotation = model.model_fields[str(key)].annotation
        choices = (annotation, *getattr(annotation, "__args__", ()))
        model = next(choice for choice in choices if isinstance(choice, type) and issubclass(choice, BaseModel))
        one_of_many = get_origin(annotation) in (dict, tuple)
    return tuple(model.model_fields)


def _path(loc: tuple[int | str, ...]) -> str:
    """Return ``cells.rows[2]``."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in loc).removeprefix(".")


def _at(raw: Any, loc: tuple[int | str, ...]) -> Any:
    """Return what a profile holds at `loc`, or the nearest thing around it that is there."""
    for part in loc:
        try:
            raw = raw[part]
        except (KeyError, IndexError, TypeError):
            break
    return raw
