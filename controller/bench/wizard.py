"""From nothing to a checked profile: questions with proposals from a board that comes along, each answer checked.

`controller.bench.asks` is the table of questions, and `controller.bench.interview` puts them.
"""

from collections.abc import Callable, Mapping
from typing import Final

from controller.bench.asks import BUTTON_PINS, FEATURES, PINS
from controller.bench.interview import Interview, WizardError, faults_of, indented
from controller.bench.person import About, Person, Question
from controller.bench.proposals import Raw, without_buttons
from controller.bench.references import references
from controller.bench.toml_text import dumps
from controller.games.seam import AnyRules, game_names, load_game
from controller.table.declaring import COLOURS
from hardware.profile import Profile
from hardware.words import near_miss

__all__ = ["WizardError", "choose", "choose_reference", "make_profile", "profile_text"]

HEAD: Final = """\
# Written by `stonelight setup`; change whatever differs on your board.
# Every key is explained in docs/profiles.md; `stonelight wiring` lists the wires that follow from this file.
"""


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
        person.tell(indented(f"{choice:<{width}}{explained[choice]}", " " * width))
    while True:
        answer = person.ask(Question(About.TEXT, f"{words} ({', '.join(choices)})? [{choices[0]}]", choices[0]))
        if answer in choices:
            return answer
        person.tell(f"  {answer!r} is not known here; {near_miss(answer, choices)}")


def make_profile(
    person: Person,
    name: str,
    reference: Profile,
    rules: AnyRules | None = None,
    remark: Callable[[Profile], str] = lambda _board: "",
) -> Raw:
    """Ask about everything and return a sound profile, as tables.

    Args:
        person: who answers.
        name: the name of the profile to be.
        reference: where the defaults come from.
        rules: the game that the board is for; buttons that it has no use for are then not asked about.
        remark: what to say of the board once its size is known; empty for nothing.

    Raises:
        WizardError: too many answers in a row would not do.
        StoppedError: the person wants no more of it.
    """
    raw: Raw = reference.model_dump(mode="json", exclude_unset=True)
    raw.update(name=name, title=reference.title, host=reference.host)
    if rules is not None:
        without_buttons(raw, _unused_colours(rules, raw))
    person.tell("")
    person.tell(indented(f"{PINS[reference.host]} {BUTTON_PINS}" if raw.get("buttons") else PINS[reference.host]))
    interview = Interview(person, raw, remark)
    interview.run()
    _leave_out_guests(person, interview.raw)
    return interview.raw


def profile_text(raw: Raw) -> str:
    """Return the text of a profile."""
    return HEAD + dumps(raw)


def _unused_colours(rules: AnyRules, raw: Raw) -> frozenset[str]:
    """Return the colours that no player says by button, in the game or in one that the board lends its cells to."""
    guests = [load_game(name).rules(None, {}) for name in raw.get("hosts", {}) if name in game_names()]
    said = {stone for each in (rules, *guests) for stone in each.supply(each.initial())}
    return frozenset(name for name, letter in COLOURS.items() if letter not in said)


def _leave_out_guests(person: Person, raw: Raw) -> None:
    """Leave out the rules for other games that no longer fit.

    Raises:
        WizardError: something else is wrong.
    """
    while faults := faults_of(raw):
        games = {fault.key.split(".")[1] for fault in faults if fault.key.startswith("hosts.")}
        if not games:
            raise WizardError("\n".join(map(str, faults)))
        for game in sorted(games):
            raw["hosts"].pop(game)
            person.tell(f"  {game} has no room on this board any more")
