"""Each rule of Bambam Booboo and its edges, on mats that are drawn.

A drawing shows ranks from far to near, the last line being rank 1, and files from a. Each stone is a letter on its two
places: a capital is player 1's stone, a small letter player 2's. The mat is 8 x 8 unless said otherwise.
"""

from typing import Any

import pytest

from controller.games.bambam_booboo import GAME, BambamRules
from controller.games.bambam_booboo_position import Position
from controller.games.seam import IllegalMoveError


def stones_of(picture: str) -> list[tuple[str, int]]:
    """The stones of a drawing by name and owner."""
    ranks = [line.split() for line in picture.strip().splitlines()][::-1]
    seen: dict[str, list[tuple[int, int]]] = {}
    for rank, row in enumerate(ranks):
        for file, letter in enumerate(row):
            if letter != ".":
                seen.setdefault(letter, []).append((file, rank))
    stones = []
    for letter, places in seen.items():
        (file, rank), (other_file, other_rank) = sorted(places)
        assert (other_file - file, other_rank - rank) in ((1, 0), (0, 1)), f"{letter} is no stone"
        lie = "H" if other_file > file else "V"
        stones.append((f"{lie}{'abcdefghijklmnop'[file]}{rank + 1}", 1 if letter.isupper() else 2))
    return stones


def scene(
    picture: str, *, stones: int | None = None, to_move: int = 1, wide: int = 8, high: int = 8
) -> tuple[BambamRules, Position]:
    """The drawn position. Unless `stones` says otherwise, the player with more stones on the mat has an empty hand."""
    lying = stones_of(picture)
    owners = [owner for _, owner in lying]
    most = max(owners.count(1), owners.count(2)) if stones is None else stones
    rules = GAME.rules(settings={"width": str(wide), "height": str(high), "stones": str(most)})
    return rules, rules.parse_position(",".join(f"{name}:{owner}" for name, owner in lying), to_move)


def tokens(rules: BambamRules, position: Position) -> set[str]:
    return {rules.move_text(move) for move in rules.legal(position)}


def ends(rules: BambamRules, position: Position, start: str) -> set[str]:
    """Where the stone at `start` may come to rest, suffixes left out."""
    own = (token.partition("-") for token in tokens(rules, position) if token.startswith(f"{start}-"))
    return {end.partition(":")[0] for _, _, end in own}


def play(rules: BambamRules, position: Position, *moves: str) -> tuple[Position, list[dict[str, Any]]]:
    """The position after these tokens, and the events of the last."""
    events: list[dict[str, Any]] = []
    for move in moves:
        position, seen = rules.apply(position, rules.parse_move(move))
        events = [event.as_json() for event in seen]
    return position, events


def test_the_first_stone_may_lie_anywhere() -> None:
    rules = GAME.rules(settings={"width": "8", "height": "9"})
    across = {f"H{file}{rank}" for file in "abcdefg" for rank in range(1, 10)}
    along = {f"V{file}{rank}" for file in "abcdefgh" for rank in range(1, 9)}
    assert tokens(rules, rules.initial()) == across | along


COUNTS = [
    pytest.param({}, [1, 480, 6772], id="16 x 16"),
    pytest.param({"width": "8", "height": "8"}, [1, 112, 1364, 22424], id="8 x 8"),
    pytest.param({"width": "8", "height": "8", "stones": "1"}, [1, 112, 1364, 16440], id="8 x 8, one stone each"),
]


def sequences(rules: BambamRules, position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    moves = rules.legal(position)
    if depth == 1:
        return len(moves)
    return sum(sequences(rules, rules.apply(position, move)[0], depth - 1) for move in moves)


@pytest.mark.parametrize(("settings", "counts"), COUNTS)
def test_counts_of_move_sequences(settings: dict[str, str], counts: list[int]) -> None:
    rules = GAME.rules(settings=settings)
    assert [sequences(rules, rules.initial(), depth) for depth in range(len(counts))] == counts


U_OPEN_BELOW = """
    . A A B B
    . c . . d
    . c . . d
    . . . . .
    . . . . .
    . . . . ."""
HALF_CLOSED = """
    . A A B B
    . c . . d
    . c . . d
    . . E . .
    . . E . .
    . . . . ."""
CLOSED = """
    . A A B B
    . c . . d
    . c . . d
    . . E E .
    . . . . .
    . . . . ."""
NOTCH_TO_THE_WEST = """
    . . A A B B
    . . . . . c
    . . . . . c
    . . D D e e
    . . . . . .
    . . . . . ."""
LONE = """
    . . . . . .
    . . . . . .
    . . . A A .
    . . . . . .
    . . . . . .
    . . . . . ."""

SLIDES = [
    pytest.param(U_OPEN_BELOW, {"Hc5", "Hc4", "Vc4", "Vd4"}, set(), id="up into a pocket, lengthwise and crosswise"),
    pytest.param(
        HALF_CLOSED, {"Vd4", "Vd3"}, {"Hc5", "Hc4", "Vc4"}, id="through a door one place wide, brushing along"
    ),
    pytest.param(CLOSED, set(), {"Hc5", "Hc4", "Vc4", "Vd4"}, id="never into a closed room"),
    pytest.param(NOTCH_TO_THE_WEST, {"Ve4", "Hd4", "Hd5", "Vd4"}, set(), id="eastward, the stone along or across"),
    pytest.param(LONE, {"Hf4", "Hb4", "Hc5", "Hd5", "He5", "Hd3"}, {"Hf5", "Hb5", "Hf3"}, id="a corner is no contact"),
    pytest.param(LONE, {"Vc4", "Vc3", "Vf3", "Vd5", "Ve2"}, {"Vc5", "Vc2", "Vf5", "Vf2"}, id="nor for a stone across"),
    pytest.param(LONE, set(), {"Hd4", "He4", "Vd3", "Ve4", "Ha1"}, id="not over a stone, not alone"),
]


@pytest.mark.parametrize(("picture", "may", "may_not"), SLIDES)
def test_slides_from_the_hand(picture: str, may: set[str], may_not: set[str]) -> None:
    rules, position = scene(picture, stones=20)
    legal = tokens(rules, position)
    assert may <= legal
    assert not may_not & legal
    for token in may_not:
        with pytest.raises(IllegalMoveError):
            rules.apply(position, rules.parse_move(token))


def test_a_lone_stone_has_no_other_neighbours() -> None:
    rules, position = scene(LONE, stones=20)
    around = {"Hb4", "Hf4", *(f"H{file}{rank}" for file in "cde" for rank in (3, 5))}
    across = {f"V{file}{rank}" for file in "cf" for rank in (3, 4)} | {
        f"V{file}{rank}" for file in "de" for rank in (2, 5)
    }
    assert tokens(rules, position) == around | across


# The corridor holds one stone; there is no spot in it without contact.
CORRIDOR = """
    . . . . . . .
    R S S T T V V
    R A A . . . W
    X X Y Y Z Z W
    . . . . . . .
    . . . . . . ."""
# The pocket opens to the west edge only, and the stone in it touches others until it is off the mat.
EDGE_POCKET = """
    S S . .
    A A T .
    U U T .
    . . . ."""
ROOM = """
    Q Q R R S S T .
    B . . . . . T .
    B . . . . A U .
    C . . . . A U .
    C . . . . . V .
    D D E E F F V ."""
ROOM_WITH_DOOR = """
    Q Q R R S S T .
    B . . . . . T .
    B . . . . A U .
    C . . . . A U .
    C . . . . . V .
    . . E E F F V ."""
ROOM_WITH_GAP_AT_A_CORNER = """
    . Q Q R R S S .
    B . . . . . T .
    B . . . . A T .
    C . . . . A U .
    C . . . . . U .
    D D E E F F . ."""
# Straight steps of A end along the floor or along the right wall.
IN_A_CORNER = """
    Q Q R R S S T .
    B . . . . . T .
    B . . . . . U .
    C . . . . A U .
    C . . . . A V .
    D D E E F F V ."""


def test_straight_steps_where_nothing_comes_loose() -> None:
    rules, position = scene(CORRIDOR)
    assert ends(rules, position, "Hb4") == {"Hc4", "Hd4", "He4"}


def test_a_stone_that_slides_off_the_mat_is_loose() -> None:
    rules, position = scene(EDGE_POCKET)
    assert ends(rules, position, "Ha3") >= {"Hc4", "Vd2", "Va5", "Hd3", "Ha1"}
    assert "Ha3" not in ends(rules, position, "Ha3")


def test_a_loose_stone_in_a_room_stays_in_it() -> None:
    rules, position = scene(ROOM)
    # Without contact are Hc3, Hd3, Hc4, Hd4 and Vc3, Vd3, Ve3: from there it goes on to the walls, but into no corner.
    slid = {"Hb3", "He3", "Hb4", "He4", "Hc2", "Hd2", "Hc5", "Hd5"} | {"Vb3", "Vc2", "Vd2", "Ve2", "Vc4", "Vd4", "Ve4"}
    straight = {"Vf2", "Vf4", "Vb3"}
    assert ends(rules, position, "Vf3") == slid | straight


def test_a_stone_that_keeps_contact_all_the_way_is_not_loose() -> None:
    rules, position = scene(IN_A_CORNER)
    assert ends(rules, position, "Vf2") == {"Vf3", "Vf4", "Ve2", "Vd2", "Vc2", "Vb2"}


@pytest.mark.parametrize(
    ("picture", "outside"),
    [
        pytest.param(ROOM, False, id="closed all round"),
        pytest.param(ROOM_WITH_DOOR, True, id="a door one place wide"),
        pytest.param(ROOM_WITH_GAP_AT_A_CORNER, False, id="a gap at a corner"),
    ],
)
def test_what_joins_the_open_table(picture: str, *, outside: bool) -> None:
    rules, position = scene(picture)
    assert ("Ha7" in ends(rules, position, "Vf3")) is outside


def test_a_wall_stone_opens_the_room_that_it_closes() -> None:
    rules, position = scene(ROOM)
    # Slid off to the west, C is outside, and may come in again through its own door.
    assert {"Ha2", "Ha3", "Hb2", "Va7", "Ha7"} <= ends(rules, position, "Va2")


def test_a_stone_may_turn_where_it_lies() -> None:
    rules, position = scene("A A b b . . . .")
    assert "Vb1" in ends(rules, position, "Ha1")
    assert "Va1" not in ends(rules, position, "Ha1"), "there it would touch nothing"


def full_mat() -> tuple[BambamRules, Position]:
    """All 64 places covered by V stones, owners in a chequer so that no four of one player lie abreast."""
    rules = GAME.rules(settings={"width": "8", "height": "8", "stones": "16"})
    stones = [
        f"V{file}{rank}:{1 + (index + rank // 2) % 2}" for index, file in enumerate("abcdefgh") for rank in (1, 3, 5, 7)
    ]
    return rules, rules.parse_position(",".join(stones))


def test_two_passes_in_a_row_draw_the_round() -> None:
    rules, position = full_mat()
    assert tokens(rules, position) == {"pass"}
    position, events = play(rules, position, "pass")
    assert events == [{"type": "pass"}]
    assert rules.outcome(position) is None
    assert rules.to_move(position) == 2
    position, events = play(rules, position, "pass")
    assert events == [{"type": "pass"}, {"type": "draw", "reason": "blocked"}]
    outcome = rules.outcome(position)
    assert outcome is not None
    assert outcome.as_json() == {"winner": None, "reason": "blocked"}
    assert rules.legal(position) == ()
    assert rules.to_move(position) == 1
    with pytest.raises(IllegalMoveError, match="over"):
        play(rules, position, "pass")


def test_stones_in_hand_and_no_slide_is_a_pass() -> None:
    rules = GAME.rules(settings={"width": "8", "height": "8", "stones": "17"})
    _, full = full_mat()
    position = rules.parse_position(rules.position_text(full))
    assert rules.hands(position) == {"1": 1, "2": 1}
    assert tokens(rules, position) == {"pass"}


def test_passing_is_refused_while_there_is_a_move() -> None:
    rules, position = scene(LONE, stones=20)
    with pytest.raises(IllegalMoveError, match=r"slide in \(2\.4\)"):
        play(rules, position, "pass")
    rules, position = scene("A A b b")
    with pytest.raises(IllegalMoveError, match=r"move \(3\.6\)"):
        play(rules, position, "pass")


REFUSALS = [
    pytest.param(LONE, 20, "Hd4", r"not free.*2\.2", id="covered"),
    pytest.param(LONE, 20, "Ha1", r"shares? no side.*2\.2", id="alone"),
    pytest.param(CLOSED, 20, "Hc5", r"no straight slide.*2\.3", id="no way in"),
    pytest.param(CLOSED, 20, "Ha6-Hc3", r"still holds .* in hand.*2\.1", id="stones in hand"),
    pytest.param(LONE, 1, "Hd5", r"no stone in hand.*3\.1", id="empty hand"),
    pytest.param("A A b b", 1, "Hc1-Ha2", r"no stone at Hc1.*3\.1", id="the other's stone"),
    pytest.param("A A b b", 1, "Va1-Ha2", r"no stone at Va1.*3\.1", id="a stone that lies otherwise"),
    pytest.param("A A b b", 1, "Ha1-Ha1", r"already.*3\.2", id="where it lies"),
    pytest.param(CORRIDOR, None, "Hb4-Ha6", r"cannot get to Ha6.*3\.3", id="out of a corridor"),
    pytest.param("A A b b", 1, "Ha1-Hc2:Hc1", r"leave out.*4\.2", id="a choice where nothing ties"),
]


@pytest.mark.parametrize(("picture", "stones", "token", "why"), REFUSALS)
def test_refusals_name_the_rule(picture: str, stones: int | None, token: str, why: str) -> None:
    rules, position = scene(picture, stones=stones)
    with pytest.raises(IllegalMoveError, match=why):
        play(rules, position, token)


def test_the_smaller_group_goes_back_to_its_owners() -> None:
    # Without A there are b and C, D: A joins b, and two face two; A joins D, and b alone goes.
    rules, position = scene("b b A A C C D D", stones=3)
    position, events = play(rules, position, "Hc1-Hg2")
    assert events == [
        {"type": "move", "from": "Hc1", "to": "Hg2"},
        {"type": "return", "owner": 2, "stones": ["Ha1"]},
    ]
    assert rules.position_text(position) == "He1:1,Hg1:1,Hg2:1"
    assert rules.hands(position) == {"1": 0, "2": 3}


def test_the_mover_chooses_between_groups_that_tie() -> None:
    rules, position = scene("b b A A C C D D", stones=3)
    assert {"Hc1-Ha2:Ha1", "Hc1-Ha2:He1"} <= tokens(rules, position)
    assert "Hc1-Ha2" not in tokens(rules, position)
    kept, events = play(rules, position, "Hc1-Ha2:Ha1")
    assert events[1:] == [{"type": "return", "owner": 1, "stones": ["He1", "Hg1"]}]
    assert rules.position_text(kept) == "Ha1:2,Ha2:1"
    gone, events = play(rules, position, "Hc1-Ha2:He1")
    assert events[1:] == [
        {"type": "return", "owner": 1, "stones": ["Ha2"]},
        {"type": "return", "owner": 2, "stones": ["Ha1"]},
    ]
    assert rules.position_text(gone) == "He1:1,Hg1:1"
    for bad in ("Hc1-Ha2", "Hc1-Ha2:Hg1", "Hc1-Ha2:Hc1"):
        with pytest.raises(IllegalMoveError, match=r":Ha1, :He1.*4\.2"):
            play(rules, position, bad)


def test_the_choice_says_what_stays_and_what_goes() -> None:
    rules, position = scene("b b A A C C D D", stones=3)
    first, second = rules.choices(position, rules.parse_move("Hc1-Ha2:He1"))
    assert [rules.move_text(choice.move) for choice in (first, second)] == ["Hc1-Ha2:Ha1", "Hc1-Ha2:He1"]
    assert first.stays == second.goes == (rules.spot("Ha1"), rules.spot("Ha2"))
    assert first.goes == second.stays == (rules.spot("He1"), rules.spot("Hg1"))
    (only,) = rules.choices(position, rules.parse_move("Hc1-Hg2"))
    assert rules.move_text(only.move) == "Hc1-Hg2"
    assert only.goes == (rules.spot("Ha1"),)


def test_a_tie_of_which_the_moved_stone_is_no_part() -> None:
    # A holds three groups together. Moved to the right of F it leaves three above and three below, and is one of two.
    rules, position = scene(
        """
        . . b b . . . .
        . . C C . . . .
        . . D D . . . .
        . . A A F F . .
        . . e e . . . .
        . . G G . . . .
        . . h h . . . ."""
    )
    from_a = {token for token in tokens(rules, position) if token.startswith("Hc4-Hg4")}
    assert from_a == {"Hc4-Hg4:Hc1", "Hc4-Hg4:Hc5"}
    _, events = play(rules, position, "Hc4-Hg4:Hc1")
    assert events[1:] == [
        {"type": "return", "owner": 1, "stones": ["Hc5", "Hc6", "He4", "Hg4"]},
        {"type": "return", "owner": 2, "stones": ["Hc7"]},
    ]


def test_the_moved_stone_goes_back_with_its_small_group() -> None:
    rules, position = scene(
        """
        . . c c . . . .
        . . B B . . . .
        . . A A F F . .
        . . D D . . . .
        . . e e G G . .
        . . h . . . . .
        . . h . . . . ."""
    )
    assert "Hc5-Hg5" in tokens(rules, position), "four below are the most"
    after, events = play(rules, position, "Hc5-Hg5")
    assert [event.get("stones") for event in events[1:]] == [["Hc6", "He5", "Hg5"], ["Hc7"]]
    assert rules.position_text(after) == "Vc1:2,Hc3:2,Hc4:1,He3:1"


def test_returned_stones_must_be_slid_in_first() -> None:
    rules, position = scene("b b A A C C D D", stones=3, to_move=1)
    position, _ = play(rules, position, "Hc1-Ha2:Ha1", "Ha3")
    assert rules.hands(position) == {"1": 2, "2": 1}
    assert all("-" not in token for token in tokens(rules, position))


def test_a_slide_into_scattered_stones_is_followed_by_returns_too() -> None:
    rules, position = scene("A A . . . . b b", stones=5)
    assert {"Ha2", "Hc1", "Hg2"} <= tokens(rules, position)
    position, events = play(rules, position, "Ha2")
    assert events == [{"type": "slide", "placement": "Ha2"}, {"type": "return", "owner": 2, "stones": ["Hg1"]}]
    rules, position = scene(". . . . . . c c\nA A . . . . b b", stones=5)
    assert {token for token in tokens(rules, position) if token.startswith("Ha2")} == {"Ha2:Ha1", "Ha2:Hg1"}


WINNING = {
    "four abreast": ["A B C D", "A B C D"],
    "a box": ["A B B D", "A C C D"],
    "two and two": ["A B C C", "A B D D"],
    "two and two mirrored": ["A A C D", "B B C D"],
    "four abreast, turned": ["A A", "B B", "C C", "D D"],
    "a box, turned": ["A A", "B C", "B C", "D D"],
    "two and two, turned": ["A A", "B B", "C D", "C D"],
    "two and two, turned and mirrored": ["A B", "A B", "C C", "D D"],
}
NO_WIN = {
    "two stacks": ["A A B B", "C C D D"],
    "two stacks, turned": ["A B", "A B", "C D", "C D"],
    "one of the other's": ["A B B d", "A C C d"],
    "shifted by one": ["A B C .", "A B C D", ". . . D"],
    "three": ["A B C .", "A B C ."],
    "two pairs apart": ["A B . C C", "A B . D D"],
    "in a line": ["A A B B C C D D"],
    "a stair": ["A A . .", "B B . .", ". C C .", ". D D ."],
}


def shifted(rows: list[str], files: int, ranks: int) -> str:
    return "\n".join([". " * files + row for row in rows] + [". "] * ranks)


def last_stones(rows: list[str], owner: int = 1) -> list[str]:
    return [name for name, of in stones_of(shifted(rows, 3, 2)) if of == owner]


@pytest.mark.parametrize("last", range(4))
@pytest.mark.parametrize("rows", WINNING.values(), ids=WINNING)
def test_four_in_a_block_win_whichever_comes_last(rows: list[str], last: int) -> None:
    rules, _ = scene(".", stones=20)
    names = last_stones(rows)
    slid = names[last]
    position = rules.parse_position(",".join(f"{name}:1" for name in names if name != slid))
    after, events = play(rules, position, slid)
    in_order = sorted(names, key=lambda name: (name[1], name[2], name[0]))
    assert events == [
        {"type": "slide", "placement": slid},
        {"type": "combination", "stones": in_order},
        {"type": "win", "player": 1, "reason": "combination"},
    ]
    outcome = rules.outcome(after)
    assert outcome is not None
    assert outcome.as_json() == {"winner": 1, "reason": "combination"}
    assert rules.legal(after) == ()
    assert rules.to_move(after) == 2


@pytest.mark.parametrize("rows", NO_WIN.values(), ids=NO_WIN)
def test_near_misses_win_nothing(rows: list[str]) -> None:
    rules, _ = scene(".", stones=20)
    stones = stones_of(shifted(rows, 0, 2))
    for slid in [name for name, owner in stones if owner == 1]:
        position = rules.parse_position(",".join(f"{name}:{owner}" for name, owner in stones if name != slid))
        moves = [move for move in rules.legal(position) if rules.move_text(move).partition(":")[0] == slid]
        assert moves
        for move in moves:
            after, events = rules.apply(position, move)
            assert rules.outcome(after) is None
            assert "combination" not in {event.type for event in events}


def test_one_stone_may_complete_two_blocks() -> None:
    rules, position = scene("A B . D E\nA B . D E", stones=20)
    position, events = play(rules, position, "Vc1")
    assert [event.get("stones") for event in events if event["type"] == "combination"] == [
        ["Va1", "Vb1", "Vc1", "Vd1"],
        ["Vb1", "Vc1", "Vd1", "Ve1"],
    ]


def test_blocks_that_share_a_corner_come_in_order_of_their_stones() -> None:
    rules, position = scene(
        """
        F F . .
        E E . .
        D D C B
        . . C B""",
        stones=20,
    )
    _, events = play(rules, position, "Ha1")
    assert [event["stones"] for event in events if event["type"] == "combination"] == [
        ["Ha1", "Ha2", "Ha3", "Ha4"],
        ["Ha1", "Ha2", "Vc1", "Vd1"],
    ]


def test_a_winning_move_returns_nothing() -> None:
    # Z leaves F alone; if it did not win, F would go back.
    rules, position = scene(
        """
        A B C . . . .
        A B C Z Z F F""",
    )
    after, events = play(rules, position, "Hd1-Vd1")
    assert [event["type"] for event in events] == ["move", "combination", "win"]
    assert rules.hands(after) == {"1": 0, "2": 5}


def test_a_winning_move_has_no_suffix() -> None:
    # Z leaves four stones on the right, and joins three on the left.
    rules, position = scene(
        """
        A B C . . . . M M
        A B C Z Z P P Q Q
        . . . . . R R . .""",
        wide=16,
    )
    from_z = {token for token in tokens(rules, position) if token.startswith("Hd2-")}
    assert {"Hd2-Vd2", "Hd2-Ha4:Va2", "Hd2-Ha4:Hf1"} <= from_z
    assert not {token for token in from_z if token.startswith("Hd2-Vd2:")}
    with pytest.raises(IllegalMoveError, match=r"leave out.*4\.2"):
        play(rules, position, "Hd2-Vd2:Va2")


def test_the_ply_limit_draws() -> None:
    rules = GAME.rules(settings={"max_plies": "3"})
    position, events = play(rules, rules.initial(), "He8", "He9", "He10")
    assert events == [{"type": "slide", "placement": "He10"}, {"type": "draw", "reason": "ply-limit"}]
    outcome = rules.outcome(position)
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (None, "ply-limit")
    assert rules.legal(position) == ()


def test_a_win_on_the_last_ply_goes_before_the_limit() -> None:
    rules = GAME.rules(settings={"max_plies": "7"})
    plies = ["Va1", "Ha3", "Vb1", "Ha4", "Vc1", "Ha5"]
    position, _ = play(rules, rules.initial(), *plies)
    _, events = play(rules, position, "Vd1")
    assert events[-1] == {"type": "win", "player": 1, "reason": "combination"}
    _, events = play(rules, position, "Vd2")
    assert events[-1] == {"type": "draw", "reason": "ply-limit"}


def test_a_block_on_the_last_ply_goes_before_the_limit() -> None:
    _, full = full_mat()
    rules = GAME.rules(settings={"width": "8", "height": "8", "stones": "16", "max_plies": "2"})
    position = rules.parse_position(rules.position_text(full))
    _, events = play(rules, position, "pass", "pass")
    assert events[-1] == {"type": "draw", "reason": "blocked"}


def test_a_move_between_two_passes_keeps_the_round_going() -> None:
    rules, position = scene("A A b b", stones=1)
    position, _ = play(rules, position._replace(passed=True), "Ha1-Hc2")
    assert not position.passed
    rules, position = full_mat()
    assert rules.outcome(play(rules, position, "pass")[0]) is None
    assert rules.outcome(play(rules, position._replace(passed=True), "pass")[0]) is not None


def test_who_begins() -> None:
    rules = GAME.rules(settings={"first": "2"})
    position, _ = play(rules, rules.initial(), "He8")
    assert rules.position_text(position) == "He8:2"
    assert rules.hands(position) == {"1": 20, "2": 19}
    assert rules.to_move(position) == 1
