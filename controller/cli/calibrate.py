"""``stonelight calibrate``: teach a board where its cells and pixels are wired, and what its stones look like."""

import argparse
import errno
import sys
import tomllib
from pathlib import Path
from typing import Any

from controller.bench.calibrate import teach
from controller.bench.files import PlaceError, behind, check_place, free_name, set_aside, write_whole
from controller.bench.learned import learned_of, learned_text, report
from controller.bench.person import Person, StoppedError
from controller.bench.progress import Progress, UnusableError, load_progress, progress_path, save_progress
from controller.bench.road import Road
from controller.cli.at_bench import AtTerminal
from controller.cli.bench_roads import real_road
from controller.cli.files import why
from controller.cli.profiles import add_board, add_port, check_port
from controller.cli.status import DONE, FAILED, INTERRUPTED, UsageError
from hardware.ports import DeviceError
from hardware.profile import Profile, ProfileError, check_profile, load_profile, parse_profile, profile_names
from hardware.profile_calibration import calibrated, calibration_path, fingerprint, is_simulated


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the board."""
    add_board(parser, "your board's profile, which stays as it is")
    add_port(parser)
    parser.add_argument("--sim", action="store_true", help="on a simulated board, with a simulated person")
    parser.add_argument("--afresh", action="store_true", help="begin anew instead of going on from the last stop")


def run(args: argparse.Namespace) -> int:
    """Learn, and keep what was learned beside the profile."""
    path = _own(args.board)
    text = _text(path)
    try:
        return _calibrate(path, text, args.port, simulated=args.sim, afresh=args.afresh)
    except (StoppedError, KeyboardInterrupt) as ended:
        print(f"\nStopped. {_kept(path)}")
        return FAILED if isinstance(ended, StoppedError) else INTERRUPTED
    except DeviceError as error:
        print(f"stonelight: {error}\n{_kept(path)}", file=sys.stderr)
        return FAILED
    except (PlaceError, ProfileError) as error:
        print(f"stonelight: {error}", file=sys.stderr)
        return FAILED
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.errno == errno.ENOSPC and error.filename is None:
            raise  # it is the output that is full
        print(f"stonelight: {_failed(error, path)}\n{_kept(path)}", file=sys.stderr)
        return FAILED


def _own(board: str | None) -> Path:
    """Return the file of the board that was named.

    Raises:
        UsageError: none was, or one that is not this person's.
    """
    if not board:
        raise UsageError(
            "say which board: stonelight calibrate my-board.toml; 'stonelight setup' writes that file for your board"
        )
    path = Path(board)
    if board in profile_names() and not path.exists():
        raise UsageError(
            f"{board} comes along and is shared by all; make a profile of your own board with 'stonelight setup'"
        )
    return path


def _text(path: Path) -> str:
    """Return what a profile's file holds. Raises UsageError where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise UsageError(
            f"there is no file {path}: give the profile of your board; 'stonelight setup' writes it"
        ) from error
    except UnicodeDecodeError as error:
        raise UsageError(
            f"{path} is no text, and a profile is: give the profile of your board, saved as UTF-8"
        ) from error
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read ({why(error)}): give the profile of your board") from error


def _failed(error: OSError, path: Path) -> str:
    """Return what went wrong: with a file that was being written, or else with the board or whoever is beside it."""
    if error.filename in (str(progress_path(path)), str(calibration_path(path))):
        return f"{error.filename} cannot be written: {why(error)}: see to that, then run this again"
    return f"the board, or this terminal, cannot be read: {why(error)}: see what 'stonelight doctor {path}' says"


def _kept(path: Path) -> str:
    """Return what a calibration that was not finished leaves behind."""
    part = progress_path(path)
    if not part.exists():
        return "Nothing was learned yet, and nothing was written."
    return f"What was learned so far is kept in {part}; the next run goes on from there. Play does not use it."


def _begun(path: Path, profile: Profile, wiring: str, *, simulated: bool, afresh: bool) -> Progress:
    """Return what to go on from. A file that cannot be used is kept under another name, and said to be.

    Raises:
        UsageError: it was learned on the real board, and a simulated one would take its place.
    """
    part = progress_path(path)
    progress, wrong = None, ""
    try:
        progress = load_progress(part, profile, wiring)
    except UnusableError as error:
        wrong = str(error)
    if progress is not None and progress.simulated and not simulated:
        progress, wrong = None, "it was learned on a simulated board"
    if wrong:
        print(f"{part} cannot be used ({wrong}): it is kept as {set_aside(part)}, and all is asked anew.")
    if progress is not None and simulated and not progress.simulated:
        raise UsageError(
            f"{part} holds what was learned so far on the real board, and --sim would write over it: "
            f"use a copy of {path}"
        )
    if progress is None or afresh:
        return Progress(wiring=wiring, simulated=simulated)
    print(f"Going on from the last stop ({len(progress.inputs)} cells are known).")
    return progress


def _as_known(path: Path, profile: Profile, *, simulated: bool) -> tuple[Profile, bool]:
    """Return the board with what was learned before, and whether that can be used; where not, say why.

    Raises:
        UsageError: it can, and a simulated board would take its place.
    """
    beside = calibration_path(path)
    if not beside.exists():
        return profile, True
    try:
        known = load_profile(path)
    except ProfileError as error:
        fault = error.faults[0]
        wrong = f"{fault.key}: {fault.wrong}" if fault.key else fault.wrong
        print(f"{beside} cannot be used ({wrong}): once there is a new one, it is kept as {free_name(beside)}.")
        return profile, False
    if simulated and not is_simulated(path):
        real = f"{beside} holds what was learned on the real board"
        raise UsageError(f"{real}, and --sim would write over it: use a copy of {path}")
    return known, True


def _calibrate(path: Path, text: str, port: str | None, *, simulated: bool, afresh: bool) -> int:
    profile, raw = parse_profile(text, str(path)), tomllib.loads(text)
    check_port(port, profile, simulated=simulated)
    part, beside = progress_path(path), calibration_path(path)
    check_place(part)
    check_place(beside)
    known, usable = _as_known(path, profile, simulated=simulated)
    progress = _begun(path, profile, fingerprint(raw), simulated=simulated, afresh=afresh)
    road: Road
    person: Person
    if simulated:
        from controller.bench.simulated import SimulatedRoad
        from controller.bench.simulated_person import SimulatedPerson

        road = simulated_road = SimulatedRoad(profile)
        person = SimulatedPerson(simulated_road)
    else:
        # A micro-controller reads its cells as it was told when it was flashed: with what was learned before.
        road = real_road(known, port)
        person = AtTerminal(tend=road.tend)
    try:
        teach(profile, road, person, progress, lambda grown: save_progress(part, grown))
    finally:
        road.close()
    _keep(path, profile, raw, progress, usable=usable)
    if simulated:
        print(f"Kept in {beside}. It tells of the simulated board: delete it before you use the real one.")
        return DONE
    after = "doctor" if profile.host == "pi" else "flash"
    print(f"Kept in {beside}. Next: stonelight {after} --board {path}")
    return DONE


def _keep(path: Path, profile: Profile, raw: dict[str, Any], progress: Progress, *, usable: bool) -> None:
    """Tell what was learned, and write it beside the profile.

    Args:
        path: the profile's file.
        profile: the board.
        raw: its profile, as it was read.
        progress: all that was learned.
        usable: whether the calibration that may be there could be used; one that could not is kept.
    """
    beside = calibration_path(path)
    learned = learned_of(profile, progress)
    for line in report(profile, learned):
        print(line)
    check_profile(calibrated(raw, learned), f"{path} with {beside.name}")
    if not usable:
        set_aside(beside)
    write_whole(beside, learned_text(learned, path.name))
    behind(progress_path(path)).unlink(missing_ok=True)
