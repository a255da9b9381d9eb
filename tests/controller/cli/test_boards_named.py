"""Naming a board: by itself or after ``--board``, and what is said where a command takes it otherwise."""

import pytest

from controller.cli.main import main

ABOUT_A_BOARD = ("wiring", "doctor", "calibrate", "monitor", "flash", "install-service")
MORE = {
    "doctor": ["--sim", "--json", "--http-port", "8999"],
    "monitor": ["--sim", "--once"],
    "flash": ["--drive", "/no/such/place"],
    "install-service": ["--print", "--game", "bao-kigogo"],
}


@pytest.mark.parametrize("command", ABOUT_A_BOARD)
def test_a_board_is_named_by_itself_or_after_its_option(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for board in (["bao-4x12"], ["--board", "bao-4x12"]):
        status = main([command, *board, *MORE.get(command, [])])
        printed = capsys.readouterr()
        said.append((status, len(printed.out.splitlines()), printed.err))
    assert said[0] == said[1]
    assert "usage:" not in said[0][2]
    assert main([command, "bao-4x12", *MORE.get(command, []), "--board", "mat-16x16"]) == 2
    assert "--board" in capsys.readouterr().err


@pytest.mark.parametrize("command", [name for name in ABOUT_A_BOARD if name != "calibrate"])
def test_a_board_that_is_not_there_says_which_are_and_how_to_get_one(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "nowhere.toml"]) == 2
    err = capsys.readouterr().err
    assert "there is no board profile nowhere.toml: give a file, or one of bamogo-4x4-colour, " in err
    assert "'stonelight setup' writes a file for a board of your own" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["play", "bamogo", "my.toml"],
            "my.toml: say which board with --board: stonelight play bamogo --board my.toml",
        ),
        (["play", "exago", "--terminal", "exago-5-reeds"], "stonelight play exago --board exago-5-reeds"),
        (["play", "my.toml"], "my.toml is a board; say the game first, one of bambam-booboo, bamogo, "),
        (["play", "bao-4x12"], "stonelight play GAME --board bao-4x12"),
        (["lights", "my.toml"], "my.toml: say which board with --board: stonelight lights --board my.toml"),
        (["setup", "bao-4x12"], "name a file for your own board, such as: stonelight setup my-board.toml"),
        (
            ["setup", "--board", "my.toml"],
            "'stonelight setup' takes no --board: leave it out, or see 'stonelight setup",
        ),
        (["games", "my.toml"], "'stonelight games' takes no my.toml: leave it out, or see 'stonelight games --help'"),
        (["play", "exago", "--bord", "my.toml"], "'stonelight play' takes no --bord: did you mean --board?"),
        (["doctor", "bao-4x12", "--jsn=1"], "'stonelight doctor' takes no --jsn=1: did you mean --json?"),
        (["play", "exgo"], "there is no game 'exgo'; did you mean 'exago'? installed: bambam-booboo, bamogo, "),
        (["wiring"], "say which board: a file, or one of bamogo-4x4-colour, "),
        (["calibrate"], "say which board: stonelight calibrate my-board.toml; 'stonelight setup' writes that file"),
        (["calibrate", "nowhere.toml"], "there is no file nowhere.toml: give the profile of your board; 'stonelight"),
    ],
)
def test_each_wrong_guess_has_a_line_that_helps(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert said in printed.err
    assert printed.err.count("\n") == 1
