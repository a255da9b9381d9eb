"""docs/breadboard.md: its profile is sound, fits its wires and the plan of docs/protocol.md, and its words are ours."""

import json
import re
from pathlib import Path

import pytest

from controller.app.hosted import BoardError, hosting_for
from controller.games.seam import game_names, load_game
from hardware import wire
from hardware import wire_messages as says
from hardware.board_plan import board_plan
from hardware.currents import rails
from hardware.profile import parse_profile
from hardware.profile_model import USB_MA
from hardware.wire_dump import Dump
from hardware.wiring_sheet import PICO_MA, sheet
from simulator.device import firmware_modules

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "breadboard.md").read_text()
FIRST, NEXT = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
PROFILE = parse_profile(FIRST, "first.toml")
SIXTEEN = parse_profile(NEXT, "sixteen.toml")


def test_it_is_the_board_of_the_protocols_page() -> None:
    check = firmware_modules()["plan"].check
    (block,) = re.findall(r"```json\n(.*?)```", (DOCS / "protocol.md").read_text(), re.DOTALL)
    flashed, shown = board_plan(PROFILE), json.loads(block)
    assert {key: flashed[key] for key in shown} == shown
    assert flashed.pop("wiring") != 0  # which a plan that is written by hand leaves out, as the page says
    assert "wiring" not in shown
    assert check(flashed) == check(shown)


def test_what_it_needs_is_what_the_sheet_lists() -> None:
    needed = PAGE[PAGE.index("## What you need") : PAGE.index("## Wires")]
    words = {
        "Raspberry Pi Pico, Pico W or Pico 2": "a Raspberry Pi Pico (or Pico W, Pico 2)",
        "reed switch": "4 reed switches",
        "diode 1N4148": "4 diodes 1N4148",
        "pixel, WS2812B or SK6812, order GRB": "8 WS2812B pixels",
        "74AHCT125": "a 74AHCT125",
        "resistor 330 ohm": "a resistor of 330 ohm",
        "push button": "a push button",
    }
    parts = {part.name: part.count for part in sheet(PROFILE).parts}
    assert [*parts] == [*words], "no supply, and no capacitor"
    for name, said in words.items():
        assert said in needed
        count = re.match(r"\d+", said)
        assert parts[name] == (int(count[0]) if count else 1)


def test_usb_feeds_it_as_the_page_says() -> None:
    wires = {wire.pin: wire.to for wire in sheet(PROFILE).wires}
    assert wires[40] == "5 V of the pixels, and level shifter's supply"
    assert "| VBUS (pin 40) | + 5 V of the pixels, and pin 14 of the 74AHCT125 |" in PAGE
    assert wires[38] == "ground of everything"
    assert "| GND (pin 38) |" in PAGE
    pixels = rails(PROFILE)[0]
    assert (pixels.budget_ma, pixels.supply_ma) == (200, USB_MA)
    assert pixels.budget_ma + PICO_MA <= USB_MA
    assert f"{pixels.budget_ma:g} mA at most, beside about {PICO_MA} for the Pico itself" in " ".join(PAGE.split())


def test_the_four_cells_fit_no_game_and_the_sixteen_fit_bamogo() -> None:
    for name in game_names():
        with pytest.raises(BoardError):
            hosting_for(load_game(name).rules(None, {}), PROFILE)
    assert hosting_for(load_game("bamogo").rules(None, {}), SIXTEEN).is_plain
    assert firmware_modules()["plan"].check(board_plan(SIXTEEN))["cells"] == 16


def test_the_sixteen_keep_the_wires_of_the_four_and_hang_on_usb_too() -> None:
    before = {(wire.pin, wire.short) for wire in sheet(PROFILE).wires}
    paper = sheet(SIXTEEN)
    assert before <= {(wire.pin, wire.short) for wire in paper.wires}
    added = {part.name: part.count for part in paper.parts}
    for part in sheet(PROFILE).parts:
        added[part.name] -= part.count
    assert {name: count for name, count in added.items() if count} == {
        "reed switch": 12,
        "diode 1N4148": 12,
        "pixel, WS2812B or SK6812, order GRB": 8,
    }
    assert rails(SIXTEEN)[0].budget_ma + PICO_MA <= USB_MA


def test_other_pages_lead_here() -> None:
    assert "(docs/breadboard.md)" in (DOCS.parent / "README.md").read_text()
    building = (DOCS / "building.md").read_text()
    step = building[building.index("## 3. Flash") : building.index("## 4.")]
    for word in ("BOOTSEL", "`.uf2`", "version 9 or later", "Press reset", "(breadboard.md)"):
        assert word in step
    assert "(breadboard.md)" in building[: building.index("## 1.")]


def test_the_table_of_wires_is_the_profiles() -> None:
    told = {int(pin) for pin in re.findall(r"^\| GP(\d+) \|", PAGE, re.MULTILINE)}
    cells = PROFILE.cells
    assert told == {*cells.rows, *cells.columns, *PROFILE.buttons.values(), PROFILE.lamps.pin}
    assert sheet(PROFILE).members == ("dialout",)
    names = PROFILE.cell_names()
    for number, name in enumerate(("row 1", "row 2")):
        line = next(line for line in PAGE.splitlines() if f"({name})" in line)
        assert {each for each in names if f"`{each}`" in line} == {
            each for each, (row, _) in zip(names, PROFILE.crossings(), strict=True) if row == number
        }


def test_the_lines_of_the_dump_are_as_they_are_shown() -> None:
    shown = [line.strip() for line in PAGE.splitlines() if re.match(r" {4}[<>] ", line)]
    change = wire.seal(bytes((says.CHANGES, 17, 0)) + says.pack_changes(12044, [(2, 1, 12)]))
    ack = wire.seal(bytes((says.ACK, 17, 1, 0)))
    assert [*Dump("<").feed(change, 3.215), *Dump(">").feed(ack, 3.216)] == shown
