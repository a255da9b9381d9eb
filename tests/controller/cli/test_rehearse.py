"""``stonelight rehearse``: what it prints, in both forms, and its exit statuses."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controller.cli.main import main
from simulator.device import micropython

Run = Callable[..., tuple[int, str, str]]
PLAYED = "game bamogo\nboard sense=presence\ndrop a1 R\ndrop b1 B\nwait 400\npress red\npress blue\nwait 200\n"


@pytest.fixture
def rehearse(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """A function that writes a script, runs the command and returns status, output and errors."""

    def run(script: str | bytes, *options: str) -> tuple[int, str, str]:
        file = tmp_path / "script.txt"
        file.write_bytes(script if isinstance(script, bytes) else script.encode())
        status = main(["rehearse", str(file), *options])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


def lines(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


@pytest.mark.parametrize("via", ["memory", "pins", "wire"])
def test_json_is_one_object_a_line_in_order_of_time(rehearse: Run, via: str) -> None:
    status, out, err = rehearse(PLAYED, "--json", "--via", via)
    assert (status, err) == (0, "")
    told = lines(out)
    assert told[0] == {"t": 0, "type": "phase", "phase": "waiting"}
    assert [line["t"] for line in told] == sorted(line["t"] for line in told)
    shapes = {
        "phase": {"phase"},
        "move": {"move", "player"},
        "question": {"about", "options", "cells"},
        "event": {"event"},
    }
    assert {line["type"] for line in told} == set(shapes)
    for line in told:
        assert set(line) - {"t", "type"} <= shapes[line["type"]]
    asked = [line for line in told if line["type"] == "question"]
    assert [(line["about"], line["options"]) for line in asked] == [
        ("colour", ["red", "blue", "yellow", "back"]),
        ("colour", ["blue", "yellow", "back"]),
    ]
    (move,) = [line for line in told if line["type"] == "move"]
    assert (move["move"], move["player"]) == ("Ra1 Bb1", 1)
    events = [line["event"] for line in told if line["type"] == "event"]
    assert events == [
        {"type": "place", "cell": "a1", "colour": "R"},
        {"type": "place", "cell": "b1", "colour": "B"},
    ]


def test_mismatch_takeback_and_error_have_their_keys(rehearse: Run) -> None:
    script = "game bamogo\nplay Ra1 Bb1\npress back\nlift a1\nlift b1\nwait 400\npress back\n"
    told = lines(rehearse(script, "--json")[1])
    by_type = {line["type"]: line for line in told}
    assert set(by_type["mismatch"]) == {"t", "type", "extra", "missing", "wrong"}
    assert by_type["mismatch"]["extra"] == ["a1", "b1"]
    assert by_type["takeback"]["plies"] == 1
    assert "take back" in by_type["error"]["message"]


@pytest.mark.parametrize("via", ["memory", "pins", "wire"])
def test_frames_show_the_cells_that_are_lit_and_the_phase_comes_first(rehearse: Run, via: str) -> None:
    status, out, _ = rehearse(PLAYED + "wait 4000\n", "--json", "--frames", "--via", via)
    told = lines(out)
    assert status == 0
    assert told[0]["type"] == "phase"
    frames = [line for line in told if line["type"] == "frame"]
    assert set(frames[0]) == {"t", "type", "pixels"}
    cells = {f"{file}{rank}" for file in "abcd" for rank in "1234"}
    for frame in frames:
        assert set(frame["pixels"]) <= cells
        assert all(len(colour) == 7 and colour != "#000000" for colour in frame["pixels"].values())
    assert any(frame["pixels"].get("a1") == "#ffffff" for frame in frames)
    assert frames[-1]["pixels"] == {}
    assert [line["t"] for line in told] == sorted(line["t"] for line in told)
    assert not [line for line in lines(rehearse(PLAYED, "--json")[1]) if line["type"] == "frame"]


def test_for_people_it_is_a_line_each(rehearse: Run) -> None:
    status, out, err = rehearse("game bamogo\nplay Ra1 Bb1\npress back\n")
    assert (status, err) == (0, "")
    printed = out.splitlines()
    assert printed[0].split() == ["0.000", "phase", "waiting"]
    assert any(line.split()[1:] == ["move", "Ra1", "Bb1", "by", "player", "1"] for line in printed)
    assert any("mismatch" in line and "a1 b1" in line for line in printed)
    assert any(line.split()[1:] == ["event", "place", "cell", "a1", "colour", "R"] for line in printed)


@pytest.mark.parametrize(
    ("script", "line", "words"),
    [
        ("game bamogo\nexpect moves 3\n", 2, "found 0"),
        ("game bamogo\n\nlift a1\n", 3, "a1 is empty"),
        ("game bamogo\njump\n", 2, "'jump' is no step"),
        ("", 1, "begins with its game"),
        ("game nosuch\n", 1, "no game 'nosuch'"),
        ("game bamogo\ndrop a1 R\ndrop q9 B\n", 3, "q9"),
    ],
)
def test_what_fails_is_named_with_its_line_and_the_status_is_1(
    rehearse: Run, script: str, line: int, words: str
) -> None:
    status, out, err = rehearse(script)
    assert status == 1
    assert f"script.txt: line {line}: " in err
    assert words in err
    assert err.count("\n") == 1
    status, out, _ = rehearse(script, "--json")
    assert status == 1
    last = lines(out)[-1]
    assert (last["type"], last["line"]) == ("error", line)
    assert words in last["message"]
    assert "t" in last


def test_what_came_before_the_failure_is_printed(rehearse: Run) -> None:
    told = lines(rehearse("game bamogo\nplay Ra1 Bb1\nexpect moves 2\nplay a1~b1\n", "--json")[1])
    assert [line["move"] for line in told if line["type"] == "move"] == ["Ra1 Bb1"]
    assert told[-1]["t"] == told[-2]["t"]


@pytest.mark.parametrize(
    ("script", "options", "words"),
    [
        ("game bamogo\nboard sense=count\n", (), "sense=count"),
        ("game bamogo\nboard via=teleport\n", (), "via=teleport"),
        ("game bamogo\n", ("--via", "teleport"), "via=teleport"),
        ("game bamogo\nboard sense=count via=pins\n", (), "via pins"),
        ("game bamogo\nboard sense=count via=wire\n", (), "via wire"),
        ("game bamogo\n", ("--firmware", "micropython"), "needs via=wire"),
        ("game bamogo\n", ("--firmware", "micropython", "--via", "pins"), "needs via=wire"),
    ],
)
def test_a_board_that_does_not_exist_is_status_2(
    rehearse: Run, script: str, options: tuple[str, ...], words: str
) -> None:
    status, out, err = rehearse(script, *options)
    assert (status, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


def test_a_firmware_that_nothing_runs_is_status_2(rehearse: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simulator.device.micropython", lambda: None)
    status, out, err = rehearse("game bamogo\n", "--via", "wire", "--firmware", "micropython")
    assert (status, out) == (2, "")
    assert "MicroPython is not installed" in err
    assert err.count("\n") == 1
    assert rehearse("game bamogo\n", "--via", "wire", "--firmware", "rust")[0] == 2


def test_a_device_that_stops_on_the_way_is_one_line_and_status_1(
    rehearse: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    interpreter = tmp_path / "micropython"
    interpreter.write_text("#!/bin/sh\necho out of memory\n")
    interpreter.chmod(0o755)
    monkeypatch.setattr("simulator.device.micropython", lambda: str(interpreter))
    status, _, err = rehearse("game bamogo\n", "--via", "wire", "--firmware", "micropython")
    assert status == 1
    assert err.endswith("the simulated device has stopped: out of memory\n")
    assert err.count("\n") == 1


@pytest.mark.skipif(micropython() is None, reason="MicroPython has a wheel for x86-64 only")
def test_micropython_tells_the_same(rehearse: Run) -> None:
    script = PLAYED + "unplug\nwait 1500\nplug\nwait 1500\nreset-mcu\nwait 3000\nexpect phase waiting\n"
    plain = rehearse(script, "--json", "--frames", "--via", "wire")
    assert plain == rehearse(script, "--json", "--frames", "--via", "wire", "--firmware", "micropython")
    assert plain[0] == 0


def test_a_missing_file_is_status_2(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["rehearse", str(tmp_path / "no.txt")]) == 2
    assert "no.txt: give the path of a script of steps, as docs/rehearsals.md lists them" in capsys.readouterr().err
    assert main(["rehearse", str(tmp_path)]) == 2
    assert "a directory" in capsys.readouterr().err
    assert main(["rehearse"]) == 2
    assert main(["rehearse", "x", "--seed", "many"]) == 2


def test_bytes_that_are_no_text_are_status_2_with_their_line(rehearse: Run) -> None:
    status, out, err = rehearse(b"game bamogo\nwait 5 \xff\n")
    assert (status, out) == (2, "")
    assert "line 2" in err


def test_a_script_may_begin_with_a_byte_order_mark_and_end_its_lines_as_windows_does(rehearse: Run) -> None:
    assert rehearse(b"\xef\xbb\xbfgame bamogo\r\nplay Ra1 Bb1\r\nexpect moves 1")[0] == 0


def test_a_script_is_read_from_the_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    class Input:
        buffer = io.BytesIO(b"game bamogo\nexpect moves 1\n")

    monkeypatch.setattr("sys.stdin", Input())
    assert main(["rehearse", "-"]) == 1
    assert "found 0" in capsys.readouterr().err


def test_the_seed_option_seeds_the_hands(rehearse: Run) -> None:
    script = "game bamogo\nplay Ra1 Bb1\nplay Rc3 Bd3\n"
    printed = [rehearse(script, "--json", "--seed", seed)[1] for seed in ("1", "1", "2")]
    assert printed[0] == printed[1]
    assert printed[0] != printed[2]
