"""Exago: a row of the own colour on a growing island of hexagons, for two to six.

The rules for a person: ``texts/exago.md``; numbers such as (2.1) point into that page. Values and pure functions only.
The board is in `controller.games.exago_board`, playing in `controller.games.exago_play`; here are the options, the text
forms and what outside sees.
"""

import re
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any, Final

from controller.games import refusals, settings
from controller.games.exago_board import Board, Cells
from controller.games.exago_play import PASS, WON, Move, Play, Position, Setup, Step
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

COLOURS: Final = ("", "R", "B", "Y", "G", "P", "O")
"""The letter of each player's colour: red, blue, yellow, green, purple, orange; index 0 is an empty cell (1.2)."""

_BY_PLAYERS: Final = "auto"
_NO_LIMIT: Final = "none"

_new: Final = tuple.__new__
"""Makes a named tuple without the detour through its own ``__new__``."""

OPTIONS: Final = (
    Option("radius", "5", "2 to 7", "Cells from the middle of the board to a corner."),
    Option("pieces", _BY_PLAYERS, "1 or more", "Pieces a player: 12 for two players, 6 for more, unless given."),
    Option("need", _BY_PLAYERS, "2 or more", "The row that wins: 5 for two players, 4 for more, unless given."),
    Option(
        "handicap",
        "0",
        "for each player in seat order 0, 1 or 2 pieces, no more than the player has, commas between",
        "Takes pieces away from players at the start.",
    ),
    Option("first", "1", "the number of a player", "Who begins."),
    Option("free_moves", "no", "yes or no", "Whether pieces on the board may be moved while there are pieces in hand."),
    Option("always_dissolve", "no", "yes or no", "Whether cut-off groups go back before the moved piece is put down."),
    Option(
        "left_block", "enforce", "enforce or off", "Whether three or more players must stop the next one who could win."
    ),
    Option("max_plies", _NO_LIMIT, "1 or more, or none", "After how many turns the round is drawn."),
)
_RADIUS, _PIECES, _NEED, _HANDICAP, _FIRST, _FREE, _DISSOLVE, _LEFT, _PLIES = OPTIONS

_TOKEN: Final = re.compile(
    r"(?:(?P<origin>[a-o][1-9][0-9]?)-)?(?P<target>[a-o][1-9][0-9]?)(?::(?P<stays>[a-o][1-9][0-9]?))?"
)
_PIECE: Final = re.compile(r"(?P<cell>[^:]*):(?P<colour>[^:]*)")


class ExagoRules:
    """Exago for so many players under a choice of options, as `controller.games.seam.Rules`."""

    name = "exago"
    surface = "hexagon"
    stones: tuple[str, ...] = COLOURS

    def __init__(self, players: int, given: Mapping[str, str] | None = None) -> None:
        """Read the options.

        Args:
            players: 2 to 6.
            given: option values; the others stand at their defaults.

        Raises:
            OptionError: an unknown key or a value that it does not take.
        """
        values = settings.merged(OPTIONS, given)
        self.players = players
        self._board = Board.of(settings.number(_RADIUS, values["radius"], 2, 7))
        self._setup = _read_setup(players, values)
        self._play = Play(self._board, self._setup)
        self.settings: Mapping[str, str] = _written(self._board.radius, self._setup)
        self.cells: tuple[Place, ...] = self._board.places
        self._cell_of = {name: cell for cell, name in enumerate(self._board.names)}
        setup = self._setup
        self._pieces = tuple(setup.pieces - taken for taken in setup.handicap)

    # -- Playing ------------------------------------------------------------------------------------------------------

    def initial(self) -> Position:
        """Return the start of a round: an empty board (2.1)."""
        return self._at(self._setup.first, (0,) * self.players, (0,) * self.players)

    def to_move(self, position: Position) -> int:
        """Return the number of the player on turn."""
        return position.to_move

    def legal(self, position: Position) -> Sequence[Move]:
        """Return every legal move: placements sorted by cell, then moves, sorted by the cell of the piece."""
        return self._play.legal(position)

    def apply(self, position: Position, move: Move) -> tuple[Position, tuple[Event, ...]]:
        """Return the position after `move` and what happened.

        Raises:
            IllegalMoveError: the rules forbid it here; says which.
        """
        target, origin, stays = move
        if (
            origin is None
            and stays is None
            and target is not None
            and position.ended is None
            and position.hands[position.to_move - 1]
            and self._board.bits.get(target, 0) & position.free
        ):
            if self._setup.left_block:
                self._refuse_undutiful(position, move)
            after = self._play.place(position, target)
            facts = {"cell": self._board.names[target], "colour": COLOURS[position.to_move]}
            event = _new(Event, ("place", facts))
            return after, (event,) if after.ended is None else (event, *self._closing(position, move))
        self._refuse_illegal(position, move)
        step = self._play.step(position, move)
        names = self._board.names
        if target is None or origin is None:
            event = Event("pass", {})
        else:
            event = Event("move", {"from": names[origin], "to": names[target]})
        returns = (
            Event("return", {"owner": owner, "cells": self._names(cells)})
            for owner, cells in enumerate(step.returned, start=1)
            if cells
        )
        return step.position, (event, *returns, *self._ending(step, position.to_move))

    def outcome(self, position: Position) -> Outcome | None:
        """Return how the round ended, or None while it goes on (2.5, 5.1, 5.2)."""
        return position.ended

    def scores(self, position: Position) -> tuple[int, ...]:
        """Return the rounds won in the match before this one, player 1 first."""
        return position.scores

    def hands(self, position: Position) -> dict[str, Any]:
        """Return the pieces in hand by player: ``{"1": 11, "2": 12}``."""
        return {str(player): count for player, count in enumerate(position.hands, start=1)}

    def supply(self, position: Position) -> Mapping[str, int]:
        """Return the pieces in hand by the owner's number."""
        return self.hands(position)

    def duty(self, position: Position) -> int | None:
        """Return the player whom the player on turn must stop, if any move can; None without such a duty (4.1)."""
        return None if position.ended is not None else self._play.duty(position)

    def tie_groups(self, position: Position, move: Move) -> dict[Move, tuple[Cell, ...]]:
        """Return, where groups tie for largest, each choice that the mover has, with the cells that it takes off.

        Args:
            position: before the move.
            move: any legal move with the origin and target in question, whatever it lets stay.

        Returns:
            A move for each group that may stay, by that group's least cell, with all cells that then go back, sorted;
            empty where nothing ties.
        """
        if move.stays is None:
            return {}
        choices = [other for other in self.legal(position) if other[:2] == move[:2]]
        return {other: tuple(self._board.cells(_union(self._play.step(position, other)))) for other in choices}

    # -- Text ---------------------------------------------------------------------------------------------------------

    def move_text(self, move: Move) -> str:
        """Return the token: ``f7``, ``e5-g7``, ``e5-g7:d4`` or ``pass``."""
        if move.target is None:
            return "pass"
        names = self._board.names
        origin = "" if move.origin is None else f"{names[move.origin]}-"
        return f"{origin}{names[move.target]}" + ("" if move.stays is None else f":{names[move.stays]}")

    def parse_move(self, text: str) -> Move:
        """Return the move that a token names. Round-trips with `move_text`.

        Raises:
            NotationError: the text is no token, or names a cell that this board has not.
        """
        if text == "pass":
            return PASS
        found = _TOKEN.fullmatch(text)
        if found is None or (found["stays"] and not found["origin"]):
            raise NotationError(
                f"{text!r} is no move; write f7 to place, e5-g7 to move, e5-g7:d4 to say what stays, or pass"
            )
        target, origin, stays = (
            None if found[part] is None else self._cell(found[part], text) for part in ("target", "origin", "stays")
        )
        return Move(target, origin, stays)

    def position_text(self, position: Position) -> str:
        """Return the occupied cells with their colours, sorted: ``f6:R,f7:B``; empty for an empty board."""
        contents = self.contents(position)
        return ",".join(
            f"{name}:{COLOURS[colour]}" for name, colour in zip(self._board.names, contents, strict=True) if colour
        )

    def parse_position(self, text: str, to_move: int = 1, scores: Sequence[int] = ()) -> Position:
        """Return the position of that text; all pieces that it does not show are in hand. Won if it shows a row.

        Args:
            text: as `position_text` gives it; the order of the cells does not matter.
            to_move: the player on turn.
            scores: shape (players,): rounds won; zeros unless given.

        Raises:
            NotationError: a cell or colour that there is not, a cell twice, more pieces than a player has, pieces that
                do not hang together, or no such player or scores.
        """
        if not 1 <= to_move <= self.players:
            raise NotationError(f"player {to_move} cannot be on turn; the players are 1 to {self.players}")
        if scores and (len(scores) != self.players or min(scores) < 0):
            raise NotationError(f"scores {list(scores)}: write {self.players} numbers, each 0 or more")
        boards = self._parse_boards(text)
        for colour, pieces, most in zip(COLOURS[1:], boards, self._pieces, strict=False):
            if pieces.bit_count() > most:
                raise NotationError(f"{pieces.bit_count()} pieces of {colour} are more than the {most} that there are")
        position = self._at(to_move, boards, tuple(scores) or (0,) * self.players)
        groups = self._board.groups(position.occupied)
        if position.ended is None and len(groups) > 1:
            stray = self._board.names[self._board.least(groups[1])]
            raise NotationError(
                f"the pieces fall into {len(groups)} groups; all must hang together, and {stray} does not"
            )
        return position

    def spot(self, text: str) -> tuple[Cell, ...]:
        """Return the one cell of that name.

        Raises:
            NotationError: there is no such cell on this board.
        """
        return (self._cell(text, text),)

    # -- The board in hands -------------------------------------------------------------------------------------------

    def contents(self, position: Position) -> tuple[int, ...]:
        """Return shape (cells,): the number of the player whose piece lies on each cell, or 0."""
        contents = [0] * len(self.cells)
        for player, pieces in enumerate(position.boards, start=1):
            for cell in self._board.cells(pieces):
                contents[cell] = player
        return tuple(contents)

    def footprint(self, position: Position, move: Move) -> Footprint:
        """Return what a legal move leaves: the piece that went, the one that came, the pieces to be taken off then."""
        if move.target is None:
            return Footprint(frozenset(), {})
        after = {move.target: position.to_move}
        if move.origin is None:
            return Footprint(frozenset(), after)
        gone = self._board.cells(_union(self._play.step(position, move)))
        return Footprint(frozenset({move.origin}), {move.origin: 0, **after}, dict.fromkeys(gone, 0))

    # -- Inside -------------------------------------------------------------------------------------------------------

    def _at(self, to_move: int, boards: tuple[Cells, ...], scores: tuple[int, ...]) -> Position:
        """Return the position with these pieces on the board and all others in hand."""
        occupied = sum(boards)
        board = self._board
        return Position(
            boards=boards,
            hands=tuple(most - pieces.bit_count() for most, pieces in zip(self._pieces, boards, strict=True)),
            owed=(0,) * self.players,
            to_move=to_move,
            occupied=occupied,
            free=board.around(occupied) & ~occupied if occupied else board.bits[board.start],
            passes=0,
            plies=0,
            scores=scores,
            ended=self._row_shown(boards, to_move),
        )

    def _row_shown(self, boards: tuple[Cells, ...], to_move: int) -> Outcome | None:
        """Return the win of a player who has a row on the board; of several, of the one who moved last."""
        for ahead in range(1, self.players + 1):
            seat = (to_move - 1 - ahead) % self.players
            if any(
                self._board.has_row(boards[seat], cell, self._setup.need) for cell in self._board.cells(boards[seat])
            ):
                return WON[seat + 1]
        return None

    def _cell(self, name: str, text: str) -> Cell:
        if name not in self._cell_of:
            names = self._board.names
            raise NotationError(f"{text!r}: there is no cell {name!r}; this board has {names[0]} to {names[-1]}")
        return self._cell_of[name]

    def _names(self, cells: Cells) -> list[str]:
        return [self._board.names[cell] for cell in self._board.cells(cells)]

    def _parse_boards(self, text: str) -> tuple[Cells, ...]:
        boards, occupied = [0] * self.players, 0
        for piece in text.split(",") if text else ():
            found = _PIECE.fullmatch(piece)
            if found is None:
                raise NotationError(f"{piece!r} is no piece on a cell; write the cell and the colour, as in f6:R")
            bit = self._board.bits[self._cell(found["cell"], piece)]
            if found["colour"] not in COLOURS[1 : self.players + 1]:
                colours = ", ".join(COLOURS[1 : self.players + 1])
                raise NotationError(f"{piece!r}: {found['colour']!r} is no colour in this game; it has {colours}")
            if occupied & bit:
                raise NotationError(f"{found['cell']} is named twice; a cell holds one piece")
            occupied |= bit
            boards[COLOURS.index(found["colour"]) - 1] |= bit
        return tuple(boards)

    def _refuse_undutiful(self, position: Position, move: Move) -> None:
        """Raise IllegalMoveError if the mover owes the player to the left another move (4.1)."""
        first = self._play.duty(position)
        if first is not None and move not in self._play.legal(position):
            raise IllegalMoveError(
                f"after {self.move_text(move)} player {first} could still win; a move that prevents it must be chosen "
                "(left_block=enforce)"
            )

    def _refuse_illegal(self, position: Position, move: Move) -> None:
        """Raise IllegalMoveError unless `move` is legal."""
        if position.ended is not None:
            raise IllegalMoveError(f"the round is over ({position.ended.reason})")
        if move not in self._play.turns(position):
            raise IllegalMoveError(self._why_not(position, move))
        self._refuse_undutiful(position, move)

    def why_not(self, position: Position, seen: Mapping[Cell, Content | None]) -> str:
        """Return why what was put down or moved is no move: see `controller.games.seam.Explainer`."""
        filled, emptied, changed = refusals.stirred(self.contents(position), seen)
        names, mover = self._board.names, position.to_move
        for cell in filled:
            if seen[cell] not in (None, mover) and not emptied:
                return f"the piece on {names[cell]} is not player {mover}'s, who is on turn"
        if changed or len(emptied) > 1 or len(filled) != 1:
            return "" if changed or emptied else refusals.too_many(filled, "one piece", 1)
        return refusals.refused(self, position, Move(filled[0], emptied[0] if emptied else None))

    def _why_not(self, position: Position, move: Move) -> str:
        """Return in plain words why a turn that the rules do not give is forbidden."""
        names, seat = self._board.names, position.to_move - 1
        if move.target is None:
            return "passing is for a player who can neither place nor move"
        if not all(part is None or 0 <= part < len(names) for part in move):
            return f"{tuple(move)} names a cell that is not on the board"
        target = names[move.target]
        if self._board.bits[move.target] & position.occupied:
            return f"{target} is taken; choose an empty cell"
        if move.origin is None:
            return self._why_not_placed(position, target)
        origin = names[move.origin]
        if not self._board.bits[move.origin] & position.boards[seat]:
            return f"{origin} holds no piece of player {position.to_move}"
        if position.hands[seat] and not self._setup.free_moves:
            return "a piece in hand must be placed before a piece on the board may be moved"
        if position.hands[seat] and position.owed[seat]:
            return "pieces that came back must be placed before a piece on the board may be moved"
        return self._why_not_moved(position, move, origin, target)

    def _why_not_placed(self, position: Position, target: str) -> str:
        if not position.hands[position.to_move - 1]:
            return "there is no piece in hand; move one from the board, as in e5-g7"
        if not position.occupied:
            return f"the first piece goes on {self._board.names[self._board.start]}"
        return f"{target} touches no piece"

    def _why_not_moved(self, position: Position, move: Move, origin: str, target: str) -> str:
        like = [other for other in self._play.turns(position) if other[:2] == move[:2]]
        if not like:
            return f"{target} touches nothing that stays once {origin} is taken out"
        choices = " or ".join(self.move_text(other) for other in like)
        if move.stays is None:
            return f"groups tie for largest; say which one stays: {choices}"
        return f"{self._board.names[move.stays]} is not the least cell of a group that may stay; write {choices}"

    def _closing(self, position: Position, move: Move) -> tuple[Event, ...]:
        """Return the events that close the round with a placement."""
        return self._ending(self._play.step(position, move), position.to_move)

    def _ending(self, step: Step, player: int) -> tuple[Event, ...]:
        """Return the winning rows and the win, or the draw, or nothing while the round goes on."""
        ended = step.position.ended
        if ended is None:
            return ()
        if ended.winner is None:
            return (Event("draw", {"reason": ended.reason}),)
        rows = (Event("line", {"cells": self._names(row)}) for row in step.rows)
        return (*rows, Event("win", {"player": player, "reason": ended.reason}))


def _union(step: Step) -> Cells:
    """Return all cells whose pieces went back."""
    return sum(step.returned)


def _yes(option: Option, value: str) -> bool:
    return settings.choice(option, value, ("yes", "no")) == "yes"


def _read_setup(players: int, values: Mapping[str, str]) -> Setup:
    """Return the choices that option values stand for.

    Raises:
        OptionError: a value that its option does not take.
    """
    two = players == 2

    def or_default(option: Option, least: int, default: int) -> int:
        value = values[option.key]
        return default if value == _BY_PLAYERS else settings.number(option, value, least)

    pieces = or_default(_PIECES, 1, 12 if two else 6)
    taken = values["handicap"].split(",")
    if len(taken) > players or any(count not in ("0", "1", "2") or int(count) > pieces for count in taken):
        raise settings.refused(_HANDICAP, values["handicap"])
    return Setup(
        players=players,
        pieces=pieces,
        need=or_default(_NEED, 2, 5 if two else 4),
        handicap=tuple(map(int, taken)) + (0,) * (players - len(taken)),
        first=settings.number(_FIRST, values["first"], 1, players),
        free_moves=_yes(_FREE, values["free_moves"]),
        always_dissolve=_yes(_DISSOLVE, values["always_dissolve"]),
        left_block=settings.choice(_LEFT, values["left_block"], ("enforce", "off")) == "enforce" and players > 2,
        max_plies=None if values["max_plies"] == _NO_LIMIT else settings.number(_PLIES, values["max_plies"], 1),
    )


def _written(radius: int, setup: Setup) -> dict[str, str]:
    """Return the options that differ from their defaults, written in one way only."""
    two = setup.players == 2
    handicap = ",".join(map(str, setup.handicap))
    values = {
        "radius": str(radius),
        "pieces": _BY_PLAYERS if setup.pieces == (12 if two else 6) else str(setup.pieces),
        "need": _BY_PLAYERS if setup.need == (5 if two else 4) else str(setup.need),
        "handicap": re.sub(r"(,0)+$", "", handicap),
        "first": str(setup.first),
        "free_moves": "yes" if setup.free_moves else "no",
        "always_dissolve": "yes" if setup.always_dissolve else "no",
        "left_block": "enforce" if setup.left_block or two else "off",
        "max_plies": _NO_LIMIT if setup.max_plies is None else str(setup.max_plies),
    }
    return settings.changed(OPTIONS, values)


class Exago:
    """The game as it plugs in (`controller.games.seam.Game`)."""

    name = "exago"
    title = "Exago"
    summary = "Put a row of your colour together on a growing island of hexagons; what is cut off goes home."
    seats: tuple[int, int | None] = (2, 6)
    default_players = 2
    sensing = "presence"
    options: tuple[Option, ...] = OPTIONS

    @property
    def rules_text(self) -> str:
        """The rules for a person at the table, as Markdown."""
        return resources.files("controller.games").joinpath("texts/exago.md").read_text(encoding="utf-8")

    def rules(self, players: int | None = None, settings: Mapping[str, str] | None = None) -> ExagoRules:
        """Return the rules for so many players under these option values.

        Raises:
            OptionError: fewer than 2 or more than 6 players, an unknown key or a bad value.
        """
        count = self.default_players if players is None else players
        if not 2 <= count <= 6:
            raise OptionError(f"Exago is for 2 to 6 players, not {count}")
        return ExagoRules(count, settings)


GAME: Final = Exago()
