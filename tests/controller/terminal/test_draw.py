"""The drawing: golden pictures of all four games, and what holds for every size.

The golden files are rewritten by running this module with STONELIGHT_GOLDEN=write in the environment; read the
difference, and give its reason in the commit. In pictures with colours the escape character is written as ``\\e``.
"""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.lighting.language import Meaning
from controller.terminal.ansi import Span, clipped, encoded, harmless, length, palette, wrapped
from controller.terminal.draw import board_lines, draw
from controller.terminal.lights import HOLD_MS, Seen

GOLDEN = Path(__file__).parents[2] / "golden" / "terminal"
SGR = re.compile(r"\x1b\[[0-9;]*m")

BAO = "2,2,2,2,2,2,2,2,2,2,2,2/2,2,2,2,2,2,2,2,2,2,2,0/0,2,2,2,2,2,2,2,2,2,2,2/2,0,2,2,10,3,0,1,0,2,0,2"
MAT = "Hc8:1,Hc9:2,He8:1,Ve9:2,Vf9:1,Hg9:2,Hi9:1,Vk8:2"
EXAGO_MOVES = "f6;f7;e6;e7;d6;f6-d7"

PICTURES: dict[str, dict[str, Any]] = {
    "bamogo-start": {"name": "bamogo"},
    "bamogo-lit": {
        "name": "bamogo",
        "position": "..../.YB./.BR./R...",
        "lights": {"c3": Meaning.QUESTION, "b2": Meaning.TOUCHED, "d4": Meaning.TARGET, "a1": Meaning.TAKE_OFF},
        "moves": "Ra1 Bb1;Rc2 Bc3;a1~b1",
    },
    "bamogo-lit-in-colour": {
        "name": "bamogo",
        "position": "..../.YB./.BR./R...",
        "lights": {"c3": Meaning.QUESTION, "b2": Meaning.TOUCHED, "d4": Meaning.TARGET},
        "colour": True,
    },
    "bamogo-small": {"name": "bamogo", "position": "..../.YB./.BR./R...", "size": (30, 10)},
    "bamogo-low": {"name": "bamogo", "position": "..../.YB./.BR./R...", "size": (80, 10)},
    "bao": {
        "name": "bao-kigogo",
        "position": BAO,
        "lights": {"d6": Meaning.SOW, "d7": Meaning.SOW, "d8": Meaning.SOW_LAST},
        "moves": "d5;b1;d9",
    },
    "bao-wide": {"name": "bao-kigogo", "settings": {"columns": "24"}},
    "exago": {
        "name": "exago",
        "position": "d6:R,d7:B,e6:R,e7:B,f6:R,f7:B",
        "lights": {"f7": Meaning.COUNTED, "g6": Meaning.HINT},
        "moves": EXAGO_MOVES,
    },
    "exago-six-players": {
        "name": "exago",
        "position": "h8:R,h9:B,i8:Y,i9:G,g8:P,g9:O",
        "players": 6,
        "settings": {"radius": "7"},
        "moves": "h8;h9;i8;i9;g8;g9",
    },
    "exago-in-colour": {
        "name": "exago",
        "position": "e6:R,e7:B,f6:R,f7:B",
        "lights": {"f7": Meaning.COUNTED},
        "colour": True,
    },
    "mat": {
        "name": "bambam-booboo",
        "position": MAT,
        "lights": {"e8": Meaning.GIVE_BACK, "f8": Meaning.GIVE_BACK, "a1": Meaning.PUT_BACK, "b1": Meaning.WRONG_ONE},
        "moves": ";".join(f"Ha{ply}" for ply in range(1, 17)),
    },
    "mat-largest": {
        "name": "bambam-booboo",
        "position": MAT,
        "settings": {"width": "32", "height": "32"},
    },
    "mat-narrow": {"name": "bambam-booboo", "position": MAT, "size": (40, 12)},
}


def picture(states: Callable[..., dict[str, Any]], facts: dict[str, Any]) -> str:
    wanted = dict(facts)
    size, colour = wanted.pop("size", (80, 23)), wanted.pop("colour", False)
    lines = draw(states(wanted.pop("name"), **wanted), size, colour=colour, now=0)
    return "".join(line.replace("\x1b", "\\e").rstrip() + "\n" for line in lines)


@pytest.mark.parametrize("name", PICTURES)
def test_picture_is_the_golden_one(name: str, states: Callable[..., dict[str, Any]]) -> None:
    drawn = picture(states, PICTURES[name])
    file = GOLDEN / f"{name}.txt"
    if os.environ.get("STONELIGHT_GOLDEN") == "write":
        file.write_text(drawn)
    assert drawn == file.read_text()


def test_every_golden_picture_is_drawn_by_a_test() -> None:
    assert {file.stem for file in GOLDEN.glob("*.txt")} == set(PICTURES)


@settings(max_examples=60)
@given(st.sampled_from(sorted(PICTURES)), st.integers(1, 130), st.integers(1, 50), st.data())
def test_nothing_is_wider_or_taller_than_the_screen(
    states: Callable[..., dict[str, Any]], name: str, columns: int, rows: int, data: st.DataObject
) -> None:
    wanted = {key: value for key, value in PICTURES[name].items() if key not in {"size", "colour"}}
    state = states(wanted.pop("name"), **wanted)
    state["reply"] = data.draw(st.text(max_size=100))
    state["words"] = data.draw(st.text("abc d,", min_size=1, max_size=300))
    plain = draw(state, (columns, rows), colour=False, now=0)
    assert len(plain) <= rows
    assert all(length((Span(line),)) <= columns for line in plain)
    assert not any("\x1b" in line for line in plain)
    assert [SGR.sub("", line) for line in draw(state, (columns, rows), colour=True, now=0)] == plain


@pytest.mark.parametrize("name", ["bamogo", "bao-kigogo", "exago", "bambam-booboo"])
def test_whole_board_with_words_fits_the_usual_screen(name: str, states: Callable[..., dict[str, Any]]) -> None:
    state = states(name)
    lines = draw(state, (80, 23), colour=False, now=0)
    text = "\n".join(lines)
    ranks = {cell["id"].rstrip("0123456789") for cell in state["cells"]}
    assert "ranks" not in lines[0], "a part of the board is cut off"
    assert all(re.search(rf"\b{rank}", text) for rank in ranks)
    assert state["words"] in lines
    assert "Player 2: 0" in text


def test_crop_follows_what_is_lit(states: Callable[..., dict[str, Any]]) -> None:
    for cell, part in (("c30", "ranks 19 to 32 of 32"), ("c2", "ranks 1 to 14 of 32")):
        state = states("bambam-booboo", settings={"width": "32", "height": "32"}, lights={cell: Meaning.TAKE_OFF})
        lines = draw(state, (80, 23), colour=False, now=0)
        assert part in lines[0]
        assert any("x." in line for line in lines)


def test_flash_that_is_dark_at_this_moment_keeps_its_mark(states: Callable[..., dict[str, Any]]) -> None:
    state = states("bamogo")
    state["cells"][0]["seen"] = Seen("#ff0000", 1000)
    held = draw(state, (80, 23), colour=False, now=1000 + HOLD_MS - 1)
    gone = draw(state, (80, 23), colour=False, now=1000 + HOLD_MS)
    assert any("|x  .  x|" in line for line in held)
    assert not any("x" in line for line in gone if "|" in line)


def test_two_places_of_a_stone_belong_together(states: Callable[..., dict[str, Any]]) -> None:
    lines = board_lines(states("bambam-booboo", "Hc3:1,Ve3:2"), 80, colour=False, now=0)
    third = next(line for line in lines if line.lstrip().startswith("3 "))
    fourth = next(line for line in lines if line.lstrip().startswith("4 "))
    assert "[1==1]" in third
    assert third.index("\\2/") == fourth.index("/2\\")


def test_text_that_is_read_is_cut_into_pages(states: Callable[..., dict[str, Any]]) -> None:
    state = states("bamogo")
    state["page"] = {"title": "Bamogo: rules", "lines": [f"line {n}" for n in range(30)], "top": 0}
    lines = draw(state, (80, 23), colour=False, now=0)
    assert lines[:2] == ["Bamogo: rules", "line 0"]
    assert lines[-2] == "line 20"
    assert lines[-1].startswith("Enter: go on reading")
    state["page"]["top"] = 21
    lines = draw(state, (80, 23), colour=False, now=0)
    assert lines[1] == "line 21"
    assert lines[-1] == "Enter: back to the board"


def test_names_and_messages_cannot_steer_the_terminal(states: Callable[..., dict[str, Any]]) -> None:
    state = states("bamogo")
    state["reply"] = state["words"] = "\x1b[2J\x07\n"
    state["players"][0]["name"] = "\x9b31m"
    text = "".join(draw(state, (80, 23), colour=False, now=0))
    assert text == harmless(text)
    assert "?[2J" in text


@given(st.text(st.characters(codec="utf-8"), max_size=60), st.integers(0, 40))
def test_clipping_keeps_as_much_as_fits(text: str, columns: int) -> None:
    line = clipped((Span(text[:20]), Span(text[20:])), columns)
    assert length(line) <= columns
    assert text.startswith(encoded(line, colour=False))
    assert length((Span(text),)) <= columns or length(line) >= columns - 1


@given(st.text("ab ", max_size=120), st.integers(1, 30))
def test_wrapping_loses_nothing(text: str, columns: int) -> None:
    lines = wrapped(text, columns)
    assert all(len(line) <= columns for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_colours_of_the_palette() -> None:
    assert palette((0, 0, 0)) == 16
    assert palette((255, 255, 255)) == 231
    assert palette((255, 0, 0)) == 196
    assert palette((30, 6, 4)) >= 232, "dim is not dark"


def test_a_long_answer_takes_a_second_row(states: Callable[..., dict[str, Any]]) -> None:
    state = states("bamogo")
    state["reply"] = (
        "There is a stone on b2 already, so nothing can be put there; take it up first, or choose another cell."
    )
    lines = draw(state, (80, 23), colour=False, now=0)
    assert " ".join(lines[-2:]) == state["reply"]
    state["reply"] *= 4
    lines = draw(state, (80, 23), colour=False, now=0)
    assert lines[-2].startswith("There is a stone on b2")
    assert lines[-1].endswith("...")
    assert state["words"] in lines
