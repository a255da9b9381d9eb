"""A system without the modules that only Unix has: what works there goes on, and the rest says so in one line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from controller.cli.commands import COMMANDS
from controller.cli.main import main

ROOT = Path(__file__).parents[3]
NARROW = """
import asyncio, getpass, serial, serial.tools.list_ports, subprocess, sys
# What a library of the standard library or pyserial itself does about its own system is their affair.
for name in ("fcntl", "grp", "pty", "pwd", "termios", "tty"):
    sys.modules[name] = None
"""
"""Takes away what Windows has not."""


def narrow(code: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", NARROW + code], capture_output=True, text=True, timeout=60, check=False, cwd=ROOT
    )


def test_commands_that_need_no_unix_load_without_it() -> None:
    done = narrow(
        "from controller.cli.commands import COMMANDS\nfor command in COMMANDS:\n    command.unix or command.load()\n"
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("command", [command for command in COMMANDS if command.unix], ids=lambda each: each.name)
def test_commands_that_need_unix_say_so(
    command: object, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = getattr(command, "name", "")
    monkeypatch.setattr(os, "name", "nt")
    assert main([name]) == 2
    assert capsys.readouterr().err == (
        f"stonelight: 'stonelight {name}' needs Linux or macOS; on Windows use WSL, the Windows Subsystem for Linux\n"
    )


def test_games_records_and_rehearsals_work_without_unix(tmp_path: Path) -> None:
    script = tmp_path / "script.txt"
    script.write_text("game bamogo\nboard sense=colour\nplay Ra1 Bb1\nexpect moves 1\n")
    for words in (["games"], ["perft", "bamogo", "--depth", "1"], ["rehearse", str(script)], ["wiring", "bao-4x12"]):
        done = narrow(f"from controller.cli.main import main\nsys.exit(main({words!r}))\n")
        assert (done.returncode, done.stderr) == (0, ""), words
        assert done.stdout


def test_a_serial_board_there_is_refused_with_the_way_out() -> None:
    done = narrow(
        "from hardware.serial_board import SerialBoard\n"
        "from hardware.ports import DeviceError\n"
        "from hardware.serial_port import open_channel\n"
        "try:\n    open_channel('COM3')\nexcept DeviceError as error:\n    print(error)\n"
    )
    assert done.stderr == ""
    assert done.stdout.startswith("a board with a micro-controller needs Linux or macOS")
    assert "WSL" in done.stdout
