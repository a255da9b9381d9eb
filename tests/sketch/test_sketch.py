"""The C sketch of docs/sketch: compiled here, against the golden vectors, and in a session with the link."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardware.link import Link
from hardware.link_events import Button, Cause, Down, Laid, LinkEvent, Up, Wanted
from hardware.ports import CellChange, Sensing

HERE = Path(__file__).parent
SKETCH = HERE.parents[1] / "docs" / "sketch" / "board.ino"
VECTORS = [
    line.split(" | ") for line in (HERE.parent / "golden" / "wire.txt").read_text().splitlines() if line[0] != "#"
]
GCC = shutil.which("gcc")
pytestmark = pytest.mark.skipif(GCC is None, reason="there is no gcc here")
WARNINGS = ["-Wall", "-Wextra", "-Werror", "-O1"]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> str:
    out = tmp_path_factory.mktemp("sketch") / "host"
    assert GCC is not None
    command = [GCC, "-std=c99", "-D_GNU_SOURCE", *WARNINGS, str(HERE / "host.c"), "-o", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return str(out)


def test_it_is_short_and_cpp_too() -> None:
    """Arduino compiles it as C++."""
    lines = SKETCH.read_text().splitlines()
    assert len(lines) <= 260
    assert max(map(len, lines)) <= 120
    assert GCC is not None
    command = [GCC, "-x", "c++", "-fsyntax-only", *WARNINGS, str(SKETCH)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "cc1plus" in done.stderr:
        pytest.skip("gcc has no C++ here")
    assert done.returncode == 0, done.stderr


def test_golden_vectors_both_ways(program: str) -> None:
    given = "".join(f"{payload} {frame}\n" for _, payload, frame, *_ in VECTORS)
    done = subprocess.run([program, "vectors"], input=given, capture_output=True, text=True, check=True)
    rows = [line.split(" ") for line in done.stdout.splitlines()]
    assert len(rows) == len(VECTORS)
    for (name, payload, frame, *_), (sealed, opened) in zip(VECTORS, rows, strict=True):
        assert sealed == frame, name
        assert opened == payload, name


def test_a_damaged_frame_is_none(program: str) -> None:
    frame = bytearray.fromhex(VECTORS[0][2])
    given = ""
    for k in range(len(frame) - 1):
        bad = bytes(frame[:k]) + bytes((frame[k] ^ 0x10 or 1,)) + bytes(frame[k + 1 :])
        given += f"00 {bad.hex()}\n"
    done = subprocess.run([program, "vectors"], input=given, capture_output=True, text=True, check=True)
    assert [line.split(" ")[1] for line in done.stdout.splitlines()] == [""] * (len(frame) - 1)


class Desk:
    """The sketch in lock-step with a link."""

    def __init__(self, program: str, wanted: Wanted) -> None:
        self.to_device, self.from_device = os.pipe(), os.pipe()
        self.orders, self.answers = os.pipe(), os.pipe()
        os.set_blocking(self.to_device[0], False)
        inner = (self.to_device[0], self.from_device[1], self.orders[0], self.answers[1])
        command = [program, "device", str(inner[2]), str(inner[3])]
        self.process = subprocess.Popen(command, stdin=inner[0], stdout=inner[1], pass_fds=inner[2:])
        for fd in inner:
            os.close(fd)
        self.said = os.fdopen(self.answers[0], "r")
        self.link = Link(wanted, nonce=5)
        self.link.begin(0)
        self.now = 0
        self.contacts = 0
        self.pixels = b""
        self.lose: Callable[[bytes], bytes] = lambda data: data

    def run(self, until: int, *, deaf: bool = False) -> list[LinkEvent]:
        events: list[LinkEvent] = []
        while self.now < until:
            out = self.link.outgoing()
            if out and not deaf:
                os.write(self.to_device[1], out)
            os.write(self.orders[1], f"{self.now} {self.contacts}\n".encode())
            written, pixels = self.said.readline().split()
            self.pixels = bytes.fromhex(pixels)
            data = b""
            while len(data) < int(written):
                data += os.read(self.from_device[0], int(written) - len(data))
            events += self.link.receive(self.now, self.lose(data)) + self.link.tick(self.now)
            self.now += 5
        return events

    def close(self) -> None:
        os.close(self.orders[1])
        self.process.wait(10)
        self.said.close()
        os.close(self.to_device[1])
        os.close(self.from_device[0])


WANTED = Wanted(cells=4, sensing=Sensing.PRESENCE, pixels=8, channels=3)


@pytest.fixture
def desk(program: str) -> Iterator[Desk]:
    desk = Desk(program, WANTED)
    yield desk
    desk.close()


def test_a_session(desk: Desk) -> None:
    up, laid = desk.run(100)
    assert isinstance(up, Up)
    assert (up.hello.board, up.hello.identity, up.hello.buttons) == ("first", "sketch-1", ("ok",))
    assert isinstance(laid, Laid)
    assert laid.readings == (0, 0, 0, 0)
    desk.contacts = 0b10100
    moved, button = desk.run(200)
    assert isinstance(moved, CellChange)
    assert moved[:2] == (2, 1)
    assert 95 <= moved.at <= 115
    assert isinstance(button, Button)
    assert (button.name, button.down) == ("ok", True)
    frame = bytes(range(24))
    desk.link.light(desk.now, frame)
    desk.run(300)
    assert desk.pixels == frame
    assert desk.run(5000) == []


def test_messages_that_get_lost_come_again(desk: Desk) -> None:
    desk.run(300)
    desk.lose = lambda data: b""
    desk.contacts = 1
    assert [event for event in desk.run(500) if isinstance(event, CellChange)] == []
    desk.lose = lambda data: data
    assert [event[:2] for event in desk.run(1500) if isinstance(event, CellChange)] == [(0, 1)]
    assert desk.run(3000) == []


def test_noise_on_the_way_changes_nothing(desk: Desk) -> None:
    desk.run(300)
    os.write(desk.to_device[1], b"AT\r\0" + bytes(range(1, 255)) * 3 + b"\0")
    assert desk.run(2000) == []


def test_without_a_host_it_goes_dark_and_greets(desk: Desk) -> None:
    desk.run(100)
    desk.link.light(desk.now, bytes((9,)) * 24)
    desk.run(200)
    events = desk.run(3500, deaf=True)
    assert desk.pixels == bytes(24)
    assert any(isinstance(event, Down) for event in events)
    assert any(isinstance(event, Up) for event in desk.run(5000))


def test_many_changes_that_nobody_fetches_end_in_a_snapshot(desk: Desk) -> None:
    desk.run(100)
    desk.lose = lambda data: b""
    for step in range(40):
        desk.contacts = step % 16
        desk.run(desk.now + 20)
    desk.contacts = 0b0110
    desk.run(desk.now + 20)
    desk.lose = lambda data: data
    laid = [event for event in desk.run(desk.now + 700) if isinstance(event, Laid)]
    assert Cause.LOST in [event.cause for event in laid]
    assert tuple(desk.link._session.readings) == (0, 1, 1, 0)
