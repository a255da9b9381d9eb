"""Wordings that many share: of names that are not known, and of text that others have written."""

import difflib
from collections.abc import Iterable


def plain(text: str, most: int = 80) -> str:
    """Return text from elsewhere as it may be shown: without control characters, and no longer than that."""
    shown = "".join(letter if letter.isprintable() else "?" for letter in text[:most])
    return shown + "..." if len(text) > most else shown


def near_miss(word: str, known: Iterable[str]) -> str:
    """Return ``did you mean 'rows'?``, or the list of what is known where nothing is near."""
    words = tuple(known)
    near = difflib.get_close_matches(word, words, n=1)
    if near:
        return f"did you mean {near[0]!r}?"
    shown = ", ".join(words if len(words) <= 16 else (*words[:3], "...", words[-1]))
    return f"known: {shown}"
