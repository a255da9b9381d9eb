"""What the micro-controller runs: reads ``board.json``, and takes turns for ever. All else is in ``lib``.

No pin is touched before the board is known to make sense. Where it cannot start, the next reset shows the drive.
"""

import json
import traceback

import microcontroller
import supervisor
from hw_cp import Hardware
from plan import check
from recovery import want_drive
from running import Loop

# A file that is copied onto the drive must not restart a board in the middle of a game.
supervisor.runtime.autoreload = False

try:
    with open("/board.json") as file:
        plan = check(json.load(file))
    loop = Loop(plan, Hardware(plan), traceback.print_exception)
except Exception:
    want_drive(microcontroller.nvm)
    raise
while True:
    loop.turn()
