"""Writing files so that each is there as a whole or not at all. Links are written through and stay links."""

import errno
import itertools
import os
import tempfile
from pathlib import Path
from typing import Final

UNUSED: Final = ".unused"
"""What is added to the name of a file that is no longer used, but kept."""
SHOWN: Final = 20
"""Letters of a file's name that its forerunner has in its own, which must not grow too long for a file system."""


class PlaceError(Exception):
    """A place where no file can be written. The message says which, why, and what to do."""


def check_place(path: Path) -> None:
    """See that `write_whole` could write a file, as far as that can be told before. Nothing is left behind.

    Raises:
        PlaceError: it could not.
    """
    check_name(path)
    target = behind(path)
    try:
        _see_free(target)
    except IsADirectoryError as error:
        raise PlaceError(f"{path} is a directory where a file is to be: move it away, or name another file") from error
    except OSError as error:
        raise PlaceError(f"{path} cannot be written ({error.strerror}): move it away, or name another file") from error
    try:
        handle, name = _forerunner(target)
    except OSError as error:
        link = f"{path} is a link to {target}, and " if path.is_symlink() else ""
        room = os.path.realpath(target.parent)
        raise PlaceError(f"{link}nothing can be written in {room} ({error.strerror}): name a file elsewhere") from error
    os.close(handle)
    Path(name).unlink()


def check_name(path: Path) -> None:
    """See that a file system takes the name of a file. Raises PlaceError where it does not."""
    try:
        path.lstat()
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise PlaceError(f"the name {path.name} is too long for a file: choose a shorter one") from error


def write_whole(path: Path, text: str) -> None:
    """Put `text` into a file in one step: whoever reads it, and a power cut, find the old text or the new one.

    Where `path` is a link, the file that it leads to is written, and made if there is none.

    Raises:
        OSError: it cannot be written there; its `filename` is `path`. What was there stays.
    """
    try:
        _write(behind(path), text)
    except OSError as error:
        if error.errno is not None:  # the name of the forerunner, or none, would tell a person nothing
            error.filename, error.filename2 = str(path), None
        raise


def set_aside(path: Path) -> Path:
    """Give a file another name, under which nothing is yet, and return that. Of a link, that is what it leads to.

    Raises:
        OSError: it cannot be renamed.
    """
    target = behind(path)
    aside = free_name(path)
    target.rename(aside)
    return aside


def free_name(path: Path) -> Path:
    """Return the name that `set_aside` would give to a file."""
    target = behind(path)
    endings = itertools.chain([UNUSED], (f"{UNUSED}.{number}" for number in itertools.count(2)))
    names = (target.with_name(target.name + ending) for ending in endings)
    return next(name for name in names if not os.path.lexists(name))


def behind(path: Path) -> Path:
    """Return where a link leads to, whether there is a file or not; a path that is no link as it is."""
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def _write(target: Path, text: str) -> None:
    _see_free(target)
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
    handle, name = _forerunner(target)
    fresh = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        fresh.chmod(mode)
        fresh.replace(target)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise


def _see_free(target: Path) -> None:
    """Raise OSError where something lies that is no file: a device, say, must never be replaced by one."""
    if target.is_symlink():  # though links were followed
        raise OSError(errno.ELOOP, "it is a link that leads to itself")
    try:
        target.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not target.is_file():
        raise OSError(errno.EINVAL, "it is no file")


def _forerunner(target: Path) -> tuple[int, str]:
    """Make the file that will take the place of another, beside it; return its descriptor and its path."""
    return tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:SHOWN]}.", suffix=".new")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
