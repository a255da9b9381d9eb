"""The three files that start on the device, run as CircuitPython would, with stand-ins for its own modules."""

import builtins
import io
import json
import sys
from collections.abc import Mapping
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from hardware.firmware_files import device_files

PLAN: dict[str, Any] = {
    "board": "first",
    "driver": "matrix",
    "cells": 4,
    "rows": ["GP0", "GP1"],
    "columns": ["GP12", "GP13"],
    "buttons": ["back", "ok"],
    "button_pins": ["GP14", "GP15"],
    "pixels": 8,
    "pixel_pin": "GP22",
}


class EndError(Exception):
    """Ends the loop that never ends."""


class Chip:
    """What the files ask of CircuitPython, and what they have asked for."""

    def __init__(self, modules: Mapping[str, ModuleType], board: str | None) -> None:
        self.memory = bytearray(b"\xff" * 8)
        self.held: set[str] = set()
        self.safe_mode = "SafeModeReason.BROWNOUT"
        self.did: list[Any] = []
        self._board = board
        self._modules = modules
        self.fails: Exception | None = None

    def run(self, name: str) -> None:
        """Run a file as the device does: with its own names for modules, and its own drive."""
        fakes: dict[str, Any] = {
            **self._modules,
            "microcontroller": SimpleNamespace(nvm=self.memory, reset=self._reset),
            "storage": SimpleNamespace(disable_usb_drive=lambda: self.did.append("hidden")),
            "supervisor": SimpleNamespace(runtime=SimpleNamespace(autoreload=True, safe_mode_reason=self.safe_mode)),
            "usb_cdc": SimpleNamespace(enable=lambda console, data: self.did.append(("ports", console, data))),
            "hw_cp": SimpleNamespace(
                held_down=lambda pin: pin in self.held,
                Hardware=self._hardware,
                show_red=lambda plan: self.did.append(("red", plan["pixels"])),
            ),
            "running": SimpleNamespace(Loop=lambda *_: SimpleNamespace(turn=self._turn)),
        }
        hidden = {module: sys.modules.get(module) for module in fakes}
        sys.modules.update(fakes)
        try:
            code = compile(device_files()[name].read_text(), name, "exec")
            exec(code, {"__name__": "__main__", "open": self._open})
        finally:
            for module, before in hidden.items():
                if before is None:
                    del sys.modules[module]
                else:
                    sys.modules[module] = before

    def _open(self, path: str) -> Any:
        assert path == "/board.json"
        if self._board is None:
            raise OSError(2, "no such file")
        return io.StringIO(self._board)

    def _reset(self) -> None:
        self.did.append("reset")
        raise EndError

    def _hardware(self, plan: dict[str, Any]) -> object:
        self.did.append(("pins", plan["cells"]))
        if self.fails is not None:
            raise self.fails
        return object()

    def _turn(self) -> None:
        self.did.append("turn")
        raise EndError


BROKEN = [
    pytest.param(None, id="none"),
    pytest.param("{", id="no JSON"),
    pytest.param("[]", id="a list"),
    pytest.param(json.dumps(PLAN | {"cells": 5}), id="a cell without a place"),
    pytest.param(json.dumps(PLAN | {"driver": "wishes"}), id="no such driver"),
    pytest.param(json.dumps(PLAN | {"buttons": 3}), id="no list of buttons"),
]


def test_both_ports_are_there_and_the_drive_is_hidden(firmware: Mapping[str, ModuleType]) -> None:
    chip = Chip(firmware, json.dumps(PLAN))
    chip.run("boot.py")
    assert chip.did == [("ports", True, True), "hidden"]


def test_the_drive_is_in_sight_while_ok_is_held(firmware: Mapping[str, ModuleType]) -> None:
    chip = Chip(firmware, json.dumps(PLAN))
    chip.held = {"GP14"}  # another button does not count
    chip.run("boot.py")
    assert "hidden" in chip.did
    chip.did.clear()
    chip.held = {"GP15"}
    chip.run("boot.py")
    assert "hidden" not in chip.did


@pytest.mark.parametrize("board", BROKEN)
def test_b10_without_a_board_that_makes_sense_no_pin_is_touched_and_the_drive_is_in_reach(
    firmware: Mapping[str, ModuleType], board: str | None
) -> None:
    chip = Chip(firmware, board)
    chip.run("boot.py")
    assert chip.did == [("ports", True, True)]
    with pytest.raises((OSError, ValueError, TypeError)):
        chip.run("code.py")
    assert chip.did == [("ports", True, True)]
    chip.safe_mode = "SafeModeReason.USER"
    chip.run("safemode.py")
    assert chip.did == [("ports", True, True)]


def test_a_board_that_cannot_start_shows_its_drive_after_the_next_reset(firmware: Mapping[str, ModuleType]) -> None:
    chip = Chip(firmware, json.dumps(PLAN))
    chip.fails = ValueError("board.json: this board has no pin GP0")
    with pytest.raises(ValueError, match="no pin GP0"):
        chip.run("code.py")
    chip.run("boot.py")
    assert "hidden" not in chip.did
    chip.fails = None
    with pytest.raises(EndError):
        chip.run("code.py")
    assert chip.did[-1] == "turn"
    chip.run("boot.py")
    assert chip.did[-1] == "hidden"


def test_safe_mode_is_left_three_times_and_then_shown_in_red(firmware: Mapping[str, ModuleType]) -> None:
    chip = Chip(firmware, json.dumps(PLAN))
    for _ in range(3):
        with pytest.raises(EndError):
            chip.run("safemode.py")
    chip.run("safemode.py")
    assert chip.did == ["reset"] * 3 + [("red", 8)]


@pytest.mark.parametrize(("order", "byte"), [("GRB", 1), ("RGB", 0), ("BGR", 2), ("GRBW", 1)])
def test_red_is_red_in_the_order_of_the_chain(
    firmware: Mapping[str, ModuleType], order: str, byte: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`hw_cp.show_red`, the only line of that module that can be wrong without its pins."""
    sent: list[bytes] = []
    strip = SimpleNamespace(write=lambda data: sent.append(bytes(data)))
    source = device_files()["lib/hw_cp.py"].read_text()
    body = source[source.index("def show_red") :]
    names: dict[str, Any] = {"ShortStrip": lambda _pin: strip, **vars(builtins)}
    exec(body, names)
    plan = firmware["plan"].check(PLAN | {"channels": len(order), "red": order.index("R")})
    names["show_red"](plan)
    assert sent == [bytes(byte) + b"\x18" + bytes(8 * len(order) - byte - 1)]
