"""Where a person finds the page."""

import socket
from typing import Self

import pytest

from controller.page import addresses as module
from controller.page.addresses import addresses, lan_address


def test_this_machine_comes_first_and_the_network_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "lan_address", lambda: "192.168.7.3")
    assert addresses(8000) == ["http://127.0.0.1:8000/", "http://192.168.7.3:8000/"]


def test_without_a_network_there_is_one_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "lan_address", lambda: None)
    assert addresses(8000) == ["http://127.0.0.1:8000/"]


@pytest.mark.parametrize(
    ("host", "url"),
    [("127.0.0.1", "http://127.0.0.1:81/"), ("::1", "http://[::1]:81/"), ("board.local", "http://board.local:81/")],
)
def test_a_page_on_one_address_is_found_there_only(host: str, url: str) -> None:
    assert addresses(81, host) == [url]


class Probe:
    """A datagram socket that says what it is told to, and cannot send."""

    def __init__(self, own: str | OSError) -> None:
        self.own = own

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...

    def connect(self, address: tuple[str, int]) -> None:
        if isinstance(self.own, OSError):
            raise self.own

    def getsockname(self) -> tuple[str | OSError, int]:
        return (self.own, 40000)


@pytest.mark.parametrize(
    ("own", "found"),
    [
        ("192.168.7.3", "192.168.7.3"),
        ("127.0.0.1", None),
        ("0.0.0.0", None),
        (OSError(101, "Network is unreachable"), None),
    ],
)
def test_the_address_is_the_one_that_packets_would_leave_from(
    own: str | OSError, found: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "socket", lambda *_: Probe(own))
    assert lan_address() == found
