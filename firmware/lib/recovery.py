"""What survives a restart: three bytes of the chip's own memory, and what is decided from them.

`memory` is ``microcontroller.nvm`` on the device, any bytearray in tests.
"""

RESETS = (
    "POWER_ON",
    "BROWNOUT",
    "SOFTWARE",
    "DEEP_SLEEP_ALARM",
    "RESET_PIN",
    "WATCHDOG",
    "UNKNOWN",
    "RESCUE_DEBUG",
    "CRASH",
)
"""Why the device started, by the number that HELLO gives; all but the last as ``microcontroller.ResetReason``."""
CRASH = 8
MOST_RESTARTS = 3
"""Restarts out of safe mode in a row; then the device stays there, and shows red."""
CURABLE = ("BROWNOUT", "WATCHDOG", "HARD_FAULT", "NLR_JUMP_FAIL", "GC_ALLOC_OUTSIDE_VM")
"""Reasons for safe mode, by the names of ``supervisor.SafeModeReason``, that a restart may cure."""

_DRIVE = 0
_RESTARTS = 1
_CRASHED = 2
_WANTED = 0x5A
"""A byte that fresh memory (all 0xFF or 0x00) does not hold."""


def want_drive(memory) -> None:
    """Have the drive in sight after the next restart, and only after that one."""
    memory[_DRIVE] = _WANTED


def drive_wanted(memory) -> bool:
    """Return whether the drive is to be in sight, and forget it."""
    wanted = memory[_DRIVE] == _WANTED
    if wanted:
        memory[_DRIVE] = 0
    return wanted


def worth_a_restart(memory, reason: str) -> bool:
    """Return whether to restart out of a safe mode with that reason, and count it."""
    count = memory[_RESTARTS] if memory[_RESTARTS] != 0xFF else 0
    if reason not in CURABLE or count >= MOST_RESTARTS:
        return False
    memory[_RESTARTS] = count + 1
    memory[_CRASHED] = _WANTED
    return True


def start_reason(memory, reason: int) -> int:
    """Return why the device started: `CRASH` after a restart out of safe mode or out of the program, else `reason`."""
    if memory[_CRASHED] != _WANTED:
        return reason
    memory[_CRASHED] = 0
    return CRASH


def crashed(memory) -> None:
    """Note that the program restarts the device because it cannot go on."""
    memory[_CRASHED] = _WANTED


def healthy(memory) -> None:
    """The device has run well for a while: count restarts from nought."""
    if memory[_RESTARTS]:
        memory[_RESTARTS] = 0
