"""Pits, hexagons and two-place stones in a real Chromium, on real tables: played by mouse, finger and keyboard."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import pytest

from controller.app.desk import TableDesk
from controller.app.loop import Loop, clock
from controller.app.rig import Rig
from controller.app.simulated import Via, simulated_rig
from controller.games.seam import load_game
from controller.match import Dealer
from hardware.ports import Sensing

expect = pytest.importorskip("playwright.sync_api").expect
pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}
FOUR = {"columns": "4", "setup": "2,2,2,2/1,1,4,1/0,0,2,0/3,0,0,1"}


class Play:
    """A game on a simulated board in memory, played in its page."""

    def __init__(self, served: Any, rig: Rig, open_page: Callable[..., Any]) -> None:
        self.served = served
        self.rig = rig
        self._open = open_page
        self.page: Any = None

    def open(self, **options: Any) -> "Play":
        self.page = self._open(self.served.url, **options)
        return self

    def cell(self, name: str) -> Any:
        return self.page.locator(f'[data-cell="{name}"]')

    def pile(self, name: str) -> Any:
        return self.page.locator(f'[data-supply="{name}"]')

    def middle(self, locator: Any) -> tuple[float, float]:
        locator.scroll_into_view_if_needed()
        box = locator.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(self, start: Any, *way: Any, drop: bool = True) -> None:
        self.page.mouse.move(*self.middle(start))
        self.page.mouse.down()
        for stop in way:
            self.page.mouse.move(*self.middle(stop), steps=4)
        if drop:
            self.page.mouse.up()

    def moves(self, *tokens: str) -> None:
        expect(self.page.locator("#moves code")).to_have_text(list(tokens))

    def phase(self, name: str) -> None:
        expect(self.page.locator("body")).to_have_attribute("data-phase", name)

    def stones(self, **stones: str) -> None:
        for name, stone in stones.items():
            expect(self.cell(name)).to_have_attribute("data-stone", stone)


@pytest.fixture
def play(serve_desk: Callable[..., Any], open_page: Callable[..., Any]) -> Callable[..., Play]:
    """A function that sits down at a game: its name, players and options; `position` to begin elsewhere."""

    def sit(
        game: str,
        players: int | None = None,
        settings: Mapping[str, str] | None = None,
        *,
        position: str = "",
        sensing: Sensing = Sensing.PRESENCE,
    ) -> Play:
        rules = load_game(game).rules(players, settings or {})
        start = rules.parse_position(position) if position else None
        dealer = Dealer(load_game(game), players, settings or {}, random.Random(1))
        rig = simulated_rig(dealer, sensing, Via.MEMORY, position=start)

        @contextlib.asynccontextmanager
        async def opened() -> AsyncIterator[TableDesk]:
            loop = Loop(rig)
            desk = TableDesk(rig, load_game(game).title, clock, loop.wake)
            loop.listeners.append(desk.stepped)
            rig.step(clock())
            running = asyncio.create_task(loop.run())
            yield desk
            running.cancel()
            rig.close()

        return Play(serve_desk(opened, {"report": lambda: "a report\n"}), rig, open_page)

    return sit


# --- Bao Kigogo -------------------------------------------------------------------------------------------------------


def test_seeds_are_sown_tap_by_tap_and_captured_ones_tapped_off(play: Callable[..., Play]) -> None:
    game = play("bao-kigogo", settings=FOUR).open()
    page = game.page
    expect(page.locator("[data-cell]")).to_have_count(16)
    game.stones(a1="2", b3="4", c1="0", d1="3")
    expect(game.cell("b3").locator(".seed")).to_have_count(4)
    expect(game.cell("b3").locator(".count")).to_have_text("4")
    expect(page.locator("[data-button]")).to_have_text(["OK", "Back", "New", "Hint"])
    game.cell("c3").click()
    expect(page.locator("#inhand-words")).to_have_text("2 seeds in hand, from c3")
    expect(game.cell("c3")).to_have_attribute("data-piece", "")
    game.cell("c2").click()
    expect(page.locator("#inhand-words")).to_have_text("1 seed in hand, from c3")
    game.cell("c1").click()
    game.moves("c3")
    game.phase("guiding")
    expect(page.locator("#detail")).to_contain_text("comes off the board")
    for name in ("a1", "b1"):
        game.cell(name).click()
    game.phase("waiting")
    game.stones(a1="0", b1="0", c1="1", c2="1", c3="0")
    expect(game.pile("seed")).to_have_attribute("data-count", "3")
    expect(page.locator('[data-player="1"]')).to_have_attribute("data-score", "3")
    expect(page.locator('[data-player="2"]')).to_have_attribute("data-turn", "true")


def test_a_long_relay_is_sown_as_fast_as_one_can_tap(play: Callable[..., Play]) -> None:
    game = play("bao-kigogo").open()
    rules: Any = game.rig.table.rules
    move = rules.parse_move("d5")
    laps = rules.relay(rules.initial(), move)
    assert len(laps) == 9
    hurry, *rest = [[rules.cells[cell].name for cell in (taken, *sown)] for taken, sown in laps]
    hurry += rest.pop(0)
    # Two laps within one breath: the board cannot have answered in between.
    game.page.evaluate("all => all.forEach(id => document.querySelector(`[data-cell=${id}]`).click())", hurry)
    for name in (name for lap in rest for name in lap):
        game.cell(name).click()
    game.moves("d5")
    after = rules.footprint(rules.initial(), move)
    for cell in after.aftermath:
        game.cell(rules.cells[cell].name).click()
    game.phase("waiting")
    contents = rules.contents(rules.apply(rules.initial(), move)[0])
    shown = game.page.locator("[data-cell]").evaluate_all("all => all.map(e => [e.dataset.cell, e.dataset.stone])")
    assert dict(shown) == {place.name: str(content) for place, content in zip(rules.cells, contents, strict=True)}


@pytest.mark.parametrize("sensing", [Sensing.PRESENCE, Sensing.COUNT])
def test_a_hand_that_sweeps_along_drops_a_seed_in_each_pit(play: Callable[..., Play], sensing: Sensing) -> None:
    setup = "1,1,1,1,1,2/0,0,0,0,0,0/0,0,0,0,0,0/3,0,0,1,0,0"
    game = play("bao-kigogo", settings={"columns": "6", "setup": setup}, sensing=sensing).open()
    game.drag(game.cell("d1"), game.cell("d4"))
    game.phase("handling")
    expect(game.page.get_by_role("status")).to_contain_text("lap")
    game.drag(game.cell("d4"), game.cell("d6"))
    game.moves("d1")
    game.stones(d1="0", d2="1", d3="1", d4="0", d5="1", d6="1")


def test_a_seed_too_far_comes_back_and_the_rest_goes_home(play: Callable[..., Play]) -> None:
    game = play("bao-kigogo").open()
    words = game.page.locator("#inhand-words")
    game.cell("d5").click()
    game.cell("d9").click()
    game.page.locator("#unsow").click()
    expect(words).to_have_text("2 seeds in hand, from d5")
    expect(game.cell("d9")).to_have_attribute("data-piece", "2")
    game.page.locator("#put-back").click()
    expect(game.cell("d5")).to_have_attribute("data-piece", "2")
    game.phase("waiting")
    game.moves()


def test_pits_are_sown_by_keys(play: Callable[..., Play]) -> None:
    game = play("bao-kigogo", settings=FOUR).open()
    keys = game.page.keyboard
    game.cell("c3").focus()
    expect(game.page.get_by_role("gridcell", name="c3, 2 seeds")).to_be_focused()
    for key in ("Enter", "ArrowLeft", "Enter", "ArrowLeft", "Enter", "Backspace", "Enter"):
        keys.press(key)
    game.moves("c3")
    game.phase("guiding")
    keys.press("ArrowUp")
    keys.press("Delete")
    keys.press("ArrowUp")
    keys.press("Delete")
    game.phase("waiting")
    expect(game.page.locator("#news")).to_have_text("Player 1: c3")


def test_seeds_in_the_hand_of_a_page_that_goes_are_in_their_pit_again(play: Callable[..., Play]) -> None:
    game = play("bao-kigogo").open()
    game.cell("d5").click()
    expect(game.page.locator("#inhand")).to_be_visible()
    game.page.reload()
    game.stones(d5="2")
    expect(game.page.locator("#inhand")).to_be_hidden()


def test_pits_can_be_met_on_a_phone(play: Callable[..., Play]) -> None:
    game = play("bao-kigogo").open(**PHONE)
    game.cell("d5").tap()
    game.cell("d6").tap()
    game.page.locator("#closer").tap()
    expect(game.cell("d7").locator(".count")).to_be_visible()
    assert game.cell("d7").bounding_box()["width"] >= 43
    game.cell("d7").tap()
    expect(game.cell("d7")).to_have_attribute("data-piece", "3")
    expect(game.page.get_by_role("status")).to_contain_text("take up all of d7")
    assert game.page.evaluate("document.documentElement.scrollWidth") <= 320


# --- Exago ------------------------------------------------------------------------------------------------------------


def test_six_players_share_a_phone(play: Callable[..., Play]) -> None:
    game = play("exago", 6).open(**PHONE)
    page = game.page
    piles = page.locator("[data-supply]").evaluate_all("all => all.map(e => e.dataset.supply + e.dataset.count)")
    assert piles == ["16", "26", "36", "46", "56", "66"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    boxes = page.locator("[data-cell]").evaluate_all("all => all.map(e => e.getBoundingClientRect().width)")
    assert len(boxes) == 91
    assert min(boxes) >= 24
    for number, (name, stone) in enumerate({"f6": "R", "f7": "B", "g6": "Y"}.items(), start=1):
        game.pile(str(number)).tap()
        game.cell(name).tap()
        game.stones(**{name: stone})
        expect(game.pile(str(number))).to_have_attribute("data-count", "5")
    page.locator("#closer").tap()
    boxes = page.locator("[data-cell]").evaluate_all("all => all.map(e => e.getBoundingClientRect().width)")
    assert min(boxes) >= 43
    game.pile("4").tap()
    game.cell("g7").tap()
    game.stones(g7="G")
    game.moves("f6", "f7", "g6", "g7")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.locator("#closer").tap()
    expect(page.locator("#closer")).to_have_text("Closer")


def test_a_piece_that_is_moved_shows_where_it_may_go(play: Callable[..., Play]) -> None:
    game = play("exago", settings={"pieces": "2"}, position="f6:R,f7:B,f8:R,f9:B").open()
    game.drag(game.cell("f6"), game.cell("g6"), drop=False)
    expect(game.cell("f6")).to_have_attribute("data-stone", "")
    expect(game.page.locator('[data-cell="g8"]:not([data-light="#000000"])')).to_have_count(1)
    game.page.mouse.move(*game.middle(game.cell("g8")), steps=3)
    game.page.mouse.up()
    game.moves("f6-g8")
    game.drag(game.cell("f7"), game.cell("g8"))
    expect(game.page.get_by_role("alert")).to_have_text("There is a stone on g8 already.")
    game.stones(f7="B", g8="R")


def test_arrows_lead_over_hexagons_and_back(play: Callable[..., Play]) -> None:
    game = play("exago").open()
    keys = game.page.keyboard
    game.pile("1").focus()
    keys.press("Enter")
    game.cell("f6").focus()
    keys.press("Space")
    game.moves("f6")
    for way in ("Up g5", "Up h5", "Down g5", "Down f6", "Right f7"):
        arrow, name = way.split()
        keys.press(f"Arrow{arrow}")
        expect(game.cell(name)).to_be_focused()
    game.pile("2").focus()
    keys.press("Enter")
    expect(game.cell("f7")).to_be_focused()
    keys.press("Enter")
    game.moves("f6", "f7")


# --- Bambam Booboo ----------------------------------------------------------------------------------------------------


def test_two_place_stones_are_laid_turned_and_moved_by_mouse(play: Callable[..., Play]) -> None:
    game = play("bambam-booboo").open()
    page = game.page
    game.pile("1").click()
    page.mouse.move(*game.middle(game.cell("e8")))
    expect(page.locator(".aimed")).to_have_count(2)
    game.cell("e8").click()
    game.moves("He8")
    for name in ("e8", "f8"):
        game.stones(**{name: "1"})
        expect(game.cell(name)).to_have_attribute("data-piece", "He8")
    expect(game.cell("e8").locator(".stone")).to_be_visible()
    expect(game.cell("f8").locator(".stone")).to_be_hidden()
    drawn, place = game.cell("e8").locator(".stone").bounding_box(), game.cell("e8").bounding_box()
    assert drawn["width"] > 1.6 * place["width"]
    game.drag(game.pile("2"), game.cell("g8"), drop=False)
    page.keyboard.press("r")
    page.mouse.up()
    game.moves("He8", "Vg8")
    for name in ("g8", "g9"):
        expect(game.cell(name)).to_have_attribute("data-piece", "Vg8")
    expect(game.pile("2")).to_have_attribute("data-count", "19")
    # Held by its far end it is put down by its far end; and a place that is taken is said.
    game.cell("g9").click()
    expect(page.locator("#inhand-words")).to_have_text("player 2's stone in hand, from Vg8")
    game.cell("f8").click()
    expect(page.get_by_role("alert")).to_have_text("There is a stone on f8 already.")
    game.cell("g9").click()
    expect(game.cell("g8")).to_have_attribute("data-piece", "Vg8")
    game.phase("waiting")


def test_a_stone_at_the_edge_of_the_mat_stays_on_it(play: Callable[..., Play]) -> None:
    game = play("bambam-booboo", settings={"width": "8", "height": "8"}).open()
    game.pile("1").click()
    game.cell("h8").click()
    game.moves("Hg8")
    game.pile("2").click()
    game.page.locator("#turn").click()
    game.cell("f8").click()
    game.moves("Hg8", "Vf7")


def test_two_place_stones_are_laid_by_keys(play: Callable[..., Play]) -> None:
    game = play("bambam-booboo", settings={"width": "8", "height": "8"}).open()
    keys = game.page.keyboard
    game.cell("c3").focus()
    game.pile("1").focus()
    for key in ("Enter", "ArrowRight", "R", "Enter"):
        keys.press(key)
    game.moves("Vd3")
    expect(game.page.get_by_role("gridcell", name="d4, player 1's stone, Vd3")).to_have_count(1)
    keys.press("Enter")
    keys.press("ArrowUp")
    keys.press("Escape")
    expect(game.cell("d3")).to_have_attribute("data-piece", "Vd3")
    game.phase("waiting")


def test_a_second_finger_turns_a_stone_on_a_phone(play: Callable[..., Play]) -> None:
    game = play("bambam-booboo").open(**PHONE)
    page = game.page
    page.locator("#closer").tap()
    assert game.cell("a1").bounding_box()["width"] >= 43
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.locator("#closer").tap()
    game.cell("h8").scroll_into_view_if_needed()
    touch = page.context.new_cdp_session(page)

    def fingers(kind: str, *points: tuple[float, float]) -> None:
        spots = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": spots})

    start = game.middle(game.pile("1"))
    end = game.middle(game.cell("h8"))
    assert start == game.middle(game.pile("1"))  # both are in sight
    fingers("touchStart", start)
    fingers("touchMove", (start[0], start[1] - 20))
    fingers("touchMove", end)
    fingers("touchStart", end, (start[0] + 60, start[1]))
    fingers("touchEnd", end)
    fingers("touchEnd")
    game.moves("Vh8")


# --- besides the board ------------------------------------------------------------------------------------------------


def test_who_begins_is_said_while_the_board_is_set_up(play: Callable[..., Play]) -> None:
    game = play("exago", 3).open()
    page = game.page
    expect(page.get_by_role("group", name="Who begins?")).to_be_hidden()
    game.pile("1").click()
    game.cell("f6").click()
    game.moves("f6")
    for name in ("new", "ok"):
        page.locator(f'[data-button="{name}"]').click()
    game.phase("setup")
    seats = page.get_by_role("group", name="Who begins?").get_by_role("button")
    expect(seats).to_have_text(["Player 1", "Player 2", "Player 3"])
    page.locator('[data-button="3"]').click()
    expect(page.locator('[data-button="3"]')).to_have_attribute("aria-pressed", "true")
    expect(page.locator('[data-button="1"]')).to_have_attribute("aria-pressed", "false")
    game.cell("f6").click()
    game.pile("1").click()
    game.phase("waiting")
    expect(page.locator('[data-player="3"]')).to_have_attribute("data-turn", "true")
    expect(page.locator('[data-button="3"]')).to_be_hidden()


def test_the_lights_are_set_for_the_board_and_every_page(play: Callable[..., Play]) -> None:
    game = play("bamogo").open()
    page = game.page
    page.get_by_text("Lights", exact=True).click()
    before = page.locator("[data-track]").evaluate_all("all => all.map(lamp => lamp.dataset.light)")
    page.get_by_label("Palette").select_option(label="High contrast")
    page.wait_for_function(
        "before => [...document.querySelectorAll('[data-track]')].some((e, at) => e.dataset.light !== before[at])",
        arg=before,
    )
    assert game.served.run(lambda: game.rig.table.palette.name) == "contrast"
    game.served.run(lambda: setattr(game.rig, "mood", game.rig.mood.stepped()))  # as at the board itself
    page.locator('[data-button="hint"]').click()
    expect(page.get_by_label("Brightness")).to_have_value("60")


def test_all_stones_come_off_at_one_press_and_back_at_another(play: Callable[..., Play]) -> None:
    game = play("exago").open()
    sweep = game.page.locator("#sweep")
    expect(sweep).to_be_hidden()
    for number, place in enumerate(("f6", "f7"), start=1):
        game.drag(game.page.locator("[data-supply]").nth(number - 1), game.cell(place))
        expect(game.page.locator("#moves li")).to_have_count(number)
    expect(sweep).to_have_text("Take all off")
    sweep.click()
    game.stones(f6="", f7="")
    expect(game.page.get_by_role("status")).to_contain_text("new round?")
    expect(sweep).to_have_text("Put all back")
    sweep.click()
    game.phase("waiting")
    expect(game.page.locator("#moves li")).to_have_count(2)
    sweep.click()
    expect(game.page.get_by_role("status")).to_contain_text("new round?")
    game.page.locator('[data-button="ok"]').click()
    expect(game.page.locator("#moves li")).to_have_count(0)
    expect(sweep).to_be_hidden()


def test_what_if_breaks_the_board_and_mends_it(play: Callable[..., Play]) -> None:
    game = play("bamogo").open()
    page = game.page
    expect(page.locator("#faults")).to_be_hidden()
    page.get_by_text("What if …").click()
    bounce = page.locator('[data-fault="bounce"]')
    bounce.click()
    expect(bounce).to_have_attribute("aria-pressed", "true")
    assert game.served.run(lambda: game.rig.top.faults.bounce) > 0  # type: ignore[union-attr]
    bounce.click()
    expect(bounce).to_have_attribute("aria-pressed", "false")
    page.locator('[data-fault="dead"]').click()
    expect(page.get_by_role("alert")).to_contain_text("which one?")
    game.cell("b2").click()
    expect(page.locator('[data-fault="dead"]')).to_have_attribute("aria-pressed", "true")
    assert game.served.run(lambda: game.rig.top.faults.dead) == ("b2",)  # type: ignore[union-attr]
    page.locator('[data-fault="unplug"]').click()
    game.phase("offline")
    page.locator('[data-fault="plug"]').click()
    game.phase("waiting")


def test_a_report_is_one_click_away(play: Callable[..., Play]) -> None:
    page = play("bamogo").open().page
    with page.expect_download() as download:
        page.get_by_role("link", name="Report a problem").click()
    assert download.value.suggested_filename == "stonelight-report.txt"


def test_a_board_without_faults_and_reports_offers_none(served: Any, open_page: Callable[..., Any]) -> None:
    page = open_page(served.url)
    expect(page.locator("#board")).to_be_visible()
    expect(page.locator("#whatif")).to_be_hidden()
    expect(page.locator("#report")).to_be_hidden()
    expect(page.locator("#closer")).to_be_hidden()


# --- room on the screen -----------------------------------------------------------------------------------------------

GAMES = ["bamogo", "exago", "bambam-booboo", "bao-kigogo"]


@pytest.mark.parametrize("name", GAMES)
def test_a_phone_on_its_side_and_a_small_laptop_show_all_that_is_played_with(
    play: Callable[..., Play], name: str
) -> None:
    page = play(name).open(viewport={"width": 844, "height": 390}, has_touch=True, is_mobile=True).page
    board = page.locator("#board").bounding_box()
    assert board["height"] > 360 or board["width"] > 500
    for part in ("#words", "#tray", "#buttons"):
        box = page.locator(part).bounding_box()
        assert box["x"] >= board["x"] + board["width"], part
        assert box["y"] + box["height"] <= 390, part
    assert page.evaluate("document.documentElement.scrollWidth") <= 844
    page.set_viewport_size({"width": 1280, "height": 800})
    page.wait_for_function("document.querySelector('#board').clientHeight > 450")
    moves = "all => all.innerHTML = '<li><span>1.</span><code>a move</code></li>'.repeat(60)"
    page.locator("#moves").evaluate(moves)
    assert page.evaluate("document.documentElement.scrollHeight") <= 800


@pytest.mark.parametrize("name", GAMES)
def test_buttons_stay_where_they_are_while_words_come_and_go(play: Callable[..., Play], name: str) -> None:
    game = play(name).open()
    page = game.page
    page.set_viewport_size({"width": 1280, "height": 800})
    page.wait_for_function("document.querySelector('#board').clientHeight > 450")
    places = "all => all.map(each => Math.round(each.getBoundingClientRect().top))"
    still = page.locator("#buttons, .foot").evaluate_all(places)
    for words in ("Go", "Player 1: this is a sentence that is long enough to take three lines of it"):
        page.locator("#words").evaluate("(e, words) => e.textContent = words", words)
        page.locator("#detail").evaluate("(e, words) => e.textContent = words", words)
        assert page.locator("#buttons, .foot").evaluate_all(places) == still
    if name == "bao-kigogo":
        game.cell("d5").click()
        game.cell("d6").click()
        expect(page.locator("#unsow")).to_be_visible()
    else:
        page.locator("[data-supply]").first.click()
        expect(page.locator("#put-back")).to_be_visible()
    assert page.locator("#buttons, .foot").evaluate_all(places) == still
