"""The doctor's checks of serial ports, and of who answers there. Pure."""

from typing import Final

from controller.bench.asked import JOIN, on_pico
from controller.bench.facts import Facts
from controller.bench.findings import Finding, failed, ok, skipped, warning
from hardware.link_events import Can, Hello
from hardware.profile import Profile

BOARD_VENDORS: Final = ("2e8a", "239a", "1209")


def serial_port(facts: Facts) -> Finding:
    """A micro-controller's data port is there and may be used."""
    if facts.port_named:
        return skipped("serial-port", f"{facts.port_named} was named, and is tried below")
    boards = [port for port in facts.ports if port.vendor in BOARD_VENDORS]
    if not on_pico(facts) and not boards:
        return skipped("serial-port", "no board with a micro-controller is asked for or plugged in")
    if not boards:
        return failed(
            "serial-port",
            "no micro-controller is plugged in",
            "plug it in by a cable that carries data; put its firmware on with 'stonelight flash'",
        )
    data = [port for port in boards if "data" in port.interface.lower() or "CDC2" in port.interface]
    if not data:
        return failed(
            "serial-port",
            f"{boards[0].device} is there, but no data port: the firmware is not on it",
            "put it on with 'stonelight flash'",
        )
    if not data[0].allowed:
        return failed("serial-port", f"{data[0].device} may not be opened", JOIN.format(groups="dialout"))
    return ok("serial-port", f"{data[0].device} ({data[0].interface})")


def modem_manager(facts: Facts) -> Finding:
    """ModemManager does not talk to the board."""
    if not facts.modem_manager:
        return ok("modem-manager", "it does not run")
    boards = [port for port in facts.ports if port.vendor in BOARD_VENDORS]
    if not boards and not on_pico(facts):
        return skipped("modem-manager", "it runs, but no micro-controller is asked for or plugged in")
    if boards and all(port.ignored for port in boards):
        return ok("modem-manager", "it runs and leaves the board alone")
    return failed(
        "modem-manager",
        "it runs, and sends modem commands to a board for half a minute after it is plugged in",
        "sudo stonelight install-service writes the rule that tells it not to; then plug the board in again",
    )


def handshake(profile: Profile, hello: Hello, where: str, brought: str) -> Finding:
    """The board that answers has this program's firmware, and was told the same profile.

    Args:
        profile: the board that was asked for.
        hello: who answers.
        where: on which port.
        brought: the version of the firmware that comes with this program.
    """
    flash = "'stonelight flash' with this profile as its --board puts on what belongs to it"
    if Can.DRIVE in hello.can and hello.firmware != brought:  # a firmware of somebody else's has versions of its own
        return warning("board", f"the board on {where} runs firmware {hello.firmware}, and this is {brought}", flash)
    if hello.board != profile.name:
        said = f"the board on {where} was set up as {hello.board!r}, and the profile is {profile.name!r}"
        return warning("board", f"{said}: its cells may be wired otherwise", flash)
    return ok("board", f"{hello.board!r} answers on {where}, firmware {hello.firmware}, serial number {hello.identity}")
