"""Writes the pages of docs/ that are drawn from the code, for `make docs`."""

from pathlib import Path
from typing import Final

from controller.lighting import pictures
from controller.turns import diagrams
from hardware.profile import load_profile
from hardware.wiring_sheet import sheet
from hardware.wiring_svg import svg

BOARDS: Final = ("bamogo-4x4-presence", "bao-4x12")
"""The boards whose wiring is drawn in docs/wiring.md."""


def pages() -> dict[str, str]:
    """Return the text of every file of docs/ that is drawn from the code, by its path there."""
    wirings = {f"wiring/{name}.svg": svg(sheet(load_profile(name))) for name in BOARDS}
    return {"machines.md": diagrams.page(), **pictures.files(), **wirings}


def write(folder: Path) -> None:
    """Write every page into `folder`; a page that is current is left alone.

    Raises:
        OSError: the folder cannot be written to.
    """
    for name, text in pages().items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path}")
