"""From what a calibration saw to what is kept of it, and to a report. Pure."""

from collections.abc import Iterator
from typing import Any, Final

from controller.bench.progress import Progress, Sample
from controller.bench.toml_text import dumps
from hardware.profile import Profile
from hardware.profile_calibration import Learned, LearnedBand

WIDER: Final = 0.15
"""How much wider than what was measured a band is made on either side: other stones and other days differ."""


def learned_of(profile: Profile, progress: Progress) -> Learned:
    """Return what is kept of a calibration that has come to its end.

    Cells whose input or pixel was not found get one that is left over, so that every cell has its own.
    """
    names = profile.cell_names()
    buttons = set(profile.cells.buttons.values())
    spare = [number for number in range(len(progress.resting)) if number not in buttons]
    bands = measured_bands(profile, progress)
    return Learned(
        board=profile.name,
        wiring=progress.wiring,
        simulated=progress.simulated,
        inputs=_filled(names, progress.inputs, [*profile.inputs(), *spare]),
        pixels=_filled(names, progress.pixels, profile.places()[: len(names)]),
        levels=_levels(profile, progress),
        zero=_zeros(profile, progress),
        bands=bands or (),
        margins=_margins(profile, progress, bands),
        problems=dict(progress.problems),
    )


def learned_text(learned: Learned, profile_file: str) -> str:
    """Return the text of a calibration file."""
    named = profile_file if profile_file.isprintable() else ascii(profile_file)  # a comment is one line of text
    head = (
        f"# What `stonelight calibrate` learned about the board in {named}, which it leaves as it is.\n"
        "# It is used together with that file. Delete this one to forget it.\n"
    )
    if learned.simulated:
        head += "# It was learned on a simulated board, and says nothing of the real one.\n"
    return head + dumps({key: value for key, value in learned.model_dump().items() if value not in ({}, (), False)})


def _filled(names: tuple[str, ...], found: dict[str, int], pool: Any) -> dict[str, int]:
    """Return a number for each name: the one that was found, else the next of the pool that is nobody's."""
    taken = set(found.values())
    left = (number for number in dict.fromkeys(pool) if number not in taken)
    return {name: found[name] if name in found else next(left) for name in names}


def _levels(profile: Profile, progress: Progress) -> dict[str, tuple[int, int]]:
    if profile.cells.driver != "mux":
        return {}
    return {
        each.cell: (round(progress.resting[progress.inputs[each.cell]]), round(each.value)) for each in progress.samples
    }


def _zeros(profile: Profile, progress: Progress) -> dict[str, float]:
    """Return the counts without a field: a count stands for the middle of its step, half a count above it."""
    if profile.bands is None:
        return {}
    return {name: round(progress.resting[number] + 0.5, 2) for name, number in progress.inputs.items()}


def _field(profile: Profile, progress: Progress, sample: Sample) -> float:
    """Return the field of a sample in mT, from the rest of its own cell."""
    scale = profile.field_scales()[0]
    return (sample.value - progress.resting[progress.inputs[sample.cell]]) * scale.mt_per_count


def measured_bands(profile: Profile, progress: Progress) -> tuple[LearnedBand, ...] | None:
    """Return the band of each colour; None where a colour was not measured, or two cannot be told apart.

    Each band holds all that was measured of its colour, and `WIDER` on either side; where two would then meet, the room
    between them is shared, with a gap that the hysteresis asks for.
    """
    if profile.bands is None:
        return None
    spans: list[tuple[bool, float, float]] = []
    for stone in range(1, len(profile.bands.colours) + 1):
        fields = [_field(profile, progress, each) for each in progress.samples if each.stone == stone]
        if not fields or min(fields) < 0 < max(fields):
            return None
        strengths = [abs(field) for field in fields]
        spans.append((fields[0] > 0, min(strengths), max(strengths)))
    gap = 2 * profile.bands.hysteresis_mt + 0.2
    floor = profile.bands.empty_mt + gap
    bands = []
    for south, low, high in spans:
        below = max((other[2] for other in spans if other[0] == south and other[2] < low), default=None)
        above = min((other[1] for other in spans if other[0] == south and other[1] > high), default=None)
        others = [other for other in spans if other[0] == south and other != (south, low, high)]
        if any(other[1] <= high and low <= other[2] for other in others) or low < floor:
            return None
        start = max(floor, low * (1 - WIDER), 0 if below is None else (below + low + gap) / 2)
        end = min(high * (1 + WIDER), high * 2 if above is None else (above + high - gap) / 2)
        if start > low or end < high:
            return None
        bands.append(LearnedBand(pole="south" if south else "north", from_mt=round(start, 1), to_mt=round(end, 1)))
    return tuple(bands)


def _margins(profile: Profile, progress: Progress, bands: tuple[LearnedBand, ...] | None) -> dict[str, float]:
    """Return, by cell, how far the nearest thing that was measured is from being taken for another."""
    if profile.cells.driver == "mux":
        return {
            each.cell: round(
                (each.value - progress.resting[progress.inputs[each.cell]]) / 2
                - progress.noise[progress.inputs[each.cell]],
                1,
            )
            for each in progress.samples
        }
    if profile.bands is None or bands is None:
        return {}
    scale = abs(profile.field_scales()[0].mt_per_count)
    margins = {
        name: profile.bands.empty_mt - progress.noise[number] * scale for name, number in progress.inputs.items()
    }
    for each in progress.samples:
        band, strength = bands[each.stone - 1], abs(_field(profile, progress, each))
        margins[each.cell] = min(margins[each.cell], strength - band.from_mt, band.to_mt - strength)
    return {name: round(margin, 1) for name, margin in margins.items()}


def report(profile: Profile, learned: Learned) -> Iterator[str]:
    """Yield the lines that tell a person what was learned."""
    names, unit = profile.cell_names(), "mT" if profile.bands is not None else "counts"
    old_inputs = dict(zip(names, profile.inputs(), strict=True))
    old_pixels = dict(zip(names, profile.places(), strict=False))
    yield f"{'cell':<5}{'pixel':>6}{'input':>6}{'margin':>13}"
    for name in names:
        margin = f"{learned.margins[name]:g} {unit}" if name in learned.margins else "-"
        notes = []
        if name in learned.problems:
            notes.append(learned.problems[name])
        elif learned.inputs[name] != old_inputs[name]:
            notes.append(f"the profile has input {old_inputs[name]}")
        if learned.pixels[name] != old_pixels[name]:
            notes.append(f"the profile has pixel {old_pixels[name]}")
        line = f"{name:<5}{learned.pixels[name]:>6}{learned.inputs[name]:>6}{margin:>13}  {'; '.join(notes)}"
        yield line.rstrip()
    if profile.bands is not None and not learned.bands:
        yield "The colours could not be told apart by what was measured: the bands of the profile stay."
    for colour, band in enumerate(learned.bands, 1):
        yield f"colour {colour}: {band.pole}, {band.from_mt:g} to {band.to_mt:g} mT"
    wrong = len(learned.problems)
    yield f"{len(names) - wrong} of {len(names)} cells are well." if wrong else f"All {len(names)} cells are well."
