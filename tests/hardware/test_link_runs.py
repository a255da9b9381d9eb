"""Runs of changes, one a frame, are told at once just as they are told one by one, whatever is wrong with them."""

import random
import struct
from binascii import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware import wire
from hardware import wire_messages as says
from hardware.link import Link
from hardware.link_events import Laid, LinkEvent, Noise
from hardware.link_runs import BLOCK, LEAST, MOST, unpack_run
from hardware.ports import UNKNOWN, CellChange

CELLS = 250
TOP = 200
SLOW = LEAST * BLOCK - 1
"""Bytes in pieces too short for a run."""
NOW = 70_000


def opened() -> tuple[Link, int]:
    """Return a link that has heard of all cells, and its session."""
    link = Link(nonce=3)
    link.begin(NOW)
    payload = wire.Deframer().feed(link.outgoing())[-1]
    assert isinstance(payload, bytes)
    opening = says.unpack_open(payload[2:])
    assert opening is not None
    session = payload[1]
    numbers = dict.fromkeys(says.HELLO_WORDS, 1) | {"nonce": opening[1], "cells": CELLS, "top": TOP, "time": 65_000}
    numbers |= {"channels": 3}
    link.receive(NOW, wire.seal(bytes((says.HELLO, session)) + says.pack_hello(numbers, "", "", [])))
    for number, first in enumerate((0, 200)):
        readings = bytes(min(200, CELLS - first))
        part = says.pack_snapshot(64_000, first, says.SNAP_LAST * (first + 200 >= CELLS), readings)
        events = link.receive(NOW, wire.seal(bytes((says.SNAPSHOT, session, number)) + part))
    assert any(isinstance(event, Laid) for event in events)
    link.outgoing()
    return link, session


def change(session: int, number: int, entry: tuple[int, int, int], time: int = 65_000) -> bytes:
    return wire.seal(bytes((says.CHANGES, session, number & 255)) + says.pack_changes(time, [entry]))


def plain_run(session: int, count: int, seed: int = 1, first: int = 2) -> list[bytes]:
    """Return frames that follow the snapshot."""
    chance = random.Random(seed)
    return [
        change(
            session,
            number,
            (chance.randrange(CELLS), chance.choice((0, 0, 1, 1, 2, TOP)), chance.choice((0, 0, 0, 7, 255))),
            chance.choice((64_990, 65_000, 65_001, 65_535, 0, 12, 40_000)),
        )
        for number in range(first, first + count)
    ]


def told(data: bytes, size: int) -> tuple[list[LinkEvent], bytes, bytes]:
    """Return what a link makes of data in pieces of that size: events, readings, its next acknowledgement."""
    link, _ = opened()
    events: list[LinkEvent] = []
    for at in range(0, len(data), size):
        events += link.receive(NOW, data[at : at + size])
        link.outgoing()
    session = link._session
    session.inbox.owed = True
    return events, bytes(session.readings), session.inbox.answer(session.number, NOW + 1000)


def test_a_run_is_told_at_once() -> None:
    link, session = opened()
    frames = plain_run(session, 3 * MOST)
    data = b"".join(frames)
    expected = told(data, SLOW)
    assert told(data, len(data)) == expected
    assert len(expected[0]) == 3 * MOST
    assert all(type(event) is CellChange for event in expected[0])
    assert link._session.hear_run(NOW, data, []) == MOST * BLOCK, "or all of this proves nothing"


@pytest.mark.parametrize("count", [0, 1, LEAST - 1, LEAST, LEAST + 1, MOST, MOST + 1])
def test_blocks_are_the_payloads_of_their_frames(count: int) -> None:
    frames = plain_run(5, count)
    payloads = wire.Deframer().feed(b"".join(frames))
    blocks = unpack_run(b"".join(frames) + b"\3tail")
    assert len(blocks) == (min(count, MOST) * BLOCK if count >= LEAST else 0)
    for at, payload in zip(range(0, len(blocks), BLOCK), payloads, strict=False):
        assert blocks[at + 1 : at + BLOCK - 5] == payload


ODD = (
    "beat",
    "two",
    "unknown",
    "far",
    "high",
    "above",
    "again",
    "lost",
    "session",
    "noise",
    "short",
    "button",
    "empty",
    "bare",
    "beyond",
)


ENTRIES = {
    "unknown": (4, says.UNKNOWN, 0),
    "far": (CELLS, 1, 0),
    "high": (256 + 4, 1, 0),  # the lower byte alone would be a cell
    "above": (4, TOP + 1, 0),
}


def odd(kind: str, session: int, frames: list[bytes], at: int) -> None:
    """Put something into a run of frames, or take something away."""
    number = at + 2
    if kind == "lost":
        del frames[at]
    elif kind == "again":
        frames.insert(at, frames[at])
    elif kind in ENTRIES:
        frames[at] = change(session, number, ENTRIES[kind])
    elif kind == "session":
        frames[at] = change(session ^ 1, number, (4, 1, 0))
    elif kind == "two":
        body = says.pack_changes(65_000, [(1, 1, 0), (2, 1, 0)])
        frames[at] = wire.seal(bytes((says.CHANGES, session, number & 255)) + body)
    elif kind == "bare":  # zeros that COBS should have hidden
        payload = bytes((says.CHANGES, session, number & 255)) + says.pack_changes(65_000, [(4, 1, 0)])
        frames[at] = bytes((BLOCK - 1,)) + payload + struct.pack("<I", crc32(payload)) + b"\0"
    elif kind == "beyond":  # the last distance leads out of its frame
        frame = bytearray(change(session, number, (4, 1, 0)))
        last = 0
        while last + frame[last] < BLOCK - 1:
            last += frame[last]
        frame[last] += 1
        frames[at] = bytes(frame)
    elif kind == "button":  # a whole payload of the same length that is no change
        frames[at] = wire.seal(bytes((says.BUTTON, session, number & 255)) + bytes(6))
    else:
        extra = {
            "beat": wire.seal(bytes((says.BEAT, session)) + says.pack_beat(65_100, 0)),
            "noise": b"x" * (BLOCK - 1) + b"\0",
            "short": b"ok\0",
            "empty": b"\0",
        }
        frames.insert(at, extra[kind])


@pytest.mark.parametrize("kind", ODD)
def test_whatever_is_odd_about_one_frame_is_told_as_ever(kind: str) -> None:
    _, session = opened()
    frames = plain_run(session, 3 * LEAST)
    odd(kind, session, frames, LEAST + 1)
    data = b"".join(frames)
    assert told(data, len(data)) == told(data, SLOW)


@settings(max_examples=200)
@given(
    st.integers(LEAST, 60),
    st.integers(0, 1000),
    st.lists(st.tuples(st.sampled_from(ODD), st.integers(0, LEAST - 4)), max_size=3),
    st.integers(0, 20),
)
def test_what_is_odd_about_a_run_is_told_as_ever(count: int, seed: int, odds: list[tuple[str, int]], cut: int) -> None:
    _, session = opened()
    frames = plain_run(session, count, seed)
    for kind, at in odds:
        odd(kind, session, frames, at)
    data = b"".join(frames)
    expected = told(data, SLOW)
    assert told(data, len(data)) == expected
    assert told(data, SLOW + 1 + cut) == expected


@settings(max_examples=300)
@given(st.integers(0, 40 * BLOCK - 1), st.integers(0, 255), st.sampled_from(["put", "drop", "change"]), st.booleans())
def test_one_bad_byte_is_found_wherever_it_is(place: int, byte: int, how: str, also: bool) -> None:
    _, session = opened()
    data = bytearray(b"".join(plain_run(session, 40)))
    if how == "put":
        data.insert(place, byte)
    elif how == "drop":
        del data[place]
    else:
        data[place] = byte
    if also:  # a second one, which must not hide the first
        data[(place + 3 * BLOCK) % len(data)] ^= byte or 1
    assert told(bytes(data), len(data)) == told(bytes(data), SLOW)


def test_a_wrong_check_in_the_last_frame_is_noise() -> None:
    link, session = opened()
    data = bytearray(b"".join(plain_run(session, 40)))
    data[-2] ^= 0x40
    events = link.receive(NOW, bytes(data))
    assert [type(event) for event in events] == [CellChange] * 39 + [Noise]


@pytest.mark.parametrize("given_up", [False, True], ids=["awaited", "given-up"])
@pytest.mark.parametrize("half", [b"abc", b"\x05\x81", b"x" * (BLOCK - 1)])
def test_a_run_after_half_a_frame_is_cut_where_the_first_frame_ends(half: bytes, given_up: bool) -> None:
    (whole, session), (pieces, _) = opened(), opened()
    data = b"".join(plain_run(session, 2 * LEAST))
    got: list[list[LinkEvent]] = []
    for link, size in ((whole, len(data)), (pieces, 100)):
        events = link.receive(NOW, half)
        events += link.tick(NOW + 999) if given_up else []
        for at in range(0, len(data), size):
            events += link.receive(NOW + 999, data[at : at + size])
        got.append(events)
    assert got[0] == got[1]
    assert isinstance(got[0][0], Noise)


def test_without_a_snapshot_no_run_is_told() -> None:
    link = Link(nonce=3)
    link.begin(NOW)
    assert not [event for event in link.receive(NOW, b"".join(plain_run(1, 40))) if isinstance(event, CellChange)]


def test_what_cells_do_not_know_is_unknown_in_a_run_too() -> None:
    link, session = opened()
    frames = plain_run(session, LEAST, first=3)
    data = change(session, 2, (0, 0, 0)) + change(session, 3, (9, says.UNKNOWN, 0)) + b"".join(frames[1:])
    assert link.receive(NOW, data)[1].reading == UNKNOWN  # type: ignore[union-attr]
