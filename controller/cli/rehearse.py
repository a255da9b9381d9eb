"""``stonelight rehearse``: play a script of what hands do, in simulated time."""

import argparse
import json
import sys
from collections.abc import Callable

from controller.app.simulated import CombinationError, Firmware
from controller.cli.files import read_bytes
from controller.cli.status import DONE, FAILED, UsageError
from controller.games.seam import AnyRules
from controller.rehearse.report import is_report, replay_report
from controller.rehearse.runner import Listener
from controller.rehearse.runner import run as run_script
from controller.rehearse.script import ScriptError
from controller.rehearse.steps import RehearsalError
from controller.table.notices import Notice
from controller.table.view import hex_colours
from hardware.ports import DeviceError, Frame, Millis


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the script, the form of what is printed, the depth and the seed."""
    parser.add_argument(
        "script", metavar="SCRIPT", help="the script, or a file of `stonelight bug-report`; - reads it from the input"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a line, for programs")
    parser.add_argument("--frames", action="store_true", help="print every change of the lights as well")
    parser.add_argument(
        "--via", metavar="V", help="how deep the stand-in reaches (memory, pins, wire), whatever the script says"
    )
    parser.add_argument(
        "--firmware",
        metavar="F",
        choices=[firmware.value for firmware in Firmware],
        default=Firmware.CPYTHON.value,
        help="what runs the board's firmware at the other end of via=wire: cpython (default) or micropython",
    )
    parser.add_argument("--seed", metavar="N", type=int, help="what everything random starts from (default: 0)")


def run(args: argparse.Namespace) -> int:
    """Print what happens, as it happens; a step that fails is named and makes the exit status 1."""
    text = _text(read_bytes(args.script, "a script of steps, as docs/rehearsals.md lists them"), args.script)
    show: Callable[[dict[str, object]], None] = _print_json if args.json else _print_plain

    def heard(notice: Notice) -> None:
        show(notice.as_json())

    def seen(now: Millis, frame: Frame, rules: AnyRules) -> None:
        if args.frames:
            lights = zip((place.name for place in rules.cells), hex_colours(frame), strict=False)
            show({"t": now, "type": "frame", "pixels": {name: light for name, light in lights if light != "#000000"}})

    listener = Listener(heard, seen)
    try:
        if is_report(text):
            replay_report(text, listener)
        else:
            run_script(text, listener, via=args.via, seed=args.seed, firmware=Firmware(args.firmware))
    except CombinationError as error:
        raise UsageError(f"{args.script}: {error}") from error
    except DeviceError as error:
        sys.stdout.flush()
        print(f"stonelight: {args.script}: {error}", file=sys.stderr)
        return FAILED
    except (ScriptError, RehearsalError) as error:
        if args.json:
            _print_json({"t": error.at, "type": "error", "message": str(error), "line": error.line})
        sys.stdout.flush()
        print(f"stonelight: {args.script}: line {error.line}: {error}", file=sys.stderr)
        return FAILED
    return DONE


def _text(script: bytes, file: str) -> str:
    try:
        return script.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = script.count(b"\n", 0, error.start) + 1
        raise UsageError(
            f"{file}: the script is not UTF-8 text: line {line} has a byte that cannot be read; save it as UTF-8"
        ) from error


def _print_json(line: dict[str, object]) -> None:
    print(json.dumps(line))


def _print_plain(line: dict[str, object]) -> None:
    facts = {key: value for key, value in line.items() if key not in {"t", "type"}}
    at = line["t"]
    assert isinstance(at, int)
    print(f"{at / 1000:9.3f}  {line['type']:<9} {_PLAIN.get(str(line['type']), _pairs)(facts)}")


def _pairs(facts: dict[str, object]) -> str:
    return "  ".join(f"{key} {_words(value)}" for key, value in facts.items() if value not in ([], {}))


def _words(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_words(inner)}" for key, inner in value.items())
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _event(facts: dict[str, object]) -> str:
    event = facts["event"]
    assert isinstance(event, dict)
    return " ".join([str(event["type"]), _pairs({key: value for key, value in event.items() if key != "type"})])


_PLAIN: dict[str, Callable[[dict[str, object]], str]] = {
    "phase": lambda facts: str(facts["phase"]),
    "move": lambda facts: f"{facts['move']}  by player {facts['player']}",
    "event": _event,
}
