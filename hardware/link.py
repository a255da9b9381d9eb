"""`Link`: the controller's end of the wire. Bytes in, events out; told the time, touching no port.

A port module drives it so::

    link.begin(now)                      # the port has just been opened
    events = link.receive(now, data)     # whatever the port gave, in any pieces
    events = link.tick(now)              # at link.due() or earlier
    port.write(link.outgoing())          # after each of these calls; what receive has found may be told first
    events = link.end(now, why)          # the port is gone

A session begins with an OPEN that carries a number and a nonce, and with the device's HELLO that repeats them. From
then on both sides number what must not be lost, acknowledge what came, and send again what was not acknowledged; the
device sends a BEAT every second, which is answered, and who hears nothing for `SILENCE_MS` takes the session for
over. A device that has started anew greets with session 0. However the bytes are cut, the events are the same; what is
no message is `Noise`.
"""

import enum
from collections.abc import Iterator
from typing import Final

from hardware import wire_messages as says
from hardware.link_clock import DeviceClock
from hardware.link_events import Down, Hello, LinkEvent, Noise, NoiseKind, Settings, Up, Wanted
from hardware.link_hello import read_hello, refusal
from hardware.link_noise import noise_kind, noise_words
from hardware.link_runs import BLOCK, LEAST
from hardware.link_session import Session
from hardware.ports import Millis
from hardware.wire import Deframer, seal

OPEN_MS: Final = 250
"""Between two OPENs that nobody answers."""
PATIENCE_MS: Final = 1500
"""So long an OPEN may go unanswered before a person is told."""
STALE_MS: Final = 200
"""A piece of a frame that waits so long for its end is noise: a prompt, or a frame cut short."""
REFUSED_MS: Final = 1000
"""The same once people have been told, and between two looks at whether the wrong board has been replaced."""


ANEW_MS: Final = 500
"""A device that does nothing but greet does not make us open sessions faster than that."""
OPEN_AGAIN_MS: Final = 100
"""A device that greets is asked again at once, if the last OPEN is so old: it may have come too early for it."""

_ODD: Final = (
    "a board answers on this port, but its greeting makes no sense: {}; correct its firmware, or run 'stonelight flash'"
)
_NOBODY: Final = (
    "nothing answers as a board on this port; see that it is the board's data port, and that the firmware is on the "
    "board ('stonelight flash' puts it there)"
)


class Stage(enum.Enum):
    """Where a link stands."""

    CLOSED = "closed"
    """There is no port."""
    OPENING = "opening"
    """Waiting for HELLO."""
    UP = "up"
    """In a session."""
    REFUSED = "refused"
    """The device at the other end is not the one that was wanted, or speaks another protocol."""


_NO_SESSION: Final = Hello("", 0)


class Link:
    """The controller's end of one wire.

    Args:
        wanted: what the device must be; a session with another is refused.
        nonce: any number of 32 bits, best a random one, so that two runs of the program are told apart.

    Attributes:
        stage: where the link stands.
    """

    def __init__(self, wanted: Wanted | None = None, *, nonce: int = 0) -> None:
        self.stage = Stage.CLOSED
        self._wanted = wanted or Wanted()
        self._nonce = nonce & 0xFFFFFFFF
        self._deframer = Deframer()
        self._session = Session(0, _NO_SESSION, 0, 0)
        self._out: list[bytes] = []
        self._told_down = ""
        self._odd = ""
        self._clock: DeviceClock | None = None
        self._due: Millis | None = None
        self._unsettled: Millis | None = None
        self._opened: Millis = 0
        self._next_open: Millis = 0
        self._asked: Millis = 0
        self._bytes_at: Millis = 0
        self._frame: bytes | None = None
        self._settings: Settings | None = None

    @property
    def hello(self) -> Hello | None:
        """Who is there; None outside of a session."""
        return self._session.hello if self.stage is Stage.UP else None

    # What the port module calls ---------------------------------------------------------------------------------------

    def begin(self, now: Millis) -> None:
        """Begin on a port that has just been opened."""
        self._deframer = Deframer()
        self._out.clear()
        self._told_down = ""
        self._opened = now
        self._open(now)
        self._settle(now)

    def end(self, now: Millis, why: str) -> list[LinkEvent]:
        """Take that the port is gone; `why` says so to a person."""
        self._leave(Stage.CLOSED)
        self._out.clear()
        self._settle(now)
        return self._down(now, why)

    def receive(self, now: Millis, data: bytes) -> list[LinkEvent]:
        """Take bytes from the port and return what they tell, in order."""
        events: list[LinkEvent] = []
        self._bytes_at = now
        for item in self._deframer.feed(data) if len(data) < LEAST * BLOCK else self._beside_runs(now, data, events):
            if not isinstance(item, bytes):
                self._noise(now, item[0], events)
            elif item[0] == says.HELLO:
                self._greeted(now, item, events)
            elif (  # what is of another session is over
                self.stage is Stage.UP and item[1] == self._session.number and not self._session.hear(now, item, events)
            ):
                self._senseless(now, item, events)
        self._unsettled = now  # what is owed for it can wait until it has been told
        return events

    def _beside_runs(self, now: Millis, data: bytes, events: list[LinkEvent]) -> Iterator[bytes | tuple[bytes]]:
        """Take the runs of changes, each when its turn comes; yield what else there is, as the deframer does."""
        start = data.find(b"\0") + 1  # what came before ends here
        yield from self._deframer.feed(data[:start])
        while taken := self._session.hear_run(now, data[start:], events):
            start += taken
        yield from self._deframer.feed(data[start:])

    def tick(self, now: Millis) -> list[LinkEvent]:
        """Let time pass: beats, messages that go again, and silence that lasts too long."""
        events: list[LinkEvent] = []
        if self._unsettled is not None:
            self._settle(self._unsettled)
        if self._deframer.waiting() and now - self._bytes_at >= STALE_MS:
            for noise in self._deframer.flush():
                self._noise(now, noise[0], events)
        if self.stage is Stage.UP:
            if why := self._session.trouble(now):
                events += self._down(now, _ODD.format(self._odd) if self._odd else why)
                self._opened = now
                self._open(now)
        elif self.stage is not Stage.CLOSED and now >= self._next_open:
            if self.stage is Stage.OPENING and now - self._opened >= PATIENCE_MS:
                events += self._down(now, _ODD.format(self._odd) if self._odd else _NOBODY)
                self._odd = ""
            self._say_open(now)
        self._settle(now)
        return events

    def due(self) -> Millis | None:
        """Return when `tick` wants to be called next; None without a port."""
        if self._unsettled is not None:
            self._settle(self._unsettled)
        return self._due

    def owes(self) -> bool:
        """Return whether `outgoing` has something."""
        if self._unsettled is not None:
            self._settle(self._unsettled)
        return bool(self._out)

    def outgoing(self) -> bytes:
        """Return the bytes to write, in order, and forget them."""
        if self._unsettled is not None:
            self._settle(self._unsettled)
        out = b"".join(self._out)
        self._out.clear()
        return out

    # What the controller asks for -------------------------------------------------------------------------------------

    def light(self, now: Millis, frame: bytes) -> None:
        """Show a whole frame: chain bytes of all pixels. Only what differs is sent; the newest frame wins.

        Frames may be given before there is a session; the last one is shown once there is.

        Raises:
            ValueError: the device has another number of pixels than the frame.
        """
        if self.stage is Stage.UP and len(frame) != _frame_size(self._session.hello):
            hello = self._session.hello
            raise ValueError(f"a frame of {len(frame)} bytes for {hello.pixels} pixels of {hello.channels} bytes")
        self._frame = frame
        self._settle(now)

    def configure(self, now: Millis, settings: Settings) -> None:
        """Have the device scan so, now and in every later session; it answers with a `Configured`."""
        self._settings = settings
        self._say(now, says.SETTINGS, says.pack_settings(settings.numbers()))

    def ask_snapshot(self, now: Millis) -> None:
        """Have all cells read afresh: a `Laid` follows, with `Cause.ASKED`. Without a session nothing is asked."""
        self._session.wants_laid = True
        self._say(now, says.ASK, bytes((says.ASK_SNAPSHOT, 0)))

    def ask_statistics(self, now: Millis) -> None:
        """Have a `Statistics` sent. Without a session nothing is asked."""
        self._say(now, says.ASK, bytes((says.ASK_STATS, 0)))

    def watch_raw(self, now: Millis, *, on: bool) -> None:
        """Have `Raw` values sent all the time, until told otherwise or the session ends."""
        self._say(now, says.ASK, bytes((says.ASK_RAW, on)))

    def restart(self, now: Millis, mode: int) -> None:
        """Restart the device: `RESTART_PLAIN`, `RESTART_DRIVE` or `RESTART_LOADER` of `hardware.wire_messages`."""
        self._say(now, says.RESTART, bytes((mode,)))

    def _say(self, now: Millis, kind: int, body: bytes) -> None:
        if self.stage is Stage.UP:
            self._session.say(kind, body)
            self._settle(now)

    def _settle(self, now: Millis) -> None:
        """Say what is to be said at once, and reckon when something is due again."""
        self._unsettled = None
        if self.stage is Stage.CLOSED:
            self._due = None
            return
        if self.stage is Stage.UP:
            due = self._session.due(now, self._frame)
            if due <= now:
                self._session.pump(now, self._frame, self._out)
                due = self._session.due(now, self._frame)
            due = min(due, self._session.ends())
        else:
            due = self._next_open
        self._due = min(due, self._bytes_at + STALE_MS) if self._deframer.waiting() else due

    # Sessions ---------------------------------------------------------------------------------------------------------

    def _leave(self, stage: Stage) -> None:
        if self.stage is Stage.UP:
            self._clock = self._session.clock
        self.stage = stage
        self._session = Session(0, _NO_SESSION, 0, 0)

    def _open(self, now: Millis) -> None:
        """Ask for a new session."""
        self._leave(Stage.OPENING)
        self._nonce = (self._nonce + 1) & 0xFFFFFFFF
        self._say_open(now)

    def _say_open(self, now: Millis) -> None:
        soon = self.stage is Stage.OPENING and now - self._opened < PATIENCE_MS
        self._asked = now
        self._next_open = now + (OPEN_MS if soon else REFUSED_MS)
        # The delimiter ends whatever half a frame may lie in the device's buffer.
        self._out.append(b"\0" + seal(bytes((says.OPEN, self._number())) + says.pack_open(self._nonce)))

    def _number(self) -> int:
        return 1 + self._nonce % 255

    def _down(self, now: Millis, why: str) -> list[LinkEvent]:
        told, self._told_down = self._told_down, why
        return [Down(why, now)] if why != told else []

    def _senseless(self, now: Millis, payload: bytes, events: list[LinkEvent]) -> None:
        kind = NoiseKind.SENSELESS
        events.append(Noise(kind, noise_words(kind, payload), payload, now))

    def _greeted(self, now: Millis, payload: bytes, events: list[LinkEvent]) -> None:
        """HELLO: the answer to our OPEN, or a device that has just started."""
        read = read_hello(payload[2:])
        if isinstance(read, str):
            self._odd = read
            self._senseless(now, payload, events)
            return
        number, (hello, nonce, time) = payload[1], read
        if number == 0:
            if self.stage is Stage.UP and now - self._asked < ANEW_MS:
                return  # it will greet again
            if self.stage is Stage.UP:
                events += self._down(now, "the board has restarted, or did not hear us; it goes on by itself")
                self._opened = now
                self._open(now)
            elif self.stage is Stage.OPENING and now - self._asked >= OPEN_AGAIN_MS:
                self._say_open(now)
        elif number == self._number() and nonce == self._nonce and self.stage in (Stage.OPENING, Stage.REFUSED):
            if why := refusal(hello, self._wanted):
                self.stage = Stage.REFUSED
                self._next_open = now + REFUSED_MS
                events += self._down(now, why)
            else:
                went_on = self._clock is not None and self._clock.agrees(now, time)
                self._start(now, hello, time)
                events.append(Up(hello, now, went_on))

    def _start(self, now: Millis, hello: Hello, time: int) -> None:
        """Begin the session that the device has agreed to."""
        self.stage = Stage.UP
        self._told_down = self._odd = ""
        self._session = Session(self._number(), hello, now, time)
        if self._frame is not None and len(self._frame) != _frame_size(hello):
            self._frame = None
        if self._settings is not None and self._settings != hello.settings:
            self._session.say(says.SETTINGS, says.pack_settings(self._settings.numbers()))

    def _noise(self, now: Millis, data: bytes, events: list[LinkEvent]) -> None:
        kind = noise_kind(data)
        events.append(Noise(kind, noise_words(kind, data), data, now))


def _frame_size(hello: Hello) -> int:
    return hello.pixels * hello.channels
