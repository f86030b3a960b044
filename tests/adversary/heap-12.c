// CAT: heap
// TRUTH: safe
// ARGS:
// WHY: a flexible array starts in the padding, so sizeof already counts some of its elements
#include "v.h"
#include <stddef.h>
#include <stdlib.h>

struct text {
  long hash;
  char kind;
  char data[];
};

int main(void) {
  struct text *t = malloc(sizeof *t);
  if (!t)
    return 0;
  t->hash = -1;
  t->kind = 'k';
  unsigned n = sizeof *t - offsetof(struct text, data);
  for (unsigned i = 0; i < n; i++)
    t->data[i] = (char)i;
  unsigned i = __VERIFIER_nondet_uint() % 7;
  assert(n == 7 && t->data[i] == (char)i);
  assert(t->hash == -1 && t->kind == 'k');
  free(t);
  return 0;
}
