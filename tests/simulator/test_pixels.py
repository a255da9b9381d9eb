"""Simulated pixels: colours from the very bytes that the real NeoPixel class and the SPI encoder send."""

import neopixel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.lamps import PixelLamps
from hardware.opening import lamps_on
from hardware.pixels import ORDERS, Chain
from hardware.ports import DeviceError
from hardware.profile import load_profile
from hardware.strips import AdafruitStrip, SpiStrip
from simulator.pixels import PixelTap, SimulatedSpi, tap_neopixel

REAL = neopixel.neopixel_write


def plain(count: int, order: str) -> Chain:
    return Chain(tuple(range(count)), count, order, ma_per_channel=(0.0,) * len(order))


@pytest.mark.parametrize("order", ORDERS)
def test_colours_arrive_through_the_real_neopixel_class(order: str) -> None:
    strip, tap = AdafruitStrip("NEOPIXEL", 3, order), PixelTap(3, order)
    untap = tap_neopixel(strip, tap)
    lamps = PixelLamps(plain(3, order), strip)
    lamps.show(bytes((255, 0, 0, 0, 128, 0, 1, 2, 0)))
    white = (0,) * (len(order) - 3)
    assert tap.colours() == ((255, 0, 0, *white), (0, 128, 0, *white), (1, 2, 0, *white))
    assert tap.frames == 1, "one frame for all pixels, not one for each"
    lamps.close()
    assert tap.is_dark()
    untap()
    untap()
    assert neopixel.neopixel_write is REAL


@pytest.mark.parametrize("order", ["GRB", "RGBW"])
def test_colours_arrive_through_spi(order: str) -> None:
    tap = PixelTap(2, order)
    lamps = PixelLamps(plain(2, order), SpiStrip(lambda: SimulatedSpi(tap)))
    lamps.show(bytes((9, 8, 0, 0, 0, 7)))
    assert [colour[:3] for colour in tap.colours()] == [(9, 8, 0), (0, 0, 7)]
    lamps.close()
    assert tap.is_dark()


@settings(max_examples=30)
@given(st.lists(st.binary(min_size=120, max_size=120), min_size=1, max_size=4))
def test_both_roads_send_the_same_frames(frames: list[bytes]) -> None:
    profile = load_profile("bamogo-4x4-presence")
    adafruit, spi = PixelTap(40), PixelTap(40)
    strip = AdafruitStrip("NEOPIXEL", 40, "GRB")
    untap = tap_neopixel(strip, adafruit)
    by_adafruit = lamps_on(profile, strip)
    by_spi = lamps_on(profile, SpiStrip(lambda: SimulatedSpi(spi)))
    try:
        for frame in frames:
            by_adafruit.show(frame)
            by_spi.show(frame)
            assert adafruit.sent == spi.sent
    finally:
        by_adafruit.close()
        by_spi.close()
        untap()
    assert adafruit.is_dark()
    assert spi.is_dark()


def test_l7_a_wrong_order_shows_wrong_colours() -> None:
    tap = PixelTap(1, "RGB")
    PixelLamps(plain(1, "GRB"), SpiStrip(lambda: SimulatedSpi(tap))).show(bytes((255, 0, 0)))
    assert tap.colours() == ((0, 255, 0),)


def test_three_channels_sent_to_four_shift_the_colours() -> None:
    tap = PixelTap(3, "GRBW")
    PixelLamps(plain(3, "GRB"), SpiStrip(lambda: SimulatedSpi(tap))).show(bytes((255, 0, 0) * 3))
    assert tap.colours() == ((255, 0, 0, 0), (0, 255, 0, 255), (0, 0, 0, 0))


def test_two_strips_in_one_process_are_heard_apart() -> None:
    strips = AdafruitStrip("NEOPIXEL", 1, "GRB"), AdafruitStrip("NEOPIXEL", 1, "GRB")
    taps = PixelTap(1), PixelTap(1)
    first, second = (tap_neopixel(strip, tap) for strip, tap in zip(strips, taps, strict=True))
    strips[0].write(bytes((1, 2, 3)))
    strips[1].write(bytes((4, 5, 6)))
    assert [tap.sent for tap in taps] == [bytes((1, 2, 3)), bytes((4, 5, 6))]
    first()
    strips[0].write(bytes((7, 7, 7)))
    strips[1].write(bytes((8, 8, 8)))
    assert [tap.sent for tap in taps] == [bytes((1, 2, 3)), bytes((8, 8, 8))]
    second()
    assert neopixel.neopixel_write is REAL


def test_pixels_after_a_broken_one_stay_dark() -> None:
    tap = PixelTap(3, broken_at=1)
    tap.receive(bytes((1, 1, 1) * 3))
    assert tap.colours() == ((1, 1, 1), (0, 0, 0), (0, 0, 0))


def test_a_short_frame_leaves_the_rest_as_it_was_and_a_long_one_runs_off() -> None:
    tap = PixelTap(2, "RGB")
    tap.receive(bytes((1, 1, 1, 2, 2, 2)))
    tap.receive(bytes((3, 3, 3)))
    assert tap.colours() == ((3, 3, 3), (2, 2, 2))
    tap.receive(bytes((4, 4, 4, 5, 5, 5, 6, 6, 6)))
    assert tap.colours() == ((4, 4, 4), (5, 5, 5))


def test_a_listener_hears_each_frame() -> None:
    heard: list[bytes] = []
    tap = PixelTap(1)
    tap.listener = heard.append
    tap.receive(b"abc")
    assert heard == [b"abc"]


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        pytest.param({"max_speed_hz": 1_000_000}, "1000000 Hz", id="the wrong speed"),
        pytest.param({"mode": 1}, "mode 1", id="the wrong mode"),
    ],
)
def test_what_pixels_would_not_understand_is_refused(spoil: dict[str, int], complaint: str) -> None:
    spi = SimulatedSpi(PixelTap(1))
    lamps = PixelLamps(plain(1, "GRB"), SpiStrip(lambda: spi))
    for name, value in spoil.items():
        setattr(spi, name, value)
    with pytest.raises(DeviceError, match=complaint):
        lamps.show(bytes((1, 2, 3)))


def test_a_frame_cut_in_two_transfers_and_noise_are_refused() -> None:
    spi = SimulatedSpi(PixelTap(1))
    spi.open(0, 0)
    spi.max_speed_hz = 3_200_000
    with pytest.raises(OSError, match="cut in two"):
        spi.writebytes2(bytes(5000))
    with pytest.raises(OSError, match="noise"):
        spi.writebytes2(b"\xff")
    spi.close()
    with pytest.raises(OSError, match="closed"):
        spi.writebytes2(b"")
    with pytest.raises(FileNotFoundError, match=r"spidev1\.0"):
        spi.open(1, 0)
