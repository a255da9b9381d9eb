"""Reading scripts: what is a step, and what is said of a line that is none."""

import pytest

from controller.rehearse.script import ScriptError, Step, read_script, whole_number


def test_a_script_is_its_steps_with_their_lines() -> None:
    steps = read_script(
        "# a comment first\n\ngame bamogo players=3 target=4  # the scene\r\n\tboard sense=presence\n"
        "  drop a1 R# no space needed\nexpect move Ra1 Bb1\n"
    )
    assert steps == (
        Step(3, "game", ("bamogo",), {"players": "3", "target": "4"}, "game bamogo players=3 target=4"),
        Step(4, "board", (), {"sense": "presence"}, "board sense=presence"),
        Step(5, "drop", ("a1", "R"), {}, "drop a1 R"),
        Step(6, "expect", ("move", "Ra1", "Bb1"), {}, "expect move Ra1 Bb1"),
    )


BAD = [
    # script, line, words of the message
    ("", 1, "begins with its game"),
    ("# nothing\n\n", 1, "begins with its game"),
    ("lift a1", 1, "begins with its game"),
    ("\n\nwait 5\ngame bamogo", 3, "begins with its game"),
    ("game bamogo\ngame exago", 2, "has one game"),
    ("game", 1, "game NAME"),
    ("game bamogo exago", 1, "game NAME"),
    ("game bamogo\njump a1", 2, "'jump' is no step; there are: game, board"),
    ("game bamogo\nLift a1", 2, "'Lift' is no step"),
    ("game bamogo\nlift", 2, "lift CELL"),
    ("game bamogo\nlift a1 b1", 2, "lift CELL"),
    ("game bamogo\nlift a1 hard=yes", 2, "'hard' is not known here"),
    ("game bamogo\ndrop", 2, "drop CELL [STONE]"),
    ("game bamogo\nslide a1", 2, "slide FROM TO"),
    ("game bamogo\nslide a1 a2 sped=6", 2, "'sped' is not known here"),
    ("game bamogo\nbrush", 2, "brush CELL"),
    ("game bamogo\nplay", 2, "play MOVE"),
    ("game bamogo\nwait", 2, "wait MILLISECONDS"),
    ("game bamogo\npress", 2, "press BUTTON"),
    ("game bamogo\npress red blue", 2, "press BUTTON"),
    ("game bamogo\nexpect", 2, "expect WHAT"),
    ("game bamogo\ntempo", 2, "tempo MILLISECONDS"),
    ("game bamogo\nseed", 2, "seed NUMBER"),
    ("game bamogo\nboard presence", 2, "board [sense="),
    ("game bamogo\nboard sense=presence sense=colour", 2, "given twice"),
    ("game bamogo\nboard wire=yes", 2, "'wire' is not known here"),
    ("game bamogo\nposition", 2, "position TEXT"),
    ("game bamogo\nlift a1\nposition ..../..../..../....", 3, "comes before the first hand step"),
    ("game bamogo\nwait 5\nboard via=pins", 3, "comes before the first hand step"),
    ("game bamogo\nexpect moves 0\nbare", 3, "comes before the first hand step"),
]


@pytest.mark.parametrize(("script", "line", "words"), BAD)
def test_a_bad_line_is_named_with_what_would_be_right(script: str, line: int, words: str) -> None:
    with pytest.raises(ScriptError) as caught:
        read_script(script)
    assert caught.value.line == line
    assert words in str(caught.value)


def test_seed_tempo_and_faults_may_come_before_the_scene() -> None:
    steps = read_script("game bamogo\nseed 7\ntempo 80\nfaults bounce=2\nboard via=pins\nbare\n")
    assert [step.verb for step in steps] == ["game", "seed", "tempo", "faults", "board", "bare"]


@pytest.mark.parametrize("word", ["", "-1", "1.5", "five", "٣", "61", "1e1", "99999999999999999999", "0x5", " 5"])
def test_a_number_that_is_none_is_said(word: str) -> None:
    step = Step(4, "wait", (word,), {}, f"wait {word}")
    with pytest.raises(ScriptError, match="whole number from 5 to 60") as caught:
        whole_number(step, word, 5, 60)
    assert caught.value.line == 4


def test_numbers_at_their_bounds() -> None:
    step = Step(4, "wait", (), {}, "")
    assert [whole_number(step, word, 5, 60) for word in ("5", "60", "007")] == [5, 60, 7]
