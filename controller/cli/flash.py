"""``stonelight flash``: put the firmware and a board's description onto a micro-controller."""

import argparse
import sys
from pathlib import Path

from controller.app.reflashing import await_drive, await_firmware
from controller.cli.profiles import add_board, read_profile
from controller.cli.status import DONE, FAILED, INTERRUPTED, UsageError
from hardware.board_plan import board_plan
from hardware.flashing import (
    FlashError,
    changes,
    check_drive,
    check_room,
    copy,
    find_drive,
    firmware_contents,
    firmware_version,
    summary,
)
from hardware.ports import DeviceError
from hardware.profile import ProfileError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the drive, the board and the port."""
    parser.add_argument("--drive", metavar="DIR", type=Path, help="where the drive CIRCUITPY is (default: looked for)")
    add_board(parser, "what the micro-controller is part of (default: as it was)")
    parser.add_argument("--port", metavar="PORT", help="the board's data port (default: looked for)")
    parser.add_argument("--dry-run", action="store_true", help="only say what would be copied")


def run(args: argparse.Namespace) -> int:
    """Copy, read back, and see that the board starts with it."""
    try:
        plan = None if args.board is None else board_plan(read_profile(args.board))
        drive = args.drive or _drive(args.port, dry_run=args.dry_run)
        runs = check_drive(drive)
        if plan is None and not (drive / "board.json").is_file():
            raise UsageError(
                "this micro-controller has no board yet: say which, such as: stonelight flash my-board.toml"
            )
        files = firmware_contents(plan)
        if args.dry_run:
            wanted = changes(drive, files)
            check_room(drive, wanted)
            print(f"Onto {drive} (CircuitPython {runs}) firmware {firmware_version()} would be copied:")
            print("\n".join(summary(wanted)))
            return DONE
        done = copy(drive, files, lambda name: print(f"  {name}", flush=True))
    except KeyboardInterrupt:
        print("\nstonelight: ended before all was copied: run 'stonelight flash' again", file=sys.stderr)
        return INTERRUPTED
    except (DeviceError, ProfileError) as error:
        print(f"stonelight: {error}", file=sys.stderr)
        return FAILED
    written = sum(each.what in ("new", "changed") for each in done)
    print(f"Firmware {firmware_version()} is on {drive} and read back: {written} files written, {len(done)} in all.")
    return _started(args.port)


def _drive(port: str | None, *, dry_run: bool) -> Path:
    """Return the drive, asking a board that hides it to show it."""
    try:
        return find_drive()
    except FlashError:
        if dry_run or not await_drive(port, lambda: print("The board restarts to show its drive.", flush=True)):
            raise
    return find_drive()


def _started(port: str | None) -> int:
    """See which firmware answers."""
    version, why = await_firmware(port)
    if version is None:
        print(f"Press the board's reset, so that it starts with it. ({why})")
        return DONE
    if version != firmware_version():
        print(
            f"stonelight: the board still runs firmware {version}: press its reset, then see 'stonelight doctor'",
            file=sys.stderr,
        )
        return FAILED
    print(f"The board has restarted and runs firmware {version}.")
    return DONE
