"""Confirmed once, a board is remembered; switched off, play ends and the computer is shut down."""

import asyncio
from pathlib import Path

import pytest

from controller.app.loop import Loop
from controller.app.oriented import is_oriented, remember_oriented
from controller.app.play import switch_off
from controller.app.simulated import Via, simulated_rig
from controller.games.seam import AnyRules, Outcome, load_game
from hardware.ports import DeviceError, Sensing
from hardware.profile import load_profile


@pytest.fixture(autouse=True)
def _state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


def test_a_board_is_asked_once_and_again_when_its_wiring_changes() -> None:
    profile = load_profile("bamogo-4x4-presence")
    other = profile.model_copy(update={"cells": profile.cells.model_copy(update={"turned": 180})})
    assert not is_oriented(profile)
    remember_oriented(profile)
    assert is_oriented(profile)
    assert not is_oriented(other)
    remember_oriented(other)
    assert is_oriented(profile)


def test_a_broken_state_file_counts_as_no_and_is_mended(tmp_path: Path) -> None:
    profile = load_profile("bamogo-4x4-presence")
    remember_oriented(profile)
    (tmp_path / "stonelight" / "oriented.json").write_text("{")
    assert not is_oriented(profile)
    remember_oriented(profile)
    assert is_oriented(profile)


def test_a_place_that_cannot_be_written_is_only_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "stonelight").write_text("a file where a folder should be")
    remember_oriented(load_profile("bamogo-4x4-presence"))
    assert "asked again" in caplog.text


def test_the_loop_ends_once_switching_off_is_confirmed() -> None:
    rules = load_game("bamogo").rules()

    def deal(outcome: Outcome | None = None, first: int | None = None) -> AnyRules:
        return rules

    rig = simulated_rig(deal, Sensing.COLOUR, Via.MEMORY)

    async def played() -> None:
        loop = Loop(rig)

        def press() -> None:
            if rig.table.question is None:
                rig.press("off", 10)
            rig.press("ok", 20)
            loop.wake()

        loop.listeners.append(press)
        await asyncio.wait_for(loop.run(), 10)

    asyncio.run(played())
    assert rig.table.leaving


def test_a_shutdown_that_is_not_allowed_is_said() -> None:
    profile = load_profile("bamogo-4x4-presence")
    for command, word in ((("false",), "exit status"), (("no-such-program",), "No such file")):
        power = profile.power.model_copy(update={"command": command})
        with pytest.raises(DeviceError, match=word) as told:
            switch_off(profile.model_copy(update={"power": power}))
        assert "[power]" in str(told.value)
    switch_off(profile.model_copy(update={"power": profile.power.model_copy(update={"command": ("true",)})}))
