"""Making the pixels of a board dark, whoever left them lit."""

from hardware.pixels import PixelEncoder
from hardware.profile import Profile


def darken(profile: Profile) -> bool:
    """Send one dark frame to the pixels of a board; return whether there was anything to do.

    The micro-controller of a board that has one lets its pixels fade to a few that breathe once nobody talks to it, and
    they stay so while they have current (docs/protocol.md, "How a conversation goes", 8).

    Raises:
        DeviceError: the pixels cannot be reached; says why and what to do.
    """
    if profile.host != "pi":
        return False
    from hardware.opening import open_strip  # the pixel libraries load only where pixels are there

    strip = open_strip(profile)
    try:
        strip.write(PixelEncoder(profile.chain()).encode(bytes(3 * len(profile.places()))))
    finally:
        strip.close()
    return True
