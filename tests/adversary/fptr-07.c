// CAT: fptr
// CAT: fptr
// TRUTH: unsafe
// ARGS:
// WHY: what compares equal may stay in its order or not; a sort that happens to be stable keeps it
#include "v.h"
#include <stdlib.h>

struct entry {
  int key;
  int position;
};

static int by_key(const void *p, const void *q) {
  const struct entry *x = p, *y = q;
  return (x->key > y->key) - (x->key < y->key);
}

int main(void) {
  struct entry e[3];
  for (int i = 0; i < 3; i++) {
    e[i].key = __VERIFIER_nondet_bool();
    e[i].position = i;
  }
  qsort(e, 3, sizeof e[0], by_key);
  if (e[0].key == e[1].key && e[0].position < e[1].position && e[2].key == 1 && e[2].position == 0)
    reach_error();
  return 0;
}
