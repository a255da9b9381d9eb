"""Games on boards that were not made for them, and on chains of registers: readings up, lights down."""

import random
from typing import Any

import pytest

from controller.app.hosted import BoardError, HostedLamps, HostedSource, fitting_sizes, hosted, hosting_for
from controller.app.pins import pins_rig
from controller.app.rig import Rig
from controller.app.simulated import TRACK, Via, simulated_rig
from controller.games.seam import load_game, pieces
from controller.match import Dealer
from controller.table.core import Table
from hardware.hosting import Hosting
from hardware.ports import UNKNOWN, ButtonPress, CellChange, LinkNews, Sensed, Sensing, Snapshot
from hardware.profile import load_profile
from simulator.tabletop import Tabletop


def dealt(game: str, **settings: str) -> Dealer:
    return Dealer(load_game(game), None, settings, random.Random(1))


class Told:
    """A source that tells what a test gave it."""

    def __init__(self) -> None:
        self.next: list[Sensed] = []
        self.closed = False

    def poll(self, now: int) -> list[Sensed]:
        told, self.next = self.next, []
        return told

    def due(self) -> int | None:
        return 7

    def listen(self, wake: Any) -> None:
        self.wake = wake

    def close(self) -> None:
        self.closed = True


def test_readings_are_told_by_cell() -> None:
    board = Told()
    source = HostedSource(board, Hosting(((1, 2), (4,)), 5))
    news = LinkNews(up=True, why="", at=1)
    press = ButtonPress("ok", 2)
    board.next = [news, Snapshot((1, 0, 1, 1, 0), 1), press]
    assert source.poll(1) == [news, Snapshot((1, 0), 1), press]
    board.next = [CellChange(1, 1, 2), CellChange(2, 0, 3), CellChange(0, 0, 3), CellChange(4, UNKNOWN, 4)]
    assert source.poll(4) == [CellChange(1, UNKNOWN, 4)], "the piece slid within its cell, and place 0 is outside"
    board.next = [CellChange(1, 0, 5), CellChange(4, 1, 6)]
    assert source.poll(6) == [CellChange(0, 0, 5), CellChange(1, 1, 6)]
    assert source.poll(7) == ()
    assert source.due() == 7
    source.listen(print)
    assert board.wake is print
    source.close()
    assert board.closed


def test_covered_cells_and_dimming_reach_the_board() -> None:
    class Board:
        def __init__(self) -> None:
            self.calls: list[Any] = []

        def show(self, frame: bytes) -> None:
            self.calls.append(frame)

        def cover(self, cells: Any) -> None:
            self.calls.append(list(cells))

        def dim(self, share: float) -> None:
            self.calls.append(share)

        def close(self) -> None:
            self.calls.append("closed")

    board = Board()
    lamps = HostedLamps(board, Hosting(((2, 0), (1,)), 4))
    lamps.show(b"aaabbbttt")
    lamps.cover([0])
    lamps.dim(0.5)
    lamps.close()
    assert board.calls == [b"aaabbbaaa\0\0\0ttt", [2, 0], 0.5, "closed"]


def test_a_board_of_its_own_is_used_as_it_is() -> None:
    profile = load_profile("exago-5-registers")
    hosting = hosting_for(load_game("exago").rules(None, {}), profile)
    board, lamps = Told(), object()
    assert hosted(board, lamps, hosting) == (board, lamps)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("game", "settings", "board", "message"),
    [
        ("bao-kigogo", {}, "mat-16x16", r"has a1 to p16 \(256\), and bao-kigogo needs pits: choose another"),
        ("bamogo", {}, "bao-4x12", "bamogo needs squares"),
        ("exago", {}, "mat-16x16", "no room for exago: 91 cells of 2 x 2 places take 22 x 22"),
        ("exago", {"radius": "6"}, "exago-5-registers", r"the cells a6 to k6 \(91\), and exago needs a7 to m7 \(127\)"),
        ("bambam-booboo", {"width": "20"}, "mat-16x16", r"needs a1 to t16 \(320\)"),
        ("bao-kigogo", {"columns": "13"}, "bao-4x12", r"needs a1 to d13 \(52\)"),
    ],
)
def test_a_game_without_room_says_why(game: str, settings: dict[str, str], board: str, message: str) -> None:
    with pytest.raises(BoardError, match=message):
        hosting_for(load_game(game).rules(None, settings), load_profile(board))


@pytest.mark.parametrize(
    ("game", "settings", "board", "cells", "message"),
    [
        ("exago", {}, "exago-5-reeds", {"radius": 2}, "play with --set radius=2, or choose another"),
        ("exago", {"radius": "6"}, "exago-5-reeds", {}, r"play with --set radius=5 \(radius 2 to 5 fit\), or choose"),
        ("exago", {}, "mat-16x16", {}, r"play with --set radius=3 \(radius 2 to 3 fit\), or play with fewer cells"),
        ("bao-kigogo", {}, "bao-4x12", {"files": 6}, r"play with --set columns=6 \(columns 4 to 6 fit\)"),
        (
            "bambam-booboo",
            {},
            "mat-16x16",
            {"files": 12, "ranks": 8},
            r"play with --set width=12 --set height=8 \(width 8 to 12 fit\)",
        ),
    ],
)
def test_a_game_without_room_says_which_size_of_it_would_have_some(
    game: str, settings: dict[str, str], board: str, cells: dict[str, int], message: str
) -> None:
    profile = load_profile(board)
    profile = profile.model_copy(update={"cells": profile.cells.model_copy(update=cells)})
    rules = load_game(game).rules(None, settings)
    with pytest.raises(BoardError, match=message):
        hosting_for(rules, profile)
    for key, numbers in fitting_sizes(rules, profile).items():
        assert len(numbers) > 0
        others = {other: str(fit[-1]) for other, fit in fitting_sizes(rules, profile).items() if other != key}
        for number in numbers:
            assert hosting_for(load_game(game).rules(None, {**settings, **others, key: str(number)}), profile).groups


@pytest.mark.parametrize(
    ("game", "settings", "board", "cells"),
    [
        ("bamogo", {}, "bamogo-4x4-presence", {"files": 3}),
        ("exago", {}, "exago-5-reeds", {"radius": 1}),
        ("bambam-booboo", {}, "mat-16x16", {"files": 4}),
        ("bao-kigogo", {}, "mat-16x16", {}),
    ],
)
def test_no_size_is_named_where_none_has_room(
    game: str, settings: dict[str, str], board: str, cells: dict[str, int]
) -> None:
    profile = load_profile(board)
    profile = profile.model_copy(update={"cells": profile.cells.model_copy(update=cells)})
    with pytest.raises(BoardError, match=r": choose another board or game$") as caught:
        hosting_for(load_game(game).rules(None, settings), profile)
    assert "--set" not in str(caught.value)


@pytest.mark.parametrize(
    ("game", "settings", "board", "places"),
    [
        ("bamogo", {}, "mat-16x16", 4),
        ("exago", {"radius": "3"}, "mat-16x16", 4),
        ("exago", {"radius": "2"}, "mat-16x16", 4),
        ("exago", {"radius": "4"}, "exago-5-reeds", 1),
        ("bambam-booboo", {"width": "12", "height": "8"}, "mat-16x16", 1),
        ("bao-kigogo", {"columns": "8"}, "bao-4x12", 1),
    ],
)
def test_games_that_find_room(game: str, settings: dict[str, str], board: str, places: int) -> None:
    rules, profile = load_game(game).rules(None, settings), load_profile(board)
    hosting = hosting_for(rules, profile)
    assert len(hosting.groups) == len(rules.cells)
    assert {len(group) for group in hosting.groups} == {places}
    used = [place for group in hosting.groups for place in group]
    assert len(set(used)) == len(used)


def run(rig: Rig, now: int, until: int) -> int:
    while now < until:
        rig.step(now)
        now += 5
    return now


@pytest.mark.parametrize(
    ("game", "settings", "board"),
    [
        pytest.param("exago", {"radius": "2", "pieces": "2"}, "mat-16x16", id="exago on the mat"),
        pytest.param("exago", {"radius": "2", "pieces": "2"}, "exago-5-registers", id="a small exago on a large board"),
        pytest.param("exago", {}, "exago-5-registers", id="exago on its own board"),
        pytest.param("bambam-booboo", {}, "mat-16x16", id="bambam on the mat"),
        pytest.param("bambam-booboo", {"width": "8", "height": "8"}, "mat-16x16", id="bambam on a part of the mat"),
    ],
)
def test_a_game_is_played_on_the_pins_of_a_board(game: str, settings: dict[str, str], board: str) -> None:
    table = Table(dealt(game, **settings), Sensing.PRESENCE, track=TRACK)
    rules = table.rules
    top = Tabletop([place.name for place in rules.cells], Sensing.PRESENCE, 0)
    rig = pins_rig(table, top, (), board=load_profile(board))
    now = run(rig, 0, 300)
    for _ in range(3):
        before = table.position
        move = rules.legal(before)[0]
        footprint = rules.footprint(before, move)
        wanted = rules.apply(before, move)[0]
        placed = [cell for cell, content in footprint.after.items() if content]
        top.put(placed, footprint.after[placed[0]])
        now = run(rig, now, now + 3000)
        assert table.position == wanted, "the move was read off the board's own registers"
        assert len(pieces(rules, table.position)) == len(pieces(rules, before)) + 1
    rig.close()


def test_bamogo_reads_and_lights_the_middle_of_the_tiles() -> None:
    table = Table(dealt("bamogo"), Sensing.PRESENCE, track=TRACK)
    names = [place.name for place in table.rules.cells]
    top = Tabletop(names, Sensing.PRESENCE, 0)
    mat = load_profile("mat-16x16")
    rig = pins_rig(table, top, (), board=mat)
    now = run(rig, 0, 300)
    top.put([names.index("a1")], 1)
    now = run(rig, now, now + 500)
    assert table.watch is not None
    assert table.watch.readings[names.index("a1")] == 1
    lamps = rig.lamps
    assert isinstance(lamps, HostedLamps)
    colours = lamps.board.tap.colours()  # type: ignore[attr-defined]
    pixel_of = dict(zip(mat.cell_names(), mat.places(), strict=False))
    lit = {name for name, pixel in pixel_of.items() if any(colours[pixel])}
    assert {"b2", "b3", "c2", "c3"} <= lit, "the touched cell shows, all of its places"
    inside = {f"{file}{rank}" for file in "bcfgjkno" for rank in (2, 3, 6, 7, 10, 11, 14, 15)}
    assert lit <= inside, "places between the cells stay dark"
    rig.close()


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        ("exago", {"radius": "7"}),
        ("bambam-booboo", {"width": "20", "height": "17"}),
        ("bao-kigogo", {}),
    ],
)
def test_boards_of_any_size_have_pins(game: str, settings: dict[str, str]) -> None:
    rig = simulated_rig(dealt(game, **settings), Sensing.PRESENCE, Via.PINS)
    run(rig, 0, 200)
    assert rig.table.watch is not None
    assert len(rig.table.watch.readings) == len(rig.table.rules.cells)
    assert rig.top is not None
    rig.top.press("hint", 200)
    rig.close()
