// CAT: heap
// TRUTH: unsafe
// ARGS:
// WHY: assigning a struct copies its padding too, and with it the first elements of the flexible array
#include "v.h"
#include <stdlib.h>

struct text {
  long hash;
  char kind;
  char data[];
};

int main(void) {
  struct text *a = malloc(sizeof *a + 8), *b = malloc(sizeof *b + 8);
  if (!a || !b)
    return 0;
  a->hash = b->hash = 0;
  a->kind = b->kind = 0;
  for (int i = 0; i < 15; i++) {
    a->data[i] = 'a';
    b->data[i] = 'b';
  }
  *b = *a;
  unsigned i = __VERIFIER_nondet_uint() % 15;
  if (b->data[i] == 'a')
    reach_error();
  free(a);
  free(b);
  return 0;
}
