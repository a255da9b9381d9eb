"""What the benchmark of the link leans on: made-up devices say what they should, and one race is run to its end."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hardware.link import Link
from hardware.link_events import Laid, Wanted
from hardware.ports import CellChange
from tests.bench import wire_devices as devices
from tests.bench.bench_link_peers import ratios
from tests.bench.wire_devices import CELLS, FRAME, PERIOD, changed
from tests.bench.wire_hosts import ENTRANTS
from tests.bench.wire_race import Result

TREE = Path(__file__).parents[1]
WANTED = [changed(number) for number in range(2 * PERIOD)]


def lines(data: bytes) -> list[tuple[int, int]]:
    return [(int(cell), int(reading)) for _, cell, reading in map(bytes.split, data.splitlines())]


def ports(data: bytes) -> list[tuple[int, int]]:
    """Each Firmata message against the one before for its port."""
    before = [0, 0]
    found = []
    for at in range(0, len(data), 3):
        port, low, high = data[at] - 0x90, data[at + 1], data[at + 2]
        bits = low | high << 7
        (cell,) = (8 * port + bit for bit in range(8) if (bits ^ before[port]) >> bit & 1)
        before[port] = bits
        found.append((cell, bits >> cell % 8 & 1))
    return found


def fours(data: bytes) -> list[tuple[int, int]]:
    assert {data[at : at + 2] for at in range(0, len(data), 4)} == {b"\3\2"}
    return [(data[at + 2], data[at + 3]) for at in range(0, len(data), 4)]


def commands(data: bytes) -> list[tuple[int, int]]:
    return [(cell[0] - 64, reading[0] - 64) for cell, reading in re.findall(rb"0,([^,;/\0]),([^,;/\0]);", data)]


@pytest.mark.parametrize(
    ("device", "read"),
    [(devices.Lines, lines), (devices.Firmata, ports), (devices.Telemetrix, fours), (devices.Messenger, commands)],
    ids=["lines", "firmata", "telemetrix", "messenger"],
)
def test_a_device_tells_each_change_in_its_own_words(
    device: Callable[[], devices.Device], read: Callable[[bytes], list[tuple[int, int]]]
) -> None:
    one = device()
    told = [one.change(number, 0) for number in range(2 * PERIOD)]
    assert read(b"".join(told)) == WANTED
    assert told[:PERIOD] == told[PERIOD:], "a flood repeats one period"


def test_every_change_is_one() -> None:
    readings = [0] * CELLS
    for cell, reading in WANTED:
        assert readings[cell] != reading
        readings[cell] = reading
    assert readings == [0] * CELLS, "a period ends as it began"


def test_ours_greets_a_link_once_and_tells_it_all() -> None:
    link, device = Link(Wanted(cells=CELLS), nonce=7), devices.Ours()
    assert device.beat(0) == b"", "nobody has opened a session"
    link.begin(0)
    opening = link.outgoing()
    events = link.receive(0, device.answer(opening[:5]) + device.answer(opening[5:]))
    assert any(isinstance(event, Laid) for event in events)
    assert device.answer(opening) == b"", "a second greeting would begin the numbers anew"
    told = [device.change(number, 3) for number in range(2 * PERIOD)]
    assert {len(frame) for frame in told} == {FRAME}
    assert told[:PERIOD] == told[PERIOD:]
    moved = link.receive(5, b"".join(told) + device.beat(5))
    assert [(event.cell, event.reading) for event in moved if isinstance(event, CellChange)] == WANTED
    assert len(moved) == len(WANTED), "no gap and no noise"


@pytest.mark.parametrize(
    ("device", "asked", "answer"),
    [
        (devices.Firmata, b"\xf0\x51\xf7", b"\xf0\x52\x01\xf7"),
        (devices.Firmata, b"\xf4\x03\x0b\xf0\x79\xf7", b"\xf0\x79\x02\x05b\0\xf7"),
        (devices.Firmata, b"\xf0\x69\xf7\xf0\x7a\x13\0\xf7", b"\xf0\x6a" + b"\x7f" * CELLS + b"\xf7"),
        (devices.Telemetrix, b"\1\6\1\5", b"\2\6\1\4\5\1\0\0"),
        (devices.Telemetrix, b"\4\1\0\2\1\1\x36", b"\2\x14\0"),
        (devices.Lines, b"anything", b""),
    ],
)
def test_a_device_answers_what_a_library_asks_however_it_is_cut(
    device: Callable[[], devices.Device], asked: bytes, answer: bytes
) -> None:
    whole, cut = device(), device()
    assert whole.answer(asked) == answer
    assert b"".join(cut.answer(bytes((byte,))) for byte in asked) == answer


def test_floods_are_whole_periods_and_names_are_told_apart() -> None:
    assert all(each.flood % PERIOD == 0 for each in ENTRANTS)
    assert len({each.name for each in ENTRANTS}) == len(ENTRANTS)


def test_a_ratio_is_taken_within_each_round() -> None:
    def result(rate: float) -> Result:
        return Result(rate, 1 / rate, 1, rate, 1, 0)

    results: dict[str, list[Result | None]] = {
        "link": [result(20), result(10), None, result(30), result(1)],
        "pyFirmata2": [result(2), result(5), result(1), result(10), None],
        "pyserial readline": [None] * 5,
    }
    found = {figure.name: figure.value for figure in ratios(results)}
    assert found["link : pyFirmata2, flood, changes/s"] == 3
    assert found["link : pyFirmata2, flood, processor saved"] == pytest.approx(3)
    assert found["link : pyFirmata2, one by one, delay"] == 3
    assert not [name for name in found if "readline" in name], "who failed has no ratio"


def test_a_race_is_run_to_its_end() -> None:
    command = [sys.executable, "-m", "tests.bench.wire_race", "link as in play", "256", "8", "0"]
    done = subprocess.run(command, cwd=TREE, capture_output=True, text=True, timeout=60, check=True)
    result = Result(**json.loads(done.stdout))
    assert result.rate > 0
    assert 0 < result.median_us <= result.p99_us
