// CAT: lib
// TRUTH: safe
// ARGS:
// WHY: who writes a memcpy that copies has structures copied as everybody.
#include "v.h"
#include <string.h>

struct pair {
  int first, second;
};

void *memcpy(void *to, const void *from, size_t n) {
  char *t = to;
  const char *f = from;
  while (n--)
    *t++ = *f++;
  return to;
}

int main(void) {
  struct pair a = {__VERIFIER_nondet_int(), 2}, b;
  memcpy(&b, &a, sizeof b);
  assert(b.first == a.first && b.second == 2);
  return 0;
}
