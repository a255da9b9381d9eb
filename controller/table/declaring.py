"""What the player says lies on cells that cannot tell: the colours of stones, by button or page."""

from collections.abc import Mapping, Sequence

from controller.games.seam import Cell, Content

COLOURS: Mapping[str, str] = {
    "red": "R",
    "blue": "B",
    "yellow": "Y",
    "green": "G",
    "purple": "P",
    "orange": "O",
}
"""The stone's letter for each colour button."""


class RefusedError(ValueError):
    """A declaration that cannot be; the message is for the player."""


class Declarations:
    """The colours declared in one turn, each for the cell that was filled first and has none yet.

    A colour pressed while no such cell is there is kept for the next. A stone that moves on before the turn is complete
    keeps its colour: a cell that is emptied gives its declaration to the cell that is filled next. Of two stones in the
    hand at once nobody can see which comes down first, so theirs are forgotten and asked again.
    """

    def __init__(self) -> None:
        self._given: dict[Cell, Content] = {}
        self._kept: list[Content] = []
        self._hand: list[Content | None] = []
        self._filled: frozenset[Cell] = frozenset()

    @property
    def given(self) -> Mapping[Cell, Content]:
        """What was declared, by cell, in the order of declaring."""
        return self._given

    @property
    def any(self) -> bool:
        """Whether something is declared or kept."""
        return bool(self._given or self._kept or any(self._hand))

    def declare(self, stone: Content, name: str, left: int, filled: Sequence[Cell]) -> None:
        """Take a colour.

        Args:
            stone: the stone that was declared.
            name: its colour, for messages.
            left: how many of them the supply held when the turn began.
            filled: the cells filled in this turn, in the order in which they were filled.

        Raises:
            RefusedError: none of them is left, or this colour was declared in this turn already.
        """
        if left < 1:
            raise RefusedError(f"no {name} stone is left in the supply; press the colour of the stone on the lit cell")
        if stone in (*self._given.values(), *self._kept, *self._hand):
            raise RefusedError(f"{name} is used in this turn already; the two stones of a turn have different colours")
        self._kept.append(stone)
        self.follow(filled)

    def answer(self, cell: Cell, stone: Content) -> None:
        """Take a colour that was asked for: it is that of the stone on `cell`."""
        self._given[cell] = stone

    def follow(self, filled: Sequence[Cell]) -> None:
        """Bring the declarations in line with the cells that are filled now, in the order in which they were filled."""
        self._hand += [self._given.pop(cell, None) for cell in sorted(self._filled.difference(filled))]
        if len(self._hand) > 1:
            self._hand = [None] * len(self._hand)
        for cell in filled:
            if cell not in self._filled and self._hand and (stone := self._hand.pop()) is not None:
                self._given[cell] = stone
        self._filled = frozenset(filled)
        for cell in filled:
            if cell not in self._given and self._kept:
                self._given[cell] = self._kept.pop(0)

    def put_away(self) -> None:
        """The board has come to rest as it should be: whatever comes down next is no stone that moves on."""
        self._hand.clear()

    def undo(self) -> bool:
        """Take the last declaration back; return False where there is none."""
        if self._kept:
            self._kept.pop()
        elif self._given:
            self._given.popitem()
        elif any(self._hand):
            self._hand.clear()
        else:
            return False
        return True

    def clear(self) -> None:
        """Forget everything: a turn is over."""
        self._given.clear()
        self._kept.clear()
        self._hand.clear()
        self._filled = frozenset()
