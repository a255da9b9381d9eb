"""The files of ``setup`` and ``calibrate``, where they are damaged, in the way, links, or cannot be written."""

import errno
import os
import sys
from pathlib import Path

import pytest

from controller.bench.calibrate import teach
from controller.bench.files import write_whole
from controller.bench.person import Question, StoppedError
from controller.bench.simulated import SimulatedRoad
from controller.bench.simulated_person import SimulatedPerson
from controller.cli.at_bench import AtTerminal
from controller.cli.main import main
from hardware.profile import Profile, load_profile

GAME = "bamogo"


@pytest.fixture
def board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = tmp_path / "mine.toml"
    assert main(["setup", str(path), "--game", GAME, "--defaults"]) == 0
    capsys.readouterr()
    return path


def _part(board: Path) -> Path:
    return board.with_name("mine.calibration.part.toml")


def _beside(board: Path) -> Path:
    return board.with_name("mine.calibration.toml")


def _stop(board: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Calibrate up to the question whether the board is empty, and leave."""
    whole = SimulatedPerson.ask

    def ask(self: SimulatedPerson, question: Question) -> str:
        if "empty" in question.words:
            raise StoppedError
        return whole(self, question)

    with monkeypatch.context() as patched:
        patched.setattr(SimulatedPerson, "ask", ask)
        assert main(["calibrate", str(board), "--sim"]) == 1


def _silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody be asked anything."""
    monkeypatch.setattr(AtTerminal, "__init__", lambda _self: None)
    monkeypatch.setattr(AtTerminal, "ask", lambda *_: pytest.fail("a question that leads nowhere"))
    monkeypatch.setattr(SimulatedPerson, "ask", lambda *_: pytest.fail("a question that leads nowhere"))


# What a calibration left ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("", "\x00", "it is not TOML: "),
        ("\nplace = 40", "\nplace = -5", "place: the chain has no pixel -5"),
        ("\nresting = []", "\nresting = [1.0]", "noise: 0 values for 1 inputs"),
        ('\nwiring = "', '\nwiring = "x', "the wiring in the profile has changed since"),
    ],
)
def test_progress_that_cannot_be_used_is_kept_and_said_to_be(
    old: str, new: str, why: str, board: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _stop(board, monkeypatch)
    capsys.readouterr()
    part = _part(board)
    damaged = part.read_text().replace(old, new, 1)
    part.write_text(damaged)
    assert main(["calibrate", str(board), "--sim"]) == 0
    first, *rest = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{part} cannot be used ({why}")
    assert first.endswith(f": it is kept as {part}.unused, and all is asked anew.")
    assert not any("Going on" in line for line in rest)
    assert Path(f"{part}.unused").read_text() == damaged
    assert not part.exists()


def _real(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a simulated board and person pass for real ones."""
    made: list[SimulatedRoad] = []

    def road(profile: Profile, _port: str | None) -> SimulatedRoad:
        made.append(SimulatedRoad(profile))
        monkeypatch.setattr(made[-1], "tend", lambda: None, raising=False)
        return made[-1]

    monkeypatch.setattr("controller.cli.calibrate.real_road", road)
    monkeypatch.setattr("controller.cli.calibrate.AtTerminal", lambda tend: SimulatedPerson(made[-1]))


def test_a_real_board_does_not_go_on_from_a_simulation(
    board: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _stop(board, monkeypatch)
    part = _part(board)
    simulated = part.read_text()
    assert "simulated = true" in simulated
    capsys.readouterr()
    _real(monkeypatch)
    assert main(["calibrate", str(board)]) == 0
    first, *rest = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{part} cannot be used (it was learned on a simulated board): it is kept as {part}.unused")
    assert not any("Going on" in line for line in rest)
    assert Path(f"{part}.unused").read_text() == simulated
    assert "simulated" not in _beside(board).read_text()


@pytest.mark.parametrize("more", [[], ["--afresh"]])
def test_a_simulation_does_not_go_on_from_a_real_board_nor_write_over_it(
    more: list[str], board: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _stop(board, monkeypatch)
    part = _part(board)
    real = part.read_text().replace("simulated = true", "simulated = false")
    part.write_text(real)
    capsys.readouterr()
    assert main(["calibrate", str(board), "--sim", *more]) == 2
    assert "--sim would write over it: use a copy of" in capsys.readouterr().err
    assert part.read_text() == real
    assert not _beside(board).exists()


def test_a_calibration_from_a_simulation_is_said_to_be_one(
    board: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", str(board), "--sim"]) == 0
    assert "\nsimulated = true\n" in _beside(board).read_text()
    note = f"stonelight: {_beside(board)} comes from a simulation: run 'stonelight calibrate {board}' on the real board"
    commands = (["wiring", str(board)], ["play", GAME, "--board", str(board)], ["monitor", "--once", str(board)])
    capsys.readouterr()
    for words in commands:
        main(words)
        assert capsys.readouterr().err.startswith(note), words
    _beside(board).unlink()
    _real(monkeypatch)
    assert main(["calibrate", str(board)]) == 0
    capsys.readouterr()
    for words in commands:
        main(words)
        assert "simulation" not in capsys.readouterr().err, words


def test_an_early_end_promises_nothing_of_progress_that_cannot_be_used(
    board: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _part(board).write_bytes(b"\xff\xfe")

    def leave(*_: object) -> str:
        raise StoppedError

    monkeypatch.setattr(SimulatedPerson, "ask", leave)
    for words in ([], ["--afresh"]):
        assert main(["calibrate", str(board), "--sim", *words]) == 1
        assert "Nothing was learned yet, and nothing was written." in capsys.readouterr().out
    assert Path(f"{_part(board)}.unused").read_bytes() == b"\xff\xfe"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"\xff\xfe", "this is no text"),
        (b"board = [", "this is not TOML"),
        (b'board = "mine"\nwiring = "x"\n', "the wiring in the profile has changed since this was learned"),
        (None, "pixel 6 is given to"),
    ],
)
def test_a_calibration_that_cannot_be_used_is_refused_by_play_and_made_anew(
    text: bytes | None, why: str, board: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    beside = _beside(board)
    assert main(["calibrate", str(board), "--sim"]) == 0
    damaged = beside.read_bytes().replace(b"[pixels]\na1 = 0", b"[pixels]\na1 = 6") if text is None else text
    beside.write_bytes(damaged)
    capsys.readouterr()
    for words in (["monitor", str(board), "--sim", "--once"], ["play", GAME, "--board", str(board)]):
        assert main(words) != 0
        said = capsys.readouterr().err.splitlines()
        assert len(said) == 1
        assert beside.name in said[0]
        assert why in said[0]
    assert main(["calibrate", str(board), "--sim"]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert f"{beside} cannot be used (" in first
    assert why in first
    assert first.endswith(f"): once there is a new one, it is kept as {beside}.unused.")
    assert Path(f"{beside}.unused").read_bytes() == damaged
    assert load_profile(board).places()


def test_a_real_board_is_taught_anew_where_its_calibration_cannot_be_used(
    board: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _beside(board).write_text("damaged")
    opened: list[Profile] = []

    def road(profile: Profile, _port: str | None) -> SimulatedRoad:
        opened.append(profile)
        return SimulatedRoad(profile)

    def helped(profile: Profile, road: SimulatedRoad, _person: object, *rest: object) -> None:
        teach(profile, road, SimulatedPerson(road), *rest)  # type: ignore[arg-type]

    monkeypatch.setattr("controller.cli.calibrate.real_road", road)
    monkeypatch.setattr("controller.cli.calibrate.teach", helped)
    monkeypatch.setattr(AtTerminal, "__init__", lambda _self, **_: None)
    assert main(["calibrate", str(board)]) == 0
    assert "cannot be used (this is not TOML" in capsys.readouterr().out
    assert Path(f"{_beside(board)}.unused").read_text() == "damaged"
    assert main(["calibrate", str(board)]) == 0
    assert [profile.name for profile in opened] == ["mine", "mine"]


def test_an_unusable_calibration_stays_in_place_until_there_is_another(
    board: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _beside(board).write_text("damaged")
    _stop(board, monkeypatch)
    assert "once there is a new one" in capsys.readouterr().out
    assert _beside(board).read_text() == "damaged"


# What is in the way ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", [_part, _beside])
def test_a_directory_in_place_of_a_file_is_named_before_anybody_is_asked(
    file: object, board: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = _part(board) if file is _part else _beside(board)
    path.mkdir()
    _silent(monkeypatch)
    for words in ([], ["--sim"]):
        assert main(["calibrate", str(board), *words]) == 1
        said = capsys.readouterr()
        assert said.err == (
            f"stonelight: {path} is a directory where a file is to be: move it away, or name another file\n"
        )
        assert said.out == ""


def test_a_disk_that_fills_up_is_told_with_the_file_and_with_what_is_kept(
    board: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _stop(board, monkeypatch)
    capsys.readouterr()

    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    assert main(["calibrate", str(board), "--sim"]) == 1
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith(f"stonelight: {_part(board)} cannot be written: No space left on device: ")
    assert second.startswith(f"What was learned so far is kept in {_part(board)};")


def test_a_board_that_cannot_be_read_is_not_told_as_a_file(
    board: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def torn(*_: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr("controller.cli.calibrate.teach", torn)
    assert main(["calibrate", str(board), "--sim"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("stonelight: the board, or this terminal, cannot be read: Input/output error: ")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has an output without room")
@pytest.mark.parametrize("words", [["calibrate", "mine.toml", "--sim"], ["setup", "other.toml", "--defaults"]])
def test_an_output_without_room_is_told_as_that(
    words: list[str], board: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(board.parent)
    with Path("/dev/full").open("w", buffering=1) as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert main(words) == 1
    assert capsys.readouterr().err == "stonelight: the output cannot be written: No space left on device\n"


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ("mine.toml/", "is a directory where a file is to be"),
        ("nowhere/mine.toml", "nothing can be written in "),
        ("/proc/mine.toml", "nothing can be written in /proc"),
        (f"{'x' * 240}.toml", "too long for a file: choose a shorter one"),
        ("->no/where.toml", "is a link to "),
        ("->mine.toml", "a link that leads to itself"),
        ("->/dev/null", "it is no file"),
        ("", "FILE is empty"),
    ],
)
def test_setup_sees_what_is_in_the_way_before_it_asks(
    made: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    _silent(monkeypatch)
    if made.endswith("/"):
        Path("mine.toml").mkdir()
    elif made.startswith("->"):
        Path("mine.toml").symlink_to(made.removeprefix("->"))
    file = "mine.toml" if made.startswith("->") else made.rstrip("/")
    for words in ([], ["--defaults", "--game", GAME]):
        assert main(["setup", file, *words]) == (1 if made else 2)
        told = capsys.readouterr()
        assert said in told.err
        assert len(told.err.splitlines()) == 1
        assert told.out == ""


def test_a_profile_that_cannot_be_written_in_the_end_is_printed(
    tmp_path: Path, board: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    (tmp_path / "sub").mkdir()
    path = tmp_path / "sub" / "mine.toml"
    assert main(["setup", str(path), "--game", GAME, "--defaults"]) == 1
    told = capsys.readouterr()
    assert told.err.startswith(
        f"stonelight: {path} cannot be written (No space left on device): the profile is printed"
    )
    assert told.out.endswith(f"\n{board.read_text()}")
    assert not list(path.parent.iterdir())


# Links ----------------------------------------------------------------------------------------------------------------


def test_setup_writes_through_a_link(
    tmp_path: Path, board: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    link = tmp_path / "link.toml"
    link.symlink_to("there.toml")
    assert main(["setup", str(link), "--game", GAME, "--defaults"]) == 0
    assert link.readlink() == Path("there.toml")
    assert load_profile(tmp_path / "there.toml").name == "link"
    assert main(["setup", str(link), "--game", GAME, "--defaults"]) == 1
    assert "stays as it is" in capsys.readouterr().err
    monkeypatch.setattr(AtTerminal, "__init__", lambda _self: None)
    monkeypatch.setattr(AtTerminal, "ask", lambda _self, each: "y" if "Replace" in each.words else each.default)
    write_whole(link, "old")
    assert main(["setup", str(link), "--game", GAME]) == 0
    assert link.is_symlink()
    assert load_profile(tmp_path / "there.toml").name == "link"
    assert load_profile(board).name == "mine"


@pytest.mark.parametrize("there", [True, False])
def test_calibrate_writes_through_links(
    there: bool, board: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    far = tmp_path / "far"
    far.mkdir()
    for path, name in ((_part(board), "part.toml"), (_beside(board), "whole.toml")):
        if there:
            (far / name).write_text("damaged")
        path.symlink_to(f"far/{name}")
    _stop(board, monkeypatch)
    assert (far / "part.toml").exists()
    assert main(["calibrate", str(board), "--sim"]) == 0
    assert "Going on from the last stop" in capsys.readouterr().out
    assert _part(board).is_symlink()
    assert _beside(board).is_symlink()
    old = ["part.toml.unused", "whole.toml.unused"] if there else []
    assert sorted(path.name for path in far.iterdir()) == sorted(["whole.toml", *old])
    assert load_profile(board).name == "mine"


# Names ----------------------------------------------------------------------------------------------------------------


def test_calibrate_says_which_file_is_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xff\xfe")
    assert main(["calibrate", str(path), "--sim"]) == 2
    assert capsys.readouterr().err == (
        f"stonelight: {path} is no text, and a profile is: give the profile of your board, saved as UTF-8\n"
    )


@pytest.mark.parametrize("words", [[], ["--sim"]])
@pytest.mark.parametrize("port", ["", " "])
def test_a_port_without_a_name_is_refused(
    port: str, words: list[str], board: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", str(board), "--port", port, *words]) == 2
    assert capsys.readouterr().err.startswith("stonelight: --port is empty: ")


@pytest.mark.parametrize("name", ["two\nlines = 3.toml", os.fsdecode(b"no-letter-\xff.toml")])
def test_a_board_s_file_may_have_any_name(name: str, board: Path) -> None:
    path = board.with_name(name)
    path.write_bytes(board.read_bytes())
    assert main(["calibrate", str(path), "--sim"]) == 0
    assert load_profile(path).name == "mine"
