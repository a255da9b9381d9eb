// The hand of this page: it takes a stone, carries it, puts it down. Mouse, finger and keyboard do the same things,
// and each of them is something that a hand could do to the real board. What it means is for the board to say.

import { paintStone, stoneName } from "./stones.js";

const FAR = 6; // px that a pointer must move before a press becomes a drag
const BEAT = 120; // ms between two things that a hand does: shorter, and a sensor might miss it
const TRUST = 700; // ms in which this page believes what it did itself before the board has said so

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Hands {
  // send(message) -> whether it went out; notice(words) tells the person; changed() asks for a redraw.
  constructor({ board, send, notice, changed }) {
    Object.assign(this, { board, send, notice, changed });
    this.state = null;
    this.stone = null; // {stone, from}: what is in this page's hand
    this.press = null; // a pointer that is down
    this.trustUntil = 0;
    this.busy = false;
    this.seats = new Map();
    this.ghost = document.createElement("div");
    this.ghost.className = "stone ghost";
    this.ghost.hidden = true;
    document.body.append(this.ghost);
    this.listen();
  }

  listen() {
    document.addEventListener("pointerdown", (event) => this.pointerDown(event));
    document.addEventListener("pointermove", (event) => this.pointerMove(event));
    document.addEventListener("pointerup", (event) => this.pointerUp(event));
    document.addEventListener("pointercancel", () => this.pointerCancel());
    document.addEventListener("dragstart", (event) => event.preventDefault());
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("click", (event) => {
      // Pointers have been dealt with; what is left are clicks made by keys and by reading aids.
      const target = event.detail === 0 && spotOf(event.target);
      if (!target) return;
      const had = this.stone;
      this.tap(target);
      if (this.stone && !had && target.stone !== undefined) this.board.focusOn(this.board.current);
    });
  }

  // Takes the newest state.
  update(state) {
    this.state = state;
    this.seats = new Map(state.players.map((player) => [player.number, player.colour]));
    this.settle();
  }

  // The line is lost: whatever was in the hand is put back by the board.
  lost() {
    this.press = null;
    this.carry(null);
  }

  // The board refused something: what it says is in the hand is in the hand.
  refused() {
    this.trustUntil = 0;
    this.refusals = (this.refusals ?? 0) + 1;
    this.settle();
    this.changed();
  }

  // Believes the board about what is in the hand, unless this page has just done something.
  settle() {
    if (!this.state || Date.now() < this.trustUntil || this.busy) return;
    const mine = this.state.held.find((each) => each.client === this.state.you);
    if (mine?.stone === this.stone?.stone && mine?.from === this.stone?.from) return;
    this.carry(mine ? { stone: mine.stone, from: mine.from } : null);
  }

  carry(stone) {
    this.stone = stone;
    if (stone) paintStone(this.ghost, stone.stone, this.seats);
    else this.ghost.hidden = true;
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
    return this.stone?.from ?? undefined;
  }

  get dragging() {
    return !this.ghost.hidden;
  }

  get usable() {
    return Boolean(this.state) && !this.busy && document.body.dataset.link === "up";
  }

  pieceOn(id) {
    const cell = this.state.cells.find((each) => each.id === id);
    return (cell && (cell.piece ?? cell.stone)) || "";
  }

  // --- what hands do -------------------------------------------------------------------------------------------------

  tap(spot) {
    if (!this.usable || !spot) return;
    if (spot.cell && !this.stone && this.state.question?.options.includes(spot.cell)) {
      this.send({ type: "touch", cell: spot.cell });
    } else if (this.stone) this.put(spot);
    else this.pick(spot);
  }

  pick(spot) {
    if (!this.state.simulated) {
      this.notice("This is a real board: move the stones on it by hand.");
      return false;
    }
    if (spot.cell) {
      const stone = this.pieceOn(spot.cell);
      return stone !== "" && this.act({ type: "lift", cell: spot.cell }, { stone, from: spot.cell });
    }
    const pile = this.state.supply.find((each) => each.stone === spot.stone);
    if (!pile?.count) {
      this.notice(`There is no ${stoneName(spot.stone, this.state.game.surface)} left off the board.`);
      return false;
    }
    return this.act({ type: "take", stone: spot.stone }, { stone: spot.stone, from: null });
  }

  // Puts the stone in hand on a cell, or off the board where `spot` is none.
  put(spot) {
    const { stone, from } = this.stone;
    if (!spot?.cell) {
      const other = spot?.stone !== undefined && from === null && spot.stone !== stone;
      this.act({ type: "discard" }, null);
      if (other) this.pick(spot);
      return;
    }
    const there = this.pieceOn(spot.cell);
    if (there === "" || spot.cell === from) this.act({ type: "drop", cell: spot.cell }, null);
    else if (from !== null && there !== stone) this.exchange(from, stone, spot.cell, there);
    else if (from !== null) this.back();
    else this.notice(`There is a stone on ${spot.cell} already.`);
  }

  // Two stones change places, as two hands would do it: both cells are empty for a moment.
  async exchange(from, stone, to, there) {
    this.busy = true;
    const refusals = this.refusals;
    const steps = [
      [{ type: "discard" }, null],
      [{ type: "lift", cell: to }, { stone: there, from: to }],
      [{ type: "drop", cell: from }, null],
      [{ type: "take", stone }, { stone, from: null }],
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
    if (this.stone) this.act({ type: "return" }, null);
  }

  off(id) {
    if (!this.stone && !this.pick({ cell: id })) return;
    this.put(null);
  }

  // --- pointers ------------------------------------------------------------------------------------------------------

  pointerDown(event) {
    if (!event.isPrimary || event.button !== 0 || !this.usable) return;
    const spot = spotOf(event.target);
    this.press = { spot, x: event.clientX, y: event.clientY, mouse: event.pointerType === "mouse", dragging: false };
    if (spot && event.target.setPointerCapture) event.target.setPointerCapture(event.pointerId);
  }

  pointerMove(event) {
    const { press } = this;
    if (press && !press.dragging && Math.hypot(event.clientX - press.x, event.clientY - press.y) > FAR) {
      press.dragging = Boolean(press.spot) && (Boolean(this.stone) || this.pick(press.spot));
      if (!press.dragging) this.press = null;
    }
    // A stone that was tapped goes with the mouse; under a finger there is nothing to see.
    if (this.stone && !this.busy && (press?.dragging || event.pointerType === "mouse")) this.moveGhost(event);
  }

  moveGhost(event) {
    this.ghost.hidden = false;
    this.ghost.style.setProperty("--size", `${Math.max(30, this.board.pitch * 0.66)}px`);
    // A finger hides what is beneath it: the stone is held a little above.
    this.ghost.style.translate = `${event.clientX}px ${event.clientY - (event.pointerType === "touch" ? 18 : 0)}px`;
    this.aim(this.board.cellAt(event.clientX, event.clientY));
  }

  aim(id) {
    if (this.aimed === id) return;
    this.board.views.get(this.aimed)?.root.classList.remove("aimed");
    this.board.views.get(id)?.root.classList.add("aimed");
    this.aimed = id;
  }

  pointerUp(event) {
    const { press } = this;
    this.press = null;
    this.aim(undefined);
    if (!press || !this.usable) return;
    if (!press.dragging) {
      if (press.spot) this.tap(press.spot);
      else return;
      if (press.mouse && this.stone) this.moveGhost(event);
    } else if (this.stone) this.release(event.clientX, event.clientY);
    if (!this.stone) this.ghost.hidden = true;
  }

  release(x, y) {
    const cell = this.board.cellAt(x, y) ?? spotOf(document.elementFromPoint(x, y))?.cell;
    this.put(cell ? { cell } : null);
    // A drag that ends where there is no room goes back to where it began.
    if (this.stone && !this.busy) this.back();
  }

  pointerCancel() {
    if (this.press?.dragging) this.back();
    this.press = null;
    this.aim(undefined);
  }

  // --- keyboard ------------------------------------------------------------------------------------------------------

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape" && this.stone && this.usable) {
      this.press = null;
      this.back();
      event.preventDefault();
      return;
    }
    const id = event.target.closest?.("[data-cell]")?.dataset.cell;
    if (!id) return;
    if (ARROWS[event.key]) this.board.focusOn(this.board.neighbour(id, ...ARROWS[event.key]));
    else if (event.key === "Enter" || event.key === " ") {
      if (!event.repeat) this.tap({ cell: id });
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
