"""What passes on a wire, as text: a line for each frame with direction, kind and fields, and for each piece of noise.

    <    0.032  CHANGES   session 42  number 0  time 65300  cell 91 reads 1 since 12 ms
    >    0.033  ACK       session 42  awaits 1
    ?    0.034  prompt    this is the micro-controller's Python prompt ...  b'>>> '

``>`` is the controller, ``<`` the device; ``|`` stands where it may be either. Pure: bytes in, lines out. Captures are
bare bytes of one or both directions, or what ``spy://`` of pyserial writes, which `trace_rows` writes too.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from hardware import wire_messages as says
from hardware.link import STALE_MS
from hardware.link_events import SENSINGS, FaultCode, NoiseKind
from hardware.link_noise import noise_kind, noise_words
from hardware.wire import NUMBERED, Deframer

FROM_DEVICE: Final = "<"
FROM_CONTROLLER: Final = ">"
EITHER: Final = "|"
NOISE: Final = "?"

_ROW: Final = re.compile(r"^(\d+\.\d+) (RX|TX) +([0-9A-F]{4})  (.{0,49})")
_BEGINNING: Final = re.compile(rb"^\d{6,}\.\d{3} ", re.MULTILINE)
_IDLE: Final = re.compile(r"^\d+\.\d+ (?:(?:RX|TX) +<empty>|(?!RX |TX )\S+ +\S.*)$")
"""What ``spy://`` writes where no bytes passed: a read in vain, and the lines of control beside the data."""
_ROW_BYTES: Final = 16
_LABELS: Final = {"RX": FROM_DEVICE, "TX": FROM_CONTROLLER}
_RESTARTS: Final = {says.RESTART_PLAIN: "as it is", says.RESTART_DRIVE: "with its drive", says.RESTART_LOADER: "loader"}
_ASKS: Final = {says.ASK_SNAPSHOT: "snapshot", says.ASK_STATS: "statistics", says.ASK_RAW: "raw values"}

_SEEN: Final = {
    NoiseKind.GARBLED: "a damaged frame",
    NoiseKind.TEXT: "text of something else than the board's firmware",
}
"""What noise is to somebody who looks at a capture, where `noise_words` speaks of what the link will do about it."""

_Tell: TypeAlias = Callable[[bytes], str | None]


class Dump:
    """Turns a stream of one direction into lines, however it is cut.

    Args:
        direction: `FROM_DEVICE`, `FROM_CONTROLLER`, or `EITHER` where it is not known: then kinds tell it.
    """

    def __init__(self, direction: str = EITHER) -> None:
        self._direction = direction
        self._deframer = Deframer()
        self._channels = 3
        self._last = 0.0

    def feed(self, data: bytes, at: float | None = None) -> list[str]:
        """Take bytes, seconds `at` after the start of the capture; return a line for each thing that they complete.

        What has waited for its end as long as a link would wait is noise; so feed nothing from time to time.
        """
        lines = []
        if at is not None:
            if at - self._last >= STALE_MS / 1000:
                lines = self.flush(self._last)
            self._last = at if data else self._last
        return lines + [self._line(item, at) for item in self._deframer.feed(data)]

    def flush(self, at: float | None = None) -> list[str]:
        """Return what is left at the end, which is noise."""
        return [self._line(item, at) for item in self._deframer.flush()]

    def _line(self, item: bytes | tuple[bytes], at: float | None) -> str:
        when = "" if at is None else f"{at:10.3f}"
        if isinstance(item, tuple):
            kind = noise_kind(item[0])
            return f"{NOISE} {when}  {kind.value:<9} {_SEEN.get(kind) or noise_words(kind, item[0])}  {item[0]!r}"
        return f"{self._whose(item[0])} {when}  {self._told(item)}"

    def _whose(self, kind: int) -> str:
        return self._direction if self._direction != EITHER else _OWNERS.get(kind, EITHER)

    def _told(self, payload: bytes) -> str:
        """Return kind and fields."""
        kind, session = payload[0], payload[1]
        name = NAMES.get(kind, f"kind {kind:02x}")
        head = f"{name:<9} session {session}"
        body = payload[2:]
        if kind & NUMBERED:
            if len(payload) < 3:
                return f"{head}  makes no sense: {payload.hex()}"
            head, body = f"{head}  number {payload[2]}", payload[3:]
        if kind == says.HELLO and (hello := says.unpack_hello(body)) is not None:
            self._channels = hello[0].get("channels", self._channels) or 3
        tell = _TELLS.get(kind)
        told = _lamps(body, self._channels) if kind == says.LAMPS else None if tell is None else tell(body)
        return f"{head}  makes no sense: {body.hex()}" if told is None else f"{head}  {told}".rstrip()


def dump_bytes(data: bytes) -> Iterator[str]:
    """Yield the lines of a capture of bare bytes."""
    dump = Dump()
    yield from dump.feed(data)
    yield from dump.flush()


def dump_capture(data: bytes) -> tuple[Iterator[str], tuple[int, ...]]:
    """Return the lines of a capture, bare or as ``spy://`` writes it, and which of its own lines are lost on us.

    Returns:
        A line for each frame and each piece of noise, made as they are taken; and `Trace.strays`.
    """
    trace = trace_of(data)
    return (dump_bytes(data), ()) if trace is None else (_dump_rows(trace.rows), trace.strays)


def _dump_rows(rows: Sequence[tuple[float, str, bytes]]) -> Iterator[str]:
    dumps = {direction: Dump(direction) for direction in (FROM_DEVICE, FROM_CONTROLLER)}
    at = 0.0
    for at, direction, piece in rows:
        yield from dumps[direction].feed(piece, at)
    for dump in dumps.values():
        yield from dump.flush(at)


# Captures as text -----------------------------------------------------------------------------------------------------


def trace_rows(at: float, direction: str, data: bytes) -> Iterator[str]:
    """Yield the rows of a capture in text for bytes that passed `at` seconds after its start, 16 bytes a row."""
    label = next(label for label, known in _LABELS.items() if known == direction)
    for offset in range(0, len(data), _ROW_BYTES):
        piece = data[offset : offset + _ROW_BYTES]
        shown = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in piece)
        halves = f"{piece[:8].hex(' ')}  {piece[8:].hex(' ')}".upper()
        yield f"{at:010.3f} {label}   {offset:04X}  {halves:<49}  {shown}"


class Trace(NamedTuple):
    """A capture in text.

    Fields:
        rows: shape (n, 3): seconds, direction and bytes of each row.
        strays: numbers, from 1, of the lines that should be rows and cannot be read as such.
    """

    rows: tuple[tuple[float, str, bytes], ...]
    strays: tuple[int, ...]


def trace_of(data: bytes) -> Trace | None:
    """Return what a capture in text holds; None if it is none: no line begins like a row."""
    if not _BEGINNING.search(data):
        return None
    rows: list[tuple[float, str, bytes]] = []
    strays: list[int] = []
    for number, raw in enumerate(data.splitlines(), start=1):
        line = raw.decode("latin-1")
        if not line.strip() or _IDLE.match(line):
            continue
        match = _ROW.match(line)
        try:
            piece = bytes.fromhex(match[4]) if match else b""
        except ValueError:  # a row that was cut short
            piece = b""
        if match and piece:
            rows.append((float(match[1]), _LABELS[match[2]], piece))
        else:
            strays.append(number)
    return Trace(tuple(rows), tuple(strays))


# Bodies ---------------------------------------------------------------------------------------------------------------


def _hello(body: bytes) -> str | None:
    unpacked = says.unpack_hello(body)
    if unpacked is None:
        return None
    numbers, identity, board, buttons = unpacked
    told = f"protocol {numbers['protocol']}  nonce {numbers['nonce']:08x}  firmware " + ".".join(
        str(numbers[word]) for word in ("major", "minor", "patch")
    )
    if "cells" not in numbers:
        return told
    sensing = numbers["sensing"]
    kind = SENSINGS[sensing].value if sensing < len(SENSINGS) else str(sensing)
    rest = "  ".join(
        f"{word} {numbers[word]}"
        for word in ("reset", "top", "pixels", "channels", "can", "time", "scan_ms", "busy_ms", "samples", "agree_ms")
    )
    names = ",".join(buttons)
    return f"{told}  board {board!r}  serial {identity!r}  cells {numbers['cells']} {kind}  buttons {names!r}  {rest}"


def _open(body: bytes) -> str | None:
    opened = says.unpack_open(body)
    return None if opened is None else f"protocol {opened[0]}  nonce {opened[1]:08x}"


def _beat(body: bytes) -> str | None:
    beat = says.unpack_beat(body)
    return None if beat is None else f"time {beat[0]}  awaits {beat[1]}"


def _ack(body: bytes) -> str | None:
    if len(body) != 2:
        return None
    return f"awaits {body[0]}" + ("  demanded" if body[1] else "")


def _changes(body: bytes) -> str | None:
    changes = says.unpack_changes(body)
    if changes is None:
        return None
    told = ", ".join(f"cell {cell} reads {_reading(reading)} since {ago} ms" for cell, reading, ago in changes[1])
    return f"time {changes[0]}  {told}"


def _snapshot(body: bytes) -> str | None:
    part = says.unpack_snapshot(body)
    if part is None:
        return None
    time, first, flags, readings = part
    words = [
        word
        for flag, word in ((says.SNAP_LAST, "last"), (says.SNAP_LOST, "after a loss"), (says.SNAP_ASKED, "asked for"))
        if flags & flag
    ]
    wide = flags & says.SNAP_BYTES
    told = (" " if wide else "").join(map(_reading, readings))
    return f"time {time}  from cell {first}  {told}  {', '.join(words)}"


def _reading(reading: int) -> str:
    return "?" if reading == says.UNKNOWN else str(reading)


def _button(body: bytes) -> str | None:
    button = says.unpack_button(body)
    if button is None:
        return None
    time, number, down, ago = button
    return f"time {time}  button {number} went {'down' if down else 'up'} {ago} ms before"


def _fault(body: bytes) -> str | None:
    fault = says.unpack_fault(body)
    if fault is None:
        return None
    code, on, detail = fault
    name = FaultCode(code).name if code in set(FaultCode) else str(code)
    return f"{name} {'begins' if on else 'ends'}  detail {detail}"


def _settings(body: bytes) -> str | None:
    settings = says.unpack_settings(body)
    if settings is None:
        return None
    return "  ".join(f"{word} {number}" for word, number in zip(says.HELLO_WORDS[-4:], settings, strict=True))


def _stats(body: bytes) -> str | None:
    values = says.unpack_stats(body)
    if values is None:
        return None
    return "  ".join(f"{word} {value}" for word, value in zip(says.STATS_WORDS, values, strict=True))


def _raw(body: bytes) -> str | None:
    raw = says.unpack_raw(body)
    return None if raw is None else f"time {raw[0]}  from cell {raw[1]}  {' '.join(map(str, raw[2]))}"


def _lamps(body: bytes, channels: int) -> str | None:
    runs = says.unpack_runs(body, channels) or says.unpack_runs(body, 7 - channels)
    if runs is None:
        return None
    told = [f"{first}+{count} {colour.hex()}" for first, count, colour in runs[1]]
    return ", ".join(told + ["show"] * (runs[0] & says.LAMPS_SHOW))


def _ask(body: bytes) -> str | None:
    if len(body) != 2:
        return None
    what = _ASKS.get(body[0], str(body[0]))
    return what + (f" {'on' if body[1] else 'off'}" if body[0] == says.ASK_RAW else "")


def _restart(body: bytes) -> str | None:
    return _RESTARTS.get(body[0], str(body[0])) if len(body) == 1 else None


_TELLS: Final[Mapping[int, _Tell]] = {
    says.HELLO: _hello,
    says.BEAT: _beat,
    says.ACK: _ack,
    says.STATS: _stats,
    says.RAW: _raw,
    says.OPEN: _open,
    says.CHANGES: _changes,
    says.SNAPSHOT: _snapshot,
    says.BUTTON: _button,
    says.FAULT: _fault,
    says.SETTINGS: _settings,
    says.ASK: _ask,
    says.RESTART: _restart,
}
NAMES: Final[Mapping[int, str]] = {
    getattr(says, name): name
    for name in (
        *("HELLO", "BEAT", "ACK", "STATS", "RAW", "OPEN", "CHANGES", "SNAPSHOT", "BUTTON", "FAULT", "SETTINGS"),
        *("LAMPS", "ASK", "RESTART"),
    )
}
"""Name of each kind, as docs/protocol.md has it."""
_OWNERS: Final[Mapping[int, str]] = {
    **dict.fromkeys(
        (says.HELLO, says.STATS, says.RAW, says.CHANGES, says.SNAPSHOT, says.BUTTON, says.FAULT), FROM_DEVICE
    ),
    **dict.fromkeys((says.OPEN, says.LAMPS, says.ASK, says.RESTART), FROM_CONTROLLER),
}
