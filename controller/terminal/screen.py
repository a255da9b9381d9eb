"""A terminal on which the board is drawn in place, with a row to type in."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from controller.terminal.ansi import CLEAR, ENTER, HIDE, LEAVE, SHOW, TO_END, at, harmless, wrapped
from controller.terminal.console import Outlet
from controller.terminal.draw import draw, page_rows
from controller.terminal.editor import Editor, Key, Kind
from controller.terminal.lights import Afterglow

GAP: Final = 0.1
"""Seconds from one drawing to the next at least: an SSH line and a person's eye take no more."""
PROMPT: Final = "> "
PARTING: Final = 0.2
"""Seconds that a stalled terminal is given to take the last few bytes."""


class Face(Protocol):
    """What shows the board to a person."""

    def stale(self) -> None:
        """Something has changed: show it, not necessarily at once."""

    def said(self, text: str) -> None:
        """Say one sentence to the person."""

    def read(self, title: str, text: str) -> None:
        """Give the person a longer text to read."""

    def keys(self, text: str | None) -> None:
        """Take what came in, cut anywhere; None: nothing will come any more."""

    def begin(self, line: str) -> None:
        """Say that a line is taken up now."""

    def anew(self) -> None:
        """Show everything: the terminal has another size, or shows something else."""

    def open(self) -> None:
        """Begin."""

    def close(self) -> None:
        """Show what is left, and leave the terminal as it was. Twice is fine."""


class Screen:
    """Draws a state in place: only what has changed, and only when something has.

    Args:
        outlet: where the drawing goes.
        size: gives columns and rows.
        colour: whether it may hold colours.
        state: gives what is drawn, at a time in milliseconds.
        clock: gives that time.
        editor: the line that is being typed.
        typed: called with each line that was typed, and with None at the end of typing.
    """

    def __init__(
        self,
        outlet: Outlet,
        size: Callable[[], tuple[int, int]],
        *,
        colour: bool,
        state: Callable[[int], Mapping[str, Any]],
        clock: Callable[[], int],
        editor: Editor,
        typed: Callable[[str | None], None],
    ) -> None:
        self._outlet = outlet
        self._size = size
        self._colour = colour
        self._state = state
        self._clock = clock
        self._editor = editor
        self._typed = typed
        self._afterglow = Afterglow()
        self._reply = ""
        self._page: dict[str, Any] | None = None
        self._shown: list[str] = []
        self._place = ""
        self._drawn_at = float("-inf")
        self._due: asyncio.TimerHandle | None = None
        self._open = False
        outlet.drained = self.stale

    def open(self) -> None:
        """Take the terminal over and draw."""
        self._open = True
        self._outlet.write(ENTER)
        self.anew()

    def close(self) -> None:
        """Give the terminal back as it was. Twice is fine."""
        if self._open:
            self._open = False
            if self._due is not None:
                self._due.cancel()
                self._due = None
            self._outlet.write(LEAVE)
            self._outlet.flush(PARTING)

    def stale(self) -> None:
        """Draw soon, unless that is coming anyway."""
        if self._open and self._due is None:
            loop = asyncio.get_running_loop()
            self._due = loop.call_at(max(loop.time(), self._drawn_at + GAP), self._draw)

    def anew(self) -> None:
        """Draw everything: the terminal has another size, or shows something else."""
        if self._open:
            self._shown = []
            self._now()

    def said(self, text: str) -> None:
        """Show one sentence until the next line is typed."""
        self._reply = text
        self.stale()

    def read(self, title: str, text: str) -> None:
        """Show a text instead of the board until the person has read it."""
        self._page = {"title": title, "text": text, "top": 0}
        self._now()

    def keys(self, text: str | None) -> None:
        """Take what the keyboard sent; None: it will send no more."""
        for key in self._editor.feed(text) if text is not None else [Key(Kind.END)]:
            self._key(key)
        self._now()

    def begin(self, line: str) -> None:
        """A line is taken up: the person sees it in what the board does."""

    def _key(self, key: Key) -> None:
        if key.kind is Kind.END:
            self._typed(None)
        elif key.kind is Kind.AGAIN:
            self._shown = []
        elif key.kind is Kind.CHOICES:
            self._reply = key.text
        elif self._page is not None and not key.text.strip():
            self._turn()
        else:
            self._page, self._reply = None, ""
            self._typed(key.text)

    def _turn(self) -> None:
        """Show the next part of the text, or the board again behind the last."""
        assert self._page is not None
        columns, rows = self._size()
        self._page["top"] += page_rows(rows - 1)
        if self._page["top"] >= len(_laid(self._page["text"], columns)):
            self._page = None

    def _now(self) -> None:
        """Draw at once: keys are answered without delay."""
        if self._due is not None:
            self._due.cancel()
        self._due = None
        self._draw()

    def _draw(self) -> None:
        self._due = None
        # What is still under way would only be overtaken: `drained` brings the newest.
        if not self._open or self._outlet.busy:
            return
        loop = asyncio.get_running_loop()
        self._drawn_at = loop.time()
        now = self._clock()
        columns, rows = self._size()
        state = self._described(now, columns)
        lights = [cell["light"] for cell in state["cells"]]
        lines = draw(state, (columns, max(1, rows - 1)), colour=self._colour, now=now)
        self._send([*lines, *[""] * (rows - 1 - len(lines))], columns, rows)
        fades = self._afterglow.fades_at(lights, now)
        if fades is not None:
            self._due = loop.call_later(max(GAP, (fades - now) / 1000), self._draw)

    def _described(self, now: int, columns: int) -> dict[str, Any]:
        state = dict(self._state(now))
        seen = self._afterglow.over([cell["light"] for cell in state["cells"]], now)
        state["cells"] = [{**cell, "seen": one} for cell, one in zip(state["cells"], seen, strict=True)]
        state["reply"] = self._reply
        if self._page is not None:
            state["page"] = {**self._page, "lines": _laid(self._page["text"], columns)}
        return state

    def _send(self, lines: Sequence[str], columns: int, rows: int) -> None:
        """Send the rows that differ from those on the screen, and the row in which the person types."""
        typed, cursor = _window(self._editor.text, self._editor.cursor, columns - len(PROMPT) - 1)
        wanted = [*lines, f"{PROMPT}{harmless(typed)}"][:rows] if rows > 1 else [f"{PROMPT}{harmless(typed)}"]
        anew = len(self._shown) != len(wanted)
        before = [None] * len(wanted) if anew else self._shown
        changed = [at(row, 0) + line + TO_END for row, line in enumerate(wanted) if line != before[row]]
        place = at(len(wanted) - 1, min(len(PROMPT) + cursor, max(0, columns - 1)))
        if changed or place != self._place:
            self._outlet.write("".join((HIDE, CLEAR if anew else "", *changed, place, SHOW)))
        self._shown, self._place = wanted, place


def _laid(text: str, columns: int) -> list[str]:
    """Return a text in lines that fit; what was one line begins with its own indent."""
    lines = []
    for line in text.splitlines():
        indent = line[: len(line) - len(line.lstrip())]
        rest = wrapped(line.strip(), max(1, columns - len(indent)))
        lines += [indent + part for part in rest]
    return lines


def _window(text: str, cursor: int, room: int) -> tuple[str, int]:
    """Return the part of a line that is shown in so many columns, and the cursor in it."""
    start = max(0, cursor - max(0, room))
    return text[start : start + max(1, room + 1)], cursor - start
