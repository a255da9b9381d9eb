"""The checks of `stonelight doctor`: each judges `Facts` and gives one `Finding`. Pure; live facts go before files.

`CHECKS` is the table. What belongs to pins, buses and ports is judged by what the board needs, and without a board by
what a Raspberry Pi usually needs.
"""

from collections.abc import Callable
from typing import Final

from controller.bench.boot_config import filters_of, plain
from controller.bench.facts import PACKAGES, Facts
from controller.bench.findings import Finding, failed, ok, skipped, warning
from hardware.currents import rails
from hardware.header import Claim
from hardware.opening import HEADER_CHIPS
from hardware.profile_pins import claims
from hardware.ws2812 import TRANSFER_BYTES, transfer_bytes

LEAST_PYTHON: Final = (3, 11)
LEAST_YEAR: Final = 2025
"""A clock that shows an earlier year has never been set."""
LEAST_FREE_MB: Final = 100
NOT_A_PI: Final = "this computer is no Raspberry Pi"
PWM_PINS: Final = (12, 13, 18, 19)
"""Where pixel data is made by the block that also makes sound for the headphone jack (BCM2835, "PWM")."""
PWM_SOUND: Final = "snd_bcm2835"
I2S_PINS: Final = (18, 19, 20, 21)
UART_PINS: Final = (14, 15)
I2S_SOUND: Final = ("snd_soc_bcm2835_i2s", "snd_soc_hifiberry_dac", "snd_soc_rpi_simple_soundcard")
"""Modules that are loaded while sound goes out on the pins of I2S."""
SPI_ON: Final = {
    "/dev/spidev0.0": (("dtparam=spi=on", "dtparam=spi"), "sudo raspi-config nonint do_spi 0"),
    "/dev/spidev1.0": (
        ("dtoverlay=spi1-1cs", "dtoverlay=spi1-2cs", "dtoverlay=spi1-3cs"),
        "add the line dtoverlay=spi1-1cs to /boot/firmware/config.txt",
    ),
    "/dev/spidev1.1": (
        ("dtoverlay=spi1-2cs", "dtoverlay=spi1-3cs"),
        "add the line dtoverlay=spi1-2cs to /boot/firmware/config.txt",
    ),
}
"""By node: the lines of config.txt that make it, and how to add one."""
JOIN: Final = "sudo usermod -aG {groups} $USER, then log out and in again"
BOARD_VENDORS: Final = ("2e8a", "239a", "1209")
UNDER_VOLTAGE_NOW: Final = 1
UNDER_VOLTAGE_SEEN: Final = 1 << 16
"""Bits of the firmware's word (Raspberry Pi documentation, "vcgencmd get_throttled")."""


def _wired_here(facts: Facts) -> bool:
    """Return whether the pins of this computer matter: the board hangs on them, or there is none and this is a Pi."""
    return facts.profile.host == "pi" if facts.profile is not None else facts.model is not None


def _on_pico(facts: Facts) -> bool:
    return facts.profile is not None and facts.profile.host == "pico"


def _nodes(facts: Facts) -> tuple[str, ...]:
    """Return the SPI nodes that the board needs."""
    profile = facts.profile
    if profile is None:
        return ("/dev/spidev0.0",)
    nodes = ["/dev/spidev0.0"] if profile.lamps.driver == "spi" or profile.lamps.pin == 10 else []
    if profile.cells.driver in ("chain", "mux"):
        nodes.append("/dev/spidev1.0")
    if profile.adc is not None and profile.adc.bus != "pins":
        nodes += [f"/dev/spidev{profile.adc.bus[-1]}.{chip}" for chip in range(profile.adc.chips)]
    return tuple(nodes)


def _claims(facts: Facts) -> list[Claim]:
    """Return the pins that the board itself takes, not those that its profile keeps for others."""
    if facts.profile is None:
        return []
    taken = claims(facts.profile.model_dump(mode="json", exclude_unset=True))
    return [claim for claim in taken if not claim.key.startswith("reserve.")]


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


def groups(facts: Facts) -> Finding:
    """The user may use pins, buses and ports, in this session and not only in the file."""
    needed = [*(("gpio", "spi") if _wired_here(facts) else ()), *(("dialout",) if _on_pico(facts) else ())]
    if not needed:
        return skipped("groups", NOT_A_PI)
    if facts.root:
        return ok("groups", "root may use everything")
    missing = [group for group in needed if group not in facts.groups]
    if not missing:
        return ok("groups", f"{facts.user} is in {', '.join(needed)}")
    if all(group in facts.groups_file for group in missing):
        return failed(
            "groups",
            f"{facts.user} has joined {', '.join(missing)}, but this session began before that",
            "log out and in again, or restart",
        )
    return failed("groups", f"{facts.user} is not in {', '.join(missing)}", JOIN.format(groups=",".join(missing)))


def gpio_chip(facts: Facts) -> Finding:
    """The header's GPIO chip is there, by its label."""
    if not _wired_here(facts):
        return skipped("gpio-chip", NOT_A_PI)
    found = {label: number for number, label in sorted((facts.chips or {}).items(), reverse=True)}
    for label in HEADER_CHIPS:
        if label in found:
            return ok("gpio-chip", f"gpiochip{found[label]} is {label}")
    if facts.chips_forbidden:
        return failed("gpio-chip", "the GPIO chips may not be opened", JOIN.format(groups="gpio"))
    known = f"there are {', '.join(sorted(found))}" if found else "there is none"
    return failed("gpio-chip", f"no GPIO chip of a Pi's header: {known}", "run this on a Raspberry Pi, or use --sim")


def pins_free(facts: Facts) -> Finding:
    """Nobody else holds the pins of the board."""
    profile = facts.profile
    if profile is None or profile.host != "pi" or facts.lines is None:
        return skipped("pins-free", "no board on pins whose holders are known")
    wanted = {claim.gpio: claim.key for claim in _claims(facts) if not claim.bus}
    for line in facts.lines:
        if line.gpio in wanted:
            return failed(
                "pins-free",
                f"GPIO {line.gpio} ({wanted[line.gpio]}) is held by {line.holder}",
                "stop that program or overlay; 'gpioinfo' lists all holders",
            )
    return ok("pins-free", f"all {len(wanted)} pins are free")


def lgpio(facts: Facts) -> Finding:
    """The library that reaches the pins is a real one."""
    if not _wired_here(facts):
        return skipped("lgpio", NOT_A_PI)
    if facts.lgpio == "real":
        return ok("lgpio", "lgpio is there and has what is needed")
    said = {
        "missing": "the Python package lgpio is not installed",
        "empty": "the Python package lgpio is an empty shell",
    }.get(facts.lgpio, f"lgpio does not work ({facts.lgpio})")
    return failed(
        "lgpio",
        said,
        "sudo apt install python3-lgpio, and an environment made with --system-site-packages; "
        "after 'pip uninstall lgpio' where pip has brought it",
    )


def spi_nodes(facts: Facts) -> Finding:
    """The SPI buses are on and may be used. What counts is the node; the file only tells why it is missing."""
    if not _wired_here(facts):
        return skipped("spi", NOT_A_PI)
    allowed = {node.device: node.allowed for node in facts.spi}
    for node in _nodes(facts):
        if node not in allowed:
            return _spi_off(facts, node)
        if not allowed[node]:
            return failed("spi", f"{node} may not be opened", JOIN.format(groups="spi"))
    return ok("spi", f"{', '.join(_nodes(facts))} may be used" if _nodes(facts) else "no SPI is needed")


def _spi_off(facts: Facts, node: str) -> Finding:
    lines, how = SPI_ON.get(node, ((), "switch that bus on in /boot/firmware/config.txt"))
    config = facts.config or ""
    if plain(config, *lines):
        return failed("spi", f"{node} is not there, though config.txt asks for it", "restart the Pi")
    if sections := filters_of(config, *lines):
        return failed(
            "spi",
            f"{node} is not there: config.txt asks for it only under [{sections[0]}], which does not hold here",
            f"move that line under [all] in /boot/firmware/config.txt and restart ({lines[0]})",
        )
    return failed("spi", f"{node} is not there, so that bus is off", f"{how} and restart the Pi")


def spi_buffer(facts: Facts) -> Finding:
    """A whole frame goes out in one transfer."""
    if not _wired_here(facts) or facts.spi_buffer is None:
        return skipped("spi-buffer", "not known here")
    needed = TRANSFER_BYTES
    if facts.profile is not None and facts.profile.lamps.driver == "spi":
        needed = transfer_bytes(facts.profile.lamps.count, len(facts.profile.lamps.order))
    if facts.spi_buffer < needed:
        return failed(
            "spi-buffer",
            f"SPI transfers end after {facts.spi_buffer} bytes, and a frame takes {needed}",
            "remove spidev.bufsiz from /boot/firmware/cmdline.txt and restart the Pi",
        )
    return ok("spi-buffer", f"{facts.spi_buffer} bytes in one transfer, a frame takes {needed} at most")


def spi_clock(facts: Facts) -> Finding:
    """The clock that SPI is derived from does not move. A Pi 5 has one of its own."""
    if not _wired_here(facts) or facts.core_mhz is None or facts.model is None:
        return skipped("spi-clock", "not known here")
    if any(name in facts.model for name in ("Pi 5", "Compute Module 5")):
        return skipped("spi-clock", "a Pi 5 has a clock of its own for this")
    four = any(name in facts.model for name in ("Pi 4", "Compute Module 4"))
    key, least = ("core_freq_min", 500) if four else ("core_freq", 250)
    if facts.core_mhz.get(key, 0) >= least:
        return ok("spi-clock", f"the core clock is kept: {key}={facts.core_mhz[key]}")
    return warning(
        "spi-clock",
        f"the core clock may change ({key} is not set), and pixels may flicker then",
        f"add {key}={least} under [all] in /boot/firmware/config.txt and restart, if they do",
    )


def sound(facts: Facts) -> Finding:
    """Sound does not use the block or the pins of the board. Loaded modules count before the file."""
    profile = facts.profile
    if not _wired_here(facts):
        return skipped("sound", NOT_A_PI)
    config = facts.config or ""
    pwm_pixels = profile is not None and profile.lamps.driver == "neopixel" and profile.lamps.pin in PWM_PINS
    if pwm_pixels:
        loud = PWM_SOUND in facts.modules if facts.modules is not None else not plain(config, "dtparam=audio=off")
        if loud:
            return failed(
                "sound",
                "the headphone sound uses the same block as the pixels, which will show noise",
                'wire the pixels to GPIO 10 and use driver = "spi"; or add dtparam=audio=off under [all] in '
                "/boot/firmware/config.txt and restart",
            )
    if any(claim.gpio in I2S_PINS for claim in _claims(facts)):
        on = [module for module in I2S_SOUND if facts.modules is not None and module in facts.modules]
        if on or (facts.modules is None and plain(config, "dtparam=i2s=on")):
            return failed(
                "sound",
                "sound goes out on the pins of I2S (GPIO 18 to 21), which the board uses",
                "remove the sound card's dtoverlay from /boot/firmware/config.txt and restart, or use other pins",
            )
    return ok("sound", "nothing that makes sound is in the way")


def serial_port(facts: Facts) -> Finding:
    """A micro-controller's data port is there and may be used."""
    boards = [port for port in facts.ports if port.vendor in BOARD_VENDORS]
    if not _on_pico(facts) and not boards:
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
    if not boards and not _on_pico(facts):
        return skipped("modem-manager", "it runs, but no micro-controller is asked for or plugged in")
    if boards and all(port.ignored for port in boards):
        return ok("modem-manager", "it runs and leaves the board alone")
    return failed(
        "modem-manager",
        "it runs, and sends modem commands to a board for half a minute after it is plugged in",
        "sudo stonelight install-service writes the rule that tells it not to; then plug the board in again",
    )


def console(facts: Facts) -> Finding:
    """The kernel does not talk on pins that the board uses."""
    words = [word for word in (facts.cmdline or "").split() if word.startswith("console=")]
    serial = [word for word in words if word.startswith(("console=serial", "console=ttyAMA", "console=ttyS"))]
    if not serial:
        return ok("console", "no console on the serial pins")
    profile = facts.profile
    used = any(claim.gpio in UART_PINS for claim in _claims(facts))
    if profile is None or profile.host != "pi" or not used:
        return ok("console", f"{serial[0]}, on pins that the board leaves alone")
    return failed(
        "console",
        f"the kernel's console is on GPIO 14 and 15 ({serial[0]}), which the board uses",
        "sudo raspi-config nonint do_serial_cons 1, then restart; or use other pins",
    )


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
        wrong, _, remedy = facts.profile_faults[0].rpartition("; ")
        return failed("profile", f"{wrong or facts.profile_faults[0]}{rest}", remedy or "mend the profile")
    if facts.profile is None:
        return skipped("profile", "no board was named with --board")
    return ok("profile", f"{facts.profile.title}: {len(facts.profile.cell_names())} cells")


def current(facts: Facts) -> Finding:
    """What the board draws is within what its supplies give."""
    if facts.profile is None:
        return skipped("current", "no board was named with --board")
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
