"""What a game is to the rest of the house: options in, positions, moves, events and footprints out.

A **game** (`Game`) is what plugs in under a name: its options and how many may play. Bound to a number of players and
to option values it gives **rules** (`Rules`), which are pure functions over immutable positions. The house handles
moves and positions only through `Rules`, so a game chooses their types freely, provided that they are immutable and
hashable.

Cells are plain indices into `Rules.cells`; names (``a1``) appear in text forms and events only.
"""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, TypeVar, runtime_checkable

Cell: TypeAlias = int
"""Index into `Rules.cells`, from 0."""

Content: TypeAlias = int
"""What lies on a cell: 0 nothing; else the stone (index into `Rules.stones`), or the seeds in a sowing game."""

GROUP: Final = "stonelight.games"
"""The entry-point group in which games are found."""


class RulesError(ValueError):
    """Root of what goes wrong between a caller and the rules. The message is for a person."""


class OptionError(RulesError):
    """An option is unknown, or its value is not one that it takes; or so many cannot play."""


class NotationError(RulesError):
    """Text that is no move, position or record of this game."""


class IllegalMoveError(RulesError):
    """A well-formed move that the rules forbid here; says which rule."""


class Event(NamedTuple):
    """One thing that a player would see happen in a ply.

    Fields:
        type: ``place``, ``swap``, ``move``, ``sow``, ``slide``, ``return``, ``capture``, ``line``, ``combination``,
            ``pass``, ``win``, ``draw``.
        facts: the further keys of the JSON form, cells by name.
    """

    type: str
    facts: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        """Return the event as outside programs see it: ``{"type": ..., **facts}``."""
        return {"type": self.type, **self.facts}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a round ended: `winner` is a player's number, None for a draw; `reason` is the word of the rules page."""

    winner: int | None
    reason: str

    def as_json(self) -> dict[str, Any]:
        """Return ``{"winner": ..., "reason": ...}``."""
        return {"winner": self.winner, "reason": self.reason}


class Place(NamedTuple):
    """Where a cell is, for drawing.

    Fields:
        name: the cell's name, ``a1``.
        x, y: its centre, in pitches; x grows to the right and y away from player 1.
    """

    name: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Footprint:
    """The mark that a move leaves on the cells, by cell index and content.

    Fields:
        lifts: cells that the hands must have emptied, all at the same moment, before the move is complete.
        after: every cell that the move itself changes or touches, with what it holds once the hands have done the move,
            before any aftermath. Cells of `lifts` are among them.
        aftermath: cells that the rules then ask the hands to bring to another content (captured seeds taken out,
            returned stones taken off), with that content. ``after`` overlaid with ``aftermath`` on the old position
            is the contents of the new position.
    """

    lifts: frozenset[Cell]
    after: Mapping[Cell, Content]
    aftermath: Mapping[Cell, Content] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Option:
    """A variant option: its name, its value when not given, and what it takes.

    Fields:
        key: as in ``--set key=value``.
        default: the text of the default; what a record leaves out.
        takes: for a person: the values it takes, ``1 or more``, ``yes or no``.
        help: one sentence: what it changes.
    """

    key: str
    default: str
    takes: str
    help: str


PositionT = TypeVar("PositionT")
MoveT = TypeVar("MoveT")


class Rules(Protocol[PositionT, MoveT]):
    """A game bound to players and options. Every method is pure; positions and moves are immutable and hashable."""

    @property
    def name(self) -> str:
        """The game's name as in records: ``bamogo``."""

    @property
    def players(self) -> int:
        """How many play, numbered from 1."""

    @property
    def settings(self) -> Mapping[str, str]:
        """The options that differ from their defaults, in the game's order, as a record's ``Set`` holds them."""

    @property
    def cells(self) -> tuple[Place, ...]:
        """All cells, sorted by coordinates as the rules page sorts them."""

    @property
    def surface(self) -> str:
        """How to draw a cell: ``square``, ``hexagon`` or ``pit``; ``mat`` for squares that two-place stones lie on."""

    @property
    def stones(self) -> tuple[str, ...]:
        """The stone for each content, as scripts and positions write it: ``("", "R", "B", "Y")``.

        Empty in a sowing game, where a content is a number of seeds.
        """

    def initial(self) -> PositionT:
        """Return the start of a round."""

    def to_move(self, position: PositionT) -> int:
        """Return the number of the player on turn (after the end: who would have been next)."""

    def legal(self, position: PositionT) -> Sequence[MoveT]:
        """Return every legal move once, in any order that is always the same; empty after the end, never before it."""

    def apply(self, position: PositionT, move: MoveT) -> tuple[PositionT, tuple[Event, ...]]:
        """Return the position after `move` and what happened, in the order in which a player would see it.

        Raises:
            IllegalMoveError: `legal` does not hold the move; the message says which rule forbids it.
        """

    def outcome(self, position: PositionT) -> Outcome | None:
        """Return how the round ended, or None while it goes on."""

    def scores(self, position: PositionT) -> tuple[int, ...]:
        """Return shape (players,): the scores as the rules page defines them, player 1 first."""

    def hands(self, position: PositionT) -> dict[str, Any]:
        """Return what is off the board, in the JSON form of the rules page."""

    def supply(self, position: PositionT) -> Mapping[str, int]:
        """Return what can still be put on the board, by stone (`stones`) or by the owner's number, with how many."""

    def move_text(self, move: MoveT) -> str:
        """Return the token of a move."""

    def parse_move(self, text: str) -> MoveT:
        """Return the move that a token names, whether or not it is legal anywhere. Round-trips with `move_text`.

        Raises:
            NotationError: the text is no token of this game.
        """

    def position_text(self, position: PositionT) -> str:
        """Return the text form of what is on the board."""

    def parse_position(self, text: str, to_move: int = 1, scores: Sequence[int] = ()) -> PositionT:
        """Return the position of that text: hands and supply are what is left, nothing captured, no ko, no history.

        Args:
            text: as `position_text` gives it.
            to_move: the player on turn.
            scores: shape (players,); zeros unless given.

        Raises:
            NotationError: the text is no position of this game, or holds more than there is; says what and where.
        """

    def contents(self, position: PositionT) -> tuple[Content, ...]:
        """Return shape (cells,): what lies on each cell."""

    def footprint(self, position: PositionT, move: MoveT) -> Footprint:
        """Return the mark that a legal move leaves on the cells; empty for a move that touches nothing (``pass``)."""

    def spot(self, text: str) -> tuple[Cell, ...]:
        """Return the cells that a script's cell name or placement covers: one for ``e5``, two for ``He8``.

        Raises:
            NotationError: there is no such cell or placement on this board.
        """


@runtime_checkable
class Sower(Protocol):
    """What the rules of a sowing game offer besides, so that lights can lead the sowing lap by lap."""

    def relay(self, position: Any, move: Any) -> Sequence[tuple[Cell, tuple[Cell, ...]]] | None:
        """Return the laps of a legal move, each the pit that is emptied and the pits that then get a seed, in order.

        Returns:
            None for a relay that never ends.
        """


@runtime_checkable
class Explainer(Protocol):
    """What rules may offer besides: words for the person whose hands have done what is no move."""

    def why_not(self, position: Any, seen: Mapping[Cell, Content | None]) -> str:
        """Return in plain words why what lies on some cells is no move of the player on turn.

        Args:
            position: before the turn.
            seen: what lies on each cell that is not as in the position: 0 for nothing, None for something unknown.

        Returns:
            A clause without a full stop; empty where it is not clear what was meant.
        """


def pieces(rules: Rules[PositionT, Any], position: PositionT) -> list[tuple[Cell, ...]]:
    """Return the stones on the board, each as the cells that it covers; in a sowing game every pit with seeds."""
    if rules.surface != "mat":
        return [(cell,) for cell, content in enumerate(rules.contents(position)) if content]
    stones = rules.position_text(position).split(",")
    return [rules.spot(stone.split(":")[0]) for stone in stones if stone]


class Game(Protocol):
    """What plugs in: a name, who may play, the options, and the rules for a choice of them."""

    @property
    def name(self) -> str:
        """As in records and commands."""

    @property
    def title(self) -> str:
        """As a person writes it."""

    @property
    def summary(self) -> str:
        """One sentence for the list of games."""

    @property
    def seats(self) -> tuple[int, int | None]:
        """The least and the greatest number of players; None: no bound."""

    @property
    def default_players(self) -> int:
        """How many play unless told otherwise."""

    @property
    def sensing(self) -> str:
        """The sensing kind that a rehearsal assumes unless told otherwise (a value of ``hardware.ports.Sensing``)."""

    @property
    def options(self) -> tuple[Option, ...]:
        """The variant options, in the order in which records list them."""

    @property
    def rules_text(self) -> str:
        """The rules for a person at the table, as Markdown, in the project's own words."""

    def rules(self, players: int | None = None, settings: Mapping[str, str] | None = None) -> Rules[Any, Any]:
        """Return the rules for so many players and these option values (the others at their defaults).

        Raises:
            OptionError: an unknown key, a bad value or so many players; says what it takes.
        """


AnyRules: TypeAlias = Rules[Any, Any]


def game_names() -> tuple[str, ...]:
    """Return the names of all games that are installed, sorted."""
    return tuple(sorted({entry.name for entry in entry_points(group=GROUP)}))


def load_game(name: str) -> Game:
    """Return the game of that name.

    Raises:
        OptionError: no such game is installed; the message names one that is meant perhaps, and lists those that are.
    """
    for entry in entry_points(group=GROUP, name=name):
        game: Game = entry.load()
        return game
    known = game_names()
    near = difflib.get_close_matches(name, known, n=1)
    meant = f"did you mean {near[0]!r}? " if near else ""
    raise OptionError(f"there is no game {name!r}; {meant}installed: {', '.join(known)}")
