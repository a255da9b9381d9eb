"""The firmware under a real MicroPython, with 192 KB of memory on this 64-bit machine."""

import subprocess
from pathlib import Path

import pytest

from hardware import wire
from hardware.firmware_files import firmware_folder
from simulator.device import HEAP, micropython

HERE = Path(__file__).parent
MICROPYTHON = micropython()
needs_micropython = pytest.mark.skipif(MICROPYTHON is None, reason="MicroPython has a wheel for x86-64 only")


@needs_micropython
def test_golden_vectors_and_turns_that_take_no_memory() -> None:
    folders = f"{firmware_folder() / 'lib'}:{Path(wire.__file__).parent}"
    golden = HERE.parent / "golden" / "wire.txt"
    vectors = sum(not line.startswith("#") for line in golden.read_text().splitlines())
    run = subprocess.run(
        [str(MICROPYTHON), "-X", f"heapsize={HEAP}", str(HERE / "on_micropython.py"), folders, str(golden)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.stdout.splitlines() == [f"vectors {vectors}", "quiet chain", "quiet matrix", "quiet mux"], run.stderr
