"""``stonelight doctor``: whether this computer and a board are ready, and what to do where they are not."""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from controller.bench.checks import judge
from controller.bench.checks_serial import handshake
from controller.bench.findings import Finding, Verdict, any_failed, failed
from controller.bench.gather import gather
from controller.bench.person import Person, StoppedError, agreed
from controller.bench.simulated_facts import on_simulated_pi
from controller.bench.walk import walk
from controller.cli.at_bench import AtTerminal
from controller.cli.profiles import add_board, add_port, check_port, read_profile
from controller.cli.status import DONE, FAILED, UsageError
from controller.cli.words import add_page_port, check_page_port
from hardware.flashing import firmware_version
from hardware.ports import DeviceError
from hardware.profile import Profile, ProfileError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the board and the forms of the answer."""
    add_board(parser, "check this board too")
    add_port(parser)
    parser.add_argument("--sim", action="store_true", help="on a simulated Pi, with a simulated board")
    parser.add_argument("--json", action="store_true", help="print JSON, and ask nothing")
    add_page_port(parser)


def run(args: argparse.Namespace) -> int:
    """Check everything; exit status 1 if something failed."""
    check_page_port(args.http_port)
    if args.port is not None and args.board is None:
        raise UsageError(f"--port {args.port}: say which board is there with --board; the page's port is --http-port")
    profile, faults = _profile(args.board)
    check_port(args.port, profile, simulated=args.sim)
    facts = replace(gather(args.http_port, profile=profile, profile_faults=faults), port_named=args.port or "")
    findings = judge(on_simulated_pi(facts) if args.sim else facts)
    if args.json:
        if profile is not None:
            findings += _board(profile, args.port, simulated=args.sim, asks=False)
        print(json.dumps({"ok": not any_failed(findings), "findings": [each.as_json() for each in findings]}, indent=1))
        return FAILED if any_failed(findings) else DONE
    _tell(findings)
    if profile is not None:
        asks = args.sim or sys.stdin.isatty()
        findings += _told(_board(profile, args.port, simulated=args.sim, asks=asks))
    print(_sum(findings, "the simulated Pi" if args.sim else "this computer", _unseen(args.board, profile)))
    return FAILED if any_failed(findings) else DONE


def _profile(name: str | None) -> tuple[Profile | None, tuple[str, ...]]:
    """Return the board that was asked for, or what is wrong with its profile."""
    if name is None:
        return None, ()
    try:
        return read_profile(name), ()
    except ProfileError as error:
        return None, tuple(map(str, error.faults))


def _board(profile: Profile, port: str | None, *, simulated: bool, asks: bool) -> Iterator[Finding]:
    """Yield what is found on the board itself. A simulated one has a simulated person beside it."""
    from controller.bench.road import Road
    from controller.bench.serial_road import SerialRoad
    from controller.cli.bench_roads import real_road

    person: Person | None = None
    if simulated:
        from controller.bench.simulated import SimulatedRoad
        from controller.bench.simulated_person import SimulatedPerson

        sim = SimulatedRoad(profile)
        road: Road = sim
        person = SimulatedPerson(sim) if asks else None
    else:
        try:
            road = real_road(profile, port)
        except DeviceError as error:
            yield failed("board", "the board cannot be opened", str(error))
            return
        if isinstance(road, SerialRoad) and (there := road.there()) is not None:
            yield handshake(profile, *there, firmware_version())
        person = _willing(road.tend) if asks else None
    try:
        yield from walk(profile, road, person)
    finally:
        road.close()


def _willing(tend: Callable[[], None]) -> Person | None:
    """Return the person at the terminal, if they will look and put stones down."""
    person = AtTerminal(tend=tend)
    try:
        return person if agreed(person, "Shall every light and every cell be tried now? (q ends it)") else None
    except StoppedError:
        return None


def _told(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings, each printed as it comes."""
    told = []
    for finding in findings:
        _tell([finding])
        told.append(finding)
    return told


def _tell(findings: Iterable[Finding]) -> None:
    words = {Verdict.OK: "ok", Verdict.WARNING: "warning", Verdict.FAILED: "FAILED", Verdict.SKIPPED: "-"}
    for finding in findings:
        print(f"{words[finding.verdict]:<8} {finding.check}: {finding.said}")
        if finding.remedy:
            print(f"{'':<8} do: {finding.remedy}")


def _unseen(board: str | None, profile: Profile | None) -> str:
    """Return what was not looked at, and how it would be; empty where all was."""
    if board is None:
        return (
            "No board was looked at, since none was named: 'stonelight doctor BOARD' checks its profile, lights and "
            "cells too. BOARD is a file, or the name of a profile that comes along."
        )
    return "" if profile is not None else "The board itself was not looked at: mend its profile first."


def _sum(findings: Iterable[Finding], of: str, unseen: str) -> str:
    verdicts = [finding.verdict for finding in findings]
    bad, doubtful = verdicts.count(Verdict.FAILED), verdicts.count(Verdict.WARNING)
    summed = f"{bad} failed, {doubtful} {'warning' if doubtful == 1 else 'warnings'}."
    if not bad and not doubtful:
        summed = f"All is well with {of}." if unseen else "All is well."
    return f"{summed}\n{unseen}" if unseen else summed
