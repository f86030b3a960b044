// CAT: memcpy
// TRUTH: safe
// ARGS:
// WHY: memcpy may copy an object to itself and to its neighbour
#include "v.h"
#include <string.h>

struct item {
  int a[4];
};

int main(void) {
  struct item items[3] = {{{1}}, {{2}}, {{3}}};
  unsigned from = __VERIFIER_nondet_int(), to = __VERIFIER_nondet_int();
  if (from > 2 || to > 2)
    return 0;
  memcpy(&items[to], &items[from], sizeof(struct item));
  assert(items[to].a[0] == (int)from + 1);
  return 0;
}
