"""Putting the firmware on a micro-controller: onto the drive that it shows, so that no half-copied program ever runs.

Every file is first written under another name and read back; only when all are there are they renamed, ``code.py``
last. A copy that is interrupted before that leaves the old firmware as it was, and one that is interrupted while files
are renamed is mended by copying again.
"""

import ast
import contextlib
import errno
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from hardware.firmware_files import device_files, firmware_folder
from hardware.ports import DeviceError

LABEL: Final = "CIRCUITPY"
"""The name of the drive that CircuitPython shows."""
OLDEST: Final = 9
"""The first major version of CircuitPython that the firmware runs on."""
LIST: Final = "lib/stonelight.txt"
"""The list of what was copied, with the check of each file, on the drive itself."""
BEGUN: Final = ".new"
"""What a file is called, after its own name, until all are there."""
LAST: Final = ("boot.py", "safemode.py", "code.py")
"""What is renamed last, in this order."""
LABELS: Final = Path("/dev/disk/by-label")
"""Where Linux has drives by their names, mounted or not."""
MOUNT_S: Final = 10
"""So long mounting may take."""
_CLUSTER: Final = 4096
"""What a file takes at least on the drive."""


class FlashError(DeviceError):
    """The firmware cannot be put there; says why and what to do."""


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of one file on the drive.

    Fields:
        name: its path on the drive, with slashes.
        what: ``new``, ``changed``, ``same`` or ``gone`` (it belonged to an older firmware).
        size: bytes that it will have.
    """

    name: str
    what: str
    size: int


def firmware_version() -> str:
    """Return the version of the firmware that would be copied, as the board will tell it."""
    tree = ast.parse((firmware_folder() / "lib" / "station.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "FIRMWARE":
            return ".".join(map(str, ast.literal_eval(node.value)))
    raise FlashError("the firmware's files do not say which version they are: install Stonelight anew")


def firmware_contents(plan: Mapping[str, Any] | None) -> dict[str, bytes]:
    """Return every file for the drive, in the order in which they become valid.

    Args:
        plan: ``board.json`` as a mapping; None to leave the one on the drive.
    """
    files = {name: path.read_bytes() for name, path in device_files().items()}
    if plan is not None:
        files["board.json"] = (json.dumps(plan) + "\n").encode()
    rows = [f"firmware {firmware_version()}, for CircuitPython {OLDEST} or later; no other libraries are needed"]
    rows += [f"{crc32(data):08x} {name}" for name, data in sorted(files.items()) if name != "board.json"]
    files[LIST] = ("\n".join(rows) + "\n").encode()
    order = [name for name in files if name not in LAST] + [name for name in LAST if name in files]
    return {name: files[name] for name in order}


# Finding the drive ----------------------------------------------------------------------------------------------------


def mounted_drives(mounts: str | None = None) -> list[Path]:
    """Return where drives of that name are mounted.

    Args:
        mounts: the text of ``/proc/mounts``; read unless given.
    """
    if mounts is None:
        try:
            mounts = Path("/proc/mounts").read_text(encoding="utf-8", errors="surrogateescape")
        except OSError:  # not Linux
            return [path for path in (Path("/Volumes") / LABEL,) if path.is_dir()]
    points = (line.split()[1] for line in mounts.splitlines() if len(line.split()) > 1)
    paths = [Path(re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), point)) for point in points]
    return sorted({path for path in paths if re.fullmatch(LABEL + r"\d*", path.name)})


def unmounted_drive(labels: Path = LABELS) -> Path | None:
    """Return the node of a drive of that name, mounted or not; None where there is none."""
    node = labels / LABEL
    return node if node.exists() else None


def mount(node: Path) -> Path | None:
    """Have the system's disk service mount a drive, as a desktop does by itself; None where that cannot be."""
    program = shutil.which("udisksctl")
    if program is None:
        return None
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        words = [program, "mount", "--no-user-interaction", "--block-device", str(node)]
        subprocess.run(words, check=False, capture_output=True, timeout=MOUNT_S)  # noqa: S603  # our own words
    return next(iter(mounted_drives()), None)


def find_drive(
    mounts: str | None = None, labels: Path = LABELS, mounting: Callable[[Path], Path | None] = mount
) -> Path:
    """Return the drive of the board that is plugged in, mounted if need be.

    Raises:
        FlashError: there is none, it cannot be mounted, or there are several.
    """
    drives = mounted_drives(mounts)
    if len(drives) > 1:
        raise FlashError(f"several boards are plugged in ({', '.join(map(str, drives))}): name one with --drive")
    if drives:
        return drives[0]
    if (node := unmounted_drive(labels)) is not None:
        if (place := mounting(node)) is not None:
            return place
        raise FlashError(
            f"the board's drive is there but not mounted: 'sudo mount -o uid=$USER {node} /mnt', and name the place "
            "with --drive /mnt"
        )
    if (labels / "RPI-RP2").exists() or (labels / "RP2350").exists():
        raise FlashError(
            "the board is in its loader: copy CircuitPython for it (a .uf2 file from circuitpython.org) onto its drive "
            "first; it restarts then and shows a drive CIRCUITPY"
        )
    raise FlashError(
        "no drive CIRCUITPY is to be seen: connect the board by USB with a cable that carries data. A board that has "
        "the firmware hides its drive: hold its ok button while you press reset, or name its --port"
    )


def check_drive(drive: Path) -> str:
    """Return which CircuitPython runs on the board of that drive.

    Raises:
        FlashError: there is no such folder, or no CircuitPython that will do.
    """
    if not drive.is_dir():
        raise FlashError(f"there is no folder {drive}: check --drive, or leave it out to have the drive looked for")
    if (drive / "INFO_UF2.TXT").is_file():
        raise FlashError(
            f"{drive} is the drive of the board's loader: copy CircuitPython (a .uf2 file from circuitpython.org) onto "
            "it first"
        )
    try:
        said = (drive / "boot_out.txt").read_text(encoding="utf-8", errors="replace")
    except OSError:
        said = ""
    match = re.search(r"CircuitPython (\d+)\.(\S+)", said)
    if match is None:
        raise FlashError(
            f"{drive} is no drive of CircuitPython (it has no boot_out.txt that says so): put CircuitPython on the "
            "board first, from circuitpython.org"
        )
    if int(match[1]) < OLDEST:
        raise FlashError(
            f"the board runs CircuitPython {match[1]}.{match[2]}, and the firmware needs {OLDEST} or later: renew it, "
            "from circuitpython.org"
        )
    return f"{match[1]}.{match[2]}"


# Copying --------------------------------------------------------------------------------------------------------------


def changes(drive: Path, files: Mapping[str, bytes]) -> list[Change]:
    """Return what copying `files` would do to the drive, in order."""
    found = []
    for name, data in files.items():
        there = _read(drive / name)
        what = "new" if there is None else "same" if there == data else "changed"
        found.append(Change(name, what, len(data)))
    return found + [Change(name, "gone", 0) for name in _left_over(drive, files)]


def check_room(drive: Path, wanted: Iterable[Change], free: int | None = None) -> None:
    """See that there is room for what is new and changed, the old files still being there.

    Raises:
        FlashError: there is not.
    """
    needed = sum(-(-each.size // _CLUSTER) * _CLUSTER for each in wanted if each.what in ("new", "changed"))
    has = shutil.disk_usage(drive).free if free is None else free
    if needed > has:
        raise FlashError(
            f"{drive} has {has // 1024} KB free, and {-(-needed // 1024)} KB are needed: delete what you do not need "
            "there, such as libraries of other programs in lib"
        )


def copy(drive: Path, files: Mapping[str, bytes], told: Callable[[str], None] = lambda _: None) -> list[Change]:
    """Copy what is new or changed, and delete what belonged to an older firmware only.

    Args:
        drive: a drive that `check_drive` has seen.
        files: what `firmware_contents` returns.
        told: told each name that has been written.

    Returns:
        What was done.

    Raises:
        FlashError: the drive cannot be written or gives back something else; what is there still runs, unless the
            message says otherwise.
    """
    wanted = changes(drive, files)
    renamed = False
    try:
        _sweep(drive, files)
        check_room(drive, wanted)
        fresh = [each.name for each in wanted if each.what in ("new", "changed")]
        for name in fresh:
            _write(drive / (name + BEGUN), files[name])
            told(name)
        renamed = bool(fresh)
        for name in fresh:
            (drive / (name + BEGUN)).replace(drive / name)
        for each in wanted:
            if each.what == "gone":
                (drive / each.name).unlink(missing_ok=True)
        _settle(drive)
    except OSError as error:
        if isinstance(error, FlashError):
            raise
        raise FlashError(_trouble(drive, error, renamed=renamed)) from error
    verify(drive, files)
    return wanted


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


def _left_over(drive: Path, files: Mapping[str, bytes]) -> list[str]:
    """Return the files of an older firmware, by its list, that this one has not."""
    listed = (_read(drive / LIST) or b"").decode("utf-8", "replace")
    names = re.findall(r"^[0-9a-f]{8} ((?:lib/)?[\w.-]+)$", listed, re.MULTILINE)
    return [name for name in names if name not in files and name != "board.json" and (drive / name).is_file()]


def _sweep(drive: Path, files: Mapping[str, bytes]) -> None:
    """Delete what an interrupted copy has left."""
    (drive / "lib").mkdir(exist_ok=True)
    for folder in (drive, drive / "lib"):
        for path in folder.glob(f"*{BEGUN}"):
            if path.relative_to(drive).as_posix().removesuffix(BEGUN) in files:
                path.unlink()


def _write(path: Path, data: bytes) -> None:
    """Write a file through to the drive, and read it back from there."""
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
        with contextlib.suppress(OSError, AttributeError):  # not everywhere
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
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


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _trouble(drive: Path, error: OSError, *, renamed: bool) -> str:
    """Return why copying has failed, and what to do."""
    state = "the firmware there is incomplete" if renamed else "the firmware there is as it was"
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        why = (
            "is read-only: another program may hold it, or the running firmware does; hold the board's ok button while "
            "you press reset, and see that you may write to it"
        )
    elif error.errno == errno.ENOSPC:
        why = "is full: delete what you do not need there"
    elif error.errno in (errno.EIO, errno.ENODEV, errno.ENOENT, errno.ENXIO):
        why = "has gone while it was written to: see that the cable sits well"
    else:
        why = f"cannot be written to ({error.strerror or error})"
    return f"{drive} {why}; {state}, so run 'stonelight flash' again"


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
