"""The SPI encoding of pixel data: golden bytes, the way back, and what is no pixel data."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.pixels import ORDERS, Chain, PixelEncoder
from hardware.ws2812 import RESET_BYTES, TRANSFER_BYTES, decode, encode, transfer_bytes

RESET = bytes(RESET_BYTES)


def body(data: bytes) -> bytes:
    """What stands between the two resets."""
    spi = encode(data)
    assert spi.startswith(RESET)
    assert spi.endswith(RESET)
    return spi[RESET_BYTES:-RESET_BYTES]


@pytest.mark.parametrize(
    ("data", "spi"),
    [
        pytest.param(b"", "", id="no pixel"),
        pytest.param(b"\x00", "88 88 88 88", id="all zeros"),
        pytest.param(b"\xff", "cc cc cc cc", id="all ones"),
        pytest.param(b"\x80", "c8 88 88 88", id="the highest bit first"),
        pytest.param(b"\x01", "88 88 88 8c", id="the lowest bit last"),
        pytest.param(b"\xa5", "c8 c8 8c 8c", id="mixed bits"),
        pytest.param(b"\x1b\xe4", "88 8c c8 cc cc c8 8c 88", id="all four pairs, both ways"),
    ],
)
def test_l5_golden_bytes(data: bytes, spi: str) -> None:
    assert body(data) == bytes.fromhex(spi)


RED_GREEN_BLUE = {"R": 0xF0, "G": 0x0F, "B": 0x3C, "W": 0x00}
SPI_OF = {0xF0: "cc cc 88 88", 0x0F: "88 88 cc cc", 0x3C: "88 cc cc 88", 0x00: "88 88 88 88"}


@pytest.mark.parametrize("order", ORDERS)
def test_golden_bytes_for_every_order_and_channel_count(order: str) -> None:
    chain = Chain((0, 1), 2, order, ma_per_channel=(0.0,) * len(order))
    data = PixelEncoder(chain).encode(bytes((0xF0, 0x0F, 0x00, 0x00, 0x00, 0x3C)))
    lit = ({"R": 0xF0, "G": 0x0F}, {"B": 0x3C})
    expected = " ".join(SPI_OF[pixel.get(letter, 0)] for pixel in lit for letter in order)
    assert body(data) == bytes.fromhex(expected)
    assert len(encode(data)) == transfer_bytes(2, len(order)) == 2 * RESET_BYTES + 2 * 4 * len(order)


@given(st.binary(max_size=300))
def test_what_is_encoded_decodes(data: bytes) -> None:
    assert decode(encode(data)) == data


@pytest.mark.parametrize(
    ("spi", "complaint"),
    [
        pytest.param(RESET + b"\x88\x88\x88" + RESET, "whole number", id="a bit short of a byte"),
        pytest.param(RESET + b"\x88\x88\xee\x88" + RESET, "0xee", id="another encoding"),
        pytest.param(b"\x88" * 4 + RESET, "resets of 0 and 120", id="no leading zeros"),
        pytest.param(RESET + b"\x88" * 4 + b"\0", "resets of 120 and 1", id="no trailing reset"),
    ],
)
def test_noise_is_refused(spi: bytes, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        decode(spi)


def test_the_largest_board_fits_in_one_transfer() -> None:
    assert transfer_bytes(280, 3) <= TRANSFER_BYTES
