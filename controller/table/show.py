"""What the lights should say about a table: states and plies into glows. Pure."""

from collections.abc import Sequence
from typing import Any, Final

from controller.games.seam import AnyRules, Cell, Event, Footprint
from controller.lighting.glow import Glow, dark
from controller.lighting.language import Meaning
from controller.lighting.palettes import Palette
from controller.lighting.track import away, track
from controller.recogniser.answers import Mismatch, Unfinished
from controller.recogniser.watch import Watch
from controller.table.advice import Advice, Step
from controller.table.round import Ply
from hardware.ports import Frame, Millis

CELEBRATE_MS: Final = 2900
"""How long a ply stays lit after it counts. In waiting, all cells are dark 3 s after the last event."""
LINE_MS: Final = 500
"""How long one of several completed rows is lit before the next, at most."""
LINES_MS: Final = 1800
"""How long the rows of one ply may take one by one, before all are lit together."""
AUDIT_MS: Final = 600
"""How long each pit is lit while all are counted one by one."""
HINT_MS: Final = 3000
"""How long a hint is lit."""
WIN_MS: Final = 10_000
"""How long the board celebrates a won round."""


def celebration(ply: Ply, footprint: Footprint, rules: AnyRules, now: Millis) -> tuple[Glow, ...]:
    """Return what is lit after a ply has counted: its cells, each completed row in turn and then all, a win."""
    index = {place.name: cell for cell, place in enumerate(rules.cells)}
    end = now + CELEBRATE_MS
    moved = tuple(sorted(footprint.after))
    glows = [Glow(moved, Meaning.COUNTED, now, end)]
    rows = [_row(event, rules, index) for event in ply.events if event.type in {"line", "combination"}]
    step = min(LINE_MS, LINES_MS // max(len(rows), 1))
    for number, row in enumerate(rows):
        glows.append(Glow(row, Meaning.LINE, now + number * step, now + (number + 1) * step))
    together = now + len(rows) * step
    if rows:
        every = tuple(sorted({cell for row in rows for cell in row}))
        glows.append(Glow(every, Meaning.LINE, together, end))
    glows.extend(
        Glow(
            tuple(range(len(rules.cells))),
            Meaning.WIN,
            together,
            now + WIN_MS,
            event.facts["player"],
        )
        for event in ply.events
        if event.type == "win"
    )
    return tuple(glows)


def _row(event: Event, rules: AnyRules, index: dict[str, Cell]) -> tuple[Cell, ...]:
    if event.type == "line":
        return tuple(index[name] for name in event.facts["cells"])
    return tuple(sorted(cell for stone in event.facts["stones"] for cell in rules.spot(stone)))


def undisturbed(moments: tuple[Glow, ...]) -> tuple[Glow, ...]:
    """Return what stays lit once hands touch the board again: a celebration makes way for what they do."""
    return tuple(glow for glow in moments if glow.meaning is Meaning.HINT)


def settled(moments: tuple[Glow, ...], now: Millis) -> tuple[Glow, ...]:
    """Return what stays lit in another phase: a walk over the pits ends with what it was for."""
    return tuple(glow for glow in moments if glow.meaning is not Meaning.HINT or glow.since <= now)


def hint(cells: tuple[Cell, ...], now: Millis) -> Glow:
    """Return the glow of cells that a legal move touches."""
    return Glow(cells, Meaning.HINT, now, now + HINT_MS)


def audit(cells: int, now: Millis) -> tuple[Glow, ...]:
    """Return the glows of a walk over all cells, one after the other, in cell order."""
    return tuple(
        Glow((cell,), Meaning.HINT, now + cell * AUDIT_MS, now + (cell + 1) * AUDIT_MS) for cell in range(cells)
    )


def asked(cells: tuple[Cell, ...], touched: tuple[Cell, ...], since: Millis) -> tuple[Glow, ...]:
    """Return the glows of a question about `cells`, beside the others that were touched."""
    return (
        Glow(tuple(sorted(set(touched) - set(cells))), Meaning.TOUCHED, since),
        Glow(cells, Meaning.QUESTION, since),
    )


def wrong(mismatch: Mismatch, since: Millis) -> tuple[Glow, ...]:
    """Return the glows of a board that is to be put right."""
    return (
        Glow(mismatch.extra, Meaning.TAKE_OFF, since),
        Glow(mismatch.missing, Meaning.PUT_BACK, since),
        Glow(mismatch.wrong, Meaning.WRONG_ONE, since),
    )


def mending(steps: Sequence[Advice], since: Millis) -> tuple[Glow, ...]:
    """Return the glows of a board that is put right step by step: the first step bright, the others waiting."""
    if not steps:
        return ()
    first = steps[0]
    later = {cell for step in steps[1:] for cell in (*step.take, *step.put)} - {*first.take, *first.put}
    glows = [Glow(tuple(sorted(later)), Meaning.LATER, since)]
    if first.step is Step.CHANGE:
        glows.append(Glow(first.put, Meaning.WRONG_ONE, since))
    else:
        glows.extend((Glow(first.take, Meaning.TAKE_OFF, since), Glow(first.put, Meaning.PUT_BACK, since)))
    return tuple(glows)


def handled(answer: Any, watch: Watch, since: Millis) -> tuple[Glow, ...]:
    """Return the glows of a move that may be under way: what was touched, and where it may go on."""
    touched = set(watch.different)
    if not touched:
        touched = {cell for lifted in watch.together for cell in lifted}
    if isinstance(answer, Unfinished) and answer.last is not None:
        return (
            Glow(tuple(sorted(answer.next - {answer.last})), Meaning.SOW, since),
            Glow((answer.last,), Meaning.SOW_LAST, since),
        )
    glows = [Glow(tuple(sorted(touched)), Meaning.TOUCHED, since)]
    if isinstance(answer, Unfinished):
        glows.append(Glow(tuple(sorted(answer.next - touched)), Meaning.TARGET, since))
    return tuple(glows)


def owed(cells: tuple[Cell, ...], rules: AnyRules, ply: Ply, since: Millis) -> tuple[Glow, ...]:
    """Return the glows of stones and seeds that the rules ask to be taken off, stones in their owner's colour."""
    contents = rules.contents(ply.before)
    seats = {cell: contents[cell] or ply.player if rules.surface != "pit" else None for cell in cells}
    return tuple(Glow((cell,), Meaning.GIVE_BACK, since, seat=seat) for cell, seat in seats.items())


def ground(
    rules: AnyRules, position: Any, pixels: int, palette: Palette, *, over: bool = False, away_now: bool = False
) -> Frame:
    """Return the frame on which glows are drawn: cells dark, the score track with the scores and the turn.

    Once the round is `over` nobody is on turn. While the cells cannot be heard (`away_now`) the track says so instead.
    """
    if away_now:
        return dark(len(rules.cells)) + away(pixels)
    scores = rules.scores(position)
    to_move = None if over else rules.to_move(position)
    return dark(len(rules.cells)) + track(scores, to_move, _full(rules, scores), pixels, palette)


def _full(rules: AnyRules, scores: tuple[int, ...]) -> int:
    """Return the score at the end of the track: the target, all seeds there are, or a round number that fits."""
    if rules.surface == "pit":
        return sum(rules.contents(rules.initial()))
    return int(rules.settings.get("target", max(10, *scores)))
