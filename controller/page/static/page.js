// The page: what the board says is drawn, what the person does is passed on.

import { Board } from "./board.js";
import { Hands } from "./hands.js";
import { Lights } from "./lights.js";
import { $, Link, say } from "./link.js";
import { buttonColour, buttonName, counted, paintStone, stoneName, stoneOf } from "./stones.js";

const PHASES = {
  setup: "Setting up",
  waiting: "Ready",
  handling: "Hands on the board",
  asking: "A question",
  guiding: "Follow the lights",
  mending: "Put it right",
  offline: "Board away",
  over: "Finished",
};
const NOTICE_TIME = 6000; // ms that a notice stays

let state = null;
let noticeTimer = 0;

const board = new Board($("board"));
const hands = new Hands({ board, send: (message) => link.send(message), sent: () => link.sent, notice, changed: draw });
const lights = new Lights($("lights"), (message) => link.send(message), () => link.sent);
const link = new Link("live", heard, linkChanged);

// Has `take` called with what a button in `place` stands for: its `data-` value of that kind.
function pressed(place, kind, take) {
  $(place).addEventListener("click", (event) => {
    const value = event.target.closest(`[data-${kind}]`)?.dataset[kind];
    if (value) take(value);
  });
}

for (const place of ["buttons", "seats"]) pressed(place, "button", (button) => link.send({ type: "press", button }));
pressed("masked", "masked", (cell) => link.send({ type: "touch", cell }));
$("put-back").onclick = () => hands.back();
$("turn").onclick = () => hands.turn();
$("unsow").onclick = () => hands.unsow();
$("sweep").onclick = () => link.send({ type: "sweep" });
$("closer").onclick = () => board.zoom(!board.closer);
board.measured = drawCloser;
pressed("faults", "fault", (name) => {
  const fault = state?.faults.find((each) => each.fault === name);
  if (!fault) return;
  // A fault of one cell is switched on by pointing at the cell.
  hands.asking = fault.takes === "cell" && !fault.on && hands.asking !== name ? name : null;
  if (hands.asking) notice(`${fault.label}: which one? Point at it.`);
  else if (fault.takes !== "cell" || fault.on) link.send({ type: "whatif", fault: name });
  drawFaults();
});

function heard(message) {
  if (message.type === "state") {
    if (state) tellMoves(state.moves, message);
    state = message;
    hands.update(state);
    lights.update(state);
    draw();
  } else if (message.type === "lights" && state?.cells.length === message.cells.length) {
    state.cells.forEach((cell, index) => {
      cell.light = message.cells[index];
    });
    state.track = message.track;
    board.light(message.cells, message.track);
  } else if (message.type === "error") {
    notice(message.message);
    hands.refused();
    lights.reset();
  }
}

function linkChanged(up) {
  document.body.dataset.link = up ? "up" : "lost";
  if (up) return;
  hands.lost();
  lights.reset();
  say($("words"), "Connection lost, trying again");
  say($("detail"), "");
  drawHand();
}

function notice(words) {
  clearTimeout(noticeTimer);
  $("notice").textContent = words.charAt(0).toUpperCase() + words.slice(1);
  $("notice").classList.add("shown");
  noticeTimer = setTimeout(() => {
    $("notice").classList.remove("shown");
    $("notice").textContent = "";
  }, NOTICE_TIME);
}

// Brings the children of a place in line with `items`: `markup` makes one, `fill` writes an item into it.
function list(place, items, markup, fill) {
  const parent = $(place);
  while (parent.children.length > items.length) parent.lastChild.remove();
  items.forEach((item, index) => {
    if (!parent.children[index]) parent.insertAdjacentHTML("beforeend", markup);
    fill(parent.children[index], item);
  });
}

// Cells whose sensors are sick and that are played without; each can be heard again.
function drawMasked() {
  const cells = state.masked ?? [];
  $("masked").hidden = !cells.length;
  list("masked", cells, '<button type="button"></button>', (button, cell) => {
    button.dataset.masked = cell; // no data-cell: hands would take it for the cell itself
    say(button, `Try ${cell} again`);
  });
}

// A button with a dot of colour.
const DOTTED = '<button type="button"><i aria-hidden="true"></i><span></span></button>';

function draw() {
  if (!state) return;
  const title = state.game.title || state.game.name;
  document.title = `${title} · Stonelight`;
  document.body.dataset.phase = state.phase;
  document.body.dataset.surface = state.game.surface;
  say($("title"), title);
  say($("kind"), state.simulated ? "Simulated board" : "Real board");
  say($("phase"), PHASES[state.phase] ?? state.phase);
  if (document.body.dataset.link === "up") {
    say($("words"), state.words);
    say($("detail"), state.detail ?? "");
  }
  drawMasked();
  drawButtons();
  drawSeats();
  drawSupply();
  drawPlayers();
  drawMoves();
  drawHand();
  drawFaults();
  for (const name of ["report", "monitor"]) $(name).hidden = !state.texts?.includes(name);
  $("sweep").hidden = !state.sweep;
  say($("sweep"), state.sweep ?? "");
  board.show(state, hands.seats, hands.dragging || hands.busy ? hands.lifted : undefined);
  const read = [...board.badges].map(([mark, words]) => `${mark} ${words}`).join(", ");
  say($("legend"), read && `Marks say what a sensor reads: ${read}.`);
}

function drawButtons() {
  const options = state.question?.options ?? [];
  const cells = new Set(state.cells.map((cell) => cell.id));
  // An answer that the board has no button for still gets one here.
  const buttons = [...state.buttons, ...options.filter((each) => !state.buttons.includes(each) && !cells.has(each))];
  document.body.classList.toggle("asking", options.length > 0);
  list("buttons", buttons, DOTTED, (button, name) => {
    button.dataset.button = name;
    button.classList.toggle("answer", options.includes(name));
    button.firstChild.style.setProperty("--dot", buttonColour(name) || "transparent");
    button.firstChild.hidden = !buttonColour(name);
    say(button.lastChild, buttonName(name));
  });
}

// While the board is being set up, people may say who begins.
function drawSeats() {
  const seats = state.seats ?? [];
  const players = state.players.filter(({ number }) => seats.includes(String(number)));
  $("begins").hidden = players.length === 0;
  list("seats", players, DOTTED, (button, { number, name, turn, colour }) => {
    button.dataset.button = number;
    button.setAttribute("aria-pressed", String(Boolean(turn)));
    button.firstChild.style.setProperty("--dot", colour);
    say(button.lastChild, name);
  });
}

function drawSupply() {
  list("supply", state.supply, '<button type="button" class="pile"><i class="stone" aria-hidden="true"></i><b aria-hidden="true"></b></button>', (pile, { stone: name, count }) => {
    const stone = stoneOf(name, state.stones);
    pile.dataset.supply = name;
    pile.dataset.count = count;
    const owner = stone === name ? "" : ` of player ${name}`;
    pile.setAttribute("aria-label", `${stoneName(stone, state.game.surface)}${owner}, ${count} off the board`);
    paintStone(pile.firstChild, stone, hands.seats, stone === "seed" ? "" : undefined);
    say(pile.lastChild, String(count));
  });
  $("tray").classList.toggle("many", state.supply.length > 3);
}

function drawFaults() {
  const faults = state?.faults ?? [];
  $("whatif").hidden = faults.length === 0;
  list("faults", faults, '<button type="button"><b></b><span></span></button>', (button, { fault, label, help, takes, on }) => {
    button.dataset.fault = fault;
    const waits = hands.asking === fault;
    if (takes === "once") button.removeAttribute("aria-pressed");
    else button.setAttribute("aria-pressed", String(on || waits));
    say(button.firstChild, label);
    say(button.lastChild, waits ? "Point at a cell." : help);
  });
}

function drawCloser() {
  $("closer").hidden = !board.small;
  $("closer").setAttribute("aria-pressed", String(board.closer));
  say($("closer"), board.closer ? "Whole board" : "Closer");
}

// Says each ply to those who hear the page, and each that was taken back.
function tellMoves(before, { moves }) {
  const names = new Map(state.players.map((player) => [player.number, player.name]));
  const played = moves.slice(before.length).map(({ player, move }) => `${names.get(player) ?? ""}: ${move}`);
  if (played.length) say($("news"), played.join(", "));
  else if (moves.length < before.length) say($("news"), moves.length ? "Taken back" : "");
}

function drawPlayers() {
  const scored = state.players.some(({ score }) => score !== 0);
  list("players", state.players, '<li><i aria-hidden="true"></i><span class="who"></span><span class="note"></span><b></b></li>', (row, player) => {
    $("players").classList.toggle("many", state.players.length > 4);
    const [swatch, who, note, score] = row.children;
    const won = state.outcome && state.outcome.winner === player.number;
    Object.assign(row.dataset, { player: player.number, score: player.score, turn: Boolean(player.turn) });
    row.classList.toggle("won", Boolean(won));
    swatch.style.setProperty("--seat", player.colour);
    say(who, player.name);
    say(note, won ? "winner" : player.turn && !state.outcome ? "to move" : "");
    say(score, String(player.score));
    score.hidden = !scored; // in some games nothing is counted
  });
}

function drawMoves() {
  const before = $("moves").children.length;
  list("moves", state.moves, '<li><span></span><i aria-hidden="true"></i><code></code></li>', (row, { ply, player, move }) => {
    const [number, swatch, text] = row.children;
    say(number, `${ply}.`);
    swatch.style.setProperty("--seat", hands.seats.get(player) ?? "transparent");
    say(text, move);
  });
  if (state.moves.length !== before) $("moves").scrollTop = $("moves").scrollHeight;
}

function drawHand() {
  const up = document.body.dataset.link === "up" && !hands.busy;
  const held = up ? hands.stone : null;
  const sowing = up && hands.pits && hands.sown.length > 0 && ["handling", "mending"].includes(state.phase);
  $("inhand").hidden = !held && !sowing;
  $("turn").hidden = !held || !hands.mat;
  $("unsow").hidden = !sowing;
  $("put-back").hidden = !held;
  say($("put-back"), held?.count > 1 ? "Put them back" : "Put it back");
  const from = held?.from ? `, from ${held.placement || held.from}` : "";
  say($("inhand-words"), held ? `${counted(held.stone, held.count, state.game.surface)} in hand${from}` : "");
}
