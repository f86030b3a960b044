// CAT: mix
// TRUTH: unsafe
// ARGS:
// WITNESS: 1 0 2 1 255
// WHY: the Fletcher sum counts modulo 255, so replacing a byte 0 by 255 is the one change it does not see.
#include "v.h"

#define LENGTH 3

static unsigned fletcher(const unsigned char *data, int n) {
  unsigned low = 0;
  unsigned high = 0;
  for (int i = 0; i < n; i++) {
    low = (low + data[i]) % 255;
    high = (high + low) % 255;
  }
  assert(low < 255 && high < 255);
  return high << 8 | low;
}

int main(void) {
  unsigned char data[LENGTH];
  for (int i = 0; i < LENGTH; i++)
    data[i] = __VERIFIER_nondet_uchar();
  unsigned before = fletcher(data, LENGTH);
  unsigned place = __VERIFIER_nondet_uint();
  unsigned char byte = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(place < LENGTH);
  unsigned char old = data[place];
  data[place] = byte;
  unsigned after = fletcher(data, LENGTH);
  if (byte == old)
    assert(after == before);
  else if (after == before)
    reach_error();
  return 0;
}
