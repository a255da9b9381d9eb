"""One session over a wire: what the device's messages tell, and what waits to be said to it."""

import struct
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from itertools import repeat
from operator import sub
from typing import ClassVar, Final, TypeAlias

from hardware import wire_messages as says
from hardware.link_answers import Answers
from hardware.link_clock import DeviceClock
from hardware.link_events import (
    Button,
    Cause,
    Configured,
    DeviceFault,
    FaultCode,
    Gap,
    Hello,
    Laid,
    LinkEvent,
    Raw,
    Settings,
    Statistics,
)
from hardware.link_lamps import changed_runs, run_bodies
from hardware.link_runs import AGO, BLOCK, CELL, KIND, MOST, NUMBER, READING, SESSION, TIME, unpack_run
from hardware.ports import UNKNOWN, CellChange, Millis
from hardware.wire import NUMBERED, WINDOW, Inbox, Outbox
from hardware.wire_messages import UNKNOWN as NOT_KNOWN

_ENTRY: Final = struct.Struct(says.CHANGES_ENTRY)
_CODES: Final = frozenset(int(code) for code in FaultCode)
SILENCE_MS: Final = 2500
"""Without a single good frame for so long, the device is taken for gone; two of its beats fit in, and a snapshot each.

A cable that is pulled shows at once by other means; this is for a device that hangs.
"""
FIRST_MS: Final = 2500
"""A device that has greeted tells its cells at once; so long it is waited for."""
UNTOLD_MS: Final = 5000
"""It tells them every second; without a snapshot for so long nobody knows what they read."""
DEAF_MS: Final = 5000
"""So long it may leave everything that it is sent unacknowledged."""

_SILENT: Final = "the board has gone silent; see that its cable is in and that it has power"
_NO_CELLS: Final = "the board answers, but does not tell its cells: press its reset, or run 'stonelight flash'"
_SENSELESS: Final = (
    "the board answers, but what it tells of its cells makes no sense: firmware and program may not belong together; "
    "run 'stonelight flash'"
)
_DEAF: Final = (
    "the board talks, but does not take what it is sent, so that its lights stand still: see its cable, press its "
    "reset, or run 'stonelight flash'"
)

_NUMBERS: Final = bytes(range(256)) * (2 + MOST // 256)

_Hear: TypeAlias = "Callable[[Session, Millis, bytes, list[LinkEvent]], bool]"


class Session:
    """What both ends know of each other between HELLO and silence.

    Args:
        number: 1 to 255; messages of other sessions are not for us. 0: no session, in which nothing is heard or said.
        hello: who the device is.
        now: when its HELLO came.
        time: what its clock showed then.

    Attributes:
        number, hello: as given.
        heard: when the last good message came.
        readings: shape (cells,): what the cells read, by the messages so far; empty before the first snapshot.
        inbox: which of its messages have come.
        clock: its time told in ours.
        wants_laid: whether the next snapshot is told even where it says nothing new.
    """

    def __init__(self, number: int, hello: Hello, now: Millis, time: int) -> None:
        self.number: Final = number
        self.hello: Final = hello
        self.heard = now
        self.readings = bytearray()
        self.inbox: Final = Inbox()
        self._answers: Final = Answers(self.inbox)
        self.clock: Final = DeviceClock()
        self.clock.learn(now, time)
        self._outbox = Outbox(number)
        self._cells: Final = bytes(range(min(hello.cells, 256)))
        self._parts = bytearray()
        self._readable: Final = bytes((*range(hello.top + 1), says.UNKNOWN))
        self._queue: deque[tuple[int, bytes]] = deque()
        self._shown: bytes | None = None
        self._laid = now
        self._taken = now
        self._nonsense = False
        self.wants_laid = False

    def hear_run(self, now: Millis, data: bytes, events: list[LinkEvent]) -> int:
        """Take the changes with which `data` begins, one a frame, if there are many; return how many bytes that was.

        Does what `hear` does for each of them, much quicker. Where anything is odd about one of them it takes none;
        a cell above 255 is, for no board has so many.
        """
        blocks = unpack_run(data)
        count, first = len(blocks) // BLOCK, self.inbox.next
        cells, column = blocks[CELL::BLOCK], blocks[READING::BLOCK]
        if (
            not (count and self.readings)
            or blocks[KIND::BLOCK].count(says.CHANGES) != count
            or blocks[SESSION::BLOCK].count(self.number) != count
            or blocks[NUMBER::BLOCK] != _NUMBERS[first : first + count]
            or blocks[CELL + 1 :: BLOCK].count(0) != count
            or cells.translate(None, self._cells)
            or column.translate(None, self._readable)
        ):
            return 0
        self.heard = now
        self.inbox.arrived(first + count & 255)
        for cell, reading in zip(cells, column, strict=True):
            self.readings[cell] = reading
        readings = map(_reading, column) if says.UNKNOWN in column else column
        events += map(tuple.__new__, repeat(CellChange), zip(cells, readings, self._since(now, blocks), strict=True))
        return len(blocks)

    def _since(self, now: Millis, blocks: bytes) -> Iterable[Millis]:
        """Return since when the changes of a run are there."""
        low, high, ago = blocks[TIME::BLOCK], blocks[TIME + 1 :: BLOCK], blocks[AGO::BLOCK]
        if low.count(low[0]) == high.count(high[0]) == len(ago):
            return map(self.clock.at(low[0] | high[0] << 8, now).__sub__, ago)
        times = [*zip(low, high, strict=True)]
        told = {time: self.clock.at(time[0] | time[1] << 8, now) for time in set(times)}
        return map(sub, map(told.__getitem__, times), ago)

    def hear(self, now: Millis, payload: bytes, events: list[LinkEvent]) -> bool:
        """Take a payload of this session; add what it tells. False: it makes no sense."""
        self.heard = now
        kind = payload[0]
        if not kind & NUMBERED:
            body = payload[2:]
        elif len(payload) < 3:
            return False
        else:
            gaps = self.inbox.gaps
            taken = self.inbox.take(payload[2])
            if self.inbox.gaps != gaps:
                events.append(Gap(now))
            if not taken:
                return True
            body = payload[3:]
        hear = self._HEARD.get(kind)
        return hear is not None and hear(self, now, body, events)

    def ends(self) -> Millis:
        """Return when the session is over unless something is heard before: `trouble` then says why."""
        end = min(self.heard + SILENCE_MS, self._laid + (UNTOLD_MS if self.readings else FIRST_MS))
        return min(end, self._taken + DEAF_MS) if self._outbox.room() < WINDOW else end

    def trouble(self, now: Millis) -> str:
        """Return for a person why the session is over; empty where it is not."""
        if now < self.ends():
            return ""
        if now - self.heard >= SILENCE_MS:
            return _SILENT
        if now - self._laid >= (UNTOLD_MS if self.readings else FIRST_MS):
            return _SENSELESS if self._nonsense else _NO_CELLS
        return _DEAF

    def say(self, kind: int, body: bytes) -> None:
        """Have a numbered message sent, once there is room."""
        self._queue.append((kind, body))

    def pump(self, now: Millis, frame: bytes | None, out: list[bytes]) -> None:
        """Put into `out` what is owed, what goes again, what waited for room, and `frame` when nothing else waits."""
        others = self._outbox.again(now)
        if self._outbox.room() == WINDOW:
            self._taken = now  # nothing is under way
        while self._outbox.room():
            if not self._queue and frame is not None and frame != self._shown:
                channels = self.hello.channels
                bodies = run_bodies(changed_runs(self._shown, frame, channels), channels)
                self._queue.extend((says.LAMPS, body) for body in bodies)
                self._shown = frame
            if not self._queue:
                break
            others.append(self._outbox.put(*self._queue.popleft(), now))
        out += self._answers.beside(others, self.number, now)

    def due(self, now: Millis, frame: bytes | None) -> Millis:
        """Return when `pump` has something by itself, as far as is known at `now`; `now` or earlier: at once."""
        if (self._queue or (frame is not None and frame != self._shown)) and self._outbox.room():
            return now
        answer, wait = self._answers.due(now), self._outbox.wait(now)
        return answer if wait is None else min(answer, now + wait)

    def _hear_beat(self, now: Millis, body: bytes, _events: list[LinkEvent]) -> bool:
        beat = says.unpack_beat(body)
        if beat is None:
            return False
        self.clock.learn(now, beat[0])
        self._acknowledged(beat[1], now)
        self._answers.heard_beat(now)
        return True

    def _hear_ack(self, now: Millis, body: bytes, _events: list[LinkEvent]) -> bool:
        if len(body) != 2:
            return False
        self._acknowledged(body[0], now)
        if body[1]:
            self._outbox.demand(now)
        return True

    def _acknowledged(self, until: int, now: Millis) -> None:
        room = self._outbox.room()
        self._outbox.acknowledge(until, now)
        if self._outbox.room() != room:
            self._taken = now

    def _hear_changes(self, now: Millis, body: bytes, events: list[LinkEvent]) -> bool:
        if len(body) != 6:
            return self._hear_many(now, body, events)
        # One stone, as nearly always: taken byte by byte, which is the quickest for a processor that has just woken.
        cell, reading = body[2] | body[3] << 8, body[4]
        if cell >= self.hello.cells or reading not in self._readable:
            return False
        if self.readings:
            self.readings[cell] = reading
            since = self.clock.at(body[0] | body[1] << 8, now) - body[5]
            events.append(CellChange(cell, UNKNOWN if reading == NOT_KNOWN else reading, since))
        return True

    def _hear_many(self, now: Millis, body: bytes, events: list[LinkEvent]) -> bool:
        if len(body) < 6 or len(body) % 4 != 2:
            return False
        changes = [*_ENTRY.iter_unpack(body[2:])]
        if max(changes)[0] >= self.hello.cells or body[4::4].translate(None, self._readable):
            return False
        readings = self.readings
        if not readings:
            return True  # the first snapshot is still to come, and holds them
        at = self.clock.at(body[0] | body[1] << 8, now)
        add, new = events.append, tuple.__new__
        for cell, reading, ago in changes:
            readings[cell] = reading
            add(new(CellChange, (cell, UNKNOWN if reading == NOT_KNOWN else reading, at - ago)))
        return True

    def _hear_snapshot(self, now: Millis, body: bytes, events: list[LinkEvent]) -> bool:
        part = says.unpack_snapshot(body)
        self._nonsense = part is None or not self._fits(*part[1:])
        if part is None or self._nonsense:
            return False
        time, _, flags, _ = part
        if not flags & says.SNAP_LAST:
            return True
        self._laid = now
        cause = _cause(flags, fresh=not self.readings, differs=self._parts != self.readings)
        self.readings, self._parts = self._parts, bytearray()
        if cause is None and self.wants_laid:
            cause = Cause.ASKED
        if cause is not None:
            self.wants_laid = False
            events.append(Laid(tuple(map(_reading, self.readings)), cause, self.clock.at(time, now)))
        return True

    def _fits(self, first: int, flags: int, readings: bytes) -> bool:
        """Take a part of a snapshot; return whether it goes on where the last ended, and reads as cells may."""
        if first == 0:
            self._parts = bytearray()
        if first != len(self._parts) or readings.translate(None, self._readable):
            return False
        self._parts += readings
        missing = self.hello.cells - len(self._parts)
        return missing == 0 if flags & says.SNAP_LAST else missing > 0

    def _hear_button(self, now: Millis, body: bytes, events: list[LinkEvent]) -> bool:
        button = says.unpack_button(body)
        if button is None or button[1] >= len(self.hello.buttons):
            return False
        time, number, down, ago = button
        events.append(Button(self.hello.buttons[number], bool(down), self.clock.at(time, now) - ago))
        return True

    def _hear_fault(self, now: Millis, body: bytes, events: list[LinkEvent]) -> bool:
        fault = says.unpack_fault(body)
        if fault is None:
            return False
        code, on, detail = fault
        events.append(DeviceFault(FaultCode(code) if code in _CODES else code, bool(on), detail, now))
        return True

    def _hear_settings(self, now: Millis, body: bytes, events: list[LinkEvent]) -> bool:
        settings = says.unpack_settings(body)
        if settings is None:
            return False
        events.append(Configured(Settings(*settings), now))
        return True

    def _hear_stats(self, now: Millis, body: bytes, events: list[LinkEvent]) -> bool:
        values = says.unpack_stats(body)
        if values is None:
            return False
        events.append(Statistics(**dict(zip(says.STATS_WORDS, values, strict=True)), at=now))
        return True

    def _hear_raw(self, now: Millis, body: bytes, events: list[LinkEvent]) -> bool:
        raw = says.unpack_raw(body)
        if raw is None or raw[1] + len(raw[2]) > self.hello.cells:
            return False
        events.append(Raw(raw[1], tuple(raw[2]), self.clock.at(raw[0], now)))
        return True

    _HEARD: ClassVar[Mapping[int, _Hear]] = {
        says.BEAT: _hear_beat,
        says.ACK: _hear_ack,
        says.STATS: _hear_stats,
        says.RAW: _hear_raw,
        says.CHANGES: _hear_changes,
        says.SNAPSHOT: _hear_snapshot,
        says.BUTTON: _hear_button,
        says.FAULT: _hear_fault,
        says.SETTINGS: _hear_settings,
    }
    """What becomes of each kind of message; False from it means that the body makes no sense."""


def _reading(byte: int) -> int:
    return UNKNOWN if byte == says.UNKNOWN else byte


def _cause(flags: int, *, fresh: bool, differs: bool) -> Cause | None:
    """Return why a snapshot is told; None for a regular one that says nothing new."""
    if fresh:
        return Cause.START
    if flags & says.SNAP_LOST:
        return Cause.LOST
    if flags & says.SNAP_ASKED:
        return Cause.ASKED
    return Cause.DIFFERS if differs else None
