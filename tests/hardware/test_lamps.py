"""Lamps over a strip: only changes are sent, darkness at the end, and a strip that fails never breaks play."""

import pytest

from hardware.lamps import PixelLamps
from hardware.pixels import Chain
from hardware.ports import DeviceError, Lamps

CHAIN = Chain((1, 0), 2, "RGB", brightness=0.5, ma_per_channel=(0.0, 0.0, 0.0), covered_gain=2.0)
RED, BLUE, DARK = bytes((200, 0, 0) * 2), bytes((0, 0, 200) * 2), bytes(6)


class Recorder:
    """A strip that keeps what it is sent, and fails when a test says so."""

    def __init__(self, failing: frozenset[int] = frozenset(), error: type[Exception] = OSError) -> None:
        self.sent: list[bytes] = []
        self.writes = 0
        self.closed = 0
        self.failing = failing
        self.error = error

    def write(self, data: bytes) -> None:
        self.writes += 1
        if self.writes in self.failing:
            raise self.error("no answer")
        self.sent.append(data)

    def close(self) -> None:
        self.closed += 1


def test_only_changes_are_sent() -> None:
    strip = Recorder()
    lamps: Lamps = PixelLamps(CHAIN, strip)
    for frame in (DARK, DARK, RED, RED, BLUE, RED):
        lamps.show(frame)
    assert strip.sent == [DARK, bytes((100, 0, 0) * 2), bytes((0, 0, 100) * 2), bytes((100, 0, 0) * 2)]


def test_a_frame_that_looks_the_same_on_the_chain_is_not_sent_again() -> None:
    strip = Recorder()
    lamps = PixelLamps(CHAIN, strip)
    lamps.show(RED)
    lamps.show(bytes((201, 0, 0) * 2))
    assert strip.sent == [bytes((100, 0, 0) * 2)]


def test_a_frame_given_as_a_buffer_that_changes_later_is_noticed() -> None:
    strip = Recorder()
    lamps = PixelLamps(CHAIN, strip)
    frame = bytearray(RED)
    lamps.show(bytes(frame))
    frame[0] = 0
    lamps.show(bytes(frame))
    assert len(strip.sent) == 2


def test_covering_shows_at_the_next_call_even_with_the_same_frame() -> None:
    strip = Recorder()
    lamps = PixelLamps(CHAIN, strip)
    lamps.show(RED)
    lamps.cover([0])
    lamps.show(RED)
    assert strip.sent[-1] == bytes((100, 0, 0, 200, 0, 0))


def test_closing_darkens_and_lets_go_and_may_be_done_twice() -> None:
    strip = Recorder()
    lamps = PixelLamps(CHAIN, strip)
    lamps.show(RED)
    lamps.close()
    lamps.close()
    assert strip.sent[-1] == DARK
    assert strip.closed == 1
    with pytest.raises(DeviceError, match="closed"):
        lamps.show(RED)


def test_closing_darkens_even_what_was_never_lit() -> None:
    strip = Recorder()
    PixelLamps(CHAIN, strip).close()
    assert strip.sent == [DARK]


@pytest.mark.parametrize("error", [OSError, RuntimeError])
@pytest.mark.parametrize("k", range(1, 9))
def test_a_strip_that_fails_at_any_write_is_told_and_tried_again(k: int, error: type[Exception]) -> None:
    strip = Recorder(frozenset({k}), error)
    lamps = PixelLamps(CHAIN, strip)
    told = 0
    for frame in (RED, BLUE, RED, RED, BLUE, BLUE, DARK, RED):
        try:
            lamps.show(frame)
        except DeviceError:
            told += 1
            lamps.show(frame)
        assert strip.sent[-1] == bytes(value // 2 for value in frame), "the next call shows it"
    lamps.close()
    assert strip.writes == 6 + 1 + (k <= 6), "six changes, the darkness at the end, and the one tried again"
    assert told == (k <= 6)
    assert strip.closed == 1


def test_after_a_failure_even_the_frame_shown_before_it_is_sent_again() -> None:
    strip = Recorder(frozenset({2}))
    lamps = PixelLamps(CHAIN, strip)
    lamps.show(RED)
    with pytest.raises(DeviceError, match="no answer"):
        lamps.show(BLUE)
    lamps.show(RED)
    assert strip.writes == 3, "half of the blue may have arrived"


def test_a_strip_that_always_fails_raises_each_time_and_still_closes(caplog: pytest.LogCaptureFixture) -> None:
    strip = Recorder(frozenset(range(1, 100)))
    lamps = PixelLamps(CHAIN, strip)
    for _ in range(3):
        with pytest.raises(DeviceError, match="check the strip's plug"):
            lamps.show(RED)
    lamps.close()
    assert strip.closed == 1
    assert caplog.messages == ["the pixels could not be darkened: no answer"]


def test_a_frame_of_another_length_is_the_callers_mistake() -> None:
    strip = Recorder()
    with pytest.raises(ValueError, match="these pixels take 6"):
        PixelLamps(CHAIN, strip).show(bytes(5))
    assert strip.sent == []
