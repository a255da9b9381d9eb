"""A board behind a serial port: its cells and buttons as a `hardware.ports.Source`, its pixels as `Lamps`.

`SerialBoard` joins a `hardware.link.Link` and a `hardware.serial_plug.Plug`: it carries the bytes between them, opens
the port again when it is lost, and tells what goes wrong as `LinkNews` in words. No thread and no polling: it reads
when it is polled, and has the event loop wake its caller when there is something to read.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Final, cast

from hardware.board_plan import board_plan
from hardware.link import Link
from hardware.link_events import (
    Button,
    Can,
    DeviceFault,
    Down,
    FaultCode,
    Laid,
    LinkEvent,
    Noise,
    NoiseKind,
    Raw,
    Up,
    Wanted,
)
from hardware.link_noise import INSTEAD
from hardware.pixels import Chain, PixelEncoder
from hardware.ports import ButtonPress, CellChange, DeviceError, Frame, LinkNews, Millis, RawHeard, Sensed, Snapshot
from hardware.profile_model import Profile
from hardware.serial_plug import Plug

UNWATCHED_MS: Final = 10
"""Between two reads of a port that no event loop can watch, such as ``loop://``."""
MOST_READS: Final = 32
"""Reads in one poll: a device that never stops does not keep the game from its turn."""
SHORT: Final = 1024
"""A read of fewer bytes has taken all that was there."""

_TELLING: Final = frozenset({NoiseKind.TRACEBACK, NoiseKind.PROMPT, NoiseKind.LOGIN})
"""Noise that says why no board answers."""
LATELY_MS: Final = 2000
"""Noise that has come so lately says what is there in place of a board's messages."""
TELLING_MS: Final = 4000
"""The same for noise that comes once and says all: a traceback, then silence that is noticed after 2.5 s."""
_LOST_POWER: Final = frozenset({0, 1, 6})
"""Reasons for a start with which power may have failed: power, brownout, unknown (docs/protocol.md, HELLO).

The RP2040 cannot tell the first two apart.
"""
_BLINDING: Final = {
    FaultCode.CHAIN: "the board's chain of registers has come apart: see to the plugs between the tiles",
    FaultCode.LINE: "a line of the board's matrix is shorted to ground: see to its wires",
}
"""Faults with which cells keep what they read last, and what is told then."""

_CHANGE: Final = frozenset({CellChange})

_log = logging.getLogger(__name__)


def wanted_by(profile: Profile) -> Wanted:
    """Return what the device of a profile says of itself."""
    return Wanted(
        board=profile.name,
        cells=len(profile.cell_names()),
        sensing=profile.sensing,
        pixels=profile.lamps.count,
        channels=len(profile.lamps.order),
        wiring=_wiring(profile),
    )


def _wiring(profile: Profile) -> int:
    try:
        wiring: int = board_plan(profile)["wiring"]
    except DeviceError:  # no board of our firmware
        return 0
    return wiring


class SerialBoard:
    """A board's cells and buttons; `SerialLamps` are its pixels.

    Args:
        link: the logic of the wire.
        plug: the way to its port.

    Attributes:
        link, plug: as given.
        heard: told all that the link tells, for tools; None for nobody.
    """

    def __init__(self, link: Link, plug: Plug) -> None:
        self.link: Final = link
        self.plug: Final = plug
        self.heard: Callable[[Sequence[LinkEvent]], None] | None = None
        self._raw_heard: RawHeard | None = None
        self._now: Millis = 0
        self._up = False
        self._fresh = False
        self._owes = False
        self._said = ""
        self._noise: Noise | None = None
        self._babble: Noise | None = None
        # Whether its power held, to be told when the next snapshot brings the board up; None: nothing is to be told.
        self._arriving: bool | None = None
        self._blind: dict[int, str] = {}
        self._backlog: list[Sensed] = []
        self._closed = False

    # What the table's loop calls --------------------------------------------------------------------------------------

    def poll(self, now: Millis) -> Sequence[Sensed]:
        """Return what the board has told up to `now`. Its cells come as a `Snapshot` once there is a session."""
        if self._closed:
            return ()
        self._now = now
        out, self._backlog = self._backlog, []
        if self.plug.channel is None and now >= self.plug.retry_at:
            why = self.plug.open(now)
            if why is None:
                self._noise = self._babble = None
                self.link.begin(now)
            else:
                self._say(why, now, out)
        if self.plug.channel is not None:
            self._carry(now, out)
        return out

    def due(self) -> Millis | None:
        """Return when `poll` wants to be called next; None once closed."""
        if self._closed:
            return None
        if self._backlog:
            return self._now
        channel, due = self.plug.channel, self.link.due()
        if channel is None or due is None:
            return self.plug.retry_at
        self._owes = self.link.owes()
        if self._owes:
            return self._now
        return due if channel.fd is not None else min(due, self._now + UNWATCHED_MS)

    def listen(self, wake: Callable[[], None]) -> None:
        """Have `wake` called when the port has something to read, by the event loop that runs now."""
        self.plug.listen(wake)

    def hear_raw(self, heard: RawHeard | None) -> None:
        """Have the board say what its sensors give, where it can, in this session and all later ones; None: no more."""
        self._raw_heard = heard
        self._ask_raw(self._now)
        self.plug.write(self.link.outgoing())

    def _ask_raw(self, now: Millis) -> None:
        if self.link.hello is not None and Can.RAW in self.link.hello.can:
            self.link.watch_raw(now, on=self._raw_heard is not None)

    def close(self) -> None:
        """Let go of the port. Twice is fine."""
        self._closed = True
        self.plug.close()

    def unread(self, told: Iterable[Sensed]) -> None:
        """Have these told again, before anything else, by the next `poll`."""
        self._backlog = [*told, *self._backlog]

    # What the lamps call ----------------------------------------------------------------------------------------------

    def light(self, data: bytes) -> None:
        """Have the chain show these bytes; without a session, as soon as there is one.

        Raises:
            DeviceError: the board has been closed.
        """
        if self._closed:
            raise DeviceError("the board is closed; open it again")
        self.link.light(self._now, data)
        self.plug.write(self.link.outgoing())

    # Bytes and events -------------------------------------------------------------------------------------------------

    def _carry(self, now: Millis, out: list[Sensed]) -> None:
        """Read, let the link judge, and write."""
        channel, link = self.plug.channel, self.link
        assert channel is not None
        for _ in range(MOST_READS):
            try:
                data = channel.read()
            except OSError as error:
                self._lose(now, error.strerror or str(error), out)
                return
            if not data:
                break
            only_changes = self._take(now, link.receive(now, data), out)
            if self.plug.channel is not channel:
                return
            if len(data) < SHORT and self.plug.watched:  # should more have come, the event loop tells
                if only_changes and not self._owes:
                    return  # first they are told; then `due` says whether anything is to be written for them
                break
        self._owes = False
        due = link.due()
        if due is not None and due <= now:
            self._take(now, link.tick(now), out)
        self.plug.write(link.outgoing())

    def _lose(self, now: Millis, why: str, out: list[Sensed]) -> None:
        """The port is gone."""
        self._up = False
        self.plug.lost(now)
        self.link.end(now, why)
        self._say(self._said_instead(now) or why, now, out)

    def _take(self, now: Millis, events: list[LinkEvent], out: list[Sensed]) -> bool:
        """Tell what the table has words for, and note the rest; return whether it was nothing but cell changes."""
        if not events:
            return False
        if self.heard is not None:
            self.heard(events)
        if self._fresh and not self._blind and _CHANGE.issuperset(map(type, events)):
            out += cast("list[CellChange]", events)  # there may be many
            return True
        for event in events:
            if isinstance(event, CellChange):
                if self._fresh and not self._blind:
                    out.append(event)
            elif isinstance(event, Laid):
                self._laid(event, out)
            elif isinstance(event, Button):
                if event.down:
                    out.append(ButtonPress(event.name, event.at))
            elif isinstance(event, Up | Down | Noise | DeviceFault):
                self._news(now, event, out)
            elif isinstance(event, Raw) and self._raw_heard is not None:
                self._raw_heard(event.at, event.first, event.values)
        return False

    def _news(self, now: Millis, event: Up | Down | Noise | DeviceFault, out: list[Sensed]) -> None:
        if isinstance(event, Up):
            _log.info("board %r, firmware %s, on %s", event.hello.board, event.hello.firmware, self.plug.where)
            self.plug.is_board()
            self._up, self._fresh, self._noise, self._babble = True, False, None, None
            self._arriving = event.went_on or event.hello.reset not in _LOST_POWER
            self._blind.clear()
            if self._raw_heard is not None:
                self._ask_raw(now)
        elif isinstance(event, Down):
            self._went_down(now, self._instead(now) or event.why, out)
        elif isinstance(event, Noise):
            _log.info("on %s: %s: %r", self.plug.where, event.says, event.data[:80])
            if event.kind in _TELLING and not (self._said_instead(now) and event.kind is NoiseKind.PROMPT):
                self._noise = event  # a prompt after a traceback says less than the traceback
            if event.kind is not NoiseKind.SENSELESS:  # which the link has words for
                self._babble = event
        else:
            self._faulted(now, event, out)

    def _laid(self, laid: Laid, out: list[Sensed]) -> None:
        """A snapshot has come. Only with the first one of a session is the board up for those who play."""
        if self._blind:
            return
        self._fresh = True
        powered, self._arriving = self._arriving, None
        if powered is not None:
            self._said = ""
            out.append(LinkNews(up=True, why="", at=laid.at, powered=powered))
        out.append(Snapshot(laid.readings, laid.at))

    def _instead(self, now: Millis) -> str:
        """Return what has come in place of a board's messages; empty for nothing."""
        if (said := self._said_instead(now)) or self._babble is None or now - self._babble.at > LATELY_MS:
            return said
        return INSTEAD[self._babble.kind]

    def _said_instead(self, now: Millis) -> str:
        """Return what the noise says that tells all; empty where none came lately."""
        return self._noise.says if self._noise is not None and now - self._noise.at <= TELLING_MS else ""

    def _went_down(self, now: Millis, why: str, out: list[Sensed]) -> None:
        """The session is over, or there has not been one for a while; then the board may be on another port."""
        if self._up:
            self._up = False
            self._say(why, now, out)
            return
        self._say(self.plug.is_not_board(now, why), now, out)
        if self.plug.channel is None:
            self.link.end(now, why)

    def _faulted(self, now: Millis, fault: DeviceFault, out: list[Sensed]) -> None:
        name = fault.code.name if isinstance(fault.code, FaultCode) else str(fault.code)
        _log.warning("the board tells of the fault %s (%d)%s", name, fault.detail, "" if fault.on else ": over")
        why = _BLINDING.get(fault.code) if isinstance(fault.code, FaultCode) else None
        if why is None:
            return
        if fault.on:
            self._blind[fault.code] = why
            self._say(why, now, out)
        elif self._blind.pop(fault.code, None) and not self._blind:
            self._fresh = False
            if self._arriving is None:
                self._arriving = True  # the session has gone on, and so has its power
            self.link.ask_snapshot(now)

    def _say(self, why: str, now: Millis, out: list[Sensed]) -> None:
        """Tell a person what is wrong, unless it is nothing, or what was said last."""
        if why and why != self._said:
            self._said = why
            out.append(LinkNews(up=False, why=why, at=now))


class SerialLamps:
    """The pixels of a board behind a serial port, as `hardware.ports.Lamps`.

    Order, gamma, brightness and the current limit are judged here; the device gets chain bytes, of which the link sends
    what has changed. Without a session nothing fails: the board's news say so, and the last frame is shown later.

    Args:
        chain: how frames become chain bytes.
        board: the way to the device.
    """

    def __init__(self, chain: Chain, board: SerialBoard) -> None:
        self._encoder = PixelEncoder(chain)
        self._board = board
        self._frame_bytes = 3 * len(chain.places)
        self._shown: bytes | None = None
        self._closed = False

    def show(self, frame: Frame) -> None:
        """Light the pixels so.

        Raises:
            ValueError: the frame has not three bytes for each pixel.
            DeviceError: the board or the lamps are closed.
        """
        if frame == self._shown:
            return
        data = self._encoder.encode(frame)
        if self._closed:
            raise DeviceError("the lamps are closed; open the board again")
        self._board.light(data)
        self._shown = bytes(frame)

    def dim(self, share: float) -> None:
        """Light everything at this share, 0.0 to 1.0, of the chain's brightness; the frame is sent again so."""
        if self._encoder.dim(share):
            self._shown = None

    def cover(self, cells: Iterable[int]) -> None:
        """Say which cells have something lying on them; see `hardware.lamps.PixelLamps.cover`."""
        if self._encoder.cover(cells):
            self._shown = None

    def close(self) -> None:
        """All dark, and let go. Twice is fine."""
        if self._closed:
            return
        self._closed = True
        try:
            self._board.light(self._encoder.encode(bytes(self._frame_bytes)))
        except DeviceError as error:
            _log.warning("the pixels could not be darkened: %s", error)
