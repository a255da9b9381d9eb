"""Reading a Pi's config.txt as its firmware does: lines under a filter count only where the filter holds.

Raspberry Pi documentation, "config.txt", "Conditional filters": a line in brackets begins a section, ``[all]`` ends it.
"""

from collections.abc import Iterator
from typing import Final

EVERYWHERE: Final = "all"


def settings(text: str) -> Iterator[tuple[str, str]]:
    """Yield (filter, line) for each setting; the filter is ``all`` where none is on."""
    section = EVERYWHERE
    for line in text.splitlines():
        words = line.partition("#")[0].strip()
        if words.startswith("[") and words.endswith("]"):
            section = words[1:-1].strip().lower()
        elif words:
            yield section, words.replace(" ", "")


def plain(text: str, *wanted: str) -> bool:
    """Return whether one of these lines is there and counts on every model."""
    return any(section == EVERYWHERE and line in wanted for section, line in settings(text))


def filters_of(text: str, *wanted: str) -> tuple[str, ...]:
    """Return the filters, other than all, under which one of these lines is there."""
    return tuple(section for section, line in settings(text) if section != EVERYWHERE and line in wanted)
