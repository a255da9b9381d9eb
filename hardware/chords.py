"""Two buttons held down together, told apart from two presses. Pure: the time is an argument.

A press of one of the two is kept back for `WITHIN_MS`: if the other goes down meanwhile, neither was meant by itself.
"""

from collections.abc import Collection, Sequence
from typing import Final

from hardware.ports import ButtonPress, Millis

WITHIN_MS: Final = 150
"""Within how long two buttons must go down to be meant together; fingers of one hand manage 50."""
HOLD_MS: Final = 3000
"""How long they must be held: nobody does that by leaning on the board."""


class Chord:
    """Watches for two buttons.

    Args:
        buttons: their names.
        means: the name of the press that holding them makes.
    """

    def __init__(self, buttons: tuple[str, str], means: str) -> None:
        self._buttons = frozenset(buttons)
        self._means = means
        self._kept: list[ButtonPress] = []
        self._together: Millis | None = None
        self._told = False

    def feed(self, presses: Sequence[ButtonPress], held: Collection[str], now: Millis) -> list[ButtonPress]:
        """Return the presses that are meant, oldest first.

        Args:
            presses: what was pressed since the last call.
            held: the buttons that are down now.
            now: the time.
        """
        meant: list[ButtonPress] = []
        for press in presses:
            if press.button not in self._buttons:
                meant.append(press)
            elif self._kept and self._kept[0].button != press.button:
                self._kept.clear()
                self._together, self._told = press.at, False
            else:
                self._kept.append(press)
        if self._together is not None:
            meant.extend(self._held(held, now))
        ripe = [press for press in self._kept if now - press.at >= WITHIN_MS]
        self._kept = [press for press in self._kept if now - press.at < WITHIN_MS]
        return sorted((*meant, *ripe), key=lambda press: press.at)

    def _held(self, held: Collection[str], now: Millis) -> list[ButtonPress]:
        assert self._together is not None
        if not self._buttons <= set(held):
            self._together = None
        elif now - self._together >= HOLD_MS and not self._told:
            self._told = True
            return [ButtonPress(self._means, now)]
        return []
