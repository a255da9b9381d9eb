"""Where a person finds the page: on this machine, and from a phone on the same network."""

import socket
from typing import Final

ANY: Final = ("", "0.0.0.0", "::")  # noqa: S104  (names the wildcard, binds nothing)
"""The ways to say: on every address of the machine."""

FAR: Final = "192.0.2.1"
"""An address of TEST-NET-1 (RFC 5737), which nobody has: it only makes the system name the way out."""


def addresses(port: int, host: str = "0.0.0.0") -> list[str]:  # noqa: S104
    """Return the URLs of a page served on `host` and `port`, the one for this machine first, then one for a phone.

    No packet is sent. The second is left out where the machine has no network, or `host` is this machine alone.
    """
    if host not in ANY:
        return [_url(host, port)]
    here = [_url("127.0.0.1", port)]
    lan = lan_address()
    return here if lan is None else [*here, _url(lan, port)]


def lan_address() -> str | None:
    """Return this machine's address on the network it would leave by; None where it has none.

    Connecting a datagram socket sends nothing: it asks the system which of its addresses it would send from.
    """
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect((FAR, 9))
            found = str(probe.getsockname()[0])
    except OSError:
        return None
    return None if found.startswith("127.") or found in ANY else found


def _url(host: str, port: int) -> str:
    """Return the URL of the page at that host."""
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
