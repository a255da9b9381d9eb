"""``stonelight flash`` where something is in its way: the drive, what is on it, the board's description, the port."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.app import reflashing
from controller.app.loop import clock
from controller.cli import flash
from controller.cli.main import main
from hardware.board_plan import board_plan
from hardware.circuitpy_drive import NoDriveError
from hardware.profile import load_profile
from hardware.serial_plug import NO_PORT
from simulator.device_live import LiveDevice

PLAN = board_plan(load_profile("exago-5-reeds"))


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    (tmp_path / "boot_out.txt").write_text("Adafruit CircuitPython 9.2.1 on 2026-01-08; Raspberry Pi Pico\n")
    return tmp_path


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reflashing, "ANSWER_MS", 50)


@pytest.fixture
def no_drive(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> Path:
        raise NoDriveError("no drive is to be seen: look for one")

    monkeypatch.setattr(flash, "find_drive", none)


@pytest.fixture
def device() -> Iterator[LiveDevice]:
    live = LiveDevice(PLAN, clock)
    yield live
    live.unplug()


def tree(drive: Path) -> dict[str, bytes]:
    return {path.relative_to(drive).as_posix(): path.read_bytes() for path in drive.rglob("*") if path.is_file()}


def test_without_a_board_that_answers_it_says_to_press_reset(
    drive: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flash, "await_firmware", lambda port: (None, "nothing answers"))
    assert main(["flash", "--drive", str(drive), "bao-4x12"]) == 0
    assert "Press the board's reset" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["drive", "port"])
@pytest.mark.parametrize("word", ["", " "])
def test_an_empty_word_is_no_place(
    drive: Path, name: str, word: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(drive)
    before = tree(drive)
    assert main(["flash", f"--{name}={word}", "bao-4x12", *(["--drive", "."] if name == "port" else [])]) == 2
    assert f"--{name} is empty" in capsys.readouterr().err
    assert tree(drive) == before


def test_a_path_that_no_system_takes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["flash", "--drive", "a" * 300, "bao-4x12"]) == 1
    assert "cannot be looked at (File name too long)" in capsys.readouterr().err


def test_what_is_in_the_way_is_told_by_a_dry_run_too(drive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(drive / "code.py")
    before = sorted(drive.rglob("*"))
    for words in ([], ["--dry-run"]):
        assert main(["flash", "--drive", str(drive), "bao-4x12", *words]) == 1
        assert f"{drive}/code.py is a pipe, and a file belongs there" in capsys.readouterr().err
    assert sorted(drive.rglob("*")) == before


def test_somebody_elses_program_is_kept_and_named(
    drive: Path, capsys: pytest.CaptureFixture[str], device: LiveDevice
) -> None:
    (drive / "code.py").write_text("mine")
    assert main(["flash", "--drive", str(drive), "bao-4x12", "--dry-run"]) == 0
    line = "What is not Stonelight's is kept: before-stonelight/code.py"
    assert line in capsys.readouterr().out.splitlines()
    assert not (drive / "before-stonelight").exists()
    assert main(["flash", "--drive", str(drive), "bao-4x12", "--port", device.path]) == 0
    assert line in capsys.readouterr().out.splitlines()
    assert (drive / "before-stonelight" / "code.py").read_text() == "mine"


@pytest.mark.parametrize("board", ["{bad", '{"driver": "none"}'])
def test_a_board_with_which_the_firmware_cannot_start(
    drive: Path, board: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (drive / "board.json").write_text(board)
    before = tree(drive)
    assert main(["flash", "--drive", str(drive)]) == 1
    assert "name the board, such as: stonelight flash my-board.toml" in capsys.readouterr().err
    assert tree(drive) == before
    assert main(["flash", "--drive", str(drive), "bao-4x12", "--dry-run"]) == 0


@pytest.mark.parametrize(
    ("port", "why"),
    [
        ("/nonexist", "there is no port /nonexist"),
        ("/tmp", "/tmp is no serial port but a folder"),
        ("/dev/null", "/dev/null is a device but no serial port"),
        ("rfc2217://x:y", "'rfc2217://x:y' is no port"),
        ("socket://localhost:1", "nobody listens at"),
    ],
)
@pytest.mark.parametrize("more", [[], ["--dry-run"]])
def test_a_port_that_is_none_is_told_before_anything_is_copied(
    drive: Path, port: str, why: str, more: list[str], capsys: pytest.CaptureFixture[str], no_drive: None
) -> None:
    before = tree(drive)
    for place in (["--drive", str(drive)], []):
        assert main(["flash", *place, "--port", port, "bao-4x12", *more]) == 1
        said = capsys.readouterr().err
        assert why in said
        assert "Nothing was copied" in said
        assert "name its --port" not in said
    assert tree(drive) == before


def test_a_port_on_which_nothing_answers(drive: Path, no_drive: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["flash", "--port", "loop://", "bao-4x12"]) == 1
    said = capsys.readouterr().err
    assert "no drive is to be seen" in said
    assert "see why loop:// is of no use: " in said
    assert main(["flash", "--port", "loop://", "--drive", str(drive), "bao-4x12"]) == 1
    said, err = capsys.readouterr()
    assert "is on" in said
    assert "no board answers on loop://: " in err


@pytest.mark.parametrize(
    ("why", "words"),
    [(NO_PORT, "or name its --port\n"), ("it may not be opened", "see to its port (it may not be opened)")],
)
def test_why_a_board_that_was_looked_for_shows_no_drive(
    why: str, words: str, no_drive: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reflashing, "_answer", lambda *_: (None, why))
    assert main(["flash", "bao-4x12"]) == 1
    assert words in capsys.readouterr().err
    assert main(["flash", "bao-4x12", "--dry-run"]) == 1
    assert "without --dry-run the board itself is asked" in capsys.readouterr().err


def test_a_reader_who_has_gone_is_not_the_drives_fault(drive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*_: object, **__: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr("builtins.print", gone)
    (drive / "board.json").unlink(missing_ok=True)
    assert main(["flash", "--drive", str(drive), "bao-4x12"]) == 141
    assert (drive / "lib" / "stonelight.txt").is_file()
