"""From nothing to a checked profile: questions with proposals from a board that comes along, each answer checked.

What an answer does wrong is said in the profile's own words (`hardware.profile`). `controller.bench.asks` is the table
of questions.
"""

import textwrap
from collections.abc import Mapping
from typing import Any, Final

from controller.bench.asks import ASKS, FEATURES, NOTHING, PINS, Ask, Raw
from controller.bench.person import About, Person, Question
from controller.bench.references import references
from controller.bench.toml_text import dumps
from controller.games.seam import AnyRules
from hardware.layouts import PIT_RANKS
from hardware.profile import Fault, Profile, ProfileError, check_profile
from hardware.words import near_miss

ROUNDS: Final = 20
"""How often what is still wrong at the end is asked about again."""
HEAD: Final = """\
# Written by `stonelight setup`; change whatever differs on your board.
# Every key is explained in docs/profiles.md; `stonelight wiring` lists the wires that follow from this file.
"""

WIDTH: Final = 78
"""Letters a line of what is explained."""


class WizardError(ValueError):
    """No profile comes of these answers; says what is wrong."""


def choose_reference(person: Person, rules: AnyRules) -> Profile:
    """Return the board that comes along and is nearest to what a person has.

    Raises:
        WizardError: none has room for the game.
    """
    fitting = references(rules)
    if not fitting:
        raise WizardError(f"no board that comes along has room for {rules.name}: copy one of its kind and change it")
    for feature in FEATURES:
        choices = {feature.of(profile): feature.explained(profile) for profile in fitting}
        if len(choices) > 1:
            wanted = choose(person, feature.words, choices)
            fitting = tuple(profile for profile in fitting if feature.of(profile) == wanted)
    return fitting[0]


def choose(person: Person, words: str, explained: Mapping[str, str]) -> str:
    """Return which of some words a person chooses.

    Args:
        person: who chooses.
        words: what is asked for.
        explained: what each of the words means, the one that is proposed first.
    """
    choices = list(explained)
    width = max(map(len, choices)) + 2
    person.tell("")
    for choice in choices:
        person.tell(_indented(f"{choice:<{width}}{explained[choice]}", " " * width))
    while True:
        answer = person.ask(Question(About.TEXT, f"{words} ({', '.join(choices)})? [{choices[0]}]", choices[0]))
        if answer in choices:
            return answer
        person.tell(f"  {answer!r} is not known here; {near_miss(answer, choices)}")


def make_profile(person: Person, name: str, reference: Profile) -> Raw:
    """Ask about everything and return a sound profile, as tables.

    Args:
        person: who answers.
        name: the name of the profile to be.
        reference: where the defaults come from.

    Raises:
        WizardError: something is wrong that no question asks about.
        StoppedError: the person wants no more of it.
    """
    raw: Raw = reference.model_dump(mode="json", exclude_unset=True)
    raw.update(name=name, title=reference.title, host=reference.host)
    person.tell("")
    person.tell(_indented(PINS[reference.host]))
    for ask in ASKS:
        if ask.when(raw):
            person.tell("")
            person.tell(_indented(ask.explained))
            _ask(person, ask, raw)
    for _ in range(ROUNDS):
        faults = _faults(raw)
        if not faults:
            return raw
        _mend(person, faults, raw)
    raise WizardError("\n".join(map(str, _faults(raw))))


def profile_text(raw: Raw) -> str:
    """Return the text of a profile."""
    return HEAD + dumps(raw)


def _indented(words: str, more: str = "") -> str:
    """Return words as lines that stand in from the left, all but the first of them by so much more."""
    return textwrap.fill(words, WIDTH, initial_indent="  ", subsequent_indent=f"  {more}", break_on_hyphens=False)


def _mend(person: Person, faults: tuple[Fault, ...], raw: Raw) -> None:
    """Ask again about what is wrong; a rule for another game that no longer fits is left out."""
    for fault in faults:
        if fault.key.startswith("hosts."):
            game = fault.key.split(".")[1]
            if raw.get("hosts", {}).pop(game, None) is not None:
                person.tell(f"  {game} has no room on this board any more")
            return
    for ask in ASKS:
        if ask.when(raw) and any(_concerns(fault, ask) for fault in faults):
            person.tell(_words(next(fault for fault in faults if _concerns(fault, ask))))
            _ask(person, ask, raw)
            return
    raise WizardError("\n".join(map(str, faults)))


def _ask(person: Person, ask: Ask, raw: Raw) -> None:
    """Ask until the answer is one that the profile has nothing against."""
    while True:
        default = _shown(_get(raw, ask.key), optional=ask.optional)
        answer = person.ask(Question(About.TEXT, f"{ask.words}? [{default}]", default))
        before = _get(raw, ask.key)
        if ask.optional and answer.lower() == NOTHING:
            _drop(raw, ask.key)
        else:
            try:
                _put(raw, ask.key, ask.read(answer))
            except ValueError as error:
                person.tell(f"  {error}")
                continue
        if _get(raw, ask.key) != before:
            _follow(ask.key, raw)
        wrong = [fault for fault in _faults(raw) if _concerns(fault, ask)]
        if not wrong:
            return
        person.tell(_words(wrong[0]))
        if before is not None:
            _put(raw, ask.key, before)


def _follow(key: str, raw: Raw) -> None:
    """Let what depends on a key follow it: cells come first on chain and inputs, then the track, or the buttons."""
    if key not in ("cells.files", "cells.ranks", "cells.radius", "lamps.track.count"):
        return
    cells = _cells(raw["cells"])
    if buttons := raw["cells"].get("buttons"):
        raw["cells"]["buttons"] = {name: cells + k for k, name in enumerate(buttons)}
    track = raw["lamps"].get("track")
    if track is not None:
        track["first"] = cells
    raw["lamps"]["count"] = cells + (track["count"] if track is not None else 0)


def _cells(cells: Mapping[str, Any]) -> int:
    """Return how many cells a layout has, whatever else is wrong with it."""
    layout = cells.get("layout", "grid")
    if layout == "hexagon":
        return int(3 * cells["radius"] * (cells["radius"] + 1) + 1)
    return int(cells["files"] * (len(PIT_RANKS) if layout == "pits" else cells["ranks"]))


def _faults(raw: Raw) -> tuple[Fault, ...]:
    try:
        check_profile(raw, "this")
    except ProfileError as error:
        return error.faults
    return ()


def _concerns(fault: Fault, ask: Ask) -> bool:
    rest = fault.key.removeprefix(ask.key)
    return fault.key.startswith(ask.key) and (not rest or rest[0] in "[.")


def _words(fault: Fault) -> str:
    return f"  {fault.key}: {fault.wrong}; {fault.remedy}"


def _get(raw: Raw, key: str) -> Any:
    value: Any = raw
    for part in key.split("."):
        if not isinstance(value, dict) or part not in value:
            return None
        value = value[part]
    return value


def _put(raw: Raw, key: str, value: Any) -> None:
    *parts, last = key.split(".")
    for part in parts:
        raw = raw.setdefault(part, {})
    raw[last] = value


def _drop(raw: Raw, key: str) -> None:
    *parts, last = key.split(".")
    for part in parts:
        raw = raw.get(part, {})
    raw.pop(last, None)


def _shown(value: Any, *, optional: bool) -> str:
    """Return a value as it could be typed."""
    if value is None:
        return NOTHING if optional else ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
