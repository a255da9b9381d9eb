"""``stonelight flash``: put the firmware and a board's description onto a micro-controller."""

import argparse
import contextlib
import sys
from pathlib import Path

from controller.app.reflashing import await_drive, await_firmware, check_port
from controller.cli.profiles import add_board, read_profile
from controller.cli.status import DONE, FAILED, INTERRUPTED, UsageError
from hardware.board_plan import Plan, board_plan
from hardware.circuitpy_drive import FlashError, NoDriveError, check_drive, find_drive
from hardware.firmware_plan import check_plan
from hardware.flashing import (
    changes,
    check_board,
    check_room,
    copy,
    firmware_contents,
    firmware_version,
    kept_words,
    summary,
)
from hardware.ports import DeviceError
from hardware.profile import ProfileError
from hardware.serial_plug import NO_PORT


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the drive, the board and the port."""
    parser.add_argument("--drive", metavar="DIR", help="where the drive CIRCUITPY is (default: looked for)")
    add_board(parser, "what the micro-controller is part of (default: as it was)")
    parser.add_argument("--port", metavar="PORT", help="the board's data port (default: looked for)")
    parser.add_argument("--dry-run", action="store_true", help="only say what would be copied")


def run(args: argparse.Namespace) -> int:
    """Copy, read back, and see that the board starts with it."""
    for name in ("drive", "board", "port"):
        if getattr(args, name) is not None and not getattr(args, name).strip():
            raise UsageError(f"--{name} is empty: say which {name}, or leave --{name} out")
    try:
        return _flash(args)
    except KeyboardInterrupt:
        print("\nstonelight: ended before all was copied: run 'stonelight flash' again", file=sys.stderr)
        return INTERRUPTED
    except (DeviceError, ProfileError) as error:
        print(f"stonelight: {error}", file=sys.stderr)
        return FAILED


def _flash(args: argparse.Namespace) -> int:
    plan = None if args.board is None else _plan(args.board)
    if args.port is not None:
        _check_port(args.port)
    drive = _drive(args.port, dry_run=args.dry_run) if args.drive is None else Path(args.drive)
    runs = check_drive(drive)
    if plan is None and not check_board(drive):
        raise UsageError("this micro-controller has no board yet: say which, such as: stonelight flash my-board.toml")
    files = firmware_contents(plan)
    wanted = changes(drive, files)
    check_room(drive, wanted)
    if kept := kept_words(wanted):
        print(kept, flush=True)
    if args.dry_run:
        print(f"Onto {drive} (CircuitPython {runs}) firmware {firmware_version()} would be copied:")
        print("\n".join(summary(wanted)))
        return DONE
    done = copy(drive, files, _tell)
    written = sum(each.what in ("new", "changed") for each in done)
    print(f"Firmware {firmware_version()} is on {drive} and read back: {written} files written, {len(files)} in all.")
    return _started(args.port)


def _plan(board: str) -> Plan:
    """Return what the firmware is told of a board that was named."""
    plan = board_plan(read_profile(board))
    try:
        check_plan(plan)
    except DeviceError as error:
        raise FlashError(f"the firmware does not take the board {board} ({error}): change its profile") from error
    return plan


def _tell(name: str) -> None:
    with contextlib.suppress(OSError):  # a reader who has gone does not end the copy, nor is it the drive's fault
        print(f"  {name}", flush=True)


def _check_port(port: str) -> None:
    try:
        check_port(port)
    except DeviceError as error:
        raise FlashError(
            f"{error}. Nothing was copied; a board that has no firmware yet has no data port either: leave --port out "
            "for that one"
        ) from error


def _drive(port: str | None, *, dry_run: bool) -> Path:
    """Return the drive, asking a board that hides it to show it."""
    try:
        return find_drive()
    except NoDriveError as error:
        if dry_run:
            raise FlashError(f"{error}; without --dry-run the board itself is asked to show it") from error
        try:
            await_drive(port, lambda: print("The board restarts to show its drive.", flush=True))
        except DeviceError as why:
            said = "name its --port" if str(why) == NO_PORT else f"see to its port ({why})"
            raise FlashError(f"{error}, or {said if port is None else f'see why {port} is of no use: {why}'}") from why
    return find_drive()


def _started(port: str | None) -> int:
    """See which firmware answers."""
    version, why = await_firmware(port)
    if version is None and port is None:
        print("Press the board's reset, so that it starts with it." + (f" ({why})" if why != NO_PORT else ""))
        return DONE
    if version is None:
        print(
            f"stonelight: no board answers on {port}: {why}. Press the board's reset, so that it starts with the "
            "firmware, then see 'stonelight doctor'",
            file=sys.stderr,
        )
        return FAILED
    if version != firmware_version():
        print(
            f"stonelight: the board still runs firmware {version}: press its reset, then see 'stonelight doctor'",
            file=sys.stderr,
        )
        return FAILED
    print(f"The board has restarted and runs firmware {version}.")
    return DONE
