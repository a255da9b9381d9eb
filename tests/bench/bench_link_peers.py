"""Our link beside other ways to hear of changes over a serial port, all in one run over a pseudo-terminal.

Bare ``os.read``, which only counts, is the limit. Each way is measured in processes of its own (`wire_race` says how),
in turn, a few rounds long; a figure is the median of its rounds, a ratio the median of the ratios within each round, so
that a machine that is slower for a while slows both. Libraries that are not installed are named and left out; they
come with the extra ``peers``.
"""

import importlib.util
import json
import statistics
import subprocess
import sys
from collections.abc import Iterator
from typing import Final

from tests.bench import Figure
from tests.bench.wire_hosts import ENTRANTS, Entrant
from tests.bench.wire_race import Result

ROUNDS: Final = 5
LONGEST_S: Final = 240
"""So long one way may take, its start and all three spans together."""
OURS: Final = ("link", "link as in play")
RIVALS: Final = ("pyFirmata2", "pyserial readline")
"""What ours is told as a ratio to."""
FIELDS: Final = (
    ("rate", "flood", "changes/s"),
    ("flood_ms", "flood, processor", "ms per 1000 changes"),
    ("singles_ms", "one by one, processor", "ms per 1000 changes"),
    ("median_us", "one by one, until told, median", "us"),
    ("p99_us", "one by one, until told, p99", "us"),
    ("silence_percent", "nothing happens, processor", "% of a core"),
)


def measured(entrant: Entrant) -> Result:
    """Measure one way in a process of its own.

    Raises:
        RuntimeError: it failed, and how.
    """
    command = [sys.executable, "-m", "tests.bench.wire_race", entrant.name]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_S, check=False)
        told = json.loads(done.stdout.splitlines()[-1])
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"it took longer than {LONGEST_S} s") from None
    except (IndexError, ValueError):
        raise RuntimeError((done.stderr.splitlines() or ["it said nothing"])[-1]) from None
    if "error" in told:
        raise RuntimeError(told["error"])
    return Result(**told)


def _note(text: str) -> None:
    sys.stderr.write(f"link_peers: {text}\n")


def installed() -> list[Entrant]:
    """Return what can be measured here, and name what cannot."""
    there = [each for each in ENTRANTS if importlib.util.find_spec(each.package) is not None]
    for each in ENTRANTS:
        if each not in there:
            _note(f"{each.name} is not installed and is left out; pip install '.[peers]' brings it")
    return there


def rounds() -> dict[str, list[Result | None]]:
    """Return the results of each way, one a round; None where it failed twice, which is said."""
    entrants = installed()
    results: dict[str, list[Result | None]] = {each.name: [] for each in entrants}
    for _ in range(ROUNDS):
        for entrant in entrants:
            results[entrant.name].append(_tried(entrant) or _tried(entrant))
    return results


def _tried(entrant: Entrant) -> Result | None:
    # On a busy machine a device may rest within a frame until that is given up; ours sends none again.
    try:
        return measured(entrant)
    except RuntimeError as error:
        _note(f"{entrant.name}: {error}")
        return None


def ratios(results: dict[str, list[Result | None]]) -> Iterator[Figure]:
    """Return how much less ours costs, and how its delay compares, as the median of the rounds."""
    for ours in OURS:
        for rival in RIVALS:
            pairs = [
                (our, their)
                for our, their in zip(results.get(ours, ()), results.get(rival, ()), strict=False)
                if our is not None and their is not None
            ]
            if not pairs:
                continue
            for name, values in (
                ("flood, changes/s", [our.rate / their.rate for our, their in pairs]),
                ("flood, processor saved", [their.flood_ms / our.flood_ms for our, their in pairs]),
                ("one by one, processor saved", [their.singles_ms / our.singles_ms for our, their in pairs]),
                ("one by one, delay", [our.median_us / their.median_us for our, their in pairs]),
            ):
                yield Figure(f"{ours} : {rival}, {name}", statistics.median(values), "times")


def run() -> Iterator[Figure]:
    """All figures of all ways, then the ratios."""
    results = rounds()
    for field, what, unit in FIELDS:
        for name, each in results.items():
            values = [getattr(result, field) for result in each if result is not None]
            if values:
                yield Figure(f"{name}, {what}", statistics.median(values), unit)
    yield from ratios(results)
