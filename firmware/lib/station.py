"""The whole device: cells, buttons, pixels and wire, joined in one turn of the loop.

`Station.tick` is told the time and never waits. It talks to pins only through the hardware that it is given: on a
micro-controller `hw_cp.Hardware`, in tests and rehearsals a simulated board.
"""

import wire_messages as says
from cells_analogue import Analogue
from cells_contacts import Chain, Contacts, Matrix
from lights import Lights
from plan import SENSINGS, top
from talk import Talk

FIRMWARE = (1, 2, 0)
"""Version of the firmware: what HELLO says."""
SNAPSHOT_MS = 900
"""Between two snapshots at least. Each goes out with a heartbeat, so that it wakes the host no more."""
PART = 200
"""Most cells in one part of a snapshot."""
STATS_MS = 4900
"""Between two statistics at least; they too go out with a heartbeat."""
RAW_MS = 50
"""Between two parts of raw values."""
RAW_PART = 100
HEALTHY_MS = 60000
"""After so long without a restart the count of bad starts begins anew."""
BAD_RESETS = (1, 5, 8)
"""Brownout, watchdog and crash, by their numbers in `recovery.RESETS`: reasons that are worth a fault."""
_CLOCK = 0x1FFFFFFF


def cells_on(plan: dict, hw):
    """Return the cells that the plan describes, on that hardware."""
    if plan["driver"] == "mux":
        steady = max(plan["steady_ms"], plan["agree_ms"]) if plan["steady_ms"] else 0
        return Analogue(hw.selects, hw.adcs, hw.emitter, hw.wait_us, plan, plan["samples"], steady)
    if plan["driver"] == "chain":
        reader = Chain(hw.spi, hw.load, plan["registers"])
    else:
        reader = Matrix(hw.rows, hw.columns, hw.wait_us, plan["settle_us"])
    return Contacts(reader, plan["places"], plan["cells"], plan["samples"], plan["agree_ms"])


class Station:
    """A board that scans, lights and talks.

    Args:
        plan: as `plan.check` returns it.
        hw: the hardware: pins, ``port``, ``keys``, ``strip``; ``ticks()``, ``wait_us``, ``free()``, ``identity``,
            ``reset_reason``, ``restart(mode)``, ``healthy()``.
    """

    def __init__(self, plan: dict, hw) -> None:
        self._hw = hw
        self._plan = plan
        self._settings = (plan["scan_ms"], plan["busy_ms"], plan["samples"], plan["agree_ms"])
        self.cells = cells_on(plan, hw)
        self.lights = Lights(hw.strip, plan["pixels"], plan["channels"])
        self.talk = Talk(hw.port, self._about(), (hw.identity, plan["board"], plan["buttons"]))
        self.talk.hears = self
        self._buttons = len(plan["buttons"])
        self._out = bytearray(plan["cells"])
        self._changes = []
        self._presses = []
        self._faults = {}
        self._told = {}
        self._scan_at = self._began = self._snap_at = self._stats_at = self._raw_at = hw.ticks()
        self._owed = 0
        self._raw = -1
        self._scans = self._scanned = self._slowest = 0
        self._healthy = False
        if hw.reset_reason in BAD_RESETS:
            self._faults[says.FAULT_RESET] = hw.reset_reason

    def tick(self, now: int) -> int:
        """One turn at that moment; return in how many milliseconds the next one has something to do."""
        self.talk.receive(now)
        late = (now - self._scan_at) & _CLOCK
        if late <= _CLOCK // 2:
            self._scan(now)
        event = self._hw.keys.get()
        if event is not None:
            ago = (now - event.timestamp) & _CLOCK
            self._presses.append((event.key_number, 1 if event.pressed else 0, ago if ago <= _CLOCK // 2 else 0))
            self._tell(now)
        if self.talk.up:
            self._report(now)
        else:
            self.lights.calm(now)
        self.lights.tick(now)
        self.talk.tick(now)
        if not self._healthy and ((now - self._began) & _CLOCK) >= HEALTHY_MS:
            self._healthy = True
            self._hw.healthy()
        took = (self._hw.ticks() - now) & _CLOCK
        if took > self._slowest:
            self._slowest = took
        return self._wait(now)

    def trouble(self, code: int, detail: int) -> None:
        """Have a fault told that shows itself outside of the cells: memory, the program. A detail below 0 ends it."""
        if detail >= 0:
            self._faults[code] = detail
        elif code in self._faults:
            del self._faults[code]

    # What the host says: see `talk.Talk.hears` ------------------------------------------------------------------------

    def opened(self, now: int) -> None:
        """A session begins: all is told afresh."""
        self._owed = says.SNAP_ASKED
        self._changes = []
        self._presses = []
        self._told = {}
        self._raw = -1
        self._stats_at = now
        self.lights.clear()
        if self.talk.room():
            self._snapshot(now)

    def painted(self, runs: list, show: bool) -> bool:
        """Runs of pixels have come."""
        good = True
        for start, count, colour in runs:
            good = self.lights.paint(start, count, colour) and good
        if show:
            self.lights.show()
        return good

    def configured(self, now: int, settings: tuple) -> bool:
        """Scan and agree so from now on."""
        if settings[2:] != self._settings[2:]:
            self.cells.configure(settings[2], settings[3])
        self._settings = settings
        for word, value in zip(("scan_ms", "busy_ms", "samples", "agree_ms"), settings):
            self.talk.about[word] = value
        self._scan_at = now
        if self.talk.room():
            self.talk.say(now, says.SETTINGS, says.pack_settings(settings))
        return True

    def asked(self, now: int, what: int, more: int) -> bool:
        """Something is asked for."""
        if what == says.ASK_SNAPSHOT:
            self._owed |= says.SNAP_ASKED
        elif what == says.ASK_STATS:
            self._stats(now)
        elif what == says.ASK_RAW:
            self._raw = 0 if more else -1
        else:
            return False
        return True

    def restarted(self, mode: int) -> bool:
        """Restart; on a micro-controller that does not return."""
        if mode not in (says.RESTART_PLAIN, says.RESTART_DRIVE, says.RESTART_LOADER):
            return False
        self._hw.restart(mode)
        return True

    # What there is to tell --------------------------------------------------------------------------------------------

    def _about(self) -> dict:
        plan = self._plan
        about = {"protocol": says.PROTOCOL, "reset": self._hw.reset_reason, "cells": plan["cells"], "top": top(plan)}
        about["major"], about["minor"], about["patch"] = FIRMWARE
        about["wiring"] = plan["wiring"]
        about["sensing"] = SENSINGS.index(plan["sensing"])
        about["pixels"], about["channels"] = plan["pixels"], plan["channels"]
        about["can"] = says.CAN_RAW | says.CAN_SETTINGS | says.CAN_DRIVE
        if plan["driver"] == "mux":
            about["can"] |= says.CAN_UNKNOWN
        about["scan_ms"], about["busy_ms"], about["samples"], about["agree_ms"] = self._settings
        return about

    def _scan(self, now: int) -> None:
        cells = self.cells
        changed = cells.scan(now)
        self._scans += 1
        self._scan_at = (now + self._settings[1 if cells.pending() else 0]) & _CLOCK
        if cells.fault >= 0:
            self._faults[cells.fault_code] = cells.fault
        elif cells.fault_code in self._faults:
            del self._faults[cells.fault_code]
        if changed:
            cells.changes(now, self._changes, self._presses)
            self._tell(now)

    def _tell(self, now: int) -> None:
        """Say what changed; what finds no room is dropped, and a snapshot makes it good."""
        talk = self.talk
        changes, self._changes = self._changes, []
        presses, self._presses = self._presses, []
        if not talk.up:
            return
        most = says.MOST_CHANGES
        for start in range(0, len(changes), most):
            if self._owed & says.SNAP_LOST or not talk.room():
                self._owed |= says.SNAP_LOST
                talk.dropped += 1
            else:
                talk.say(now, says.CHANGES, says.pack_changes(now, changes[start : start + most]))
        for button, down, ago in presses:
            if talk.room():
                talk.say(now, says.BUTTON, says.pack_button(now, button, down, ago))
            else:
                talk.dropped += 1

    def _report(self, now: int) -> None:
        """Say what is due: faults, snapshots, statistics, raw values."""
        if self._faults or self._told or self.lights.failed:
            self._tell_faults(now)
        beats = self.talk.beats(now)
        regular = beats and ((now - self._snap_at) & _CLOCK) >= SNAPSHOT_MS
        if self._owed or (regular and self.talk.room() > 8):
            self._snapshot(now)
        if beats and ((now - self._stats_at) & _CLOCK) >= STATS_MS:
            self._stats(now)
        if self._raw >= 0 and ((now - self._raw_at) & _CLOCK) >= RAW_MS:
            self._mention_raw(now)

    def _snapshot(self, now: int) -> None:
        """Scan once more, and say what all cells read, in parts."""
        count = self._plan["cells"]
        if self.talk.room() < (count + PART - 1) // PART:
            return
        if not self.cells.pending():
            self._scan(now)
            if self.talk.room() < (count + PART - 1) // PART:
                return
        self.cells.readings(self._out)
        for first in range(0, count, PART):
            part = bytes(self._out[first : first + PART])
            flags = self._owed | (says.SNAP_LAST if first + PART >= count else 0)
            self.talk.say(now, says.SNAPSHOT, says.pack_snapshot(now, first, flags, part))
        self._owed = 0
        self._snap_at = now

    def _tell_faults(self, now: int) -> None:
        if self.lights.failed:
            self._faults[says.FAULT_PIXELS] = 0
        elif says.FAULT_PIXELS in self._faults:
            del self._faults[says.FAULT_PIXELS]
        for code in self._faults:
            if self._told.get(code) != self._faults[code] and self.talk.room():
                self._told[code] = self._faults[code]
                self.talk.say(now, says.FAULT, says.pack_fault(code, 1, self._faults[code] & 0xFFFF))
        for code in list(self._told):
            if code not in self._faults and self.talk.room():
                self.talk.say(now, says.FAULT, says.pack_fault(code, 0, self._told.pop(code) & 0xFFFF))

    def _stats(self, now: int) -> None:
        span = max(1, (now - self._stats_at) & _CLOCK)
        rate = (self._scans - self._scanned) * 1000 // span
        up_s = ((now - self._began) & _CLOCK) // 1000
        talk = self.talk
        counts = (talk.deframer.bad, talk.senseless, talk.resent, talk.dropped)
        talk.mention(now, says.STATS, says.pack_stats((up_s, rate, self._slowest) + counts + (self._hw.free(),)))
        self._scanned, self._slowest, self._stats_at = self._scans, 0, now

    def _mention_raw(self, now: int) -> None:
        self._raw_at = now
        end = min(self._raw + RAW_PART, self._plan["cells"])
        values = [self.cells.raw_value(cell) for cell in range(self._raw, end)]
        self.talk.mention(now, says.RAW, says.pack_raw(now, self._raw, values))
        self._raw = end if end < self._plan["cells"] else 0

    def _wait(self, now: int) -> int:
        wait = (self._scan_at - now) & _CLOCK
        if wait > _CLOCK // 2:
            wait = 0
        other = self.talk.wait(now)
        if other < wait:
            wait = other
        if self._raw >= 0 and wait > RAW_MS:
            wait = RAW_MS
        return wait
