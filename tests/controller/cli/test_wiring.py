"""``stonelight wiring``: on paper, as a drawing, and what it says of a profile that is wrong."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from controller.cli.main import main
from hardware.profile import profile_names


@pytest.mark.parametrize("name", profile_names())
def test_every_reference_board_can_be_wired(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["wiring", name]) == 0
    out = capsys.readouterr().out
    for heading in ("WIRES", "INPUTS", "PIXELS", "PARTS", "CURRENT"):
        assert f"\n{heading}" in out


def test_the_drawing_is_written_beside(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drawing = tmp_path / "board.svg"
    assert main(["wiring", "bao-4x12", "--svg", str(drawing)]) == 0
    assert capsys.readouterr().out.endswith(f"The drawing is in {drawing}.\n")
    assert ET.parse(drawing).getroot().tag == "{http://www.w3.org/2000/svg}svg"


def test_the_drawing_alone_goes_to_the_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["wiring", "bao-4x12", "--svg", "-"]) == 0
    assert ET.fromstring(capsys.readouterr().out).tag.endswith("svg")


def test_a_drawing_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["wiring", "bao-4x12", "--svg", str(tmp_path / "no" / "board.svg")]) == 1
    assert "board.svg cannot be written: No such file or directory" in capsys.readouterr().err


def test_a_profile_with_faults_is_not_wired(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('name = "mine"\n', encoding="utf-8")
    assert main(["wiring", str(mine)]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert f"{mine}: cells: this key is missing; add it" in captured.err.splitlines()


def test_a_profile_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["wiring", "bao"]) == 2
    assert "there is no board profile bao: give a file, or one of bamogo-4x4-colour" in capsys.readouterr().err
