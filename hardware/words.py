"""One wording for names that are not known."""

import difflib
from collections.abc import Iterable


def near_miss(word: str, known: Iterable[str]) -> str:
    """Return ``did you mean 'rows'?``, or the list of what is known where nothing is near."""
    words = tuple(known)
    near = difflib.get_close_matches(word, words, n=1)
    if near:
        return f"did you mean {near[0]!r}?"
    shown = ", ".join(words if len(words) <= 16 else (*words[:3], "...", words[-1]))
    return f"known: {shown}"
