"""Whether a device's clock has gone on since it was heard last."""

from hardware.link_clock import SAME_MS, DeviceClock


def heard(*messages: tuple[int, int]) -> DeviceClock:
    clock = DeviceClock()
    for now, time in messages:
        clock.learn(now, time)
    return clock


def test_a_clock_that_goes_on_is_told_from_one_that_began_anew() -> None:
    clock = heard((50_000, 90_000), (51_000, 91_000))
    assert clock.agrees(60_000, 100_000)
    assert not clock.agrees(60_000, 5_000)


def test_a_device_that_starts_again_and_again_has_not_gone_on() -> None:
    clock = heard((6_643, 10))
    assert not clock.agrees(8_176, 12)
    assert not clock.agrees(6_700 + SAME_MS, SAME_MS)


def test_nothing_is_known_of_a_device_never_heard() -> None:
    assert not DeviceClock().agrees(10_000, 10_000)
