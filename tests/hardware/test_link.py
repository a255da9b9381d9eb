"""The controller's end of the wire against a device of a few lines: sessions, events, noise, and what is refused."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware import wire
from hardware import wire_messages as says
from hardware.link import OPEN_MS, PATIENCE_MS, REFUSED_MS, STALE_MS, Link, Stage
from hardware.link_answers import ACK_MS, ALONE_MS, HALF_WINDOW
from hardware.link_events import (
    Button,
    Can,
    Cause,
    Configured,
    DeviceFault,
    Down,
    FaultCode,
    Gap,
    Laid,
    LinkEvent,
    Noise,
    NoiseKind,
    Raw,
    Settings,
    Statistics,
    Up,
    Wanted,
)
from hardware.link_session import SILENCE_MS
from hardware.ports import UNKNOWN, CellChange, Sensing

HELLO = dict(zip(says.HELLO_WORDS, (1, 0, 1, 2, 3, 0, 16, 0, 1, 10, 3, 5, 5000, 20, 5, 3, 10), strict=True))


class Peer:
    """A device that says what it is told to, and remembers what it hears."""

    def __init__(self, link: Link, **hello: int) -> None:
        self.link = link
        self.numbers = HELLO | hello
        self.session = 0
        self.next = 0
        self.heard: list[bytes] = []
        self._deframer = wire.Deframer()

    def listen(self) -> list[bytes]:
        """Take what the link sends; return it."""
        heard = [item for item in self._deframer.feed(self.link.outgoing()) if isinstance(item, bytes)]
        self.heard += heard
        return heard

    def hello(self, now: int) -> list[LinkEvent]:
        """Answer the last OPEN."""
        self.listen()
        opened = [payload for payload in self.heard if payload[0] == says.OPEN][-1]
        unpacked = says.unpack_open(opened[2:])
        assert unpacked is not None
        self.session, self.next = opened[1], 0
        body = says.pack_hello(self.numbers | {"nonce": unpacked[1]}, "e661", "bamogo-4x4", ["ok", "red"])
        return self.link.receive(now, self.plain(says.HELLO, body))

    def greeting(self) -> bytes:
        """HELLO of a device that has just started."""
        return wire.seal(bytes((says.HELLO, 0)) + says.pack_hello(self.numbers, "e661", "bamogo-4x4", []))

    def plain(self, kind: int, body: bytes) -> bytes:
        return wire.seal(bytes((kind, self.session)) + body)

    def numbered(self, kind: int, body: bytes) -> bytes:
        frame = wire.seal(bytes((kind, self.session, self.next)) + body)
        self.next = (self.next + 1) & 255
        return frame

    def snapshot(self, readings: bytes = bytes(16), flags: int = 0, time: int = 5000) -> bytes:
        return self.numbered(says.SNAPSHOT, says.pack_snapshot(time, 0, says.SNAP_LAST | flags, readings))

    def change(self, cell: int, reading: int, ago: int = 0, time: int = 5000) -> bytes:
        return self.numbered(says.CHANGES, says.pack_changes(time, [(cell, reading, ago)]))


def opened(wanted: Wanted | None = None, **hello: int) -> tuple[Link, Peer]:
    """Return a link that is up, with its first snapshot, at 1000 ms."""
    link = Link(wanted, nonce=41)
    peer = Peer(link, **hello)
    link.begin(1000)
    peer.hello(1000)
    cells = peer.numbers["cells"]
    link.receive(1000, peer.snapshot(bytes(cells)))
    peer.listen()
    return link, peer


def kinds(payloads: list[bytes]) -> list[int]:
    return [payload[0] for payload in payloads]


# Sessions -------------------------------------------------------------------------------------------------------------


def test_a_session_begins_with_hello_and_a_snapshot() -> None:
    link = Link(nonce=41)
    peer = Peer(link)
    link.begin(1000)
    assert kinds(peer.listen()) == [says.OPEN]
    (up,) = peer.hello(1003)
    assert isinstance(up, Up)
    hello = up.hello
    assert (hello.firmware, hello.identity, hello.board, hello.cells) == ("1.2.3", "e661", "bamogo-4x4", 16)
    assert (hello.sensing, hello.pixels, hello.channels) == (Sensing.PRESENCE, 10, 3)
    assert hello.can == Can.RAW | Can.SETTINGS
    assert hello.buttons == ("ok", "red")
    assert link.stage is Stage.UP
    readings = bytes((1, 0, 0, 255)) + bytes(12)
    assert link.receive(1005, peer.snapshot(readings, time=5002)) == [
        Laid((1, 0, 0, UNKNOWN) + (0,) * 12, Cause.START, 1005)
    ]
    assert says.BEAT in kinds(peer.listen())


def test_open_is_repeated_until_it_is_answered_and_a_person_is_told_once() -> None:
    link = Link()
    peer = Peer(link)
    link.begin(0)
    told: list[LinkEvent] = []
    now = 0
    asked = []
    while now < 4000:
        due = link.due()
        assert due is not None
        assert due > now or now == 0
        now = due
        told += link.tick(now)
        asked.append(now)
    assert asked == [*range(OPEN_MS, PATIENCE_MS + 1, OPEN_MS), 2500, 3500, 4500]
    assert len(peer.listen()) == len(asked) + 1
    (down,) = told
    assert isinstance(down, Down)
    assert PATIENCE_MS <= down.at < PATIENCE_MS + OPEN_MS
    assert "stonelight flash" in down.why


def test_hello_with_another_nonce_or_session_opens_nothing() -> None:
    link = Link(nonce=41)
    peer = Peer(link)
    link.begin(0)
    peer.hello(0)
    link = Link(nonce=41)
    link.begin(0)
    for session, nonce in ((peer.session + 1, 42), (peer.session, 43)):
        body = says.pack_hello(HELLO | {"nonce": nonce}, "", "", [])
        assert link.receive(0, wire.seal(bytes((says.HELLO, session)) + body)) == []
    assert link.stage is Stage.OPENING


def test_silence_ends_the_session_and_the_next_answer_begins_another() -> None:
    link, peer = opened()
    assert link.tick(1000 + SILENCE_MS - 1) == []
    (down,) = link.tick(1000 + SILENCE_MS)
    assert isinstance(down, Down)
    assert "silent" in down.why
    old = peer.session
    (up,) = peer.hello(2100)
    assert isinstance(up, Up)
    assert peer.session != old


def test_beats_are_answered_with_what_came_before_them() -> None:
    """Whoever wakes for a beat has said all by its answer: no acknowledgement wakes anybody again."""
    link, peer = opened()
    link.tick(1000 + ACK_MS)
    link.light(1100, bytes(30))
    peer.listen()
    link.receive(1100, peer.plain(wire.ACK, bytes((1, 0))))
    for now in range(2000, 10000, 1000):
        beat = peer.plain(says.BEAT, says.pack_beat(now + 4000, 1))
        link.receive(now, peer.snapshot() + beat)
        (answer,) = peer.listen()
        assert answer == bytes((says.BEAT, peer.session)) + says.pack_beat(now, peer.next)
        assert link.due() == now + ALONE_MS


def test_a_beat_that_comes_twice_is_answered_once() -> None:
    link, peer = opened()
    beat = peer.plain(says.BEAT, says.pack_beat(6000, 0))
    link.receive(2000, beat + beat)
    link.receive(2010, beat)
    assert kinds(peer.listen()).count(says.BEAT) == 1


def test_a_device_whose_beats_get_lost_hears_ours() -> None:
    link, peer = opened()
    due = link.due()
    while due is not None and due < 1000 + SILENCE_MS:
        link.tick(due)
        due = link.due()
    assert kinds(peer.listen()).count(says.BEAT) == 2


def test_an_acknowledgement_goes_with_what_answers_the_change() -> None:
    link, peer = opened()
    link.tick(1000 + ACK_MS)
    peer.listen()
    link.receive(1100, peer.change(1, 1))
    assert peer.listen() == []
    link.light(1101, bytes(30))
    assert kinds(peer.listen()) == [wire.ACK, says.LAMPS]


def test_an_acknowledgement_that_nothing_goes_with_waits_a_little() -> None:
    link, peer = opened()
    link.tick(1000 + ACK_MS)
    peer.listen()
    link.receive(1100, peer.change(1, 1))
    assert link.due() == 1100 + ACK_MS
    link.receive(1110, peer.change(2, 1))
    assert peer.listen() == []
    link.tick(1100 + ACK_MS)
    assert peer.listen() == [bytes((wire.ACK, peer.session, 3, 0))]


def test_what_fills_half_a_window_or_comes_again_is_acknowledged_at_once() -> None:
    link, peer = opened()
    link.tick(1000 + ACK_MS)
    peer.listen()
    frames = [peer.change(1, number % 2) for number in range(HALF_WINDOW)]
    link.receive(1100, b"".join(frames[:-1]))
    assert peer.listen() == []
    link.receive(1101, frames[-1])
    assert kinds(peer.listen()) == [wire.ACK]
    link.receive(1102, frames[0])
    assert kinds(peer.listen()) == [wire.ACK]


def test_s3_a_device_that_starts_anew_is_a_new_session_not_an_error() -> None:
    link, peer = opened()
    link.receive(1100, peer.change(3, 1))
    down, *_ = link.receive(1600, b"\0rebooted\r\n\0" + peer.greeting())[1:]
    assert isinstance(down, Down)
    assert "restarted" in down.why
    (up,) = peer.hello(1210)
    assert isinstance(up, Up)
    assert link.receive(1211, peer.snapshot()) == [Laid((0,) * 16, Cause.START, 1210)]


def test_s1_a_lost_port_says_why_once_and_begins_again_elsewhere() -> None:
    link, peer = opened()
    assert link.end(1100, "the cable is out") == [Down("the cable is out", 1100)]
    assert link.end(1200, "the cable is out") == []
    assert link.due() is None
    assert link.tick(9000) == []
    assert link.outgoing() == b""
    link.begin(1300)
    (up,) = peer.hello(1300)
    assert isinstance(up, Up)


def test_messages_of_a_session_that_is_over_are_not_heard() -> None:
    link, peer = opened()
    late = peer.change(3, 1)
    link.end(1100, "out")
    link.begin(1200)
    peer.hello(1200)
    link.receive(1200, peer.snapshot())
    assert link.receive(1201, late) == []


# The wrong device -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        (Wanted(cells=48), "16 cells instead of 48"),
        (Wanted(pixels=40), "10 pixels instead of 40"),
        (Wanted(channels=4), "3 bytes for each pixel instead of 4"),
        (Wanted(sensing=Sensing.COLOUR), "cells that tell presence instead of colour"),
    ],
)
def test_a_wrong_pairing_is_named(wanted: Wanted, words: str) -> None:
    link = Link(wanted)
    peer = Peer(link)
    link.begin(0)
    (down,) = peer.hello(0)
    assert isinstance(down, Down)
    assert words in down.why
    assert "bamogo-4x4" in down.why
    assert link.stage is Stage.REFUSED
    assert link.receive(1, peer.change(0, 1)) == []
    link.tick(REFUSED_MS)
    assert peer.hello(REFUSED_MS) == []  # told once
    peer.numbers |= {"cells": 48, "pixels": 40, "channels": 4, "sensing": 1}
    link.tick(2 * REFUSED_MS)
    (up,) = peer.hello(2 * REFUSED_MS)
    assert isinstance(up, Up)


def test_another_wiring_is_refused_where_both_ends_know_it() -> None:
    link = Link(Wanted(wiring=7))
    peer = Peer(link, wiring=8)
    link.begin(0)
    (down,) = peer.hello(0)
    assert isinstance(down, Down)
    assert "before it was changed" in down.why
    assert "stonelight flash" in down.why
    for number, wiring in enumerate((7, 0), 1):
        peer.numbers["wiring"] = wiring
        link.tick(number * REFUSED_MS)
        (up,) = peer.hello(number * REFUSED_MS)
        assert isinstance(up, Up)
        assert up.hello.wiring == wiring
        link.end(number * REFUSED_MS, "out")
        link.begin(number * REFUSED_MS)


@pytest.mark.parametrize("hello", [{"cells": 48}, {"pixels": 40}, {"protocol": 2}])
def test_b10_a_board_that_is_refused_is_told_nothing_but_open(hello: dict[str, int]) -> None:
    link = Link(Wanted(cells=16, pixels=10))
    peer = Peer(link, **hello)
    link.light(0, b"\xff" * 30)
    link.begin(0)
    peer.hello(0)
    for now in range(0, 5000, 50):
        link.tick(now)
        link.light(now, bytes((now % 256,)) * 30)
        link.configure(now, Settings())
        link.restart(now, says.RESTART_PLAIN)
        peer.listen()
    assert set(kinds(peer.heard)) == {says.OPEN}


def test_another_protocol_is_named_with_what_to_do() -> None:
    link = Link()
    peer = Peer(link, protocol=2, major=7)
    link.begin(0)
    (down,) = peer.hello(0)
    assert isinstance(down, Down)
    assert "firmware 7.2.3 speaks version 2" in down.why
    assert "stonelight flash" in down.why


# What the cells do ----------------------------------------------------------------------------------------------------


def test_changes_are_told_with_the_time_at_which_they_began() -> None:
    link, peer = opened()  # the device's clock shows 5000 at 1000 here
    link.receive(1250, peer.plain(says.BEAT, says.pack_beat(5250, 0)))
    data = peer.change(3, 1, ago=12, time=5260) + peer.change(4, 255, ago=3, time=5261)
    assert link.receive(1263, data) == [CellChange(3, 1, 1248), CellChange(4, UNKNOWN, 1258)]
    both = peer.numbered(says.CHANGES, says.pack_changes(5300, [(3, 0, 20), (9, 1, 10)]))
    assert link.receive(1300, both) == [CellChange(3, 0, 1280), CellChange(9, 1, 1290)]


def test_the_device_clock_may_wrap_and_drift_and_never_tells_the_future() -> None:
    start = wire.CLOCK - 5000
    link, peer = opened(time=start)
    for step in range(1, 200):
        now, device = 1000 + 250 * step, start + 250 * step + step // 10 & wire.CLOCK
        link.receive(now, peer.plain(says.BEAT, says.pack_beat(device, 0)))
        (moved,) = link.receive(now, peer.change(1, step & 1, ago=7, time=device))
        assert isinstance(moved, CellChange)
        assert now - 7 - 6 <= moved.at <= now - 7


def test_a_gap_holds_everything_back_until_it_is_filled() -> None:
    link, peer = opened()
    missing, second, third = peer.change(1, 1), peer.change(2, 1), peer.change(1, 0)
    assert link.receive(1100, second + third) == [Gap(1100)]
    (demand,) = [payload for payload in peer.listen() if payload[0] == wire.ACK]
    assert demand[2:] == bytes((1, 1))
    assert link.receive(1105, missing + second + third) == [
        CellChange(1, 1, 1000),
        CellChange(2, 1, 1000),
        CellChange(1, 0, 1000),
    ]
    link.tick(1105 + ACK_MS)
    assert [payload[2:] for payload in peer.listen() if payload[0] == wire.ACK] == [bytes((4, 0))]


def test_duplicates_are_told_once() -> None:
    link, peer = opened()
    frame = peer.change(1, 1)
    assert len(link.receive(1100, frame + frame)) == 1
    assert link.receive(1200, frame) == []


def test_regular_snapshots_say_nothing_unless_they_differ() -> None:
    link, peer = opened()
    link.receive(1100, peer.change(2, 1))
    same = bytes((0, 0, 1)) + bytes(13)
    assert link.receive(1200, peer.snapshot(same)) == []
    other = bytes((0, 0, 1, 1)) + bytes(12)
    (laid,) = link.receive(1300, peer.snapshot(other))
    assert isinstance(laid, Laid)
    assert laid.cause is Cause.DIFFERS
    assert laid.readings == tuple(other)


@pytest.mark.parametrize(("flag", "cause"), [(says.SNAP_ASKED, Cause.ASKED), (says.SNAP_LOST, Cause.LOST)])
def test_snapshots_that_were_asked_for_or_follow_a_loss_are_told(flag: int, cause: Cause) -> None:
    link, peer = opened()
    link.ask_snapshot(1100)
    assert peer.listen()[-1][3:] == bytes((says.ASK_SNAPSHOT, 0))
    (laid,) = link.receive(1100, peer.snapshot(flags=flag))
    assert isinstance(laid, Laid)
    assert laid.cause is cause


def test_a_snapshot_in_parts_is_told_when_it_is_whole() -> None:
    link = Link()
    peer = Peer(link, cells=450, top=2)
    link.begin(0)
    peer.hello(0)
    readings = bytes(cell % 3 for cell in range(450))
    for first in (0, 200):
        part = says.pack_snapshot(5000, first, 0, readings[first : first + 200])
        assert link.receive(0, peer.numbered(says.SNAPSHOT, part)) == []
    last = says.pack_snapshot(5000, 400, says.SNAP_LAST, readings[400:])
    assert link.receive(0, peer.numbered(says.SNAPSHOT, last)) == [Laid(tuple(readings), Cause.START, 0)]


def test_all_other_events() -> None:
    link, peer = opened()
    data = (
        peer.numbered(says.BUTTON, says.pack_button(5100, 0, 1, 20))
        + peer.numbered(says.BUTTON, says.pack_button(5100, 1, 0, 0))
        + peer.numbered(says.FAULT, says.pack_fault(says.FAULT_CHAIN, 1, 0xFF))
        + peer.numbered(says.FAULT, says.pack_fault(99, 0, 1))
        + peer.numbered(says.SETTINGS, says.pack_settings((10, 2, 4, 8)))
        + peer.plain(says.STATS, says.pack_stats((1, 2, 3, 4, 5, 6, 7, 8)))
        + peer.plain(says.RAW, says.pack_raw(5100, 4, [0, 65535]))
    )
    assert link.receive(1100, data) == [
        Button("ok", True, 1080),
        Button("red", False, 1100),
        DeviceFault(FaultCode.CHAIN, True, 0xFF, 1100),
        DeviceFault(99, False, 1, 1100),
        Configured(Settings(10, 2, 4, 8), 1100),
        Statistics(1, 2, 3, 4, 5, 6, 7, 8, 1100),
        Raw(4, (0, 65535), 1100),
    ]


def nonsense() -> Iterator[tuple[str, int, bytes]]:
    yield "no such kind", 0xFF, b""
    yield "cell outside", says.CHANGES, says.pack_changes(0, [(16, 1, 0)])
    yield "a reading above the greatest", says.CHANGES, says.pack_changes(0, [(3, 2, 0)])
    yield "one of several above it", says.CHANGES, says.pack_changes(0, [(3, 1, 0), (4, 9, 0)])
    yield "several cells outside", says.CHANGES, says.pack_changes(0, [(0, 1, 0), (99, 1, 0)])
    yield "short changes", says.CHANGES, b"\1\2\3"
    yield "snapshot too long", says.SNAPSHOT, says.pack_snapshot(0, 0, says.SNAP_LAST, bytes(17))
    yield "snapshot too short", says.SNAPSHOT, says.pack_snapshot(0, 0, says.SNAP_LAST, bytes(15))
    yield "snapshot from the middle", says.SNAPSHOT, says.pack_snapshot(0, 3, says.SNAP_LAST, bytes(13))
    yield "no such button", says.BUTTON, says.pack_button(0, 2, 1, 0)
    yield "impossible settings", says.SETTINGS, bytes(4)
    yield "short fault", says.FAULT, b"\1"


@pytest.mark.parametrize(("kind", "body"), [row[1:] for row in nonsense()], ids=[row[0] for row in nonsense()])
def test_whole_messages_without_sense_are_told_and_change_nothing(kind: int, body: bytes) -> None:
    link, peer = opened()
    (noise,) = link.receive(1100, peer.numbered(kind, body))
    assert isinstance(noise, Noise)
    assert noise.kind is NoiseKind.SENSELESS
    assert link.receive(1101, peer.change(2, 1, time=5101)) == [CellChange(2, 1, 1101)]


# What goes out --------------------------------------------------------------------------------------------------------


def lamps(payloads: list[bytes]) -> list[tuple[int, list[tuple[int, int, bytes]]]]:
    unpacked = [says.unpack_runs(payload[3:], 3) for payload in payloads if payload[0] == says.LAMPS]
    return [runs for runs in unpacked if runs is not None]


def test_only_changed_runs_of_a_frame_are_sent() -> None:
    link, peer = opened()
    link.light(1000, bytes(30))
    assert lamps(peer.listen()) == [(says.LAMPS_SHOW, [(0, 10, bytes(3))])]
    frame = bytes(6) + b"\1\2\3" * 3 + b"\4\5\6" + bytes(12)
    link.light(1001, frame)
    assert lamps(peer.listen()) == [(says.LAMPS_SHOW, [(2, 3, b"\1\2\3"), (5, 1, b"\4\5\6")])]
    link.light(1002, frame)
    assert lamps(peer.listen()) == []


def test_the_newest_frame_wins_when_the_device_is_slow_and_is_sent_anew_in_the_next_session() -> None:
    link, peer = opened()
    for level in range(100):
        link.light(1000, bytes((level,)) * 30)
    sent = lamps(peer.listen())
    assert len(sent) == wire.WINDOW
    link.receive(1010, peer.plain(wire.ACK, bytes((wire.WINDOW, 0))))
    assert lamps(peer.listen()) == [(1, [(0, 10, bytes((99,)) * 3)])]
    link.receive(1600, peer.greeting())
    peer.hello(1600)
    assert lamps(peer.listen()) == [(1, [(0, 10, bytes((99,)) * 3)])]


def test_a_frame_of_many_runs_goes_in_several_messages_and_is_shown_at_the_end() -> None:
    link, peer = opened(pixels=280)
    frame = bytes(k * 7 % 251 for k in range(840))
    link.light(1000, frame)
    shown = bytearray(840)
    flags = []
    for flag, runs in lamps(peer.listen()):
        flags.append(flag)
        for start, count, colour in runs:
            shown[3 * start : 3 * (start + count)] = colour * count
    assert bytes(shown) == frame
    assert flags == [0] * 8 + [says.LAMPS_SHOW]


def test_a_frame_of_the_wrong_size_is_the_callers_mistake() -> None:
    link, _ = opened()
    with pytest.raises(ValueError, match="29 bytes for 10 pixels"):
        link.light(1000, bytes(29))


def test_what_is_not_acknowledged_goes_again_until_it_is() -> None:
    link, peer = opened()
    link.tick(1000 + ACK_MS)
    peer.listen()
    link.configure(1000, Settings(10, 2, 4, 8))
    assert kinds(peer.listen()) == [says.SETTINGS]
    link.tick(1000 + wire.RESEND_MS)
    assert kinds(peer.listen()) == [says.SETTINGS]
    link.receive(1090, peer.plain(says.BEAT, says.pack_beat(5090, 1)))
    link.tick(1240)
    assert says.SETTINGS not in kinds(peer.listen())


def test_settings_are_kept_for_later_sessions_and_only_sent_where_they_differ() -> None:
    link = Link(nonce=1)
    peer = Peer(link)
    link.configure(0, Settings(10, 2, 4, 8))
    link.begin(0)
    peer.hello(0)
    assert says.SETTINGS in kinds(peer.listen())
    peer.numbers |= {"scan_ms": 10, "busy_ms": 2, "samples": 4, "agree_ms": 8}
    link.receive(10, peer.greeting())
    peer.hello(10)
    assert says.SETTINGS not in kinds(peer.listen())


@pytest.mark.parametrize("numbers", [(0, 5, 3, 10), (20, 251, 3, 10), (20, 5, 17, 10), (20, 5, 3, -1)])
def test_impossible_settings_cannot_be_made(numbers: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match="samples 1 to 16"):
        Settings(*numbers)


# Noise ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "kind", "words"),
    [
        pytest.param(b"\r\n>>> ", NoiseKind.PROMPT, "Python prompt", id="c1 the prompt"),
        pytest.param(
            b"Traceback (most recent call last):\r\n  File \"code.py\"\r\nImportError: no module named 'plan'\r\n",
            NoiseKind.TRACEBACK,
            "ImportError: no module named 'plan'",
            id="c1 a traceback",
        ),
        pytest.param(b"AT\r", NoiseKind.MODEM, "ModemManager", id="s5 a modem is looked for"),
        pytest.param(b"Adafruit CircuitPython 10.0.3 on 2025\r\n", NoiseKind.BANNER, "starting", id="s3 a banner"),
        pytest.param(b"\r\nraspberrypi login: ", NoiseKind.LOGIN, "--port", id="a login"),
        pytest.param(b"$GPGGA,123519,4807.038,N", NoiseKind.TEXT, "text", id="somebody else's text"),
        pytest.param(b"\x81\x92\xff\x07", NoiseKind.GARBLED, "again", id="garbage"),
    ],
)
def test_noise_is_skipped_and_said_in_words(data: bytes, kind: NoiseKind, words: str) -> None:
    link, peer = opened()
    noise, moved = link.receive(1100, data + b"\0" + peer.change(2, 1, time=5100))
    assert isinstance(noise, Noise)
    assert (noise.kind, noise.data) == (kind, data)
    assert words in noise.says
    assert moved == CellChange(2, 1, 1100)


def test_c1_a_prompt_that_nothing_ends_is_told_after_a_while() -> None:
    link = Link()
    link.begin(0)
    assert link.receive(10, b">>> ") == []
    assert link.due() == 10 + STALE_MS
    assert link.tick(10 + STALE_MS - 1) == []
    (noise,) = link.tick(10 + STALE_MS)
    assert isinstance(noise, Noise)
    assert noise.kind is NoiseKind.PROMPT


# Fuzz -----------------------------------------------------------------------------------------------------------------

KINDS = [says.HELLO, says.BEAT, wire.ACK, says.STATS, says.RAW, says.CHANGES, says.SNAPSHOT, says.BUTTON, says.FAULT]


@given(st.data())
@settings(deadline=None, max_examples=60)
def test_well_framed_nonsense_neither_raises_nor_grows(data: st.DataObject) -> None:
    link, peer = opened()
    now = 1000
    for _ in range(20):
        now += data.draw(st.integers(0, 400))
        kind = data.draw(st.sampled_from(KINDS) | st.integers(0, 255))
        body = data.draw(st.binary(max_size=60))
        frame = peer.numbered(kind, body) if kind & wire.NUMBERED else peer.plain(kind, body)
        link.receive(now, frame)
        link.tick(now)
        assert len(link.outgoing()) < 10_000


@given(st.lists(st.tuples(st.integers(0, 500), st.binary(max_size=300)), max_size=30))
@settings(deadline=None, max_examples=60)
def test_any_bytes_at_any_time_neither_raise_nor_grow(pieces: list[tuple[int, bytes]]) -> None:
    link, _ = opened()
    now = 1000
    for later, data in pieces:
        now += later
        for event in link.receive(now, data) + link.tick(now):
            assert isinstance(event, Noise | Down)
        due = link.due()
        assert due is not None
        assert len(link.outgoing()) < 10_000


@given(st.data())
@settings(deadline=None, max_examples=60)
def test_any_cutting_of_the_bytes_gives_the_same_events(data: st.DataObject) -> None:
    whole, peer = opened()
    parts = [
        peer.change(1, 1, 3),
        b"noise\0",
        peer.numbered(says.CHANGES, says.pack_changes(5000, [(2, 1, 0), (3, 1, 9)])),
        peer.numbered(says.BUTTON, says.pack_button(5000, 0, 1, 0)),
        peer.change(1, 0),
        peer.plain(says.BEAT, says.pack_beat(5000, 0)),
        peer.snapshot(bytes(16), says.SNAP_ASKED),
        peer.change(7, 1),
        peer.greeting(),
    ]
    stream = b"".join(data.draw(st.lists(st.sampled_from(parts), max_size=12)))
    cut, _ = opened()
    expected = whole.receive(1001, stream)
    got: list[LinkEvent] = []
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        got += cut.receive(1001, stream[:size])
        stream = stream[size:]
    assert got == expected
