"""Finding the drive that a board with CircuitPython shows, and seeing that it is one, before anything is written.

What a path leads to is looked at before it is opened: opening a pipe would wait for ever.
"""

import contextlib
import re
import shutil
import stat
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from hardware.ports import DeviceError

LABEL: Final = "CIRCUITPY"
"""The name of the drive that CircuitPython shows."""
OLDEST: Final = 9
"""The first major version of CircuitPython that the firmware runs on."""
LABELS: Final = Path("/dev/disk/by-label")
"""Where Linux has drives by their names, mounted or not."""
MOUNT_S: Final = 10
"""So long mounting may take."""
SAYS: Final = 4096
"""Bytes of ``boot_out.txt`` that are read: the version is in its first line."""


class FlashError(DeviceError):
    """The firmware cannot be put there; says why and what to do."""


class NoDriveError(FlashError):
    """No drive of CircuitPython is to be seen; a board that runs may be hiding its own."""


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
        NoDriveError: there is none.
        FlashError: it cannot be mounted, or there are several.
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
        raise NoDriveError(
            "the board is in its loader: copy CircuitPython for it (a .uf2 file from circuitpython.org) onto its drive "
            "first; it restarts then and shows a drive CIRCUITPY"
        )
    raise NoDriveError(
        "no drive CIRCUITPY is to be seen: connect the board by USB with a cable that carries data; a board that has "
        "the firmware hides its drive, so hold its ok button while you press reset"
    )


# Looking at it --------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def looking(drive: Path) -> Iterator[None]:
    """Have what the system says against looking at a drive told as a `FlashError`, with the path that it is about."""
    try:
        yield
    except FlashError:
        raise
    except OSError as error:
        raise FlashError(
            f"{error.filename or drive} cannot be looked at ({error.strerror or error}): see that the path is right, "
            "that the cable sits well, and that you may read there"
        ) from error


def kind(path: Path) -> str:
    """Return what is at a path, links followed: ``file``, ``folder``, or another word; empty for nothing.

    Raises:
        OSError: the system does not tell.
    """
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return "link that leads nowhere" if path.is_symlink() else ""
    return next((word for test, word in _KINDS if test(mode)), "thing of another kind")


_KINDS: Final[tuple[tuple[Callable[[int], bool], str], ...]] = (
    (stat.S_ISREG, "file"),
    (stat.S_ISDIR, "folder"),
    (stat.S_ISFIFO, "pipe"),
    (stat.S_ISSOCK, "socket"),
    (stat.S_ISCHR, "device"),
    (stat.S_ISBLK, "device"),
)


def expect(path: Path, wanted: str) -> bool:
    """See that there is what is wanted at a path, or nothing, and return whether it is there.

    Args:
        path: where to look.
        wanted: a word of `kind`.

    Raises:
        FlashError: something else is there.
        OSError: the system does not tell.
    """
    found = kind(path)
    if found not in ("", wanted):
        raise FlashError(
            f"{path} is a {found}, and a {wanted} belongs there: move it elsewhere or delete it, and run "
            "'stonelight flash' again"
        )
    return found != ""


def check_drive(drive: Path) -> str:
    """Return which CircuitPython runs on the board of that drive.

    Raises:
        FlashError: there is no such folder, it cannot be looked at, or it has no CircuitPython that will do.
    """
    with looking(drive):
        if kind(drive) != "folder":
            raise FlashError(f"there is no folder {drive}: check --drive, or leave it out to have the drive looked for")
        if kind(drive / "INFO_UF2.TXT") == "file":
            raise FlashError(
                f"{drive} is the drive of the board's loader: copy CircuitPython (a .uf2 file from circuitpython.org) "
                "onto it first"
            )
        said = _first_words(drive / "boot_out.txt")
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


def _first_words(path: Path) -> str:
    if not expect(path, "file"):
        return ""
    with path.open("rb") as file:
        return file.read(SAYS).decode("utf-8", "replace")
