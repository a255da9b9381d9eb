"""``stonelight lights --off`` where a micro-controller has the lights: what happens, and how to have them dark."""

import re
from pathlib import Path

import pytest

from controller.cli.main import main
from simulator.device import firmware_modules

ROOT = Path(__file__).parents[3]


@pytest.fixture
def first(tmp_path: Path) -> str:
    page = (ROOT / "docs/breadboard.md").read_text(encoding="utf-8")
    path = tmp_path / "first.toml"
    path.write_text(re.findall(r"```toml\n(.*?)```", page, re.DOTALL)[0], encoding="utf-8")
    return str(path)


def test_it_says_that_a_few_go_on_breathing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lights", "--off", "--board", "exago-5-reeds"]) == 0
    out = capsys.readouterr().out
    assert "nothing was sent: once play has ended for three seconds" in out
    assert "fade to a few that breathe" in out
    modules = firmware_modules()
    assert modules["talk"].SILENT_MS == 3000
    assert modules["lights"].CALM_EVERY > 1
    assert modules["lights"].CALM_MOST > 0


def test_it_says_which_current_keeps_them_lit(capsys: pytest.CaptureFixture[str], first: str) -> None:
    main(["lights", "--off", "--board", "exago-5-reeds"])
    assert capsys.readouterr().out.endswith("To have it dark, switch off the supply of its pixels.\n")
    main(["lights", "--off", "--board", first])
    assert capsys.readouterr().out.endswith("To have it dark, unplug its USB cable.\n")


def test_the_page_on_building_says_the_same() -> None:
    page = " ".join((ROOT / "docs/building.md").read_text(encoding="utf-8").split())
    assert "fade to a few that breathe" in page
    assert "unplug its USB cable, or switch off the supply of its pixels" in page
