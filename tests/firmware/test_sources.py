"""What the device's files may be: short, of known modules only, and free of what small Pythons lack."""

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from hardware.firmware_files import device_files
from simulator.device import micropython

FILES = device_files()
PINS = {"lib/hw_cp.py", "boot.py", "code.py", "safemode.py"}
"""Files that know CircuitPython; of them only the first touches pins."""
SMALL = {"array", "binascii", "gc", "json", "struct", "sys", "time", "traceback"}
"""What CircuitPython's build for the Pico has of the standard library, as far as it is used."""
CIRCUITPYTHON = {
    *("analogio", "board", "busio", "digitalio", "keypad", "microcontroller", "neopixel_write", "rp2pio", "storage"),
    *("supervisor", "usb_cdc", "watchdog"),
}
LONGEST = 300
"""Lines; the device compiles each file when it starts."""


def tree(name: str) -> ast.Module:
    return ast.parse(FILES[name].read_text())


def imported(name: str) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            found.add(str(node.module))
    return found


def test_the_files_are_the_three_that_start_and_a_folder_of_modules() -> None:
    assert {name for name in FILES if "/" not in name} == {"boot.py", "code.py", "safemode.py"}
    assert {"lib/wire.py", "lib/wire_messages.py", "lib/station.py", "lib/hw_cp.py"} <= set(FILES)
    assert all(path.is_file() for path in FILES.values())


@pytest.mark.parametrize("name", sorted(FILES))
def test_files_are_short(name: str) -> None:
    assert len(FILES[name].read_text().splitlines()) < LONGEST


@pytest.mark.parametrize("name", sorted(FILES))
def test_files_import_what_the_device_has(name: str) -> None:
    own = {Path(path).stem for path in FILES if path.startswith("lib/")}
    allowed = SMALL | own | (CIRCUITPYTHON if name in PINS else set())
    assert imported(name) <= allowed
    if name != "lib/hw_cp.py":
        assert not imported(name) & {"analogio", "board", "busio", "digitalio", "keypad", "neopixel_write", "rp2pio"}


def test_the_pico_has_every_module_that_is_imported() -> None:
    # The stubs carry, for each board, the list of what its build includes.
    board_definitions = importlib.import_module("board_definitions")
    (folder,) = map(Path, board_definitions.__path__)
    listed = (folder / "raspberry_pi_pico" / "__init__.pyi").read_text()
    words = listed[listed.index("Included modules:") :].split("\n", 1)[0].split(":", 1)[1]
    included = {word.strip() for word in words.split(",")}
    assert {"usb_cdc", "keypad"} <= included
    used = set().union(*map(imported, FILES)) - {Path(path).stem for path in FILES}
    assert used - included <= {"gc"}  # part of the language there, and not listed


@pytest.mark.skipif(micropython() is None, reason="MicroPython has a wheel for x86-64 only")
@pytest.mark.parametrize("name", sorted(FILES))
def test_micropython_can_read_every_file(name: str) -> None:
    code = f"compile(open({str(FILES[name])!r}).read(), {name!r}, 'exec')"
    run = subprocess.run([str(micropython()), "-c", code], capture_output=True, text=True, timeout=30, check=False)
    assert (run.returncode, run.stderr + run.stdout) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(PINS))
def test_the_calls_to_circuitpython_fit_its_types(name: str, tmp_path: Path) -> None:
    lib = FILES["lib/hw_cp.py"].parent
    config = tmp_path / "mypy.ini"
    config.write_text(
        "[mypy]\npython_version = 3.11\nfollow_imports = silent\ncheck_untyped_defs = True\n"
        f"mypy_path = {lib}:{FILES['lib/wire.py'].parent}\n"
    )
    command = [sys.executable, "-m", "mypy", "--config-file", str(config), "--cache-dir", str(tmp_path / "cache")]
    run = subprocess.run([*command, str(FILES[name])], capture_output=True, text=True, timeout=110, check=False)
    assert run.returncode == 0, run.stdout
