"""The real thing: ``stonelight play`` as a process, in a real Chromium: drags, taps, colours, swaps, two pages."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

expect = pytest.importorskip("playwright.sync_api").expect
pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[3]
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
DEADLINE = 30.0


@pytest.fixture
def play(browser: Any) -> Iterator[Callable[..., str]]:
    """A function that starts ``stonelight play bamogo`` and returns the address of its page."""
    processes: list[subprocess.Popen[str]] = []

    def started(*words: str) -> str:
        environment = {key: value for key, value in os.environ.items() if key not in {"DISPLAY", "WAYLAND_DISPLAY"}}
        process = subprocess.Popen(
            [
                sys.executable, "-m", "controller", "play", "bamogo", "--http-port", "0", "--host", "127.0.0.1",
                "--no-browser", "--set", "first=1", *words,
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=environment,
        )  # fmt: skip
        processes.append(process)
        assert process.stdout is not None
        process.stdout.readline()
        return process.stdout.readline().strip()

    yield started
    said = []
    for process in processes:
        process.terminate()
        try:
            said.append((process.communicate(timeout=DEADLINE)[1], process.returncode))
        finally:
            process.kill()
    assert said == [("", 0)] * len(said)


def cell(page: Any, name: str) -> Any:
    return page.locator(f'[data-cell="{name}"]')


def pile(page: Any, stone: str) -> Any:
    return page.locator(f'[data-supply="{stone}"]')


def button(page: Any, name: str) -> Any:
    return page.locator(f'[data-button="{name}"]')


def middle(locator: Any) -> tuple[float, float]:
    locator.scroll_into_view_if_needed()
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Any, start: Any, end: Any) -> None:
    page.mouse.move(*middle(start))
    page.mouse.down()
    page.mouse.move(*middle(end), steps=4)
    page.mouse.up()


def on_turn(page: Any, player: int) -> None:
    expect(page.locator(f'[data-player="{player}"]')).to_have_attribute("data-turn", "true")


def phase(page: Any, name: str) -> None:
    expect(page.locator("body")).to_have_attribute("data-phase", name)


def test_a_blind_board_is_played_by_drag_and_tap_with_colours_pressed(
    play: Callable[..., str], open_page: Callable[..., Any]
) -> None:
    page = open_page(play())
    phase(page, "waiting")
    on_turn(page, 1)
    drag(page, pile(page, "R"), cell(page, "a1"))
    expect(cell(page, "a1")).to_have_attribute("data-stone", "?")
    expect(cell(page, "a1")).to_have_attribute("data-piece", "R")
    expect(pile(page, "R")).to_have_attribute("data-count", "4")
    phase(page, "handling")
    drag(page, pile(page, "B"), cell(page, "b1"))
    phase(page, "asking")
    expect(page.get_by_role("status")).to_contain_text("which colour is the stone on a1")
    button(page, "red").click()
    expect(page.get_by_role("status")).to_contain_text("which colour is the stone on b1")
    expect(cell(page, "a1")).to_have_attribute("data-stone", "R")
    button(page, "blue").click()
    phase(page, "waiting")
    on_turn(page, 2)
    expect(page.locator("#moves li")).to_have_text(["1.Ra1 Bb1"])
    expect(cell(page, "b1")).to_have_attribute("data-stone", "B")
    # The next player taps: the pile, then the cell.
    for stone, name in (("Y", "c2"), ("R", "c3")):
        pile(page, stone).click()
        cell(page, name).click()
    phase(page, "asking")
    for name in ("yellow", "red"):
        expect(button(page, name)).to_be_visible()
        words = page.get_by_role("status").inner_text()
        button(page, name).click()
        expect(page.get_by_role("status")).not_to_have_text(words)
    phase(page, "waiting")
    expect(page.locator("#moves li")).to_have_count(2)
    expect(page.locator("#moves li").nth(1)).to_contain_text("Yc2 Rc3")
    on_turn(page, 1)
    button(page, "back").click()
    phase(page, "mending")
    expect(page.get_by_role("status")).to_contain_text("c2")
    expect(page.locator("#moves li")).to_have_count(1)


def test_two_pages_see_one_game_and_a_row_scores(play: Callable[..., str], open_page: Callable[..., Any]) -> None:
    address = play("--sense", "colour")
    one, other = open_page(address), open_page(address)
    for stone, name in (("R", "a1"), ("B", "b2")):
        drag(one, pile(one, stone), cell(one, name))
    expect(one.get_by_role("status")).to_contain_text("no move")  # a diagonal is no side
    drag(one, cell(one, "b2"), cell(one, "b1"))
    on_turn(one, 2)
    on_turn(other, 2)
    expect(other.locator("#moves li")).to_have_text(["1.Ra1 Bb1"])
    for stone, name in (("R", "b2"), ("Y", "a2")):
        drag(other, pile(other, stone), cell(other, name))
    on_turn(one, 1)
    for stone, name in (("R", "c3"), ("B", "d3")):
        drag(one, pile(one, stone), cell(one, name))
    expect(other.locator('[data-player="1"]')).to_have_attribute("data-score", "1")  # a1, b2, c3
    expect(one.locator('[data-player="1"]')).to_have_attribute("data-score", "1")
    for name in ("a1", "b2", "c3"):
        expect(other.locator(f'[data-cell="{name}"]:not([data-light="#000000"])')).to_have_count(1)
    # A swap: one stone dragged onto its neighbour.
    on_turn(other, 2)
    drag(other, cell(other, "a1"), cell(other, "b1"))
    expect(one.locator("#moves li").last).to_contain_text("a1~b1")
    expect(one.locator('[data-cell="a1"]')).to_have_attribute("data-stone", "B")
    expect(one.locator('[data-cell="b1"]')).to_have_attribute("data-stone", "R")
    on_turn(one, 1)


def test_it_is_played_on_a_phone(play: Callable[..., str], open_page: Callable[..., Any]) -> None:
    page = open_page(play("--sense", "colour"), **PHONE)
    for stone, name in (("Y", "d4"), ("B", "d3")):
        pile(page, stone).tap()
        cell(page, name).tap()
    on_turn(page, 2)
    expect(page.locator("#moves li")).to_contain_text("Bd3 Yd4")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    button(page, "new").tap()
    expect(page.get_by_role("status")).to_contain_text("ok for a new round")
    button(page, "ok").tap()
    phase(page, "setup")
    for name in ("d3", "d4"):
        cell(page, name).tap()
        pile(page, "R").tap()  # off the board
    phase(page, "waiting")
    expect(page.locator("#moves li")).to_have_count(0)
