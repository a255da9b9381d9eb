"""Files are written through links, never over what is no file, and where they cannot be written is known before."""

import errno
import os
from pathlib import Path

import pytest

from controller.bench.files import PlaceError, check_name, check_place, free_name, set_aside, write_whole


@pytest.mark.parametrize("there", [True, False])
def test_a_link_is_written_through_and_stays_a_link(there: bool, tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    target = tmp_path / "far" / "real.toml"
    if there:
        target.write_text("old")
        target.chmod(0o640)
    (tmp_path / "near.toml").symlink_to("far/real.toml")
    link = tmp_path / "mine.toml"
    link.symlink_to("near.toml")
    check_place(link)
    assert target.exists() is there
    write_whole(link, "new")
    assert link.readlink() == Path("near.toml")
    assert target.read_text() == "new"
    assert target.stat().st_mode & 0o777 == 0o640 or not there
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["far", "mine.toml", "near.toml", "real.toml"]


def test_a_long_name_leaves_no_room_for_another_and_needs_none(tmp_path: Path) -> None:
    path = tmp_path / f"{'x' * 250}.toml"
    check_place(path)
    write_whole(path, "text")
    assert path.read_text() == "text"
    with pytest.raises(PlaceError, match="too long for a file: choose a shorter one"):
        check_name(tmp_path / ("x" * 256))


NOWHERE = "nothing can be written in {room}/nowhere (No such file or directory): name a file elsewhere"


def _made(kind: str, room: Path) -> Path:
    """Make something of a kind, and return the path at which a file is wanted."""
    path = room / "mine.toml"
    match kind:
        case "directory":
            path.mkdir()
        case "link to a directory":
            path.symlink_to(room)
        case "pipe":
            os.mkfifo(path)
        case "link to a device":
            path.symlink_to("/dev/null")
        case "link to itself":
            path.symlink_to("mine.toml")
        case "link into nowhere":
            path.symlink_to("nowhere/mine.toml")
        case "below a file":
            path.write_text("")
            path = path / "mine.toml"
        case "no directory":
            path = room / "nowhere" / "mine.toml"
        case _:
            path = room / f"{'x' * 251}.toml"
    return path


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("directory", "{path} is a directory where a file is to be: move it away, or name another file"),
        ("link to a directory", "{path} is a directory where a file is to be: move it away, or name another file"),
        ("pipe", "{path} cannot be written (it is no file): move it away, or name another file"),
        ("link to a device", "{path} cannot be written (it is no file): move it away, or name another file"),
        (
            "link to itself",
            "{path} cannot be written (it is a link that leads to itself): move it away, or name another file",
        ),
        ("link into nowhere", "{path} is a link to {room}/nowhere/mine.toml, and " + NOWHERE),
        ("below a file", "nothing can be written in {room}/mine.toml (Not a directory): name a file elsewhere"),
        ("no directory", NOWHERE),
        ("long name", "the name {path.name} is too long for a file: choose a shorter one"),
    ],
)
def test_what_stands_in_the_way_is_named_and_stays(kind: str, said: str, tmp_path: Path) -> None:
    path = _made(kind, tmp_path)
    before = [(each, each.lstat().st_mode, each.lstat().st_ino) for each in tmp_path.rglob("*")]
    with pytest.raises(PlaceError) as refused:
        check_place(path)
    assert str(refused.value) == said.format(path=path, room=tmp_path)
    with pytest.raises(OSError, match=r"\S") as failed:
        write_whole(path, "text")
    assert (failed.value.filename, failed.value.filename2) == (str(path), None)
    assert [(each, each.lstat().st_mode, each.lstat().st_ino) for each in tmp_path.rglob("*")] == before


def test_the_device_behind_a_link_stays_a_device(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="it is no file"):
        write_whole(_made("link to a device", tmp_path), "text")
    assert Path("/dev/null").is_char_device()


def test_a_disk_that_is_full_is_told_with_the_name_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left") as failed:
        write_whole(tmp_path / "mine.toml", "text")
    assert failed.value.filename == str(tmp_path / "mine.toml")
    assert not list(tmp_path.iterdir())


def test_what_is_set_aside_takes_no_name_of_another(tmp_path: Path) -> None:
    path, kept = tmp_path / "mine.toml", []
    for text in ("one", "two", "three"):
        write_whole(path, text)
        foreseen = free_name(path)
        kept.append(set_aside(path))
        assert kept[-1] == foreseen
    assert [(each.name, each.read_text()) for each in kept] == [
        ("mine.toml.unused", "one"),
        ("mine.toml.unused.2", "two"),
        ("mine.toml.unused.3", "three"),
    ]
    assert not path.exists()


def test_of_a_link_the_file_behind_it_is_set_aside(tmp_path: Path) -> None:
    link, target = tmp_path / "mine.toml", tmp_path / "real.toml"
    target.write_text("text")
    link.symlink_to("real.toml")
    assert set_aside(link) == tmp_path / "real.toml.unused"
    assert link.is_symlink()
    assert not target.exists()
