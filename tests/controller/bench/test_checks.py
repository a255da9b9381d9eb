"""Each check of the doctor's on facts that are well and on facts that are not."""

import re
from dataclasses import replace
from typing import Any

import pytest

from controller.bench import checks_pins
from controller.bench.boot_config import filters_of, plain, settings
from controller.bench.checks import CHECKS, judge
from controller.bench.checks_serial import handshake
from controller.bench.facts import Facts, Install, Line, Page, Port, Spi, State
from controller.bench.findings import Finding, Verdict, any_failed, failed, ok
from controller.bench.simulated_facts import on_simulated_pi
from hardware.link_events import Can, Hello
from hardware.profile import Profile, load_profile

OK, WARNING, FAILED, SKIPPED = Verdict.OK, Verdict.WARNING, Verdict.FAILED, Verdict.SKIPPED
COLOUR = load_profile("bamogo-4x4-colour")
PRESENCE = load_profile("bamogo-4x4-presence")
PICO = load_profile("bao-4x12")
CHAIN = load_profile("mat-16x16")


def _with(profile: Profile, **lamps: Any) -> Profile:
    return profile.model_copy(update={"lamps": profile.lamps.model_copy(update=lamps)})


PWM = _with(PRESENCE, driver="neopixel", pin=18)
LAPTOP = Facts(
    install=Install(
        (3, 12, 1), "/opt/bin/python", {"controller": ("stonelight",)}, {"controller": "/opt/lib"}, "/opt/lib"
    ),
    system="Debian GNU/Linux 13 (trixie), x86_64",
    user="ann",
    state=State("/home/ann/.local/state/stonelight", writable=True, free_mb=5000),
    page=Page(8000, free=True, lan="192.0.2.7", reachable=True),
    groups=frozenset({"ann"}),
    groups_file=frozenset({"ann"}),
    cmdline="console=tty1",
    synchronised=True,
)
PI = replace(
    LAPTOP,
    model="Raspberry Pi 4 Model B Rev 1.5",
    groups=frozenset({"ann", "gpio", "spi"}),
    groups_file=frozenset({"ann", "gpio", "spi"}),
    chips={0: "pinctrl-bcm2711", 1: "raspberrypi-exp-gpio"},
    lines=(),
    lgpio="real",
    spi=(Spi("/dev/spidev0.0", allowed=True), Spi("/dev/spidev0.1", allowed=True)),
    spi_buffer=4096,
    core_mhz={"core_freq": 0, "core_freq_min": 500},
    modules=frozenset({"snd", "spidev"}),
    config="dtparam=spi=on\n",
    throttled=0,
)
PI_5 = "Raspberry Pi 5 Model B Rev 1.1"
SPI1 = (*PI.spi, Spi("/dev/spidev1.0", allowed=True), Spi("/dev/spidev1.1", allowed=True))
DATA = Port("/dev/ttyACM1", "CircuitPython CDC2 data", "2e8a", ignored=True)
CONSOLE = Port("/dev/ttyACM0", "CircuitPython CDC control", "2e8a", ignored=True)
WITH_PICO = replace(LAPTOP, profile=PICO, groups=frozenset({"dialout"}), ports=(CONSOLE, DATA))


def _install(**changes: Any) -> Install:
    return replace(LAPTOP.install, **changes)


CASES: list[tuple[str, Facts, Verdict, str]] = [
    ("python", LAPTOP, OK, "Python 3.12.1"),
    ("python", replace(LAPTOP, install=_install(python=(3, 10, 9))), FAILED, "3.11 or newer"),
    ("install", LAPTOP, OK, "/opt/lib"),
    (
        "install",
        replace(LAPTOP, install=_install(owners={"hardware": ("hw-tools", "stonelight")})),
        FAILED,
        "the package hardware is also brought by hw-tools.*pip uninstall hw-tools",
    ),
    (
        "install",
        replace(LAPTOP, install=_install(homes={"simulator": "/home/ann/other"})),
        FAILED,
        "taken from /home/ann/other.*PYTHONPATH",
    ),
    ("system", LAPTOP, OK, "Debian"),
    ("system", PI, OK, "Raspberry Pi 4 Model B"),
    ("system", replace(LAPTOP, profile=PRESENCE), FAILED, "hangs on the pins of a Raspberry Pi.*--sim"),
    ("system", WITH_PICO, OK, "Debian"),
    ("profile", LAPTOP, SKIPPED, "--board"),
    ("profile", replace(PI, profile=COLOUR), OK, "16 cells"),
    (
        "profile",
        replace(PI, profile_faults=("x.toml: cells.row: no such key; did you mean 'rows'?", "x.toml: y; z")),
        FAILED,
        r"cells.row: no such key \(and 1 more\).*did you mean 'rows'",
    ),
    ("groups", LAPTOP, SKIPPED, "no Raspberry Pi"),
    ("groups", PI, OK, "gpio, spi"),
    ("groups", replace(PI, groups=frozenset(), root=True), OK, "root"),
    ("groups", replace(PI, groups=frozenset({"spi"})), FAILED, "this session began before.*log out and in again"),
    (
        "groups",
        replace(PI, groups=frozenset({"spi"}), groups_file=frozenset({"spi"})),
        FAILED,
        r"ann is not in gpio.*usermod -aG gpio \$USER",
    ),
    ("groups", WITH_PICO, OK, "dialout"),
    ("groups", replace(WITH_PICO, groups=frozenset()), FAILED, "usermod -aG dialout"),
    ("gpio-chip", LAPTOP, SKIPPED, "no Raspberry Pi"),
    ("gpio-chip", PI, OK, "gpiochip0 is pinctrl-bcm2711"),
    ("gpio-chip", replace(PI, chips={4: "pinctrl-rp1", 0: "x"}), OK, "gpiochip4 is pinctrl-rp1"),
    ("gpio-chip", replace(PI, chips={0: "pinctrl-rp1", 4: "pinctrl-rp1"}), OK, "gpiochip0 is pinctrl-rp1"),
    ("gpio-chip", replace(PI, chips={}, chips_forbidden=2), FAILED, "may not be opened.*usermod -aG gpio"),
    ("gpio-chip", replace(LAPTOP, profile=PRESENCE), FAILED, "there is none"),
    ("gpio-chip", replace(PI, chips={0: "INT34C6:00"}), FAILED, "there are INT34C6:00"),
    ("lgpio", LAPTOP, SKIPPED, "no Raspberry Pi"),
    ("lgpio", PI, OK, "has what is needed"),
    ("lgpio", replace(PI, lgpio="empty"), FAILED, "empty shell.*apt install python3-lgpio"),
    ("lgpio", replace(PI, lgpio="missing"), FAILED, "not installed"),
    ("lgpio", replace(PI, lgpio="broken: no libc"), FAILED, "no libc"),
    ("pins-free", PI, SKIPPED, "no board"),
    ("pins-free", replace(PI, profile=PRESENCE, lines=None), SKIPPED, "not|known"),
    ("pins-free", replace(PI, profile=PRESENCE, lines=(Line(2, "i2c"),)), OK, "14 pins are free"),
    (
        "pins-free",
        replace(PI, profile=PRESENCE, lines=(Line(17, "fan"),)),
        FAILED,
        r"GPIO 17 \(cells.rows\[1\]\) is held by fan.*gpioinfo",
    ),
    ("spi", LAPTOP, SKIPPED, "no Raspberry Pi"),
    ("spi", PI, OK, "/dev/spidev0.0 may be used"),
    ("spi", replace(PI, profile=COLOUR, spi=SPI1), OK, "spidev1.1"),
    ("spi", replace(PI, profile=CHAIN, spi=SPI1), OK, "/dev/spidev0.0, /dev/spidev1.0 may be used"),
    ("spi", replace(PI, profile=COLOUR), FAILED, "spidev1.0 is not there.*dtoverlay=spi1"),
    ("spi", replace(PI, spi=(), config=""), FAILED, "that bus is off.*do_spi 0 and restart"),
    ("spi", replace(PI, spi=(), config="dtparam=spi=on"), FAILED, "config.txt asks for it.*restart the Pi"),
    (
        "spi",
        replace(PI, spi=(), config="[pi5]\ndtparam=spi=on\n[all]\n"),
        FAILED,
        r"only under \[pi5\], which does not hold here.*under \[all\]",
    ),
    ("spi", replace(PI, spi=(Spi("/dev/spidev0.0", allowed=False),)), FAILED, "usermod -aG spi"),
    ("spi-buffer", PI, OK, "4096 bytes"),
    ("spi-buffer", LAPTOP, SKIPPED, ""),
    ("spi-buffer", replace(PI, profile=CHAIN, spi_buffer=1024), FAILED, "end after 1024 bytes.*bufsiz"),
    ("spi-buffer", replace(PI, profile=PRESENCE, spi_buffer=1024), OK, "1024 bytes"),
    ("spi-clock", PI, OK, "core_freq_min=500"),
    ("spi-clock", replace(PI, core_mhz=None), SKIPPED, ""),
    ("spi-clock", replace(PI, core_mhz={"core_freq_min": 0}), WARNING, "may change.*core_freq_min=500"),
    (
        "spi-clock",
        replace(PI, model="Raspberry Pi Zero 2 W Rev 1.0", core_mhz={"core_freq": 0}),
        WARNING,
        "add core_freq=250",
    ),
    ("spi-clock", replace(PI, model="Raspberry Pi 5 Model B Rev 1.0"), SKIPPED, "clock of its own"),
    ("pixel-data", LAPTOP, SKIPPED, "no board"),
    ("pixel-data", WITH_PICO, SKIPPED, "micro-controller makes it"),
    ("pixel-data", replace(LAPTOP, profile=PRESENCE), SKIPPED, "no Raspberry Pi"),
    ("pixel-data", replace(PI, profile=PRESENCE), OK, "by SPI: .*GPIO 10 of every Pi, without root"),
    ("pixel-data", replace(PI, profile=PWM), FAILED, "Pi 4 .*only root may use, and ann is not root.*play goes on"),
    ("pixel-data", replace(PI, profile=PWM, root=True), OK, "by PWM: GPIO 18 of a Raspberry Pi 4"),
    ("pixel-data", replace(PI, profile=_with(PWM, pin=21)), FAILED, "GPIO 21 .* is on PCM"),
    ("pixel-data", replace(PI, profile=_with(PWM, pin=10)), OK, "by SPI: GPIO 10 of a Raspberry Pi 4"),
    ("pixel-data", replace(PI, profile=PWM, model=PI_5, pio=True), OK, "by PIO: .* on the chip RP1"),
    ("pixel-data", replace(PI, profile=PWM, model=PI_5, pio=False), FAILED, "/dev/pio0 may not be opened"),
    ("pixel-data", replace(PI, profile=PWM, model=PI_5), FAILED, "/dev/pio0 is not there.*renew the system"),
    ("sound", LAPTOP, SKIPPED, "no Raspberry Pi"),
    ("sound", replace(PI, profile=PWM, model=PI_5, modules=frozenset({"snd_bcm2835"})), OK, "nothing"),
    (
        "sound",
        replace(PI, profile=CHAIN, modules=frozenset({"snd_bcm2835"}), config="dtoverlay=audremap,pins_18_19\n"),
        FAILED,
        "led to pins of GPIO 12.*remove dtoverlay=audremap",
    ),
    ("sound", replace(PI, profile=CHAIN, modules=frozenset(), config="dtoverlay=audremap\n"), OK, "nothing"),
    (
        "sound",
        replace(PI, profile=CHAIN, modules=frozenset({"snd_bcm2835"}), config="[pi4]\ndtoverlay=audremap\n"),
        OK,
        "nothing",
    ),
    ("sound", replace(PI, profile=PRESENCE, modules=frozenset({"snd_bcm2835"})), OK, "nothing"),
    ("sound", replace(PI, profile=PWM, modules=frozenset({"snd_bcm2835"})), FAILED, 'GPIO 10 and use driver = "spi"'),
    # The file says that sound is off, though only for another model; what counts is that it is not off.
    (
        "sound",
        replace(PI, profile=PWM, modules=frozenset({"snd_bcm2835"}), config="dtparam=audio=off"),
        FAILED,
        "same block",
    ),
    ("sound", replace(PI, profile=PWM, modules=frozenset(), config="dtparam=audio=on"), OK, "nothing"),
    ("sound", replace(PI, profile=PWM, modules=None, config="[pi5]\ndtparam=audio=off"), FAILED, "same block"),
    ("sound", replace(PI, profile=PWM, modules=None, config="dtparam=audio=off"), OK, "nothing"),
    (
        "sound",
        replace(PI, profile=COLOUR, modules=frozenset({"snd_soc_bcm2835_i2s"})),
        FAILED,
        "pins of I2S.*dtoverlay",
    ),
    ("sound", replace(PI, profile=COLOUR, modules=None, config="dtparam=i2s=on"), FAILED, "pins of I2S"),
    ("sound", replace(PI, profile=COLOUR), OK, "nothing"),
    ("serial-port", LAPTOP, SKIPPED, "no board"),
    ("serial-port", WITH_PICO, OK, "/dev/ttyACM1"),
    ("serial-port", replace(WITH_PICO, ports=()), FAILED, "cable that carries data"),
    ("serial-port", replace(WITH_PICO, ports=(CONSOLE,)), FAILED, "no data port.*flash"),
    ("serial-port", replace(WITH_PICO, ports=(replace(DATA, allowed=False),)), FAILED, "usermod -aG dialout"),
    ("serial-port", replace(WITH_PICO, ports=(Port("/dev/ttyUSB0", "modem", "0403"),)), FAILED, "no micro-controller"),
    ("serial-port", replace(WITH_PICO, ports=(), port_named="socket://x:1"), SKIPPED, "socket://x:1 was named"),
    ("modem-manager", LAPTOP, OK, "does not run"),
    ("modem-manager", replace(LAPTOP, modem_manager=True), SKIPPED, "it runs"),
    ("modem-manager", replace(WITH_PICO, modem_manager=True), OK, "leaves the board alone"),
    (
        "modem-manager",
        replace(WITH_PICO, modem_manager=True, ports=(CONSOLE, replace(DATA, ignored=False))),
        FAILED,
        "install-service",
    ),
    ("modem-manager", replace(WITH_PICO, modem_manager=True, ports=()), FAILED, "install-service"),
    ("console", PI, OK, "no console"),
    ("console", replace(PI, profile=PRESENCE, cmdline="console=serial0,115200"), OK, "leaves alone"),
    (
        "console",
        replace(
            PI,
            profile=PRESENCE.model_copy(update={"buttons": {"ok": 14}}),
            cmdline="console=serial0,115200 console=tty1",
        ),
        FAILED,
        "GPIO 14 and 15.*do_serial_cons 1",
    ),
    ("clock", LAPTOP, OK, "2026, by a time server"),
    ("clock", replace(LAPTOP, year=1970), FAILED, "the year 1970.*date -s"),
    ("clock", replace(LAPTOP, synchronised=False), WARNING, "set-ntp"),
    ("clock", replace(LAPTOP, synchronised=None), OK, "it is 2026 ->"),
    ("state", LAPTOP, OK, "stonelight"),
    ("state", replace(LAPTOP, state=State("/x", writable=False, owner="root")), FAILED, "belongs to root.*chown"),
    ("state", replace(LAPTOP, state=State("/x", writable=True, free_mb=3)), FAILED, "3 MB are left.*make room"),
    ("page", LAPTOP, OK, "http://192.0.2.7:8000/ can be reached"),
    ("page", replace(LAPTOP, page=Page(8000, free=False)), FAILED, "in use by another program.*--http-port 8001"),
    ("page", replace(LAPTOP, page=Page(65535, free=False)), FAILED, "--http-port 8000"),
    ("page", replace(LAPTOP, page=Page(8000, free=False, ours=True)), OK, "being played"),
    ("page", replace(LAPTOP, page=Page(8000, free=True)), WARNING, "no network"),
    ("page", replace(LAPTOP, page=Page(8000, free=True, lan="192.0.2.7", reachable=False)), FAILED, "firewall"),
    ("supply", LAPTOP, SKIPPED, ""),
    ("supply", PI, OK, "not been too low"),
    ("supply", replace(PI, throttled=0x50005), FAILED, "at this moment"),
    ("supply", replace(PI, throttled=0x50000), WARNING, "since the Pi was started"),
    ("current", LAPTOP, SKIPPED, "--board"),
    ("current", replace(LAPTOP, profile_faults=("x: y; z",)), SKIPPED, "the board's profile has faults"),
    ("current", replace(PI, profile=COLOUR), OK, "500 of 2500 mA.*sensors 160 of 500"),
    ("current", replace(PI, profile=_with(COLOUR, supply_ma=None)), WARNING, "lamps.supply_ma"),
]


@pytest.mark.parametrize(("check", "facts", "verdict", "words"), CASES)
def test_a_check(check: str, facts: Facts, verdict: Verdict, words: str) -> None:
    finding = next(found for found in judge(facts) if found.check == check)
    assert (finding.verdict, finding.remedy != "") == (verdict, verdict in (FAILED, WARNING))
    assert re.search(words, f"{finding.said} -> {finding.remedy}"), finding
    assert "\n" not in finding.said + finding.remedy


def test_every_check_is_seen_to_pass_and_to_fail() -> None:
    names = [finding.check for finding in judge(LAPTOP)]
    assert len(set(names)) == len(CHECKS)
    for name in names:
        verdicts = {verdict for check, _, verdict, _ in CASES if check == name}
        assert OK in verdicts, name
        assert verdicts & {FAILED, WARNING}, name


OURS = Hello("1.2.3", 1, identity="e661", board="bao-4x12", can=Can.DRIVE)


@pytest.mark.parametrize(
    ("hello", "verdict", "words"),
    [
        (OURS, OK, "'bao-4x12' answers on /dev/ttyACM1, firmware 1.2.3, serial number e661"),
        (replace(OURS, firmware="1.2.2"), WARNING, "runs firmware 1.2.2, and this is 1.2.3 -> 'stonelight flash'"),
        (replace(OURS, board="mine"), WARNING, "set up as 'mine', and the profile is 'bao-4x12'.*stonelight flash"),
        # Another maker's firmware counts its own versions.
        (replace(OURS, firmware="0.1.0", can=Can.RAW), OK, "firmware 0.1.0"),
    ],
)
def test_who_answers_is_told_and_what_does_not_fit(hello: Hello, verdict: Verdict, words: str) -> None:
    finding = handshake(PICO, hello, "/dev/ttyACM1", "1.2.3")
    assert finding.verdict is verdict
    assert re.search(words, f"{finding.said} -> {finding.remedy}"), finding


@pytest.mark.parametrize(
    "facts",
    [
        pytest.param(WITH_PICO, id="a laptop"),
        pytest.param(replace(PI, profile=PICO, ports=(CONSOLE, DATA)), id="a Pi"),
        pytest.param(on_simulated_pi(replace(LAPTOP, profile=PICO)), id="a simulated Pi"),
    ],
)
def test_pins_do_not_matter_to_a_board_with_a_micro_controller_whatever_computer_it_is(facts: Facts) -> None:
    said = {finding.check: finding.said for finding in judge(facts) if finding.verdict is SKIPPED}
    of_pins = {"gpio-chip", "lgpio", "pins-free", "spi", "spi-buffer", "spi-clock", "sound"}
    assert {said[check] for check in of_pins} == {"this board's wires go to its micro-controller"}
    assert "no Raspberry Pi" not in " ".join(said.values())
    assert "no board" not in " ".join(said.values())


@pytest.mark.parametrize("simulated", [False, True])
def test_faults_of_a_profile_are_not_told_as_no_board(simulated: bool) -> None:
    facts = replace(LAPTOP, profile_faults=("mine.toml: host: \"pcio\" is not known here; use 'pi' or 'pico'",))
    said = [finding.said for finding in judge(on_simulated_pi(facts) if simulated else facts)]
    assert not [line for line in said if "--board" in line]
    assert said.count("the board's profile has faults") == 3
    assert simulated != ("this computer is no Raspberry Pi" in said)


@pytest.mark.parametrize("profile", [None, PRESENCE, COLOUR, CHAIN])
def test_a_pi_that_is_ready_has_nothing_to_mend(profile: Profile | None) -> None:
    facts = replace(PI, profile=profile, spi=SPI1)
    assert not [finding for finding in judge(facts) if finding.remedy]


def test_reserved_pins_are_somebody_else_s() -> None:
    reserve = PRESENCE.reserve.model_copy(update={"buses": ("i2s",), "pins": (3,)})
    facts = replace(
        PI,
        profile=PRESENCE.model_copy(update={"reserve": reserve, "buttons": {}, "cells": CHAIN.cells}),
        modules=frozenset({"snd_soc_bcm2835_i2s"}),
        lines=(Line(3, "clock"),),
    )
    # The chain of registers is on SPI1, so that board is in the way of sound; a matrix elsewhere is not.
    assert checks_pins.sound(facts).verdict is FAILED
    matrix = PRESENCE.model_copy(
        update={"reserve": reserve, "cells": PRESENCE.cells.model_copy(update={"columns": (13, 16, 22, 27)})}
    )
    assert checks_pins.sound(replace(facts, profile=matrix)).verdict is OK
    assert checks_pins.pins_free(replace(facts, profile=matrix)).verdict is OK


def test_a_remedy_goes_with_what_is_wrong_and_nothing_else() -> None:
    with pytest.raises(ValueError, match="has a remedy"):
        Finding("x", FAILED, "wrong")
    with pytest.raises(ValueError, match="has a remedy"):
        Finding("x", OK, "well", "do this")
    assert failed("x", "a", "b").as_json() == {"check": "x", "verdict": "failed", "said": "a", "remedy": "b"}
    assert any_failed([ok("x", "y"), failed("x", "a", "b")])
    assert not any_failed([ok("x", "y")])


def test_config_lines_under_a_filter_do_not_count() -> None:
    text = "# dtparam=spi=on\n dtparam = audio=on # loud\n[pi4]\ndtparam=spi=on\n[ALL]\narm_boost=1\n"
    assert list(settings(text)) == [("all", "dtparam=audio=on"), ("pi4", "dtparam=spi=on"), ("all", "arm_boost=1")]
    assert plain(text, "arm_boost=1")
    assert not plain(text, "dtparam=spi=on")
    assert filters_of(text, "dtparam=spi=on") == ("pi4",)
