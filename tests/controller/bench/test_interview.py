"""Answers are judged against all that were given before; what is proposed would do; and it always comes to an end."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.bench.asks import ASKS
from controller.bench.interview import PATIENCE, WizardError
from controller.bench.person import Question
from controller.bench.wizard import make_profile
from controller.games.seam import load_game
from hardware.profile import check_profile, load_profile, profile_names
from tests.controller.bench.scripted import Scripted


def made(person: Any, board: str, game: str | None = None) -> dict[str, Any]:
    """Return what becomes of a board, which must be sound."""
    raw = make_profile(person, "mine", load_profile(board), None if game is None else load_game(game).rules(None, {}))
    check_profile(raw, "mine")
    return raw


def test_a_pin_that_was_given_before_is_refused_at_once_and_another_proposed() -> None:
    person = Scripted(("rows", "0 1 2 3 4 5 6 7 8 9 10 11"), ("Data pin", "4"))
    raw = made(person, "exago-5-reeds")
    assert "lamps.pin: GP4 (header pin 6) already belongs to cells.rows[4]; use another pin; free: GP20" in person.said
    assert "say its name here: cells.rows" in person.said
    assert raw["lamps"]["pin"] == 22
    assert [words for words in person.asked if "Data pin" in words] == ["Data pin of the pixels? [22]"] * 2
    assert sum("rows" in words for words in person.asked) == 1, "nothing is left to be asked again in the end"


def test_an_earlier_answer_is_given_anew_where_it_is_the_wrong_one() -> None:
    person = Scripted(
        ("Data pin", "4"), ("Data pin", "cells.rows[4]"), ("rows", "0 1 2 3 21 5 6 7 8 9 10 11"), ("Data pin", "4")
    )
    raw = made(person, "exago-5-reeds")
    assert person.said
    assert raw["lamps"]["pin"] == 4
    assert raw["cells"]["rows"][4] == 21


@pytest.mark.parametrize(
    ("board", "words", "answer", "refusal"),
    [
        ("exago-5-reeds", "columns", "12 13 14 15 16 17 18 0", "cells.columns[7]: GP0 (header pin 1) already belongs"),
        ("exago-5-reeds", "rows", "0 1 2 3 4 5 6 7 8 9 10 0", "cells.rows[11]: GP0 (header pin 1) already belongs"),
        ("bao-4x12", "Analogue inputs", "26 27 2", "cells.adcs[2]: GP2 (header pin 4)"),
        ("bao-4x12", "infrared", "GP5", "cells.emitter: GP5 (header pin 7) already belongs to cells.selects[3]"),
        ("bao-4x12", "button back", "gp 10", "buttons.back: GP10 (header pin 14) already belongs to buttons.ok"),
        ("exago-5-registers", "SH/LD", "GPIO 19", "cells.load: GPIO 19 (header pin 35) already belongs"),
        ("bamogo-4x4-colour", "button red", "GPIO17", "buttons.red: GPIO 17 (header pin 11) already belongs"),
    ],
)
def test_every_kind_of_pin_is_judged_when_it_is_given(board: str, words: str, answer: str, refusal: str) -> None:
    person = Scripted((words, answer))
    raw = made(person, board)
    assert refusal in person.said
    assert raw == {
        **load_profile(board).model_dump(mode="json", exclude_unset=True),
        "name": "mine",
        "host": raw["host"],
    }


def test_what_was_only_proposed_gives_way() -> None:
    person = Scripted(("rows", "22 23"), ("rows", "22 1 2 3 4 5 6 7 8 9 10 12"))
    raw = made(person, "exago-5-reeds")
    assert "cells.rows[1]: there is no GP23" in person.said
    assert raw["cells"]["columns"] == [0, 13, 14, 15, 16, 17, 18, 19]
    assert raw["lamps"]["pin"] not in (*raw["cells"]["rows"], *raw["cells"]["columns"])

    person = Scripted(("rows", "4, 17, 10, 26"))
    raw = made(person, "bamogo-4x4-presence")
    assert person.said
    assert (raw["lamps"]["driver"], raw["lamps"]["pin"]) == ("neopixel", 12), "SPI sends on GPIO 10"


@pytest.mark.parametrize(
    ("board", "answers", "rows", "columns"),
    [
        ("exago-5-reeds", [("hexagon", "2")], 6, 4),
        ("exago-5-reeds", [("hexagon", "2"), ("Buttons", "none")], 5, 4),
        ("exago-5-reeds", [("hexagon", "2"), ("rows", "0 1 2")], 3, 8),
        ("bamogo-4x4-presence", [("left to right", "6"), ("near to far", "3")], 3, 6),
    ],
)
def test_rows_and_columns_are_proposed_for_so_many_cells_and_buttons(
    board: str, answers: list[tuple[str, str]], rows: int, columns: int
) -> None:
    person = Scripted(*answers)
    raw = made(person, board)
    assert person.said
    assert (len(raw["cells"]["rows"]), len(raw["cells"]["columns"])) == (rows, columns)


def test_registers_and_multiplexers_are_proposed_for_so_many_cells() -> None:
    assert made(Scripted(("hexagon", "6")), "exago-5-registers")["cells"]["registers"] == 17
    assert made(Scripted(("left to right", "8")), "bao-4x12")["cells"]["adcs"] == [26, 27]


def test_too_few_crossings_are_told_in_words_of_the_layout_with_what_may_be_changed() -> None:
    person = Scripted(("hexagon", "3"), ("columns", "12 13"), ("columns", "cells.radius"), ("hexagon", "1"))
    raw = made(person, "exago-5-reeds")
    assert "for 37 cells and 5 buttons; add pins to rows or columns, or lower radius" in person.said
    assert "say its name here: cells.buttons, cells.rows, cells.radius" in person.said
    assert raw["cells"]["radius"] == 1
    assert raw["lamps"]["count"] == 7 + 24


def test_how_the_cells_of_a_hexagon_fill_the_crossings_is_said_and_listed() -> None:
    person = Scripted(("hexagon", "2"))
    made(person, "exago-5-reeds", "exago")
    assert "nearest to player 1 first" not in person.said
    assert "fill the crossings in the order of their names" in person.said
    assert "row 1, GP0: a3 a4 a5 b2 row 2, GP1: b3 b4 b5 c1" in person.said
    assert "row 5, GP4: e1 e2 e3 ok row 6, GP5: back new hint -" in person.said


def test_buttons_are_said_to_be_where_they_are() -> None:
    person = Scripted()
    made(person, "exago-5-reeds")
    assert "each sits in the matrix like one more cell" in person.said
    assert "one wire to its pin" not in person.said
    person = Scripted()
    made(person, "bao-4x12")
    assert "A button has one wire to its pin and one to ground" in person.said
    person = Scripted(("Buttons in the matrix", "ok, knob"), ("Buttons in the matrix", "ok back"))
    raw = made(person, "exago-5-reeds")
    assert "there is no button 'knob'" in person.said
    assert raw["cells"]["buttons"] == {"ok": 91, "back": 92}


def test_a_matrix_without_diodes_is_refused_where_a_micro_controller_reads_it() -> None:
    person = Scripted(("diode", "no"))
    raw = made(person, "exago-5-reeds")
    assert "solder a diode to each contact" in person.said
    assert raw["cells"]["diodes"] is True


def test_colours_have_buttons_where_players_say_them() -> None:
    assert "yellow" not in made(Scripted(), "exago-5-reeds", "exago")["cells"]["buttons"]
    assert "yellow" in made(Scripted(), "bamogo-4x4-presence", "bamogo")["buttons"]
    assert "yellow" in made(Scripted(), "mat-16x16", "bambam-booboo")["buttons"], "it lends its cells to Bamogo"


@pytest.mark.parametrize(
    ("board", "words", "answers"),
    [
        ("exago-5-reeds", "Data pin", ("GP22", "gp22", "22", "GPIO 22")),
        ("exago-5-reeds", "columns", ("GP12 GP13, GP14 15 16 17 18 gp 19",)),
        ("bamogo-4x4-presence", "button ok", ("GPIO23", "GPIO 23", "23")),
    ],
)
def test_pins_are_taken_as_they_are_printed(board: str, words: str, answers: tuple[str, ...]) -> None:
    expected = made(Scripted(), board)
    for answer in answers:
        person = Scripted((words, answer))
        assert made(person, board) == expected
        assert "is no pin" not in person.said


def test_what_is_no_pin_is_told_with_how_to_say_one() -> None:
    person = Scripted(("Data pin", "D22"))
    made(person, "exago-5-reeds")
    assert "'D22' is no pin: say its number, such as 15 (GP15 and GPIO 15 are the same)" in person.said


def test_a_size_is_remarked_upon_once_it_is_known() -> None:
    person = Scripted(("left to right", "3"), ("near to far", "5"))
    board = load_profile("bamogo-4x4-presence")
    make_profile(person, "mine", board, remark=lambda sized: f"It has {len(sized.cell_names())} cells.")
    assert re.findall(r"It has \d+ cells", person.said) == ["It has 15 cells"]


def test_somebody_who_insists_on_what_will_not_do_is_not_asked_for_ever() -> None:
    class Stubborn(Scripted):
        def ask(self, question: Question) -> str:
            self.asked.append(question.words)
            return "0" if "Data pin" in question.words else question.default

    person = Stubborn()
    with pytest.raises(WizardError, match=r"more than 20 answers in a row would not do.*cells\.rows\[0\]"):
        make_profile(person, "mine", load_profile("exago-5-reeds"))
    assert sum("Data pin" in words for words in person.asked) == PATIENCE + 1


class Whimsical:
    """A person who says now and then what comes to mind, and agrees with what is proposed else."""

    def __init__(self, whims: list[str | None]) -> None:
        self._whims = whims
        self.asked = 0
        self.agreed: str | None = None

    def tell(self, words: str) -> None:
        if self.agreed is not None:
            assert not re.match(r"  \S+: .*; ", words), f"{self.agreed!r} was proposed and refused: {words}"

    def ask(self, question: Question) -> str:
        whim = self._whims[self.asked] if self.asked < len(self._whims) else None
        self.asked += 1
        self.agreed = question.default if whim is None else None
        return question.default if whim is None else whim

    def request(self, request: object) -> None:
        raise AssertionError("nothing is to be done with hands")

    def heard(self) -> str:
        raise AssertionError("nobody is listened to")


_WHIMS = st.one_of(
    st.integers(0, 30).map(str),
    st.lists(st.integers(0, 28), min_size=1, max_size=12, unique=True).map(lambda pins: " ".join(map(str, pins))),
    st.sampled_from(sorted({ask.key for ask in ASKS})),
    st.sampled_from(["none", "yes", "no", "spi", "neopixel", "ok back", "GP4", "", "2000", "9" * 5000, "huh"]),
)


@settings(deadline=None, max_examples=25)
@given(st.sampled_from(profile_names()), st.lists(st.none() | _WHIMS, max_size=40))
def test_whatever_is_answered_what_is_proposed_will_do_and_it_ends(board: str, whims: list[str | None]) -> None:
    person = Whimsical(whims)
    ended = ""
    try:
        check_profile(make_profile(person, "mine", load_profile(board)), "mine")
    except WizardError as error:
        ended = str(error)
    assert not ended or f"more than {PATIENCE} answers" in ended
    assert person.asked <= (len(whims) + len(ASKS)) * 3 + PATIENCE
