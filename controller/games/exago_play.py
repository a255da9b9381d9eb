"""Playing Exago: positions, turns, separation, and the duty towards the player to the left.

Everything here is a pure function of a `Setup`, a board and a `Position`. Sets of cells are ints
(`controller.games.exago_board`). Numbers such as (2.1) are paragraphs of ``texts/exago.md``.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from controller.games.exago_board import Board, Cells
from controller.games.seam import Cell, Outcome

LIMIT: Final = Outcome(None, "ply-limit")
BLOCKED: Final = Outcome(None, "blocked")
WON: Final = tuple(Outcome(player or None, "line") for player in range(7))
"""The win of each player; index 0 unused."""

_new: Final = tuple.__new__
"""Makes a named tuple without the detour through its own ``__new__``, which would double the time of a placement."""


class Move(NamedTuple):
    """One turn: a placement, a move from `origin`, or a pass, where all three fields are None.

    Fields:
        target: where the piece is put down.
        origin: where a piece on the board is taken out; None when it comes from the hand.
        stays: the least cell of the group that the mover lets stay, where groups tie; else None (3.2).
    """

    target: Cell | None
    origin: Cell | None = None
    stays: Cell | None = None


PASS: Final = Move(None)


class Position(NamedTuple):
    """Everything that the rules need to know about a round in progress.

    Fields:
        boards: shape (players,): each player's pieces on the board.
        hands: shape (players,): pieces in hand.
        owed: shape (players,): with ``free_moves=yes``, pieces that came back and are to be placed first (2.4).
        to_move: the number of the player on turn.
        occupied: all pieces on the board.
        free: where a piece from the hand may go: empty cells next to a piece; Start on an empty board.
        passes: how many passes in a row led here.
        plies: how many plies led here.
        scores: shape (players,): rounds won in the match before this one.
        ended: how the round ended, None while it goes on.
    """

    boards: tuple[Cells, ...]
    hands: tuple[int, ...]
    owed: tuple[int, ...]
    to_move: int
    occupied: Cells
    free: Cells
    passes: int
    plies: int
    scores: tuple[int, ...]
    ended: Outcome | None


@dataclass(frozen=True, slots=True)
class Setup:
    """The choices that a round is played under; fields are named as the options are."""

    players: int
    pieces: int
    need: int
    handicap: tuple[int, ...]
    first: int
    free_moves: bool
    always_dissolve: bool
    left_block: bool
    max_plies: int | None


class Step(NamedTuple):
    """What a turn led to.

    Fields:
        position: the position after it.
        returned: shape (players,): each player's pieces that went back to the hand.
        rows: the winning rows.
    """

    position: Position
    returned: tuple[Cells, ...]
    rows: Sequence[Cells]


class Play:
    """The turns of Exago on one board under one setup."""

    def __init__(self, board: Board, setup: Setup) -> None:
        """Take the board and the choices; build the table that turns sets of cells into placements."""
        self.board = board
        self.setup = setup
        self._players, self._need, self._max_plies = setup.players, setup.need, setup.max_plies
        self._none = (0,) * setup.players
        self._chunks = (board.width * (2 * board.radius + 1) + 7) // 8
        self._placements = tuple(self._table(8 * chunk) for chunk in range(self._chunks))

    def _table(self, first: int) -> tuple[tuple[Move, ...], ...]:
        """Return for each byte the placements on the cells that its bits mean in a set, from bit `first` on."""
        table: list[tuple[Move, ...]] = [()]
        for bit in range(first, first + 8):
            here = (Move(self.board.cell_at[bit]),) if bit in self.board.cell_at else ()
            table += [moves + here for moves in table]
        return tuple(table)

    # -- What may be played -------------------------------------------------------------------------------------------

    def turns(self, position: Position) -> list[Move]:
        """Return every turn that the rules give, the duty to the left (4.1) apart; a pass where there is none."""
        seat = position.to_move - 1
        moves: list[Move] = []
        in_hand = position.hands[seat]
        if in_hand:
            for table, byte in zip(self._placements, position.free.to_bytes(self._chunks, "little"), strict=False):
                if byte:
                    moves += table[byte]
        if not in_hand or (self.setup.free_moves and not position.owed[seat]):  # (2.3, 2.4)
            for origin in self.board.cells(position.boards[seat]):
                moves += self._moves_of(position, origin)
        return moves or [PASS]

    def legal(self, position: Position) -> Sequence[Move]:
        """Return every legal move; empty after the end."""
        if position.ended is not None:
            return ()
        turns = self.turns(position)
        return self._dutiful(position, turns) if self.setup.left_block else turns

    def _moves_of(self, position: Position, origin: Cell) -> list[Move]:
        """Return the moves of one piece of the player on turn."""
        board, occupied = self.board, position.occupied
        parts = board.parts(occupied, origin)
        if len(parts) <= 1:
            targets = board.around(occupied ^ board.bits[origin]) & ~occupied
            return [_new(Move, (target, origin, None)) for target in board.cells(targets)]
        if self.setup.always_dissolve:
            kept = _largest(parts)
            return [
                Move(target, origin, board.least(part) if len(kept) > 1 else None)
                for part in kept
                for target in board.cells(board.around(part) & ~occupied)
            ]
        return [move for case in self._cases(position, parts) for move in self._moves_parting(position, origin, *case)]

    def _cases(self, position: Position, parts: Sequence[Cells]) -> list[tuple[Cells, Cells, list[Cells]]]:
        """Return the empty cells next to `parts`, by which of them they touch.

        Returns:
            For each case: the cells, the parts that a piece there joins, as one set, and those that it leaves apart.
        """
        empty = self.board.everything & ~position.occupied
        cases: list[tuple[Cells, Cells, list[Cells]]] = [(empty, 0, [])]
        for part in parts:
            reach = self.board.around(part)
            joining = [(targets & reach, joined | part, apart) for targets, joined, apart in cases if targets & reach]
            leaving = [
                (targets & ~reach, joined, [*apart, part]) for targets, joined, apart in cases if targets & ~reach
            ]
            cases = joining + leaving
        return [case for case in cases if case[1]]

    def _moves_parting(
        self, position: Position, origin: Cell, targets: Cells, joined: Cells, apart: list[Cells]
    ) -> list[Move]:
        """Return the moves from `origin` to `targets`, which all join the same parts (3.1, 3.2)."""
        board, most = self.board, max(map(Cells.bit_count, apart), default=0)
        size = joined.bit_count() + 1
        rivals = [group for group in apart if group.bit_count() == most]
        if size > most or (size < most and len(rivals) == 1):
            return [_new(Move, (target, origin, None)) for target in board.cells(targets)]
        own = position.boards[position.to_move - 1] ^ board.bits[origin]
        moves = []
        for target in board.cells(targets):
            put = board.bits[target]
            if board.has_row(own | put, target, self._need):
                moves.append(Move(target, origin))
            else:
                kept = [*rivals, joined | put] if size == most else rivals
                moves += [Move(target, origin, board.least(group)) for group in sorted(kept, key=_lowest)]
        return moves

    def _joined(self, parts: Iterable[Cells], target: Cell) -> list[Cells]:
        """Return the groups that there are once a piece lies on `target` among `parts` (3.1, 3.4)."""
        near, joined, groups = self.board.near[target], self.board.bits[target], []
        for part in parts:
            if part & near:
                joined |= part
            else:
                groups.append(part)
        groups.append(joined)
        return groups

    # -- What a turn leads to -----------------------------------------------------------------------------------------

    def place(self, position: Position, cell: Cell) -> Position:
        """Return the position after placing a piece on `cell`, which must be allowed (2.2). Nothing can come apart."""
        boards, hands, owed, to_move, occupied, free, _, plies, scores, _ = position
        board, seat = self.board, to_move - 1
        bit = board.bits[cell]
        occupied |= bit
        plies += 1
        all_boards, all_hands = list(boards), list(hands)
        all_boards[seat] = own = boards[seat] | bit
        all_hands[seat] -= 1
        if owed[seat]:
            owed = (*owed[:seat], owed[seat] - 1, *owed[to_move:])
        ended = LIMIT if plies == self._max_plies else None
        if board.has_row(own, cell, self._need):
            ended = WON[to_move]
        following = to_move + 1 if to_move < self._players else 1
        free = (free | board.near[cell]) & ~occupied
        return _new(
            Position,
            (tuple(all_boards), tuple(all_hands), owed, following, occupied, free, 0, plies, scores, ended),
        )

    def step(self, position: Position, move: Move) -> Step:
        """Return what a turn leads to; it must be one that `turns` gives."""
        if move.target is None:
            return Step(self._passed(position), self._none, ())
        if move.origin is None:
            after = self.place(position, move.target)
            mine = after.boards[position.to_move - 1]
            rows = self.board.rows(mine, move.target, self.setup.need) if after.ended else ()
            return Step(after, self._none, rows)
        return self._move(position, move.origin, move.target, move.stays)

    def _passed(self, position: Position) -> Position:
        passes, plies = position.passes + 1, position.plies + 1
        ended = LIMIT if plies == self.setup.max_plies else None
        if passes == self.setup.players:
            ended = BLOCKED
        return position._replace(to_move=self._next(position.to_move), passes=passes, plies=plies, ended=ended)

    def _next(self, player: int) -> int:
        return player % self.setup.players + 1

    def _move(self, position: Position, origin: Cell, target: Cell, stays: Cell | None) -> Step:
        """Return what moving a piece leads to: rows first, then groups (3, 5.1), or the other way (3.5)."""
        board, setup, seat = self.board, self.setup, position.to_move - 1
        taken, put = board.bits[origin], board.bits[target]
        boards = [*position.boards]
        boards[seat] ^= taken
        parts = board.parts(position.occupied, origin)
        gone = 0
        if setup.always_dissolve:
            gone = position.occupied ^ taken ^ self._kept(parts, stays)
        boards[seat] |= put
        rows = board.rows(boards[seat] & ~gone, target, setup.need)
        if not setup.always_dissolve and not rows and len(parts) > 1:
            gone = position.occupied ^ taken ^ put ^ self._kept(self._joined(parts, target), stays)
        returned = tuple(pieces & gone for pieces in boards) if gone else self._none
        back = tuple(pieces.bit_count() for pieces in returned)
        occupied = (position.occupied ^ taken ^ put) & ~gone
        plies = position.plies + 1
        ended = LIMIT if plies == setup.max_plies else None
        after = Position(
            boards=tuple(pieces & ~gone for pieces in boards),
            hands=tuple(map(sum, zip(position.hands, back, strict=True))),
            owed=tuple(map(sum, zip(position.owed, back, strict=True))) if setup.free_moves else position.owed,
            to_move=self._next(position.to_move),
            occupied=occupied,
            free=board.around(occupied) & ~occupied,
            passes=0,
            plies=plies,
            scores=position.scores,
            ended=WON[position.to_move] if rows else ended,
        )
        return Step(after, returned, rows)

    def _kept(self, groups: Sequence[Cells], stays: Cell | None) -> Cells:
        """Return the group that stays: the one chosen by its least cell, or the largest."""
        kept = _largest(groups)
        if stays is None:
            return kept[0]
        return next(group for group in kept if self.board.least(group) == stays)

    # -- The player to the left ---------------------------------------------------------------------------------------

    def could_win(self, position: Position, player: int) -> bool:
        """Return whether some turn would win for that player, if it were that player's turn now (4.2).

        A cell that completes a row lies next to a piece of that row, so a piece may always be put there. A move takes
        its piece from outside that row.
        """
        seat = player - 1
        return self._winnable(position.boards[seat], position.occupied, position.hands[seat])

    def _winnable(self, own: Cells, occupied: Cells, in_hand: int) -> bool:
        """Return whether a player with these pieces on the board and so many in hand could win (4.2)."""
        board, need = self.board, self._need
        if not board.completions(own, need) & ~occupied:
            return False
        if in_hand:
            return True
        if own.bit_count() < need:
            return False
        if not self.setup.always_dissolve:
            return True
        return any(
            board.completions(own & part, need) & ~occupied
            for origin in board.cells(own)
            for part in _largest(board.parts(occupied, origin))
        )

    def duty(self, position: Position) -> int | None:
        """Return the player whom the player on turn must stop if any move does, or None (4.1)."""
        to_move, players = position.to_move, self.setup.players
        if not self.setup.left_block:
            return None
        others = [(to_move - 1 + ahead) % players + 1 for ahead in range(1, players)]
        threats = [player for player in others if self.could_win(position, player)]
        return threats[0] if len(threats) > 1 and not self.could_win(position, to_move) else None

    def _dutiful(self, position: Position, turns: list[Move]) -> list[Move]:
        """Return the turns that stop whom the mover must stop; all if there is no such duty or no such turn."""
        first = self.duty(position)
        if first is None:
            return turns
        return self._stopping(position, turns, first) or turns

    def _stopping(self, position: Position, turns: list[Move], player: int) -> list[Move]:
        """Return the turns after which `player` could not win; the player on turn can win by none of them.

        A cell that completes a row lies next to that row. If the row stays on the board, so does what lies there, but
        for the piece that moves. So a turn that leaves no completing cell empty stops the player, whatever comes apart;
        one that parts nothing stops the player only so, unless ``always_dissolve=yes`` keeps a row from being made.
        """
        board, seat = self.board, player - 1
        own, in_hand = position.boards[seat], position.hands[seat]
        wanted = board.completions(own, self._need)
        simple = not self.setup.always_dissolve or in_hand > 0
        parts_of: dict[Cell, list[Cells]] = {}
        stopping = []
        for move in turns:
            target, origin, stays = move
            put = 0 if target is None else board.bits[target]
            taken, gone = 0, 0
            parts: list[Cells] = []
            if origin is not None:
                taken = board.bits[origin]
                if origin not in parts_of:
                    parts_of[origin] = board.parts(position.occupied, origin)
                parts = parts_of[origin]
            occupied = position.occupied ^ taken ^ put
            if not wanted & ~occupied:
                stopping.append(move)
            elif len(parts) > 1 and target is not None:
                if self.setup.always_dissolve:
                    gone = position.occupied ^ taken ^ self._kept(parts, stays)
                else:
                    gone = occupied ^ self._kept(self._joined(parts, target), stays)
                if not self._winnable(own & ~gone, occupied & ~gone, in_hand + (own & gone).bit_count()):
                    stopping.append(move)
            elif not simple and not self._winnable(own, occupied, in_hand):
                stopping.append(move)
        return stopping


def _largest(groups: Sequence[Cells]) -> list[Cells]:
    """Return the groups of the greatest size, in the order given."""
    if len(groups) == 1:
        return [groups[0]]
    most = max(group.bit_count() for group in groups)
    return [group for group in groups if group.bit_count() == most]


def _lowest(group: Cells) -> int:
    return group & -group
