"""Who is let in."""

import pytest

from controller.page.guard import host_allowed, origin_allowed

OWN = "workbench"


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1:8000",
        "127.0.0.1",
        "192.168.1.20:8000",
        "10.0.0.7",
        "[::1]:8000",
        "[fe80::1]",
        "localhost:8000",
        "LOCALHOST",
        "board.localhost:8000",
        "board.local:8000",
        "Bamogo.Local.",
        "workbench:8000",
        "WorkBench",
        "workbench.lan",
        "workbench.home.arpa:80",
    ],
)
def test_addresses_and_own_names_are_let_in(host: str) -> None:
    assert host_allowed(host, OWN)


@pytest.mark.parametrize(
    "host",
    [
        None,
        "",
        "evil.example",
        "evil.example:8000",
        "workbench.evil.example",
        "127.0.0.1.evil.example",
        "local",
        "evil.locals",
        "localhost.evil.example",
        "other.lan",
        "localhost@evil.example",
        "evil.example@localhost",
        "localhost/evil",
        "localhost?evil",
        "localhost:notaport",
        "localhost:99999",
        "[::1",
        "127.1.evil",
        " ",
    ],
)
def test_other_names_are_not(host: str | None) -> None:
    assert not host_allowed(host, OWN)


def test_a_machine_without_a_name_lets_no_empty_name_in() -> None:
    assert not host_allowed(".lan", "")
    assert not host_allowed("board", "")


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        (None, "board.local:8000"),
        ("http://board.local:8000", "board.local:8000"),
        ("http://BOARD.local:8000", "board.local:8000"),
        ("http://board.local", "board.local"),
        ("http://board.local:80", "board.local"),
        ("https://board.local", "board.local:443"),
        ("http://[::1]:8000", "[::1]:8000"),
    ],
)
def test_a_page_of_this_place_may_speak(origin: str | None, host: str) -> None:
    assert origin_allowed(origin, host)


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://evil.example", "board.local:8000"),
        ("http://board.local:9000", "board.local:8000"),
        ("http://board.local", "board.local:8000"),
        ("https://board.local", "board.local:80"),
        ("http://board.local.evil.example:8000", "board.local:8000"),
        ("null", "board.local:8000"),
        ("", "board.local:8000"),
        ("file://", "board.local:8000"),
        ("ftp://board.local:8000", "board.local:8000"),
        ("http://board.local:8000/page", "board.local:8000"),
        ("http://board.local:8000", None),
        ("http://board.local:what", "board.local:8000"),
    ],
)
def test_a_page_of_another_place_may_not(origin: str, host: str | None) -> None:
    assert not origin_allowed(origin, host)
