"""Writes the pages of docs/ that are drawn from the code, for `make docs`."""

from pathlib import Path

from controller.turns import diagrams

PAGES = {"machines.md": diagrams.page}
"""Each page's file, and what gives its text."""


def write(folder: Path) -> None:
    """Write every page into `folder`; a page that is current is left alone.

    Raises:
        OSError: the folder cannot be written to.
    """
    for name, page in PAGES.items():
        path, text = folder / name, page()
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path}")
