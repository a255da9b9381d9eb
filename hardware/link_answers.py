"""When a session acknowledges and sends heartbeats: as seldom as the device allows, since each wakes both ends."""

from typing import Final

from hardware import wire_messages as says
from hardware.ports import Millis
from hardware.wire import BEAT_MS, WINDOW, Inbox, seal

ACK_MS: Final = 20
"""So long an acknowledgement waits for a message to go with; mostly lamps, which answer a stone within a millisecond.

Far below `hardware.wire.RESEND_MS`, so that nothing is sent again for it.
"""
HALF_WINDOW: Final = WINDOW // 2
"""With so many messages not acknowledged there is no waiting: the device must not run out of room."""
FRESH_MS: Final = 50
"""So long an answer to a heartbeat answers further ones too."""
ALONE_MS: Final = BEAT_MS + 50
"""Between two heartbeats of ours where none comes from the device: each of its own is answered at once."""


class Answers:
    """What is owed to the device.

    Args:
        inbox: which of its messages have come.
    """

    def __init__(self, inbox: Inbox) -> None:
        self._inbox: Final = inbox
        self._acknowledged = inbox.next
        self._owed_at: Millis | None = None
        self._beat: Millis | None = None
        self._beat_at: Millis | None = None

    def heard_beat(self, now: Millis) -> None:
        """Take that the device has sent a heartbeat. It is answered, unless the last answer is still fresh."""
        if self._beat is not None and now - self._beat >= FRESH_MS:
            self._beat_at = now

    def due(self, now: Millis) -> Millis:
        """Return when an answer goes out by itself, as far as is known at `now`; `now` or earlier: at once."""
        if self._beat_at is None:
            return now
        inbox = self._inbox
        if not inbox.owed:
            return self._beat_at
        if inbox.missing or not 0 < (inbox.next - self._acknowledged) & 255 < HALF_WINDOW:
            return now
        if self._owed_at is None:
            self._owed_at = now + ACK_MS
        return min(self._beat_at, self._owed_at)

    def beside(self, others: list[bytes], session: int, now: Millis) -> list[bytes]:
        """Return `others`, messages that go out now, with the answers that go out now: all that are owed, if any do."""
        inbox = self._inbox
        if not others and self.due(now) > now:
            return others
        out = others
        beats = self._beat_at is None or now >= self._beat_at
        if inbox.owed and (inbox.missing or not beats):
            out = [inbox.answer(session, now), *others]
        if beats:
            self._beat, self._beat_at = now, now + ALONE_MS
            inbox.owed = False  # a heartbeat acknowledges
            out = [*out, seal(bytes((says.BEAT, session)) + says.pack_beat(now, inbox.next))]
        self._owed_at, self._acknowledged = None, inbox.next
        return out
