"""What a page may say, read strictly: text in, a well-formed message out, or words for the person who sent it."""

import json
from collections.abc import Mapping
from typing import Any, Final

from controller.page.desk import RequestError

LARGEST: Final = 4096
"""Bytes of the longest message that is read. The longest that our page sends has under 100."""

LONGEST_NAME: Final = 32
"""Characters of the longest name of a cell, stone or button."""

FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "take": ("stone",),
    "lift": ("cell",),
    "pick": ("cell",),
    "drop": ("cell",),
    "discard": (),
    "return": (),
    "sweep": (),
    "press": ("button",),
    "touch": ("cell",),
    "whatif": ("fault",),
    "light": ("setting", "value"),
}
"""What each type of message must carry. Every field is a short name; what else a message carries is left out."""

OPTIONAL: Final[Mapping[str, tuple[str, ...]]] = {"whatif": ("cell",)}
"""What a message may carry besides."""


def parse(text: str | bytes) -> dict[str, str]:
    """Return the message that `text` holds: ``type`` and the fields of that type, all of them short printable names.

    Raises:
        RequestError: it is no such message; says what is wrong and what is expected.
    """
    if isinstance(text, bytes):
        raise RequestError("the board reads messages as text, and this one was binary")
    if len(text) > LARGEST or len(text.encode("utf-8", "replace")) > LARGEST:
        raise RequestError(f"that message is too large: the board reads up to {LARGEST} bytes")
    try:
        message: Any = json.loads(text)
    except (ValueError, RecursionError):
        raise RequestError(
            'that message is not JSON: the board expects something like {"type": "press", ...}'
        ) from None
    if not isinstance(message, dict):
        raise RequestError(f'a message is an object like {{"type": "press", ...}}, not {_kind(message)}')
    kind = message.get("type")
    if not isinstance(kind, str) or kind not in FIELDS:
        known = ", ".join(FIELDS)
        said = "no type" if kind is None else f"the unknown type {_quoted(kind)}"
        raise RequestError(f"that message has {said}: the board knows {known}")
    names = (*FIELDS[kind], *(name for name in OPTIONAL.get(kind, ()) if name in message))
    return {"type": kind, **{name: _name(kind, name, message.get(name)) for name in names}}


def _name(kind: str, name: str, value: object) -> str:
    """Return `value` if it is a short printable name."""
    if isinstance(value, str) and 0 < len(value) <= LONGEST_NAME and value.isprintable():
        return value
    found = "is missing" if value is None else f"cannot be {_quoted(value)}"
    raise RequestError(f"{name!r} of a {kind!r} message {found}: it is a name of 1 to {LONGEST_NAME} characters")


def _quoted(value: object) -> str:
    """Return what came in, short and harmless enough to be shown."""
    if not isinstance(value, str):
        return _kind(value)
    return ascii(value if len(value) <= LONGEST_NAME else value[:LONGEST_NAME] + "...")


def _kind(value: object) -> str:
    """Return in words what kind of JSON value this is."""
    if value is None:
        return "null"
    kinds = {
        bool: "true or false",
        int: "a number",
        float: "a number",
        str: "a text",
        list: "a list",
        dict: "an object",
    }
    return kinds[type(value)]
