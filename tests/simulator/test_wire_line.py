"""One direction of a wire: what becomes of frames, and that the same dice give the same bad luck."""

import random

from hypothesis import given
from hypothesis import strategies as st

from hardware.wire import Deframer, seal
from simulator.faults import Faults
from simulator.wire_line import WireLine

FRAMES = [seal(bytes((number, 0, 255 - number)) * (1 + number % 30)) for number in range(200)]


def line(seed: int = 1, **faults: float) -> WireLine:
    dice = random.Random(seed)
    return WireLine(lambda: Faults(**faults), lambda: dice)  # type: ignore[arg-type]


def came(wire: WireLine) -> bytes:
    """What comes out in the end of one frame a millisecond."""
    data = b""
    for now, frame in enumerate(FRAMES):
        wire.put(now, frame)
        data += wire.get(now)
    return data + wire.get(10_000)


@given(data=st.binary(), now=st.integers(0, 1000))
def test_a_sound_wire_gives_every_byte_at_once(data: bytes, now: int) -> None:
    wire = line()
    wire.put(now, data)
    assert wire.get(now) == data
    assert wire.due() is None
    assert wire.spoiled == 0


@given(data=st.binary(max_size=60), seed=st.integers(0, 99))
def test_bytes_that_are_only_late_are_all_there_and_in_order(data: bytes, seed: int) -> None:
    wire = line(seed, late=20)
    for now, byte in enumerate(data):
        wire.put(now, bytes((byte,)))
    got = b""
    while (due := wire.due()) is not None:
        got += wire.get(due)
    assert got == data


def test_late_frames_come_within_their_time_and_not_before_due() -> None:
    wire = line(late=20)
    for now in range(0, 3000, 30):
        wire.put(now, b"x\0")
        due = wire.due()
        assert due is not None
        assert now <= due <= now + 20
        assert wire.get(due - 1) == b""
        assert wire.get(due) == b"x\0"


def test_about_as_many_frames_are_lost_as_was_said_and_whole_ones() -> None:
    wire = line(loss=0.2)
    got = [item for item in Deframer().feed(came(wire)) if isinstance(item, bytes)]
    assert len(got) == len(FRAMES) - wire.spoiled
    assert 20 <= wire.spoiled <= 60
    assert wire.carried == len(FRAMES)
    every = [item for frame in FRAMES for item in Deframer().feed(frame)]
    assert set(got) <= set(every)


def test_a_garbled_frame_differs_in_one_bit_and_no_check_takes_it() -> None:
    wire = line(corrupt=1.0)
    for frame in FRAMES:
        wire.put(0, frame)
        spoilt = wire.get(0)
        assert len(spoilt) == len(frame)
        assert sum((a ^ b).bit_count() for a, b in zip(spoilt, frame, strict=True)) == 1
        assert not [item for item in Deframer().feed(spoilt + b"\0") if item in Deframer().feed(frame)]


def test_a_doubled_frame_comes_twice() -> None:
    wire = line(duplicate=1.0)
    wire.put(0, FRAMES[3])
    assert wire.get(0) == FRAMES[3] * 2


def test_the_same_dice_give_the_same_bad_luck_and_others_other() -> None:
    bad = {"loss": 0.1, "corrupt": 0.1, "duplicate": 0.1, "late": 20}
    assert came(line(5, **bad)) == came(line(5, **bad))
    assert came(line(5, **bad)) != came(line(6, **bad))


def test_a_cut_wire_has_nothing_under_way() -> None:
    wire = line(late=1000)
    wire.put(0, b"".join(FRAMES))
    assert wire.due() is not None
    wire.cut()
    assert wire.due() is None
    assert wire.get(5000) == b""
