"""What messages say: what is packed is unpacked, and what makes no sense is None, never an exception."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware import wire_messages as says

BYTE = st.integers(0, 255)
SHORT = st.integers(0, 65535)
UNPACKERS: list[Callable[[bytes], Any]] = [
    says.unpack_open,
    says.unpack_hello,
    says.unpack_beat,
    says.unpack_stats,
    says.unpack_changes,
    says.unpack_snapshot,
    says.unpack_button,
    says.unpack_fault,
    says.unpack_settings,
    says.unpack_raw,
    lambda body: says.unpack_runs(body, 3),
    lambda body: says.unpack_runs(body, 4),
]


@given(st.binary(max_size=says.BODY))
@settings(deadline=None)
def test_no_body_raises(body: bytes) -> None:
    for unpack in UNPACKERS:
        unpack(body)


@given(st.binary(max_size=60))
@settings(deadline=None)
def test_no_hello_raises(rest: bytes) -> None:
    says.unpack_hello(bytes((says.PROTOCOL,)) + bytes(20) + rest)


@given(SHORT, st.lists(st.tuples(SHORT, BYTE, st.integers(0, 1000)), min_size=1, max_size=says.MOST_CHANGES))
@settings(deadline=None)
def test_changes_round_trip(time: int, entries: list[tuple[int, int, int]]) -> None:
    body = says.pack_changes(time, entries)
    assert len(body) <= says.BODY
    assert says.unpack_changes(body) == (time, [(cell, reading, min(ago, 255)) for cell, reading, ago in entries])


@given(SHORT, SHORT, st.binary(min_size=1, max_size=200))
@settings(deadline=None)
def test_snapshots_round_trip_in_bytes_and_in_bits(time: int, first: int, readings: bytes) -> None:
    for these in (readings, bytes(reading & 1 for reading in readings)):
        body = says.pack_snapshot(time, first, says.SNAP_LAST, these)
        assert len(body) <= says.BODY
        unpacked = says.unpack_snapshot(body)
        assert unpacked is not None
        assert unpacked[:2] == (time, first)
        assert unpacked[2] & ~says.SNAP_BYTES == says.SNAP_LAST
        assert unpacked[3] == these


@given(st.lists(st.tuples(SHORT, SHORT, st.binary(min_size=4, max_size=4)), max_size=29), BYTE)
@settings(deadline=None)
def test_runs_round_trip(runs: list[tuple[int, int, bytes]], flags: int) -> None:
    assert says.unpack_runs(says.pack_runs(flags, runs), 4) == (flags, runs)


@given(SHORT, SHORT, st.lists(SHORT, min_size=1, max_size=118))
@settings(deadline=None)
def test_raw_values_round_trip(time: int, first: int, values: list[int]) -> None:
    body = says.pack_raw(time, first, values)
    assert len(body) <= says.BODY
    assert says.unpack_raw(body) == (time, first, values)


@given(st.lists(st.integers(0, 2**40), min_size=8, max_size=8))
@settings(deadline=None)
def test_statistics_are_cut_to_what_they_can_hold(values: list[int]) -> None:
    unpacked = says.unpack_stats(says.pack_stats(tuple(values)))
    tops = (2**32 - 1, *[65535] * 6, 2**32 - 1)
    assert unpacked == tuple(min(value, top) for value, top in zip(values, tops, strict=True))


@pytest.mark.parametrize("settings_", [(0, 5, 3, 10), (20, 0, 3, 10), (20, 5, 0, 10), (20, 5, 17, 10), (251, 5, 3, 10)])
def test_impossible_settings_are_none(settings_: tuple[int, ...]) -> None:
    assert says.unpack_settings(bytes(settings_)) is None


def hello(**other: int) -> dict[str, int]:
    return dict(zip(says.HELLO_WORDS, (1, 7, 1, 0, 0, 0, 16, 0, 1, 40, 3, 5, 99, 20, 5, 3, 10), strict=True)) | other


def test_hello_round_trips_with_its_texts() -> None:
    body = says.pack_hello(hello(), "0123", "bamogo-4x4", ["red", "ok"])
    assert says.unpack_hello(body) == (hello(), "0123", "bamogo-4x4", ["red", "ok"])


def test_hello_cut_short_anywhere_makes_no_sense() -> None:
    body = says.pack_hello(hello(), "0123", "bamogo-4x4", ["red", "ok"])
    assert all(says.unpack_hello(body[:size]) is None for size in range(len(body)))


def test_hello_of_a_later_protocol_still_names_itself() -> None:
    body = says.pack_hello(hello(protocol=9, major=4), "x", "y", [])
    unpacked = says.unpack_hello(body[:8] + b"whatever comes later")
    assert unpacked is not None
    assert unpacked[0] == {"protocol": 9, "nonce": 7, "major": 4, "minor": 0, "patch": 0}


def test_the_longest_hello_fits() -> None:
    assert len(says.pack_hello(hello(wiring=1), "i" * 99, "b" * 99, ["button"] * 30)) <= says.BODY
