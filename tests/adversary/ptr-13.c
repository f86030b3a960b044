// CAT: ptr
// TRUTH: unsafe
// ARGS:
// WITNESS: 200
// WHY: replacing the lowest byte of a pointer to a 256-aligned buffer is indexing it
#include "v.h"

static _Alignas(256) char buffer[256];

int main(void) {
  char *p = buffer;
  buffer[200] = 42;
  *(unsigned char *)&p = __VERIFIER_nondet_uchar();
  if (*p == 42)
    reach_error();
  return 0;
}
