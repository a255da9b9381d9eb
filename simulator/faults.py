"""What is wrong with the simulated sensors, lines and lights. The same seed gives the same bad luck.

`KINDS` is the table of all faults: what each is called, what it takes, what a person is told about it.
"""

import enum
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final


class FaultError(ValueError):
    """A fault that does not exist, or a value that it does not take; the message says what it takes."""


@dataclass(frozen=True, slots=True)
class Faults:
    """The faults of a board. What is wrong with a wire is without effect on a board that has none.

    Fields:
        bounce: how often a cell flickers, for a few milliseconds, each time that it changes.
        jitter: milliseconds within which the two halves of one action arrive.
        stuck: names of cells that go on telling what they told when the fault began.
        dead: names of cells that read empty, whatever lies on them.
        ghost: whether the matrix has no diodes, so that three corners of a rectangle conjure the fourth.
        loss, corrupt, duplicate: the share of the frames on the wire that gets lost, is garbled, comes twice.
        late: milliseconds by which a frame on the wire may be late.
        crosstalk: an emptied cell stays full while so many of its neighbours are full; 0: never.
        sample: each sensor looks only once in so many milliseconds, at a moment of its own; 0: always.
        approach: milliseconds that a stone takes to come down to its cell, or to leave it, where fields are felt.
        drift: whether the zero of each sensor that feels fields wanders.
        sag: whether the zeros of all such sensors move with the current of the lights.
        shadow: milliseconds for which an optical cell reads full under a hand that empties it.
        settling: whether a cell leaks into the next on its multiplexer, which then stays full once it is emptied.
        line: lines that are dead: ``row3``, ``col2`` as the board is drawn, counted from player 1 and from the left; or
            ``chain``, the registers through which all cells are read.
        diode: names of cells whose diode is shorted: current runs backwards through their contact.
        brownout: milliamps above which the device resets; 0: never.
        pixel: the pixel that is dead, from 1 along the chain, and with it all behind it; 0: none.
    """

    bounce: int = 0
    jitter: int = 0
    stuck: tuple[str, ...] = ()
    dead: tuple[str, ...] = ()
    ghost: bool = False
    loss: float = 0.0
    corrupt: float = 0.0
    duplicate: float = 0.0
    late: int = 0
    crosstalk: int = 0
    sample: int = 0
    approach: int = 4
    drift: bool = False
    sag: bool = False
    shadow: int = 0
    settling: bool = False
    line: tuple[str, ...] = ()
    diode: tuple[str, ...] = ()
    brownout: int = 0
    pixel: int = 0


class Takes(enum.Enum):
    """What a fault takes. The values are what a panel of switches needs to know."""

    NUMBER = "number"
    """A whole number up to `Kind.most`; 0 ends it."""
    SHARE = "share"
    """A number from 0 to 1."""
    SWITCH = "switch"
    """``yes`` or ``no``."""
    CELLS = "cells"
    """Names of cells, split by commas."""
    LINES = "lines"
    """Lines, split by commas: ``row3``, ``col2``, ``chain``."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One fault.

    Fields:
        name: the key in scripts, and the field of `Faults`.
        takes: what its value is.
        usual: the value that the bare word stands for; empty where a cell has to be named.
        label: what a switch says.
        help: what is then the matter, in one sentence.
        most: the greatest number; 0 where it takes none.
    """

    name: str
    takes: Takes
    usual: str
    label: str
    help: str
    most: int = 0


KINDS: Final = (
    Kind("bounce", Takes.NUMBER, "4", "Contacts bounce", "Each cell flickers whenever it changes.", 50),
    Kind("jitter", Takes.NUMBER, "60", "Halves come apart", "What happens at once arrives up to 60 ms apart.", 1000),
    Kind("stuck", Takes.CELLS, "", "A cell is stuck", "The cell goes on telling what it told last."),
    Kind("dead", Takes.CELLS, "", "A cell is dead", "The cell reads empty, whatever lies on it."),
    Kind("ghost", Takes.SWITCH, "yes", "Ghosts", "Three full corners of a rectangle make the fourth look full."),
    Kind("crosstalk", Takes.NUMBER, "3", "Crosstalk", "An emptied cell stays full while 3 neighbours are full.", 8),
    Kind("sample", Takes.NUMBER, "50", "Slow sensors", "Each sensor looks only once in 50 ms.", 1000),
    Kind(
        "approach", Takes.NUMBER, "80", "Slow fields", "A field takes 80 ms to come and go, stronger by degrees.", 1000
    ),
    Kind("drift", Takes.SWITCH, "yes", "Drift", "The zeros of analogue cells wander as the room warms and cools."),
    Kind("sag", Takes.SWITCH, "yes", "Sag", "Analogue cells move with the current of the lights."),
    Kind("shadow", Takes.NUMBER, "400", "Shadows", "A pit reads full for 400 ms under the hand that empties it.", 5000),
    Kind("settling", Takes.SWITCH, "yes", "Leaking cells", "An emptied cell stays full while the one before it is."),
    Kind("line", Takes.LINES, "row1", "A dead line", "All cells of the row nearest to player 1 read empty."),
    Kind("diode", Takes.CELLS, "", "A shorted diode", "Current runs backwards through the contact of the cell."),
    Kind("brownout", Takes.NUMBER, "1500", "Weak supply", "Above 1,500 mA of light the device resets.", 100_000),
    Kind("pixel", Takes.NUMBER, "17", "A dead pixel", "Pixel 17 stays dark, and all behind it.", 10_000),
    Kind("loss", Takes.SHARE, "0.05", "Lost frames", "One frame in twenty on the wire is lost."),
    Kind("corrupt", Takes.SHARE, "0.02", "Garbled frames", "One frame in fifty on the wire is garbled."),
    Kind("duplicate", Takes.SHARE, "0.02", "Doubled frames", "One frame in fifty on the wire comes twice."),
    Kind("late", Takes.NUMBER, "20", "Late frames", "Frames on the wire come up to 20 ms late.", 1000),
)
"""Every fault there is, those that people meet most often first."""
_BY_NAME: Final[Mapping[str, Kind]] = {kind.name: kind for kind in KINDS}


def parse_faults(words: Sequence[str], before: Faults, cells: Sequence[str] | None = None) -> Faults:
    """Return `before` with the faults that ``key=value`` words name; ``none`` alone ends all.

    Args:
        words: what is wrong from here on; a bare ``key`` has its usual value.
        before: what was wrong before; what is not named stays so.
        cells: the names of the board's cells; None: any name will do.

    Raises:
        FaultError: an unknown fault or a value that it does not take.
    """
    if not words:
        raise FaultError("no fault is named; say for example bounce=4, or none to end all")
    if list(words) == ["none"]:
        return Faults()
    faults = before
    for word in words:
        key, equals, value = word.partition("=")
        kind = _BY_NAME.get(key)
        if kind is None:
            raise FaultError(f"there is no fault {key!r}; there are: {', '.join(_BY_NAME)}, or none")
        faults = replace(faults, **{key: _value(kind, value if equals else kind.usual, cells)})
    return faults


def _value(kind: Kind, value: str, cells: Sequence[str] | None) -> Any:
    match kind.takes:
        case Takes.NUMBER:
            return _whole(kind, value)
        case Takes.SHARE:
            return _share(kind, value)
        case Takes.SWITCH:
            return _switch(kind, value)
        case Takes.CELLS:
            return _cells(kind, value, cells)
        case Takes.LINES:
            return _lines(kind, value)


def _whole(kind: Kind, value: str) -> int:
    if not re.fullmatch("[0-9]{1,12}", value) or int(value) > kind.most:
        raise FaultError(f"fault {kind.name!r} takes a whole number up to {kind.most}, not {value!r}")
    return int(value)


def _share(kind: Kind, value: str) -> float:
    if not re.fullmatch(r"[01]|0?\.[0-9]{1,9}|1\.0{1,9}", value):
        raise FaultError(f"fault {kind.name!r} takes a share from 0 to 1 such as 0.05, not {value!r}")
    return float(value)


def _switch(kind: Kind, value: str) -> bool:
    if value not in {"yes", "no"}:
        raise FaultError(f"fault {kind.name!r} takes yes or no, not {value!r}")
    return value == "yes"


def _cells(kind: Kind, value: str, cells: Sequence[str] | None) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(value.split(",")))
    if strange := [name for name in names if not name or (cells is not None and name not in cells)]:
        raise FaultError(f"fault {kind.name!r} takes cells of this board such as a1,b2; {strange[0]!r} is none")
    return names


def _lines(kind: Kind, value: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(value.split(",")))
    if strange := [name for name in names if not re.fullmatch(r"(row|col)[1-9][0-9]?|chain", name)]:
        raise FaultError(f"fault {kind.name!r} takes lines such as row3,col2 or chain; {strange[0]!r} is none")
    return names
