// The board as it is sensed and lit. Everything is placed by x and y in pitches, so every surface is drawn alike:
// the style sheet alone knows what a square, a hexagon, a pit or a mat looks like.

import { isNumber, lightName, paintStone, stoneName } from "./stones.js";

const RIM = { square: 0.42, hexagon: 0.9, pit: 0.6, mat: 0.9 }; // pitches of wood around the cells
const GROOVE = [34, 23, 15]; // what an unlit light looks like
const HEXAGON_WIDTH = 1.02;
const MOST_SEEDS = 12; // drawn one by one; more are told by their number
const TINY = 60; // cells; above it they carry no names

const element = (tag, name, parent) => {
  const made = document.createElement(tag);
  made.className = name;
  parent?.append(made);
  return made;
};

export class Board {
  constructor(root) {
    this.root = root;
    this.grid = root.querySelector("#grid");
    this.track = root.querySelector("#track");
    this.views = new Map(); // cell id -> its elements
    this.shape = "";
    this.current = ""; // the cell that Tab comes to
    this.pitch = 0;
    new ResizeObserver(() => this.measure()).observe(root);
  }

  // Draws a whole state. `hidden` is a cell whose stone is being picked up by this page at this moment.
  show(state, hidden) {
    this.build(state);
    const seats = new Map(state.players.map((player) => [player.number, player.colour]));
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
    const known = cell.piece !== undefined;
    const lying = known ? cell.piece : cell.stone;
    const shown = hidden ? "" : lying || hover?.stone || "";
    root.dataset.stone = cell.stone;
    root.dataset.piece = lying;
    root.classList.toggle("asked", asked);
    root.classList.toggle("hover", Boolean(!lying && hover));
    // Where the sensors disagree with what lies there, the badge says what they say.
    const sensed = known && lying && cell.stone !== lying ? cell.stone || "–" : "";
    badge.textContent = sensed;
    badge.classList.toggle("late", sensed !== "" && sensed !== "?");
    stone.hidden = shown === "" || shown === "0";
    if (state.game.surface === "pit") this.showSeeds(view, shown);
    else if (shown) paintStone(stone, shown, seats);
    view.label = `${cell.id}, ${lying ? stoneName(cell.stone || lying, state.game.surface) : hover ? "empty, its stone is in a hand" : "empty"}`;
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
      dot.style.setProperty("--dx", Math.cos(angle) * away);
      dot.style.setProperty("--dy", Math.sin(angle) * away);
    }
    if (isNumber(stone)) element("b", "count", view.stone).textContent = stone;
  }

  // Sets the lights alone: colours in cell order and in track order.
  light(cells, track) {
    let index = 0;
    for (const view of this.views.values()) this.lightOne(view, cells[index++]);
    this.showTrack(track);
  }

  lightOne(view, colour) {
    if (view.light === colour) return;
    view.light = colour;
    view.root.dataset.light = colour;
    const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
    view.root.style.setProperty("--led", `rgb(${parts.map((part, at) => Math.max(part, GROOVE[at])).join(" ")})`);
    view.root.style.setProperty("--glow", `rgb(${parts.join(" ")} / ${(Math.max(...parts) / 255).toFixed(2)})`);
    view.root.classList.toggle("lit", Math.max(...parts) > 0);
  }

  showTrack(track) {
    if (this.lamps?.length !== track.length) this.buildTrack(track.length);
    track.forEach((colour, index) => this.lightOne(this.lamps[index], colour));
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
    this.rim = rim * Math.max(1, Math.max(this.width, this.height) / 8);
    const [left, top] = [Math.min(...xs), Math.max(...ys)];
    this.root.dataset.surface = surface;
    this.root.classList.toggle("tiny", state.cells.length > TINY);
    this.root.style.setProperty("--ratio", (this.width + 2 * this.rim) / (this.height + 2 * this.rim));
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
    this.focusOn(this.views.has(this.current) ? this.current : state.cells[0]?.id, { move: false });
    this.lamps = undefined;
    this.measure();
  }

  buildCell(cell, x, y) {
    const root = element("div", "cell");
    root.setAttribute("role", "gridcell");
    root.dataset.cell = cell.id;
    root.tabIndex = -1;
    root.style.setProperty("--x", x);
    root.style.setProperty("--y", y);
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
    const across = this.width + this.rim;
    const along = this.height + this.rim;
    this.lamps = Array.from({ length: count }, (_, index) => {
      const root = element("i", "lamp", this.track);
      root.dataset.track = index;
      let far = ((index + 0.5) / count) * 2 * (across + along);
      let [x, y] = [0, along];
      if (far <= along) [x, y] = [0, along - far];
      else if ((far -= along) <= across) [x, y] = [far, 0];
      else if ((far -= across) <= along) [x, y] = [across, far];
      else [x, y] = [across - (far - along), along];
      root.style.setProperty("--x", x + this.rim / 2);
      root.style.setProperty("--y", y + this.rim / 2);
      return { root, light: "" };
    });
  }

  measure() {
    if (!this.width) return;
    this.pitch = this.root.clientWidth / (this.width + 2 * this.rim);
    this.root.style.setProperty("--p", `${this.pitch}px`);
    this.root.style.setProperty("--rim", this.rim);
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
    for (const [name, view] of this.views) {
      const [x, y] = [view.x - here.x, view.y - here.y];
      const ahead = x * dx + y * dy;
      const aside = Math.abs(x * dy) + Math.abs(y * dx);
      if (ahead < 0.4 || aside > ahead * 1.01) continue;
      const far = ahead + aside * 2;
      if (far < least) [best, least] = [name, far];
    }
    return best;
  }

  // The cell at a point of the window; within the cells' area the nearest, outside it undefined.
  cellAt(clientX, clientY) {
    const box = this.grid.getBoundingClientRect();
    const [x, y] = [(clientX - box.left) / this.pitch - 0.5, (clientY - box.top) / this.pitch - 0.5];
    let best;
    let least = HEXAGON_WIDTH * 0.75;
    for (const [name, view] of this.views) {
      const far = Math.hypot(view.x - x, view.y - y);
      if (far < least) [best, least] = [name, far];
    }
    return best;
  }
}
