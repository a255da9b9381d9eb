"""The command as a whole: finding commands, exit statuses, errors on the way out."""

import argparse
import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest

from controller.cli import games as games_command
from controller.cli.commands import COMMANDS
from controller.cli.main import HINT, main

ROOT = Path(__file__).parents[3]
STANDARD = sys.stdlib_module_names | {"controller", "__main__"}


def stonelight(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "controller", *words], capture_output=True, text=True, timeout=60, check=False, cwd=ROOT
    )


def behave(monkeypatch: pytest.MonkeyPatch, run: Callable[[argparse.Namespace], int]) -> None:
    """Let the command `games` do something else."""
    monkeypatch.setattr(games_command, "run", run)


def test_without_a_command_there_is_help_and_a_hint(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    out = capsys.readouterr().out
    assert out.endswith(f"{HINT}\n")
    words = " ".join(out.split())
    for command in COMMANDS:
        assert f"{command.name} {command.help}" in words


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_explains_itself(command: object, capsys: pytest.CaptureFixture[str]) -> None:
    name = getattr(command, "name", "")
    assert main([name, "--help"]) == 0
    assert f"stonelight {name}" in capsys.readouterr().out


def test_the_version_is_that_of_the_installed_distribution(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"stonelight {version('stonelight')}\n"


@pytest.mark.parametrize("words", [["nonesuch"], ["--nonesuch"], ["rules"], ["perft", "bamogo"], ["replay"]])
def test_wrong_words_are_a_usage_error(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "usage: stonelight" in captured.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["play", "bamogo", "--seed", "x"], "argument --seed: 'x' is no whole number: write it in digits, such as 8"),
        (["doctor", "--http-port", "8OOO"], "argument --http-port: '8OOO' is no whole number"),
        (["dump", "--port", "auto", "--seconds", "1,5"], "argument --seconds: '1,5' is no number: write it in digits"),
    ],
)
def test_a_word_that_is_no_number_says_what_to_write(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert said in capsys.readouterr().err


def test_an_interrupted_command_ends_quietly_with_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_: argparse.Namespace) -> int:
        raise KeyboardInterrupt

    behave(monkeypatch, interrupted)
    assert main(["games"]) == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("words", [["--verbose", "games"], ["games", "--verbose"]])
def test_verbose_shows_the_log_while_the_command_runs(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def talking(_: argparse.Namespace) -> int:
        logging.getLogger("controller.somewhere").debug("cell %s", "a1")
        return 0

    root = logging.getLogger()
    before = root.level, list(root.handlers)
    behave(monkeypatch, talking)
    assert main(words) == 0
    assert "DEBUG controller.somewhere: cell a1" in capsys.readouterr().err
    assert (root.level, list(root.handlers)) == before
    assert main(["games"]) == 0
    assert capsys.readouterr().err == ""


def test_help_loads_no_command_and_nothing_but_the_standard_library() -> None:
    code = (
        "import sys; before = set(sys.modules); from controller.cli.main import main; main(['--help'])\n"
        "print(*sorted(set(sys.modules) - before), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True, cwd=ROOT
    )
    loaded = done.stderr.split()
    assert {name.partition(".")[0] for name in loaded} <= STANDARD
    assert {name for name in loaded if name.startswith("controller.")} == {
        "controller.cli", "controller.cli.commands", "controller.cli.main", "controller.cli.status",
    }  # fmt: skip
    assert not {"asyncio", "importlib.metadata"} & set(loaded)


def test_a_reader_that_leaves_early_is_no_error() -> None:
    # Unbuffered, nothing would be left to flush at the end of the process, where the trouble is.
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with subprocess.Popen(
        [sys.executable, "-m", "controller", "perft", "bamogo", "--depth", "2", "--divide"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env=buffered,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.wait(timeout=60) == 141
        assert process.stderr.read() == b""


def test_the_process_prints_the_count_and_nothing_else() -> None:
    done = stonelight("perft", "bamogo", "--depth", "2")
    assert (done.returncode, done.stdout, done.stderr) == (0, "16272\n", "")


def test_the_process_reports_a_bad_record_with_1(tmp_path: Path) -> None:
    file = tmp_path / "bad.pgn"
    file.write_text('[Game "bamogo"]\n\n1. a1~b1\n')
    done = stonelight("replay", str(file), "--json")
    assert done.returncode == 1
    assert [json.loads(line)["ply"] for line in done.stdout.splitlines()] == [0, 1]
