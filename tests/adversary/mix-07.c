// CAT: mix
// TRUTH: unsafe
// ARGS:
// WHY: the hex parser takes bit 3 out of a digit and adds it back as 7 instead of 8, which spoils the digits 8 and 9 only.
#include "v.h"

static char digit_of(unsigned v) { return v < 10 ? '0' + v : 'a' + (v - 10); }

static int value_of(char c) {
  int folded = c & ~0x08;
  if (c >= '0' && c <= '9')
    return folded - '0' + (c & 0x08 ? 7 : 0);
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  return -1;
}

static void write_hex(unsigned char byte, char *out) {
  out[0] = digit_of(byte >> 4);
  out[1] = digit_of(byte & 15);
}

static int read_hex(const char *in) {
  int high = value_of(in[0]);
  int low = value_of(in[1]);
  if (high < 0 || low < 0)
    return -1;
  return high << 4 | low;
}

int main(void) {
  char text[2];
  unsigned char byte = __VERIFIER_nondet_uchar();
  write_hex(byte, text);
  int back = read_hex(text);
  assert(back >= 0);
  assert(back == byte);
  return 0;
}
