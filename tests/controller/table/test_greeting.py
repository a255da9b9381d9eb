"""Which way round the board lies, and switching it off: asked, never inferred, never done by itself."""

from controller.games.seam import AnyRules, Outcome, load_game
from controller.table.core import Table
from controller.table.words import words
from controller.turns.phases import Phase
from hardware.ports import CellChange, LinkNews, Sensed, Sensing, Snapshot


def seated(*, orient: bool, readings: tuple[int, ...] = (0,) * 16, game: str = "bamogo") -> Table:
    rules = load_game(game).rules()

    def deal(outcome: Outcome | None = None, first: int | None = None) -> AnyRules:
        return rules

    sensing = Sensing.COLOUR if rules.stones else Sensing.PRESENCE
    table = Table(deal, sensing, orient=orient)
    table.take([Snapshot(readings, 0)], 0)
    return table


def test_b7_the_origin_cell_is_lit_and_asked_for() -> None:
    table = seated(orient=True)
    assert [notice.type for notice in table.notices()] == ["phase", "question"]
    assert table.phase is Phase.ASKING
    assert "a1" in words(table)
    frame = table.frame(50)
    assert any(frame[0:3])
    assert not any(frame[3 : 3 * 16])


def test_in_a_board_of_pits_the_origin_is_the_near_left_pit() -> None:
    rules = load_game("bao-kigogo").rules()
    table = seated(orient=True, readings=tuple(min(1, c) for c in rules.contents(rules.initial())), game="bao-kigogo")
    assert table.question is not None
    assert [rules.cells[cell].name for cell in table.question.cells] == ["d1"]


def test_ok_begins_and_nothing_else_does() -> None:
    table = seated(orient=True)
    table.take([CellChange(0, 1, 100), CellChange(4, 2, 100)], 100)
    table.advance(5000)
    table.press("new", 5000)
    assert (table.phase, table.round.plies) == (Phase.ASKING, [])
    table.take([CellChange(0, 0, 5100), CellChange(4, 0, 5100)], 5100)
    table.press("ok", 5200)
    assert table.phase is Phase.WAITING


def test_b7_a_board_that_lies_turned_is_configuration() -> None:
    table = seated(orient=True)
    table.press("back", 100)
    assert table.phase is Phase.ASKING
    assert "turned" in table.refusal


def test_stones_that_lie_there_are_set_right_after_the_question() -> None:
    table = seated(orient=True, readings=(1, *(0,) * 15))
    table.press("ok", 100)
    assert table.phase is Phase.SETUP


def test_switching_off_is_asked_and_confirmed() -> None:
    table = seated(orient=False)
    table.press("off", 100)
    assert table.question is not None
    assert table.question.about == "shutdown"
    assert not table.leaving
    table.press("back", 200)
    assert (table.phase, table.leaving) == (Phase.WAITING, False)
    table.press("off", 300)
    table.press("ok", 400)
    assert table.leaving


def test_a_board_that_is_not_heard_at_first_begins_when_it_is() -> None:
    rules = load_game("bamogo").rules()

    def deal(outcome: Outcome | None = None, first: int | None = None) -> AnyRules:
        return rules

    for readings, phase in (((0,) * 16, Phase.WAITING), ((1, *(0,) * 15), Phase.SETUP)):
        table = Table(deal, Sensing.COLOUR)
        news: list[Sensed] = [
            LinkNews(up=False, why="unplugged", at=0),
            LinkNews(up=True, why="", at=10),
            Snapshot(readings, 10),
        ]
        table.take(news[:1], 0)
        assert table.phase is Phase.OFFLINE
        table.take(news[1:], 10)
        assert table.phase is phase


def test_a_link_that_is_lost_while_the_board_asks_is_asked_again() -> None:
    table = seated(orient=True)
    table.take([LinkNews(up=False, why="unplugged", at=50)], 50)
    table.take([LinkNews(up=True, why="", at=90), Snapshot((0,) * 16, 90)], 90)
    assert table.question is not None
    assert (table.phase, table.question.about) == (Phase.ASKING, "orientation")
    table.press("ok", 100)
    assert table.phase is Phase.WAITING
