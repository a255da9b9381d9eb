"""Why what hands have done is no move: what the games share when they say it."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from controller.games.seam import AnyRules, Cell, Content, IllegalMoveError

_RULE: Final = re.compile(r" \((?:section )?\d[\d., to]*\)$")
"""Where a refusal ends with the number of a rule."""


def stirred(
    contents: Sequence[Content], seen: Mapping[Cell, Content | None]
) -> tuple[list[Cell], list[Cell], list[Cell]]:
    """Return the cells that were filled, those that were emptied, and those that hold something else now; sorted.

    Args:
        contents: shape (cells,): what lies on each cell before.
        seen: what lies on cells that differ, 0 for nothing, None for something that is not known.
    """
    filled = sorted(cell for cell in seen if not contents[cell])
    emptied = sorted(cell for cell in seen if contents[cell] and seen[cell] == 0)
    changed = sorted(cell for cell in seen if contents[cell] and seen[cell] != 0)
    return filled, emptied, changed


def refused(rules: AnyRules, position: Any, move: Any) -> str:
    """Return why the rules forbid a move, without the number of the rule; empty where they allow it."""
    try:
        rules.apply(position, move)
    except IllegalMoveError as error:
        return _RULE.sub("", str(error))
    return ""


def too_many(filled: Sequence[Cell], most: str, number: int) -> str:
    """Return that a turn puts down only so many, in words and as a number; empty where no more were."""
    return f"a turn puts down {most}, not {len(filled)}" if len(filled) > number else ""
