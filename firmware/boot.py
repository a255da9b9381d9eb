"""Before USB starts: two serial ports, and the drive out of sight, unless ``ok`` is held down or the host asked for it.

With the drive in sight a computer may write to it at any moment, and the board must not.
"""

import json

import microcontroller
import storage
import usb_cdc
from hw_cp import held_down
from plan import check
from recovery import drive_wanted

# The first port is the console; the second one is the board's, and carries nothing else.
usb_cdc.enable(console=True, data=True)

try:
    with open("/board.json") as file:
        plan = check(json.load(file))
    pins = plan["button_pins"]
    names = plan["buttons"][: len(pins)]
    ok_pin = pins[names.index("ok")] if "ok" in names else ""
    hidden = not drive_wanted(microcontroller.nvm) and not (ok_pin and held_down(ok_pin))
except Exception:  # noqa: BLE001  # no board yet, or one that is not well, in whatever way: it must be within reach
    hidden = False

if hidden:
    storage.disable_usb_drive()
