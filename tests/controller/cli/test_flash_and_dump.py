"""``stonelight flash`` and ``stonelight dump``: onto a folder, from a capture, and with a board that answers."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.app.listening import listen_in
from controller.app.loop import clock
from controller.cli import dump, flash
from controller.cli.main import main
from hardware.board_plan import board_plan
from hardware.flashing import firmware_version
from hardware.profile import load_profile
from hardware.wire_dump import trace_of
from simulator.device_live import LiveDevice

GOLDEN = Path(__file__).parents[2] / "golden" / "wire.txt"
FRAMES = [bytes.fromhex(line.split(" | ")[2]) for line in GOLDEN.read_text().splitlines() if not line.startswith("#")]


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    (tmp_path / "boot_out.txt").write_text("Adafruit CircuitPython 9.2.1 on 2026-01-08; Raspberry Pi Pico\n")
    return tmp_path


@pytest.fixture
def device() -> Iterator[LiveDevice]:
    live = LiveDevice(board_plan(load_profile("exago-5-reeds")), clock)
    yield live
    live.unplug()


def test_flash_copies_and_hears_the_version(
    drive: Path, device: LiveDevice, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["flash", "--drive", str(drive), "--board", "exago-5-reeds", "--port", device.path]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[-1] == f"The board has restarted and runs firmware {firmware_version()}."
    assert (drive / "code.py").is_file()
    assert main(["flash", "--drive", str(drive), "--port", device.path]) == 0  # the board that is there is kept
    assert " 0 files written" in capsys.readouterr().out


def test_a_dry_run_writes_nothing(drive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(drive.rglob("*"))
    assert main(["flash", "--drive", str(drive), "--board", "bao-4x12", "--dry-run"]) == 0
    out = capsys.readouterr().out
    assert "would be copied" in out
    assert "  new      lib/wire.py" in out
    assert sorted(drive.rglob("*")) == before


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["flash", "--drive", "/no/such/place", "--board", "bao-4x12"], 1, "there is no folder /no/such/place"),
        (["flash", "--board", "mat-16x16"], 1, "no micro-controller to flash"),
        (["flash", "--board", "no-such-board"], 2, "there is no board profile no-such-board"),
        (["dump"], 2, "either a file or --port"),
        (["dump", "x", "--port", "auto"], 2, "either a file or --port"),
        (["dump", "x", "--save", "y"], 2, "go with --port"),
        (["dump", "--port", "auto", "--seconds", "nan"], 2, "--seconds nan: give more than 0"),
        (["dump", "--port", "auto", "--seconds", "0"], 2, "--seconds 0: give more than 0"),
        (["dump", "--port", "/dev/null", "--seconds", "0.1"], 1, "no serial port"),
        (["dump", "/no/such/capture"], 2, "no file /no/such/capture: give the path of a capture"),
        (["dump", "/tmp"], 2, "/tmp is a directory: give the path of a capture"),
    ],
)
def test_mistakes(words: list[str], status: int, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == status
    assert said in capsys.readouterr().err


def test_flash_wants_to_know_the_board_of_a_new_one(drive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["flash", "--drive", str(drive)]) == 2
    assert "say which, such as: stonelight flash my-board.toml" in capsys.readouterr().err


def test_dump_of_a_capture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "capture").write_bytes(b"".join(FRAMES))
    assert main(["dump", str(tmp_path / "capture")]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(FRAMES)


def test_dump_live_and_of_what_it_saved_are_the_same(
    device: LiveDevice, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = tmp_path / "capture"
    assert main(["dump", "--port", device.path, "--save", str(saved), "--seconds", "0.4"]) == 0
    live = capsys.readouterr()
    assert "the board answers" in live.err
    assert main(["dump", str(saved)]) == 0
    again = capsys.readouterr().out
    assert sorted(again.splitlines()) == sorted(live.out.splitlines())
    kinds = {line.split()[2] for line in again.splitlines()}
    assert {"OPEN", "HELLO", "SNAPSHOT", "BEAT"} <= kinds
    assert {line[0] for line in again.splitlines()} == {"<", ">"}
    trace = trace_of(saved.read_bytes())
    assert trace is not None
    assert trace.rows


def test_dump_ends_with_ctrl_c_and_keeps_what_it_saved(
    device: LiveDevice, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = tmp_path / "capture"

    def ended(port: str | None, passing: Any, news: Any, *, for_ms: int | None) -> None:
        assert for_ms is None
        listen_in(port, passing, news, for_ms=300)
        raise KeyboardInterrupt

    monkeypatch.setattr(dump, "listen_in", ended)
    assert main(["dump", "--port", device.path, "--save", str(saved)]) == 0
    assert "HELLO" in capsys.readouterr().out
    trace = trace_of(saved.read_bytes())
    assert trace is not None
    assert trace.rows


def test_flash_that_is_interrupted_says_to_run_it_again(
    drive: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(flash, "copy", interrupted)
    assert main(["flash", "--drive", str(drive), "--board", "bao-4x12"]) == 130
    assert "run 'stonelight flash' again" in capsys.readouterr().err
