"""The real command at a pseudo-terminal, with pipes and with files."""

import re
import signal
import subprocess
import sys
import termios
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

LEFT = "\x1b[?25h\x1b[?1049l"
"""Cursor shown, the shell's own text back."""
COLOURED = re.compile(r"\x1b\[[0-9;]*[34]8;5;")
COMMAND = [sys.executable, "-m", "controller", "play"]


def test_typed_move_is_made_accepted_and_left_as_it_was(sit_down: Callable[..., Any]) -> None:
    person = sit_down("bamogo", "--sense", "colour", "--set", "first=1")
    person.sees("Player 1: your turn")
    assert termios.tcgetattr(person.slave)[3] & (termios.ICANON | termios.ECHO) == 0
    person.type("Ra1 Bb1\r")
    person.sees("Ra1 Bb1 counts.")
    assert "  1 |*  R  *|*  B  *|" in person.rows[12], "the two cells are lit where the stones lie"
    assert any("1. Ra1 Bb1" in row for row in person.rows)
    assert COLOURED.search(person.raw)
    person.type("quit\r")
    assert person.left() == 0
    assert person.raw.rstrip().endswith(LEFT)
    assert termios.tcgetattr(person.slave) == person.modes


@pytest.mark.parametrize("how", ["ctrl-c", "ctrl-d", "sigterm", "sighup"])
def test_every_way_out_leaves_the_terminal_as_it_was(how: str, sit_down: Callable[..., Any]) -> None:
    person = sit_down("exago", "--sense", "colour")
    person.sees("Player 1: your turn")
    match how:
        case "ctrl-c":
            person.type("half a line\x03")
        case "ctrl-d":
            person.type("\x04")
        case "sigterm":
            person.process.send_signal(signal.SIGTERM)
        case "sighup":
            person.process.send_signal(signal.SIGHUP)
    assert person.left() == 0
    assert person.raw.rstrip().endswith(LEFT)
    assert "Traceback" not in person.raw
    assert termios.tcgetattr(person.slave) == person.modes


def test_wrong_line_says_why_and_changes_nothing(sit_down: Callable[..., Any]) -> None:
    person = sit_down("bamogo", "--sense", "colour", "--set", "first=1")
    person.sees("Player 1: your turn")
    for line, said in {
        "Ra1 Ba3": "Ra1 Ba3",
        "lift a1": "a1 is empty",
        "drop a1": "No stone has been lifted yet",
        "wait 400": "the time here is real",
    }.items():
        person.type(f"{line}\r")
        person.until(lambda said=said: said in " ".join(row.strip() for row in person.rows[21:23]), said)
        assert "waiting" in person.rows[0]
        assert not any(re.search(r"\| +[RBY] +\|", row) for row in person.rows)
    person.type("help\r")
    person.sees("Single steps of a hand")
    person.type("\r")
    person.sees("Player 1: your turn")


def test_without_colours_lights_are_marks_with_a_legend(sit_down: Callable[..., Any]) -> None:
    person = sit_down("bamogo", NO_COLOR="1")
    person.sees("your turn")
    person.type("drop b2 R\r")
    person.sees("' your hand was here (steady)")
    person.until(lambda: "'  R  '" in person.rows[9], "the mark on b2")
    assert not re.search(r"\x1b\[[0-9;]+m", person.raw), "only the reset on leaving has no number but 0"


def test_new_size_is_drawn_at_once(sit_down: Callable[..., Any]) -> None:
    person = sit_down("bamogo", columns=40, rows=12)
    person.until(lambda: person.rows[11].startswith("> "), "the prompt in the last row")
    person.type("lif")
    person.sees("> lif")
    person.size(100, 30)
    person.until(lambda: person.rows[29].startswith("> lif"), "the prompt in the new last row")
    assert "+-------+" in "".join(person.rows), "there is room for the large board now"


def test_dumb_terminal_gets_plain_text(sit_down: Callable[..., Any]) -> None:
    person = sit_down("bao-kigogo", "--sense", "count", TERM="dumb")
    person.until(lambda: "waiting: Player 1: your turn" in person.raw, "the words of the board")
    assert termios.tcgetattr(person.slave) == person.modes
    person.type("lift d5\n")
    person.until(lambda: "on the board: d5 empty" in person.raw, "what the hand did")
    person.type("quit\n")
    assert person.left() == 0
    assert "\x1b" not in person.raw


def run(words: list[str], environ: dict[str, str], **how: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *words, "--terminal"], env=environ, text=True, capture_output=True, timeout=60, check=False, **how
    )


def test_piped_lines_play_a_placement_by_hand(environ: dict[str, str]) -> None:
    lines = "drop a1 R\ndrop b1 B\nred\nblue\nnonsense\n"
    done = run(["bamogo", "--set", "first=1"], environ, input=lines)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "\x1b" not in done.stdout
    assert "1. Ra1 Bb1 by player 1" in done.stdout
    assert done.stdout.count("1. Ra1 Bb1 by player 1") == 1
    assert "waiting: Player 2: your turn" in done.stdout
    assert "'nonsense' is no move" in done.stdout
    assert done.stdout.index("> drop a1 R") < done.stdout.index("on the board: a1 R")


def test_lines_may_come_from_a_file_and_the_last_needs_no_end(environ: dict[str, str], tmp_path: Path) -> None:
    script = tmp_path / "lines.txt"
    script.write_text("f6\nquit\nf7")
    with script.open() as lines:
        done = run(["exago", "--sense", "colour"], environ, stdin=lines)
    assert done.returncode == 0, done.stderr
    assert "f6 counts." in done.stdout
    assert "f7 counts." not in done.stdout, "what follows quit is not done"


def test_page_is_served_only_where_it_is_asked_for(environ: dict[str, str]) -> None:
    lines = "ok\n"
    assert "The page is at" not in run(["bamogo"], environ, input=lines).stdout
    done = run(["bamogo", "--http-port", "0", "--host", "127.0.0.1"], environ, input=lines)
    assert re.search(r"The page is at http://127\.0\.0\.1:\d+", done.stdout), done.stderr
