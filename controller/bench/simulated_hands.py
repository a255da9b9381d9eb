"""A simulated board in real time on which stones come and go, for looking at `stonelight monitor` without a board."""

import random
from typing import Final

from controller.bench.road import SystemClock
from controller.bench.simulated import SimulatedRoad
from hardware.ports import Millis
from hardware.profile import Profile

EVERY_MS: Final = 700
"""Between two stones that are put down or taken away."""


class LivelyClock(SystemClock):
    """The system's clock; while somebody waits, hands are busy on the board."""

    def __init__(self) -> None:
        self.road: SimulatedRoad | None = None
        self._dice = random.Random(1)
        self._next: Millis | None = None

    def wait(self, ms: Millis) -> None:
        """Sleep; then what was due has happened."""
        super().wait(ms)
        road, now = self.road, self.now()
        assert road is not None, "the board is given before time passes"
        road.top.advance(now)
        if self._next is None or now >= self._next:
            self._next = now + EVERY_MS
            self._stir(road)

    def _stir(self, road: SimulatedRoad) -> None:
        top, dice = road.top, self._dice
        cell = dice.randrange(len(top.names))
        if top.contents[cell]:
            top.take([cell])
        else:
            top.put([cell], dice.randint(1, road.truth.max_colours))


def lively_road(profile: Profile) -> SimulatedRoad:
    """Return a simulated board that lives by the system's clock, with a few stones on it."""
    clock = LivelyClock()
    road = SimulatedRoad(profile, clock=clock)
    clock.road = road
    road.top.advance(clock.now())
    dice = random.Random(2)
    cells = len(road.top.names)
    for cell in dice.sample(range(cells), min(5, (cells + 1) // 2)):
        road.top.put([cell], dice.randint(1, profile.max_colours))
    return road
