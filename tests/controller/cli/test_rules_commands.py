"""The commands that need only rules: games, rules, perft, replay."""

import errno
import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from controller.cli.main import main
from controller.games.seam import game_names, load_game

RECORD = '[Game "bamogo"]\n[Players "2"]\n\n1. Ra1 Bb1 2. a1~b1\n'


def write(folder: Path, text: str | bytes) -> str:
    file = folder / "record.pgn"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(file)


def test_games_lists_each_with_its_players_and_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    out = capsys.readouterr().out
    for name in game_names():
        game = load_game(name)
        assert f"{name}: {game.summary}" in out
        for option in game.options:
            assert f"    {option.key}" in out
    assert "players: 1 or more, usually 2" in out
    assert "The score that wins. Takes a whole number, 1 or more; usually 10." in out


@pytest.mark.parametrize("name", game_names())
def test_rules_prints_the_rules(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", name]) == 0
    assert capsys.readouterr().out == load_game(name).rules_text.rstrip() + "\n"


@pytest.mark.parametrize("words", [["rules", "nim"], ["perft", "nim", "--depth", "1"]])
def test_an_unknown_game_is_a_usage_error(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert "there is no game 'nim'; installed: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "count"),
    [
        (["--depth", "0"], "1"),
        (["--depth", "1"], "144"),
        (["--depth", "2"], "16272"),
        (["--depth", "2", "--players", "5"], "16272"),
        (["--depth", "2", "--set", "max_plies=1"], "0"),
        (["--depth", "2", "--set", "ko=always", "--set", "first=2"], "16272"),
        (["--depth", "2", "--set", "max_plies=1", "--set", "max_plies=3"], "16272"),
        (["--depth", "0", "--divide"], "1"),
    ],
)
def test_perft_prints_a_bare_count(words: list[str], count: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "bamogo", *words]) == 0
    assert capsys.readouterr().out == f"{count}\n"


def test_perft_divided_prints_a_line_for_each_first_move(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "bamogo", "--depth", "2", "--divide"]) == 0
    *lines, total = capsys.readouterr().out.splitlines()
    tokens = [line.rpartition(" ")[0] for line in lines]
    assert tokens == sorted(tokens)
    assert len(tokens) == 144
    assert lines[0] == "Ba1 Ra2 121"
    assert sum(int(line.split()[-1]) for line in lines) == int(total) == 16272


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--depth", "-1"], "--depth"),
        (["--depth", "two"], "'two' is no depth"),
        (["--depth", "501"], "0 to 500"),
        ([], "--depth"),
        (["--depth", "1", "--players", "0"], "1 or more players"),
        (["--depth", "1", "--players", "two"], "--players"),
        (["--depth", "1", "--set", "ko"], "--set ko: write key=value"),
        (["--depth", "1", "--set", "=1"], "write key=value"),
        (["--depth", "1", "--set", "taget=1"], "did you mean 'target'"),
        (["--depth", "1", "--set", "target=0"], "'target': '0'"),
    ],
)
def test_a_bad_perft_option_is_a_usage_error(words: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "bamogo", *words]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert why in captured.err


def test_replay_prints_positions_for_a_person(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", write(tmp_path, RECORD)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Start\n")
    assert "2. a1~b1  (player 2)\n   swap: cells a1 b1\n" in out


def test_replay_prints_json_lines_for_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", write(tmp_path, RECORD), "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["position"][-4:] for line in lines] == ["....", "RB..", "BR.."]


def test_replay_reads_the_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(RECORD.encode())))
    assert main(["replay", "-", "--json"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_a_byte_order_mark_is_no_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", write(tmp_path, RECORD.encode("utf-8-sig"))]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("record", "said", "line"),
    [
        pytest.param(
            RECORD + "3. Ra1 Bb1",
            "ply 3 (Ra1 Bb1): a1 is taken by a blue stone",
            {"ply": 3, "move": "Ra1 Bb1"},
            id="an illegal ply",
        ),
        pytest.param(RECORD + "3.", "ply 3: ", {"ply": 3, "move": ""}, id="a ply without a move"),
        pytest.param("1. Ra1 Bb1", "the record names no game", {"ply": None, "move": None}, id="no tags"),
        pytest.param(
            RECORD.encode() + b"{\xff}", "not UTF-8 text: line 5", {"ply": None, "move": None}, id="not UTF-8"
        ),
    ],
)
def test_a_bad_record_is_told_with_1(
    record: str | bytes, said: str, line: dict[str, object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path, record)
    assert main(["replay", file]) == 1
    err = capsys.readouterr().err
    assert err.startswith(f"stonelight: {file}: ")
    assert said in err
    assert main(["replay", file, "--json"]) == 1
    captured = capsys.readouterr()
    last = json.loads(captured.out.splitlines()[-1])
    assert last.pop("error") in err
    assert last == line
    assert captured.err == ""


def test_a_missing_file_is_a_usage_error_that_says_what_is_wanted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = "give the path of a record, or - to read it from the input"
    assert main(["replay", str(tmp_path / "none.pgn")]) == 2
    assert capsys.readouterr().err == f"stonelight: there is no file {tmp_path / 'none.pgn'}: {wanted}\n"
    (tmp_path / "final.pgn").touch()
    assert main(["replay", str(tmp_path / "finale.pgn")]) == 2
    assert f"finale.pgn (did you mean {tmp_path / 'final.pgn'}?): {wanted}" in capsys.readouterr().err


def test_a_directory_is_a_usage_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(tmp_path)]) == 2
    assert "is a directory" in capsys.readouterr().err


def test_a_name_that_no_file_can_have_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "a\0b"]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_a_file_that_may_not_be_read_is_a_usage_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(_: Path) -> bytes:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refused)
    assert main(["replay", "mine.pgn"]) == 2
    assert capsys.readouterr().err == "stonelight: mine.pgn cannot be read: Permission denied\n"
