"""Finding a board's port by what USB says of it, and following it to another name."""

from pathlib import Path

import pytest
from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from hardware.serial_finding import CONSOLE, DATA, Search, candidates, usb_ports


def port(path: str, *, vid: int | None = 0x239A, serial: str = "E661", interface: str | None = None) -> ListPortInfo:
    info = ListPortInfo(path)
    info.vid, info.pid, info.serial_number, info.interface = vid, 0x80F4, serial, interface
    return info


PICO = [port("/dev/ttyACM0", interface=CONSOLE), port("/dev/ttyACM1", interface=DATA)]


def paths(ports: list[ListPortInfo], url: str | None = None) -> list[str]:
    return Search(url, lambda: ports)()


def test_of_two_ports_the_one_with_data_is_the_boards() -> None:
    assert paths(PICO) == ["/dev/ttyACM1"]
    assert paths(PICO[:1]) == []


def test_the_likeliest_comes_first_and_ports_without_usb_never() -> None:
    esp = port("/dev/ttyACM0", vid=0x303A, interface=None)
    soldered = port("/dev/ttyAMA0", vid=None)
    assert paths([soldered, esp, port("/dev/ttyACM2", interface=DATA)]) == ["/dev/ttyACM2", "/dev/ttyACM0"]


def test_what_the_system_lists_is_asked_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    search = Search()
    monkeypatch.setattr(list_ports, "comports", list)
    assert search() == []
    monkeypatch.setattr(list_ports, "comports", lambda: PICO)
    assert search() == ["/dev/ttyACM1"]
    assert [found.product for found in candidates(usb_ports())] == [""]


def test_s1_a_named_board_is_followed_to_another_name() -> None:
    there = list(PICO)
    search = Search("/dev/ttyACM1", lambda: there)
    assert search() == ["/dev/ttyACM1"]
    there[:] = []
    assert search() == ["/dev/ttyACM1"]  # so that the error names it
    there[:] = [port("/dev/ttyACM4", interface=CONSOLE), port("/dev/ttyACM5", interface=DATA)]
    assert search() == ["/dev/ttyACM5"]


def test_s1_another_board_that_takes_the_name_is_not_taken_for_it() -> None:
    there = list(PICO)
    search = Search("/dev/ttyACM1", lambda: there)
    search()
    there[:] = [port("/dev/ttyACM1", serial="F00D", interface=DATA), port("/dev/ttyACM3", interface=DATA)]
    assert search() == ["/dev/ttyACM3"]


def test_a_name_that_leads_to_a_port_is_known_too(tmp_path: Path) -> None:
    link, target = tmp_path / "by-id", tmp_path / "ttyACM1"
    target.touch()
    link.symlink_to(target)
    there = [port(str(target), interface=DATA)]
    search = Search(str(link), lambda: there)
    assert search() == [str(link)]
    there[:] = [port("/dev/ttyACM9", interface=DATA)]
    assert search() == ["/dev/ttyACM9"]


@pytest.mark.parametrize("url", ["socket://localhost:4000", "loop://", "spy:///dev/ttyACM1"])
def test_urls_are_taken_as_they_are(url: str) -> None:
    assert paths(PICO, url) == [url]
