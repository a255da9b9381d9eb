"""What is installed is what is tested: the wheel has all of its data, nothing else, and runs without the tree."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from hardware.firmware_files import device_files
from simulator.device import micropython

TREE = Path(__file__).parents[1]
CALL = """
import sys
import controller
from controller.__main__ import main
assert controller.__file__.startswith(sys.argv.pop(1)), controller.__file__
sys.exit(main())
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(out)]
    subprocess.run(command, cwd=TREE, check=True, capture_output=True)
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, unpacked far from the tree."""
    site = tmp_path_factory.mktemp("site")
    zipfile.ZipFile(wheel).extractall(site)
    return site


def without_the_tree(site: Path, place: Path, words: list[str]) -> "subprocess.CompletedProcess[str]":
    """Run the command of the unpacked wheel in another directory."""
    return subprocess.run(
        [sys.executable, "-c", CALL, str(site), *words],
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_it_holds_three_packages_and_their_data(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names if ".dist-info" not in name}
    assert tops == {"controller", "hardware", "simulator"}
    for wanted in (
        "controller/py.typed",
        "controller/games/texts/bamogo.md",
        "controller/page/static/index.html",
        "hardware/profiles/bamogo-4x4-presence.toml",
        "hardware/firmware/code.py",
        "hardware/wire.py",
    ):
        assert wanted in names
    assert not [name for name in names if "test" in name or name.endswith(".pyc")]


def test_every_file_of_the_packages_is_in_it(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    listed = subprocess.run(
        ["git", "ls-files", "controller", "hardware", "simulator"],
        cwd=TREE,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("not a checkout of git")
    assert set(listed.stdout.split()) <= names


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--version"], "stonelight "),
        (["games"], "bao-kigogo"),
        (["rules", "exago"], "# Exago"),
        (["perft", "bamogo", "--depth", "1"], "144"),
        (["wiring", "bamogo-4x4-presence"], "GPIO"),
    ],
    ids=lambda words: words[0] if isinstance(words, list) else "",
)
def test_it_runs_without_the_tree(site: Path, tmp_path: Path, words: list[str], told: str) -> None:
    ran = without_the_tree(site, tmp_path, words)
    assert ran.returncode == 0, ran.stderr
    assert told in ran.stdout


@pytest.mark.parametrize("way", ["pins", "wire", "micropython"])
def test_a_rehearsal_runs_without_the_tree(site: Path, tmp_path: Path, way: str) -> None:
    if way == "micropython" and micropython() is None:
        pytest.skip("MicroPython has a wheel for x86-64 only")
    script = tmp_path / "script.txt"
    via, options = ("pins", []) if way == "pins" else ("wire", ["--firmware", way] if way == "micropython" else [])
    script.write_text(f"game bamogo\nboard sense=presence via={via}\nplay Ra1 Bb1\nexpect moves 1\n")
    ran = without_the_tree(site, tmp_path, ["rehearse", str(script), *options])
    assert ran.returncode == 0, ran.stderr
    assert "Ra1 Bb1" in ran.stdout


def test_flash_puts_the_whole_firmware_on_without_the_tree(site: Path, tmp_path: Path) -> None:
    drive = tmp_path / "CIRCUITPY"
    drive.mkdir()
    (drive / "boot_out.txt").write_text("Adafruit CircuitPython 9.2.1 on 2026-01-08; Raspberry Pi Pico\n")
    words = ["flash", "--drive", str(drive), "--board", "exago-5-reeds"]
    ran = without_the_tree(site, tmp_path, words)
    assert ran.returncode == 0, ran.stderr
    assert {"code.py", "boot.py", "safemode.py", "board.json", "lib"} <= {path.name for path in drive.iterdir()}
    for name, source in device_files().items():
        assert (drive / name).read_bytes() == source.read_bytes(), name
