"""Dialogues of the set-up: proposals taken, answers corrected, and a sound profile at the end."""

import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.app.hosted import hosting_for
from controller.bench.asks import ASKS
from controller.bench.person import Question, StoppedError
from controller.bench.references import references
from controller.bench.toml_text import dumps
from controller.bench.wizard import WizardError, choose_reference, make_profile, profile_text
from controller.cli.main import main
from controller.games.seam import load_game
from hardware.profile import check_profile, load_profile, parse_profile, profile_names
from tests.controller.bench.scripted import Scripted

GAMES = ("bamogo", "bao-kigogo", "bambam-booboo", "exago")


@pytest.mark.parametrize("name", profile_names())
def test_agreeing_with_everything_gives_the_reference_board(name: str) -> None:
    reference = load_profile(name)
    raw = make_profile(Scripted(), "my-board", reference)
    made = parse_profile(profile_text(raw), "my-board.toml")
    assert made.model_copy(update={"name": reference.name}) == reference


def test_the_boards_of_each_game() -> None:
    names = {game: [profile.name for profile in references(load_game(game).rules(None, {}))] for game in GAMES}
    assert names == {
        "bamogo": ["bamogo-4x4-presence", "bamogo-4x4-colour", "mat-16x16"],
        "bao-kigogo": ["bao-4x12"],
        "bambam-booboo": ["mat-16x16"],
        "exago": ["exago-5-registers", "exago-5-reeds", "mat-16x16"],
    }


@pytest.mark.parametrize(
    ("game", "answers", "name"),
    [
        ("bamogo", [("What the cells tell", "colour")], "bamogo-4x4-colour"),
        ("bamogo", [("What the cells tell", "presence"), ("Like which board", "mat-16x16")], "mat-16x16"),
        ("exago", [("What the cells are wired to", "pico")], "exago-5-reeds"),
        ("exago", [("What the cells are wired to", "pic"), ("What the cells are wired to", "pico")], "exago-5-reeds"),
        ("bao-kigogo", [], "bao-4x12"),
    ],
)
def test_the_reference_follows_from_sensing_and_host(game: str, answers: list[tuple[str, str]], name: str) -> None:
    person = Scripted(*answers)
    assert choose_reference(person, load_game(game).rules(None, {})).name == name
    person.done()


def test_a_game_without_a_board_is_told() -> None:
    rules = load_game("bamogo").rules(None, {})

    class Elsewhere:
        name, surface, stones, cells = "elsewhere", "cube", rules.stones, rules.cells

    with pytest.raises(WizardError, match="no board that comes along has room for elsewhere"):
        choose_reference(Scripted(), Elsewhere())  # type: ignore[arg-type]


def test_each_answer_is_checked_at_once_in_the_profile_s_own_words() -> None:
    person = Scripted(
        ("diode", "perhaps"),
        ("diode", "no"),
        ("matrix's rows", "4, 17, 12, 99"),
        ("matrix's rows", "4 17 12 26"),
        ("Pin of the button red", "17"),
        ("Pin of the button red", "none"),
        ("Order", "gbrr"),
        ("Order", "rgb"),
        ("all together", "40 or so"),
        ("all together", "40"),
        ("may draw", "9000"),
        ("may draw", "750.5"),
    )
    raw = make_profile(person, "mine", load_profile("bamogo-4x4-presence"))
    person.done()
    told = "\n".join(person.told)
    for words in (
        "cells.rows[3]: there is no GPIO 99 on the 40-pin header",
        "'perhaps' is neither yes nor no",
        "buttons.red: GPIO 17 (header pin 11) already belongs to cells.rows[1]",
        "lamps.order: 'GBRR' is no channel order",
        "'40 or so' is no whole number",
        "lamps.budget_ma: 9000 mA is more than supply_ma",
    ):
        assert words in told
    profile = check_profile(raw, "mine")
    assert (profile.lamps.order, profile.lamps.budget_ma, profile.cells.diodes) == ("RGB", 750.5, False)
    assert "red" not in profile.buttons
    assert profile.name == "mine"


def test_another_size_moves_the_ring_and_what_no_longer_fits_is_asked_again() -> None:
    person = Scripted(("hexagon", "6"), ("How many registers", "12"), ("How many registers", "17"))
    raw = make_profile(person, "large", load_profile("exago-5-registers"))
    person.done()
    profile = check_profile(raw, "large")
    assert len(profile.cell_names()) == 127
    assert (profile.lamps.count, profile.lamps.track and profile.lamps.track.first) == (151, 127)
    assert "registers" in "\n".join(person.told)


def test_a_game_that_a_smaller_mat_cannot_lend_to_is_left_out() -> None:
    person = Scripted(("left to right", "1"), ("left to right", "4"), ("near to far", "4"))
    raw = make_profile(person, "small", load_profile("mat-16x16"))
    assert len(check_profile(raw, "small").cell_names()) == 16


def test_every_question_is_about_a_key_that_some_board_has() -> None:
    raws = [load_profile(name).model_dump(mode="json", exclude_unset=True) for name in profile_names()]
    for ask in ASKS:
        if ask.key in ("cells.clock", "cells.data", "buttons.3", "buttons.4", "buttons.5", "buttons.6"):
            continue  # of chains on a Pico, and of seats that no reference board has buttons for
        assert any(ask.when(raw) for raw in raws), ask.key


@pytest.mark.parametrize("game", GAMES)
def test_each_question_is_explained_before_it_is_asked(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["setup", str(tmp_path / "mine.toml"), "--game", game, "--defaults"]) == 0
    lines = capsys.readouterr().out.split("\nThe profile is in")[0].splitlines()
    questions = [number for number, line in enumerate(lines) if "? [" in line]
    assert len(questions) > 10
    for number in questions:
        assert lines[number - 1].startswith("  "), lines[number]
        assert len(lines[number - 1].strip()) > 2
    assert all(len(line) <= 78 for line in lines if line.startswith("  "))


def test_every_explanation_is_a_sentence_and_the_numbers_of_pins_are_explained_once() -> None:
    for ask in ASKS:
        assert re.search(r"^[A-Z].{15,}\.$", ask.explained), ask.key
    for name, numbers in (("bao-4x12", "GP number"), ("exago-5-registers", "GPIO number")):
        person = Scripted()
        make_profile(person, "mine", load_profile(name))
        assert " ".join("\n".join(person.told).split()).count(numbers) == 1


def test_names_to_choose_from_are_explained_each_on_its_line() -> None:
    person = Scripted(("What the cells tell", "presence"))
    choose_reference(person, load_game("bamogo").rules(None, {}))
    told = "\n".join(person.told)
    assert "  presence  only that something lies there: reed switches" in told
    assert "  colour    which stone lies there" in told
    assert "  bamogo-4x4-presence  Bamogo 4 x 4, reed switches" in told
    assert "  mat-16x16            Mat 16 x 16, hall switches on tiles" in told


_KEYS = st.text(min_size=1, max_size=8)
_VALUES = st.recursive(
    st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(_KEYS, _VALUES, max_size=4))
def test_written_toml_reads_back(table: dict[str, object]) -> None:
    assert tomllib.loads(dumps(table)) == table


def test_what_toml_cannot_say_is_an_error() -> None:
    with pytest.raises(TypeError, match="no form for None"):
        dumps({"a": None})


@pytest.mark.parametrize("game", GAMES)
def test_the_command_writes_a_board_and_tells_what_is_next(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "My Board.toml"
    assert main(["setup", str(path), "--game", game, "--defaults"]) == 0
    assert load_profile(path).name == "my-board"
    out = capsys.readouterr().out
    assert f"stonelight wiring {path}" in out
    assert f"stonelight play {game} --board {path}" in out
    assert ("stonelight flash" in out) == (load_profile(path).host == "pico")


@pytest.mark.parametrize(
    ("game", "answers", "options"),
    [
        ("exago", [("wired to", "pico"), ("hexagon", "2")], " --set radius=2"),
        ("exago", [("wired to", "pico"), ("hexagon", "4")], " --set radius=4"),
        ("exago", [("wired to", "pi"), ("Like which board", "mat-16x16")], " --set radius=3"),
        ("exago", [("wired to", "pico"), ("hexagon", "6")], ""),
        ("bao-kigogo", [("left to right", "8")], " --set columns=8"),
        ("bambam-booboo", [("left to right", "8")], " --set width=8 --set height=16"),
        ("bamogo", [("What the cells tell", "colour")], ""),
    ],
)
def test_the_last_step_that_the_command_tells_can_be_taken(
    game: str,
    answers: list[tuple[str, str]],
    options: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path, person = tmp_path / "mine.toml", Scripted(*answers)
    monkeypatch.setattr("controller.cli.setup.AtTerminal", lambda: person)
    assert main(["setup", str(path), "--game", game]) == 0
    person.done()
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.split("   ")[0] == f"  stonelight play {game}{options} --board {path}"
    settings = dict(word.split("=") for word in options.split() if "=" in word)
    assert hosting_for(load_game(game).rules(None, settings), load_profile(path)).groups
    told = " ".join("\n".join(person.told).split())
    assert (f"it is played with{options}" in told) if options else ("no room" not in told)


def test_a_board_without_room_for_its_game_is_told_as_that(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, person = tmp_path / "mine.toml", Scripted(("What the cells tell", "presence"), ("left to right", "3"))
    monkeypatch.setattr("controller.cli.setup.AtTerminal", lambda: person)
    assert main(["setup", str(path), "--game", "bamogo"]) == 0
    out = capsys.readouterr().out
    assert "stonelight play" not in out
    assert "bamogo has no room on this board, whatever its options" in out
    assert "On so many cells bamogo has no room, whatever its options." in " ".join("\n".join(person.told).split())


def test_the_command_overwrites_nothing_unasked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("mine")
    assert main(["setup", str(path), "--defaults"]) == 1
    assert "stays as it is" in capsys.readouterr().err
    monkeypatch.setattr("controller.cli.setup.AtTerminal", lambda: Scripted(("Replace it", "n")))
    assert main(["setup", str(path)]) == 1
    assert path.read_text() == "mine"
    monkeypatch.setattr("controller.cli.setup.AtTerminal", lambda: Scripted(("Replace it", "y"), ("game", "exago")))
    assert main(["setup", str(path)]) == 0
    assert load_profile(path).cells.layout == "hexagon"


def test_the_command_that_is_ended_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Leaving(Scripted):
        def ask(self, question: Question) -> str:
            if "registers" in question.words:
                raise StoppedError
            return super().ask(question)

    monkeypatch.setattr("controller.cli.setup.AtTerminal", Leaving)
    assert main(["setup", str(tmp_path / "mine.toml"), "--game", "exago"]) == 1
    assert "nothing was written" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
    assert main(["setup", str(tmp_path / "mine.txt")]) == 2
    assert main(["setup", str(tmp_path / "mine.toml"), "--game", "chess"]) == 2
    assert main(["setup", str(tmp_path / "no" / "mine.toml"), "--game", "exago", "--defaults"]) == 1
