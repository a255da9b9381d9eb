"""Gathering `Facts` from the computer that this runs on: the only place of the doctor's that looks at the world.

Whatever cannot be read is left unknown. Files are read below a root directory, so that other trees can be read too.
"""

import contextlib
import datetime as dt
import getpass
import grp
import http.client
import importlib
import importlib.metadata
import os
import platform
import pwd
import shutil
import socket
import struct
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from controller.bench.facts import PACKAGES, Facts, Install, Line, Page, Port, Spi, State
from controller.page.addresses import lan_address
from hardware.opening import HEADER_CHIPS
from hardware.pixel_roads import model_name
from hardware.profile import Profile

CHIP_INFO: Final = 0x8044B401
"""``GPIO_GET_CHIPINFO_IOCTL`` (linux/gpio.h)."""
CHIP_INFO_SHAPE: Final = "32s32sI"
"""Name, label and number of lines."""
LINE_INFO: Final = 0xC100B405
"""``GPIO_V2_GET_LINEINFO_IOCTL``."""
LINE_INFO_SHAPE: Final = "32s32sIIQ160s16s"
"""Name, consumer, offset, number of attributes, flags, attributes and padding."""
LINE_USED: Final = 1
HEADER_LINES: Final = 28
"""GPIO 0 to 27 are on the header."""
SECONDS: Final = 3.0
"""What a program or a connection is given to answer."""


def gather(
    port: int,
    *,
    profile: Profile | None = None,
    profile_faults: tuple[str, ...] = (),
    environ: Mapping[str, str] = os.environ,
    root: Path = Path("/"),
) -> Facts:
    """Return what can be known.

    Args:
        port: the port on which the page would be served.
        profile: the board, if one was asked for.
        profile_faults: what is wrong with it.
        environ: the environment.
        root: the directory below which files are read.
    """
    chips, forbidden, header = _chips(root)
    return Facts(
        install=_install(),
        system=_system(root),
        model=model_name(root / "proc/device-tree/model"),
        user=_user(),
        root=os.geteuid() == 0,
        groups=_names_of(os.getgroups()),
        groups_file=_groups_file(),
        chips=chips,
        chips_forbidden=forbidden,
        lines=None if header is None else _lines(header),
        lgpio=_lgpio(),
        spi=tuple(Spi(f"/dev/{node.name}", os.access(node, os.R_OK | os.W_OK)) for node in _nodes(root, "spidev*")),
        pio=next((os.access(node, os.R_OK | os.W_OK) for node in _nodes(root, "pio0")), None),
        spi_buffer=_number(_text(root / "sys/module/spidev/parameters/bufsiz")),
        core_mhz=_core_mhz(),
        modules=modules_in(_text(root / "proc/modules")),
        config=_text(root / "boot/firmware/config.txt") or _text(root / "boot/config.txt"),
        cmdline=_text(root / "proc/cmdline"),
        ports=_ports(root),
        modem_manager=_runs(root, "ModemManager"),
        year=dt.datetime.now(tz=dt.UTC).year,
        synchronised=_synchronised(root),
        state=_state(environ),
        page=_page(port),
        throttled=throttled_in(
            _text(root / "sys/devices/platform/soc/soc:firmware/get_throttled"), _vcgencmd("get_throttled")
        ),
        profile=profile,
        profile_faults=profile_faults,
    )


# Files and programs ---------------------------------------------------------------------------------------------------


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip("\0\n ")
    except OSError:
        return None


def _nodes(root: Path, pattern: str) -> list[Path]:
    return sorted((root / "dev").glob(pattern))


def _number(text: str | None) -> int | None:
    try:
        return int(text or "", 0)
    except ValueError:
        return None


def _said(*words: str) -> str | None:
    """Return what a program answers; None where it is not there or fails."""
    program = shutil.which(words[0])
    if program is None:
        return None
    try:
        done = subprocess.run(  # noqa: S603  # the words are this module's own
            [program, *words[1:]], capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _vcgencmd(*words: str) -> str | None:
    return _said("vcgencmd", *words)


# Python and the system ------------------------------------------------------------------------------------------------


def _install() -> Install:
    homes = {}
    for name in PACKAGES:
        module = importlib.import_module(name)
        file = getattr(module, "__file__", None)
        homes[name] = str(Path(file).resolve().parent.parent) if file else ""
    owners = importlib.metadata.packages_distributions()
    return Install(
        python=sys.version_info[:3],
        executable=sys.executable,
        owners={name: tuple(sorted(set(owners.get(name, ())))) for name in PACKAGES},
        homes=homes,
        own_home=str(Path(__file__).resolve().parents[2]),
    )


def _system(root: Path) -> str:
    named = [line for line in (_text(root / "etc/os-release") or "").splitlines() if line.startswith("PRETTY_NAME=")]
    title = named[0].partition("=")[2].strip('"') if named else platform.system()
    return f"{title}, {platform.machine()}"


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return str(os.getuid())


def _names_of(numbers: Iterable[int]) -> frozenset[str]:
    names = set()
    for number in {*numbers, os.getegid()}:
        with contextlib.suppress(KeyError):
            names.add(grp.getgrgid(number).gr_name)
    return frozenset(names)


def _groups_file() -> frozenset[str]:
    try:
        entry = pwd.getpwuid(os.getuid())
        return _names_of(os.getgrouplist(entry.pw_name, entry.pw_gid))
    except (KeyError, OSError):
        return frozenset()


def modules_in(text: str | None) -> frozenset[str] | None:
    """Return the names in the text of /proc/modules; None where there is none."""
    return None if text is None else frozenset(line.split()[0] for line in text.splitlines() if line.strip())


def throttled_in(kernel: str | None, firmware: str | None) -> int | None:
    """Return the firmware's word, from the kernel's file (``50005``) or the firmware's tool (``throttled=0x50005``)."""
    if kernel is not None:
        return _number(f"0x{kernel}")
    return None if firmware is None else _number(firmware.partition("=")[2])


def _core_mhz() -> Mapping[str, int] | None:
    found = {}
    for key in ("core_freq", "core_freq_min"):
        answer = _vcgencmd("get_config", key)
        if answer is None:
            return None
        found[key] = _number(answer.partition("=")[2]) or 0
    return found


def _runs(root: Path, program: str) -> bool:
    return any(_text(path) == program for path in (root / "proc").glob("[0-9]*/comm"))


def _synchronised(root: Path) -> bool | None:
    if (root / "run/systemd/timesync/synchronized").exists():
        return True
    answer = _said("timedatectl", "show", "--property=NTPSynchronized", "--value")
    return {"yes": True, "no": False}.get(answer or "")


# Pins and ports -------------------------------------------------------------------------------------------------------


def _chips(root: Path) -> tuple[Mapping[int, str] | None, int, Path | None]:
    """Return label by number of the chips that may be opened, how many may not, and the header's chip."""
    nodes = _nodes(root, "gpiochip*")
    labels: dict[int, str] = {}
    forbidden = 0
    header: Path | None = None
    for node in nodes:
        number = _number(node.name.removeprefix("gpiochip"))
        try:
            label = _chip_label(node)
        except PermissionError:
            forbidden += 1
            continue
        except OSError:
            continue
        if number is not None:
            labels[number] = label
            header = header or (node if label in HEADER_CHIPS else None)
    return (labels if nodes else None), forbidden, header


def _chip_label(node: Path) -> str:
    import fcntl  # no such module on every system

    with node.open("rb", buffering=0) as chip:
        answer = fcntl.ioctl(chip, CHIP_INFO, bytes(struct.calcsize(CHIP_INFO_SHAPE)))
    _, label, _ = struct.unpack(CHIP_INFO_SHAPE, answer)
    return _word(label)


def _lines(chip: Path) -> tuple[Line, ...] | None:
    """Return the header's lines that somebody holds."""
    import fcntl

    held = []
    try:
        with chip.open("rb", buffering=0) as file:
            for offset in range(HEADER_LINES):
                asked = struct.pack(LINE_INFO_SHAPE, b"", b"", offset, 0, 0, b"", b"")
                _, holder, _, _, flags, _, _ = struct.unpack(LINE_INFO_SHAPE, fcntl.ioctl(file, LINE_INFO, asked))
                if flags & LINE_USED:
                    held.append(Line(offset, _word(holder) or "the kernel"))
    except OSError:
        return None
    return tuple(held)


def _word(field: bytes) -> str:
    return field.partition(b"\0")[0].decode(errors="replace")


def _lgpio() -> str:
    try:
        module: Any = importlib.import_module("lgpio")
    except ModuleNotFoundError:
        return "missing"
    except (ImportError, OSError) as error:
        return f"broken: {error}"
    return "real" if hasattr(module, "gpiochip_open") else "empty"


def _ports(root: Path) -> tuple[Port, ...]:
    from serial.tools import list_ports

    found = []
    for each in list_ports.comports():
        vendor = "" if each.vid is None else f"{each.vid:04x}"
        if not vendor and not Path(each.device).name.startswith(("ttyAMA", "serial")):
            continue
        found.append(
            Port(
                device=each.device,
                interface=each.interface or "",
                vendor=vendor,
                allowed=os.access(each.device, os.R_OK | os.W_OK),
                ignored=_ignored(root, Path(each.device).name),
            )
        )
    return tuple(sorted(found, key=lambda port: port.device))


def _ignored(root: Path, name: str) -> bool | None:
    """Return whether udev, as it stands, tells ModemManager to leave a port alone."""
    number = _text(root / f"sys/class/tty/{name}/dev")
    data = None if number is None else _text(root / f"run/udev/data/c{number}")
    return None if data is None else "E:ID_MM_DEVICE_IGNORE=1" in data.splitlines()


# Disk and network -----------------------------------------------------------------------------------------------------


def _state(environ: Mapping[str, str]) -> State:
    base = environ.get("XDG_STATE_HOME") or str(Path(environ.get("HOME", "/")) / ".local" / "state")
    path = Path(base) / "stonelight"
    nearest = next(part for part in (path, *path.parents) if part.exists())
    owner = ""
    try:
        status = nearest.stat()
        if status.st_uid != os.geteuid():
            owner = pwd.getpwuid(status.st_uid).pw_name
        free_mb = shutil.disk_usage(nearest).free // 1_000_000
    except (KeyError, OSError):
        free_mb = None
    writable = nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)
    return State(str(path), writable, "" if writable else owner, free_mb)


def _page(port: int) -> Page:
    lan = lan_address()
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("", port))
            listener.listen(1)
        except OSError:
            return Page(port, free=False, ours=_is_ours(port), lan=lan)
        number = listener.getsockname()[1]
        reachable = None if lan is None else _connects(lan, number)
    return Page(number, free=True, lan=lan, reachable=reachable)


def _connects(host: str, port: int) -> bool:
    try:
        with socket.create_connection((host, port), timeout=SECONDS):
            return True
    except OSError:
        return False


def _is_ours(port: int) -> bool:
    """Return whether it is Stonelight that serves a page there."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    try:
        line.request("GET", "/")
        return b"Stonelight" in line.getresponse().read(100_000)
    except (OSError, http.client.HTTPException):
        return False
    finally:
        line.close()
