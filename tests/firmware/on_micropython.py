"""Run by MicroPython: golden vectors, and a quiet turn that takes no memory. Prints one line for each failure.

Arguments: folders of modules joined by ``:``, and the file of golden vectors.
"""

import gc
import sys

sys.path[:0] = sys.argv[1].split(":")

import wire
import wire_messages as says
from plan import check
from station import Station

UNPACK = {
    says.OPEN: says.unpack_open,
    says.HELLO: says.unpack_hello,
    says.BEAT: says.unpack_beat,
    says.CHANGES: says.unpack_changes,
    says.SNAPSHOT: says.unpack_snapshot,
    says.BUTTON: says.unpack_button,
    says.FAULT: says.unpack_fault,
    says.SETTINGS: says.unpack_settings,
    says.STATS: says.unpack_stats,
    says.RAW: says.unpack_raw,
    says.LAMPS: lambda body: says.unpack_runs(body, 3),
}


def golden(path):
    """Hold this interpreter against the vectors."""
    count = 0
    with open(path) as file:
        for line in file:
            if line.startswith("#") or not line.strip():
                continue
            name, payload, frame, meaning = line.strip().split(" | ")
            payload, frame = bytes.fromhex(payload), bytes.fromhex(frame)
            if wire.seal(payload) != frame:
                print(name, "seals to", wire.seal(payload))
            deframer = wire.Deframer()
            got = []
            for k in range(len(frame)):
                got += deframer.feed(frame[k : k + 1])
            if got != [payload]:
                print(name, "comes out as", got)
            body = payload[3 if payload[0] & wire.NUMBERED else 2 :]
            if UNPACK.get(payload[0], tuple)(body) != eval(meaning):
                print(name, "says", UNPACK.get(payload[0], tuple)(body))
            count += 1
    print("vectors", count)


class Level:
    value = True

    def switch_to_output(self, value):
        pass

    def switch_to_input(self):
        pass


class Spi:
    def readinto(self, buffer):
        for k in range(len(buffer) - 1):
            buffer[k] = 255
        buffer[len(buffer) - 1] = 0xA5


class Quiet:
    """Hardware on which nothing happens."""

    connected = True
    in_waiting = 0
    busy = False
    identity = "x"
    reset_reason = 0
    emitter = None

    def __init__(self, rows, columns, adcs):
        self.port = self.keys = self.strip = self
        self.spi = Spi()
        self.load = Level()
        self.rows = [Level() for _ in range(rows)]
        self.columns = [Level() for _ in range(columns)]
        self.selects = [Level() for _ in range(4)]
        self.adcs = [Adc() for _ in range(adcs)]
        self.now = 0

    def ticks(self):
        return self.now

    def wait_us(self, microseconds):
        pass

    def get(self):
        return None

    def write(self, data):
        return len(data)


class Adc:
    value = 1000


def quiet(name, plan, hw):
    """Take turns in which nothing changes and nothing is due but scans; memory must not move."""
    station = Station(check(plan), hw)
    talk = station.talk
    hw.now = 10
    station.tick(10)
    # As in a session: the turns below lie between two beats and two snapshots.
    talk.up = True
    talk._session = 1
    talk._heard = talk._beat = station._snap_at = station._stats_at = 10
    for now in range(11, 60):
        hw.now = now
        station.tick(now)
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    scans = station._scans
    for now in range(60, 240):
        hw.now = now
        station.tick(now)
    taken = gc.mem_alloc() - before
    gc.enable()
    if station._scans - scans < 5:
        print(name, "scanned only", station._scans - scans)
    if taken:
        print(name, "took", taken, "bytes")
    print("quiet", name)


golden(sys.argv[2])
chain = {"driver": "chain", "cells": 256, "load": "a", "clock": "b", "data": "c", "registers": 32}
quiet("chain", chain, Quiet(0, 0, 0))
matrix = {"driver": "matrix", "cells": 96, "rows": list("abcdefgh"), "columns": list("abcdefghijkl")}
quiet("matrix", matrix, Quiet(8, 12, 0))
mux = {
    "driver": "mux",
    "cells": 48,
    "selects": list("abcd"),
    "adcs": list("abc"),
    "bands": [[0, 5000, 0], [5001, 9999, 1]],
}
quiet("mux", mux, Quiet(0, 0, 3))
