"""Asking the questions of a profile one by one, so that each answer fits all that were given before.

An answer is refused at once, in the profile's own words (`hardware.profile`), where no question that is still to come
could mend what it does; so there is nothing left to mend in the end. What is proposed was tried before, and would not
be refused. An earlier answer is given anew by saying the name of its key.
"""

import contextlib
import copy
import json
import re
import textwrap
from collections.abc import Callable, Iterator
from typing import Final

from pydantic import ValidationError

from controller.bench.asks import ASKS, NOTHING, Ask
from controller.bench.person import About, Person, Question
from controller.bench.proposals import SIZES, Raw, dispute, drop, follow, get, give_way, put, within
from hardware.header import HEADERS
from hardware.profile import Fault, Profile, ProfileError, check_profile

PATIENCE: Final = 20
"""So many answers in a row that will not do are the end of it."""
WIDTH: Final = 78
"""Letters a line of what is explained."""
_TOO_FEW: Final = ("cells.columns", "cells.registers", "cells.adcs", "adc.chips")
"""Keys at which it is told that there are more cells than inputs."""
_INPUTS: Final = ("cells.buttons", "cells.rows", *SIZES)
"""Keys that make more inputs, or need fewer of them."""


class WizardError(ValueError):
    """No profile comes of these answers; says what is wrong."""


class _RefusedError(Exception):
    """An answer that will not do. The message is a line for a person; `keys` are earlier questions about it."""

    def __init__(self, words: str, keys: tuple[str, ...] = ()) -> None:
        super().__init__(words)
        self.keys = keys


class Interview:
    """The questions of a profile, put to a person.

    Args:
        person: who answers.
        raw: a sound profile, whose values are proposed.
        remark: what to say of a board once its size is known; empty for nothing.

    Attributes:
        raw: the profile as it is by now.
    """

    def __init__(self, person: Person, raw: Raw, remark: Callable[[Profile], str] = lambda _board: "") -> None:
        self.raw = raw
        self._person = person
        self._remark = remark
        self._answered: set[str] = set()
        self._refused = 0

    def run(self) -> None:
        """Ask until all is answered.

        Raises:
            WizardError: too many answers in a row would not do.
            StoppedError: the person wants no more of it.
        """
        while (ask := next((each for each in ASKS if self._is_open(each)), None)) is not None:
            self._put(ask)
            self._refused = 0

    def _is_open(self, ask: Ask) -> bool:
        return ask.key not in self._answered and ask.when(self.raw)

    def _put(self, ask: Ask) -> None:
        """Put one question until its answer will do."""
        self._person.tell("")
        self._person.tell(indented(ask.explained))
        while True:
            proposal = self._proposal(ask)
            words = f"{ask.words}? [{proposal}]" if proposal else f"{ask.words}?"
            answer = self._person.ask(Question(About.TEXT, words, proposal))
            earlier = self._earlier(answer, ask)
            if earlier is not None:
                self._count("an earlier answer was asked for again and again")
                self._put(earlier)
                continue
            try:
                self._take(ask, answer)
            except _RefusedError as error:
                self._person.tell(f"  {error}")
                self._count(str(error))
                if error.keys:
                    self._person.tell(
                        f"  To change an earlier answer first, say its name here: {', '.join(error.keys)}"
                    )
                continue
            self._comment(ask)
            return

    def _count(self, last: str) -> None:
        self._refused += 1
        if self._refused > PATIENCE:
            raise WizardError(f"more than {PATIENCE} answers in a row would not do, so nothing was written; {last}")

    def _earlier(self, answer: str, now: Ask) -> Ask | None:
        """Return the question whose key was said; None where the answer is one to the question that was put."""
        key = re.sub(r"\[\d+\]$", "", answer.strip())
        if key == now.key or key not in self._answered:
            return None
        return next((ask for ask in ASKS if ask.key == key and ask.when(self.raw)), None)

    def _proposal(self, ask: Ask) -> str:
        """Return the value of a key as it could be typed; empty where it would be refused."""
        shown = _shown(get(self.raw, ask.key), optional=ask.optional)
        for words in (shown, NOTHING) if ask.optional else (shown,):
            with contextlib.suppress(_RefusedError):
                self._tried(ask, words)
                return words
        return ""

    def _take(self, ask: Ask, answer: str) -> None:
        if not answer:
            raise _RefusedError("there is nothing to propose here that would do: type your answer, or q to end")
        self.raw, again = self._tried(ask, answer)
        self._answered.difference_update(again)
        self._answered.add(ask.key)

    def _tried(self, ask: Ask, answer: str) -> tuple[Raw, tuple[str, ...]]:
        """Return the profile with an answer, and the keys that must then be asked about again.

        Raises:
            _RefusedError: it would not do.
        """
        raw = copy.deepcopy(self.raw)
        if ask.optional and answer.lower() == NOTHING:
            drop(raw, ask.key)
        else:
            try:
                put(raw, ask.key, ask.made(raw, ask.read(answer)))
            except ValueError as error:
                raise _RefusedError(str(error)) from error
        again: tuple[str, ...] = ()
        if get(raw, ask.key) != get(self.raw, ask.key):
            if ask.key in SIZES:
                self._judge(ask, raw, [fault for fault in faults_of(raw) if within(fault.key, ask.key)])
            again = follow(raw, ask.key, self._open_keys(raw, ask))
        still_open = tuple(dict.fromkeys((*self._open_keys(raw, ask), *again)))
        give_way(raw, still_open)
        taken = dispute(raw, ask.key, still_open)
        if taken is not None:
            key, wrong, remedy = taken
            self._judge(ask, raw, [Fault("", key, wrong, remedy)])
        later = ("hosts", *still_open)
        self._judge(ask, raw, [fault for fault in faults_of(raw) if not any(within(fault.key, key) for key in later)])
        return raw, again

    def _open_keys(self, raw: Raw, now: Ask) -> list[str]:
        """Return the keys that will be asked about after this one, in the order in which they will be."""
        return [each.key for each in ASKS if each.key not in {now.key, *self._answered} and each.when(raw)]

    def _judge(self, ask: Ask, raw: Raw, faults: list[Fault]) -> None:
        """Refuse an answer that has such faults, for the first that is about its own key."""
        if not faults:
            return
        fault = next((fault for fault in faults if within(fault.key, ask.key)), faults[0])
        involved = [key for key in sorted(self._answered - {ask.key}) if _names(fault, key)]
        if fault.key in _TOO_FEW:
            involved += [key for key in _INPUTS if key in self._answered - {ask.key, *involved}]
        asked_now = {each.key for each in ASKS if each.when(raw)}
        raise _RefusedError(str(fault).removeprefix(": "), tuple(key for key in involved if key in asked_now))

    def _comment(self, ask: Ask) -> None:
        """Say what follows from an answer, where that is not plain to see."""
        board = _shape(self.raw)
        if board is None:
            return
        sized = ask.key in SIZES and not any(key in SIZES for key in self._open_keys(self.raw, ask))
        if sized and (remark := self._remark(board)):
            self._person.tell(indented(remark))
        if ask.key == "cells.columns" and board.cells.layout in ("hexagon", "pits"):
            for line in _crossings(board):
                self._person.tell(line)


def indented(words: str, more: str = "") -> str:
    """Return words as lines that stand in from the left, all but the first of them by so much more."""
    return textwrap.fill(words, WIDTH, initial_indent="  ", subsequent_indent=f"  {more}", break_on_hyphens=False)


def _crossings(board: Profile) -> Iterator[str]:
    """Yield for each row of a matrix what hangs on it, by column from the first."""
    columns = len(board.cells.columns)
    named = dict(zip(board.inputs(), board.cell_names(), strict=True))
    named |= {number: name for name, number in board.cells.buttons.items()}
    yield indented("So this is at the crossings of each row, from column 1 on:")
    for row, pin in enumerate(board.cells.rows):
        at_row = (named.get(number, "-") for number in range(row * columns, (row + 1) * columns))
        start = f"row {row + 1}, {HEADERS[board.host].prefix}{pin}: "
        yield indented(start + " ".join(at_row), " " * len(start))


def faults_of(raw: Raw) -> tuple[Fault, ...]:
    """Return all that is wrong with a profile."""
    try:
        check_profile(raw, "")
    except ProfileError as error:
        return error.faults
    return ()


def _shape(raw: Raw) -> Profile | None:
    """Return a profile whose sections need not fit each other yet; None where a value is none that it can have."""
    try:
        return Profile.model_validate_json(json.dumps(raw))
    except ValidationError:
        return None


def _names(fault: Fault, key: str) -> bool:
    """Return whether a fault is about a key, or names it as the owner of what it is about."""
    return within(fault.key, key) or re.search(rf"(?<![\w.]){re.escape(key)}(?![\w.])", fault.wrong) is not None


def _shown(value: object, *, optional: bool) -> str:
    """Return a value as it could be typed."""
    if value is None:
        return NOTHING if optional else ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple | dict):
        return ", ".join(map(str, value)) or NOTHING
    return f"{value:g}" if isinstance(value, float) else str(value)
