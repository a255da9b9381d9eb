"""``stonelight calibrate``: teach a board where its cells and pixels are wired, and what its stones look like."""

import argparse
import sys
import tomllib
from pathlib import Path

from controller.bench.calibrate import teach
from controller.bench.files import write_whole
from controller.bench.learned import learned_of, learned_text, report
from controller.bench.person import Person, StoppedError
from controller.bench.progress import Progress, load_progress, progress_path, save_progress
from controller.bench.road import Road
from controller.cli.at_bench import AtTerminal
from controller.cli.bench_roads import real_road
from controller.cli.files import why
from controller.cli.profiles import add_board, add_port, check_port
from controller.cli.status import DONE, FAILED, INTERRUPTED, UsageError
from hardware.ports import DeviceError
from hardware.profile import ProfileError, check_profile, load_profile, parse_profile, profile_names
from hardware.profile_calibration import calibrated, calibration_path, fingerprint


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the board."""
    add_board(parser, "your board's profile, which stays as it is")
    add_port(parser)
    parser.add_argument("--sim", action="store_true", help="on a simulated board, with a simulated person")
    parser.add_argument("--afresh", action="store_true", help="begin anew instead of going on from the last stop")


def run(args: argparse.Namespace) -> int:
    """Learn, and keep what was learned beside the profile."""
    if args.board is None:
        raise UsageError(
            "say which board: stonelight calibrate my-board.toml; 'stonelight setup' writes that file for your board"
        )
    path = Path(args.board)
    if args.board in profile_names() and not path.exists():
        raise UsageError(
            f"{args.board} comes along and is shared by all; make a profile of your own board with 'stonelight setup'"
        )
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise UsageError(
            f"there is no file {path}: give the profile of your board; 'stonelight setup' writes it"
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read ({why(error)}): give the profile of your board") from error
    try:
        return _calibrate(path, text, args.port, simulated=args.sim, afresh=args.afresh)
    except (StoppedError, KeyboardInterrupt) as ended:
        print(f"\nStopped. {_kept(path)}")
        return FAILED if isinstance(ended, StoppedError) else INTERRUPTED
    except DeviceError as error:
        print(f"stonelight: {error}\n{_kept(path)}", file=sys.stderr)
        return FAILED
    except ProfileError as error:
        print(f"stonelight: {error}", file=sys.stderr)
        return FAILED
    except BrokenPipeError:
        raise
    except OSError as error:
        print(f"stonelight: what was learned cannot be kept beside {path} ({error})", file=sys.stderr)
        return FAILED


def _kept(path: Path) -> str:
    """Return what a calibration that was not finished leaves behind."""
    part = progress_path(path)
    if not part.exists():
        return "Nothing was learned yet, and nothing was written."
    return f"What was learned so far is kept in {part}; the next run goes on from there. Play does not use it."


def _calibrate(path: Path, text: str, port: str | None, *, simulated: bool, afresh: bool) -> int:
    profile, raw = parse_profile(text, str(path)), tomllib.loads(text)
    check_port(port, profile, simulated=simulated)
    kept, wiring, beside = progress_path(path), fingerprint(raw), calibration_path(path)
    if simulated and beside.exists():
        raise UsageError(f"{beside} holds what was learned before, and --sim would write over it: use a copy of {path}")
    progress = None if afresh else load_progress(kept, wiring)
    if progress is not None:
        print(f"Going on from the last stop ({len(progress.inputs)} cells are known).")
    progress = progress or Progress(wiring=wiring)
    road: Road
    person: Person
    if simulated:
        from controller.bench.simulated import SimulatedRoad
        from controller.bench.simulated_person import SimulatedPerson

        road = simulated_road = SimulatedRoad(profile)
        person = SimulatedPerson(simulated_road)
    else:
        # A micro-controller reads its cells as it was told when it was flashed: with what was learned before.
        road = real_road(load_profile(path), port)
        person = AtTerminal(tend=road.tend)
    try:
        teach(profile, road, person, progress, lambda grown: save_progress(kept, grown))
    finally:
        road.close()
    learned = learned_of(profile, progress)
    for line in report(profile, learned):
        print(line)
    check_profile(calibrated(raw, learned), f"{path} with {beside.name}")
    write_whole(beside, learned_text(learned, path.name))
    kept.unlink(missing_ok=True)
    if simulated:
        print(f"Kept in {beside}. It tells of the simulated board: delete it before you calibrate the real one.")
        return DONE
    after = "doctor" if profile.host == "pi" else "flash"
    print(f"Kept in {beside}. Next: stonelight {after} --board {path}")
    return DONE
