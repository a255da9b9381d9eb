"""``stonelight dump``: what it keeps of what passes and when, what it never replaces, what of a file is lost on it."""

import errno
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.app.listening import Passing
from controller.app.loop import clock
from controller.cli import dump
from controller.cli.main import main
from hardware.board_plan import board_plan
from hardware.profile import load_profile
from hardware.wire_dump import FROM_CONTROLLER, FROM_DEVICE, trace_of, trace_rows
from simulator.device_live import LiveDevice

ROOT = Path(__file__).parents[3]
BEAT = bytes.fromhex(
    next(line for line in (ROOT / "tests/golden/wire.txt").read_text().splitlines() if line.startswith("beat |")).split(
        " | "
    )[2]
)
NOWHERE = "/dev/no-such-port"
needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has an output without room")


@pytest.fixture
def device() -> Iterator[LiveDevice]:
    live = LiveDevice(board_plan(load_profile("exago-5-reeds")), clock)
    yield live
    live.unplug()


def rows(path: Path) -> int:
    trace = trace_of(path.read_bytes())
    return 0 if trace is None else len(trace.rows)


# --- the file of --save -----------------------------------------------------------------------------------------------


def test_a_file_that_is_there_stays_whatever_the_port(
    device: LiveDevice, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep = tmp_path / "keep"
    keep.write_text("precious\n")
    for port in (NOWHERE, device.path):
        assert main(["dump", "--port", port, "--save", str(keep), "--seconds", "0.1"]) == 2
        assert capsys.readouterr().err == (
            f"stonelight: --save {keep}: the file is there already: remove it, or name another\n"
        )
    assert keep.read_text() == "precious\n"


def test_no_file_is_made_where_nothing_passes(tmp_path: Path) -> None:
    saved = tmp_path / "capture"
    assert main(["dump", "--port", NOWHERE, "--save", str(saved), "--seconds", "0.1"]) == 1
    assert not saved.exists()


def test_an_empty_file_is_taken(device: LiveDevice, tmp_path: Path) -> None:
    saved = tmp_path / "capture"
    saved.touch()
    assert main(["dump", "--port", device.path, "--save", str(saved), "--seconds", "0.2"]) == 0
    assert rows(saved)


def test_what_came_into_the_file_meanwhile_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved = tmp_path / "capture"

    def passes(_port: object, passing: Passing, _news: object, *, for_ms: int | None) -> None:
        saved.write_text("# of another\n")
        passing(0.0, FROM_DEVICE, BEAT)

    monkeypatch.setattr(dump, "listen_in", passes)
    main(["dump", "--port", "auto", "--save", str(saved)])
    assert saved.read_text().startswith("# of another\n")
    assert rows(saved)


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("a" * 300, "no such file can be written (File name too long)"),
        ("nul\0", "no such file can be written (embedded null byte)"),
        (".", "this is a folder: name a file"),
        ("no-such-folder/capture", "there is no folder no-such-folder"),
        (" ", "--save is empty: name a file, or leave it out"),
    ],
)
def test_files_that_cannot_be_are_told_at_once(
    file: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(dump, "listen_in", lambda *_, **__: pytest.fail("the port is not asked"))
    assert main(["dump", "--port", NOWHERE, "--save", file]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


@needs_full
def test_a_file_without_room_is_named_and_the_port_is_not_blamed(
    device: LiveDevice, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["dump", "--port", device.path, "--save", "/dev/full", "--seconds", "5"]) == 1
    assert capsys.readouterr().err == (
        "stonelight: the file of --save, /dev/full, cannot be written: No space left on device\n"
    )


def test_a_file_that_takes_little_at_a_time_is_written_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved = tmp_path / "capture"

    class Slow:
        """A file with room for 100 bytes, of which each write takes 7."""

        def __init__(self) -> None:
            self.taken = b""

        def write(self, data: bytes) -> int:
            if len(self.taken) >= 100:
                raise OSError(errno.ENOSPC, "No space left on device")
            self.taken += data[:7]
            return len(data[:7])

        def close(self) -> None:
            """Nothing is to be let go of."""

    slow = Slow()
    monkeypatch.setattr(Path, "open", lambda *_, **__: slow)
    capture = dump._Capture(saved)
    text = "".join(f"{row}\n" for row in trace_rows(1.0, FROM_CONTROLLER, BEAT))
    capture.keep(text)
    assert slow.taken.decode() == text
    with pytest.raises(dump._UnwritableError):
        capture.keep(text)


# --- how it ends ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGINT])
def test_what_has_passed_is_kept_however_it_ends(number: signal.Signals, device: LiveDevice, tmp_path: Path) -> None:
    saved = tmp_path / "capture"
    words = ["dump", "--port", device.path, "--save", str(saved)]
    process = subprocess.Popen(
        [sys.executable, "-m", "controller", *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stderr is not None
        for output, awaited in ((process.stderr, "the board answers"), (process.stdout, "SNAPSHOT")):
            while awaited not in (line := output.readline()):
                assert line
        process.send_signal(number)
        _, err = process.communicate(timeout=30)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == (-number if number == signal.SIGKILL else 0)
    assert "Traceback" not in err
    trace = trace_of(saved.read_bytes())
    assert trace is not None
    assert len(trace.rows) > 3
    assert trace.strays == ()


# --- files ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "{} is empty: nothing was captured in it"),
        (bytes(4000), "{} holds no frame and no noise: nothing was captured in it"),
        (b"000005.200 RTS  active\n", "{} holds no frame and no noise: nothing was captured in it"),
    ],
)
def test_a_file_with_nothing_in_it_is_told(
    data: bytes, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "capture"
    file.write_bytes(data)
    assert main(["dump", str(file)]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == f"stonelight: {said.format(file)}\n"


def test_lines_that_are_no_rows_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "capture"
    row = next(trace_rows(4.0, FROM_DEVICE, BEAT))
    file.write_text(f"{row}\njunk line\n000005.2 RX 0000 zz\n{row}\n")
    assert main(["dump", str(file)]) == 0
    printed = capsys.readouterr()
    assert len(printed.out.splitlines()) == 2
    assert printed.err == (f"stonelight: {file}: 2 lines are no row of a capture and left out; the first is line 2\n")
    file.write_text(f"{row}\njunk line\n")
    assert main(["dump", str(file)]) == 0
    assert capsys.readouterr().err == (
        f"stonelight: {file}: 1 line is no row of a capture and left out; it is line 2\n"
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["dump", ""], "an empty word names no file: give the path of a capture"),
        (["dump", "--port", "", "--seconds", "0.1"], "--port is empty: give a path such as /dev/ttyACM1, or 'auto'"),
        (["dump", "a" * 300], "File name too long"),
        (["dump", "nul\0"], "cannot be read: embedded null byte"),
    ],
)
def test_words_that_name_nothing(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_the_file_of_save_may_be_a_device_or_a_pipe(device: LiveDevice, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert main(["dump", "--port", device.path, "--save", str(pipe), "--seconds", "0.2"]) == 0
        assert trace_of(os.read(reader, 65536)) is not None
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert main(["dump", "--port", device.path, "--save", os.devnull, "--seconds", "0.2"]) == 0


def test_who_listens_where_nobody_is_hears_that_it_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dump", "--port", "/dev/no-such-port", "--seconds", "0.3"]) == 1
    said = capsys.readouterr().err
    assert "there is no port /dev/no-such-port" in said
    assert said.count("listening goes on, in case that changes; it ends after 0.3 s") == 1
