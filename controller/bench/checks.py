"""The checks of `stonelight doctor`: each judges `Facts` and gives one `Finding`. Pure; live facts go before files.

`CHECKS` is the table. The checks of pins and of serial ports have modules of their own, `checks_pins` and
`checks_serial`.
"""

from collections.abc import Callable
from typing import Final

from controller.bench.asked import why_no_board
from controller.bench.checks_pins import (
    console,
    gpio_chip,
    groups,
    lgpio,
    pins_free,
    pixel_data,
    sound,
    spi_buffer,
    spi_clock,
    spi_nodes,
)
from controller.bench.checks_serial import modem_manager, serial_port
from controller.bench.facts import PACKAGES, Facts
from controller.bench.findings import Finding, failed, ok, skipped, warning
from hardware.currents import rails

LEAST_PYTHON: Final = (3, 11)
LEAST_YEAR: Final = 2025
"""A clock that shows an earlier year has never been set."""
LEAST_FREE_MB: Final = 100
UNDER_VOLTAGE_NOW: Final = 1
UNDER_VOLTAGE_SEEN: Final = 1 << 16
"""Bits of the firmware's word (Raspberry Pi documentation, "vcgencmd get_throttled")."""


def python(facts: Facts) -> Finding:
    """Python is new enough."""
    version = ".".join(map(str, facts.install.python))
    if facts.install.python[:2] < LEAST_PYTHON:
        return failed(
            "python",
            f"Python {version} is too old",
            "install Stonelight with Python 3.11 or newer (pipx install --python python3.11 .)",
        )
    return ok("python", f"Python {version}, {facts.install.executable}")


def install(facts: Facts) -> Finding:
    """The packages that run are Stonelight's own, and nobody else brings packages of the same name."""
    found = facts.install
    for package in PACKAGES:
        others = [owner for owner in found.owners.get(package, ()) if owner != "stonelight"]
        if others:
            return failed(
                "install",
                f"the package {package} is also brought by {', '.join(others)}, and one hides the other",
                f"install Stonelight by itself (pipx install .), or remove it: pip uninstall {others[0]}",
            )
        home = found.homes.get(package, "")
        if home and not home.startswith(found.own_home):
            return failed(
                "install",
                f"the package {package} was taken from {home}",
                "start stonelight in another directory, and unset PYTHONPATH",
            )
    return ok("install", f"Stonelight in {found.own_home}")


def system(facts: Facts) -> Finding:
    """What computer this is, and whether the board can hang on it."""
    if facts.profile is not None and facts.profile.host == "pi" and facts.model is None:
        return failed(
            "system",
            f"the board {facts.profile.name!r} hangs on the pins of a Raspberry Pi, and this is {facts.system}",
            "run this on the Pi; or try the board here with --sim",
        )
    return ok("system", facts.system if facts.model is None else f"{facts.model}, {facts.system}")


def clock(facts: Facts) -> Finding:
    """The clock shows a time that can be true."""
    if facts.year < LEAST_YEAR:
        return failed(
            "clock",
            f"the clock shows the year {facts.year}",
            "connect to a network once, or set it: sudo date -s '2026-11-29 12:00'",
        )
    if facts.synchronised is False:
        return warning(
            "clock", "the clock follows no time server", "connect to a network: sudo timedatectl set-ntp true"
        )
    return ok("clock", f"it is {facts.year}" + (", by a time server" if facts.synchronised else ""))


def state_directory(facts: Facts) -> Finding:
    """Games can be kept."""
    state = facts.state
    if not state.writable:
        whose = f", which belongs to {state.owner}" if state.owner else ""
        return failed("state", f"games cannot be kept in {state.path}{whose}", f"sudo chown -R $USER {state.path}")
    if state.free_mb is not None and state.free_mb < LEAST_FREE_MB:
        return failed("state", f"{state.free_mb} MB are left where {state.path} is", "make room on the disk")
    return ok("state", f"games are kept in {state.path}")


def page(facts: Facts) -> Finding:
    """The page can be served, and reached from a phone."""
    found = facts.page
    if not found.free:
        if found.ours:
            return ok("page", f"a game is being played on port {found.number}")
        return failed(
            "page",
            f"port {found.number} is in use by another program",
            f"stop that, or play with --http-port {found.number + 1 if found.number < 65535 else 8000}",
        )
    if found.lan is None:
        return warning("page", "this computer is in no network, so no phone reaches the page", "connect it to one")
    if found.reachable is False:
        return failed(
            "page",
            f"port {found.number} cannot be reached at {found.lan}",
            f"let it through the firewall: sudo ufw allow {found.number}/tcp",
        )
    return ok("page", f"http://{found.lan}:{found.number}/ can be reached")


def supply(facts: Facts) -> Finding:
    """The Pi gets enough voltage."""
    if facts.throttled is None:
        return skipped("supply", "not known here")
    remedy = "use the supply made for this Pi and a short cable, and feed the pixels by a supply of their own"
    if facts.throttled & UNDER_VOLTAGE_NOW:
        return failed("supply", "the voltage is too low at this moment", remedy)
    if facts.throttled & UNDER_VOLTAGE_SEEN:
        return warning("supply", "the voltage has been too low since the Pi was started", remedy)
    return ok("supply", "the voltage has not been too low")


def profile(facts: Facts) -> Finding:
    """The board's profile is sound."""
    if facts.profile_faults:
        more = len(facts.profile_faults) - 1
        rest = f" (and {more} more)" if more else ""
        wrong, _, remedy = facts.profile_faults[0].partition("; ")
        return failed("profile", f"{wrong}{rest}", remedy or "mend the profile")
    if facts.profile is None:
        return skipped("profile", why_no_board(facts))
    return ok("profile", f"{facts.profile.title}: {len(facts.profile.cell_names())} cells")


def current(facts: Facts) -> Finding:
    """What the board draws is within what its supplies give."""
    if facts.profile is None:
        return skipped("current", why_no_board(facts))
    pixels, sensors = rails(facts.profile)
    if pixels.supply_ma is None:
        return warning(
            "current",
            f"the pixels may draw {pixels.budget_ma:g} mA, and the profile does not say what their supply gives",
            "write it into lamps.supply_ma",
        )
    return ok(
        "current",
        f"pixels {pixels.budget_ma:g} of {pixels.supply_ma:g} mA at most ({pixels.dark_ma:g} dark), "
        f"sensors {sensors.worst_ma:g} of {sensors.supply_ma:g}; an estimate",
    )


CHECKS: Final[tuple[Callable[[Facts], Finding], ...]] = (
    python,
    install,
    system,
    profile,
    groups,
    gpio_chip,
    lgpio,
    pins_free,
    spi_nodes,
    spi_buffer,
    spi_clock,
    pixel_data,
    sound,
    serial_port,
    modem_manager,
    console,
    clock,
    state_directory,
    page,
    supply,
    current,
)
"""All checks, in the order in which they are told."""


def judge(facts: Facts) -> list[Finding]:
    """Return what all checks find."""
    return [check(facts) for check in CHECKS]
