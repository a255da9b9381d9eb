"""Runs instead of ``code.py`` after the chip has gone into safe mode.

A brownout, a stuck loop or a hard fault may be over after a restart, so it is tried three times; then the board stays
here, with one pixel red, so that it can be looked at.
"""

import json

import microcontroller
import supervisor
from hw_cp import show_red
from plan import check
from recovery import worth_a_restart

reason = str(supervisor.runtime.safe_mode_reason).split(".")[-1]
if worth_a_restart(microcontroller.nvm, reason):
    microcontroller.reset()

try:
    with open("/board.json") as file:
        show_red(check(json.load(file)))
except Exception:  # noqa: BLE001, S110  # no board is known, so there is nothing to light
    pass
