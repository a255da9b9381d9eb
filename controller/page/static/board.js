// The board as it is sensed and lit. Everything is placed by x and y in pitches, so every surface is drawn alike:
// the style sheet alone knows what a square, a hexagon, a pit or a mat looks like.

import { isNumber, lightName, paintStone, partsOf, stoneName } from "./stones.js";

const RIM = { square: 0.42, hexagon: 0.55, pit: 0.75, mat: 0.95 }; // pitches of wood around the cells
const LAMPS_IN = { square: 0.5, hexagon: 0.3, pit: 0.3, mat: 0.28 }; // how far in the track lies: letters want room too
const GROOVE = [34, 23, 15]; // what an unlit light looks like
const HEXAGON_WIDTH = 1.02;
const MOST_SEEDS = 12; // drawn one by one; more are told by their number
const FINGER = 44; // px that a cell measures when the board is shown closer
const MOUSE = 24; // px that a mouse needs
const ROOMY = 40; // px; on smaller cells there is no room for names
const ROOMY_HEXAGON = 28; // px; a hexagon has its name in the middle
const WIDE = 1.8; // a board so much wider than high takes the whole width, and the words go below it
const ASIDE = 0.74; // pitches from the middle of a hexagon to a name beside it
const COARSE = 34; // px; smaller pits show their number only
const EDGE = 40; // px from the rim of a board shown closer at which carrying something moves it along

const element = (tag, name, parent) => {
  const made = document.createElement(tag);
  made.className = name;
  parent?.append(made);
  return made;
};

// Where an element of the board is, in pitches to the right and down.
const place = (made, x, y) => {
  made.style.setProperty("--x", x);
  made.style.setProperty("--y", y);
};

// What lies there as text: nothing for no seeds.
export const lies = (stone) => (stone === "0" ? "" : stone);

const grouped = (cells, axis) => {
  const lines = new Map();
  for (const cell of cells) lines.set(cell[axis], [...(lines.get(cell[axis]) ?? []), cell]);
  return lines;
};

export class Board {
  constructor(root) {
    this.root = root;
    this.grid = root.querySelector("#grid");
    this.track = root.querySelector("#track");
    this.views = new Map(); // cell id -> its elements
    this.shape = "";
    this.current = ""; // the cell that Tab comes to
    this.column = 0; // where up and down keep to
    this.pitch = 0;
    this.stand = root.parentElement;
    this.closer = false;
    this.scale = 1; // how many times larger than the whole board would be
    new ResizeObserver(() => this.measure()).observe(root);
    // A cell that was pointed at is the one that Tab comes back to.
    this.grid.addEventListener("focusin", (event) => {
      const id = event.target.closest("[data-cell]")?.dataset.cell;
      if (id && id !== this.current) this.focusOn(id, { move: false });
    });
  }

  // Draws a whole state. `seats`: colours of players by number; `hidden`: a cell whose stone this page is picking up now.
  show(state, seats, hidden) {
    this.build(state);
    this.badges = new Map(); // what badges say, and what that means
    const hovering = new Map(state.held.filter((each) => each.from).map((each) => [each.from, each]));
    const asked = new Set(state.question ? [state.question.cell, ...state.question.options] : []);
    for (const cell of state.cells) {
      this.showCell(this.views.get(cell.id), cell, state, {
        seats,
        hover: hovering.get(cell.id),
        hidden: hidden === cell.id,
        asked: asked.has(cell.id),
      });
    }
    this.light(state.cells.map((cell) => cell.light), state.track);
  }

  showCell(view, cell, state, { seats, hover, hidden, asked }) {
    const { root, stone, badge } = view;
    const { surface } = state.game;
    const known = cell.piece !== undefined;
    const held = surface === "pit" ? undefined : hover;
    const lying = lies(known ? cell.piece : cell.stone);
    const placement = lying ? (cell.placement ?? "") : (held?.placement ?? "");
    const drawnElsewhere = placement !== "" && placement.slice(1) !== cell.id;
    const shown = hidden || drawnElsewhere ? "" : lying || held?.stone || "";
    root.dataset.stone = cell.stone;
    root.dataset.piece = lying && (cell.placement || lying);
    root.classList.toggle("asked", asked);
    root.classList.toggle("hover", Boolean(!lying && held));
    // Where the sensors disagree with what lies there, the badge says what they say.
    const blind = surface === "pit" && state.sensing === "presence" && lies(cell.stone);
    const sensed = known && lying && !blind && cell.stone !== lying ? lies(cell.stone) || "–" : "";
    const means = sensed && (sensed === "–" ? "nothing" : stoneName(sensed, surface));
    if (sensed) this.badges.set(sensed, means);
    badge.textContent = sensed;
    badge.classList.toggle("late", sensed !== "" && sensed !== "?");
    stone.hidden = shown === "";
    stone.dataset.lie = shown && placement ? placement[0] : "";
    if (surface === "pit") this.showSeeds(view, shown);
    else if (shown) paintStone(stone, shown, seats);
    view.label = `${cell.id}, ${lying ? stoneName(lying, surface) + (cell.placement ? `, ${cell.placement}` : "") : held ? "empty, its stone is in a hand" : "empty"}${means && `, its sensor reads ${means}`}`;
    const lit = lightName(cell.light);
    root.setAttribute("aria-label", view.label + (asked ? ", asked about" : "") + (lit ? `, lit ${lit}` : ""));
  }

  showSeeds(view, stone) {
    if (view.seeds === stone) return;
    view.seeds = stone;
    const count = isNumber(stone) ? Number(stone) : stone ? 1 : 0;
    view.stone.replaceChildren();
    for (let seed = 0; seed < Math.min(count, MOST_SEEDS); seed += 1) {
      const dot = element("i", "seed", view.stone);
      // Sunflower order: even, never overlapping, the same each time.
      const angle = seed * 2.39996;
      const away = count === 1 ? 0 : 0.1 + 0.21 * Math.sqrt((seed + 0.5) / Math.min(count, MOST_SEEDS));
      place(dot, Math.cos(angle) * away, Math.sin(angle) * away);
    }
    if (stone) element("b", "count", view.stone).textContent = stone;
  }

  // Sets the lights alone: colours in cell order and in track order.
  light(cells, track) {
    let index = 0;
    for (const view of this.views.values()) this.lightOne(view, cells[index++]);
    if (this.lamps?.length !== track.length) this.buildTrack(track.length);
    track.forEach((colour, at) => this.lightOne(this.lamps[at], colour));
  }

  lightOne(view, colour) {
    if (view.light === colour) return;
    view.light = colour;
    view.root.dataset.light = colour;
    const parts = partsOf(colour);
    view.root.style.setProperty("--led", `rgb(${parts.map((part, at) => Math.max(part, GROOVE[at])).join(" ")})`);
    view.root.style.setProperty("--glow", `rgb(${parts.join(" ")} / ${(Math.max(...parts) / 255).toFixed(2)})`);
    view.root.classList.toggle("lit", Math.max(...parts) > 0);
  }

  // Makes the elements, once for each board.
  build(state) {
    const { surface } = state.game;
    const shape = `${surface} ${state.cells.map((cell) => `${cell.id}@${cell.x},${cell.y}`).join(" ")}`;
    if (shape === this.shape) return;
    this.shape = shape;
    const xs = state.cells.map((cell) => cell.x);
    const ys = state.cells.map((cell) => cell.y);
    const rim = RIM[surface] ?? RIM.square;
    this.width = Math.max(...xs) - Math.min(...xs) + 1;
    this.height = Math.max(...ys) - Math.min(...ys) + 1;
    this.rim = rim;
    const [left, top] = [Math.min(...xs), Math.max(...ys)];
    this.root.dataset.surface = surface;
    this.root.className = `board ${surface}`;
    const ratio = (this.width + 2 * this.rim) / (this.height + 2 * this.rim);
    document.body.style.setProperty("--ratio", ratio);
    document.body.classList.toggle("wide", ratio > WIDE);
    this.views.clear();
    this.grid.replaceChildren();
    const rows = new Map();
    for (const y of [...new Set(ys)].sort((a, b) => b - a)) {
      const row = element("div", "row", this.grid);
      row.setAttribute("role", "row");
      rows.set(y, row);
    }
    // Rows far to near and left to right, as they are read; `views` keeps cell order, as lights come.
    for (const cell of state.cells) this.views.set(cell.id, this.buildCell(cell, cell.x - left, top - cell.y));
    for (const cell of [...state.cells].sort((a, b) => a.x - b.x)) rows.get(cell.y).append(this.views.get(cell.id).root);
    this.letter(state.cells, left, top);
    this.focusOn(this.views.has(this.current) ? this.current : state.cells[0]?.id, { move: false });
    this.lamps = undefined;
    this.measure();
  }

  // Writes at the edge what the names of a whole column or row have in common: letters or numbers.
  letter(cells, left, top) {
    for (const old of this.root.querySelectorAll(".edge")) old.remove();
    if (this.root.dataset.surface === "square") return; // its cells carry their names
    if (this.root.dataset.surface === "hexagon") {
      this.letterHexagons(cells, left, top);
      return;
    }
    for (const axis of ["x", "y"]) {
      const lines = grouped(cells, axis);
      for (const part of [/^\D+/, /\d+$/]) {
        const names = new Map();
        for (const [at, line] of lines) names.set(at, new Set(line.map((cell) => part.exec(cell.id)?.[0])));
        if ([...names.values()].some((each) => each.size !== 1)) continue;
        if (new Set([...names.values()].map((each) => [...each][0])).size !== names.size) continue;
        for (const [at, [text]] of names) {
          this.label(`edge ${axis}`, text).style.setProperty("--at", axis === "x" ? at - left : top - at);
        }
        break;
      }
    }
  }

  // Rows have their letter at the right end, slanting lines their number at the near end.
  letterHexagons(cells, left, top) {
    const put = (text, x, y) => place(this.label("edge spot", text), x - left, top - y);
    const named = cells.map((cell) => ({ ...cell, row: /^\D+/.exec(cell.id)?.[0], line: /\d+$/.exec(cell.id)?.[0] }));
    for (const [row, line] of grouped(named, "row")) {
      const last = line.reduce((a, b) => (b.x > a.x ? b : a));
      put(row, last.x + ASIDE, last.y);
    }
    for (const [number, line] of grouped(named, "line")) {
      const near = line.reduce((a, b) => (b.y < a.y ? b : a));
      put(number, near.x - ASIDE / 2, near.y - ASIDE * Math.sin(Math.PI / 3));
    }
  }

  label(name, text) {
    const label = element("span", name, this.root);
    label.textContent = text;
    label.setAttribute("aria-hidden", "true");
    return label;
  }

  buildCell(cell, x, y) {
    const root = element("div", "cell");
    root.setAttribute("role", "gridcell");
    root.dataset.cell = cell.id;
    root.tabIndex = -1;
    place(root, x, y);
    element("div", "face", root);
    element("div", "dish", root);
    const stone = element("div", "stone", root);
    const badge = element("span", "badge", root);
    badge.setAttribute("aria-hidden", "true");
    const name = element("span", "name", root);
    name.textContent = cell.id;
    name.setAttribute("aria-hidden", "true");
    return { root, stone, badge, x, y, light: "" };
  }

  // The track runs clockwise around the rim from the near left corner.
  buildTrack(count) {
    this.track.replaceChildren();
    const inset = this.rim * (LAMPS_IN[this.root.dataset.surface] ?? 0.5);
    const across = this.width + 2 * (this.rim - inset);
    const along = this.height + 2 * (this.rim - inset);
    this.lamps = Array.from({ length: count }, (_, index) => {
      const root = element("i", "lamp", this.track);
      root.dataset.track = index;
      let far = ((index + 0.5) / count) * 2 * (across + along);
      let [x, y] = [0, along];
      if (far <= along) [x, y] = [0, along - far];
      else if ((far -= along) <= across) [x, y] = [far, 0];
      else if ((far -= across) <= along) [x, y] = [across, far];
      else [x, y] = [across - (far - along), along];
      place(root, x + inset, y + inset);
      return { root, light: "" };
    });
  }

  measure() {
    if (!this.width) return;
    const whole = this.width + 2 * this.rim;
    this.pitch = this.root.clientWidth / whole;
    this.small = this.pitch / this.scale < (matchMedia("(pointer: coarse)").matches ? ROOMY : MOUSE);
    this.root.style.setProperty("--p", `${this.pitch}px`);
    this.root.style.setProperty("--rim", this.rim);
    this.root.classList.toggle("roomy", this.pitch >= (this.root.dataset.surface === "hexagon" ? ROOMY_HEXAGON : ROOMY));
    this.root.classList.toggle("coarse", this.pitch < COARSE);
    this.measured?.();
  }

  // Shows the board so large that a finger meets each cell, or the whole of it.
  zoom(closer) {
    const fit = this.pitch / this.scale;
    this.closer = closer && fit < FINGER;
    this.scale = this.closer ? FINGER / fit : 1;
    this.root.style.setProperty("--zoom", this.scale);
    this.stand.classList.toggle("closer", this.closer);
    this.measure();
    // What is played on comes into sight: the middle of the pieces, or of the board.
    const lying = [...this.views.values()].filter((view) => view.root.dataset.piece);
    const all = lying.length ? lying : [...this.views.values()];
    const middle = (axis) => (all.reduce((sum, view) => sum + view[axis], 0) / all.length + 0.5 + this.rim) * this.pitch;
    this.stand.scrollTo(middle("x") - this.stand.clientWidth / 2, middle("y") - this.stand.clientHeight / 2);
  }

  // Moves a board that is shown closer along under something that is carried to its edge.
  nudge(clientX, clientY) {
    if (!this.closer) return;
    const box = this.stand.getBoundingClientRect();
    const step = (at, low, high) => (at < low + EDGE ? -8 : at > high - EDGE ? 8 : 0);
    this.stand.scrollBy(step(clientX, box.left, box.right), step(clientY, box.top, box.bottom));
  }

  // The placement of a two-place stone that is held over a cell by one of its ends: `grip` 0 for the near or left end.
  // Where that would stick out over the edge, it is held by the other end.
  placement(id, lie, grip) {
    const here = this.views.get(id);
    const beside = (end) => this.at(here.x + (lie === "H" ? 1 - 2 * end : 0), here.y - (lie === "V" ? 1 - 2 * end : 0));
    const end = beside(grip) ? grip : 1 - grip;
    const other = beside(end);
    const cells = end === 0 ? [id, other] : [other, id];
    return { name: lie + cells[0], cells };
  }

  // The cell at a place, in pitches to the right and down.
  at(x, y) {
    for (const [name, view] of this.views) if (Math.abs(view.x - x) + Math.abs(view.y - y) < 0.01) return name;
    return undefined;
  }

  // Makes a cell the one that Tab comes to, and moves the focus there.
  focusOn(id, { move = true } = {}) {
    const view = this.views.get(id);
    if (!view) return;
    const before = this.views.get(this.current);
    if (before) before.root.tabIndex = -1;
    this.current = id;
    view.root.tabIndex = 0;
    if (move) view.root.focus({ preventScroll: false });
  }

  // The nearest cell from `id` in that direction (dx, dy to the right and down), or undefined at the edge.
  neighbour(id, dx, dy) {
    const here = this.views.get(id);
    let best;
    let least = Infinity;
    // Rows of hexagons are set off by a half: up and down again ends where it began.
    if (dx || Math.abs(this.column - here.x) > 0.6) this.column = here.x;
    for (const [name, view] of this.views) {
      const [x, y] = [view.x - here.x, view.y - here.y];
      const ahead = x * dx + y * dy;
      const aside = Math.abs(x * dy) + Math.abs(y * dx);
      if (ahead < 0.4 || aside > ahead * 1.01) continue;
      const far = ahead + aside + (dy ? Math.abs(view.x - this.column) / 2 : 0);
      if (far < least - 1e-6) [best, least] = [name, far];
    }
    if (best && dx) this.column = this.views.get(best).x;
    return best;
  }

  // The cell at a point of the window; within the cells' area the nearest, outside it undefined. `within`: how near its
  // middle, in pitches.
  cellAt(clientX, clientY, within = HEXAGON_WIDTH * 0.75) {
    const box = this.grid.getBoundingClientRect();
    const [x, y] = [(clientX - box.left) / this.pitch - 0.5, (clientY - box.top) / this.pitch - 0.5];
    let best;
    let least = within;
    for (const [name, view] of this.views) {
      const far = Math.hypot(view.x - x, view.y - y);
      if (far < least) [best, least] = [name, far];
    }
    return best;
  }
}
