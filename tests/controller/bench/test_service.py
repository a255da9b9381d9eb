"""The unit, the rules and the user of the system service, and where they are put."""

import os
import pwd
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.bench.files import write_whole
from controller.bench.service import RULES, SYSUSERS, UNIT, InstallError, Service, install, may_pass, rules, unit
from controller.cli.main import main
from hardware.profile import profile_text

SERVICE = Service("/opt/stone light/bin/stonelight", "exago", "/etc/stonelight/my 100%.toml")


def _sections(text: str) -> dict[str, dict[str, list[str]]]:
    """Return the values of each key of a unit, in order."""
    found: dict[str, dict[str, list[str]]] = {}
    keys: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("["):
            keys = found.setdefault(line.strip("[]"), {})
        elif line and not line.startswith("#"):
            key, _, value = line.partition("=")
            keys.setdefault(key, []).append(value)
    return found


def test_the_unit_plays_watches_and_darkens() -> None:
    service = _sections(unit(SERVICE))["Service"]
    assert service["Type"] == ["notify"]
    assert service["WatchdogSec"] == ["30"]
    assert service["ExecStart"] == [
        '"/opt/stone light/bin/stonelight" play exago --board "/etc/stonelight/my 100%%.toml" --no-browser'
    ]
    assert service["ExecStopPost"] == [
        '"/opt/stone light/bin/stonelight" lights --off --board "/etc/stonelight/my 100%%.toml"'
    ]
    assert service["User"] == ["stonelight"]
    assert service["SupplementaryGroups"] == ["gpio spi i2c dialout"]
    assert service["WorkingDirectory"] == [f"/var/lib/{service['StateDirectory'][0]}"]
    assert service["Environment"][0].startswith("XDG_STATE_HOME=/var/lib ")
    assert service["Restart"] == ["on-failure"]
    assert service["DevicePolicy"] == ["closed"]
    assert {"char-gpiochip rw", "char-spi rw", "char-ttyACM rw"} <= set(service["DeviceAllow"])
    assert service["NoNewPrivileges"] == ["yes"]


def test_a_board_among_several_is_named_by_its_port(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["install-service", "--print", "--game", "exago", "--board"]
    port = "/dev/stonelight-E6614103E7452D2F-02"
    assert main([*words, "exago-5-reeds", "--port", port]) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("ExecStart=")]
    assert line.endswith(f"play exago --board exago-5-reeds --port {port} --no-browser")
    assert main([*words, "mat-16x16", "--port", port]) == 2
    assert "has no micro-controller" in capsys.readouterr().err
    assert main(["install-service", "--print", "--port", port]) == 2
    assert "say which board is there with --board" in capsys.readouterr().err


def _read(line: str) -> list[str]:
    """Return the words of a command line as systemd.service(5) and systemd.unit(5) say that it reads them."""
    words: list[str] = []
    rest = line
    while rest := rest.lstrip(" "):
        quote = rest[0] if rest[0] in "\"'" else ""
        rest, word = rest[len(quote) :], ""
        while rest and rest[0] != (quote or " "):
            if rest[0] == "\\":
                assert rest[1] in "\\\"' ", f"an escape that nobody meant: {rest[:2]}"
                rest = rest[1:]
            word, rest = word + rest[0], rest[1:]
        assert rest or not quote, "a quotation mark without its other"
        rest = rest[len(quote) :]
        assert rest[:1] in ("", " "), "a word that goes on after its quotation marks"
        words.append(_resolved(word, "%"))
    return [words[0], *(_resolved(word, "$") for word in words[1:])]


def _resolved(word: str, sign: str) -> str:
    """Return a word without its doubled signs; each that is not doubled would begin something."""
    assert sign not in word.replace(sign * 2, ""), f"{word} has a {sign} of its own"
    return word.replace(sign * 2, sign)


NAMES = st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1, max_size=12) | st.text(
    st.sampled_from("\\\"'%$ ;{}#ab"), min_size=1, max_size=8
)


@given(NAMES, NAMES, NAMES)
@settings(deadline=None, max_examples=200)
def test_systemd_reads_every_word_as_it_was_meant(folder: str, board: str, port: str) -> None:
    command = "/opt/" + "".join(letter for letter in folder if letter not in "\"'\\") + "/stonelight"
    text = unit(Service(command, "exago", f"/etc/{board}", port=port))
    service = _sections(text)["Service"]
    assert _read(service["ExecStart"][0]) == [
        *(command, "play", "exago", "--board", f"/etc/{board}", "--port", port, "--no-browser")
    ]
    assert _read(service["ExecStopPost"][0]) == [command, "lights", "--off", "--board", f"/etc/{board}"]
    # No line ends in a backslash, which would join the next one to it.
    assert not [line for line in text.split("\n") if line.endswith("\\")]


@pytest.mark.parametrize(
    "user", ["", "a b", "%n", "-1", "1000", "x\nExecStart=/bin/sh", "a$", "a" * 33, "a/b", ".a", "ä"]
)
def test_a_user_has_a_name_that_a_user_can_have(user: str) -> None:
    with pytest.raises(InstallError, match="is no name of a user"):
        Service("/bin/true", "exago", "mat-16x16", user=user)
    for good in ("pi", "john.doe", "_svc", "Jane-2", "a" * 32):
        assert f"\nUser={good}\n" in unit(Service("/bin/true", "exago", "mat-16x16", user=good))


@pytest.mark.parametrize("letter", ["\n", "\r", "\0", "\x1b", "\x7f", "\x85", "\udc80"])
@pytest.mark.parametrize("field", ["command", "game", "board", "port"])
def test_no_word_has_letters_that_a_unit_cannot_hold(field: str, letter: str) -> None:
    words = {"command": "/bin/true", "game": "exago", "board": "/etc/a.toml", "port": "/dev/ttyACM1"}
    with pytest.raises(InstallError, match=f"cannot stand in a system service: name another {field} than"):
        Service(**{**words, field: f"/a{letter}User=root"})  # type: ignore[arg-type]


@pytest.mark.parametrize("letter", ["'", '"', "\\"])
def test_a_command_that_systemd_would_not_start_is_refused(letter: str) -> None:
    with pytest.raises(InstallError, match="install it elsewhere"):
        Service(f"/opt/o{letter}brien/stonelight", "exago", "mat-16x16")


@pytest.mark.parametrize("where", [["--print"], ["--root", "image"]])
@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--user", ""], 2, "--user is empty: name a user, or leave it out"),
        (["--user", "x\nExecStart=/bin/sh"], 1, "is no name of a user"),
        (["--user", "a b"], 1, "is no name of a user"),
        (["--board", "exago-5-reeds", "--port", "x\nUser=root"], 1, "cannot stand in a system service"),
        (["--board", "exago-5-reeds", "--port", ""], 2, "--port is empty: give a path such as /dev/ttyACM1"),
        (["--port", ""], 2, "--port is empty"),
        (["--board", ""], 2, "--board is empty: give a board's profile"),
        (["new\nline.toml"], 1, "name another board than"),
    ],
)
def test_words_that_would_change_the_unit_are_refused_and_nothing_is_written(
    words: list[str],
    status: int,
    said: str,
    where: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("new\nline.toml").write_text(profile_text("exago-5-reeds"))
    assert main(["install-service", "--game", "exago", *words, *where]) == status
    printed = capsys.readouterr()
    assert printed.out == ""
    assert said in printed.err
    assert printed.err.count("\n") == 1
    assert not Path("image").exists()


@pytest.mark.parametrize(
    ("root", "status", "said"),
    [("", 2, "--root is empty"), ("a" * 300, 1, "File name too long"), ("nul\0", 1, "embedded null byte")],
)
def test_a_root_that_cannot_be_is_told(
    root: str,
    status: int,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["install-service", "--root", root]) == status
    assert said in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not on this machine")
@pytest.mark.parametrize("board", ["mat-16x16", "/etc/a b\\x41\"'%n $HOME ${HOME};.toml"])
def test_systemd_understands_the_unit(board: str, tmp_path: Path) -> None:
    path = tmp_path / "stonelight.service"
    path.write_text(unit(Service("/bin/true", "exago", board, user="root")))
    done = subprocess.run(["systemd-analyze", "verify", str(path)], capture_output=True, text=True, check=False)
    assert "stonelight.service" not in done.stderr, done.stderr


def test_the_rules_keep_modem_manager_away_and_name_ports_by_interface() -> None:
    lines = [line for line in rules().splitlines() if not line.startswith("#")]
    assert len(lines) == 6
    for ignore, link in zip(lines[::2], lines[1::2], strict=True):
        assert ignore.endswith('ENV{ID_MM_DEVICE_IGNORE}="1"')
        assert link.endswith('SYMLINK+="stonelight-$env{ID_USB_SERIAL_SHORT}-$env{ID_USB_INTERFACE_NUM}"')


def test_everything_is_written_below_another_root(tmp_path: Path) -> None:
    written = install(SERVICE, tmp_path)
    assert set(written) == {tmp_path / UNIT, tmp_path / RULES, tmp_path / SYSUSERS}
    assert (tmp_path / UNIT).read_text() == unit(SERVICE)
    assert 'u stonelight - "Stonelight" /var/lib/stonelight' in (tmp_path / SYSUSERS).read_text()
    assert (tmp_path / UNIT).stat().st_mode & 0o777 == 0o666 & ~_umask()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_a_person_of_their_own_needs_no_system_user(tmp_path: Path) -> None:
    service = Service("/usr/bin/stonelight", "exago", "mat-16x16", user="pi")
    assert SYSUSERS not in service.files()
    assert "sudo systemd-sysusers" not in service.next_steps()


def test_only_root_installs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(InstallError, match="run it with sudo"):
        install(SERVICE, Path("/"))


def test_a_user_that_is_none_and_files_out_of_reach_are_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr("controller.bench.service.write_whole", lambda *_: pytest.fail("nothing may be written"))
    with pytest.raises(InstallError, match="there is no user nobody-at-all"):
        install(Service("/bin/sh", "exago", "mat-16x16", user="nobody-at-all"), Path("/"))
    with pytest.raises(InstallError, match="give a file that is there"):
        install(Service(str(tmp_path / "gone"), "exago", "mat-16x16"), Path("/"))
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    board = home / "board.toml"
    board.write_text("")
    with pytest.raises(InstallError, match=r"may not enter .*: put board.toml where all may read it"):
        install(Service("/bin/sh", "exago", str(board)), Path("/"))


def test_who_may_pass(tmp_path: Path) -> None:
    me = pwd.getpwuid(os.geteuid()).pw_name
    tmp_path.chmod(0o700)
    assert may_pass(tmp_path.stat(), me, directory=True)
    assert not may_pass(tmp_path.stat(), "nobody-at-all", directory=True)
    tmp_path.chmod(0o711)
    assert may_pass(tmp_path.stat(), "nobody-at-all", directory=True)


def test_a_file_is_replaced_as_a_whole_and_stays_where_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.toml"
    write_whole(path, "one")
    path.chmod(0o600)
    write_whole(path, "two")
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("two", 0o600)

    def full(_handle: int) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="disk full"):
        write_whole(path, "three")
    assert path.read_text() == "two"
    assert list(tmp_path.iterdir()) == [path]


def test_a_board_with_options_of_its_own_is_played_with_them(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    variant = ["--players", "2", "--set", "radius=4", "--set", "pieces=4"]
    words = ["install-service", "--print", "--game", "exago", *variant]
    board = tmp_path / "small.toml"
    assert main(["setup", "--defaults", "--game", "exago", str(board)]) == 0
    capsys.readouterr()
    assert main([*words, "--board", str(board)]) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("ExecStart=")]
    assert f"play exago --players 2 --set radius=4 --set pieces=4 --board {board} --no-browser" in line
    assert main([*words, "--set", "pieces=0"]) == 2
    assert "option 'pieces'" in capsys.readouterr().err
    with pytest.raises(InstallError, match="cannot stand"):
        replace(SERVICE, variant=("--set", "x=1\nUser=root"))


def test_the_command_prints_or_writes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["install-service", "--print", "--game", "exago"]) == 0
    out = capsys.readouterr().out
    assert "# ---- /etc/systemd/system/stonelight.service" in out
    assert "play exago --board exago-5-registers --no-browser" in out
    assert main(["install-service", "--root", str(tmp_path)]) == 0
    assert "sudo systemctl daemon-reload && sudo systemctl enable --now stonelight" in capsys.readouterr().out
    assert main(["install-service", "--print", "--game", "exago", "--board", "bao-4x12"]) == 1
    assert "choose another board or game" in capsys.readouterr().err
    assert main(["install-service", "--print", "--game", "chess"]) == 2


def test_lights_off_needs_a_board_and_says_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lights", "--off"]) == 2
    assert "--off needs --board" in capsys.readouterr().err
    assert main(["lights", "--off", "--board", "bao-4x12"]) == 0
    assert "fade to a few that breathe" in capsys.readouterr().out
    assert main(["lights", "--board", "bao-4x12"]) == 2


def test_lights_off_sends_a_dark_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    from hardware import opening
    from hardware.strips import SpiStrip
    from simulator.pixels import PixelTap, SimulatedSpi

    tap = PixelTap(40)
    tap.receive(b"\xff" * 120)
    monkeypatch.setattr(opening, "open_strip", lambda _profile: SpiStrip(lambda: SimulatedSpi(tap)))
    assert main(["lights", "--off", "--board", "bamogo-4x4-presence"]) == 0
    assert tap.is_dark()
    assert tap.frames == 2
