"""WS2812 and SK6812 pixel data as SPI bytes, and back. Pure: bytes in, bytes out.

A pixel's data line tells 0 from 1 by how long it is high in a slot of 1.25 microseconds. At 3.2 MHz a slot is four SPI
bits, so one SPI byte carries two data bits::

    data bit 0   1000   high for 0.31 us    (data sheets: 0.2 to 0.45 us)
    data bit 1   1100   high for 0.63 us    (WS2812B: 0.58 to 1.0 us, SK6812: 0.45 to 0.75 us)

Before the data the line is held low for a whole reset: some SPI controllers idle high, and the edge into the first
byte would else be taken for the first bit of the first pixel. After it, another reset makes the pixels show.
"""

from typing import Final

SPI_HZ: Final = 3_200_000
"""SPI clock; four SPI bits make one data bit of 1.25 us."""
SPI_BYTES: Final = 4
"""SPI bytes for one data byte."""
RESET_BYTES: Final = 120
"""Zero bytes that hold the line low for 300 us; the longest reset in the data sheets is 280 us (WS2812B from 2017)."""
TRANSFER_BYTES: Final = 4096
"""The most that the kernel's spidev sends without a pause, unless its ``bufsiz`` was raised."""

_ZERO: Final = 0b1000
_ONE: Final = 0b1100


def _pair(high: int, low: int) -> int:
    return (_ONE if high else _ZERO) << 4 | (_ONE if low else _ZERO)


_TABLES: Final = tuple(
    bytes(_pair(byte >> 7 - 2 * k & 1, byte >> 6 - 2 * k & 1) for byte in range(256)) for k in range(4)
)
"""``_TABLES[k][byte]``: the SPI byte for the bits 2k and 2k + 1 of `byte`, the highest being bit 0."""
_LETTERS: Final = {_pair(high, low): high << 1 | low for high in (0, 1) for low in (0, 1)}


def encode(data: bytes) -> bytes:
    """Return the SPI bytes for one frame: a reset, 4 bytes for each byte of `data`, a reset."""
    out = bytearray(SPI_BYTES * len(data) + 2 * RESET_BYTES)
    end = RESET_BYTES + SPI_BYTES * len(data)
    for k, table in enumerate(_TABLES):
        out[RESET_BYTES + k : end : SPI_BYTES] = data.translate(table)
    return bytes(out)


def decode(spi: bytes) -> bytes:
    """Return the data bytes that pixels would take from these SPI bytes. Round-trips with `encode`.

    Raises:
        ValueError: a slot is neither a 0 nor a 1, the bits end inside a byte, or a reset is too short.
    """
    body = spi.strip(b"\0")
    lead = len(spi) - len(spi.lstrip(b"\0"))
    tail = len(spi) - len(spi.rstrip(b"\0"))
    if lead < RESET_BYTES or tail < RESET_BYTES:
        raise ValueError(f"resets of {lead} and {tail} bytes; each must be {RESET_BYTES} or more")
    if len(body) % SPI_BYTES:
        raise ValueError(f"{len(body)} SPI bytes are not a whole number of data bytes")
    out = bytearray()
    for start in range(0, len(body), SPI_BYTES):
        byte = 0
        for letter in body[start : start + SPI_BYTES]:
            if letter not in _LETTERS:
                raise ValueError(f"SPI byte 0x{letter:02x} is not two slots of 1000 or 1100")
            byte = byte << 2 | _LETTERS[letter]
        out.append(byte)
    return bytes(out)


def transfer_bytes(pixels: int, channels: int) -> int:
    """Return how many SPI bytes a frame of so many pixels takes."""
    return pixels * channels * SPI_BYTES + 2 * RESET_BYTES
