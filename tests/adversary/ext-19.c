// CAT: ext
// TRUTH: safe
// ARGS:
// NATIVE: skip
// WHY: the result is unknown, but its type is not: a byte is at most 255 and a bool is 0 or 1.
#include "v.h"
#include <stdbool.h>

unsigned char next_byte(void);
bool is_ready(void);
short next_sample(void);

int main(void) {
  int byte = next_byte();
  int ready = is_ready();
  int sample = next_sample();
  assert(byte >= 0 && byte < 256);
  assert(ready == 0 || ready == 1);
  assert(sample * 2 / 2 == sample);
  assert(byte + 256 * ready < 512);
  return 0;
}
