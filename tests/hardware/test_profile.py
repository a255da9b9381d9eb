"""Board profiles: the reference board, and one clear message for each thing that can be wrong."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from hardware.header import BUSES, HEADER
from hardware.ports import Sensing
from hardware.profile import Profile, ProfileError, load_profile, parse_profile, profile_names
from hardware.wiring import Pace

REFERENCE = (Path(__file__).parents[2] / "hardware/profiles/bamogo-4x4-presence.toml").read_text(encoding="utf-8")


def faults_of(text: str) -> list[str]:
    """The faults of a profile, one line each."""
    with pytest.raises(ProfileError) as caught:
        parse_profile(text, "mine.toml")
    lines = str(caught.value).splitlines()
    assert lines == [str(fault) for fault in caught.value.faults]
    return lines


def changed(*changes: tuple[str, str]) -> str:
    """The reference profile with some of its text replaced."""
    text = REFERENCE
    for old, new in changes:
        assert text.count(old) >= 1, old
        text = text.replace(old, new, 1)
    return text


def test_the_reference_board_by_presence() -> None:
    profile = load_profile("bamogo-4x4-presence")
    assert profile.sensing is Sensing.PRESENCE
    assert profile.cells.rows == (4, 17, 12, 26)
    assert profile.cells.columns == (13, 16, 20, 27)
    assert profile.buttons == {"red": 5, "blue": 6, "yellow": 22, "ok": 23, "back": 24, "new": 25}
    assert profile.lamps.count == 40
    assert profile.lamps.budget_ma == 500
    assert profile.pace() == Pace(settle_us=50, quiet_ms=20, busy_ms=5, samples=3, agree_ms=10)


def test_the_reference_board_has_each_cell_at_its_crossing_and_pixel() -> None:
    profile = load_profile("bamogo-4x4-presence")
    names = profile.cell_names()
    assert names[:5] == ("a1", "a2", "a3", "a4", "b1")
    where = dict(zip(names, profile.crossings(), strict=True))
    assert (where["a1"], where["d1"], where["a4"], where["c2"]) == ((0, 0), (0, 3), (3, 0), (1, 2))
    pixel = dict(zip(names, profile.places(), strict=False))
    assert [pixel[name] for name in ("a1", "b1", "c1", "d1", "d2", "c2", "a2", "a3", "d4", "a4")] == [
        0, 1, 2, 3, 4, 5, 7, 8, 12, 15,
    ]  # fmt: skip
    assert profile.places()[16:] == tuple(range(16, 40))
    assert profile.chain().ma_per_channel == (20.0, 20.0, 20.0)


@pytest.mark.parametrize("name", profile_names())
def test_every_profile_of_the_package_is_sound_and_is_called_as_its_file(name: str) -> None:
    assert load_profile(name).name == name


def test_a_profile_is_found_by_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(REFERENCE, encoding="utf-8")
    assert load_profile(path) == load_profile(str(path)) == load_profile("bamogo-4x4-presence")


CASES = tomllib.loads((Path(__file__).parent / "profile_faults.toml").read_text(encoding="utf-8"))["case"]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in CASES])
def test_a_fault_names_the_file_the_key_and_the_remedy(case: dict[str, Any]) -> None:
    lines = faults_of(changed(*case["change"]))
    said = [line for line in lines if line.startswith(f"mine.toml: {case['says']}")]
    assert len(said) == 1, lines
    assert len(lines) == 1 + case.get("more", 0), lines
    assert all("; " in line for line in lines), "each has a remedy"


def test_all_faults_are_told_at_once() -> None:
    text = changed(("rows =", "row ="), ("red = 5", "red = 16"), ("gamma = 2.2", "gamma = 9"), ("order = ", "ordr = "))
    assert [line.split(": ")[1] for line in faults_of(text)] == [
        "cells.row",
        "lamps.ordr",
        "lamps.gamma",
        "buttons.red",
    ]


def test_each_dispute_over_a_pin_is_offered_another_free_pin() -> None:
    lines = faults_of(changed(("red = 5", "red = 16"), ("blue = 6", "blue = 16")))
    offers = [line.rsplit("GPIO ", 1)[1] for line in lines]
    assert len(set(offers)) == len(offers) == 2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b"[cells", "this is not TOML", id="broken TOML"),
        pytest.param(b"\xff\xfe\x00", "this is no text", id="no text"),
        pytest.param(None, "the file cannot be read (No such file or directory); check the path", id="no file"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_clear_error(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "mine.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ProfileError) as caught:
        load_profile(path)
    (fault,) = caught.value.faults
    assert str(fault).startswith(f"{path}: {message}")


@pytest.mark.parametrize(
    ("change", "key"),
    [
        (("files = 4", "files = {}"), "cells.files"),
        (("rows = [4, 17", "rows = [4, {}"), "cells.rows[1]"),
        (("red = 5", "red = -{}"), "buttons.red"),
        (("budget_ma = 500", "budget_ma = {}"), "lamps.budget_ma"),
        (("[lamps]", "[elsewhere]\ndeep = [[{{ far = {} }}]]\n[lamps]"), "elsewhere.deep[0][0].far"),
    ],
)
def test_a_number_without_end_is_one_clear_error(change: tuple[str, str], key: str) -> None:
    old, new = change
    sign, number = ("-", new.replace("-{}", "{}")) if "-{}" in new else ("", new)
    for digits in ("0x" + "f" * 5000, "9" * 20, str(2**63)):
        if sign and digits.startswith("0x"):
            continue  # TOML knows no negative ones
        faults = faults_of(changed((old, number.format(sign + digits))))
        assert len(faults) == 1
        assert f"{key}: the number has more digits than TOML allows; write a smaller one" in faults[0]
    assert "more digits" not in str(faults_of(changed((old, number.format(sign + str(2**63 - 1))))))


def test_tables_without_end_are_one_clear_error() -> None:
    faults = faults_of(changed(("[lamps]", f"[a{'.a' * 3000}]\nb = 1\n[lamps]")))
    assert len(faults) == 1
    assert "a.a: there are tables in tables in tables" in faults[0]


@pytest.mark.parametrize("length", [200, 233, 234, 238, 239, 250, 251, 300, 5000])
def test_a_long_name_is_read_or_is_one_clear_error(tmp_path: Path, length: int) -> None:
    path = tmp_path / f"{'n' * length}.toml"
    text = changed(("bamogo-4x4-presence", "n"))
    if length <= 250:
        path.write_text(text)
        assert load_profile(path).name == "n"
        return
    for name in (path, str(path), path.name, path.stem):
        with pytest.raises(ProfileError) as caught:
            load_profile(name)
        assert len(caught.value.faults) == 1
        assert "\n" not in str(caught.value)


def test_a_name_that_is_none_gets_its_neighbour() -> None:
    with pytest.raises(ProfileError, match="no board profile of this name; did you mean 'bamogo-4x4-presence'"):
        load_profile("bamogo-4x4-pressence")


def test_the_agreement_follows_the_sensor_unless_given() -> None:
    def agree_ms(*changes: tuple[str, str]) -> int:
        return parse_profile(changed(*changes), "mine.toml").pace().agree_ms

    assert agree_ms(("[sensor]", "[sensor]\nsample_ms = 20")) == 20
    assert agree_ms(("[sensor]", "[sensor]\nsample_ms = 50")) == 30
    assert agree_ms(("[sensor]", "[sensor]\nsample_ms = 50"), ("diodes = true", "agree_ms = 0")) == 0


def test_exceptions_move_single_cells() -> None:
    profile = parse_profile(
        changed(
            ("diodes = true", "exceptions = { a1 = [1, 2], b1 = [1, 1] }"),
            ('along = "ranks"', "exceptions = { a1 = 1, b1 = 0 }"),
        ),
        "mine.toml",
    )
    names = profile.cell_names()
    assert profile.crossings()[names.index("a1")] == (0, 1)
    assert profile.crossings()[names.index("b1")] == (0, 0)
    assert profile.places()[names.index("a1")] == 1
    assert profile.places()[names.index("b1")] == 0


def test_cells_that_are_no_rows_and_columns_fill_the_crossings_in_order() -> None:
    profile = parse_profile(
        changed(("[4, 17, 12, 26]", "[4, 17]"), ("files = 4", "files = 2"), ("first = 16", "first = 8")), "mine.toml"
    )
    assert profile.crossings() == tuple(divmod(cell, 4) for cell in range(8))


def test_a_track_may_run_backwards() -> None:
    profile = parse_profile(changed(("first = 16", "backwards = true\nfirst = 16")), "mine.toml")
    assert profile.places()[16:] == tuple(reversed(range(16, 40)))


def test_the_header_table_is_the_headers() -> None:
    assert sorted(HEADER) == list(range(28))
    assert len(set(HEADER.values())) == 28
    grounds_and_supplies = {1, 2, 4, 6, 9, 14, 17, 20, 25, 30, 34, 39}
    assert set(HEADER.values()) | grounds_and_supplies == set(range(1, 41))
    assert all(pin in HEADER for bus in BUSES.values() for pin in bus)


def test_the_header_table_agrees_with_gpiozero() -> None:
    from gpiozero.pins.mock import MockFactory

    header = MockFactory("c03111").board_info.headers["J8"]
    theirs = {int(pin.name[4:]): number for number, pin in header.pins.items() if pin.name.startswith("GPIO")}
    assert {gpio: HEADER[gpio] for gpio in theirs} == theirs


def test_a_profile_does_not_change() -> None:
    profile: Profile = load_profile("bamogo-4x4-presence")
    with pytest.raises(ValueError, match="frozen"):
        profile.name = "other"
