"""Who may drive the board: people on this network, and no web page from elsewhere that their browsers happen to show.

Two tricks are known. A foreign page can open a WebSocket to an address it guesses: the browser then says in ``Origin``
where the page came from, and that is not here. Or a foreign name is made to point at this machine, so that origin and
host agree: then ``Host`` is a name that this machine does not answer to.
"""

import ipaddress
from typing import Final
from urllib.parse import urlsplit

PRIVATE_SUFFIXES: Final = (".local", ".localhost")
"""Endings that no public name server resolves (RFC 6762, RFC 6761)."""

HOME_SUFFIXES: Final = (".lan", ".home.arpa", ".internal")
"""Endings that home routers append to a machine's own name; none is for sale (RFC 8375 and its like)."""

DEFAULT_PORTS: Final = {"http": 80, "https": 443}

HEADERS: Final = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""What every answer carries: nothing from elsewhere is loaded, nothing is framed, nothing is guessed, all is fresh."""


def host_allowed(host: str | None, own_name: str) -> bool:
    """Return whether `host`, the ``Host`` header, is an address of this network or a name of this machine.

    Args:
        host: name or address, perhaps with a port; None where there was no header.
        own_name: the machine's host name.
    """
    where = _split(f"//{host}") if host else None
    if where is None:
        return False
    name = where[0].rstrip(".")
    if _is_address(name) or name == "localhost" or name.endswith(PRIVATE_SUFFIXES):
        return True
    own = own_name.lower().rstrip(".")
    return bool(own) and name in (own, *(own.split(".")[0] + suffix for suffix in HOME_SUFFIXES))


def origin_allowed(origin: str | None, host: str | None) -> bool:
    """Return whether `origin` (the ``Origin`` header) is the same place as `host`.

    Only browsers send the header, and they always do on a WebSocket: where there is none (None), a program asks, and
    programs are let in.
    """
    if origin is None:
        return True
    came_from = _split(origin)
    scheme = urlsplit(origin).scheme if came_from else ""
    if came_from is None or host is None or scheme not in DEFAULT_PORTS:
        return False
    here = _split(f"//{host}")
    default = DEFAULT_PORTS[scheme]
    return here is not None and (came_from[0], came_from[1] or default) == (here[0], here[1] or default)


def _split(url: str) -> tuple[str, int | None] | None:
    """Return the host in small letters and the port of a URL; None where it has no readable host."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if not host or parts.username is not None or parts.path not in ("", "/") or parts.query or parts.fragment:
        return None
    return host, port


def _is_address(name: str) -> bool:
    """Return whether `name` is an IP address."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
