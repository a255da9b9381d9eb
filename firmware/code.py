"""What the micro-controller runs: reads ``board.json``, and takes turns for ever. All else is in ``lib``."""

import json
import traceback

import supervisor
from hw_cp import Hardware
from plan import check
from running import Loop

# A file that is copied onto the drive must not restart a board in the middle of a game.
supervisor.runtime.autoreload = False

with open("/board.json") as file:
    plan = check(json.load(file))
loop = Loop(plan, Hardware(plan), traceback.print_exception)
while True:
    loop.turn()
