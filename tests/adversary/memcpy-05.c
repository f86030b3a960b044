// CAT: memcpy
// TRUTH: unsafe
// ARGS:
// WHY: A forward byte loop over overlapping ranges repeats the first bytes instead of shifting them.
#include "v.h"

int main(void) {
  unsigned short a[4] = {0x0102, 0x0304, 0x0506, 0x0708};
  unsigned char *p = (unsigned char *)a;
  for (int i = 0; i + 3 < 8; i++) {
    p[i + 3] = p[i];
  }
  if (a[__VERIFIER_nondet_uint() % 4] == 0x0401) {
    reach_error();
  }
  return 0;
}
