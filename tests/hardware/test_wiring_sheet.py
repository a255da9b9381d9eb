"""Boards on paper: every pin of a profile has its wire, every cell its input and pixel, as text and drawn."""

import tomllib
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from hardware.header import HEADERS
from hardware.profile import load_profile, parse_profile, profile_names
from hardware.profile_pins import claims
from hardware.serial_board import wanted_by
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


def test_who_writes_firmware_is_told_the_numbers_of_the_wire(paper: Sheet) -> None:
    """A device that says this number, and numbers its cells so, is the one that the profile describes."""
    words = text(paper).split()
    if paper.profile.host == "pi":
        assert paper.wiring is None
        assert "wiring" not in words
        return
    assert words[words.index("wiring") + 1] == str(wanted_by(paper.profile).wiring)
    first = words.index("0:") + 1
    assert tuple(words[first : first + len(paper.profile.cell_names())]) == paper.profile.cell_names()


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


def on_a_pico(cells: str, lamps: str = "count = 19\nbudget_ma = 400") -> Sheet:
    source = 'name = "mine"\ntitle = "Mine"\nhost = "pico"\n[cells]\nsensing = "presence"\n' + cells
    source += f'\n[lamps]\ndriver = "neopixel"\npin = 22\n{lamps}\n'
    return sheet(parse_profile(source, "mine.toml"))


NINETEEN = 'layout = "hexagon"\nradius = 2\n'
MATRIX = NINETEEN + 'driver = "matrix"\ncolumns = [12, 13, 14, 15, 16, 17, 18, 19]\nrows = '


def test_pixels_that_usb_feeds_have_no_supply_of_their_own() -> None:
    paper = on_a_pico(MATRIX + "[0, 1, 2]")
    wires = {wire.label: wire.to for wire in paper.wires if wire.kind == "power"}
    assert wires == {"5 V": "5 V of the pixels, and level shifter's supply", "ground": "ground of everything"}
    names = [part.name for part in paper.parts]
    assert not [name for name in names if name.startswith(("supply", "capacitor"))]
    assert "74AHCT125" in names, "which gets 3.3 V from the Pico, and pixels at 5 V ask for more"
    assert "supply of their own" not in " ".join(paper.notes)
    assert "400 mA at most of the 500 that a port gives" in " ".join(paper.notes)


@pytest.mark.parametrize("name", [name for name in profile_names() if load_profile(name).lamps.supply_ma is not None])
def test_pixels_with_a_supply_of_their_own_take_none_from_the_header(name: str) -> None:
    paper = sheet(load_profile(name))
    (five,) = [wire for wire in paper.wires if wire.label == "5 V"]
    assert five.to.startswith("level shifter's supply only; the pixels")
    supply = load_profile(name).lamps.supply_ma or 0
    assert f"supply 5 V, {supply / 1000:g} A or more" in [part.name for part in paper.parts]


def test_a_supply_that_the_profile_does_not_name_is_bought_all_the_same() -> None:
    source = (PROFILES / "bamogo-4x4-presence.toml").read_text(encoding="utf-8")
    lines = [line for line in source.splitlines() if not line.startswith("supply_ma")]
    assert len(lines) < len(source.splitlines())
    paper = sheet(parse_profile("\n".join(lines), "mine.toml"))
    assert "supply 5 V, 0.5 A or more" in [part.name for part in paper.parts]


def idle_notes(paper: Sheet) -> list[str]:
    return [note for note in paper.notes if note.startswith("Nothing hangs on ")]


def test_wires_that_no_cell_needs_are_told() -> None:
    paper = on_a_pico(MATRIX + "[0, 1, 2, 3, 4]")
    assert {wire.label: wire.to for wire in paper.wires if "not needed" in wire.to} == {
        "GP3": "row 4: nothing; this wire is not needed",
        "GP4": "row 5: nothing; this wire is not needed",
    }
    assert idle_notes(paper) == [
        "Nothing hangs on row 4, row 5: shorten cells.rows in the profile, and leave them out."
    ]
    assert idle_notes(on_a_pico(MATRIX + "[0, 1, 2]")) == []
    with_buttons = on_a_pico(MATRIX + "[0, 1, 2, 3, 4]\n[cells.buttons]\nok = 32")
    assert idle_notes(with_buttons) == ["Nothing hangs on row 4: no wire is needed there."]
    wide = on_a_pico('layout = "grid"\nfiles = 3\nranks = 1\ndriver = "matrix"\nrows = [0]\ncolumns = [1, 2, 3, 4]')
    assert idle_notes(wide) == ["Nothing hangs on column 4: no wire is needed there."]
    assert [wire.to for wire in wide.wires if wire.label == "GP4"] == ["column 4: nothing; this wire is not needed"]


@pytest.mark.parametrize(
    ("driver", "told"),
    [
        ('driver = "chain"\nload = 0\nclock = 1\ndata = 2\nregisters = 4', ["register 4: shorten cells.registers"]),
        ('driver = "chain"\nload = 0\nclock = 1\ndata = 2\nregisters = 3', []),
        (
            'driver = "chain"\nload = 0\nclock = 1\ndata = 2\nregisters = 4\n[cells.wiring]\nfirst = 8',
            ["register 1: what comes after is read through it"],
        ),
        ('driver = "mux"\nselects = [0, 1, 2, 3]\nadcs = [26, 27, 28]', ["multiplexer 3: shorten cells.adcs"]),
    ],
)
def test_registers_and_multiplexers_that_no_cell_needs_are_told(driver: str, told: list[str]) -> None:
    notes = idle_notes(on_a_pico(NINETEEN + driver))
    assert len(notes) == len(told)
    assert all(note.startswith(f"Nothing hangs on {each}") for note, each in zip(notes, told, strict=True))


def test_no_board_that_comes_along_names_more_than_it_needs(paper: Sheet) -> None:
    assert idle_notes(paper) == []


def test_little_current_is_not_told_as_none() -> None:
    assert "  3.3 V, sensors                    1          1         1      500" in text(
        sheet(load_profile("mat-16x16"))
    )
