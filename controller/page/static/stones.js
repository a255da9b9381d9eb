// Stones: what they are called and how they look. Every colour has a mark too, so that nobody needs colour sight.

const KINDS = {
  R: { name: "red", tones: ["#ff9d86", "#c8372d", "#6d1214"], mark: "M0-24 21 14H-21Z" },
  B: { name: "blue", tones: ["#8fbcf5", "#2c62b4", "#112b5f"], mark: "M0-23 23 0 0 23-23 0Z" },
  Y: { name: "yellow", tones: ["#fff0b0", "#e9b52e", "#8f6108"], mark: "M-19 0a19 19 0 1 0 38 0a19 19 0 1 0-38 0" },
  G: { name: "green", tones: ["#a5e0a0", "#358045", "#123c1f"], mark: "M0-22V22M-22 0H22" },
  P: { name: "purple", tones: ["#d3a9ee", "#7a45a3", "#371852"], mark: "M-17-17 17 17M17-17-17 17" },
  O: { name: "orange", tones: ["#ffd0a0", "#e07a26", "#7d3808"], mark: "M-22-8H22M-22 9H22" },
  seed: { name: "seed", tones: ["#fffaf0", "#d8c9a8", "#8d7b58"] },
};
const UNKNOWN = { tones: ["#f4ead8", "#b9a88c", "#6b5d47"] };
const SVG = "http://www.w3.org/2000/svg";

export const isNumber = (stone) => /^\d+$/.test(stone);

// The name of a stone for a person. A number is a player's stone, or seeds in a pit.
export function stoneName(stone, surface) {
  if (isNumber(stone)) {
    if (surface === "pit") return stone === "1" ? "1 seed" : `${stone} seeds`;
    return `player ${stone}'s stone`;
  }
  if (stone === "?") return surface === "pit" ? "some seeds" : "a stone of unknown colour";
  if (stone === "seed") return "seed";
  return `${KINDS[stone]?.name ?? stone} stone`;
}

// The stone that lies in a pile: piles of owners are called by the owner's number, and their stones perhaps otherwise.
export function stoneOf(pile, stones) {
  return stones.includes(pile) ? pile : (isNumber(pile) && stones[Number(pile) - 1]) || pile;
}

// So many of them in words.
export const counted = (stone, count, surface) =>
  stone === "seed" ? stoneName(String(count), "pit") : stoneName(stone, surface);

// The name of a button or an answer for a person.
export const buttonName = (button) => (button === "ok" ? "OK" : button.charAt(0).toUpperCase() + button.slice(1));

// Colours a button stands for, where it stands for one.
export function buttonColour(button) {
  const kind = Object.values(KINDS).find((each) => each.name === button);
  return kind ? kind.tones[1] : "";
}

// Makes `element` look like that stone; `seats` gives a player's colour by number, `text` is engraved instead of it.
export function paintStone(element, stone, seats, text = stone) {
  if (element.dataset.kind === stone && element.dataset.text === text) return;
  element.dataset.kind = stone;
  element.dataset.text = text;
  const seat = isNumber(stone) ? seats.get(Number(stone)) : undefined;
  const kind = KINDS[stone] ?? (seat ? { tones: [mix(seat, 255, 0.55), seat, mix(seat, 0, 0.6)] } : UNKNOWN);
  ["--hi", "--mid", "--lo"].forEach((name, index) => element.style.setProperty(name, kind.tones[index]));
  element.replaceChildren(engraving(kind.mark, text));
}

function engraving(mark, stone) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "-50 -50 100 100");
  svg.setAttribute("aria-hidden", "true");
  if (mark) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", mark);
    svg.append(path);
  } else {
    const text = document.createElementNS(SVG, "text");
    text.textContent = stone;
    text.setAttribute("text-anchor", "middle");
    text.setAttribute("dy", "16");
    svg.append(text);
  }
  return svg;
}

// Red, green and blue of `#rrggbb`.
export const partsOf = (colour) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

function mix(colour, towards, share) {
  return `rgb(${partsOf(colour).map((part) => Math.round(part + (towards - part) * share)).join(" ")})`;
}

// A word for the colour of a light, for those who hear the page.
export function lightName(colour) {
  const [red, green, blue] = partsOf(colour);
  const most = Math.max(red, green, blue);
  const span = most - Math.min(red, green, blue);
  if (most < 12) return "";
  if (span < most * 0.25) return "white";
  const turn = most === red ? (green - blue) / span : most === green ? 2 + (blue - red) / span : 4 + (red - green) / span;
  const names = ["red", "orange", "yellow", "green", "green", "turquoise", "turquoise", "blue", "blue", "purple", "pink", "pink"];
  return names[Math.round(((turn + 6) % 6) * 2) % 12];
}
