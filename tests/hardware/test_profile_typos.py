"""A slip of the pen in a profile is one fault: nothing is told that only follows from a guess of what was meant."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from hardware.profile import ProfileError, check_profile, parse_profile, profile_names

ROOT = Path(__file__).parents[2]
PROFILES = ROOT / "hardware/profiles"
FREE_TEXT = ("name", "title", "part", "origin")
NAMED_BY_PEOPLE = (("buttons",), ("cells", "buttons"), ("hosts",))
"""Tables whose keys are no words of ours, or are looked at only in a profile that is otherwise sound."""


def boards() -> dict[str, dict[str, Any]]:
    page = (ROOT / "docs/breadboard.md").read_text(encoding="utf-8")
    first = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)[0]
    texts = {name: (PROFILES / f"{name}.toml").read_text(encoding="utf-8") for name in profile_names()}
    found = {name: tomllib.loads(text) for name, text in {**texts, "first": first}.items()}
    # Converters on pins of their own, and pixels on a pin that makes pixel data: keys that none of these boards has.
    own = deepcopy(found["bamogo-4x4-colour"])
    own["adc"] = {"bus": "pins", "chips": 2, "clock": 4, "mosi": 12, "miso": 16, "selects": [26, 13]}
    own["lamps"] |= {"driver": "neopixel", "pin": 21}
    return found | {"on-pins": own}


BOARDS = boards()


def leaves(table: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for key, value in table.items():
        yield (*path, key)
        if isinstance(value, dict):
            yield from leaves(value, (*path, key))


def at(table: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        table = table[key]
    return table


def misspelt(word: str) -> str:
    """A word with its last letter but one left out; a short one with its first letter doubled."""
    return word[:-2] + word[-1] if len(word) > 3 else word[0] + word


def faults_of(raw: Mapping[str, Any]) -> list[str]:
    with pytest.raises(ProfileError) as caught:
        check_profile(raw, "mine.toml")
    return [str(fault).removeprefix("mine.toml: ") for fault in caught.value.faults]


@pytest.mark.parametrize("name", BOARDS)
def test_the_boards_are_sound_before(name: str) -> None:
    check_profile(BOARDS[name], name)


@pytest.mark.parametrize("name", BOARDS)
def test_a_misspelt_key_is_one_fault(name: str) -> None:
    for path in leaves(BOARDS[name]):
        if path[:-1] in NAMED_BY_PEOPLE:
            continue
        raw = deepcopy(BOARDS[name])
        table = at(raw, path[:-1])
        wrong = misspelt(path[-1])
        table[wrong] = table.pop(path[-1])
        told = faults_of(raw)
        assert len(told) == 1, (path, told)
        assert told[0].startswith(f"{'.'.join((*path[:-1], wrong))}: there is no such key; did you mean {path[-1]!r}?")


@pytest.mark.parametrize("name", BOARDS)
def test_a_word_that_is_not_known_is_one_fault(name: str) -> None:
    words = [
        path for path in leaves(BOARDS[name]) if isinstance(at(BOARDS[name], path), str) and path[-1] not in FREE_TEXT
    ]
    assert ("cells", "driver") in words
    for path in words:
        raw = deepcopy(BOARDS[name])
        at(raw, path[:-1])[path[-1]] = "zzz"
        told = faults_of(raw)
        assert len(told) == 1, (path, told)
        assert told[0].startswith(f"{'.'.join(path)}: ")


def test_what_is_wrong_by_itself_is_told_beside_a_typo() -> None:
    raw = deepcopy(BOARDS["first"])
    raw["host"] = "pcio"
    raw["cells"]["rows"] = 0
    raw["lamps"]["pin"] = "22"
    raw["lamps"]["pinn"] = 22
    assert [line.split(":")[0] for line in faults_of(raw)] == ["lamps.pinn", "host", "cells.rows", "lamps.pin"]


def test_a_dispute_that_no_typo_has_to_do_with_is_told_beside_it() -> None:
    raw = deepcopy(BOARDS["first"])
    raw["cells"]["driver"] = "matrx"
    raw["buttons"]["ok"] = 12
    told = faults_of(raw)
    assert told[0].startswith("cells.driver: ")
    assert told[1].startswith("buttons.ok: GP12 (header pin 16) already belongs to cells.columns[0]")
    assert len(told) == 2


def test_a_key_that_belongs_to_another_driver_takes_no_pins() -> None:
    first = BOARDS["bamogo-4x4-presence"]
    assert faults_of(first | {"adc": {"chips": 2}}) == [
        'adc: the driver matrix reads no fields; leave it out, or use "mcp3008"'
    ]


def test_chips_that_only_a_pi_reads_are_told_once() -> None:
    raw = deepcopy(BOARDS["bamogo-4x4-colour"])
    raw["host"] = "pico"
    raw["lamps"]["driver"] = "neopixel"
    raw["buttons"] = {}
    del raw["adc"]
    assert faults_of(raw) == ['cells.driver: only a Pi reads these chips; use host = "pi"']


def test_a_key_among_many_of_a_kind_has_its_near_miss() -> None:
    raw = deepcopy(BOARDS["bamogo-4x4-colour"])
    band = raw["bands"]["colours"][0]
    band["frm_mt"] = band.pop("from_mt")
    assert faults_of(raw) == ["bands.colours[0].frm_mt: there is no such key; did you mean 'from_mt'?"]
    with pytest.raises(ProfileError, match=r"hosts\.cell\.stp: there is no such key; did you mean 'step'\?"):
        parse_profile(
            (PROFILES / "mat-16x16.toml").read_text(encoding="utf-8") + "\n[hosts.cell]\nstp = [2, 2]\n", "mine.toml"
        )
