"""How fast things go to and from one page. Pure: every call is told the time, in seconds on any steady clock.

A page that is slow, stuck or rude costs a fixed amount of memory: what waits for it is a few flags, never a queue.
"""

import enum
from collections import deque
from dataclasses import dataclass, field
from typing import Final

LIGHTS_GAP: Final = 1 / 30
"""Seconds from one frame of lights to the next: as fast as the board's own pixels are refreshed."""

STATE_GAP: Final = 1 / 60
"""Seconds from one state to the next: a screen shows no more."""

KEEP_ALIVE: Final = 2.0
"""Seconds of silence after which the lights are sent once more, so that a page can tell a quiet board from a dead line.

The page gives up on a line that was silent for three times as long (`static/link.js`).
"""

ERRORS_KEPT: Final = 8
"""Errors that wait for one page; when more come, the oldest are let go."""

TICK: Final = 1e-6
"""Seconds by which a clock may be short of a due time: adding floats is not exact."""


class Due(enum.Enum):
    """What goes to the page next."""

    ERROR = "error"
    STATE = "state"
    LIGHTS = "lights"


@dataclass(slots=True)
class Outbox:
    """What one page has still to be told; the newest wins. It begins with a state.

    Fields:
        gap: seconds from one state to the next.
    """

    gap: float = STATE_GAP
    state: bool = True
    lights: bool = False
    errors: deque[str] = field(default_factory=lambda: deque(maxlen=ERRORS_KEPT))
    shown_at: float = float("-inf")
    """When lights were last sent, in a frame or a state."""

    def heard(self, *, full: bool) -> None:
        """Note that there is something new: a state, or (not `full`) only lights."""
        if full:
            self.state = True
        else:
            self.lights = True

    def due_at(self) -> float:
        """Return when something is to be sent: an error at once, the rest in its time; never later than keep-alive."""
        if self.errors:
            return float("-inf")
        if self.state:
            return self.shown_at + self.gap
        return self.shown_at + (LIGHTS_GAP if self.lights else KEEP_ALIVE)

    def take(self, now: float) -> Due | None:
        """Return what is to be sent now, and count it as sent; None where nothing is due yet.

        After ERROR the caller takes the words from the left of `errors`.
        """
        if self.errors:
            return Due.ERROR
        if now < self.due_at() - TICK:
            return None
        due = Due.STATE if self.state else Due.LIGHTS
        self.state = self.lights = False
        self.shown_at = now
        return due


class Verdict(enum.Enum):
    """What becomes of a message that came in."""

    WELCOME = "welcome"
    TOO_MANY = "too many"
    """Not read, and the sender is told so: the first of a flood."""
    IGNORED = "ignored"
    """Not read: the rest of the flood."""
    GOODBYE = "goodbye"
    """The flood does not end: the line is closed."""


@dataclass(slots=True)
class Allowance:
    """How many messages of one page are read.

    Hands of a person or of a test send a few dozen in a row; a runaway script sends thousands.

    Fields:
        burst: messages that may come at once.
        rate: messages a second in the long run.
        pause: seconds without reading once a flood has begun.
        patience: messages of one flood after which the line is closed.
    """

    burst: int = 200
    rate: float = 50.0
    pause: float = 1.0
    patience: int = 5000
    left: float = field(init=False)
    at: float | None = field(init=False, default=None)
    shut_until: float = field(init=False, default=float("-inf"))
    ignored: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self.left = float(self.burst)

    def judge(self, now: float) -> Verdict:
        """Count a message that came in at `now`, and return what becomes of it."""
        if self.at is not None:
            self.left = min(float(self.burst), self.left + (now - self.at) * self.rate)
        self.at = now
        if now < self.shut_until:
            self.ignored += 1
            return Verdict.GOODBYE if self.ignored >= self.patience else Verdict.IGNORED
        if self.left >= 1:
            self.left -= 1
            self.ignored = 0
            return Verdict.WELCOME
        self.shut_until = now + self.pause
        self.ignored += 1
        return Verdict.TOO_MANY
