"""The page of the monitor in a real Chromium: every cell with its numbers, on a desk and on a phone."""

import asyncio
import random
import re
import time
from collections.abc import Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from controller.app.desk import TableDesk
from controller.app.loop import Loop, clock
from controller.app.monitor import CellMonitor
from controller.app.simulated import Via, simulated_rig
from controller.games.seam import load_game
from controller.match import Dealer
from hardware.ports import Sensing

expect = pytest.importorskip("playwright.sync_api").expect
pytestmark = pytest.mark.browser

NONE = "\N{EN DASH}"
SPACE = "\N{NO-BREAK SPACE}"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def row(page: Any, name: str) -> Any:
    return page.locator(f'[data-cell="{name}"] > *')


@pytest.fixture
def watched(serve_desk: Callable[..., Any], desk: Any, monitor: Any) -> Any:
    """The fake desk with the fake monitor, served."""

    @asynccontextmanager
    async def opened() -> Any:
        yield desk

    return serve_desk(opened, monitor=monitor)


def test_every_cell_has_a_row_that_follows_it(watched: Any, monitor: Any, open_page: Callable[..., Any]) -> None:
    page = open_page(watched.url + "monitor", **PHONE)  # a page of its own, whose clock stands still below
    expect(page.get_by_role("columnheader")).to_have_text(["cell", "raw", "band", "noise", "age", "changes"])
    expect(row(page, "a1")).to_have_text(["a1", "512", "empty", "1", NONE, "0"])
    page.clock.install()
    page.clock.pause_at(time.time() + 60)
    watched.run(lambda: monitor.change(1, raw=198, band="red", noise=3, age_ms=1200, changes=2))
    expect(row(page, "a2")).to_have_text(["a2", "198", "red", "3", f"1.2{SPACE}s", "2"])
    expect(page.locator('[data-cell="a2"]')).to_have_attribute("data-fresh", "true")
    # Ages go on while the board says nothing.
    page.clock.run_for(1000)
    expect(row(page, "a2").nth(4)).to_have_text(f"2.2{SPACE}s")
    expect(page.locator('[data-cell="a2"]')).to_have_attribute("data-fresh", "false")
    watched.run(lambda: monitor.change(2, raw=None, noise=None, band="?", mark="sick"))
    expect(row(page, "b1")).to_have_text(["b1", NONE, "?, sick", NONE, NONE, "0"])
    expect(page.locator('[data-mark="sick"]')).to_have_count(1)
    expect(page.get_by_role("status")).to_have_text("Bamogo")
    watched.run(lambda: monitor.say(pressed="ok"))
    expect(page.get_by_role("status")).to_have_text("Bamogo, last button: ok")
    watched.run(lambda: monitor.say(trouble="the cable is out"))
    expect(page.get_by_role("status")).to_have_text("the cable is out")


def test_a_monitor_says_that_the_line_is_lost_and_comes_back(
    watched: Any, monitor: Any, open_page: Callable[..., Any]
) -> None:
    page = open_page(watched.url + "monitor")
    watched.stop_server()
    expect(page.get_by_role("status")).to_have_text("Connection lost, trying again")
    monitor.cells[0]["raw"] = 77
    watched.start_server()
    expect(row(page, "a1").nth(1)).to_have_text("77")
    expect(page.locator("body")).to_have_attribute("data-link", "up")


def test_the_way_to_the_monitor_and_back(watched: Any, monitor: Any, open_page: Callable[..., Any]) -> None:
    page = open_page(watched.url)
    page.get_by_role("link", name="Cells").click()
    expect(row(page, "a1").first).to_have_text("a1")
    assert len(monitor.watchers) == 1
    page.get_by_role("link", name="To the board").click()
    page.wait_for_selector('body[data-link="up"] [data-cell="a1"][role="gridcell"]')
    assert monitor.watchers == []


def test_words_are_never_markup(watched: Any, monitor: Any, open_page: Callable[..., Any]) -> None:
    monitor.cells[0]["band"] = monitor.more["trouble"] = "<img src=x>"
    page = open_page(watched.url + "monitor")
    expect(row(page, "a1").nth(2)).to_have_text("<img src=x>")
    expect(page.locator("img")).to_have_count(0)


@pytest.mark.parametrize("options", [PHONE, {**PHONE, "viewport": {"width": 360, "height": 740}}], ids=["390", "360"])
def test_the_longest_numbers_fit_a_phone(
    watched: Any, monitor: Any, open_page: Callable[..., Any], options: dict[str, Any]
) -> None:
    monitor.cells = [
        {
            "name": "p16",
            "raw": 65535,
            "band": "occupied",
            "noise": 65535,
            "age_ms": 119_000,
            "changes": 1000,
            "mark": "",
        },
        {"name": "p15", "raw": 65535, "band": "yellow", "noise": 9, "age_ms": 7000, "changes": 12, "mark": "masked"},
    ]
    page = open_page(watched.url + "monitor", **options)
    expect(row(page, "p16")).to_have_count(6)
    assert page.evaluate("document.documentElement.scrollWidth") <= options["viewport"]["width"]
    heights = page.evaluate("[...document.querySelectorAll('tr')].map((row) => row.offsetHeight)")
    assert heights[1] == min(heights[1:]), "numbers stay on one line"


def test_a_running_game_shows_what_its_sensors_give(
    serve_desk: Callable[..., Any], open_page: Callable[..., Any]
) -> None:
    dealer = Dealer(load_game("bamogo"), None, {}, random.Random(1))
    rig = simulated_rig(dealer, Sensing.COLOUR, Via.PINS)
    loop = Loop(rig)
    monitor = CellMonitor(rig, "Bamogo", clock, loop.wake)
    table_desk = TableDesk(rig, "Bamogo", clock, loop.wake)
    loop.listeners += [table_desk.stepped, monitor.stepped]

    @asynccontextmanager
    async def opened() -> Any:
        running = asyncio.ensure_future(loop.run())
        yield table_desk
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        rig.close()

    served = serve_desk(opened, monitor=monitor)
    page = open_page(served.url + "monitor")
    expect(row(page, "a1").nth(1)).to_have_text(re.compile(r"^51\d$"))

    def put() -> None:
        assert rig.top is not None
        rig.top.advance(clock())
        rig.top.put([0], 1)

    served.run(put)
    expect(row(page, "a1").nth(2)).to_have_text("red")
    expect(row(page, "a1").nth(1)).to_have_text(re.compile(r"^[12]\d\d$"))
    expect(row(page, "b1").nth(3)).to_have_text(re.compile(r"^[1-9]$"))
