"""``stonelight setup``: from nothing to the profile of your own board, question by question."""

import argparse
import errno
import re
import sys
from pathlib import Path

from controller.app.hosted import BoardError, fitting_sizes, hosting_for, size_words
from controller.bench.files import PlaceError, check_name, check_place, write_whole
from controller.bench.person import Person, Question, StoppedError, agreed
from controller.bench.progress import progress_path
from controller.bench.proposals import Raw
from controller.bench.wizard import WizardError, choose, choose_reference, make_profile, profile_text
from controller.cli.at_bench import AtTerminal
from controller.cli.files import why
from controller.cli.status import DONE, FAILED, INTERRUPTED, UsageError
from controller.games.seam import AnyRules, OptionError, game_names, load_game
from hardware.profile import Profile, check_profile, profile_names


class Defaults:
    """A person who agrees with every proposal."""

    def __init__(self) -> None:
        self._last: Question | None = None

    def tell(self, words: str) -> None:
        """Print it."""
        print(words)

    def ask(self, question: Question) -> str:
        """Take the proposal; one that does not do is not taken twice."""
        if question == self._last:
            raise StoppedError
        self._last = question
        print(f"{question.words} {question.default}")
        return question.default

    def request(self, request: object) -> None:
        """Nothing is to be done with hands here."""

    def heard(self) -> str:
        """Say nothing."""
        return ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the file and the shortcuts."""
    parser.add_argument(
        "file", metavar="FILE", nargs="?", default="my-board.toml", help="the profile to write (default: my-board.toml)"
    )
    parser.add_argument("--game", metavar="NAME", help="the game that it is for (default: asked)")
    parser.add_argument("--defaults", action="store_true", help="agree with every proposal")


def run(args: argparse.Namespace) -> int:
    """Ask, check, and write the profile at the end; nothing is written before."""
    if not args.file.strip():
        raise UsageError("FILE is empty: name a file for your board, such as my-board.toml")
    path = Path(args.file)
    name = re.sub(r"[^a-z0-9]+", "-", path.name.removesuffix(".toml").lower()).strip("-")
    if args.file in profile_names():
        raise UsageError(
            f"{args.file} comes along as it is; name a file for your own board, such as: stonelight setup my-board.toml"
        )
    if not path.name.endswith(".toml") or not name:
        raise UsageError(f"{path}: a profile's file ends in .toml, such as my-board.toml")
    person: Person = Defaults() if args.defaults else AtTerminal()
    try:
        check_name(progress_path(path))  # what is learned later on is kept beside it, under longer names
        check_place(path)
        if path.exists() and (
            args.defaults or not agreed(person, f"{path} is there already. Replace it?", default=False)
        ):
            print(f"stonelight: {path} stays as it is; name another file", file=sys.stderr)
            return FAILED
        person.tell("Press Enter where the proposal in brackets is right; q ends this, and nothing is written.")
        rules = _rules(person, args.game)
        reference = choose_reference(person, rules)
        person.tell(f"\nThe proposals are those of {reference.name}: {reference.title}.")
        raw = make_profile(person, name, reference, rules, lambda board: _remark(rules, board))
    except (StoppedError, KeyboardInterrupt) as ended:
        print("\nstonelight: ended; nothing was written", file=sys.stderr)
        return FAILED if isinstance(ended, StoppedError) else INTERRUPTED
    except (PlaceError, WizardError) as error:
        print(f"stonelight: {error}", file=sys.stderr)
        return FAILED
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise  # it is the output that is full
        print(f"stonelight: no answers can be read ({why(error)}); nothing was written", file=sys.stderr)
        return FAILED
    if not _written(path, raw):
        return FAILED
    _tell_next(path, rules, check_profile(raw, str(path)))
    return DONE


def _written(path: Path, raw: Raw) -> bool:
    """Write the profile; where that fails, print it, so that no answer is lost."""
    text = profile_text(raw)
    try:
        write_whole(path, text)
    except OSError as error:
        print(
            f"stonelight: {path} cannot be written ({why(error)}): the profile is printed instead, "
            "so copy it into a file elsewhere",
            file=sys.stderr,
        )
        print(f"\n{text}", end="")
        return False
    return True


def _rules(person: Person, name: str | None) -> AnyRules:
    """Return the rules of the game that the board is for."""
    if name is not None:
        try:
            return load_game(name).rules(None, {})
        except OptionError as error:
            raise UsageError(f"--game: {error}") from error
    games = {name: load_game(name) for name in game_names()}
    wanted = choose(person, "Which game", {name: game.summary for name, game in games.items()})
    return games[wanted].rules(None, {})


def _settings(rules: AnyRules, board: Profile) -> str | None:
    """Return the options of ``play`` with which a game has room on a board; None where it has none."""
    try:
        hosting_for(rules, board)
    except BoardError:
        sizes = fitting_sizes(rules, board)
        return "".join(f" --set {key}={numbers[-1]}" for key, numbers in sizes.items()) or None
    return ""


def _remark(rules: AnyRules, board: Profile) -> str:
    """Return what to say of a board of this size: nothing where the game has room on it as it is."""
    settings = _settings(rules, board)
    if settings is None:
        return f"On so many cells {rules.name} has no room, whatever its options. Go on if it is for another game."
    if not settings:
        return ""
    words = size_words(fitting_sizes(rules, board))
    return f"With its usual options {rules.name} has no room on so many cells: it is played with {words}."


def _tell_next(path: Path, rules: AnyRules, board: Profile) -> None:
    settings = _settings(rules, board)
    steps = [
        (f"stonelight wiring {path}", "what to solder"),
        *([(f"stonelight flash --board {path}", "put the firmware on the Pico")] if board.host == "pico" else []),
        (f"stonelight doctor --board {path}", "check computer and board"),
        (f"stonelight calibrate --board {path}", "where cells or lights are not where they should be"),
        *([(f"stonelight play {rules.name}{settings} --board {path}", "play")] if settings is not None else []),
    ]
    width = max(len(command) for command, _ in steps)
    print(f"\nThe profile is in {path}. Next:")
    for command, use in steps:
        print(f"  {command:<{width}}   {use}")
    if settings is None:
        print(f"{rules.name} has no room on this board, whatever its options: play another game on it.")
