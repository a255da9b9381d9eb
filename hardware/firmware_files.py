"""Where the micro-controller's files are: in the source tree beside the packages, in an installation inside of one."""

from pathlib import Path
from typing import Final

_HERE: Final = Path(__file__).resolve().parent
SHARED: Final = ("wire.py", "wire_messages.py")
"""Modules of this package that are copied onto the device as they are."""


def firmware_folder() -> Path:
    """Return the folder with ``code.py``, ``boot.py``, ``safemode.py`` and ``lib``."""
    for folder in (_HERE.parent / "firmware", _HERE / "firmware"):
        if (folder / "code.py").is_file():
            return folder
    raise FileNotFoundError(f"the firmware's files are in neither {_HERE.parent} nor {_HERE}: install Stonelight anew")


def device_files() -> dict[str, Path]:
    """Return every file that belongs on the device, but for ``board.json``: its place there, and where it is here."""
    folder = firmware_folder()
    files = {path.name: path for path in sorted(folder.glob("*.py"))}
    files |= {f"lib/{path.name}": path for path in sorted((folder / "lib").glob("*.py"))}
    return files | {f"lib/{name}": _HERE / name for name in SHARED}
