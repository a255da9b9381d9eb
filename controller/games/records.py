"""Records: a round as text that people and programs can read, in the manner of PGN.

::

    [Game "exago"]
    [Players "Ann, Bob"]
    [Set "radius=4"]
    [Date "2026.11.29"]
    [Result "1-0"]

    1. e5 2. e6 {takeback 1} 3. f5 1-0

The moves are the plies that stand at the end. A takeback is a comment at the place to which play went back: above, Ann
had played another third ply first. So the numbers always run 1, 2, 3, and a record can be played through without
reading its comments.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from controller.games.seam import RulesError

OPEN: Final = "*"
"""The result of a round that has none yet."""

WIDTH: Final = 80
"""Longest line of moves that is written, unless a comment alone is longer."""

TWO_PLAYERS: Final = {1: "1-0", 2: "0-1", None: "1/2-1/2"}
"""How a result of two players is written, by the winner; None: drawn."""

KNOWN_TAGS: Final = ("Game", "Players", "Set", "Date", "Result")
"""In the order in which they are written."""


class RecordError(RulesError):
    """A record that cannot be read or played.

    Fields:
        ply: the number of the ply at fault; None for a fault that belongs to no ply.
        move: the text of that ply; None where there is none.
    """

    def __init__(self, message: str, ply: int | None = None, move: str | None = None) -> None:
        super().__init__(message)
        self.ply: Final = ply
        self.move: Final = move


class Ply(NamedTuple):
    """One turn of a record.

    Fields:
        move: its token, one space between the words.
        comments: what stands in braces after its first word and before the next number.
    """

    move: str
    comments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """A round, written down. Whether its moves are legal is not looked at here.

    Fields:
        game: the name of the game.
        players: how many play; None if the record does not say (then as many as the game usually has).
        names: shape (players,): their names; empty where the record only counts them.
        settings: the options that differ from their defaults.
        date: as written, usually ``2026.11.29``; empty for none.
        result: ``*``, ``1-0``, ``0-1``, ``1/2-1/2``, ``player 3`` or ``draw``.
        plies: the turns that stand.
        preface: comments before the first ply.
        tags: further tags, by name.
    """

    game: str
    players: int | None = None
    names: tuple[str, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    date: str = ""
    result: str = OPEN
    plies: tuple[Ply, ...] = ()
    preface: tuple[str, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)


def result_text(players: int, winner: int | None) -> str:
    """Return how the end of a round is written: `winner` is a player's number, None for a draw."""
    if players == 2:
        return TWO_PLAYERS[winner]
    return "draw" if winner is None else f"player {winner}"


def with_move(record: Record, move: str) -> Record:
    """Return the record with one more ply."""
    return replace(record, plies=(*record.plies, Ply(move)))


def with_takeback(record: Record, plies: int) -> Record:
    """Return the record with the last `plies` plies taken back: they go, and a comment says so where they began.

    Takebacks that were noted on the plies that go are kept, so that the record tells of every one.

    Raises:
        ValueError: fewer plies stand, or `plies` is less than 1.
    """
    if not 1 <= plies <= len(record.plies):
        raise ValueError(f"{plies} plies cannot be taken back: {len(record.plies)} stand")
    stay, gone = record.plies[:-plies], record.plies[-plies:]
    kept = tuple(comment for ply in gone for comment in ply.comments if comment.startswith("takeback "))
    notes = (*kept, f"takeback {plies}")
    if not stay:
        return replace(record, plies=(), preface=record.preface + notes)
    last = stay[-1]
    return replace(record, plies=(*stay[:-1], last._replace(comments=last.comments + notes)))


def parse_record(text: str) -> Record:
    """Return the record that `text` is. `format_record` of it reads back as the same value.

    Raises:
        RecordError: it is none; says what and where.
    """
    record, fault = read_record(text)
    if fault is not None:
        raise fault
    return record


def read_record(text: str) -> tuple[Record, RecordError | None]:
    """Return the record as far as it can be read, and the fault in the ply where that ends; None if all of it can.

    Raises:
        RecordError: a fault that belongs to no ply, such as a tag.
    """
    tags, words = _scan(text)
    told = tags.get("Players", "")
    players, names = _players(told) if "Players" in tags else (None, ())
    if not tags.get("Game"):
        raise RecordError('the record names no game; begin it with a line like [Game "bamogo"]')
    words, ending = _split_ending(words)
    preface, plies, fault = _plies(words)
    record = Record(
        game=tags["Game"],
        players=players,
        names=names,
        settings=_settings(tags.get("Set", "")),
        date=tags.get("Date", ""),
        result=_result(tags.get("Result", OPEN), ending, players),
        plies=plies,
        preface=preface,
        tags={name: value for name, value in tags.items() if name not in KNOWN_TAGS},
    )
    return record, fault


def format_record(record: Record) -> str:
    """Return the record as text: tags, a blank line, the moves in lines of at most `WIDTH`; the result if there is one.

    Raises:
        RecordError: a name with a comma, a comment with a brace, or another text that would not read back.
    """
    tags = {"Game": record.game}
    if record.names or record.players is not None:
        tags["Players"] = ", ".join(record.names) if record.names else str(record.players)
    if record.settings:
        tags["Set"] = " ".join(f"{key}={value}" for key, value in record.settings.items())
    if record.date:
        tags["Date"] = record.date
    tags |= {"Result": record.result, **record.tags}
    head = [f'[{name} "{_escaped(value)}"]' for name, value in tags.items()]
    written = "\n".join([*head, "", *_wrapped(_chunks(record))]).rstrip("\n") + "\n"
    try:
        same = parse_record(written) == record
    except RecordError as error:
        raise RecordError(f"this record cannot be written: {error}", error.ply, error.move) from error
    if not same:
        raise RecordError(
            "this record cannot be written: a name, option, comment or move holds a comma, space or brace"
        )
    return written


def _escaped(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"")


def _chunks(record: Record) -> Iterator[str]:
    yield from (f"{{{comment}}}" for comment in record.preface)
    for number, ply in enumerate(record.plies, start=1):
        yield f"{number}. {ply.move}"
        yield from (f"{{{comment}}}" for comment in ply.comments)
    if record.result != OPEN:
        yield record.result


def _wrapped(chunks: Iterable[str]) -> list[str]:
    lines: list[str] = []
    for chunk in chunks:
        if lines and len(lines[-1]) + 1 + len(chunk) <= WIDTH:
            lines[-1] += f" {chunk}"
        else:
            lines.append(chunk)
    return lines


class _Word(NamedTuple):
    text: str
    comment: bool
    line: int


_PIECE: Final = re.compile(
    r"""(?P<space>\s+)
      | \{(?P<comment>[^{}]*)\}
      | \[\s*(?P<tag>\w+)\s+"(?P<value>(?:\\["\\]|[^"\\\n])*)"\s*\]
      | (?P<word>[^\s{}\[\]]+)""",
    re.VERBOSE,
)


def _scan(text: str) -> tuple[dict[str, str], list[_Word]]:
    """Return the tags and then the words and comments of the moves."""
    tags: dict[str, str] = {}
    words: list[_Word] = []
    at, line, moves_begun = 0, 1, False
    while at < len(text):
        piece = _PIECE.match(text, at)
        if piece is None:
            raise RecordError(f"line {line}: {_scan_fault(text[at])}")
        if (name := piece["tag"]) is not None:
            if moves_begun:
                raise RecordError(f"line {line}: tag {name} stands after the moves; tags come first")
            if name in tags:
                raise RecordError(f"line {line}: tag {name} stands twice")
            tags[name] = re.sub(r"\\(.)", r"\1", piece["value"])
        elif (comment := piece["comment"]) is not None:
            words.append(_Word(comment.strip(), comment=True, line=line))
        elif (word := piece["word"]) is not None:
            moves_begun = True
            words.append(_Word(word, comment=False, line=line))
        line += piece[0].count("\n")
        at = piece.end()
    return tags, words


def _scan_fault(mark: str) -> str:
    if mark == "{":
        return "this comment is not closed before the next one or the end; write {like this}"
    if mark == "}":
        return "a } without its {; comments are written {like this}"
    return 'this is no tag; tags are written [Name "value"]'


def _players(text: str) -> tuple[int, tuple[str, ...]]:
    if text.isascii() and text.isdigit():
        if len(text) > 6 or int(text) < 1:
            raise RecordError(f"tag Players: {text} is not how many can play; write 1 or more, or the names")
        return int(text), ()
    names = tuple(name.strip() for name in text.split(","))
    if not all(names):
        raise RecordError(f"tag Players: {text!r} has an empty name; write a number, or names with commas between")
    return len(names), names


def _settings(text: str) -> dict[str, str]:
    settings: dict[str, str] = {}
    for item in text.split():
        key, equals, value = item.partition("=")
        if not (key and equals and value):
            raise RecordError(f"tag Set: {item!r} is not of the form key=value")
        if key in settings:
            raise RecordError(f"tag Set: option {key!r} stands twice")
        settings[key] = value
    return settings


def _result(tag: str, ending: str | None, players: int | None) -> str:
    """Return the result that the tag and the end of the moves give; an open one yields to the other."""
    results = {" ".join(text.split()) for text in (tag, ending) if text is not None}
    for result in sorted(results):
        _check_result(result, players)
    decided = sorted(results - {OPEN})
    if len(decided) > 1:
        raise RecordError(f"the moves end with {ending}, but tag Result says {tag}")
    return decided[0] if decided else OPEN


def _check_result(result: str, players: int | None) -> None:
    allowed = {OPEN}
    if players in (None, 2):
        allowed |= set(TWO_PLAYERS.values())
    if players != 2:
        allowed.add("draw")
        number = result.removeprefix("player ")
        if number != result and number.isascii() and number.isdigit() and 1 <= int(number[:9]) <= (players or 999_999):
            allowed.add(result)
    if result not in allowed:
        usual = "*, 1-0, 0-1 or 1/2-1/2" if players == 2 else f"*, draw or player 1 to player {players or 'N'}"
        raise RecordError(f"tag Result: {result!r} is no result of this round; write {usual}")


def _split_ending(words: list[_Word]) -> tuple[list[_Word], str | None]:
    """Return the words without the result that may end them, and that result."""
    spoken = [index for index, word in enumerate(words) if not word.comment]
    last = words[spoken[-1]].text if spoken else ""
    if last in {OPEN, "draw", *TWO_PLAYERS.values()}:
        taken = spoken[-1:]
    elif len(spoken) > 1 and words[spoken[-2]].text == "player" and last.isascii() and last.isdigit():
        taken = spoken[-2:]
    else:
        return words, None
    ending = " ".join(words[index].text for index in taken)
    return [word for index, word in enumerate(words) if index not in taken], ending


_NUMBER: Final = re.compile(r"([0-9]+)\.(.*)", re.DOTALL)


def _plies(words: list[_Word]) -> tuple[tuple[str, ...], tuple[Ply, ...], RecordError | None]:
    """Return the comments before the first ply, the plies up to the first fault, and that fault."""
    preface: list[str] = []
    numbers: list[tuple[str, int]] = []
    moves: list[list[str]] = []
    comments: list[list[str]] = []
    for word in words:
        if word.comment:
            (comments[-1] if comments else preface).append(word.text)
        elif numbered := _NUMBER.fullmatch(word.text):
            numbers.append((numbered[1], word.line))
            moves.append([numbered[2]] if numbered[2] else [])
            comments.append([])
        elif not numbers:
            fault = RecordError(
                f"line {word.line}: {word.text!r} stands before the first number; write '1.' first", 1, word.text
            )
            return tuple(preface), (), fault
        else:
            moves[-1].append(word.text)
    plies: list[Ply] = []
    for ply, ((number, line), move, said) in enumerate(zip(numbers, moves, comments, strict=True), start=1):
        text = " ".join(move)
        if number != str(ply):
            fault = RecordError(f"line {line}: ply {ply} is numbered {number}; numbers run 1, 2, 3", ply, text)
            return tuple(preface), tuple(plies), fault
        if not text:
            return tuple(preface), tuple(plies), RecordError(f"line {line}: ply {ply} has no move", ply, text)
        plies.append(Ply(text, tuple(said)))
    return tuple(preface), tuple(plies), None
