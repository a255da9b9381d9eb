// The panel of the lights: how bright they are, by day or by night, and in whose colours.

const PACE = 200; // ms between two messages while the slider is dragged
const PALETTES = {
  standard: "Standard",
  protan: "For eyes that miss red",
  deutan: "For eyes that miss green",
  tritan: "For eyes that miss blue",
  contrast: "High contrast",
};

export class Lights {
  // send(message) says something to the board, false where nobody hears it; sent() tells how often it was heard.
  constructor(panel, send, sent) {
    this.panel = panel;
    this.send = send;
    this.sent = sent;
    this.light = null;
    this.awaited = 0; // how many messages the board has to have read before it is believed again
    this.wanted = null; // the brightness that the slider has come to, where the board has not been told
    this.timer = 0;
    [this.brightness, this.night, this.palette] = ["brightness", "night", "palette"].map((setting) =>
      panel.querySelector(`[data-setting="${setting}"]`),
    );
    this.brightness.addEventListener("input", () => this.slide());
    this.night.addEventListener("click", () => this.set("night", this.light?.night ? "off" : "on"));
    this.palette.addEventListener("change", () => this.set("palette", this.palette.value));
    // A hand that holds a stone does not carry it while the slider is dragged.
    panel.addEventListener("pointerdown", (event) => event.stopPropagation());
  }

  // Shows what the board says, unless this page has said something that the board has not read yet.
  update({ light, acted }) {
    this.light = light;
    this.panel.hidden = !light;
    if (light && this.wanted === null && acted >= this.awaited) this.draw();
  }

  // What was asked for was refused, or nobody hears it: the controls show again what is so.
  reset() {
    clearTimeout(this.timer);
    this.timer = this.awaited = 0;
    this.wanted = null;
    if (this.light) this.draw();
  }

  draw() {
    const { brightness, night, palette, palettes } = this.light;
    this.brightness.value = brightness;
    this.tell();
    this.night.setAttribute("aria-checked", String(night));
    this.night.lastElementChild.textContent = `${night ? "On" : "Off"}. At night the lights are as low as they go.`;
    if (this.palette.length !== palettes.length) {
      this.palette.replaceChildren(...palettes.map((name) => new Option(PALETTES[name] ?? name, name)));
    }
    this.palette.value = palette;
  }

  tell() {
    const percent = this.brightness.value;
    this.brightness.setAttribute("aria-valuetext", `${percent} percent`);
    this.panel.querySelector(".percent").textContent = `${percent} %`;
  }

  slide() {
    this.wanted = this.brightness.value;
    this.tell();
    if (!this.timer) this.pass();
  }

  // Tells the board where the slider is, and looks again after a while: the last place is never left out.
  pass() {
    this.timer = 0;
    if (this.wanted === null) return;
    const value = this.wanted;
    this.wanted = null;
    if (this.set("brightness", value)) this.timer = setTimeout(() => this.pass(), PACE);
  }

  set(setting, value) {
    const heard = this.send({ type: "light", setting, value });
    if (heard) this.awaited = this.sent();
    else this.reset();
    return heard;
  }
}
