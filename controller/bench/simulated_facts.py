"""The facts of a Raspberry Pi that lacks nothing, for checking a simulated board on any computer."""

from dataclasses import replace

from controller.bench.checks_serial import BOARD_VENDORS
from controller.bench.facts import Facts, Port, Spi


def on_simulated_pi(facts: Facts) -> Facts:
    """Return facts with all that concerns pins, buses and ports as on a Pi 4 that is ready; the rest stays as it is."""
    profile = facts.profile
    ports: tuple[Port, ...] = ()
    if profile is not None and profile.host == "pico":
        ports = (Port("/dev/ttyACM1", "CircuitPython CDC2 data", BOARD_VENDORS[0], ignored=True),)
    return replace(
        facts,
        model="a simulated Raspberry Pi 4",
        groups=facts.groups | {"gpio", "spi", "dialout"},
        chips={0: "pinctrl-bcm2711"},
        chips_forbidden=0,
        lines=(),
        lgpio="real",
        spi=tuple(Spi(f"/dev/spidev{node}", allowed=True) for node in ("0.0", "0.1", "1.0", "1.1")),
        spi_buffer=4096,
        core_mhz={"core_freq": 0, "core_freq_min": 500},
        modules=frozenset(),
        cmdline="console=tty1",
        ports=ports,
        throttled=0,
    )
