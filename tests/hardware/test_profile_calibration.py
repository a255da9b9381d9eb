"""A calibration beside a profile is used with it, or refused with words."""

import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from hardware.profile import ProfileError, load_profile
from hardware.profile_calibration import (
    CalibrationError,
    Learned,
    LearnedBand,
    calibrated,
    calibration_path,
    fingerprint,
    parse_calibration,
)

TEXT = (files("hardware") / "profiles" / "bamogo-4x4-presence.toml").read_text()
RAW = tomllib.loads(TEXT)


@pytest.fixture
def board(tmp_path: Path) -> Path:
    path = tmp_path / "bamogo-4x4-presence.toml"
    path.write_text(TEXT)
    return path


def _beside(board: Path, body: str, wiring: str | None = None) -> None:
    head = f'board = "bamogo-4x4-presence"\nwiring = "{wiring or fingerprint(RAW)}"\n'
    calibration_path(board).write_text(head + body)


def test_it_lies_beside_the_profile() -> None:
    assert calibration_path(Path("/x/my-board.toml")) == Path("/x/my-board.calibration.toml")


def test_inputs_and_pixels_are_laid_over_the_profile(board: Path) -> None:
    plain = load_profile(board)
    _beside(board, "[inputs]\na1 = 5\nb2 = 0\n[pixels]\na1 = 6\nb2 = 0\n")
    learned = load_profile(board)
    names = plain.cell_names()
    assert plain.inputs()[names.index("a1")] == 0
    assert (learned.inputs()[names.index("a1")], learned.inputs()[names.index("b2")]) == (5, 0)
    assert (learned.places()[names.index("a1")], learned.places()[names.index("b2")]) == (6, 0)
    others = [k for k, name in enumerate(names) if name not in ("a1", "b2")]
    assert [learned.inputs()[k] for k in others] == [plain.inputs()[k] for k in others]


def test_levels_zeros_and_bands_are_laid_over_the_profile() -> None:
    learned = Learned(
        board="x",
        wiring="y",
        levels={"a1": (10, 200)},
        zero={"a1": 511.5},
        bands=(LearnedBand(pole="south", from_mt=20.0, to_mt=50.0),),
    )
    merged = calibrated({"cells": {"driver": "mux"}, "bands": {"empty_mt": 4.0, "colours": []}}, learned)
    assert merged["cells"]["levels"]["by_cell"] == {"a1": [10, 200]}
    assert merged["calibration"] == {"zero": {"a1": 511.5}}
    assert merged["bands"] == {"empty_mt": 4.0, "colours": [{"pole": "south", "from_mt": 20.0, "to_mt": 50.0}]}


def test_laying_it_over_changes_nothing_beneath() -> None:
    raw = tomllib.loads(TEXT)
    calibrated(raw, Learned(board="x", wiring="y", inputs={"a1": 5}, pixels={"a1": 6}))
    assert raw == RAW


def test_other_wiring_makes_it_stale_and_another_pace_does_not(board: Path) -> None:
    _beside(board, "[pixels]\na1 = 6\nb2 = 0\n")
    board.write_text(TEXT.replace("scan_ms = 20", "scan_ms = 15").replace("brightness = 0.6", "brightness = 0.5"))
    load_profile(board)
    board.write_text(TEXT.replace("rows = [4, 17, 12, 26]", "rows = [17, 4, 12, 26]"))
    with pytest.raises(ProfileError, match=r"wiring in the profile has changed.*run 'stonelight calibrate' again"):
        load_profile(board)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("[inputs]\na1 = 'x'\n", "inputs.a1"),
        ("[inputs\n", "not TOML"),
        ("[inputs]\na1 = 1\n", "crossing of row 1 and column 2 is given to"),
        ("[pixels]\na1 = 6\n", "pixel 6 is given to"),
        ("[puts]\na1 = 1\n", "puts"),
        ("[zero]\na1 = nan\n", "zero.a1"),
        ("[pixels]\na1 = -7\n", "reaches pixel"),
        ("['in\\nputs']\n".replace("'", '"'), r"'in\\nputs'"),
        (f"[inputs]\na1 = {'1' * 5000}\n", "not TOML"),
        (f"inputs = {'[' * 5000}\n", "not TOML"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_file(board: Path, body: str, words: str) -> None:
    _beside(board, body)
    with pytest.raises(ProfileError, match=words) as refused:
        load_profile(board)
    assert "bamogo-4x4-presence.calibration.toml" in str(refused.value)
    assert len(str(refused.value).splitlines()) == len(refused.value.faults)


def test_what_is_no_text_or_no_file_is_said_in_one_line(board: Path) -> None:
    calibration_path(board).write_bytes(b"\xff\xfe")
    with pytest.raises(ProfileError, match=r"calibration\.toml: this is no text; run 'stonelight calibrate' again"):
        load_profile(board)
    calibration_path(board).unlink()
    calibration_path(board).mkdir()
    with pytest.raises(ProfileError, match=r"calibration\.toml: it cannot be read \(Is a directory\); check the file"):
        load_profile(board)


def test_a_calibration_of_another_board_is_refused() -> None:
    with pytest.raises(CalibrationError, match="learned on the board 'other'"):
        parse_calibration(f'board = "other"\nwiring = "{fingerprint(RAW)}"\n', RAW)
