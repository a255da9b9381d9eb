"""Putting the firmware onto a drive: a folder that looks like one, full, read-only, torn out, and worn."""

import errno
import json
import os
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from hardware import flashing
from hardware.board_plan import board_plan
from hardware.circuitpy_drive import FlashError
from hardware.firmware_files import device_files
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
    assert contents(drive) == {
        **FILES,
        "boot_out.txt": (drive / "boot_out.txt").read_bytes(),
        "before-stonelight/code.py": b"print('Hello World!')\n",
    }
    assert set(device_files()) < set(FILES)
    assert told == list(FILES)
    assert told[-2:] == ["code.py", flashing.LIST]
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
    for name in ("lib/wire.py", "lib/of_an_older_one.py", "code.py"):
        (drive / (name + flashing.BEGUN)).write_bytes(b"half")
    (drive / "mine.new").write_bytes(b"mine")
    flashing.copy(drive, FILES)
    assert [name for name in contents(drive) if "new" in name] == ["mine.new"]


def test_files_of_an_older_firmware_go_and_strangers_stay(drive: Path) -> None:
    flashing.copy(drive, FILES)
    for name in ("old.py", "edited.py", "mine.py"):
        (drive / "lib" / name).write_text("x = 1\n")
    rows = f"{crc32(b'x = 1' + bytes([10])):08x} lib/old.py\n12345678 lib/edited.py\n12345678 ../boot_out.txt\n"
    (drive / flashing.LIST).write_text((drive / flashing.LIST).read_text() + rows)
    done = flashing.copy(drive, FILES)
    assert [each.name for each in done if each.what == "gone"] == ["lib/old.py", "lib/edited.py"]
    assert [each.name for each in done if each.what == "kept"] == ["before-stonelight/lib/edited.py"]
    assert {path.name for path in (drive / "lib").iterdir()} & {"old.py", "edited.py", "mine.py"} == {"mine.py"}
    assert (drive / "before-stonelight/lib/edited.py").read_text() == "x = 1\n"
    assert (drive / "boot_out.txt").exists()


# What is not ours -----------------------------------------------------------------------------------------------------

THEIRS = {"code.py": b"theirs", "boot.py": b"their start", "lib/plan.py": b"their plan", "board.json": b'{"led": 3}'}


def fill(drive: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        (drive / name).parent.mkdir(parents=True, exist_ok=True)
        (drive / name).write_bytes(data)


def test_what_is_not_ours_is_kept_once(drive: Path) -> None:
    fill(drive, THEIRS)
    wanted = flashing.changes(drive, FILES)
    assert {each.name for each in wanted if each.what == "kept"} == {f"before-stonelight/{name}" for name in THEIRS}
    words = flashing.kept_words(wanted)
    assert words.startswith("What is not Stonelight's is kept: before-stonelight/")
    assert "\n" not in words
    flashing.copy(drive, FILES)
    assert contents(drive / "before-stonelight") == THEIRS
    again = flashing.copy(drive, FILES)
    assert flashing.kept_words(again) == ""


def test_what_was_kept_is_never_overwritten(drive: Path) -> None:
    for text in (b"first", b"second", b"third", b"second"):
        fill(drive, {"code.py": text})
        flashing.copy(drive, FILES)
    kept = [contents(drive / folder) for folder in ("before-stonelight", "before-stonelight-2", "before-stonelight-3")]
    assert kept == [{"code.py": b"first"}, {"code.py": b"second"}, {"code.py": b"third"}]
    assert len([*drive.glob("before-stonelight*")]) == 3


def test_a_file_in_the_way_of_what_is_kept(drive: Path) -> None:
    fill(drive, {"before-stonelight": b"a file", "before-stonelight-2/lib": b"a file", **THEIRS})
    flashing.copy(drive, FILES)
    assert contents(drive / "before-stonelight-2") == {
        "lib": b"a file",
        **{name: THEIRS[name] for name in ("code.py", "boot.py", "board.json")},
    }
    assert contents(drive / "before-stonelight-3") == {"lib/plan.py": THEIRS["lib/plan.py"]}


def test_our_own_older_files_are_not_kept(drive: Path) -> None:
    older = aged(FILES)
    older["board.json"] = flashing.firmware_contents(board_plan(load_profile("exago-5-reeds")))["board.json"]
    (drive / "code.py").unlink()
    flashing.copy(drive, older)
    assert flashing.kept_words(flashing.copy(drive, FILES)) == ""


def test_a_board_that_was_changed_by_hand_is_kept(drive: Path) -> None:
    (drive / "code.py").unlink()
    plan = board_plan(load_profile("exago-5-reeds"))
    fill(drive, {"board.json": json.dumps({**plan, "pixel_pin": "GP9"}).encode()})
    assert flashing.kept_words(flashing.copy(drive, FILES)).endswith(": before-stonelight/board.json")


# Killed at any moment -------------------------------------------------------------------------------------------------


def aged(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return an older firmware: other contents, a file more and a file less."""
    older = {name: data + b"# old\n" for name, data in files.items() if name not in (flashing.LIST, "board.json")}
    older["lib/old.py"] = b"x = 1\n"
    del older["lib/lights.py"]
    rows = "".join(f"{crc32(data):08x} {name}\n" for name, data in older.items())
    return {**older, "board.json": files["board.json"], flashing.LIST: ("firmware 0.1.0\n" + rows).encode()}


class KilledError(BaseException):
    """As a kill: nothing after it is done."""


def kill_after(patch: pytest.MonkeyPatch, steps: int) -> None:
    """Have the next change of a folder after so many never happen."""
    done = 0

    def counted(method: Any) -> Any:
        def step(self: Path, *args: Any, **words: Any) -> Any:
            nonlocal done
            if done == steps:
                raise KilledError
            done += 1
            return method(self, *args, **words)

        return step

    for name in ("replace", "unlink", "mkdir"):
        patch.setattr(Path, name, counted(getattr(Path, name)))
    patch.setattr(flashing, "_write", counted(flashing._write))


@pytest.mark.parametrize("between", [False, True], ids=["same again", "another version next"])
def test_a_kill_at_any_moment_is_mended_by_the_next_copy(
    tmp_path: Path, between: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", lambda _fd: None)
    older = aged(FILES)
    middle = {**FILES, "lib/middle.py": b"y = 2\n", "code.py": FILES["code.py"] + b"# middle\n"}
    rows = f"{crc32(middle['lib/middle.py']):08x} lib/middle.py\n{crc32(middle['code.py']):08x} code.py\n"
    middle[flashing.LIST] = FILES[flashing.LIST] + rows.encode()
    killed = 0
    for steps in range(200):
        drive = tmp_path / str(steps)
        fill(drive, {**older, "boot.py": b"theirs"})
        with monkeypatch.context() as patch:
            kill_after(patch, steps)
            try:
                flashing.copy(drive, middle if between else FILES)
            except KilledError:
                killed += 1
            else:
                break
        assert (drive / "code.py").read_bytes() in (older["code.py"], middle["code.py"], FILES["code.py"])
        flashing.copy(drive, FILES)
        assert contents(drive) == {**FILES, "before-stonelight/boot.py": b"theirs"}, steps
    assert killed > 2 * len(FILES)


# What is in the way ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["code.py", "board.json", "lib/plan.py", "lib/stonelight.txt", "lib"])
@pytest.mark.parametrize("kind", ["folder", "pipe", "link that leads nowhere", "file"])
def test_what_cannot_be_replaced_is_told_before_anything_is_written(drive: Path, name: str, kind: str) -> None:
    wanted = "folder" if name == "lib" else "file"
    if kind == wanted:
        return
    path = drive / name
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "file":
        path.touch()
    else:
        path.symlink_to("nowhere")
    before = sorted(drive.rglob("*"))
    for files in (FILES, flashing.firmware_contents(None)):
        with pytest.raises(FlashError, match=rf"{name} is a {kind}, and a {wanted} belongs there: move it elsewhere"):
            flashing.copy(drive, files)
    assert sorted(drive.rglob("*")) == before


def test_a_file_that_cannot_be_read_is_not_replaced(drive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = Path.read_bytes

    def torn(self: Path) -> bytes:
        if self == drive / "code.py":
            raise OSError(errno.EIO, "Input/output error", str(self))
        return read(self)

    monkeypatch.setattr(Path, "read_bytes", torn)
    with pytest.raises(FlashError, match=r"code.py cannot be looked at \(Input/output error\)"):
        flashing.copy(drive, FILES)


@pytest.mark.parametrize(
    "data", [b"{bad", b"[]", b"{}", b'{"cells": NaN}', b"[" * 100_000, b"\xff", b'{"driver": "matrix"}']
)
def test_a_board_with_which_the_firmware_cannot_start(drive: Path, data: bytes) -> None:
    assert not flashing.check_board(drive)
    (drive / "board.json").write_bytes(data)
    with pytest.raises(FlashError, match=r"cannot start with .*board.json .*name the board"):
        flashing.check_board(drive)
    (drive / "board.json").write_bytes(FILES["board.json"])
    assert flashing.check_board(drive)


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
    assert {name: data for name, data in contents(drive).items() if not name.endswith(flashing.BEGUN)} == before
    flashing.copy(drive, FILES)
    assert not [name for name in contents(drive) if name.endswith(flashing.BEGUN)]
    flashing.verify(drive, FILES)


@pytest.mark.parametrize("after", [1, 6, len(FILES)])  # the first keeps, the second changes the list
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
    assert set(contents(drive)) == {*FILES, "boot_out.txt", "before-stonelight/code.py"}


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


def test_which_file_could_not_be_written_is_told(drive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def torn(_fd: int) -> None:
        raise OSError(errno.EFBIG, "File too large")

    monkeypatch.setattr(os, "fsync", torn)
    with pytest.raises(FlashError, match=r"written to at .*/lib/\w+.py.stonelight-new \(File too large\)"):
        flashing.copy(drive, FILES)


def test_a_worn_drive_is_found_out(drive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = flashing._read
    monkeypatch.setattr(
        flashing, "_read", lambda path: b"junk" if path.name == "talk.py" + flashing.BEGUN else read(path)
    )
    with pytest.raises(FlashError, match=r"talk.py.stonelight-new was not written as it should be"):
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


def test_what_is_kept_needs_room_and_what_was_left_gives_it(drive: Path) -> None:
    flashing.copy(drive, FILES)
    (drive / "code.py").write_bytes(b"#" * 300_000)
    with pytest.raises(FlashError, match=r"has 292 KB free, and 3[0-9]{2} KB are needed"):
        flashing.check_room(drive, flashing.changes(drive, FILES), free=300_000)
    (drive / f"code.py{flashing.BEGUN}").write_bytes(b"#" * 100_000)
    flashing.check_room(drive, flashing.changes(drive, FILES), free=300_000)


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
    "name", ["code.txt", "wire.py", "lights.mpy", "talk/__init__.py", "lib/plan.mpy", "lib/plan/x.py"]
)
def test_what_would_run_in_place_of_the_firmware_is_named_before_anything_is_written(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text("mine")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(FlashError, match="would run in place of the board's firmware: move it off the drive"):
        flashing.copy(tmp_path, flashing.firmware_contents(None))
    assert sorted(tmp_path.rglob("*")) == before


def test_what_the_firmware_does_not_do_is_named() -> None:
    text = CHAIN.replace("data = 16", "data = 16\nclosed_is_low = false")
    with pytest.raises(DeviceError, match="pull to ground"):
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
