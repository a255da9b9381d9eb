"""What passes on a wire as text: every golden message, noise, captures that round-trip, any cutting of the bytes."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware import wire
from hardware import wire_messages as says
from hardware.wire_dump import (
    FROM_CONTROLLER,
    FROM_DEVICE,
    NAMES,
    Dump,
    dump_bytes,
    dump_capture,
    trace_of,
    trace_rows,
)

GOLDEN = Path(__file__).parent.parent / "golden" / "wire.txt"
VECTORS = [line.split(" | ") for line in GOLDEN.read_text().splitlines() if not line.startswith("#")]
FRAMES = {row[0]: bytes.fromhex(row[2]) for row in VECTORS}
WHOLE = b"".join(FRAMES.values())


def only(frame: bytes, direction: str | None = None) -> str:
    (line,) = dump_bytes(frame) if direction is None else Dump(direction).feed(frame)
    return " ".join(line.split())


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("open", "> OPEN session 42 protocol 1 nonce 12345678"),
        ("hello-of-another-protocol", "< HELLO session 42 protocol 2 nonce 12345678 firmware 7.1.0"),
        ("beat", "| BEAT session 42 time 65250 awaits 3"),
        ("acknowledgement", "| ACK session 42 awaits 3"),
        ("demand", "| ACK session 42 awaits 4 demanded"),
        ("change", "< CHANGES session 42 number 0 time 65300 cell 91 reads 1 since 12 ms"),
        ("snapshot-in-bits", "< SNAPSHOT session 42 number 1 time 300 from cell 0 1001000011 last, asked for"),
        ("snapshot-in-bytes", "< SNAPSHOT session 42 number 2 time 300 from cell 200 0 3 ? 1 last"),
        ("button-down", "< BUTTON session 42 number 4 time 1000 button 0 went down 21 ms before"),
        ("broken-chain", "< FAULT session 42 number 5 CHAIN begins detail 255"),
        ("settings", "| SETTINGS session 42 number 0 scan_ms 20 busy_ms 5 samples 3 agree_ms 10"),
        ("raw", "< RAW session 42 time 9 from cell 16 0 65535 32768"),
        ("lamps", "> LAMPS session 42 number 1 0+280 000000, 17+1 0040ff, show"),
        ("ask-snapshot", "> ASK session 42 number 3 snapshot"),
        ("restart-with-drive", "> RESTART session 42 number 4 with its drive"),
    ],
)
def test_golden_messages_in_words(name: str, line: str) -> None:
    assert only(FRAMES[name]) == line


def test_every_kind_is_told_and_none_of_the_golden_ones_makes_no_sense() -> None:
    lines = list(dump_bytes(WHOLE))
    assert len(lines) == len(VECTORS)
    assert {line.split()[1] for line in lines} == set(NAMES.values())
    assert not [line for line in lines if "makes no sense" in line]


def test_a_known_direction_is_told_for_kinds_that_both_have() -> None:
    assert only(FRAMES["beat"], FROM_DEVICE).startswith("< BEAT")


def test_what_is_whole_and_senseless_is_shown_as_it_is() -> None:
    assert only(wire.seal(bytes((says.BUTTON, 1, 2, 3)))) == "< BUTTON session 1 number 2 makes no sense: 03"
    assert only(wire.seal(b"\x81\x01")) == "< CHANGES session 1 makes no sense: 8101"
    assert only(wire.seal(b"\x7f\x01\x02")) == "| kind 7f session 1 makes no sense: 02"


def test_noise_is_shown_as_noise() -> None:
    lines = list(dump_bytes(b"Adafruit CircuitPython 9.2\r\n>>> \0" + FRAMES["beat"] + b"rest"))
    assert lines[0].startswith("? ")
    assert "prompt" in lines[0]
    assert "b'Adafruit CircuitPython 9.2\\r\\n>>> '" in lines[0]
    assert lines[1].startswith("| ")
    assert lines[2].endswith("b'rest'")


def test_a_prompt_that_nothing_ends_is_shown_after_a_while() -> None:
    dump = Dump(FROM_DEVICE)
    assert dump.feed(b">>> ", 1.0) == []
    assert dump.feed(b"", 1.1) == []
    (line,) = dump.feed(b"", 1.3)
    assert "prompt" in line
    assert line.split()[1] == "1.000"


@given(st.lists(st.integers(0, len(WHOLE)), max_size=12))
@settings(deadline=None, max_examples=40)
def test_s6_any_cutting_gives_the_same_lines(cuts: list[int]) -> None:
    dump = Dump()
    edges = [0, *sorted(cuts), len(WHOLE)]
    lines = [line for a, b in zip(edges, edges[1:], strict=False) for line in dump.feed(WHOLE[a:b])]  # noqa: RUF007
    assert lines == list(dump_bytes(WHOLE))


@given(st.binary(max_size=600))
@settings(deadline=None, max_examples=60)
def test_no_bytes_raise_anything(data: bytes) -> None:
    lines, _ = dump_capture(data)
    assert all(len(line) < 1500 for line in lines)


@given(
    st.lists(st.tuples(st.integers(0, 10**6), st.sampled_from("<>"), st.binary(min_size=1, max_size=70)), max_size=8)
)
@settings(deadline=None, max_examples=60)
def test_captures_in_text_round_trip(pieces: list[tuple[int, str, bytes]]) -> None:
    text = "".join(f"{row}\n" for at, direction, data in pieces for row in trace_rows(at / 1000, direction, data))
    trace = trace_of(text.encode("ascii"))
    if not pieces:
        assert trace is None
        return
    assert trace is not None
    assert trace.strays == ()
    joined = trace.rows
    again = "".join(f"{row}\n" for at, direction, data in joined for row in trace_rows(at, direction, data))
    assert b"".join(data for *_, data in joined) == b"".join(data for *_, data in pieces)
    assert [line.split()[:2] for line in again.splitlines()] == [line.split()[:2] for line in text.splitlines()]


def test_a_capture_of_pyserials_spy_is_read() -> None:
    """As ``serial.urlhandler.protocol_spy`` of pyserial 3.5 writes it."""
    from io import StringIO

    from serial.urlhandler.protocol_spy import FormatHexdump

    out = StringIO()
    spy = FormatHexdump(out, False)
    spy.tx(FRAMES["open"])
    spy.rx(FRAMES["hello"])
    spy.rx(b"")
    spy.control("RTS", "active")
    spy.rx(FRAMES["acknowledgement"])
    lines, strays = dump_capture(out.getvalue().encode())
    assert strays == ()
    assert [line.split()[0] + line.split()[2] for line in lines] == [
        f"{FROM_CONTROLLER}OPEN",
        f"{FROM_DEVICE}HELLO",
        f"{FROM_DEVICE}ACK",
    ]


@pytest.mark.parametrize(
    ("line", "stray"),
    [
        pytest.param("000005.2 RX 0000 zz", True, id="a row by hand"),
        pytest.param("junk line", True, id="other text"),
        pytest.param("000005.200 RX   0000  4", True, id="a row cut in its first byte"),
        pytest.param("000005.200 RX   0000  ", True, id="a row cut before its first byte"),
        pytest.param("000005.200 TX   0000  4G", True, id="no hexadecimal digits"),
        pytest.param(next(trace_rows(5.2, FROM_DEVICE, b"\0\0")), False, id="a row"),
        pytest.param("000005.200 RX   <empty>", False, id="nothing read"),
        pytest.param("000005.200 RTS  active", False, id="a control line"),
        pytest.param("000005.200 Q-RX flushInput", False, id="a call"),
        pytest.param("", False, id="an empty line"),
    ],
)
@pytest.mark.parametrize("place", [1, 2, 3])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_that_should_be_rows_and_are_none_are_counted(line: str, stray: bool, place: int, end: str) -> None:
    beat = next(trace_rows(4.0, FROM_DEVICE, FRAMES["beat"])).rstrip()
    text = [beat, beat]
    text.insert(place - 1, line)
    lines, strays = dump_capture(end.join([*text, ""]).encode())
    assert strays == ((place,) if stray else ())
    assert sum("BEAT" in line for line in lines) == 2


def test_noise_in_a_capture_is_not_told_what_the_link_will_do() -> None:
    (damaged,) = dump_bytes(b"\x05\x99\x99\0")
    assert "garbled   a damaged frame  b" in damaged
    (text,) = dump_bytes(b"game bamogo, and more\0")
    assert "text of something else than the board's firmware" in text
