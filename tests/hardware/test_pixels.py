"""From frames to chain bytes: order, light, current."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.pixels import ORDERS, Chain, PixelEncoder, light_table

PLAIN = {"ma_per_channel": (0.0, 0.0, 0.0), "idle_ma": 0.0}


@st.composite
def chains(draw: st.DrawFn) -> Chain:
    """Any chain: any permutation, some spare pixels, any order and currents."""
    pixels = draw(st.integers(1, 12))
    count = pixels + draw(st.integers(0, 3))
    order = draw(st.sampled_from(ORDERS))
    ma = st.floats(0, 40)
    return Chain(
        places=tuple(draw(st.permutations(range(count)))[:pixels]),
        count=count,
        order=order,
        brightness=draw(st.floats(0, 1)),
        gamma=draw(st.floats(1, 3)),
        ma_per_channel=tuple(draw(ma) for _ in order) if draw(st.booleans()) else (draw(ma),) * len(order),
        idle_ma=draw(st.floats(0, 2)),
        budget_ma=draw(st.floats(2 * count, 2 * count + 60 * count)),
        covered_gain=draw(st.floats(1, 4)),
    )


@st.composite
def chains_and_frames(draw: st.DrawFn) -> tuple[Chain, bytes, frozenset[int]]:
    chain = draw(chains())
    pixels = len(chain.places)
    frame = draw(
        st.one_of(st.binary(min_size=3 * pixels, max_size=3 * pixels), st.sampled_from([b"\xff" * (3 * pixels)]))
    )
    return chain, frame, draw(st.frozensets(st.integers(0, pixels - 1)))


@given(chains_and_frames())
def test_l9_the_estimate_never_exceeds_the_budget(case: tuple[Chain, bytes, frozenset[int]]) -> None:
    chain, frame, covered = case
    encoder = PixelEncoder(chain)
    encoder.cover(covered)
    data = encoder.encode(frame)
    by_hand = chain.idle_ma * chain.count
    for k, letter in enumerate(chain.order):
        by_hand += sum(data[k :: len(chain.order)]) / 255 * chain.ma_per_channel["RGBW".index(letter)]
    assert encoder.estimate_ma(data) == pytest.approx(by_hand)
    assert by_hand <= chain.budget_ma + 1e-6


@given(chains_and_frames())
def test_every_pixel_comes_out_at_its_place_and_spare_ones_stay_dark(
    case: tuple[Chain, bytes, frozenset[int]],
) -> None:
    chain, frame, covered = case
    unlimited = Chain(
        chain.places, chain.count, chain.order, chain.brightness, chain.gamma, (0.0,) * len(chain.order), 0.0, 1.0,
        chain.covered_gain,
    )  # fmt: skip
    encoder = PixelEncoder(unlimited)
    encoder.cover(covered)
    data = encoder.encode(frame)
    channels = len(chain.order)
    assert len(data) == chain.count * channels
    seen = {}
    for place in range(chain.count):
        pixel = dict(zip(chain.order, data[place * channels : (place + 1) * channels], strict=True))
        white = pixel.pop("W", 0)
        seen[place] = tuple(pixel[letter] + white for letter in "RGB")
    table = light_table(chain.gamma, chain.brightness)
    bright = light_table(chain.gamma, min(1.0, chain.brightness * chain.covered_gain))
    expected = dict.fromkeys(range(chain.count), (0, 0, 0))
    for pixel_number, place in enumerate(chain.places):
        lit = bright if pixel_number in covered else table
        r, g, b = frame[3 * pixel_number : 3 * pixel_number + 3]
        expected[place] = (lit[r], lit[g], lit[b])
    assert seen == expected


@pytest.mark.parametrize("order", ORDERS)
def test_l7_colour_orders(order: str) -> None:
    encoder = PixelEncoder(Chain((0,), 1, order, ma_per_channel=(0.0,) * len(order)))
    assert encoder.encode(bytes((10, 20, 0))) == bytes({"R": 10, "G": 20}.get(letter, 0) for letter in order)


def test_white_takes_what_the_colours_share() -> None:
    encoder = PixelEncoder(Chain((0,), 1, "GRBW", ma_per_channel=(0.0,) * 4))
    assert encoder.encode(bytes((50, 20, 30))) == bytes((0, 30, 10, 20))


def test_l9_too_bright_a_frame_is_dimmed_as_a_whole_and_keeps_its_hue() -> None:
    chain = Chain((0, 1), 2, "RGB", ma_per_channel=(20.0, 20.0, 20.0), idle_ma=0.0, budget_ma=30.0)
    data = PixelEncoder(chain).encode(bytes((200, 100, 0, 200, 200, 200)))
    factor = data[0] / 200
    assert 0 < factor < 1
    assert data == bytes(int(value * factor) for value in (200, 100, 0, 200, 200, 200))


def test_a_frame_within_the_budget_is_left_alone() -> None:
    chain = Chain((0,), 1, "RGB", ma_per_channel=(20.0, 20.0, 20.0), idle_ma=1.0, budget_ma=21.0)
    assert PixelEncoder(chain).encode(bytes((255, 0, 0))) == bytes((255, 0, 0))
    assert PixelEncoder(chain).encode(bytes((255, 1, 0))) != bytes((255, 1, 0))


def test_faint_light_is_not_lost() -> None:
    table = light_table(2.2, 0.3)
    assert table[0] == 0
    assert min(table[1:]) == 1
    assert list(table) == sorted(table)
    assert table[255] == round(255 * 0.3)
    assert light_table(2.2, 0.0) == bytes(256)


def test_covering_a_cell_makes_it_brighter_and_only_it() -> None:
    encoder = PixelEncoder(Chain((0, 1), 2, "RGB", brightness=0.5, covered_gain=1.5, **PLAIN))  # type: ignore[arg-type]
    frame = bytes((200, 0, 0, 200, 0, 0))
    assert encoder.encode(frame) == bytes((100, 0, 0, 100, 0, 0))
    assert encoder.cover([1])
    assert not encoder.cover([1])
    assert encoder.encode(frame) == bytes((100, 0, 0, 150, 0, 0))
    assert encoder.cover([])
    assert encoder.encode(frame) == bytes((100, 0, 0, 100, 0, 0))


def test_a_frame_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="a frame of 5 bytes; these pixels take 6"):
        PixelEncoder(Chain((0, 1), 2, "RGB")).encode(bytes(5))


@pytest.mark.parametrize(
    ("facts", "complaint"),
    [
        pytest.param({"order": "RGG"}, "order 'RGG'", id="a letter twice"),
        pytest.param({"order": "GRBW"}, "3 numbers for 4 channels", id="no current for white"),
        pytest.param({"places": (0, 0)}, "different numbers", id="two pixels at one place"),
        pytest.param({"places": (0, 2)}, "from 0 to 1", id="a place beyond the chain"),
        pytest.param({"budget_ma": 1.0}, "dark pixels alone", id="a budget that darkness exceeds"),
    ],
)
def test_impossible_chains_are_refused(facts: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Chain(**{"places": (0, 1), "count": 2, **facts})
