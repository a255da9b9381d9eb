"""The wiring of a board as a drawing: the header, the sensors, and the way of the pixels through the cells. Pure.

Seen from above with player 1 at the lower edge. The sensors' drawing shows where each cell's input is, the pixels'
drawing which pixel of the chain lights it; a line follows the chain from its first pixel, which is ringed.
"""

from collections.abc import Iterator, Sequence
from html import escape
from math import ceil, cos, pi, sin
from typing import Final

from hardware.layouts import TILE
from hardware.wiring_sheet import Sheet, input_names

MARGIN: Final = 28
TOP: Final = 104
"""Where header and cells begin."""
PANEL: Final = 620
"""The width that the cells may take."""
MOST_PITCH: Final = 76
PIN_STEP: Final = 25
LABEL: Final = 160
"""Room for a label beside the header."""

_COLOURS: Final = {
    "power": "#c2410c",
    "ground": "#334155",
    "pixels": "#7c3aed",
    "row": "#047857",
    "column": "#0e7490",
    "bus": "#1d4ed8",
    "button": "#b45309",
    "kept": "#cbd5e1",
    "free": "#ffffff",
}
_TINTS: Final = ("#dbeafe", "#fef3c7", "#dcfce7", "#fce7f3", "#ede9fe", "#ffedd5", "#cffafe", "#f1f5f9")
"""Cells of one group of inputs have one tint; neighbouring groups have different ones."""
_INK: Final = "#0f172a"
_QUIET: Final = "#64748b"


def svg(sheet: Sheet) -> str:
    """Return the drawing as one SVG document, ending in a line feed."""
    header, height = _header(sheet)
    board = _Board(sheet)
    left = 2 * LABEL + 120 + 2 * MARGIN
    panel = max(board.width, 430)
    width = left + 2 * (panel + MARGIN)
    bottom = max(height, TOP + board.height + 90) + MARGIN
    foot = list(_foot(sheet, bottom + 6))
    size = round(width), round(bottom + 20 * len(foot) + MARGIN)
    title = f"{sheet.profile.title}: wiring"
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]} {size[1]}" width="{size[0]}"',
        f'height="{size[1]}" role="img" font-family="ui-sans-serif, system-ui, sans-serif">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{size[0]}" height="{size[1]}" fill="#ffffff"/>',
        _text(MARGIN, 38, title, size=22, weight=700),
        *header,
        *board.sensors(left, TOP),
        *board.pixels(left + panel + MARGIN, TOP),
        *foot,
        "</svg>",
    ]
    return "\n".join(out) + "\n"


def _header(sheet: Sheet) -> tuple[list[str], float]:
    """Return the drawing of the header and where it ends."""
    pico = sheet.profile.host == "pico"
    wires = {wire.pin: wire for wire in sheet.wires}
    kept = dict(sheet.kept)
    by_pin = {pin: f"{sheet.header.prefix}{number}" for number, pin in sheet.header.pins.items()} | dict(
        sheet.header.power
    )
    x, top = MARGIN + LABEL, TOP
    name, where = (
        ("Pico", "USB at the top") if pico else ("Header", "pins 1 and 2 next to the SD card; seen from above")
    )
    out = [_text(MARGIN, TOP - 26, name, size=15, weight=600), _text(MARGIN, TOP - 9, where, size=12, fill=_QUIET)]
    out.append(f'<rect x="{x}" y="{top}" width="120" height="{20 * PIN_STEP + 12}" rx="8" fill="#334155"/>')
    for pin in range(1, 41):
        if pico:
            column, row = (0, pin - 1) if pin <= 20 else (1, 40 - pin)
        else:
            column, row = (pin + 1) % 2, (pin - 1) // 2
        cx, cy = x + 36 + 48 * column, top + 6 + PIN_STEP * row + PIN_STEP / 2
        wire = wires.get(pin)
        label, ink, fill = by_pin.get(pin, ""), _QUIET, "free"
        if wire is not None:
            fill = "ground" if wire.label == "ground" else wire.kind
            label, ink = wire.short if wire.kind == "power" else f"{wire.label} {wire.short}", _COLOURS[fill]
        elif pin in kept:
            label, fill = f"{label} (leave free)", "kept"
        out.append(f'<circle cx="{cx:.0f}" cy="{cy:.1f}" r="9.5" fill="{_COLOURS[fill]}" stroke="#94a3b8"/>')
        number = "#ffffff" if wire is not None else _INK
        out.append(_text(cx, cy + 3.5, str(pin), size=9, anchor="middle", fill=number))
        at, anchor = (x - 8, "end") if column == 0 else (x + 128, "start")
        weight = 600 if wire is not None else 400
        out.append(_text(at, cy + 4, label, size=12, anchor=anchor, fill=ink, weight=weight))
    return out, top + 20 * PIN_STEP + 12


class _Board:
    """The cells, drawn twice."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.layout = sheet.profile.layout()
        xs, ys = zip(*self.layout.spots, strict=True)
        self._left, self._far = min(xs), max(ys)
        across, deep = max(xs) - min(xs) + 1, max(ys) - min(ys) + 1
        self.pitch = min(MOST_PITCH, PANEL / across)
        self.width, self.height = across * self.pitch, deep * self.pitch

    def sensors(self, x: float, y: float) -> Iterator[str]:
        """Yield the cells with the input of each."""
        profile = self.sheet.profile
        what = {
            "matrix": "row and column of each contact",
            "chain": "input of each sensor: 0 is A of register 1, 8 is A of register 2",
            "mux": "channel of each sensor: 0 is C0 of multiplexer 1, 16 is C0 of multiplexer 2",
            "mcp3008": "channel of each sensor: 0 is CH0 of MCP3008 1, 8 is CH0 of MCP3008 2",
        }[profile.cells.driver]
        yield from self._heading(x, y, "Sensors", what)
        group = {name: k for k, group in enumerate(self.sheet.groups) for _, name in group.inputs}
        tints = [_TINTS[group.get(name, 0) % len(_TINTS)] for name in self.layout.names]
        yield from self._shapes(x, y, tints)
        yield from self._lines(x, y)
        yield from self._values(x, y, input_names(profile))
        yield from self._keys(x, y + self.height + 26)

    def _heading(self, x: float, y: float, what: str, how: str) -> Iterator[str]:
        yield _text(x, y - 26, what, size=15, weight=600)
        yield _text(x, y - 9, how, size=12, fill=_QUIET)

    def _lines(self, x: float, y: float) -> Iterator[str]:
        """Yield the rows and columns of a matrix of which they are lines, or the way of a chain."""
        profile = self.sheet.profile
        if profile.cells.driver == "matrix":
            crossings = profile.crossings()
            rows: dict[int, list[int]] = {}
            columns: dict[int, list[int]] = {}
            for cell, (row, column) in enumerate(crossings):
                rows.setdefault(row, []).append(cell)
                columns.setdefault(column, []).append(cell)
            for lines, colour in ((rows, "row"), (columns, "column")):
                if all(self._straight(line) for line in lines.values()):
                    for line in lines.values():
                        yield self._path(x, y, line, _COLOURS[colour], width=2, dashed=colour == "column")
        elif profile.cells.driver == "chain":
            order = sorted(range(len(self.layout.names)), key=profile.inputs().__getitem__)
            yield self._path(x, y, order, _COLOURS["bus"], width=1.5)

    def _straight(self, cells: Sequence[int]) -> bool:
        (x1, y1), (x2, y2) = self.layout.spots[cells[0]], self.layout.spots[cells[-1]]
        return all(
            abs((x - x1) * (y2 - y1) - (y - y1) * (x2 - x1)) < 1e-6
            for x, y in map(self.layout.spots.__getitem__, cells)
        )

    def _keys(self, x: float, y: float) -> Iterator[str]:
        """Yield what hangs on inputs besides cells."""
        keys = [
            f"{group.name} {label}: {owner}"
            for group in self.sheet.groups
            for label, owner in group.inputs
            if owner.startswith("button ")
        ]
        for k in range(0, len(keys), 2):
            yield _text(x, y + 18 * (k // 2), ", ".join(keys[k : k + 2]), size=12, fill=_QUIET)

    def pixels(self, x: float, y: float) -> Iterator[str]:
        """Yield the cells with the pixel of each, the chain through them, and the ring."""
        places = self.sheet.profile.places()
        cells = len(self.layout.names)
        yield from self._heading(x, y, "Pixels", "place of each cell's pixel on the chain, from 0, which is ringed")
        yield from self._shapes(x, y, ["#f5f3ff"] * cells)
        order = sorted(range(cells), key=places.__getitem__)
        yield self._path(x, y, order, _COLOURS["pixels"], width=2)
        cx, cy = self._spot(x, y, order[0])
        yield (
            f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="{0.46 * self.pitch:.1f}" fill="none" '
            f'stroke="{_COLOURS["pixels"]}" stroke-width="3"/>'
        )
        yield from self._values(x, y, list(map(str, places[:cells])))
        track = places[cells:]
        if track:
            yield from self._ring(x, y + self.height + 26, track)

    def _ring(self, x: float, y: float, track: Sequence[int]) -> Iterator[str]:
        yield _text(x, y, f"Score ring, {len(track)} pixels from its first point:", size=12, fill=_QUIET)
        step = min(26, max(self.width, 430) / min(len(track), 24))
        for k, place in enumerate(track):
            cx, cy = x + step / 2 + step * (k % 24), y + 20 + 26 * (k // 24)
            yield f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="{0.46 * step:.1f}" fill="#f5f3ff" stroke="#7c3aed"/>'
            yield _text(cx, cy + 3, str(place), size=min(9, 0.36 * step), anchor="middle")

    def _shapes(self, x: float, y: float, fills: Sequence[str]) -> Iterator[str]:
        """Yield the cells, and the edges of tiles."""
        for cell, fill in enumerate(fills):
            yield from self._shape(x, y, cell, fill)
        across, deep = self.layout.tiles
        side = TILE * self.pitch
        for k in range(across * deep if (across, deep) != (1, 1) else 0):
            left, top = x + k % across * side, y + k // across * side
            yield (
                f'<rect x="{left:.1f}" y="{top:.1f}" width="{side:.1f}" height="{side:.1f}" fill="none" '
                f'stroke="{_QUIET}" stroke-width="1.5"/>'
            )

    def _values(self, x: float, y: float, values: Sequence[str]) -> Iterator[str]:
        """Yield what is written on the cells: the name, and below it the value."""
        pitch = self.pitch
        for cell, value in enumerate(values):
            cx, cy = self._spot(x, y, cell)
            size = min(15, 0.32 * pitch) if len(value) < 5 else min(13, 1.28 * pitch / len(value))
            name = self.layout.names[cell]
            yield _text(
                cx, cy - 0.16 * pitch, name, size=min(11, 0.24 * pitch), anchor="middle", fill=_QUIET, halo=True
            )
            yield _text(cx, cy + 0.32 * pitch, value, size=size, anchor="middle", weight=700, halo=True)

    def _shape(self, x: float, y: float, cell: int, fill: str) -> Iterator[str]:
        cx, cy = self._spot(x, y, cell)
        pitch = self.pitch
        edge = 'stroke="#94a3b8"'
        if self.layout.kind == "hexagon":
            radius = 0.555 * pitch
            corners = ((cx + radius * sin(k * pi / 3), cy - radius * cos(k * pi / 3)) for k in range(6))
            points = " ".join(f"{px:.1f},{py:.1f}" for px, py in corners)
            yield f'<polygon points="{points}" fill="{fill}" {edge}/>'
        elif self.layout.kind == "pits":
            yield f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="{0.45 * pitch:.1f}" fill="{fill}" {edge}/>'
        else:
            side = 0.92 * pitch
            yield (
                f'<rect x="{cx - side / 2:.1f}" y="{cy - side / 2:.1f}" width="{side:.1f}" height="{side:.1f}" '
                f'rx="{0.08 * pitch:.1f}" fill="{fill}" {edge}/>'
            )

    def _spot(self, x: float, y: float, cell: int) -> tuple[float, float]:
        right, away = self.layout.spots[cell]
        return x + (right - self._left + 0.5) * self.pitch, y + (self._far - away + 0.5) * self.pitch

    def _path(
        self, x: float, y: float, cells: Sequence[int], colour: str, *, width: float, dashed: bool = False
    ) -> str:
        points = " ".join(f"{px:.1f},{py:.1f}" for px, py in (self._spot(x, y, cell) for cell in cells))
        dash = ' stroke-dasharray="4 4"' if dashed else ""
        return (
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-opacity="0.55"'
            f' stroke-linejoin="round"{dash}/>'
        )


def _foot(sheet: Sheet, y: float) -> Iterator[str]:
    """Yield what does not fit beside a pin: currents and what else to know."""
    lines = [
        f"{rail.name} ({rail.feeds}): {ceil(rail.dark_ma)} mA dark, {ceil(rail.budget_ma)} at the budget, "
        f"{ceil(rail.worst_ma)} at worst" + ("" if rail.supply_ma is None else f"; the supply gives {rail.supply_ma:g}")
        for rail in sheet.rails
    ]
    for k, line in enumerate([*lines, *sheet.notes]):
        yield _text(MARGIN, y + 20 * k, line, size=13, fill=_INK if k < len(lines) else _QUIET)


def _text(
    x: float,
    y: float,
    words: str,
    *,
    size: float,
    anchor: str = "start",
    fill: str = _INK,
    weight: int = 400,
    halo: bool = False,
) -> str:
    style = f' font-weight="{weight}"' if weight != 400 else ""
    style += f' text-anchor="{anchor}"' if anchor != "start" else ""
    if halo:  # readable over the lines
        style += ' stroke="#ffffff" stroke-width="3" stroke-linejoin="round" paint-order="stroke"'
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}" fill="{fill}"{style}>{escape(words)}</text>'
