"""Ctrl-C and other early ends of ``setup`` and ``calibrate``: what was kept, and what was not written."""

import os
from pathlib import Path

import pytest

from controller.bench.person import Question
from controller.bench.simulated_person import SimulatedPerson
from controller.cli.at_bench import AtTerminal
from controller.cli.main import main
from hardware.ports import DeviceError

BOARD = "bamogo-4x4-presence"


class Patience:
    """Lets a person answer so many questions, and then raises."""

    def __init__(self, questions: int, end: BaseException) -> None:
        self.left = questions
        self.end = end

    def answered(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise self.end


def asked_in_vain(monkeypatch: pytest.MonkeyPatch, patience: Patience) -> None:
    """Have the questions of setup answered as proposed, until patience ends."""

    def ask(_self: AtTerminal, question: Question) -> str:
        patience.answered()
        return question.default

    monkeypatch.setattr(AtTerminal, "__init__", lambda _self: None)  # the tests have no terminal
    monkeypatch.setattr(AtTerminal, "ask", ask)


def helped_in_vain(monkeypatch: pytest.MonkeyPatch, patience: Patience) -> None:
    """The same for the questions of calibrate on a simulated board."""
    whole = SimulatedPerson.ask

    def ask(self: SimulatedPerson, question: Question) -> str:
        patience.answered()
        return whole(self, question)

    monkeypatch.setattr(SimulatedPerson, "ask", ask)


@pytest.fixture
def board(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    assert main(["setup", str(path), "--game", "bamogo", "--defaults"]) == 0
    return path


@pytest.mark.parametrize("questions", [0, 3])
def test_setup_that_is_interrupted_says_that_nothing_was_written(
    questions: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_in_vain(monkeypatch, Patience(questions, KeyboardInterrupt()))
    assert main(["setup", str(tmp_path / "mine.toml")]) == 130
    assert "ended; nothing was written" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_setup_leaves_a_file_that_is_there_unless_told_otherwise(
    board: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = board.read_bytes()
    capsys.readouterr()
    asked_in_vain(monkeypatch, Patience(1, AssertionError()))
    assert main(["setup", str(board)]) == 1
    assert f"{board} stays as it is; name another file" in capsys.readouterr().err
    assert main(["setup", str(board), "--defaults"]) == 1
    assert board.read_bytes() == before


def test_setup_sees_at_once_that_nothing_can_be_written_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_in_vain(monkeypatch, Patience(0, AssertionError("a question that leads nowhere")))
    assert main(["setup", str(tmp_path / "nowhere" / "mine.toml")]) == 1
    assert f"nothing can be written in {tmp_path / 'nowhere'}" in capsys.readouterr().err
    if os.geteuid():  # root may write everywhere
        tmp_path.chmod(0o555)
        assert main(["setup", str(tmp_path / "mine.toml")]) == 1


@pytest.mark.parametrize(("questions", "kept"), [(0, False), (5, True)])
def test_calibrate_that_is_interrupted_says_what_is_kept(
    questions: int, kept: bool, board: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    helped_in_vain(monkeypatch, Patience(questions, KeyboardInterrupt()))
    assert main(["calibrate", "--board", str(board), "--sim"]) == 130
    out = capsys.readouterr().out
    part = board.with_name("mine.calibration.part.toml")
    assert part.exists() is kept
    assert (f"kept in {part}; the next run goes on from there" in out) is kept
    assert ("Nothing was learned yet, and nothing was written." in out) is not kept
    assert not board.with_name("mine.calibration.toml").exists()
    monkeypatch.undo()
    assert main(["calibrate", "--board", str(board), "--sim"]) == 0
    assert ("Going on from the last stop" in capsys.readouterr().out) is kept


def test_calibrate_that_loses_its_board_says_what_is_kept(
    board: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    helped_in_vain(monkeypatch, Patience(5, DeviceError("the board's port is gone")))
    assert main(["calibrate", "--board", str(board), "--sim"]) == 1
    err = capsys.readouterr().err
    assert "the board's port is gone" in err
    assert "the next run goes on from there" in err
