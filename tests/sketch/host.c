/* The sketch on a computer. "vectors": for each line with a payload and a frame in hexadecimal, both ways. "device": a
 * board at the port that is open as files 0 and 1, whose clock and contacts are lines on the first file that is
 * named, and whose pixels are lines on the second. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../docs/sketch/board.ino"

static uint32_t now;
static unsigned contacts;
static uint8_t shown[3 * PIXELS];
static int written;

uint32_t board_millis(void) { return now; }
int board_closed(int contact) { return contacts >> contact & 1; }
int board_read(void) {
  uint8_t byte;
  return read(0, &byte, 1) == 1 ? byte : -1;
}
void board_write(const uint8_t *data, int size) { written += write(1, data, size); }
void board_show(const uint8_t *colours) { memcpy(shown, colours, sizeof shown); }

static int unhex(const char *text, uint8_t *out) {
  int size = 0;
  for (; text[2 * size] && text[2 * size + 1]; size++) {
    char pair[3] = {text[2 * size], text[2 * size + 1], 0};
    out[size] = strtol(pair, 0, 16);
  }
  return size;
}

static void hex(const uint8_t *data, int size) {
  for (int k = 0; k < size; k++) printf("%02x", data[k]);
}

static int vectors(void) {
  static char payload_text[1200], frame_text[1200];
  while (scanf("%1199s %1199s", payload_text, frame_text) == 2) {
    uint8_t payload[600], frame[600], sealed[600];
    int size = unhex(payload_text, payload), length = unhex(frame_text, frame);
    hex(sealed, seal(payload, size, sealed));
    printf(" ");
    int opened = unseal(frame, length - 1);
    hex(frame, opened > 0 ? opened : 0);
    printf("\n");
  }
  return 0;
}

static int device(int orders, int answers) {
  FILE *in = fdopen(orders, "r"), *out = fdopen(answers, "w");
  while (fscanf(in, "%u %u", &now, &contacts) == 2) {
    written = 0;
    board_turn();
    fprintf(out, "%d ", written);
    for (int k = 0; k < (int)sizeof shown; k++) fprintf(out, "%02x", shown[k]);
    fprintf(out, "\n");
    fflush(out);
  }
  return 0;
}

int main(int count, char **words) {
  return count == 4 ? device(atoi(words[2]), atoi(words[3])) : vectors();
}
