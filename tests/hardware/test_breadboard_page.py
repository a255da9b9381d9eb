"""docs/breadboard.md: its profile is sound, fits its wires and the plan of docs/protocol.md, and its words are ours."""

import json
import re
from pathlib import Path

from hardware import wire
from hardware import wire_messages as says
from hardware.board_plan import board_plan
from hardware.profile import parse_profile
from hardware.wire_dump import Dump
from hardware.wiring_sheet import sheet
from simulator.device import firmware_modules

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "breadboard.md").read_text()
PROFILE = parse_profile(re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)[0], "first.toml")


def test_it_is_the_board_of_the_protocols_page() -> None:
    check = firmware_modules()["plan"].check
    (block,) = re.findall(r"```json\n(.*?)```", (DOCS / "protocol.md").read_text(), re.DOTALL)
    plan = check(board_plan(PROFILE))
    # The page of the protocol counts its cells along the rows; this one names them as games do, file by file.
    assert plan.pop("places") == [0, 2, 1, 3]
    assert plan.pop("wiring") != 0  # which a plan that is written by hand leaves out
    theirs = check(json.loads(block))
    theirs.pop("places")
    theirs.pop("wiring")
    assert plan == theirs


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
