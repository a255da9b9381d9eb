"""The doctor's checks of serial ports. Pure."""

from typing import Final

from controller.bench.asked import JOIN, on_pico
from controller.bench.facts import Facts
from controller.bench.findings import Finding, failed, ok, skipped

BOARD_VENDORS: Final = ("2e8a", "239a", "1209")


def serial_port(facts: Facts) -> Finding:
    """A micro-controller's data port is there and may be used."""
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
