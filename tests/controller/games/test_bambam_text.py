"""What Bambam Booboo shows to the outside: options, names, text forms, contents and footprints."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.games.bambam_booboo import GAME
from controller.games.bambam_booboo_position import PASS, Move, Position
from controller.games.seam import Game, IllegalMoveError, NotationError, OptionError, Rules, load_game

RULES = GAME.rules()
SMALL = GAME.rules(settings={"width": "8", "height": "9"})


def test_it_plugs_in_by_name() -> None:
    game: Game = load_game("bambam-booboo")
    assert game is GAME
    rules: Rules[Position, Move] = GAME.rules(2)
    assert (rules.name, rules.players, rules.surface, rules.stones) == ("bambam-booboo", 2, "mat", ("", "1", "2"))
    assert (game.title, game.seats, game.default_players, game.sensing) == ("Bambam Booboo", (2, 2), 2, "presence")
    assert hash(GAME.rules()) == hash(GAME.rules())


def test_the_rules_for_a_person_hold_every_number_that_code_cites() -> None:
    text = GAME.rules_text
    assert text.startswith("# Bambam Booboo\n")
    for option in GAME.options:
        assert f"| `{option.key}` | {option.default} |" in text
    for number in (
        "1.3",
        "1.4",
        "1.5",
        "2.1",
        "2.2",
        "2.3",
        "2.4",
        "3.1",
        "3.2",
        "3.3",
        "3.4",
        "3.5",
        "3.6",
        "4.1",
        "4.2",
    ):
        assert f"\n{number}. " in text
    for number in ("5.1", "5.2", "5.3", "5.4", "5.5", "6.1", "6.2"):
        assert f"\n{number}. " in text


GOOD = [
    pytest.param({}, {}, id="nothing"),
    pytest.param(
        {"width": "16", "stones": "020", "max_plies": "none", "first": "1"}, {}, id="defaults, written anyhow"
    ),
    pytest.param(
        {"max_plies": "9", "height": "32", "width": "8"},
        {"width": "8", "height": "32", "max_plies": "9"},
        id="in the game's order",
    ),
    pytest.param({"stones": "1", "first": "2"}, {"stones": "1", "first": "2"}, id="stones and first"),
]


@pytest.mark.parametrize(("given_", "kept"), GOOD)
def test_settings_keep_what_differs(given_: dict[str, str], kept: dict[str, str]) -> None:
    rules = GAME.rules(settings=given_)
    assert list(rules.settings.items()) == list(kept.items())
    assert GAME.rules(settings=rules.settings) == rules


BAD = [
    pytest.param({"width": "7"}, "width.*8 to 32", id="narrow"),
    pytest.param({"width": "33"}, "width.*8 to 32", id="wide"),
    pytest.param({"height": "x"}, "height.*8 to 32", id="no number"),
    pytest.param({"stones": "0"}, "stones.*1 or more", id="no stones"),
    pytest.param({"first": "3"}, "first.*1 or 2", id="a third player"),
    pytest.param({"first": "0"}, "first.*1 or 2", id="nobody"),
    pytest.param({"max_plies": "0"}, "max_plies.*none, or 1 or more", id="no plies"),
    pytest.param({"max_plies": ""}, "max_plies.*none, or 1 or more", id="nothing at all"),
    pytest.param({"heigth": "9"}, "did you mean 'height'", id="misspelt"),
]


@pytest.mark.parametrize(("settings", "why"), BAD)
def test_bad_options_are_refused(settings: dict[str, str], why: str) -> None:
    with pytest.raises(OptionError, match=why):
        GAME.rules(settings=settings)


@pytest.mark.parametrize("players", [0, 1, 3])
def test_it_takes_two(players: int) -> None:
    with pytest.raises(OptionError, match="two players"):
        GAME.rules(players)


def test_places_are_named_by_file_and_rank() -> None:
    names = [place.name for place in GAME.rules(settings={"width": "32", "height": "12"}).cells]
    assert len(names) == 32 * 12
    assert names[:13] == [*(f"a{rank}" for rank in range(1, 13)), "b1"]
    assert names[25 * 12 : 25 * 12 + 13] == [*(f"z{rank}" for rank in range(1, 13)), "aa1"]
    assert names[-1] == "af12"
    assert (SMALL.cells[10].name, SMALL.cells[10].x, SMALL.cells[10].y) == ("b2", 1.0, 1.0)


SPOTS = [
    ("a1", ("a1",)),
    ("h9", ("h9",)),
    ("He8", ("e8", "f8")),
    ("Ve8", ("e8", "e9")),
    ("Hg9", ("g9", "h9")),
]


@pytest.mark.parametrize(("text", "names"), SPOTS)
def test_spots(text: str, names: tuple[str, ...]) -> None:
    assert tuple(SMALL.cells[cell].name for cell in SMALL.spot(text)) == names


BAD_SPOTS = [
    ("i1", "not on the mat"),
    ("a10", "not on the mat"),
    ("aa1", "not on the mat"),
    ("a0", "names no place"),
    ("a01", "names no place"),
    ("e", "names no place"),
    ("", "names no place"),
    ("8e", "names no place"),
    ("\u0435" + "8", "names no place"),
    ("Hh9", "hangs over the edge"),
    ("Va9", "hangs over the edge"),
    ("Hi1", "not on the mat"),
    ("E8", "names no placement"),
    ("He", "names no placement"),
    ("hE8", "names no place"),
    ("He8 ", "names no placement"),
]


@pytest.mark.parametrize(("text", "why"), BAD_SPOTS)
def test_bad_spots(text: str, why: str) -> None:
    with pytest.raises(NotationError, match=why):
        SMALL.spot(text)


@pytest.mark.parametrize("token", ["pass", "He8", "Va1", "He8-Vc4", "He8-Vc4:Hb2", "He8:Hb2", "Ha1-Ha1"])
def test_tokens_round_trip(token: str) -> None:
    assert SMALL.move_text(SMALL.parse_move(token)) == token


BAD_TOKENS = [
    "",
    "e8",
    "He8-",
    "-He8",
    "He8:",
    "He8-Vc4:",
    "He8-Vc4-Va1",
    "He8--Vc4",
    "He8 Vc4",
    "Pass",
    "He8-pass",
    "He8\n",
]


@pytest.mark.parametrize("token", BAD_TOKENS)
def test_unreadable_tokens(token: str) -> None:
    with pytest.raises(NotationError):
        SMALL.parse_move(token)


@given(st.text(alphabet="HVabhe189:-, pasz", max_size=12))
def test_any_text_is_a_token_or_a_notation_error(text: str) -> None:
    try:
        move = SMALL.parse_move(text)
    except NotationError:
        return
    assert SMALL.move_text(move) == text
    assert SMALL.parse_move(text) == move


def test_positions_are_sorted_and_read_in_any_order() -> None:
    rules = GAME.rules(settings={"width": "27"})
    position = rules.parse_position("Vaa1:1,Va11:2,Hb10:2,Vb8:1,Va9:1,Vz3:2", 2, (3, 1))
    assert rules.position_text(position) == "Va9:1,Va11:2,Vb8:1,Hb10:2,Vz3:2,Vaa1:1"
    assert RULES.to_move(position) == 2
    assert RULES.scores(position) == (3, 1)


BAD_POSITIONS = [
    pytest.param("He8", "owner", id="no owner"),
    pytest.param("He8:3", "owner", id="no such owner"),
    pytest.param("He8:1,", "owner", id="a comma too many"),
    pytest.param("e8:1", "names no placement", id="a place"),
    pytest.param("He8:1,Vf8:2", "overlaps", id="overlapping"),
    pytest.param("He8:1,He8:1", "overlaps", id="twice"),
    pytest.param("Hp8:1", "hangs over", id="over the edge"),
    pytest.param("Hz8:1", "not on the mat", id="off the mat"),
    pytest.param(
        ",".join(f"Ha{rank}:1" for rank in range(1, 17)) + ",Hc1:1,Hc2:1,Hc3:1,Hc4:1,Hc5:1", "only 20", id="many"
    ),
]


@pytest.mark.parametrize(("text", "why"), BAD_POSITIONS)
def test_bad_positions(text: str, why: str) -> None:
    with pytest.raises(NotationError, match=why):
        RULES.parse_position(text)


def test_bad_players_and_scores() -> None:
    with pytest.raises(NotationError, match="player 3"):
        RULES.parse_position("", 3)
    with pytest.raises(NotationError, match="1 scores"):
        RULES.parse_position("", 1, (4,))


def test_a_drawn_up_win_is_over() -> None:
    both = "Va1:1,Vb1:1,Vc1:1,Vd1:1,Ve1:2,Vf1:2,Vg1:2,Vh1:2"
    for text, to_move, winner in ((both, 2, 1), (both, 1, 2), (both[:23], 1, 1), (both[:23], 2, 1)):
        outcome = RULES.outcome(RULES.parse_position(text, to_move))
        assert outcome is not None
        assert (outcome.winner, outcome.reason) == (winner, "combination")


def test_a_position_begins_its_own_ply_limit() -> None:
    rules = GAME.rules(settings={"max_plies": "1"})
    after, _ = rules.apply(rules.parse_position("He8:1"), rules.parse_move("He9"))
    assert rules.outcome(after) is not None


def test_hands_supply_and_contents() -> None:
    position = SMALL.parse_position("Hb2:1,Vd2:2,Vd4:2")
    assert SMALL.hands(position) == {"1": 19, "2": 18}
    assert SMALL.supply(position) == {"1": 19, "2": 18}
    contents = SMALL.contents(position)
    assert {SMALL.cells[cell].name: content for cell, content in enumerate(contents) if content} == {
        "b2": 1,
        "c2": 1,
        "d2": 2,
        "d3": 2,
        "d4": 2,
        "d5": 2,
    }


def by_name(content: dict[int, int]) -> dict[str, int]:
    return {RULES.cells[cell].name: value for cell, value in sorted(content.items())}


FOOTPRINTS = [
    pytest.param("He8:1", 20, "He9", set(), {"e9": 1, "f9": 1}, {}, id="a slide"),
    pytest.param("Ha1:1,Hc1:2", 1, "Ha1-Hc2", {"a1", "b1"}, {"a1": 0, "b1": 0, "c2": 1, "d2": 1}, {}, id="a move"),
    pytest.param(
        "Ha1:1,Hc1:2", 1, "Ha1-Vb1", {"a1", "b1"}, {"a1": 0, "b1": 1, "b2": 1}, {}, id="a move onto its own place"
    ),
    pytest.param(
        "Ha1:2,Hc1:1,He1:1,Hg1:1",
        3,
        "Hc1-Ha2:He1",
        {"c1", "d1"},
        {"a2": 1, "b2": 1, "c1": 0, "d1": 0},
        {"a1": 0, "a2": 0, "b1": 0, "b2": 0},
        id="stones returned, the moved one too",
    ),
]


@pytest.mark.parametrize(("text", "stones", "token", "lifts", "after", "aftermath"), FOOTPRINTS)
def test_footprints(
    text: str, stones: int, token: str, lifts: set[str], after: dict[str, int], aftermath: dict[str, int]
) -> None:
    rules = GAME.rules(settings={"stones": str(stones)})
    mark = rules.footprint(rules.parse_position(text), rules.parse_move(token))
    assert {rules.cells[cell].name for cell in mark.lifts} == lifts
    assert by_name(dict(mark.after)) == after
    assert by_name(dict(mark.aftermath)) == aftermath


def test_a_pass_touches_nothing() -> None:
    mark = RULES.footprint(RULES.initial(), PASS)
    assert (mark.lifts, dict(mark.after), dict(mark.aftermath)) == (frozenset(), {}, {})
    (only,) = RULES.choices(RULES.parse_position("He8:1"), PASS)
    assert (only.move, only.stays, only.goes) == (PASS, (RULES.spot("He8"),), ())


def test_a_move_without_an_end_is_illegal() -> None:
    with pytest.raises(IllegalMoveError):
        RULES.apply(RULES.parse_position("He8:1"), Move(3, None))
