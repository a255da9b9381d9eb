"""Putting the firmware onto a drive: a folder that looks like one, full, read-only, torn out, and worn."""

import errno
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from hardware import flashing
from hardware.board_plan import board_plan
from hardware.firmware_files import device_files
from hardware.flashing import FlashError
from hardware.ports import DeviceError
from hardware.profile import load_profile, parse_profile
from simulator.device import firmware_modules

ROOT = Path(__file__).parents[2]
PLAN = board_plan(load_profile("bao-4x12"))
FILES = flashing.firmware_contents(PLAN)


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    drive = tmp_path / "CIRCUITPY"
    drive.mkdir()
    (drive / "boot_out.txt").write_text("Adafruit CircuitPython 9.2.1 on 2026-01-08; Raspberry Pi Pico with rp2040\n")
    (drive / "code.py").write_text("print('Hello World!')\n")
    return drive


def contents(drive: Path) -> dict[str, bytes]:
    return {path.relative_to(drive).as_posix(): path.read_bytes() for path in drive.rglob("*") if path.is_file()}


def test_everything_arrives_and_nothing_else(drive: Path) -> None:
    told: list[str] = []
    done = flashing.copy(drive, FILES, told.append)
    assert contents(drive) == {**FILES, "boot_out.txt": (drive / "boot_out.txt").read_bytes()}
    assert set(device_files()) < set(FILES)
    assert told == list(FILES)
    assert told[-1] == "code.py"
    assert {each.name: each.what for each in done}["code.py"] == "changed"
    assert firmware_modules()["plan"].check(json.loads((drive / "board.json").read_text()))["cells"] == 48
    assert flashing.firmware_version() == ".".join(map(str, firmware_modules()["station"].FIRMWARE))


def test_a_second_time_nothing_is_written(drive: Path) -> None:
    flashing.copy(drive, FILES)
    told: list[str] = []
    assert {each.what for each in flashing.copy(drive, FILES, told.append)} == {"same"}
    assert told == []


def test_what_an_interrupted_copy_left_goes(drive: Path) -> None:
    flashing.copy(drive, FILES)
    for name in ("lib/wire.py.new", "code.py.new"):
        (drive / name).write_bytes(b"half")
    (drive / "mine.new").write_bytes(b"mine")
    flashing.copy(drive, FILES)
    assert [name for name in contents(drive) if name.endswith(".new")] == ["mine.new"]


def test_files_of_an_older_firmware_go_and_strangers_stay(drive: Path) -> None:
    flashing.copy(drive, {**FILES, "lib/old.py": b"x = 1\n"})
    (drive / "lib" / "mine.py").write_text("y = 2\n")
    listed = (drive / flashing.LIST).read_text()
    (drive / flashing.LIST).write_text(listed + "12345678 lib/old.py\n12345678 ../boot_out.txt\n")
    done = flashing.copy(drive, FILES)
    assert [each.name for each in done if each.what == "gone"] == ["lib/old.py"]
    assert not (drive / "lib" / "old.py").exists()
    assert (drive / "lib" / "mine.py").exists()
    assert (drive / "boot_out.txt").exists()


def test_a_board_that_is_kept(drive: Path) -> None:
    flashing.copy(drive, FILES)
    (drive / "board.json").write_text('{"mine": 1}')
    flashing.copy(drive, flashing.firmware_contents(None))
    assert (drive / "board.json").read_text() == '{"mine": 1}'


@pytest.mark.parametrize("after", [0, 1, 7, len(FILES) - 1])
def test_a_copy_that_is_interrupted_leaves_the_old_program(
    drive: Path, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(drive)
    write = flashing._write
    written: list[Path] = []

    def torn(path: Path, data: bytes) -> None:
        if len(written) == after:
            path.write_bytes(data[: len(data) // 2])
            raise OSError(errno.EIO, "Input/output error")
        written.append(path)
        write(path, data)

    with monkeypatch.context() as patch:
        patch.setattr(flashing, "_write", torn)
        with pytest.raises(FlashError, match=r"has gone while .* the firmware there is as it was"):
            flashing.copy(drive, FILES)
    assert {name: data for name, data in contents(drive).items() if not name.endswith(".new")} == before
    flashing.copy(drive, FILES)
    assert not [name for name in contents(drive) if name.endswith(".new")]
    flashing.verify(drive, FILES)


@pytest.mark.parametrize("after", [0, 5, len(FILES) - 2])
def test_renaming_that_is_interrupted_keeps_the_old_start_and_is_mended(
    drive: Path, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = Path.replace
    renamed: list[Path] = []

    def torn(self: Path, target: Path) -> Path:
        if len(renamed) == after:
            raise OSError(errno.EIO, "Input/output error")
        renamed.append(self)
        return replace(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", torn)
        with pytest.raises(FlashError, match="incomplete, so run 'stonelight flash' again"):
            flashing.copy(drive, FILES)
    assert (drive / "code.py").read_text() == "print('Hello World!')\n"
    flashing.copy(drive, FILES)
    assert set(contents(drive)) == {*FILES, "boot_out.txt"}


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EROFS, "is read-only: .* ok button"),
        (errno.EACCES, "is read-only"),
        (errno.ENOSPC, "is full"),
        (errno.E2BIG, "cannot be written to"),
    ],
)
def test_why_it_cannot_be_written(drive: Path, number: int, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def torn(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(flashing, "_write", torn)
    with pytest.raises(FlashError, match=words):
        flashing.copy(drive, FILES)


def test_a_worn_drive_is_found_out(drive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = flashing._read
    monkeypatch.setattr(flashing, "_read", lambda path: b"junk" if path.name == "talk.py.new" else read(path))
    with pytest.raises(FlashError, match=r"talk.py.new was not written as it should be"):
        flashing.copy(drive, FILES)
    monkeypatch.undo()
    flashing.copy(drive, FILES)
    (drive / "lib" / "talk.py").write_bytes(b"junk")
    with pytest.raises(FlashError, match=r"does not give back .*lib/talk.py"):
        flashing.verify(drive, FILES)


def test_no_room(drive: Path) -> None:
    with pytest.raises(FlashError, match=r"has 10 KB free, and .* KB are needed"):
        flashing.check_room(drive, flashing.changes(drive, FILES), free=10_240)
    flashing.check_room(drive, flashing.changes(drive, FILES), free=1_000_000)


# Finding the drive ----------------------------------------------------------------------------------------------------

MOUNT = "/dev/sda1 /media/pi/CIRCUITPY vfat rw 0 0\n/dev/sdb1 /media/pi/MY\\040STICK vfat rw 0 0\n"


def test_the_drive_is_found_by_its_name(tmp_path: Path) -> None:
    assert flashing.find_drive(MOUNT, tmp_path) == Path("/media/pi/CIRCUITPY")
    assert flashing.mounted_drives("/dev/sda1 /media/a\\040b/CIRCUITPY vfat rw 0 0\n") == [Path("/media/a b/CIRCUITPY")]
    with pytest.raises(FlashError, match="several boards"):
        flashing.find_drive(MOUNT + "/dev/sdc1 /media/pi/CIRCUITPY1 vfat rw 0 0\n", tmp_path)


@pytest.mark.parametrize(
    ("label", "words"),
    [("", "no drive CIRCUITPY is to be seen"), ("CIRCUITPY", "not mounted"), ("RPI-RP2", "in its loader")],
)
def test_no_drive(tmp_path: Path, label: str, words: str) -> None:
    if label:
        (tmp_path / label).touch()
    with pytest.raises(FlashError, match=words):
        flashing.find_drive("/dev/sda1 / ext4 rw 0 0\n", tmp_path, lambda _node: None)


def test_a_drive_that_is_not_mounted_is_mounted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    node = tmp_path / "CIRCUITPY"
    node.touch()
    asked: list[str] = []

    def run(words: list[str], **_: Any) -> None:
        asked.extend(words)

    monkeypatch.setattr(shutil, "which", lambda program: f"/usr/bin/{program}")
    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(flashing, "mounted_drives", lambda *_: [Path("/media/pi/CIRCUITPY")] if asked else [])
    assert flashing.find_drive("", tmp_path) == Path("/media/pi/CIRCUITPY")
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
        flashing.find_drive("", tmp_path)
    monkeypatch.setattr(shutil, "which", lambda _program: None)
    with pytest.raises(FlashError, match="not mounted"):
        flashing.find_drive("", tmp_path)


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
        flashing.check_drive(tmp_path)


def test_a_drive_that_will_do(drive: Path) -> None:
    assert flashing.check_drive(drive) == "9.2.1"
    (drive / "boot_out.txt").write_text("Adafruit CircuitPython 10.0.0-beta.2 on 2026-06-01")
    assert flashing.check_drive(drive) == "10.0.0-beta.2"
    with pytest.raises(FlashError, match="there is no folder"):
        flashing.check_drive(drive / "nowhere")


# The board's description ----------------------------------------------------------------------------------------------


@pytest.fixture
def check() -> Any:
    return firmware_modules()["plan"].check


@pytest.mark.parametrize("name", ["bao-4x12", "exago-5-reeds"])
def test_a_profile_becomes_a_plan(name: str, check: Any) -> None:
    profile = load_profile(name)
    plan = check(board_plan(profile))
    assert plan["cells"] == len(profile.cell_names())
    assert plan["pixels"] == profile.lamps.count
    assert plan["board"] == name
    assert set(plan["buttons"]) == {*profile.buttons, *profile.cells.buttons}


CHAIN = """
name = "chain"
title = "Sixteen cells on two registers"
host = "pico"
[cells]
sensing = "presence"
layout = "grid"
files = 4
ranks = 3
driver = "chain"
load = 17
clock = 18
data = 16
registers = 2
[cells.buttons]
ok = 12
[buttons]
back = 10
[lamps]
driver = "neopixel"
pin = 22
count = 12
budget_ma = 400
"""


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("clock = 18", "clock = 20", False),
        ("pin = 22", "pin = 21", False),
        ("ok = 12", "ok = 13", False),
        ("[cells.buttons]", '[cells.wiring]\npattern = "serpentine"\n[cells.buttons]', False),
        ('name = "chain"', 'name = "other"', True),
        ('title = "Sixteen', 'title = "16', True),
        ("registers = 2", "registers = 2\nscan_ms = 30", True),
        ("budget_ma = 400", "budget_ma = 300", True),
    ],
)
def test_another_wiring_has_another_number(old: str, new: str, same: bool) -> None:
    plan, other = (board_plan(parse_profile(text, "chain.toml")) for text in (CHAIN, CHAIN.replace(old, new)))
    assert (plan["wiring"] == other["wiring"]) is same
    assert 0 < plan["wiring"] < 1 << 32


def test_a_chain_is_told_bit_by_bit_as_it_is_shifted(check: Any) -> None:
    """D7 of each register comes first, and profiles count from D0."""
    plan = board_plan(parse_profile(CHAIN, "chain.toml"))
    assert plan["places"] == [7, 6, 5, 4, 3, 2, 1, 0, -1, -1, -1, -3, 11, 10, 9, 8]
    assert plan["buttons"] == ["back", "ok"]
    assert check(plan)["cells"] == 12


def test_pits_are_judged_from_their_middles(check: Any) -> None:
    plan = check(PLAN)
    lit = {0: 40 * 64, 1: 300 * 64}
    for reading, value in lit.items():
        off = value - plan["rest"][5]
        assert [band[2] for band in plan["bands"] if band[0] <= off <= band[1]] == [reading]
    assert not [band for band in plan["bands"] if band[0] <= 0 <= band[1]]  # half a seed is not known


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (CHAIN.replace("data = 16", "data = 16\nclosed_is_low = false"), "pull to ground"),
        (
            (
                CHAIN.split("[cells]", maxsplit=1)[0]
                + "[cells]\nsensing = 'presence'\nlayout = 'grid'\nfiles = 2\nranks = 2"
            )
            + "\ndriver = 'matrix'\nrows = [0, 1]\ncolumns = [2, 3]\ndiodes = false\n[lamps]"
            + CHAIN.split("[lamps]")[1],
            "solder a diode to each contact",
        ),
    ],
)
def test_what_the_firmware_does_not_do_is_named(text: str, words: str) -> None:
    with pytest.raises(DeviceError, match=words):
        board_plan(parse_profile(text, "board.toml"))


def test_pits_in_an_order_of_their_own_are_told_input_by_input(check: Any) -> None:
    text = (ROOT / "hardware" / "profiles" / "bao-4x12.toml").read_text()
    text = text.replace("[cells.levels]", "[cells.wiring]\npattern = 'serpentine'\n[cells.levels]")
    profile = parse_profile(text, "bao.toml")
    plan = check(board_plan(profile))
    assert plan["places"] != list(range(48))
    assert [plan["places"].index(cell) for cell in range(48)] == list(profile.inputs())


def test_a_board_on_a_pis_own_pins_has_nothing_to_flash() -> None:
    with pytest.raises(DeviceError, match="no micro-controller to flash"):
        board_plan(load_profile("mat-16x16"))
