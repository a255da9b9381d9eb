// The monitor: what each cell gives and reads, live. While its line is open, the board tells raw values.

import { $, Link, say } from "./link.js";
import { buttonColour } from "./stones.js";

const TICK = 200; // ms between two looks at the ages
const FRESH = 2000; // ms for which a change stands out

let state = null;
let told = 0; // when the state came

function age(ms) {
  if (ms < 10000) return `${(ms / 1000).toFixed(1)}\u00a0s`;
  return ms < 120000 ? `${Math.floor(ms / 1000)}\u00a0s` : `${Math.floor(ms / 60000)}\u00a0min`;
}

function draw() {
  const cells = state?.cells ?? [];
  const table = $("cells");
  while (table.rows.length > cells.length) table.deleteRow(-1);
  cells.forEach(({ name, raw, band, noise, age_ms: since, changes, mark }, index) => {
    const row = table.rows[index] ?? table.insertRow();
    const ms = since === null ? Infinity : since + Date.now() - told;
    const words = [name, raw ?? "–", mark ? `${band}, ${mark}` : band, noise ?? "–", ms < Infinity ? age(ms) : "–", changes];
    words.forEach((each, column) => say(row.cells[column] ?? row.insertCell(), String(each)));
    Object.assign(row.dataset, { cell: name, mark, fresh: ms < FRESH });
    row.cells[2].style.setProperty("--dot", buttonColour(band) || "transparent");
  });
}

function heard(message) {
  if (message.type !== "state") return;
  [state, told] = [message, Date.now()];
  document.body.dataset.phase = state.trouble && "offline";
  say($("words"), state.trouble || state.title + (state.pressed && `, last button: ${state.pressed}`));
  draw();
}

function changed(up) {
  document.body.dataset.link = up ? "up" : "lost";
  if (!up) say($("words"), "Connection lost, trying again");
}

new Link("cells", heard, changed);
setInterval(draw, TICK);
