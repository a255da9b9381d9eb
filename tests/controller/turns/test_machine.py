"""Every phase meets every news: what the table says happens, and nothing else does."""

import logging
from collections import Counter
from itertools import pairwise, product

import pytest
from transitions import MachineError

from controller.turns.machine import Turn, rows
from controller.turns.phases import ANY_GAME, SKELETON, TABLES, News, Phase, Row

GAMES = (*TABLES, "a game without a table of its own")
EVERY = [pytest.param(game, phase, id=f"{game}, {phase.value}") for game, phase in product(GAMES, Phase)]


def target(table: tuple[Row, ...], phase: Phase, news: News) -> Phase | None:
    """Where the table leads, found by reading it line by line."""
    found = [row.target for row in table if row.news is news and phase in row.sources]
    assert len(found) <= 1
    return found[0] if found else None


@pytest.mark.parametrize(("game", "phase"), EVERY)
def test_news_does_what_the_table_says_or_raises_and_changes_nothing(game: str, phase: Phase) -> None:
    for news in News:
        turn = Turn(game, phase)
        wanted = target(rows(game), phase, news)
        assert turn.may(news) is (wanted is not None), news
        assert turn.phase is phase  # asking changes nothing
        if wanted is None:
            with pytest.raises(MachineError, match=f"{news.value}.*{phase.value}"):
                turn.hear(news)
            assert turn.phase is phase
        else:
            assert turn.hear(news) is (wanted is not phase), news
            assert turn.phase is wanted, news


@pytest.mark.parametrize(("game", "phase"), EVERY)
def test_in_play_news_out_of_place_is_logged_and_changes_nothing(
    game: str, phase: Phase, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(Turn, "strict", False)
    caplog.set_level(logging.ERROR)
    for news in News:
        caplog.clear()
        turn = Turn(game, phase)
        wanted = target(rows(game), phase, news)
        assert turn.hear(news) is (wanted is not None and wanted is not phase), news
        assert turn.phase is (wanted or phase), news
        assert [record.getMessage() for record in caplog.records] == (
            [f"news {news.value!r} means nothing in phase {phase.value!r}"] if wanted is None else []
        )


@pytest.mark.parametrize("game", GAMES)
def test_the_machine_has_exactly_the_news_and_phases_of_its_table(game: str) -> None:
    machine = Turn(game, Phase.SETUP)._machine
    assert set(machine.events) == {row.news.value for row in rows(game)}
    assert set(machine.states) == {phase.name for phase in Phase}
    arrows = {
        (transition.source, event, transition.dest)
        for event, known in machine.events.items()
        for those in known.transitions.values()
        for transition in those
    }
    assert arrows == {(source.name, row.news.value, row.target.name) for row in rows(game) for source in row.sources}
    # A name that is no state would only fail once the news comes.
    assert {name for source, _, dest in arrows for name in (source, dest)} <= set(machine.states)


@pytest.mark.parametrize("game", GAMES)
def test_f1_no_callback_hides_in_the_machine(game: str) -> None:
    machine = Turn(game, Phase.SETUP)._machine
    for event in machine.events.values():
        for those in event.transitions.values():
            for transition in those:
                assert [*transition.before, *transition.after, *transition.prepare, *transition.conditions] == []
    assert [*machine.before_state_change, *machine.after_state_change, *machine.prepare_event] == []
    for state in machine.states.values():
        assert [*state.on_enter, *state.on_exit] == []


def test_the_model_gets_no_triggers_and_no_way_round_the_table(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, logger="transitions"):
        turn = Turn("bamogo", Phase.SETUP)
    assert caplog.records == []  # the library logs a name that it could not bind
    public = {name for name in dir(turn) if not name.startswith("_")}
    assert public == {"phase", "strict", "may", "hear"}


@pytest.mark.parametrize("table", [SKELETON, *TABLES.values(), ANY_GAME], ids=["skeleton", *TABLES, "any game"])
def test_a_phase_and_a_news_lead_to_one_phase(table: tuple[Row, ...]) -> None:
    pairs = Counter((source, row.news) for row in table for source in row.sources)
    assert [pair for pair, times in pairs.items() if times > 1] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_phase_of_a_game_can_be_reached_and_left(game: str) -> None:
    arrows = [(source, row.target) for row in rows(game) for source in row.sources]
    reached = {Phase.SETUP}
    while more := {after for before, after in arrows if before in reached} - reached:
        reached |= more
    unused = set() if game not in TABLES else {Phase.GUIDING}
    assert reached == set(Phase) - unused
    for phase in reached:
        assert any(before is phase and after is not phase for before, after in arrows), phase


def test_a_link_may_be_lost_and_a_round_begun_anew_in_every_phase() -> None:
    for phase in set(Phase) - {Phase.OFFLINE}:
        assert target(ANY_GAME, phase, News.LOST) is Phase.OFFLINE, phase
    for phase in set(Phase) - {Phase.OFFLINE}:
        assert target(ANY_GAME, phase, News.RENEWED) is Phase.SETUP, phase


def test_two_turns_do_not_influence_each_other() -> None:
    one, other = Turn("bamogo", Phase.SETUP), Turn("bamogo", Phase.SETUP)
    one.hear(News.ARRANGED)
    assert (one.phase, other.phase) == (Phase.WAITING, Phase.SETUP)


def test_a_turn_as_it_goes() -> None:
    turn = Turn("bamogo", Phase.SETUP)
    story = [News.ARRANGED, News.TOUCHED, News.STRAYED, News.MENDED, News.COUNTED, News.TOUCHED, News.ASKED, News.ENDED]
    seen = [turn.phase]
    for news in story:
        assert turn.hear(news)
        seen.append(turn.phase)
    assert [phase.value for phase in seen] == [
        "setup", "waiting", "handling", "mending", "handling", "waiting", "handling", "asking", "over",
    ]  # fmt: skip
    assert all(before is not after for before, after in pairwise(seen))
