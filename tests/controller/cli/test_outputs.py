"""Outputs that nobody reads, that were closed from the beginning, or that have no room: no command makes a noise."""

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.app.loop import clock
from controller.cli.main import main
from hardware.board_plan import board_plan
from hardware.profile import load_profile
from simulator.device_live import LiveDevice

ROOT = Path(__file__).parents[3]
RECORD = str(ROOT / "tests" / "golden" / "bamogo-alone.pgn")
BOARD = "bamogo-4x4-presence"
PRINTING = (
    ["--version"],
    ["games"],
    ["rules", "bamogo"],
    ["perft", "bamogo", "--depth", "1", "--divide"],
    ["replay", RECORD],
    ["replay", "--json", RECORD],
    ["rehearse", "script.txt"],
    ["rehearse", "script.txt", "--json", "--frames"],
    ["wiring", BOARD],
    ["wiring", BOARD, "--svg", "-"],
    ["doctor", BOARD, "--sim", "--http-port", "8999"],
    ["doctor", BOARD, "--sim", "--json", "--http-port", "8999"],
    ["calibrate", "mine.toml", "--sim"],
    ["monitor", BOARD, "--sim", "--once"],
    ["install-service", "--print"],
    ["dump", "script.txt"],
    ["setup", "yours.toml", "--game", "bamogo", "--defaults"],
)
UNHEARD = 141


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("script.txt").write_text("game exago\nplay f6\nplay f7\n")
    assert main(["setup", "mine.toml", "--game", "bamogo", "--defaults"]) == 0
    capsys.readouterr()


@pytest.fixture
def unread() -> Iterator[io.TextIOWrapper]:
    """An output whose reader has gone, and which passes on each line, as at a terminal."""
    read, write = os.pipe()
    os.close(read)
    output = io.TextIOWrapper(io.FileIO(write, "w"), encoding="utf-8", line_buffering=True, write_through=True)
    yield output
    output.close()


@pytest.mark.parametrize("words", PRINTING, ids=" ".join)
def test_a_reader_that_has_gone_is_no_trouble(
    words: list[str],
    unread: io.TextIOWrapper,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "stdout", unread)
    assert main(words) == UNHEARD
    unread.write("and nothing fails afterwards\n")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("words", PRINTING, ids=" ".join)
def test_an_output_that_was_closed_is_no_trouble(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert main(words) == 0
    assert sys.stdout is None
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("command", "status", "said"),
    [
        ("games >&-", 0, ""),
        ("replay --json no-record 2>&-", 2, ""),
        ("replay --json - <&-", 1, "the record names no game"),
        ("play bamogo --terminal >&-", 2, "--terminal needs an input and an output"),
    ],
)
def test_a_process_without_an_input_or_an_output(command: str, status: int, said: str) -> None:
    line = f"cd {ROOT} && exec {sys.executable} -m controller {command}"
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == status
    assert "Traceback" not in done.stderr
    assert said in done.stdout + done.stderr
    assert said or (done.stdout, done.stderr) == ("", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has an output without room")
def test_an_output_without_room_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Path("/dev/full").open("w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert main(["games"]) == 1
    assert capsys.readouterr().err == "stonelight: the output cannot be written: No space left on device\n"


def test_a_live_dump_ends_when_its_reader_goes_and_takes_it_for_no_trouble_of_the_port(
    unread: io.TextIOWrapper, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", unread)
    device = LiveDevice(board_plan(load_profile("exago-5-reeds")), clock)
    try:
        assert main(["dump", "--port", device.path, "--seconds", "20"]) == UNHEARD
    finally:
        device.unplug()
    assert capsys.readouterr().err == ""
