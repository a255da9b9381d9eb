"""What makes a Raspberry Pi play by itself: a system service, its user, and a rule for the board's USB port.

All of it is text. Where the texts go: `Service.files`; how they are put there: `install`. The words are those of
systemd.service(5), systemd.exec(5), sysusers.d(5) and udev(7).
"""

import grp
import os
import pwd
import re
import stat
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.bench.files import write_whole

USER: Final = "stonelight"
"""The service's own user, who can do nothing else."""
GROUPS: Final = ("gpio", "spi", "i2c", "dialout")
"""Who may use the pins, the pixels' bus, further chips, and serial ports."""
WATCHDOG_S: Final = 30
"""After how many silent seconds the service is started anew."""
UNIT: Final = Path("etc/systemd/system/stonelight.service")
RULES: Final = Path("etc/udev/rules.d/70-stonelight.rules")
SYSUSERS: Final = Path("etc/sysusers.d/stonelight.conf")
VENDORS: Final[Mapping[str, str]] = {
    "2e8a": "Raspberry Pi",
    "239a": "Adafruit",
    "1209": "pid.codes",
}
"""USB vendors of the micro-controllers that CircuitPython gives them (its ``mpconfigboard.mk`` files)."""
DEVICES: Final = ("gpiochip", "spi", "i2c", "ttyACM", "ttyUSB", "ttyAMA", "ttyS")
"""Kinds of character devices that a board hangs on, as /proc/devices names them."""

_USER_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,31}")
"""What useradd(8) takes, and systemd after it."""
_PLAIN: Final = re.compile(r"[A-Za-z0-9_@+=:,./-]+")
_UNWRITABLE: Final = frozenset({"Cc", "Cs"})
"""Unicode's categories of control characters and of bytes that are no text. A unit is UTF-8, one setting a line."""
_UNFIT_IN_COMMANDS: Final = "'\"\\"
"""systemd refuses them in the path of a program, quoted or not: "Executable name contains special characters"."""


class InstallError(OSError):
    """The service cannot be installed; says why and what to do."""


@dataclass(frozen=True, slots=True)
class Service:
    """A service that plays one game on one board.

    Fields:
        command: the command `stonelight`, by its whole path.
        game: the name of the game.
        board: a board profile, by name or by its whole path.
        user: whose service it is.
        groups: the groups that it needs and that this computer has.
        port: the port of the board's micro-controller; empty where it is looked for.
        variant: words for `play` that say how many play, and with which options.
    """

    command: str
    game: str
    board: str
    user: str = USER
    groups: tuple[str, ...] = GROUPS
    port: str = ""
    variant: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """See that systemd reads each word as it is meant.

        Raises:
            InstallError: a word cannot stand in a unit, the user's is no name, or the command's path will not do.
        """
        words = [("command", self.command), ("game", self.game), ("board", self.board), ("port", self.port)]
        for name, word in (*words, *(("option", word) for word in self.variant)):
            strange = next((letter for letter in word if unicodedata.category(letter) in _UNWRITABLE), None)
            if strange is not None:
                raise InstallError(f"{strange!r} cannot stand in a system service: name another {name} than {word!r}")
        if unfit := [letter for letter in self.command if letter in _UNFIT_IN_COMMANDS]:
            raise InstallError(
                f"systemd starts no command with {unfit[0]} in its path, which is {self.command}: install it elsewhere"
            )
        if not _USER_NAME.fullmatch(self.user):
            raise InstallError(
                f"{self.user!r} is no name of a user: it has at most 32 letters, digits, '_', '-' and '.', and begins "
                "with a letter or '_'"
            )

    def files(self) -> dict[Path, str]:
        """Return the texts by where they go, from the root directory."""
        files = {UNIT: unit(self), RULES: rules()}
        if self.user == USER:
            files[SYSUSERS] = sysusers(self)
        return files

    def next_steps(self) -> tuple[str, ...]:
        """Return the commands that make the files count, in order."""
        made = ("sudo systemd-sysusers",) if self.user == USER else ()
        return (
            *made,
            "sudo udevadm control --reload && sudo udevadm trigger",
            "sudo systemctl daemon-reload && sudo systemctl enable --now stonelight",
        )


def unit(service: Service) -> str:
    """Return the systemd unit."""
    port = ("--port", service.port) if service.port else ()
    game = (service.game, *service.variant)
    play = _line(service.command, "play", *game, "--board", service.board, *port, "--no-browser")
    dark = _line(service.command, "lights", "--off", "--board", service.board)
    devices = "\n".join(f"DeviceAllow=char-{kind} rw" for kind in DEVICES)
    return f"""\
# Written by `stonelight install-service`.
[Unit]
Description=Stonelight: a board that knows its game
Documentation=man:systemd.service(5)
Wants=network-online.target
After=network-online.target time-sync.target

[Service]
Type=notify
NotifyAccess=main
WatchdogSec={WATCHDOG_S}
ExecStart={play}
# However play ended, its lights go dark.
ExecStopPost={dark}
Restart=on-failure
RestartSec=2
TimeoutStartSec=60
TimeoutStopSec=5

User={service.user}
SupplementaryGroups={" ".join(service.groups)}
StateDirectory=stonelight
# The pin library makes a pipe of its own where it is started.
WorkingDirectory=/var/lib/stonelight
Environment=XDG_STATE_HOME=/var/lib PYTHONUNBUFFERED=1

NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=read-only
PrivateTmp=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectControlGroups=yes
RestrictSUIDSGID=yes
RestrictNamespaces=yes
LockPersonality=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
CapabilityBoundingSet=
DevicePolicy=closed
{devices}

[Install]
WantedBy=multi-user.target
"""


def rules() -> str:
    """Return the udev rules: leave boards alone, and name their data port."""
    lines = [
        "# Written by `stonelight install-service`.",
        "# ModemManager would send modem commands to every new serial port for half a minute.",
        "# A board has two ports, console and data: the link /dev/stonelight-... ends in the number of the interface.",
    ]
    for vendor, maker in VENDORS.items():
        match = f'SUBSYSTEM=="tty", ATTRS{{idVendor}}=="{vendor}"'
        known = 'ENV{ID_USB_SERIAL_SHORT}=="?*", ENV{ID_USB_INTERFACE_NUM}=="?*"'
        link = 'SYMLINK+="stonelight-$env{ID_USB_SERIAL_SHORT}-$env{ID_USB_INTERFACE_NUM}"'
        lines += [f"# {maker}", f'{match}, ENV{{ID_MM_DEVICE_IGNORE}}="1"', f"{match}, {known}, {link}"]
    return "\n".join(lines) + "\n"


def sysusers(service: Service) -> str:
    """Return the line that makes the service's own user, and its groups."""
    members = "".join(f"m {service.user} {group}\n" for group in service.groups)
    return f'# Written by `stonelight install-service`.\nu {service.user} - "Stonelight" /var/lib/stonelight\n{members}'


def known_groups() -> tuple[str, ...]:
    """Return those of `GROUPS` that this computer has; a unit that names another does not start."""
    names = {entry.gr_name for entry in grp.getgrall()}
    return tuple(group for group in GROUPS if group in names)


def install(service: Service, root: Path) -> tuple[Path, ...]:
    """Write the files of a service under `root`; return where they are.

    Raises:
        InstallError: the person may not, the command or the profile cannot be read by the service, or the user is none.
    """
    whole_system = root == Path("/")
    if whole_system:
        if os.geteuid() != 0:
            raise InstallError(
                "only root may install a system service: run it with sudo, or see what would be written with --print"
            )
        _check_user(service)
        for needed in (service.command, service.board):
            if needed.startswith("/"):
                _check_reach(Path(needed), service.user)
    written = []
    for place, text in service.files().items():
        path = root / place
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, text)
        except (OSError, ValueError) as error:  # ValueError: there can be no such path
            why = getattr(error, "strerror", None) or error
            raise InstallError(f"{path} cannot be written ({why}): check the directory") from error
        written.append(path)
    return tuple(written)


def _check_user(service: Service) -> None:
    if service.user == USER:
        return
    try:
        pwd.getpwnam(service.user)
    except KeyError as error:
        raise InstallError(
            f"there is no user {service.user}: name one that exists, or leave --user out and the service gets its own"
        ) from error


def _check_reach(path: Path, user: str) -> None:
    """Raise InstallError where a user cannot get at a file."""
    for part in (path, *path.parents):
        try:
            status = part.stat()
        except OSError as error:
            raise InstallError(f"{part} cannot be read ({error.strerror}): give a file that is there") from error
        if not may_pass(status, user, directory=part != path):
            raise InstallError(
                f"the user {user} may not enter {part}: put {path.name} where all may read it, such as /opt or /etc, "
                "or run the service as the file's owner with --user"
            )


def may_pass(status: os.stat_result, user: str, *, directory: bool) -> bool:
    """Return whether the mode of a file or directory lets a user read it or go through it, by owner and by all."""
    needed = stat.S_IXOTH if directory else stat.S_IROTH
    if status.st_mode & needed:
        return True
    try:
        owner = pwd.getpwnam(user).pw_uid
    except KeyError:
        return False
    return owner in (0, status.st_uid)


def _line(command: str, *words: str) -> str:
    """Return a command as systemd reads it: systemd.service(5), "Command lines"; systemd.unit(5), "Specifiers"."""
    # Dollar signs stand for variables everywhere but in the path of the program.
    return " ".join([_quoted(command), *(_quoted(word).replace("$", "$$") for word in words)])


def _quoted(word: str) -> str:
    """Return a word, in quotes where it needs them; in quotes or out of them systemd reads escapes and specifiers."""
    written = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return word if _PLAIN.fullmatch(word) else f'"{written}"'
