"""From nothing to a checked profile: questions with proposals from a board that comes along, each answer checked.

What an answer does wrong is said in the profile's own words (`hardware.profile`). `ASKS` is the table of questions.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from controller.bench.person import About, Person, Question
from controller.bench.references import references
from controller.bench.toml_text import dumps
from controller.games.seam import AnyRules
from hardware.layouts import PIT_RANKS
from hardware.profile import Fault, Profile, ProfileError, check_profile
from hardware.words import near_miss

NOTHING: Final = "none"
"""Said for a part that this board does not have."""
ROUNDS: Final = 20
"""How often what is still wrong at the end is asked about again."""
HEAD: Final = """\
# Written by `stonelight setup`; change whatever differs on your board.
# Every key is explained in docs/profiles.md; `stonelight wiring` lists the wires that follow from this file.
"""

Raw = dict[str, Any]


class WizardError(ValueError):
    """No profile comes of these answers; says what is wrong."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One question about a profile.

    Fields:
        key: the path of the key.
        words: how it is asked.
        read: makes a value of an answer; raises ValueError with words for a person.
        when: whether a profile has such a key.
        optional: whether the board may lack it.
    """

    key: str
    words: str
    read: Callable[[str], Any]
    when: Callable[[Raw], bool] = lambda _raw: True
    optional: bool = False


def _text(answer: str) -> str:
    return answer


def _whole(answer: str) -> int:
    try:
        return int(answer)
    except ValueError as error:
        raise ValueError(f"{answer!r} is no whole number") from error


def _number(answer: str) -> float:
    try:
        value = float(answer)
    except ValueError as error:
        raise ValueError(f"{answer!r} is no number") from error
    return int(value) if value.is_integer() else value


def _pins(answer: str) -> list[int]:
    return [_whole(word) for word in answer.strip("[]").replace(",", " ").split()]


def _truth(answer: str) -> bool:
    words = {"y": True, "yes": True, "true": True, "n": False, "no": False, "false": False}
    if answer.lower() not in words:
        raise ValueError(f"{answer!r} is neither yes nor no")
    return words[answer.lower()]


def _upper(answer: str) -> str:
    return answer.upper()


def _driver(*names: str) -> Callable[[Raw], bool]:
    return lambda raw: raw["cells"]["driver"] in names


def _layout(*names: str) -> Callable[[Raw], bool]:
    return lambda raw: raw["cells"].get("layout", "grid") in names


def _on_pico(raw: Raw) -> bool:
    return bool(raw.get("host", "pi") == "pico")


def _button(name: str) -> Ask:
    return Ask(
        f"buttons.{name}",
        f"Pin of the button {name}, to ground, or {NOTHING}",
        _whole,
        lambda raw: name in raw.get("buttons", {}),
        optional=True,
    )


ASKS: Final[tuple[Ask, ...]] = (
    Ask("title", "What shall the board be called", _text),
    Ask("cells.files", "Cells from left to right", _whole, _layout("grid", "tiles", "pits")),
    Ask("cells.ranks", "Cells from near to far", _whole, _layout("grid", "tiles")),
    Ask("cells.radius", "Cells from the middle to a corner of the hexagon", _whole, _layout("hexagon")),
    Ask("cells.rows", "Pins of the matrix's rows, nearest first", _pins, _driver("matrix")),
    Ask("cells.columns", "Pins of its columns, from the left", _pins, _driver("matrix")),
    Ask("cells.diodes", "Is there a diode at every contact (yes or no)", _truth, _driver("matrix")),
    Ask("cells.load", "Pin to SH/LD of the registers", _whole, _driver("chain")),
    Ask(
        "cells.clock",
        "Pin to their clock",
        _whole,
        lambda raw: raw["cells"]["driver"] == "chain" and _on_pico(raw),
    ),
    Ask(
        "cells.data",
        "Pin from their output",
        _whole,
        lambda raw: raw["cells"]["driver"] == "chain" and _on_pico(raw),
    ),
    Ask("cells.registers", "How many registers, without the last, which is fixed", _whole, _driver("chain")),
    Ask("cells.selects", "Pins to S0, S1, S2, S3 of the multiplexers", _pins, _driver("mux")),
    Ask("cells.adcs", "Analogue inputs, one for each multiplexer", _pins, _driver("mux")),
    Ask("cells.emitter", f"Pin that switches the infrared light, or {NOTHING}", _whole, _driver("mux"), optional=True),
    Ask("adc.chips", "How many MCP3008 chips", _whole, lambda raw: "adc" in raw),
    *map(_button, ("red", "blue", "yellow", "ok", "back", "new", "hint", "1", "2", "3", "4", "5", "6")),
    Ask("lamps.driver", "What drives the pixels: spi or neopixel", _text, lambda raw: not _on_pico(raw)),
    Ask("lamps.pin", "Data pin of the pixels", _whole, lambda raw: raw["lamps"].get("driver", "spi") == "neopixel"),
    Ask("lamps.order", "Order of their colours (GRB, RGB, GRBW, ...)", _upper),
    Ask("lamps.track.count", "Pixels of the score ring", _whole, lambda raw: "track" in raw["lamps"]),
    Ask("lamps.count", "Pixels on the chain, all together", _whole),
    Ask("lamps.supply_ma", "What their supply gives, in mA", _number),
    Ask("lamps.budget_ma", "How much of it they may draw, in mA", _number),
)


FEATURES: Final[tuple[tuple[str, Callable[[Profile], str]], ...]] = (
    ("What the cells tell", lambda profile: profile.cells.sensing),
    ("What the cells are wired to, a Raspberry Pi or a Pico", lambda profile: profile.host),
    ("Like which board", lambda profile: profile.name),
)
"""What tells boards that come along apart, in the order in which it is asked about."""


def choose_reference(person: Person, rules: AnyRules) -> Profile:
    """Return the board that comes along and is nearest to what a person has.

    Raises:
        WizardError: none has room for the game.
    """
    fitting = references(rules)
    if not fitting:
        raise WizardError(f"no board that comes along has room for {rules.name}: copy one of its kind and change it")
    for words, feature in FEATURES:
        choices = list(dict.fromkeys(map(feature, fitting)))
        if len(choices) > 1:
            wanted = _choice(person, words, choices)
            fitting = tuple(profile for profile in fitting if feature(profile) == wanted)
    return fitting[0]


def _choice(person: Person, words: str, choices: list[str]) -> str:
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
    for ask in ASKS:
        if ask.when(raw):
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
