"""Who is at the other end: HELLO as a value, and in words why it is not the board that was wanted."""

from typing import Final

from hardware import wire_messages as says
from hardware.link_events import SENSINGS, Can, Hello, Settings, Wanted
from hardware.ports import Millis
from hardware.words import plain

_CANS: Final = says.CAN_RAW | says.CAN_UNKNOWN | says.CAN_SETTINGS | says.CAN_DRIVE
_RANGES: Final = {
    "sensing": (0, len(SENSINGS) - 1),
    "top": (1, says.UNKNOWN - 1),
    "channels": (3, 4),
    "scan_ms": (1, 250),
    "busy_ms": (1, 250),
    "samples": (1, 16),
    "agree_ms": (0, 250),
}
"""The least and the most that each number of HELLO may be; of those without a line anything will do."""
_CALLED: Final = {
    "sensing": "what the cells tell",
    "top": "the greatest reading",
    "channels": "the number of bytes for a pixel",
}


def read_hello(body: bytes) -> tuple[Hello, int, Millis] | str:
    """Return what HELLO says, the nonce that it repeats, and the device's time; or for a person why it makes no sense.

    Of another protocol only `Hello.firmware` and `Hello.protocol` are known, and the time is 0. Texts are as they may
    be shown.
    """
    unpacked = says.unpack_hello(body)
    if unpacked is None:
        return "it is cut short, or its texts are not in UTF-8"
    numbers, identity, board, buttons = unpacked
    firmware = f"{numbers['major']}.{numbers['minor']}.{numbers['patch']}"
    if numbers["protocol"] != says.PROTOCOL:
        return Hello(firmware, numbers["protocol"]), numbers["nonce"], 0
    for word, (least, most) in _RANGES.items():
        if not least <= numbers[word] <= most:
            return f"{_CALLED.get(word, word)} is {numbers[word]}, and should be {least} to {most}"
    settings = Settings(*(numbers[word] for word in ("scan_ms", "busy_ms", "samples", "agree_ms")))
    hello = Hello(
        firmware=firmware,
        protocol=numbers["protocol"],
        identity=plain(identity),
        board=plain(board),
        cells=numbers["cells"],
        sensing=SENSINGS[numbers["sensing"]],
        top=numbers["top"],
        pixels=numbers["pixels"],
        channels=numbers["channels"],
        can=Can(numbers["can"] & _CANS),
        settings=settings,
        buttons=tuple(map(plain, buttons)),
        reset=numbers["reset"],
        wiring=numbers.get("wiring", 0),
    )
    return hello, numbers["nonce"], numbers["time"]


def refusal(hello: Hello, wanted: Wanted) -> str:
    """Return for a person why a session with that device is refused, and what to do; empty where it is not."""
    if hello.protocol != says.PROTOCOL:
        return (
            f"the board's firmware {hello.firmware} speaks version {hello.protocol} of the protocol, and this program "
            f"version {says.PROTOCOL}: run 'stonelight flash', which puts the firmware of this program on the board"
        )
    misses = wanted.misses(hello)
    if not misses:
        return ""
    return (
        f"the board '{hello.board}' (serial number {hello.identity}) is not the one that was asked for: {misses}; "
        "plug in the right one, choose the profile that fits, or run 'stonelight flash' with it"
    )
