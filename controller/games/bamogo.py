"""Bamogo: place or swap two neighbouring stones on a 4 x 4 board; three alike in a row score.

The rules as we read them: docs/rules/bamogo.md. Numbers such as (2.1) point into that page.
"""

import functools
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final, NamedTuple

from controller.games import bamogo_board as board
from controller.games import bamogo_text as text_of
from controller.games import refusals
from controller.games import settings as read
from controller.games.bamogo_board import PASS, Move, Pass, Placement, Stones, Swap
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

__all__ = ["GAME", "PASS", "Bamogo", "BamogoRules", "Move", "Options", "Pass", "Placement", "Position", "Swap"]

KO: Final = ("after-placement", "board-full", "always", "never")
"""When ko binds (4.2)."""

OPTIONS: Final = (
    Option("target", "10", "a whole number, 1 or more", "The score that wins."),
    Option("ko", KO[0], ", ".join(KO), "When the swap just made may not be undone at once."),
    Option("max_plies", "none", "a whole number, 1 or more, or none", "Ends the round after so many turns."),
    Option("first", "1", "the number of a player", "The player who begins; at a board drawn by lot unless it is set."),
)


@dataclass(frozen=True, slots=True)
class Options:
    """The option values, read.

    Fields:
        target: the score that wins (5.1).
        ko: one of `KO`.
        max_plies: after how many turns the round ends (5.2); None for no limit.
        first: the number of the player who begins.
    """

    target: int
    ko: str
    max_plies: int | None
    first: int


class Position(NamedTuple):
    """All that the rules know of a round in progress.

    Fields:
        stones: the cells of the red, the blue and the yellow stones, bit c for cell c.
        to_move: the number of the player on turn.
        scores: shape (players,): points, player 1 first.
        swapped: the pair that the last turn swapped, for ko; None after any other turn.
        plies: how many turns have been played.
    """

    stones: Stones
    to_move: int
    scores: tuple[int, ...]
    swapped: Swap | None = None
    plies: int = 0


# Every event that can happen but for the end, made once: a ply picks from these.
PLACED: Final = tuple(
    tuple(Event("place", {"cell": name, "colour": stone}) for stone in board.STONES) for name in board.NAMES
)
"""``PLACED[cell][colour]``."""

SWAPPED: Final = {
    pair: Event("swap", {"cells": (board.NAMES[pair.first], board.NAMES[pair.second])}) for pair in board.PAIRS
}

LINES: Final = tuple(
    tuple(
        Event("line", {"cells": tuple(board.NAMES[cell] for cell in string), "colour": stone, "points": 1})
        for stone in board.STONES
    )
    for string in board.STRINGS
)
"""``LINES[string][colour]``."""

PASSED: Final = Event("pass", {})


class BamogoRules:
    """Bamogo for a number of players and a choice of options. Satisfies `controller.games.seam.Rules`."""

    name: Final = "bamogo"
    surface: Final = "square"
    stones: Final = board.STONES
    cells: Final[tuple[Place, ...]] = board.CELLS

    def __init__(self, players: int, options: Options, changed: Mapping[str, str]) -> None:
        self.players: Final = players
        self.options: Final = options
        self.settings: Final[Mapping[str, str]] = changed
        self._target: Final = options.target
        self._limit: Final = sys.maxsize if options.max_plies is None else options.max_plies
        self._points: Final = board.points()
        self._additions: Final = board.additions()

    def initial(self) -> Position:
        """Return the empty board (1.3)."""
        return Position((0, 0, 0), self.options.first, (0,) * self.players)

    def to_move(self, position: Position) -> int:
        """Return the number of the player on turn."""
        return position.to_move

    def outcome(self, position: Position) -> Outcome | None:
        """Return how the round ended: reason ``target`` (5.1) or ``ply-limit`` (5.2); None while it goes on."""
        scores = position.scores
        best = max(scores)
        if best >= self._target:
            return Outcome(scores.index(best) + 1, "target")
        if position.plies >= self._limit:
            return Outcome(scores.index(best) + 1 if scores.count(best) == 1 else None, "ply-limit")
        return None

    def legal(self, position: Position) -> Sequence[Move]:
        """Return every legal move: placements, then swaps; `PASS` alone where there is neither (2.3)."""
        stones, _, scores, barred, plies = position
        if max(scores) >= self._target or plies >= self._limit:
            return ()
        moves = board.placements_on(stones)
        if barred is not None and not self._ko_binds(stones, can_place=bool(moves)):
            barred = None
        return moves + board.swaps_on(stones, barred) or (PASS,)

    def apply(self, position: Position, move: Move) -> tuple[Position, tuple[Event, ...]]:
        """Return the position after `move` and its events: the move itself, each ``line``, then ``win`` or ``draw``.

        Raises:
            IllegalMoveError: the move is not legal here; the message says which rule forbids it.
        """
        before, player, scores, _, plies = position
        if max(scores) >= self._target or plies >= self._limit:
            raise IllegalMoveError("the round is over, nobody is on turn (section 5)")
        swapped = None
        if isinstance(move, Placement):
            after = self._placed(before, move)
            (cell, stone), (other, second) = move
            events: tuple[Event, ...] = (PLACED[cell][stone], PLACED[other][second])
        elif isinstance(move, Swap):
            after = self._swapped(position, move)
            events = (SWAPPED[move],)
            swapped = move
        else:
            self._check_pass(position)
            after = before
            events = (PASSED,)
        lines = self._lines(before, after)
        if lines:
            events += lines
            scores = (*scores[: player - 1], scores[player - 1] + len(lines), *scores[player:])
        plies += 1
        reached = Position(after, player % self.players + 1, scores, swapped, plies)
        if (lines or plies >= self._limit) and (ended := self.outcome(reached)) is not None:
            events += (_ending(ended),)
        return reached, events

    def _lines(self, before: Stones, after: Stones) -> tuple[Event, ...]:
        """Return the event of each string that scores, by cells: one colour, with a stone just put down (3.2)."""
        points = self._points
        red, blue, yellow = after
        if (
            points[red] == points[red & before[0]]
            and points[blue] == points[blue & before[1]]
            and points[yellow] == points[yellow & before[2]]
        ):
            return ()
        found = [
            (index, colour)
            for colour, cells in enumerate(after, start=1)
            if points[cells] != points[kept := cells & before[colour - 1]]
            for index, mask in enumerate(board.STRING_MASKS)
            if cells & mask == mask and kept & mask != mask
        ]
        return tuple([LINES[index][colour] for index, colour in sorted(found)])

    def _placed(self, stones: Stones, move: Placement) -> Stones:
        added = self._additions.get(move)
        if added is not None:
            red, blue, yellow = stones
            more_red, more_blue, more_yellow = added
            after = (red | more_red, blue | more_blue, yellow | more_yellow)
            if not (red | blue | yellow) & (more_red | more_blue | more_yellow) and board.supplied(after):
                return after
        raise IllegalMoveError(text_of.placement_fault(stones, move))

    def _swapped(self, position: Position, move: Swap) -> Stones:
        red, blue, yellow = stones = position.stones
        pair = board.PAIRS.get(move, 0)
        held_red, held_blue, held_yellow = red & pair, blue & pair, yellow & pair
        if not pair or held_red | held_blue | held_yellow != pair or pair in (held_red, held_blue, held_yellow):
            raise IllegalMoveError(text_of.swap_fault(stones, move))
        if position.swapped == move and self._ko_binds(stones, can_place=bool(board.placements_on(stones))):
            raise IllegalMoveError(
                f"ko: the turn before was {text_of.move_text(move)}, which may not be undone now (4.1)"
            )
        # A plane that holds one of the two cells holds the other instead.
        return (
            red ^ pair if held_red else red,
            blue ^ pair if held_blue else blue,
            yellow ^ pair if held_yellow else yellow,
        )

    def _check_pass(self, position: Position) -> None:
        move = self.legal(position)[0]
        if move != PASS:
            raise IllegalMoveError(
                f"a player who can place or swap may not pass (2.3); one could play {text_of.move_text(move)}"
            )

    def _ko_binds(self, stones: Stones, *, can_place: bool) -> bool:
        """Return whether the pair of the last swap is barred on this board (4.2)."""
        match self.options.ko:
            case "after-placement":
                return not can_place
            case "board-full":
                return stones[0] | stones[1] | stones[2] == board.FULL
            case ko:
                return ko == "always"

    def why_not(self, position: Position, seen: Mapping[Cell, Content | None]) -> str:
        """Return why what was put down, or changed places, is no move: see `controller.games.seam.Explainer`."""
        filled, emptied, changed = refusals.stirred(self.contents(position), seen)
        if filled and emptied:
            return "a stone on the board stays there, or changes places with its neighbour"
        if len(changed) == 2 and not filled and not emptied:
            return refusals.refused(self, position, Swap(*changed))
        if emptied or changed:
            return ""
        if len(filled) == 2:
            one, other = ((cell, seen[cell]) for cell in filled)
            return text_of.pair_fault(position.stones, one, other)
        return refusals.too_many(filled, "two stones", 2) or text_of.alone_fault(position.stones, filled[0], seen)

    def scores(self, position: Position) -> tuple[int, ...]:
        """Return shape (players,): points made so far."""
        return position.scores

    def hands(self, position: Position) -> dict[str, Any]:
        """Return ``{"supply": {"R": 5, "B": 5, "Y": 6}}``: the stones not on the board, which all players share."""
        return {"supply": self.supply(position)}

    def supply(self, position: Position) -> dict[str, int]:
        """Return how many stones of each colour are not on the board."""
        return {
            board.STONES[colour]: supply - cells.bit_count()
            for colour, cells, supply in zip(board.COLOURS, position.stones, board.SUPPLY, strict=True)
        }

    def move_text(self, move: Move) -> str:
        """Return the token: ``Ra1 Bb1``, ``a1~b1`` or ``pass`` (6.1)."""
        return text_of.move_text(move)

    def parse_move(self, text: str) -> Move:
        """Return the move of a token.

        Raises:
            NotationError: no token of this game; tokens name the lesser cell first and two different colours.
        """
        return text_of.parse_move(text)

    def position_text(self, position: Position) -> str:
        """Return the ranks from the far side, ``/`` between, ``.`` for an empty cell (6.2)."""
        return text_of.stones_text(position.stones)

    def parse_position(self, text: str, to_move: int = 1, scores: Sequence[int] = ()) -> Position:
        """Return the position of that text: no ko, no turns played. Boards that no play can reach are taken too.

        Raises:
            NotationError: no picture of a board, more stones than there are, or no such player or scores.
        """
        stones = text_of.parse_stones(text)
        if not 1 <= to_move <= self.players:
            raise NotationError(f"player {to_move} cannot be on turn: the players are 1 to {self.players}")
        points = tuple(scores) or (0,) * self.players
        if len(points) != self.players or min(points) < 0:
            raise NotationError(f"scores {list(points)}: give one number, 0 or more, for each player of {self.players}")
        if sum(score >= self._target for score in points) > 1:
            raise NotationError(f"scores {list(points)}: only one can have {self._target}, as that ends the round")
        return Position(stones, to_move, points)

    def contents(self, position: Position) -> tuple[Content, ...]:
        """Return shape (16,): 0 for nothing, else the stone, by cell."""
        return tuple(board.content(position.stones, cell) for cell in range(len(board.CELLS)))

    def footprint(self, position: Position, move: Move) -> Footprint:
        """Return the mark of a legal move: a swap lifts both its stones; a placement only adds; a pass leaves none."""
        if isinstance(move, Placement):
            return Footprint(frozenset(), dict(move))
        if isinstance(move, Swap):
            one, other = move
            held = board.content(position.stones, one), board.content(position.stones, other)
            return Footprint(frozenset(move), {one: held[1], other: held[0]})
        return Footprint(frozenset(), {})

    def spot(self, text: str) -> tuple[Cell, ...]:
        """Return the one cell of that name.

        Raises:
            NotationError: there is no such cell.
        """
        return (text_of.parse_cell(text, text),)


def _ending(ended: Outcome) -> Event:
    if ended.winner is None:
        return Event("draw", {"reason": ended.reason})
    return Event("win", {"player": ended.winner, "reason": ended.reason})


class Bamogo:
    """The game as it plugs in. Satisfies `controller.games.seam.Game`."""

    name: Final = "bamogo"
    title: Final = "Bamogo"
    summary: Final = (
        "Place or swap two neighbouring stones; three of a colour in a row score, first to ten points wins."
    )
    seats: Final[tuple[int, int | None]] = (1, None)
    default_players: Final = 2
    sensing: Final = "colour"
    options: Final = OPTIONS

    @functools.cached_property
    def rules_text(self) -> str:
        """The rules for a person at the table, as Markdown."""
        return resources.files("controller.games").joinpath("texts", "bamogo.md").read_text(encoding="utf-8")

    def rules(self, players: int | None = None, settings: Mapping[str, str] | None = None) -> BamogoRules:
        """Return the rules for so many players and these option values.

        Raises:
            OptionError: an unknown key, a bad value or no players; says what it takes.
        """
        count = self.default_players if players is None else players
        if count < 1:
            raise OptionError(f"Bamogo is for 1 or more players, not {count}")
        values = read.merged(OPTIONS, settings)
        target, ko, max_plies, first = OPTIONS
        seats = Option(first.key, first.default, f"the number of a player, 1 to {count}", first.help)
        limit = values[max_plies.key]
        options = Options(
            target=read.number(target, values[target.key], 1),
            ko=read.choice(ko, values[ko.key], KO),
            max_plies=None if limit == max_plies.default else read.number(max_plies, limit, 1),
            first=read.number(seats, values[first.key], 1, count),
        )
        written = {
            target.key: str(options.target),
            ko.key: options.ko,
            max_plies.key: max_plies.default if options.max_plies is None else str(options.max_plies),
            first.key: str(options.first),
        }
        return BamogoRules(count, options, read.changed(OPTIONS, written))


GAME: Final = Bamogo()
