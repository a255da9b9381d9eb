"""The device's end of the wire: sessions, numbered messages, heartbeats, and a port that may not be read.

Nothing here waits. What the port does not take is kept up to `KEEP` bytes, and above that dropped: numbered messages
go again by themselves, and cell changes that find no room are made good by a snapshot.
"""

import wire
import wire_messages as says

KEEP = 2048
"""Bytes that wait for a host that does not read."""
READ = 256
"""Bytes read at once."""
TOGETHER = 256
"""Bytes written at once, where frames are that short: the host then wakes once for all of them."""
SILENT_MS = 3000
"""Without a word for so long, the host is taken for gone."""
GREET_MS = 500
"""Between two greetings to nobody in particular."""
IDLE_MS = 100
"""After so long without sending, a frame begins with a delimiter: who knows what the host has in its buffer."""


class Talk:
    """One wire.

    Args:
        port: as ``usb_cdc`` has it, with both timeouts 0.
        about: the numbers of HELLO; whoever changes a setting changes it there.
        names: identity, board, buttons: the texts of HELLO.

    Attributes:
        hears: what to call for messages: an object with `opened`, `painted`, `asked`, `configured`, `restarted`.
        up: whether there is a session.
        senseless, dropped, resent: counts for STATS.
    """

    def __init__(self, port, about: dict, names: tuple) -> None:
        self.hears = None
        self.up = False
        self.senseless = 0
        self.dropped = 0
        self.deframer = wire.Deframer()
        self._resent = 0
        self._port = port
        self.about = about
        self._names = names
        self._session = 0
        self._nonce = 0
        self._inbox = wire.Inbox()
        self._outbox = wire.Outbox(0)
        self._out = []
        self._kept = 0
        self._cut = True
        self._heard = 0
        self._beat = 0
        self._wrote = 0
        self._greeted = False
        self._spoken = False

    @property
    def resent(self) -> int:
        """Frames that went again, since the start."""
        return self._resent + self._outbox.resent

    def room(self) -> int:
        """Return how many numbered messages may be said now; 0 without a session."""
        return self._outbox.room() if self.up else 0

    def say(self, now: int, kind: int, body: bytes) -> None:
        """Send a numbered message. The caller has seen that there is `room`."""
        self._send(now, self._outbox.put(kind, body, now))

    def mention(self, now: int, kind: int, body: bytes) -> None:
        """Send a message that may get lost."""
        self._send(now, wire.seal(bytes((kind, self._session)) + body))

    def receive(self, now: int) -> None:
        """Take what has come. A read is bounded, so that a flood cannot keep the cells from being scanned."""
        if not self._port.in_waiting:
            return
        data = self._port.read(READ)
        if not data:
            return
        for item in self.deframer.feed(data):
            if isinstance(item, bytes):
                self._payload(now, item)
        if self.up and self._inbox.owed:
            self._send(now, self._inbox.answer(self._session, now))

    def tick(self, now: int) -> None:
        """Let time pass, and write what the port takes."""
        if self.up:
            if wire.later(now, self._heard) >= SILENT_MS:
                self._close()
            else:
                overdue = self._outbox.overdue(now)
                if overdue:
                    for frame in self._outbox.again(now):
                        self._send(now, frame)
                if overdue or self.beats(now):  # where acknowledgements get lost, the answer to it is another
                    self._beat_now(now)
        if not self.up and (not self._greeted or wire.later(now, self._beat) >= GREET_MS):
            self._greet(now)
        if self._out:
            self._flush()

    def beats(self, now: int) -> bool:
        """Return whether `tick` will send a heartbeat at that moment; what goes with it wakes the host no more."""
        return self.up and wire.later(now, self._beat) >= wire.BEAT_MS

    def wait(self, now: int) -> int:
        """Return in how many milliseconds `tick` has something to do."""
        if self._out:
            return 1
        wait = (wire.BEAT_MS if self.up else GREET_MS) - wire.later(now, self._beat)
        again = self._outbox.wait(now) if self.up else None
        if again is not None and again < wait:
            wait = again
        return wait if wait > 0 else 0

    # Sessions ---------------------------------------------------------------------------------------------------------

    def _close(self) -> None:
        self.up = False
        self._greeted = False
        self._session = 0
        self._nonce = 0

    def _greet(self, now: int) -> None:
        """HELLO: to the session that has just been opened, or to whoever may be there."""
        self._greeted = True
        self._beat = now
        about = self.about
        about["nonce"] = self._nonce
        about["time"] = now
        self.mention(now, says.HELLO, says.pack_hello(about, *self._names))

    def _opened(self, now: int, session: int, body: bytes) -> None:
        opened = says.unpack_open(body) if session else None
        if opened is None:
            self.senseless += 1
            return
        protocol, nonce = opened
        if self.up and session == self._session and nonce == self._nonce and not self._spoken:
            self._greet(now)  # the first answer was lost, or is still on its way
            return
        self._close()
        self._session, self._nonce = session, nonce
        self._drop()
        self._greet(now)
        if protocol != says.PROTOCOL:
            self._session = self._nonce = 0
            return
        self.up = True
        self._spoken = False
        self._heard = now
        self._resent += self._outbox.resent
        self._inbox = wire.Inbox()
        self._outbox = wire.Outbox(session)
        self.hears.opened(now)

    def _beat_now(self, now: int) -> None:
        self._beat = now
        self.mention(now, says.BEAT, says.pack_beat(now, self._inbox.next))

    # What comes in ----------------------------------------------------------------------------------------------------

    def _payload(self, now: int, payload: bytes) -> None:
        kind = payload[0]
        if kind == says.OPEN:
            self._opened(now, payload[1], payload[2:])
            return
        if not self.up or payload[1] != self._session:
            return
        self._heard = now
        self._spoken = True
        if kind & wire.NUMBERED:
            if len(payload) > 2 and self._inbox.take(payload[2]) and not self._heed(now, kind, payload[3:]):
                self.senseless += 1
        elif kind == says.BEAT:
            beat = says.unpack_beat(payload[2:])
            if beat is not None:
                self._outbox.acknowledge(beat[1], now)
        elif kind == wire.ACK and len(payload) == 4:
            self._outbox.acknowledge(payload[2], now)
            if payload[3]:
                self._outbox.demand(now)
        else:
            self.senseless += 1

    def _heed(self, now: int, kind: int, body: bytes) -> bool:
        """Do what a numbered message says; False where it makes no sense."""
        if kind == says.LAMPS:
            runs = says.unpack_runs(body, self.about["channels"])
            return runs is not None and self.hears.painted(runs[1], bool(runs[0] & says.LAMPS_SHOW))
        if kind == says.SETTINGS:
            settings = says.unpack_settings(body)
            return settings is not None and self.hears.configured(now, settings)
        if kind == says.ASK and len(body) == 2:
            return self.hears.asked(now, body[0], body[1])
        if kind == says.RESTART and len(body) == 1:
            return self.hears.restarted(body[0])
        return False

    # What goes out ----------------------------------------------------------------------------------------------------

    def _send(self, now: int, frame: bytes) -> None:
        if self._kept + len(frame) > KEEP:
            self.dropped += 1
            return
        if self._cut or wire.later(now, self._wrote) >= IDLE_MS:
            frame = b"\0" + frame
            self._cut = False
        self._wrote = now
        self._out.append(frame)
        self._kept += len(frame)

    def _drop(self) -> None:
        """Forget what waits. The next frame begins with a delimiter, which ends one of which only a part was taken."""
        self._out = []
        self._kept = 0
        self._cut = True

    def _flush(self) -> None:
        """Write what the port takes now; to nobody nothing."""
        if not self._port.connected:
            self._drop()
            return
        while self._out:
            data = self._out.pop(0)
            while self._out and len(data) + len(self._out[0]) <= TOGETHER:
                data += self._out.pop(0)
            taken = self._port.write(data) or 0
            self._kept -= taken
            if taken < len(data):
                self._out.insert(0, data[taken:])
                return
