"""Palettes are far enough apart for the eyes that they are made for."""

import itertools

import pytest
from coloraide import Color

from controller.lighting.language import Meaning, Rgb
from controller.lighting.palettes import PALETTES, STANDARD

APART = 0.25
"""The least distance in OKLab, as measured when the palettes were chosen; a just visible step is about 0.02."""
EYES = {"protan": "protan", "deutan": "deutan", "tritan": "tritan", "contrast": None}


def seen(colour: Rgb, eyes: str | None) -> list[float]:
    plain = Color("srgb", [channel / 255 for channel in colour])
    return list((plain.filter(eyes) if eyes else plain).convert("oklab").coords())


def distance(one: Rgb, other: Rgb, eyes: str | None) -> float:
    return float(sum((x - y) ** 2 for x, y in zip(seen(one, eyes), seen(other, eyes), strict=True)) ** 0.5)


def test_there_is_one_for_each_kind_of_eyes() -> None:
    assert set(PALETTES) == {"standard", *EYES}
    assert all(palette.name == name for name, palette in PALETTES.items())


@pytest.mark.parametrize("name", EYES)
def test_six_players_are_told_apart(name: str) -> None:
    pairs = itertools.combinations(PALETTES[name].seats, 2)
    assert min(distance(one, other, EYES[name]) for one, other in pairs) >= APART


@pytest.mark.parametrize("name", ["protan", "deutan", "tritan"])
def test_the_standard_colours_would_not_do(name: str) -> None:
    """The measure can fail: to these eyes some of the standard colours are nearly the same."""
    assert min(distance(one, other, name) for one, other in itertools.combinations(STANDARD.seats, 2)) < 0.1


@pytest.mark.parametrize("name", PALETTES)
def test_every_meaning_has_a_colour_that_is_seen(name: str) -> None:
    palette = PALETTES[name]
    assert set(palette.meanings) == set(Meaning)
    for colour in (*palette.meanings.values(), *palette.seats):
        assert max(colour) >= 30
        assert all(0 <= channel <= 255 for channel in colour)


@pytest.mark.parametrize("name", EYES)
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Meaning.TAKE_OFF, Meaning.PUT_BACK),
        (Meaning.WRONG_ONE, Meaning.PUT_BACK),
        (Meaning.TOUCHED, Meaning.TARGET),
        (Meaning.QUESTION, Meaning.TOUCHED),
        (Meaning.SOW, Meaning.SOW_LAST),
    ],
    ids=str,
)
def test_what_is_shown_together_is_told_apart(name: str, one: Meaning, other: Meaning) -> None:
    meanings = PALETTES[name].meanings
    assert distance(meanings[one], meanings[other], EYES[name]) >= 0.15


def test_seats_repeat_where_more_play() -> None:
    assert STANDARD.seat(7) == STANDARD.seat(1)
