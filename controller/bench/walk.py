"""The doctor's walk over a board: every pixel lit in turn, its colours named, every cell seen."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from controller.bench.findings import Finding, failed, ok, skipped
from controller.bench.person import REST, SKIP, About, Deed, Person, Question, Request, StoppedError
from controller.bench.road import Road
from hardware.cell_log import CellLog
from hardware.pixels import ORDERS
from hardware.ports import UNKNOWN, DeviceError, Lamps, Millis, Source
from hardware.profile import Profile

EACH_MS: Final = 60
"""How long each pixel is lit: 40 take two and a half seconds."""
ANSWER_MS: Final = 1500
"""Within how long cells must answer when a board was opened, doubt about fields included."""
PATIENCE_MS: Final = 60_000
"""How long a stone is waited for."""
LOOK_MS: Final = 50
"""Between two looks at what the person says."""
COLOURS: Final = {"r": b"\xff\x00\x00", "g": b"\x00\xff\x00", "b": b"\x00\x00\xff"}
WHITE: Final = b"\xff\xff\xff"


def walk(profile: Profile, road: Road, person: Person | None) -> Iterator[Finding]:
    """Yield what is found on a board.

    Args:
        profile: the board.
        road: where it is.
        person: who looks and puts stones down; None where nobody does, and only what answers is told.
    """
    try:
        lamps = road.cell_lamps(profile)
    except DeviceError as error:
        yield failed("pixels", "the pixels cannot be reached", str(error))
        return
    try:
        yield from _pixels(profile, road, lamps, person)
        yield from _cells(profile, road, lamps, person)
    except StoppedError:
        yield skipped("walk", "ended before all was seen")
    finally:
        lamps.close()


def _frame(pixels: int, lit: int, colour: bytes = WHITE) -> bytes:
    return bytes(3 * lit) + colour + bytes(3 * (pixels - lit - 1))


def _pixels(profile: Profile, road: Road, lamps: Lamps, person: Person | None) -> Iterator[Finding]:
    pixels = len(profile.places())
    if person is not None:
        person.tell(f"{pixels} pixels light up one after another, cells first. Watch.")
    try:
        for lit in range(pixels):
            lamps.show(_frame(pixels, lit))
            road.clock.wait(EACH_MS)
        lamps.show(bytes(3 * pixels))
    except DeviceError as error:
        yield failed("pixels", "the pixels cannot be reached", str(error))
        return
    if person is None:
        yield skipped("pixels", f"all {pixels} pixels were lit in turn; nobody was asked what they saw")
        return
    if not person.ask(Question(About.ALL_LIT, "Did every one light up? [Y/n]", "y")).lower().startswith("y"):
        yield failed(
            "pixels",
            "not every pixel lights up",
            "the first dark pixel, or the wire before it, is at fault; see also that lamps.count is right",
        )
        return
    yield ok("pixels", f"all {pixels} pixels light up")
    yield _colours(profile, lamps, person)


def _colours(profile: Profile, lamps: Lamps, person: Person) -> Finding:
    pixels = len(profile.places())
    seen: dict[str, str] = {}
    for letter, colour in COLOURS.items():
        lamps.show(_frame(pixels, 0, colour))
        answer = person.ask(Question(About.COLOUR, "Which colour does it show: r, g, b, w or none?", letter)).lower()
        seen[letter] = answer[:1]
    lamps.show(bytes(3 * pixels))
    if all(sent == answer for sent, answer in seen.items()):
        return ok("colours", "red, green and blue are what they should be")
    right = order_seen(profile.lamps.order, seen)
    shown = ", ".join(f"{sent} shows as {answer}" for sent, answer in seen.items())
    if right is None:
        remedy = "lamps.order has the wrong number of letters: four letters for pixels with white, else three"
    else:
        remedy = f'set order = "{right}" under [lamps]'
    return failed("colours", f"wrong colours: {shown}", remedy)


def order_seen(order: str, seen: dict[str, str]) -> str | None:
    """Return the channel order that a chain really has.

    Args:
        order: the order in which bytes were sent.
        seen: the colour that was seen by the one that was meant, as ``r``, ``g`` and ``b``.
    """
    right = "".join(seen.get(letter.lower(), letter.lower()).upper() for letter in order)
    return right if right in ORDERS else None


def _cells(profile: Profile, road: Road, lamps: Lamps, person: Person | None) -> Iterator[Finding]:
    try:
        source = road.sensing(profile)
    except DeviceError as error:
        yield failed("cells", "the cells cannot be read", str(error))
        return
    names = profile.cell_names()
    log = CellLog(names)
    try:
        poll_for(source, log, road, ANSWER_MS, lambda: False)
        if log.trouble:
            yield failed("cells", "the cells do not answer", log.trouble)
            return
        unsure = [name for cell, name in enumerate(names) if log.reading(cell) == UNKNOWN]
        if unsure:
            yield failed(
                "cells",
                f"what {listed(unsure)} read makes no sense",
                "take everything off these cells; if it stays so, see 'stonelight monitor' and then calibrate",
            )
        elif person is None:
            full = [name for cell, name in enumerate(names) if log.reading(cell) > 0]
            seen = f"on {listed(full)} lies something" if full else "all are empty"
            yield ok("cells", f"{len(names)} cells answer; {seen}")
        else:
            yield _CellWalk(profile, road, lamps, source, log, person).each_cell()
    finally:
        source.close()


@dataclass(frozen=True)
class _CellWalk:
    """A walk over the cells: the board, what is heard of it, and who puts the stones down."""

    profile: Profile
    road: Road
    lamps: Lamps
    source: Source
    log: CellLog
    person: Person

    def full(self) -> set[int]:
        """Return the cells on which something is seen."""
        return {cell for cell in range(len(self.profile.cell_names())) if self.log.reading(cell) > 0}

    def listen(self, done: Callable[[], bool]) -> None:
        """Hear the board until `done`, or as long as a stone is waited for."""
        poll_for(self.source, self.log, self.road, PATIENCE_MS, done)

    def each_cell(self) -> Finding:
        """Ask for a stone on each cell in turn."""
        names, pixels, person = self.profile.cell_names(), len(self.profile.places()), self.person
        person.request(Request(Deed.CLEAR, "Take everything off the board ('s' if it is empty)."))
        self.listen(lambda: not self.full() or bool(person.heard()))
        stuck = self.full()
        unseen: list[str] = []
        elsewhere: list[str] = []
        for cell, name in enumerate(names):
            if cell in stuck:
                continue
            self.lamps.show(_frame(pixels, cell))
            before = self.full()
            person.request(Request(Deed.PUT, f"Put a stone on the lit cell ({name}); 's' if nothing happens."))
            answer = self._wait_for_stone(cell, before)
            if answer == REST:
                break
            if answer == SKIP:
                arrived = sorted(self.full() - before)
                (elsewhere if arrived else unseen).append(f"{name} as {names[arrived[0]]}" if arrived else name)
        self.lamps.show(bytes(3 * pixels))
        return cells_finding(len(names), [names[cell] for cell in sorted(stuck)], unseen, elsewhere)

    def _wait_for_stone(self, cell: int, before: set[int]) -> str:
        """Return an empty word once the cell has become full, `SKIP` once the person gives up, or `REST`.

        Cells in `before` were full already; they leave it once they are empty, since the stone may come from there.
        """
        heard = ""

        def arrived() -> bool:
            return self.log.reading(cell) > 0 and cell not in before

        def done() -> bool:
            nonlocal heard
            before.difference_update([other for other in before if self.log.reading(other) == 0])
            if arrived():
                return True
            heard = self.person.heard()
            return heard != ""

        self.listen(done)
        if arrived():
            return ""
        return REST if heard == REST else SKIP


def cells_finding(cells: int, stuck: Sequence[str], unseen: Sequence[str], elsewhere: Sequence[str]) -> Finding:
    """Return what a walk over all cells comes to."""
    wrong = []
    if stuck:
        wrong.append(f"{listed(stuck)} read full while empty")
    if unseen:
        wrong.append(f"a stone on {listed(unseen)} is not seen")
    if elsewhere:
        wrong.append(f"stones are seen elsewhere: {listed(elsewhere)}")
    if not wrong:
        return ok("cells", f"a stone is seen on each of the {cells} cells")
    remedy = (
        "'stonelight calibrate' learns where the cells are wired"
        if elsewhere
        else "check the sensor, its diode and its wires; play goes on without a cell that is dead"
    )
    return failed("cells", "; ".join(wrong), remedy)


def poll_for(source: Source, log: CellLog, road: Road, ms: Millis, done: Callable[[], bool]) -> None:
    """Let a log hear a source until `done`, but so many milliseconds at most."""
    clock = road.clock
    end = clock.now() + ms
    while (now := clock.now()) < end:
        log.take(source.poll(now))
        if done():
            return
        due = source.due()
        clock.wait(max(1, min(end, now + LOOK_MS, end if due is None else due) - now))


def listed(names: Sequence[str], most: int = 8) -> str:
    """Return names for a person, the first few of many."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
