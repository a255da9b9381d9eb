"""`TableDesk`: a rig as the page sees it, and the hands of pages on a simulated board."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from controller.app import lights, sweep, whatif
from controller.app.rig import Rig
from controller.games.seam import AnyRules, Cell, Content, NotationError
from controller.page.desk import Heard, RequestError
from controller.table.core import Table
from controller.table.view import BUTTONS, hex_colours, placement, view
from controller.turns.phases import Phase
from hardware.ports import Frame, Millis
from simulator.tabletop import HandError, Tabletop

PRESS_MS: Final = 120
"""How long a press of a page's button lasts on a simulated board."""


SEED: Final = "seed"
"""How the supply of a sowing game calls what lies beside the board."""


@dataclass(slots=True)
class Held:
    """What is in a page's hand: a stone, or so many seeds; and the cells it came from (none: the supply)."""

    content: Content
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
        self._swept: sweep.Swept | None = None
        self._told = (-1, rig.mood, b"")

    # What pages see ---------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Return all that a page shows; see `controller.page.desk.Desk`."""
        state = view(self._table, self._frame())
        state["game"]["title"] = self._title
        state["light"] = lights.chosen(self._rig)
        state["seats"] = list(self._seats())
        state["simulated"] = self._rig.top is not None
        state["held"] = [self._shown(client, held) for client, held in self._held.items()]
        if self._rig.top is not None:
            self._reveal(self._rig.top, state)
        return state

    def lights(self) -> dict[str, Any]:
        """Return the colours of cells and track."""
        colours = hex_colours(self._frame())
        cells = len(self._table.rules.cells)
        return {"cells": colours[:cells], "track": colours[cells:]}

    def watch(self, heard: Heard) -> Callable[[], None]:
        """Call `heard` at each change; return what ends that."""
        key = object()
        self._hearers[key] = heard
        return lambda: self._hearers.pop(key, None) and None

    def stepped(self) -> None:
        """Tell the pages what the last step has changed, if anything."""
        now = (self._table.changes, self._rig.mood, self._frame())
        if now == self._told:
            return
        full = now[:2] != self._told[:2]
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
        elif kind == "light":
            lights.choose(self._rig, message["setting"], message["value"], self._clock())
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
        """A page is gone: what it held goes back to where it came from, or off the board where a stone lies there."""
        held = self._held.pop(client, None)
        top = self._rig.top
        if held is None or top is None:
            return
        if held.origin and (self._heaps or not any(top.contents[cell] for cell in held.origin)):
            top.advance(self._clock())
            top.put(held.origin, held.content)
        self._tell(full=True)
        self._wake()

    @property
    def _table(self) -> Table:
        return self._rig.table

    def _frame(self) -> Frame:
        """Return the lights as eyes see them at this moment."""
        frame = self._table.frame(self._clock())
        return frame if self._rig.top is None else self._rig.top.seen(frame)

    @property
    def _heaps(self) -> bool:
        """Whether a cell is a pit of seeds, and a hand holds a number of them."""
        return not self._table.rules.stones

    def _shown(self, client: str, held: Held) -> dict[str, Any]:
        """Return a hand as pages see it."""
        rules = self._table.rules
        return {
            "client": client,
            "stone": SEED if self._heaps else rules.stones[held.content],
            "count": held.content if self._heaps else 1,
            "from": rules.cells[held.origin[0]].name if held.origin else None,
            "placement": placement(rules, held.origin),
        }

    def _reveal(self, top: Tabletop, state: dict[str, Any]) -> None:
        """Write into a state what a simulated board knows besides: what really lies where, and what can be wrong."""
        rules = self._table.rules
        for cell, shown in enumerate(state["cells"]):
            content = top.contents[cell]
            shown["piece"] = str(content) if self._heaps else rules.stones[content]
            if "placement" in shown:
                shown["placement"] = placement(rules, top.piece(cell)) if content else ""
        state["supply"] = [{"stone": stone, "count": count} for stone, count in self._tray(top).items()]
        state["faults"] = whatif.offered(top)
        state["sweep"] = sweep.action(top, self._table.round, self._swept)

    def _tell(self, *, full: bool) -> None:
        for heard in list(self._hearers.values()):
            heard(full)

    def _seats(self) -> Sequence[str]:
        """Return the seats that may be pressed now to say who begins: all, while a round is being set up."""
        table = self._table
        setting_up = table.phase is Phase.SETUP and table.watch is not None and not table.round.plies
        return [str(seat) for seat in range(1, table.rules.players + 1)] if setting_up else ()

    def _press(self, button: str) -> None:
        seats = range(1, self._table.rules.players + 1)
        if button not in BUTTONS and button not in map(str, seats):
            raise RequestError(f"there is no button {button!r} on this board")
        asked = self._table.question
        answers = asked is not None and button in asked.options
        if button not in BUTTONS and button not in self._seats() and not answers:
            raise RequestError("who begins can be said only while the board is being set up")
        top = self._rig.top
        if top is None:
            self._rig.press(button, self._clock())
        else:
            top.advance(self._clock())
            top.press(button, PRESS_MS)

    # Hands ------------------------------------------------------------------------------------------------------------

    def _take(self, client: str, message: Mapping[str, Any], top: Tabletop) -> None:
        stone = message["stone"]
        if self._tray(top).get(stone, 0) < 1:
            raise RequestError(f"there is no {stone} left in the supply")
        if self._heaps and client in self._held:
            self._held[client].content += 1
            return
        self._empty_handed(client)
        self._held[client] = Held(1 if self._heaps else _content(self._table.rules, stone), ())

    def _lift(self, client: str, message: Mapping[str, Any], top: Tabletop) -> None:
        self._empty_handed(client)
        cells = self._cells(message["cell"])
        origin = top.piece(cells[0])
        self._held[client] = Held(top.take(cells), origin)

    def _pick(self, client: str, message: Mapping[str, Any], top: Tabletop) -> None:
        """Take one seed out of a pit, whatever the hand holds already."""
        if not self._heaps:
            raise RequestError("on this board a hand takes whole stones")
        cells = self._cells(message["cell"])
        top.take(cells, most=1)
        held = self._held.setdefault(client, Held(0, cells))
        held.content += 1

    def _drop(self, client: str, message: Mapping[str, Any], top: Tabletop) -> None:
        held = self._in_hand(client)
        cells = self._cells(message["cell"])
        if self._table.rules.surface == "mat" and len(cells) == 1:
            name = message["cell"]
            raise RequestError(f"a stone covers two places: say H{name} or V{name} instead of {name}")
        top.put(cells, 1 if self._heaps else held.content)
        if self._heaps and held.content > 1:
            held.content -= 1
        else:
            del self._held[client]

    def _discard(self, client: str, _message: Mapping[str, Any], _top: Tabletop) -> None:
        self._in_hand(client)
        del self._held[client]

    def _return(self, client: str, _message: Mapping[str, Any], top: Tabletop) -> None:
        held = self._in_hand(client)
        if held.origin:
            top.put(held.origin, held.content)
        del self._held[client]

    def _sweep(self, _client: str, _message: Mapping[str, Any], top: Tabletop) -> None:
        if self._swept is not None and sweep.can_put_back(top, self._table.round, self._swept):
            sweep.put_back(top, self._swept)
            self._swept = None
        else:
            self._swept = sweep.sweep(top, self._table.round)

    def _whatif(self, _client: str, message: Mapping[str, Any], top: Tabletop) -> None:
        cell = message.get("cell", "")
        if cell:
            self._cells(cell)
        whatif.ask(top, message["fault"], cell)

    def _in_hand(self, client: str) -> Held:
        if client not in self._held:
            raise RequestError("there is nothing in this hand: take something first")
        return self._held[client]

    def _empty_handed(self, client: str) -> None:
        if client in self._held:
            raise RequestError("this hand is full already: put down first what it holds")

    def _cells(self, name: str) -> tuple[Cell, ...]:
        try:
            return self._table.rules.spot(name)
        except NotationError as error:
            raise RequestError(str(error)) from error

    def _tray(self, top: Tabletop) -> dict[str, int]:
        """Return what lies off the board and in no hand, by stone or owner: all there is, less what is elsewhere."""
        rules = self._table.rules
        hands = [held.content for held in self._held.values()]
        start = rules.initial()
        if self._heaps:
            return {SEED: max(0, sum(rules.contents(start)) - sum(top.contents) - sum(hands))}
        lying = [content for cell, content in enumerate(top.contents) if content and top.piece(cell)[0] == cell]
        elsewhere = Counter((*lying, *hands))
        return {
            stone: max(0, count - elsewhere[_content(rules, stone)]) for stone, count in rules.supply(start).items()
        }


def _content(rules: AnyRules, stone: str) -> Content:
    """Return the content that a stone of the supply has on a cell; owners are numbered as their stones are."""
    return rules.stones.index(stone) if stone in rules.stones else int(stone)


_HANDS: Final[dict[str, Callable[[TableDesk, str, Mapping[str, Any], Tabletop], None]]] = {
    "take": TableDesk._take,  # noqa: SLF001 - the table of what hands do at a desk
    "lift": TableDesk._lift,  # noqa: SLF001
    "pick": TableDesk._pick,  # noqa: SLF001
    "drop": TableDesk._drop,  # noqa: SLF001
    "discard": TableDesk._discard,  # noqa: SLF001
    "return": TableDesk._return,  # noqa: SLF001
    "sweep": TableDesk._sweep,  # noqa: SLF001
    "whatif": TableDesk._whatif,  # noqa: SLF001
}
