// The hand of this page: it takes a stone, carries it, puts it down. Mouse, finger and keyboard do the same things,
// and each of them is something that a hand could do to the real board. What it means is for the board to say.

import { lies } from "./board.js";
import { paintStone, stoneName, stoneOf } from "./stones.js";

const FAR = 6; // px that a pointer must move before a press becomes a drag
const BEAT = 120; // ms between two things that a hand does: shorter, and a sensor might miss it
const INSIDE = 0.36; // pitches from the middle of a pit within which a hand that sweeps along drops a seed
const HALF = 0.9; // of a pitch: how much of a place each half of a two-place stone covers
const TRUST = 700; // ms in which this page believes what it did itself before the board has said so

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Hands {
  // send(message) -> whether it went out; sent() counts them; notice(words) tells the person; changed() asks for a redraw.
  constructor({ board, send, sent, notice, changed }) {
    Object.assign(this, { board, send, sent, notice, changed });
    this.state = null;
    this.stone = null; // {stone, count, from, placement}: what is in this page's hand
    this.lie = "H"; // how a two-place stone lies in the hand
    this.grip = 0; // by which end it is held: 0 for the left or near one
    this.sown = []; // pits that got a seed since some were taken, oldest first
    this.asking = null; // a fault that waits for a cell
    this.press = null; // a pointer that is down
    this.seeds = []; // {number, cell, change}: what the board has not confirmed yet
    this.trustUntil = 0;
    this.busy = false;
    this.aimed = []; // the cells that are marked
    this.over = undefined; // the cell that something is held over
    this.pointer = null; // where the mouse or finger was last
    this.seats = new Map();
    this.ghost = document.createElement("div");
    this.ghost.className = "stone ghost";
    this.ghost.hidden = true;
    document.body.append(this.ghost);
    this.listen();
  }

  listen() {
    const on = (type, heard) => document.addEventListener(type, heard);
    on("pointerdown", (event) => this.pointerDown(event));
    on("pointermove", (event) => this.pointerMove(event));
    on("pointerup", (event) => this.pointerUp(event));
    on("pointercancel", () => this.pointerCancel());
    on("dragstart", (event) => event.preventDefault());
    on("keydown", (event) => this.key(event));
    on("contextmenu", (event) => this.turn() && event.preventDefault());
    on("click", (event) => {
      // Pointers have been dealt with; what is left are clicks made by keys and by reading aids.
      const target = event.detail === 0 && spotOf(event.target);
      if (!target) return;
      const had = this.stone;
      this.tap(target);
      if (!this.stone || had || target.stone === undefined) return;
      this.board.focusOn(this.board.current);
      if (this.mat) this.aim(this.board.current);
    });
  }

  // Takes the newest state.
  update(state) {
    this.state = state;
    this.seats = new Map(state.players.map((player) => [player.number, player.colour]));
    this.seeds = this.seeds.filter(({ number }) => number > (state.acted ?? Infinity));
    for (const each of this.seeds) this.alter(each);
    this.settle();
  }

  // Whether the state that is shown is from before the last thing that this page did.
  get behind() {
    return Date.now() < this.trustUntil && !(this.state.acted >= this.sent());
  }

  // Seeds are counted at once: the next tap may come before the board has answered.
  alter({ cell, change }) {
    const shown = this.cell(cell);
    if (shown?.piece !== undefined) shown.piece = String(Math.max(0, Number(shown.piece) + change));
  }

  count(cell, change) {
    const entry = { number: this.sent(), cell, change };
    this.seeds.push(entry);
    this.alter(entry);
    this.changed();
  }

  // The line is lost: whatever was in the hand is put back by the board.
  lost() {
    this.press = null;
    this.seeds = [];
    this.sown = [];
    this.carry(null);
  }

  // The board refused something: what it says is in the hand is in the hand.
  refused() {
    this.trustUntil = 0;
    this.seeds = [];
    this.refusals = (this.refusals ?? 0) + 1;
    this.settle();
    this.changed();
  }

  // Believes the board about what is in the hand, unless this page has just done something.
  settle() {
    if (!this.state || this.behind || this.busy) return;
    const told = this.state.held.find((each) => each.client === this.state.you);
    const mine = told ? { placement: "", count: 1, ...told } : null;
    if (["stone", "count", "from"].some((key) => mine?.[key] !== this.stone?.[key])) this.carry(mine);
  }

  carry(stone) {
    this.stone = stone;
    if (stone) {
      paintStone(this.ghost, stone.stone, this.seats, stone.stone === "seed" ? String(stone.count) : undefined);
      this.ghost.dataset.lie = this.mat ? this.lie : "";
    } else {
      this.ghost.hidden = true;
      this.aim();
    }
    document.body.classList.toggle("carrying", Boolean(stone));
  }

  act(message, stone) {
    if (!this.send(message)) return false;
    this.trustUntil = Date.now() + TRUST;
    setTimeout(() => {
      this.settle();
      this.changed();
    }, TRUST + 10);
    this.carry(stone);
    this.changed();
    return true;
  }

  // The cell whose stone this page has lifted, so that it is not drawn twice.
  get lifted() {
    return (!this.pits && this.stone?.from) || undefined;
  }

  get mat() {
    return this.state?.game.surface === "mat";
  }

  get pits() {
    return this.state?.game.surface === "pit";
  }

  get dragging() {
    return !this.ghost.hidden;
  }

  get usable() {
    return Boolean(this.state) && !this.busy && document.body.dataset.link === "up";
  }

  cell(id) {
    return this.state.cells.find((each) => each.id === id);
  }

  pieceOn(id) {
    return lies(this.cell(id)?.piece ?? this.cell(id)?.stone ?? "");
  }

  placementOn(id) {
    return this.cell(id)?.placement ?? "";
  }

  // --- what hands do ---

  tap(spot) {
    if (!this.usable || !spot) return;
    if (spot.cell && this.asking) this.point(spot.cell);
    else if (spot.cell && !this.stone && this.state.question?.options.includes(spot.cell)) {
      this.send({ type: "touch", cell: spot.cell });
    } else if (this.stone) this.put(spot);
    else if (spot.cell && this.state.simulated && this.state.owed?.includes(spot.cell)) this.off(spot.cell);
    else this.pick(spot);
  }

  // The cell that a fault was waiting for.
  point(cell) {
    this.send({ type: "whatif", fault: this.asking, cell });
    this.asking = null;
    this.changed();
  }

  pick(spot) {
    if (!this.state.simulated) {
      this.notice("This is a real board: move the stones on it by hand.");
      return false;
    }
    return spot.cell ? this.lift(spot.cell) : this.take(spot.stone);
  }

  lift(cell) {
    const stone = this.pieceOn(cell);
    if (stone === "") return false;
    const placement = this.placementOn(cell);
    const from = placement ? placement.slice(1) : cell;
    if (this.mat) [this.lie, this.grip] = [placement[0] ?? "H", cell === from ? 0 : 1];
    this.sown = [];
    const count = this.pits ? Number(stone) : 1;
    const done = this.act({ type: "lift", cell }, { stone: this.pits ? "seed" : stone, count, from, placement });
    if (done && this.pits) this.count(cell, -count);
    return done;
  }

  take(pile) {
    const stone = stoneOf(pile, this.state.stones);
    if (!this.state.supply.find((each) => each.stone === pile)?.count) {
      this.notice(`There is no ${stoneName(stone, this.state.game.surface)} left off the board.`);
      return false;
    }
    [this.lie, this.grip, this.sown] = ["H", 0, []];
    const count = 1 + (this.stone?.count ?? 0);
    return this.act({ type: "take", stone: pile }, { stone, count, from: null, placement: "" });
  }

  // Puts what is in the hand on a cell, or off the board where `spot` is none.
  put(spot) {
    const { stone, from } = this.stone;
    if (!spot?.cell) {
      const pile = spot?.stone;
      const kind = pile === undefined ? undefined : stoneOf(pile, this.state.stones);
      if (this.pits && from === null && pile !== undefined) return void this.take(pile);
      this.act({ type: "discard" }, null);
      if (from === null && kind !== undefined && kind !== stone) this.pick(spot);
      return;
    }
    if (this.pits) this.sow(spot.cell);
    else if (this.mat) this.lay(spot.cell);
    else this.set(spot.cell);
  }

  set(cell) {
    const { stone, from } = this.stone;
    const there = this.pieceOn(cell);
    if (there === "" || cell === from) this.act({ type: "drop", cell }, null);
    else if (from !== null && there !== stone && this.state.game.surface === "square") this.exchange(from, stone, cell, there);
    else if (from !== null && there === stone) this.back();
    else this.notice(`There is a stone on ${cell} already.`);
  }

  // One seed into a pit; all of them back where they were taken, as long as none has been sown.
  sow(cell) {
    const { stone, count, from } = this.stone;
    if (cell === from && !this.sown.length) return void this.back();
    if (!this.act({ type: "drop", cell }, count > 1 ? { stone, from, count: count - 1, placement: "" } : null)) return;
    this.sown.push(cell);
    this.count(cell, 1);
  }

  // The seed that was sown last comes back into the hand.
  unsow() {
    const cell = this.sown.at(-1);
    if (!cell || !this.usable || this.pieceOn(cell) === "") return;
    const before = this.stone ?? { stone: "seed", count: 0, from: cell, placement: "" };
    if (!this.act({ type: "pick", cell }, { ...before, count: before.count + 1 })) return;
    this.sown.pop();
    this.count(cell, -1);
  }

  // A stone of two places, held by one of its ends over that cell.
  lay(cell) {
    const { name, cells } = this.board.placement(cell, this.lie, this.grip);
    const own = this.stone.placement;
    const taken = cells.find((each) => this.pieceOn(each) !== "" && (!own || this.placementOn(each) !== own));
    if (taken) this.notice(`There is a stone on ${taken} already.`);
    else this.act({ type: "drop", cell: name }, null);
  }

  // Turns a two-place stone in the hand; false where there is none.
  turn() {
    if (!this.stone || !this.mat) return false;
    this.lie = this.lie === "H" ? "V" : "H";
    this.carry(this.stone);
    const at = this.over ?? (document.activeElement?.closest?.("[data-cell]") && this.board.current);
    this.aim(at, { anew: true });
    if (!this.ghost.hidden && this.pointer) this.moveGhost(this.pointer);
    this.changed();
    return true;
  }

  // Two stones change places, as two hands would do it: both cells are empty for a moment.
  async exchange(from, stone, to, there) {
    this.busy = true;
    const refusals = this.refusals;
    const steps = [
      [{ type: "discard" }, null],
      [{ type: "lift", cell: to }, { stone: there, count: 1, from: to }],
      [{ type: "drop", cell: from }, null],
      [{ type: "take", stone }, { stone, count: 1, from: null }],
      [{ type: "drop", cell: to }, null],
    ];
    for (const [message, after] of steps) {
      if (this.refusals !== refusals || !this.act(message, after)) break;
      this.ghost.hidden = true;
      await new Promise((go) => setTimeout(go, BEAT));
    }
    this.busy = false;
    this.settle();
    this.changed();
  }

  back() {
    const { stone } = this;
    if (stone && this.act({ type: "return" }, null) && this.pits && stone.from) this.count(stone.from, stone.count);
  }

  off(id) {
    if (!this.stone && !this.pick({ cell: id })) return;
    this.put(null);
  }

  // --- pointers ---

  pointerDown(event) {
    if (!event.isPrimary && this.press?.dragging) {
      this.turn(); // a second finger
      return;
    }
    if (!event.isPrimary || event.button !== 0 || !this.usable) return;
    const spot = spotOf(event.target);
    const { clientX: x, clientY: y } = event;
    this.press = { spot, x, y, mouse: event.pointerType === "mouse", dragging: false, sweeps: false, last: undefined };
    if (spot && event.target.setPointerCapture) event.target.setPointerCapture(event.pointerId);
  }

  pointerMove(event) {
    if (!event.isPrimary) return;
    const { press } = this;
    if (press && !press.dragging && Math.hypot(event.clientX - press.x, event.clientY - press.y) > FAR) this.beginDrag(press);
    if (this.press?.sweeps) this.sweep(this.press, event);
    // A stone that was tapped goes with the mouse; under a finger there is nothing to see.
    if (this.stone && !this.busy && (this.press?.dragging || event.pointerType === "mouse")) this.moveGhost(event);
  }

  beginDrag(press) {
    const had = Boolean(this.stone);
    // On a board that is shown closer, a finger that carries nothing along moves the board.
    if (!press.spot || this.asking || (had && !press.mouse && this.board.closer)) this.press = null;
    else if (!had && !this.pick(press.spot)) this.press = null;
    else {
      press.dragging = true;
      press.sweeps = this.pits && ["waiting", "handling"].includes(this.state.phase) && Boolean(press.spot.cell);
      press.last = press.spot.cell;
      if (had && press.sweeps) this.sow(press.spot.cell);
    }
  }

  // A hand that goes along pits drops a seed into each that it comes to.
  sweep(press, event) {
    const [dx, dy] = [event.clientX - press.x, event.clientY - press.y];
    const steps = Math.ceil(Math.hypot(dx, dy) / (this.board.pitch / 4)) || 1;
    for (let step = 1; step <= steps && this.stone; step += 1) {
      const cell = this.board.cellAt(press.x + (dx * step) / steps, press.y + (dy * step) / steps, INSIDE);
      if (!cell || cell === press.last) continue;
      press.last = cell;
      this.sow(cell);
    }
    [press.x, press.y] = [event.clientX, event.clientY];
  }

  moveGhost(event) {
    const size = Math.max(30, this.board.pitch * 0.66);
    const { clientX, clientY } = event;
    this.pointer = { clientX, clientY, pointerType: event.pointerType };
    this.ghost.hidden = false;
    // A finger hides what is beneath it: the stone is held a little above.
    let [x, y] = [clientX, clientY - (event.pointerType === "touch" || this.pits ? Math.max(18, this.board.pitch * 0.4) : 0)];
    let [wide, high] = [size, size];
    if (this.mat) {
      const along = this.board.pitch * (1 + HALF);
      const across = this.board.pitch * HALF;
      [wide, high] = this.lie === "H" ? [along, across] : [across, along];
      const end = (this.board.pitch / 2) * (this.grip ? -1 : 1);
      if (this.lie === "H") x += end;
      else y -= end;
    }
    this.ghost.style.setProperty("--size", `${size}px`);
    this.ghost.style.setProperty("--wide", `${wide}px`);
    this.ghost.style.setProperty("--high", `${high}px`);
    this.ghost.style.translate = `${x}px ${y}px`;
    this.board.nudge(clientX, clientY);
    this.aim(this.board.cellAt(clientX, clientY));
  }

  // Marks where what is in the hand would go.
  aim(id, { anew = false } = {}) {
    if (this.over === id && !anew) return;
    this.over = id;
    const mark = (on) => this.aimed.forEach((each) => this.board.views.get(each)?.root.classList.toggle("aimed", on));
    mark(false);
    const two = id && this.mat && this.stone;
    this.aimed = two ? this.board.placement(id, this.lie, this.grip).cells : id ? [id] : [];
    mark(true);
  }

  pointerUp(event) {
    if (!event.isPrimary) return;
    const { press } = this;
    this.press = null;
    if (!press || !this.usable) {
      this.aim();
      return;
    }
    if (!press.dragging) {
      if (!press.spot) return;
      this.tap(press.spot);
      if (press.mouse && this.stone) this.moveGhost(event);
    } else if (this.stone) this.release(event.clientX, event.clientY, press);
    if (!this.stone || !press.mouse) this.aim();
    if (!this.stone) this.ghost.hidden = true;
  }

  release(x, y, press) {
    const below = document.elementFromPoint(x, y);
    const cell = this.board.cellAt(x, y) ?? spotOf(below)?.cell;
    // Seeds that are left after a sweep stay in the hand, unless it ends over the tray.
    if (press.sweeps) {
      if (!cell && below?.closest("#tray")) this.put(null);
      else if (!press.mouse) this.ghost.hidden = true;
      return;
    }
    this.put(cell ? { cell } : null);
    // A drag that ends where there is no room goes back to where it began.
    if (this.stone && !this.busy && !this.pits) this.back();
  }

  pointerCancel() {
    if (this.press?.dragging && !this.press.sweeps) this.back();
    this.press = null;
    this.ghost.hidden = true;
    this.aim();
  }

  // --- keyboard ---

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape" && this.asking) {
      this.asking = null;
      this.changed();
    }
    const id = event.target.closest?.("[data-cell]")?.dataset.cell;
    if (event.key === "Escape" && this.stone && this.usable) {
      this.press = null;
      this.back();
    } else if (event.key.toLowerCase() === "r" && this.turn()) {
      // Done.
    } else if (!id) return;
    else if (ARROWS[event.key]) {
      this.board.focusOn(this.board.neighbour(id, ...ARROWS[event.key]));
      if (this.stone && this.mat) this.aim(this.board.current);
    } else if (event.key === "Enter" || event.key === " ") {
      if (!event.repeat) this.tap({ cell: id });
    } else if (event.key === "Backspace" && this.pits && this.sown.length) {
      if (!event.repeat) this.unsow();
    } else if (event.key === "Delete" || event.key === "Backspace") {
      if (this.usable && !event.repeat) this.off(id);
    } else return;
    event.preventDefault();
  }
}

// What an element of the page is to a hand: {cell}, {stone} for a pile, {} for the tray, or undefined.
export function spotOf(element) {
  const found = element?.closest?.("[data-cell], [data-supply]");
  if (!found) return undefined;
  return found.dataset.cell ? { cell: found.dataset.cell } : { stone: found.dataset.supply };
}
