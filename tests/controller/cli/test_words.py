"""Words that several commands take alike: ports that there are not, paths that cannot be, and empty words."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from controller.cli.main import main
from hardware.profile import ProfileError, load_profile, profile_text

ROOT = Path(__file__).parents[3]
LONG = "a" * 300
NO_PORTS = ("-1", "0", "65536", "99999999")
OF_A_PAGE = (["monitor"], ["lights"], ["bug-report"], ["doctor"])
REPORT = '{"stonelight-report": 1}\n'


def refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Return the one line with which a command refuses its words."""
    assert main(words) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    return printed.err


@pytest.mark.parametrize("port", NO_PORTS)
@pytest.mark.parametrize("words", OF_A_PAGE, ids=" ".join)
def test_a_page_is_on_a_port_that_there_is(words: list[str], port: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"--http-port {port}: a port is a number from 1 to 65535" in refused([*words, "--http-port", port], capsys)


@pytest.mark.parametrize("port", ["-1", "65536", "99999999"])
def test_play_takes_any_port_that_is_free_and_none_that_there_is_not(
    port: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "a port is a number from 0 to 65535" in refused(["play", "exago", "--http-port", port], capsys)


@pytest.mark.parametrize(
    "command",
    [
        ["doctor", "{}"],
        ["monitor", "--board", "{}"],
        ["wiring", "{}"],
        ["play", "exago", "--board", "{}"],
        ["lights", "--off", "--board", "{}"],
        ["install-service", "--print", "{}"],
        ["rehearse", "{}"],
        ["replay", "{}"],
        ["dump", "{}"],
        ["bug-report", "--output", "{}"],
    ],
    ids=lambda words: words[0],
)
@pytest.mark.parametrize(
    ("path", "said"),
    [
        (LONG, ("cannot be read: File name too long", "cannot be written: File name too long")),
        (f"{LONG}/b.toml", ("cannot be read: File name too long", "cannot be written: File name too long")),
        ("nul\0.toml", ("cannot be read: embedded null byte", "cannot be written: embedded null byte")),
        ("", ("is empty: ", "an empty word names no file")),
    ],
    ids=["long", "long folder", "nul", "empty"],
)
def test_paths_that_cannot_be(
    command: list[str], path: str, said: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    err = refused([word.format(path) for word in command], capsys)
    assert any(words in err for words in said), err


@pytest.mark.parametrize(("path", "status"), [(LONG, 1), ("nul\0", 1), ("", 2)], ids=["long", "nul", "empty"])
def test_drawings_that_cannot_be(path: str, status: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["wiring", "bao-4x12", "--svg", path]) == status
    assert capsys.readouterr().err.count("\n") == 1


def test_a_board_below_a_file_is_one_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert "there is no board profile" in refused(["wiring", f"{tmp_path}/file/a.toml"], capsys)


def test_a_profile_whose_calibration_would_have_too_long_a_name_is_read(tmp_path: Path) -> None:
    longest = tmp_path / ("a" * (255 - len(".toml")) + ".toml")
    longest.write_text(profile_text("bao-4x12"))
    assert load_profile(longest).cell_names() == load_profile("bao-4x12").cell_names()
    with pytest.raises(ProfileError, match="embedded null byte"):
        load_profile("nul\0.toml")


@pytest.mark.parametrize("command", ["doctor", "monitor", "calibrate", "install-service"])
@pytest.mark.parametrize("option", ["--port", "--board"])
@pytest.mark.parametrize("board", [[], ["--board", "exago-5-reeds"]], ids=["no board", "board"])
def test_words_that_are_empty_are_refused(
    command: str, option: str, board: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert f"{option} is empty: give a" in refused([command, *board, option, ""], capsys)


@pytest.mark.parametrize("option", ["--brightness", "--palette"])
def test_lights_are_told_no_empty_choice(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"{option} is empty: give a value" in refused(["lights", option, ""], capsys)


# --- the report -------------------------------------------------------------------------------------------------------


class _Game(BaseHTTPRequestHandler):
    """Answers as a running game does that is asked for its report."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(REPORT.encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], int]:
    """Run ``bug-report`` on a running game, for a file in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(output: str) -> int:
        with HTTPServer(("127.0.0.1", 0), _Game) as server:
            asked = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
            asked.start()
            try:
                return main(["bug-report", "--http-port", str(server.server_port), "--output", output])
            finally:
                server.shutdown()
                asked.join()

    return run


def test_a_report_replaces_an_earlier_one_and_nothing_else(
    report: Callable[[str], int], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("precious").write_text("precious\n")
    assert report("precious") == 2
    assert capsys.readouterr().err == (
        "stonelight: precious is there already and is no report: name another file with --output\n"
    )
    assert Path("precious").read_text() == "precious\n"
    assert report(".") == 2
    assert report(os.devnull) == 0
    Path("empty").touch()
    for output in ("new", "new", "empty"):
        assert report(output) == 0
        assert Path(output).read_text() == REPORT


# --- the end of a monitor ---------------------------------------------------------------------------------------------


def test_the_monitor_is_ended_by_sigterm_as_by_ctrl_c() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "controller", "monitor", "bao-4x12", "--sim"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=30)
    finally:
        process.kill()
        process.wait()
    assert (process.returncode, err) == (0, b"")
