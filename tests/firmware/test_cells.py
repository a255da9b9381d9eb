"""Scanning on the device: matrix, register chain and analogue cells, on simulated parts."""

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.device import firmware_modules
from simulator.device_parts import Hardware

UNKNOWN = 255
MATRIX: dict[str, Any] = {"cells": 12, "driver": "matrix", "rows": ["A", "B", "C"], "columns": ["D", "E", "F", "G"]}
CHAIN: dict[str, Any] = {
    "cells": 91,
    "driver": "chain",
    "load": "GP17",
    "clock": "GP18",
    "data": "GP16",
    "registers": 12,
    "buttons": ["ok", "back", "new", "hint", "1"],
    "places": [*range(91), -2, -3, -4, -5, -6],
}
HALLS: dict[str, Any] = {
    "cells": 16,
    "driver": "mux",
    "sensing": "colour",
    "selects": ["GP2", "GP3", "GP4", "GP5"],
    "adcs": ["GP26"],
    "rest": [32000 + 10 * cell for cell in range(16)],
    "bands": [[-500, 500, 0], [8000, 30000, 1], [-30000, -8000, 2], [2000, 5000, 3]],
    "rails": [500, 65000],
    "steady_ms": 100,
    "samples": 2,
}
PITS: dict[str, Any] = {
    "cells": 48,
    "driver": "mux",
    "selects": ["GP2", "GP3", "GP4", "GP5"],
    "adcs": ["GP26", "GP27", "GP28"],
    "emitter": "GP6",
    "bands": [[-200, 4000, 0], [6000, 65535, 1]],
    "steady_ms": 300,
}


def built(given: dict[str, Any]) -> tuple[Any, Hardware]:
    modules = firmware_modules()
    plan = modules["plan"].check(given)
    hw = Hardware(plan, None)
    return modules["station"].cells_on(plan, hw), hw


def readings(cells: Any) -> list[int]:
    out = bytearray(cells.cells)
    cells.readings(out)
    return list(out)


def settle(cells: Any, start: int, milliseconds: int = 400) -> tuple[list[tuple[int, int, int]], list[Any]]:
    changes: list[tuple[int, int, int]] = []
    buttons: list[Any] = []
    for now in range(start, start + milliseconds, 5):
        if cells.scan(now):
            cells.changes(now, changes, buttons)
    return changes, buttons


@pytest.mark.parametrize("given_", [MATRIX, CHAIN, HALLS, PITS], ids=["matrix", "chain", "halls", "pits"])
@given(data=st.data())
@settings(deadline=None, max_examples=25)
def test_each_cell_is_read_at_its_own_place(given_: dict[str, Any], data: st.DataObject) -> None:
    cells, hw = built(given_)
    count = given_["cells"]
    if given_ is HALLS:
        hw.world.levels = list(given_["rest"])
    if given_ is PITS:
        hw.world.empty_level, hw.world.full_level = 2000, 20000
    settle(cells, 0)
    assert readings(cells) == [0] * count
    closed = bytes(data.draw(st.lists(st.integers(0, 1), min_size=count, max_size=count)))
    hw.world.closed = closed
    if given_ is HALLS:
        hw.world.levels = [rest + 9000 * shut for rest, shut in zip(given_["rest"], closed, strict=True)]
    changes, _ = settle(cells, 1000)
    assert readings(cells) == list(closed)
    known = [(cell, reading) for cell, reading, _ in changes if reading != UNKNOWN]
    assert sorted(known) == [(cell, 1) for cell in range(count) if closed[cell]]


def test_the_first_reading_is_taken_as_it_is() -> None:
    cells, hw = built(MATRIX)
    hw.world.closed = bytes([1] * 12)
    assert not cells.scan(0)
    assert readings(cells) == [1] * 12


def test_rows_are_never_driven_together_and_let_go_after_the_scan() -> None:
    cells, hw = built(MATRIX)
    driven: list[int] = []
    hw.wait_us = lambda microseconds: driven.append(sum(row.driven >= 0 for row in hw.rows))  # type: ignore[method-assign]
    cells = firmware_modules()["station"].cells_on(firmware_modules()["plan"].check(MATRIX), hw)
    cells.scan(0)
    assert driven == [1, 1, 1]
    assert all(row.driven == -1 for row in hw.rows)


def test_a_shorted_column_is_a_fault_and_its_cells_keep_their_readings() -> None:
    cells, hw = built(MATRIX)
    cells.scan(0)
    hw.world.low = 2
    hw.world.closed = bytes([1]) + bytes(11)
    changes, _ = settle(cells, 5)
    assert [change[:2] for change in changes] == [(0, 1)]
    assert (cells.fault_code, cells.fault) == (2, 2)
    hw.world.low = -1
    settle(cells, 500, 5)
    assert cells.fault == -1


def test_a_broken_chain_is_a_fault_and_never_stones() -> None:
    cells, hw = built(CHAIN)
    cells.scan(0)
    hw.world.broken = True
    hw.world.closed = bytes([1] * 91)
    assert settle(cells, 5) == ([], [])
    assert (cells.fault_code, cells.fault) == (1, 0xFF)
    assert readings(cells) == [0] * 91
    hw.world.broken = False
    changes, _ = settle(cells, 500)
    assert len(changes) == 91
    assert cells.fault == -1


def test_spare_inputs_of_the_chain_are_buttons() -> None:
    cells, hw = built(CHAIN)
    cells.scan(0)
    hw.world.pressed = bytes((0, 0, 1, 0, 0))
    changes, buttons = settle(cells, 5)
    assert changes == []
    assert [button[:2] for button in buttons] == [(2, 1)]


def test_the_colour_of_a_stone_is_told_by_band_and_after_100_ms() -> None:
    cells, hw = built(HALLS)
    hw.world.levels = list(HALLS["rest"])
    cells.scan(0)
    hw.world.levels[3] += 3000  # hovering, in the weak band
    changes, _ = settle(cells, 5, 50)
    assert [change[:2] for change in changes] == [(3, UNKNOWN)]
    hw.world.levels[3] = HALLS["rest"][3] - 12000
    changes, _ = settle(cells, 55, 200)
    assert changes == [(3, 2, 100)]


def test_a_sensor_at_the_rails_is_a_fault_and_unknown() -> None:
    cells, hw = built(HALLS)
    hw.world.levels = list(HALLS["rest"])
    cells.scan(0)
    hw.world.levels[7] = 65535
    settle(cells, 5)
    assert readings(cells)[7] == UNKNOWN
    assert (cells.fault_code, cells.fault) == (3, 7)


def test_daylight_does_not_count() -> None:
    cells, hw = built(PITS)
    hw.world.empty_level, hw.world.full_level, hw.world.dark_level = 2000, 20000, 0
    cells.scan(0)
    hw.world.dark_level = 30000
    hw.world.levels = [31000] * 48  # the sun, and next to nothing of our own light
    assert settle(cells, 5) == ([], [])
    assert hw.emitter is not None
    assert hw.emitter.driven == 0


def test_sensors_lead_to_the_cells_that_the_plan_says() -> None:
    places = [-1] * 48
    for cell in range(20):
        places[47 - 2 * cell] = cell
    pits, hw = built(PITS | {"cells": 20, "places": places})
    hw.world.empty_level, hw.world.full_level, hw.world.dark_level = 2000, 20000, 0
    pits.scan(0)
    hw.world.closed = bytes(k in (3, 19) for k in range(20))
    settle(pits, 5)
    assert [cell for cell, reading in enumerate(readings(pits)) if reading == 1] == [3, 19]


def test_new_settings_never_shorten_how_long_a_pit_must_be_left_alone() -> None:
    pits, hw = built(PITS)
    hw.world.empty_level, hw.world.full_level, hw.world.dark_level = 2000, 20000, 0
    pits.scan(0)
    pits.configure(2, 10)
    hw.world.closed = b"\1" + bytes(47)
    early, _ = settle(pits, 5, 295)
    assert [change[:2] for change in early] == [(0, UNKNOWN)]
    late, _ = settle(pits, 300, 50)
    assert [change[:2] for change in late] == [(0, 1)]


def test_contacts_give_raw_values_for_the_monitor() -> None:
    cells, hw = built(MATRIX)
    hw.world.closed = bytes((0, 1)) + bytes(10)
    cells.scan(0)
    assert [cells.raw_value(cell) for cell in range(3)] == [0, 65535, 0]


WRONG: list[tuple[dict[str, Any], str]] = [
    (MATRIX | {"driver": "magic"}, "driver must be one of"),
    (MATRIX | {"rows": []}, "needs rows"),
    (MATRIX | {"cells": 0}, "cells must be a whole number"),
    (MATRIX | {"cells": 13}, "13 places for 12 inputs"),
    (MATRIX | {"places": [0, 0]}, "place 0 is no cell or button, or is there twice"),
    (MATRIX | {"places": [0, 1]}, "some of the 12 cells have no place"),
    (MATRIX | {"colour": 1}, "no key 'colour'"),
    (MATRIX | {"pixels": 4}, "pixels need pixel_pin"),
    (MATRIX | {"button_pins": ["GP1"]}, "more button_pins than buttons"),
    (MATRIX | {"sensing": "smell"}, "sensing must be one of"),
    (HALLS | {"cells": 17, "rest": []}, "17 places for 16 inputs"),
    (HALLS | {"rest": [1]}, "rest must"),
    (HALLS | {"bands": [[1, 0, 1]]}, "a band is"),
]


@pytest.mark.parametrize(("given_", "words"), WRONG, ids=[words for _, words in WRONG])
def test_plans_name_what_is_wrong(firmware: Mapping[str, ModuleType], given_: dict[str, Any], words: str) -> None:
    plan = firmware["plan"]
    with pytest.raises(plan.PlanError, match=words):
        plan.check(given_)
