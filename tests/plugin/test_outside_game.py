"""docs/adding-a-game.md is true: the package on that page builds, installs beside Stonelight, and is played."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "adding-a-game.md"
SCRIPT = """game noughts-and-crosses
board via={via}
play a1
play b1
play a2
drop c3 O
lift c3
wait 400
play b2
play a3
expect outcome 1
expect phase over
expect lit a1 a2 a3
"""


def files_on_the_page() -> dict[str, str]:
    """Return the files that the page shows, by name."""
    return dict(re.findall(r"```\w+ file=(\S+)\n(.*?)```", PAGE.read_text(), re.DOTALL))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package, built as a wheel and unpacked where Python finds it."""
    source, site = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("site")
    for name, text in files_on_the_page().items():
        (source / name).write_text(text)
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel"], cwd=source, check=True, capture_output=True
    )
    (wheel,) = (source / "dist").glob("*.whl")
    zipfile.ZipFile(wheel).extractall(site)
    return site


def stonelight(site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(site)}
    command = [sys.executable, "-m", "controller", *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)


def test_the_rules_on_the_page_are_about_eighty_lines() -> None:
    assert len(files_on_the_page()["noughts_and_crosses.py"].splitlines()) < 110


def test_the_game_is_listed_and_counted(site: Path) -> None:
    assert "noughts-and-crosses" in stonelight(site, "games").stdout
    counted = stonelight(site, "perft", "noughts-and-crosses", "--depth", "9")
    # 9! fillings less those that end before the last cell: a number that any count of this game gives.
    assert counted.stdout.split()[-1] == "127872", counted.stderr


@pytest.mark.parametrize("via", ["memory", "pins"])
def test_the_game_is_played_on_the_simulated_board(site: Path, tmp_path: Path, via: str) -> None:
    script = tmp_path / "script.txt"
    script.write_text(SCRIPT.format(via=via))
    played = stonelight(site, "rehearse", str(script))
    assert played.returncode == 0, played.stdout + played.stderr


def test_its_board_is_found_by_name(site: Path) -> None:
    tried = stonelight(
        site, "play", "noughts-and-crosses", "--board", "noughts-3x3", "--no-browser", "--http-port", "0"
    )
    assert tried.returncode == 1
    assert "lgpio" in tried.stderr or "GPIO" in tried.stderr, tried.stderr
