"""Finding the drive of a board, and seeing that it is one."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from hardware import circuitpy_drive
from hardware.circuitpy_drive import FlashError


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    drive = tmp_path / "CIRCUITPY"
    drive.mkdir()
    (drive / "boot_out.txt").write_text("Adafruit CircuitPython 9.2.1 on 2026-01-08; Raspberry Pi Pico with rp2040\n")
    return drive


MOUNT = "/dev/sda1 /media/pi/CIRCUITPY vfat rw 0 0\n/dev/sdb1 /media/pi/MY\\040STICK vfat rw 0 0\n"


def test_the_drive_is_found_by_its_name(tmp_path: Path) -> None:
    assert circuitpy_drive.find_drive(MOUNT, tmp_path) == Path("/media/pi/CIRCUITPY")
    assert circuitpy_drive.mounted_drives("/dev/sda1 /media/a\\040b/CIRCUITPY vfat rw 0 0\n") == [
        Path("/media/a b/CIRCUITPY")
    ]
    with pytest.raises(FlashError, match="several boards"):
        circuitpy_drive.find_drive(MOUNT + "/dev/sdc1 /media/pi/CIRCUITPY1 vfat rw 0 0\n", tmp_path)


@pytest.mark.parametrize(
    ("label", "words"),
    [("", "no drive CIRCUITPY is to be seen"), ("CIRCUITPY", "not mounted"), ("RPI-RP2", "in its loader")],
)
def test_no_drive(tmp_path: Path, label: str, words: str) -> None:
    if label:
        (tmp_path / label).touch()
    with pytest.raises(FlashError, match=words):
        circuitpy_drive.find_drive("/dev/sda1 / ext4 rw 0 0\n", tmp_path, lambda _node: None)


def test_a_drive_that_is_not_mounted_is_mounted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    node = tmp_path / "CIRCUITPY"
    node.touch()
    asked: list[str] = []

    def run(words: list[str], **_: Any) -> None:
        asked.extend(words)

    monkeypatch.setattr(shutil, "which", lambda program: f"/usr/bin/{program}")
    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(circuitpy_drive, "mounted_drives", lambda *_: [Path("/media/pi/CIRCUITPY")] if asked else [])
    assert circuitpy_drive.find_drive("", tmp_path) == Path("/media/pi/CIRCUITPY")
    assert asked == ["/usr/bin/udisksctl", "mount", "--no-user-interaction", "--block-device", str(node)]


@pytest.mark.parametrize("trouble", [None, OSError("no"), subprocess.TimeoutExpired("udisksctl", 10)])
def test_a_drive_that_cannot_be_mounted_says_how(
    tmp_path: Path, trouble: Exception | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "CIRCUITPY").touch()

    def run(_words: list[str], **_: Any) -> None:
        if trouble is not None:
            raise trouble

    monkeypatch.setattr(shutil, "which", lambda program: f"/usr/bin/{program}")
    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(FlashError, match=r"'sudo mount -o uid=\$USER .*CIRCUITPY /mnt'.*--drive /mnt"):
        circuitpy_drive.find_drive("", tmp_path)
    monkeypatch.setattr(shutil, "which", lambda _program: None)
    with pytest.raises(FlashError, match="not mounted"):
        circuitpy_drive.find_drive("", tmp_path)


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "no drive of CircuitPython"),
        ({"boot_out.txt": "Adafruit CircuitPython 8.2.9 on"}, "runs CircuitPython 8.2.9, and the firmware needs 9"),
        ({"INFO_UF2.TXT": "UF2 Bootloader"}, "the board's loader"),
    ],
)
def test_a_drive_that_will_not_do(tmp_path: Path, files: dict[str, str], words: str) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(FlashError, match=words):
        circuitpy_drive.check_drive(tmp_path)


def test_a_drive_that_will_do(drive: Path) -> None:
    assert circuitpy_drive.check_drive(drive) == "9.2.1"
    (drive / "boot_out.txt").write_text("Adafruit CircuitPython 10.0.0-beta.2 on 2026-06-01")
    assert circuitpy_drive.check_drive(drive) == "10.0.0-beta.2"
    with pytest.raises(FlashError, match="there is no folder"):
        circuitpy_drive.check_drive(drive / "nowhere")
    with pytest.raises(FlashError, match=r"a{300} cannot be looked at \(File name too long\)"):
        circuitpy_drive.check_drive(drive / ("a" * 300))


@pytest.mark.parametrize("name", ["boot_out.txt", "INFO_UF2.TXT"])
def test_a_pipe_is_not_waited_for(drive: Path, name: str) -> None:
    (drive / name).unlink(missing_ok=True)
    os.mkfifo(drive / name)
    if name == "boot_out.txt":
        with pytest.raises(FlashError, match=r"boot_out.txt is a pipe, and a file belongs there"):
            circuitpy_drive.check_drive(drive)
    else:
        assert circuitpy_drive.check_drive(drive) == "9.2.1"


def test_what_is_at_a_path(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert circuitpy_drive.kind(tmp_path) == "folder"
    assert circuitpy_drive.kind(tmp_path / "file") == "file"
    assert circuitpy_drive.kind(tmp_path / "file" / "below") == ""
    assert circuitpy_drive.kind(tmp_path / "nothing") == ""
    assert circuitpy_drive.kind(tmp_path / "nowhere") == "link that leads nowhere"
    assert circuitpy_drive.kind(Path("/dev/null")) == "device"
    with pytest.raises(FlashError, match="loop cannot be looked at"), circuitpy_drive.looking(tmp_path):
        circuitpy_drive.kind(tmp_path / "loop")
