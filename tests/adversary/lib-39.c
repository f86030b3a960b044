// CAT: lib
// TRUTH: unsafe
// ARGS:
// WHY: large structures are copied by the program's own memcpy.
#include "v.h"

static int calls;
struct table {
  int rows[64];
};

void *memcpy(void *to, const void *from, __SIZE_TYPE__ n) {
  char *t = to;
  const char *f = from;
  calls++;
  while (n--)
    *t++ = *f++;
  return to;
}

int main(void) {
  static struct table a, b;
  a = b;
  assert(calls == 0);
  return 0;
}
