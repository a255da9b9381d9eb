"""Putting the firmware on a micro-controller: onto the drive that it shows, so that no half-copied program ever runs.

Every file is first written under another name and read back; only when all are there are they renamed, ``code.py``
last of those that run. A copy that is interrupted before that leaves the old firmware as it was. From then on, until
all is done, the list on the drive names the old files and the new ones, so that whatever is copied next knows both.
What is not on the list is somebody else's, and is kept in a folder that CircuitPython neither runs nor imports from.
"""

import ast
import contextlib
import errno
import json
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from hardware.circuitpy_drive import OLDEST, FlashError, expect, kind, looking
from hardware.firmware_files import device_files, firmware_folder
from hardware.firmware_plan import is_made, read_plan
from hardware.ports import DeviceError

BOARD: Final = "board.json"
"""The board's description. It is on no list: it stays when only the firmware is renewed."""
LIST: Final = "lib/stonelight.txt"
"""The list of what was copied, with the check of each file, on the drive itself."""
BEGUN: Final = ".stonelight-new"
"""What a file is called, after its own name, until all are there."""
KEPT: Final = "before-stonelight"
"""The folder for what is somebody else's and stood where a file of the firmware goes."""
LAST: Final = ("boot.py", "safemode.py", "code.py")
"""What is renamed last of all that runs, in this order."""
_BOTH: Final = f"both-lists{BEGUN}"
"""The list of the old files and the new ones, until it takes the place of the old list."""
_KEEPING: Final = f"kept{BEGUN}"
"""What is being kept, until it is whole."""
_CLUSTER: Final = 4096
"""What a file takes at least on the drive."""
_BESIDES: Final = 4 * _CLUSTER
"""What is written besides: the list of both, and the folders for what is kept."""


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of one file on the drive.

    Fields:
        name: its path on the drive, with slashes.
        what: ``new``, ``changed``, ``same``, ``gone`` (it belonged to an older firmware), or ``kept``: the copy, in a
            folder named as `KEPT`, of a file that is not ours.
        size: bytes that have to be written for it.
    """

    name: str
    what: str
    size: int


def firmware_version() -> str:
    """Return the version of the firmware that would be copied, as the board will tell it.

    Raises:
        FlashError: Stonelight's own files are not all there.
    """
    with _own_files():
        tree = ast.parse((firmware_folder() / "lib" / "station.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "FIRMWARE":
            return ".".join(map(str, ast.literal_eval(node.value)))
    raise FlashError("the firmware's files do not say which version they are: install Stonelight anew")


def firmware_contents(plan: Mapping[str, Any] | None) -> dict[str, bytes]:
    """Return every file for the drive, in the order in which they become valid.

    Args:
        plan: ``board.json`` as a mapping; None to leave the one on the drive.

    The list of them comes last: until then an older one, or that of both, says what is ours.

    Raises:
        FlashError: Stonelight's own files are not all there.
    """
    with _own_files():
        files = {name: path.read_bytes() for name, path in device_files().items()}
    if plan is not None:
        files["board.json"] = (json.dumps(plan) + "\n").encode()
    rows = [f"firmware {firmware_version()}, for CircuitPython {OLDEST} or later; no other libraries are needed"]
    rows += [f"{crc32(data):08x} {name}" for name, data in sorted(files.items()) if name != "board.json"]
    listed = ("\n".join(rows) + "\n").encode()
    order = [name for name in files if name not in LAST] + [name for name in LAST if name in files]
    return {name: files[name] for name in order} | {LIST: listed}


@contextlib.contextmanager
def _own_files() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise FlashError(f"the firmware cannot be read where Stonelight is installed: {error}") from error


# What copying would do ------------------------------------------------------------------------------------------------


def changes(drive: Path, files: Mapping[str, bytes]) -> list[Change]:
    """Return what copying `files` would do to the drive: what is kept, then `files` in order, then what goes.

    Raises:
        FlashError: something stands where it cannot be replaced, or the drive cannot be looked at.
    """
    with looking(drive):
        _check_kinds(drive, files)
        listed = _listed(drive)
        kept, found = [], []
        for name, data in files.items():
            there = _there(drive / name)
            what = "new" if there is None else "same" if there == data else "changed"
            found.append(Change(name, what, len(data)))
            if there is not None and what == "changed" and not _is_ours(name, there, listed):
                kept.append(_kept(drive, name, there))
        for name in listed:
            if name not in files and name != BOARD and kind(drive / name) == "file":
                found.append(Change(name, "gone", 0))
                there = (drive / name).read_bytes()
                if not _is_ours(name, there, listed):
                    kept.append(_kept(drive, name, there))
    return kept + found


def check_board(drive: Path) -> bool:
    """Return whether the drive says which board it is part of.

    Raises:
        FlashError: it does, and the firmware could not start with it.
    """
    with looking(drive):
        if not expect(drive / BOARD, "file"):
            return False
        data = (drive / BOARD).read_bytes()
    try:
        read_plan(data)
    except DeviceError as error:
        raise FlashError(
            f"the firmware cannot start with {drive / BOARD} ({error}): name the board, such as: "
            "stonelight flash my-board.toml"
        ) from error
    return True


def check_room(drive: Path, wanted: Iterable[Change], free: int | None = None) -> None:
    """See that there is room for what is new, changed and kept, the old files still being there.

    Raises:
        FlashError: there is not.
    """
    sizes = [each.size for each in wanted if each.what in ("new", "changed", "kept")]
    needed = sum(-(-size // _CLUSTER) * _CLUSTER for size in sizes) + (_BESIDES if sizes else 0)
    with looking(drive):
        left = sum(path.stat().st_size for path in _leavings(drive))  # it will be gone
        has = left + (shutil.disk_usage(drive).free if free is None else free)
    if needed > has:
        raise FlashError(
            f"{drive} has {has // 1024} KB free, and {-(-needed // 1024)} KB are needed: delete what you do not need "
            "there, such as libraries of other programs in lib"
        )


def _check_kinds(drive: Path, files: Mapping[str, bytes]) -> None:
    """See that files are where files belong: nothing else can be replaced by renaming, and a pipe is never read."""
    for folder in sorted({str(Path(name).parent) for name in files}):
        expect(drive / folder, "folder")
    for path in (*(drive / name for name in (*files, BOARD)), *_leavings(drive)):
        expect(path, "file")
    for name in _hiding(files):
        if kind(drive / name):
            raise FlashError(
                f"{drive / name} is none of Stonelight's, and would run in place of the board's firmware: move it off "
                "the drive"
            )


def _hiding(files: Iterable[str]) -> Iterator[str]:
    """Yield what CircuitPython takes in place of our files: it tries ``code.txt`` first, and searches ``lib`` last."""
    yield "code.txt"
    for name in files:
        module = Path(name)
        if module.parent == Path("lib") and module.suffix == ".py":
            yield from (f"{module.stem}.py", f"{module.stem}.mpy", module.stem)
            yield from (f"lib/{module.stem}.mpy", f"lib/{module.stem}")


def _listed(drive: Path) -> dict[str, set[str]]:
    """Return the files that are ours by the list on the drive, each with the checks that it may have."""
    listed: dict[str, set[str]] = {}
    for row in _rows(_there(drive / LIST) or b""):
        listed.setdefault(row[9:], set()).add(row[:8])
    return listed


def _rows(listed: bytes) -> list[str]:
    return re.findall(r"^[0-9a-f]{8} (?:lib/)?[\w.-]+$", listed.decode("utf-8", "replace"), re.MULTILINE)


def _is_ours(name: str, there: bytes, listed: Mapping[str, set[str]]) -> bool:
    if name == BOARD:
        return is_made(there)
    return name == LIST or f"{crc32(there):08x}" in listed.get(name, ())


def _kept(drive: Path, name: str, there: bytes) -> Change:
    """Return how a file is kept; where another one has been kept under its name, in a folder with a number."""
    number = 0
    while True:
        number += 1
        place = f"{KEPT if number == 1 else f'{KEPT}-{number}'}/{name}"
        folders = [folder for folder in (drive / place).parents if drive in folder.parents]
        if any(kind(folder) not in ("", "folder") for folder in folders):
            continue
        found = kind(drive / place)
        if not found:
            return Change(place, "kept", len(there))
        if found == "file" and (drive / place).read_bytes() == there:
            return Change(place, "kept", 0)


# Copying --------------------------------------------------------------------------------------------------------------


def copy(drive: Path, files: Mapping[str, bytes], told: Callable[[str], None] = lambda _: None) -> list[Change]:
    """Copy what is new or changed, keep what is not ours, and delete what belonged to an older firmware only.

    Args:
        drive: a drive that `hardware.circuitpy_drive.check_drive` has seen.
        files: what `firmware_contents` returns.
        told: told each name that has been written.

    Returns:
        What was done.

    Raises:
        FlashError: the drive cannot be written or gives back something else; what is there still runs, unless the
            message says otherwise. Copying again mends it, whatever the moment.
    """
    wanted = changes(drive, files)
    renaming = False
    try:
        for path in _leavings(drive):
            path.unlink()
        check_room(drive, wanted)
        fresh = [each.name for each in wanted if each.what in ("new", "changed")]
        (drive / "lib").mkdir(exist_ok=True)
        for name in fresh:
            _write(drive / (name + BEGUN), files[name])
            told(name)
        for each in wanted:
            if each.what == "kept":
                _keep(drive, each)
        if LIST in fresh:
            _write(drive / _BOTH, _both(drive, files[LIST]))
        _settle(drive)
        renaming = bool(fresh)
        _rename(drive, fresh, [each.name for each in wanted if each.what == "gone"])
    except OSError as error:
        if isinstance(error, FlashError):
            raise
        raise FlashError(_trouble(drive, error, renaming=renaming)) from error
    verify(drive, files)
    return wanted


def _rename(drive: Path, fresh: Iterable[str], gone: Iterable[str]) -> None:
    """Make what has been written valid. The list is the first and the last: between, it names the old and the new."""
    names = [name for name in fresh if name != LIST]
    changes_list = LIST in fresh
    if changes_list:
        (drive / _BOTH).replace(drive / LIST)
        _settle(drive)
    for name in names:
        (drive / (name + BEGUN)).replace(drive / name)
    for name in gone:
        (drive / name).unlink(missing_ok=True)
    _settle(drive)
    if changes_list:
        (drive / (LIST + BEGUN)).replace(drive / LIST)
        _settle(drive)


def _both(drive: Path, listed: bytes) -> bytes:
    """Return the new list, with what else the one on the drive names."""
    known = set(_rows(listed))
    rows = [row for row in _rows(_there(drive / LIST) or b"") if row not in known]
    return listed + "".join(f"{row}\n" for row in rows).encode()


def _keep(drive: Path, kept: Change) -> None:
    """Copy a file that is not ours to where it is kept, unless it is there."""
    place = drive / kept.name
    if kind(place):
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    _write(drive / _KEEPING, (drive / kept.name.partition("/")[2]).read_bytes())
    (drive / _KEEPING).replace(place)


def verify(drive: Path, files: Mapping[str, bytes]) -> None:
    """Read everything back.

    Raises:
        FlashError: something is not as it should be.
    """
    wrong = [name for name, data in files.items() if _read(drive / name) != data]
    if wrong:
        raise FlashError(
            f"{drive} does not give back what was written to it ({', '.join(wrong)}): run 'stonelight flash' again; if "
            "it happens again, the board's memory is worn out"
        )


def _leavings(drive: Path) -> list[Path]:
    """Return what an interrupted copy has left."""
    return [path for folder in (drive, drive / "lib") for path in sorted(folder.glob(f"*{BEGUN}"))]


def _write(path: Path, data: bytes) -> None:
    """Write a file through to the drive, and read it back from there."""
    try:
        with path.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            with contextlib.suppress(OSError, AttributeError):  # not everywhere
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    except OSError as error:
        error.filename = str(path)  # an open file does not tell its name
        raise
    if _read(path) != data:
        raise FlashError(f"{path} was not written as it should be: see that the cable sits well, and try again")


def _settle(drive: Path) -> None:
    """Have the folders written, too."""
    for folder in (drive, drive / "lib"):
        with contextlib.suppress(OSError):
            fd = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(fd)
            finally:
                os.close(fd)


def _there(path: Path) -> bytes | None:
    """Return what is in a file; None where there is none.

    Raises:
        OSError: there is one, and it cannot be read.
    """
    return path.read_bytes() if kind(path) == "file" else None


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _trouble(drive: Path, error: OSError, *, renaming: bool) -> str:
    """Return why copying has failed, and where, and what to do."""
    state = "the firmware there is incomplete" if renaming else "the firmware there is as it was"
    at = f" at {error.filename}" if error.filename else ""
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        why = (
            f"is read-only{at}: another program may hold it, or the running firmware does; hold the board's ok button "
            "while you press reset, and see that you may write to it"
        )
    elif error.errno == errno.ENOSPC:
        why = f"is full{at}: delete what you do not need there"
    elif error.errno in (errno.EIO, errno.ENODEV, errno.ENOENT, errno.ENXIO):
        why = f"has gone while it was written to{at}: see that the cable sits well"
    else:
        why = f"cannot be written to{at} ({error.strerror or error})"
    return f"{drive} {why}; {state}, so run 'stonelight flash' again"


def kept_words(wanted: Iterable[Change]) -> str:
    """Return one line about what is not ours and is kept; empty where there is nothing."""
    places = [each.name for each in wanted if each.what == "kept"]
    return f"What is not Stonelight's is kept: {', '.join(places)}" if places else ""


def summary(done: Iterable[Change]) -> Iterator[str]:
    """Yield a line for each file that was, or would be, touched, and one for the others."""
    same = 0
    for each in done:
        if each.what == "same":
            same += 1
        else:
            yield f"  {each.what:<8} {each.name}" + (f"  {each.size:,} bytes" if each.size else "")
    if same:
        yield f"  {same} files are as they should be"
