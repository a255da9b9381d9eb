"""What a board says of its power after an outage, and what comes of that for its lights, at each depth."""

from collections.abc import Callable
from typing import Any

import pytest

from controller.app.simulated import Via, simulated_rig
from controller.games.seam import load_game
from controller.rehearse.stage import Stage
from hardware.ports import LinkNews, Millis, Sensed, Sensing, Source
from simulator.tabletop import Tabletop


class Heard:
    """A source whose news of the link are kept."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.poll = self._poll
        self.due, self.listen, self.close = source.due, source.listen, source.close
        self.ups: list[bool] = []

    def _poll(self, now: Millis) -> list[Sensed]:
        told = list(self._source.poll(now))
        self.ups += [each.powered for each in told if isinstance(each, LinkNews) and each.up]
        return told


@pytest.mark.parametrize("depth", [Via.MEMORY, Via.WIRE])
def test_a_device_says_if_its_power_failed(depth: Via) -> None:
    rules = load_game("exago").rules(None, {"radius": "3"})
    rig = simulated_rig(lambda *_, **__: rules, Sensing.PRESENCE, depth)
    heard = Heard(rig.source)
    rig.source = heard
    stage = Stage(rig, lambda _notice: None, lambda _now, _frame: None)
    top = rig.top
    assert top is not None
    deeds: list[Callable[[Tabletop], None]] = [
        Tabletop.reset,
        Tabletop.brown_out,
        Tabletop.unplug,
        Tabletop.plug,
        Tabletop.reset,
    ]
    try:
        for deed in deeds:
            stage.pass_time(3000)
            stage.act(lambda deed=deed: deed(top))  # type: ignore[misc]
        stage.pass_time(3000)
    finally:
        rig.close()
    assert heard.ups == [True, False, False, True]


@pytest.mark.parametrize("wait", [0, 200, 400, 700, 2100])
@pytest.mark.parametrize("trouble", ["unplug\nplug", "reset-mcu"])
@pytest.mark.parametrize("begun", ["", "play f6\nplay f7\nplay g7\n"])
def test_fumbling_with_a_cable_or_a_reset_says_nothing_of_brightness(
    play_through: Callable[..., Any], via: str, trouble: str, wait: int, begun: str
) -> None:
    script = f"game exago\nboard sense=presence\n{begun}" + f"{trouble}\nwait {wait}\n" * 4
    played = play_through(script + "wait 4000\nexpect phase waiting", via)
    assert played.heard("link") or via == "pins", "a Pi looks at its own pins only now and then"
    assert not played.heard("error")
