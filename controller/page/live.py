"""One line to each open page: what changed goes out, what its hand does comes in.

Every page has two tasks of its own, one that sends and one that reads, and shares with the others only the text of the
newest state. A page that does not read holds up nobody: what it misses is told to it once, as it then stands.
"""

import asyncio
import contextlib
import json
import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from controller.page.desk import Desk, RequestError, Shown
from controller.page.messages import parse
from controller.page.pace import STATE_GAP, Allowance, Due, Outbox, Verdict

logger = logging.getLogger(__name__)

MOST_PAGES: Final = 64
"""Pages served at once. A state for each of them still fits in a blink on the smallest board computer."""

MONITOR_GAP: Final = 0.2
"""Seconds from one state of a monitor to the next: as fast as numbers can be read."""

FAREWELL: Final = 0.2
"""Seconds that a page is given to take the goodbye when the server stops."""

GOING_AWAY: Final = 1001
POLICY: Final = 1008
BROKEN: Final = 1011
TRY_LATER: Final = 1013
"""Close codes of RFC 6455, section 7.4, and of the registry that it opens (1013)."""


class Page:
    """One open page: its name, what it has still to be told, how much it may say, how many messages came from it."""

    def __init__(self, client: str, websocket: WebSocket, gap: float) -> None:
        self.client = client
        self.websocket = websocket
        self.outbox = Outbox(gap)
        self.allowance = Allowance()
        self.news = asyncio.Event()
        self.acted = 0

    def tell(self, *, full: bool) -> None:
        """Note that there is something new to show."""
        self.outbox.heard(full=full)
        self.news.set()

    def refuse(self, words: str) -> None:
        """Tell this page alone that something cannot be done."""
        self.outbox.errors.append(words)
        self.news.set()


class Lines:
    """All open pages that show one thing. It is watched while at least one page is open.

    Args:
        shown: what the pages show.
        gap: seconds from one state to the next, for each page.
    """

    def __init__(self, shown: Shown, gap: float = STATE_GAP) -> None:
        self._shown = shown
        self._gap = gap
        self._pages: dict[str, Page] = {}
        self._version = 0
        self._texts: dict[Due, str] = {}
        self._unwatch: Callable[[], None] | None = None
        self._closing = False

    async def attend(self, websocket: WebSocket) -> None:
        """Serve one page, from its accepted handshake until either side goes away."""
        if self._closing or len(self._pages) >= MOST_PAGES:
            await self._turn_away(websocket)
            return
        page = self._join(websocket)
        sending = asyncio.create_task(self._send(page))
        reading = asyncio.create_task(self._read(page))
        try:
            await asyncio.wait((sending, reading), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, reading):
                task.cancel()
            results = await asyncio.gather(sending, reading, return_exceptions=True)
            self._part(page)
        for trouble in results:
            # Sending on a line that either side has closed meanwhile is no trouble.
            if isinstance(trouble, Exception) and _open(websocket) and not isinstance(trouble, WebSocketDisconnect):
                logger.error("page %s was dropped", page.client, exc_info=trouble)
                await _close(websocket, BROKEN)

    async def close(self) -> None:
        """Say goodbye to every page and take no new ones. A page that does not take the goodbye is left behind."""
        self._closing = True
        goodbyes = [asyncio.create_task(_close(page.websocket, GOING_AWAY)) for page in self._pages.values()]
        if goodbyes:
            _, late = await asyncio.wait(goodbyes, timeout=FAREWELL)
            for task in late:
                task.cancel()

    def _join(self, websocket: WebSocket) -> Page:
        """Give the page a name and a place."""
        page = Page(secrets.token_hex(4), websocket, self._gap)
        if not self._pages:
            self._texts.clear()
            self._unwatch = self._shown.watch(self._heard)
        self._pages[page.client] = page
        return page

    def _part(self, page: Page) -> None:
        """Take the page's place away, and what its hand held."""
        self._pages.pop(page.client, None)
        if not self._pages and self._unwatch is not None:
            self._unwatch()
            self._unwatch = None
        self._left(page)

    def _heard(self, full: bool) -> None:  # noqa: FBT001  (what is shown calls it so)
        """Note for every page that the state, or only the lights, changed."""
        self._texts.pop(Due.LIGHTS, None)
        self._texts.pop(Due.STATE, None)
        for page in self._pages.values():
            page.tell(full=full)

    async def _send(self, page: Page) -> None:
        """Send what is due, when it is due, for as long as the page takes it."""
        loop = asyncio.get_running_loop()
        while True:
            page.news.clear()
            due = page.outbox.take(loop.time())
            if due is None:
                delay = max(0.0, page.outbox.due_at() - loop.time())
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(page.news.wait(), delay)
                continue
            await page.websocket.send_text(self._text(page, due))

    def _text(self, page: Page, due: Due) -> str:
        """Return the message for one page: the shared text, with what is this page's own in front."""
        self._version += 1
        head: dict[str, Any] = {"type": due.value, "version": self._version}
        if due is Due.ERROR:
            return _json({**head, "message": page.outbox.errors.popleft()})
        if due is Due.STATE:
            head |= self._own(page)
        if due not in self._texts:
            self._texts[due] = _json(self._body(due))
        return f"{_json(head)[:-1]},{self._texts[due][1:]}"

    async def _read(self, page: Page) -> None:
        """Read what the page says until it goes away, or says far too much."""
        loop = asyncio.get_running_loop()
        while True:
            event: Mapping[str, Any] = await page.websocket.receive()
            if event["type"] == "websocket.disconnect":
                return
            page.acted += 1
            match page.allowance.judge(loop.time()):
                case Verdict.WELCOME:
                    text = event.get("text")
                    self._said(page, event.get("bytes") or b"" if text is None else text)
                case Verdict.TOO_MANY:
                    page.refuse("that was too much at once: the board does not listen to this page for a second")
                case Verdict.GOODBYE:
                    await _close(page.websocket, POLICY)
                    return
                case Verdict.IGNORED:
                    pass
            # Messages that are here already come without waiting: between two of them everybody else has a turn.
            await asyncio.sleep(0)

    async def _turn_away(self, websocket: WebSocket) -> None:
        """Refuse a page that there is no room for."""
        words = "the board is stopping" if self._closing else f"{MOST_PAGES} pages are open already: close one of them"
        try:
            await websocket.send_text(_json({"type": "error", "message": words}))
        except (WebSocketDisconnect, RuntimeError):
            return
        await _close(websocket, GOING_AWAY if self._closing else TRY_LATER)

    # What is shown makes the difference -------------------------------------------------------------------------------

    def _own(self, page: Page) -> dict[str, Any]:  # noqa: ARG002
        """Return what only this page is told with a state."""
        return {}

    def _body(self, due: Due) -> Mapping[str, Any]:  # noqa: ARG002
        """Return what all pages are told that are due so: STATE or LIGHTS."""
        return self._shown.state()

    def _said(self, page: Page, text: str | bytes) -> None:  # noqa: ARG002
        """Take what a page says."""
        page.refuse("this page shows the board; it is played with at /")

    def _left(self, page: Page) -> None:
        """Take that a page is gone."""


class DeskLines(Lines):
    """All open pages of one desk, and their hands.

    Args:
        desk: what the pages show.
        texts: the names of what is served beside the page; each state names them.
    """

    def __init__(self, desk: Desk, texts: Sequence[str] = ()) -> None:
        super().__init__(desk)
        self._desk = desk
        self._names = list(texts)

    def _own(self, page: Page) -> dict[str, Any]:
        return {"you": page.client, "acted": page.acted, **({"texts": self._names} if self._names else {})}

    def _body(self, due: Due) -> Mapping[str, Any]:
        return self._desk.state() if due is Due.STATE else self._desk.lights()

    def _said(self, page: Page, text: str | bytes) -> None:
        """Pass on what the page's hand does; what cannot be done is said to that page alone."""
        try:
            self._desk.act(page.client, parse(text))
        except RequestError as refusal:
            page.refuse(str(refusal))
        except Exception:
            logger.exception("the desk failed at a request of page %s", page.client)
            page.refuse("something went wrong inside the controller; its log says what")

    def _left(self, page: Page) -> None:
        """What the page's hand held goes back."""
        try:
            self._desk.leave(page.client)
        except Exception:
            logger.exception("the desk could not let page %s go", page.client)


class MonitorLines(Lines):
    """All open monitors. What they show grows old by itself, so silence is broken by a fresh state.

    Args:
        monitor: what they show.
    """

    def __init__(self, monitor: Shown) -> None:
        super().__init__(monitor, MONITOR_GAP)
        self._made_at = float("-inf")

    def _text(self, page: Page, due: Due) -> str:
        now = asyncio.get_running_loop().time()
        if now - self._made_at >= MONITOR_GAP:
            self._made_at = now
            self._texts.clear()
        return super()._text(page, Due.STATE if due is Due.LIGHTS else due)


def _open(websocket: WebSocket) -> bool:
    """Return whether neither side has closed the line."""
    return WebSocketState.DISCONNECTED not in (websocket.application_state, websocket.client_state)


async def _close(websocket: WebSocket, code: int) -> None:
    """Close the line; that the other side was quicker is no fault."""
    try:
        await websocket.close(code)
    except (WebSocketDisconnect, RuntimeError):
        logger.debug("a page had gone before it was closed with %d", code)


def _json(value: Mapping[str, Any]) -> str:
    """Return compact JSON, ASCII only."""
    return json.dumps(value, separators=(",", ":"))
