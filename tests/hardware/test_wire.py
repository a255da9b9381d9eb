"""Frames and numbering: against the ``cobs`` package, golden vectors, every cut, and noise of every kind."""

import ast
import binascii
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cobs import cobs as oracle
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware import wire
from hardware import wire_messages as says

GOLDEN = Path(__file__).parent.parent / "golden" / "wire.txt"


def vectors() -> list[list[str]]:
    """Return name, payload, frame and meaning of each golden message."""
    lines = GOLDEN.read_text().splitlines()
    return [line.split(" | ") for line in lines if line and not line.startswith("#")]


UNPACK: dict[int, Callable[[bytes], Any]] = {
    says.OPEN: says.unpack_open,
    says.HELLO: says.unpack_hello,
    says.BEAT: says.unpack_beat,
    says.CHANGES: says.unpack_changes,
    says.SNAPSHOT: says.unpack_snapshot,
    says.BUTTON: says.unpack_button,
    says.FAULT: says.unpack_fault,
    says.SETTINGS: says.unpack_settings,
    says.STATS: says.unpack_stats,
    says.RAW: says.unpack_raw,
    says.LAMPS: lambda body: says.unpack_runs(body, 3),
}


# Golden vectors -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "payload", "frame", "meaning"), vectors(), ids=[row[0] for row in vectors()])
def test_golden_vectors(name: str, payload: str, frame: str, meaning: str) -> None:
    data = bytes.fromhex(payload)
    sealed = bytes.fromhex(frame)
    assert wire.seal(data) == sealed
    # Told by others' code: COBS by the package, the check by the standard library.
    assert oracle.encode(data + binascii.crc32(data).to_bytes(4, "little")) + b"\0" == sealed
    assert wire.Deframer().feed(sealed) == [data]
    body = data[3 if data[0] & wire.NUMBERED else 2 :]
    unpack: Callable[[bytes], Any] = UNPACK.get(data[0], tuple)
    assert unpack(body) == ast.literal_eval(meaning)


def test_every_kind_of_message_has_a_golden_vector() -> None:
    kinds = {bytes.fromhex(row[1])[0] for row in vectors()}
    assert kinds == {*UNPACK, wire.ACK, says.ASK, says.RESTART}


# COBS -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [0, 1, 2, 253, 254, 255, 256, 507, 508, 509, 510])
@pytest.mark.parametrize("end", [b"", b"\0", b"\0a", b"\0\0"])
def test_cobs_agrees_with_the_package_around_full_blocks(length: int, end: bytes) -> None:
    data = b"x" * length + end
    assert wire.cobs(data) == oracle.encode(data)
    assert wire.uncobs(wire.cobs(data)) == data


@given(st.binary(max_size=700) | st.lists(st.sampled_from([b"\0", b"a" * 253, b"b" * 254, b"c"])).map(b"".join))
@settings(deadline=None)
def test_cobs_agrees_with_the_package(data: bytes) -> None:
    assert wire.cobs(data) == oracle.encode(data)
    assert b"\0" not in wire.cobs(data)
    assert wire.uncobs(wire.cobs(data)) == data


@given(st.binary(max_size=300))
@settings(deadline=None)
def test_uncobs_refuses_what_the_package_refuses(chunk: bytes) -> None:
    try:
        expected: bytes | None = oracle.decode(chunk) if chunk else None
    except oracle.DecodeError:
        expected = None
    assert wire.uncobs(chunk) == expected


# Deframing ------------------------------------------------------------------------------------------------------------

PAYLOADS = st.binary(min_size=2, max_size=243)
STREAMS = st.lists(
    st.one_of(
        PAYLOADS.map(wire.seal),
        st.binary(max_size=40),
        st.sampled_from([b"\0", b"\0\0", b">>> ", b"AT\r", b"login: ", b"x" * 255, b"y" * 256, b"z" * 700]),
    ),
    max_size=8,
).map(b"".join)


@given(st.lists(PAYLOADS, max_size=6))
@settings(deadline=None)
def test_payloads_come_out_as_they_went_in(payloads: list[bytes]) -> None:
    assert wire.Deframer().feed(b"".join(map(wire.seal, payloads))) == payloads


def test_s6_every_frame_cut_at_every_byte() -> None:
    stream = b"".join(bytes.fromhex(row[2]) for row in vectors()) + b"noise\0" + wire.seal(b"last")
    whole = wire.Deframer().feed(stream)
    assert len(whole) == len(vectors()) + 2
    for cut in range(len(stream) + 1):
        deframer = wire.Deframer()
        assert deframer.feed(stream[:cut]) + deframer.feed(stream[cut:]) == whole


@given(STREAMS, st.data())
@settings(deadline=None)
def test_any_cutting_gives_the_same(stream: bytes, data: st.DataObject) -> None:
    whole = wire.Deframer()
    expected = whole.feed(stream)
    deframer = wire.Deframer()
    got: list[bytes | tuple[bytes]] = []
    rest = stream
    while rest:
        size = data.draw(st.integers(1, len(rest)))
        got += deframer.feed(rest[:size])
        assert deframer.waiting() <= wire.LONGEST
        rest = rest[size:]
    assert got == expected
    assert deframer.bad == whole.bad
    assert deframer.flush() == whole.flush()


@given(st.binary(max_size=3000))
@settings(deadline=None)
def test_no_byte_is_lost_and_nothing_is_held_without_bound(stream: bytes) -> None:
    deframer = wire.Deframer()
    got = deframer.feed(stream)
    noise = b"".join(item[0] for item in got if isinstance(item, tuple))
    frames = b"".join(wire.seal(item) for item in got if isinstance(item, bytes))
    held = deframer.flush()
    assert len(noise) + len(frames.replace(b"\0", b"")) + len(b"".join(h[0] for h in held)) == len(
        stream.replace(b"\0", b"")
    )
    assert all(len(item[0]) <= wire.LONGEST for item in got if isinstance(item, tuple))


def test_a_megabyte_without_an_end_is_held_in_a_few_bytes() -> None:
    deframer = wire.Deframer()
    for _ in range(1000):
        deframer.feed(b"U" * 1000)
        assert deframer.waiting() <= wire.LONGEST
    assert deframer.feed(b"tail\0" + wire.seal(b"good"))[-1] == b"good"


def test_the_end_of_what_is_too_long_is_no_frame_even_if_it_looks_like_one() -> None:
    frame = wire.seal(b"hello")
    stream = b"U" * wire.LONGEST + frame
    assert wire.Deframer().feed(stream + frame) == [(b"U" * wire.LONGEST,), (frame[:-1],), b"hello"]


@given(PAYLOADS, st.data())
@settings(deadline=None)
def test_a_damaged_frame_is_never_taken_for_another(payload: bytes, data: st.DataObject) -> None:
    frame = bytearray(wire.seal(payload))
    place = data.draw(st.integers(0, len(frame) - 2))
    frame[place] ^= 1 << data.draw(st.integers(0, 7))
    assert [item for item in wire.Deframer().feed(bytes(frame)) if isinstance(item, bytes)] == []


def test_a_delimiter_after_noise_saves_the_next_frame() -> None:
    assert wire.Deframer().feed(b"Adafruit CircuitPython\r\n\0" + wire.seal(b"hello")) == [
        (b"Adafruit CircuitPython\r\n",),
        b"hello",
    ]


def test_what_follows_a_flush_up_to_the_next_delimiter_is_noise_too() -> None:
    frame = wire.seal(b"hello")
    deframer = wire.Deframer()
    assert deframer.feed(frame[:5]) == []
    assert deframer.flush() == [(frame[:5],)]
    assert deframer.flush() == []
    assert deframer.feed(frame[5:] + frame) == [(frame[5:-1],), b"hello"]


# Numbering ------------------------------------------------------------------------------------------------------------


def numbers(frames: list[bytes]) -> list[int]:
    payloads = [wire.Deframer().feed(frame)[0] for frame in frames]
    return [payload[2] for payload in payloads if isinstance(payload, bytes)]


def test_the_window_is_bounded_and_acknowledging_frees_it() -> None:
    box = wire.Outbox(1)
    for _ in range(wire.WINDOW):
        box.put(says.BUTTON, b"", 0)
    assert box.room() == 0
    box.acknowledge(3, 10)
    assert box.room() == 3
    box.acknowledge(200, 10)  # never sent
    assert box.room() == 3


def test_what_is_not_acknowledged_goes_again_with_doubling_patience() -> None:
    box = wire.Outbox(1)
    assert box.wait(0) is None
    box.put(says.BUTTON, b"a", 0)
    box.put(says.BUTTON, b"b", 5)
    assert box.again(wire.RESEND_MS - 1) == []
    times: list[int] = []
    now = 0
    while len(times) < 6:
        wait = box.wait(now)
        assert wait is not None
        now += wait
        assert numbers(box.again(now)) == [0, 1]
        times.append(now)
    gaps = [b - a for a, b in zip([0, *times], times, strict=False)]
    assert gaps == [80, 160, 320, 640, 640, 640]
    box.acknowledge(1, now)
    assert numbers(box.again(now + wire.RESEND_MS)) == [1]


def test_a_demand_sends_again_at_once() -> None:
    box = wire.Outbox(1)
    box.put(says.BUTTON, b"a", 0)
    box.demand(1)
    assert numbers(box.again(1)) == [0]
    assert box.again(1) == []


def test_numbers_wrap_and_the_device_clock_too() -> None:
    box, inbox = wire.Outbox(1), wire.Inbox()
    now = wire.CLOCK - 300
    for turn in range(600):
        frame = box.put(says.BUTTON, b"", now)
        assert inbox.take(numbers([frame])[0])
        assert box.again(now) == [], turn
        box.acknowledge(inbox.next, now)
        now = now + 1 & wire.CLOCK
    assert inbox.next == 600 % 256


@given(st.lists(st.integers(0, 3), max_size=200))
@settings(deadline=None)
def test_each_message_is_taken_once_and_in_order_whatever_the_pipe_does(fates: list[int]) -> None:
    """A pipe that delivers (0), loses (1), doubles (2) or delivers without the acknowledgement coming back (3)."""
    box, inbox = wire.Outbox(1), wire.Inbox()
    sent, got, now = 0, [], 0
    for fate in [*fates, *[0] * 400]:
        frames = [box.put(says.BUTTON, bytes((sent,)), now)] if sent < 100 and box.room() else []
        sent += len(frames)
        for frame in frames + box.again(now):
            for _ in range((1, 0, 2, 1)[fate]):
                payload = wire.Deframer().feed(frame)[0]
                assert isinstance(payload, bytes)
                if inbox.take(payload[2]):
                    got.append(payload[3])
        if fate != 3:
            box.acknowledge(inbox.next, now)
        now += 40
    assert got == list(range(100))


def test_a_gap_is_demanded_once_and_then_seldom() -> None:
    inbox = wire.Inbox()
    assert inbox.answer(1, 0) == b""
    assert inbox.take(0)
    assert not inbox.take(2)
    assert not inbox.take(3)
    assert inbox.gaps == 1
    assert wire.Deframer().feed(inbox.answer(1, 100)) == [bytes((wire.ACK, 1, 1, 1))]
    assert not inbox.take(4)
    assert wire.Deframer().feed(inbox.answer(1, 101)) == [bytes((wire.ACK, 1, 1, 0))]
    assert inbox.take(1)
    assert not inbox.take(1)
    assert inbox.gaps == 1
