"""Keys into lines: what a person types into one row, with the cursor, the history and completion. Pure."""

import enum
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

LONGEST: Final = 200
"""Characters of the longest line; the longest move of any game has under 20."""
REMEMBERED: Final = 200
"""Lines that the arrow keys bring back."""

# A whole control sequence; or a key behind Alt; or one character.
_KEY: Final = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1bO.|\x1b[^\[O]|[^\x1b]", re.DOTALL)
# The beginning of a sequence whose end has not come yet.
_PART: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|O)?\Z")


class Kind(enum.Enum):
    """What came of some keys."""

    LINE = "line"
    END = "end"
    """Ctrl-D on an empty line."""
    AGAIN = "again"
    """Ctrl-L: everything is to be drawn anew."""
    CHOICES = "choices"
    """Tab, and several lines begin like this one: they are in `Key.text`."""


class Key(NamedTuple):
    """Something for others to do: `text` is the line, or the choices."""

    kind: Kind
    text: str = ""


class Editor:
    """One line being typed.

    Args:
        lines: gives the lines that Tab completes to.

    Fields:
        text: what was typed.
        cursor: before which of its characters the next one goes.
    """

    def __init__(self, lines: Callable[[], Iterable[str]] = tuple) -> None:
        self.text = ""
        self.cursor = 0
        self._lines = lines
        self._past: list[str] = []
        self._back = 0
        self._part = ""

    def feed(self, keys: str) -> list[Key]:
        """Take what the keyboard sent, cut anywhere; return what there is to do, in order."""
        keys = self._part + keys
        part = _PART.search(keys)
        # A lone Escape at the very end may be the beginning of an arrow key: it waits for what follows.
        self._part = part[0] if part else ""
        done: list[Key] = []
        for key in _KEY.findall(keys[: len(keys) - len(self._part)]):
            if key in _KEYS:
                _KEYS[key](self)
            elif key in "\r\n":
                done.append(Key(Kind.LINE, self._take()))
            elif key == "\x04":
                if self.text:
                    self._delete()
                else:
                    done.append(Key(Kind.END))
            elif key == "\f":
                done.append(Key(Kind.AGAIN))
            elif key == "\t":
                done.extend(self._complete())
            elif key.isprintable():
                self._insert(key)
        return done

    def _take(self) -> str:
        line, self.text, self.cursor, self._back = self.text, "", 0, 0
        if line.strip() and line not in self._past[-1:]:
            self._past = [*self._past, line][-REMEMBERED:]
        return line

    def _insert(self, text: str) -> None:
        text = text[: LONGEST - len(self.text)]
        self.text = self.text[: self.cursor] + text + self.text[self.cursor :]
        self.cursor += len(text)

    def _rub_out(self) -> None:
        if self.cursor:
            self.cursor -= 1
            self._delete()

    def _delete(self) -> None:
        self.text = self.text[: self.cursor] + self.text[self.cursor + 1 :]

    def _rub_out_word(self) -> None:
        kept = re.sub(r"\S*\s*\Z", "", self.text[: self.cursor])
        self.text, self.cursor = kept + self.text[self.cursor :], len(kept)

    def _rub_out_line(self) -> None:
        self.text, self.cursor = self.text[self.cursor :], 0

    def _cut_end(self) -> None:
        self.text = self.text[: self.cursor]

    def _left(self) -> None:
        self.cursor = max(0, self.cursor - 1)

    def _right(self) -> None:
        self.cursor = min(len(self.text), self.cursor + 1)

    def _home(self) -> None:
        self.cursor = 0

    def _end(self) -> None:
        self.cursor = len(self.text)

    def _older(self) -> None:
        self._recall(self._back + 1)

    def _newer(self) -> None:
        self._recall(self._back - 1)

    def _recall(self, back: int) -> None:
        if 0 <= back <= len(self._past):
            self._back = back
            self.text = self._past[-back] if back else ""
            self.cursor = len(self.text)

    def _complete(self) -> list[Key]:
        typed = self.text[: self.cursor]
        found = sorted({line for line in self._lines() if line.startswith(typed)})
        shared = _shared(found)
        if len(shared) > len(typed):
            self._insert(shared[len(typed) :])
            return []
        return [Key(Kind.CHOICES, "  ".join(found))] if len(found) > 1 else []


def _shared(lines: Sequence[str]) -> str:
    """Return what all lines begin with."""
    if not lines:
        return ""
    least, most = min(lines), max(lines)
    same = next((at for at, (one, other) in enumerate(zip(least, most, strict=False)) if one != other), len(least))
    return least[:same]


_KEYS: Final[dict[str, Callable[[Editor], None]]] = {
    "\x7f": Editor._rub_out,  # noqa: SLF001 - the table of what keys do in a line
    "\b": Editor._rub_out,  # noqa: SLF001
    "\x1b[3~": Editor._delete,  # noqa: SLF001
    "\x17": Editor._rub_out_word,  # noqa: SLF001
    "\x15": Editor._rub_out_line,  # noqa: SLF001
    "\x0b": Editor._cut_end,  # noqa: SLF001
    "\x01": Editor._home,  # noqa: SLF001
    "\x1b[H": Editor._home,  # noqa: SLF001
    "\x1bOH": Editor._home,  # noqa: SLF001
    "\x1b[1~": Editor._home,  # noqa: SLF001
    "\x05": Editor._end,  # noqa: SLF001
    "\x1b[F": Editor._end,  # noqa: SLF001
    "\x1bOF": Editor._end,  # noqa: SLF001
    "\x1b[4~": Editor._end,  # noqa: SLF001
    "\x02": Editor._left,  # noqa: SLF001
    "\x1b[D": Editor._left,  # noqa: SLF001
    "\x1bOD": Editor._left,  # noqa: SLF001
    "\x06": Editor._right,  # noqa: SLF001
    "\x1b[C": Editor._right,  # noqa: SLF001
    "\x1bOC": Editor._right,  # noqa: SLF001
    "\x10": Editor._older,  # noqa: SLF001
    "\x1b[A": Editor._older,  # noqa: SLF001
    "\x1bOA": Editor._older,  # noqa: SLF001
    "\x0e": Editor._newer,  # noqa: SLF001
    "\x1b[B": Editor._newer,  # noqa: SLF001
    "\x1bOB": Editor._newer,  # noqa: SLF001
}
