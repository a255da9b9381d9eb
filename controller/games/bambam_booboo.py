"""Bambam Booboo: slide two-place stones together on an open mat; four of one's own in a block of the right pattern win.

The rules as we read them: texts/bambam-booboo.md. Numbers such as (2.1) point into that page.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Any, Final

from controller.games import refusals
from controller.games import settings as option_values
from controller.games.bambam_booboo_groups import blocks
from controller.games.bambam_booboo_mat import NOWHERE, ByLie, Mat, least, mat_of
from controller.games.bambam_booboo_play import (
    in_hand_of,
    land,
    landed,
    legal,
    staying,
    stone_at,
)
from controller.games.bambam_booboo_position import (
    PASS,
    PLAYERS,
    Choice,
    Move,
    Position,
    move_text,
    parse_move,
    parse_stones,
    stones_text,
)
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

OPTIONS: Final = (
    Option("width", "16", "8 to 32", "How many places a rank of the mat has."),
    Option("height", "16", "8 to 32", "How many places a file of the mat has."),
    Option("stones", "20", "1 or more", "How many stones each player has."),
    Option("first", "1", "1 or 2", "The number of the player who begins."),
    Option("max_plies", "none", "none, or 1 or more", "After how many plies the round is drawn."),
)
_WIDTH, _HEIGHT, _STONES, _FIRST, _MAX_PLIES = OPTIONS

_OTHER: Final = {1: 2, 2: 1}


@dataclass(frozen=True, slots=True)
class BambamRules:
    """Bambam Booboo with its options settled; satisfies `seam.Rules` with `Position` and `Move`.

    Fields:
        mat: the places, and what slides need to know of them.
        most: how many stones each player has.
        first: the number of the player who begins.
        max_plies: after how many plies the round is drawn; None: never.
        settings: the options that differ from their defaults.
    """

    mat: Mat
    most: int
    first: int
    max_plies: int | None
    settings: Mapping[str, str] = field(hash=False)

    @property
    def name(self) -> str:
        """The game's name in records and commands."""
        return GAME.name

    @property
    def players(self) -> int:
        """Two, always (1.1)."""
        return PLAYERS

    @property
    def cells(self) -> tuple[Place, ...]:
        """Every place of the mat, by file, then rank."""
        return self.mat.cells

    @property
    def surface(self) -> str:
        """A mat of squares that two-place stones lie on."""
        return "mat"

    @property
    def stones(self) -> tuple[str, ...]:
        """Half a stone on a cell is written as its owner's number."""
        return ("", "1", "2")

    def initial(self) -> Position:
        """Return the empty mat, all stones in hand."""
        return Position((NOWHERE, NOWHERE), self.first, plies_left=self.max_plies)

    def to_move(self, position: Position) -> int:
        """Return the number of the player on turn; after the end, of the one who would have been."""
        return position.to_move

    def legal(self, position: Position) -> tuple[Move, ...]:
        """Return every legal move once: by the stone moved, then as worked out; always in the same order."""
        return legal(self.mat, position, in_hand_of(position, position.to_move, self.most))

    def apply(self, position: Position, move: Move) -> tuple[Position, tuple[Event, ...]]:
        """Return the position after a legal move, and the events of the ply in order.

        Raises:
            IllegalMoveError: the move is not legal; names the rule.
        """
        if position.outcome is not None:
            raise IllegalMoveError("the round is over; begin a new one")
        mover = position.to_move
        plies_left = None if position.plies_left is None else position.plies_left - 1
        after = position._replace(to_move=_OTHER[mover], passed=move == PASS, plies_left=plies_left)
        if move.end is None:
            self._check_pass(position, move)
            ended = Outcome(None, "blocked") if position.passed else None
            return _closed(after, (Event("pass", {}),), ended)
        landing = landed(self.mat, position, move, in_hand_of(position, mover, self.most))
        stay, go = staying(landing, move)
        events = [self._rest_event(move)]
        events += [
            Event("return", {"owner": owner, "stones": self._names(go[owner - 1])})
            for owner in (1, 2)
            if go[owner - 1] != NOWHERE
        ]
        events += [
            Event("combination", {"stones": [self.mat.placement_text(stone) for stone in block]})
            for block in landing.combinations
        ]
        ended = Outcome(mover, "combination") if landing.combinations else None
        return _closed(after._replace(stones=stay), tuple(events), ended)

    def outcome(self, position: Position) -> Outcome | None:
        """Return how the round ended (5.1, 5.4, 5.5), or None while it goes on."""
        return position.outcome

    def scores(self, position: Position) -> tuple[int, ...]:
        """Return shape (2,): the rounds won in the match before this one."""
        return position.wins

    def hands(self, position: Position) -> dict[str, Any]:
        """Return how many stones each player holds, by the player's number as text."""
        return dict(self.supply(position))

    def supply(self, position: Position) -> Mapping[str, int]:
        """Return how many stones each player can still put on the mat, by the player's number as text."""
        return {str(player): in_hand_of(position, player, self.most) for player in (1, 2)}

    def move_text(self, move: Move) -> str:
        """Return the token of a move (6.1)."""
        return move_text(self.mat, move)

    def parse_move(self, text: str) -> Move:
        """Return the move of a token.

        Raises:
            NotationError: the text is no token, or names a placement that is not on this mat.
        """
        return parse_move(self.mat, text)

    def position_text(self, position: Position) -> str:
        """Return the stones on the mat with their owners, ``He8:1,Vc4:2``; empty for an empty mat (6.2)."""
        return stones_text(self.mat, position.stones)

    def parse_position(self, text: str, to_move: int = 1, scores: Sequence[int] = ()) -> Position:
        """Return the position of that text; the other stones are in hand and nobody has passed.

        Stones need not be in contact, though play never leaves them so. Where a winning block lies on the mat the round
        is over: won by the player who is not on turn, if the block is theirs.

        Raises:
            NotationError: the text is no position of this game, or the player or the scores are none of a game of two.
        """
        if to_move not in _OTHER:
            raise NotationError(f"player {to_move} cannot be on turn; the players are 1 and 2")
        if len(scores) not in (0, PLAYERS):
            raise NotationError(f"there are {len(scores)} scores; give one for each of the two players")
        stones = parse_stones(self.mat, text, self.most)
        wins = (scores[0], scores[1]) if scores else (0, 0)
        ended = next(
            (
                Outcome(player, "combination")
                for player in (_OTHER[to_move], to_move)
                if blocks(self.mat, stones[player - 1])
            ),
            None,
        )
        return Position(stones, to_move, wins=wins, plies_left=self.max_plies, outcome=ended)

    def contents(self, position: Position) -> tuple[Content, ...]:
        """Return shape (cells,): 0 for an empty place, else the number of the owner of the stone that covers it."""
        first, second = (self.mat.covered(stones) for stones in position.stones)
        return tuple((first >> place & 1) + 2 * (second >> place & 1) for place in self.mat.place_of)

    def footprint(self, position: Position, move: Move) -> Footprint:
        """Return the mark of a legal move: old places emptied, new ones covered, returned stones taken off after."""
        if move.end is None:
            return Footprint(frozenset(), {})
        old = () if move.start is None else self.mat.cells_of(move.start)
        after: dict[Cell, Content] = dict.fromkeys(old, 0)
        after |= dict.fromkeys(self.mat.cells_of(move.end), position.to_move)
        _, go = staying(land(self.mat, position, move), move)
        return Footprint(
            lifts=frozenset(old),
            after=after,
            aftermath={cell: 0 for stones in go for pair in self._pairs(stones) for cell in pair},
        )

    def spot(self, text: str) -> tuple[Cell, ...]:
        """Return the cell of a place (``e8``) or the two cells of a placement (``He8``).

        Raises:
            NotationError: it names neither, or is not on this mat.
        """
        if text[:1].isupper():
            return self.mat.cells_of(self.mat.parse_placement(text))
        return (self.mat.cell_of[self.mat.parse_place(text)],)

    def choices(self, position: Position, move: Move) -> tuple[Choice, ...]:
        """Return the ways in which a legal move can be completed, with what stays and what goes in each.

        Args:
            position: before the move.
            move: a legal move; its suffix, if any, makes no difference.

        Returns:
            One choice where no groups tie for largest; else one for each tied group, by its least place (4.2). A pass
            moves nothing, so all stones stay.
        """
        if move.end is None:
            return (Choice(move, self._pairs(_both(position.stones)), ()),)
        plain = move._replace(stays=None)
        landing = land(self.mat, position, plain)
        moves = [plain]
        if len(landing.tied) > 1:
            moves = [plain._replace(stays=stone_at(landing.stones, least(group))) for group in landing.tied]
        sides = [(each, staying(landing, each)) for each in moves]
        return tuple(Choice(each, self._pairs(_both(stay)), self._pairs(_both(go))) for each, (stay, go) in sides)

    def why_not(self, position: Position, seen: Mapping[Cell, Content | None]) -> str:
        """Return why what was slid in or moved is no move: see `controller.games.seam.Explainer`."""
        contents = self.contents(position)
        filled, emptied, changed = refusals.stirred(contents, seen)
        if changed or len(filled) != 2:
            return "" if changed or emptied or len(filled) < 2 else "a turn slides in one stone, of two places"
        end, start = self.mat.placement_on(filled), self.mat.placement_on(emptied)
        if end is None or (emptied and start is None):
            return ""
        if start is not None and start not in self.mat.placements_of(_both(position.stones)):
            return ""
        return refusals.refused(self, position, Move(start, end))

    def _check_pass(self, position: Position, move: Move) -> None:
        if self.legal(position) == (PASS,) and move == PASS:
            return
        rule = "slide in (2.4)" if in_hand_of(position, position.to_move, self.most) else "move (3.6)"
        raise IllegalMoveError(f"player {position.to_move} may not pass: there is a stone to {rule}")

    def _rest_event(self, move: Move) -> Event:
        assert move.end is not None, "a pass has an event of its own"
        end = self.mat.placement_text(move.end)
        if move.start is None:
            return Event("slide", {"placement": end})
        return Event("move", {"from": self.mat.placement_text(move.start), "to": end})

    def _names(self, stones: ByLie) -> list[str]:
        return [self.mat.placement_text(stone) for stone in self.mat.placements_of(stones)]

    def _pairs(self, stones: ByLie) -> tuple[tuple[Cell, Cell], ...]:
        return tuple(self.mat.cells_of(stone) for stone in self.mat.placements_of(stones))


def _both(stones: tuple[ByLie, ByLie]) -> ByLie:
    """Return the stones of both players as one set."""
    return stones[0][0] | stones[1][0], stones[0][1] | stones[1][1]


def _closed(position: Position, events: tuple[Event, ...], ended: Outcome | None) -> tuple[Position, tuple[Event, ...]]:
    """Return the position and events of a ply with how the round ended, if it did: by itself or by the ply limit."""
    if ended is None and position.plies_left == 0:
        ended = Outcome(None, "ply-limit")
    if ended is None:
        return position, events
    if ended.winner is None:
        last = Event("draw", {"reason": ended.reason})
    else:
        last = Event("win", {"player": ended.winner, "reason": ended.reason})
    return position._replace(outcome=ended), (*events, last)


@dataclass(frozen=True, slots=True)
class BambamBooboo:
    """The game as it plugs in; satisfies `seam.Game`."""

    name: str = "bambam-booboo"
    title: str = "Bambam Booboo"
    summary: str = "Slide two-place stones together on an open mat and be first to lay four of your own in a block."
    seats: tuple[int, int | None] = (PLAYERS, PLAYERS)
    default_players: int = PLAYERS
    sensing: str = "presence"
    options: tuple[Option, ...] = OPTIONS

    @property
    def rules_text(self) -> str:
        """The rules for a person at the table, as Markdown."""
        return resources.files("controller.games").joinpath("texts", f"{self.name}.md").read_text(encoding="utf-8")

    def rules(self, players: int | None = None, settings: Mapping[str, str] | None = None) -> BambamRules:
        """Return the rules for two players and these option values.

        Raises:
            OptionError: an unknown key, a value that the option does not take, or not two players.
        """
        if players not in (None, PLAYERS):
            raise OptionError(f"{self.title} is for two players, not {players}")
        given = option_values.merged(self.options, settings)
        width = option_values.number(_WIDTH, given[_WIDTH.key], 8, 32)
        height = option_values.number(_HEIGHT, given[_HEIGHT.key], 8, 32)
        most = option_values.number(_STONES, given[_STONES.key], 1)
        first = option_values.number(_FIRST, given[_FIRST.key], 1, PLAYERS)
        limit = given[_MAX_PLIES.key]
        max_plies = None if limit == _MAX_PLIES.default else option_values.number(_MAX_PLIES, limit, 1)
        # Written again from the numbers, so that 016 counts as 16.
        read = (width, height, most, first, _MAX_PLIES.default if max_plies is None else max_plies)
        values = {option.key: str(value) for option, value in zip(self.options, read, strict=True)}
        return BambamRules(
            mat=mat_of(width, height),
            most=most,
            first=first,
            max_plies=max_plies,
            settings=option_values.changed(self.options, values),
        )


GAME: Final = BambamBooboo()
