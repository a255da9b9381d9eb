"""The way to a board with a micro-controller: it scans its cells by itself and tells them through its serial port."""

from collections.abc import Sequence
from typing import Final

from controller.bench.road import Clock, Probe, SystemClock, in_chain_order
from controller.bench.serial_levels import SerialLevels
from hardware.link_events import Hello
from hardware.ports import UNKNOWN, CellChange, DeviceError, Lamps, LinkNews, RawHeard, Sensed, Snapshot, Source
from hardware.profile import Profile
from hardware.serial_board import SerialBoard, SerialLamps


class SerialRoad:
    """A board behind a serial port that answers.

    Args:
        board: the board. It is closed with the road.
        flashed: the profile that its firmware was given.
        clock: the time.
    """

    def __init__(self, board: SerialBoard, flashed: Profile, clock: Clock | None = None) -> None:
        self.clock: Clock = clock or SystemClock()
        self._board = board
        self._flashed = flashed

    def sensing(self, profile: Profile) -> Source:  # noqa: ARG002
        """Return the cells and buttons; the board says what their sensors give, where its firmware can."""
        return _Shared(self._board)

    def probe(self, profile: Profile) -> Probe:
        """Return the inputs as the cells that the firmware takes them for."""
        kind = SerialLevels if self.tells_values(profile) else SerialProbe
        return kind(self._board, self._flashed, self.clock)

    def tells_values(self, profile: Profile) -> bool:  # noqa: ARG002
        """Return whether the board has sensors with levels, and not only contacts."""
        return self._flashed.cells.driver == "mux"

    def cell_lamps(self, profile: Profile) -> Lamps:
        """Return the lamps of the cells, then of the track."""
        return SerialLamps(profile.chain(), self._board)

    def chain_lamps(self, profile: Profile) -> Lamps:
        """Return the pixels in the order of their chain."""
        return SerialLamps(in_chain_order(profile), self._board)

    def there(self) -> tuple[Hello, str] | None:
        """Return who answers, and on which port; None while nobody does."""
        hello = self._board.link.hello
        return None if hello is None else (hello, self._board.plug.where)

    def tend(self) -> None:
        """Hear the board and let it hear us: without a word it would take us for gone, and show lights of its own."""
        told = [*self._board.poll(self.clock.now())]
        ups = [k for k, each in enumerate(told) if isinstance(each, LinkNews) and each.up]
        if ups:
            del told[: ups[-1]]  # what came before it is over, and a snapshot follows
        if told:
            self._board.unread(told)

    def close(self) -> None:
        """Let go of the port."""
        self._board.close()


class _Shared:
    """The board as a source that leaves closing it to the road, so that its lamps can be darkened last."""

    def __init__(self, board: SerialBoard) -> None:
        self.poll: Final = board.poll
        self.due: Final = board.due
        self.listen: Final = board.listen
        self._board = board

    def hear_raw(self, heard: RawHeard | None) -> None:
        """Have the board say what its sensors give; None: no more."""
        self._board.hear_raw(heard)

    def close(self) -> None:
        """The road closes it."""


class SerialProbe:
    """The inputs of a board, by the cells that it tells.

    Args:
        board: what tells them.
        flashed: the profile that its firmware was given: where it takes its cells to be.
        clock: the time.
    """

    def __init__(self, board: Source, flashed: Profile, clock: Clock) -> None:
        self._board = board
        self._inputs = flashed.inputs()
        self._clock = clock
        self._values = [0] * (max(self._inputs) + 1)
        self.width: Final = len(self._values)

    def read(self) -> list[int]:
        """Return 1 for each input where something lies. A cell that is not known stays what it was.

        Raises:
            DeviceError: the board cannot be heard; says why and what to do.
        """
        self._take(self._board.poll(self._clock.now()))
        return list(self._values)

    def _take(self, sensed: Sequence[Sensed]) -> None:
        for each in sensed:
            if isinstance(each, CellChange):
                self._lay(each.cell, each.reading)
            elif isinstance(each, Snapshot):
                for cell, reading in enumerate(each.readings):
                    self._lay(cell, reading)
            elif isinstance(each, LinkNews) and not each.up:
                raise DeviceError(each.why)

    def _lay(self, cell: int, reading: int) -> None:
        if reading != UNKNOWN:
            self._values[self._inputs[cell]] = min(reading, 1)

    def close(self) -> None:
        """The road closes the board."""
