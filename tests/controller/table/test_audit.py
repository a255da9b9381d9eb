"""Pits whose seeds were miscounted: the lights walk them one by one, and the page has every count."""

from typing import Any

from controller.games.seam import AnyRules, Outcome, load_game
from controller.table.core import Table
from controller.table.show import AUDIT_MS
from controller.table.view import view
from controller.table.words import detail
from controller.turns.phases import Phase
from hardware.ports import CellChange, Sensing, Snapshot

RULES = load_game("bao-kigogo").rules(settings={"columns": "4"})
PITS = RULES.contents(RULES.initial())


def mending() -> Table:
    """A table at which a pit of the player who is not on turn is empty, and nothing explains it."""

    def deal(outcome: Outcome | None = None, first: int | None = None) -> AnyRules:
        return RULES

    table = Table(deal, Sensing.PRESENCE)
    table.take([Snapshot(tuple(min(1, seeds) for seeds in PITS), 0)], 0)
    table.take([CellChange(0, 0, 100)], 100)
    table.advance(400)
    table.advance(3100)
    assert table.phase is Phase.MENDING
    return table


def lit(table: Table, now: int) -> set[int]:
    frame = table.frame(now)
    return {cell for cell in range(len(PITS)) if any(frame[3 * cell : 3 * cell + 3])}


def test_hint_walks_every_pit_in_turn_while_the_board_is_put_right() -> None:
    table = mending()
    assert "hint" in detail(table)
    table.press("hint", 4000)
    for pit in range(len(PITS)):
        middle = 4000 + pit * AUDIT_MS + AUDIT_MS // 2
        assert lit(table, middle) - {0} == {pit} - {0}
    assert lit(table, 4000 + len(PITS) * AUDIT_MS + 50) <= {0}


def test_the_page_gives_the_count_of_every_pit() -> None:
    table = mending()
    shown: list[dict[str, Any]] = view(table, table.frame(4000))["cells"]
    assert [cell["stone"] for cell in shown[1:]] == [str(seeds) for seeds in PITS[1:]]
    assert "2 seeds" in view(table, table.frame(4000))["words"]


def test_a_hint_in_waiting_lights_the_pits_that_may_be_played() -> None:
    table = mending()
    table.take([CellChange(0, 1, 5000)], 5000)
    table.advance(5400)
    assert table.phase is Phase.WAITING
    table.press("hint", 6000)
    assert lit(table, 6100) == set(table.prospect.targets())


def test_the_walk_ends_once_the_board_is_put_right() -> None:
    table = mending()
    table.press("hint", 4000)
    table.take([CellChange(0, 1, 4500)], 4500)
    table.advance(4800)
    assert table.phase is Phase.WAITING
    for at in range(4800 + AUDIT_MS, 4000 + len(PITS) * AUDIT_MS, 50):
        assert lit(table, at) == set()
