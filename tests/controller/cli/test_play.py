"""``stonelight play``: as a process of its own, and what is said of words that make no sense."""

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.cli.main import main

ROOT = Path(__file__).parents[3]
DEADLINE = 30.0


class Playing:
    """A ``stonelight play`` that runs until it is told to end."""

    def __init__(self, *words: str) -> None:
        environment = {key: value for key, value in os.environ.items() if key not in {"DISPLAY", "WAYLAND_DISPLAY"}}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "controller", "play", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=environment,
        )

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().rstrip("\n")

    def end(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """Send the signal; return the exit status and what was written to the error output."""
        self.process.send_signal(number)
        _, err = self.process.communicate(timeout=DEADLINE)
        return self.process.returncode, err


@pytest.fixture
def playing() -> Iterator[list[Playing]]:
    """What was started here, so that nothing outlives its test."""
    started: list[Playing] = []
    yield started
    for each in started:
        if each.process.poll() is None:
            each.process.kill()
            each.process.wait(DEADLINE)
        for pipe in (each.process.stdout, each.process.stderr):
            if pipe is not None:
                pipe.close()


@pytest.mark.parametrize(
    ("words", "board", "number"),
    [
        ((), "presence", signal.SIGTERM),
        (("--sense", "colour"), "colour", signal.SIGINT),
    ],
)
def test_it_says_where_to_play_serves_and_ends_quietly_on_a_signal(
    playing: list[Playing], words: tuple[str, ...], board: str, number: signal.Signals
) -> None:
    play = Playing("bamogo", "--http-port", "0", "--host", "127.0.0.1", "--no-browser", *words)
    playing.append(play)
    assert play.line() == f"Bamogo, on a simulated board that senses {board}. To play, open:"
    address = play.line()
    assert re.fullmatch(r"http://(localhost|127\.0\.0\.1):\d+/", address)
    assert play.line() == "Ctrl-C ends."
    with urllib.request.urlopen(address, timeout=DEADLINE) as answer:
        assert answer.status == 200
        assert b"Stonelight" in answer.read()
    assert play.end(number) == (0, "")


def test_a_port_that_is_taken_is_said_in_one_line(playing: list[Playing]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        play = Playing("bamogo", "--http-port", str(port), "--host", "127.0.0.1", "--no-browser")
        playing.append(play)
        out, err = play.process.communicate(timeout=DEADLINE)
    assert play.process.returncode == 1
    assert out == ""
    assert err.startswith("stonelight: ")
    assert err.count("\n") == 1
    assert str(port) in err


def test_a_real_board_without_a_pi_is_said_with_a_remedy(playing: list[Playing]) -> None:
    play = Playing("bamogo", "--board", "bamogo-4x4-presence", "--http-port", "0", "--no-browser")
    playing.append(play)
    out, err = play.process.communicate(timeout=DEADLINE)
    assert (play.process.returncode, out) == (1, "")
    assert err.startswith("stonelight: ")
    assert "Traceback" not in err
    assert len(err.splitlines()) == 1
    assert "Pi" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nosuch"], "nosuch"),
        ([], "GAME"),
        (["bamogo", "--players", "0"], "players"),
        (["bamogo", "--players", "x"], "players"),
        (["bamogo", "--set", "target=0"], "target"),
        (["bamogo", "--set", "colour=red"], "colour"),
        (["bamogo", "--http-port", "65536"], "a port is a number from 0 to 65535"),
        (["bamogo", "--http-port", "-1"], "a port is a number from 0 to 65535"),
        (["bamogo", "--http-port", "web"], "--http-port"),
        (["bamogo", "--sense", "smell"], "--sense"),
        (["bamogo", "--sense", "count"], "sense=presence or colour"),
        (["bamogo", "--board", "no-such-board"], "no board profile no-such-board"),
        (["bamogo", "--board", "bamogo-4x4-presence", "--sense", "colour"], "leave --sense out"),
        (["bamogo", "--seed", "luck"], "--seed"),
        (["bamogo", "--nonsense"], "--nonsense"),
    ],
)
def test_words_that_make_no_sense_are_status_2(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", *words]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert said in printed.err
    assert "Traceback" not in printed.err


def test_a_profile_that_cannot_be_read_is_status_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "board.toml"
    bad.write_text("name = [\n", encoding="utf-8")
    assert main(["play", "bamogo", "--board", str(bad)]) == 1
    assert "board.toml" in capsys.readouterr().err


def test_a_board_of_another_game_is_said_with_both_sizes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "exago", "--board", "bamogo-4x4-presence"]) == 1
    err = capsys.readouterr().err
    assert "a1 to d4 (16)" in err
    assert "exago needs" in err


def test_help_names_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--help"]) == 0
    out = capsys.readouterr().out
    for option in ("--players", "--set", "--sense", "--board", "--http-port", "--host", "--no-browser", "--seed"):
        assert option in out
