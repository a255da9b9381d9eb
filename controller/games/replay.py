"""Playing a record through: what each ply does, as the values that outside programs read, or as lines for a person."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from controller.games.records import read_record
from controller.games.seam import AnyRules, Event, IllegalMoveError, RulesError, load_game

Line: TypeAlias = dict[str, Any]
"""What `replay` yields: a state (``ply``, ``move``, ``player``, ``to_move``, ``position``, ``scores``, ``hands``,
``legal``, ``events``, ``outcome``) or a fault (``ply``, ``error``, ``move``). Every value can be written as JSON."""


def replay(text: str) -> Iterator[Line]:
    """Play a record through.

    Yields the start position, then a state for each ply. At the first fault it yields that and stops; its ``ply`` is
    None where the fault belongs to no ply, such as a tag or an option.
    """
    try:
        record, unread = read_record(text)
        rules = load_game(record.game).rules(record.players, record.settings)
    except RulesError as error:
        yield fault(str(error))
        return
    position = rules.initial()
    yield state(rules, position)
    for ply, written in enumerate(record.plies, start=1):
        try:
            if (ended := rules.outcome(position)) is not None:
                raise IllegalMoveError(f"the round is over: {_ended(ended.as_json())}")
            move = rules.parse_move(written.move)
            player = rules.to_move(position)
            position, events = rules.apply(position, move)
        except RulesError as error:
            yield fault(str(error), ply, written.move)
            return
        yield state(rules, position, ply, rules.move_text(move), player=player, events=events)
    if unread is not None:
        yield fault(str(unread), unread.ply, unread.move)


def fault(why: str, ply: int | None = None, move: str | None = None) -> Line:
    """Return the line of a fault."""
    return {"ply": ply, "error": why, "move": move}


def state(
    rules: AnyRules,
    position: Any,
    ply: int = 0,
    move: str | None = None,
    *,
    player: int | None = None,
    events: Sequence[Event] = (),
) -> Line:
    """Return the line of a position: reached by `move` of `player` in that ply, or the start."""
    outcome = rules.outcome(position)
    return {
        "ply": ply,
        "move": move,
        "player": player,
        "to_move": rules.to_move(position),
        "position": rules.position_text(position),
        "scores": list(rules.scores(position)),
        "hands": rules.hands(position),
        "legal": sorted(map(rules.move_text, rules.legal(position))),
        "events": [event.as_json() for event in events],
        "outcome": None if outcome is None else outcome.as_json(),
    }


def plain(line: Line) -> str:
    """Return a state of `replay` for a person: the move, what happened, the board, and whose turn it is."""
    rows = [f"{line['ply']}. {line['move']}  (player {line['player']})" if line["ply"] else "Start"]
    rows += [f"   {_event(event)}" for event in line["events"]]
    rows += [f"     {row}" for row in (line["position"] or "(empty)").split("/")]
    rows.append(f"   scores: {', '.join(map(str, line['scores']))}; off the board: {_words(line['hands'])}")
    outcome = line["outcome"]
    rows.append(f"   player {line['to_move']} to move" if outcome is None else f"   {_ended(outcome)}")
    return "\n".join(rows)


def _ended(outcome: Mapping[str, Any]) -> str:
    if outcome["winner"] is None:
        return f"drawn ({outcome['reason']})"
    return f"player {outcome['winner']} has won ({outcome['reason']})"


def _event(event: Mapping[str, Any]) -> str:
    facts = ", ".join(f"{key} {_words(value)}" for key, value in event.items() if key != "type")
    return f"{event['type']}: {facts}" if facts else str(event["type"])


def _words(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_words(inner)}" for key, inner in value.items())
    if isinstance(value, list | tuple):
        return " ".join(map(_words, value))
    return str(value)
