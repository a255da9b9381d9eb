"""Boards on paper: every pin of a profile has its wire, every cell its input and pixel, as text and drawn."""

import tomllib
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from hardware.header import HEADERS
from hardware.profile import load_profile, parse_profile, profile_names
from hardware.profile_pins import claims
from hardware.wiring_sheet import Sheet, sheet
from hardware.wiring_svg import svg
from hardware.wiring_text import WIDTH, text

PROFILES = Path(__file__).parents[2] / "hardware/profiles"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(params=profile_names())
def paper(request: pytest.FixtureRequest) -> Sheet:
    return sheet(load_profile(request.param))


def test_every_pin_that_the_ledger_gives_away_is_a_wire_or_left_free(paper: Sheet) -> None:
    raw = tomllib.loads((PROFILES / f"{paper.profile.name}.toml").read_text(encoding="utf-8"))
    header = HEADERS[paper.profile.host]
    claimed = {header.pins[claim.gpio] for claim in claims(raw)}
    wired = {wire.pin for wire in paper.wires if wire.kind != "power"}
    kept = {pin for pin, _ in paper.kept}
    assert wired <= claimed
    assert claimed <= wired | kept
    assert not wired & kept
    assert len(wired) == len([wire for wire in paper.wires if wire.kind != "power"]), "one wire a pin"
    for wire in paper.wires:
        if wire.kind == "power":
            assert header.power[wire.pin] == wire.label
        else:
            assert wire.label == f"{header.prefix}{next(g for g, pin in header.pins.items() if pin == wire.pin)}"


def test_every_cell_and_button_hangs_on_one_input(paper: Sheet) -> None:
    owners = [owner for group in paper.groups for _, owner in group.inputs]
    profile = paper.profile
    expected = [*profile.cell_names(), *(f"button {name}" for name in profile.cells.buttons)]
    assert sorted(owner for owner in owners if owner not in ("3.3 V", "ground")) == sorted(expected)


def test_every_pixel_lights_something(paper: Sheet) -> None:
    assert all(paper.order)
    places = paper.profile.places()
    for cell, name in enumerate(paper.profile.cell_names()):
        assert paper.order[places[cell]] == name


def test_text_fits_a_terminal_and_has_every_cell_twice(paper: Sheet) -> None:
    lines = text(paper).splitlines()
    assert max(map(len, lines)) <= WIDTH
    words = text(paper).split()
    for name in paper.profile.cell_names():
        assert words.count(name) >= 2


def test_the_drawing_is_sound_and_shows_every_pin_cell_and_pixel(paper: Sheet) -> None:
    root = ET.fromstring(svg(paper))
    words = [element.text for element in root.iter(f"{SVG}text")]
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    for element in root.iter(f"{SVG}text"):
        assert 0 <= float(element.get("x", -1)) <= width
        assert 0 <= float(element.get("y", -1)) <= height
    for name in paper.profile.cell_names():
        assert words.count(name) == 2, "once for the sensor and once for the pixel"
    for place in range(paper.profile.lamps.count):
        assert str(place) in words
    for wire in paper.wires:
        assert any(wire.short in (word or "") for word in words)
    lines = list(root.iter(f"{SVG}polyline"))
    chain = max(lines, key=lambda line: len(line.get("points", "").split()))
    assert len(chain.get("points", "").split()) == len(paper.profile.cell_names())


def parts_of(name: str) -> dict[str, int]:
    return {part.name: part.count for part in sheet(load_profile(name)).parts}


def test_what_to_buy() -> None:
    reeds = parts_of("exago-5-reeds")
    assert (reeds["reed switch"], reeds["diode 1N4148"], reeds["push button"]) == (91, 96, 5)
    mat = parts_of("mat-16x16")
    assert (mat["74HC165"], mat["DRV5032AJ"], mat["supply 5 V, 4 A or more"]) == (33, 256, 1)
    assert mat["capacitor 1000 uF, 6.3 V"] == 5, "one for each 64 pixels"
    bao = parts_of("bao-4x12")
    assert (bao["CD74HC4067"], bao["QRE1113"], bao["Raspberry Pi Pico, Pico W or Pico 2"]) == (3, 48, 1)
    assert parts_of("bamogo-4x4-colour")["MCP3008"] == 2


def test_the_farthest_register_is_wired_to_its_pattern() -> None:
    group = sheet(load_profile("exago-5-registers")).groups[-1]
    assert group.name == "register 13, the farthest"
    value = sum(1 << "ABCDEFGH".index(letter) for letter, level in group.inputs if level == "3.3 V")
    assert value == 0xA5


@pytest.mark.parametrize(
    ("name", "lines", "members"),
    [
        ("bamogo-4x4-presence", ["dtparam=spi=on"], ("gpio", "spi")),
        ("bamogo-4x4-colour", ["dtparam=spi=on", "dtoverlay=spi1-2cs"], ("gpio", "spi")),
        ("mat-16x16", ["dtparam=spi=on", "dtoverlay=spi1-1cs"], ("gpio", "spi")),
        ("bao-4x12", [], ("dialout",)),
    ],
)
def test_what_to_switch_on(name: str, lines: list[str], members: tuple[str, ...]) -> None:
    paper = sheet(load_profile(name))
    assert [line for line in paper.boot if line.startswith("dt")] == lines
    assert paper.members == members
    if lines:
        assert paper.boot[-1] == "[all]"


def test_a_strip_on_a_pin_for_sound_switches_sound_off() -> None:
    source = (PROFILES / "bamogo-4x4-presence.toml").read_text(encoding="utf-8")
    source = source.replace('driver = "spi"', 'driver = "neopixel"').replace("pin = 10", "pin = 18")
    paper = sheet(parse_profile(source, "mine.toml"))
    assert paper.boot == ("dtparam=audio=off",)
    assert paper.members == ("gpio",)
    assert "SPI0" not in text(paper)


def test_pits_on_a_pi_have_a_converter() -> None:
    source = (PROFILES / "bao-4x12.toml").read_text(encoding="utf-8")
    for old, new in (('"pico"', '"pi"'), ("[2, 3, 4, 5]", "[4, 5, 12, 16]"), ("[26, 27, 28]", "[0, 1, 2]")):
        source = source.replace(old, new)
    source = source.replace('driver = "neopixel"\npin = 22', 'driver = "spi"')
    for pin, new in (("ok = 10", "22"), ("back = 11", "23"), ("new = 12", "24"), ("hint = 13", "25")):
        source = source.replace(pin, f"{pin.split()[0]} = {new}")
    source = source.replace("\n1 = 14\n2 = 15", "")
    paper = sheet(parse_profile(source, "mine.toml"))
    assert {wire.short for wire in paper.wires if wire.kind == "bus"} == {"SCLK", "MOSI", "MISO", "CS 1"}
    assert "dtoverlay=spi1-2cs" in paper.boot
    assert (12, "GPIO 18") in [(wire.pin, wire.label) for wire in paper.wires]
    assert 11 in [pin for pin, _ in paper.kept], "the second select of SPI1"


def test_reserved_pins_are_left_free() -> None:
    source = (PROFILES / "bamogo-4x4-presence.toml").read_text(encoding="utf-8")
    source = source.replace("[lamps]", '[reserve]\nbuses = ["i2s"]\npins = [14]\n\n[lamps]')
    kept = dict(sheet(parse_profile(source, "mine.toml")).kept)
    assert kept[40] == "GPIO 21 is reserved for i2s"
    assert kept[8] == "GPIO 14 is reserved"


def test_little_current_is_not_told_as_none() -> None:
    assert "  3.3 V, sensors                    1          1         1      500" in text(
        sheet(load_profile("mat-16x16"))
    )
