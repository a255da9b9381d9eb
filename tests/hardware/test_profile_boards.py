"""The reference profiles beside the first: each cell's input and pixel, what each draws, and what may be wrong."""

from pathlib import Path

import pytest

from controller.games.seam import load_game
from hardware.currents import rails
from hardware.profile import Profile, ProfileError, load_profile, parse_profile, profile_names

PROFILES = Path(__file__).parents[2] / "hardware/profiles"
NAMES = ("bao-4x12", "exago-5-reeds", "exago-5-registers", "mat-16x16")


def faults_of(name: str, *changes: tuple[str, str]) -> list[str]:
    text = (PROFILES / f"{name}.toml").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    with pytest.raises(ProfileError) as caught:
        parse_profile(text, "mine.toml")
    return [str(fault).removeprefix("mine.toml: ") for fault in caught.value.faults]


@pytest.mark.parametrize(
    ("name", "game", "cells", "pixels", "budget"),
    [
        ("bao-4x12", "bao-kigogo", 48, 72, 1000),
        ("exago-5-registers", "exago", 91, 115, 1500),
        ("exago-5-reeds", "exago", 91, 115, 1500),
        ("mat-16x16", "bambam-booboo", 256, 280, 2000),
    ],
)
def test_a_reference_board_is_that_of_its_game(name: str, game: str, cells: int, pixels: int, budget: float) -> None:
    profile = load_profile(name)
    assert profile.cell_names() == tuple(place.name for place in load_game(game).rules(None, {}).cells)
    assert len(profile.cell_names()) == cells
    assert profile.lamps.count == pixels
    assert profile.lamps.budget_ma == budget
    assert profile.lamps.track is not None
    assert profile.lamps.track.count == 24


@pytest.mark.parametrize("name", profile_names())
def test_sensors_and_pixels_each_map_by_a_permutation(name: str) -> None:
    profile = load_profile(name)
    assert sorted(profile.places()) == list(range(profile.lamps.count))
    inputs = profile.inputs()
    buttons = tuple(profile.cells.buttons.values())
    assert len({*inputs, *buttons}) == len(inputs) + len(buttons)
    assert sorted(inputs) == list(range(len(inputs))), "no reference board leaves an input out"


def where(profile: Profile, *names: str) -> list[tuple[int, int]]:
    """Input and pixel of each cell."""
    cells = profile.cell_names()
    return [(profile.inputs()[cells.index(name)], profile.places()[cells.index(name)]) for name in names]


def test_where_cells_of_the_reference_boards_are_wired() -> None:
    mat = load_profile("mat-16x16")
    assert where(mat, "a1", "d1", "d2", "a4", "e1", "p1", "p5", "m5", "a16") == [
        (0, 0), (3, 3), (4, 4), (15, 15), (16, 16), (51, 51), (67, 67), (64, 64), (255, 255),
    ]  # fmt: skip
    exago = load_profile("exago-5-registers")
    assert where(exago, "a6", "a11", "b11", "b5", "c4", "k6") == [
        (0, 0), (5, 5), (6, 6), (12, 12), (13, 13), (90, 90),
    ]  # fmt: skip
    reeds = load_profile("exago-5-reeds")
    names = reeds.cell_names()
    assert [reeds.crossings()[names.index(name)] for name in ("a6", "b5", "b7", "k6")] == [
        (0, 0), (0, 6), (1, 0), (11, 2),
    ]  # fmt: skip
    assert reeds.wiring().keys["ok"] == (11, 3)
    bao = load_profile("bao-4x12")
    assert where(bao, "a1", "a12", "b12", "b1", "d1") == [(0, 0), (11, 11), (23, 12), (12, 23), (36, 47)]


def test_what_the_reference_boards_draw() -> None:
    """The sums of the boards' tables: dark, at the budget, at worst."""
    drawn = {name: rails(load_profile(name))[0] for name in NAMES}
    assert {name: (rail.dark_ma, rail.worst_ma) for name, rail in drawn.items()} == {
        "bao-4x12": (72 + 480, 4320 + 480),
        "exago-5-reeds": (115, 6900),
        "exago-5-registers": (115, 6900),
        "mat-16x16": (280, 16800),
    }
    assert all(rail.supply_ma is not None and rail.budget_ma <= rail.supply_ma for rail in drawn.values())
    assert rails(load_profile("bao-4x12"))[1].worst_ma == 24
    assert [rails(load_profile(name))[1].supply_ma for name in ("bao-4x12", "mat-16x16")] == [300, 500]


def test_pixels_with_channels_of_their_own_are_summed_by_channel() -> None:
    text = (PROFILES / "mat-16x16.toml").read_text(encoding="utf-8")
    profile = parse_profile(text.replace("ma_per_channel = 20", "ma_per_channel = [10, 20, 30]"), "mine.toml")
    assert rails(profile)[0].worst_ma == 60 * 280


CASES = {
    "a layout's key left out": ("mat-16x16", ("files = 16\n", ""), ["cells.files: this key is missing; add it"]),
    "a driver's key left out": (
        "exago-5-registers",
        ("registers = 12", ""),
        ["cells.registers: this key is missing; add it"],
    ),
    "a Pico's pins of a chain left out": (
        "exago-5-registers",
        ('host = "pi"', 'host = "pico"'),
        [
            'lamps.driver: a Pico makes pixel data by itself; use driver = "neopixel" and name the pin',
            "cells.clock: this key is missing; add it",
            "cells.data: this key is missing; add it",
        ],
    ),
    "a Pico's key on a Pi": (
        "mat-16x16",
        ("load = 16", "load = 16\nclock = 4"),
        ["cells.clock: on a Pi the chain hangs on SPI1, which has its own pins; leave it out"],
    ),
    "a key of another layout": (
        "bao-4x12",
        ("files = 12", "files = 12\nradius = 5"),
        ["cells.radius: a layout of pits has no such key; leave it out, or change layout"],
    ),
    "a key of another driver": (
        "mat-16x16",
        ("load = 16", "load = 16\ndiodes = true"),
        ["cells.diodes: the driver chain has no such key; leave it out, or change driver"],
    ),
    "half a tile": (
        "mat-16x16",
        ("ranks = 16", "ranks = 14"),
        ["cells.ranks: 14 is no whole number of tiles; a tile has 4 places on a side"],
    ),
    "too many pits": (
        "bao-4x12",
        ("files = 12", "files = 25"),
        ["cells.files: 25 is too great; it must be at most 24"],
    ),
    "a radius that no game has": (
        "exago-5-registers",
        ("radius = 5", "radius = 8"),
        ["cells.radius: 8 is too great; it must be at most 7"],
    ),
    "colour from switches": (
        "mat-16x16",
        ('sensing = "presence"', 'sensing = "colour"'),
        ['cells.sensing: a chain of registers cannot tell colour; use sensing = "presence", or another driver'],
    ),
    "too few registers": (
        "exago-5-registers",
        ("registers = 12", "registers = 11"),
        ["cells.registers: 11 registers have 88 inputs, for 91 cells and 5 buttons; registers = 12, not"],
    ),
    "too few multiplexers": (
        "bao-4x12",
        ("[26, 27, 28]", "[26, 27]"),
        ["cells.adcs: 2 multiplexers have 32 inputs, for 48 cells; name 3 in adcs"],
    ),
    "a button on a cell's input": (
        "exago-5-registers",
        ("ok = 91", "ok = 90"),
        ["cells.buttons.ok: input 90 is given to k6 and to button ok; give each an input of its own"],
    ),
    "a button beyond the chain": (
        "exago-5-registers",
        ("ok = 91", "ok = 96"),
        ["cells.buttons.ok: there is no input 96; count from 0, to 95"],
    ),
    "a button twice": (
        "mat-16x16",
        ("[sensor]", "[cells.buttons]\nok = 255\n[sensor]"),
        ["cells.registers: 32 registers have 256 inputs, for 256 cells and 1 buttons", "cells.buttons.ok: buttons.ok"],
    ),
    "a button that is none": (
        "exago-5-reeds",
        ("hint = 94", "hnt = 94"),
        ["cells.buttons.hnt: no button has this name; did you mean 'hint'?"],
    ),
    "a micro-controller's matrix without diodes": (
        "exago-5-reeds",
        ("diodes = true", "diodes = false"),
        ["cells.diodes: a micro-controller's firmware reads no matrix without diodes"],
    ),
    "buttons without diodes": (
        "bamogo-4x4-presence",
        (
            "20, 27]   # files a to d, header pins 33, 36, 38, 13\ndiodes = true",
            "20, 27, 14]\ndiodes = false\nbuttons = { hint = 19 }",
        ),
        ["cells.buttons: without diodes stones would press buttons; give the buttons pins of their own"],
    ),
    "an input twice by exception": (
        "mat-16x16",
        ("[sensor]", "[cells.wiring.exceptions]\nb1 = 0\n[sensor]"),
        ["cells.wiring.exceptions.b1: input 0 is given to a1 and to b1; give each an input of its own"],
    ),
    "an exception for no cell": (
        "mat-16x16",
        ("[sensor]", "[cells.wiring.exceptions]\nq1 = 0\n[sensor]"),
        ["cells.wiring.exceptions.q1: this board has no such cell"],
    ),
    "a chain that begins late": (
        "mat-16x16",
        ("[cells.wiring]", "[cells.wiring]\nfirst = 1"),
        ["cells.wiring: there is no input 256; count from 0, to 255"],
    ),
    "a pin that a Pico has not": (
        "bao-4x12",
        ("emitter = 6", "emitter = 23"),
        ["cells.emitter: there is no GP23 on the Pico; use another pin; free: GP0 (header pin 1)"],
    ),
    "a pin of a Pico twice": (
        "bao-4x12",
        ("ok = 10", "ok = 22"),
        ["buttons.ok: GP22 (header pin 29) already belongs to lamps.pin; use another pin; free: GP0 (header pin 1)"],
    ),
    "a pin that cannot measure": (
        "bao-4x12",
        ("[26, 27, 28]", "[26, 27, 21]"),
        ["cells.adcs[2]: GP21 (header pin 27) cannot measure a voltage; use one of GP26, GP27, GP28"],
    ),
    "a bus of a Pi on a Pico": (
        "bao-4x12",
        ("[sensor]", '[reserve]\nbuses = ["i2c"]\n[sensor]'),
        ["reserve.buses[0]: on a Pico i2c has no pins of its own; name its pins in reserve.pins"],
    ),
    "a load pin of the chain's own bus": (
        "mat-16x16",
        ("load = 16", "load = 19"),
        ["cells.load: GPIO 19 (header pin 35) already belongs to cells.driver, as part of the bus spi1-1cs"],
    ),
    "three address lines": (
        "bao-4x12",
        ("[2, 3, 4, 5]", "[2, 3, 4]"),
        ["cells.selects: the list is too short; it needs at least 4"],
    ),
    "pits that read alike": (
        "bao-4x12",
        ("seed = 300", "seed = 60"),
        ["cells.levels.seed: a pit that reads 40 empty and 60 with a seed cannot be told apart"],
    ),
    "one pit that reads alike": (
        "bao-4x12",
        ("seed = 300", "seed = 300\nby_cell = { a3 = [50, 51], z9 = [1, 900] }"),
        ["cells.levels.by_cell.z9: this board has no such cell", "cells.levels.by_cell.a3: a pit that reads 50 empty"],
    ),
    "a budget that emitters leave no room for": (
        "bao-4x12",
        ("budget_ma = 1000", "budget_ma = 1600"),
        ["lamps.budget_ma: 1600 mA, with 480 mA for the emitters, is more than supply_ma, 2000; lower it to 1520"],
    ),
    "a budget beyond a USB port": (
        "exago-5-reeds",
        ("supply_ma = 3000", ""),
        ["lamps.budget_ma: 1500 mA is more than a USB port gives, 500; lower it to 500 or less, or name a stronger"],
    ),
    "sensors beyond the 3.3 V pin": (
        "bao-4x12",
        ("ma = 0.5", "ma = 7"),
        ["sensor.ma: 48 sensors draw 336 mA of 300 at 3.3 V; use sensors that draw less, or feed"],
    ),
    "cells that overlap": (
        "mat-16x16",
        ("step = [4, 4]", "step = [4, 1]"),
        ["hosts.bamogo.step: cells of 2 x 2 every 4 x 1 places overlap; raise step, or lower cell"],
    ),
    "no such origin": (
        "mat-16x16",
        ("step = [4, 4]", 'step = [4, 4]\norigin = "z1"'),
        ["hosts.bamogo.origin: this board has no place z1; name one from a1 on"],
    ),
    "blocks of hexagons": (
        "exago-5-registers",
        ("[lamps.track]", "[hosts.bamogo]\nstep = [1, 1]\n[lamps.track]"),
        ["hosts.bamogo.cell: a board of kind hexagon has no blocks of places; leave the section out"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_fault_names_the_key_and_the_remedy(case: str) -> None:
    name, change, expected = CASES[case]
    said = faults_of(name, change)
    assert len(said) == len(expected), said
    for one, wanted in zip(sorted(said), sorted(expected), strict=True):
        assert one.startswith(wanted)
