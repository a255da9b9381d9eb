"""A terminal, pipe or file to which text is appended: each thing is told once, when it changes."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from controller.lighting.language import Meaning
from controller.terminal.ansi import harmless
from controller.terminal.boards import content_of, spots
from controller.terminal.console import Outlet
from controller.terminal.draw import board_lines, owned
from controller.terminal.lights import Afterglow

GATHER: Final = 0.15
"""Seconds in which changes are gathered before they are told: longer than the dark part of a flash, so that every light
has been seen, and shorter than any phase that a person is meant to notice."""
PARTING: Final = 0.2
"""Seconds that a reader who stalls is given to take the last few bytes."""
RESTING: Final = frozenset({"setup", "waiting", "asking", "guiding", "mending", "over"})
"""The phases in which the whole board is shown; else only what hands have changed."""


class Narrator:
    """Tells a state in lines, and after that only what has changed."""

    def __init__(self) -> None:
        self._said = ""
        self._supply = ""
        self._contents: dict[str, str] = {}
        self._board: tuple[list[str], list[Meaning | None]] = ([], [])
        self._moves: list[Mapping[str, Any]] = []

    def tell(self, state: Mapping[str, Any], columns: int, *, colour: bool, now: int) -> list[str]:
        """Return what is new in a state.

        Args:
            state: as `controller.terminal.draw.draw` takes it.
            columns: how wide a line may be.
            colour: whether lines may hold colours.
            now: the time, in milliseconds.
        """
        lines = [*self._changes(state), *self._plies(state)]
        if state["phase"] in RESTING:
            cells = spots(state, now)
            # Lights that go out by themselves are no news.
            marks = [] if state["phase"] == "waiting" else [spot.means for spot in cells]
            board = ([spot.content for spot in cells], marks)
            if board != self._board:
                self._board = board
                lines += ["", *board_lines(state, columns, colour=colour, now=now), *self._standing(state)]
        said = harmless(f"{state['phase']}: {state['words']}")
        if said != self._said:
            self._said = said
            lines.append(said)
        return lines

    def _changes(self, state: Mapping[str, Any]) -> list[str]:
        contents = {cell["id"]: content_of(cell) for cell in state["cells"]}
        before, self._contents = self._contents, contents
        changed = [f"{name} {now or 'empty'}" for name, now in contents.items() if before.get(name, now) != now]
        return [f"on the board: {', '.join(changed)}"] if changed else []

    def _plies(self, state: Mapping[str, Any]) -> list[str]:
        moves = state["moves"]
        kept = 0
        while kept < min(len(moves), len(self._moves)) and moves[kept] == self._moves[kept]:
            kept += 1
        taken = [f"taken back: {harmless(move['move'])}" for move in reversed(self._moves[kept:])]
        played = [f"{move['ply']}. {harmless(move['move'])} by player {move['player']}" for move in moves[kept:]]
        self._moves = list(moves)
        return [*taken, *played]

    def _standing(self, state: Mapping[str, Any]) -> list[str]:
        left = owned(state)
        parts = []
        for player in state["players"]:
            number = str(player["number"])
            has = f" ({left[number]} left)" if number in left else ""
            parts.append(f"{harmless(player['name'])}: {player['score']}{has}")
        shared = [f"{entry['stone']} {entry['count']}" for entry in state["supply"] if entry["stone"] not in left]
        standing = ", ".join(parts) + (f"; left: {', '.join(shared)}" if shared else "")
        if standing == self._supply:
            return []
        self._supply = standing
        return [standing]


class Roll:
    """Appends what a narrator tells.

    Args:
        outlet: where the text goes.
        size: gives columns and rows.
        colour: whether it may hold colours.
        state: gives what is told, at a time in milliseconds.
        lights: gives the colours of its cells alone.
        clock: gives that time.
        echo: whether typed lines are shown, since no terminal has.
        typed: called with each line that was typed, and with None at the end of typing.
    """

    def __init__(
        self,
        outlet: Outlet,
        size: Callable[[], tuple[int, int]],
        *,
        colour: bool,
        state: Callable[[int], Mapping[str, Any]],
        lights: Callable[[int], Sequence[str]],
        clock: Callable[[], int],
        echo: bool,
        typed: Callable[[str | None], None],
    ) -> None:
        self._outlet = outlet
        self._size = size
        self._colour = colour
        self._state = state
        self._lights = lights
        self._clock = clock
        self._echo = echo
        self._typed = typed
        self._narrator = Narrator()
        self._afterglow = Afterglow()
        self._due: asyncio.TimerHandle | None = None
        self._open = False
        self._line = ""

    def open(self) -> None:
        """Tell how things stand."""
        self._open = True
        self.stale()

    def anew(self) -> None:
        """Nothing to do: what was told stays told."""

    def close(self) -> None:
        """Tell what is left. Twice is fine."""
        if self._open:
            self._tell()
            self._open = False
            self._outlet.flush(PARTING)

    def stale(self) -> None:
        """Look at the lights now, and tell what has changed when more may have."""
        if not self._open:
            return
        now = self._clock()
        self._afterglow.over(self._lights(now), now)
        if self._due is None:
            self._due = asyncio.get_running_loop().call_later(GATHER, self._tell)

    def said(self, text: str) -> None:
        """Tell one sentence, behind what is new."""
        self._tell()
        self._append([harmless(text)])

    def read(self, _title: str, text: str) -> None:
        """Tell a text."""
        self._append(["", *map(harmless, text.splitlines()), ""])

    def keys(self, text: str | None) -> None:
        """Take what came in, cut anywhere; None: nothing will come any more."""
        if text is not None:
            *lines, self._line = f"{self._line}{text}".split("\n")
        else:
            lines, self._line = [self._line] if self._line else [], ""
        for line in lines:
            self._typed(line)
        if text is None:
            self._typed(None)

    def begin(self, line: str) -> None:
        """Show a line that is taken up now."""
        if self._echo and line.strip():
            self._tell()
            self._append([f"> {harmless(line)}"])

    def _tell(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None
        if not self._open:
            return
        now = self._clock()
        state = dict(self._state(now))
        seen = self._afterglow.over([cell["light"] for cell in state["cells"]], now)
        state["cells"] = [{**cell, "seen": one} for cell, one in zip(state["cells"], seen, strict=True)]
        self._append(self._narrator.tell(state, self._size()[0], colour=self._colour, now=now))

    def _append(self, lines: list[str]) -> None:
        if lines:
            self._outlet.write("".join(f"{line}\n" for line in lines))
