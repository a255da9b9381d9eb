/* A Stonelight board in C, for an ESP32 or any other Arduino: four reed switches, a button and eight pixels.
 *
 * It speaks version 1 of docs/protocol.md, and shows how little of it a device needs. The upper part is plain C and
 * knows no board; what the board can is in the five functions at the end. For more cells change the numbers below; a
 * snapshot here is one message, so there may be 200 cells. On an ESP32 with USB of its own set "USB CDC On Boot". */
#include <stdint.h>
#include <string.h>

enum { CELLS = 4, PIXELS = 8, BUTTONS = 1 };
static const char IDENTITY[] = "sketch-1", BOARD[] = "first", BUTTON_NAMES[] = "ok";

enum { HELLO = 0x01, BEAT = 0x02, ACK = 0x03, OPEN = 0x10, CHANGES = 0x81, SNAPSHOT = 0x82, BUTTON = 0x83 };
enum { LAMPS = 0x90, ASK = 0x91, LAST = 1, LOST = 4, ASKED = 8, LONGEST = 256, WINDOW = 16, ROOM = 48 };
enum { SCAN_MS = 5, AGREE_SCANS = 3, BEAT_MS = 1000, GREET_MS = 500, SNAPSHOT_MS = 1000, SILENT_MS = 3000 };

#ifdef __cplusplus
extern "C" {
#endif
uint32_t board_millis(void);                     /* a clock */
int board_closed(int contact);                   /* whether a cell's contact (0 and up), or a button's, is closed */
int board_read(void);                            /* the next byte that came, or -1 */
void board_write(const uint8_t *data, int size); /* never waits: what does not fit is dropped, and sent again later */
void board_show(const uint8_t *colours);         /* all pixels, three bytes each as the chain takes them */
#ifdef __cplusplus
}
#endif

/* Frames: COBS( payload, CRC-32 ) 00 ---------------------------------------------------------------------------- */

static uint32_t crc32_of(const uint8_t *data, int size) {
  uint32_t crc = 0xFFFFFFFF;
  while (size--) {
    crc ^= *data++;
    for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
  }
  return ~crc;
}

static int put32(uint8_t *to, uint32_t value) {
  for (int k = 0; k < 4; k++) to[k] = value >> 8 * k & 255;
  return 4;
}

/* Make a frame of a payload, at most 246 bytes; return its size. */
static int seal(const uint8_t *payload, int size, uint8_t *frame) {
  uint8_t data[LONGEST];
  int code = 0, to = 1;
  memcpy(data, payload, size);
  size += put32(data + size, crc32_of(payload, size));
  for (int k = 0; k < size; k++) {
    if (data[k]) frame[to++] = data[k];
    if (!data[k] || (to - code == 255 && k + 1 < size)) frame[code] = to - code, code = to++;
  }
  frame[code] = to - code;
  frame[to++] = 0;
  return to;
}

/* Make a payload of a frame without its 00, in place; return its size, or -1 if it is none. */
static int unseal(uint8_t *data, int size) {
  int from = 0, to = 0;
  while (from < size) {
    int step = data[from++];
    if (!step || from + step - 1 > size) return -1;
    for (int k = 1; k < step; k++) data[to++] = data[from++];
    if (step < 255 && from < size) data[to++] = 0;
  }
  return to >= 6 && crc32_of(data, to) == 0x2144DF1C ? to - 4 : -1;
}

/* Sessions: each numbered message is kept until it is acknowledged ------------------------------------------------ */

static uint8_t session, spoken, next_in, first_out, waiting, owes_ack, owes_demand, owes_snapshot;
static uint8_t kept[WINDOW][ROOM], kept_size[WINDOW], pixels[3 * PIXELS];
static uint8_t stable[CELLS + BUTTONS], seen[CELLS + BUTTONS];
static uint32_t nonce, heard, beat_at, greeted_at, snapshot_at, scan_at, sent_at, patience = 80, asked_at;

static void send_payload(const uint8_t *payload, int size) {
  uint8_t frame[LONGEST + 8];
  board_write(frame, seal(payload, size, frame));
}

/* Say something that must arrive, if there is room for it; return whether there was. */
static int say(uint8_t kind, const uint8_t *body, int size) {
  if (!session || waiting == WINDOW || size > ROOM - 3) return 0;
  int place = (first_out + waiting) % WINDOW;
  kept[place][0] = kind, kept[place][1] = session, kept[place][2] = first_out + waiting;
  memcpy(kept[place] + 3, body, size);
  kept_size[place] = size + 3;
  if (!waiting++) sent_at = board_millis();
  send_payload(kept[place], size + 3);
  return 1;
}

static void acknowledged(uint8_t until) {
  uint8_t done = until - first_out;
  if (!done || done > waiting) return;
  first_out = until, waiting -= done, sent_at = board_millis(), patience = 80;
}

static void send_again(void) {
  for (int k = 0; k < waiting; k++) send_payload(kept[(first_out + k) % WINDOW], kept_size[(first_out + k) % WINDOW]);
  sent_at = board_millis();
  patience = patience < 320 ? 2 * patience : 640;
}

static void say_hello(void) {
  uint8_t out[LONGEST] = {HELLO, session, 1}; /* protocol 1 */
  const char *texts[] = {IDENTITY, BOARD, BUTTON_NAMES};
  int at = 3 + put32(out + 3, nonce);
  const uint8_t numbers[] = {1, 0, 0, 6, CELLS & 255, CELLS >> 8, 0, 1, PIXELS & 255, PIXELS >> 8, 3, 0, 0};
  memcpy(out + at, numbers, sizeof numbers); /* firmware, reset reason, cells, presence, top, pixels, bytes, can */
  at += sizeof numbers;
  at += put32(out + at, board_millis());
  const uint8_t settings[] = {SCAN_MS, SCAN_MS, AGREE_SCANS, 0};
  memcpy(out + at, settings, sizeof settings);
  at += sizeof settings;
  for (int k = 0; k < 3; k++) {
    out[at++] = strlen(texts[k]);
    memcpy(out + at, texts[k], strlen(texts[k]));
    at += strlen(texts[k]);
  }
  send_payload(out, at);
  greeted_at = board_millis();
}

static void say_snapshot(void) {
  uint32_t now = board_millis();
  uint8_t body[6 + (CELLS + 7) / 8] = {(uint8_t)now, (uint8_t)(now >> 8), 0, 0, (uint8_t)(LAST | owes_snapshot), CELLS};
  for (int k = 0; k < CELLS; k++) body[6 + k / 8] |= stable[k] << k % 8;
  if (say(SNAPSHOT, body, sizeof body)) owes_snapshot = 0, snapshot_at = now;
}

static void opened(const uint8_t *payload) {
  uint32_t asked = payload[3] | payload[4] << 8 | (uint32_t)payload[5] << 16 | (uint32_t)payload[6] << 24;
  if (payload[1] == session && asked == nonce && !spoken) { /* my answer was lost, or is still on its way */
    say_hello();
    return;
  }
  session = payload[1], nonce = asked, spoken = 0;
  next_in = first_out = waiting = owes_ack = owes_demand = 0;
  patience = 80, heard = board_millis();
  say_hello();
  if (payload[2] != 1) session = 0; /* another protocol: it has been told which one this is */
  owes_snapshot = ASKED;
  say_snapshot();
  memset(pixels, 0, sizeof pixels);
  board_show(pixels);
}

static void paint(const uint8_t *body, int size) {
  for (int at = 1; at + 7 <= size; at += 7) {
    int first = body[at] | body[at + 1] << 8, count = body[at + 2] | body[at + 3] << 8;
    for (int k = first; k < first + count && k < PIXELS; k++) memcpy(pixels + 3 * k, body + at + 4, 3);
  }
  if (body[0] & 1) board_show(pixels);
}

static void hear(const uint8_t *payload, int size) {
  if (payload[0] == OPEN && size == 7 && payload[1]) opened(payload);
  if (!session || payload[1] != session || payload[0] == OPEN) return;
  heard = board_millis(), spoken = 1;
  if (payload[0] == BEAT && size == 7) acknowledged(payload[6]);
  if (payload[0] == ACK && size == 4) {
    acknowledged(payload[2]);
    if (payload[3]) send_again();
  }
  if (!(payload[0] & 0x80) || size < 3) return;
  owes_ack = 1;
  if (payload[2] != next_in) {
    owes_demand |= (uint8_t)(payload[2] - next_in) < WINDOW;
    return;
  }
  next_in++;
  if (payload[0] == LAMPS && size > 3) paint(payload + 3, size - 3);
  if (payload[0] == ASK && size == 5 && payload[3] == 1) owes_snapshot |= ASKED;
}

/* Cells: a change counts once some scans agree -------------------------------------------------------------------- */

static void scan(uint32_t now) {
  for (int k = 0; k < CELLS + BUTTONS; k++) {
    uint8_t closed = board_closed(k) != 0;
    seen[k] = closed == stable[k] ? 0 : seen[k] + 1;
    if (seen[k] < AGREE_SCANS) continue;
    stable[k] = closed, seen[k] = 0;
    uint8_t ago = SCAN_MS * (AGREE_SCANS - 1), t0 = now & 255, t1 = now >> 8 & 255;
    const uint8_t change[] = {t0, t1, (uint8_t)(k & 255), (uint8_t)(k >> 8), closed, ago};
    const uint8_t press[] = {t0, t1, (uint8_t)(k - CELLS), closed, ago};
    if (k >= CELLS) say(BUTTON, press, sizeof press);
    else if (owes_snapshot & LOST || !say(CHANGES, change, sizeof change)) owes_snapshot |= LOST;
  }
}

/* One turn; call it as often as you can. */
void board_turn(void) {
  static uint8_t buffer[LONGEST];
  static int size;
  int byte;
  while ((byte = board_read()) >= 0) {
    if (byte) {
      if (size <= LONGEST) size++; /* one more than fits: too long to be a frame */
      if (size <= LONGEST) buffer[size - 1] = byte;
      continue;
    }
    int length = size <= LONGEST ? unseal(buffer, size) : -1;
    if (length > 0) hear(buffer, length);
    size = 0;
  }
  uint32_t now = board_millis();
  if (now - scan_at >= SCAN_MS) scan_at = now, scan(now);
  if (session && now - heard >= SILENT_MS) session = 0, nonce = 0, memset(pixels, 0, sizeof pixels), board_show(pixels);
  if (!session) {
    if (now - greeted_at >= GREET_MS) say_hello();
    return;
  }
  if (owes_snapshot || now - snapshot_at >= SNAPSHOT_MS) say_snapshot();
  if (waiting && now - sent_at >= patience) send_again();
  if (owes_ack) {
    uint8_t demand = owes_demand && now - asked_at >= 30;
    const uint8_t ack[] = {ACK, session, next_in, demand};
    if (demand) asked_at = now;
    owes_ack = owes_demand = 0;
    send_payload(ack, sizeof ack);
  }
  if (now - beat_at >= BEAT_MS) {
    uint8_t beat[7] = {BEAT, session};
    put32(beat + 2, beat_at = now);
    beat[6] = next_in;
    send_payload(beat, sizeof beat);
  }
}

#ifdef ARDUINO /* The board: reeds and the button between these pins and ground ------------------------------------- */
#include <Adafruit_NeoPixel.h>
static const int CONTACT_PINS[CELLS + BUTTONS] = {4, 5, 6, 7, 15};
static Adafruit_NeoPixel strip(PIXELS, 16, NEO_RGB + NEO_KHZ800); /* RGB: the bytes come in the chain's order */

uint32_t board_millis(void) { return millis(); }
int board_closed(int contact) { return digitalRead(CONTACT_PINS[contact]) == LOW; }
int board_read(void) { return Serial.read(); }
void board_write(const uint8_t *data, int size) {
  if (Serial.availableForWrite() >= size) Serial.write(data, size);
}
void board_show(const uint8_t *colours) {
  for (int k = 0; k < PIXELS; k++) strip.setPixelColor(k, colours[3 * k], colours[3 * k + 1], colours[3 * k + 2]);
  strip.show();
}
void setup() {
  Serial.begin(115200);
  for (int k = 0; k < CELLS + BUTTONS; k++) pinMode(CONTACT_PINS[k], INPUT_PULLUP);
  strip.begin();
}
void loop() { board_turn(); }
#endif
