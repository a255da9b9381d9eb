"""Raw values behind readings: told to whoever listens, by every kind of sensor, and to nobody else."""

from collections.abc import Callable, Sequence

import pytest

from hardware.analogue import FieldCells
from hardware.bands import Band, Bands, ColourCells, Scale
from hardware.pits import PitJudge, PitsSource
from hardware.ports import CellChange, Snapshot, Source, hear_raw
from hardware.scanner import CellScanner, Scanner

Told = list[tuple[int, int, list[int]]]


class Bits:
    """Contacts that a test closes."""

    width = 3

    def __init__(self) -> None:
        self.bits = 0

    def read(self) -> int:
        return self.bits

    def close(self) -> None:
        """Nothing."""


class Counts:
    """Converters whose counts a test sets."""

    width = 2

    def __init__(self) -> None:
        self.counts = [500, 510]

    def read(self) -> list[int]:
        return list(self.counts)

    def close(self) -> None:
        """Nothing."""


def fields(counts: Counts) -> Source:
    colours = ColourCells(2, Bands((Band(20, 60),)))
    return CellScanner(FieldCells(counts, [Scale(512, 0.2)] * 2, colours), quiet_ms=20, busy_ms=10, lively_cells=False)


def pits(counts: Counts) -> Source:
    return PitsSource(counts, PitJudge([(40, 300)] * 2))


def listening(source: Source) -> tuple[Told, Callable[[], None]]:
    """Listen from now on; return what is told, and what ends it."""
    told: Told = []

    def heard(at: int, first: int, values: Sequence[int]) -> None:
        told.append((at, first, list(values)))

    hear_raw(source, heard)
    return told, lambda: hear_raw(source, None)


def test_contacts_are_told_when_somebody_comes_and_when_one_flips_before_it_is_believed() -> None:
    bits = Bits()
    bits.bits = 0b001
    source = Scanner(bits)
    assert source.poll(0) == [Snapshot((1, 0, 0), 0)]
    told, end = listening(source)
    for now in (20, 40):
        source.poll(now)
    assert told == [(20, 0, [1, 0, 0])]
    bits.bits = 0b101
    assert source.poll(60) == []
    bits.bits = 0b001
    source.poll(65)
    assert told[1:] == [(60, 0, [1, 0, 1]), (65, 0, [1, 0, 0])]
    end()
    bits.bits = 0b111
    assert [source.poll(now) for now in (70, 75, 80)][-1] == [CellChange(1, 1, 70), CellChange(2, 1, 70)]
    assert len(told) == 3
    # Whoever comes is told all, also where nothing has flipped since somebody else was.
    again, _ = listening(source)
    source.poll(85)
    assert again == [(85, 0, [1, 1, 1])]
    once_more, _ = listening(source)
    source.poll(90)
    assert (once_more, len(again)) == ([(90, 0, [1, 1, 1])], 1)


@pytest.mark.parametrize("make", [fields, pits])
def test_levels_are_told_at_each_reading_from_the_first_on(make: Callable[[Counts], Source]) -> None:
    counts = Counts()
    source = make(counts)
    told, end = listening(source)
    source.poll(0)
    source.poll(10)
    counts.counts = [501, 508]
    source.poll(20)
    assert told == [(0, 0, [500, 510]), (20, 0, [501, 508])]
    end()
    source.poll(40)
    assert len(told) == 2


def test_a_source_without_raw_values_is_asked_nothing() -> None:
    class Mute:
        def poll(self, now: int) -> Sequence[CellChange]:
            return ()

        def due(self) -> None:
            return None

        def listen(self, wake: Callable[[], None]) -> None:
            """Nobody wakes."""

        def close(self) -> None:
            """Nothing."""

    assert listening(Mute())[0] == []
