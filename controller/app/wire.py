"""A rig whose board is at the other end of a wire: the firmware's own modules behind a pseudo-terminal and pyserial."""

from collections.abc import Callable, Sequence
from typing import Final

from controller.app.rig import Rig
from controller.table.core import Table
from hardware.link import Link
from hardware.link_events import Wanted
from hardware.pixels import Chain
from hardware.ports import Frame, LinkNews, Millis, RawHeard, Sensed, Sensing
from hardware.serial_board import SerialBoard, SerialLamps
from hardware.serial_plug import Plug
from simulator.device import InChild, Runner
from simulator.doubt import DoubtedSource
from simulator.pixels import PixelTap
from simulator.supply import feed
from simulator.tabletop import Tabletop
from simulator.wire_board import MOST, LockStepChannel, WireBoard, board_plan

MA_PER_PIXEL: Final = 60.0
"""What the chain is allowed to draw for each pixel: as much as one takes at full white."""
DARK_MS: Final = 200
"""How long the device is given to show the last, dark frame; long chains take 33 ms between two frames."""


class WireSource:
    """A serial board in lock-step with the simulated one at the other end of its cable.

    Args:
        serial: the controller's end; it opens the port of `board` with `LockStepChannel`.
        board: the device's end.
    """

    def __init__(self, serial: SerialBoard, board: WireBoard) -> None:
        self.board: Final = board
        self._serial = serial
        self._up = True
        self._told: list[Sensed] = []

    def poll(self, now: Millis) -> Sequence[Sensed]:
        """Return what the device has told up to `now`, after all that both ends have to say at that moment.

        Raises:
            DeviceError: the simulated device itself has stopped.
        """
        self._say_all(now)
        told, self._told = self._told, []
        return told

    def due(self) -> Millis | None:
        """Return when either end has something to do next."""
        return self.board.now if self._told else self._next()

    def _next(self) -> Millis | None:
        times = (self._serial.due(), self.board.due())
        return min((time for time in times if time is not None), default=None)

    def catch_up(self) -> None:
        """Let both ends say what they have to say at this moment."""
        if (due := self._next()) is not None and due <= self.board.now:
            self._say_all(self.board.now)

    def darken(self) -> None:
        """Let time pass until the device has shown its last frame."""
        board = self.board
        end = board.now + DARK_MS
        while board.path is not None and board.failed is None and (due := self._next()) is not None and due <= end:
            self._say_all(due)

    def listen(self, wake: Callable[[], None]) -> None:
        """The simulated board says nothing by itself: `due` foretells all."""

    def hear_raw(self, heard: RawHeard | None) -> None:
        """Have the device say what its sensors give; None: no more."""
        self._serial.hear_raw(heard)

    def close(self) -> None:
        """Let go of both ends. Twice is fine."""
        self._serial.close()
        self.board.close()

    def _say_all(self, now: Millis) -> None:
        """Let both ends talk until neither has more to say at this moment."""
        board = self.board
        board.now = now
        while True:
            if not board.heard:
                board.turn()
            self._told += self._news(self._serial.poll(now))
            if board.failed is not None:
                raise board.failed
            due = self._next()
            if due is None or due > now:
                return

    def _news(self, sensed: Sequence[Sensed]) -> list[Sensed]:
        """Return what is new: each loss once, whatever reasons it is given later; the first session is no news."""
        told: list[Sensed] = []
        for item in sensed:
            if isinstance(item, LinkNews):
                if item.up is self._up:
                    continue
                self._up = item.up
            told.append(item)
        return told


class WireLamps(SerialLamps):
    """Pixels at the other end of the wire.

    Attributes:
        tap: the simulated pixels, which know their colours from what the device has sent them.
    """

    def __init__(self, chain: Chain, serial: SerialBoard, source: WireSource, top: Tabletop) -> None:
        super().__init__(chain, serial)
        self.tap = PixelTap(chain.count, chain.order)
        source.board.shown = self._shown_by_device
        self._source = source
        self._top = top

    def _shown_by_device(self, data: bytes) -> None:
        """Take what the device has sent its pixels; its supply may be too weak for that."""
        self.tap.receive(data)
        feed(self._top, data)

    def show(self, frame: Frame) -> None:
        """Light the pixels so, before time moves on."""
        super().show(frame)
        self._source.catch_up()

    def close(self) -> None:
        """All dark; waits in simulated time until the device shows it. Twice is fine."""
        super().close()
        self._source.darken()


def wire_rig(table: Table, top: Tabletop, buttons: Sequence[str], *, seed: int = 0, micropython: bool = False) -> Rig:
    """Return a rig on a board with a micro-controller.

    Args:
        table: the game.
        top: what lies on the board.
        buttons: the names of its buttons.
        seed: for what tells one run of the controller from another.
        micropython: whether the firmware runs under MicroPython, in a process of its own.

    Raises:
        DeviceError: MicroPython is wanted and not installed.
    """
    top.wired = True
    cells, rules = len(top.names), table.rules
    pixels = cells + table.track_pixels
    most = MOST if top.sensing is Sensing.COUNT else max(1, len(rules.stones) - 1)
    plan = board_plan(f"simulated-{rules.name}", top.sensing, cells, most=most, buttons=buttons, pixels=pixels)
    runner: Runner | None = InChild.under_micropython(plan) if micropython else None
    board = WireBoard(top, plan, runner)
    link = Link(Wanted(cells=cells, sensing=top.sensing, pixels=pixels, channels=3), nonce=seed)
    plug = Plug(lambda: [] if board.path is None else [board.path], lambda url: LockStepChannel(board, url))
    serial = SerialBoard(link, plug)
    source = WireSource(serial, board)
    chain = Chain(tuple(range(pixels)), pixels, budget_ma=MA_PER_PIXEL * pixels)
    levels = plan["driver"] == "mux"
    rig = Rig(table, DoubtedSource(source, top), WireLamps(chain, serial, source, top), top, levels=levels)
    rig.feeds = False
    return rig
