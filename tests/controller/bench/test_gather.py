"""Facts are read from files, programs and sockets as they are."""

import http.server
import socket
import sys
import threading
import types
from pathlib import Path

import pytest

from controller.bench import gather as gathering
from controller.bench.gather import gather, modules_in, throttled_in


def _tree(root: Path) -> Path:
    for path, text in {
        "etc/os-release": 'NAME="x"\nPRETTY_NAME="Raspberry Pi OS 13"\n',
        "proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.5\0",
        "proc/modules": "snd_bcm2835 24576 0 - Live 0x0\nspidev 20480 0 - Live 0x0\n",
        "proc/cmdline": "console=serial0,115200 root=/dev/mmcblk0p2\n",
        "proc/612/comm": "ModemManager\n",
        "sys/module/spidev/parameters/bufsiz": "4096\n",
        "sys/devices/platform/soc/soc:firmware/get_throttled": "50005\n",
        "boot/firmware/config.txt": "dtparam=spi=on\n",
        "run/systemd/timesync/synchronized": "",
        "dev/spidev0.0": "",
        "dev/gpiochip0": "no device",
    }.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return root


def test_a_pi_is_read_from_its_files(tmp_path: Path) -> None:
    facts = gather(0, environ={"HOME": str(tmp_path)}, root=_tree(tmp_path))
    assert facts.model == "Raspberry Pi 4 Model B Rev 1.5"
    assert facts.system.startswith("Raspberry Pi OS 13, ")
    assert facts.modules == frozenset({"snd_bcm2835", "spidev"})
    assert facts.cmdline == "console=serial0,115200 root=/dev/mmcblk0p2"
    assert (facts.modem_manager, facts.synchronised) == (True, True)
    assert (facts.spi_buffer, facts.throttled, facts.config) == (4096, 0x50005, "dtparam=spi=on")
    assert [node.device for node in facts.spi] == ["/dev/spidev0.0"]
    assert (facts.chips, facts.lines) == ({}, None)  # a node that is no chip answers nothing
    assert facts.state.path == str(tmp_path / ".local/state/stonelight")
    assert facts.state.writable
    assert (facts.state.free_mb or 0) > 0
    assert facts.page.free


def test_what_is_not_there_is_not_known(tmp_path: Path) -> None:
    facts = gather(0, environ={"XDG_STATE_HOME": str(tmp_path)}, root=tmp_path / "nothing")
    assert (facts.model, facts.modules, facts.chips, facts.config, facts.cmdline) == (None,) * 5
    assert (facts.spi, facts.spi_buffer, facts.throttled, facts.modem_manager) == ((), None, None, False)
    assert facts.install.python == sys.version_info[:3]
    assert facts.install.homes["hardware"] == facts.install.own_home


def test_a_state_directory_that_is_a_file_is_of_no_use(tmp_path: Path) -> None:
    (tmp_path / "stonelight").write_text("")
    assert not gather(0, environ={"XDG_STATE_HOME": str(tmp_path)}, root=tmp_path).state.writable


@pytest.mark.parametrize(
    ("kernel", "firmware", "word"),
    [
        ("50005", None, 0x50005),
        (None, "throttled=0x1", 1),
        ("0", "throttled=0x1", 0),
        (None, None, None),
        ("?", "", None),
    ],
)
def test_the_word_about_the_supply(kernel: str | None, firmware: str | None, word: int | None) -> None:
    assert throttled_in(kernel, firmware) == word


def test_modules() -> None:
    assert modules_in("a 1 2\n\nb 3 4") == frozenset({"a", "b"})
    assert modules_in(None) is None


def test_the_stub_of_lgpio_is_told_from_the_real_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    module = types.ModuleType("lgpio")
    monkeypatch.setitem(sys.modules, "lgpio", module)
    assert gather(0, root=tmp_path).lgpio == "empty"
    module.gpiochip_open = print  # type: ignore[attr-defined]
    assert gather(0, root=tmp_path).lgpio == "real"
    monkeypatch.setitem(sys.modules, "lgpio", None)
    assert gather(0, root=tmp_path).lgpio == "missing"


class _Page(http.server.BaseHTTPRequestHandler):
    words = b"Stonelight"

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.words)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.mark.parametrize(("words", "ours"), [(b"<title>Stonelight</title>", True), (b"<title>Other</title>", False)])
def test_who_has_the_port_is_found_out(words: bytes, ours: bool, tmp_path: Path) -> None:
    class Page(_Page):
        pass

    Page.words = words
    with http.server.ThreadingHTTPServer(("", 0), Page) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            page = gather(server.server_port, root=tmp_path).page
        finally:
            server.shutdown()
            thread.join()
    assert (page.free, page.ours) == (False, ours)


def test_a_port_that_does_not_speak_http_is_not_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gathering, "SECONDS", 0.05)
    with socket.socket() as other:
        other.bind(("", 0))
        other.listen(1)
        page = gather(other.getsockname()[1], root=tmp_path).page
    assert (page.free, page.ours) == (False, False)


def test_udev_tells_which_port_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "sys/class/tty/ttyACM0").mkdir(parents=True)
    (tmp_path / "sys/class/tty/ttyACM0/dev").write_text("166:0\n")
    assert gathering._ignored(tmp_path, "ttyACM0") is None
    (tmp_path / "run/udev/data").mkdir(parents=True)
    data = tmp_path / "run/udev/data/c166:0"
    data.write_text("E:ID_BUS=usb\n")
    assert gathering._ignored(tmp_path, "ttyACM0") is False
    data.write_text("E:ID_BUS=usb\nE:ID_MM_DEVICE_IGNORE=1\n")
    assert gathering._ignored(tmp_path, "ttyACM0") is True
