"""The questions about a profile, as a table: how each is asked, and what a person who has read nothing has to know.

They are asked in this order; of two about one key, one is left out by its `Ask.when`.

Where a thing is found on a part is said as its data sheet has it: 74HC165 (Texas Instruments SCLS116), CD74HC4067
(SCHS209), MCP3008 (Microchip DS21295), WS2812B (Worldsemi).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from controller.bench.proposals import Raw, numbered
from hardware.profile import Profile
from hardware.profile_model import BUTTONS
from hardware.words import near_miss

NOTHING: Final = "none"
"""Said for a part that this board does not have."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One question about a profile.

    Fields:
        key: the path of the key.
        words: how it is asked.
        explained: what it is, where to see it on the board or its parts, and an example.
        read: makes a value of an answer; raises ValueError with words for a person.
        when: whether a profile has such a key.
        optional: whether the board may lack it.
        made: makes what the profile holds of what was read.
    """

    key: str
    words: str
    explained: str
    read: Callable[[str], Any]
    when: Callable[[Raw], bool] = lambda _raw: True
    optional: bool = False
    made: Callable[[Raw, Any], Any] = lambda _raw, value: value


_PREFIX: Final = re.compile(r"\bGP(?:IO)?\s*(?=\d)", re.IGNORECASE)
_PIN: Final = re.compile(r"(?:GP(?:IO)?\s*)?(\d{1,9})", re.IGNORECASE | re.ASCII)


def _text(answer: str) -> str:
    return answer


def _whole(answer: str) -> int:
    try:
        return int(answer)
    except ValueError as error:
        raise ValueError(f"{answer!r} is no whole number") from error


def _number(answer: str) -> float:
    try:
        value = float(answer)
    except ValueError as error:
        raise ValueError(f"{answer!r} is no number") from error
    return int(value) if value.is_integer() else value


def _pin(answer: str) -> int:
    """Read ``15``, and ``GP15`` or ``GPIO 15`` as it is printed on boards and drawings."""
    found = _PIN.fullmatch(answer)
    if found is None:
        raise ValueError(f"{answer!r} is no pin: say its number, such as 15 (GP15 and GPIO 15 are the same)")
    return int(found[1])


def _pins(answer: str) -> list[int]:
    bare = _PREFIX.sub("", answer.strip("[]")).replace(",", " ")
    return [_pin(word) for word in bare.split()]


def _button_words(answer: str) -> list[str]:
    words = answer.replace(",", " ").lower().split()
    for word in words:
        if word not in BUTTONS:
            raise ValueError(f"there is no button {word!r}; {near_miss(word, BUTTONS)}")
    return words


def _truth(answer: str) -> bool:
    words = {"y": True, "yes": True, "true": True, "n": False, "no": False, "false": False}
    if answer.lower() not in words:
        raise ValueError(f"{answer!r} is neither yes nor no")
    return words[answer.lower()]


def _upper(answer: str) -> str:
    return answer.upper()


def _driver(*names: str) -> Callable[[Raw], bool]:
    return lambda raw: raw["cells"]["driver"] in names


def _layout(*names: str) -> Callable[[Raw], bool]:
    return lambda raw: raw["cells"].get("layout", "grid") in names


def on_pico(raw: Raw) -> bool:
    """Return whether the wires of this board go to a Pico."""
    return bool(raw.get("host", "pi") == "pico")


def _matrix_of(*names: str) -> Callable[[Raw], bool]:
    return lambda raw: raw["cells"]["driver"] == "matrix" and _layout(*names)(raw)


def _chain_on_pico(raw: Raw) -> bool:
    return raw["cells"]["driver"] == "chain" and on_pico(raw)


_BUTTONS: Final = {
    **{
        colour: f"In Bamogo it says that the stone just put down is {colour}, where the cells cannot see it."
        for colour in ("red", "blue", "yellow")
    },
    "ok": "It answers yes.",
    "back": "It answers no, and takes back.",
    "new": "It asks for a new round.",
    "hint": "It shows where the player on turn may move.",
    **{
        seat: f"It stands before the seat of player {seat}: pressed before a round, it lets that player begin."
        for seat in "123456"
    },
}


def _button(name: str) -> Ask:
    return Ask(
        f"buttons.{name}",
        f"Pin of the button {name}, to ground, or {NOTHING}",
        f"{_BUTTONS[name]} If the board lacks it: {NOTHING}; the page has all buttons.",
        _pin,
        lambda raw: name in raw.get("buttons", {}),
        optional=True,
    )


ASKS: Final[tuple[Ask, ...]] = (
    Ask("title", "What shall the board be called", "A name for people, such as: Our kitchen table.", _text),
    Ask(
        "cells.files",
        "Cells from left to right",
        "Count the cells, or pits, along the edge that is nearest to player 1: on a board of 4 x 4 there are 4.",
        _whole,
        _layout("grid", "tiles", "pits"),
    ),
    Ask(
        "cells.ranks",
        "Cells from near to far",
        "Count them from player 1 to the far edge: on a board of 4 x 4 there are 4.",
        _whole,
        _layout("grid", "tiles"),
    ),
    Ask(
        "cells.radius",
        "Cells from the middle to a corner of the hexagon",
        "Count them in a straight row, without the middle one itself: a board of 91 cells has 5.",
        _whole,
        _layout("hexagon"),
    ),
    Ask(
        "cells.diodes",
        "Is there a diode at every contact (yes or no)",
        "A diode is a small part with a ring at one end, such as a 1N4148, in line with each switch. Without them "
        "three stones on the corners of a rectangle look like four.",
        _truth,
        _driver("matrix"),
    ),
    Ask(
        "cells.buttons",
        f"Buttons in the matrix, or {NOTHING}",
        "The buttons of this board need no pins: each sits in the matrix like one more cell, with its own diode, at a "
        "crossing that no cell needs. Name those that you build, such as ok, back, new, hint. If there are none, or "
        f"they have pins of their own: {NOTHING}; the page has all buttons.",
        _button_words,
        lambda raw: raw["cells"]["driver"] == "matrix" and "buttons" in raw["cells"],
        optional=True,
        made=numbered,
    ),
    Ask(
        "cells.buttons",
        f"Buttons on the registers, or {NOTHING}",
        "The buttons of this board need no pins: each joins an input of the registers that no cell needs to ground. "
        "Name those that you build, such as ok, back, new, hint. If there are none, or they have pins of their own: "
        f"{NOTHING}; the page has all buttons.",
        _button_words,
        lambda raw: raw["cells"]["driver"] == "chain" and "buttons" in raw["cells"],
        optional=True,
        made=numbered,
    ),
    Ask(
        "cells.rows",
        "Pins of the matrix's rows, nearest first",
        "Each switch joins a row wire to a column wire. Say for each row wire, that of the cells nearest to player 1 "
        "first, at which pin it ends, such as 4, 17, 12, 26.",
        _pins,
        _matrix_of("grid", "tiles"),
    ),
    Ask(
        "cells.rows",
        "Pins of the matrix's rows, row 1 first",
        "Each switch joins a row wire to a column wire, so rows times columns must be as many as cells and buttons, or "
        "more. The cells fill the crossings in the order of their names: as many as there are columns at row 1, the "
        "next at row 2, and so on, wherever the rows of the board end; the list comes after the next question. Say for "
        "each row wire at which pin it ends, such as 4, 17, 12, 26.",
        _pins,
        _matrix_of("hexagon", "pits"),
    ),
    Ask(
        "cells.columns",
        "Pins of its columns, from the left",
        "The same for the wires that cross the rows, the leftmost first, such as 13, 16, 20, 27.",
        _pins,
        _matrix_of("grid", "tiles"),
    ),
    Ask(
        "cells.columns",
        "Pins of its columns, column 1 first",
        "The same for the wires that cross the rows, such as 13, 16, 20, 27.",
        _pins,
        _matrix_of("hexagon", "pits"),
    ),
    Ask(
        "cells.load",
        "Pin to SH/LD of the registers",
        "The registers are the chips marked 74HC165, which gather eight cells each. SH/LD is leg 1 of every one "
        "(beside the notch), all on one wire: say to which pin it goes, such as 16.",
        _pin,
        _driver("chain"),
    ),
    Ask(
        "cells.clock",
        "Pin to their clock",
        "CLK is leg 2 of every register, all on one wire: say to which pin it goes, such as 14.",
        _pin,
        _chain_on_pico,
    ),
    Ask(
        "cells.data",
        "Pin from their output",
        "QH is leg 9. That of the register nearest to the Pico goes to a pin, such as 12; the others from one "
        "register to the next.",
        _pin,
        _chain_on_pico,
    ),
    Ask(
        "cells.registers",
        "How many registers, without the last, which is fixed",
        "Count the chips marked 74HC165, but not the one at the far end, whose inputs are wired to a fixed pattern and "
        "show a broken chain. Eight cells need one: 91 cells need 12.",
        _whole,
        _driver("chain"),
    ),
    Ask(
        "cells.selects",
        "Pins to S0, S1, S2, S3 of the multiplexers",
        "The multiplexers are the small boards or chips marked 4067, sixteen cells each. S0 to S3 are printed on them, "
        "and all of them share these wires: say the four pins in this order, such as 2, 3, 4, 5.",
        _pins,
        _driver("mux"),
    ),
    Ask(
        "cells.adcs",
        "Analogue inputs, one for each multiplexer",
        "The wire from SIG (or COM) of each multiplexer goes to an analogue input: on a Pico to GP26, 27 or 28, on a "
        "Pi to a channel of the chip MCP3008. The first multiplexer's first, such as 26, 27, 28.",
        _pins,
        _driver("mux"),
    ),
    Ask(
        "cells.emitter",
        f"Pin that switches the infrared light, or {NOTHING}",
        "The sensors of pits bring a light of their own, and a transistor switches all of them: say which pin goes to "
        f"it, such as 6. If they shine all the time: {NOTHING}.",
        _pin,
        _driver("mux"),
        optional=True,
    ),
    Ask(
        "adc.chips",
        "How many MCP3008 chips",
        "Count the chips with this mark, which measure the sensors, eight cells each: 16 cells need 2.",
        _whole,
        lambda raw: "adc" in raw,
    ),
    *map(_button, _BUTTONS),
    Ask(
        "lamps.driver",
        "What drives the pixels: spi or neopixel",
        "Pixels are the lights that hang on one data wire. If that wire comes from GPIO 10, say spi; if from GPIO 12, "
        "13, 18, 19 or 21, say neopixel.",
        _text,
        lambda raw: not on_pico(raw),
    ),
    Ask(
        "lamps.pin",
        "Data pin of the pixels",
        "Pixels are the lights that hang on one data wire. Say at which pin the wire to DIN (or DI) of the first one "
        "begins, such as 18 on a Pi or 22 on a Pico.",
        _pin,
        lambda raw: raw["lamps"].get("driver", "spi") == "neopixel",
    ),
    Ask(
        "lamps.order",
        "Order of their colours (GRB, RGB, GRBW, ...)",
        "In which order a pixel takes green, red and blue. Strips sold as WS2812 or NeoPixel are GRB, with white "
        "lights GRBW; the seller's page says it. If red looks green later on, it is the other one.",
        _upper,
    ),
    Ask(
        "lamps.track.count",
        "Pixels of the score ring",
        "The ring or strip of pixels beside the cells, which shows turn and score: count them, such as 24.",
        _whole,
        lambda raw: "track" in raw["lamps"],
    ),
    Ask(
        "lamps.count",
        "Pixels on the chain, all together",
        "Those under the cells and those of the ring: 16 cells and a ring of 24 make 40.",
        _whole,
    ),
    Ask(
        "lamps.supply_ma",
        "What their supply gives, in mA",
        "It is printed on the power supply of the pixels, beside 5 V: 2.5 A are 2500 mA.",
        _number,
    ),
    Ask(
        "lamps.budget_ma",
        "How much of it they may draw, in mA",
        "Pictures that would draw more are dimmed. Leave some to all else that hangs on this supply: of 2500 mA, 500 "
        "for a board of 16 cells, and half for a large one.",
        _number,
    ),
)


@dataclass(frozen=True, slots=True)
class Feature:
    """Something that tells the boards that come along apart.

    Fields:
        words: how it is asked for.
        of: what it is of a board; the answer that a person types.
        explained: what one of its values is, for a board that has it.
    """

    words: str
    of: Callable[[Profile], str]
    explained: Callable[[Profile], str]


_SENSING: Final = {
    "presence": "only that something lies there: reed switches, hall switches, optical pits",
    "colour": "which stone lies there: linear hall sensors, and another magnet in each kind of stone",
    "count": "how many lie there",
}
_HOSTS: Final = {
    "pi": "the 40-pin header of a Raspberry Pi",
    "pico": "a Raspberry Pi Pico, the small board at the end of a USB cable",
}

FEATURES: Final = (
    Feature(
        "What the cells tell", lambda board: board.cells.sensing, lambda board: _SENSING.get(board.cells.sensing, "")
    ),
    Feature(
        "What the cells are wired to, a Raspberry Pi or a Pico",
        lambda board: board.host,
        lambda board: _HOSTS[board.host],
    ),
    Feature("Like which board", lambda board: board.name, lambda board: board.title),
)
"""In the order in which it is asked about."""

PINS: Final = {
    "pi": "Pins are said by their GPIO number, not by their place on the header: header pin 11 is GPIO 17, said as 17. "
    "The command pinout, on a Pi, draws them all. GPIO17 will do as well.",
    "pico": "Pins are said by their GP number, which is printed beside them on the Pico's underside: GP15 is said as "
    "15, or as GP15.",
}
"""How pins are called, by host."""

BUTTON_PINS: Final = "A button has one wire to its pin and one to ground (GND)."
"""What is said besides where a board has buttons on pins."""
