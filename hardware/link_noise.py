"""Words for bytes that are no message: what a person sees when the wrong thing talks on the port."""

import re
from typing import Final

from hardware.link_events import NoiseKind
from hardware.words import plain

_SIGNS: Final = (
    (NoiseKind.TRACEBACK, (b"Traceback (most recent call last)",)),
    (NoiseKind.PROMPT, (b">>> ", b"Press any key to enter the REPL")),
    (
        NoiseKind.BANNER,
        (b"Adafruit CircuitPython", b"MicroPython v", b"code.py output:", b"soft reboot", b"Auto-reload"),
    ),
    (NoiseKind.LOGIN, (b"login:", b"Password:", b"Welcome to ")),
    (NoiseKind.MODEM, (b"AT\r", b"ATE0", b"AT+", b"ATQ0", b"ATI\r")),
)
"""What gives each kind away, in the order in which they are looked for."""

_WORDS: Final = {
    NoiseKind.TRACEBACK: "the firmware has stopped with an error; run 'stonelight flash' to renew it",
    NoiseKind.PROMPT: "this is the micro-controller's Python prompt: the firmware is not running, or this is its "
    "console port and the data port is the other one; press the board's reset, or run 'stonelight flash'",
    NoiseKind.BANNER: "the micro-controller is starting, and this is its console port or its data port is off",
    NoiseKind.LOGIN: "a computer asks for a login here: this is a console, not the board; choose another --port",
    NoiseKind.MODEM: "a program looks for a modem on this port, most likely ModemManager; 'stonelight doctor' says "
    "how to keep it off",
    NoiseKind.TEXT: "something else than the board's firmware writes text on this port",
    NoiseKind.GARBLED: "a message arrived damaged; it will be sent again",
    NoiseKind.SENSELESS: "a message arrived whole that makes no sense: firmware and program may not belong together",
}


_RAISED: Final = re.compile(r"[A-Za-z_][\w.]*(Error|Exception|Interrupt|Exit|Iteration|Warning)\b")
"""How the line of a traceback begins that says what was raised; more may follow it."""
INSTEAD: Final = _WORDS | {
    NoiseKind.TEXT: "something else than the board's firmware writes text on this port: choose another --port, or run "
    "'stonelight flash' to put the firmware on the board",
    NoiseKind.GARBLED: "what comes on this port is damaged, or no message of a board: see that the cable sits well, "
    "that no other program has the port open, and that a board is there",
}
"""What to tell a person where nothing better than such noise comes."""


def noise_kind(data: bytes) -> NoiseKind:
    """Return what `data` looks like."""
    for kind, signs in _SIGNS:
        if any(sign in data for sign in signs):
            return kind
    # Seven printable bytes in eight, and more than a few: a damaged frame is hardly ever so.
    printable = sum(32 <= byte < 127 or byte in b"\r\n\t\x1b" for byte in data)
    return NoiseKind.TEXT if len(data) >= 8 and printable * 8 >= len(data) * 7 else NoiseKind.GARBLED


def noise_words(kind: NoiseKind, data: bytes) -> str:
    """Return what a person should know: what it is, for a traceback its last line, and what to do."""
    said = ""
    if kind is NoiseKind.TRACEBACK:
        lines = [line for line in data.decode("ascii", "replace").splitlines() if _RAISED.match(line)]
        said = f" ({plain(lines[-1].strip(), 160)})" if lines else ""
    return _WORDS[kind] + said
