"""What the service manager is told."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.app.notify import READY, Supervisor

ROOT = Path(__file__).parents[3]


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[tuple[str, socket.socket]]:
    where = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(where)
        line.settimeout(30)
        yield where, line


def test_it_is_told_what_is_said(manager: tuple[str, socket.socket]) -> None:
    where, line = manager
    Supervisor({"NOTIFY_SOCKET": where}).say(READY)
    assert line.recv(100) == b"READY=1"


def test_a_name_without_a_file_is_understood() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(f"\0stonelight-test-{os.getpid()}")
        line.settimeout(30)
        Supervisor({"NOTIFY_SOCKET": f"@stonelight-test-{os.getpid()}"}).say(READY)
        assert line.recv(100) == b"READY=1"


def test_without_a_manager_nothing_happens(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    Supervisor({}).say(READY)
    assert not caplog.records
    Supervisor({"NOTIFY_SOCKET": str(tmp_path / "gone")}).say(READY)
    assert "cannot be told READY=1" in caplog.text


@pytest.mark.parametrize(
    ("environ", "watches"),
    [
        ({"NOTIFY_SOCKET": "/s", "WATCHDOG_USEC": "30000000"}, True),
        ({"NOTIFY_SOCKET": "/s", "WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(os.getpid())}, True),
        ({"NOTIFY_SOCKET": "/s", "WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"}, False),
        ({"NOTIFY_SOCKET": "/s"}, False),
        ({"NOTIFY_SOCKET": "/s", "WATCHDOG_USEC": "soon"}, False),
        ({"NOTIFY_SOCKET": "/s", "WATCHDOG_USEC": "0"}, False),
        ({"WATCHDOG_USEC": "30000000"}, False),
    ],
)
def test_it_beats_only_where_somebody_listens(environ: dict[str, str], watches: bool) -> None:
    assert Supervisor(environ).watches is watches


def test_the_loop_beats_at_half_the_time(manager: tuple[str, socket.socket], monkeypatch: pytest.MonkeyPatch) -> None:
    where, line = manager
    waits: list[float] = []

    async def wait(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 3:
            raise asyncio.CancelledError

    monkeypatch.setattr(asyncio, "sleep", wait)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(Supervisor({"NOTIFY_SOCKET": where, "WATCHDOG_USEC": "30000000"}).beat())
    assert waits == [15.0] * 3
    assert [line.recv(100) for _ in waits] == [b"WATCHDOG=1"] * 3


def test_play_tells_when_it_is_ready_alive_and_ends(manager: tuple[str, socket.socket]) -> None:
    where, line = manager
    environment = {**os.environ, "NOTIFY_SOCKET": where, "WATCHDOG_USEC": "20000000"}
    environment.pop("DISPLAY", None)
    words = ("play", "bamogo", "--http-port", "0", "--host", "127.0.0.1", "--no-browser")
    with subprocess.Popen(
        [sys.executable, "-m", "controller", *words], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL
    ) as process:
        try:
            assert line.recv(100) == b"READY=1"
            assert line.recv(100) == b"WATCHDOG=1"
            process.send_signal(signal.SIGTERM)
            assert line.recv(100) == b"STOPPING=1"
            assert process.wait(30) == 0
        finally:
            if process.poll() is None:
                process.kill()
