"""Benchmarks: ``python -m tests.bench [NAME]...`` runs them and prints figures. Nothing here asserts a rate.

A bench is a module ``tests/bench/bench_NAME.py`` with ``run() -> Iterator[Figure]``; it is found by its name.
"""

import statistics
from collections.abc import Callable
from typing import NamedTuple


class Figure(NamedTuple):
    """One measured number.

    Fields:
        name: what was measured.
        value: the number.
        unit: its unit, ``moves/s`` or ``ms``.
    """

    name: str
    value: float
    unit: str


def median_of(times: int, measure: Callable[[], float]) -> float:
    """Return the median of so many measurements."""
    return statistics.median(measure() for _ in range(times))
