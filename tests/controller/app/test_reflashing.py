"""What a board is asked before and after its firmware is renewed: it shows its drive, and tells its version."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.app.loop import clock
from controller.app.reflashing import await_drive, await_firmware, check_port
from hardware import wire_messages as says
from hardware.board_plan import board_plan
from hardware.flashing import firmware_version
from hardware.ports import DeviceError
from hardware.profile import load_profile
from simulator.device_live import LiveDevice


@pytest.fixture
def device() -> Iterator[LiveDevice]:
    live = LiveDevice(board_plan(load_profile("exago-5-reeds")), clock)
    yield live
    live.unplug()


def test_a_restart_with_the_drive_in_sight(device: LiveDevice, tmp_path: Path) -> None:
    told: list[str] = []
    drives: list[Path] = []

    def wait(_: int) -> None:
        drives.append(tmp_path)

    await_drive(device.path, lambda: told.append("restarts"), lambda: drives, clock, wait)
    assert device.restarts == [says.RESTART_DRIVE]
    assert told == ["restarts"]


def test_a_system_that_mounts_nothing_is_not_waited_for_long(device: LiveDevice, tmp_path: Path) -> None:
    waited: list[int] = []
    moments = iter(range(0, 10_000_000, 1000))

    def now() -> int:
        return next(moments) if told else clock()

    told: list[str] = []
    node = tmp_path / "CIRCUITPY"

    def wait(ms: int) -> None:
        waited.append(ms)
        if len(waited) == 3:
            node.touch()

    def unmounted() -> Path | None:
        return node if node.exists() else None

    await_drive(device.path, lambda: told.append("restarts"), list, now, wait, unmounted=unmounted)
    assert 4 <= len(waited) <= 8  # 20 s would be ten or more


def test_the_firmware_that_runs_after_a_restart(device: LiveDevice) -> None:
    assert await_firmware(device.path) == (firmware_version(), "")
    assert device.restarts == [says.RESTART_PLAIN]


def test_no_firmware_answers() -> None:
    now = iter(range(0, 1_000_000, 1000))
    version, why = await_firmware("/dev/no-such-port", lambda: next(now))
    assert version is None
    assert "no port" in why
    with pytest.raises(DeviceError, match="there is no port /dev/no-such-port"):
        await_drive("/dev/no-such-port", lambda: None, list, lambda: next(now))


def test_a_drive_that_does_not_come(device: LiveDevice) -> None:
    told: list[str] = []
    moments = iter(range(0, 10_000_000, 1000))

    def now() -> int:
        return next(moments) if told else clock()

    with pytest.raises(DeviceError, match="has restarted, and its drive does not come"):
        await_drive(device.path, lambda: told.append("restarts"), list, now, lambda _: None, unmounted=lambda: None)


def test_a_port_that_opens_is_one_whether_or_not_a_board_answers(device: LiveDevice) -> None:
    check_port(device.path)
    now = iter(range(0, 1_000_000, 1000))
    check_port("loop://", lambda: next(now))
    assert device.restarts == []
    with pytest.raises(DeviceError, match="there is no port /dev/no-such-port"):
        check_port("/dev/no-such-port")
    with pytest.raises(DeviceError, match="nobody listens"):
        check_port("socket://localhost:1")
