"""The loop of the device: turn after turn, and what becomes of it when a turn fails."""

import gc

from station import Station

FAULT_MEMORY = 5
FAULT_PROGRAM = 7
MOST_FAILURES = 5
"""Turns in a row that may fail before the device starts anew."""


class Loop:
    """Takes turns.

    Args:
        plan: as `plan.check` returns it.
        hw: the hardware; besides what `station.Station` wants, ``feed()`` and ``give_up()``.
        report: called with an exception that a turn has raised, for the console.
    """

    def __init__(self, plan: dict, hw, report) -> None:
        self._hw = hw
        self._report = report
        self._failures = 0
        self.station = Station(plan, hw)

    def turn(self) -> None:
        """Take one turn. A turn that fails is told as a fault; after some in a row the device starts anew."""
        try:
            self.station.tick(self._hw.ticks())
        except MemoryError as error:
            gc.collect()
            self._failed(FAULT_MEMORY, error)
        except Exception as error:  # noqa: BLE001  # the loop outlives any bug, and the host is told
            self._failed(FAULT_PROGRAM, error)
        else:
            if self._failures:
                self._failures = 0
                self.station.trouble(FAULT_MEMORY, -1)
                self.station.trouble(FAULT_PROGRAM, -1)
        self._hw.feed()

    def _failed(self, code: int, error: Exception) -> None:
        self._failures += 1
        self.station.trouble(code, self._failures)
        self._report(error)
        if self._failures >= MOST_FAILURES:
            self._hw.give_up()
