"""The doctor's checks of what belongs to the pins of a Pi: chip, library, buses, sound and pixels. Pure.

Judged by what the board needs, and without a board by what a Raspberry Pi usually needs. Live facts go before files.
"""

from typing import Final

from controller.bench.asked import JOIN, NOT_A_PI, claims_of, on_pico, why_no_board, why_not_here, wired_here
from controller.bench.boot_config import EVERYWHERE, filters_of, plain, settings
from controller.bench.facts import Facts
from controller.bench.findings import Finding, failed, ok, skipped, warning
from hardware.opening import HEADER_CHIPS
from hardware.pixel_roads import PixelRoad, has_rp1, pixel_road
from hardware.profile import Profile
from hardware.ws2812 import TRANSFER_BYTES, transfer_bytes

PWM_PINS: Final = (12, 13, 18, 19)
"""Pins of the block that makes the sound of the headphone jack (BCM2835, "PWM")."""
PWM_SOUND: Final = "snd_bcm2835"
PWM_OVERLAY: Final = "dtoverlay=audremap"
"""Leads that sound to two of `PWM_PINS`, as on a Zero, which has no jack (kernel, overlays/README)."""
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


def groups(facts: Facts) -> Finding:
    """The user may use pins, buses and ports, in this session and not only in the file."""
    needed = [*(("gpio", "spi") if wired_here(facts) else ()), *(("dialout",) if on_pico(facts) else ())]
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
    if not wired_here(facts):
        return skipped("gpio-chip", why_not_here(facts))
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
    if profile is None:
        return skipped("pins-free", why_no_board(facts))
    if not wired_here(facts):
        return skipped("pins-free", why_not_here(facts))
    if facts.lines is None:
        return skipped("pins-free", "who holds them is not known here")
    wanted = {claim.gpio: claim.key for claim in claims_of(facts) if not claim.bus}
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
    if not wired_here(facts):
        return skipped("lgpio", why_not_here(facts))
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
    if not wired_here(facts):
        return skipped("spi", why_not_here(facts))
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
    if not wired_here(facts):
        return skipped("spi-buffer", why_not_here(facts))
    if facts.spi_buffer is None:
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
    if not wired_here(facts):
        return skipped("spi-clock", why_not_here(facts))
    if facts.core_mhz is None or facts.model is None:
        return skipped("spi-clock", "not known here")
    if has_rp1(facts.model):
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


def _road(facts: Facts, profile: Profile) -> PixelRoad:
    return pixel_road(profile.lamps.driver, profile.lamps.pin, facts.model)


def pixel_data(facts: Facts) -> Finding:
    """The road to the pixels may be taken, on this model and by this user."""
    profile = facts.profile
    if profile is None:
        return skipped("pixel-data", why_no_board(facts))
    if not wired_here(facts):
        return skipped("pixel-data", "this board's micro-controller makes it")
    if facts.model is None:
        return skipped("pixel-data", NOT_A_PI)
    road = _road(facts, profile)
    spi = 'wire the pixels to GPIO 10 and use driver = "spi" under [lamps]; until then play goes on without light'
    if road.root and not facts.root:
        return failed("pixel-data", f"{road.why}, and {facts.user} is not root", spi)
    if road.name == "PIO" and not facts.pio:
        said = "is not there" if facts.pio is None else "may not be opened"
        return failed("pixel-data", f"{road.why}, and /dev/pio0 {said}", f"renew the system and its firmware; or {spi}")
    return ok("pixel-data", f"by {road.name}: {road.why}")


def sound(facts: Facts) -> Finding:
    """Sound does not use the block or the pins of the board. Loaded modules count before the file."""
    profile = facts.profile
    if not wired_here(facts):
        return skipped("sound", why_not_here(facts))
    config = facts.config or ""
    loud = PWM_SOUND in facts.modules if facts.modules is not None else not plain(config, "dtparam=audio=off")
    if loud and profile is not None and _road(facts, profile).shares_sound:
        return failed(
            "sound",
            "the headphone sound uses the same block as the pixels, which will show noise",
            'wire the pixels to GPIO 10 and use driver = "spi"; or add dtparam=audio=off under [all] in '
            "/boot/firmware/config.txt and restart",
        )
    led = any(line.startswith(PWM_OVERLAY) for section, line in settings(config) if section == EVERYWHERE)
    if loud and led and any(claim.gpio in PWM_PINS for claim in claims_of(facts)):
        return failed(
            "sound",
            "the headphone sound is led to pins of GPIO 12, 13, 18 and 19, which the board uses",
            f"remove {PWM_OVERLAY} from /boot/firmware/config.txt and restart, or use other pins",
        )
    if any(claim.gpio in I2S_PINS for claim in claims_of(facts)):
        on = [module for module in I2S_SOUND if facts.modules is not None and module in facts.modules]
        if on or (facts.modules is None and plain(config, "dtparam=i2s=on")):
            return failed(
                "sound",
                "sound goes out on the pins of I2S (GPIO 18 to 21), which the board uses",
                "remove the sound card's dtoverlay from /boot/firmware/config.txt and restart, or use other pins",
            )
    return ok("sound", "nothing that makes sound is in the way")


def console(facts: Facts) -> Finding:
    """The kernel does not talk on pins that the board uses."""
    words = [word for word in (facts.cmdline or "").split() if word.startswith("console=")]
    serial = [word for word in words if word.startswith(("console=serial", "console=ttyAMA", "console=ttyS"))]
    if not serial:
        return ok("console", "no console on the serial pins")
    profile = facts.profile
    used = any(claim.gpio in UART_PINS for claim in claims_of(facts))
    if profile is None or profile.host != "pi" or not used:
        return ok("console", f"{serial[0]}, on pins that the board leaves alone")
    return failed(
        "console",
        f"the kernel's console is on GPIO 14 and 15 ({serial[0]}), which the board uses",
        "sudo raspi-config nonint do_serial_cons 1, then restart; or use other pins",
    )
