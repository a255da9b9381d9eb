"""Debouncing on the device, held against the controller's own and against a model of one cell."""

from collections.abc import Mapping
from types import ModuleType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hardware.debounce import Debounce
from simulator.device import firmware_modules

UNKNOWN = 255
relaxed = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@given(
    st.integers(1, 16),
    st.integers(0, 40),
    st.lists(st.tuples(st.integers(1, 15), st.binary(min_size=3, max_size=3) | st.just(b"\0\0\0")), max_size=60),
)
@relaxed
def test_bits_agree_with_the_controllers_own_debounce(
    samples: int, agree_ms: int, scans: list[tuple[int, bytes]]
) -> None:
    device = firmware_modules()["debounce"].Bits(3, samples, agree_ms)
    host = Debounce(24, samples=samples, agree_ms=agree_ms)
    device.start(0, bytearray(3))
    host.start(0, 0)
    now = 0
    for step, raw in scans:
        now += step
        changed = host.feed(now, int.from_bytes(raw, "big"))
        assert device.feed(now, bytearray(raw)) == bool(changed)
        assert int.from_bytes(device.state, "big") == host.state
        assert device.pending == bool(host.pending)
        if changed:
            assert int.from_bytes(device.changed, "big") == changed
            for bit in range(24):
                if changed >> (23 - bit) & 1:
                    assert device.ago(now, bit) == now - host.since(23 - bit)


def test_times_hold_where_the_sixteen_bits_wrap(firmware: Mapping[str, ModuleType]) -> None:
    bits = firmware["debounce"].Bits(1, 2, 10)
    bits.start(65000, bytearray(1))
    assert not bits.feed(65530, bytearray(b"\x80"))
    assert not bits.feed(65536 + 3, bytearray(b"\x80"))
    assert bits.feed(65536 + 4, bytearray(b"\x80"))
    assert bits.ago(65536 + 4, 0) == 10


def test_new_settings_take_hold(firmware: Mapping[str, ModuleType]) -> None:
    bits = firmware["debounce"].Bits(1, 3, 0)
    bits.start(0, bytearray(1))
    bits.configure(1, 0)
    assert bits.feed(1, bytearray(b"\x01"))


def levels(firmware: Mapping[str, ModuleType], steady_ms: int = 100, *, unsure: bool = True) -> object:
    made = firmware["debounce"].Levels(1, 2, steady_ms, unsure)
    made.start(0, bytearray(1))
    return made


def told(device: object, readings: list[tuple[int, int]]) -> list[tuple[int, int, int]]:
    """Feed (until, reading) every 10 ms; return (when, reading, ms since) of each change."""
    out = []
    now = 0
    for until, reading in readings:
        while now < until:
            now += 10
            if device.feed(now, bytearray((reading,))):  # type: ignore[attr-defined]
                out.append((now, device.state[0], device.ago(now, 0)))  # type: ignore[attr-defined]
    return out


def test_a_colour_is_given_out_when_it_has_been_steady(firmware: Mapping[str, ModuleType]) -> None:
    # On its way down a strong stone passes through the weaker band of another colour, 3.
    assert told(levels(firmware), [(50, 0), (90, 3), (400, 1)]) == [(70, UNKNOWN, 10), (200, 1, 100)]


def test_what_stays_between_the_bands_stays_unknown(firmware: Mapping[str, ModuleType]) -> None:
    assert told(levels(firmware), [(50, 0), (400, UNKNOWN), (600, 0)]) == [(70, UNKNOWN, 10), (510, 0, 100)]


def test_a_flicker_that_is_over_at_once_says_nothing(firmware: Mapping[str, ModuleType]) -> None:
    assert told(levels(firmware), [(50, 0), (60, 3), (400, 0)]) == []


def test_cells_that_are_sure_go_from_one_reading_to_the_next(firmware: Mapping[str, ModuleType]) -> None:
    assert told(levels(firmware, 20, unsure=False), [(50, 0), (90, 1), (200, 0)]) == [(80, 1, 20), (120, 0, 20)]


@given(st.lists(st.tuples(st.integers(1, 30), st.sampled_from([0, 1, 2, UNKNOWN])), max_size=60))
@relaxed
def test_no_reading_is_given_out_before_it_was_steady_and_rest_is_always_told(scans: list[tuple[int, int]]) -> None:
    device = firmware_modules()["debounce"].Levels(1, 2, 100, True)
    device.start(0, bytearray(1))
    now, since, seen, before = 0, 0, 0, 0
    for step, reading in scans:
        now += step
        if reading != seen:
            since, seen = now, reading
        changed = device.feed(now, bytearray((reading,)))
        after = device.state[0]
        assert changed == (after != before)
        if changed and after != UNKNOWN:
            assert after == seen
            assert now - since >= 100
        before = after
    for _ in range(12):
        now += 10
        device.feed(now, bytearray((seen,)))
    assert device.state[0] == seen
    assert not device.pending


@pytest.mark.parametrize("samples", [1, 2, 16])
def test_a_quiet_scan_is_over_at_the_comparison(firmware: Mapping[str, ModuleType], samples: int) -> None:
    bits = firmware["debounce"].Bits(2, samples, 0)
    raw = bytearray(b"\x12\x34")
    bits.start(0, raw)
    bits._stamp = None
    bits._runs = None  # a scan that did any work would fail
    assert not bits.feed(1, raw)
