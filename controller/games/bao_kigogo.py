"""Bao Kigogo: sow lap after lap round the own two ranks, capture across, leave the other without a move.

The rules for a person: ``texts/bao-kigogo.md``; numbers such as (2.1) point into that page. Values and pure functions
only. A move is the cell of the pit that it starts from. Board and sowing are in `controller.games.bao_kigogo_board`.
"""

from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any, Final, NamedTuple, TypeAlias

from controller.games import refusals, settings
from controller.games.bao_kigogo_board import NORTH, SOUTH, Board, Pits, Sown, Trail
from controller.games.seam import (
    Cell,
    Content,
    Event,
    Footprint,
    IllegalMoveError,
    NotationError,
    Option,
    OptionError,
    Outcome,
    Place,
)

_STANDARD: Final = "standard"

OPTIONS: Final = (
    Option("columns", "12", "4 to 24", "How many pits a rank has."),
    Option(
        "setup",
        _STANDARD,
        "a position as wide as the board: ranks a/b/c/d, one number a pit, commas between",
        "Starts from that position instead of two seeds in every pit.",
    ),
    Option("first", "1", "1 or 2", "Who begins: 1 is South, 2 is North."),
    Option("endless", "draw", "draw or illegal", "Whether choosing an endless relay draws the game or is forbidden."),
)
_COLUMNS, _SETUP, _FIRST, _ENDLESS = OPTIONS

_ALL_CAPTURED: Final = tuple(Outcome(winner, "all-captured") for winner in (None, SOUTH, NORTH))
_NO_MOVE: Final = tuple(Outcome(winner, "no-move") for winner in (None, SOUTH, NORTH))
_REPETITION: Final = Outcome(None, "repetition")
_ENDLESS_DRAW: Final = Outcome(None, "endless")

_OTHER: Final = (0, NORTH, SOUTH)
"""The other player, by player."""

_SIDE: Final = ("", "South (ranks c and d)", "North (ranks a and b)")

_SINGLES: Final = frozenset((0, 1))
"""What the pits of a player hold who may move single seeds (2.4)."""

_new: Final = tuple.__new__
"""Makes a named tuple without the detour through its own ``__new__``: a fifth of the time of a ply."""

Captured: TypeAlias = tuple[int, int]
"""Seeds taken by player 1, by player 2."""


class Lap(NamedTuple):
    """One sowing of a move.

    Fields:
        taken: the pit that is emptied.
        sown: the pits that get a seed each, in order; the last one is taken up next, or ends the move.
    """

    taken: Cell
    sown: tuple[Cell, ...]


class Position(NamedTuple):
    """Everything that the rules need to know about a round in progress.

    Fields:
        pits: the seeds in each pit, by cell.
        to_move: 1 South, 2 North.
        captured: seeds taken by player 1, by player 2.
        stood: the pits as they stood after each ply since the last capture, this position last. A capture lessens the
            seeds on the board for good, so nothing from before it can come again; and as the players take turns, every
            other entry had the same player on turn.
        ended: how the round ended, None while it goes on.
    """

    pits: Pits
    to_move: int
    captured: Captured
    stood: tuple[Pits, ...]
    ended: Outcome | None


class BaoKigogoRules:
    """Bao Kigogo under a choice of options, as `controller.games.seam.Rules`; a move is a `Cell`."""

    name = "bao-kigogo"
    players = 2
    surface = "pit"
    stones: tuple[str, ...] = ()

    def __init__(self, given: Mapping[str, str] | None = None) -> None:
        """Read the options.

        Raises:
            OptionError: an unknown key or a value that it does not take.
        """
        values = settings.merged(OPTIONS, given)
        self._board = board = Board.of(settings.number(_COLUMNS, values["columns"], 4, 24))
        first = settings.number(_FIRST, values["first"], SOUTH, NORTH)
        self._endless_draws = settings.choice(_ENDLESS, values["endless"], ("draw", "illegal")) == "draw"
        pits = standard = board.start()
        if values["setup"] != _STANDARD:
            try:
                pits = board.parse(values["setup"])
            except NotationError as error:
                raise OptionError(f"option 'setup': {error}") from error
        self._most = sum(pits)
        self._initial = self._opening(pits, first, (0, 0))
        values |= {"columns": str(board.columns), "first": str(first)}
        values["setup"] = _STANDARD if pits == standard else board.text(pits)
        self.settings: Mapping[str, str] = settings.changed(OPTIONS, values)
        self.cells: tuple[Place, ...] = board.places
        self._cell_of = {name: cell for cell, name in enumerate(board.names)}

    # -- Playing ------------------------------------------------------------------------------------------------------

    def initial(self) -> Position:
        """Return the start of a round (1.2 to 1.5)."""
        return self._initial

    def to_move(self, position: Position) -> int:
        """Return 1 for South, 2 for North."""
        return position.to_move

    def legal(self, position: Position) -> Sequence[Cell]:
        """Return the pits that may be played, in the order in which the player sows them (2.1, 2.4, 2.5)."""
        pits, to_move, _, _, ended = position
        if ended is not None:
            return ()
        board = self._board
        if _SINGLES.issuperset(board.side(pits, to_move)):
            following = board.following
            return [cell for cell in board.own[to_move] if pits[cell] and not pits[following[cell]]]
        many = [cell for cell in board.own[to_move] if pits[cell] > 1]
        if self._endless_draws:
            return many
        return [cell for cell in many if self._finishes(pits, cell)]

    def apply(self, position: Position, move: Cell) -> tuple[Position, tuple[Event, ...]]:
        """Return the position after playing the pit `move`, and what happened.

        Raises:
            IllegalMoveError: the pit may not be played; says why.
        """
        pits, to_move, captured, stood, ended = position
        board = self._board
        if (
            ended is not None
            or move not in board.own[to_move]
            or (pits[move] < 2 and not self._may_step(pits, to_move, move))
        ):
            raise IllegalMoveError(self._why_not(position, move))
        left = list(pits)
        sown = board.sow(left, move)
        if sown is None:
            return self._draw_endless(position, move)
        last, laps, seeds = sown
        names = board.names
        events: tuple[Event, ...] = (
            _new(Event, ("sow", {"from": names[move], "laps": laps, "seeds": seeds, "last": names[last]})),
        )
        across = board.across[last]
        if across and left[across[0]]:
            taken = {cell: left[cell] for cell in sorted(across) if left[cell]}
            for cell in taken:
                left[cell] = 0
            won = sum(taken.values())
            captured = (captured[0] + won, captured[1]) if to_move == SOUTH else (captured[0], captured[1] + won)
            events += (Event("capture", {"pits": {names[cell]: seeds for cell, seeds in taken.items()}}),)
            stood = ()
        after = tuple(left)
        foe = board.side(after, _OTHER[to_move])
        if not self._endless_draws or (_SINGLES.issuperset(foe) and not (0 in foe and 1 in foe)):
            ended = self._won(after, to_move)
        if ended is None and after in stood and after in stood[len(stood) % 2 :: 2]:
            ended = _REPETITION
        if ended is not None:
            events += (_closing(ended),)
        return _new(Position, (after, _OTHER[to_move], captured, (*stood, after), ended)), events

    def outcome(self, position: Position) -> Outcome | None:
        """Return how the round ended, or None while it goes on (4.1, 4.2)."""
        return position.ended

    def scores(self, position: Position) -> tuple[int, ...]:
        """Return the seeds captured by player 1 and by player 2 (4.3)."""
        return position.captured

    def hands(self, position: Position) -> dict[str, Any]:
        """Return ``{"captured": [by player 1, by player 2]}``."""
        return {"captured": list(position.captured)}

    def supply(self, position: Position) -> Mapping[str, int]:  # noqa: ARG002 - part of the seam
        """Return nothing: captured seeds never come back (3.3)."""
        return {}

    # -- Text ---------------------------------------------------------------------------------------------------------

    def move_text(self, move: Cell) -> str:
        """Return the name of the pit (2.6)."""
        return self._board.names[move]

    def parse_move(self, text: str) -> Cell:
        """Return the pit of that name.

        Raises:
            NotationError: there is no such pit.
        """
        try:
            return self._cell_of[text]
        except KeyError:
            raise NotationError(f"{text!r} is no pit; write one of a1 to d{self._board.columns}, as in d2") from None

    def position_text(self, position: Position) -> str:
        """Return ranks a to d with ``/`` between, each the counts of its pits with commas between (1.5)."""
        return self._board.text(position.pits)

    def parse_position(self, text: str, to_move: int = 1, scores: Sequence[int] = ()) -> Position:
        """Return the position of that text, without history; lost already if the player on turn has no move (1.5).

        Args:
            text: as `position_text` gives it.
            to_move: 1 or 2.
            scores: seeds captured by player 1 and by player 2; zeros unless given.

        Raises:
            NotationError: no position of this board, more seeds than a round starts with, or no such player or scores.
        """
        pits = self._board.parse(text)
        if to_move not in (SOUTH, NORTH):
            raise NotationError(f"player {to_move} cannot be on turn; Bao Kigogo has the players 1 and 2")
        captured = tuple(scores) or (0, 0)
        if len(captured) != 2 or min(captured) < 0:
            raise NotationError(f"scores {list(captured)}: write the two numbers of seeds captured, each 0 or more")
        if sum(pits) + sum(captured) > self._most:
            raise NotationError(
                f"{sum(pits)} seeds on the board and {sum(captured)} captured are more than a round has: {self._most}"
            )
        return self._opening(pits, to_move, (captured[0], captured[1]))

    def spot(self, text: str) -> tuple[Cell, ...]:
        """Return the one cell of that name.

        Raises:
            NotationError: there is no such pit.
        """
        return (self.parse_move(text),)

    # -- The board in hands -------------------------------------------------------------------------------------------

    def contents(self, position: Position) -> tuple[int, ...]:
        """Return shape (cells,): the seeds in each pit."""
        return position.pits

    def relay(self, position: Position, move: Cell) -> tuple[Lap, ...] | None:
        """Return the laps of a legal move in the order of sowing, or None if they would never end (2.5).

        Raises:
            IllegalMoveError: the pit may not be played; says why.
        """
        sown, trail, _ = self._traced(position, move)
        if sown is None:
            return None
        runs, size = self._board.runs, self._board.size
        return tuple(
            Lap(taken, runs[taken][size] * (seeds // size) + runs[taken][seeds % size]) for taken, seeds in trail
        )

    def footprint(self, position: Position, move: Cell) -> Footprint:
        """Return what the move leaves: the pit lifted, every pit sown, and captured pits to be emptied afterwards.

        An endless relay sows nothing: its pit is lifted and then holds what it held.

        Raises:
            IllegalMoveError: the pit may not be played; says why.
        """
        sown, trail, left = self._traced(position, move)
        if sown is None:
            return Footprint(frozenset({move}), {move: position.pits[move]})
        runs, size = self._board.runs, self._board.size
        touched = {move}.union(*(runs[taken][min(seeds, size)] for taken, seeds in trail))
        across = self._board.across[sown[0]]
        captured = [cell for cell in sorted(across) if left[cell]] if across and left[across[0]] else []
        return Footprint(frozenset({move}), {cell: left[cell] for cell in sorted(touched)}, dict.fromkeys(captured, 0))

    # -- Inside -------------------------------------------------------------------------------------------------------

    def _opening(self, pits: Pits, to_move: int, captured: Captured) -> Position:
        """Return a position without history; over at once if the player on turn has no move (1.5)."""
        return Position(pits, to_move, captured, (pits,), self._won(pits, _OTHER[to_move]))

    def _won(self, pits: Pits, player: int) -> Outcome | None:
        """Return the win of `player` if the other side has no seeds or no move; else None (4.1)."""
        foe = self._board.side(pits, _OTHER[player])
        if not any(foe):
            return _ALL_CAPTURED[player]
        if _SINGLES.issuperset(foe):  # on a ring, some seed lies before an empty pit unless all pits are full
            return None if 0 in foe else _NO_MOVE[player]
        own = self._board.own[_OTHER[player]]
        if self._endless_draws or any(pits[cell] > 1 and self._finishes(pits, cell) for cell in own):
            return None
        return _NO_MOVE[player]

    def _may_step(self, pits: Pits, player: int, cell: Cell) -> bool:
        """Return whether an own pit of less than two seeds may be played (2.4)."""
        board = self._board
        return pits[cell] == 1 and not pits[board.following[cell]] and _SINGLES.issuperset(board.side(pits, player))

    def _finishes(self, pits: Pits, cell: Cell) -> bool:
        """Return whether the relay from a pit with seeds comes to an end (2.5)."""
        return self._board.sow(list(pits), cell) is not None

    def _traced(self, position: Position, move: Cell) -> tuple[Sown | None, Trail, list[int]]:
        """Return how a legal move ends, its laps, and the pits after it, before any capture."""
        self._refuse_illegal(position, move)
        trail: Trail = []
        left = list(position.pits)
        return self._board.sow(left, move, trail), trail, left

    def _draw_endless(self, position: Position, move: Cell) -> tuple[Position, tuple[Event, ...]]:
        """Return the draw by an endless relay: pits as they were, the turn passed on (2.5).

        Raises:
            IllegalMoveError: with ``endless=illegal``.
        """
        self._refuse_illegal(position, move)
        passed_on = position._replace(to_move=_OTHER[position.to_move], ended=_ENDLESS_DRAW)
        return passed_on, (_closing(_ENDLESS_DRAW),)

    def _refuse_illegal(self, position: Position, move: Cell) -> None:
        """Raise IllegalMoveError unless `move` is legal."""
        if move not in self.legal(position):
            raise IllegalMoveError(self._why_not(position, move))

    def why_not(self, position: Position, seen: Mapping[Cell, Content | None]) -> str:
        """Return why the pit that was emptied may not be sown: see `controller.games.seam.Explainer`."""
        filled, emptied, changed = refusals.stirred(self.contents(position), seen)
        if filled or changed or len(emptied) != 1 or emptied[0] in self.legal(position):
            return ""
        return self._why_not(position, emptied[0])

    def _why_not(self, position: Position, move: Cell) -> str:
        """Return in plain words why the pit `move`, which is not legal, may not be played."""
        if position.ended is not None:
            return f"the round is over ({position.ended.reason})"
        board, pits, to_move = self._board, position.pits, position.to_move
        name = board.names[move] if 0 <= move < len(board.names) else f"cell {move}"
        if move not in board.own[to_move]:
            return f"{name} is no pit of {_SIDE[to_move]}, who is on turn"
        if pits[move] == 0:
            return f"{name} is empty; choose a pit with seeds"
        if pits[move] > 1:
            return f"the relay from {name} never ends, and such a move is forbidden (endless=illegal)"
        if max(board.side(pits, to_move)) > 1:
            return f"{name} holds a single seed, which may move only when no own pit holds two or more"
        return f"the single seed in {name} may step only into an empty pit, and the next pit is not empty"


def _closing(ended: Outcome) -> Event:
    """Return the event that says how the round ended."""
    if ended.winner is None:
        return Event("draw", {"reason": ended.reason})
    return Event("win", {"player": ended.winner, "reason": ended.reason})


class BaoKigogo:
    """The game as it plugs in (`controller.games.seam.Game`)."""

    name = "bao-kigogo"
    title = "Bao Kigogo"
    summary = "Sow your seeds lap after lap round your own ranks and capture across until the other cannot move."
    seats: tuple[int, int | None] = (2, 2)
    default_players = 2
    sensing = "presence"
    options: tuple[Option, ...] = OPTIONS

    @property
    def rules_text(self) -> str:
        """The rules for a person at the table, as Markdown."""
        return resources.files("controller.games").joinpath("texts/bao-kigogo.md").read_text(encoding="utf-8")

    def rules(self, players: int | None = None, settings: Mapping[str, str] | None = None) -> BaoKigogoRules:
        """Return the rules under these option values.

        Raises:
            OptionError: other than two players, an unknown key or a bad value.
        """
        if players not in (None, 2):
            raise OptionError(f"Bao Kigogo is for 2 players, not {players}")
        return BaoKigogoRules(settings)


GAME: Final = BaoKigogo()
