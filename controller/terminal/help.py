"""What can be typed, in words, for the game that is played. Pure."""

from typing import Final

from controller.games.seam import AnyRules
from controller.table.view import BUTTONS

_MOVES: Final[dict[str, str]] = {
    "bamogo": "Ra1 Bb1 (place two stones), a1~b1 (swap two stones)",
    "bao-kigogo": "d5 (sow from that pit)",
    "exago": "e5 (place a piece), e5-g7 (move a piece)",
    "bambam-booboo": "He8 (slide a stone in), He8-Vc4 (move a stone)",
}
"""Examples of the moves of each game."""

_PLAY: Final = """\
A move: the hands of the simulated board make it, stone by stone.
  {moves}
  pass, where there is no other move

Single steps of a hand, in real time:
"""

_ALWAYS: Final = """\
Buttons: {buttons}; press 1 presses a seat.
touch CELL points at a cell where the board asks which one, or at one that is played without, to try it again.
help, rules, quit. The arrow keys bring back earlier lines, Tab completes one, Ctrl-L draws anew.

Marks and colours on the board are its lights; the line below the board says what they mean.
"""

_REAL: Final = """\
This is a real board: its stones are moved by your hands, and the terminal shows what it senses.

"""


def help_text(rules: AnyRules, *, real: bool) -> str:
    """Return what can be typed.

    Args:
        rules: of the game that is played.
        real: whether the board is a real one.
    """
    always = _ALWAYS.format(buttons=", ".join(BUTTONS))
    if real:
        return _REAL + always
    steps = _steps(rules)
    width = max(len(step) for step, _ in steps)
    rows = [f"  {step:<{width}}  {what}\n" for step, what in steps]
    moves = _MOVES.get(rules.name, "as a record of this game writes them")
    return _PLAY.format(moves=moves) + "".join(rows) + "\n" + always


def _steps(rules: AnyRules) -> list[tuple[str, str]]:
    """Return examples of hand steps, each with what it does."""
    mat = rules.surface == "mat"
    here, there = ("He8", "He4") if mat else (rules.cells[0].name, rules.cells[1].name)
    if not rules.stones:
        return [
            (f"lift {here}", "take all seeds of a pit"),
            (f"drop {there}", "put one seed into a pit"),
            (f"drop {there} x3", "put three seeds into it"),
            (f"brush {here}", "lift the seeds and put them back"),
        ]
    steps = [
        (f"lift {here}", "take the stone that lies there"),
        (f"drop {here} {rules.stones[1]}", "put that stone down"),
        (f"drop {there}", "put down the stone that was lifted last"),
        (f"brush {here}", "lift a stone and put it back"),
        (f"slide {here} {there}", "drag a stone in a straight line (speed=60: milliseconds a cell)"),
    ]
    if mat:
        steps.append(("slide off He8 1", "drag a stone in from off the mat (from=west says from where)"))
    return steps
