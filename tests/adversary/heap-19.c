// CAT: heap
// TRUTH: safe
// ARGS:
// WHY: objects allocated by the same line in a loop are different ones, and one freed and allocated anew too
#include "v.h"
#include <stdlib.h>

int main(void) {
  int *p[5];
  for (int i = 0; i < 5; i++) {
    p[i] = malloc(sizeof(int));
    if (!p[i])
      return 0;
    *p[i] = i;
  }
  unsigned k = __VERIFIER_nondet_uchar() % 5;
  free(p[k]);
  p[k] = malloc(sizeof(int));
  if (!p[k])
    return 0;
  *p[k] = 100;
  for (unsigned i = 0; i < 5; i++)
    for (unsigned j = 0; j < i; j++)
      assert(p[i] != p[j]);
  assert(*p[0] + *p[1] + *p[2] + *p[3] + *p[4] == 110 - (int)k);
  return 0;
}
