"""The magnetic field under the cells of a simulated board, and what a linear hall sensor makes of it.

A stone's magnet is a disc magnetised along its axis; its field is that of two discs of magnetic charge, one at each
face, in opposite directions (any textbook of magnetostatics; on the axis it is the makers' formula for discs). The
sensor lies under the middle of its cell and feels the part of the field that goes through it upright. So a stone that
comes down climbs through the fields of weaker stones, and one that lies off the middle, upside down, on top of another
or on a neighbouring cell is felt as it would be.

Fields are in millitesla, positive where a south pole faces the sensor.
"""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from hardware.ports import Millis
from simulator.tabletop import LONG_AGO, Lying, Tabletop

REMANENCE_MT: Final = 1190.0
"""Of N35, between the 1170 and 1220 mT that makers give for it."""
FROM_MM: Final = 40.0
"""From how high a stone comes down, and to where it leaves: there it is hardly felt."""
DISH_MM: Final = 3.0
"""How far from the middle a dish lets a stone come to rest."""
NOISE_MT: Final = 0.15
"""Of sensor and supply together, at most, to either side."""
TREMBLE_MM: Final = (0.6, 0.8)
"""How far a hand that holds still moves up and down: nine times a second, and about once a second; an estimate."""
FAR_MM: Final = 20.0
"""Beside a stone this far away its height hardly matters."""
DRIFT_MT: Final = 1.5
"""How far the zero of a sensor wanders to either side at most, as a room that warms and cools makes it."""
DRIFT_PERIOD_MS: Final = 240_000
"""How long it takes there and back; real rooms take longer."""
SAG_MT_PER_A: Final = 0.8
"""How far an ampere of light moves the zeros, by the field of its wires and what it takes off the supply."""
STRAY_MT: Final = 30.0
"""What metal on a cell makes of fields, and stones that hop: stronger than weak stones, weaker than strong ones."""
NEAR_PITCHES: Final = 1.5
"""Cells this near to each other are neighbours."""


@dataclass(frozen=True, slots=True)
class Magnet:
    """The magnet of one kind of stone.

    Fields:
        diameter_mm, thickness_mm: its size.
        gap_mm: from its lower face to the sensor where the stone rests.
        south_down: which pole is below.
    """

    diameter_mm: float
    thickness_mm: float
    gap_mm: float
    south_down: bool = False

    def field(self, height_mm: float, offset_mm: float, *, flipped: bool = False) -> float:
        """Return what the sensor feels of it, in mT.

        Args:
            height_mm: how far it is above where it rests.
            offset_mm: how far its axis is from the sensor.
            flipped: whether it is upside down.
        """
        size, thickness = self.diameter_mm, self.thickness_mm
        # From afar a millimetre more or less is not felt.
        places = 2 if offset_mm < FAR_MM else 0
        strength = _disc(size, thickness, round(self.gap_mm + height_mm, places), round(offset_mm, 2))
        return strength if self.south_down != flipped else -strength


BAMOGO_MAGNETS: Final[Mapping[int, Magnet]] = {
    1: Magnet(8.0, 3.0, 5.0),
    2: Magnet(8.0, 3.0, 5.0, south_down=True),
    3: Magnet(5.0, 2.0, 6.0),
}
"""Of red, blue and yellow stones: 8 x 3 mm with north and with south down, and 5 x 2 mm north down, 1 mm deeper in."""


@lru_cache(maxsize=50_000)
def _disc(diameter: float, thickness: float, gap: float, offset: float) -> float:
    """Return the upright field of a disc, in mT, at `gap` below its face and `offset` beside its axis."""
    radius = diameter / 2
    return REMANENCE_MT / 2 * (_face(radius, gap, offset) - _face(radius, gap + thickness, offset))


def _face(radius: float, gap: float, offset: float) -> float:
    """Return the upright field of one face, as a share of that of an endless plane: 1 - cos of the angle it fills."""
    if offset == 0:
        return 1 - gap / math.hypot(radius, gap)
    rings, spokes = 8, 12
    area = math.pi * radius**2 / (rings * spokes)
    total = 0.0
    for ring in range(rings):
        out = radius * math.sqrt((ring + 0.5) / rings)  # rings of equal area
        for spoke in range(spokes):
            angle = 2 * math.pi * (spoke + 0.5) / spokes
            away = (offset + out * math.cos(angle)) ** 2 + (out * math.sin(angle)) ** 2 + gap**2
            total += gap / (away * math.sqrt(away))
    return total * area / (2 * math.pi)


class Field:
    """The field under each cell of a tabletop, at the tabletop's moment.

    Args:
        top: the tabletop. Its cells hold single stones.
        spots: shape (cells, 2): the middles of the cells, in mm.
        magnets: by stone's number.
        seed: for noise, for how sensors drift, and for where stones come to rest.
        light_ma: gives the current of the lights, for how far it moves the sensors.
    """

    def __init__(
        self,
        top: Tabletop,
        spots: Sequence[tuple[float, float]],
        magnets: Mapping[int, Magnet] = BAMOGO_MAGNETS,
        *,
        seed: int = 0,
        light_ma: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._top = top
        self._magnets = magnets
        self._light_ma = light_ma
        self._dice = random.Random(seed)
        cells = range(len(spots))
        self._apart = [[math.dist(spots[cell], spots[other]) for other in cells] for cell in cells]
        pitch = min((span for row in self._apart for span in row if span), default=1.0)
        self._near = [[other for other in cells if 0 < row[other] < NEAR_PITCHES * pitch] for row in self._apart]
        self._drifts = [self._dice.uniform(-DRIFT_MT, DRIFT_MT) for _ in cells]
        self._drifting_from: Millis | None = None
        self._number = {name: cell for cell, name in enumerate(top.names)}
        self._frozen: dict[int, float] = {}
        self._told: list[float | None] = [None] * len(spots)
        self._phases = [self._dice.random() for _ in cells]
        self._looked: list[Millis] = [LONG_AGO] * len(spots)
        self._seen = [0.0] * len(spots)
        self._stirs = -1
        self._still_from: Millis | None = 0
        self._at_rest: list[float | None] = [None] * len(spots)
        self._ways: dict[tuple[int, Lying], _Way] = {}
        self._lasting: list[Lying | None] = [None] * len(spots)

    def at(self, cell: int) -> float:
        """Return the field that the sensor of a cell feels, in mT: noise, and whatever is wrong with it, included.

        Raises:
            OSError: nothing answers (`Tabletop.trouble`).
        """
        top, faults = self._top, self._top.faults
        now = top.now
        if (why := top.trouble()) is not None:
            raise OSError(why)
        hidden = top.contacts.hidden(cell)
        if hidden is not None and hidden <= 0:
            return STRAY_MT if hidden else 0.0
        if top.stirs != self._stirs:
            self._refresh()
        if faults.dead or faults.stuck or self._frozen:
            sick = self._sick(cell, now)
            if sick is not None:
                return sick
        told = self._told[cell] = self._sampled(cell, now) if faults.sample else self._felt(cell, now)
        return told

    def _sampled(self, cell: int, now: Millis) -> float:
        """Return what a slow sensor felt when it looked last."""
        sample = self._top.faults.sample
        phase = int(self._phases[cell] * sample)
        look = (now - phase) // sample * sample + phase
        if look != self._looked[cell]:
            self._looked[cell] = look
            self._seen[cell] = self._felt(cell, look)
        return self._seen[cell]

    def _sick(self, cell: int, now: Millis) -> float | None:
        """Return what a sensor tells that no longer feels anything; None if it is well."""
        faults = self._top.faults
        if any(self._number[name] == cell for name in faults.dead):
            return 0.0
        if not any(self._number[name] == cell for name in faults.stuck):
            self._frozen.pop(cell, None)
            return None
        if cell not in self._frozen:
            told = self._told[cell]
            self._frozen[cell] = self._felt(cell, now) if told is None else told
        return self._frozen[cell]

    def _felt(self, cell: int, now: Millis) -> float:
        faults = self._top.faults
        field = self._stones(cell, now) + self._dice.uniform(-NOISE_MT, NOISE_MT)
        if faults.sag:
            field += SAG_MT_PER_A * self._light_ma() / 1000
        if not faults.drift:
            self._drifting_from = None
        else:
            if self._drifting_from is None:
                self._drifting_from = now
            turn = 2 * math.pi * (now - self._drifting_from) / DRIFT_PERIOD_MS
            field += self._drifts[cell] * math.sin(turn)
        return field

    def _stones(self, cell: int, now: Millis) -> float:
        """Return what a sensor feels of all stones; what is still is worked out once."""
        if self._still_from is None or now < self._still_from:
            return self._sum(cell, now)
        still = self._at_rest[cell]
        if still is None:
            still = self._at_rest[cell] = self._sum(cell, now)
        return still

    def _sum(self, cell: int, now: Millis) -> float:
        apart = self._apart[cell]
        total = 0.0
        for other, stones in enumerate(self._top.lying):
            for stone in stones:
                way = self._ways[other, _arrival(stone)]
                height = way.height(stone, now)
                if height < FROM_MM:
                    total += self._of(stone, height, apart[other] or way.rest(stone))
        lasting = self._lasting[cell]
        if lasting is not None and not self._top.contents[cell]:
            total += self._of(lasting, lasting.height_mm, self._ways[cell, _arrival(lasting)].rest(lasting))
        return total

    def _of(self, stone: Lying, height: float, offset: float) -> float:
        magnet = self._magnets.get(stone.content)
        return 0.0 if magnet is None else magnet.field(height, offset, flipped=stone.flipped)

    def _refresh(self) -> None:
        """Take note of what has changed on the table."""
        top = self._top
        self._stirs = top.stirs
        self._at_rest = [None] * len(self._at_rest)
        approach = top.faults.approach
        ways: dict[tuple[int, Lying], _Way] = {}
        moments: list[Millis] = [0]
        held = False
        for cell, stones in enumerate(top.lying):
            for stone in stones:
                key = cell, _arrival(stone)
                way = self._ways.get(key)
                if way is None:
                    way = _Way(round(self._dice.uniform(0, DISH_MM), 1), approach)
                if stone.until is not None and way.leaving is None:
                    way = replace(way, leaving=approach)
                ways[key] = way
                moments.append(stone.since + way.coming if stone.until is None else stone.until + (way.leaving or 0))
                held |= stone.held and stone.until is None
        self._still_from = None if held else max(moments)
        self._keep_lasting(ways)
        self._ways = ways

    def _keep_lasting(self, ways: dict[tuple[int, Lying], "_Way"]) -> None:
        """Note which emptied cells go on feeling their stone, since too many of their neighbours are full."""
        top = self._top
        most = top.faults.crosstalk
        for cell, stones in enumerate(top.lying):
            full = next((stone for stone in stones if stone.until is None and not stone.held), None)
            if full is not None:
                self._lasting[cell] = full
            elif not most or sum(1 for other in self._near[cell] if top.contents[other]) < most:
                self._lasting[cell] = None
            last = self._lasting[cell]
            if last is not None:
                key = cell, _arrival(last)
                ways.setdefault(key, self._ways.get(key, _Way(0.0, 0)))


@dataclass(frozen=True, slots=True)
class _Way:
    """How a stone comes to its cell and leaves it.

    Fields:
        aside_mm: how far from the middle it comes to rest where nobody says so.
        coming: milliseconds that it takes down.
        leaving: milliseconds that it takes up again; None while it is there.
    """

    aside_mm: float
    coming: Millis
    leaving: Millis | None = None

    def rest(self, stone: Lying) -> float:
        """Return how far from the middle the stone has come to rest."""
        return self.aside_mm if stone.offset_mm is None else stone.offset_mm

    def height(self, stone: Lying, now: Millis) -> float:
        """Return how far the stone is above where it rests: it comes down evenly, and leaves in the same way."""
        if now < stone.since:
            return FROM_MM
        height = stone.height_mm
        if stone.held:
            quick, slow = TREMBLE_MM
            height += quick * math.sin(now * 2 * math.pi * 0.009) + slow * math.sin(now * 2 * math.pi * 0.0013)
        span = FROM_MM - height
        if now < stone.since + self.coming:
            height += span * (1 - (now - stone.since) / self.coming)
        if stone.until is not None and now >= stone.until:
            left = now - stone.until
            if not self.leaving or left >= self.leaving:
                return FROM_MM
            height = max(height, FROM_MM - span * (1 - left / self.leaving))
        return height


def _arrival(stone: Lying) -> Lying:
    """Return what identifies a stone on its cell from when it came until it is gone."""
    return Lying(stone.content, stone.since, held=stone.held)


@dataclass(frozen=True, slots=True)
class HallSensor:
    """A linear hall sensor whose output is a share of its supply, as the reference of its ADC is.

    Fields:
        mv_per_mt: its sensitivity.
        quiescent_mv: its output without a field.
        supply_mv: its supply.
        rail_mv: how near to ground and to the supply its output can come.
    """

    mv_per_mt: float
    quiescent_mv: float
    supply_mv: float
    rail_mv: float = 200.0

    def level(self, field: float) -> float:
        """Return the output for a field in mT, as a share of the supply."""
        output = self.quiescent_mv + self.mv_per_mt * field
        return max(self.rail_mv, min(self.supply_mv - self.rail_mv, output)) / self.supply_mv
