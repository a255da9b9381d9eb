"""What pages say: well-formed messages are read, rubbish gets words."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.page.desk import RequestError
from controller.page.messages import FIELDS, LARGEST, parse

GOOD = [{"type": kind, **dict.fromkeys(fields, "a1")} for kind, fields in FIELDS.items()]


@pytest.mark.parametrize("message", GOOD, ids=lambda message: str(message["type"]))
def test_a_message_with_its_fields_is_read(message: dict[str, str]) -> None:
    assert parse(json.dumps(message)) == message


def test_what_else_a_message_carries_is_left_out() -> None:
    assert parse('{"type": "drop", "cell": "b1", "move": "Ra1 Bb1", "client": "me"}') == {"type": "drop", "cell": "b1"}


def test_a_fault_may_name_a_cell() -> None:
    assert parse('{"type": "whatif", "fault": "dead", "cell": "b1"}') == {
        "type": "whatif",
        "fault": "dead",
        "cell": "b1",
    }
    assert parse('{"type": "whatif", "fault": "bump", "move": "x"}') == {"type": "whatif", "fault": "bump"}
    with pytest.raises(RequestError, match="'cell' of a 'whatif' message cannot be a number"):
        parse('{"type": "whatif", "fault": "dead", "cell": 3}')


def test_every_message_is_described() -> None:
    described = (Path(__file__).parents[3] / "docs" / "page.md").read_text(encoding="utf-8")
    for kind, names in FIELDS.items():
        line = next(line for line in described.splitlines() if line.startswith(f"| `{kind}` |"))
        assert all(f"`{name}`" in line for name in names)


BAD: list[Any] = [
    pytest.param(b"\x00\xff", "binary", id="bytes"),
    pytest.param("", "not JSON", id="nothing"),
    pytest.param("press red", "not JSON", id="words"),
    pytest.param('{"type": "press"', "not JSON", id="half a message"),
    pytest.param("[" * LARGEST, "not JSON", id="deeper than anyone reads"),
    pytest.param('{"type": "press", "button": "' + "r" * LARGEST + '"}', "too large", id="too long"),
    pytest.param('{"type": "press", "button": "' + "é" * (LARGEST // 2) + '"}', "too large", id="too long in bytes"),
    pytest.param("[1, 2]", "a list", id="a list"),
    pytest.param("null", "null", id="null"),
    pytest.param("7", "a number", id="a number"),
    pytest.param('"press"', "a text", id="a text"),
    pytest.param("true", "true or false", id="true"),
    pytest.param("{}", "no type", id="no type"),
    pytest.param('{"type": 3}', "unknown type a number", id="a type that is no text"),
    pytest.param('{"type": ["take"]}', "unknown type a list", id="a type that cannot be looked up"),
    pytest.param('{"type": "move", "move": "Ra1 Bb1"}', "unknown type 'move'", id="a move, which no page makes"),
    pytest.param('{"type": "take"}', "'stone' of a 'take' message is missing", id="a field is missing"),
    pytest.param('{"type": "lift", "cell": 4}', "cannot be a number", id="a field of the wrong type"),
    pytest.param('{"type": "lift", "cell": {"id": "a1"}}', "cannot be an object", id="a field that is an object"),
    pytest.param('{"type": "lift", "cell": ""}', "cannot be ''", id="an empty name"),
    pytest.param('{"type": "lift", "cell": "a\\n1"}', "cannot be 'a\\\\n1'", id="a name with a line break"),
    pytest.param('{"type": "lift", "cell": "\\ud800"}', "cannot be '\\\\ud800'", id="half a character"),
    pytest.param('{"type": "press", "button": "' + "r" * 33 + '"}', "1 to 32 characters", id="a name too long"),
]


@pytest.mark.parametrize(("text", "words"), BAD)
def test_rubbish_is_refused_in_words(text: str | bytes, words: str) -> None:
    with pytest.raises(RequestError, match=words) as refusal:
        parse(text)
    assert len(str(refusal.value)) < 200
    str(refusal.value).encode()  # words that can be sent


@settings(deadline=None)
@given(st.text() | st.binary() | st.recursive(st.none() | st.booleans() | st.text(), st.lists).map(json.dumps))
def test_nothing_but_a_refusal_is_ever_raised(text: str | bytes) -> None:
    with pytest.raises(RequestError):
        parse(text)
