"""What the tests of the page share: a desk in memory, a server in a thread of its own, and a real Chromium.

To look at another desk in a browser, put the test into this folder and hand `serve_desk` a way to open that desk::

    @pytest.mark.browser
    def test_a_real_desk(serve_desk, open_page):
        @asynccontextmanager
        async def opened():          # runs in the server's loop, as the desk's own tasks and timers need
            desk = ...               # build it, start it
            yield desk
            ...                      # stop it

        served = serve_desk(opened)
        page = open_page(served.url)                       # keywords go to Browser.new_context: viewport, has_touch ...
        served.run(lambda: served.desk.something())        # anything that touches the desk runs in its loop

`open_page` gives a playwright `Page` (sync API) and fails the test on script errors. Without a Chromium the test is
skipped, unless STONELIGHT_REQUIRE_BROWSER is set. Give browser tests a module of their own (see `browser`).
"""

import asyncio
import os
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, TypeVar

import pytest

from controller.page.desk import Heard, RequestError
from controller.page.server import PageServer

T = TypeVar("T")
DEADLINE = 20.0

CHROMIUM_ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DARK = "#000000"
VIEWPORT = {"width": 1100, "height": 800}


class FakeDesk:
    """A board in memory with simple hands, one stone a hand. It knows no rules."""

    def __init__(self) -> None:
        self.names = [f"{file}{rank}" for file in "abcd" for rank in range(1, 5)]
        self.pieces = dict.fromkeys(self.names, "")
        self.sensed: dict[str, str] = {}  # where a sensor says something else than what lies there
        self.supply = {"R": 5, "B": 5, "Y": 6}
        self.held: dict[str, tuple[str, str | None]] = {}
        self.colours = dict.fromkeys(self.names, DARK)
        self.track = [DARK] * 24
        self.acts: list[tuple[str, dict[str, Any]]] = []
        self.lamps = {"brightness": 100, "night": False, "palette": "standard", "palettes": ["standard", "deutan"]}
        self.watchers: list[Heard] = []
        self.more: dict[str, Any] = {}
        self.left: list[str] = []

    def state(self) -> dict[str, Any]:
        cells = [
            {
                "id": name,
                "x": 1 + "abcd".index(name[0]),
                "y": int(name[1]),
                "stone": self.sensed.get(name, self.pieces[name]),
                "piece": self.pieces[name],
                "light": self.colours[name],
            }
            for name in self.names
        ]
        return {
            "game": {"name": "bamogo", "title": "Bamogo", "surface": "square", "settings": {}},
            "sensing": "colour",
            "simulated": True,
            "phase": "waiting",
            "words": "Player 1: place two stones side by side, or swap two",
            "question": None,
            "cells": cells,
            "track": list(self.track),
            "stones": list(self.supply),
            "supply": [{"stone": stone, "count": count} for stone, count in self.supply.items()],
            "players": [
                {"number": 1, "name": "Player 1", "score": 0, "turn": True, "colour": "#ff281e"},
                {"number": 2, "name": "Player 2", "score": 3, "turn": False, "colour": "#285aff"},
            ],
            "buttons": ["red", "blue", "yellow", "ok", "back", "new", "hint"],
            "moves": [],
            "outcome": None,
            "light": dict(self.lamps),
            "held": [
                {"client": client, "stone": stone, "from": origin} for client, (stone, origin) in self.held.items()
            ],
            **self.more,
        }

    def lights(self) -> dict[str, Any]:
        return {"cells": [cell["light"] for cell in self.state()["cells"]], "track": list(self.track)}

    def watch(self, heard: Heard) -> Callable[[], None]:
        self.watchers.append(heard)
        return lambda: self.watchers.remove(heard)

    def act(self, client: str, message: Mapping[str, Any]) -> None:
        self.acts.append((client, dict(message)))
        handler = getattr(self, "_" + message["type"])
        handler(client, *[value for key, value in message.items() if key != "type"])
        self.tell(full=True)

    def leave(self, client: str) -> None:
        self.left.append(client)
        if client in self.held:
            self._return(client)
        self.tell(full=True)

    def tell(self, *, full: bool) -> None:
        for heard in tuple(self.watchers):
            heard(full)

    # What tests do to the board from outside.

    def show(self, **more: Any) -> None:
        """Change parts of the state."""
        self.more.update(more)
        self.tell(full=True)

    def light(self, **colours: str) -> None:
        """Light cells."""
        self.colours.update(colours)
        self.tell(full=False)

    def put(self, **pieces: str) -> None:
        """Lay stones, as if hands had."""
        self.pieces.update(pieces)
        self.tell(full=True)

    # What hands do.

    def _take(self, client: str, stone: str) -> None:
        self._free(client)
        if not self.supply.get(stone):
            raise RequestError(f"there is no {stone} left")
        self.supply[stone] -= 1
        self.held[client] = (stone, None)

    def _lift(self, client: str, cell: str) -> None:
        self._free(client)
        if not self.pieces.get(cell):
            raise RequestError(f"nothing lies on {cell}")
        self.held[client] = (self.pieces[cell], cell)
        self.pieces[cell] = ""

    def _drop(self, client: str, cell: str) -> None:
        if client not in self.held:
            raise RequestError("this hand is empty")
        if cell not in self.pieces or self.pieces[cell]:
            raise RequestError(f"{cell} is taken")
        self.pieces[cell] = self.held.pop(client)[0]

    def _discard(self, client: str) -> None:
        if client not in self.held:
            raise RequestError("this hand is empty")
        self.supply[self.held.pop(client)[0]] += 1

    def _return(self, client: str) -> None:
        if client not in self.held:
            raise RequestError("this hand is empty")
        stone, origin = self.held.pop(client)
        if origin is None:
            self.supply[stone] += 1
        else:
            self.pieces[origin] = stone

    def _press(self, client: str, button: str) -> None:
        if button == "explode":
            raise ZeroDivisionError("a fault of the desk")

    def _touch(self, client: str, cell: str) -> None: ...

    def _light(self, client: str, setting: str, value: str) -> None:
        readers: dict[str, Callable[[str], Any]] = {"brightness": int, "night": "on".__eq__, "palette": str}
        self.lamps[setting] = readers[setting](value)

    def _free(self, client: str) -> None:
        if client in self.held:
            raise RequestError("this hand is full")


class FakeMonitor:
    """Cells that a test changes, as the monitor shows them."""

    def __init__(self) -> None:
        self.cells: list[dict[str, Any]] = [
            {"name": name, "raw": 512, "band": "empty", "noise": 1, "age_ms": None, "changes": 0, "mark": ""}
            for name in ("a1", "a2", "b1", "b2")
        ]
        self.more: dict[str, Any] = {"title": "Bamogo", "trouble": "", "pressed": ""}
        self.watchers: list[Heard] = []
        self.looks = 0

    def state(self) -> dict[str, Any]:
        self.looks += 1
        return {**self.more, "cells": [dict(cell) for cell in self.cells]}

    def watch(self, heard: Heard) -> Callable[[], None]:
        self.watchers.append(heard)
        return lambda: self.watchers.remove(heard)

    def change(self, cell: int = 0, **what: Any) -> None:
        """Change what is known of a cell."""
        self.cells[cell] |= what
        self.say()

    def say(self, **more: Any) -> None:
        """Change what else is shown."""
        self.more |= more
        for heard in tuple(self.watchers):
            heard(True)


@pytest.fixture
def desk() -> FakeDesk:
    """A fresh desk with an empty board."""
    return FakeDesk()


@pytest.fixture
def monitor() -> FakeMonitor:
    """A monitor of four empty cells."""
    return FakeMonitor()


class Served:
    """A desk and its page server in a thread with a loop of its own."""

    def __init__(
        self,
        opener: Callable[[], AbstractAsyncContextManager[Any]],
        texts: Mapping[str, Callable[[], str]] | None = None,
        monitor: Any = None,
    ) -> None:
        self.texts = texts
        self.monitor = monitor
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self._live, daemon=True)
        self.thread.start()
        self._opened = opener()
        self.desk: Any = self.wait(self._opened.__aenter__())
        self.server = PageServer(self.desk, "127.0.0.1", 0, texts=texts, monitor=monitor)
        self.wait(self.server.start())

    def _live(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_forever()
        self.loop.close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.port}/"

    def wait(self, awaitable: Any) -> Any:
        """Run a coroutine in the loop and return its result."""
        return asyncio.run_coroutine_threadsafe(awaitable, self.loop).result(DEADLINE)

    def run(self, do: Callable[[], T]) -> T:
        """Call a function in the loop and return its result."""

        async def call() -> T:
            return do()

        result: T = self.wait(call())
        return result

    def stop_server(self) -> None:
        self.wait(self.server.stop())

    def start_server(self) -> None:
        """Serve again on the same port."""
        self.server = PageServer(self.desk, "127.0.0.1", self.server.port, texts=self.texts, monitor=self.monitor)
        self.wait(self.server.start())

    def close(self) -> None:
        try:
            self.wait(self.server.stop())
            self.wait(self._opened.__aexit__(None, None, None))
        finally:
            self.loop.call_soon_threadsafe(self.loop.stop)
            self.thread.join(DEADLINE)


@pytest.fixture
def serve_desk() -> Iterator[Callable[..., Served]]:
    """A function that opens a desk in a thread's loop, serves its page and what goes with it; returns the `Served`."""
    opened: list[Served] = []

    def serve(
        opener: Callable[[], AbstractAsyncContextManager[Any]],
        texts: Mapping[str, Callable[[], str]] | None = None,
        monitor: Any = None,
    ) -> Served:
        opened.append(Served(opener, texts, monitor))
        return opened[-1]

    yield serve
    for served in reversed(opened):
        served.close()


@pytest.fixture
def served(serve_desk: Callable[..., Served], desk: FakeDesk) -> Served:
    """The fake desk, served."""

    @asynccontextmanager
    async def opened() -> Any:
        yield desk

    return serve_desk(opened)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless Chromium, for the tests of one module.

    Playwright keeps a loop running in this thread while the browser lives, so that `asyncio.run` cannot be called
    there: a module of browser tests holds no other tests.
    """
    executable = shutil.which("chromium")
    required = bool(os.environ.get("STONELIGHT_REQUIRE_BROWSER"))
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        executable, why = None, "playwright is not installed"
    else:
        why = "there is no chromium on this machine"
    if executable is None:
        if required:
            pytest.fail(f"STONELIGHT_REQUIRE_BROWSER is set, but {why}")
        pytest.skip(why)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, args=CHROMIUM_ARGS)
        yield chromium
        chromium.close()


class Pages:
    """Pages of one browser. One of the plain sort is kept from test to test: a fresh one costs a process."""

    def __init__(self, browser: Any) -> None:
        self.browser = browser
        self.errors: list[str] = []
        self.contexts: list[Any] = []
        self.plain: Any = None
        self.plain_in_use = False

    def open(self, url: str, **options: Any) -> Any:
        """Return a page that shows `url` and is connected; `options` go to its own context."""
        if options or self.plain_in_use:
            context = self._context(**options)
            self.contexts.append(context)
            page = self._page(context)
        else:
            if self.plain is None:
                self.plain = self._page(self._context())
            page, self.plain_in_use = self.plain, True
        page.goto(url)
        page.wait_for_selector('body[data-link="up"]')
        return page

    def put_away(self) -> list[str]:
        """Close what the test opened, and return the errors of its scripts."""
        for context in self.contexts:
            context.close()
        self.contexts.clear()
        if self.plain_in_use:
            self.plain.goto("about:blank")
            self.plain.mouse.move(0, 0)
            self.plain.set_viewport_size(VIEWPORT)
            self.plain_in_use = False
        errors, self.errors = self.errors, []
        return errors

    def _context(self, **options: Any) -> Any:
        context = self.browser.new_context(**{"viewport": VIEWPORT, **options})
        context.set_default_timeout(DEADLINE * 1000)
        return context

    def _page(self, context: Any) -> Any:
        page = context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._note)
        return page

    def _note(self, message: Any) -> None:
        """Keep what the console calls an error, apart from lines that could not be opened: tests stop servers."""
        if message.type == "error" and "WebSocket connection to" not in message.text:
            self.errors.append(message.text)


@pytest.fixture(scope="module")
def pages(browser: Any) -> Pages:
    """The pages of a module's tests; tests use `open_page`."""
    return Pages(browser)


@pytest.fixture
def open_page(pages: Pages) -> Iterator[Callable[..., Any]]:
    """A function that opens a page; any error in a script fails the test."""
    yield pages.open
    assert pages.put_away() == []
