"""`TableDesk`: a rig as the page sees it, and the hands of pages on a simulated board."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from controller.app.rig import Rig
from controller.games.seam import Cell, NotationError
from controller.page.desk import Heard, RequestError
from controller.table.core import Table
from controller.table.view import BUTTONS, hex_colours, view
from hardware.ports import Millis
from simulator.tabletop import HandError, Tabletop

PRESS_MS: Final = 120
"""How long a press of a page's button lasts on a simulated board."""


@dataclass(slots=True)
class Held:
    """A stone in a page's hand: what it is, and the cells that it came from (none: the supply)."""

    content: int
    origin: tuple[Cell, ...]


class TableDesk:
    """One board for all pages.

    On a simulated board the pages' hands move its stones; on a real one only buttons and touches reach the table.

    Args:
        rig: the board.
        title: how the game is called.
        clock: gives the time of the rig.
        wake: makes the loop take a step.
    """

    def __init__(self, rig: Rig, title: str, clock: Callable[[], Millis], wake: Callable[[], None]) -> None:
        self._rig = rig
        self._title = title
        self._clock = clock
        self._wake = wake
        self._hearers: dict[object, Heard] = {}
        self._held: dict[str, Held] = {}
        self._told = (-1, b"")

    # What pages see ---------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Return all that a page shows; see `controller.page.desk.Desk`."""
        table = self._table
        state = view(table, table.frame(self._clock()))
        state["game"]["title"] = self._title
        state["simulated"] = self._rig.top is not None
        state["held"] = [
            {"client": client, "stone": self._name(held.content), "from": self._cell_name(held.origin)}
            for client, held in self._held.items()
        ]
        if self._rig.top is not None:
            for cell, shown in enumerate(state["cells"]):
                shown["piece"] = self._name(self._rig.top.contents[cell])
            state["supply"] = [{"stone": stone, "count": count} for stone, count in self._tray(self._rig.top).items()]
        return state

    def lights(self) -> dict[str, Any]:
        """Return the colours of cells and track."""
        colours = hex_colours(self._table.frame(self._clock()))
        cells = len(self._table.rules.cells)
        return {"cells": colours[:cells], "track": colours[cells:]}

    def watch(self, heard: Heard) -> Callable[[], None]:
        """Call `heard` at each change; return what ends that."""
        key = object()
        self._hearers[key] = heard
        return lambda: self._hearers.pop(key, None) and None

    def stepped(self) -> None:
        """Tell the pages what the last step has changed, if anything."""
        table = self._table
        now = (table.changes, table.frame(self._clock()))
        if now == self._told:
            return
        full = now[0] != self._told[0]
        self._told = now
        self._tell(full=full)

    # What pages do ----------------------------------------------------------------------------------------------------

    def act(self, client: str, message: Mapping[str, Any]) -> None:
        """Do what the hand of a page does.

        Raises:
            RequestError: a hand could not do that here.
        """
        kind = message["type"]
        if kind == "press":
            self._press(message["button"])
        elif kind == "touch":
            for cell in self._cells(message["cell"]):
                self._rig.touch(cell, self._clock())
        else:
            top = self._rig.top
            if top is None:
                raise RequestError("this is a real board: move its stones with your hands")
            top.advance(self._clock())
            try:
                _HANDS[kind](self, client, message, top)
            except HandError as error:
                raise RequestError(str(error)) from error
        self._tell(full=True)
        self._wake()

    def leave(self, client: str) -> None:
        """A page is gone: put its stone back where it came from, or off the board where that is taken."""
        held = self._held.pop(client, None)
        top = self._rig.top
        if held is None or top is None:
            return
        if held.origin and not any(top.contents[cell] for cell in held.origin):
            top.advance(self._clock())
            top.put(held.origin, held.content)
        self._tell(full=True)
        self._wake()

    @property
    def _table(self) -> Table:
        return self._rig.table

    def _tell(self, *, full: bool) -> None:
        for heard in list(self._hearers.values()):
            heard(full)

    def _press(self, button: str) -> None:
        if button not in BUTTONS:
            raise RequestError(f"there is no button {button!r} on this board")
        top = self._rig.top
        if top is None:
            self._rig.press(button, self._clock())
        else:
            top.advance(self._clock())
            top.press(button, PRESS_MS)

    def _take(self, client: str, message: Mapping[str, Any], top: Tabletop) -> None:
        self._empty_handed(client)
        stone = message["stone"]
        if self._tray(top).get(stone, 0) < 1:
            raise RequestError(f"there is no {stone} left in the supply")
        self._held[client] = Held(self._table.rules.stones.index(stone), ())

    def _lift(self, client: str, message: Mapping[str, Any], top: Tabletop) -> None:
        self._empty_handed(client)
        cells = self._cells(message["cell"])
        origin = top.piece(cells[0])
        self._held[client] = Held(top.take(cells), origin)

    def _drop(self, client: str, message: Mapping[str, Any], top: Tabletop) -> None:
        held = self._in_hand(client)
        top.put(self._cells(message["cell"]), held.content)
        del self._held[client]

    def _discard(self, client: str, _message: Mapping[str, Any], _top: Tabletop) -> None:
        self._in_hand(client)
        del self._held[client]

    def _return(self, client: str, _message: Mapping[str, Any], top: Tabletop) -> None:
        held = self._in_hand(client)
        if held.origin:
            top.put(held.origin, held.content)
        del self._held[client]

    def _in_hand(self, client: str) -> Held:
        if client not in self._held:
            raise RequestError("there is no stone in this hand: take one first")
        return self._held[client]

    def _empty_handed(self, client: str) -> None:
        if client in self._held:
            raise RequestError("this hand holds a stone already: put it down first")

    def _cells(self, name: str) -> tuple[Cell, ...]:
        try:
            return self._table.rules.spot(name)
        except NotationError as error:
            raise RequestError(str(error)) from error

    def _name(self, content: int) -> str:
        stones = self._table.rules.stones
        return stones[content] if stones else str(content)

    def _cell_name(self, cells: tuple[Cell, ...]) -> str | None:
        return self._table.rules.cells[cells[0]].name if cells else None

    def _tray(self, top: Tabletop) -> dict[str, int]:
        """Return what lies off the board and in no hand, by stone: all there is of each, less what is elsewhere."""
        rules = self._table.rules
        tray = dict(rules.supply(rules.initial()))
        for content in (*top.contents, *(held.content for held in self._held.values())):
            stone = self._name(content) if content else ""
            if stone in tray:
                tray[stone] -= 1
        return {stone: max(0, count) for stone, count in tray.items()}


_HANDS: Final[dict[str, Callable[[TableDesk, str, Mapping[str, Any], Tabletop], None]]] = {
    "take": TableDesk._take,  # noqa: SLF001 - the table of what hands do at a desk
    "lift": TableDesk._lift,  # noqa: SLF001
    "drop": TableDesk._drop,  # noqa: SLF001
    "discard": TableDesk._discard,  # noqa: SLF001
    "return": TableDesk._return,  # noqa: SLF001
}
