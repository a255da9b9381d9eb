"""What Bamogo says and reads: tokens of moves, pictures of positions, and why a move is forbidden.

Numbers such as (2.1) point into docs/rules/bamogo.md, section 6 of which describes the notation.
"""

from collections.abc import Iterable, Mapping

from controller.games.bamogo_board import (
    CELLS,
    COLOUR_NAMES,
    COLOURS,
    INDEX,
    NAMES,
    PAIRS,
    PASS,
    SIDE,
    STONES,
    SUPPLY,
    Move,
    Placement,
    Stones,
    Swap,
    content,
)
from controller.games.seam import Cell, Content, NotationError


def move_text(move: Move) -> str:
    """Return the token: ``Ra1 Bb1``, ``a1~b1`` or ``pass`` (6.1)."""
    if isinstance(move, Placement):
        return " ".join(STONES[stone] + NAMES[cell] for cell, stone in move)
    return f"{NAMES[move.first]}~{NAMES[move.second]}" if isinstance(move, Swap) else "pass"


def parse_move(text: str) -> Move:
    """Return the move of a token.

    Raises:
        NotationError: no token of this game; tokens name the lesser cell first and two different colours.
    """
    words = text.split()
    if words == ["pass"]:
        return PASS
    if len(words) == 1 and words[0].count("~") == 1:
        first, second = (parse_cell(name, text) for name in words[0].split("~"))
        _check_order(text, first, second, f"{NAMES[second]}~{NAMES[first]}")
        return Swap(first, second)
    if len(words) != 2:
        raise NotationError(f"{text!r} is no move; moves look like 'Ra1 Bb1', 'a1~b1' or 'pass'")
    one, other = (_stone(word, text) for word in words)
    _check_order(text, one[0], other[0], f"{words[1]} {words[0]}")
    if one[1] == other[1]:
        raise NotationError(f"{text!r} is no move: the two stones placed are of different colours (2.1)")
    return Placement(one, other)


def parse_cell(name: str, text: str) -> Cell:
    """Return the cell of that name, found in `text`.

    Raises:
        NotationError: there is no such cell.
    """
    if name not in INDEX:
        raise NotationError(f"{text!r}: {name!r} is no cell; cells are a1 to d4")
    return INDEX[name]


def _stone(word: str, text: str) -> tuple[Cell, Content]:
    if word[0] not in STONES:
        raise NotationError(f"{text!r}: {word!r} does not begin with R, B or Y, the letter of a stone")
    return parse_cell(word[1:], text), STONES.index(word[0])


def _check_order(text: str, first: Cell, second: Cell, turned: str) -> None:
    if first == second:
        raise NotationError(f"{text!r} names {NAMES[first]} twice; a move takes two cells")
    if first > second:
        raise NotationError(f"{text!r} names its cells out of order; write {turned!r}")


def stones_text(stones: Stones) -> str:
    """Return the ranks from the far side, ``/`` between, ``.`` for an empty cell (6.2)."""
    shown = [STONES[content(stones, cell)] or "." for cell in range(len(CELLS))]
    return "/".join("".join(shown[rank::SIDE]) for rank in reversed(range(SIDE)))


def parse_stones(text: str) -> Stones:
    """Return the stones of a picture of the board. Boards that no play can reach are taken too.

    Raises:
        NotationError: not four ranks of four known letters, or more stones of a colour than there are.
    """
    ranks = text.split("/")
    if len(ranks) != SIDE or any(len(rank) != SIDE for rank in ranks):
        raise NotationError(
            f"{text!r} is no position; write four ranks of four, the far one first: '..../..../.RB./....'"
        )
    cells = dict.fromkeys(STONES[1:], 0)
    for row, rank in enumerate(ranks):
        for file, letter in enumerate(rank):
            cell = file * SIDE + SIDE - 1 - row
            if letter in cells:
                cells[letter] |= 1 << cell
            elif letter != ".":
                raise NotationError(f"{text!r}: {letter!r} on {NAMES[cell]} is none of R, B, Y and '.'")
    for letter, supply in zip(cells, SUPPLY, strict=True):
        held = cells[letter].bit_count()
        if held > supply:
            raise NotationError(f"{text!r} holds {held} stones {letter}; there are {supply}")
    return cells["R"], cells["B"], cells["Y"]


def placement_fault(stones: Stones, move: Placement) -> str:
    """Return which rule forbids the placement on this board."""
    (first, stone), (second, other) = move
    if Swap(first, second) not in PAIRS:
        return _pair_fault(first, second)
    if stone == other or not {stone, other} <= set(COLOURS):
        return f"contents {stone} and {other} are not stones of two different colours (2.1)"
    for cell, _ in move:
        if held := content(stones, cell):
            return f"{NAMES[cell]} is taken by a {COLOUR_NAMES[held]} stone; stones are placed on empty cells (2.1)"
    spent = next(colour for _, colour in move if stones[colour - 1].bit_count() >= SUPPLY[colour - 1])
    return f"no {COLOUR_NAMES[spent]} stone is left in the supply (1.2)"


def swap_fault(stones: Stones, move: Swap) -> str:
    """Return which rule forbids the swap on this board, ko aside."""
    if move not in PAIRS:
        return _pair_fault(move.first, move.second)
    for cell in move:
        if not content(stones, cell):
            return f"{NAMES[cell]} is empty; a swap needs a stone on both cells (2.2)"
    colour = COLOUR_NAMES[content(stones, move.first)]
    return f"{NAMES[move.first]} and {NAMES[move.second]} both hold {colour}; a swap needs two colours (2.2)"


def _pair_fault(first: Cell, second: Cell) -> str:
    if not (0 <= first < len(CELLS) and 0 <= second < len(CELLS)):
        return f"cells {first} and {second} are not both on the board, whose cells are 0 to {len(CELLS) - 1} (1.1)"
    if Swap(second, first) in PAIRS:
        return f"{NAMES[first]} and {NAMES[second]} are named out of order; the lesser cell comes first (6.1)"
    return f"{NAMES[first]} and {NAMES[second]} do not share a side (2.1, 2.2)"


def pair_fault(stones: Stones, one: tuple[Cell, Content | None], other: tuple[Cell, Content | None]) -> str:
    """Return why two stones put down on empty cells are no move, the lesser cell first; empty where it is not known."""
    (first, stone), (second, another) = one, other
    if Swap(first, second) not in PAIRS:
        return f"{NAMES[first]} and {NAMES[second]} do not share a side"
    if stone is not None and stone == another:
        return f"both stones are {COLOUR_NAMES[stone]}, and a turn places two colours"
    return _spent(stones, (stone, another))


def alone_fault(stones: Stones, cell: Cell, seen: Mapping[Cell, Content | None]) -> str:
    """Return why no second stone can follow the one put down on `cell`; empty where it is not known."""
    taken = stones[0] | stones[1] | stones[2]
    if all(taken >> pair.first & 1 or taken >> pair.second & 1 for pair in PAIRS if cell in pair):
        return f"no empty cell shares a side with {NAMES[cell]}, and a turn places two stones"
    return _spent(stones, (seen[cell],))


def _spent(stones: Stones, placed: Iterable[Content | None]) -> str:
    """Return which colour has no stone left of those placed; empty for none."""
    for colour in placed:
        if colour and stones[colour - 1].bit_count() >= SUPPLY[colour - 1]:
            return f"no {COLOUR_NAMES[colour]} stone is left"
    return ""
