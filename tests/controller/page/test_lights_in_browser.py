"""The panel of the lights in a real Chromium: by mouse, finger and keys, on two pages, and not too often."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

expect = pytest.importorskip("playwright.sync_api").expect
pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}


def said(served: Any) -> list[tuple[str, str]]:
    acts = served.run(lambda: list(served.desk.acts))
    return [(message["setting"], message["value"]) for _, message in acts]


def slider(page: Any) -> Any:
    return page.get_by_role("slider", name="Brightness")


def unfold(page: Any) -> None:
    page.get_by_text("Lights", exact=True).click()
    expect(slider(page)).to_be_visible()


def stop_clock(page: Any) -> None:
    """Let time in the page stand still, but for what `page.clock.run_for` gives it."""
    page.clock.install(time=0)
    page.clock.pause_at(10_000)


def heard(served: Any, value: str) -> list[tuple[str, str]]:
    """Wait until the board has heard of that value last; return all it has heard."""

    async def until() -> None:
        while not served.desk.acts or served.desk.acts[-1][1]["value"] != value:  # noqa: ASYNC110  (nothing tells what a page has said)
            await asyncio.sleep(0.005)

    served.wait(until())
    return said(served)


def test_two_pages_set_the_lights_and_show_what_is_so(served: Any, open_page: Callable[..., Any]) -> None:
    one, two = open_page(served.url), open_page(served.url, **PHONE)
    expect(slider(one)).to_be_hidden()
    for page in (one, two):
        unfold(page)
    two.get_by_role("switch", name="Night").tap()
    expect(one.get_by_role("switch", name="Night")).to_have_attribute("aria-checked", "true")
    one.get_by_label("Palette").select_option("deutan")
    expect(two.get_by_label("Palette")).to_have_value("deutan")
    one.get_by_role("switch", name="Night").focus()
    one.keyboard.press("Space")
    expect(two.get_by_role("switch", name="Night")).to_have_attribute("aria-checked", "false")
    slider(one).focus()
    one.keyboard.press("Home")
    expect(slider(two)).to_have_value("1")
    expect(two.locator("#lights .percent")).to_have_text("1 %")
    assert said(served) == [("night", "on"), ("palette", "deutan"), ("night", "off"), ("brightness", "1")]
    for box in two.locator("[data-setting]").evaluate_all("all => all.map(each => each.getBoundingClientRect())"):
        assert box["height"] >= 44
    assert two.evaluate("document.documentElement.scrollWidth") <= 320


def test_a_drag_of_the_slider_is_told_now_and_then_and_where_it_ends(
    served: Any, open_page: Callable[..., Any]
) -> None:
    page = open_page(served.url, locale="en-GB")  # a clock that is stopped stays so: a page of its own
    unfold(page)
    stop_clock(page)
    for value in range(90, 60, -1):
        slider(page).evaluate(f"slider => {{ slider.value = {value}; slider.dispatchEvent(new Event('input')); }}")
        page.clock.run_for(20)  # ms
    page.clock.run_for(200)
    told = heard(served, "61")
    assert told[0] == ("brightness", "90")
    assert 3 <= len(told) <= 5, "600 ms, and one every 200 ms"
    expect(slider(page)).to_have_value("61")


def test_what_the_board_says_does_not_pull_the_slider_back(served: Any, open_page: Callable[..., Any]) -> None:
    page = open_page(served.url, locale="en-GB")
    unfold(page)
    stop_clock(page)
    slider(page).focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    heard(served, "99")
    served.run(lambda: served.desk.show(words="a state from before"))
    expect(page.get_by_role("status")).to_have_text("a state from before")
    expect(slider(page)).to_have_value("98")
    page.clock.run_for(250)
    assert heard(served, "98") == [("brightness", "99"), ("brightness", "98")]
    served.run(lambda: served.desk.lamps.update(brightness=70))
    served.run(served.desk.show)
    expect(slider(page)).to_have_value("70")


def test_a_refused_setting_shows_again_what_is_so(served: Any, open_page: Callable[..., Any]) -> None:
    page = open_page(served.url)
    unfold(page)
    served.stop_server()
    expect(page.locator("body")).to_have_attribute("data-link", "lost")
    slider(page).focus()
    page.keyboard.press("Home")
    expect(slider(page)).to_have_value("100")
    expect(page.locator("#lights .percent")).to_have_text("100 %")


def test_a_board_without_lights_has_no_panel(served: Any, open_page: Callable[..., Any]) -> None:
    served.run(lambda: served.desk.show(light=None))
    expect(open_page(served.url).locator("#lights")).to_be_hidden()
