"""Which sensor is to blame for a wrong picture."""

from typing import Any

import pytest

from controller.games.seam import load_game
from controller.recogniser.watch import Watch
from controller.table import diagnosis
from controller.table.picture import Picture
from controller.table.round import Round
from hardware.ports import UNKNOWN, Sensing, Snapshot

EXAGO = "c7:R,d6:R,d7:B,d8:B,e6:B"
BAO = "2,5,2,1,1,0,1,5,2,0,0,1/2,5,1,1,4,1,1,3,3,0,0,2/0,3,0,1,1,0,2,1,0,2,6,0/4,1,1,0,2,3,0,0,7,1,2,1"


def pictured(game: str, position: str, deeds: str, to_move: int = 1) -> Picture:
    """Return the picture after ``d8=0``, ``c8=1``, ``b2=?``: cells that read so, in that order."""
    rules: Any = load_game(game).rules()
    picture = Picture(Round(rules, rules.parse_position(position, to_move=to_move)), Sensing.PRESENCE)
    picture.begin(Snapshot(picture.prospect.base, 0))
    for at, deed in enumerate(deeds.split(), start=1):
        cell, reading = deed.split("=")
        picture.seen.change(rules.spot(cell)[0], UNKNOWN if reading == "?" else int(reading), 100 * at)
    picture.look()
    return picture


def named(picture: Picture, cells: tuple[int, ...]) -> list[str]:
    return [picture.round.rules.cells[cell].name for cell in cells]


@pytest.mark.parametrize(
    ("deeds", "sick"),
    [
        ("d8=0", ["d8"]),  # nothing lies there any more, and only hands know better
        ("d8=0 c8=1", ["d8"]),  # without it the rest is a legal move
        ("d8=? c8=1", ["d8"]),
        ("d8=0 d6=0", []),
        ("a7=1", []),  # it has changed: hands put something there
        ("a7=1 a8=1", []),
    ],
)
def test_the_cell_without_which_the_picture_is_sound_may_be_sick(deeds: str, sick: list[str]) -> None:
    picture = pictured("exago", EXAGO, deeds)
    assert named(picture, diagnosis.sick(picture)) == sick


def test_a_cell_that_reads_full_from_the_beginning_and_should_not_is_sick() -> None:
    picture = pictured("exago", EXAGO, "")
    readings = list(picture.prospect.base)
    readings[picture.round.rules.spot("a7")[0]] = 1
    picture.watch = Watch(readings, picture.prospect.base, 0)
    picture.look()
    assert named(picture, diagnosis.sick(picture)) == ["a7"]


@pytest.mark.parametrize(
    ("deeds", "sick"),
    [
        ("b9=0 b10=1 b11=1 a11=1 a10=1", ["b12"]),  # it begins the second lap, and goes on reading full
        ("b10=1 a11=1 a10=1", []),  # nothing was emptied: several pits might have been
        ("b9=0 b10=1 c6=1", []),  # a seed in a pit that no lap passes
    ],
)
def test_of_a_sowing_the_pit_that_hands_must_have_passed_may_be_sick(deeds: str, sick: list[str]) -> None:
    picture = pictured("bao-kigogo", BAO, deeds, to_move=2)
    assert named(picture, diagnosis.sick(picture)) == sick


@pytest.mark.parametrize(
    ("game", "position", "to_move", "deeds", "doubted"),
    [
        ("exago", EXAGO, 1, "d7=0", ["d7"]),  # it seems to be lifted
        ("exago", EXAGO, 1, "a7=1 c8=1", ["a7"]),  # a ghost beside a move
        ("exago", EXAGO, 1, "a7=1 a8=1", ["a7", "a8"]),
        ("bao-kigogo", BAO, 2, "b9=0 b10=1 b11=1 b12=0 a12=1 a10=1", ["a11"]),  # the last seed of the lap
        ("bao-kigogo", BAO, 2, "b9=0 b10=1 b11=1", ["b12"]),  # the pit that is to be taken up
        ("bao-kigogo", BAO, 2, "b9=0", ["b10", "b11"]),  # sown, as far as anybody can tell
    ],
)
def test_who_says_that_all_is_done_is_asked_about_what_is_left(
    game: str, position: str, to_move: int, deeds: str, doubted: list[str]
) -> None:
    picture = pictured(game, position, deeds, to_move)
    assert named(picture, diagnosis.doubted(picture)) == doubted


def test_too_many_cells_are_nobodys_fault() -> None:
    many = " ".join(f"a{rank}=1 b{rank - 1}=1" for rank in range(7, 12))
    assert diagnosis.doubted(pictured("exago", EXAGO, many)) == ()


def test_a_cell_that_is_put_aside_is_not_asked_about_again() -> None:
    """The pattern in which a sowing ends, on a board that should show the start: several pits would explain it."""
    rules: Any = load_game("bao-kigogo").rules()
    sown, _ = rules.apply(rules.initial(), rules.parse_move("d5"))
    picture = Picture(Round(rules, rules.initial()), Sensing.PRESENCE)
    picture.begin(Snapshot(tuple(min(1, seeds) for seeds in rules.contents(sown)), 0))
    picture.look()
    blamed = diagnosis.sick(picture)
    assert blamed
    picture.mask(blamed)
    picture.look()
    assert not {*blamed} & {*diagnosis.sick(picture)}
