"""docs/protocol.md says what the code does: its examples are golden vectors, its numbers are those of the modules."""

import json
import re
from pathlib import Path

from hardware import link, link_answers, link_session, wire
from hardware import wire_messages as says
from simulator.device import firmware_modules

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "protocol.md").read_text()
VECTORS = [
    line.split(" | ")
    for line in (ROOT / "tests" / "golden" / "wire.txt").read_text().splitlines()
    if not line.startswith("#")
]


def test_every_example_is_a_golden_message() -> None:
    examples = [
        re.split(r" {3,}", line.strip()[2:], maxsplit=1)[0].replace(" ", "")
        for line in PAGE.splitlines()
        if re.match(r" {4}[<>] ", line)
    ]
    payloads = [row[1] for row in VECTORS]
    assert len(examples) == 10
    for example in examples:
        begun = example.removesuffix("...")
        assert any(payload == example or (begun != example and payload.startswith(begun)) for payload in payloads), (
            example
        )


def test_the_example_of_a_frame_is_right() -> None:
    frame = wire.seal(bytes.fromhex("032a0300"))
    assert " ".join(f"{byte:02x}" for byte in frame) in PAGE


def test_every_kind_is_in_the_table() -> None:
    rows = dict(re.findall(r"^\| ([0-9a-f]{2}) \| ([A-Z]+) \|", PAGE, re.MULTILINE))
    names = ("HELLO", "BEAT", "ACK", "STATS", "RAW", "OPEN", "CHANGES", "SNAPSHOT", "BUTTON", "FAULT", "SETTINGS")
    for name in (*names, "LAMPS", "ASK", "RESTART"):
        assert rows.pop(f"{getattr(says, name):02x}") == name
    assert rows == {}


def test_the_numbers_are_those_of_the_code() -> None:
    talk = firmware_modules()["talk"]
    for text, number in (
        (f"every {talk.GREET_MS} ms", 500),
        (f"{link.OPEN_MS} ms until it is answered", 250),
        (f"at most {wire.WINDOW} that are not", 16),
        (f"after {wire.RESEND_MS} ms, then", 80),
        (f"every {wire.NAK_MS} ms at most", 30),
        (f"BEAT every {wire.BEAT_MS:,} ms", 1000),
        (f"BEAT every {link_answers.ALONE_MS:,} ms", 1050),
        (f"up to {link_answers.ACK_MS} ms for a message", 20),
        (f"unless {link_answers.HALF_WINDOW} are owed", 8),
        (f"{link_session.SILENCE_MS:,} ms without a good frame", 2500),
        (f"after {link_session.FIRST_MS:,} ms the controller says", 2500),
        (f"Without one for {link_session.UNTOLD_MS:,} ms", 5000),
        (f"unacknowledged for {link_session.DEAF_MS:,} ms", 5000),
        (f"after {link.PATIENCE_MS:,} ms once a second", 1500),
        (f"after {talk.SILENT_MS:,} ms", 3000),
        (f"for {link.STALE_MS} ms are noise", 200),
        (f"at most {says.BODY} bytes", 240),
        (f"longest payload is {says.BODY + 3} bytes", 243),
        (f"More than {wire.LONGEST} bytes", 256),
    ):
        assert str(number) in text.replace(",", "")
        assert text in " ".join(PAGE.split()), text


def test_the_first_board_is_a_plan() -> None:
    (block,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    plan = firmware_modules()["plan"].check(json.loads(block))
    assert plan["cells"] == 4
