"""States of boards to be drawn, and a pseudo-terminal at which the real command runs."""

import contextlib
import copy
import fcntl
import os
import pty
import random
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from controller.app.at_terminal import Session
from controller.app.loop import Loop
from controller.app.simulated import Via, sensing_of, simulated_rig
from controller.games.seam import load_game
from controller.lighting.language import LANGUAGE, Meaning

DEADLINE = 20.0
"""Seconds after which a terminal that shows not what is wanted has failed; it usually takes a fraction of one."""

TAKE_OVER = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
"""Makes the terminal the controlling one, so that its Ctrl-C is a signal, and then becomes the command."""


class States:
    """Builds states as the terminal gets them, of boards on which some position lies; the same one only once."""

    def __init__(self) -> None:
        self._built: dict[str, dict[str, Any]] = {}

    def __call__(self, name: str, position: str | None = None, **facts: Any) -> dict[str, Any]:
        """Return a state to do with as one likes; see `_state`."""
        key = repr((name, position, sorted(facts.items())))
        if key not in self._built:
            self._built[key] = self._state(name, position, **facts)
        return copy.deepcopy(self._built[key])

    def _state(
        self,
        name: str,
        position: str | None,
        *,
        players: int | None = None,
        settings: Mapping[str, str] | None = None,
        lights: Mapping[str, Meaning] | None = None,
        moves: str = "",
        to_move: int = 1,
    ) -> dict[str, Any]:
        """Return the state of a board at rest, lit as said, after moves that are only listed.

        Words and detail are fixed here: what the board says has tests of its own.
        """
        game = load_game(name)
        rules = game.rules(players, settings)
        stands = None if position is None else rules.parse_position(position, to_move)
        rig = simulated_rig(
            lambda *_, **__: rules, sensing_of(rules, game.sensing, Via.MEMORY), Via.MEMORY, position=stands
        )
        session = Session(rig, game, Loop(rig), random.Random(1), lambda: None)
        rig.step(0)
        state = session.state(0)
        state["words"] = "Player 1: your turn"
        state["detail"] = "This is how a move is made, in a sentence that is longer than one row of a narrow screen."
        state["moves"] = [
            {"ply": ply, "player": 1 + (ply - 1) % rules.players, "move": move}
            for ply, move in enumerate(moves.split(";"), start=1)
            if move
        ]
        for cell in state["cells"]:
            if meant := (lights or {}).get(cell["id"]):
                cell["light"] = "#{:02x}{:02x}{:02x}".format(*LANGUAGE[meant].colour)
        return state


@pytest.fixture(scope="session")
def states() -> States:
    return States()


class Person:
    """Somebody at a terminal in which ``stonelight play`` runs.

    Fields:
        raw: everything that was sent to the terminal.
        rows: what it shows.
    """

    def __init__(self, words: list[str], environ: dict[str, str], columns: int, rows: int) -> None:
        self.master, self.slave = pty.openpty()
        self.raw = ""
        self.size(columns, rows)
        self.modes = termios.tcgetattr(self.slave)
        self.process = subprocess.Popen(
            [sys.executable, "-c", TAKE_OVER, sys.executable, "-m", "controller", "play", *words],
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            env=environ,
            start_new_session=True,
        )

    def size(self, columns: int, rows: int) -> None:
        """Give the terminal another size."""
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.rows = [" " * columns] * rows
        self._at = (0, 0)

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def sees(self, text: str) -> None:
        """Wait until the terminal shows a text."""
        self.until(lambda: any(text in row for row in self.rows), text)

    def until(self, reached: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + DEADLINE
        while not reached():
            left = end - time.monotonic()
            if left <= 0 or not self._hear(min(left, 0.2)):
                screen = "\n".join(self.rows)
                pytest.fail(f"never came: {what}\n{screen}") if left <= 0 else None

    def left(self) -> int:
        """Wait until the command has ended; return its status."""
        end = time.monotonic() + DEADLINE
        while self.process.poll() is None and time.monotonic() < end:
            self._hear(0.05)
        while self._hear(0.05):
            pass
        return self.process.wait(timeout=1)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for number in (self.master, self.slave):
            os.close(number)

    def _hear(self, seconds: float) -> bool:
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        came = os.read(self.master, 65536).decode()
        self.raw += came
        for part in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|[^\x1b]+", came):
            self._show(part)
        return True

    def _show(self, part: str) -> None:
        """Draw one piece: as much of a terminal as the command uses."""
        row, column = self._at
        if part.startswith("\x1b"):
            if part.endswith("H"):
                numbers = [int(number) - 1 for number in part[2:-1].split(";")]
                self._at = (numbers[0], numbers[1])
            elif part.endswith("K"):
                self.rows[row] = self.rows[row][:column].ljust(len(self.rows[row]))
            elif part.endswith("J"):
                self.rows = [" " * len(line) for line in self.rows]
            return
        for character in part:
            if character in "\r\n":
                row, column = (row, 0) if character == "\r" else (min(row + 1, len(self.rows) - 1), column)
            else:
                line = self.rows[row]
                self.rows[row] = line[:column] + character + line[column + 1 :]
                column += 1
        self._at = (row, column)


@pytest.fixture
def environ() -> dict[str, str]:
    """An environment with an able terminal, whatever the tests themselves run in."""
    kept = {key: value for key, value in os.environ.items() if key not in {"NO_COLOR", "COLORTERM", "COLUMNS", "LINES"}}
    return {**kept, "TERM": "xterm-256color", "PYTHONWARNINGS": "error"}


@pytest.fixture
def sit_down(environ: dict[str, str]) -> Iterator[Callable[..., Person]]:
    """Returns a function that starts ``play`` with some words at a terminal of its own."""
    with contextlib.ExitStack() as stack:

        def sit(*words: str, columns: int = 80, rows: int = 24, **more: str) -> Person:
            person = Person([*words, "--terminal"], {**environ, **more}, columns, rows)
            stack.callback(person.close)
            return person

        yield sit
