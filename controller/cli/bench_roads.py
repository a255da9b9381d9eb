"""The way from a bench command to a real board: over this computer's pins, or through a serial port."""

from controller.bench.road import PiRoad, Road
from hardware.profile import Profile


def real_road(profile: Profile, port: str | None = None) -> Road:
    """Return the way to the board that `profile` describes.

    Args:
        profile: the board.
        port: where its micro-controller is, a path or URL; None to look for it.

    Raises:
        DeviceError: it cannot be reached; says why and what to do.
    """
    if profile.host == "pi":
        return PiRoad(profile)
    from controller.app.on_serial import open_serial
    from controller.bench.serial_road import SerialRoad

    board, _ = open_serial(profile, port)
    return SerialRoad(board, profile)
