"""``stonelight play`` with a board behind a serial port: from start to dark lights, and what is said of mistakes."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from controller.app.loop import clock
from controller.cli.main import main
from hardware.board_plan import board_plan
from hardware.profile import load_profile
from simulator.device_live import LiveDevice

ROOT = Path(__file__).parents[3]
DARK = bytes(3 * 115)


def test_a_game_is_served_and_the_board_is_dark_at_the_end() -> None:
    device = LiveDevice(board_plan(load_profile("exago-5-reeds")), clock)
    words = ["play", "exago", "--board", "exago-5-reeds", "--port", device.path, "--http-port", "0", "--no-browser"]
    process = subprocess.Popen(
        [sys.executable, "-m", "controller", *words, "--host", "127.0.0.1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={key: value for key, value in os.environ.items() if key not in {"DISPLAY", "WAYLAND_DISPLAY"}},
    )
    try:
        assert process.stdout is not None
        first, address = process.stdout.readline(), process.stdout.readline()
        assert "on the board 'Exago, radius 5, reed switches on a Pico'" in first
        assert address.startswith("http://127.0.0.1:")
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=30)
        assert (process.returncode, err) == (0, "")
        deadline = clock() + 10_000
        while device.shown != DARK and clock() < deadline:
            select.select([], [], [], 0.01)  # long chains show 30 frames a second
        assert device.shown == DARK
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
        device.unplug()


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--port", "/dev/ttyACM0"], 2, "say which board is there with --board"),
        (["--board", "exago-5-registers", "--port", "/dev/ttyACM0"], 2, "has no micro-controller"),
        (["--board", "exago-5-reeds", "--port", "/dev/no-such-port"], 1, "there is no port /dev/no-such-port"),
        (["--board", "exago-5-reeds", "--port", "nonsense://x"], 1, "is no port"),
    ],
)
def test_mistakes(words: list[str], status: int, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "exago", *words]) == status
    assert said in capsys.readouterr().err
