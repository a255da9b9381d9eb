"""The table of commands."""

import argparse
import importlib
from typing import Final, NamedTuple, Protocol, cast


class CommandModule(Protocol):
    """What a command's module offers."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's arguments."""

    def run(self, args: argparse.Namespace) -> int:
        """Do it, and return the exit status: 0 done, 1 failed or a bad record, 2 wrongly called."""


class Command(NamedTuple):
    """One command.

    Fields:
        name: what a person types.
        help: one line for the list of commands, without a full stop.
        module: where its code is.
        unix: whether it needs Linux or macOS: it waits for ports, terminals or signals as only these let it.
    """

    name: str
    help: str
    module: str
    unix: bool = False

    def load(self) -> CommandModule:
        """Return the command's module, importing it now."""
        return cast("CommandModule", importlib.import_module(self.module))


COMMANDS: Final = (
    Command(
        "play", "play a game on a real board, or on a simulated one in the browser", "controller.cli.play", unix=True
    ),
    Command("wiring", "list the wires, parts and currents of a board, and draw them", "controller.cli.wiring"),
    Command("setup", "describe your own board, from nothing to a checked profile", "controller.cli.setup"),
    Command("doctor", "check this computer and a board, and say what to do", "controller.cli.doctor", unix=True),
    Command(
        "calibrate",
        "teach a board where its cells are, and what its stones look like",
        "controller.cli.calibrate",
        unix=True,
    ),
    Command("monitor", "watch what every cell of a board reads, live", "controller.cli.monitor"),
    Command("flash", "put the firmware onto a board's micro-controller", "controller.cli.flash"),
    Command("dump", "show what passes on the wire of a board", "controller.cli.dump"),
    Command("install-service", "have the system start a board by itself", "controller.cli.install_service", unix=True),
    Command("bug-report", "write down what a running board has seen, for its makers", "controller.cli.bug_report"),
    Command("lights", "choose brightness, night and colours of a running board", "controller.cli.lights"),
    Command("games", "list the games, with their players and options", "controller.cli.games"),
    Command("rules", "print the rules of a game", "controller.cli.rules"),
    Command("rehearse", "play a script of what hands do, in simulated time", "controller.cli.rehearse"),
    Command("replay", "play a record through", "controller.cli.replay"),
    Command("perft", "count the ways to play so many plies", "controller.cli.perft"),
)
