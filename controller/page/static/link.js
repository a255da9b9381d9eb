// The line to the board: opened for ever, never trusted for long. Beside it, what both pages use.
//
// A browser may say that a line is open long after it died (a phone that slept, a cable that was pulled). So silence has
// a deadline, and whenever the page comes back into sight or the network returns, a fresh line is opened.

const FIRST_WAIT = 300; // ms before the first new attempt
const LONGEST_WAIT = 5000; // ms between attempts at most: a board that comes back is found soon
const DEADLINE = 6000; // ms of silence; the board says something every 2 s
const PATIENCE = 900; // ms that a line renewed on purpose may take before the person is told

export const $ = (id) => document.getElementById(id);

// Sets text only where it changed, so that a reading aid does not say it again.
export function say(element, words) {
  if (element.textContent !== words) element.textContent = words;
}

export class Link {
  // heard(message) gets each message of the board; changed(up) is told when the line is lost and when it is back.
  constructor(place, heard, changed) {
    this.url = `${location.protocol.replace("http", "ws")}//${location.host}/${place}`;
    this.heard = heard;
    this.changed = changed;
    this.socket = null;
    this.sent = 0; // messages on this line; each state tells how many of them the board has read
    this.attempts = 0;
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.renew();
    });
    window.addEventListener("online", () => this.renew());
    window.addEventListener("pageshow", (event) => {
      if (event.persisted) this.renew();
    });
    window.addEventListener("pagehide", () => this.drop());
    setInterval(() => this.check(), 1000);
    this.open();
  }

  // Says something to the board; false where nobody would hear it.
  send(message) {
    if (!this.socket || this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    this.sent += 1;
    return true;
  }

  open() {
    clearTimeout(this.timer);
    this.lastHeard = Date.now();
    const socket = new WebSocket(this.url);
    this.socket = socket;
    this.sent = 0;
    socket.onmessage = (event) => {
      if (socket !== this.socket) return;
      this.lastHeard = Date.now();
      const message = JSON.parse(event.data);
      if (message.type === "state") {
        this.attempts = 0;
        clearTimeout(this.grace);
        this.changed(true);
      }
      this.heard(message);
    };
    socket.onclose = () => {
      if (socket === this.socket) this.lost();
    };
  }

  // Lets go of the line, whatever state it claims to be in.
  drop() {
    const socket = this.socket;
    this.socket = null;
    if (socket) {
      socket.onmessage = socket.onclose = null;
      socket.close();
    }
  }

  lost() {
    this.drop();
    clearTimeout(this.grace);
    this.changed(false);
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 1.7 ** this.attempts);
    this.attempts += 1;
    // Jitter, so that all phones of a room do not come back in the same instant.
    this.timer = setTimeout(() => this.open(), wait * (0.7 + 0.6 * Math.random()));
  }

  renew() {
    this.drop();
    clearTimeout(this.grace);
    this.grace = setTimeout(() => this.changed(false), PATIENCE);
    this.open();
  }

  check() {
    if (this.socket && Date.now() - this.lastHeard > DEADLINE) this.lost();
  }
}
