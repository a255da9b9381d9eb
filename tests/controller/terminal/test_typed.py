"""Typed lines, straight ways and the line editor."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.games.seam import AnyRules, load_game
from controller.terminal import typed
from controller.terminal.editor import LONGEST, Editor, Key, Kind
from controller.terminal.help import help_text
from controller.terminal.typed import TypedError, read
from controller.terminal.ways import NoWayError, straight_way, way_in

GAMES = ("bamogo", "bao-kigogo", "exago", "bambam-booboo")


def rules_of(name: str) -> AnyRules:
    return load_game(name).rules()


def cells(name: str, *spots: str) -> list[tuple[int, ...]]:
    return [rules_of(name).spot(spot) for spot in spots]


@pytest.mark.parametrize(
    ("game", "line", "wanted"),
    [
        ("bamogo", "lift a1", typed.Lift((0,))),
        ("bamogo", "  drop a2 R  # a comment", typed.Drop((1,), 1)),
        ("bamogo", "drop a2 y", typed.Drop((1,), 3)),
        ("bamogo", "drop a2", typed.Drop((1,), None)),
        ("bao-kigogo", "drop a2", typed.Drop((1,), 1)),
        ("bao-kigogo", "drop a2 x3", typed.Drop((1,), 3)),
        ("bamogo", "slide a1 a3 speed=20", typed.Slide((0,), (2,), 20)),
        ("bamogo", "brush a1", typed.Brush((0,))),
        ("bamogo", "press red", typed.Press("red")),
        ("bamogo", "OK", typed.Press("ok")),
        ("bamogo", "press 3", typed.Press("3")),
        ("bamogo", "touch a1", typed.Touch((0,))),
        ("bamogo", "help", typed.Show("help")),
        ("bamogo", "rules", typed.Show("rules")),
        ("bamogo", "quit", typed.Quit()),
        ("bamogo", "", typed.Nothing()),
        ("bamogo", "# nothing", typed.Nothing()),
    ],
)
def test_line_is_read(game: str, line: str, wanted: typed.Typed) -> None:
    assert read(line, rules_of(game)) == wanted


@pytest.mark.parametrize(
    ("game", "token"),
    [("bamogo", "Ra1 Bb1"), ("bamogo", "a1~b1"), ("bao-kigogo", "d5"), ("exago", "e5-g7"), ("bambam-booboo", "He8")],
)
def test_token_is_a_move_with_and_without_play(game: str, token: str) -> None:
    for line in (token, f"play {token}"):
        asked = read(line, rules_of(game))
        assert isinstance(asked, typed.Play)
        assert asked.token == token


def test_cell_alone_answers_a_question_that_asks_for_it() -> None:
    rules = rules_of("exago")
    assert read("f6", rules, ["f6", "back"]) == typed.Touch(rules.spot("f6"))
    assert isinstance(read("f6", rules, ["ok", "back"]), typed.Play)


def test_slide_from_off_the_mat() -> None:
    (end,) = cells("bambam-booboo", "He8")
    rules = rules_of("bambam-booboo")
    assert read("slide off He8 1 from=west", rules) == typed.SlideIn(end, 1, "west", 60)
    assert read("slide off He8", rules) == typed.SlideIn(end, None, None, 60)


@pytest.mark.parametrize(
    ("game", "line", "said"),
    [
        ("bamogo", "wait 400", "the time here is real"),
        ("bamogo", "power-cut", "that is for rehearsals"),
        ("bamogo", "lift", "Write it as: lift CELL."),
        ("bamogo", "lift z9", "z9"),
        ("bamogo", "drop a1 Q", "there are: R, B, Y"),
        ("bamogo", "drop a1 R R", "drop CELL"),
        ("bao-kigogo", "drop c5 3", "drop PIT"),
        ("bao-kigogo", "drop c5 x0", "no number of seeds"),
        ("bao-kigogo", "slide c5 c6", "Seeds do not slide"),
        ("bamogo", "slide a1", "slide FROM TO"),
        ("bamogo", "slide a1 a2 fast=1", "slide FROM TO"),
        ("bamogo", "slide a1 a2 speed=0", "speed=0"),
        ("exago", "slide off f6 R", "drop the stone"),
        ("bambam-booboo", "slide off He8 1 from=up", "west, east, south, north"),
        ("bamogo", "press door", "there are: red"),
        ("bamogo", "play", "play MOVE"),
        ("bamogo", "Ra1", "help lists"),
        ("exago", "quux", "help lists"),
        ("bambam-booboo", "lift me", "me"),
    ],
)
def test_wrong_line_gets_one_clear_sentence(game: str, line: str, said: str) -> None:
    with pytest.raises(TypedError) as refused:
        read(line, rules_of(game))
    assert said in str(refused.value)
    assert str(refused.value).endswith(".")
    assert "\n" not in str(refused.value)


@given(st.sampled_from(GAMES), st.text(max_size=40))
def test_no_line_is_worse_than_refused(game: str, line: str) -> None:
    with contextlib.suppress(TypedError):
        assert read(line, rules_of(game)) is not None


@pytest.mark.parametrize("game", GAMES)
def test_help_shows_steps_and_moves_that_can_be_read(game: str) -> None:
    text = help_text(rules_of(game), real=False)
    steps = [line.strip().split("  ")[0] for line in text.split("Single steps")[1].splitlines()[1:] if line[:2] == "  "]
    assert len(steps) >= 4
    for step in steps:
        read(step, rules_of(game))
    token = text.splitlines()[1].split("(")[0].strip()
    assert isinstance(read(token, rules_of(game)), typed.Play)
    assert "lift" not in help_text(rules_of(game), real=True)


@pytest.mark.parametrize(
    ("game", "start", "end", "steps"),
    [
        ("bamogo", "a1", "a4", 3),
        ("bamogo", "a1", "d4", 3),
        ("exago", "f6", "f9", 3),
        ("exago", "f6", "i6", 3),
        ("bambam-booboo", "He8", "He4", 4),
        ("bambam-booboo", "Ve8", "Vb8", 3),
    ],
)
def test_straight_way_leads_from_neighbour_to_neighbour(game: str, start: str, end: str, steps: int) -> None:
    here, there = cells(game, start, end)
    way = straight_way(rules_of(game).cells, here, there)
    assert len(way) == steps + 1
    assert (way[0], way[-1]) == (here, there)


@pytest.mark.parametrize(
    ("game", "start", "end"),
    [("bamogo", "a1", "b3"), ("bamogo", "a1", "a1"), ("exago", "f6", "h5"), ("bambam-booboo", "He8", "Ve8")],
)
def test_what_is_no_straight_way(game: str, start: str, end: str) -> None:
    with pytest.raises(NoWayError):
        straight_way(rules_of(game).cells, *cells(game, start, end))


def test_way_in_begins_at_the_edge_with_half_a_stone() -> None:
    places = rules_of("bambam-booboo").cells
    (end,) = cells("bambam-booboo", "Hb8")
    assert way_in(places, end, "west") == [*cells("bambam-booboo", "a8"), *cells("bambam-booboo", "Ha8"), end]
    assert len(way_in(places, end, "south")) == 8


# The line editor ------------------------------------------------------------------------------------------------------


def test_keys_edit_a_line() -> None:
    editor = Editor()
    editor.feed("lift a11\x7f\x1b[D\x1b[D\x1b[D x\x1b[3~\x01!\x05?")
    assert (editor.text, editor.cursor) == ("!lift xa1?", 10)
    editor.feed("\x17")
    assert editor.text == "!lift "
    editor.feed("\x02\x02\x0b")
    assert editor.text == "!lif"
    editor.feed("\x15")
    assert editor.text == ""


def test_line_is_taken_and_comes_back_with_the_arrow_keys() -> None:
    editor = Editor()
    assert editor.feed("one\rtwo\n\n") == [Key(Kind.LINE, "one"), Key(Kind.LINE, "two"), Key(Kind.LINE, "")]
    editor.feed("\x1b[A")
    assert editor.text == "two"
    editor.feed("\x1b[A\x1b[A")
    assert editor.text == "one"
    editor.feed("\x1bOB\x1bOB")
    assert editor.text == ""


def test_control_d_ends_only_an_empty_line() -> None:
    editor = Editor()
    assert editor.feed("ab\x01\x04") == []
    assert editor.text == "b"
    assert editor.feed("\x04\x04") == [Key(Kind.END)]
    assert editor.feed("\f") == [Key(Kind.AGAIN)]


def test_tab_completes_as_far_as_it_is_certain() -> None:
    editor = Editor(lambda: ["lift", "rules", "red", "Ra1 Bb1", "Ra1 Bb2"])
    editor.feed("l\t")
    assert editor.text == "lift"
    editor.feed("\x15R\t")
    assert editor.text == "Ra1 Bb"
    assert editor.feed("\t") == [Key(Kind.CHOICES, "Ra1 Bb1  Ra1 Bb2")]
    editor.feed("\x15q\t")
    assert editor.text == "q"


@given(
    st.lists(st.sampled_from(["a", "\x1b[A", "\x1b[3~", "\x1bOH", "\x7f", "\t", "é", "\x1b[D", "\r"]), max_size=30),
    st.data(),
)
def test_keys_may_come_cut_anywhere(keys: list[str], data: st.DataObject) -> None:
    text = "".join(keys)
    whole, cut = Editor(lambda: ["abc"]), Editor(lambda: ["abc"])
    done = whole.feed(text)
    place = data.draw(st.integers(0, len(text)))
    assert cut.feed(text[:place]) + cut.feed(text[place:]) == done
    assert (cut.text, cut.cursor) == (whole.text, whole.cursor)


@given(st.text(max_size=400))
def test_anything_typed_leaves_a_line_that_can_be_shown(keys: str) -> None:
    editor = Editor()
    editor.feed(keys)
    assert 0 <= editor.cursor <= len(editor.text) <= LONGEST
    assert editor.text.isprintable()
