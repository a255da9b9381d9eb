"""A board with a micro-controller at the bench: what it tells of its cells is enough to walk and to teach it."""

import tomllib
from collections.abc import Callable, Sequence
from importlib.resources import files

import pytest

from controller.bench.serial_road import SerialProbe, SerialRoad
from controller.bench.simulated import SimulatedClock
from hardware.ports import UNKNOWN, CellChange, DeviceError, LinkNews, Sensed, Snapshot
from hardware.profile import check_profile
from simulator.tabletop import Tabletop

RAW = tomllib.loads((files("hardware") / "profiles" / "exago-5-reeds.toml").read_text())
PROFILE = check_profile(RAW, "exago-5-reeds")


class _Told:
    """A source that tells what it is given."""

    def __init__(self, *batches: Sequence[Sensed]) -> None:
        self._batches = list(batches)

    def poll(self, now: int) -> Sequence[Sensed]:
        return self._batches.pop(0) if self._batches else ()

    def due(self) -> int:
        return 0

    def listen(self, wake: Callable[[], None]) -> None:
        """Nobody wakes."""

    def close(self) -> None:
        """Nothing."""


def _probe(*batches: Sequence[Sensed]) -> SerialProbe:
    top = Tabletop(PROFILE.cell_names(), PROFILE.sensing)
    return SerialProbe(_Told(*batches), PROFILE, SimulatedClock(top))


def test_cells_are_told_at_the_inputs_that_the_firmware_takes_them_for() -> None:
    readings = [0] * 91
    readings[2] = 1
    probe = _probe(
        [Snapshot(tuple(readings), 0)], [], [CellChange(2, 0, 5), CellChange(40, 1, 6)], [CellChange(40, UNKNOWN, 9)]
    )
    inputs = PROFILE.inputs()
    assert probe.read() == [int(number == inputs[2]) for number in range(probe.width)]
    assert probe.read()[inputs[2]] == 1
    moved = probe.read()
    assert (moved[inputs[2]], moved[inputs[40]]) == (0, 1)
    assert probe.read() == moved  # what is not known stays as it was


def test_a_board_that_is_lost_says_why() -> None:
    with pytest.raises(DeviceError, match="plug it in"):
        _probe([LinkNews(up=False, why="plug it in", at=1)]).read()


def test_the_road_leaves_closing_the_board_for_last() -> None:
    closed: list[bool] = []

    class Board(_Told):
        def light(self, data: bytes) -> None:
            assert not closed, "lights go dark before the board is let go of"

        def close(self) -> None:
            closed.append(True)

    road = SerialRoad(Board(), PROFILE)  # type: ignore[arg-type]
    source, values = road.sensing(PROFILE)
    lamps = road.cell_lamps(PROFILE)
    lamps.show(bytes(3 * len(PROFILE.places())))
    source.close()
    lamps.close()
    assert (values(), closed) == ([], [])
    assert not road.tells_values(PROFILE)
    road.close()
    assert closed == [True]
