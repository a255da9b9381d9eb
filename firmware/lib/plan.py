"""The board as ``board.json`` describes it: which pins, which cells, which pixels; checked before a pin is touched.

The controller writes that file from a board profile. All that is not said has the value in `DEFAULTS`.
"""

DRIVERS = ("matrix", "chain", "mux")
SENSINGS = ("presence", "colour", "count")
BUTTON = 0x8000
NOWHERE = 0xFFFF
BRIGHTEST = 254

DEFAULTS = {
    "board": "",
    "sensing": "presence",
    "settle_us": 50,
    "scan_ms": 20,
    "busy_ms": 5,
    "samples": 3,
    "agree_ms": 10,
    "steady_ms": 0,
    "rows": [],
    "columns": [],
    "load": "",
    "clock": "",
    "data": "",
    "registers": 0,
    "selects": [],
    "adcs": [],
    "emitter": "",
    "rest": [],
    "bands": [],
    "rails": [0, 65535],
    "places": [],
    "buttons": [],
    "button_pins": [],
    "pixels": 0,
    "channels": 3,
    "red": 1,
    "pixel_pin": "",
    "wiring": 0,
}
"""Every key, with its value where it is not given; ``cells`` and ``driver`` have none. Pins are names of ``board``.

``places``: for each input, row by row, register by register or ADC by ADC, its cell; -1 for none, -2 - k for button k
(contacts only). Not given: the cells in order. ``buttons``: all names; ``button_pins``: the pins of the first of them,
the others are contacts. ``bands``: least and greatest difference from ``rest`` and the reading that it is. ``red``:
which byte of a pixel is it. ``wiring``: a number that the controller gives to these pins and places, and is told again.
"""

_NEEDED = {
    "matrix": ("rows", "columns"),
    "chain": ("load", "clock", "data", "registers"),
    "mux": ("selects", "adcs", "bands"),
}
_BOUNDS = (
    ("cells", 1, 2048),
    ("pixels", 0, 4096),
    ("scan_ms", 1, 250),
    ("busy_ms", 1, 250),
    ("samples", 1, 16),
    ("agree_ms", 0, 250),
    ("steady_ms", 0, 2000),
    ("settle_us", 0, 5000),
    ("channels", 3, 4),
    ("red", 0, 3),
    ("registers", 0, 64),
    ("wiring", 0, 0xFFFFFFFF),
)


class PlanError(ValueError):
    """``board.json`` cannot be right; says which key and why."""


def check(given: dict) -> dict:
    """Return the whole plan: what is given, defaults for the rest, lists in full length.

    Raises:
        PlanError: a key is unknown, missing or impossible.
    """
    plan = DEFAULTS.copy()
    for key in given:
        if key not in plan and key not in ("cells", "driver"):
            raise PlanError("board.json: there is no key '%s'" % key)
        plan[key] = given[key]
    driver = plan.get("driver")
    if driver not in DRIVERS:
        raise PlanError("board.json: driver must be one of %s" % ", ".join(DRIVERS))
    if plan["sensing"] not in SENSINGS:
        raise PlanError("board.json: sensing must be one of %s" % ", ".join(SENSINGS))
    for key in _NEEDED[driver]:
        if not plan[key]:
            raise PlanError("board.json: driver %s needs %s" % (driver, key))
    for key, least, most in _BOUNDS:
        value = plan.get(key)
        if not isinstance(value, int) or not least <= value <= most:
            raise PlanError("board.json: %s must be a whole number from %d to %d" % (key, least, most))
    if plan["pixels"] and not plan["pixel_pin"]:
        raise PlanError("board.json: pixels need pixel_pin")
    if len(plan["button_pins"]) > len(plan["buttons"]):
        raise PlanError("board.json: more button_pins than buttons")
    plan["places"] = _places(plan)
    if driver == "mux":
        _check_mux(plan)
    return plan


def inputs(plan: dict) -> int:
    """Return how many contacts or sensors can be read."""
    if plan["driver"] == "matrix":
        return len(plan["rows"]) * len(plan["columns"])
    if plan["driver"] == "chain":
        return 8 * plan["registers"]
    return 16 * len(plan["adcs"])


def top(plan: dict) -> int:
    """Return the greatest reading that a cell may have."""
    return max([1] + [band[2] for band in plan["bands"]])


def _places(plan: dict) -> list:
    """Return for each input where it leads, as `cells_contacts.Contacts` and `cells_analogue.Analogue` take it."""
    count = inputs(plan)
    given = plan["places"] or list(range(plan["cells"]))
    if len(given) > count:
        raise PlanError("board.json: %d places for %d inputs" % (len(given), count))
    cells, buttons = plan["cells"], 0 if plan["driver"] == "mux" else len(plan["buttons"])
    seen = []
    places = []
    for place in given:
        if place >= cells or place < -1 - buttons or (place >= 0 and place in seen):
            raise PlanError("board.json: place %d is no cell or button, or is there twice" % place)
        seen.append(place)
        places.append(place if place >= 0 else NOWHERE if place == -1 else BUTTON + (-2 - place))
    if sum([place >= 0 for place in given]) != cells:
        raise PlanError("board.json: some of the %d cells have no place" % cells)
    return places + [NOWHERE] * (count - len(places))


def _check_mux(plan: dict) -> None:
    plan["rest"] = plan["rest"] or [0] * plan["cells"]
    if len(plan["rest"]) != plan["cells"]:
        raise PlanError("board.json: rest must have a value for each cell")
    for band in plan["bands"]:
        if len(band) != 3 or band[0] > band[1] or not 0 <= band[2] <= BRIGHTEST:
            raise PlanError("board.json: a band is least, greatest, and a reading from 0 to %d" % BRIGHTEST)
