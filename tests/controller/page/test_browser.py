"""The page in a real Chromium, against a desk in memory: what is drawn, what hands do, how the line is kept."""

import asyncio
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

expect = pytest.importorskip("playwright.sync_api").expect
pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def cell(page: Any, name: str) -> Any:
    return page.locator(f'[data-cell="{name}"]')


def pile(page: Any, stone: str) -> Any:
    return page.locator(f'[data-supply="{stone}"]')


def middle(locator: Any) -> tuple[float, float]:
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Any, start: Any, end: tuple[float, float]) -> None:
    page.mouse.move(*middle(start))
    page.mouse.down()
    page.mouse.move(*end, steps=4)
    page.mouse.up()


def acts(served: Any) -> list[dict[str, Any]]:
    return [message for _, message in served.run(lambda: list(served.desk.acts))]


# --- what is drawn ----------------------------------------------------------------------------------------------------


def test_everything_of_the_state_is_on_the_page(served: Any, open_page: Callable[..., Any]) -> None:
    desk = served.desk
    served.run(lambda: desk.put(a1="R", b1="B"))
    served.run(lambda: desk.light(a1="#46c878"))
    served.run(lambda: desk.show(detail="any two that touch", moves=[{"ply": 1, "player": 1, "move": "Ra1 Bb1"}]))
    page = open_page(served.url)
    expect(page.locator("body")).to_have_attribute("data-phase", "waiting")
    expect(page.get_by_role("status")).to_have_text("Player 1: place two stones side by side, or swap two")
    expect(page.locator("#detail")).to_have_text("any two that touch")
    expect(page.locator("[data-cell]")).to_have_count(16)
    for name, stone, light in [("a1", "R", "#46c878"), ("b1", "B", "#000000"), ("d4", "", "#000000")]:
        expect(cell(page, name)).to_have_attribute("data-stone", stone)
        expect(cell(page, name)).to_have_attribute("data-light", light)
    assert [
        [each.get_attribute(f"data-{key}") for key in ("supply", "count")]
        for each in page.locator("[data-supply]").all()
    ] == [["R", "5"], ["B", "5"], ["Y", "6"]]
    assert [
        [each.get_attribute(f"data-{key}") for key in ("player", "score", "turn")]
        for each in page.locator("[data-player]").all()
    ] == [["1", "0", "true"], ["2", "3", "false"]]
    names = [each.get_attribute("data-button") for each in page.locator("[data-button]").all()]
    assert names == ["red", "blue", "yellow", "ok", "back", "new", "hint"]
    expect(page.locator("#moves li")).to_have_text(["1.Ra1 Bb1"])
    expect(page).to_have_title("Bamogo · Stonelight")


def test_the_board_lies_as_it_lies_on_the_table(served: Any, open_page: Callable[..., Any]) -> None:
    page = open_page(served.url)
    corners = {name: middle(cell(page, name)) for name in ("a1", "d1", "a4", "d4")}
    assert corners["a1"][0] < corners["d1"][0]
    assert corners["a1"][1] > corners["a4"][1]
    assert corners["d1"][0] == pytest.approx(corners["d4"][0])
    lamps = [middle(each) for each in page.locator("[data-track]").all()]
    assert len(lamps) == 24
    assert lamps[0][0] < corners["a1"][0]  # from the near left corner ...
    assert lamps[5][1] < lamps[0][1]  # ... up the left side, clockwise
    assert lamps[11][0] > lamps[6][0]


def test_a_light_shows_on_a_covered_cell(served: Any, open_page: Callable[..., Any]) -> None:
    served.run(lambda: served.desk.put(b2="Y"))
    page = open_page(served.url)
    dark = cell(page, "b2").screenshot()
    served.run(lambda: served.desk.light(b2="#963cff"))
    expect(cell(page, "b2")).to_have_attribute("data-light", "#963cff")
    edge = page.evaluate("getComputedStyle(document.querySelector('[data-cell=b2] .face')).borderTopColor")
    assert edge == "rgb(150, 60, 255)"
    face, stone = (page.locator(f"[data-cell=b2] .{part}").bounding_box() for part in ("face", "stone"))
    assert face["x"] < stone["x"]
    assert face["x"] + face["width"] > stone["x"] + stone["width"]
    assert cell(page, "b2").screenshot() != dark
    served.run(lambda: served.desk.light(b2="#000000"))
    expect(cell(page, "b2")).to_have_attribute("data-light", "#000000")


def test_what_the_sensors_do_not_know_is_marked(served: Any, open_page: Callable[..., Any]) -> None:
    served.desk.sensed["c3"] = "?"
    served.run(lambda: served.desk.put(c3="B"))
    page = open_page(served.url)
    expect(cell(page, "c3")).to_have_attribute("data-stone", "?")
    expect(cell(page, "c3").locator(".stone")).to_have_attribute("data-kind", "B")
    expect(cell(page, "c3").locator(".badge")).to_have_text("?")
    legend = page.locator("#legend")
    expect(legend).to_have_text("Marks say what a sensor reads: ? a stone of unknown colour.")
    expect(cell(page, "c3")).to_have_attribute(
        "aria-label", "c3, blue stone, its sensor reads a stone of unknown colour"
    )
    served.desk.sensed.update(c3="R", c4="")
    served.run(lambda: served.desk.put(c4="Y"))
    expect(legend).to_have_text("Marks say what a sensor reads: R red stone, \u2013 nothing.")
    served.desk.sensed.clear()
    served.run(served.desk.show)
    expect(cell(page, "c3").locator(".badge")).to_have_text("")
    expect(cell(page, "c3")).to_have_attribute("aria-label", "c3, blue stone")
    expect(legend).to_be_hidden()


def test_a_question_points_at_its_answers(served: Any, open_page: Callable[..., Any]) -> None:
    question = {"about": "colour", "cell": "b1", "options": ["red", "yellow", "none"]}
    page = open_page(served.url)
    served.run(lambda: served.desk.show(phase="asking", words="Which colour is b1?", question=question))
    expect(page.locator("body")).to_have_attribute("data-phase", "asking")
    expect(page.locator("[data-button].answer")).to_have_text(["Red", "Yellow", "None"])
    expect(cell(page, "b1")).to_have_class(re.compile(r"\basked\b"))
    page.locator('[data-button="yellow"]').click()
    page.locator('[data-button="none"]').click()
    served.run(lambda: served.desk.show(phase="waiting", question=None))
    expect(page.locator("[data-button]")).to_have_count(7)
    expect(page.locator(".answer, .asked")).to_have_count(0)
    assert acts(served) == [{"type": "press", "button": "yellow"}, {"type": "press", "button": "none"}]


def test_a_question_about_cells_is_answered_by_pointing(served: Any, open_page: Callable[..., Any]) -> None:
    served.run(lambda: served.desk.put(a1="R", b1="B"))
    page = open_page(served.url)
    served.run(
        lambda: served.desk.show(
            phase="asking", words="Which stays?", question={"about": "group", "cell": None, "options": ["a1", "ok"]}
        )
    )
    expect(cell(page, "a1")).to_have_class(re.compile(r"\basked\b"))
    cell(page, "a1").click()
    cell(page, "b1").click()
    expect(cell(page, "b1")).to_have_attribute("data-stone", "")
    assert acts(served) == [{"type": "touch", "cell": "a1"}, {"type": "lift", "cell": "b1"}]


def test_a_cell_that_is_played_without_is_heard_again_by_its_button_alone(
    served: Any, open_page: Callable[..., Any]
) -> None:
    page = open_page(served.url)
    served.run(lambda: served.desk.put(a1="R"))
    served.run(lambda: served.desk.show(masked=["a1"]))
    again = page.get_by_role("button", name="Try a1 again")
    above, group = (page.locator(place).bounding_box() for place in ("#words", "#masked"))
    assert group["y"] >= above["y"] + above["height"] + 8
    assert again.evaluate("one => one.scrollWidth <= one.clientWidth && one.clientHeight < 50")  # on one line
    again.click()
    again.press("Enter")
    served.run(lambda: served.desk.show(masked=[]))
    expect(again).to_be_hidden()
    assert acts(served) == [{"type": "touch", "cell": "a1"}] * 2


def test_the_end_names_the_winner(served: Any, open_page: Callable[..., Any]) -> None:
    page = open_page(served.url)
    served.run(lambda: served.desk.show(phase="over", words="Player 2 wins", outcome={"winner": 2, "reason": "target"}))
    expect(page.locator('[data-player="2"]')).to_contain_text("winner")
    expect(page.locator('[data-player="1"]')).not_to_contain_text("to move")


def test_words_are_never_markup(served: Any, open_page: Callable[..., Any]) -> None:
    players = [{"number": 1, "name": "<b id=x>Eve</b>", "score": 0, "turn": True, "colour": "#ff281e"}]
    page = open_page(served.url)
    served.run(lambda: served.desk.show(words="<img src=x onerror=alert(1)>", players=players))
    expect(page.get_by_role("status")).to_have_text("<img src=x onerror=alert(1)>")
    expect(page.locator("[data-player]")).to_contain_text("<b id=x>Eve</b>")
    expect(page.locator("main img, #x")).to_have_count(0)


def test_every_surface_is_drawn_from_the_places_of_its_cells(served: Any, open_page: Callable[..., Any]) -> None:
    places = [("a1", 0.0, 0.0), ("a2", -0.5, 0.866), ("b1", 1.0, 0.0), ("b2", 0.5, 0.866), ("c2", 1.5, 0.866)]
    cells = [{"id": i, "x": x, "y": y, "stone": "3", "piece": "3", "light": "#000000"} for i, x, y in places]
    page = open_page(served.url)
    for surface, seeds in [("square", 0), ("hexagon", 0), ("pit", 3), ("mat", 0)]:
        game = {"name": "g", "title": surface, "surface": surface, "settings": {}}
        served.run(partial(served.desk.show, game=game, cells=cells))
        expect(page.get_by_role("heading", name=surface)).to_be_visible()
        expect(page.locator("[data-cell]")).to_have_count(5)
        (x1, y1), (x2, y2), (x3, y3) = (middle(cell(page, name)) for name in ("a1", "a2", "b1"))
        pitch = x3 - x1
        assert pitch > 40
        assert y3 == pytest.approx(y1)
        assert x2 - x1 == pytest.approx(-0.5 * pitch, abs=1)
        assert y2 - y1 == pytest.approx(-0.866 * pitch, abs=1)
        expect(cell(page, "a1").locator(".seed")).to_have_count(seeds)


# --- hands ------------------------------------------------------------------------------------------------------------


def test_a_stone_is_dragged_from_the_supply_along_the_board_and_off(served: Any, open_page: Callable[..., Any]) -> None:
    page = open_page(served.url)
    drag(page, pile(page, "R"), middle(cell(page, "a1")))
    expect(cell(page, "a1")).to_have_attribute("data-stone", "R")
    expect(pile(page, "R")).to_have_attribute("data-count", "4")
    drag(page, cell(page, "a1"), middle(cell(page, "c3")))
    expect(cell(page, "c3")).to_have_attribute("data-stone", "R")
    expect(cell(page, "a1")).to_have_attribute("data-stone", "")
    drag(page, cell(page, "c3"), (20, 500))
    expect(cell(page, "c3")).to_have_attribute("data-stone", "")
    expect(pile(page, "R")).to_have_attribute("data-count", "5")
    assert acts(served) == [
        {"type": "take", "stone": "R"},
        {"type": "drop", "cell": "a1"},
        {"type": "lift", "cell": "a1"},
        {"type": "drop", "cell": "c3"},
        {"type": "lift", "cell": "c3"},
        {"type": "discard"},
    ]


def test_a_dragged_stone_is_off_its_cell_while_it_is_in_the_hand(served: Any, open_page: Callable[..., Any]) -> None:
    served.run(lambda: served.desk.put(a1="R"))
    page = open_page(served.url)
    page.mouse.move(*middle(cell(page, "a1")))
    page.mouse.down()
    page.mouse.move(*middle(cell(page, "b2")), steps=3)
    expect(cell(page, "a1")).to_have_attribute("data-stone", "")
    expect(page.locator(".ghost")).to_be_visible()
    expect(page.locator("#inhand-words")).to_have_text("red stone in hand, from a1")
    page.keyboard.press("Escape")
    expect(cell(page, "a1")).to_have_attribute("data-stone", "R")
    expect(page.locator(".ghost")).to_be_hidden()
    page.mouse.up()
    assert [each["type"] for each in acts(served)] == ["lift", "return"]


def test_a_stone_is_moved_by_two_taps(served: Any, open_page: Callable[..., Any]) -> None:
    page = open_page(served.url)
    pile(page, "Y").click()
    expect(page.locator("#inhand")).to_be_visible()
    cell(page, "d4").click()
    expect(cell(page, "d4")).to_have_attribute("data-stone", "Y")
    cell(page, "d4").click()
    cell(page, "d3").click()
    expect(cell(page, "d3")).to_have_attribute("data-stone", "Y")
    cell(page, "d3").click()
    pile(page, "B").click()
    expect(pile(page, "Y")).to_have_attribute("data-count", "6")
    expect(cell(page, "d3")).to_have_attribute("data-stone", "")
    pile(page, "R").click()
    pile(page, "B").click()
    expect(pile(page, "R")).to_have_attribute("data-count", "5")
    expect(pile(page, "B")).to_have_attribute("data-count", "4")
    page.locator("#put-back").click()
    expect(pile(page, "B")).to_have_attribute("data-count", "5")


def test_two_stones_change_places_as_two_hands_would_do_it(served: Any, open_page: Callable[..., Any]) -> None:
    served.run(lambda: served.desk.put(a1="R", b1="B", c1="R"))
    page = open_page(served.url)
    drag(page, cell(page, "a1"), middle(cell(page, "b1")))
    expect(cell(page, "b1")).to_have_attribute("data-stone", "R")
    expect(cell(page, "a1")).to_have_attribute("data-stone", "B")
    assert acts(served) == [
        {"type": "lift", "cell": "a1"},
        {"type": "discard"},
        {"type": "lift", "cell": "b1"},
        {"type": "drop", "cell": "a1"},
        {"type": "take", "stone": "R"},
        {"type": "drop", "cell": "b1"},
    ]
    drag(page, cell(page, "c1"), middle(cell(page, "b1")))
    expect(cell(page, "c1")).to_have_attribute("data-stone", "R")
    assert [each["type"] for each in acts(served)][6:] == ["lift", "return"]


def test_a_drag_onto_a_full_cell_or_from_an_empty_pile_ends_as_it_began(
    served: Any, open_page: Callable[..., Any]
) -> None:
    served.desk.supply["Y"] = 0
    served.run(lambda: served.desk.put(b1="B"))
    page = open_page(served.url)
    drag(page, pile(page, "R"), middle(cell(page, "b1")))
    expect(page.get_by_role("alert")).to_have_text("There is a stone on b1 already.")
    expect(pile(page, "R")).to_have_attribute("data-count", "5")
    drag(page, pile(page, "Y"), middle(cell(page, "a1")))
    expect(page.get_by_role("alert")).to_have_text("There is no yellow stone left off the board.")
    drag(page, cell(page, "d4"), middle(cell(page, "a1")))
    assert [each["type"] for each in acts(served)] == ["take", "return"]


def test_what_the_desk_refuses_is_said_and_the_hand_is_true_again(served: Any, open_page: Callable[..., Any]) -> None:
    page = open_page(served.url)
    served.desk.supply["R"] = 0  # gone, and the page has not heard of it
    pile(page, "R").click()
    expect(page.get_by_role("alert")).to_have_text("There is no R left")
    expect(page.locator("#inhand")).to_be_hidden()
    expect(page.locator(".ghost")).to_be_hidden()


def test_a_finger_drags_and_taps(served: Any, open_page: Callable[..., Any]) -> None:
    page = open_page(served.url, **PHONE)
    pile(page, "B").tap()
    cell(page, "a2").tap()
    expect(cell(page, "a2")).to_have_attribute("data-stone", "B")
    cdp = page.context.new_cdp_session(page)
    (x1, y1), (x2, y2) = middle(cell(page, "a2")), middle(cell(page, "d1"))
    points = [(x1, y1), (x1 + 12, y1), ((x1 + x2) / 2, (y1 + y2) / 2), (x2, y2)]
    for index, (x, y) in enumerate(points):
        kind = "touchMove" if index else "touchStart"
        cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(cell(page, "d1")).to_have_attribute("data-stone", "B")
    expect(cell(page, "a2")).to_have_attribute("data-stone", "")


def test_the_keyboard_does_all_that_a_hand_does(served: Any, open_page: Callable[..., Any]) -> None:
    page = open_page(served.url)
    pile(page, "R").focus()
    page.keyboard.press("Enter")
    expect(cell(page, "a1")).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    expect(cell(page, "b2")).to_be_focused()
    page.keyboard.press("Enter")
    expect(cell(page, "b2")).to_have_attribute("data-stone", "R")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")  # the edge: stays
    page.keyboard.press("Space")
    expect(cell(page, "b1")).to_have_attribute("data-stone", "R")
    page.keyboard.press("Enter")
    expect(cell(page, "b1")).to_have_attribute("data-stone", "")
    page.keyboard.press("Escape")
    expect(cell(page, "b1")).to_have_attribute("data-stone", "R")
    page.keyboard.press("Delete")
    expect(cell(page, "b1")).to_have_attribute("data-stone", "")
    expect(pile(page, "R")).to_have_attribute("data-count", "5")
    page.locator('[data-button="hint"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-cell][tabindex='0']")).to_have_count(1)
    assert [each["type"] for each in acts(served)] == [
        *["take", "drop", "lift", "drop", "lift", "return", "lift", "discard", "press"]
    ]


def test_reading_aids_hear_what_lies_where(served: Any, open_page: Callable[..., Any]) -> None:
    served.run(lambda: served.desk.put(a1="R"))
    served.run(lambda: served.desk.light(a1="#ff0000"))
    served.run(served.desk.show)
    page = open_page(served.url)
    expect(page.get_by_role("grid")).to_have_count(1)
    expect(page.get_by_role("row")).to_have_count(4)
    expect(page.get_by_role("gridcell", name="a1, red stone, lit red")).to_have_count(1)
    expect(page.get_by_role("gridcell", name="d4, empty")).to_have_count(1)
    expect(page.get_by_role("button", name="yellow stone, 6 off the board")).to_have_count(1)


def test_a_real_board_is_moved_by_hand_only(served: Any, open_page: Callable[..., Any]) -> None:
    page = open_page(served.url)
    served.run(lambda: served.desk.show(simulated=False))
    expect(page.locator("#kind")).to_have_text("Real board")
    pile(page, "R").click()
    expect(page.get_by_role("alert")).to_contain_text("move the stones on it by hand")
    page.locator('[data-button="ok"]').click()
    expect(page.locator("#inhand")).to_be_hidden()
    served.wait(_until(lambda: len(served.desk.acts) > 0))
    assert acts(served) == [{"type": "press", "button": "ok"}]


# --- many pages, and the line -----------------------------------------------------------------------------------------


def test_two_pages_show_the_same_and_each_others_hands(served: Any, open_page: Callable[..., Any]) -> None:
    served.run(lambda: served.desk.put(a1="R"))
    one, two = open_page(served.url), open_page(served.url, **PHONE)
    cell(one, "a1").click()
    expect(cell(two, "a1")).to_have_class(re.compile(r"\bhover\b"))
    expect(two.locator("#inhand")).to_be_hidden()
    cell(one, "b1").click()
    for page in (one, two):
        expect(cell(page, "b1")).to_have_attribute("data-stone", "R")
    pile(two, "Y").tap()
    expect(pile(one, "Y")).to_have_attribute("data-count", "5")
    two.goto("about:blank")
    expect(pile(one, "Y")).to_have_attribute("data-count", "6")


def test_a_page_comes_back_after_the_server_was_away(served: Any, open_page: Callable[..., Any]) -> None:
    page = open_page(served.url)
    served.stop_server()
    expect(page.get_by_role("status")).to_have_text("Connection lost, trying again")
    expect(page.locator("body")).to_have_attribute("data-link", "lost")
    expect(page.locator("#board")).to_have_css("opacity", "0.45")
    pile(page, "R").click()
    served.desk.pieces["c2"] = "B"
    served.start_server()
    expect(page.locator("body")).to_have_attribute("data-link", "up")
    expect(cell(page, "c2")).to_have_attribute("data-stone", "B")
    expect(page.get_by_role("status")).to_have_text("Player 1: place two stones side by side, or swap two")
    assert acts(served) == []


def test_a_page_that_wakes_opens_a_fresh_line(served: Any, open_page: Callable[..., Any]) -> None:
    page = open_page(served.url)
    for wake in ("window.dispatchEvent(new Event('online'))", "document.dispatchEvent(new Event('visibilitychange'))"):
        gone = served.run(lambda: len(served.desk.left))
        page.evaluate(wake)
        served.run(partial(served.desk.show, words=f"after {wake}"))
        expect(page.get_by_role("status")).to_have_text(f"after {wake}")
        page.wait_for_function("document.body.dataset.link === 'up'")
        page.locator('[data-button="ok"]').click()
        served.wait(_until(lambda gone=gone: len(served.desk.left) == gone + 1))  # type: ignore[misc]
    assert served.run(lambda: len(served.desk.watchers)) == 1


class Cable:
    """A wire between page and server that can go dead without either end being told."""

    def __init__(self, port: int) -> None:
        self.target = port
        self.dead = False
        self.opened = 0

    async def lay(self) -> int:
        self.server = await asyncio.start_server(self.join, "127.0.0.1", 0)
        port: int = self.server.sockets[0].getsockname()[1]
        return port

    async def join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.opened += 1
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
        await asyncio.gather(self.carry(reader, far_writer), self.carry(far_reader, writer))

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65536):
                if not self.dead:
                    writer.write(data)
        except OSError:
            pass
        writer.close()

    async def cut(self) -> None:
        self.server.close()


def test_a_line_that_claims_to_be_open_and_is_dead_is_given_up(served: Any, open_page: Callable[..., Any]) -> None:
    cable = Cable(served.server.port)
    port = served.wait(cable.lay())
    page = open_page(served.url, locale="en-GB")  # a clock that is stopped stays so: a page of its own
    page.clock.install()
    page.goto(f"http://127.0.0.1:{port}/")
    expect(page.locator("body")).to_have_attribute("data-link", "up")
    cable.dead = True
    page.clock.run_for(8000)
    expect(page.get_by_role("status")).to_have_text("Connection lost, trying again")
    opened = cable.opened
    cable.dead = False
    page.clock.run_for(8000)
    expect(page.locator("body")).to_have_attribute("data-link", "up")
    assert cable.opened > opened
    page.goto("about:blank")
    served.wait(cable.cut())


async def _until(holds: Callable[[], bool]) -> None:
    """Let the loop turn until that holds."""
    while not holds():  # noqa: ASYNC110  (there is no event for what the other side of a socket does)
        await asyncio.sleep(0.005)


# --- looks ------------------------------------------------------------------------------------------------------------


def test_it_fits_the_screen_and_the_finger(served: Any, open_page: Callable[..., Any]) -> None:
    page = open_page(served.url)
    for width, height in [(320, 568), (360, 740), (768, 1024), (1400, 900)]:
        page.set_viewport_size({"width": width, "height": height})
        # The board is measured and drawn anew once the window has its new size: until then the old one may stick out.
        page.wait_for_function(
            "width => innerWidth === width && document.querySelector('#grid').clientWidth < width && "
            "document.documentElement.scrollWidth <= width",
            arg=width,
        )
        targets = page.locator("[data-cell], [data-supply], [data-button]")
        assert targets.count() == 16 + 3 + 7
        for box in targets.evaluate_all("all => all.map(each => each.getBoundingClientRect().toJSON())"):
            assert box["width"] >= 44
            assert box["height"] >= 44
            assert box["left"] >= 0
            assert box["right"] <= width
        for part in ("#words", "#board", "#tray", "#buttons") if height >= 740 else ():
            box = page.locator(part).bounding_box()
            assert box["y"] + box["height"] <= height, part


CONTRAST = """
() => {
  const light = (c) => { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
  const lum = ([r, g, b]) => 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
  const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgb = (text) => { paint.clearRect(0, 0, 1, 1); paint.fillStyle = text; paint.fillRect(0, 0, 1, 1);
    return [...paint.getImageData(0, 0, 1, 1).data]; };
  const behind = (e) => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor);
    if (c[3] === 255) return c; } };
  return [...document.querySelectorAll("h1, #words, #detail, #kind, .who, .note, #players b, .pile b, #buttons span, " +
      "#moves span, #moves code, .badge, #inhand-words, #put-back, " +
      ".faults b, .faults span, .setting label, .setting .percent, .setting select, summary, .report, " +
      ".panel .detail, #begins p, #begins span")].filter((e) => e.textContent && e.checkVisibility())
    .map((e) => { const [a, b] = [lum(rgb(getComputedStyle(e).color)), lum(behind(e))];
      return [e.className || e.id || e.tagName, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)]; });
}
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_can_be_read_by_everyone(served: Any, open_page: Callable[..., Any], scheme: str) -> None:
    served.desk.sensed["a1"] = "?"
    served.run(lambda: served.desk.put(a1="R"))
    page = open_page(served.url, color_scheme=scheme)
    pile(page, "Y").click()
    expect(page.locator("#put-back")).to_be_visible()
    for phase, options in [("waiting", []), ("asking", ["red", "back"]), ("mending", [])]:
        question = {"about": "colour", "cell": None, "options": options} if options else None
        moves = [{"ply": 1, "player": 1, "move": "Ra1 Bb1"}]
        fault = {"fault": "bounce", "label": "Contacts bounce", "help": "They flicker.", "takes": "switch", "on": True}
        more = {"detail": "more of it", "moves": moves, "faults": [fault], "seats": ["1", "2"]}
        served.run(partial(served.desk.show, phase=phase, question=question, **more))
        page.locator("#whatif, #lights").evaluate_all("panels => panels.forEach(panel => (panel.open = true))")
        expect(page.locator("body")).to_have_attribute("data-phase", phase)
        found = page.evaluate(CONTRAST)
        assert len(found) > 15
        assert [pair for pair in found if pair[1] < 4.5] == []


def test_nothing_moves_for_those_who_asked_for_stillness(served: Any, open_page: Callable[..., Any]) -> None:
    page = open_page(served.url, reduced_motion="reduce")
    expect(page.locator("#board")).to_have_css("transition-duration", re.compile("^0s"))
    assert open_page(served.url).locator("#board").evaluate("e => getComputedStyle(e).transitionDuration") != "0s"


def test_focus_is_seen(served: Any, open_page: Callable[..., Any]) -> None:
    page = open_page(served.url)
    page.locator('[data-button="red"]').focus()
    page.keyboard.press("Tab")
    expect(page.locator('[data-button="blue"]')).to_have_css("outline-style", "solid")
    pile(page, "Y").focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    expect(cell(page, "a1")).to_be_focused()
    ring = "getComputedStyle(document.querySelector('[data-cell=a1]'), '::after').borderTopWidth"
    assert page.evaluate(ring) == "3px"
