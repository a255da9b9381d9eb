"""`Recorder`: everything that reached a table in its last hour, so that a run can be played again exactly.

It keeps values in memory and writes nothing. The time is cut into spans; each begins at rest, with the plies that stood
and the readings at that moment, so that the oldest spans can be dropped and the rest still makes sense by itself.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from hardware.ports import ButtonPress, CellChange, LinkNews, Millis, Sensed, Snapshot

SPAN_MS: Final = 5 * 60_000
"""How long a span is at least; the next one begins when the board is at rest."""
KEPT_MS: Final = 60 * 60_000
"""How long entries are kept."""
MOST_ENTRIES: Final = 100_000
"""How many entries are kept at most: a cell that flickers for an hour must not fill the memory."""

Entry: TypeAlias = tuple[Any, ...]
"""One thing that reached the table: a letter, the time of the table, and what it was (`encode`)."""


def encode(item: Sensed, now: Millis) -> Entry:
    """Return what was sensed as an entry."""
    match item:
        case CellChange():
            return ("c", now, item.cell, item.reading, item.at)
        case Snapshot():
            return ("s", now, list(item.readings), item.at)
        case ButtonPress():
            return ("b", now, item.button, item.at)
        case LinkNews():
            return ("l", now, item.up, item.why, item.at, item.powered)


def decode(entry: Sequence[Any]) -> Sensed:
    """Return what an entry of `encode` holds.

    Raises:
        ValueError: it is none.
    """
    try:
        match entry:
            case ["c", _, int(cell), int(reading), int(at)]:
                return CellChange(cell, reading, at)
            case ["s", _, list(readings), int(at)]:
                return Snapshot(tuple(int(reading) for reading in readings), at)
            case ["b", _, str(button), int(at)]:
                return ButtonPress(button, at)
            case ["l", _, bool(up), str(why), int(at), bool(powered)]:
                return LinkNews(up, why, at, powered)
            case ["l", _, bool(up), str(why), int(at)]:  # an older report
                return LinkNews(up, why, at)
    except TypeError as error:
        raise ValueError(f"{entry!r} is nothing that can be sensed") from error
    raise ValueError(f"{entry!r} is nothing that can be sensed")


@dataclass(slots=True)
class Span:
    """A stretch of time that begins at rest.

    Fields:
        at: when it begins.
        settings: the option values of the round that was under way.
        plies: the tokens of the plies that stood.
        readings: shape (cells,): how the board read; None where nothing had been sensed yet.
        masked: the cells that were played without, as `controller.recogniser.watch.Watch.put_by` gives them.
        unoriented: whether people were still to say how the board lies.
        entries: what reached the table.
    """

    at: Millis
    settings: dict[str, str]
    plies: list[str]
    readings: list[int] | None
    masked: list[tuple[int, int, bool]] = field(default_factory=list)
    unoriented: bool = False
    entries: list[Entry] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Return the span as JSON-able data."""
        return {
            "at": self.at,
            "settings": self.settings,
            "plies": self.plies,
            "readings": self.readings,
            "masked": [list(each) for each in self.masked],
            "unoriented": self.unoriented,
            "entries": [list(entry) for entry in self.entries],
        }


class Recorder:
    """Notes what reaches one table."""

    def __init__(self) -> None:
        self._spans: deque[Span] = deque()
        self._entries = 0

    @property
    def spans(self) -> Sequence[Span]:
        """What is kept, oldest first."""
        return self._spans

    def wants_rest(self, now: Millis) -> bool:
        """Return whether a span is to begin as soon as the board is at rest."""
        return not self._spans or now - self._spans[-1].at >= SPAN_MS

    def rest(self, span: Span) -> None:
        """Begin a span, without entries: the board is at rest, or nothing has been sensed yet."""
        self._spans.append(span)
        while len(self._spans) > 1 and self._spans[1].at <= span.at - KEPT_MS:
            self._drop_oldest()

    def sensed(self, items: Sequence[Sensed], now: Millis) -> None:
        """Note what was sensed, as one batch."""
        self._note(("batch", now, [encode(item, now) for item in items]))

    def advanced(self, now: Millis) -> None:
        """Note that the passing of time changed something."""
        self._note(("a", now))

    def pressed(self, button: str, now: Millis) -> None:
        """Note a button pressed in a page."""
        self._note(("p", now, button))

    def touched(self, cell: int, now: Millis) -> None:
        """Note a cell touched in a page."""
        self._note(("t", now, cell))

    def refused(self, why: str, now: Millis) -> None:
        """Note what people were told about the board itself."""
        self._note(("r", now, why))

    def dealt(self, settings: Mapping[str, str], now: Millis) -> None:
        """Note the option values of a new round."""
        self._note(("d", now, dict(settings)))

    def _note(self, entry: Entry) -> None:
        if not self._spans:
            return
        self._spans[-1].entries.append(entry)
        self._entries += 1
        while self._entries > MOST_ENTRIES:
            # Where one span alone is too long, nothing is kept until the board is at rest again.
            self._drop_oldest()

    def _drop_oldest(self) -> None:
        self._entries -= len(self._spans.popleft().entries)
