"""``doctor`` and ``monitor`` as a person meets them, and the person at the terminal as these meet them."""

import contextlib
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.app.loop import clock
from controller.bench.person import SKIP, About, Deed, Question, Request, StoppedError
from controller.cli.at_bench import AtTerminal
from controller.cli.main import main
from hardware.board_plan import board_plan
from hardware.profile import load_profile
from simulator.device_live import LiveDevice

ROOT = Path(__file__).parents[3]
DEADLINE = 30.0


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    read, write = os.pipe()
    yield read, write
    for end in (read, write):
        with contextlib.suppress(OSError):
            os.close(end)


def test_the_doctor_finds_a_simulated_board_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--sim", "--board", "bamogo-4x4-presence", "--http-port", "8999"]) == 0
    out = capsys.readouterr().out
    assert "ok       cells: a stone is seen on each of the 16 cells" in out
    assert "FAILED" not in out


def test_the_doctor_in_json_and_on_a_computer_without_pins(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json", "--board", "bamogo-4x4-presence", "--http-port", "8999"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["ok"] is False
    failed = {each["check"]: each for each in told["findings"] if each["verdict"] == "failed"}
    assert {"system", "board"} <= set(failed)
    assert all(each["remedy"] for each in failed.values())


def test_the_doctor_tells_faults_of_a_profile_and_words_that_make_no_sense(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    board = tmp_path / "board.toml"
    board.write_text("name = 3\n")
    assert main(["doctor", "--board", str(board)]) == 1
    out = capsys.readouterr().out
    assert "FAILED   profile: " in out
    assert re.search(r"do: \S", out)
    assert re.search(r"\d+ failed, ", out)
    assert main(["doctor", "--board", "nowhere"]) == 2
    assert main(["doctor", "--http-port", "0"]) == 2


def test_the_doctor_says_when_no_board_was_looked_at(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    main(["doctor", "--sim", "--http-port", "8999"])
    without = capsys.readouterr().out
    assert "No board was looked at, since none was named: 'stonelight doctor BOARD' checks" in without
    assert "All is well.\n" not in without
    main(["doctor", "--http-port", "8999"])
    assert "No board was looked at, since none was named: 'stonelight doctor BOARD' checks" in capsys.readouterr().out
    main(["doctor", "--sim", "bamogo-4x4-presence", "--http-port", "8999"])
    assert "looked at" not in capsys.readouterr().out
    board = tmp_path / "board.toml"
    board.write_text("name = 3\n")
    main(["doctor", "--sim", str(board), "--http-port", "8999"])
    assert "The board itself was not looked at: mend its profile first." in capsys.readouterr().out


def test_a_board_on_a_pico_is_told_on_a_simulated_pi_as_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--sim", "exago-5-reeds", "--http-port", "8999"]) == 0
    out = capsys.readouterr().out
    assert "a simulated Raspberry Pi 4" in out
    assert "no Raspberry Pi" not in out


def test_the_doctor_on_a_named_port(capsys: pytest.CaptureFixture[str]) -> None:
    device = LiveDevice(board_plan(load_profile("exago-5-reeds")), clock)
    try:
        words = ["doctor", "--json", "--board", "exago-5-reeds", "--port", device.path, "--http-port", "8999"]
        main(words)
    finally:
        device.unplug()
    found = {each["check"]: each for each in json.loads(capsys.readouterr().out)["findings"]}
    assert found["serial-port"]["verdict"] == "skipped"
    assert found["board"]["verdict"] == "ok"
    assert f"'exago-5-reeds' answers on {device.path}" in found["board"]["said"]
    assert found["cells"]["said"] == "91 cells answer; all are empty"


def test_the_monitor_on_a_named_port(capsys: pytest.CaptureFixture[str]) -> None:
    device = LiveDevice(board_plan(load_profile("bao-4x12")), clock)
    try:
        assert main(["monitor", "--once", "--board", "bao-4x12", "--port", device.path]) == 0
    finally:
        device.unplug()
    out = capsys.readouterr().out
    assert len(re.findall(r"\b[a-d]\d+ +\d+ ", out)) == 48, out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["doctor", "--port", "x"], "say which board is there with --board"),
        (["monitor", "--port", "x"], "say which board is there with --board"),
        (["monitor", "--port", "x", "--board", "exago-5-reeds", "--sim"], "leave --port or --sim out"),
        (["doctor", "--port", "x", "--board", "exago-5-reeds", "--sim"], "leave --port or --sim out"),
        (["doctor", "--port", "x", "--board", "bamogo-4x4-colour"], "has no micro-controller, so leave --port out"),
    ],
)
def test_ports_that_lead_nowhere(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert said in capsys.readouterr().err


def test_the_doctor_makes_its_other_checks_whatever_is_wrong_with_the_profile(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    good = (ROOT / "hardware" / "profiles" / "bamogo-4x4-presence.toml").read_bytes()
    for number, broken in enumerate((b"x = [", b"\xff\xfe", good.replace(b"rows =", b"row ="), b"")):
        board = tmp_path / f"{number}.toml"
        board.write_bytes(broken)
        assert main(["doctor", "--json", "--board", str(board), "--http-port", "8999"]) == 1
        found = {each["check"]: each for each in json.loads(capsys.readouterr().out)["findings"]}
        assert found["profile"]["verdict"] == "failed"
        assert str(board) in found["profile"]["said"]
        assert found["profile"]["remedy"] not in ("", "mend the profile")
        assert {"python", "clock", "page"} <= set(found)
        assert found["python"]["verdict"] == "ok"


def test_the_monitor_once_and_without_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["monitor", "--board", "bamogo-4x4-colour", "--sim", "--once"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("cell    raw     band  noise     age  changes")
    assert len(re.findall(r"\b[a-d][1-4]\b", out)) == 16
    assert main(["monitor", "--http-port", "1"]) == 1
    assert "no game answers on port 1" in capsys.readouterr().err
    assert main(["monitor", "--sim"]) == 2
    assert main(["monitor", "--board", "bamogo-4x4-presence"]) == 1  # no pins here


def test_the_monitor_tells_changes_line_by_line_where_it_cannot_draw() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "controller", "monitor", "--board", "bamogo-4x4-presence", "--sim"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            lines = [process.stdout.readline() for _ in range(18)]
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(DEADLINE)
    assert all(re.fullmatch(r" +\d+\.\d{3} s  [a-d][1-4] +raw +\d  (occupied|empty)\n", line) for line in lines)
    assert process.returncode == 0


def _until(screen: int, wanted: bytes, seen: bytes = b"") -> bytes:
    """Read a terminal until it has shown something."""
    while wanted not in seen:
        assert select.select([screen], [], [], DEADLINE)[0], seen
        seen += os.read(screen, 65536)
    return seen


def test_the_monitor_draws_over_its_last_picture_at_a_terminal() -> None:
    screen, inner = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "controller", "monitor", "--board", "bamogo-4x4-presence", "--sim"],
        cwd=ROOT,
        stdin=inner,
        stdout=inner,
        stderr=inner,
        start_new_session=True,
        env={**os.environ, "COLUMNS": "100"},
    )
    os.close(inner)
    try:
        seen = _until(screen, b"Ctrl-C ends.")
        first, _, rest = seen.partition(b"Ctrl-C ends.")
        assert b"\x1b[?25l" in first
        assert b"cell    raw     band  noise     age  changes   cell" in first
        rest = _until(screen, b"Ctrl-C ends.", rest)
        assert b"\x1b[Hcell" in rest
        process.send_signal(signal.SIGINT)
        _until(screen, b"\x1b[?25h")
        assert process.wait(DEADLINE) == 0
    finally:
        if process.poll() is None:
            process.kill()
            process.wait(DEADLINE)
        os.close(screen)


def test_lines_are_heard_as_they_come(pipe: tuple[int, int], capsys: pytest.CaptureFixture[str]) -> None:
    read, write = pipe
    person = AtTerminal(read)
    assert person.heard() == ""
    os.write(write, b"s\nrest")
    assert person.heard() == SKIP
    assert person.heard() == ""
    os.write(write, b"\nb2\n\n")
    assert person.heard() == "rest"
    assert person.ask(Question(About.LIT_CELL, "Which?", "a1")) == "b2"
    assert person.ask(Question(About.LIT_CELL, "Which?", "a1")) == "a1"
    os.write(write, b"left over\n")
    person.request(Request(Deed.PUT, "Put it there."))
    assert person.heard() == ""
    assert capsys.readouterr().out.endswith("Put it there.\n")


def test_the_board_is_tended_while_a_person_thinks(pipe: tuple[int, int]) -> None:
    read, write = pipe
    tended: list[int] = []

    def tend() -> None:
        tended.append(1)
        if len(tended) == 3:
            os.write(write, b"b2\n")

    assert AtTerminal(read, tend).ask(Question(About.LIT_CELL, "Which?", "a1")) == "b2"
    assert len(tended) == 3


@pytest.mark.parametrize("words", [b"q\n", b"Quit\n", b""])
def test_q_and_the_end_of_the_input_stop(pipe: tuple[int, int], words: bytes) -> None:
    read, write = pipe
    os.write(write, words)
    os.close(write)
    person = AtTerminal(read)
    with pytest.raises(StoppedError):
        person.ask(Question(About.AGREE, "Well?", "y"))
    with pytest.raises(StoppedError):
        person.heard()
