"""Who is at the other end: HELLO as a value, and in words why it is not the board that was wanted."""

from typing import Final

from hardware import wire_messages as says
from hardware.link_events import SENSINGS, Can, Hello, Settings, Wanted
from hardware.ports import Millis

_CANS: Final = says.CAN_RAW | says.CAN_UNKNOWN | says.CAN_SETTINGS | says.CAN_DRIVE


def read_hello(body: bytes) -> tuple[Hello, int, Millis] | None:
    """Return what HELLO says, the nonce that it repeats, and the device's time; None where it makes no sense.

    Of another protocol only `Hello.firmware` and `Hello.protocol` are known, and the time is 0.
    """
    unpacked = says.unpack_hello(body)
    if unpacked is None:
        return None
    numbers, identity, board, buttons = unpacked
    firmware = f"{numbers['major']}.{numbers['minor']}.{numbers['patch']}"
    if numbers["protocol"] != says.PROTOCOL:
        return Hello(firmware, numbers["protocol"]), numbers["nonce"], 0
    try:
        settings = Settings(*(numbers[word] for word in ("scan_ms", "busy_ms", "samples", "agree_ms")))
    except ValueError:
        return None
    if numbers["sensing"] >= len(SENSINGS) or numbers["channels"] not in (3, 4):
        return None
    hello = Hello(
        firmware=firmware,
        protocol=numbers["protocol"],
        identity=identity,
        board=board,
        cells=numbers["cells"],
        sensing=SENSINGS[numbers["sensing"]],
        top=numbers["top"],
        pixels=numbers["pixels"],
        channels=numbers["channels"],
        can=Can(numbers["can"] & _CANS),
        settings=settings,
        buttons=tuple(buttons),
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
