// CAT: heap
// TRUTH: ub
// ARGS:
// WHY: adding the distance of two objects to a pointer to the one leaves it; natively the other one is written
#include "v.h"
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  char *p = malloc(16), *q = malloc(16);
  if (!p || !q)
    return 0;
  *q = 1;
  long distance = (long)((uintptr_t)q - (uintptr_t)p);
  p[distance] = 2;
  assert(*q == 1);
  free(p);
  free(q);
  return 0;
}
