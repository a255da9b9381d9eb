"""Bao Kigogo rule by rule. Numbers such as (2.1) are paragraphs of its rules page.

Boards are drawn as players see them, South below: ranks a, b, c, d from top to bottom, columns 1 to 4 from the left.
Ranks are written with blanks where it reads better; `board` takes them out.
"""

from typing import Any

import pytest

from controller.games import bao_kigogo_board
from controller.games.bao_kigogo import GAME, BaoKigogoRules, Lap, Position
from controller.games.seam import Event, Footprint, IllegalMoveError, NotationError, OptionError, Outcome, load_game


def board(drawn: str) -> str:
    """Return a drawn board as the text of a position."""
    return "/".join(",".join(row.split()) for row in drawn.strip().splitlines())


def rules(drawn: str = "", **settings: str) -> BaoKigogoRules:
    """Return the rules for four columns that start from a drawn board."""
    given = {"columns": "4", **settings}
    return GAME.rules(settings=given | {"setup": board(drawn)} if drawn else given)


def play(game: BaoKigogoRules, *tokens: str) -> tuple[Position, tuple[Event, ...]]:
    """Return where the moves lead from the start, and the events of the last one."""
    position = game.initial()
    events: tuple[Event, ...] = ()
    for token in tokens:
        position, events = game.apply(position, game.parse_move(token))
    return position, events


def tokens(game: BaoKigogoRules, position: Position) -> set[str]:
    return set(map(game.move_text, game.legal(position)))


# -- The board --------------------------------------------------------------------------------------------------------


def test_a_round_begins_with_92_seeds() -> None:
    game = GAME.rules()
    full, front = "2,2,2,2,2,2,2,2,2,2,2,2", "2,2,2,2,2,2,2,2,2,2,2"
    text = f"{full}/{front},0/0,{front}/{full}"
    start = game.initial()
    assert game.position_text(start) == text
    assert sum(game.contents(start)) == 92
    assert game.to_move(start) == 1
    assert game.outcome(start) is None
    assert game.scores(start) == (0, 0)
    assert game.hands(start) == {"captured": [0, 0]}
    assert game.supply(start) == {}
    assert len(game.legal(start)) == 23


@pytest.mark.parametrize("columns", [4, 5, 24])
def test_other_widths_are_laid_out_alike(columns: int) -> None:
    game = GAME.rules(settings={"columns": str(columns)})
    contents = dict(zip((place.name for place in game.cells), game.contents(game.initial()), strict=True))
    assert {name for name, seeds in contents.items() if seeds == 0} == {f"b{columns}", "c1"}
    assert set(contents.values()) == {0, 2}
    assert len(contents) == 4 * columns


def test_cells_sort_by_rank_then_column_as_numbers() -> None:
    game = GAME.rules()
    names = [place.name for place in game.cells]
    assert names == [f"{rank}{column}" for rank in "abcd" for column in range(1, 13)]
    d1, d2, a1 = (game.cells[names.index(name)] for name in ("d1", "d2", "a1"))
    assert (d2.x - d1.x, d2.y - d1.y) == (1, 0)
    assert (a1.x - d1.x, a1.y - d1.y) == (0, 3)


def test_north_may_begin() -> None:
    game = rules(first="2")
    assert game.to_move(game.initial()) == 2
    assert tokens(game, game.initial()) == {"a1", "a2", "a3", "a4", "b1", "b2", "b3"}


# -- Sowing (2) -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("player", "start", "sown"),
    [
        (1, "d2", "d3 d4 c4 c3"),  # round the right-hand corner
        (1, "c2", "c1 d1 d2 d3"),  # round the left-hand corner
        (1, "d4", "c4 c3 c2 c1"),
        (2, "b3", "b4 a4 a3 a2"),
        (2, "a2", "a1 b1 b2 b3"),
        (2, "b4", "a4 a3 a2 a1"),
    ],
)
def test_seeds_go_anticlockwise_round_the_own_two_ranks(player: int, start: str, sown: str) -> None:
    """Four seeds, and one in the corner before `start` so that the other side is never without a move."""
    game = rules()
    empty = {place.name: 0 for place in game.cells} | {"a4": 0, start: 4}
    rows = ["".join(f"{empty[f'{rank}{column}']} " for column in range(1, 5)) for rank in "abcd"]
    position = game.parse_position(board("\n".join(rows)), to_move=player)
    expected = (Lap(game.parse_move(start), tuple(map(game.parse_move, sown.split()))),)
    assert game.relay(position, game.parse_move(start)) == expected


RELAY = """
0 0 0 2
0 0 0 0
0 0 3 0
2 0 1 0
"""
# d1 drops on d2 d3: d3 held one, so two are taken up and dropped on d4 c4. c4 was empty: over, with nothing across.


def test_a_relay_takes_up_what_lies_there_and_sows_on() -> None:
    game = rules(RELAY)
    position, events = play(game, "d1")
    assert game.position_text(position) == board("0 0 0 2\n0 0 0 0\n0 0 3 1\n0 1 0 1")
    assert events == (Event("sow", {"from": "d1", "laps": 2, "seeds": 4, "last": "c4"}),)
    assert game.to_move(position) == 2
    d1, d2, d3, d4, c4 = map(game.parse_move, ("d1", "d2", "d3", "d4", "c4"))
    assert game.relay(game.initial(), d1) == (Lap(d1, (d2, d3)), Lap(d3, (d4, c4)))


FULL_ROUND = """
0 2 0 0
0 0 0 0
0 0 0 0
0 0 8 0
"""


def test_a_full_round_ends_in_the_pit_that_it_came_from() -> None:
    """Eight seeds on eight pits: the last one falls into d3, which was emptied (2.3)."""
    game = rules(FULL_ROUND)
    position, events = play(game, "d3")
    assert game.position_text(position) == board("0 2 0 0\n0 0 0 0\n1 1 1 1\n1 1 1 1")
    assert events == (Event("sow", {"from": "d3", "laps": 1, "seeds": 8, "last": "d3"}),)


@pytest.mark.parametrize(
    ("seeds", "rounds", "last"),
    [(7, 0, "d2"), (8, 1, "d3"), (9, 1, "d4"), (15, 1, "d2"), (16, 2, "d3"), (17, 2, "d4"), (26, 3, "c4")],
)
def test_r1_no_pit_is_left_out_on_a_full_round(seeds: int, rounds: int, last: str) -> None:
    """d3 alone holds seeds: in its first lap each pit gets one a round, d3 too."""
    game = rules(f"0 2 0 0\n0 0 0 0\n0 0 0 0\n0 0 {seeds} 0")
    relay = game.relay(game.initial(), game.parse_move("d3"))
    assert relay is not None
    sown = relay[0].sown
    assert len(sown) == seeds
    assert game.move_text(sown[-1]) == last
    counts = [sown.count(game.parse_move(name)) for name in ("d4", "c4", "c3", "c2", "c1", "d1", "d2", "d3")]
    assert counts == [rounds + (step < seeds % 8) for step in range(8)]


def test_two_full_rounds_go_on_since_the_first_filled_the_pit() -> None:
    game = rules("0 2 0 0\n0 0 0 0\n0 0 0 0\n0 0 16 0")
    relay = game.relay(game.initial(), game.parse_move("d3"))
    assert relay is not None
    assert len(relay) > 1
    assert game.move_text(relay[1].taken) == "d3"
    assert len(relay[1].sown) == 2


def test_numbers_of_seeds_beyond_reason_are_sown_at_once() -> None:
    game = rules("0 2 0 0\n0 0 0 0\n0 0 0 0\n0 0 800000000 0")
    position, events = play(game, "d3")
    assert sum(game.contents(position)) + sum(game.scores(position)) == 800_000_002
    assert events


SINGLES = """
2 0 0 0
0 0 0 0
0 0 1 1
1 1 0 0
"""


def test_single_seeds_step_only_into_an_empty_pit() -> None:
    """d1 has d2 before it and c4 has c3; d2 and c3 have room (2.4)."""
    game = rules(SINGLES)
    assert tokens(game, game.initial()) == {"d2", "c3"}
    position, events = play(game, "c3")
    assert game.position_text(position) == board("2 0 0 0\n0 0 0 0\n0 1 0 1\n1 1 0 0")
    assert events == (Event("sow", {"from": "c3", "laps": 1, "seeds": 1, "last": "c2"}),)


def test_single_seeds_stay_while_a_pit_holds_two() -> None:
    game = rules("2 0 0 0\n0 0 0 0\n0 0 1 1\n1 2 0 0")
    assert tokens(game, game.initial()) == {"d2"}


def test_singles_turn_the_corner_too() -> None:
    game = rules("0 1 0 0\n1 0 0 0\n1 0 0 0\n0 0 0 1")
    assert tokens(game, game.initial()) == {"c1", "d4"}
    after, _ = game.apply(game.initial(), game.parse_move("d4"))
    assert game.position_text(after) == board("0 1 0 0\n1 0 0 0\n1 0 0 1\n0 0 0 0")
    assert tokens(game, after) == {"a2", "b1"}
    after, _ = game.apply(after, game.parse_move("a2"))
    assert tokens(game, after) == {"c1", "c4"}


# -- Endless relays (2.5) ---------------------------------------------------------------------------------------------

ENDLESS = """
2 2 0 0
0 0 0 0
2 1 0 1
0 2 1 0
"""
# South's ring from d1: 0 2 1 0 1 0 1 2. The relay from c1 comes round to where it was, for ever; from d2 it ends.


def test_an_endless_relay_draws_and_leaves_the_pits_alone() -> None:
    game = rules(ENDLESS)
    assert "c1" in tokens(game, game.initial())
    position, events = play(game, "c1")
    assert events == (Event("draw", {"reason": "endless"}),)
    assert game.outcome(position) == Outcome(None, "endless")
    assert game.position_text(position) == board(ENDLESS)
    assert game.to_move(position) == 2
    assert game.legal(position) == ()
    assert game.scores(position) == (0, 0)


def test_an_endless_relay_sows_nothing_in_the_hands() -> None:
    game = rules(ENDLESS)
    c1 = game.parse_move("c1")
    assert game.relay(game.initial(), c1) is None
    assert game.footprint(game.initial(), c1) == Footprint(frozenset({c1}), {c1: 2})


def test_endless_relays_can_be_forbidden() -> None:
    game = rules(ENDLESS, endless="illegal")
    assert tokens(game, game.initial()) == {"d2"}
    with pytest.raises(IllegalMoveError, match="the relay from c1 never ends, and such a move is forbidden"):
        play(game, "c1")
    position, events = play(game, "d2")
    assert events[0].type == "sow"
    assert game.outcome(position) is None


ONLY_ENDLESS = "1 3 1 0\n0 1 0 1"
# South's ranks; the ring from d1: 0 1 0 1 0 1 3 1. The relay from c2 never ends; d2, d4 and c1 could step.


def test_a_player_with_nothing_but_endless_relays_has_lost_and_singles_are_not_freed() -> None:
    """South's only pit of two or more relays for ever; singles that have room still may not step."""
    drawn = "2 2 0 0\n0 0 0 0\n" + ONLY_ENDLESS
    assert rules(drawn).outcome(rules(drawn).initial()) is None
    game = rules(drawn, endless="illegal")
    assert game.legal(game.initial()) == ()
    assert game.outcome(game.initial()) == Outcome(2, "no-move")


def test_leaving_the_other_with_nothing_but_endless_relays_wins() -> None:
    """North's single steps; South then has only the endless pit."""
    drawn = "0 0 0 0\n0 0 1 0\n" + ONLY_ENDLESS
    game = rules(drawn, endless="illegal", first="2")
    position, events = play(game, "b3")
    assert events[-1] == Event("win", {"player": 2, "reason": "no-move"})
    assert game.outcome(position) == Outcome(2, "no-move")
    assert game.outcome(play(rules(drawn, first="2"), "b3")[0]) is None


LONG = (
    "0 0 0 0 0 0 0 0\n2 0 0 0 0 0 0 0\n"
    "3 0 1 4 5 4 1 2\n"  # c1 .. c8
    "4 0 6 1 2 5 2 5"  # d1 .. d8
)
# The relay from d1 ends after 833 laps.


def test_a_long_relay_is_sown_to_its_end() -> None:
    game = rules(LONG, columns="8")
    position, events = play(game, "d1")
    assert events[0].facts["laps"] == 833
    relay = game.relay(game.initial(), game.parse_move("d1"))
    assert relay is not None
    assert len(relay) == 833
    assert sum(len(lap.sown) for lap in relay) == events[0].facts["seeds"]
    assert sum(game.contents(position)) + sum(game.scores(position)) == 47


@pytest.mark.parametrize(("laps", "endless"), [(833, False), (832, True)])
def test_a_relay_counts_as_endless_when_the_last_allowed_lap_has_not_ended_it(
    laps: int, endless: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert bao_kigogo_board.MAX_LAPS == 10_000
    monkeypatch.setattr(bao_kigogo_board, "MAX_LAPS", laps)
    game = rules(LONG, columns="8")
    assert (game.relay(game.initial(), game.parse_move("d1")) is None) is endless


def test_a_circle_longer_than_the_allowed_laps_is_endless_too() -> None:
    """This relay comes round to itself after 12,000 laps and more."""
    game = rules("2 0 0 0\n0 0 0 0\n6 2 7 3\n0 6 5 2")
    assert game.relay(game.initial(), game.parse_move("c3")) is None


# -- Capture (3) ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("drawn", "player", "move", "taken"),
    [
        # South's d4 steps round to c3; across lie b3 and behind it a3
        ("0 0 5 0\n1 0 3 0\n0 0 0 0\n0 0 0 2", 1, "d4", {"a3": 5, "b3": 3}),
        ("0 0 0 0\n1 0 3 0\n0 0 0 0\n0 0 0 2", 1, "d4", {"b3": 3}),  # nothing behind
        ("0 0 5 0\n1 0 0 0\n0 0 0 0\n0 0 0 2", 1, "d4", None),  # b3 is empty: it shields a3 (3.2)
        ("0 0 0 5\n1 0 0 5\n0 0 0 0\n0 2 0 0", 1, "d2", None),  # d4 is a back pit
        ("0 0 0 5\n1 0 0 5\n0 0 0 0\n0 0 0 1", 1, "d4", {"a4": 5, "b4": 5}),  # a single's step captures
        ("0 0 0 5\n1 0 0 5\n1 0 0 0\n0 0 2 0", 1, "d3", {"a4": 5, "b4": 5}),  # column 4, the corner
        ("1 0 0 5\n5 0 0 0\n0 2 0 0\n0 0 0 0", 1, "c2", None),  # c1 passed; d1 is a back pit
        ("0 0 0 5\n5 0 0 0\n0 0 2 0\n0 0 0 0", 1, "c3", {"b1": 5}),  # c1, the other corner
        ("2 0 0 0\n0 0 0 0\n0 4 0 0\n1 3 0 0", 2, "a1", {"c2": 4, "d2": 3}),  # North: a1 to b2
        ("0 2 0 0\n0 0 0 0\n4 0 0 0\n2 0 0 1", 2, "a2", {"c1": 4, "d1": 2}),
        ("2 0 0 0\n0 0 0 0\n0 0 0 1\n1 3 0 0", 2, "a1", None),
        # a relay: d1 d2 d3, d3's two on d4 c4
        ("0 0 0 1\n1 0 0 1\n0 0 0 0\n2 0 1 0", 1, "d1", {"a4": 1, "b4": 1}),
        # the last seed of a full round falls into the emptied front pit (2.3)
        ("0 0 1 0\n1 0 1 0\n0 0 8 0\n0 0 0 0", 1, "c3", {"a3": 1, "b3": 1}),
    ],
)
def test_capture(drawn: str, player: int, move: str, taken: dict[str, int] | None) -> None:
    game = rules(drawn, first=str(player))
    start = game.initial()
    position, events = play(game, move)
    captures = [event.facts["pits"] for event in events if event.type == "capture"]
    assert captures == ([] if taken is None else [taken])
    assert list(captures[0] if captures else {}) == sorted(taken or {})
    won = sum((taken or {}).values())
    assert game.scores(position) == ((won, 0) if player == 1 else (0, won))
    assert sum(game.contents(position)) + won == sum(game.contents(start))
    after = dict(zip((place.name for place in game.cells), game.contents(position), strict=True))
    assert [after[name] for name in taken or {}] == [0] * len(taken or {})


def test_captured_seeds_are_counted_for_each_player() -> None:
    game = rules("1 0 3 0\n1 0 2 0\n0 0 0 0\n2 0 0 2")
    first, _ = game.apply(game.initial(), game.parse_move("d4"))
    assert game.hands(first) == {"captured": [5, 0]}
    # South now holds two in d1 and one each in c3, c4. North's b1 steps to b2: c2 across is empty.
    second, events = game.apply(first, game.parse_move("b1"))
    assert [event.type for event in events] == ["sow"]
    assert game.hands(second) == {"captured": [5, 0]}
    assert game.scores(second) == (5, 0)


# -- The end (4) ------------------------------------------------------------------------------------------------------


def test_taking_all_seeds_wins() -> None:
    game = rules("0 0 5 0\n0 0 3 0\n0 0 0 0\n0 0 0 2")
    position, events = play(game, "d4")
    assert [event.type for event in events] == ["sow", "capture", "win"]
    assert events[-1].facts == {"player": 1, "reason": "all-captured"}
    assert game.outcome(position) == Outcome(1, "all-captured")
    assert game.legal(position) == ()
    assert game.to_move(position) == 2


def test_leaving_seeds_without_a_move_wins() -> None:
    """North's eight pits are all singles: no one has room (2.4)."""
    game = rules("1 1 1 1\n1 1 1 1\n0 0 0 0\n2 0 0 0")
    position, events = play(game, "d1")
    assert events[-1] == Event("win", {"player": 1, "reason": "no-move"})
    assert game.outcome(position) == Outcome(1, "no-move")


def test_one_empty_pit_among_singles_is_a_move() -> None:
    game = rules("1 1 1 1\n1 1 1 0\n0 0 0 0\n2 0 0 0")
    position, _ = play(game, "d1")
    assert game.outcome(position) is None
    assert tokens(game, position) == {"b3"}


def test_a_position_that_comes_again_with_the_same_player_on_turn_draws() -> None:
    """The shortest that chance has found: after twelve plies the pits are as after eight."""
    game = rules()
    *before, last = ["d3", "a2", "c2", "b2", "c3", "b3", "c1", "a1", "c4", "a4", "c3", "a3"]
    eighth, _ = play(game, *before[:8])
    assert game.outcome(play(game, *before)[0]) is None
    position, events = play(game, *before, last)
    assert [event.type for event in events] == ["sow", "draw"]
    assert events[-1].facts == {"reason": "repetition"}
    assert game.outcome(position) == Outcome(None, "repetition")
    assert (position.pits, position.to_move) == (eighth.pits, eighth.to_move)
    assert game.legal(position) == ()


@pytest.mark.parametrize(("ago", "drawn"), [(2, True), (3, False), (4, True), (5, False)])
def test_r6_only_the_same_player_on_turn_makes_a_repetition(ago: int, drawn: bool) -> None:
    """What the move leads to stood so many plies ago; before an odd number of plies the other player was on turn."""
    game = rules(RELAY)
    start, d1 = game.initial(), game.parse_move("d1")
    after, _ = game.apply(start, d1)
    others = tuple(game.parse_position(f"0,0,0,{n}/0,0,0,0/0,0,0,1/1,0,0,0").pits for n in range(1, ago - 1))
    position, events = game.apply(start._replace(stood=(after.pits, *others, start.pits)), d1)
    assert game.outcome(position) == (Outcome(None, "repetition") if drawn else None)
    assert [event.type for event in events] == (["sow", "draw"] if drawn else ["sow"])


def test_a_win_is_looked_at_before_a_repetition() -> None:
    """North, on turn after the recurrence, could not move: the ring of singles is full. So South has won, not drawn."""
    game = rules("1 1 1 1\n1 1 1 1\n0 0 0 0\n2 0 0 0")
    first, _ = play(game, "d1")
    again = game.initial()._replace(stood=(first.pits, game.initial().pits))
    position, events = game.apply(again, game.parse_move("d1"))
    assert position.pits == first.pits
    assert events[-1] == Event("win", {"player": 1, "reason": "no-move"})


def test_what_stood_before_a_capture_is_forgotten_since_it_cannot_come_again() -> None:
    game = rules("0 0 5 0\n1 0 3 0\n0 0 0 0\n0 0 0 2")
    position, _ = play(game, "d4")
    assert position.stood == (position.pits,)
    plain, _ = play(rules(RELAY), "d1")
    assert len(plain.stood) == 2


# -- Set-ups (1.5) ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("drawn", "first", "outcome"),
    [
        ("2 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0", "1", Outcome(2, "all-captured")),
        ("0 0 0 0\n0 0 0 0\n2 0 0 0\n0 0 0 0", "2", Outcome(1, "all-captured")),
        ("2 0 0 0\n0 0 0 0\n1 1 1 1\n1 1 1 1", "1", Outcome(2, "no-move")),
        ("0 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0", "1", Outcome(2, "all-captured")),
    ],
)
def test_a_set_up_without_a_move_is_lost_at_once(drawn: str, first: str, outcome: Outcome) -> None:
    game = rules(drawn, first=first)
    assert game.outcome(game.initial()) == outcome
    assert game.legal(game.initial()) == ()
    with pytest.raises(IllegalMoveError, match="the round is over"):
        game.apply(game.initial(), game.parse_move("a1"))


def test_a_set_up_whose_other_side_has_nothing_is_won_by_a_finished_move() -> None:
    game = rules("0 0 0 0\n0 0 0 0\n2 0 0 0\n0 0 0 0")
    assert game.outcome(game.initial()) is None
    position, events = play(game, "c1")
    assert events[-1] == Event("win", {"player": 1, "reason": "all-captured"})
    assert game.outcome(position) == Outcome(1, "all-captured")


def test_an_endless_relay_against_nothing_still_draws() -> None:
    game = rules("0 0 0 0\n0 0 0 0\n2 1 0 1\n0 2 1 0")
    assert play(game, "c1")[1] == (Event("draw", {"reason": "endless"}),)


# -- Illegal moves ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("drawn", "move", "why"),
    [
        (RELAY, "a4", r"a4 is no pit of South \(ranks c and d\), who is on turn"),
        (RELAY, "d2", "d2 is empty"),
        (RELAY, "d3", "d3 holds a single seed, which may move only when no own pit holds two or more"),
        (SINGLES, "d1", "the single seed in d1 may step only into an empty pit"),
        (SINGLES, "c4", "the single seed in c4 may step only into an empty pit"),
    ],
)
def test_an_illegal_move_is_refused_with_the_rule(drawn: str, move: str, why: str) -> None:
    game = rules(drawn)
    position, pit = game.initial(), game.parse_move(move)
    for ask in (game.apply, game.relay, game.footprint):
        with pytest.raises(IllegalMoveError, match=why):
            ask(position, pit)


@pytest.mark.parametrize("cell", [-1, 16, 400])
def test_a_move_that_is_no_cell_is_refused(cell: int) -> None:
    game = rules()
    with pytest.raises(IllegalMoveError, match=f"cell {cell} is no pit"):
        game.apply(game.initial(), cell)


def test_nothing_is_legal_after_the_end() -> None:
    game = rules("0 0 5 0\n0 0 3 0\n0 0 0 0\n0 0 0 2")
    position, _ = play(game, "d4")
    with pytest.raises(IllegalMoveError, match=r"the round is over \(all-captured\)"):
        game.apply(position, game.parse_move("c3"))


# -- Text -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "e1", "d0", "d13", "D5", "d05", "d5 ", "5d", "pass", "d"])
def test_a_text_that_is_no_pit_is_refused(text: str) -> None:
    game = GAME.rules()
    with pytest.raises(NotationError, match="is no pit; write one of a1 to d12"):
        game.parse_move(text)
    with pytest.raises(NotationError, match="is no pit"):
        game.spot(text)


def test_spots_and_tokens_are_pits() -> None:
    game = GAME.rules()
    for cell, place in enumerate(game.cells):
        assert game.spot(place.name) == (cell,)
        assert game.parse_move(place.name) == cell
        assert game.move_text(cell) == place.name


@pytest.mark.parametrize(
    ("text", "arguments", "why"),
    [
        ("2,2,2,2/2,2,2,0/0,2,2,2", {}, "has 3"),
        ("2,2,2,2/2,2,2,0/0,2,2,2/2,2,2,2/", {}, "has 5"),
        ("2,2,2/2,2,2,0/0,2,2,2/2,2,2,2", {}, "rank a has 3 numbers and the board 4 columns"),
        ("2,2,2,2/2,2,2,0,1/0,2,2,2/2,2,2,2", {}, "rank b has 5 numbers"),
        ("2,2,2,2/2,2,2,0/0,x,2,2/2,2,2,2", {}, "pit c2: 'x' is no number of seeds"),
        ("2,2,2,2/2,2,2,0/0,-1,2,2/2,2,2,2", {}, "pit c2: '-1'"),
        ("2,2,2,2/2,2,2,0/0,2,2,2/2,2,,2", {}, "pit d3: ''"),
        ("2,2,2,2/2,2,2,0/0,2,2,2/2,2,2,\u0663", {}, "pit d4"),
        ("2,2,2,2/2,2,2,0/0,2,2,2/2,2,2,1234567890", {}, "pit d4"),
        ("2,2,2,2/2,2,2,0/0,2,2,2/2,2,2,3", {}, "29 seeds on the board and 0 captured are more than a round has: 28"),
        ("2,2,2,2/2,2,2,0/0,2,2,2/2,2,2,2", {"scores": (1, 0)}, "28 seeds on the board and 1 captured"),
        ("2,2,2,2/2,2,2,0/0,2,2,2/2,2,2,2", {"scores": (0, 0, 0)}, "write the two numbers"),
        ("2,2,2,2/2,2,2,0/0,2,2,2/2,2,2,2", {"scores": (0, -1)}, "write the two numbers"),
        ("2,2,2,2/2,2,2,0/0,2,2,2/2,2,2,2", {"to_move": 3}, "player 3 cannot be on turn"),
        ("2,2,2,2/2,2,2,0/0,2,2,2/2,2,2,2", {"to_move": 0}, "player 0 cannot be on turn"),
    ],
)
def test_a_text_that_is_no_position_is_refused(text: str, arguments: dict[str, Any], why: str) -> None:
    with pytest.raises(NotationError, match=why):
        rules().parse_position(text, **arguments)


def test_a_position_is_read_with_its_captures() -> None:
    game = rules()
    text = board("0 0 5 0\n1 0 3 0\n0 0 0 0\n0 0 0 2")
    position = game.parse_position(text, to_move=2, scores=(9, 8))
    assert game.position_text(position) == text
    assert (game.to_move(position), game.scores(position)) == (2, (9, 8))
    assert game.hands(position) == {"captured": [9, 8]}
    assert game.parse_position(game.position_text(game.initial())) == game.initial()


# -- Options ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"columns": "3"}, "'columns': '3' .* 4 to 24"),
        ({"columns": "25"}, "'columns': '25'"),
        ({"columns": "x"}, "'columns': 'x'"),
        ({"first": "3"}, "'first': '3' .* 1 or 2"),
        ({"first": "0"}, "'first': '0'"),
        ({"endless": "forbid"}, "'endless': 'forbid' .* draw or illegal"),
        ({"column": "5"}, "'column' is not one of this game's; did you mean 'columns'"),
        ({"setup": "2,2/2,2/2,2/2,2"}, "option 'setup': rank a has 2 numbers and the board 12 columns"),
        ({"columns": "4", "setup": ""}, "option 'setup'"),
    ],
)
def test_a_bad_option_is_refused(given: dict[str, str], why: str) -> None:
    with pytest.raises(OptionError, match=why):
        GAME.rules(settings=given)


@pytest.mark.parametrize("players", [0, 1, 3])
def test_two_play(players: int) -> None:
    with pytest.raises(OptionError, match=f"for 2 players, not {players}"):
        GAME.rules(players)
    assert GAME.rules(2).players == 2


def test_settings_are_those_that_differ_written_in_one_way() -> None:
    start = "2,2,2,2/2,2,2,0/0,2,2,2/2,2,2,2"
    assert GAME.rules().settings == {}
    assert GAME.rules(settings={"columns": "012", "first": "1", "endless": "draw"}).settings == {}
    assert GAME.rules(settings={"setup": start, "columns": "4"}).settings == {"columns": "4"}
    given = {"first": "2", "endless": "illegal", "setup": "02" + start[1:-1] + "5", "columns": "4"}
    assert list(GAME.rules(settings=given).settings.items()) == [
        ("columns", "4"),
        ("setup", start[:-1] + "5"),
        ("first", "2"),
        ("endless", "illegal"),
    ]


def test_defaults_may_be_spelled_out() -> None:
    spelled = {option.key: option.default for option in GAME.options}
    assert GAME.rules(settings=spelled).initial() == GAME.rules().initial()


def test_the_game_plugs_in_under_its_name() -> None:
    game = load_game("bao-kigogo")
    assert (game.name, game.seats, game.default_players, game.sensing) == ("bao-kigogo", (2, 2), 2, "presence")
    facts = GAME.rules()
    assert (facts.name, facts.players, facts.surface, facts.stones) == ("bao-kigogo", 2, "pit", ())
    for option in game.options:
        assert f"{option.key}=" in game.rules_text or option.key in ("columns", "endless"), option.key
    for word in ("columns=", "setup=", "first=2", "endless=illegal"):
        assert word in game.rules_text
    assert "all-captured" in game.rules_text


# -- Footprints -------------------------------------------------------------------------------------------------------


def test_a_footprint_shows_all_that_was_sown_then_what_was_captured() -> None:
    """The relay d1 d2 d3, d4 c4, which takes a4 and b4 (the board before the capture, then the aftermath)."""
    game = rules("0 0 0 1\n1 0 0 1\n0 0 0 0\n2 0 1 0")
    mark = game.footprint(game.initial(), game.parse_move("d1"))
    name = game.parse_move
    assert mark.lifts == {name("d1")}
    assert mark.after == {name("d1"): 0, name("d2"): 1, name("d3"): 0, name("d4"): 1, name("c4"): 1}
    assert mark.aftermath == {name("a4"): 0, name("b4"): 0}
