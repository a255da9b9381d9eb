"""The wiring of a board as text, for a terminal 80 characters wide. Pure."""

import textwrap
from collections.abc import Iterable, Iterator
from math import ceil
from typing import Final

from hardware.wiring_sheet import Sheet

WIDTH: Final = 80
_HARD: Final = "\xa0"
"""A blank at which no line is broken."""


def text(sheet: Sheet) -> str:
    """Return the whole sheet, ending in a line feed."""
    return "\n".join(_lines(sheet)) + "\n"


def _lines(sheet: Sheet) -> Iterator[str]:
    profile = sheet.profile
    host = "a Raspberry Pi" if profile.host == "pi" else "a Pico"
    yield from _wrapped("", f"{profile.title} ({profile.name}), on {host}")
    yield from ("", "WIRES, by header pin")
    for wire in sheet.wires:
        yield from _wrapped(f"  {wire.pin:>3}  {wire.label:<8} ", wire.to)
    if sheet.kept:
        yield from ("", "LEAVE FREE")
        for pin, why in sheet.kept:
            yield f"  {pin:>3}  {why}"
    yield from ("", "INPUTS")
    for group in sheet.groups:
        if group.inputs:
            yield from _wrapped(
                f"  {group.name}: ", "  ".join(f"{label} {owner}".replace(" ", _HARD) for label, owner in group.inputs)
            )
    yield from ("", "PIXELS, in the order of the chain")
    yield from _pixels(sheet.order)
    yield from ("", "PARTS")
    for part in sheet.parts:
        yield from _wrapped(f"  {part.count:>4}  ", part.name + (f" ({part.note})" if part.note else ""))
    yield from ("", "CURRENT, mA, estimated from data sheets; the computer itself is not counted")
    yield f"  {'':<28}{'dark':>7}{'at budget':>11}{'at worst':>10}{'supply':>9}"
    for rail in sheet.rails:
        supply = "?" if rail.supply_ma is None else f"{rail.supply_ma:g}"
        row = f"{_ma(rail.dark_ma):>7}{_ma(rail.budget_ma):>11}{_ma(rail.worst_ma):>10}{supply:>9}"
        yield f"  {f'{rail.name}, {rail.feeds}':<28}{row}"
    if sheet.boot:
        yield from ("", "LINES FOR /boot/firmware/config.txt, then restart")
        yield from (f"  {line}" for line in sheet.boot)
    yield from ("", "GROUPS OF THE USER WHO PLAYS")
    yield f"  sudo usermod -aG {','.join(sheet.members)} $USER"
    if sheet.wiring is not None:
        yield from ("", "ON THE WIRE, for who writes firmware (docs/protocol.md)")
        yield f"  wiring {sheet.wiring}"
        yield from _wrapped("  cells from 0: ", " ".join(profile.cell_names()))
    if sheet.notes:
        yield from ("", "NOTES")
        for note in sheet.notes:
            yield from _wrapped("  - ", note)


def _pixels(order: Iterable[str]) -> Iterator[str]:
    """Yield the chain in lines of what each pixel lights; a score ring is one span."""
    cells = [(place, name) for place, name in enumerate(order) if not name.startswith("ring ")]
    ring = [(place, name) for place, name in enumerate(order) if name.startswith("ring ")]
    for start in range(0, len(cells), 16):
        line = cells[start : start + 16]
        yield from _wrapped(f"  {line[0][0]:>3}  ", " ".join(name or "-" for _, name in line))
    if ring:
        way = "backwards" if ring[0][1] != "ring 1" else "forwards"
        yield f"  {ring[0][0]:>3}  score ring of {len(ring)}, {way}, to pixel {ring[-1][0]}"


def _wrapped(head: str, words: str) -> list[str]:
    indent = " " * len(head)
    lines = textwrap.wrap(words, WIDTH, initial_indent=head, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace(_HARD, " ") for line in lines] or [head.rstrip()]


def _ma(value: float) -> str:
    """Return milliamps as a whole number, rounded up, so that little is never nothing."""
    return str(ceil(value))
